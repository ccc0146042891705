"""Questions of Axis & Allies that positions, closure and relaxation leave open: proofs over all that can happen."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest

import vclogic
from tests.fixtures.all_positions import never_looked_at
from tests.fixtures.games import loaded
from tests.toys.unreachable import says, spacer_that
from vclogic.game import Game
from vclogic.query.reach.answer import Reach
from vclogic.solve import budgets, strategy
from vclogic.solve.proofs.race import Induction

NOTHING_KEPT = patch.object(strategy, "by_invariants", lambda *question, **more: None)
FIRST = "first_turn_done(Germans) and not first_turn_done(Russians)"


def reach(goal: str) -> Reach:
    """The answer, where a search of a moment comes before proofs by steps, and not all positions are looked at."""
    with patch.object(budgets, "BEFORE_A_PROOF", 0.3), patch.object(budgets, "LEADING_EVENTS", 0), never_looked_at():
        return loaded("axis_allies").reach(goal, opponent="any", timeout=180)


@pytest.mark.slow
def test_by_invariants_before_either() -> None:
    answer = reach(FIRST)
    assert answer.status == "unreachable"
    assert answer.proof is not None
    assert (answer.proof.method, answer.proof.k, answer.proof.rechecked) == ("invariants", None, True)
    assert set(answer.proof.invariant) == {
        "first_turn_done[Russians] or not first_turn_done[Germans]",
        "first_turn_done[Russians] or (turn in {Russians})",
    }


@pytest.mark.slow
@NOTHING_KEPT
def test_by_induction_over_two_steps() -> None:
    with spacer_that("sys.exit(1)"):
        answer = reach(FIRST)
    assert answer.status == "unreachable"
    assert answer.proof is not None
    assert (answer.proof.method, answer.proof.k, answer.proof.horizon) == ("k-induction", 2, None)
    assert answer.proof.rechecked


@pytest.mark.slow
@NOTHING_KEPT
def test_by_an_invariant_in_the_game_s_own_words() -> None:
    with patch.object(Induction, "search", lambda self, beside=None, **limits: "over"):
        answer = reach(FIRST)
    assert answer.status == "unreachable"
    assert answer.proof is not None
    assert (answer.proof.method, answer.proof.k, answer.proof.rechecked) == ("spacer", None, True)
    assert answer.proof.invariant
    assert all("first_turn_done[" in law or "turn in {" in law for law in answer.proof.invariant)
    assert all(law.count("(") == law.count(")") for law in answer.proof.invariant)


@NOTHING_KEPT
def test_a_search_without_end_is_interrupted_for_a_proof() -> None:
    with patch.object(budgets, "BEFORE_A_PROOF", 0.5):
        answer = loaded("axis_allies").plan(FIRST, side="Allies", opponent="any", minimize="turns")
    assert (answer.status, answer.horizon.n, answer.exact) == ("impossible", None, True)
    assert answer.bound_by in ("spacer", "k-induction")


@pytest.mark.slow
@pytest.mark.parametrize("claim", ["false", pytest.param("(not (:var 0))", marks=pytest.mark.slow)])
def test_a_bogus_invariant_makes_nothing_unreachable(claim: str) -> None:
    quiet = patch.object(Induction, "search", lambda self, beside=None, **limits: "over")
    with patch.object(budgets, "BEFORE_A_PROOF", 0.0), spacer_that(says(f"{{'reach': '{claim}'}}")), quiet:
        goal = "first_turn_done(Germans) and round >= 2"
        answer = loaded("axis_allies").plan(goal, side="Allies", minimize="turns")
    assert (answer.status, answer.replayed) == ("optimal", True)


GRADES = "(vp(German) > 3*vp(Soviet)) != (grade(German) >= 4)"


@pytest.mark.parametrize(("zero", "goal"), [("limit", GRADES), ("undefined", f"({GRADES}) and vp(Soviet) >= 1")])
def test_what_values_alone_exclude(zero: str, goal: str) -> None:
    answer = vclogic.load("moscow/small", settings={"zero_points": zero}).reach(goal, opponent="helps")
    assert answer.status == "unreachable"
    assert answer.proof is not None
    assert (answer.proof.method, answer.proof.rechecked) == ("positions", True)


@pytest.mark.slow
def test_a_ratio_without_points_on_one_side_is_found() -> None:
    answer = vclogic.load("moscow/small").reach(GRADES, opponent="helps")
    assert (answer.status, answer.replayed) == ("reachable", True)


# ---- what no event changes


@pytest.mark.parametrize(
    ("game", "metric", "goal"),
    [
        ("moscow/small", "moves", "elimination_points(German) >= 1"),
        pytest.param("okinawa", "turns", "elimination_points(US) >= 1", marks=pytest.mark.slow),
        pytest.param("napoleonics", "moves", "eliminated(French) >= 1", marks=pytest.mark.slow),
    ],
)
def test_where_nobody_fights_nobody_is_ever_eliminated(game: str, metric: str, goal: str) -> None:
    with patch.object(budgets, "BEFORE_A_PROOF", 0.0):
        answer = vclogic.load(game).reach(goal, opponent="helps", by=metric, timeout=120)
    assert answer.status == "unreachable"
    assert answer.proof is not None
    assert (answer.proof.method, answer.proof.horizon, answer.proof.rechecked) == ("invariants", None, True)
    assert all(law.endswith("] not in {eliminated}") for law in answer.proof.invariant)


@pytest.fixture
def after_the_bid(tmp_path: Path) -> Game:
    """The turns that were bid are over."""
    file = tmp_path / "late.yaml"
    file.write_text("game: axis_allies\nstate: {round: 4, turn: Russians, bid: 3, axis_team: side_a}\n")
    return vclogic.load(str(file))


LATE = "holds(minor_victory, Allies)"


@pytest.mark.slow
def test_a_moment_that_has_passed_never_comes_again(after_the_bid: Game) -> None:
    answer = after_the_bid.reach(LATE, timeout=300)
    assert answer.status == "unreachable"
    assert answer.proof is not None
    assert (answer.proof.method, answer.proof.rechecked) == ("invariants", True)
    assert "end_turn" in answer.events.included

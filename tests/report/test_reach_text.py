from __future__ import annotations

from collections.abc import Callable

import pytest
from rich.console import RenderableType

from tests.report import answers
from vclogic.query.answers import Horizon
from vclogic.query.reach.answer import ProofText
from vclogic.report.text.reach import reach

Piped = Callable[[RenderableType], str]


def test_a_proof_reads_like_this(piped: Piped) -> None:
    laws = (*(f"owner[Area {n}] in {{Red}}" for n in range(20)), "owner[Hill] in {Red, Blue}", "(turn >= 1)")
    assert (
        piped(reach(answers.reach(proof=ProofText("closure", None, None, laws, True))))
        == """\
Is points(Red) >= 9 reachable? (control only)
skirmish/spring

unreachable, ever: even all possible gains together are not enough, however long play goes on. (Proof:
closure; a fresh run of z3 confirms it.)

Events tried: attack, capture and end_turn. The others cannot change the answer: purchase.

True throughout all play
  - owner in {Red} for Area 0, Area 1, Area 2, Area 3, Area 4, Area 5, Area 6, Area 7, Area 8, Area 9, Area
    10, Area 11 and 8 more
  - owner[Hill] in {Red, Blue}
  - (turn >= 1)

Assumptions
  - armies left out

answered in 0.50 s
"""
    )


@pytest.mark.parametrize(
    ("proof", "sentence"),
    [
        (
            ProofText("positions", None, None, (), True),
            "no position that could stand on the board satisfies the goal",
        ),
        (
            ProofText("one-step", None, None, (), True),
            "no event does it, from any position that could stand on the board",
        ),
        (
            ProofText("exhaustive", None, None, (), True, 1234),
            "looked at, and the goal holds in none of them. (Proof: exhaustive, 1,234 positions; a second look",
        ),
        (ProofText("exhaustive", None, None, (), False, 1), "(Proof: exhaustive, 1 position.)"),
        (ProofText("closure", None, None, (), True), "even all possible gains together are not enough"),
        (ProofText("spacer", None, None, (), True), "the goal contradicts what holds at the start and no step ends"),
        (
            ProofText("bounded", None, Horizon(3, "capture"), (), False),
            "unreachable within 3 captures: everything up to there was searched, nothing beyond.",
        ),
        (ProofText("bounded", None, None, (), False), "unreachable: no steps lead there"),
    ],
)
def test_each_method_is_explained(piped: Piped, proof: ProofText, sentence: str) -> None:
    assert sentence in " ".join(piped(reach(answers.reach(proof=proof))).split())


def test_many_different_laws_are_cut_with_a_count(piped: Piped) -> None:
    laws = tuple(f"(x{n} >= 1)" for n in range(30))
    shown = piped(reach(answers.reach(proof=ProofText("closure", None, None, laws, True))))
    assert "(x11 >= 1)" in shown
    assert "(x12 >= 1)" not in shown
    assert "and 18 more of the kind (all with --format json)" in shown


def test_a_witness_is_shown_with_its_steps(piped: Piped) -> None:
    found = answers.reach(status="reachable", depth=1, proof=None, replayed=True, steps=(answers.capture(1, "Ford"),))
    shown = piped(reach(found))
    assert "\nreachable: in 1 step\n" in shown
    assert "1.  Red take Ford from Home [C/1, C/2]\n" in shown
    assert "Replayed" in shown


def test_a_goal_that_holds_already_needs_no_steps(piped: Piped) -> None:
    shown = piped(reach(answers.reach(status="reachable", depth=0, proof=None, replayed=True)))
    assert "\nreachable: the goal holds already\n" in shown
    assert "Replayed" not in shown


def test_unknown_says_why(piped: Piped) -> None:
    shown = piped(reach(answers.reach(status="unknown", proof=None, reason="the time is up")))
    assert "\nunknown: the time is up\n" in shown


def test_ever_is_said_of_all_events_only(piped: Piped) -> None:
    proof = ProofText("closure", None, None, (), True)
    by_model = " ".join(piped(reach(answers.reach(by="captures", proof=proof))).split())
    assert "unreachable by attack, capture and end_turn (left out: purchase): even all possible gains" in by_model
    assert ", ever" not in by_model
    assert "Events tried" not in by_model
    by_rules = " ".join(piped(reach(answers.reach(by="rules", proof=proof))).split())
    assert "unreachable, ever: even all possible gains" in by_rules
    positions = " ".join(piped(reach(answers.reach(by="captures"))).split())
    assert "unreachable, ever: no position that could stand on the board" in positions
    assert "left out: " not in positions


def test_what_a_model_looked_at_is_named_where_nothing_is_known(piped: Piped) -> None:
    shown = piped(reach(answers.reach(by="captures", status="unknown", proof=None, reason="the time is up")))
    assert "Events tried: attack, capture and end_turn; left out: purchase.\n" in shown

"""Forcing a goal, preventing a threat, and replies to a plan, on a board of two islands; and odd questions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.fixtures.efforts import effort
from tests.fixtures.games import loaded
from tests.fixtures.pace import HANGS
from tests.oracles.adversary import Play, Want
from tests.toys.capture_duels import duel
from vclogic.clock import TimeUp
from vclogic.errors import InputError
from vclogic.explore.legal_turns import LegalTurns, Turn
from vclogic.game import Game
from vclogic.model.system import ANY
from vclogic.query.force.answer import Force, LinesChecked, Variation
from vclogic.query.force.by_turns import defend, metric_of_turns
from vclogic.query.force.line_check import LineCheck, WrongLine
from vclogic.query.force.lines import UNFINISHED, LineRecords
from vclogic.query.replay import ReplayError
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.report.json import document
from vclogic.report.text.defend import defend as defence_report
from vclogic.report.text.force import force as report
from vclogic.report.text.page import render
from vclogic.solve.forcing.classes import Cases
from vclogic.terms.expressions.compiled import Goal
from vclogic.terms.expressions.resolve import compile_goal

QUICK = 1e-9


@pytest.fixture(scope="module")
def reds() -> Game:
    """The Reds (Axis) are on turn; a power captures once in its turn."""
    return loaded("examples/two_islands.yaml").with_options(captures_per_turn=1)


@pytest.fixture(scope="module")
def blues(reds: Game) -> Game:
    return reds.apply("end_turn")


@pytest.fixture(scope="module")
def refuted(reds: Game) -> Force:
    return reds.force("territories(Axis) >= 4", within=2)


def taken(case: Variation) -> list[object]:
    return [s.args["territory"] for turn in case.turns for s in turn.steps if s.action == "capture"]


def test_a_goal_that_one_turn_reaches_is_forced_whoever_answers(reds: Game) -> None:
    found = reds.force("vcp(Axis) >= 7", within=2)
    assert (found.status, found.turns, found.at_least) == ("forced", 1, 1)
    (case,) = found.strategy
    assert taken(case) in (["Outpost"], ["Blueland"])
    assert case.reached
    assert "within 1 turn of the Axis" in render(report(found))


def test_a_goal_that_holds_costs_no_turn(reds: Game) -> None:
    found = reds.force("vcp(Axis) >= 5")
    assert (found.status, found.turns, found.strategy, found.checked) == ("forced", 0, (), None)


def test_what_the_other_side_takes_back_is_refuted_with_a_reply_to_every_turn(refuted: Force) -> None:
    assert (refuted.status, refuted.turns, refuted.at_least, refuted.strategy) == ("refuted", None, 3, ())
    assert refuted.checked is not None
    assert refuted.checked.every
    assert refuted.checked.replies >= len(refuted.refutation) > 0
    assert not refuted.refutation[-1].when, "the last case is all that is left"
    page = " ".join(render(report(refuted)).split())
    assert "Checked: played without a solver against every legal turn" in page
    assert refuted.checked.recorded > 1
    assert f"{refuted.checked.recorded} lines of play were also played as a record, event by event" in page


def test_a_side_is_not_idle_when_it_answers(reds: Game) -> None:
    goal = "territories(Axis) >= 3 and turn == Reds"
    assert reds.plan(goal, side="Axis", minimize="turns", within=2).status == "optimal"
    assert reds.force(goal, "Axis", within=2).status == "refuted"


def test_a_defence_is_as_small_as_can_be(blues: Game) -> None:
    found = blues.defend("vcp(Axis) >= 7")
    assert (found.status, found.side, found.moves, found.at_least) == ("defended", "Allies", 1, 1)
    assert taken(found.defence[0]) == ["Harbour"]
    assert taken(found.attack[0]) in (["Outpost"], ["Blueland"]), "against doing nothing"
    assert "1 move now, the fewest possible" in render(defence_report(found))
    assert (
        blues.apply("capture", power="Blues", territory="Harbour")
        .apply("end_turn")
        .plan("vcp(Axis) >= 7", minimize="turns", within=1)
        .status
        == "impossible"
    )


def test_what_comes_by_itself_cannot_be_prevented(blues: Game) -> None:
    found = blues.defend("round >= 2", "Allies")
    assert (found.status, found.moves, found.defence) == ("lost", None, ())
    assert "lost" in render(defence_report(found))


def test_an_idle_defender_has_to_do_more_now(blues: Game) -> None:
    threat = "territories(Axis) >= 4"
    best, idle = (blues.defend(threat, within=2, idle=i) for i in (False, True))
    assert (best.moves, idle.moves) == (0, 1)


@pytest.mark.parametrize("seed", [21, 64, 70, 87])
def test_an_idle_defender_is_that_of_brute_force(seed: int) -> None:
    d = duel(seed)
    ask = ResolvedQuestion(
        "", d.m.system, d.m.state, (), d.other, ANY, metric_of_turns(d.m.system, None), effort(), d.within
    )
    goal = compile_goal(d.wish.text, d.m.system.vocabulary, "--threat").term
    fewest = Want(Play(d.m.world), d.wish, d.side).fewest(d.m.start, d.within, idle=True)
    assert defend(replace(ask, goal=Goal(d.wish.text, goal)), idle=True).moves == fewest


def test_a_plan_survives_or_is_stopped_by_a_reply(reds: Game) -> None:
    fast = reds.survives(reds.plan("vcp(Axis) >= 7", minimize="turns"))
    assert (fast.status, fast.turns, fast.latest, fast.stopped_at) == ("survives", 1, 1, None)
    slow = reds.survives(reds.plan("territories(Axis) >= 4", minimize="turns"))
    assert (slow.status, slow.turns, slow.latest, slow.stopped_at) == ("stopped", 2, None, None)
    assert [turn.actor for turn in slow.line] == ["Reds", "Blues", "Reds", "Blues"]
    assert slow.line[1].steps[0].action == "capture"


def test_without_time_nothing_is_claimed(reds: Game, blues: Game) -> None:
    assert reds.force("territories(Axis) >= 4", timeout=QUICK).status == "unknown"
    assert blues.defend("vcp(Axis) >= 7", timeout=QUICK).status == "unknown"
    plan = reds.plan("vcp(Axis) >= 7", minimize="turns")
    assert reds.survives(plan, timeout=QUICK).status == "unknown"
    assert "is open" in render(report(reds.force("territories(Axis) >= 4", timeout=QUICK)))


def test_odd_questions_are_refused_with_what_to_ask_instead(reds: Game) -> None:
    with pytest.raises(InputError, match="a step is no turn of one side") as wrong:
        reds.force("vcp(Axis) >= 7", minimize="captures")
    assert wrong.value.diagnostics[0].help == "these have turns: turns"
    with pytest.raises(InputError, match="unknown metric"):
        reds.force("vcp(Axis) >= 7", minimize="turn")
    with pytest.raises(InputError, match="it is the turn of the Reds"):
        reds.defend("vcp(Axis) >= 7")
    with pytest.raises(InputError, match="no planning model of this game has turns"):
        loaded("asl").force("cvp(German) >= 3")
    for ask in (reds.plan, reds.reach):
        with pytest.raises(InputError, match="whether a side can force the goal") as other:
            ask("vcp(Axis) >= 7", opponent="best")
        assert "whether it can be forced" in str(other.value.diagnostics[0].help)
    with pytest.raises(InputError, match="there is no plan"):
        reds.survives(reds.plan("vcp(Axis) >= 13", minimize="turns"))
    plan = replace(reds.plan("vcp(Axis) >= 7", minimize="turns"), goal="vcp(Axis) >= 12")
    later = reds.apply("capture", power="Reds", territory="Outpost")
    with pytest.raises(InputError, match="turn 1 of the plan cannot be played here"):
        later.survives(plan)


def test_wrong_lines_are_noticed_when_they_are_played(reds: Game, refuted: Force) -> None:
    system = reds.setup.system
    step = system.steps(system.metrics[1], "Axis", "any", reds.state)
    goal = compile_goal(refuted.goal, system.vocabulary, "--goal").term

    def check(lines: tuple[Variation, ...], *, wins: bool = False) -> int:
        def wants(name: str) -> bool:
            return system.side_of(name) == "Axis"

        play = LineCheck(system, step, goal, wants, wins=wins, turns=2, depth=64)
        return play.check(reds.state, lines, None, 60).replies

    def idle(case: Variation) -> Variation:
        turns = tuple(replace(t, chosen={}) for t in case.turns)
        return replace(case, turns=turns, then=tuple(map(idle, case.then)))

    assert check(refuted.refutation) > 0
    with pytest.raises(WrongLine, match="the goal is reached"):
        check(tuple(map(idle, refuted.refutation)))
    with pytest.raises(WrongLine, match="no case says"):
        check(())
    with pytest.raises(WrongLine, match=r"is not legal|no case says"):
        check(refuted.refutation, wins=True)


def test_lines_that_time_allows_are_told_and_the_rest_is_said_to_be_missing(
    reds: Game, refuted: Force, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered, left = Cases._answer, 0

    def answer(self: Cases, *given: Any) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise TimeUp
        return answered(self, *given)

    monkeypatch.setattr(Cases, "_answer", answer)
    flags: list[bool] = []
    while (left := len(flags)) < 20 and (found := reds.force(refuted.goal, within=2)).reason:
        assert (found.status, found.reason) == ("refuted", UNFINISHED)
        assert (found.checked is None) == (found.refutation == ()) == (not flags)
        flags.append(any(case.partial for case in found.refutation))
        shown = document("force", found)["refutation"]
        assert [bool(c.get("partial")) for c in shown] == [c.partial for c in found.refutation]
        assert ("For other turns the answer was not put" in render(report(found))) == flags[-1]
    assert set(flags) == {True, False}
    assert len(flags) < 20


def test_lines_are_played_as_records_under_the_rules_alone(reds: Game) -> None:
    """Turns of a planning model with up to two captures, before rules that allow one."""
    one, two = (reds.with_options(legality="captures", captures_per_turn=n) for n in (1, 2))
    system, other = one.setup.system, two.setup.system
    metric, term = metric_of_turns(system, None), compile_goal("vcp(Axis) >= 7", system.vocabulary, "--goal").term
    step = other.steps(metric_of_turns(other, None), "Axis", ANY, two.state)
    own = [s.turn for s in LegalTurns(other, step).all(two.state) or ()]
    few, many = ([[turn] for turn in own if (len(turn) > 1) is more] for more in (False, True))
    none = LinesChecked(0, 0, every=True)

    def check(lines: list[list[Turn]], *, recorded: bool) -> LinesChecked:
        play = LineRecords(system, replace(metric, recorded=recorded), step, term, term)
        return play.check(none, one.state, [*lines, *lines], HANGS)

    assert check(few, recorded=True) == replace(none, recorded=len(few))
    with pytest.raises(ReplayError, match="the turn does not end as planned"):
        check(many, recorded=True)
    found = check([*few, *many], recorded=False)
    assert few
    assert (found.recorded, found.refused) == (len(few), len(many))
    assert found.refusal == "the turn does not end as planned"


def test_the_line_of_a_reply_is_played_as_a_record(reds: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    plan, turns = reds.plan("territories(Axis) >= 4", minimize="turns"), list[int]()
    play = LineRecords.play

    def played(self: LineRecords, state: Any, line: Any) -> Any:
        turns.append(len(line))
        return play(self, state, line)

    monkeypatch.setattr(LineRecords, "play", played)
    assert [len(reds.survives(plan).line)] == turns


@pytest.mark.slow
def test_turns_after_which_nobody_can_move_need_no_answer() -> None:
    found = loaded("napoleonics/sankt-veit").force("banners(French) >= 5", within=1)
    assert (found.status, len(found.refutation)) == ("refuted", 1)
    assert found.checked is not None
    assert found.checked.recorded > 0

from __future__ import annotations

from collections.abc import Callable

import pytest
from rich.console import RenderableType

from tests.report import answers
from vclogic.model.system import Events
from vclogic.query.answers import Horizon, Recorded
from vclogic.query.plan.answer import Maximum
from vclogic.report.text import of_kind
from vclogic.report.text.page import render
from vclogic.report.text.plan import plan

Piped = Callable[[RenderableType], str]


def test_a_plan_reads_like_this(piped: Piped) -> None:
    assert (
        piped(plan(answers.plan()))
        == """\
Fewest captures to points(Red) >= 2 (control only)
skirmish/spring

optimal: 2 captures, the fewest possible (proved by z3)

1.  Red take Ford from Home [C/1, C/2]
2.  Red take Hill [north] from Home [C/1, C/2]

Replayed: played step by step without a solver, every step is legal and the goal holds at the end.
As a record of a game: 2 events, end_turn among them; --record FILE writes a position file.

Assumptions
  - events left out: attack, purchase
  - armies left out
  - the Red side moves

answered in 0.25 s
"""
    )


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({"cost": 1, "lower_bound": 1}, "optimal: 1 capture, the fewest possible (proved by z3)"),
        (
            {"exact": False, "bound_by": "HiGHS"},
            "optimal: 2 captures, the fewest possible (proved by HiGHS in floating point; --certify has z3 check it)",
        ),
        (
            {"exact": False, "bound_by": "HiGHS", "reason": "the time is up"},
            "optimal: 2 captures, the fewest possible (proved by HiGHS in floating point; z3 did not confirm it: "
            "the time is up)",
        ),
        (
            {"bound_by": "HiGHS, confirmed by z3"},
            "optimal: 2 captures, the fewest possible (proved by HiGHS, confirmed by z3)",
        ),
        (
            {"exact": False, "bound_by": "HiGHS, checked in whole numbers", "argued": ("ships sail", "men march")},
            "optimal: 2 captures, the fewest possible (proved by HiGHS, checked in whole numbers, given that ships "
            "sail; men march; --certify looks for a proof without that)",
        ),
        (
            {"horizon": Horizon(5, "capture")},
            "optimal: 2 captures, the fewest possible (proved by z3); only plans of at most 5 captures count",
        ),
        (
            {"cost": 3214, "lower_bound": 3214, "scale": 1000, "counted": "units expected to be lost"},
            "optimal: 3.214 units expected to be lost, the least possible (proved by z3)",
        ),
        (
            {
                "status": "feasible",
                "cost": 1250,
                "lower_bound": 1000,
                "scale": 100,
                "counted": "IPC expected to be lost",
            }
            | {"reason": "the time is up"},
            "feasible: between 10.00 and 12.50 IPC expected to be lost (a gap of 20 %) (proved by z3)"
            "; this plan has 12.50, there may be cheaper ones: the time is up",
        ),
        (
            {"cost": 0, "lower_bound": 0, "steps": (), "record": Recorded(())},
            "optimal: 0 captures; the goal holds already",
        ),
        (
            {"cost": 0, "lower_bound": 0, "steps": ()},
            "optimal: 0 captures; what has been moved so far is enough, once its battles are decided",
        ),
        (
            {"cost": 0, "lower_bound": 0, "steps": answers.passes(1, range(1, 2))},
            "optimal: 0 captures; the steps below cost nothing and lead to the moment at which the goal holds",
        ),
        (
            {"status": "feasible", "cost": 7, "lower_bound": 5, "reason": "the time is up"},
            "feasible: between 5 and 7 captures (proved by z3); this plan has 7, there may be cheaper ones: "
            "the time is up",
        ),
        (
            {"status": "feasible", "cost": 7, "lower_bound": None, "reason": "the time is up"},
            "feasible: 7 captures found; there may be cheaper plans: the time is up",
        ),
        (
            {"status": "impossible", "cost": None, "lower_bound": None, "bound_by": "closure", "steps": ()},
            "impossible by capture and end_turn (left out: attack, purchase): even all possible gains "
            "together are not enough (proved by closure); `vclogic reach` tries all events of the rules",
        ),
        (
            {"status": "impossible", "cost": None, "lower_bound": None, "bound_by": "positions", "steps": ()},
            "impossible, ever: no position that could stand on the board satisfies the goal (proved over all "
            "positions)",
        ),
        (
            {"status": "impossible", "cost": None, "steps": (), "horizon": Horizon(1, "player-turn")},
            "impossible by capture and end_turn (left out: attack, purchase) within 1 player-turn: there is no plan "
            "(proved by z3); `vclogic reach` tries all events of the rules",
        ),
        (
            {"status": "unknown", "cost": None, "lower_bound": None, "steps": (), "reason": "the time is up"},
            "unknown: the time is up; whether there is a plan is open",
        ),
        (
            {"status": "unknown", "cost": None, "lower_bound": 4, "steps": (), "reason": "the time is up"},
            "unknown: the time is up; whether there is a plan is open; it would need at least 4 captures",
        ),
    ],
)
def test_verdicts_in_plain_words(piped: Piped, changes: dict[str, object], verdict: str) -> None:
    found = answers.plan(**changes)
    assert verdict in " ".join(piped(plan(found)).split())
    assert of_kind.verdict("plan", found) == verdict


def test_a_maximum_is_in_the_title_and_the_verdict(piped: Piped) -> None:
    shown = piped(plan(answers.plan(maximum=Maximum("points(Red)", 4, 4))))
    assert shown.startswith("Largest points(Red), with the fewest captures (control only)\n")
    assert "optimal: points(Red) is at most 4: 2 captures, the fewest possible (proved by z3)\n" in shown
    changes = {"status": "feasible", "maximum": answers.MAXIMUM, "reason": "the time is up"}
    shown = " ".join(piped(plan(answers.plan(**changes))).split())
    assert "feasible: points(Red) is 4 in the best plan found, and cannot be more than 6: 2 captures found" in shown


def test_turns_stand_before_steps_and_passes_share_a_line(piped: Piped) -> None:
    steps = (answers.capture(1, "Ford", turn=1), answers.capture(2, "Hill", turn=1), *answers.passes(3, range(1, 2)))
    shown = piped(plan(answers.plan(steps=steps)))
    assert " 1.  round 1: Red take Ford from Home [C/1, C/2]\n" in shown
    assert " 2.  round 1: Red take Hill from Home [C/1, C/2]\n" in shown
    assert "3-4.  round 1: Red and Blue end their turn\n" in shown


@pytest.mark.parametrize(
    ("rounds", "lines"),
    [
        (range(4, 5), ["1-2.  round 4: Red and Blue end their turn"]),
        (range(4, 6), ["1-2.  round 4: Red and Blue end their turn", "3-4.  round 5: Red and Blue end their turn"]),
        (range(4, 9), ["1-10.  rounds 4 to 8: Red and Blue end their turn"]),
    ],
)
def test_rounds_of_passes_are_folded(piped: Piped, rounds: range, lines: list[str]) -> None:
    shown = piped(plan(answers.plan(steps=answers.passes(1, rounds)))).splitlines()
    assert [line.strip() for line in shown if "end their turn" in line] == lines


def test_a_round_that_begins_in_the_middle_stays_apart(piped: Piped) -> None:
    steps = answers.passes(1, range(1, 6))[1:]
    shown = [line.strip() for line in piped(plan(answers.plan(steps=steps))).splitlines() if "their turn" in line]
    assert shown == ["2.  round 1: Blue end their turn", "3-10.  rounds 2 to 5: Red and Blue end their turn"]


def test_nothing_that_a_user_writes_becomes_markup_or_moves_the_cursor(piped: Piped) -> None:
    shown = piped(plan(answers.plan(goal="[red]x\x1b[2J[/red]\n:smile:", assumptions=("[bold]b",))))
    assert "Fewest captures to [red]x\N{REPLACEMENT CHARACTER}[2J[/red] :smile:" in shown
    assert "- [bold]b\n" in shown


def test_long_goals_are_cut(piped: Piped) -> None:
    assert len(piped(plan(answers.plan(goal="x" * 200_000)))) < 2000


@pytest.mark.parametrize("width", [1, 40, 80, 200])
def test_a_terminal_gets_colours_and_its_own_width(width: int) -> None:
    shown = render(plan(answers.plan()), width=width, colour=True)
    assert "\x1b[1;32moptimal" in shown
    assert max(map(len, render(plan(answers.plan()), width=width).splitlines())) <= max(width, 40)


def test_a_long_list_of_events_is_folded(piped: Piped) -> None:
    names = tuple(f"deed_{n}" for n in range(20))
    changes = {"status": "impossible", "cost": None, "steps": (), "events": Events(names[:9], names[9:])}
    shown = " ".join(piped(plan(answers.plan(**changes))).split())
    some, others = ", ".join(names[:6]), ", ".join(names[9:15])
    assert f"impossible by {some} and 3 more (left out: {others} and 5 more): there is no plan" in shown


def test_a_plan_of_all_events_leaves_none_out(piped: Piped) -> None:
    shown = piped(plan(answers.plan(events=Events(("capture", "end_turn"), ()))))
    assert "left out: " not in shown


def test_a_record_that_was_written_is_named_with_its_file(piped: Piped) -> None:
    shown = piped(plan(answers.plan(), "won.yaml"))
    assert "As a record of a game: 2 events, end_turn among them; written to won.yaml.\n" in shown
    assert "--record" not in shown

"""`before`, `happens` and `actor` on the command line: what `reach` makes of them, and who refuses them."""

from __future__ import annotations

from pathlib import Path

import pytest

import vclogic
from tests.cli.conftest import Run
from vclogic.errors import InputError

GAME = "axis_allies"
GOAL = "vcp(Axis) > before(vcp(Axis)) and\n happens(capture) and not actor(Allies)"
PLACES = [(1, 13, "before"), (2, 2, "happens"), (2, 27, "actor")]
TAKES_GOALS = {
    "plan": ("plan", GAME, "--goal", GOAL),
    "maximize": ("plan", GAME, "--maximize", f"({GOAL}) == true"),
    "missing": ("missing", GAME, "--goal", GOAL),
    "compare": ("compare", GAME, "--set-b", "sea_range=0", "--on", GOAL),
    "render": ("render", GAME, "--goal", GOAL, "-o", "not-written.svg"),
}


@pytest.mark.parametrize("command", TAKES_GOALS)
def test_only_reach_takes_them(run: Run, command: str) -> None:
    shown = run(*TAKES_GOALS[command], "--format", "json") if command != "render" else run(*TAKES_GOALS[command])
    assert shown.code == 2
    if command == "render":
        assert shown.err.count("only `reach` takes it") == len(PLACES)
        return
    found = shown.document["errors"]
    shift = 1 if command == "maximize" else 0
    places = [(line, column + (shift if line == 1 else 0), word) for line, column, word in PLACES]
    assert [(e["line"], e["column"]) for e in found] == [(line, column) for line, column, _ in places]
    for e, (_, _, word) in zip(found, places, strict=True):
        assert e["code"] == "not-here"
        assert e["message"] == f"'{word}' speaks of the last event of a record: only `reach` takes it"
        assert e["help"] == "`reach` answers whether some event does that"


def test_values_and_explanations_in_python_do_not_take_them() -> None:
    game = vclogic.load(GAME)
    for ask in (game.value, game.explain, game.missing, game.plan):
        with pytest.raises(InputError) as caught:
            ask(GOAL)
        assert [(d.line, d.column) for d in caught.value.diagnostics] == [(a, b) for a, b, _ in PLACES]


def test_a_planning_model_has_steps_of_many_events(run: Run) -> None:
    shown = run("reach", GAME, "--goal", GOAL, "--by", "captures", "--format", "json")
    assert shown.code == 2
    assert [(e["line"], e["column"]) for e in shown.document["errors"]] == [(a, b) for a, b, _ in PLACES]
    assert {e["message"].partition(" ")[2] for e in shown.document["errors"]} == {
        "speaks of single events: a step of a planning model may be many at once"
    }
    assert {e["help"] for e in shown.document["errors"]} == {"leave out `--by`, or write `--by rules`"}


MISTAKES = [
    ("happens(captured)", 9, "unknown-name", "there is no event 'captured'", "did you mean 'capture'?"),
    ("happens(capture, by=Germans)", 18, "unknown-entry", "nothing of capture is called 'by'", "power, territory"),
    ("happens(capture, power=Germanz)", 24, "unknown-name", "unknown power 'Germanz'", "'Germans'?"),
    ("happens(place, count=0)", 22, "out-of-range", "count: expected a whole number from 1 to 999", ""),
    ("happens(place, count=many)", 22, "out-of-range", "count: expected a whole number from 1 to 999", ""),
    ("happens(place, unit=infantry, unit=infantry)", 31, "arguments", "unit is given twice", ""),
    ("happens()", 1, "arguments", "happens takes the name of one event", "NAME=VALUE"),
    ("happens(capture, Germans)", 1, "arguments", "happens takes the name of one event", "NAME=VALUE"),
    ("happens(capture, power=)", 24, "unreadable", "')' cannot stand here", "a name is missing"),
    ("happens(capture, power=='Germans')", 23, "unreadable", "'=' cannot stand here", ""),
    ("happens(capture) == 1", 18, "wrong-value", "happens is true or false and 1 is a number", ""),
    ("actor(Germanz)", 7, "unknown-name", "unknown side or power 'Germanz'", "'Germans'?"),
    ("actor(Germans, Axis)", 1, "arguments", "actor takes one name: a side or a power", ""),
    ("before(vcp(Axis))", 1, "wrong-value", "a goal is true or false; this is a number", "compare it"),
    ("before(vcp(Axis) >= 3", 1, "unreadable", "the '(' is never closed", ""),
    ("before()", 8, "unreadable", "a name or a number is missing before ')'", ""),
    ("before(before(round) > 1)", 8, "not-here", "before cannot stand inside before", "beside it"),
    ("before(round > 1 and actor(Axis))", 22, "not-here", "actor cannot stand inside before", "beside it"),
    ("before(happens(end_turn))", 8, "not-here", "happens cannot stand inside before", "beside it"),
    ("before(turn) == Germanz", 17, "unknown-name", "unknown power 'Germanz'", "'Germans'?"),
    ("before(rounds) > 1", 8, "unknown-name", "unknown name 'rounds'", "did you mean 'round'?"),
    ("owner(territory=Karelia) == Germans", 7, "arguments", "owner takes names without `=`", "happens(EVENT"),
]


@pytest.mark.parametrize(("goal", "column", "code", "message", "help"), MISTAKES, ids=lambda x: str(x)[:30])
def test_mistakes(run: Run, goal: str, column: int, code: str, message: str, help: str) -> None:
    found = run("reach", GAME, "--goal", goal, "--opponent", "helps", "--format", "json")
    assert found.code == 2
    first = found.document["errors"][0]
    assert (first["file"], first["line"], first["column"], first["code"]) == ("--goal", 1, column, code)
    assert message in first["message"]
    assert help in (first["help"] or "")


def test_all_mistakes_are_reported_at_once(run: Run) -> None:
    goal = "happens(capture, by=x, power=Germanz) or before(vpc(Axis)) > 1 and actor(Alies)"
    found = run("reach", GAME, "--goal", goal, "--opponent", "helps", "--format", "json")
    assert [e["column"] for e in found.document["errors"]] == [18, 30, 49, 74]


def test_by_the_rules_alone_and_from_a_position_with_a_record(run: Run, tmp_path: Path) -> None:
    """What the position's own record holds has happened before: the question is about events that follow."""
    file, out = tmp_path / "position.yaml", tmp_path / "record.yaml"
    file.write_text("game: axis_allies/revised-1942\nrecord:\n  - end_turn\n")
    goal = ("--goal", "happens(end_turn) and before(turn) == Germans", "--opponent", "helps", "--by", "rules")
    found = run("reach", str(file), *goal, "--format", "json", "--record", str(out)).document
    assert (found["by"], found["status"], found["depth"]) == ("rules", "reachable", 1)
    assert found["record"] == ["end_turn"]
    assert [s["action"] for s in found["steps"]] == ["end_turn"]
    assert run("status", str(out)).code == 0
    none = run("reach", str(file), *goal, "--within", "0", "--format", "json")
    assert (none.code, none.document["status"]) == (1, "unreachable")


def test_a_goal_that_holds_before_anything_has_happened(run: Run) -> None:
    goal = ("--goal", "not before(round >= 1) and not actor(Axis)", "--opponent", "helps")
    shown = run("reach", GAME, *goal)
    assert shown.code == 0
    assert "reachable: the goal holds already" in shown.out

"""Planning models that functions in Python make for a rulebook: what they are, and what is wrong with one."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

import vclogic
from tests.cli.conftest import Run, run  # noqa: F401
from vclogic.errors import Diagnostic, InputError
from vclogic.files.text_games.functions import trusting
from vclogic.game import Game

TEXT = """```vclogic
sides Red, Blue
turn is any number of events until end_turn
pass always
rounds 9
grid area
  a1 a2 a3
  b1 b2 b3
kind unit: Foot, Horse, Guards
fact at(unit): area or lost, starts a1
fact days: 0 to 20
  rises by 1 at the end of a turn
start at(Horse) is b1
start at(Guards) is b3
owner(unit) means if(unit == Guards, Blue, Red)
event move by side unit to area
  needs owner(unit) == side and adjacent(at(unit), to)
  then at(unit) becomes to
event hit unit, at any time
  needs at(unit) != lost
  then at(unit) becomes lost
event end_turn by turn, routine, obliged
Red wins race at once if at(Foot) == b3
PLAN
```
"""
LINES = "plan marches\n  uses move\n  step is a turn, one for each unit"
CODED = 'plan marches "nobody hits"\n  python marches of turns.py'
FUNCTION = """
from dataclasses import replace

from vclogic.model.actions import Event
from vclogic.model.system import Metric
from vclogic.model.transition import all_at_once
from vclogic.terms.atoms import var
from vclogic.terms.build import count
from vclogic.terms.sorts import BOOL


def marches(rules):
    units, places = (rules.vocabulary.kinds[kind].members for kind in ("unit", "area"))
    end = rules.action(Event("end_turn", ()))

    def steps(side, opponent, start):
        movers = [side] if side and opponent == "idle" else rules.sides
        given = [(("side", s), ("unit", u), ("to", a)) for s in movers for u in units for a in places]
        moves = {var(f"march {args}", BOOL): rules.action(Event("move", args)) for args in given}
        ours = [taken for taken, move in moves.items() if side in (None, dict(move.args)["side"])]
        return replace(all_at_once(moves, end, count(ours)), mover=rules.term("turn"))

    return Metric(
        "any name", "turn", "by a function", "moves", steps, lambda side, opponent: ("nobody waits for others",),
        events=("move", "end_turn"), turns=True, counted="moves",
    )
"""
Write = Callable[..., str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes the rulebook, and the file beside it; its path."""

    def call(plan: str = CODED, code: str = FUNCTION) -> str:
        (tmp_path / "turns.py").write_text(code)
        file = tmp_path / "game.md"
        file.write_text(TEXT.replace("PLAN", plan))
        return str(file)

    return call


def loaded(file: str) -> Game:
    with trusting():
        return vclogic.load(file)


def test_a_function_makes_the_model_that_a_line_names(write: Write) -> None:
    game = loaded(write())
    plan = game.plan("at(Foot) == a3 and at(Horse) == b2", side="Red", within=4)
    assert (plan.metric, plan.status, plan.cost, plan.counted) == ("marches", "optimal", 3, "moves")
    assert plan.heading == "nobody hits"
    assert "nobody waits for others" in plan.assumptions
    assert plan.events.left_out == ("hit", "pass")
    assert plan.record is not None
    assert [e.name for e in plan.record.events or ()].count("move") == 3
    assert [(a.source, a.target, a.label) for a in game.picture(plan).arrows] == [
        ("a1", "a2", "Foot"),
        ("b1", "b2", "Horse"),
        ("a2", "a3", "Foot"),
    ]


@pytest.mark.parametrize(
    "goal",
    [
        "at(Foot) == a3",
        "at(Foot) == b2 and at(Horse) == a1 and days == 3",
        "at(Guards) == b2",
        "days >= 4",
        "holds(race, Red)",
        "at(Foot) == b3 and at(Horse) == b3",
        "at(Foot) == lost",
    ],
)
@pytest.mark.parametrize("opponent", ["idle", "helps"])
def test_it_costs_what_lines_that_say_the_same_cost(write: Write, goal: str, opponent: str) -> None:
    """What the text remembers counts, and nothing happens once somebody has won."""
    said = loaded(write(LINES)).plan(goal, side="Red", opponent=opponent, within=6)
    made = loaded(write()).plan(goal, side="Red", opponent=opponent, within=6)
    assert (made.status, made.cost) == (said.status, said.cost)


def test_what_can_be_reached_is_as_without_the_line(write: Write) -> None:
    goals = ("at(Foot) == lost", "at(Foot) == a1 and days == 3", "at(Guards) == a1 and days == 0")
    bare = loaded(write(""))
    warnings = [f.message for f in bare.check().findings]
    made = loaded(write())
    for goal in goals:
        found, known = (g.reach(goal, opponent="helps") for g in (made, bare))
        assert (found.status, found.proof) == (known.status, known.proof)
    with trusting():
        assert [f.message for f in made.check().findings] == warnings


def test_single_events_stay_the_last_model(write: Write) -> None:
    game = loaded(write(f"plan far\n  uses move\n{CODED}"))
    assert [m.name for m in game.setup.system.metrics] == ["far", "marches", "events"]


def test_a_line_is_a_document_and_back(run: Run, write: Write, tmp_path: Path) -> None:  # noqa: F811
    file, found = write("plan far\n  python marches   of 'my turns.py'"), tmp_path / "game.json"
    assert run("format", file).code == 0
    before = Path(file).read_text()
    assert "plan far\n  python marches of 'my turns.py'\n" in before
    assert run("format", file, "-o", str(found)).code == 0
    assert run("format", str(found), "-o", "-").out == before
    jsonschema.validate(json.loads(found.read_text()), json.loads(run("schema", "rulebook").out))


# ---- mistakes


def told(file: str, ask: bool = False) -> Diagnostic:
    """The one thing that is wrong with a rulebook, at its line."""

    def asked() -> None:
        game = loaded(file)
        if ask:
            game.plan("at(Foot) == a3", side="Red", within=3)

    with pytest.raises(InputError) as caught:
        asked()
    (found,) = caught.value.diagnostics
    lines = Path(file).read_text().splitlines()
    assert (found.file, found.line) == (file, lines.index(next(x for x in lines if " of turns.py" in x)) + 1)
    return found


def test_nobody_runs_a_file_that_is_not_trusted(write: Write) -> None:
    with pytest.raises(InputError, match="a rulebook runs no code"):
        vclogic.load(write())


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("python marches", "'of' is missing here"),
        ("python marches of", "the package or file is missing here"),
        ("python of turns.py", "the name of a function is missing here"),
        ("python marches of turns.py\n  counts turns", "a function makes this plan, and counts says what it is, too"),
        ("uses move\n  python marches of turns.py\n  counts turns", "uses and counts say what it is, too"),
        ("python marches of other.py", "other.py"),
        ("python marches of no_such.package", "no installed package offers functions as 'no_such.package'"),
    ],
)
def test_a_line_that_names_no_function_is_told(write: Write, lines: str, message: str) -> None:
    with trusting(), pytest.raises(InputError, match=re.escape(message)):
        vclogic.load(write(f"plan marches\n  {lines}"))


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("", "turns.py has no function 'marches' of its own"),
        ("def marches(): return 0", "marches of turns.py fails: TypeError"),
        ("def marches(rules): return 0", "marches of turns.py returns '0', which is no planning model"),
        ("def marches(rules):\n    raise SystemExit(0)", "marches of turns.py fails: SystemExit: 0 (line 2)"),
        (
            "def marches(rules):\n    return rules.term('att', 'Foot')",
            "fails: there is no fact or definition 'att'; did you mean 'at'? (line 2)",
        ),
        (FUNCTION.replace('events=("move"', 'events=("mov"'), "the `events` of marches of turns.py name 'mov'"),
    ],
)
def test_what_is_wrong_with_a_function_is_told_as_the_game_is_loaded(write: Write, code: str, message: str) -> None:
    assert message in told(write(code=code)).message


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("movers = [side]", "movers = [sid]", "marches of turns.py fails in its `transition`: NameError"),
        ("count(ours))", "count(ours), laws=[var('x', BOOL)])", "speaks of 'x', which is no fact and no choice"),
        ("end, count(ours)", "end, end.guard", "the cost of a step of marches of turns.py is"),
        ("end, count(ours))", "end, count(ours), laws=[count(ours)])", "not true or false"),
        ("mover=rules", "next={var('at[Fot]', BOOL): var('at[Fot]', BOOL)}, mover=rules", "which is no fact"),
        ("mover=rules", "next={rules.term('days'): rules.term('turn')}, mover=rules", "which is no value of it"),
        ("mover=rules", "describe=lambda *x: 1 / 0, mover=rules", "fails in its `describe`: ZeroDivision"),
    ],
)
def test_what_is_wrong_with_a_step_is_told_at_the_line(write: Write, old: str, new: str, message: str) -> None:
    assert old in FUNCTION
    assert message in told(write(code=FUNCTION.replace(old, new)), ask=True).message

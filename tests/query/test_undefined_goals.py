"""What is undefined in every position is never called impossible, and what is asked of a wrong kind is an error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vclogic
from tests.fixtures.games import loaded
from tests.fixtures.pace import BUSY
from vclogic.errors import InputError
from vclogic.game import Game

LIMIT = 20 + BUSY
RULES = """# Two islands

| place | points | home | borders |
| --- | --- | --- | --- |
| Camp | 1 | Red | Ford |
| Ford | 2 | nobody | Camp |
| Isle | | nobody | |

```vclogic
areas place, from the table
sides Red, Blue
turn is one event
fact holder(place): side or nobody, starts home(place)
fact oil: 0 to 3
event take by side place
  needs holder(place) == nobody
  then holder(place) becomes side
pass always
Red wins far at once if distance(Camp, Isle) >= 1
Red wins ford at once if holder(Ford) == Red
```
"""
UNDEFINED = [
    "distance(Camp, Isle) >= 1",
    "holds(far, Red)",
    "points(Isle) >= 1 and holder(Ford) == Red",
    "sum(points(place) for place) >= 1",
    "count(place where distance(Isle, Camp) >= 1) >= 1",
    "some(place where points(Isle) >= 1)",
    "max(points(place) for place where holder(place) == Red and holder(place) == Blue) >= 1",
    "if(holder(Ford) == Red, points(Isle), distance(Camp, Isle)) >= 1",
]
"""Goals that have no meaning in any position."""
IMPOSSIBLE = [
    "points(Ford) >= 3",
    "distance(Camp, Isle) >= 1 and distance(Camp, Ford) >= 2 or points(Ford) >= 3",
    "count(place where points(place) >= 3) >= 1",
    "oil >= 1 and points(Camp) >= 2",
]
"""Goals that have one, and hold in none."""
QUESTIONS: dict[str, Callable[[Game, str], Any]] = {
    "plan": lambda game, goal: game.plan(goal, side="Red", timeout=LIMIT),
    "reach": lambda game, goal: game.reach(goal, side="Red", timeout=LIMIT),
    "missing": lambda game, goal: game.missing(goal, timeout=LIMIT),
    "force": lambda game, goal: game.force(goal, side="Red", timeout=LIMIT),
    "defend": lambda game, goal: game.defend(goal, side="Red", timeout=LIMIT),
    "objectives": lambda game, goal: game.objectives(goal, side="Red", timeout=LIMIT),
    "threat": lambda game, goal: game.objectives("holder(Ford) == Red", side="Red", threat=goal, timeout=LIMIT),
    "planner": lambda game, goal: game.planner("Red").plan(goal, budget_s=LIMIT),
}


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """The game of the rules above."""
    file = tmp_path_factory.mktemp("islands") / "islands.md"
    file.write_text(RULES, encoding="utf-8")
    return vclogic.load(str(file))


@pytest.mark.parametrize("goal", UNDEFINED)
def test_all_questions_say_so_alike(game: Game, goal: str) -> None:
    said = set()
    for name, question in QUESTIONS.items():
        with pytest.raises(InputError) as error:
            question(game, goal)
        (diagnostic,) = error.value.diagnostics
        assert diagnostic.code == "undefined", name
        said.add(diagnostic.message)
    (message,) = said
    assert message.endswith("is undefined in every position, so that it is neither possible nor impossible")


@pytest.mark.parametrize("expression", ["distance(Camp, Isle)", "points(Isle) + oil"])
def test_the_largest_of_what_is_undefined_is_none(game: Game, expression: str) -> None:
    for question in (
        lambda: game.plan(maximize=expression, side="Red", timeout=LIMIT),
        lambda: game.compare(game, expression, timeout=LIMIT),
    ):
        with pytest.raises(InputError, match="undefined in every position"):
            question()


@pytest.mark.parametrize("goal", IMPOSSIBLE)
def test_what_has_a_meaning_and_never_holds_is_impossible(game: Game, goal: str) -> None:
    assert game.plan(goal, side="Red", timeout=LIMIT).status == "impossible"
    assert game.reach(goal, side="Red", timeout=LIMIT).status == "unreachable"
    assert game.missing(goal, timeout=LIMIT).status == "impossible"


def test_the_linter_says_that_an_outcome_is_undefined_and_not_that_it_can_never_be_met(game: Game) -> None:
    found = [f.message for f in game.check(timeout=LIMIT).findings if f.rule.startswith("far")]
    assert any("is undefined in every position" in message for message in found)
    assert not any("can never" in message for message in found)
    (far,) = (o for o in game.status().outcomes if o.rule == "far")
    assert far.status == "undefined"


def test_no_reason_names_a_thing_twice() -> None:
    """A sum that counts the same facts five times rests on each of them once."""
    found = loaded("axis_allies").ask("sum(vcp(Allies) for power)")
    because = found.because[0]
    assert because.total == sum(a.adds for a in because.addends) == 5 * 39
    names = [tuple(f.name for f in a.facts) for a in because.addends]
    assert len(names) == len(set(names))
    assert all(a.adds % 5 == 0 for a in because.addends)


def test_a_variable_of_another_kind_is_an_error_with_the_kinds_that_fit() -> None:
    """Three territories are called as a power is; that makes territories no powers."""
    goal = "sum(vcp(territory) for territory where controls(Axis, territory)) >= 40"
    game = loaded("axis_allies")
    for question in (
        lambda: game.plan(goal, side="Axis"),
        lambda: game.reach(goal, side="Axis"),
        lambda: game.missing(goal),
        lambda: game.value(goal),
        lambda: game.plan(maximize="sum(vcp(territory) for territory)", side="Axis"),
        lambda: game.force(goal, side="Axis"),
    ):
        with pytest.raises(InputError) as error:
            question()
        (diagnostic,) = error.value.diagnostics
        assert diagnostic.code == "wrong-kind"
        assert diagnostic.message == "territory is a territory, not a side or power"
        assert diagnostic.help == "ask it of a side or a power"
    assert game.value("sum(vcp(power) for power)") == game.value("sum(vcp(side) for side)")

"""Objectives of rulebooks: those that lines say, and those that outcomes speak of by themselves."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import vclogic
from tests.rulebook.test_plan_lines import loaded
from vclogic.errors import InputError
from vclogic.rulebook.parser import parse_rules
from vclogic.rulebook.printing import printed
from vclogic.rulebook.table.entries import BOOK as TABLE

BOOK = """| area | value | borders |
| --- | --- | --- |
| Hill | 3 | Mill |
| Mill | 1 | Camp |
| Camp | 0 | |

```vclogic
sides Red, Blue
turn is any number of events
areas area, from the table
kind unit: r1, r2, b1
owner(unit) means if(unit == b1, Blue, Red)
fact at(unit): area or lost, starts Camp
start at(b1) is Hill
fact flag(area): side or nobody, starts nobody
  becomes Red at once if at(r1) == area or at(r2) == area
  becomes Blue at once if at(b1) == area
event move by side unit to area
  needs owner(unit) == side and adjacent(at(unit), to)
  needs no(other unit where at(other) == to and owner(other) != side)
  then at(unit) becomes to
points(side) means sum(value(area) for area where flag(area) == side)
side wins points at once if points(side) >= 4
LINES
```
"""
LINES = """objective "the {area}" for area where value(area) > 0
  called "strong point"
  held by side if flag(area) == side
  lies in other area where other == area
  worth "{value(area)} points" to side if value(area) > 1
  lost then at(unit) becomes lost for unit where owner(unit) == side if at(unit) == area
  lost then flag(area) becomes enemy(side)
plan marches
  uses move
  step is a turn, one for each unit
"""


def test_lines_say_who_has_what_where_and_what_it_brings() -> None:
    hill, mill = loaded(BOOK.replace("LINES", LINES)).setup.system.objectives
    assert (hill.name, hill.kind, hill.places) == ("the Hill", "strong point", ("Hill",))
    assert hill.worth == {"Red": "3 points", "Blue": "3 points"}
    assert (mill.name, mill.places, mill.worth) == ("the Mill", ("Mill",), {})


def test_what_follows_where_a_side_has_lost_one() -> None:
    game = loaded(BOOK.replace("LINES", LINES)).at_state({"flag": {"Hill": "Blue"}})
    system = game.setup.system
    hill = system.objectives[0]
    assert hill.lost is not None
    found = hill.lost("Blue", system.layout.values(game.state))
    assert found is not None
    assert {f.name: x for f, x in found.items()} == {"at[b1]": "lost", "flag[Hill]": "Red"}


def test_a_briefing_tells_of_them() -> None:
    """The mill alone is too little: four points are both."""
    game = loaded(BOOK.replace("LINES", LINES)).at_state({"at": {"b1": "lost"}})
    found = game.objectives("points(Red) >= 4", side="Red", within=5)
    assert [(v.name, v.worth) for v in found.objectives] == [("the Hill", "3 points"), ("the Mill", "")]
    assert [s.takes for s in found.winning.sets] == [("the Hill", "the Mill")]
    assert game.plan("points(Red) >= 4", side="Red", within=5).cost == 2


def test_outcomes_say_what_the_objectives_are_where_no_line_does() -> None:
    found = loaded(BOOK.replace("LINES", "")).setup.system.objectives
    assert [(o.name, o.kind, o.places) for o in found] == [(a, "flag", (a,)) for a in ("Hill", "Mill", "Camp")]
    brook = vclogic.load(str(Path(__file__).parents[2] / "examples" / "rulebooks" / "brook.md"))
    assert [o.name for o in brook.setup.system.objectives] == ["mill", "heights", "town", "bridges", "farm"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('objective "a"', "nothing says who has the objective"),
        ('objective "a"\n  held by Green if true', "there is no side 'Green'"),
        ('objective "a"\n  held by side if flag(Hill)', "a condition is true or false"),
        ('objective "a" of area\n  held by Red if true', "this belongs to no objective"),
        ('objective "a" for area\n  held by Red if flag(area) == Red', "two objectives are called 'a'"),
        ('objective "a"\n  held by Red if flag(Hill) == Red\n  lies in area where flag(area) == Red', "can change"),
        ('objective "{flag(Hill)}"\n  held by Red if flag(Hill) == Red', "what it is called can change in the game"),
    ],
)
def test_what_is_wrong_with_an_objective_is_told_at_its_line(line: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        loaded(BOOK.replace("LINES", line))


def test_lines_are_written_as_they_are_read() -> None:
    assert printed(s.content for s in parse_rules(LINES, "rules", (), TABLE)) == LINES

"""The Readings that a question on a text rests on: no others are tried, and the long way finds no others either."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.oracles.rulings import REFUSED, Asked, smallest
from vclogic.files.setup import Setup
from vclogic.game import Game
from vclogic.model.system import Settings
from vclogic.query.ask.readings import GameUnderReadings

TEXT = """# Units in woods

```vclogic
sides Red, Blue
turn is any number of events
pass always
kind unit: Ann, Bob
kind wood: Oak, Ash, Elm
group dark: wood where wood == Oak or (wood == Ash and woods == many)
thick(wood) means wood in dark
fact at(unit): wood, starts Oak
fact hidden(unit), starts false if cover == hides
fact shots: 0 to 3, starts 0
fact seen(unit), starts false
  becomes true at once if shots >= 2 and scouts == sharp
speed(unit) means if(horses == fast, 3, 2)
strength(unit) means if(armour == heavy, speed(unit) - 1, 2) + if(at(unit) in dark, 1, 0)
except strength(Bob) means 0 if armour == heavy and horses == slow
always allies == apart or at(Ann) != at(Bob) or stacking == two
event fire by side unit wood
  needs strength(unit) >= limit(unit), else "{unit} is too weak"
  then shots rises by 1
  then at(unit) becomes wood
limit(unit) means if(range == long and at(unit) == Ash, 3, 2)
Red wins ground at the end of a turn if shots >= need
need means if(ending == early, 1, 3)
reading armour "Is it heavy?"
  light "no", default "it is"
  heavy "yes"
reading horses "Are they fast?"
  slow "no", default "they are"
  fast "yes"
reading woods "How many are thick?"
  few "one", default "it is"
  many "two"
reading cover "Does a wood hide a unit?"
  none "no", default "it is silent"
  hides "yes"
reading scouts "Do they see?"
  dull "no", default "it is silent"
  sharp "yes"
reading allies "May two be together?"
  apart "yes", default "it is silent"
  never "no"
reading stacking "How many may be in a wood?"
  two "two", default "it is silent"
  one "one"
reading range "How far do they fire?"
  short "near", default "it is silent"
  long "far"
reading ending "When does it end?"
  late "late", default "it is silent"
  early "early"
```
"""
OF_FACTS, OF_LAWS = ({"cover"}, {"scouts"}), ({"allies", "stacking"}, {"ending"})
"""They decide which facts there are, what those are that a position leaves out, and what positions there can be."""
OF_STRENGTH = {"armour", "horses", "woods"}


def position(folder: Path, **more: Any) -> Path:
    (folder / "woods.md").write_text(TEXT)
    file = folder / "position.yaml"
    file.write_text(yaml.safe_dump({"game": "woods.md", **more}))
    return file


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("shots >= 1", set()),
        ("speed(Ann)", {"horses"}),
        ("strength(Ann) >= 2", OF_STRENGTH),
        ("count(unit where at(unit) in dark)", {"woods"}),
        ("holds(ground, Red)", {"ending"}),
        ("limit(Ann) == 2 and need == 1", {"range", "ending"}),
        ("hidden(Ann) or seen(Bob)", {"cover", "scouts"}),
        (None, {*OF_STRENGTH, "range", "ending", "cover", "scouts"}),
    ],
)
def test_of_an_expression(asked: str | None, expected: set[str], tmp_path: Path) -> None:
    system = Game.load(str(position(tmp_path))).setup.system
    assert system.resting is not None
    own, *others = system.resting(asked) or ()
    assert own == expected
    assert others == [found for found in (set(), *OF_FACTS, *OF_LAWS) if found != own]


def test_what_runs_beside_a_text_or_remembers_what_was_is_not_told(tmp_path: Path) -> None:
    asking = TEXT.replace("need means", "moved means at(Ann) != before(at(Ann))\nneed means")
    (tmp_path / "asking.md").write_text(asking)
    resting = Game.load(str(tmp_path / "asking.md")).setup.system.resting
    assert resting is not None
    assert resting("shots >= 1") is None


def test_a_text_beside_a_text_has_other_lines(tmp_path: Path) -> None:
    file = position(tmp_path, outcomes="Blue wins woods at once if woods == many")
    assert Game.load(str(file)).setup.system.resting is None


@pytest.mark.parametrize(
    ("question", "more", "beside"),
    [
        ("strength(Ann) >= 3", {"state": {"at": {"Ann": "Ash"}}}, ("range",)),
        ("strength(Bob) == 0", {}, ("cover",)),
        ("strength(Bob) >= 2 and thick(Ash)", {"state": {"at": {"Ann": "Elm"}}}, ("allies",)),
        ("seen(Ann)", {"state": {"shots": 2}}, ("allies", "stacking", "scouts")),
        ("hidden(Ann)", {"state": {"hidden": {"Ann": True}}, "readings": {"cover": "hides"}}, ("cover", "ending")),
        (("ground", "Red"), {"state": {"shots": 1, "at": {"Ann": "Ash"}}}, ("ending", "cover")),
        (("fire", {"side": "Red", "unit": "Ann", "wood": "Elm"}), {"state": {"at": {"Ann": "Ash"}}}, ("range",)),
        ("shots >= 1", {"record": [{"fire": {"side": "Red", "unit": "Bob", "wood": "Ash"}}]}, ("stacking",)),
    ],
)
def test_the_long_way_finds_the_same(
    question: Any, more: Mapping[str, Any], beside: tuple[str, ...], tmp_path: Path
) -> None:
    asked = Asked(position(tmp_path, **more), question, "woods")
    game = asked.game({})
    among = {r.name: list(r.values) for r in game.setup.encoding.readings if r.name in {*OF_STRENGTH, *beside}}
    ruled = game.ask(asked.words)
    told = {frozenset(o.readings.items()): REFUSED if o.refused else o.value for o in ruled.readings.changing}
    found = {choice: value for choice, value in told.items() if {r for r, _ in choice} <= set(among)}
    assert ruled.readings.complete
    assert ruled.value == asked.answer({})
    assert found == smallest(asked, among, game.setup.settings.readings)


def test_whole_rule_sets_are_made_only_where_more_than_values_can_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[set[str]] = []
    variant = GameUnderReadings._variant

    def noted(self: GameUnderReadings, setup: Setup, settings: Settings) -> Any:
        usual = setup.settings.readings
        made.append({name for name, value in settings.readings.items() if value != usual[name]})
        return variant(self, setup, settings)

    monkeypatch.setattr(GameUnderReadings, "_variant", noted)
    game = Game.load(str(position(tmp_path, state={"at": {"Ann": "Ash"}})))
    assert game.ask("strength(Ann) >= 3 and thick(Oak)").readings.complete
    assert all(differing in made for differing in OF_FACTS)
    assert all(differing & {"cover", "scouts", "ending", "woods"} for differing in made)  # a group rests on woods

"""Where the facts of a ruling come from and what places they are about."""

from __future__ import annotations

from pathlib import Path

import pytest

import vclogic
from vclogic.game import Game
from vclogic.query.ask.answer import Fact

FILE = """\
game: asl/22u3
state:
  at: {4-4-7: 22U3/0}
  building_control: {22U3: German}
"""


def deciding(game: Game, question: str) -> dict[str, Fact]:
    """The facts that decide a question, by name."""
    return {f.name: f for b in game.ask(question).because for f in b.facts}


@pytest.fixture
def moved(tmp_path: Path) -> Game:
    """A position file, put into another state by a program."""
    file = tmp_path / "here.yaml"
    file.write_text(FILE)
    return vclogic.load(str(file)).at_state({"building_control": {"22U3": "Russian"}})


def test_what_a_program_gives_is_given_and_stands_in_no_file(moved: Game) -> None:
    fact = deciding(moved, "controls_building(Russian, 22U3)")["building_control[22U3]"]
    assert (fact.value, fact.origin, fact.file) == ("Russian", "given", None)


def test_what_a_program_leaves_stands_where_the_file_gives_it(moved: Game) -> None:
    fact = deciding(moved, "at('4-4-7') == '22U3/0'")["at[4-4-7]"]
    assert (fact.value, fact.origin, fact.line) == ("22U3/0", "given", 3)


def test_what_a_program_says_of_the_scenario_is_not_the_scenarios() -> None:
    game = vclogic.load("axis_allies").at_state({"owner": {"Karelia S.S.R.": "Germans"}})
    facts = deciding(game, "controls(Axis, 'Karelia S.S.R.')")
    assert facts["owner[Karelia S.S.R.]"].origin == "given"


def test_a_state_that_is_that_of_the_start_comes_from_where_it_came_from() -> None:
    game = vclogic.load("axis_allies")
    again = game.at_state(game.state_dict())
    question = "controls(Axis, 'Karelia S.S.R.')"
    assert deciding(again, question) == deciding(game, question)


def test_a_fact_about_a_place_and_something_else_names_the_place() -> None:
    ruled = vclogic.load("axis_allies").ask("placed(Germany, infantry)")
    assert [f.name for b in ruled.because for f in b.facts] == ["placed[Germany, infantry]"]
    assert ruled.places == ("Germany",)

"""Position files as plain values: a program that hands these back loads the same game as from the file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.pace import MORE, examples
from vclogic.errors import InputError
from vclogic.files.position import load_setup
from vclogic.files.registry import encoding_names, scenario_names
from vclogic.files.rulings.case_files import load_cases
from vclogic.files.scenario import load_scenario
from vclogic.files.setup import Layer, Memo, Setup, SetupSources, assemble
from vclogic.files.source import Source
from vclogic.files.trees.findings import Findings
from vclogic.files.trees.located import Node
from vclogic.files.trees.nodes import MAPPING, mapping_node, parse, read_node
from vclogic.files.write import noting, plain
from vclogic.game import Game

ROOT = Path(__file__).parents[2]


def said(setup: Setup) -> Any:
    """What a position comes to; what it is called where it has no title is the name of its file."""
    board = repr(setup.board_read)
    return setup.request.name, setup.scenario, setup.initial, setup.record, setup.settings, setup.chosen, board


def handed_back(node: Node) -> Any:
    """What a client gets of a position, of which a game was loaded, and hands back."""
    return json.loads(json.dumps(plain(node)))


def same(text: str) -> Any:
    """The plain values of a text, of which the same game is made as of the text."""
    node = noting(parse(Source("text", text)))
    setup = load_setup(node)
    values = handed_back(node)
    assert said(load_setup(values)) == said(load_setup(parse(Source("text", text)))) == said(setup)
    return values


@pytest.mark.parametrize("file", sorted((ROOT / "examples").glob("*.yaml")), ids=lambda path: path.name)
def test_examples(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(file.parent)
    node = noting(read_node(file.name))
    game = Game.load(node)
    again = Game.load(handed_back(node))
    assert said(again.setup) == said(game.setup) == said(Game.load(file.name).setup)
    assert again.state_dict() == game.state_dict()


@pytest.mark.parametrize(
    "game", [f"{name}/{scenario}" for name in encoding_names() for scenario in scenario_names(name)]
)
def test_scenarios(game: str) -> None:
    """Each is laid over the usual scenario of its game, if it fits the board of that."""
    name, _, scenario = game.partition("/")
    tree = load_scenario(name, scenario).node.tree
    assert isinstance(tree, dict)
    kept = {key: part for key, part in tree.items() if key in ("options", "readings", "state", "record")}
    _the_same_over(name, scenario, (Layer(Node(kept, load_scenario(name, scenario).node.where)),), Memo())


@pytest.mark.parametrize("name", encoding_names())
def test_positions_of_rulings(name: str) -> None:
    cases, memo = load_cases(name), Memo()
    assert cases
    for case in cases[:: 1 if MORE else 10]:
        _the_same_over(name, case.setup().scenario, case.layers, memo)


def _the_same_over(name: str, scenario: str, layers: tuple[Layer, ...], memo: Memo) -> None:
    noted = tuple(layer._replace(node=noting(layer.node)) for layer in layers)
    expected = assemble(SetupSources(name, scenario, noted), memo)
    found = Findings()
    back = tuple(layer._replace(node=mapping_node(handed_back(layer.node), MAPPING, found)) for layer in noted)
    found.stop()
    assert said(assemble(SetupSources(name, scenario, back), memo)) == said(expected)


def test_words_that_may_be_truth_values_or_names() -> None:
    assert same("game: moscow/small\nstate: {at: {3rd Panzer: off}}\n")["state"] == {"at": {"3rd Panzer": "off"}}
    values = same("game: asl\ntitle: off\noptions: {rooftops: on}\nstate: {broken: {4-4-7: on}}\n")
    assert values["title"] == "off"
    assert values["options"] == {"rooftops": "on"}
    assert values["state"] == {"broken": {"4-4-7": True}}


TRUTHS = st.sampled_from(["true", "False", "yes", "NO", "on", "Off"])
TITLES = st.sampled_from(["0101", "101", "off", "3.0", "~", "'7'", "+1", "yes", "1e3", "-0"])


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Position files of the tiny game, with words that mean one thing here and another one there."""
    state = {
        "turn": st.integers(1, 5).map(lambda n: draw(st.sampled_from([f"{n}", f"+{n}"]))),
        "frozen": TRUTHS,
        "owner": st.dictionaries(st.sampled_from(["Ford", "Hill", "No"]), st.sampled_from(["Red", "Blue", "'Reds'"])),
        "supplied": st.dictionaries(
            st.sampled_from(["Red", "Blue"]), st.dictionaries(st.sampled_from(["Ford", "No"]), TRUTHS)
        ),
        "score": st.dictionaries(st.sampled_from(["Red", "Blue"]), st.sampled_from(["0", "7", "~"])),
    }
    parts = {
        "title": TITLES,
        "options": st.fixed_dictionaries({}, optional={"weather": st.just("no"), "length": st.just("9")}),
        "state": st.fixed_dictionaries({}, optional=state),
        "record": st.lists(
            st.sampled_from(["end_turn", "{capture: {side: Reds, area: No}}", "{roll: {dice: 3}}"]), max_size=3
        ),
    }
    found = draw(st.fixed_dictionaries({}, optional=parts))
    return "\n".join(["game: skirmish", *(f"{key}: {_flow(part)}" for key, part in found.items()), ""])


def _flow(part: Any) -> str:
    """A part in YAML, whose words are as they were drawn."""
    if isinstance(part, dict):
        return "{" + ", ".join(f"{key}: {_flow(value)}" for key, value in part.items()) + "}"
    return "[" + ", ".join(map(_flow, part)) + "]" if isinstance(part, list) else str(part)


@pytest.mark.usefixtures("game")
@examples(400)
@given(texts())
def test_random_positions(text: str) -> None:
    try:
        load_setup(parse(Source("text", text)))
    except InputError:
        return  # what the game refuses has no plain values
    same(text)


@pytest.mark.usefixtures("game")
@examples(100)
@given(st.dictionaries(st.sampled_from(["0101", "101", "on", "No", "1e3", "x"]), TRUTHS, min_size=1), TRUTHS)
def test_random_boards(ports: dict[str, str], frozen: str) -> None:
    areas = {
        name: f"{{owner: Red, port: {port}, aliases: [{name}0]}}" for name, port in {"Home": "no", **ports}.items()
    }
    *_, last = areas
    lines = [
        f"game: skirmish\nboard: {{title: 007, areas: {_flow(areas)}}}",
        f"state: {{frozen: {frozen}, owner: {{{last}: Blue}}}}",
        f"record: [{', '.join(f'{{capture: {{side: Red, area: {name}}}}}' for name in areas)}]",
    ]
    assert same("\n".join(lines))["board"]["areas"].keys() == areas.keys()

"""The victory section of Okinawa as a text over the game's board and events says what its Python says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import pytest

import vclogic
from tests.fixtures.pace import BUSY
from vclogic.conformance.games import legal_play
from vclogic.errors import InputError
from vclogic.files.position import read_layer
from vclogic.files.rulings.case_files import load_cases
from vclogic.files.rulings.cases import Case
from vclogic.files.setup import Layer, Setup
from vclogic.files.trees.findings import Findings
from vclogic.files.trees.nodes import mapping_node
from vclogic.game import Game

TEXT = str(Path(__file__).parents[2] / "examples/house_rules/okinawa_victory.yaml")
EARLIER = {"outcomes": "except awarded_before(side) means earlier(side)"}
"""What a position adds that gives points for what it does not show."""
OWN = "own_"
ALL_POINTS = "points for eliminations, zones, exits, lines and retreats are added up"
CASES = load_cases("okinawa")
"""All rulings of the game."""


def over(case: Case) -> Setup:
    """The position of a ruling, with the text over its game."""
    findings = Findings()
    layers = [read_layer(TEXT, findings)]
    if "earlier" in case.setup().system.vocabulary:
        layers.append(Layer(mapping_node(EARLIER, "earlier", findings)))
    findings.stop()
    # The text lies below the position, whose board and facts stay what they are.
    return replace(case, layers=(*case.layers[:-1], *layers, *case.layers[-1:])).setup()


def ours(setup: Setup) -> tuple[str, ...]:
    """What the text defines anew of what the game tells."""
    known = setup.system.vocabulary
    return tuple(n.removeprefix(OWN) for n in known if n.startswith(OWN) and n.removeprefix(OWN) in known)


def in_own_words(goal: str, names: tuple[str, ...]) -> str:
    """A goal with the definitions of the text in place of what the game tells."""
    found = "|".join(map(re.escape, names))
    return re.sub(rf"(?<![\w']) *\b({found})\b(?!:)", rf" {OWN}\1", goal)


def asked(setup: Setup) -> Iterator[tuple[str, str]]:
    """Each thing that both tell of, as the game and as the text has it."""
    known = setup.system.vocabulary
    for name in ours(setup):
        for given in product(*(p.sort.members for p in known[name].parameters if not isinstance(p, range))):
            of = f"({', '.join(map(repr, given))})" if given else ""
            yield f"{name}{of}", f"{OWN}{name}{of}"


def same(game: Game) -> None:
    """Check that the text and the game tell the same in a position, where the game tells anything."""
    pairs = tuple(asked(game.setup))
    assert len(pairs) > 20
    for theirs, own in pairs:
        told = game.value(theirs)
        assert told is None or told == game.value(own), (theirs, game.state_dict())


def ruled(case: Case) -> None:
    """Check a ruling with the text over its game: its goals in the words of the text, or the step that is refused."""
    setup = over(case)
    if case.refusal:
        with pytest.raises(InputError):
            Game._started(setup, tuple(setup.record[: case.refusal.step]))
        Game._started(setup, tuple(setup.record[: case.refusal.step - 1]))
        return
    game, names = Game._started(setup, tuple(setup.record)), ours(setup)
    for goal in case.expect:
        assert game.value(in_own_words(goal, names)) is True, goal
    same(game)


def test_a_ruling_holds_in_the_words_of_the_text() -> None:
    (case,) = (c for c in CASES if c.name == ALL_POINTS)
    assert "own_vp(Japan)" in in_own_words(case.expect[0], ("vp",))
    ruled(case)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_each_ruling_holds_in_the_words_of_the_text(case: Case) -> None:
    ruled(case)


READINGS = {
    "removed_units": "eliminated",
    "tie": "US",
    "order_at_end": "lines_first",
    "edge_hex": "any",
    "own_hex": "other_unit",
    "line_over_sea": "yes",
    "northern_points": "once",
    "unused_zones": "ignored",
}
"""Each Reading of what is won and awarded, with a value that is not the usual one."""


@pytest.mark.slow
@pytest.mark.parametrize("reading", [None, *READINGS])
def test_both_tell_the_same_in_random_play(reading: str | None) -> None:
    settings = {} if reading is None else {reading: READINGS[reading]}
    game = vclogic.load("okinawa/small", settings=settings, beside=[TEXT])
    plain = vclogic.load("okinawa/small", settings=settings)
    rng = Random(str(reading))
    for number in range(4):
        for _, state in legal_play(game.setup.system, game.state, rng, 25):
            there = game.at_state(game._at(state).state_dict())
            same(there)
            if number == 0:
                other = plain.at_state(there.state_dict())
                told = {(o.rule, o.side): o.status for o in there.status().outcomes}
                assert told == {(o.rule, o.side): o.status for o in other.status().outcomes}


LINES = ("usable", "joined", "loc")


def test_what_both_tell_of_points_and_lines_is_one_term() -> None:
    """The parts of section 17 are the same formulas, so they are equal in every position whatever."""
    system = over(next(c for c in CASES if c.name == ALL_POINTS)).system
    for name in ("value", "elimination_points", "retreat_points", "exit_points", "zone_points", *LINES):
        theirs, own = system.vocabulary[name], system.vocabulary[OWN + name]
        for given in product(*(p.sort.members for p in theirs.parameters if not isinstance(p, range))):
            assert theirs.partial(*given).value is own.partial(*given).value


@pytest.mark.slow
def test_no_position_tells_the_automatic_victory_apart() -> None:
    game = vclogic.load("okinawa/small", beside=[TEXT])
    assert game.missing("own_automatic != automatic", timeout=BUSY * 4).status == "impossible"
    found = vclogic.load("okinawa/small").compare(game, "automatic_victory", timeout=BUSY * 4)
    assert found.status == "equal"


@pytest.mark.slow
def test_no_position_tells_the_whole_victory_apart(tmp_path: Path) -> None:
    """The game counts hexes with US units without a line, the text the units; no two of them are in one hex."""
    game = vclogic.load("okinawa/small")
    found = game.compare(vclogic.load("okinawa/small", beside=[TEXT]), "victory", timeout=BUSY * 4)
    assert found.status == "equal"
    assert any("at most 1 unit is in" in said for said in found.assumptions)
    other = tmp_path / "other.yaml"
    other.write_text(Path(TEXT).read_text().replace("means 3 * own_without_loc", "means 4 * own_without_loc"))
    spoilt = game.compare(vclogic.load("okinawa/small", beside=[str(other)]), "victory", timeout=BUSY * 2)
    assert spoilt.status != "equal"

"""Overlays of the board: each marks the places of which its definition is true, in whatever position."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random

import pytest

from tests.fixtures.games import loaded
from tests.fixtures.pace import cases
from vclogic.errors import InputError
from vclogic.game import Game
from vclogic.model.fluents import State
from vclogic.model.picture import Overlay, RegionNote
from vclogic.query.board import overlays as drawn
from vclogic.terms.sorts import EnumSort

GAMES = ("okinawa/small", "okinawa/island", "moscow/small", "moscow/campaign")
SMALL = ("okinawa/small", "moscow/small")


def declared(game: Game) -> dict[str, Overlay]:
    drawing = game.setup.system.drawing
    assert drawing is not None
    return {o.name: o for o in drawing.overlays}


def marks(game: Game, *names: str) -> tuple[RegionNote, ...]:
    return game.picture(overlays=names).marks


def scattered(game: Game, seed: int) -> Game:
    """The game with some of its units elsewhere."""
    random, layout = Random(seed), game.setup.system.layout
    state = list(game.state)
    for unit in random.sample(sorted(layout.families["at"].fluents.values(), key=str), 5):
        assert isinstance(unit.sort, EnumSort)
        state[layout.slot[unit]] = random.randrange(len(unit.sort.members))
    return game.at_state(State(state))


def members(overlay: Overlay) -> tuple[str, ...]:
    return overlay.of.parameters[overlay.given.index(None)].sort.members


def near(game: Game) -> Mapping[str, Iterable[str]]:
    """The hexes beside each hex."""
    found = game.setup.system.vocabulary.kinds["hex"].neighbours
    assert found is not None
    return found


def true_of(game: Game, overlay: Overlay) -> set[str]:
    """What the definition is true of, asked of the game one by one."""
    found = set()
    for member in members(overlay):
        asked = ", ".join(f'"{member if given is None else given}"' for given in overlay.given)
        if game.value(f"{overlay.of.name}({asked})"):
            found.add(member)
    return found


@pytest.mark.parametrize("name", cases(GAMES, *SMALL))
def test_an_overlay_is_its_definition_at_each_place(name: str) -> None:
    game = scattered(loaded(name), 1)
    for overlay in declared(game).values():
        is_true = true_of(game, overlay)
        found = marks(game, overlay.name)
        if overlay.stands:
            assert [m.text for m in found] == [f"hex row {row}" for row in members(overlay) if row in is_true]
            assert all(m.regions == overlay.stands[m.text.split()[-1]] for m in found)
            continue
        (mark,) = found
        others = {r.name for r in game.picture().regions} - {*mark.regions}
        if overlay.holds:
            assert {*mark.regions} == is_true
        else:
            assert not is_true & {*mark.regions}
            # What the board alone rules out, such as a line over the sea, is not drawn.
            assert all(overlay.of.partial(h).value.is_const for h in others - is_true)


@pytest.mark.parametrize("seed", range(3))
def test_zones_of_control_are_the_hexes_around_their_units(seed: int) -> None:
    game = scattered(loaded("okinawa/small"), seed)
    printed = game.setup.system.vocabulary.kinds["unit"].properties
    units = [u for u, side in printed["side"].items() if side == "Japan" and printed["zone_of_control"][u]]
    around = {n for u in units for n in near(game).get(str(game.value(f'at("{u}")')), ())}
    (mark,) = marks(game, "Japanese zones of control")
    assert {*mark.regions} == around


def test_lines_join_places_beside_each_other_that_both_have_it() -> None:
    game = loaded("okinawa/small")
    (mark,) = marks(game, "US lines of communications")
    pairs = {frozenset((a, b)) for a in mark.regions for b in near(game)[a] if b in mark.regions}
    assert pairs
    assert {frozenset(p) for p in mark.pairs} == pairs


def test_an_overlay_tells_its_definition_and_its_clauses() -> None:
    shown = {o.name: o for o in drawn.shown(loaded("okinawa/small").setup.system)}
    lines = shown["US lines of communications"]
    assert "[17.53/1]" in lines.says
    assert lines.cites == ("17.53/1",)


@pytest.mark.parametrize(
    ("game", "outcome", "overlays"),
    [
        ("okinawa/small", "victory Japan", {"US lines of communications", "where US lines are cut"}),
        ("okinawa/small", "automatic_victory Japan", set()),
        (
            "moscow/small",
            "decisive Soviet",
            {"German front line", "Soviet front line", "uncovered German rows", "uncovered Soviet rows"},
        ),
        ("moscow/small", "moscow Soviet", set()),
    ],
)
def test_an_outcome_draws_the_overlays_that_it_depends_on(game: str, outcome: str, overlays: set[str]) -> None:
    assert {m.name for m in marks(loaded(game), outcome) if m.laid} == overlays


def test_the_picture_says_of_each_place_what_is_drawn_over_it() -> None:
    game = loaded("okinawa/small")
    plain, board = game.board(), game.board(overlays=["Japanese zones of control"])
    (mark,) = marks(game, "Japanese zones of control")
    before = {p.name: p.says for p in plain.places}
    for place in board.places:
        said = "; Japanese zones of control" if place.name in mark.regions else ""
        assert place.says == before[place.name] + said
    assert plain.overlays == board.overlays
    assert "laid hatch" in board.svg
    assert "laid" not in plain.svg


def test_a_wrong_name_lists_those_that_there_are() -> None:
    with pytest.raises(InputError, match="no overlay 'zones'") as wrong:
        marks(loaded("okinawa/small"), "zones")
    (diagnostic,) = wrong.value.diagnostics
    assert "Japanese zones of control" in str(diagnostic.help)
    with pytest.raises(InputError, match="no overlay"):
        marks(loaded("axis_allies"), "zones")


@pytest.mark.parametrize("name", cases(GAMES, *SMALL))
def test_what_is_declared_is_true_or_false_and_names_outcomes_that_there_are(name: str) -> None:
    game = loaded(name)
    outcomes = {o.name for o in game.setup.system.outcomes}
    for overlay in declared(game).values():
        assert {*overlay.bears_on} <= outcomes
        asked = (members(overlay)[0] if given is None else given for given in overlay.given)
        assert overlay.of.partial(*asked).value.is_bool

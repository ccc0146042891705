"""Observables: the values that goals, rulings and `status` refer to."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.moscow.board import ELIMINATED, GERMAN, SIDES, SOVIET
from vclogic_encodings.moscow.citing import cite
from vclogic_encodings.moscow.game import Rules
from vclogic_encodings.moscow.rules.levels import GRADES, LEVEL

from vclogic.model.lazy import LazySequence
from vclogic.model.picture import Laid, Overlay
from vclogic.model.rules import Entry, Observable, Table
from vclogic.terms.atoms import integer, member
from vclogic.terms.build import count, eq
from vclogic.terms.domain import Domain
from vclogic.terms.partial import Partial

LOST = "Eliminated, strength"


def observables(game: Rules) -> Iterable[Observable]:
    """Every observable of the game."""
    yield from _points(game)
    yield from _levels(game)
    yield from _front(game)
    yield from _board(game)


def _points(game: Rules) -> Iterable[Observable]:
    sides, score = (game.fluents.sides,), game.score
    text = "all Victory Points of the side, were they totalled now"
    yield Observable("vp", sides, score.points, text, cite("won/1"))
    earlier = game.fluents.earlier
    if not earlier.empty:
        text = "Victory Points that the side has been awarded for what the position does not show"
        yield Observable("earlier", sides, lambda side: earlier[side], text, cite("won/1"))
    text = "points of the side for the combat strength of eliminated enemy units"
    yield Observable("elimination_points", sides, score.eliminations, text, cite("won/1", "schedule/1"))
    text = "points of the side for objectives, as they are held now (each_turn: as they were when turns ended)"
    yield Observable("objective_points", sides, score.objectives, text, cite("won/1"))
    text = "points of the side for hex rows that the other side left uncovered"
    yield Observable("front_points", sides, lambda side: game.fluents.front[side], text, cite("front-B/1"))
    text = "the combat strength of the side's eliminated units"
    yield Observable("eliminated_strength", sides, score.eliminated_strength, text, cite("won/1"))


def _levels(game: Rules) -> Iterable[Observable]:
    victory, cites = game.victory, cite("levels/4")
    text = "the level of victory, were points totalled now; undefined where there is no ratio"
    yield Observable("level", (), lambda: victory.now.level, text, cites, Domain(LEVEL))
    text = "how good that level is for the side: 6 its decisive victory, 1 the enemy's; undefined as the level is"
    yield Observable("grade", (game.fluents.sides,), victory.grade, text, cites)
    text = "the level would be another without points for the front line"
    yield Observable("front_matters", (), lambda: victory.front_matters, text, cite("front-B/1"))


def _front(game: Rules) -> Iterable[Observable]:
    fluents, line = game.fluents, game.line
    text = "how many hex rows the side should cover and does not, were its player-turn to end now"
    yield Observable("uncovered_rows", (fluents.sides,), line.uncovered, text, cite("front/1"))
    text = "how many points the side's line would bring the other side, were its player-turn to end now"
    yield Observable("gaps", (fluents.sides,), line.gaps, text, cite("front-B/1"))
    text = "a unit of the side's front line, or its zone of control, is in the hex row"
    yield Observable("row_covered", (fluents.sides, fluents.rows), line.row_covered, text, cite("front/3"))
    text = "the side should cover the hex row and does not"
    cites = cite("front/1", "front-p2/2")
    yield Observable("row_open", (fluents.sides, fluents.rows), line.row_open, text, cites)
    text = "the hex is in a zone of control of the side's units"
    of = (fluents.sides, fluents.hexes)
    yield Observable("zoc", of, lambda side, h: line.controlled(side)[h], text, cite("front-A/1"))
    text = "a unit of the side's front line, or its zone of control, is in the hex"
    cites = cite("front-A/1")
    yield Observable("covered", (fluents.sides, fluents.hexes), lambda side, h: line.covers(side, (h,)), text, cites)


def _board(game: Rules) -> Iterable[Observable]:
    fluents = game.fluents
    text = "where the unit is: a hex, off or eliminated"
    yield Observable("at", (fluents.units,), lambda unit: fluents.at[unit], text, values=fluents.whereabouts)
    text = "how many units of the side are on the map"
    yield Observable("units", (fluents.sides,), lambda side: count(map(fluents.on_map, game.board.army(side))), text)
    text = "the last side that had a unit in the place with no enemy unit in it"
    yield Observable(
        "owner", (fluents.places,), lambda p: fluents.owner[p], text, cite("won/1"), fluents.side_or_none
    )
    text = "the side holds the objective now"
    holds = (fluents.sides, fluents.places)
    yield Observable("holding", holds, game.score.holds, text, cite("won/1", "schedule-p2/1"))
    text = "the side has captured the objective from the other side during the game"
    yield Observable("captured", holds, fluents.captured, text, cite("won/1"))
    yield Observable(
        "turn", (), lambda: fluents.turn.fluent, "the side whose player-turn it is", values=fluents.sides
    )
    yield Observable("round", (), lambda: fluents.round.fluent, "the turn, of one player-turn of each side")
    yield Observable("over", (), lambda: fluents.over.fluent, "the game has ended", cite("levels/3"))


def overlays(game: Rules) -> Iterable[Overlay]:
    """What can be drawn over the map: each side's front line, the rows that it leaves open, its zones of control."""
    of, rows = {o.name: o for o in _front(game)}, game.board.hex_rows
    looks: dict[str, tuple[Laid, Laid]] = {GERMAN: ("hatch", "cross"), SOVIET: ("back", "dots")}
    for side, (laid, open_rows) in looks.items():
        yield Overlay(f"{side} front line", of["covered"], (side, None), laid, bears_on=GRADES)
        yield Overlay(f"uncovered {side} rows", of["row_open"], (side, None), open_rows, stands=rows)
        yield Overlay(f"{side} zones of control", of["zoc"], (side, None), laid)


def overview(game: Rules) -> Iterable[tuple[str, ...]]:
    """The observables that `status` always shows."""
    yield ("round",)
    yield ("turn",)
    yield ("level",)
    gaps = () if game.line.reads("required_line", "rows") else ("gaps",)
    for name in ("vp", "elimination_points", "objective_points", "front_points", "uncovered_rows", *gaps, "units"):
        for side in SIDES:
            yield (name, side)


def table(game: Rules) -> Table:
    """The gaps in each side's line, its holdings, and its losses."""
    rows = "Uncovered rows, a point each" if game.line.reads("required_line", "rows") else "Uncovered rows"
    held = "Holds, worth points " + ("as each turn ends" if game.fluents.holds_each_turn else "at the end")
    entries = LazySequence(lambda: (*_open_rows(game, rows), *_held(game, held), *_lost(game)))
    heads = (rows, held, LOST)
    cites = cite("won/1", "schedule-p2/1", "front-p2/1", "front-B/1")
    return Table("The front line and the objectives", "Side", SIDES, heads, entries, cites)


def _open_rows(game: Rules, head: str) -> Iterable[Entry]:
    sort = game.fluents.sides.sort
    for side in SIDES:
        for row in game.board.hex_rows:
            yield Entry(f"row {row}", member(sort, side), head, Partial(integer(1), game.line.row_open(side, row)))


def _held(game: Rules, head: str) -> Iterable[Entry]:
    sort = game.fluents.sides.sort
    for side in SIDES:
        for place in game.board.places:
            worth = sum(
                a.points for a in game.board.awards if a.place == place and side in a.to and a.item != "capture"
            )
            yield Entry(place, member(sort, side), head, Partial(integer(worth), game.score.holds(side, place)))


def _lost(game: Rules) -> Iterable[Entry]:
    sort = game.fluents.sides.sort

    for name, unit in game.board.units.items():
        lost = eq(game.fluents.at[name], ELIMINATED)
        worth = integer(game.score.strength(unit))
        yield Entry(name, member(sort, unit.side), LOST, Partial(worth, lost))

"""Observables: the values that goals, rulings and `status` refer to."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.okinawa.board import EXITED, JAPAN, REMOVED, SIDES, US, ZONES, enemy
from vclogic_encodings.okinawa.citing import cite
from vclogic_encodings.okinawa.game import Rules

from vclogic.model.picture import Overlay
from vclogic.model.rules import Observable
from vclogic.terms.atoms import integer
from vclogic.terms.build import count, eq, is_in, sub


def observables(game: Rules) -> Iterable[Observable]:
    """Every observable of the game."""
    yield from _points(game)
    yield from _units(game)
    yield from _lines(game)
    yield from _time(game)


def _points(game: Rules) -> Iterable[Observable]:
    fluents, score = game.fluents, game.score
    cites = cite("17.0/2")
    text = "Victory Points of the side: those given so far; after `end_game` also those that the end brings"
    yield Observable("vp", (fluents.sides,), score.now, text, cites)
    text = "Victory Points that the side has if the scenario ends with the units where they are"
    yield Observable("vp_at_end", (fluents.sides,), score.final, text, cites)
    text = "vp_at_end of the side less that of the other"
    yield Observable("margin", (fluents.sides,), lambda x: sub(score.final(x), score.final(enemy(x))), text, cites)
    if not fluents.earlier.empty:
        text = "Victory Points that the side has been awarded for what the position does not show"
        yield Observable("earlier", (fluents.sides,), lambda x: fluents.earlier[x], text, cite("17.0/2"))
    text = "Victory Points of the side for enemy units eliminated"
    yield Observable("elimination_points", (fluents.sides,), score.eliminations, text, cite("17.12/1"))
    text = "Victory Points of the side for hexes that US units retreated; the US has none"
    retreats = {JAPAN: score.retreats, US: integer(0)}
    yield Observable("retreat_points", (fluents.sides,), lambda x: retreats[x], text, cite("17.21/1"))
    text = "Victory Points of the side for units that exited; the US has none"
    yield Observable(
        "exit_points", (fluents.sides,), lambda x: score.exits if x == JAPAN else integer(0), text, cite("17.41/1")
    )
    text = "Victory Points that units of the side in zones bring at the end, as they stand now"
    yield Observable("zone_points", (fluents.sides,), score.zones, text, cite("17.31/2"))
    text = "Victory Points that US units without a line of communications bring Japan at the end, as they stand now"
    yield Observable("cut_off_points", (), lambda: score.cut_off, text, cite("17.52/1"))
    text = "Japan wins automatically if the scenario ends with the units where they are"
    yield Observable("automatic", (), lambda: score.automatic, text, cite("17.6/1"))


def _units(game: Rules) -> Iterable[Observable]:
    fluents, units, of = game.fluents, game.board.all_units, game.board.of
    text = "the Victory Points that the unit is worth: the total of its Combat Strengths"
    yield Observable("value", (fluents.units,), lambda u: integer(units[u].value), text, cite("17.11/1"))
    text = "where the unit is: a hex (in quotes), off, eliminated, exited, left or removed"
    yield Observable("at", (fluents.units,), lambda u: fluents.at[u], text, values=fluents.places)
    yield Observable("on_map", (fluents.units,), lambda u: fluents.on_map[u], "the unit is on the map")
    text = "how many units the side has on the map"
    yield Observable("units_on_map", (fluents.sides,), fluents.units_on_map, text)
    text = "how many units the side has in the zone"
    zone, indices = game.board.zone, (fluents.sides, fluents.zones)
    yield Observable("units_in", indices, lambda s, z: count(is_in(fluents.at[u], zone[z]) for u in of(s)), text)
    text, gone = "the unit has left the map by the edge; by the northeast one it has exited", game.board.ways_off
    edges = (fluents.units, fluents.edges)
    yield Observable("left_by", edges, lambda u, e: eq(fluents.at[u], gone[e][0]), text, cite("17.41/1"))
    text = "how many Japanese units have exited"
    yield Observable("exited", (), lambda: count(eq(fluents.at[u], EXITED) for u in of(JAPAN)), text, cite("17.41/1"))
    text = "how many US units were removed for exits"
    yield Observable("removed", (), lambda: count(eq(fluents.at[u], REMOVED) for u in of(US)), text, cite("17.41/2"))
    text = "US units that are still to be removed for exits"
    yield Observable("removals", (), lambda: fluents.removals.fluent, text, cite("17.41/2"))


def _lines(game: Rules) -> Iterable[Observable]:
    fluents, lines = game.fluents, game.lines
    text = "the unit has a line of communications; undefined where it is not on the map"
    if fluents.us_units:
        yield Observable("loc", (fluents.us_units,), lines.has_line, text, cite("17.51/2"))
    text = "how many units of the side on the map have no line of communications"
    yield Observable("without_loc", (fluents.traced,), lambda _: count(lines.cut_off), text, cite("17.51/1"))
    text = "a US line of communications can lead through the hex"
    yield Observable("usable", (fluents.all_hexes,), lambda h: lines.usable[h], text, cite("17.53/1", "17.53/2"))
    text = "the hex is in a Japanese zone of control"
    yield Observable("zoc", (fluents.all_hexes,), lambda h: lines.controlled[h], text, cite("17.53/1"))
    text = "the hex is usable, and usable hexes join it to the northeast edge"
    yield Observable("joined", (fluents.all_hexes,), lambda h: lines.joined[h], text, cite("17.53/1"))


def _time(game: Rules) -> Iterable[Observable]:
    fluents = game.fluents
    yield Observable("round", (), lambda: fluents.round.fluent, "the game turn")
    yield Observable(
        "turn", (), lambda: fluents.turn.fluent, "the side whose player-turn it is", values=fluents.sides
    )
    yield Observable("over", (), lambda: fluents.over.fluent, "the scenario has ended", cite("17.0/1"))


def overlays(game: Rules) -> Iterable[Overlay]:
    """What can be drawn over the map: where US lines lead, where they are cut, and by what."""
    of = {o.name: o for o in _lines(game)}
    yield Overlay("US lines of communications", of["joined"], laid="line")
    yield Overlay("where US lines are cut", of["usable"], laid="cross", holds=False)
    yield Overlay("Japanese zones of control", of["zoc"], laid="hatch")


def overview(game: Rules) -> Iterable[tuple[str, ...]]:
    """The observables that `status` always shows."""
    yield from (("round",), ("turn",), ("over",))
    for name in ("vp", "vp_at_end", "elimination_points"):
        for side in SIDES:
            yield name, side
    yield ("retreat_points", JAPAN)
    yield ("exit_points", JAPAN)
    for side in SIDES:
        yield "zone_points", side
    yield ("without_loc", US)
    yield ("cut_off_points",)
    yield ("removals",)
    for side in SIDES:
        for zone in ZONES:
            yield "units_in", side, zone

"""Report the faults of a board that has the right shape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from vclogic_encodings.okinawa.board import (
    BLANK,
    ELSEWHERE,
    JAPAN,
    NORTHEAST,
    OFF,
    OTHER,
    SIDES,
    US,
    ZONES,
    Board,
    Unit,
)

from vclogic.model.system import Flaw

MOST = 99
"""The largest strength, cost, allowance and number of points of a zone."""
LARGEST = 60
"""A map has at most so many columns and rows."""
FULLEST = 6
"""At most so many units may be allowed in a hex."""
LAST = 999
"""The largest number of game turns."""
Path = tuple[str | int, ...]


def flaws(board: Board) -> Iterable[Flaw]:
    """Report the faults of a board that has the right shape."""
    on_map = [*_map_flaws(board)]
    yield from on_map
    yield from _game_flaws(board)
    if not on_map:
        yield from _edge_flaws(board)
        yield from _zone_flaws(board)
        yield from _unit_flaws(board)


def _map_flaws(board: Board) -> Iterable[Flaw]:
    for letter, terrain in board.terrain.items():
        if len(letter) != 1 or letter == BLANK:
            yield Flaw(("terrain", letter), f"{letter!r} is not a letter for a picture of the map", key=True)
        if terrain.cost is not None and not 1 <= terrain.cost <= MOST:
            yield Flaw(("terrain", letter, "cost"), f"a cost is a number from 1 to {MOST}")
    if not any(row.strip() for row in board.map):
        yield Flaw(("map",), "the map has no hex")
    if max(len(board.map), *map(len, board.map), 0) > LARGEST:
        yield Flaw(("map",), f"a map has at most {LARGEST} columns and rows")
    if not 0 <= board.numbered_from <= LARGEST:
        yield Flaw(("numbered_from",), f"columns and rows are numbered from a number from 0 to {LARGEST}")
    unknown = False
    for i, row in enumerate(board.map):
        for letter in sorted({*row} - {BLANK, *board.terrain}):
            unknown = True
            yield Flaw(("map", i), f"{letter!r} is not among the letters of 'terrain'")
    if not unknown and not board.land:
        yield Flaw(("map",), "no unit can be anywhere: no kind of terrain on the map has a cost")


def _game_flaws(board: Board) -> Iterable[Flaw]:
    if board.first not in SIDES:
        yield Flaw.unknown(("first",), "side", board.first, SIDES)
    if board.turns is not None and not 1 <= board.turns <= LAST:
        yield Flaw(("turns",), f"a scenario has from 1 to {LAST} game turns")
    if not 1 <= board.stacking <= FULLEST:
        yield Flaw(("stacking",), f"a hex holds from 1 to {FULLEST} units")


def _off_map(board: Board, path: Path, hexes: Sequence[str]) -> Iterable[Flaw]:
    for i, h in enumerate(hexes):
        for message in board.grid.flaws([h]):
            yield Flaw((*path, i), message)


def _edge_flaws(board: Board) -> Iterable[Flaw]:
    if not board.northeast_edge:
        yield Flaw(("northeast_edge",), "no hex: nobody could trace a line of communications")
    wrong = [*_off_map(board, ("northeast_edge",), board.northeast_edge)]
    yield from wrong
    yield from _beside(board, ("northeast_edge",), board.northeast_edge)
    for name, edge in board.edges.items():
        at: Path = ("edges", name)
        if name in (NORTHEAST, OTHER):
            yield Flaw(at, f"every map has an edge {name!r} already", key=True)
        if not (edge.hexes and edge.sides):
            yield Flaw(at, f"nobody could leave by the {name} edge: it needs hexes, and sides", key=True)
        for side in edge.sides:
            if side not in SIDES:
                yield Flaw.unknown((*at, "sides"), "side", side, SIDES)
        yield from _off_map(board, (*at, "hexes"), edge.hexes)
        yield from _beside(board, (*at, "hexes"), edge.hexes)


def _beside(board: Board, path: Path, hexes: Sequence[str]) -> Iterable[Flaw]:
    """The hexes that are not at the edge of the map, and those that stand there twice."""
    for i, h in enumerate(hexes):
        if not board.grid.flaws([h]) and len(board.grid.neighbours[h]) == 6:
            yield Flaw((*path, i), f"{h} is not at the edge of the map: it has neighbours on all sides")
        if h in hexes[:i]:
            yield Flaw((*path, i), f"{h} stands here twice")


def _zone_flaws(board: Board) -> Iterable[Flaw]:
    of: dict[str, str] = {}
    for name in ZONES:
        if name not in board.zones:
            yield Flaw(
                ("zones",), f"the zone {name} is missing", "add it; a zone that is not used has `in_use: false`"
            )
    for name, zone in board.zones.items():
        at: Path = ("zones", name)
        if name not in ZONES:
            yield Flaw.unknown(at, "zone", name, ZONES, key=True)
        wrong = [*_off_map(board, (*at, "hexes"), zone.hexes)]
        for i, span in enumerate(zone.spans):
            wrong += _off_map(board, (*at, "spans", i), span)
        yield from wrong
        for side, points in (zone.points or {}).items():
            if side not in SIDES:
                yield Flaw.unknown((*at, "points", side), "side", side, SIDES, key=True)
            if not 0 <= points <= MOST:
                yield Flaw((*at, "points", side), f"points are a number from 0 to {MOST}")
        if wrong:
            continue
        shared: dict[str, list[str]] = {}
        for h in board.zone_hexes(zone):
            if of.setdefault(h, name) != name:
                shared.setdefault(of[h], []).append(h)
        for other, hexes in shared.items():
            shown = " ".join(hexes[:3]) + (" ..." if len(hexes) > 3 else "")
            yield Flaw(at, f"the zones {other} and {name} overlap: {shown}", key=True)


def _unit_flaws(board: Board) -> Iterable[Flaw]:
    if not any(board.units.values()):
        yield Flaw(("units",), "there is no unit")
    for side, units in board.units.items():
        if side not in SIDES:
            yield Flaw.unknown(("units", side), "side", side, SIDES, key=True)
            continue
        for name, unit in units.items():
            if side == US and name in board.units.get(JAPAN, {}):
                yield Flaw(("units", side, name), f"{JAPAN} has a unit {name!r} too", key=True)
            if name in (*SIDES, "none"):
                yield Flaw(("units", side, name), f"no unit can be called {name!r}", key=True)
            yield from _strength_flaws(("units", side, name), unit)
            yield from _place_flaws(board, ("units", side, name, "at"), unit)
    standing = Counter((side, u.at) for side, us in board.units.items() for u in us.values() if u.at != OFF)
    for (side, h), n in standing.items():
        others = [s for s in SIDES if s != side and (s, h) in standing]
        last = [name for name, u in board.units[side].items() if u.at == h][-1]
        if n > board.stacking:
            known = f"{n} units are in {h}, where {board.stacking} may be"
            yield Flaw(("units", side, last, "at"), known, "see the key 'stacking'")
        if others and side == US:
            yield Flaw(("units", side, last, "at"), f"units of both sides are in {h}")


def _strength_flaws(at: Path, unit: Unit) -> Iterable[Flaw]:
    strengths = {"defence": unit.defence, "attack": unit.attack, "barrage": unit.barrage, "fpf": unit.fpf}
    for key, n in {**strengths, "movement": unit.movement}.items():
        if n is not None and not 0 <= n <= MOST:
            yield Flaw((*at, key), f"a number from 0 to {MOST} is needed, not {n}")
    if unit.attack is None and None in (unit.barrage, unit.fpf):
        yield Flaw(at, f"{at[-1]} needs an attack strength, or barrage and fpf if it is artillery", key=True)
    elif unit.attack is not None and unit.artillery:
        yield Flaw(at, f"{at[-1]} has an attack strength: artillery has barrage and fpf instead", key=True)


def _place_flaws(board: Board, at: Path, unit: Unit) -> Iterable[Flaw]:
    if unit.at in ELSEWHERE:
        if unit.at != OFF:
            yield Flaw(at, f"a game does not start with a unit that is {unit.at}", f"a unit that comes later: {OFF}")
        return
    wrong = board.grid.flaws([unit.at])
    for message in wrong:
        yield Flaw(at, message)
    if not wrong and unit.at not in board.cost:
        help = "give the unit another hex, or the terrain a `cost:`"
        yield Flaw(at, f"no unit can be in {unit.at}: its terrain has no cost", help)

"""Report the faults of a board that has the right shape."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.moscow.board import CLEAR, ELIMINATED, MOST, OFF, Board

from vclogic.board.hexgrid import HexGrid
from vclogic.model.system import Flaw
from vclogic.words import amount

LONGEST = 100
"""Columns and rows at the most."""
ROUNDS = 500
"""Turns of each side at the most."""
Path = tuple[str | int, ...]


def flaws(board: Board) -> Iterable[Flaw]:
    """Report the faults of a board that has the right shape."""
    for name, size in (("columns", board.columns), ("rows", board.rows)):
        if not 1 <= size <= LONGEST:
            yield Flaw((name,), f"{name} are a number from 1 to {LONGEST}")
            return  # there is no map
    if not 0 <= board.numbered_from <= LONGEST:
        yield Flaw(("numbered_from",), f"columns and rows are numbered from a number from 0 to {LONGEST}")
        return
    whole = HexGrid(board.columns, board.rows, board.stagger, first=board.numbered_from)
    if found := [*_off_map(whole, ("absent",), board.absent)]:
        yield from found
        return
    if not board.grid.hexes:
        yield Flaw(("absent",), "no hex is left on the map")
        return
    yield from _terrain_flaws(board)
    yield from _place_flaws(board)
    yield from _unit_flaws(board)
    yield from _schedule_flaws(board)
    if board.rounds is not None and not 1 <= board.rounds <= ROUNDS:
        yield Flaw(("rounds",), f"turns are a number from 1 to {ROUNDS}")


def _off_map(grid: HexGrid, path: Path, hexes: Iterable[str]) -> Iterable[Flaw]:
    for i, h in enumerate(hexes):
        for message in grid.flaws([h]):
            yield Flaw((*path, i), message)


def _terrain_flaws(board: Board) -> Iterable[Flaw]:
    known = {CLEAR, *board.movement}
    seen: dict[str, str] = {}
    for name, hexes in board.terrain.items():
        if name not in known:
            yield Flaw(("terrain", name), f"'movement' says nothing of {name!r}", key=True)
        yield from _off_map(board.grid, ("terrain", name), hexes)
        for i, h in enumerate(hexes):
            if h in seen:
                yield Flaw(("terrain", name, i), f"{h} is {seen[h]} already")
            seen[h] = name
    for name, points in board.movement.items():
        if not 1 <= points <= MOST:
            yield Flaw(("movement", name), f"movement points are a number from 1 to {MOST}")
    for side, hexes in board.home.items():
        yield from _off_map(board.grid, ("home", side), hexes)
    for i, pair in enumerate(board.barriers):
        if found := [*_off_map(board.grid, ("barriers", i), pair)]:
            yield from found
        elif pair[1] not in board.grid.neighbours[pair[0]]:
            yield Flaw(("barriers", i), f"{pair[0]} and {pair[1]} do not adjoin")


def _place_flaws(board: Board) -> Iterable[Flaw]:
    if board.moscow not in board.places:
        at = "moscow" if board.moscow != "Moscow" else "places"
        yield Flaw.unknown((at,), "place", board.moscow, board.places)
    seen: dict[str, str] = {}
    for name, place in board.places.items():
        if not place.hexes:
            yield Flaw(("places", name, "hexes"), f"{name} has no hexes")
        yield from _off_map(board.grid, ("places", name, "hexes"), place.hexes)
        for i, h in enumerate(place.hexes):
            if h in seen:
                yield Flaw(("places", name, "hexes", i), f"{h} belongs to {seen[h]} already")
            seen[h] = name
        if name in (ELIMINATED, OFF):
            yield Flaw(("places", name), f"no place can be called {name!r}", key=True)


def _unit_flaws(board: Board) -> Iterable[Flaw]:
    if not board.units:
        yield Flaw(("units",), "there is no unit")
    first: dict[str, str] = {}
    crowd: dict[tuple[str, str], int] = {}
    for name, unit in board.units.items():
        at: Path = ("units", name)
        for key, number in (("strength", unit.strength), ("defence", unit.defends), ("allowance", unit.allowance)):
            if not 0 <= number <= MOST:
                yield Flaw((*at, key), f"{key} is a number from 0 to {MOST}")
        if unit.at == OFF:
            continue
        if wrong := board.grid.flaws([unit.at]):
            yield Flaw((*at, "at"), wrong[0], f"a unit that comes later is {OFF!r}")
            continue
        other = first.setdefault(unit.at, name)
        if board.units[other].side != unit.side:
            yield Flaw((*at, "at"), f"{unit.at} already holds the {board.units[other].side} {other}")
        here = (unit.side, unit.at)
        crowd[here] = crowd.get(here, 0) + 1
        if board.stacking is not None and crowd[here] == board.stacking + 1:
            yield Flaw(
                (*at, "at"), f"{unit.at} holds {amount(board.stacking, f'{unit.side} unit')} already ('stacking')"
            )
    if board.stacking is not None and not 1 <= board.stacking <= MOST:
        yield Flaw(("stacking",), f"a stack is a number from 1 to {MOST}")


def _schedule_flaws(board: Board) -> Iterable[Flaw]:
    for side, rate in board.eliminated.items():
        if not 0 <= rate.points <= MOST:
            yield Flaw(("eliminated", side, "points"), f"points are a number from 0 to {MOST}")
        if not 1 <= rate.per <= MOST:
            yield Flaw(("eliminated", side, "per"), f"strength points are a number from 1 to {MOST}")
    seen: set[tuple[str, str, str]] = set()
    for i, award in enumerate(board.awards):
        if award.place not in board.places:
            yield Flaw.unknown(("awards", i, "place"), "place", award.place, board.places)
        if not 0 <= award.points <= MOST:
            yield Flaw(("awards", i, "points"), f"points are a number from 0 to {MOST}")
        if not award.to:
            yield Flaw(("awards", i, "to"), "nobody gets the points")
        for side in award.to:
            if (award.place, award.item, side) in seen:
                yield Flaw(("awards", i), f"the {side} get points for this already: {award.item} {award.place}")
            seen.add((award.place, award.item, side))

"""The rules of moves and battles that plans and records of armies share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from vclogic_encodings.axis_allies.board import Board
from vclogic_encodings.axis_allies.fluents import Fluents
from vclogic_encodings.axis_allies.planning.geography import Geography
from vclogic_encodings.axis_allies.roles import Roles

from vclogic.terms.build import and_, ceildiv, ge, linear, scale
from vclogic.terms.term import Term

SHARE = 6
"""With losses=defence the attacker loses one unit for each so many points of defence, rounded up."""


# ---- moves


def ways_by_land(geography: Geography, board: Board, unit: str, source: str, target: str) -> tuple[str | None, ...]:
    """The ways of land units from one territory to another: directly (None), or through a territory."""
    around = geography.by_land
    direct: tuple[str | None, ...] = (None,) if target in around[source] else ()
    return (*direct, *(mid for mid in around[source] if board.units[unit].move >= 2 and target in around[mid]))


def room_for(board: Board, transport: str, cargo: Sequence[str]) -> bool:
    """True if one transport takes these land units all at once."""
    loads = [board.units[u].transport_load for u in cargo]
    return all(loads) and sum(loads) <= board.units[transport].transport_room


def most_aboard(board: Board, transport: str, kinds: Iterable[str]) -> int:
    """The most land units that one transport takes."""
    loads = [board.units[u].transport_load for u in kinds if board.units[u].transport_load]
    return board.units[transport].transport_room // min(loads) if loads else 0


def decks(fluents: Fluents, side: str, zone: str) -> tuple[Term, Term]:
    """The room that a side's aircraft in a sea zone take on its carriers, and the room there is."""
    board = fluents.board
    there = {
        u: linear((1, fluents.units[zone, p, u]) for p in board.sides[side]) for u in fluents.forces.sort.members
    }
    aboard = linear((board.units[u].carrier_load, n) for u, n in there.items() if board.units[u].kind == "air")
    return aboard, linear((board.units[u].carrier_room, n) for u, n in there.items())


# ---- battles


def defence_of(roles: Roles, region: str) -> Mapping[str, int]:
    """The share of each kind's unit in the defence of a region."""
    return {u: roles.board.units[u].defence for u in roles.defenders(region)}


def needed(defence: Term, ratio: int) -> Term:
    """The attack that a defence requires; it must also be at least 1."""
    return scale(defence, ratio)


def wins(strength: Term, defence: Term, ratio: int) -> Term:
    """True if an attack is strong enough: `ratio` times the defence, and at least 1."""
    return and_(ge(strength, needed(defence, ratio)), ge(strength, 1))


def hits(defence: Term) -> Term:
    """The land units that an attacker loses with losses=defence; one more must be left to hold the territory."""
    return ceildiv(defence, SHARE)


def cheapest_first(board: Board, kinds: Iterable[str]) -> list[str]:
    """The order in which an attacker loses units."""
    return sorted(kinds, key=lambda u: board.units[u].cost)

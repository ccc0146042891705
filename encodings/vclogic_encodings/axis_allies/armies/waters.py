"""Sea zones: which are closed by enemy warships, and where ships can go."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from vclogic_encodings.axis_allies.board import Board

from vclogic.model.memoized import memoized
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import all_of, and_, any_of
from vclogic.terms.term import Term

REACH = 2
"""Sea moves of a ship in a turn."""


class Waters:
    """The zones that ships can reach in a turn.

    Attributes:
        near: The sea zones beside each.
        shores: The lands beside each.
        open: Whether no enemy warship is in a zone as the turn begins.
    """

    def __init__(self, board: Board, mine: Callable[[str], Term], without_warships: Callable[[str], Term]):
        """The waters of one power's turn.

        Args:
            mine: Whether the power's side controlled a territory as the turn began.
            without_warships: Whether no enemy warship was in a zone as the turn began.
        """
        self._board = board
        self._mine = mine
        zones, land = set(board.sea), set(board.land)
        self.near = {z: tuple(n for n in board.map.neighbours[z] if n in zones) for z in board.sea}
        self.shores = {z: tuple(n for n in board.map.neighbours[z] if n in land) for z in board.sea}
        self.open = cache(without_warships)

    def reach(self, ship: str) -> int:
        """The number of zones that a ship of a kind can go in a turn."""
        return min(REACH, self._board.units[ship].move)

    def sails(self, ship: str, start: str, end: str) -> Term:
        """True if a ship can go from one zone to another in a turn."""
        return self.way(start, end, self.reach(ship))

    def carries(self, transport: str, home: str, port: str, goal: str) -> Term:
        """True if a transport can go to a zone, load there, and unload in a zone, all in a turn."""
        first = self.around(home, self.reach(transport)).get(port)
        if first is None:
            return FALSE
        rest = self.reach(transport) - first
        return and_(self.way(home, port, first), self.open(port), self.way(port, goal, rest))

    def _passage(self, a: str, b: str) -> Term:
        canals = self._board.canals.values()
        banks = (t for canal in canals if {a, b} == set(canal.zones) for t in canal.land)
        return all_of(self._mine(t) for t in banks)

    @memoized
    def way(self, start: str, end: str, moves: int) -> Term:
        """True if a ship can go from one zone to another in at most so many moves, not stopped on the way."""
        if start == end:
            return TRUE
        ways = [self._passage(start, end)] if moves >= 1 and end in self.near[start] else []
        if moves >= REACH:
            for mid in self.near[start]:
                if end in self.near[mid]:
                    ways.append(and_(self._passage(start, mid), self.open(mid), self._passage(mid, end)))
        return any_of(ways)

    def around(self, zone: str, moves: int) -> dict[str, int]:
        """The zones within so many moves, and how far they are, as if none were closed."""
        found = {zone: 0}
        for away in range(1, moves + 1):
            for z in [z for z, d in found.items() if d == away - 1]:
                for n in self.near[z]:
                    found.setdefault(n, away)
        return found

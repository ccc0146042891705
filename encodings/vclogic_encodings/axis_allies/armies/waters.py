"""Sea zones: which are closed by enemy warships, and where ships can go."""

from __future__ import annotations

from vclogic_encodings.axis_allies.armies.muster import Muster

from vclogic.terms.atoms import TRUE
from vclogic.terms.build import all_of, and_, any_of, eq, le
from vclogic.terms.term import Term

REACH = 2
"""Sea moves of a ship in a turn."""


class Waters:
    """Where ships can go this turn."""

    def __init__(self, m: Muster):
        self._m = m
        board = m.c.board
        zones = set(board.sea)
        self.near = {z: tuple(n for n in board.map.neighbours[z] if n in zones) for z in board.sea}
        self.shores = {z: tuple(n for n in board.map.neighbours[z] if n in m.c.geography.by_land) for z in board.sea}
        self._open: dict[str, Term] = {}
        self._ways: dict[tuple[str, str, int], Term] = {}

    def open(self, zone: str) -> Term:
        """Whether no enemy warship is there as the turn begins."""
        if zone not in self._open:
            self._open[zone] = self._without_warships(zone)
        return self._open[zone]

    def _without_warships(self, zone: str) -> Term:
        m = self._m
        every = dict.fromkeys(m.roles.warships, 1)
        if m.begin is None:
            return eq(m.enemy_total(zone, every), 0)
        # Enemies who do not move leave a zone together: one kind tells of all.
        there = (m.c.f.units[zone, p, u] for p in m.enemies for u in every)
        return next((le(units, 0) for units in there if m.begin[units].lo > 0), TRUE)

    def _passage(self, a: str, b: str) -> Term:
        canals = self._m.c.board.canals.values()
        banks = (t for canal in canals if {a, b} == set(canal.zones) for t in canal.land)
        return all_of(self._m.mine(t) for t in banks)

    def way(self, start: str, end: str, moves: int) -> Term:
        """Whether a ship can go from one zone to another in at most so many moves, not stopped on the way."""
        key = start, end, moves
        if key not in self._ways:
            self._ways[key] = TRUE if start == end else self._between(start, end, moves)
        return self._ways[key]

    def _between(self, start: str, end: str, moves: int) -> Term:
        ways = [self._passage(start, end)] if moves >= 1 and end in self.near[start] else []
        if moves >= REACH:
            for mid in self.near[start]:
                if end in self.near[mid]:
                    ways.append(and_(self._passage(start, mid), self.open(mid), self._passage(mid, end)))
        return any_of(ways)

    def around(self, zone: str, moves: int) -> dict[str, int]:
        """The zones within so many moves and how far they are, whatever may close the way."""
        found = {zone: 0}
        for away in range(1, moves + 1):
            for z in [z for z, d in found.items() if d == away - 1]:
                for n in self.near[z]:
                    found.setdefault(n, away)
        return found

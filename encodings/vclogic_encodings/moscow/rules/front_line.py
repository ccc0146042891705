"""The front line: which hexes and hex rows a side's units cover, and which of the required ones they do not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from vclogic_encodings.moscow.board import FULL, LARGE, Board, Unit, enemy
from vclogic_encodings.moscow.chain import fewest_open, in_one_piece, longest
from vclogic_encodings.moscow.citing import encodes
from vclogic_encodings.moscow.fluents import Fluents

from vclogic.board.hexgrid import occupied, zone_of_control
from vclogic.model.memoized import memoized
from vclogic.model.system import Settings
from vclogic.terms.atoms import TRUE
from vclogic.terms.build import and_, any_of, count, is_in, not_, or_
from vclogic.terms.reach import Graph, reach
from vclogic.terms.term import Term

ZONE, OWN, NOT = "zone", "own hex", "not"


class FrontLine:
    """The front line of each side, under the readings in use.

    A zone of control is every hex that adjoins the unit's own, whoever is in it: for the line it extends into hexes
    that the enemy occupies.

    Attributes:
        fluents: The fluents.
        settings: Options and readings.
    """

    def __init__(self, fluents: Fluents, settings: Settings):
        self.fluents = fluents
        self.settings = settings

    def reads(self, reading: str, value: str) -> bool:
        """True if a reading is set to a value."""
        return self.settings.readings[reading] == value

    # ---- what a unit covers

    def part(self, unit: Unit) -> str:
        """The part of a unit in the line: with its zone, in its own hex only, or not at all."""
        if self.is_eb(unit):
            return NOT
        if self.projects_zone(unit):
            return ZONE
        return OWN if self.reads("small_units", "own_hex") else NOT

    @encodes("front-C/1")
    def is_eb(self, unit: Unit) -> bool:
        """EB units are not part of the front line."""
        return unit.eb

    @encodes("front-I/1")
    def projects_zone(self, unit: Unit) -> bool:
        """Bracketed units, and those below divisions, project no zone of control: Reading `brackets`."""
        full = unit.size in FULL or (unit.size in LARGE and self.reads("larger_units", "zone"))
        zones = {
            "either": full and not unit.bracketed,
            "size": full,
            "both": full or not unit.bracketed,
        }
        return zones[self.settings.readings["brackets"]]

    @encodes("front-A/1")
    def covering(self, part: str, hexes: tuple[str, ...]) -> tuple[str, ...]:
        """A zone of control covers the hexes around its unit, those that the enemy occupies too."""
        near = self.fluents.board.near
        found = dict.fromkeys(hexes)
        if part == ZONE:
            found |= dict.fromkeys(n for h in hexes for n in near[h])
        return tuple(found)

    # ---- what a side covers

    def covers(self, side: str, hexes: tuple[str, ...]) -> Term:
        """True if a side has a unit that is part of the line in one of some hexes, or its zone of control."""
        if not (self.reads("contested_zones", "count") and self.reads("cut_off_units", "count")):
            return any_of(self._by_hex(side)[h] for h in hexes)
        found = []
        sources: dict[str, tuple[str, ...]] = {}
        for name in self.fluents.board.army(side):
            part = self.part(self.fluents.board.units[name])
            if part != NOT:
                if part not in sources:
                    sources[part] = self.covering(part, hexes)
                found.append(is_in(self.fluents.at[name], sources[part]))
        return any_of(found)

    @memoized
    def _by_hex(self, side: str) -> Mapping[str, Term]:
        """For each hex whether a side covers it, where that depends on more than where its own units are."""
        present, _ = self._present(side, (ZONE, OWN))
        with_zone, zone = self._present(side, (ZONE,))
        if self.reads("cut_off_units", "ignored"):
            counts = self._joined(side)
            present, with_zone = ({h: and_(t, counts[h]) for h, t in ts.items()} for ts in (present, with_zone))
            zone = zone_of_control(self.fluents.board.near, with_zone)
        if self.reads("contested_zones", "neither"):
            _, theirs = self._present(enemy(side), (ZONE,))
            zone = {h: and_(t, not_(theirs[h])) for h, t in zone.items()}
        return {h: or_(present[h], self.extends(zone[h])) for h in present}

    @encodes("front-A/1")
    def extends(self, zone: Term) -> Term:
        """A zone of control extends into a hex whoever occupies it."""
        return zone

    def controlled(self, side: str) -> Mapping[str, Term]:
        """For each hex whether a zone of control of a side reaches it."""
        return self._present(side, (ZONE,))[1]

    def _present(self, side: str, parts: Iterable[str]) -> tuple[Mapping[str, Term], Mapping[str, Term]]:
        """For each hex whether a unit is in it that is part of the line in one of some ways, or next to it."""
        units = self.fluents.board.units
        wanted = (self.fluents.at[u] for u in self.fluents.board.army(side) if self.part(units[u]) in parts)
        return _around(self.fluents.board, tuple(wanted))

    def _joined(self, side: str) -> Mapping[str, Term]:
        """For each hex whether a line leads from it to the side's edge that the enemy does not cut."""
        board, foe = self.fluents.board, enemy(side)
        ours, theirs = (_around(board, tuple(self.fluents.alive(s)))[0] for s in (side, foe))
        _, controlled = self._present(foe, (ZONE,))
        usable = {h: or_(ours[h], not_(or_(theirs[h], controlled[h]))) for h in board.grid.hexes}
        edges = ((a, b) for a, near in board.near.items() for b in near)
        graph = Graph.undirected(board.grid.hexes, edges)
        return reach(graph, {h: usable[h] for h in board.edge(side)}, usable)

    @memoized
    def _covered(self, side: str) -> Mapping[str, Term]:
        """For each hex row whether a side covers it."""
        return {row: self.row_covered(side, row) for row in self.fluents.board.hex_rows}

    @encodes("front/3", "front-p2/1")
    def row_covered(self, side: str, row: str) -> Term:
        """A hex row is covered by a friendly unit, or its zone of control, in any of its hexes."""
        return self.covers(side, self.fluents.board.hex_rows[row])

    def _beyond(self, side: str, row: str) -> tuple[Term, Term]:
        """Two terms: a side covers any hex row north of one, and any south of it."""
        rows, covered = list(self.fluents.board.hex_rows), self._covered(side)
        i = rows.index(row)
        return any_of(covered[r] for r in rows[:i]), any_of(covered[r] for r in rows[i + 1 :])

    # ---- what it should cover and does not

    @encodes("front/1", "front-p2/2")
    def row_open(self, side: str, row: str) -> Term:
        """Each hex row from the north edge down to the south edge is to be covered: Reading `rows`."""
        missing = not_(self._covered(side)[row])
        return missing if self.reads("rows", "all") else and_(missing, *self._beyond(side, row))

    def uncovered(self, side: str) -> Term:
        """The number of hex rows that a side should cover and does not."""
        return count(self.row_open(side, row) for row in self.fluents.board.hex_rows)

    @memoized
    @encodes("front/2", "front-B/1")
    def gaps(self, side: str) -> Term:
        """Each hex of the required line that is not covered is a point; the line need not be continuous.

        What is required is the Reading `required_line`.
        """
        grid, rows = self.fluents.board.grid, self.fluents.board.hex_rows
        if self.reads("required_line", "rows") or not in_one_piece(grid):
            return self.uncovered(side)
        covered = {h: self.covers(side, (h,)) for h in grid.hexes}
        if self.reads("rows", "all"):
            first, *_ = rows.values()
            *_, last = rows.values()
            return fewest_open(grid, dict.fromkeys(first, TRUE), dict.fromkeys(last, TRUE), covered, len(grid.hexes))
        starts: dict[str, Term] = {}
        ends: dict[str, Term] = {}
        for row, hexes in rows.items():
            north, south = self._beyond(side, row)
            starts |= {h: and_(covered[h], not_(north)) for h in hexes}
            ends |= {h: and_(covered[h], not_(south)) for h in hexes}
        return fewest_open(grid, starts, ends, covered, max(longest(grid) - 1, 0))


@memoized
def _around(board: Board, units: tuple[Term, ...]) -> tuple[Mapping[str, Term], Mapping[str, Term]]:
    """For each hex whether one of some units is in it, and whether one is next to it."""
    here = occupied(board.grid, units)
    return here, zone_of_control(board.near, here)

"""The front line: which hex rows a side's units cover."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from vclogic_encodings.moscow.board import FULL, LARGE, Unit
from vclogic_encodings.moscow.state import Fluents

from vclogic.model.system import Settings
from vclogic.terms.build import and_, any_of, count, is_in, not_
from vclogic.terms.term import Term

ZONE, OWN, NOT = "zone", "own hex", "not"


class Line:
    """The front line of each side, under the readings in use.

    A zone of control is every hex that adjoins the unit's own, whoever is in it: for the line it extends into hexes
    that the enemy occupies.

    Attributes:
        f: The fluents.
        settings: Options and readings.
    """

    def __init__(self, f: Fluents, settings: Settings):
        self.f = f
        self.settings = settings

    # ---- what a unit covers

    def part(self, unit: Unit) -> str:
        """How a unit is part of the line: with its zone, in its own hex only, or not at all."""
        if unit.eb:
            return NOT
        large = unit.size in LARGE and self.settings.readings["larger_units"] == "zone"
        if (unit.size in FULL or large) and not unit.bracketed:
            return ZONE
        return OWN if self.settings.readings["small_units"] == "own_hex" else NOT

    def covering(self, part: str, hexes: tuple[str, ...]) -> tuple[str, ...]:
        """From where a unit covers one of some hexes."""
        near = self.f.board.near
        found = dict.fromkeys(hexes)
        if part == ZONE:
            found |= dict.fromkeys(n for h in hexes for n in near[h])
        return tuple(found)

    # ---- what a side covers

    def covers(self, side: str, hexes: tuple[str, ...]) -> Term:
        """Whether a side has a unit that is part of the line in one of some hexes, or its zone of control."""
        found = []
        sources: dict[str, tuple[str, ...]] = {}
        for name in self.f.board.army(side):
            part = self.part(self.f.board.units[name])
            if part != NOT:
                if part not in sources:
                    sources[part] = self.covering(part, hexes)
                found.append(is_in(self.f.at[name], sources[part]))
        return any_of(found)

    @cached_property
    def _covered(self) -> Mapping[str, Mapping[str, Term]]:
        rows = self.f.board.hex_rows
        return {s: {r: self.covers(s, h) for r, h in rows.items()} for s in self.f.sides.sort.members}

    def row_covered(self, side: str, row: str) -> Term:
        """Whether a side covers a hex row."""
        return self._covered[side][row]

    def row_open(self, side: str, row: str) -> Term:
        """Whether a hex row is one that the side should cover and does not."""
        rows = list(self.f.board.hex_rows)
        covered = self._covered[side]
        missing = not_(covered[row])
        if self.settings.readings["rows"] == "all":
            return missing
        i = rows.index(row)
        north, south = any_of(covered[r] for r in rows[:i]), any_of(covered[r] for r in rows[i + 1 :])
        return and_(missing, north, south)

    def uncovered(self, side: str) -> Term:
        """How many hex rows a side should cover and does not."""
        return count(self.row_open(side, row) for row in self.f.board.hex_rows)

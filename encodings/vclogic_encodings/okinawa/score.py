"""Victory Points: what each is given for, so far and at the end."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from vclogic_encodings.okinawa.board import (
    CENTRAL,
    ELIMINATED,
    EXITED,
    JAPAN,
    NORTHERN,
    REMOVED,
    SOUTHERN,
    US,
    ZONES,
    enemy,
)
from vclogic_encodings.okinawa.communications import Communications
from vclogic_encodings.okinawa.state import Fluents

from vclogic.model.system import Settings
from vclogic.terms.atoms import integer
from vclogic.terms.build import add, and_, any_of, ge, is_in, ite, not_, scale, total
from vclogic.terms.term import Term

PER_DEFENCE = 3
"""Victory Points for each Defense Strength Point that exits (17.41/1)."""
PER_LINE = 3
"""Victory Points for each US unit without a line of communications (17.52/1)."""


class Score:
    """The Victory Points of both sides, as terms.

    Attributes:
        f: The fluents.
        lines: Lines of communications.
        readings: How the text is read.
    """

    def __init__(self, f: Fluents, lines: Communications, settings: Settings):
        self.f = f
        self.lines = lines
        self.readings = settings.readings

    # ---- what is given at once

    def eliminations(self, side: str) -> Term:
        """For enemy units eliminated, their values."""
        f = self.f
        where = {ELIMINATED}
        if side == JAPAN and self.readings["removed_units"] == "eliminated":
            where.add(REMOVED)
        return total((f.board.all_units[u].value, is_in(f.at[u], where)) for u in f.board.of(enemy(side)))

    @cached_property
    def exits(self) -> Term:
        """For Japanese units that have exited."""
        f = self.f
        return total((PER_DEFENCE * f.board.all_units[u].defence, f.is_at(u, EXITED)) for u in f.board.of(JAPAN))

    def earned(self, side: str) -> Term:
        """All that a side has been given, apart from what the end of the scenario brings."""
        if side == US:
            return self.eliminations(US)
        return add(self.eliminations(JAPAN), self.f.retreats.fluent, self.exits)

    # ---- what the end brings

    def zone(self, side: str, zone: str) -> Term:
        """What the units of a side in a zone bring at the end."""
        f, points = self.f, self.f.board.points(zone, side)
        if not points:
            return integer(0)
        there = f.units_in(side, zone)
        if side == JAPAN and zone == NORTHERN and self.readings["northern_points"] == "once":
            return total([(points, ge(there, 1))])
        return scale(there, points)

    def zones(self, side: str) -> Term:
        """What all zones bring a side at the end."""
        return add(integer(0), *(self.zone(side, z) for z in ZONES))

    @cached_property
    def cut_off(self) -> Term:
        """What Japan gets at the end for US units without a line of communications."""
        return scale(self.lines.without, PER_LINE)

    def at_the_end(self, side: str) -> Term:
        """What the end brings a side."""
        return add(self.zones(side), self.cut_off) if side == JAPAN else self.zones(side)

    # ---- totals

    def final(self, side: str) -> Term:
        """What a side has if the scenario ends with units where they are."""
        return add(self.earned(side), self.at_the_end(side))

    def now(self, side: str) -> Term:
        """What a side has: what it was given so far, and once the scenario has ended also what the end brings."""
        return ite(self.f.over.fluent, self.final(side), self.earned(side))

    # ---- the automatic victory

    def counts(self, zones: Iterable[str]) -> frozenset[str]:
        """The hexes of zones that count for the automatic victory."""
        board = self.f.board
        known = (z for z in zones if board.zones[z].in_use or self.readings["unused_zones"] == "count")
        return frozenset(h for z in known for h in board.zone[z])

    @cached_property
    def automatic(self) -> Term:
        """Whether Japan wins whatever the points are, if the scenario ends now."""
        f = self.f
        south, north = self.counts([SOUTHERN]), self.counts([CENTRAL, NORTHERN])
        held = any_of(is_in(f.at[u], south) for u in f.board.of(US))
        entered = any_of(is_in(f.at[u], north) for u in f.board.of(JAPAN))
        return and_(not_(held), entered)

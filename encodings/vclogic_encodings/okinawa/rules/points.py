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
from vclogic_encodings.okinawa.fluents import Fluents
from vclogic_encodings.okinawa.rules.communications import Communications

from vclogic.model.system import Settings
from vclogic.terms.build import add, and_, any_of, is_in, not_, scale, total
from vclogic.terms.term import Term

PER_DEFENCE = 3
"""Victory Points for each Defense Strength Point that exits (17.41/1)."""
PER_LINE = 3
"""Victory Points for each US unit without a line of communications (17.52/1)."""
Part = tuple[int, Term]
"""Victory Points, and whether they count."""


class Score:
    """The Victory Points of both sides, as terms.

    Attributes:
        fluents: The fluents.
        lines: Lines of communications.
        readings: How the text is read.
    """

    def __init__(self, fluents: Fluents, lines: Communications, settings: Settings):
        self.fluents = fluents
        self.lines = lines
        self.readings = settings.readings

    # ---- what is given at once

    @property
    def destroyed(self) -> tuple[str, ...]:
        """Where US units are that count as eliminated: see the reading `removed_units`."""
        return (ELIMINATED, REMOVED) if self.readings["removed_units"] == "eliminated" else (ELIMINATED,)

    def eliminations(self, side: str) -> Term:
        """For enemy units eliminated, their values."""
        fluents = self.fluents
        where = self.destroyed if side == JAPAN else (ELIMINATED,)
        return total(
            (fluents.board.all_units[u].value, is_in(fluents.at[u], where)) for u in fluents.board.of(enemy(side))
        )

    @cached_property
    def exits(self) -> Term:
        """For Japanese units that have exited."""
        fluents = self.fluents
        return total(
            (PER_DEFENCE * fluents.board.all_units[u].defence, fluents.is_at(u, EXITED))
            for u in fluents.board.of(JAPAN)
        )

    def earned(self, side: str) -> Term:
        """All that a side has been given, apart from what the end of the scenario brings."""
        if side == US:
            return self.eliminations(US)
        return add(self.eliminations(JAPAN), self.fluents.retreats.fluent, self.exits)

    # ---- what the end brings

    def _for_zone(self, side: str, zone: str) -> list[Part]:
        fluents, points = self.fluents, self.fluents.board.points(zone, side)
        inside = self._inside(side, fluents.board.zone[zone])
        if side == JAPAN and zone == NORTHERN and self.readings["northern_points"] == "once":
            inside = [any_of(inside)]
        return [(points, there) for there in inside] if points else []

    def _inside(self, side: str, hexes: frozenset[str]) -> list[Term]:
        """As many true terms as units of a side count in some hexes: see the reading `order_at_end`."""
        if side == US and self.readings["order_at_end"] == "lines_first":
            return self.lines.with_line(hexes)
        return [is_in(self.fluents.at[u], hexes) for u in self.fluents.board.of(side)]

    def _at_the_end(self, side: str) -> list[Part]:
        cut_off = self.lines.cut_off if side == JAPAN else ()
        return [*(p for z in ZONES for p in self._for_zone(side, z)), *((PER_LINE, t) for t in cut_off)]

    def zone(self, side: str, zone: str) -> Term:
        """What the units of a side in a zone bring at the end."""
        return total(self._for_zone(side, zone))

    def zones(self, side: str) -> Term:
        """What all zones bring a side at the end."""
        return total(p for z in ZONES for p in self._for_zone(side, z))

    @cached_property
    def cut_off(self) -> Term:
        """What Japan gets at the end for US units without a line of communications."""
        return scale(self.lines.without, PER_LINE)

    # ---- totals

    def final(self, side: str) -> Term:
        """What a side has if the scenario ends with units where they are."""
        return add(self.earned(side), total(self._at_the_end(side)))

    def now(self, side: str) -> Term:
        """What a side has: what it was given so far, and once the scenario has ended also what the end brings.

        One sum, each part of which counts or not: solvers do well with the difference of two sums.
        """
        over = self.fluents.over.fluent
        return add(self.earned(side), total((n, and_(over, t)) for n, t in self._at_the_end(side)))

    # ---- the automatic victory

    def counts(self, zones: Iterable[str]) -> frozenset[str]:
        """The hexes of zones that count for the automatic victory."""
        board = self.fluents.board
        known = (z for z in zones if board.zones[z].in_use or self.readings["unused_zones"] == "count")
        return frozenset(h for z in known for h in board.zone[z])

    @cached_property
    def automatic(self) -> Term:
        """Whether Japan wins whatever the points are, if the scenario ends now."""
        south, north = self.counts([SOUTHERN]), self.counts([CENTRAL, NORTHERN])
        held = any_of(self._inside(US, south))
        entered = any_of(self._inside(JAPAN, north))
        return and_(not_(held), entered)

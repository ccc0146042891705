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
from vclogic_encodings.okinawa.citing import encodes
from vclogic_encodings.okinawa.fluents import Fluents
from vclogic_encodings.okinawa.rules.communications import Communications

from vclogic.model.system import Settings
from vclogic.terms.build import add, and_, any_of, eq, is_in, not_, total
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
        self.fluents, self.board = fluents, fluents.board
        self.lines = lines
        self.readings = settings.readings

    # ---- 17.1 units eliminated

    @property
    def destroyed(self) -> tuple[str, ...]:
        """The places of US units that count as eliminated: Reading `removed_units`."""
        return (ELIMINATED, REMOVED) if self.readings["removed_units"] == "eliminated" else (ELIMINATED,)

    @encodes("17.12/1")
    def eliminations(self, side: str) -> Term:
        """A player is awarded the values of the enemy units that he eliminates."""
        where = self.destroyed if side == JAPAN else (ELIMINATED,)
        at, units = self.fluents.at, self.board.all_units
        return total((units[u].value, is_in(at[u], where)) for u in self.board.of(enemy(side)))

    # ---- 17.2 US retreats

    @cached_property
    @encodes("17.21/1")
    def retreats(self) -> Term:
        """Japan receives points for hexes that US units have retreated."""
        return self.fluents.retreats.fluent

    # ---- 17.3 territorial objectives, at the end

    def for_zone(self, side: str, zone: str) -> tuple[Part, ...]:
        """The points for each unit of a side in a zone; none in the zones that bring the side nothing."""
        if not self.board.points(zone, side):
            return ()
        return self.for_southern(zone) if side == US else self.for_northern_or_central(zone)

    @encodes("17.31/3", "17.31/4")
    def for_northern_or_central(self, zone: str) -> tuple[Part, ...]:
        """Japan receives points for its units in the Northern and Central zones."""
        inside = self.of_japan(self.board.zone[zone])
        if zone == NORTHERN and self.readings["northern_points"] == "once":
            inside = (any_of(inside),)
        return tuple((self.board.points(zone, JAPAN), there) for there in inside)

    @encodes("17.31/6")
    def for_southern(self, zone: str) -> tuple[Part, ...]:
        """The US receives points for each unit in the Southern zone: Reading `order_at_end`."""
        return tuple((self.board.points(zone, US), there) for there in self.inside(US, self.board.zone[zone]))

    @encodes("17.31/5")
    def of_japan(self, hexes: frozenset[str]) -> tuple[Term, ...]:
        """Japan receives the points for each unit that is there at the end."""
        return self.inside(JAPAN, hexes)

    def inside(self, side: str, hexes: frozenset[str]) -> tuple[Term, ...]:
        """For each unit of a side whether it is in some hexes: Reading `order_at_end`."""
        if side == US and self.readings["order_at_end"] == "lines_first":
            return tuple(self.lines.with_line(hexes))
        return tuple(is_in(self.fluents.at[u], hexes) for u in self.board.of(side))

    def zone(self, side: str, zone: str) -> Term:
        """The points for the units of a side in a zone at the end."""
        return total(self.for_zone(side, zone))

    def zones(self, side: str) -> Term:
        """The points of a side for all zones at the end."""
        return total(p for z in ZONES for p in self.for_zone(side, z))

    # ---- 17.4 exits

    @cached_property
    @encodes("17.41/1")
    def exits(self) -> Term:
        """Japan receives three points for each Defense Strength Point that has exited."""
        units = self.board.all_units
        gone = ((PER_DEFENCE * units[u].defence, eq(self.fluents.at[u], EXITED)) for u in self.board.of(JAPAN))
        return total(gone)

    # ---- 17.5 lines of communications, at the end

    @encodes("17.51/2", "17.52/1")
    def for_cut_off(self) -> tuple[Part, ...]:
        """Japan receives three points for each US unit that cannot trace a line of communications."""
        return tuple((PER_LINE, cut_off) for cut_off in self.lines.cut_off)

    @cached_property
    def cut_off(self) -> Term:
        """The points of Japan at the end for US units without a line of communications."""
        return total(self.for_cut_off())

    # ---- 17.0 totals

    @encodes("17.0/2")
    def earned(self, side: str) -> Term:
        """Points are awarded for eliminating enemy units, to Japan also for US retreats and for exits."""
        if side == US:
            return add(self.fluents.earlier[US], self.eliminations(US))
        given = (self.eliminations(JAPAN), self.retreats, self.exits)
        return add(self.fluents.earlier[JAPAN], *given)

    @encodes("17.31/2")
    def at_the_end(self, side: str) -> tuple[Part, ...]:
        """The positions of units bring points at the end of the scenario, to Japan also lines of communications."""
        cut_off = self.for_cut_off() if side == JAPAN else ()
        return (*(p for z in ZONES for p in self.for_zone(side, z)), *cut_off)

    def final(self, side: str) -> Term:
        """The points of a side if the scenario ends with units where they are."""
        return add(self.earned(side), total(self.at_the_end(side)))

    def now(self, side: str) -> Term:
        """The points of a side: those given so far, and once the scenario has ended also those of the end.

        One sum, each part of which counts or not: solvers do well with the difference of two sums.
        """
        over = self.fluents.over.fluent
        return add(self.earned(side), total((n, and_(over, t)) for n, t in self.at_the_end(side)))

    # ---- 17.6 the automatic victory

    def counts(self, zones: Iterable[str]) -> frozenset[str]:
        """The hexes of zones that count for the automatic victory: Reading `unused_zones`."""
        known = (z for z in zones if self.board.in_use(z) or self.readings["unused_zones"] == "count")
        return frozenset(h for z in known for h in self.board.zone[z])

    @cached_property
    @encodes("17.6/1")
    def automatic(self) -> Term:
        """Japan wins at the end with no US unit in the Southern zone and one of its own in the other zones."""
        held = any_of(self.inside(US, self.counts([SOUTHERN])))
        entered = any_of(self.inside(JAPAN, self.counts([CENTRAL, NORTHERN])))
        return and_(not_(held), entered)

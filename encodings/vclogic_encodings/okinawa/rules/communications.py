"""Lines of communications: which hexes they can lead through, and which US units have one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from vclogic_encodings.okinawa.board import JAPAN, US
from vclogic_encodings.okinawa.citing import encodes
from vclogic_encodings.okinawa.fluents import Fluents

from vclogic.board.hexgrid import connected, occupied, zone_of_control
from vclogic.model.system import Settings
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import and_, any_of, eq, ge, not_, or_
from vclogic.terms.partial import Partial
from vclogic.terms.term import Term


class Communications:
    """The lines of communications of the US units, as terms.

    Attributes:
        fluents: The fluents.
        settings: Options and readings.
    """

    def __init__(self, fluents: Fluents, settings: Settings):
        self.fluents = fluents
        self.readings = settings.readings

    @cached_property
    def controlled(self) -> Mapping[str, Term]:
        """For each hex whether it is in a Japanese zone of control."""
        board = self.fluents.board
        units = [self.fluents.at[u] for u in board.of(JAPAN) if board.all_units[u].zone_of_control]
        return zone_of_control(board.grid.neighbours, occupied(board.grid, units))

    def _open(self, hex_: str) -> bool:
        return self.readings["line_over_sea"] == "yes" or hex_ in self.fluents.board.cost

    @encodes("17.53/1")
    def free(self, hex_: str) -> Term:
        """A line leads through hexes that are free of enemy units and their zones of control."""
        return not_(or_(self.fluents.here[JAPAN][hex_], self.controlled[hex_]))

    @encodes("17.53/2")
    def passes(self, hex_: str) -> Term:
        """A line may always be traced through a hex with a friendly unit, despite enemy zones of control."""
        return or_(self.fluents.here[US][hex_], self.free(hex_))

    @cached_property
    def usable(self) -> Mapping[str, Term]:
        """For each hex whether a line can lead through it: Reading `line_over_sea`."""
        return {h: self.passes(h) if self._open(h) else FALSE for h in self.fluents.board.grid.hexes}

    @cached_property
    def joined(self) -> Mapping[str, Term]:
        """For each hex whether usable hexes, itself included, join it to the northeast edge."""
        edge = self.fluents.board.northeast_edge
        ends = dict.fromkeys(edge, TRUE) if self.readings["edge_hex"] == "any" else {h: self.usable[h] for h in edge}
        reached = connected(self.fluents.board.grid, ends, self.usable)
        return {h: and_(reached[h], self.usable[h]) for h in reached}

    @encodes("17.51/2")
    def from_hex(self, hex_: str) -> Term:
        """US units must trace a line from their hex to a hex on the northeast map edge: Reading `own_hex`."""
        if self.readings["own_hex"] == "friendly":
            return self.joined[hex_]
        return and_(self.joined[hex_], or_(ge(self.fluents.number_at(US, hex_), 2), not_(self.controlled[hex_])))

    def has_line(self, unit: str) -> Partial:
        """True if a US unit has a line of communications; undefined where it is not on the map."""
        fluents = self.fluents
        at = fluents.at[unit]
        traced = any_of(and_(eq(at, h), self.from_hex(h)) for h in fluents.board.land)
        return Partial(traced, fluents.on_map[unit])

    @cached_property
    @encodes("17.51/1")
    def cut_off(self) -> tuple[Term, ...]:
        """A US unit on the map without a line is cut off, one that is not on the map never."""
        return tuple(t for h in self.fluents.board.land for t in self._units(h, not_(self.from_hex(h))))

    def with_line(self, hexes: Iterable[str]) -> list[Term]:
        """A Bool for each US unit that can be in some hexes: it is there and has a line of communications."""
        return [t for h in hexes for t in self._units(h, self.from_hex(h))]

    def _units(self, hex_: str, which: Term) -> Iterable[Term]:
        """A Bool for each unit that fits into a hex: so many US units are there, and something holds of them."""
        fluents = self.fluents
        there = fluents.number_at(US, hex_)
        yield and_(fluents.here[US][hex_], which)
        yield from (and_(ge(there, n), which) for n in range(2, fluents.board.stacking + 1))

"""The fluents of the game, and who is where in terms of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from vclogic_encodings.okinawa.board import EXITED, JAPAN, NORTHEAST, SIDES, US, ZONES, Board
from vclogic_encodings.okinawa.flaws import LAST

from vclogic.board.hexgrid import occupied
from vclogic.model.fluents import Family, Value
from vclogic.terms.atoms import integer
from vclogic.terms.build import count, eq, is_in, ite, not_
from vclogic.terms.domain import Domain, grouped
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term

NONE = "none"
NO, YES, AUTO = "no", "yes", "auto"
FORTUNE = 9999
"""The largest number of Victory Points for retreats."""
LONGEST = 12
"""A retreat has at most so many hexes."""
EACH = 3
"""US units that are removed for each Japanese unit that exits (17.41/2)."""


class Fluents:
    """The state variables over one board, and the names they are written with.

    Attributes:
        board: The board.
        by_unit: Whether it is known for how many points of retreats each US unit has brought.
        removing: How Japanese units leave the map for which US units are removed.
    """

    def __init__(
        self,
        board: Board,
        *,
        by_unit: bool = False,
        removing: tuple[str, ...] = (EXITED,),
        earlier: bool = False,
    ):
        self.board = board
        self.by_unit = by_unit and bool(board.of(US))
        self.removing = removing

        # the families of fluents
        text = "the hex of the unit, `column,row`, or off (not on the map yet), eliminated, exited, left or removed"
        self.at = Family("at", self.places.sort, text, (self.units,), self.places)
        self.retreats = Family(
            "retreats", IntSort(0, FORTUNE), "Victory Points that Japan has for hexes that US units retreated"
        )
        text = "Victory Points that Japan has for hexes that the unit retreated (reading earlier_retreats)"
        mine = (self.us_units,) if self.us_units else ()
        self.retreats_of = Family("retreats_of", IntSort(0, FORTUNE), text, mine, empty=not mine)
        text = "the US unit that has retreated just now; none once something else has happened"
        some = Domain(self.us_unit_or_none)
        self.retreated = Family(
            "retreated", some.sort, text, values=some, otherwise=NONE, empty=not self.board.of(US)
        )
        text = "Victory Points that Japan has for the retreat just now; 0 once something else has happened"
        self.retreated_for = Family("retreated_for", IntSort(0, LONGEST), text)
        most = EACH * max(len(self.board.of(JAPAN)), 1)
        self.removals = Family(
            "removals", IntSort(0, most), "US units that are still to be removed for Japanese exits"
        )
        self.round = Family("round", IntSort(1, LAST + 1), "the game turn", least=1)
        self.turn = Family("turn", self.sides.sort, "the side whose player-turn it is", values=self.sides)
        text = "Victory Points that the side has been awarded for what the position does not show"
        self.earlier = Family("earlier", IntSort(0, FORTUNE), text, (self.sides,), otherwise=0, empty=not earlier)
        self.over = Family("over", BOOL, "the scenario has ended, and the points that its end brings are given")

    # ---- the names that files, goals and records use

    @cached_property
    def sides(self) -> Domain:
        """The two sides."""
        other = {"Japanese": JAPAN, "U.S.": US, "USA": US, "American": US}
        units = {u: f"it is a unit of the {s} side" for u, s in self.board.side_of.items() if u not in other}
        return Domain(EnumSort("side", SIDES), other, units)

    @cached_property
    def traced(self) -> Domain:
        """The side whose units need a line of communications."""
        return Domain(EnumSort("side with lines", (US,)), {"U.S.": US, "USA": US}, {JAPAN: "only US units need one"})

    @cached_property
    def side_or_none(self) -> EnumSort:
        """The sides, and none."""
        return EnumSort("side or none", (NONE, *SIDES))

    @cached_property
    def units(self) -> Domain:
        """The units of both sides."""
        sides = dict.fromkeys(SIDES, "it is a side, not a unit")
        groups = grouped("side", self.board.side_of) | grouped("size", self.board.sizes)
        return Domain(EnumSort("unit", tuple(self.board.all_units)), refused=sides, groups=groups)

    @cached_property
    def us_units(self) -> Domain | None:
        """The units that need a line of communications; None without any."""
        if not self.board.of(US):
            return None
        refused = dict.fromkeys(self.board.of(JAPAN), "it is Japanese, and only US units need a line")
        return Domain(EnumSort("US unit", self.board.of(US)), refused=refused)

    @cached_property
    def us_unit_or_none(self) -> EnumSort:
        """The US units, and none."""
        return EnumSort("US unit or none", (NONE, *self.board.of(US)))

    @cached_property
    def zones(self) -> Domain:
        """The Objective zones."""
        return Domain(EnumSort("zone", ZONES), {f"{z} zone": z for z in ZONES})

    @cached_property
    def edges(self) -> Domain:
        """The edges of the map."""
        return Domain(EnumSort("edge", tuple(self.board.ways_off)))

    @cached_property
    def left_by(self) -> Domain:
        """The edges by which units leave without the points of an exit."""
        names = tuple(name for name in self.board.ways_off if name != NORTHEAST)
        return Domain(EnumSort("edge without points", names), refused={NORTHEAST: "record `exit`"})

    @cached_property
    def _not_land(self) -> dict[str, str]:
        known = self.board.cost
        return {h: "no unit can be there" for h in self.board.grid.hexes if h not in known}

    @cached_property
    def hexes(self) -> Domain:
        """The hexes where units can be."""
        elsewhere = dict.fromkeys(self.board.elsewhere, "it is not a place on the map")
        return Domain(EnumSort("hex", self.board.land), refused={**self._not_land, **elsewhere})

    @cached_property
    def all_hexes(self) -> Domain:
        """Every hex of the map."""
        return Domain(EnumSort("hex of the map", self.board.grid.hexes))

    @cached_property
    def places(self) -> Domain:
        """The places of a unit: a hex, or the reason why it is on none."""
        return Domain(EnumSort("place", (*self.board.elsewhere, *self.board.land)), refused=self._not_land)

    @cached_property
    def same_result(self) -> Domain:
        """The choice whether a unit is destroyed by the combat result that made it retreat."""
        other = {"false": NO, "true": YES, "off": NO, "on": YES}
        return Domain(EnumSort("choice: auto, yes or no", (AUTO, NO, YES)), other)

    @cached_property
    def families(self) -> tuple[Family, ...]:
        """The families of fluents."""
        by_unit = (self.retreats_of,) if self.by_unit else ()
        retreats = (self.retreats, self.retreated, self.retreated_for, *by_unit)
        found = (self.at, *retreats, self.removals, self.round, self.turn, self.over, self.earlier)
        return tuple(f for f in found if not f.empty)

    def initial(self) -> dict[Term, Value]:
        """The start of the scenario."""
        values: dict[Term, Value] = {self.at[name]: unit.at for name, unit in self.board.all_units.items()}
        values |= {self.retreats.fluent: 0, self.retreated_for.fluent: 0}
        if not self.retreated.empty:
            values[self.retreated.fluent] = NONE
        values |= {self.removals.fluent: 0, self.round.fluent: 1, self.turn.fluent: self.board.first}
        values |= dict.fromkeys(self.earlier.fluents.values(), 0)
        return values | {self.over.fluent: False}

    def defaults(self) -> dict[Term, Term]:
        """Defaults of a position without history: a unit has brought what its retreat just now brought."""
        if not self.by_unit:
            return {}
        now, points = self.retreated.fluent, self.retreated_for.fluent
        return {self.retreats_of[u]: ite(eq(now, u), points, integer(0)) for u in self.board.of(US)}

    # ---- who is where

    @cached_property
    def on_map(self) -> Mapping[str, Term]:
        """For each unit whether it is on the map."""
        return {name: not_(is_in(self.at[name], self.board.elsewhere)) for name in self.board.all_units}

    def removes(self, unit: str, gone: str) -> bool:
        """True if US units are removed for a unit that goes to a place off the map: only for Japanese ones."""
        return gone in self.removing and self.board.side_of[unit] == JAPAN

    def units_on_map(self, side: str) -> Term:
        """The number of units that a side has on the map."""
        return count(self.on_map[u] for u in self.board.of(side))

    @cached_property
    def here(self) -> Mapping[str, Mapping[str, Term]]:
        """For each side and hex whether a unit of the side is there."""
        return {side: occupied(self.board.grid, (self.at[u] for u in self.board.of(side))) for side in SIDES}

    def number_at(self, side: str, hex_: str) -> Term:
        """The number of units of a side in a hex."""
        return count(eq(self.at[u], hex_) for u in self.board.of(side))

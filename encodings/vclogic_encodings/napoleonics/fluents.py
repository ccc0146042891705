"""The fluents of the game, and who occupies what in terms of them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from vclogic_encodings.napoleonics.board import ELIMINATED, KEPT, MOST, NONE, OFF, Board

from vclogic.model.fluents import Family, Value
from vclogic.model.memoized import memoized
from vclogic.model.system import Settings
from vclogic.terms.atoms import member
from vclogic.terms.build import any_of, eq
from vclogic.terms.domain import Domain, grouped
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term

BETWEEN, MOVEMENT, COMBAT = "between", "movement", "combat"
"""Between two turns; from the start of a turn to the end of its movement phase; from there to its end."""

EARLIER = "banners for what the position does not show count with `options: {earlier: on}`"


class Fluents:
    """The state variables over one board, and the names they are written with.

    Attributes:
        board: The board.
        settings: Options and readings.
        losable: The objectives whose banner can be lost again.
        watched: The hexes of objectives that are lost when vacated.
    """

    def __init__(self, board: Board, settings: Settings, losable: tuple[str, ...], watched: tuple[str, ...]):
        self.board = board
        self.settings, self.losable, self.watched = settings, losable, watched

        # the families of fluents that every board has
        text = "where the unit is: a hex `column,row`, off (not on the map) or eliminated"
        text += f", or gone by {' or '.join(board.exits)}" if board.exits else ""
        self.at = Family("at", self.places.sort, text, (self.pieces,), self.places)
        self.ordered = Family("ordered", BOOL, "the unit has been ordered this turn", (self.pieces,))
        self.moved = Family("moved", BOOL, "the ordered unit has moved in this movement phase", (self.pieces,))
        text = "the side whose turn it is; between two turns: whose turn was the last (before the first: the other's)"
        self.turn = Family("turn", self.sides.sort, text, values=self.sides)
        text = "between (two turns), movement (from the start of a turn on) or combat (from the end of movement on)"
        self.phase = Family("phase", self.phases.sort, text, values=self.phases)

    # ---- the names that files, goals and records use

    @cached_property
    def sides(self) -> Domain:
        """The two sides."""
        return Domain(EnumSort("side", self.board.sides))

    @cached_property
    def side_or_none(self) -> EnumSort:
        """The sides, and none."""
        return EnumSort("side or none", (NONE, *self.board.sides))

    @cached_property
    def holders(self) -> Domain:
        """The sides, and none, as values."""
        return Domain(self.side_or_none)

    @cached_property
    def pieces(self) -> Domain:
        """The units and leaders."""
        units = self.board.units
        groups = grouped("side", {n: u.side for n, u in units.items()})
        return Domain(
            EnumSort("unit", tuple(units)), groups=groups | grouped("kind", {n: u.kind for n, u in units.items()})
        )

    @cached_property
    def _refused(self) -> dict[str, str]:
        return {h: f"nobody can be there: it is {terrain}" for h, terrain in self.board.blocked.items()}

    @cached_property
    def hexes(self) -> Domain:
        """The hexes where a unit can be."""
        lost = {OFF: "it is off the map", ELIMINATED: "it is not a place on the map"}
        lost |= dict.fromkeys(self.board.exits, "units leave the map by it")
        return Domain(EnumSort("hex", self.board.hexes), refused=self._refused | lost)

    @cached_property
    def destinations(self) -> Domain:
        """The destinations of a unit: the hexes, off the map, and the ways off it."""
        lost = {ELIMINATED: "that is the event `eliminate`"}
        return Domain(
            EnumSort("hex, or off", (OFF, *self.board.exits, *self.board.hexes)), refused=self._refused | lost
        )

    @cached_property
    def places(self) -> Domain:
        """The places of a unit: the hexes, off the map, where it has left by an exit, and eliminated."""
        return Domain(EnumSort("place", (*self.gone, OFF, *self.board.hexes)), refused=self._refused)

    @cached_property
    def gone(self) -> tuple[str, ...]:
        """The places from which no unit comes back."""
        return (ELIMINATED, *self.board.exits)

    @cached_property
    def phases(self) -> Domain:
        """The phases of a turn."""
        return Domain(EnumSort("phase", (BETWEEN, MOVEMENT, COMBAT)))

    def reads(self, reading: str, value: str) -> bool:
        """True if a reading is set to a value."""
        return self.settings.readings[reading] == value

    # ---- the families that not every board has a use for

    @cached_property
    def objective(self) -> Family:
        """The side that has the banner of each objective."""
        text = "the side that has the objective's banner; left out: as the units stand, else as set up, else none"
        return Family("objective", self.side_or_none, text, (self._names(self.board.objectives),), self.holders)

    @cached_property
    def by_deed(self) -> Domain:
        """The objectives that are taken by an event."""
        return self._names(n for n, o in self.board.objectives.items() if o.kind == "taken")

    @cached_property
    def watched_hexes(self) -> Domain:
        """The hexes that can be vacated."""
        grid, of = self.board.grid, self.board.objectives
        groups = {f"objective {n}": tuple(h for h in o.hexes if h in self.watched) for n, o in of.items()}
        groups = {n: hexes for n, hexes in groups.items() if hexes}
        return Domain(
            EnumSort("hex", self.watched),
            groups=grid.lines_of(self.watched) | groups,
            span=grid.span_of(self.watched),
        )

    @cached_property
    def vacated(self) -> Family:
        """Hexes that are being vacated."""
        text = (
            "the side whose ordered unit has moved out of the objective hex in this movement phase, nobody since in"
        )
        return Family("vacated", self.side_or_none, text, (self.watched_hexes,), self.holders)

    @cached_property
    def gained(self) -> Family:
        """Banners gained in this turn."""
        text = "the side that has gained the objective's banner this turn, after its start or with it"
        return Family("gained", self.side_or_none, text, (self._names(self.losable),), self.holders)

    @cached_property
    def dropped(self) -> Family:
        """Banners gained and lost in this turn."""
        text = "the side that has gained the objective's banner this turn and lost it again"
        return Family("dropped", self.side_or_none, text, (self._names(self.losable),), self.holders)

    @cached_property
    def scored(self) -> Family:
        """Objectives of the battle notes."""
        most = max((o.times for o in self.board.battle_objectives.values()), default=1)
        text = "how often the objective of the battle notes has been accomplished"
        return Family("scored", IntSort(0, most), text, (self._names(self.board.battle_objectives),))

    def _names(self, names: Iterable[str]) -> Domain:
        kinds = {n: o.kind for n, o in self.board.objectives.items()}
        known = tuple(names)
        groups = grouped("kind", {n: kinds[n] for n in known if n in kinds})
        return Domain(EnumSort("objective", known), groups=groups)

    @cached_property
    def earlier(self) -> Family:
        """Banners for what the position does not show."""
        text = "Victory Banners that the side has won for what the position does not show"
        off = self.settings.word("earlier") == "off"
        return Family("earlier", IntSort(0, MOST), text, (self.sides,), otherwise=0, empty=off, lacks=EARLIER)

    @cached_property
    def families(self) -> tuple[Family, ...]:
        """The families that the board has a use for."""
        board = self.board
        some = (self.at, self.turn, self.phase, self.ordered, *(() if self.earlier.empty else (self.earlier,)))
        on_map = (self.objective,) if board.objectives else ()
        watched = (self.moved, self.vacated) if self.watched else ()
        losable = (self.gained, self.dropped) if self.losable else ()
        return (*some, *on_map, *watched, *losable, *((self.scored,) if board.battle_objectives else ()))

    # ---- the start

    def initial(self) -> dict[Term, Value]:
        """Before the first turn: units as set up, nobody has scored."""
        board = self.board
        values: dict[Term, Value] = {self.at[name]: u.at for name, u in board.units.items()}
        values |= {self.ordered[name]: False for name in board.units}
        values |= dict.fromkeys(self.earlier.fluents.values(), 0)
        values |= {self.turn.fluent: board.enemy(board.first), self.phase.fluent: BETWEEN}
        if self.watched:
            values |= {self.moved[name]: False for name in board.units}
        values |= {self.vacated[h]: NONE for h in self.watched}
        for name in self.losable:
            values |= {self.gained[name]: NONE, self.dropped[name]: NONE}
        return values | {self.scored[name]: 0 for name in board.battle_objectives}

    # ---- who occupies what

    def side(self, name: str) -> Term:
        """A side, or none, as a holder."""
        return member(self.side_or_none, name)

    @cached_property
    def occupiers(self) -> dict[str, tuple[str, ...]]:
        """For each side those who occupy the hex that they are in: Reading `leader_alone`."""
        leaders = None if self.reads("leader_alone", "occupies") else False
        return {s: self.board.pieces(s, leaders=leaders) for s in self.board.sides}

    @cached_property
    def _kept(self) -> dict[str, tuple[str, ...]]:
        """For each hex of an objective that is lost when vacated the kinds of units that hold it."""
        kept = (o for o in self.board.objectives.values() if o.kind in KEPT)
        return {h: o.kinds for o in kept for h in o.hexes}

    @memoized
    def keepers(self, side: str, hex_: str) -> tuple[str, ...]:
        """Those of a side who hold a hex of an objective that is lost when vacated, if they are in it."""
        return self.board.fitting(self.occupiers[side], self._kept.get(hex_, ()))

    @memoized
    def occupies(self, side: str, hex_: str) -> Term:
        """True if a unit of the side is in the hex."""
        return any_of(eq(self.at[u], hex_) for u in self.occupiers[side])

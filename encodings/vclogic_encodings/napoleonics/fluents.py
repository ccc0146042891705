"""The fluents of the game, and who occupies what in terms of them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from vclogic_encodings.napoleonics.board import ELIMINATED, NONE, TEMPORARY, Board, Kind
from vclogic_encodings.napoleonics.names import BETWEEN, Names

from vclogic.model.fluents import Family, Value
from vclogic.model.memoized import once
from vclogic.model.system import Settings
from vclogic.terms.atoms import FALSE, TRUE, member
from vclogic.terms.build import and_, any_of, count, eq, ge, gt, ite, linear, ne, not_, or_
from vclogic.terms.domain import Domain
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term


class Fluents(Names):
    """The state variables over one board, and the names they are written with.

    Attributes:
        settings: Options and readings.
    """

    def __init__(self, board: Board, settings: Settings):
        super().__init__(board)
        self.settings = settings

    def reads(self, reading: str, value: str) -> bool:
        """Whether a reading is set to a value."""
        return self.settings.readings[reading] == value

    # ---- families

    @cached_property
    def at(self) -> Family:
        """Where each unit is."""
        text = "where the unit is: a hex `column,row`, off (not on the map) or eliminated"
        return Family("at", self.places.sort, text, (self.pieces,), self.places)

    @cached_property
    def objective(self) -> Family:
        """Who has the banner of each objective."""
        text = "the side that has the objective's banner; left out: as the units stand, else as set up, else none"
        return Family("objective", self.side_or_none, text, (self._names(self.board.objectives),), self.holders)

    @cached_property
    def vacated(self) -> Family:
        """Hexes that are being vacated."""
        text = (
            "the side whose ordered unit has moved out of the objective hex in this movement phase, nobody since in"
        )
        return Family("vacated", self.side_or_none, text, (Domain(EnumSort("hex", self.watched)),), self.holders)

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

    @cached_property
    def ordered(self) -> Family:
        """Which units have been ordered."""
        return Family("ordered", BOOL, "the unit has been ordered this turn", (self.pieces,))

    @cached_property
    def moved(self) -> Family:
        """Which ordered units have moved."""
        return Family("moved", BOOL, "the ordered unit has moved in this movement phase", (self.pieces,))

    @cached_property
    def turn(self) -> Family:
        """Whose turn it is."""
        text = "the side whose turn it is; between two turns: whose turn was the last (before the first: the other's)"
        return Family("turn", self.sides.sort, text, values=self.sides)

    @cached_property
    def phase(self) -> Family:
        """How far the turn has come."""
        text = "between (two turns), movement (from the start of a turn on) or combat (from the end of movement on)"
        return Family("phase", self.phases.sort, text, values=self.phases)

    @staticmethod
    def _names(names: Iterable[str]) -> Domain:
        return Domain(EnumSort("objective", tuple(names)))

    @cached_property
    def families(self) -> tuple[Family, ...]:
        """All of them; those that the board has no use for are left out."""
        board = self.board
        some = (self.at, self.turn, self.phase, self.ordered)
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
        values |= {self.turn.fluent: board.enemy(board.first), self.phase.fluent: BETWEEN}
        if self.watched:
            values |= {self.moved[name]: False for name in board.units}
        values |= {self.vacated[h]: NONE for h in self.watched}
        for name in self.losable:
            values |= {self.gained[name]: NONE, self.dropped[name]: NONE}
        return values | {self.scored[name]: 0 for name in board.battle_objectives}

    def defaults(self) -> dict[Term, Term]:
        """Who has each objective in a position without history."""
        return {self.objective[name]: self._holder_as_it_stands(name) for name in self.board.objectives}

    def _holder_as_it_stands(self, name: str) -> Term:
        """The holder as far as where the units are tells, else as set up."""
        o = self.board.objectives[name]
        set_up, nobody = self.side(o.held or NONE), self.side(NONE)
        here = {s: self.is_there(s, name) for s in self.holders_of(name)}
        match self.judged(name):
            case "temporary" | "turn_start_temporary" as kind:
                kept = ite(self.keeps(o.held, name), set_up, nobody) if o.held else nobody
                return self.only(name, here, kept) if kind == "temporary" else kept
            case "turn_start_majority":
                return ite(self.majority(o.held, name), set_up, nobody) if o.held else nobody
            case "permanent" if o.held is None and self.reads("set_up", "counts"):
                return self.only(name, here, nobody)
            case "last_to_occupy":
                return self.only(name, {s: self.is_there(s, name) for s in self.board.sides}, set_up)
        return set_up

    def only(self, name: str, here: dict[str, Term], otherwise: Term) -> Term:
        """The one side that has units in an objective (none, if it cannot hold it), or else another holder."""
        found = otherwise
        for s, present in here.items():
            alone = and_(present, *(not_(x) for t, x in here.items() if t != s))
            found = ite(alone, self.side(s if s in self.holders_of(name) else NONE), found)
        return found

    def judged(self, name: str) -> Kind:
        """The kind by which an objective is gained: see the reading `turn_start_groups`."""
        o = self.board.objectives[name]
        at_once = len(o.hexes) > 1 and self.reads("turn_start_groups", "at_once")
        return "temporary" if o.kind == "turn_start_temporary" and at_once else o.kind

    # ---- who occupies what

    def side(self, name: str) -> Term:
        """A side, or none, as a holder."""
        return member(self.side_or_none, name)

    @cached_property
    def occupiers(self) -> dict[str, tuple[str, ...]]:
        """For each side those who occupy the hex that they are in: see the reading `leader_alone`."""
        leaders = None if self.reads("leader_alone", "occupies") else False
        return {s: self.board.pieces(s, leaders=leaders) for s in self.board.sides}

    @once
    def occupies(self, side: str, hex_: str) -> Term:
        """Whether a unit of the side is in the hex."""
        return any_of(eq(self.at[u], hex_) for u in self.occupiers[side])

    def to_come(self, side: str, but: str | None = None) -> Term:
        """Whether a unit of the side may still take the place of another one: reading `vacated_when`.

        Args:
            side: The side.
            but: A unit that does not count.
        """
        if self.reads("vacated_when", "movement_ends"):
            return TRUE
        units = (u for u in self.occupiers[side] if u != but)
        return any_of(and_(self.ordered[u], not_(self.moved[u]), ne(self.at[u], ELIMINATED)) for u in units)

    def covered(self, kind: Kind) -> bool:
        """Whether the note on units that change places holds for a kind of objective: reading `note_kinds`."""
        return kind == "temporary" or (kind in TEMPORARY and self.reads("note_kinds", "every"))

    @once
    def is_occupied(self, side: str, hex_: str, kind: Kind) -> Term:
        """Whether the hex counts as occupied by the side for an objective of a kind."""
        left = eq(self.vacated[hex_], side) if self.covered(kind) else FALSE
        return or_(self.occupies(side, hex_), left)

    @once
    def is_there(self, side: str, name: str) -> Term:
        """Whether any hex of an objective counts as occupied by the side."""
        o = self.board.objectives[name]
        return any_of(self.is_occupied(side, h, o.kind) for h in o.hexes)

    @once
    def keeps(self, side: str, name: str) -> Term:
        """Whether a side that has a temporary objective keeps it: reading `contested_group`."""
        opposed = self.is_there(self.board.enemy(side), name) if self.is_shared(name) else FALSE
        return and_(self.is_there(side, name), not_(opposed))

    def is_shared(self, name: str) -> bool:
        """Whether nobody has the objective while both sides have units in it: reading `contested_group`."""
        return self.reads("contested_group", "nobody") and len(self.holders_of(name)) == 2

    @once
    def majority(self, side: str, name: str) -> Term:
        """Whether the side occupies more hexes of an objective than the enemy."""
        o = self.board.objectives[name]
        ours, theirs = (
            count(self.is_occupied(s, h, o.kind) for h in o.hexes) for s in (side, self.board.enemy(side))
        )
        return gt(ours, theirs)

    @once
    def has(self, side: str, name: str) -> Term:
        """Whether the side has the banner of an objective now: see the reading `vacated_hex`."""
        o = self.board.objectives[name]
        holds = eq(self.objective[name], side)
        if not self.covered(o.kind) or self.reads("vacated_hex", "kept"):
            return holds
        whole = not_(any_of(eq(self.vacated[h], side) for h in o.hexes))
        if o.kind != "turn_start_majority":
            return and_(holds, or_(whole, any_of(self.occupies(side, h) for h in o.hexes)))
        sides = (side, self.board.enemy(side))
        ours, theirs = (count(self.occupies(s, h) for h in o.hexes) for s in sides)
        return and_(holds, or_(whole, gt(ours, theirs)))

    # ---- banners

    @once
    def counts(self, side: str, name: str) -> Term:
        """Whether the side has an objective whose banners count: see the reading `shared_hex`."""
        before = self.before(name) if self.reads("shared_hex", "one") else ()
        return and_(self.has(side, name), *(not_(self.has(side, other)) for other in before))

    def banners(self, side: str) -> Term:
        """The Victory Banners that a side has."""
        board = self.board
        lost = [(board.units[u].banners, eq(self.at[u], ELIMINATED)) for u in board.pieces(board.enemy(side))]
        held = [(o.banners, self.counts(side, name)) for name, o in board.objectives.items()]
        notes = [(b.banners, self.scored[n]) for n, b in board.battle_objectives.items() if b.side == side]
        return linear([*lost, *held, *notes])

    def reached(self, side: str) -> Term:
        """Whether a side has as many banners as it needs."""
        return ge(self.banners(side), self.board.banners[side])

    def wins(self, side: str) -> Term:
        """Whether a side has won: see the reading `both_reach`."""
        enemy = self.board.enemy(side)
        if self.reads("both_reach", "on_turn"):
            before = eq(self.turn.fluent, side)
        elif self.reads("both_reach", "more"):
            before = gt(self.banners(side), self.banners(enemy))
        else:
            before = FALSE
        return and_(self.reached(side), or_(not_(self.reached(enemy)), before))

    @cached_property
    def over(self) -> Term:
        """Whether a side has won."""
        return any_of(self.wins(s) for s in self.board.sides)

    @cached_property
    def winner(self) -> Term:
        """The side that has won, or none."""
        found = self.side(NONE)
        for s in self.board.sides:
            found = ite(self.wins(s), self.side(s), found)
        return found

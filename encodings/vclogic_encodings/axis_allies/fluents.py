"""The fluents of the game, and who controls what in terms of them."""

from __future__ import annotations

from functools import cached_property

from vclogic_encodings.axis_allies.board import COMPLEX, Board
from vclogic_encodings.axis_allies.names import AGREED, BEGIN, COUNT, NONE, OUTCOMES, PERMANENT, NamedFamily, Names
from vclogic_encodings.axis_allies.underway import Underway

from vclogic.model.fluents import Family, Value
from vclogic.model.memoized import memoized
from vclogic.terms.atoms import FALSE, integer
from vclogic.terms.build import and_, any_of, count, eq, ge, gt, is_in, ite, ne, or_, total
from vclogic.terms.domain import Domain
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term

LAST_ROUND = 1000
"""Rounds and bids are counted up to here."""
FORTUNE = 99_999
"""IPCs are counted up to here."""


class Fluents(Names):
    """The state variables over one board, and the names they are written with.

    Attributes:
        outcomes: Names of the outcomes in use.
        armies: Whether the units on the board are recorded.
        underway: What a turn with armies has come to; `full`: with ships and aircraft.
    """

    def __init__(self, board: Board, outcomes: tuple[str, ...], *, armies: bool = False, full: bool = False):
        super().__init__(board)
        self.outcomes = outcomes
        self.armies = armies
        self.underway = Underway(board, full=full)

    @cached_property
    def outcome_names(self) -> Domain:
        """The outcomes in use."""
        return Domain(EnumSort("outcome", self.outcomes), refused=dict.fromkeys(OUTCOMES, AGREED))

    # ---- territories

    owner = NamedFamily("powers", "territories").meaning("the power that owns the territory")
    owner_at_turn_start = NamedFamily("powers", "territories").meaning(
        "the power that owned the territory when the turn began; left out: the present owner"
    )
    complexes = NamedFamily("complex_kinds", "territories").meaning(
        "the industrial complex in the territory: permanent (there at the start of the game), bought or none"
    )
    complex_at_turn_start = NamedFamily(BOOL, "territories").meaning(
        "a complex stood in the territory when the turn began; left out: the one there, if not placed this turn"
    )
    declared = NamedFamily(BOOL, "territories").meaning(
        "an industrial complex was bought this turn for the territory and is not placed yet"
    )
    placed = NamedFamily(COUNT, "territories", "unit_kinds").meaning(
        "how many of these units the power on turn has placed in the territory this turn"
    )
    attacked = NamedFamily(BOOL, "territories").meaning(
        "the territory is under attack this turn, its battle not yet fought"
    )
    failed_attacks = NamedFamily(BOOL, "territories").meaning(
        "the territory was attacked this turn, and the attack has failed"
    )
    emergency = NamedFamily(COUNT, "territories").meaning(
        "infantry that the defender has placed there this turn, before its first one, as the territory was attacked"
    )
    earlier_emergency = NamedFamily(COUNT, "territories").meaning(
        "infantry that the defender placed there in earlier turns, before its first one, as the territory was "
        "attacked; it matters with emergency_limit=once and first_turn only"
    )

    @cached_property
    def units(self) -> Family:
        """The number of units that each power has in each territory and sea zone."""
        text = "how many of these units the power has there; what a position gives for a region replaces all of it; "
        text += "left out: as at the start, but none on land that the other side holds"
        return Family("units", COUNT, text, (self.regions, self.powers, self.forces), whole=1)

    # ---- powers

    first_turn_done = NamedFamily(BOOL, "powers").meaning(
        "the power has had its first turn; left out: those before `turn` in round 1, all later"
    )
    treasury = NamedFamily(IntSort(0, FORTUNE), "powers").meaning(
        "the IPCs that the power has in hand; counted with treasury=on only"
    )
    bought = NamedFamily(COUNT, "unit_kinds").meaning(
        "how many of these units the power on turn has bought this turn, placed or not"
    )

    # ---- time

    round = NamedFamily(IntSort(1, LAST_ROUND), least=1).meaning("the round of play")
    turn = NamedFamily("powers").meaning("the power whose turn it is")
    phase = NamedFamily("phases").meaning(
        "how far the turn has come: begin, purchase, combat or mobilize, by the last step of it"
    )
    bid = NamedFamily(IntSort(0, LAST_ROUND), least=1).meaning(
        "the number of turns that won the bid for the Axis; left out where nobody has bid"
    )
    axis_team = NamedFamily("teams").meaning("the team that won the bid and plays the Axis")
    ended = NamedFamily("power_or_none").meaning(
        "the power whose turn has ended just now; none once something else has happened"
    )

    # ---- who has won

    won = NamedFamily("side_or_none", "outcome_names").meaning(
        "the side that reached the outcome first, at an earlier moment or now"
    )
    winner = NamedFamily("side_or_none").meaning("the side that won first, by any outcome in use")

    @property
    def latches(self) -> tuple[Term, ...]:
        """The facts of who has reached each outcome in use, and of who has won first."""
        return (*(self.won[name] for name in self.outcomes), self.winner.fluent)

    # ---- all of them

    @cached_property
    def families(self) -> tuple[Family, ...]:
        """All of them."""
        land = (self.owner, self.owner_at_turn_start, self.complexes, self.complex_at_turn_start)
        war = (self.attacked, self.failed_attacks, self.emergency, self.earlier_emergency, self.first_turn_done)
        production = (self.treasury, self.bought, self.declared, self.placed)
        time = (self.round, self.turn, self.phase, self.bid, self.axis_team, self.ended)
        armies = (self.units, *self.underway.families) if self.armies else ()
        won = (self.won,) if self.outcomes else ()  # a text may leave all of them out
        return (*land, *war, *production, *time, *won, self.winner, *armies)

    def initial(self) -> dict[Term, Value]:
        """The start of the game on this board: nobody has bid, bought or won."""
        values: dict[Term, Value] = {}
        for family in (self.attacked, self.failed_attacks, self.declared):
            values |= dict.fromkeys(family.fluents.values(), False)
        for family in (self.emergency, self.earlier_emergency, self.placed, self.bought):
            values |= dict.fromkeys(family.fluents.values(), 0)
        values |= dict.fromkeys(self.latches, NONE)
        for name in self.board.land:
            owner = self.board.territories[name].owner
            assert owner is not None, "a checked board has an owner for each land"
            values[self.owner[name]] = owner
            values[self.complexes[name]] = PERMANENT if name in self.board.permanent else NONE
        values |= {self.treasury[p]: power.treasury for p, power in self.board.powers.items()}
        values |= {self.round.fluent: 1, self.turn.fluent: self.board.turn_order[0], self.phase.fluent: BEGIN}
        values |= {self.bid.fluent: 0, self.axis_team.fluent: NONE}
        values[self.ended.fluent] = NONE
        if self.armies:
            regions, garrisons = self.board.territories, self._garrisons()
            for (region, power, unit), fluent in self.units.fluents.items():
                if fluent not in garrisons:
                    values[fluent] = regions[region].units.get(power, {}).get(unit, 0)
            values |= self.underway.nothing()
        return values

    def defaults(self) -> dict[Term, Term]:
        """Values of history that a position leaves out: nothing was captured this turn, and turns went in order."""
        order = self.board.turn_order
        started: dict[Term, Term] = {self.owner_at_turn_start[t]: self.owner[t] for t in self.board.land}
        for i, power in enumerate(order):
            later = any_of((gt(self.round.fluent, 1), is_in(self.turn.fluent, order[i + 1 :])))
            started[self.first_turn_done[power]] = later
        for t in self.board.land:
            kind = self.complexes[t]
            old = or_(eq(kind, PERMANENT), eq(self.placed[t, COMPLEX], 0))
            started[self.complex_at_turn_start[t]] = and_(ne(kind, NONE), old)
        return started | (self._garrisons() if self.armies else {})

    def _garrisons(self) -> dict[Term, Term]:
        """Default units on land: as at the start, and none where the other side holds the territory."""
        found: dict[Term, Term] = {}
        for t in self.board.land:
            for power, units in self.board.territories[t].units.items():
                held = self.controls(self.board.powers[power].side, t)
                known = {self.units[t, power, u]: n for u, n in units.items() if u in self.forces.sort.index}
                found |= {fluent: ite(held, integer(n), integer(0)) for fluent, n in known.items()}
        return found

    # ---- control and counts

    def owns(self, power: str, territory: str) -> Term:
        """True if the power owns the territory; false where nobody can."""
        known = territory in self.territories.sort.index
        return eq(self.owner[territory], power) if known else FALSE

    @memoized
    def controls(self, side: str, territory: str) -> Term:
        """True if a power of the side owns the territory; false where nobody can."""
        known = territory in self.territories.sort.index
        return is_in(self.owner[territory], self.board.sides[side]) if known else FALSE

    def held(self, party: str, territory: str) -> Term:
        """True if a side controls the territory, or a power owns it."""
        return self.controls(party, territory) if party in self.board.sides else self.owns(party, territory)

    @memoized
    def territory_count(self, party: str) -> Term:
        """The number of territories that a side controls or a power owns."""
        return count(self.held(party, t) for t in self.board.land)

    @memoized
    def income(self, power: str) -> Term:
        """The sum of the IPC values of what a power owns."""
        return total((self.board.territories[t].ipc, self.owns(power, t)) for t in self.board.land)


def at_least_zero(x: Term) -> Term:
    """A number, or 0 where it is below that."""
    return ite(ge(x, 0), x, integer(0))


def at_most(x: Term, limit: int) -> Term:
    """A number, or a limit where it is above that."""
    return ite(gt(x, limit), integer(limit), x)

"""The fluents of the game, and who controls what in terms of them."""

from __future__ import annotations

from functools import cached_property

from vclogic_encodings.axis_allies.board import Board

from vclogic.model.fluents import Family, Value
from vclogic.terms.atoms import FALSE
from vclogic.terms.build import count, eq, is_in, total
from vclogic.terms.domain import Domain
from vclogic.terms.sorts import EnumSort, IntSort
from vclogic.terms.term import Term

LAST_ROUND = 1000
"""Rounds and bids are counted up to here."""
NONE = "none"
OUTCOMES = ("total_victory", "major_victory", "minor_victory")


class Fluents:
    """The state variables over one board.

    Attributes:
        board: The board.
        outcomes: Names of the outcomes in use.
    """

    def __init__(self, board: Board, outcomes: tuple[str, ...]):
        self.board = board
        self.outcomes = outcomes

    # ---- names

    @cached_property
    def powers(self) -> Domain:
        """The powers."""
        sides = dict.fromkeys(self.board.sides, "it is a side, not a power")
        return Domain(EnumSort("power", tuple(self.board.powers)), refused=sides)

    @cached_property
    def sides(self) -> Domain:
        """The two sides."""
        of = {p: f"it is a power of the {x.side}" for p, x in self.board.powers.items()}
        return Domain(EnumSort("side", tuple(self.board.sides)), refused=of)

    @cached_property
    def territories(self) -> Domain:
        """The territories that can be owned, with the rule text's names as aliases."""
        aliases = {a: n for n in self.board.land for a in self.board.territories[n].aliases}
        refused = {}
        for name, t in self.board.territories.items():
            if t.kind != "land":
                reason = "a sea zone has no owner" if t.kind == "sea" else "nobody can enter or own it"
                refused.update(dict.fromkeys((name, *t.aliases), reason))
        return Domain(EnumSort("territory", self.board.land), aliases, refused)

    # ---- fluents

    @cached_property
    def owner(self) -> Family:
        """Who owns each territory."""
        text = "the power that owns the territory"
        return Family("owner", self.powers.sort, text, (self.territories,), self.powers)

    @cached_property
    def round(self) -> Family:
        """The number of the round."""
        return Family("round", IntSort(1, LAST_ROUND), "the round of play", least=1)

    @cached_property
    def turn(self) -> Family:
        """Whose turn it is."""
        return Family("turn", self.powers.sort, "the power whose turn it is", values=self.powers)

    @cached_property
    def bid(self) -> Family:
        """The winning bid; 0 before there is one."""
        text = "the number of turns that won the bid for the Axis; left out where nobody has bid"
        return Family("bid", IntSort(0, LAST_ROUND), text, least=1)

    @cached_property
    def ended(self) -> Family:
        """Whose turn ended at this very moment."""
        text = "the power whose turn has ended just now; none once something else has happened"
        return Family("ended", self.power_or_none, text, values=Domain(self.power_or_none))

    @cached_property
    def won(self) -> Family:
        """The side that was first to reach each outcome."""
        text = "the side that reached the outcome first, at an earlier moment or now"
        outcomes = Domain(EnumSort("outcome", self.outcomes))
        return Family("won", self.side_or_none, text, (outcomes,), Domain(self.side_or_none))

    @cached_property
    def winner(self) -> Family:
        """The side that was first to win by any outcome in use."""
        text = "the side that won first, by any outcome in use"
        return Family("winner", self.side_or_none, text, values=Domain(self.side_or_none))

    @cached_property
    def power_or_none(self) -> EnumSort:
        """The powers, and none."""
        return EnumSort("power or none", (NONE, *self.powers.sort.members))

    @cached_property
    def side_or_none(self) -> EnumSort:
        """The sides, and none."""
        return EnumSort("side or none", (NONE, *self.board.sides))

    @cached_property
    def families(self) -> tuple[Family, ...]:
        """All of them."""
        return (self.owner, self.round, self.turn, self.bid, self.ended, self.won, self.winner)

    def initial(self) -> dict[Term, Value]:
        """The start of the game on this board: nobody has bid or won."""
        values: dict[Term, Value] = {}
        for name in self.board.land:
            owner = self.board.territories[name].owner
            assert owner is not None, "a checked board has an owner for each land"
            values[self.owner[name]] = owner
        values[self.round.fluent] = 1
        values[self.turn.fluent] = self.board.turn_order[0]
        values[self.bid.fluent] = 0
        values[self.ended.fluent] = NONE
        values |= dict.fromkeys(self.won.fluents.values(), NONE)
        values[self.winner.fluent] = NONE
        return values

    # ---- control and counts

    def owns(self, power: str, territory: str) -> Term:
        """Whether the power owns the territory; false where nobody can."""
        known = territory in self.territories.sort.index
        return eq(self.owner[territory], power) if known else FALSE

    def controls(self, side: str, territory: str) -> Term:
        """Whether a power of the side owns the territory; false where nobody can."""
        known = territory in self.territories.sort.index
        return is_in(self.owner[territory], self.board.sides[side]) if known else FALSE

    def points(self, side: str) -> Term:
        """The victory city points that a side controls."""
        return total((self.board.points(t), self.controls(side, t)) for t in self.board.cities)

    def territory_count(self, side: str) -> Term:
        """How many territories a side controls."""
        return count(self.controls(side, t) for t in self.board.land)

    def income(self, power: str) -> Term:
        """The sum of the IPC values of what a power owns."""
        return total((self.board.territories[t].ipc, self.owns(power, t)) for t in self.board.land)

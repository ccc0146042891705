"""Whose turn it is and which round, in a rulebook's game: the facts, how a turn ends, and the moments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from vclogic.model.actions import Parameter
from vclogic.model.fluents import Family, Value
from vclogic.model.moments import Moments
from vclogic.model.rules import Observable
from vclogic.model.sayings import Sayings
from vclogic.rulebook.world import World
from vclogic.terms.atoms import FALSE, TRUE, constant, integer
from vclogic.terms.build import add, and_, eq, ite, not_, or_
from vclogic.terms.domain import Domain
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term

TURN, ROUND, PHASE, OVER = "turn", "round", "phase", "over"

SAID_OF_OVER = Sayings("", {True: "the last round has been played", False: "the last round has not been played"}, "")


class Timing:
    """The time of a game.

    Args:
        world: What the rulebook declares.

    Attributes:
        turn: The fact that says whose turn it is.
        round: The round; None: there is one alone, or no last one, so rounds are not counted.
        over: Whether the last round has been played.
        phase: The phase of the turn; None: a turn has none.
    """

    def __init__(self, world: World):
        self.world, self.order = world, world.order
        movers = world.movers.domain
        self.turn = Family(TURN, movers.sort, "whose turn it is", values=movers)
        self.round: Family | None = None
        self.over: Family | None = None
        self.phase: Family | None = None
        if world.rounds is not None:
            if world.rounds > 1:
                self.round = Family(ROUND, IntSort(1, world.rounds), "the round", least=1)
            self.over = Family(OVER, BOOL, "whether the last round has been played")
        self.phases = tuple(w.text for w in world.turn.phases)
        if self.phases:
            sort = EnumSort(PHASE, self.phases)
            self.phase = Family(PHASE, sort, "the phase of the turn", values=Domain(sort))

    @cached_property
    def families(self) -> tuple[Family, ...]:
        """The facts; of one side, round or phase alone there is nothing to tell."""
        return tuple(f for f in self._told if not f.fluent.is_const)

    @property
    def _told(self) -> Iterator[Family]:
        return (f for f in (self.turn, self.round, self.phase, self.over) if f is not None)

    @property
    def initial(self) -> dict[Term, Value]:
        """What they are at the start."""
        first: dict[str, Value] = {TURN: self.order[0], ROUND: 1, OVER: False}
        if self.phases:
            first[PHASE] = self.phases[0]
        return {f.fluent: first[f.name] for f in self.families}

    @property
    def ended(self) -> Term:
        """Bool: whether the last round has been played."""
        return FALSE if self.over is None else self.over.fluent

    def observables(self) -> Iterator[Observable]:
        """What goals can ask of time."""
        for family in self._told:
            if family.name != OVER:
                yield Observable(family.name, (), lambda f=family: f.fluent, family.text, (), family.values)
        if self.over is not None and self.round is None:
            yield Observable(ROUND, (), lambda: integer(1), "the round, which is the only one")

    @cached_property
    def absent(self) -> Mapping[str, str]:
        """What the rulebook does not count or name, with what to write."""
        found = {}
        if self.over is None:
            found[ROUND] = "no line says how many rounds there are: write rounds 6, and `round` is its number"
        if self.phase is None:
            found[PHASE] = "turns have no phases: write turn is PHASE, PHASE, and `phase` is one of them"
        return found

    def mover(self, name: str) -> Parameter:
        """The argument that says who decides an event: left out, it is whoever is on turn."""
        movers, turn = self.world.movers, self.turn.fluent
        if turn.is_const:
            return Parameter(name, movers.domain, default=movers.members[0])
        return Parameter(name, movers.domain, implied=turn)

    @property
    def clock(self) -> tuple[Term, ...]:
        """The facts one of which changes with each turn, whose turn it is first; none where one side has all."""
        rounds = () if self.round is None else (self.round.fluent,)
        return () if self.turn.fluent.is_const else (self.turn.fluent, *rounds)

    def turn_of(self, name: str) -> Term:
        """Bool: whether it is somebody's turn."""
        return eq(self.turn.fluent, name)

    def turn_ends(self, actor: str | None) -> dict[Term, Term]:
        """What the end of a turn changes.

        Args:
            actor: Whose turn it is; None: that of whoever is on turn.
        """
        order, turn = self.order, self.turn.fluent
        following = dict(zip(order, (*order[1:], order[0]), strict=True))
        if actor in following:
            new: Term = constant(turn.sort, following[actor])
            last = TRUE if actor == order[-1] else FALSE
        else:
            new, last = turn, self.turn_of(order[-1])
            for name, then in following.items():
                new = ite(self.turn_of(name), constant(turn.sort, then), new)
        found: dict[Term, Term] = {}
        if self.over is not None:
            done = last
            if self.round is not None:
                number = self.round.fluent
                done = and_(last, eq(number, integer(number.hi)))
                found[number] = ite(and_(last, not_(done)), add(number, 1), number)
            new = ite(done, turn, new)
            found[self.over.fluent] = or_(self.over.fluent, done)
        if self.phase is not None:
            found[self.phase.fluent] = constant(self.phase.sort, self.phases[0])
        found[turn] = new
        return {fluent: then for fluent, then in found.items() if not (then is fluent or fluent.is_const)}

    def moments(self) -> Moments:
        """When turns and rounds begin and end."""
        going, first = not_(self.ended), self.order[0]
        clock = {f.fluent: f.fluent for f in self.families if f.name != OVER}
        if len(self.order) > 1:
            starts = {p: and_(self.turn_of(p), going) for p in self.order}
            ends = {p: or_(not_(self.turn_of(p)), self.ended) for p in self.order}
            return Moments(starts, ends, starts[first], or_(self.turn_of(first), self.ended), clock)
        over = ite(self.ended, integer(1), integer(0))
        if self.round is None:
            return Moments({}, {first: over}, None, over, clock) if self.over is not None else Moments(clock=clock)
        started, ended = self.round.fluent, add(self.round.fluent, over)
        return Moments({first: started}, {first: ended}, started, ended, clock)

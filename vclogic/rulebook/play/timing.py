"""Turns and rounds of a rulebook's game: the facts, how a turn ends, and the moments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial

from vclogic.model.actions import Parameter
from vclogic.model.citation import Cites
from vclogic.model.fluents import Family, Value
from vclogic.model.moments import Between, Moments
from vclogic.model.rules import Observable
from vclogic.model.sayings import Sayings
from vclogic.rulebook.board.world import OVER, ROUND, TURN, World
from vclogic.rulebook.statements import PHASE_ENDS, PHASE_STARTS, ROUND_ENDS, ROUND_STARTS, TURN_ENDS, TURN_STARTS
from vclogic.terms.atoms import FALSE, TRUE, constant, integer
from vclogic.terms.build import add, and_, any_of, eq, gt, ite, minimum, not_, or_
from vclogic.terms.domain import Domain
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term

PHASE, PAIR = "phase", 2
BEGAN = "began_the_round"
Reader = Callable[[Term], Term]
"""Makes a term one over a position before or after an event."""

_OTHER_WORDS = {
    "legal": "can(side) asks whether a side could do anything in its turn, can_EVENT(side) whether it could do that",
    "game_over": "lines say what ends the game, so they cannot ask it: nothing happens after the first outcome "
    "that is met, and holds(NAME, SIDE) asks whether one is",
}
"""What people call what has another name here, or none."""
SAID_OF_OVER = Sayings("", {True: "the last round has been played", False: "the last round has not been played"}, "")
SAID_OF_END = Sayings("", {True: "the game is over", False: "the game is not over"}, "")
"""The same where an event can end the game."""


@dataclass(frozen=True)
class Passing:
    """The way in which a turn passes, over the position before the event.

    Attributes:
        given: Bool: whether an event says whose turn is next.
        to: Who that is; None: no event does.
        rises: Bool: whether an event ends the round.
        number: The round that it leads to; None: no event does.
        stays: Bool: whether an event says that the round goes on.
        playing: For each side or power whether it has turns; one left out has.
    """

    given: Term = FALSE
    to: Term | None = None
    rises: Term = FALSE
    number: Term | None = None
    stays: Term = FALSE
    playing: Mapping[str, Term] = field(default_factory=dict)


class Timing:
    """The time of a game.

    A turn is that of one side or power. It ends as `turn is` says, where an event gives it to another, and where the
    round ends; then the next one in the order has it that has turns. A round ends where the turn passes whoever began
    it, unless an event says that it rises by nothing, and where an event makes it rise. What begins the order begins
    the first round, and the next one again, unless an event made the round rise, or one of no turn gave its first
    turn to another: then that one does from there on.

    Args:
        world: What the rulebook declares.

    Attributes:
        turn: The fact that says whose turn it is.
        round: The round; None: there is one alone, or no last one, so rounds are not counted.
        over: Whether the last round has been played, or an event has ended the game; None: neither can be.
        ends: The events that can end it.
        phase: The phase of the turn; None: a turn has none.
        began: Who began the round; None: it is always the first of the order.
        irregular: Whether turns pass otherwise than one after the other.
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
        self.ends = tuple(world.each_end()) if world.ended_by_events else ()
        if self.ends:
            self.over = Family(OVER, BOOL, "whether the game is over")
        self.irregular = world.set_by_events or world.has_turns is not None
        self.began: Family | None = None
        if self.round is not None and world.begun_by_events:
            self.began = Family(BEGAN, movers.sort, "who began the round", values=movers)
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
        return (f for f in (self.turn, self.round, self.phase, self.over, self.began) if f is not None)

    @property
    def initial(self) -> dict[Term, Value]:
        """The values at the start."""
        first: dict[str, Value] = {TURN: self.order[0], ROUND: 1, OVER: False, BEGAN: self.order[0]}
        if self.phases:
            first[PHASE] = self.phases[0]
        return {f.fluent: first[f.name] for f in self.families}

    @property
    def ended(self) -> Term:
        """Bool: whether the last round has been played."""
        return FALSE if self.over is None else self.over.fluent

    @cached_property
    def end_cites(self) -> Cites:
        """The sentences of the events that can end the game."""
        return tuple(dict.fromkeys(c for source, at in self.ends for c in source.cites(at)))

    def observables(self) -> Iterator[Observable]:
        """The observables of time."""
        for family in self._told:
            if family.name != BEGAN and (family.name != OVER or self.ends):
                cites = self.end_cites if family.name == OVER else ()
                yield Observable(family.name, (), lambda f=family: f.fluent, family.text, cites, family.values)
        if self.world.rounds is not None and self.round is None:
            yield Observable(ROUND, (), lambda: integer(1), "the round, which is the only one")

    @cached_property
    def absent(self) -> Mapping[str, str]:
        """Names of time that the rulebook does not count or name, with what to write."""
        found = dict(_OTHER_WORDS)
        if self.world.rounds is None:
            found[ROUND] = "no line says how many rounds there are: write rounds 6, and `round` is its number"
        if self.phase is None:
            found[PHASE] = "turns have no phases: write turn is PHASE, PHASE, and `phase` is one of them"
        if len(self.world.sides) > PAIR:
            each = "some, no or count(other side where other != side and ...)"
            found["enemy"] = f"each of {len(self.world.sides)} sides has several enemies: say which by {each}"
        return found

    def mover(self, name: str) -> Parameter:
        """The argument that says who decides an event: left out, it is whoever is on turn."""
        movers, turn = self.world.movers, self.turn.fluent
        if turn.is_const:
            return Parameter(name, movers.domain, default=movers.members[0])
        return Parameter(name, movers.domain, implied=turn)

    @property
    def on_turn(self) -> Term | str:
        """Whoever is on turn."""
        return self.order[0] if self.turn.fluent.is_const else self.turn.fluent

    @property
    def clock(self) -> tuple[Term, ...]:
        """The facts one of which changes with each turn, whose turn it is first; none where one side has all."""
        rounds = () if self.round is None else (self.round.fluent,)
        return () if self.turn.fluent.is_const else (self.turn.fluent, *rounds)

    def turn_of(self, name: str) -> Term:
        """Bool: whether it is somebody's turn."""
        return eq(self.turn.fluent, name)

    def turn_ends(self, actor: str | None, passing: Passing | None = None) -> dict[Term, Term]:
        """The changes by the end of a turn.

        Args:
            actor: Whose turn it is; None: that of whoever is on turn.
            passing: What an event says of it; None: nothing.
        """
        said, turn = passing or Passing(), self.turn.fluent
        one = (actor,) if actor in self.order else self.turn.values.sort.members if self.turn.values else ()
        new, last = turn, FALSE
        for name in one:
            then, round_over = self._following(name, said)
            here = TRUE if len(one) == 1 else self.turn_of(name)
            new, last = ite(here, then, new), or_(last, and_(here, round_over))
        last = or_(last, said.rises)
        found: dict[Term, Term] = {}
        done: Term = FALSE
        if self.over is not None:
            done = last
            if self.round is not None:
                number = self.round.fluent
                following = (
                    ite(said.rises, said.number, add(number, 1)) if said.number is not None else add(number, 1)
                )
                done = and_(last, gt(following, number.hi))
                found[number] = ite(and_(last, not_(done)), minimum(following, integer(number.hi)), number)
            found[self.over.fluent] = or_(self.over.fluent, done)
        if self.began is not None:
            found[self.began.fluent] = ite(and_(said.rises, not_(done)), new, self.began.fluent)
        if self.phase is not None:
            first = constant(self.phase.sort, self.phases[0])
            found[self.phase.fluent] = ite(done, self.phase.fluent, first)
        found[turn] = ite(done, turn, new)
        return {fluent: then for fluent, then in found.items() if not (then is fluent or fluent.is_const)}

    def _following(self, name: str, said: Passing) -> tuple[Term, Term]:
        """The side or power after somebody, and Bool: whether the round ends with that."""
        sort = self.turn.sort
        around = (*self.order[self.order.index(name) + 1 :],) if name in self.order else ()
        circle = (*around, *(n for n in self.order if n not in around))
        new: Term = constant(sort, name)
        over: Term = TRUE  # nobody else is left
        for other in reversed([n for n in circle if n != name]):
            there = said.playing.get(other, TRUE)
            passed = self._passes(name, other)
            new, over = ite(there, constant(sort, other), new), ite(there, passed, over)
        if said.rises is not FALSE:
            first: Term = constant(sort, self.order[0])
            for other in reversed(self.order):
                first = ite(said.playing.get(other, TRUE), constant(sort, other), first)
            new = ite(said.rises, first, new)
        if said.to is not None:
            to = self.resolved(said.to, said.playing)
            given = any_of(and_(eq(to, n), self._passes(name, n)) for n in self.order if n != name)
            new, over = ite(said.given, to, new), ite(said.given, given, over)
        return new, and_(over, not_(said.stays))

    def resolved(self, to: Term, playing: Mapping[str, Term]) -> Term:
        """The side or power that gets a turn given to somebody: the next one with turns, where that one has none."""
        found = to
        for n in self.order if playing else ():
            around = self.order[self.order.index(n) :] + self.order[: self.order.index(n)]
            then: Term = constant(self.turn.sort, n)
            for other in reversed(around):
                then = ite(playing.get(other, TRUE), constant(self.turn.sort, other), then)
            found = ite(eq(to, n), then, found)
        return found

    def _passes(self, name: str, other: str) -> Term:
        """Bool: whether a turn that goes from somebody to another one passes whoever began the round."""
        if name not in self.order:
            return TRUE
        at, to = self.order.index(name), self.order.index(other)
        if self.began is None:
            return TRUE if to < at else FALSE
        n = len(self.order)
        return any_of(eq(self.began.fluent, b) for i, b in enumerate(self.order) if (to - i) % n < (at - i) % n)

    def opened(self, playing: Mapping[str, Term]) -> Term:
        """Bool: whether it is the first turn of the round."""
        if self.began is None:
            return FALSE
        n, found = len(self.order), []
        for i, b in enumerate(self.order):
            first: Term = self.turn_of(b)  # where nobody has turns
            for step in reversed(range(n)):
                other = self.order[(i + step) % n]
                first = ite(playing.get(other, TRUE), self.turn_of(other), first)
            found.append(and_(eq(self.began.fluent, b), first))
        return any_of(found)

    # ---- moments

    def moments(self) -> Moments:
        """When turns, rounds and phases begin and end."""
        going, first = not_(self.ended), self.order[0]
        clock = {f.fluent: f.fluent for f in self.families if f not in (self.over, self.began)}
        phases = {p: TRUE if self.phase is None else eq(self.phase.fluent, p) for p in self.phases}
        exact = dict(self._exact()) if self.phases or self.irregular else {}
        if len(self.order) > 1:
            starts = {p: and_(self.turn_of(p), going) for p in self.movers}
            ends = {p: or_(not_(self.turn_of(p)), self.ended) for p in self.movers}
            begun = starts[first]
            return Moments(starts, ends, begun, or_(self.turn_of(first), self.ended), clock, phases, exact)
        over = ite(self.ended, integer(1), integer(0))
        if self.round is None:
            if self.over is None:
                return Moments(clock=clock, phases=phases, exact=exact)
            return Moments({}, {first: over}, None, over, clock, phases, exact)
        started, ended = self.round.fluent, add(self.round.fluent, over)
        return Moments({first: started}, {first: ended}, started, ended, clock, phases, exact)

    @property
    def movers(self) -> tuple[str, ...]:
        """The sides or powers that can have a turn: all, where events say whose it is."""
        return self.world.movers.members if self.irregular else self.order

    def _exact(self) -> Iterator[tuple[tuple[str, str], Between]]:
        """Tests of each moment between two positions: a turn ends where another gets it or the round does."""

        def ends(p: str, a: Reader, b: Reader) -> Term:
            return and_(a(self.turn_of(p)), or_(not_(b(self.turn_of(p))), self._round_over(a, b)))

        def starts(p: str, a: Reader, b: Reader) -> Term:
            moved = or_(not_(a(self.turn_of(p))), self._round_over(a, b))
            return and_(b(self.turn_of(p)), moved, b(not_(self.ended)))

        for p in self.movers:
            yield (TURN_ENDS, p), partial(ends, p)
            yield (TURN_STARTS, p), partial(starts, p)
            for phase in self.phases:
                yield (PHASE_ENDS, f"{phase} of {p}"), partial(self._phase_ends, phase, p)
                yield (PHASE_STARTS, f"{phase} of {p}"), partial(self._phase_starts, phase, p)
        yield (ROUND_ENDS, ""), self._round_over
        yield (ROUND_STARTS, ""), lambda a, b: and_(self._round_over(a, b), b(not_(self.ended)))

    def _round_over(self, a: Reader, b: Reader) -> Term:
        """Bool: whether a round ends between two positions."""
        over = and_(b(self.ended), not_(a(self.ended)))
        if self.round is not None:
            return or_(over, not_(eq(a(self.round.fluent), b(self.round.fluent))))
        pairs = ((p, q) for p in self.order for q in self.order if p != q)
        back = (and_(a(self.turn_of(p)), b(self.turn_of(q)), a(self._passes(p, q))) for p, q in pairs)
        return or_(over, *back)

    def _phase_ends(self, phase: str, p: str, a: Reader, b: Reader) -> Term:
        whose, here = self.turn_of(p), self._in(phase)
        left = or_(not_(b(and_(here, whose))), self._round_over(a, b))
        return and_(a(whose), a(here), left)

    def _phase_starts(self, phase: str, p: str, a: Reader, b: Reader) -> Term:
        whose, here = self.turn_of(p), self._in(phase)
        came = or_(not_(a(and_(here, whose))), self._round_over(a, b))
        return and_(b(whose), b(here), came, b(not_(self.ended)))

    def _in(self, phase: str) -> Term:
        return TRUE if self.phase is None else eq(self.phase.fluent, phase)

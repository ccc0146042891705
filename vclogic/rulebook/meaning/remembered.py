"""Facts that remember: what becomes of them in an event, and in a step of a plan.

What one event brings about happens in the order of `statements.MOMENTS`: what is remembered at once, then at the end
of a turn, of a round, of the game, then as the next round and turn begin, and then at once again. At each moment a
fact comes after the other facts that it reads, and outcomes after the facts; what is said of one fact reads that fact
as it was before the moment. The first moment at which an outcome is met ends the game: what would happen later does
not, and where it was the end of a turn or round, it stays that turn.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from itertools import groupby

from vclogic.model.memoized import Latest
from vclogic.rulebook.meaning.alike import AlikeValues
from vclogic.rulebook.meaning.happening import EventPositions, Following, Occurrence, Same
from vclogic.rulebook.statements import (
    END,
    MOMENTS,
    ONCE,
    PHASE_ENDS,
    PHASE_STARTS,
    ROUND_ENDS,
    ROUND_STARTS,
    TURN_ENDS,
    TURN_STARTS,
)
from vclogic.terms.atoms import FALSE, TRUE, integer
from vclogic.terms.build import add, and_, any_of, ite, minimum, not_, or_, scale
from vclogic.terms.rewrite import stands_for_none
from vclogic.terms.sorts import IntSort, Sort
from vclogic.terms.term import Term, variables

_KEPT = 60  # events of one unit change the same facts, one after the other
_ENDS, _PASSED = (PHASE_ENDS, TURN_ENDS, ROUND_ENDS), (END, ROUND_STARTS, TURN_STARTS, PHASE_STARTS)


@dataclass(frozen=True)
class Update:
    """A change of a fact.

    Attributes:
        fluent: The fact.
        happening: When.
        condition: If what, over the position then.
        value: What it becomes, over the position then.
        adds: Whether the value is added to what it is.
        judges: Whether it remembers that an outcome was met.
    """

    fluent: Term
    happening: Occurrence
    condition: Term
    value: Term
    adds: bool = False
    judges: bool = False

    @cached_property
    def reads(self) -> frozenset[Term]:
        """The facts that it depends on."""
        return frozenset(variables(self.condition, self.value))

    @property
    def repeated(self) -> bool:
        """True if a second look at one position changes nothing."""
        return not self.adds and all(_fact(f) != self.fact for f in self.reads)

    @cached_property
    def fact(self) -> str:
        """The name of the fact, whatever it is asked of."""
        return _fact(self.fluent)


@dataclass(frozen=True)
class _OfFact:
    """The changes of a fact at a moment, asked of the same names.

    Attributes:
        fluent: The fact.
        fact: Its name.
        changes: The changes.
        judges: Whether it remembers that an outcome was met.
        reads: The facts that they depend on.
    """

    fluent: Term
    fact: str
    changes: tuple[Update, ...]
    judges: bool
    reads: frozenset[Term]


class _AtMoment:
    """The changes of a moment by their facts, in their order.

    Args:
        changes: The changes.
    """

    def __init__(self, changes: Iterable[Update]):
        self.facts: list[_OfFact] = []
        for fluent, of_fluent in groupby(changes, lambda c: c.fluent):
            lines = tuple(of_fluent)
            reads = frozenset[Term]().union(*(c.reads for c in lines))
            self.facts.append(_OfFact(fluent, lines[0].fact, lines, lines[0].judges, reads))
        self._moments = {id(c.happening): c.happening for f in self.facts for c in f.changes}.values()
        self._numbers = any(isinstance(f.fluent.sort, IntSort) for f in self.facts)

    def passes(self, event: EventPositions) -> bool:
        """True if none of them happens in an event: all is as it was, but numbers are brought into their range."""
        return not self._numbers and all(event.happens(moment) is FALSE for moment in self._moments)


_Stage = tuple[list[Update], list[Update]]


class Memory:
    """The changes of all facts that remember.

    Args:
        changes: The changes.
        clock: The facts that say whose turn and which round it is; see `Moments`.
        met: Bool: whether an outcome is met that is judged at every moment.
        stays: Whether the turn whose end ends the game does not pass: the clock is that of a rulebook.
        circle: Reports a fact that depends on itself.
        earlier: The facts that remember what others were before the last event, each with the other.

    Attributes:
        judging: The changes that remember that an outcome was met.
    """

    def __init__(
        self,
        changes: Sequence[Update],
        clock: Following,
        met: Term,
        circle: Callable[[Term], None],
        earlier: Following,
        *,
        stays: bool,
    ):
        self.earlier = earlier
        self.fluents = tuple(dict.fromkeys((*(c.fluent for c in changes), *earlier)))
        self._clock, self._met, self._stays = clock, met, stays
        moments: dict[Occurrence, Occurrence] = {}  # an equal one is the same: a step asks of each whether it happens
        changes = [replace(c, happening=moments.setdefault(c.happening, c.happening)) for c in changes]
        self.judging = tuple(c for c in changes if c.judges)
        self._stages = {name: _in_order([c for c in changes if c.happening.name == name], circle) for name in MOMENTS}
        self._stages = {name: (_possible(facts), _possible(judged)) for name, (facts, judged) in self._stages.items()}
        self._changes = tuple(_possible(changes))
        self._same: Same = Latest(_KEPT)
        self._found: Latest[Hashable, dict[Term, Term]] = Latest(_KEPT)

    def only(self, facts: Set[Term]) -> Memory:
        """The changes of some facts, which are all that these read, and that they depend on."""
        found = copy(self)
        stay = [c for c in self._changes if c.fluent in facts]
        found._stages = {
            name: ([c for c in of_facts if c.fluent in facts], [c for c in judged if c.fluent in facts])
            for name, (of_facts, judged) in self._stages.items()
        }
        found._changes = tuple(stay)
        found.earlier = {f: was for f, was in self.earlier.items() if f in facts}
        found.fluents = tuple(f for f in self.fluents if f in facts)
        for name in ("reads", "_noticed", "_met_reads", "_by_fact", "_again", "_later", "_settled", "_alike"):
            found.__dict__.pop(name, None)
        found._found = Latest(_KEPT)
        return found

    @cached_property
    def _by_fact(self) -> Mapping[str, tuple[_AtMoment, _AtMoment]]:
        """The changes of each moment by their facts, and what is judged then."""
        return {name: (_AtMoment(facts), _AtMoment(judged)) for name, (facts, judged) in self._stages.items()}

    @cached_property
    def _again(self) -> _AtMoment:
        """The changes of all positions, which are looked at once more as an event has ended."""
        return _AtMoment(c for c in self._stages[ONCE][0] if c.repeated)

    @property
    def _moments(self) -> Iterator[Term]:
        """The terms that tell when the changes happen."""
        for change in self._changes:
            yield from change.happening.terms
            yield from self._clock if change.happening.exact else ()

    @cached_property
    def reads(self) -> frozenset[Term]:
        """The facts of the game that the changes depend on."""
        read = frozenset(variables(*self._moments, self._met)).union(*(c.reads for c in self._changes))
        return read.union(self.earlier.values()) - {*self.fluents}

    @cached_property
    def _noticed(self) -> frozenset[Term] | None:
        """The facts such that an event that changes none of them changes no fact that remembers; None: any may."""
        if any(not c.repeated for c in self._stages[ONCE][0]):
            return None
        return frozenset(variables(*self._moments)).union(*(c.reads | {c.fluent} for c in self._stages[ONCE][0]))

    def unchanged(self, changed: Iterable[Term]) -> bool:
        """True if an event that changes these facts certainly leaves what is remembered as it is."""
        return not self.fluents or (
            not self.earlier and self._noticed is not None and self._noticed.isdisjoint(changed)
        )

    def after(self, *following: Following) -> dict[Term, Term]:
        """The facts that remember after a step; those that stay as they are are left out.

        Args:
            following: The facts that are others at some moments of it, the last of them its end; of an event that.
        """
        if len(following) == 1 and stands_for_none():
            key = self._alike.key(following[0])
            return self._found.get(key, lambda: self._after(following))
        return self._after(following)

    @cached_property
    def _alike(self) -> AlikeValues:
        """The values of facts that are all one to what is remembered."""
        told = (t for c in self._changes for t in (c.condition, c.value, *c.happening.terms))
        exact = (f for c in self._changes if c.happening.exact for f in c.happening.reads)
        return AlikeValues((*told, self._met), {*self.fluents, *self._clock, *exact})

    def _after(self, following: Sequence[Following]) -> dict[Term, Term]:
        known: dict[Term, Term] = {}
        before: Following = {}
        for then in following:
            known = self._next(before, then, known)
            before = then
        return {f: x for f, x in known.items() if x is not f or f in before}

    def further(self, before: Following, then: Following) -> dict[Term, Term]:
        """The facts that remember after a part of a step, as they were before it among what it begins with.

        Args:
            before: The facts that are others before the part.
            then: Those after it.
        """
        return {f: x for f, x in self._next(before, then, {}).items() if x is not f or f in then}

    def _next(self, before: Following, then: Following, known: dict[Term, Term]) -> dict[Term, Term]:
        """The values that are remembered at a position of a step, given those at the one before."""
        event = EventPositions(before, then, self._same)
        clock = {f: event.before(was) for f, was in self._clock.items()}
        now, over, ended = {**then, **known}, FALSE, FALSE
        now |= {kept: event.before(was) for kept, was in self.earlier.items()}
        once_alone = self._once_alone(event, now, clock)
        for name in (ONCE,) if once_alone else MOMENTS:
            facts, judged = self._by_fact[name]
            ends = name in _ENDS
            already = self._ended(event, now, clock) if ends and self._stays else TRUE
            self._look(facts, event, now, clock if ends else {}, over)
            # As long as the turn has not passed, what is met is so whether or not it has.
            here = self._ended(event, now, {} if name in _PASSED else clock)
            once = and_(here, self._ended(event, now, {}))
            newly = and_(here, not_(already))
            met = self._look(judged, event, now, clock if ends else {}, or_(over, here))
            ended = or_(ended, and_(or_(newly, met), not_(over))) if ends else ended
            over = or_(over, once, newly, met)
        if self._later and not once_alone:
            self._look(self._again, event, now, {}, over)
        stays = {f: ite(ended, clock[f], now.get(f, f)) for f in clock} if self._stays and ended is not FALSE else {}
        return {**{f: now.get(f, f) for f in self.fluents}, **stays}

    @cached_property
    def _later(self) -> tuple[Update, ...]:
        """The changes of other moments than at once."""
        return tuple(c for c in self._changes if c.happening.name != ONCE)

    @cached_property
    def _settled(self) -> bool:
        """True if a second look at once, after which nothing else has changed, changes nothing."""
        again = {f.fluent for f in self._again.facts}
        return all(c.repeated for c in self._stages[ONCE][0] if c.fluent in again)

    def _once_alone(self, event: EventPositions, now: Following, clock: Following) -> bool:
        """True if no other moment happens in an event than at once, and no number is out of its range then."""
        return (
            self._settled
            and all(now.get(f, f) is was for f, was in clock.items())
            and not any(isinstance(c.fluent.sort, IntSort) and c.fluent in now for c in self._later)
            and all(event.happens(c.happening) is FALSE for c in self._later)
        )

    @cached_property
    def _met_reads(self) -> tuple[Term, ...]:
        """The facts that outcomes read which are judged at every moment."""
        return tuple(variables(self._met))

    def _ended(self, event: EventPositions, now: Following, still: Following) -> Term:
        """Bool: whether an outcome that is judged at every moment is met at this one."""
        if self._met is FALSE:
            return FALSE
        key = tuple([still[f] if f in still else now.get(f, f) for f in self._met_reads])
        found = event.ended.get(key)
        if found is None:
            same = event.leaves({*self._met_reads}, now, still)
            found = event.ended[key] = self._met if same else event.position(now, still)(self._met)
        return found

    def _look(
        self, changes: _AtMoment, event: EventPositions, now: dict[Term, Term], still: Following, over: Term
    ) -> Term:
        """Make some changes of a moment, unless the game was over; those of a fact all read it as it was before.

        Returns:
            Bool: whether any of them happens that remembers that an outcome was met.
        """
        if changes.passes(event):
            return FALSE
        found: list[Term] = []
        older: dict[str, dict[Term, Term]] = {}
        for of_fact in changes.facts:
            was = now.get(of_fact.fluent, of_fact.fluent)
            own = older.setdefault(of_fact.fact, {})
            new = _changed(of_fact, event, was, {**now, **own} if own else now, still, over)
            if new is not was:
                found += [and_(new, not_(was))] if of_fact.judges else []
                own[of_fact.fluent], now[of_fact.fluent] = was, new
        return any_of(found)

    def at_once(self, following: Following) -> dict[Term, Term]:
        """The facts after an event, or in a position that is only looked at, as far as they change at once."""
        now = {**following}
        self._look(self._by_fact[ONCE][0], EventPositions({}, {}, self._same), now, {}, FALSE)
        return now


def _possible(changes: Iterable[Update]) -> list[Update]:
    """The changes that some position allows: a line for several facts may be about some of them alone."""
    return [c for c in changes if c.condition is not FALSE]


def _fact(fluent: Term) -> str:
    return fluent.name.partition("[")[0]


def _changed(
    of_fact: _OfFact, event: EventPositions, new: Term, now: Following, still: Following, over: Term
) -> Term:
    """The value of a fact after the changes of a moment: what it becomes, and then what is added; within its range.

    Args:
        over: Bool: whether the game was over.
    """
    added: list[Term] = []
    going = not_(over)
    then: Callable[[Term], Term] | None = None
    for change in of_fact.changes:
        happens = event.happens(change.happening)
        happens = happens if going is TRUE or happens is FALSE else and_(going, happens)
        if happens is FALSE:
            continue
        if then is None:
            same = event.leaves(of_fact.reads, now, still)
            then = (lambda term: term) if same else event.position(now, still)
        condition = and_(happens, then(change.condition))
        if condition is FALSE:
            continue
        value = then(change.value)
        if change.adds:
            added.append(ite(condition, value, integer(0)))
        else:
            new = ite(condition, value, new)
    return within(of_fact.fluent.sort, add(new, *added) if added else new)


def within(sort: Sort, value: Term) -> Term:
    """A value of a fact: a number is the next one of its range."""
    if not isinstance(sort, IntSort) or (sort.lo <= value.lo and value.hi <= sort.hi):
        return value
    return minimum(scale(minimum(scale(value, -1), integer(-sort.lo)), -1), integer(sort.hi))


def _in_order(changes: Sequence[Update], circle: Callable[[Term], None]) -> _Stage:
    """The changes of a moment: of facts, each after those that it reads, and of what is judged after all of them."""
    facts = [c for c in changes if not c.judges]
    changed = dict.fromkeys(c.fluent for c in facts)
    needs: dict[Term, set[Term]] = {f: set() for f in changed}
    for c in facts:
        needs[c.fluent] |= {r for r in c.reads if r in changed and _fact(r) != c.fact}
    try:
        order = {f: i for i, f in enumerate(TopologicalSorter(needs).static_order())}
    except CycleError as error:
        circle(error.args[1][0])
        raise
    in_order = sorted(facts, key=lambda c: (order[c.fluent], c.adds))
    return in_order, sorted((c for c in changes if c.judges), key=lambda c: c.fluent.name)

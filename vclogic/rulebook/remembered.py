"""Facts that remember: what becomes of them in an event, and in a step of a plan.

What one event brings about happens in the order of `statements.MOMENTS`: what is remembered at once, then at the end
of a turn, of a round, of the game, then as the next round and turn begin, and then at once again. At each moment a
fact comes after those that it reads, and outcomes after the facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from itertools import groupby

from vclogic.rulebook.statements import MOMENTS, ONCE, ROUND_ENDS, TURN_ENDS
from vclogic.terms.atoms import FALSE, TRUE, integer
from vclogic.terms.build import add, and_, any_of, eq, ite, minimum, not_, scale
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import IntSort
from vclogic.terms.term import Term, variables

Following = Mapping[Term, Term]
"""Facts and their values after an event, over the position before it."""
_Between = tuple[Substitution, Substitution]
"""The positions before and after."""


@dataclass(frozen=True)
class Occurrence:
    """A moment: it happens where an event makes any of some terms true, or changes one that is a number.

    Attributes:
        name: One of `MOMENTS`.
        terms: The terms; at once: always.
    """

    name: str
    terms: tuple[Term, ...]

    @property
    def shown(self) -> bool:
        """True if a position shows that it has just happened."""
        return all(t.is_bool for t in self.terms)

    def between(self, before: Substitution, after: Substitution) -> Term:
        """Bool, over the position before a step: whether it happens between two positions in it."""
        if self.name == ONCE:
            return TRUE
        return any_of(
            and_(after(t), not_(before(t))) if t.is_bool else not_(eq(after(t), before(t))) for t in self.terms
        )


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
        return not self.adds and self.fluent not in self.reads


class Memory:
    """The changes of all facts that remember.

    Args:
        changes: The changes.
        clock: The facts that say whose turn and which round it is; see `Moments`.
        circle: Reports a fact that depends on itself.
    """

    def __init__(self, changes: Sequence[Update], clock: Following, circle: Callable[[Term], None]):
        self.fluents = tuple(dict.fromkeys(c.fluent for c in changes))
        self._clock = clock
        self._stages = {name: _in_order([c for c in changes if c.happening.name == name], circle) for name in MOMENTS}
        self._again = [c for c in self._stages[ONCE] if c.repeated]
        self._changes = tuple(changes)

    @cached_property
    def reads(self) -> frozenset[Term]:
        """The facts of the game that the changes depend on."""
        moments = (t for c in self._changes for t in c.happening.terms)
        return frozenset(variables(*moments)).union(*(c.reads for c in self._changes)) - {*self.fluents}

    @cached_property
    def _noticed(self) -> frozenset[Term] | None:
        """The facts such that an event that changes none of them changes no fact that remembers; None: any may."""
        if any(not c.repeated for c in self._stages[ONCE]):
            return None
        moments = (t for c in self._changes for t in c.happening.terms)
        return frozenset(variables(*moments)).union(*(c.reads | {c.fluent} for c in self._stages[ONCE]))

    def unchanged(self, changed: Iterable[Term]) -> bool:
        """True if an event that changes these facts certainly leaves what is remembered as it is."""
        return not self.fluents or (self._noticed is not None and self._noticed.isdisjoint(changed))

    def after(self, *following: Following) -> dict[Term, Term]:
        """What facts that remember are after a step; those that stay as they are are left out.

        Args:
            following: The facts that are others at some moments of it, the last of them its end; of an event that.
        """
        known: dict[Term, Term] = {}
        before: Following = {}
        for then in following:
            known = self._next(before, then, known)
            before = then
        return {f: x for f, x in known.items() if x is not f}

    def _next(self, before: Following, then: Following, known: dict[Term, Term]) -> dict[Term, Term]:
        """What is remembered at a position of a step, given what is at the one before."""
        event = (Substitution(dict(before)), Substitution(dict(then)))
        clock = {f: event[0](was) for f, was in self._clock.items()}
        now = {**then, **known}
        for name in MOMENTS:
            self._look(self._stages[name], event, now, clock)
        if self._again and any(self._stages[name] for name in MOMENTS if name != ONCE):
            self._look(self._again, event, now, clock)
        return {f: now.get(f, f) for f in self.fluents}

    def _look(self, changes: Sequence[Update], event: _Between, now: dict[Term, Term], clock: Following) -> None:
        """Make the changes of one moment; those of one fact all read the position before any of them."""
        for fluent, lines in groupby(changes, lambda c: c.fluent):
            of_fluent = list(lines)
            still = self._clock if of_fluent[0].happening.name in (TURN_ENDS, ROUND_ENDS) else ()
            then = Substitution({**now, **{f: clock[f] for f in still}})
            new = _changed(then, event, now.get(fluent, fluent), of_fluent)
            if new is not fluent:
                now[fluent] = new

    def at_once(self, following: Following) -> dict[Term, Term]:
        """What facts are after an event, or in a position that is only looked at, as far as they change at once."""
        now = {**following}
        self._look(self._stages[ONCE], (Substitution({}), Substitution({})), now, {})
        return now


def _changed(then: Substitution, event: _Between, new: Term, changes: Sequence[Update]) -> Term:
    """What a fact is after the changes of a moment: what it becomes, and then what is added; within its range."""
    added: list[Term] = []
    for change in changes:
        happens = change.happening.between(*event)
        condition = FALSE if happens is FALSE else and_(happens, then(change.condition))
        if condition is FALSE:
            continue
        value = then(change.value)
        if change.adds:
            added.append(ite(condition, value, integer(0)))
        else:
            new = ite(condition, value, new)
    sort = changes[0].fluent.sort
    if not isinstance(sort, IntSort):
        return new
    new = add(new, *added) if added else new
    return minimum(scale(minimum(scale(new, -1), integer(-sort.lo)), -1), integer(sort.hi))


def _in_order(changes: Sequence[Update], circle: Callable[[Term], None]) -> list[Update]:
    """The changes of a moment: facts after those that they read, and what is judged after all of them."""
    facts = [c for c in changes if not c.judges]
    changed = dict.fromkeys(c.fluent for c in facts)
    needs = {f: {r for c in facts if c.fluent is f for r in c.reads if r in changed and r is not f} for f in changed}
    try:
        order = {f: i for i, f in enumerate(TopologicalSorter(needs).static_order())}
    except CycleError as error:
        circle(error.args[1][0])
        raise
    in_order = sorted(facts, key=lambda c: (order[c.fluent], c.adds))
    return [*in_order, *sorted((c for c in changes if c.judges), key=lambda c: c.fluent.name)]

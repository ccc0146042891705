"""Events of a part of a turn that happen in some order: each is judged by what those before it have left.

Each unit, or whatever else has one event at most, is a *subject* with a choice: which of its events it makes, if any.
Whether one comes before another is told by ranks, and among equal ranks by the order of the subjects. So a choice
stands for events in an order that the rules accept one after the other, and not for a set that is judged at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from vclogic.model.actions import Action
from vclogic.terms.atoms import FALSE, TRUE, constant, integer, var
from vclogic.terms.build import add, all_of, and_, any_of, count, eq, implies, in_mask, ite, le, lt, not_, or_, sub
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term, variables

_FEW = 2
"""So many events of a subject have a choice each; of more one choice says where it goes, if they differ in that."""
_RANKS = 7
"""The largest rank: so often an order may go back in the order of the subjects."""
Values = dict[Term, list[int]]
"""New values of a fact, each with the numbers of the events that give it."""


@dataclass(frozen=True)
class Deed:
    """An event that a subject may make in a part of a turn.

    Attributes:
        action: The event, as the rules have it.
        before: What has to come before it with the same arguments, in a part of its own; None: nothing.
        cost: What it costs.
        asks: What it asks for, each a Bool that is not true whatever the position.
        effects: What it changes.
    """

    action: Action
    before: Deed | None
    cost: int
    asks: tuple[Term, ...]
    effects: tuple[tuple[Term, Term], ...]

    @staticmethod
    def of(action: Action, before: Deed | None = None, cost: int = 0) -> Deed:
        """The event as the rules have it."""
        asks = dict.fromkeys(r.term for r in action.requirements if r.term is not TRUE)
        return Deed(action, before, cost, tuple(asks), tuple((f, new) for f, new in action.effects if new is not f))

    def where(self, known: Substitution, made: dict[int, Deed | None]) -> Deed | None:
        """The same where some facts are known; None: it is refused then.

        Args:
            known: What is known.
            made: What became so far of what comes before events, which is that of many.
        """
        before = self.before
        if before is not None:
            if id(before) not in made:
                made[id(before)] = before.where(known, made)
            before = made[id(before)]
            if before is None:
                return None
        asks: dict[Term, None] = {}
        for asked in self.asks:
            found = known(asked)
            if found is FALSE:
                return None
            if found is not TRUE:
                asks[found] = None
        effects = ((f, known(new)) for f, new in self.effects)
        changed = tuple((f, new) for f, new in effects if new is not f)
        return Deed(self.action, before, self.cost, tuple(asks), changed)

    @cached_property
    def _then(self) -> Substitution:
        """The values of terms once it has happened."""
        return Substitution(dict(self.effects))

    @cached_property
    def _asked(self) -> tuple[Term, ...]:
        """The requirements once what comes before it has happened."""
        if self.before is None:
            return self.asks
        return (*self.before.asks, *map(self.before._then, self.asks))

    def refused(self, known: Substitution, first: int = 0) -> int | None:
        """The number of a requirement that refuses it in all positions of which something is known; None: none does.

        Args:
            known: What is known of them.
            first: The requirement to look at first: events of one unit are mostly refused for the same reason.
        """
        every = self._asked
        if first < len(every) and known(every[first]) is FALSE:
            return first
        return next((n for n, asked in enumerate(every) if known(asked) is FALSE), None)


def whereto(deeds: Sequence[Deed]) -> Term | None:
    """The fact to which each of some events gives another value, such as where a unit stands; None: there is none."""
    if len(deeds) <= _FEW:
        return None
    for fact, new in deeds[0].effects:
        if isinstance(fact.sort, EnumSort) and new.is_const:
            given = [dict(d.effects).get(fact) for d in deeds]
            if all(x is not None and x.is_const for x in given) and len({*given}) == len(given):
                return fact
    return None


class Subject:
    """The thing that has one event at most in a part of a turn, such as a unit.

    Args:
        name: What it is called.
        deeds: Its events.
        key: The fact to which each of them gives another value, if one choice is to say which; see `whereto`.
        taken: When each is made, where that is decided elsewhere; None: it has choices of its own.
    """

    def __init__(
        self, name: str, deeds: Sequence[Deed], key: Term | None = None, taken: Sequence[Term] | None = None
    ):
        self.name, self.deeds, self._key, self._given = name, tuple(deeds), key, taken
        self.goes: Term | None = None
        places = [] if key is None else [int(dict(d.effects)[key].payload) for d in self.deeds]
        self._places = places if any(places) else []
        if taken is not None:
            self._each = tuple(taken)
        elif key is None or not self._places:
            self._each = tuple(var(f"{name}: {d.action.key}", BOOL) for d in self.deeds)
        else:
            # Its first value says that nothing is done: what leads to that place has a choice of its own.
            goes = self.goes = var(f"{name} goes", key.sort, mask=sum(1 << n for n in self._places) | 1)
            each = zip(self._places, self.deeds, strict=True)
            self._each = tuple(in_mask(goes, 1 << n) if n else var(f"{name}: {d.action.key}", BOOL) for n, d in each)
        self.does = self.taken(range(len(self.deeds)))

    @property
    def choices(self) -> tuple[Term, ...]:
        """Its choices."""
        if self._given is not None:
            return ()
        return self._each if self.goes is None else (self.goes, *self._first)

    @property
    def _first(self) -> tuple[Term, ...]:
        """The choice of the event that leads to the first place, if there is one."""
        return tuple(taken for place, taken in zip(self._places, self._each, strict=True) if not place)

    def made(self, chosen: Mapping[Term, int]) -> int | None:
        """The number of the event that it makes; None: none."""
        if self.goes is not None and chosen.get(self.goes, 0):
            return self._places.index(chosen[self.goes])
        return next((n for n, taken in enumerate(self._each) if chosen.get(taken, 0)), None)

    def laws(self) -> Iterator[Term]:
        """The laws of its choices, whatever the rules say."""
        if self._given is not None:
            return
        if self.goes is None:
            yield le(count(self._each), 1)
            return
        for first in self._first:
            yield or_(not_(first), in_mask(self.goes, 1))

    def taken(self, numbers: Iterable[int]) -> Term:
        """Bool: whether it makes one of some of its events."""
        numbers = {*numbers}
        if self.goes is None:
            return any_of(self._each[n] for n in numbers)
        there = in_mask(self.goes, sum(1 << self._places[n] for n in numbers) & ~1)
        return or_(there, *(self._each[n] for n in numbers if not self._places[n]))

    @cached_property
    def changes(self) -> Mapping[Term, Values]:
        """The facts that its events change, with their values."""
        found: dict[Term, Values] = {}
        for n, deed in enumerate(self.deeds):
            for fact, new in deed.effects:
                found.setdefault(fact, {}).setdefault(new, []).append(n)
        return found

    @cached_property
    def asks(self) -> Mapping[Term, list[int]]:
        """The requirements of its events, each with the numbers of those that have it."""
        found: dict[Term, list[int]] = {}
        for n, deed in enumerate(self.deeds):
            for asked in deed.asks:
                found.setdefault(asked, []).append(n)
        return found

    @cached_property
    def reads(self) -> frozenset[Term]:
        """The facts that decide what its events ask for and change."""
        values = (new for of_fact in self.changes.values() for new in of_fact)
        return frozenset(variables(*self.asks, *values))

    def after(self, fact: Term, was: Term, sees: Callable[[Term], Term]) -> Term:
        """A fact after its event, if it makes one.

        Args:
            fact: The fact.
            was: It before the event.
            sees: What a term is as its event meets it.
        """
        values = self.changes[fact]
        if self.goes is not None and fact is self._key and isinstance(fact.sort, EnumSort):
            found = ite(in_mask(self.goes, 1), was, self.goes)
            return ite(self._first[0], constant(fact.sort, fact.sort.members[0]), found) if self._first else found
        found = was
        for value, numbers in values.items():
            found = ite(self.taken(numbers), sees(value), found)
        return found


class Stage:
    """A part of a turn.

    Args:
        subjects: Those that may act in it.
        before: What facts are before it, as far as that is known or another than before the step.
        ranked: Whether they act in any order; else in that in which they stand.
        most: The most events in it; None: any number.
    """

    def __init__(
        self,
        subjects: Sequence[Subject],
        before: Mapping[Term, Term],
        *,
        ranked: bool = True,
        most: int | None = None,
    ):
        self.subjects = tuple(subjects)
        self._before = before
        self._at = Substitution(before)
        self._writers: dict[Term, list[int]] = {}
        for n, subject in enumerate(self.subjects):
            for fact in subject.changes:
                self._writers.setdefault(fact, []).append(n)
        acting = len(self.subjects) if most is None else min(most, len(self.subjects))
        self._highest = min(acting - 1, _RANKS)
        self.ranks: dict[int, Term] = {}
        if ranked and self._highest > 0:
            sort = IntSort(0, self._highest)
            for n, subject in enumerate(self.subjects):
                if any(self._meets(n, other) for other in range(len(self.subjects)) if other != n):
                    self.ranks[n] = var(f"rank of {subject.name}", sort)
        self._sees: dict[tuple[int, bool], Substitution] = {}

    def _meets(self, n: int, other: int) -> bool:
        """True if the order of two subjects may matter."""
        one, two = self.subjects[n], self.subjects[other]
        return not (one.reads.isdisjoint(two.changes) and two.reads.isdisjoint(one.changes))

    @property
    def choices(self) -> tuple[Term, ...]:
        """The choices in it."""
        return (*(c for s in self.subjects for c in s.choices), *self.ranks.values())

    def earlier(self, n: int, other: int) -> Term:
        """Bool: whether a subject acts before another one."""
        one, two = self.ranks.get(n), self.ranks.get(other)
        if one is None or two is None:
            return TRUE if n < other else FALSE
        return le(one, two) if n < other else lt(one, two)

    # ---- what an event meets

    def _plain(self, fact: Term) -> bool:
        """True if what becomes of a fact does not depend on what others change."""
        for n in self._writers[fact]:
            others = {f for f, by in self._writers.items() if any(m != n for m in by)} - {fact}
            if not others.isdisjoint(variables(*self.subjects[n].changes[fact])):
                return False
        return True

    @cached_property
    def _simple(self) -> frozenset[Term]:
        return frozenset(f for f in self._writers if self._plain(f))

    def sees(self, n: int, *, all_facts: bool = True) -> Substitution:
        """The values of terms as the event of a subject meets them: those before it have happened.

        Args:
            n: The subject.
            all_facts: Whether facts count whose change depends on what others change.
        """
        key = n, all_facts
        if key not in self._sees:
            subject, there = self.subjects[n], dict[Term, Term]()
            for fact, writers in self._writers.items():
                others = [m for m in writers if m != n]
                if others and fact in subject.reads and (all_facts or fact in self._simple):
                    there[fact] = self._after(fact, others, lambda m: self.earlier(m, n))
            self._sees[key] = Substitution({**self._before, **there})
        return self._sees[key]

    def _new(self, n: int, fact: Term) -> Term:
        plain = fact in self._simple
        sees = self._at if plain else self.sees(n, all_facts=False)
        return self.subjects[n].after(fact, self._at(fact), sees)

    def _after(self, fact: Term, writers: Iterable[int], when: Callable[[int], Term]) -> Term:
        """A fact after the events of some subjects, as far as each counts."""
        was, added = self._at(fact), list[Term]()
        found = was
        for n in writers:
            counts, new = when(n), self._new(n, fact)
            if self._adds(fact):
                added.append(ite(counts, sub(new, was), integer(0)))
            elif len(self._writers[fact]) == 1:
                found = ite(counts, new, found)
            else:
                found = ite(and_(counts, not_(_same(new, was))), new, found)
        return add(found, *added) if added else found

    def _adds(self, fact: Term) -> bool:
        """True if all its events add to a fact."""
        if not isinstance(fact.sort, IntSort) or len(self._writers[fact]) == 1:
            return False
        values = (v for n in self._writers[fact] for v in self.subjects[n].changes[fact])
        return all(fact not in variables(sub(v, fact)) for v in values)

    # ---- the part as a whole

    def laws(self) -> Iterator[Term]:
        """The laws over the position before it and its choices."""
        for n, subject in enumerate(self.subjects):
            yield from subject.laws()
            sees = self.sees(n)
            for asked, numbers in subject.asks.items():
                yield implies(subject.taken(numbers), sees(asked))
            if n in self.ranks:
                yield or_(subject.does, eq(self.ranks[n], 0))
        for fact, writers in self._writers.items():
            if len(writers) > 1 and not self._adds(fact):
                yield from self._agreeing(fact, writers)

    def _agreeing(self, fact: Term, writers: Sequence[int]) -> Iterator[Term]:
        """Two events give a fact the same value, if both change it."""
        was, new = self._at(fact), {n: self._new(n, fact) for n in writers}
        stays = {n: _same(x, was) for n, x in new.items()}
        for n in writers:
            for m in writers:
                if n < m:
                    yield or_(stays[n], stays[m], _same(new[n], new[m]))

    def effects(self) -> dict[Term, Term]:
        """The changes after it."""
        return {fact: self._after(fact, by, lambda n: TRUE) for fact, by in self._writers.items()}

    def in_order(self, chosen: Mapping[Term, int]) -> list[tuple[int, Subject]]:
        """The subjects in the order in which they act."""
        numbered = sorted(range(len(self.subjects)), key=lambda n: (chosen.get(self.ranks.get(n, FALSE), 0), n))
        return [(n, self.subjects[n]) for n in numbered]


def _same(a: Term, b: Term) -> Term:
    return all_of((implies(a, b), implies(b, a))) if a.is_bool else eq(a, b)

"""Best-first search for a record in Python: apply legal events, the most promising state first."""

from __future__ import annotations

import heapq
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, product
from typing import Generic, TypeVar

from vclogic.clock import Deadline, TimeUp, look, until
from vclogic.encode.evaluator import Changes, OutOfBounds, changed, changes, compile_terms, interpret
from vclogic.encode.penalty import penalty
from vclogic.model.actions import Event
from vclogic.model.fluents import State
from vclogic.model.grounded import Grounded
from vclogic.model.system import System
from vclogic.solve import budgets
from vclogic.terms.build import and_, any_of
from vclogic.terms.rewrite import substitute
from vclogic.terms.term import Op, Term, postorder, variables

_NUMBERS = (1, 2, 3, 4, 6)  # tried for what an event leaves open
_NAMED = 4  # of the numbers that a goal names
_MOST = 20_000  # states that are looked at
DECIDED = 12  # what an event that somebody decides counts; one that only moves the game on, such as a turn, counts 1
_FEW = 400  # events that can bring the goal about, beyond which what they need is no guide


@dataclass(frozen=True)
class Candidate:
    """An event to try, and its cost, by which equally promising records are compared."""

    event: Event
    cost: int


T = TypeVar("T", bound=Candidate)
Apart = frozenset[tuple[int, int]]
"""The places of a state in which it is not as at the start, with their numbers."""


class BestFirstSearch(ABC, Generic[T]):
    """A best-first search for a record. It finds witnesses but proves nothing.

    Ties are broken by the cost of the record, then by the order of discovery, so the result is deterministic.

    Attributes:
        system: The rule set.
        detour: How many more events than the limit a record may have, since unnecessary ones are removed at the end.

    Args:
        system: The rule set.
        goal: Bool, over fluents.
    """

    detour = 0

    def __init__(self, system: System, goal: Term):
        self.system = system
        self._goal = goal

    @abstractmethod
    def possible(self, state: State) -> Iterator[tuple[T, Changes]]:
        """The events to try in a state, each with its changes."""

    @abstractmethod
    def changes(self, state: State, tried: T) -> Changes | None:
        """The changes of an event; None if it is not allowed, or leaves a fluent's sort."""

    @abstractmethod
    def distance(self, state: State) -> tuple[int, ...]:
        """The heuristic distance of a state from the goal; the first number counts most."""

    def find(self, state: State, deadline: Deadline, within: int | None = None) -> tuple[Event, ...] | None:
        """Search for a record that leads to the goal, and remove unnecessary events; None if none is found.

        Args:
            state: The start.
            within: The largest number of events.
        """
        try:
            with until(deadline):
                return self._found(state, within)
        except TimeUp:
            return None

    def _found(self, state: State, within: int | None) -> tuple[Event, ...] | None:
        # Thousands of states of a large board take a gigabyte: each is kept as what is not as at the start.
        order = count()
        seen: set[Apart] = {frozenset()}
        queue: list[tuple[tuple[int, ...], int, int, Apart, tuple[T, ...]]] = [((), 0, next(order), frozenset(), ())]
        while queue and len(seen) < _MOST:
            look()
            _, paid, _, apart, way = heapq.heappop(queue)
            now = changed(state, dict(apart))
            if self._is_goal(now):
                tidied = self._tidied(state, way)
                if within is None or len(tidied) <= within:
                    return tuple(t.event for t in tidied)
            if within is not None and len(way) >= within + self.detour:
                continue
            for tried, new in self.possible(now):
                after = frozenset((i, x) for i, x in {**dict(apart), **new}.items() if x != state[i])
                if after not in seen:
                    seen.add(after)
                    distance = self.distance(changed(now, new))
                    heapq.heappush(queue, (distance, paid + tried.cost, next(order), after, (*way, tried)))
        return None

    def _after(self, state: State, tried: T) -> State | None:
        """The state after an event; None if it is not allowed."""
        new = self.changes(state, tried)
        return None if new is None else changed(state, new)

    def _is_goal(self, state: State) -> bool:
        return bool(interpret(self._goal, self.system.layout.slot, state))

    # ---- what a record does not need

    def _tidied(self, state: State, way: tuple[T, ...]) -> tuple[T, ...]:
        """Remove unnecessary events from a record, as far as time permits."""
        before = [state]
        for tried in way[:-1]:
            after = self._after(before[-1], tried)
            assert after is not None, "it was just tried"
            before.append(after)
        try:
            with until(Deadline(budgets.TIDYING)):
                for i in reversed(range(len(way))):
                    if self._leads(before[i], way[i + 1 :]):
                        way = (*way[:i], *way[i + 1 :])
        except TimeUp:
            pass
        return way

    def _leads(self, state: State, way: tuple[T, ...]) -> bool:
        """True if the events are allowed one after the other and lead to the goal."""
        for tried in way:
            look()
            after = self._after(state, tried)
            if after is None:
                return False
            state = after
        return self._is_goal(state)


@dataclass(frozen=True)
class _OpenEvent(Candidate):
    """An event with values for its open numbers."""

    grounded: Grounded
    numbers: tuple[int, ...]


@dataclass(frozen=True)
class _EventKind:
    """Events with the same number of open numbers, with the values to try and their guards."""

    events: tuple[Grounded, ...]
    numbers: tuple[tuple[int, ...], ...]
    guards: Callable[[Sequence[int]], Sequence[int]]


def _numbers(goal: Term) -> tuple[int, ...]:
    """The values to try for open numbers: small ones, and some with which the goal compares a fluent."""
    compared = (t for t in postorder([goal]) if t.op is Op.GE and t.args[0].op is Op.VAR)
    named = dict.fromkeys(int(t.payload) for t in compared if t.payload > 0)
    return tuple(dict.fromkeys((*_NUMBERS, *list(named)[:_NAMED])))


def _combinations(open_: int, numbers: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Combinations of values for open numbers: all equal, then one larger than the others."""
    if not open_:
        yield ()
        return
    for n in numbers:
        yield (n,) * open_
    for i, n in product(range(open_), numbers[1:] if open_ > 1 else ()):
        yield tuple(n if j == i else numbers[0] for j in range(open_))


class GivenEventsSearch(BestFirstSearch[_OpenEvent]):
    """A best-first search over given events, guided by the penalties of the goal and of the events that achieve it.

    Args:
        system: The rule set.
        events: The events that may happen.
        goal: Bool, over fluents.
    """

    def __init__(self, system: System, events: Sequence[Grounded], goal: Term):
        super().__init__(system, goal)
        by_open: dict[int, list[Grounded]] = {}
        for g in events:
            by_open.setdefault(len(g.numbers), []).append(g)
        first = len(system.layout.fluents)  # the numbers that an event leaves open stand after the state
        numbers = {v: first + i for g in events for i, v in enumerate(g.numbers.values())}
        self._slot = {**system.layout.slot, **numbers}
        tried = _numbers(goal)
        self._kinds = []
        for n, alike in sorted(by_open.items()):
            guards = compile_terms([g.action.guard for g in alike], self._slot)
            self._kinds.append(_EventKind(tuple(alike), tuple(_combinations(n, tried)), guards))
        self._guide = tuple(_combinations(max(by_open, default=0), tried))[:2]
        wanted = set(variables(goal))
        direct = [g for g in events if any(fluent in wanted for fluent, _ in g.action.effects)]
        before = [and_(g.action.guard, substitute(goal, dict(g.action.effects))) for g in direct[:_FEW]]
        self._penalties = compile_terms([penalty(goal), penalty(any_of(before))], self._slot)

    def possible(self, state: State) -> Iterator[tuple[_OpenEvent, Changes]]:
        """As in `BestFirstSearch`, with sample values for open numbers."""
        for kind in self._kinds:
            for numbers in kind.numbers:
                for g, legal in zip(kind.events, kind.guards((*state, *numbers)), strict=True):
                    if legal and all(v.lo <= n <= v.hi for v, n in zip(g.numbers.values(), numbers, strict=True)):
                        event = g.event(dict(zip(g.numbers.values(), numbers, strict=True)))
                        tried = _OpenEvent(event, 1 if g.schema.routine else DECIDED, g, numbers)
                        found = self._played(state, tried)
                        if found is not None:
                            yield tried, found

    def changes(self, state: State, tried: _OpenEvent) -> Changes | None:
        """As in `BestFirstSearch`."""
        allowed = interpret(tried.grounded.action.guard, self._slot, (*state, *tried.numbers))
        return self._played(state, tried) if allowed else None

    def distance(self, state: State) -> tuple[int, ...]:
        """As in `BestFirstSearch`."""
        lacks = (self._penalties((*state, *numbers)) for numbers in self._guide)
        return (min(int(goal and goal + before) for goal, before in lacks),)

    def _played(self, state: State, tried: _OpenEvent) -> Changes | None:
        """The changes of an event; None if it leaves a fluent's sort."""
        try:
            return changes(self.system, state, self.system.action(tried.event))
        except OutOfBounds:
            return None

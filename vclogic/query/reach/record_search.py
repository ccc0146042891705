"""A search for a record by trying events in plain Python, in one of several orders."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from math import inf

from vclogic.clock import Deadline, TimeUp, check_deadline, until
from vclogic.encode.distance import penalty
from vclogic.encode.grounding import Admits
from vclogic.encode.python.evaluator import Changes, changed, compile_terms, interpret
from vclogic.encode.relaxed_distance import RelaxedDistance
from vclogic.model.actions import Event
from vclogic.model.fluents import State, Value
from vclogic.model.grounded import Grounded, choices, number_of
from vclogic.model.system import System
from vclogic.query.reach.tried_events import (
    SMALL,
    BuiltEvents,
    Candidate,
    Distance,
    TriedEvents,
    UnbuiltEvents,
    candidate,
    direct,
    numbers_to_try,
    related,
)
from vclogic.solve import budgets
from vclogic.terms.term import Term

_MOST = 20_000  # states that are looked at
_DETOUR = 8  # events beyond the limit that a record of related events may have before it is tidied
_WEIGHT = 3  # of the relaxed distance against the events so far
GLANCE = 60_000  # conditions of relaxed distances that are looked at before what leads to a goal is: a second or two
LONG = 400_000  # the same once proofs have found nothing
_OTHERS = 4  # of so many states one is followed by events that are not helpful
_IN_BETWEEN = 12  # routine events in a row, such as the ends of a round's turns, that may bring nothing nearer
Apart = frozenset[tuple[int, int]]
"""The places of a state in which it is not as at the start, with their numbers."""
Way = tuple[Candidate, ...]


class RecordSearch:
    """A search for a record. It finds witnesses but proves nothing.

    Args:
        system: The rule set.
        goal: Bool, over fluents.
        events: The events to try.
        order: The order in which they are tried.
        detour: How many more events than the limit a record may have, since unnecessary ones are removed at the end.
    """

    def __init__(self, system: System, goal: Term, events: TriedEvents, order: Order, detour: int = 0):
        self.events = events
        self.system = system
        self._goal = goal
        self._order = order
        self._detour = detour

    def find(self, state: State, deadline: Deadline, within: int | None = None) -> tuple[Event, ...] | None:
        """Search for a record that leads to the goal, and remove unnecessary events; None if none is found.

        Args:
            state: The start.
            within: The largest number of events.
        """
        try:
            with until(deadline):
                for way in self._order(self, state, inf if within is None else within + self._detour):
                    tidied = self._tidied(state, way)
                    if within is None or len(tidied) <= within:
                        return tuple(t.event for t in tidied)
        except TimeUp:
            pass
        return None

    def after(self, state: State, tried: Candidate) -> State | None:
        """The state after an event; None if it is not allowed."""
        new = self.events.changes(state, tried)
        return None if new is None else changed(state, new)

    def is_goal(self, state: State) -> bool:
        """True if the goal holds."""
        return bool(interpret(self._goal, self.system.layout.slot, state))

    # ---- what a record does not need

    def _tidied(self, state: State, way: Way) -> Way:
        """Remove unnecessary events from a record, as far as time permits."""
        before = [state]
        for tried in way[:-1]:
            after = self.after(before[-1], tried)
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

    def _leads(self, state: State, way: Way) -> bool:
        """True if the events are allowed one after the other and lead to the goal."""
        for tried in way:
            check_deadline()
            after = self.after(state, tried)
            if after is None:
                return False
            state = after
        return self.is_goal(state)


Order = Callable[[RecordSearch, State, float], Iterator[Way]]
"""Gives the ways of a search from a state to its goal, of at most so many events, as they are found."""


def _apart(start: State, before: Apart, new: Changes) -> Apart:
    """The facts that are not as at the start after an event, given those that were not before it."""
    return frozenset((i, x) for i, x in {**dict(before), **new}.items() if x != start[i])


# ---- best first


def best_first(distance: Distance) -> Order:
    """The most promising state first.

    Ties are broken by the cost of the record, then by the order of discovery, so the result is deterministic.
    """

    def ways(search: RecordSearch, state: State, longest: float) -> Iterator[Way]:
        # Thousands of states of a large board take a gigabyte: each is kept as what is not as at the start.
        order = count()
        seen: set[Apart] = {frozenset()}
        queue: list[tuple[tuple[int, ...], int, int, Apart, Way]] = [((), 0, next(order), frozenset(), ())]
        while queue and len(seen) < _MOST:
            check_deadline()
            _, paid, _, apart, way = heapq.heappop(queue)
            now = changed(state, dict(apart))
            if search.is_goal(now):
                yield way
            if len(way) >= longest:
                continue
            for tried, new in search.events.possible(now):
                after = _apart(state, apart, new)
                if after not in seen:
                    seen.add(after)
                    here = distance(changed(now, new))
                    heapq.heappush(queue, (here, paid + tried.cost, next(order), after, (*way, tried)))

    return ways


def of_given_events(system: System, events: Sequence[Grounded], goal: Term) -> RecordSearch:
    """A best-first search over given events, guided by the penalties of the goal and of what achieves it."""
    built = BuiltEvents(system, events, goal)
    return RecordSearch(system, goal, built, best_first(built.distance(goal)))


def of_related_events(system: System, admits: Admits, goal: Term) -> RecordSearch:
    """A best-first search over the events about the names in a goal, where all would be too many."""
    distance = compile_terms([penalty(goal), penalty(goal, every=True)], system.layout.slot)
    events = UnbuiltEvents(system, admits, related(system, goal))
    return RecordSearch(system, goal, events, best_first(distance), _DETOUR)


# ---- relaxed distances


def helpful_first(distance: RelaxedDistance, of_numbers: Sequence[int], most: int) -> Order:
    """The helpful events of relaxed plans first (lazy greedy search with preferred operators).

    A state is judged when it is its turn, by the distance of the state before it until then. Every few states one of
    those that were judged is followed by all its other events.
    """

    def ways(search: RecordSearch, state: State, longest: float) -> Iterator[Way]:
        order = count()
        seen: set[Apart] = {frozenset()}
        preferred: list[tuple[float, int, bool, Apart, Way]] = [(0, next(order), False, frozenset(), ())]
        others: list[tuple[float, int, bool, Apart, Way]] = []
        turn = 0
        while (preferred or others) and distance.work < most:
            check_deadline()
            turn += 1
            queue = others if others and (not preferred or turn % _OTHERS == 0) else preferred
            rank, _, known, apart, way = heapq.heappop(queue)
            now = changed(state, dict(apart))
            if not known and search.is_goal(now):
                yield way
            if len(way) >= longest:
                continue
            found = search.events.possible(now)
            if not known:
                estimate = distance(now)
                rank = _WEIGHT * estimate.distance + sum(t.cost for t in way)
                heapq.heappush(others, (rank, next(order), True, apart, way))
                tries = [t for e, times in estimate.helpful for t in _with_numbers(search, e, times, of_numbers)]
                found = ((t, new) for t in tries if (new := search.events.changes(now, t)) is not None)
            for tried, new in found:
                after = _apart(state, apart, new)
                if after not in seen:
                    seen.add(after)
                    child = rank, next(order), False, after, (*way, tried)
                    heapq.heappush(others if known else preferred, child)

    return ways


def _with_numbers(search: RecordSearch, event: Event, times: int, numbers: Sequence[int]) -> Iterator[Candidate]:
    """An event with values for its numbers: as often as it is needed, then the samples."""
    schema = search.system.schemas[event.name]
    open_ = {p.name for p in schema.parameters if p.term}
    for n in dict.fromkeys((times, *numbers)) if open_ else (1,):
        args = {name: n if name in open_ else x for name, x in event.args}
        if all(n in p.values for p in schema.parameters if p.term):
            yield candidate(schema, schema.event(args))


def by_relaxed_distance(
    system: System, admits: Admits, goal: Term, *, events: TriedEvents | None = None, work: int = GLANCE
) -> RecordSearch:
    """A search that is led by relaxed distances.

    Args:
        system: The rule set.
        admits: Which events may happen.
        goal: Bool, over fluents.
        events: The events to try besides helpful ones; None: no others.
        work: How many conditions may be looked at for the distances.
    """
    order = helpful_first(RelaxedDistance(system, admits, goal), numbers_to_try(goal), work)
    return RecordSearch(system, goal, UnbuiltEvents(system, admits, built=events), order)


# ---- hill climbing


class Climbing:
    """Applies every event that reduces the goal's penalty as soon as it is found, and no other.

    Routine events are applied if no other helps. It succeeds where many independent events lead to the goal, on
    boards of any size: an event is built only when it is tried, for the state at that time. It gives up where a step
    is needed that does not reduce the penalty.

    Args:
        system: The rule set.
        goal: Bool, over fluents.
        events: The events that can change the goal's fluents.
    """

    def __init__(self, system: System, goal: Term, events: Sequence[Candidate]):
        few = [s for s in system.events if s.routine and number_of([s]) <= SMALL]
        self._slot = system.layout.slot
        self._events = events
        self._between = tuple(candidate(s, s.event(args)) for s in few for args in choices(s))
        # The shared requirements of all events of a kind with a given value of an argument.
        self._asked = {
            (s.name, p.name, x): [r.term for r in ask(str(x))]
            for s in system.events
            for p in s.parameters
            if (ask := s.asks.get(p.name))
            for x in p.values
        }
        self._distance = compile_terms([penalty(goal, even=True)], self._slot)

    def __call__(self, search: RecordSearch, state: State, longest: float) -> Iterator[Way]:
        """The way found, if any; see `Order`."""
        lacks = self._distance(state)
        way: list[Candidate] = []
        seen, waited = {state}, 0
        while lacks[0] and waited <= _IN_BETWEEN:
            before = len(way)
            for tried, after, left in self._nearer(search, state, lacks):
                state, lacks = after, left
                way.append(tried)
            if len(way) > before:
                waited = 0
                continue
            passed = next(((e, s) for e in self._between if (s := search.after(state, e)) is not None), None)
            if passed is None or passed[1] in seen:
                return
            state, lacks, waited = passed[1], self._distance(passed[1]), waited + 1
            seen.add(state)
            way.append(passed[0])
        if not lacks[0]:
            yield tuple(way)

    def _nearer(
        self, search: RecordSearch, state: State, lacks: tuple[int, ...]
    ) -> Iterator[tuple[Candidate, State, tuple[int, ...]]]:
        """Apply one event after the other that reduces the penalty, until the goal holds."""
        refused = self._refused(state)
        for tried in self._events:
            check_deadline()
            if any((tried.event.name, *argument) in refused for argument in tried.event.args):
                continue
            after = search.after(state, tried)
            left = lacks if after is None else self._distance(after)
            if after is not None and left < lacks:
                state, lacks = after, left
                yield tried, state, lacks
                if not lacks[0]:
                    return
                refused = self._refused(state)

    def _refused(self, state: State) -> set[tuple[str, str, Value]]:
        """The argument values that no event of a kind may have in a state, whatever its other arguments."""
        slot = self._slot
        return {key for key, needs in self._asked.items() if not all(interpret(t, slot, state) for t in needs)}


def by_climbing(system: System, admits: Admits, goal: Term) -> RecordSearch:
    """Hill climbing over the events that can change a goal's fluents."""
    events = UnbuiltEvents(system, admits, direct(system, goal))
    return RecordSearch(system, goal, events, Climbing(system, goal, events.events))

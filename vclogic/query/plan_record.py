"""Turn a plan into a record: its events, with the routine events that the rules require between them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

from vclogic.clock import Deadline, TimeUp, check_deadline, grace, grace_period, until
from vclogic.encode.abstractions import closure
from vclogic.encode.python.evaluator import failed, interpret
from vclogic.encode.unroll import cone
from vclogic.model.actions import Event, Parameter, Requirement
from vclogic.model.fluents import State
from vclogic.model.grounded import choices
from vclogic.model.system import System
from vclogic.model.transition import one_at_a_time
from vclogic.query.answers import Recorded
from vclogic.query.replay import state_after
from vclogic.solve import budgets
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term

NOT_IN_TIME = "the time was up before an order of these events was found that the rules accept"
_SOON = 40  # states that are looked at for the routine events between two events in the order of the plan,
_FARTHEST = 400  # and those at its end, or in another order
_FEW = 4  # values of an argument that are all tried, whatever the event names
_MOST = 5_000  # positions from which events are tried for an order of all
_WAITS = 8  # routine events for which a search waits for one event of a plan rather than take another order
Way = tuple[Event, ...]
Holds = Callable[[State], bool]


def record_plan(
    system: System, state: State, happened: Sequence[Event], goal: Term, deadline: Deadline, keep: Term = TRUE
) -> Recorded:
    """The record of a plan: its events, with the routine events that the rules require between them.

    The order of the plan is tried first. If the rules refuse that, either one of the events is shown to be refused in
    any order, or others are tried. Each event is judged as in the record of a file.

    Args:
        state: The state before the plan.
        happened: The plan's events, which may leave out arguments that have a default.
        goal: Bool, over fluents: what holds after it.
        deadline: When to answer; a moment is granted beyond it for the order of the plan.
        keep: Bool, over fluents: what holds after each event that somebody decides.

    Returns:
        The record, after which the goal holds; or the reason why there is none, or why that is not decided.
    """
    otherwise = "the goal does not hold after these events and the turns that pass between them"
    with until(deadline), grace_period(grace()):
        return recorded_until(system, state, happened, partial(_holds, system, goal), otherwise, keep)


def recorded_until(
    system: System,
    state: State,
    happened: Sequence[Event],
    over: Holds,
    otherwise: str,
    keep: Term = TRUE,
) -> Recorded:
    """The record of some events, such as those of a turn, up to a state of some kind; see `record_plan`.

    Args:
        state: The state before them.
        happened: The events, which may leave out arguments that have a default.
        over: Whether the record may end in a state.
        otherwise: The reason where all events are accepted and lead to no such state.
        keep: Bool, over fluents: what holds after each event that somebody decides.

    Returns:
        The record, which ends in such a state; or the reason why there is none, or why that is not decided.
    """
    strange = next((e for e in happened if e.name not in system.schemas), None)
    if strange is not None:
        return Recorded(None, f"the rules have no event {strange}")
    events = tuple(system.schemas[e.name].event(dict(e.args)) for e in happened)
    decided = tuple(e for e in events if not system.schemas[e.name].routine)
    last = max((i for i, e in enumerate(events, 1) if not system.schemas[e.name].routine), default=0)
    search = _OrderSearch(system, over, keep)
    try:
        # Mostly the plan is in order: without the routine events at its end, with them, or without any.
        for order in dict.fromkeys((events[:last], events, decided)):
            found = search.in_order(state, order)
            if found is not None:
                return Recorded(found)
        with until(Deadline(budgets.ORDER)):
            never = search.never(state, decided)
            found = None if never else search.in_any_order(state, decided)
            return Recorded(found, "" if found is not None else never or search.reason(state, decided) or otherwise)
    except TimeUp:
        return Recorded(None, NOT_IN_TIME, decided=False)
    except _TooManyPositions:
        reason = f"no order of these events was found that the rules accept, in {_MOST:,} positions that were tried"
        return Recorded(None, reason, decided=False)


def _holds(system: System, term: Term, state: State) -> bool:
    return term is TRUE or bool(interpret(term, system.layout.slot, state))


class _TooManyPositions(Exception):
    """More positions come up than are looked at."""


class _OrderNode(NamedTuple):
    """A position in which some of the events have happened; the first two say which is looked at first.

    Attributes:
        far: How promising it is: a sum of what is left and of what was waited for, less is better.
        number: When it was found.
        waited: The routine events so far,
        idle: and those since the last event of the plan.
        state: The state.
        left: The events that have not happened yet.
        way: The last event, and how it was before it.
    """

    far: int
    number: int
    waited: int
    idle: int
    state: State
    left: Way
    way: tuple[Event, _OrderNode] | None


class _OrderSearch:
    """Searches for an order of events that leads to a state of some kind, and for the routine events between them."""

    def __init__(self, system: System, over: Holds, keep: Term):
        self._system = system
        self._over = over
        self._keep = keep
        self._routine = [s for s in system.events if s.routine]

    # ---- orders

    def in_order(self, state: State, events: Sequence[Event]) -> Way | None:
        """The record with the events in this order, or None."""
        made: Way = ()
        for event in events:
            found = self._with(state, event)
            if found is None:
                return None
            made, state = (*made, *found[0]), found[1]
        last = self._to_end(state)
        return None if last is None else (*made, *last)

    def in_any_order(self, state: State, events: Way) -> Way | None:
        """The record with the events in some order; None if the rules accept none.

        A best-first search. What has happened in whatever order counts as one position, if it leads to the same state
        with the same events left; so events that have nothing to do with each other do not multiply.

        Raises:
            _TooManyPositions: Too many positions were looked at.
        """
        numbers = count()
        todo = [_OrderNode(0, next(numbers), 0, 0, state, events, None)]
        seen: set[tuple[State, Way]] = set()
        while todo:
            at = heappop(todo)
            if (at.state, at.left) in seen:
                continue
            if len(seen) >= _MOST:
                raise _TooManyPositions
            seen.add((at.state, at.left))
            if not at.left and self._over(at.state):
                return _way(at)
            for i, event in enumerate(at.left):
                after = self._after(at.state, event)
                if after is not None:
                    left = at.left[:i] + at.left[i + 1 :]
                    # Weighted A*: each event that is left counts as `_WAITS` routine events.
                    far = at.waited + _WAITS * len(left)
                    heappush(todo, _OrderNode(far, next(numbers), at.waited, 0, after, left, (event, at)))
            for event in self._routine_events(at.left) if at.idle < _FARTHEST else ():
                after = self._after(at.state, event)
                if after is not None:
                    far, idle = at.waited + 1 + _WAITS * len(at.left), at.idle + 1
                    heappush(todo, _OrderNode(far, next(numbers), at.waited + 1, idle, after, at.left, (event, at)))
        return None

    def never(self, state: State, events: Way) -> str:
        """The event that the rules refuse in every order, and why; empty if that is not shown.

        It is shown by all values that facts could come to have if whatever has happened once stayed possible.
        """
        if not all(_all_tried(p) for schema in self._routine for p in schema.parameters):
            return ""  # not all of them are tried either
        actions = {e: self._system.action(e) for e in dict.fromkeys(events)}
        routine = [self._system.action(e) for e in self._routine_events(())]
        step = one_at_a_time([*actions.values(), *routine], "events")
        fluents, step = cone(step, [self._keep, *(a.guard for a in actions.values())])
        constants = self._system.layout.constants(state)
        ever = Substitution(closure(step, {f: constants[f] for f in fluents}))
        for event, action in actions.items():
            if ever(action.guard) is FALSE:
                lacking = [r for r in action.requirements if ever(r.term) is FALSE]
                lacking = lacking or failed(self._system, state, action)
                return f"the rules refuse {event} in every order of these events: {self._said(state, lacking)}"
            if ever(Substitution(dict(action.effects))(self._keep)) is FALSE:
                return f"the condition to keep does not hold after {event} in any order of these events"
        return ""

    def reason(self, state: State, events: Way) -> str:
        """The event of this order that the rules refuse, and why, in a sentence; empty if they refuse none."""
        for event in events:
            found = self._with(state, event)
            if found is None:
                lacking = failed(self._system, state, self._system.action_in(state, event))
                if not lacking:
                    return f"the condition to keep does not hold after {event}"
                return f"the rules refuse {event}: {self._said(state, lacking)}"
            state = found[1]
        return ""

    def _said(self, state: State, lacking: Iterable[Requirement]) -> str:
        values = self._system.layout.values(state)
        return "; ".join(r.said(values) for r in lacking)

    # ---- routine events

    def _with(self, state: State, event: Event) -> tuple[Way, State] | None:
        """The fewest routine events after which an event is allowed, that event, and the state after it."""
        for way, now in self._routine_ways(state, event, _SOON):
            after = self._after(now, event)
            if after is not None:
                return (*way, event), after
        return None

    def _to_end(self, state: State) -> Way | None:
        """The fewest routine events after which the record may end."""
        ways = self._routine_ways(state, None, _FARTHEST)
        return next((way for way, now in ways if self._over(now)), None)

    def _routine_ways(self, state: State, event: Event | None, most: int) -> Iterator[tuple[Way, State]]:
        """Sequences of routine events with the state after each, in breadth-first order; each state once."""
        seen = {state}
        ways: deque[tuple[Way, State]] = deque([((), state)])
        while ways and len(seen) < most:
            way, now = ways.popleft()
            yield way, now
            for routine in self._routine_events(() if event is None else (event,)):
                after = self._after(now, routine)
                if after is not None and after not in seen:
                    seen.add(after)
                    ways.append(((*way, routine), after))

    def _routine_events(self, events: Iterable[Event]) -> Iterator[Event]:
        """The routine events; of kinds with many events, only those about the arguments of some events."""
        named = {v for e in events for _, v in e.args}
        for schema in self._routine:
            few = {p.name: [v for v in p.values if _all_tried(p) or v in named] for p in schema.parameters}
            yield from map(schema.event, choices(schema, few))

    def _after(self, state: State, event: Event) -> State | None:
        """The state after an event; None if the rules refuse it, or it ends what is to be kept."""
        check_deadline()
        after = state_after(self._system, state, event)
        if after is None or self._system.schemas[event.name].routine or _holds(self._system, self._keep, after):
            return after
        return None


def _all_tried(parameter: Parameter) -> bool:
    """True if all values of an argument are tried: they are few, or the position tells which it is."""
    return len(parameter.values) <= _FEW or parameter.implied is not None


def _way(node: _OrderNode) -> Way:
    """The events that led to a position."""
    found: list[Event] = []
    while node.way is not None:
        event, node = node.way
        found.append(event)
    return tuple(reversed(found))

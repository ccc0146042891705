"""Turn a plan into a record: its events, with the routine events that the rules require between them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence

from vclogic.clock import look
from vclogic.encode.evaluator import failed, interpret
from vclogic.model.actions import Event
from vclogic.model.fluents import State
from vclogic.model.grounded import choices
from vclogic.model.system import System
from vclogic.query.answers import Recorded
from vclogic.query.replay import state_after
from vclogic.terms.atoms import TRUE
from vclogic.terms.term import Term

_FARTHEST = 400  # states that are looked at for the routine events between two events of a plan
_FEW = 4  # values of an argument that are all tried, whatever the event names
_MOST = 5_000  # events that are tried for an order of all
Way = tuple[Event, ...]


def recorded(system: System, state: State, happened: Sequence[Event], goal: Term) -> Recorded:
    """The record of a plan: its events, with the routine events that the rules require between them.

    The order of the plan is tried first, then all others. Each event is judged as in the record of a file.

    Args:
        system: The rule set.
        state: The state before the plan.
        happened: The plan's events, which may leave out arguments that have a default.
        goal: Bool, over fluents: what holds after it.

    Returns:
        The record, after which the goal holds; or the reason why there is none.
    """
    slot = system.layout.slot
    otherwise = "the goal does not hold after these events and the turns that pass between them"
    return recorded_until(system, state, happened, lambda after: bool(interpret(goal, slot, after)), otherwise)


def recorded_until(
    system: System, state: State, happened: Sequence[Event], over: Callable[[State], bool], otherwise: str
) -> Recorded:
    """The record of some events, such as those of a turn, up to a state of some kind; see `recorded`.

    Args:
        system: The rule set.
        state: The state before them.
        happened: The events, which may leave out arguments that have a default.
        over: Whether the record may end in a state.
        otherwise: The reason where all events are accepted and lead to no such state.

    Returns:
        The record, which ends in such a state; or the reason why there is none.
    """
    strange = next((e for e in happened if e.name not in system.schemas), None)
    if strange is not None:
        return Recorded(None, f"the rules have no event {strange}")
    events = [system.schemas[e.name].event(dict(e.args)) for e in happened]
    search = _Search(system, over)
    decided = [e for e in events if not system.schemas[e.name].routine]
    last = max((i for i, e in enumerate(events, 1) if not system.schemas[e.name].routine), default=0)
    orders = (search.in_order(state, order) for order in (events[:last], events, decided))
    found = next((way for way in orders if way is not None), None)
    found = search.in_any_order(state, decided) if found is None else found
    if found is not None:
        return Recorded(found)
    return Recorded(None, search.reason(state, decided) or otherwise)


def keeping(system: System, state: State, record: Recorded, keep: Term) -> Recorded:
    """The record of a plan, if something holds after each of its events that somebody decides.

    Args:
        system: The rule set.
        state: The state before it.
        record: The record, which the rules accept.
        keep: Bool, over fluents: what holds after each.
    """
    for event in (record.events or ()) if keep is not TRUE else ():
        after = state_after(system, state, event)
        assert after is not None, "the record was played"
        state = after
        if not system.schemas[event.name].routine and not interpret(keep, system.layout.slot, state):
            return Recorded(None, f"what is to be kept does not hold after {event}")
    return record


class _Search:
    """Searches for an order of events that leads to a state of some kind, and for the routine events between them."""

    def __init__(self, system: System, over: Callable[[State], bool]):
        self._system = system
        self._over = over
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

    def in_any_order(self, state: State, events: Sequence[Event]) -> Way | None:
        """The record with the events in some order; None if none is found in a limited number of tries."""
        seen: set[tuple[State, Way]] = set()
        tried = 0
        stack: list[tuple[State, Way, Way]] = [(state, tuple(events), ())]
        while stack and tried < _MOST:
            now, left, made = stack.pop()
            if (now, left) in seen:
                continue
            seen.add((now, left))
            last = None if left else self._to_end(now)
            if last is not None:
                return (*made, *last)
            look()
            for i in reversed(range(len(left))):
                tried += 1
                found = self._with(now, left[i])
                if found is not None:
                    stack.append((found[1], left[:i] + left[i + 1 :], (*made, *found[0])))
        return None

    def reason(self, state: State, events: Sequence[Event]) -> str:
        """Which event of this order the rules refuse, and why, in a sentence; empty if they refuse none."""
        for event in events:
            found = self._with(state, event)
            if found is None:
                lacking = failed(self._system, state, self._system.action_in(state, event))
                values = self._system.layout.values(state)
                return f"the rules refuse {event}: {'; '.join(r.said(values) for r in lacking)}"
            state = found[1]
        return ""

    # ---- routine events

    def _with(self, state: State, event: Event) -> tuple[Way, State] | None:
        """The fewest routine events after which an event is allowed, that event, and the state after it."""
        for way, now in self._routine_ways(state, event):
            after = state_after(self._system, now, event)
            if after is not None:
                return (*way, event), after
        return None

    def _to_end(self, state: State) -> Way | None:
        """The fewest routine events after which the record may end."""
        ways = self._routine_ways(state, None)
        return next((way for way, now in ways if self._over(now)), None)

    def _routine_ways(self, state: State, event: Event | None) -> Iterator[tuple[Way, State]]:
        """Sequences of routine events with the state after each, in breadth-first order; each state once."""
        seen = {state}
        ways: deque[tuple[Way, State]] = deque([((), state)])
        while ways and len(seen) < _FARTHEST:
            way, now = ways.popleft()
            yield way, now
            for routine in self._routine_events(event):
                after = state_after(self._system, now, routine)
                if after is not None and after not in seen:
                    seen.add(after)
                    ways.append(((*way, routine), after))

    def _routine_events(self, event: Event | None) -> Iterator[Event]:
        """The routine events; of kinds with many events, only those about the arguments of an event."""
        named = {v for _, v in event.args} if event else set()
        for schema in self._routine:
            few = {p.name: [v for v in p.values if len(p.values) <= _FEW or v in named] for p in schema.parameters}
            yield from map(schema.event, choices(schema, few))

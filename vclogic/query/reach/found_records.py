"""Records of events that reach a goal: searched for in Python, shortened, replayed, and made an answer."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from vclogic.clock import ANSWERING, TimeUp, check_deadline, grace_period, until
from vclogic.encode.grounding import Admits
from vclogic.encode.python.evaluator import interpret
from vclogic.model.actions import Action, Event
from vclogic.model.fluents import State
from vclogic.model.step_text import step_text
from vclogic.model.system import System
from vclogic.query.answers import Step
from vclogic.query.plan_record import record_plan
from vclogic.query.reach.answer import Reach
from vclogic.query.reach.by_steps import unanswered
from vclogic.query.reach.record_search import RecordSearch
from vclogic.query.replay import as_steps, state_after_action, turn_of
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.solve import budgets
from vclogic.terms.term import Term

Tries = Callable[[System, Admits, Term], RecordSearch]
_LONGEST_ROW = 30  # events in a row that may be left out of a witness together


def by_trying(resolved: ResolvedQuestion, admits: Admits, kind: Tries, *, most: float = math.inf) -> Reach | None:
    """Search for a witness, possibly a long one, in Python; None if none is found.

    Args:
        admits: Which events may happen.
        kind: Makes the search.
        most: The time limit in seconds.
    """
    resolved.progress("trying events")
    try:
        with until(resolved.effort.deadline):
            search = kind(resolved.system, admits, resolved.goal.term)
    except TimeUp:
        return None
    way = search.find(resolved.state, resolved.effort.deadline.part(budgets.TRYING, most), resolved.within)
    return None if way is None else witness(resolved, way, admits)


def witness(resolved: ResolvedQuestion, way: Sequence[Event], admits: Admits) -> Reach | None:
    """The answer with a record as witness; None if one of its events is not admitted."""
    with grace_period(ANSWERING):
        way = shorten(resolved.system, resolved.state, way, resolved.goal.term, admits)
        steps = as_played(resolved.system, resolved.state, way, admits)
        if steps is None:
            return None
        record = record_plan(resolved.system, resolved.state, way, resolved.goal.term, resolved.effort.deadline)
    found = unanswered(resolved, "")
    return replace(found, status="reachable", depth=len(steps), steps=steps, record=record, replayed=True)


def shorter(found: Reach, resolved: ResolvedQuestion, admits: Admits) -> Reach:
    """A witness without the events that can be left out; any other answer as it is."""
    events = found.record.events if found.record is not None else None
    if found.status != "reachable" or not events:
        return found
    less = witness(resolved, events, admits)
    if less is None or less.depth == found.depth:
        return found
    return replace(found, steps=less.steps, depth=less.depth, record=less.record)


def shorten(system: System, state: State, way: Sequence[Event], goal: Term, admits: Admits) -> Sequence[Event]:
    """Leave out what a record does not need, events in a row at a time, long rows first, as far as time permits.

    Args:
        state: The state before it.
        goal: Bool, over fluents: what holds at its end.
        admits: Which events may happen.
    """
    slot, events = system.layout.slot, list(way)

    def leads(some: Sequence[Event]) -> bool:
        now = state
        for event in some:
            check_deadline()
            played = _admitted(system, now, event, admits)
            if played is None:
                return False
            now = played[1]
        return bool(interpret(goal, slot, now))

    try:
        for length in range(min(len(events), _LONGEST_ROW), 0, -1):
            for first in range(len(events) - length, -1, -1):
                rest = [*events[:first], *events[first + length :]]
                if len(rest) < len(events) and leads(rest):
                    events = rest
    except TimeUp:
        pass
    return events


def as_played(system: System, state: State, events: Iterable[Event], admits: Admits) -> tuple[Step, ...] | None:
    """Replay events and describe them as steps; None if one of them is not admitted."""
    steps: list[Step] = []
    for event in events:
        played = _admitted(system, state, event, admits)
        if played is None:
            return None
        values = system.layout.values(state)
        steps += as_steps([step_text(played[0], values)], len(steps), turn_of(system, values))
        state = played[1]
    return tuple(steps)


def _admitted(system: System, state: State, event: Event, admits: Admits) -> tuple[Action, State] | None:
    """The action of an event and the state after it; None if it is not admitted, or the rules refuse it."""
    action = admits(system.schemas[event.name], system.action_in(state, event))
    after = None if action is None else state_after_action(system, state, action)
    return None if action is None or after is None else (action, after)

"""Whether a goal can be reached by any events of the rules, not only by those of a planning model."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from vclogic.encode.grounding import Admits, directly, one_event, relevant
from vclogic.encode.python import apply, failed
from vclogic.model.actions import Action, Event, Schema
from vclogic.model.fluents import State
from vclogic.model.grounded import Grounded, number_of
from vclogic.model.system import ANY, Metric, System
from vclogic.model.transition import step_text
from vclogic.query.answers import Reach, Step
from vclogic.query.ask import Ask
from vclogic.query.reach import reach
from vclogic.query.replay import as_steps, turn_of
from vclogic.solve.session import TimeUp
from vclogic.terms.term import Term

ALL, RULES = "all", "rules"
Some = Callable[[System, Sequence[Term], Admits, Callable[[], None]], list[Grounded]]
_FEW = 2  # events in a row that are tried before all events are looked at
_MOST = 40_000  # events that can be looked at
_SHARE = 0.25  # of the time for a witness of a planning model, which takes larger steps


def reach_by_events(ask: Ask, text: str, goal: Term, *, assumed: bool) -> Reach:
    """Whether a goal can be reached by the events of the rules.

    A planning model may find a witness sooner; it counts if the rules accept it as a record.

    Args:
        ask: The question; its metric is the planning model that is tried first.
        text: The goal as the user wrote it.
        goal: Bool, over fluents.
        assumed: Whether events also need what the game assumes beyond its text.

    Returns:
        A witness that has been replayed; the proof that there is none; or `unknown` with the reason.
    """
    admits = _admits(ask, assumed=assumed)
    by_rules = replace(ask, metric=_metric(ask, goal, admits, relevant, assumed=assumed))
    planned = None
    if ask.within is None:
        planned = reach(replace(ask, timeout=ask.timeout * _SHARE), text, goal)
        settled = _settled(planned, by_rules, admits)
        if settled is not None:
            return settled
    few = _few_enough(ask.system)
    if len(few) < len(ask.system.events):
        return _among_few(ask, text, goal, few, assumed=assumed)
    try:
        found = _soon(by_rules, text, goal, admits, assumed=assumed) or reach(by_rules, text, goal)
    except TimeUp:
        found = _unknown(by_rules, text, "the time is up")
    if found.status == "unknown" and planned is not None and planned.status == "unreachable":
        return replace(found, reason=f"{found.reason}; by the steps of {planned.by} alone it is unreachable")
    return found


def _few_enough(system: System) -> list[Schema]:
    """The kinds of events that can be looked at: those with the fewest events, together not too many."""
    found: list[Schema] = []
    for schema in sorted(system.events, key=lambda s: number_of([s])):
        if number_of([*found, schema]) > _MOST:
            break
        found.append(schema)
    return [s for s in system.events if s in found]


def _among_few(ask: Ask, text: str, goal: Term, few: Sequence[Schema], *, assumed: bool) -> Reach:
    """A witness without the kinds of events of which there are too many; that there is none tells nothing then."""
    smaller = replace(ask.system, events=tuple(few), _instances={}, _grounded=[])
    admits = _admits(ask, assumed=assumed)
    asked = replace(ask, system=smaller)
    asked = replace(asked, metric=_metric(asked, goal, admits, relevant, assumed=assumed))
    try:
        found = _soon(asked, text, goal, admits, assumed=assumed) or reach(asked, text, goal)
    except TimeUp:
        found = _unknown(asked, text, "the time is up")
    if found.status == "reachable" or (found.proof is not None and found.proof.method == "positions"):
        return found
    number, kinds = number_of(ask.system.events), [s.name for s in ask.system.events if s not in few]
    less = f"`--by {ask.metric.name}` asks a planning model, which has fewer"
    reason = f"the rules have {number:,} events, too many to look at them all (left out: {', '.join(kinds)}); {less}"
    return _unknown(asked, text, reason)


def _soon(ask: Ask, text: str, goal: Term, admits: Admits, *, assumed: bool) -> Reach | None:
    """A witness of a few events all of which change what the goal speaks of, which are mostly few; or None."""
    few = min(_FEW, math.inf if ask.within is None else ask.within)
    metric = _metric(ask, goal, admits, directly, assumed=assumed)
    timeout = ask.elapsed + (ask.timeout - ask.elapsed) * _SHARE
    found = reach(replace(ask, metric=metric, within=int(few), timeout=timeout), text, goal)
    return replace(found, assumptions=ask.assumptions) if found.status == "reachable" else None


def _settled(planned: Reach, by_rules: Ask, admits: Admits) -> Reach | None:
    """What a planning model's answer says of all events: a witness that they allow, or that no position will do."""
    same = replace(
        planned,
        heading=by_rules.metric.heading,
        by=by_rules.metric.name,
        assumptions=by_rules.assumptions,
        elapsed_s=round(by_rules.elapsed, 3),
    )
    if planned.proof is not None and planned.proof.method == "positions":
        return same
    events = planned.record.events if planned.record else None
    steps = None if events is None else _as_steps(by_rules.system, by_rules.state, events, admits)
    return None if steps is None else replace(same, depth=len(steps), steps=steps)


def _unknown(ask: Ask, text: str, reason: str) -> Reach:
    return Reach(
        game=ask.game,
        goal=text,
        heading=ask.metric.heading,
        by=ask.metric.name,
        status="unknown",
        depth=None,
        steps=(),
        record=None,
        proof=None,
        replayed=None,
        assumptions=ask.assumptions,
        reason=reason,
        elapsed_s=round(ask.elapsed, 3),
    )


def _metric(ask: Ask, goal: Term, admits: Admits, some: Some, *, assumed: bool) -> Metric:
    """Some events of the rules as a planning model: one at a time, each counts 1."""
    system, name = ask.system, ALL if assumed else RULES
    beyond = system.assumed if assumed else ()
    return Metric(
        name,
        "event",
        "all events of the rules",
        "events of a record",
        lambda side, opponent, start: one_event(system, some(system, [goal], admits, ask.effort.deadline.hold), name),
        lambda side, opponent: beyond or ("nothing is assumed beyond the rules",),
    )


def _admits(ask: Ask, *, assumed: bool) -> Admits:
    """Which events may happen: what the moving side or nobody decides, and what only moves the game on."""

    def admits(schema: Schema, action: Action) -> Action | None:
        decides = ask.system.side_of(action.actor) if isinstance(action.actor, str) else None
        if ask.opponent != ANY and not schema.routine and decides not in (None, ask.side):
            return None
        return replace(action, requirements=(*action.requirements, *action.assumed)) if assumed else action

    return admits


def _as_steps(system: System, state: State, events: Iterable[Event], admits: Admits) -> tuple[Step, ...] | None:
    """Events as steps for a reader, each played; None if one of them may not happen."""
    steps: list[Step] = []
    for event in events:
        action = admits(system.schemas[event.name], system.action(event))
        if action is None or failed(system, state, action):
            return None
        values = system.layout.values(state)
        steps += as_steps([step_text(action, values)], len(steps), turn_of(system, values))
        state = apply(system, state, action)
    return tuple(steps)

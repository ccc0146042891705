"""Whether a goal can be reached by any events of the rules, not only by those of a planning model."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from vclogic.clock import ANSWERING, TIME_UP, TimeUp, granted
from vclogic.encode.grounding import Admits, directly, one_event, relevant
from vclogic.encode.influence import TooMany
from vclogic.encode.python import apply, failed
from vclogic.model.actions import Event, Schema
from vclogic.model.fluents import State
from vclogic.model.grounded import Grounded, number_of
from vclogic.model.system import Events, Metric, System
from vclogic.model.transition import step_text
from vclogic.query.admitted import admitting
from vclogic.query.answers import Reach, Step
from vclogic.query.ask import Ask
from vclogic.query.nearby import NearBy
from vclogic.query.plan import holds
from vclogic.query.reach import holding, proof_text, reach, unanswered
from vclogic.query.recorded import recorded
from vclogic.query.replay import as_steps, turn_of
from vclogic.query.tried import Trial
from vclogic.solve import budgets
from vclogic.solve.invariants import by_invariants, easy
from vclogic.terms.atoms import TRUE
from vclogic.terms.term import Term, variables

ALL, RULES = "all", "rules"
_FEW = 2  # events in a row that are tried before all events are looked at
MOST = 40_000  # events that can be looked at, of those that bear on a goal
_MANY = 10_000  # events, of which to build all takes some seconds: those about what the goal names are tried first


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
    admits = admitting(ask, assumed=assumed)
    by_rules = replace(ask, metric=of_events(ask, (), assumed=assumed))
    at_once = _at_once(by_rules, text, goal, admits)
    if at_once is not None:
        return at_once
    planned = None
    if ask.within is None:
        planned = reach(replace(ask, effort=ask.effort.part(budgets.PLANNING_MODEL)), text, goal)
        settled = _settled(planned, by_rules, admits)
        if settled is not None:
            return settled
    found = by_bearing(ask, text, goal, admits, assumed=assumed)
    if found.status == "unknown" and planned is not None and planned.status == "unreachable":
        some = ", ".join(planned.events.included)
        return replace(found, reason=f"{found.reason}; by {some} alone it is unreachable")
    return found


def by_every_event(ask: Ask, text: str, goal: Term, *, assumed: bool) -> Reach:
    """The same without a look at a planning model; see `reach_by_events`."""
    admits = admitting(ask, assumed=assumed)
    by_rules = replace(ask, metric=of_events(ask, (), assumed=assumed))
    return _at_once(by_rules, text, goal, admits) or by_bearing(ask, text, goal, admits, assumed=assumed)


def _at_once(ask: Ask, text: str, goal: Term, admits: Admits) -> Reach | None:
    """The answer where the goal holds already or, of many events, those about what it names lead there; or None."""
    if holds(ask, goal):
        return holding(ask, text)
    return _at_hand(ask, text, goal, admits) if number_of(ask.system.events) > _MANY else None


def by_bearing(ask: Ask, text: str, goal: Term, admits: Admits, *, assumed: bool) -> Reach:
    """The answer over the events that bear on the goal.

    Args:
        ask: The question.
        text: The goal as the user wrote it.
        goal: Bool, over fluents.
        admits: Which events may happen.
        assumed: Whether they also need what the game assumes beyond its text.
    """
    few, asked = ask, replace(ask, metric=of_events(ask, (), assumed=assumed))
    try:
        try:
            events = relevant(ask.system, [goal], admits, start=ask.state, most=MOST)
        except TooMany:
            few = _few_enough(ask)
            asked = replace(few, metric=of_events(few, (), assumed=assumed))
            events = relevant(few.system, [goal], admits, start=ask.state)
        of_all = replace(asked, metric=of_events(few, events, assumed=assumed))
        trial = Trial(few.system, events, goal)
        found = (
            by_trying(of_all, text, goal, trial, admits, most=budgets.BEFORE_A_PROOF)
            or _never(of_all, text, goal, events, assumed=assumed)
            or by_trying(of_all, text, goal, trial, admits)
            or _soon(asked, text, goal, admits, assumed=assumed)
            or reach(of_all, text, goal)
        )
    except TimeUp:
        found = unanswered(asked, text, TIME_UP)
    return found if few is ask else _of_few(ask, few, found)


def _few_enough(ask: Ask) -> Ask:
    """The question about the kinds of events that can be looked at: the smallest ones, if all are too many."""
    found: list[Schema] = []
    for schema in sorted(ask.system.events, key=lambda s: number_of([s])):
        if number_of([*found, schema]) > MOST:
            events = tuple(s for s in ask.system.events if s in found)
            return replace(ask, system=replace(ask.system, events=events, _instances={}))
        found.append(schema)
    return ask


def _of_few(ask: Ask, few: Ask, found: Reach) -> Reach:
    """What an answer about some kinds of events says of all: a witness, or that no position will do, or nothing."""
    others = tuple(name for name in ask.system.schemas if name not in found.events.included)
    found = replace(found, events=Events(found.events.included, others))
    if found.status == "reachable" or (found.proof is not None and found.proof.method == "positions"):
        return found
    number = number_of(ask.system.events)
    less = f"`--by {ask.metric.name}` asks a planning model, which has fewer"
    less = less if ask.metric.name not in (ALL, RULES) else "say by `happens` which of them are meant"
    reason = f"of the {number:,} events of the rules too many bear on the goal to look at them all; {less}"
    return replace(found, status="unknown", proof=None, reason=reason)


def _at_hand(ask: Ask, text: str, goal: Term, admits: Admits) -> Reach | None:
    """A witness of events about what the goal names, found by trying them in plain Python; or None."""
    ask.progress("trying events about what the goal names")
    deadline = ask.effort.deadline.part(budgets.TRYING)
    search = NearBy(ask.system, admits, goal)
    way = search.find(ask.state, deadline, ask.within)
    found = None if way is None else _witness(ask, text, goal, way, admits)
    others = tuple(name for name in ask.system.schemas if name not in search.kinds)
    return None if found is None else replace(found, events=Events(search.kinds, others))


def by_trying(
    ask: Ask, text: str, goal: Term, trial: Trial, admits: Admits, *, most: float = math.inf
) -> Reach | None:
    """A witness found by trying events in plain Python, which may be long; or None.

    Args:
        ask: The question.
        text: The goal as the user wrote it.
        goal: Bool, over fluents.
        trial: Tries the events.
        admits: Which events may happen.
        most: Seconds that it may take at the most.
    """
    ask.progress("trying events")
    way = trial.find(ask.state, ask.effort.deadline.part(budgets.TRYING, most), ask.within)
    return None if way is None else _witness(ask, text, goal, way, admits)


def _witness(ask: Ask, text: str, goal: Term, way: Sequence[Event], admits: Admits) -> Reach | None:
    """The answer with a record that leads to the goal; None if one of its events may not happen."""
    with granted(ANSWERING):
        steps = as_played(ask.system, ask.state, way, admits)
        if steps is None:
            return None
        record = recorded(ask.system, ask.state, way, goal)
    found = unanswered(ask, text, "")
    return replace(found, status="reachable", depth=len(steps), steps=steps, record=record, replayed=True)


def _never(ask: Ask, text: str, goal: Term, events: Iterable[Grounded], *, assumed: bool) -> Reach | None:
    """A proof by what the events never change that easy parts of the goal speak of; or None."""
    small = easy(goal)
    if small is TRUE:
        return None
    ask.progress("looking at what no event changes")
    asked_for = set(variables(small))
    changing = [g for g in events if any(fluent in asked_for for fluent, _ in g.action.effects)]
    of_few = replace(ask, metric=of_events(ask, changing, assumed=assumed))
    effort = ask.effort.part(budgets.GUESSES_SHARE, budgets.GUESSES)
    proof = by_invariants(small, of_few.transition(), ask.start, ask.invariants, effort, most=1)
    if proof is None:
        return None
    found = unanswered(ask, text, "")
    return replace(found, status="unreachable", proof=proof_text(ask, proof, None))


def _soon(ask: Ask, text: str, goal: Term, admits: Admits, *, assumed: bool) -> Reach | None:
    """A witness of a few events all of which change what the goal speaks of, which are mostly few; or None."""
    few = min(_FEW, math.inf if ask.within is None else ask.within)
    events = directly(ask.system, [goal], admits)
    metric, effort = of_events(ask, events, assumed=assumed), ask.effort.part(budgets.FEW_EVENTS)
    found = reach(replace(ask, metric=metric, within=int(few), effort=effort), text, goal)
    return replace(found, assumptions=ask.assumptions) if found.status == "reachable" else None


def _settled(planned: Reach, by_rules: Ask, admits: Admits) -> Reach | None:
    """What a planning model's answer says of all events: a witness that they allow, or that no position will do."""
    same = replace(
        planned,
        heading=by_rules.metric.heading,
        by=by_rules.metric.name,
        assumptions=by_rules.assumptions,
        elapsed_s=by_rules.elapsed_s,
    )
    if planned.proof is not None and planned.proof.method == "positions":
        return replace(same, events=Events(tuple(by_rules.system.schemas), ()))
    events = planned.record.events if planned.record else None
    with granted(ANSWERING):
        steps = None if events is None else as_played(by_rules.system, by_rules.state, events, admits)
    return None if steps is None else replace(same, depth=len(steps), steps=steps)


def of_events(ask: Ask, events: Sequence[Grounded], *, assumed: bool) -> Metric:
    """Some events of the rules as a planning model: one at a time, each counts 1."""
    system, name = ask.system, ALL if assumed else RULES
    beyond = system.assumed if assumed else ()
    nothing = () if system.notes else ("nothing is assumed beyond the rules",)
    return Metric(
        name,
        "event",
        "all events of the rules",
        "events of a record",
        lambda side, opponent, start: one_event(system, events, name),
        lambda side, opponent: beyond or nothing,
        events=tuple(dict.fromkeys(g.schema.name for g in events)),
    )


def as_played(system: System, state: State, events: Iterable[Event], admits: Admits) -> tuple[Step, ...] | None:
    """Events as steps for a reader, each played; None if one of them may not happen."""
    steps: list[Step] = []
    for event in events:
        action = admits(system.schemas[event.name], system.action_in(state, event))
        if action is None or failed(system, state, action):
            return None
        values = system.layout.values(state)
        steps += as_steps([step_text(action, values)], len(steps), turn_of(system, values))
        state = apply(system, state, action)
    return tuple(steps)

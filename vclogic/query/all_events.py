"""Reachability by all events of the rules, not only by those of a planning model."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache

from vclogic.choices import choice
from vclogic.clock import ANSWERING, TIME_UP, TimeUp, granted, look, until
from vclogic.encode.evaluator import interpret
from vclogic.encode.grounding import Admits, directly, one_event, relevant
from vclogic.encode.influence import TooManyToBuild
from vclogic.model.actions import Action, Event, Schema
from vclogic.model.fluents import State
from vclogic.model.grounded import Grounded, number_of
from vclogic.model.step_text import step_text
from vclogic.model.system import ANY, IDLE, Events, Metric, System
from vclogic.model.transition import actions_of
from vclogic.query.admitted import admitting
from vclogic.query.answers import Reach, Step
from vclogic.query.exhaustive import positions_of
from vclogic.query.plan import holds
from vclogic.query.plan_record import recorded
from vclogic.query.plan_request import Ask
from vclogic.query.reach import holding, proof_text, reach, unanswered
from vclogic.query.record_search import (
    LONG,
    RecordSearch,
    by_climbing,
    by_relaxed_distance,
    of_given_events,
    of_related_events,
)
from vclogic.query.replay import as_steps, state_after_action, turn_of
from vclogic.solve import budgets
from vclogic.solve.problem import Proof
from vclogic.solve.proofs.backwards import backwards
from vclogic.solve.proofs.invariants import by_invariants, easy
from vclogic.solve.proofs.unreachability import by_closure, by_numbers
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.rewrite import substitute
from vclogic.terms.term import Term, conjuncts, variables

ALL, RULES = "all", "rules"
Tries = Callable[[System, Admits, Term], RecordSearch]
_LONGEST_ROW = 30  # events in a row that may be left out of a witness together
_FEW = 2  # events in a row that are tried before all events are looked at
MOST = 40_000  # events that can be looked at, of those that bear on a goal
_FEW_BEARING = 400  # events that bear on a goal, of which all are looked at before anything else is
_FEW_PARTS = 3  # parts of a goal each of which is followed backwards by itself
_MOST_LEADING = 4_000  # events that may lead to a goal by one more, of which to build all takes a second
_FEW_NUMBERS = 200  # variables of a goal whose sums alone are asked about before anything is tried
_MANY = 10_000  # events, of which to build all takes some seconds: those about what the goal names are tried first


def reach_by_events(ask: Ask, text: str, goal: Term, *, assumed: bool) -> Reach:
    """Decide whether a goal can be reached by the events of the rules.

    A planning model may find a witness sooner, which counts if the rules accept it as a record.

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
    at_once = _at_once(by_rules, text, goal, admits, assumed=assumed)
    if at_once is not None:
        return at_once
    small = looked_at(ask, text, goal, admits, assumed=assumed)
    if small is not None:
        return small
    later: list[Tries] = [by_climbing]
    # Of many events few can be built: those about the names in the goal are tried at once, or after a planning model
    # of single actions, which builds none of them.
    if number_of(ask.system.events) > _MANY:
        ask, single = _made_ready(ask)
        found = None if single else by_trying(by_rules, text, goal, admits, of_related_events)
        if found is not None:
            return found
        later = [of_related_events] if single else []
    planned = None
    if ask.within is None:
        planned = reach(replace(ask, effort=ask.effort.part(budgets.PLANNING_MODEL)), text, goal)
        settled = _settled(planned, by_rules, goal, admits)
        if settled is not None:
            return settled
    # Where the planning model has no plan, trying events rarely finds one: proofs come first.
    hopeless = planned is not None and planned.status == "unreachable"
    tries = (by_trying(by_rules, text, goal, admits, kind) for kind in later if not hopeless)
    found = (
        next(filter(None, tries), None)
        or by_trying(by_rules, text, goal, admits, by_relaxed_distance)
        or led_to(by_rules, text, goal, admits)  # not sooner: where there is a witness, it mostly takes all its time
        or by_bearing(ask, text, goal, admits, assumed=assumed, hopeless=hopeless)
    )
    if found.status == "unknown" and planned is not None and planned.status == "unreachable":
        some = ", ".join(planned.events.included)
        return replace(found, reason=f"{found.reason}; by {some} alone it is unreachable")
    return found


def by_every_event(ask: Ask, text: str, goal: Term, *, assumed: bool) -> Reach:
    """The same without a planning model; see `reach_by_events`."""
    admits = admitting(ask, assumed=assumed)
    by_rules = replace(ask, metric=of_events(ask, (), assumed=assumed))
    found = _at_once(by_rules, text, goal, admits, assumed=assumed)
    found = found or looked_at(ask, text, goal, admits, assumed=assumed)
    found = found or by_trying(by_rules, text, goal, admits, by_relaxed_distance)
    found = found or led_to(by_rules, text, goal, admits)
    if found is None and number_of(ask.system.events) > _MANY:
        found = by_trying(by_rules, text, goal, admits, of_related_events)
    return found or by_bearing(ask, text, goal, admits, assumed=assumed)


def _made_ready(ask: Ask) -> tuple[Ask, bool]:
    """Build the planning model's steps once; returns the question with them, and whether they are single actions.

    Single actions have methods without unrolling, so the model is then tried before the events.
    """
    if ask.within is not None:
        return ask, False
    try:
        with until(ask.effort.deadline.part(budgets.PLANNING_MODEL)):
            made = ask.transition()
    except TimeUp:
        return ask, False
    return replace(ask, metric=replace(ask.metric, transition=lambda *_: made)), bool(actions_of(made))


def _at_once(ask: Ask, text: str, goal: Term, admits: Admits, *, assumed: bool) -> Reach | None:
    """Try the cheap methods; None if they do not decide.

    The goal holds already, or is contradictory; or hill climbing over related events reaches it; or only few events
    are relevant to it.
    """
    if holds(ask, goal):
        return holding(ask, text)
    proof = by_numbers(goal, ask.effort, _FEW_NUMBERS)
    if proof is not None:
        return _never_by(ask, text, proof)
    if number_of(ask.system.events) <= _MANY:
        return None
    found = by_trying(ask, text, goal, admits, by_climbing)
    return found or _of_few_events(ask, text, goal, admits, assumed=assumed)


def looked_at(ask: Ask, text: str, goal: Term, admits: Admits, *, assumed: bool) -> Reach | None:
    """The answer where play can reach so few positions that all of them are looked at; else None."""
    found = positions_of(ask, goal, admits)
    if found is None:
        return None
    of_all = replace(ask, metric=of_events(ask, found.events, assumed=assumed))
    if found.record is not None:
        return _witness(of_all, text, goal, found.record, admits)
    never = replace(unanswered(of_all, text, ""), status="unreachable", events=_only(ask.system, found.events))
    return replace(never, proof=proof_text(of_all, found.proof, None))


def led_to(ask: Ask, text: str, goal: Term, admits: Admits) -> Reach | None:
    """Prove the goal unreachable by what leads to it, by one event, by two, and so on; None without a proof."""
    looked: dict[str, None] = {}

    def changing(term: Term) -> list[Grounded]:
        events = directly(ask.system, [term], admits, most=_MOST_LEADING)
        looked.update(dict.fromkeys(g.schema.name for g in events))
        return events

    effort = ask.effort.part(budgets.BACKWARDS_SHARE, budgets.BACKWARDS)
    small = [t for t in conjuncts(easy(goal)) if t is not goal and substitute(t, ask.start) is FALSE]
    asked = [*small[:_FEW_PARTS], goal]  # where a part is never so, the whole is not
    for left, part in zip(range(len(asked), 0, -1), asked, strict=True):
        mine = effort.part(1 / left)
        proof: Proof | None = None
        looked.clear()
        with suppress(TimeUp), until(mine.deadline):
            proof = backwards(part, changing, ask.start, ask.invariants, mine)
        if proof is not None:
            kinds = tuple(s.name for s in ask.system.events if s.name in looked)
            return replace(_never_by(ask, text, proof), events=only(ask.system, kinds))
    return None


def _of_few_events(ask: Ask, text: str, goal: Term, admits: Admits, *, assumed: bool) -> Reach | None:
    """The answer if so few events are relevant to a goal that exploring them all takes no time; else None."""
    try:
        with until(ask.effort.deadline):
            relevant(ask.system, [goal], admits, start=ask.state, most=_FEW_BEARING)
    except (TooManyToBuild, TimeUp):
        return None
    glance = replace(ask, effort=ask.effort.part(budgets.TRYING))
    found = by_bearing(glance, text, goal, admits, assumed=assumed)
    return None if found.status == "unknown" else found


def by_bearing(ask: Ask, text: str, goal: Term, admits: Admits, *, assumed: bool, hopeless: bool = False) -> Reach:
    """The answer over the events that are relevant to the goal.

    Args:
        text: The goal as the user wrote it.
        goal: Bool, over fluents.
        admits: Which events may happen.
        assumed: Whether they also need what the game assumes beyond its text.
        hopeless: Whether a planning model has no plan, so that a proof is tried first.
    """
    few, asked = ask, replace(ask, metric=of_events(ask, (), assumed=assumed))
    try:
        try:
            events = relevant(ask.system, [goal], admits, start=ask.state, most=MOST)
        except TooManyToBuild:
            few = _few_enough(ask)
            asked = replace(few, metric=of_events(few, (), assumed=assumed))
            events = relevant(few.system, [goal], admits, start=ask.state)
        of_all = replace(asked, metric=of_events(few, events, assumed=assumed))
        made = cache(lambda: of_given_events(few.system, events, goal))
        trial: Tries = lambda *_: made()  # noqa: E731
        long = cache(lambda: by_relaxed_distance(ask.system, admits, goal, events=made().events, work=LONG))
        # From the cheap to the dear: the first that decides gives the answer.
        found = (
            (None if hopeless else by_trying(of_all, text, goal, admits, trial, most=budgets.BEFORE_A_PROOF))
            or _never(of_all, text, goal, events, assumed=assumed)
            or _out_of_reach(of_all, text, goal)
            or _unhelped(ask, text, goal, assumed=assumed)
            or by_trying(replace(of_all, system=ask.system), text, goal, admits, lambda *_: long())
            or by_trying(of_all, text, goal, admits, trial)
            or _soon(asked, text, goal, admits, assumed=assumed)
            or _shorter(reach(of_all, text, goal), of_all, goal, admits)
        )
        if found.status == "unreachable":
            found = replace(found, events=_only(few.system, events))
    except TimeUp:
        found = unanswered(asked, text, TIME_UP)
    return found if few is ask else _of_few(ask, found)


def _unhelped(ask: Ask, text: str, goal: Term, *, assumed: bool) -> Reach | None:
    """A witness in which the other side is idle, though it may help; None if none is found.

    What an idle side does it may do where it helps too, and there are far fewer such records.
    """
    if ask.opponent != ANY or ask.side is None:
        return None
    idle = replace(ask, opponent=IDLE, effort=ask.effort.part(budgets.UNHELPED))
    found = by_bearing(idle, text, goal, admitting(idle, assumed=assumed), assumed=assumed)
    return replace(found, assumptions=ask.assumptions) if found.status == "reachable" else None


def _few_enough(ask: Ask) -> Ask:
    """The question restricted to as many kinds of events as can be explored: those with the fewest events."""
    found: list[Schema] = []
    for schema in sorted(ask.system.events, key=lambda s: number_of([s])):
        if number_of([*found, schema]) > MOST:
            events = tuple(s for s in ask.system.events if s in found)
            return replace(ask, system=replace(ask.system, events=events, _instances={}))
        found.append(schema)
    return ask


def _of_few(ask: Ask, found: Reach) -> Reach:
    """Lift an answer about some kinds of events to all: a witness or a proof over positions; else `unknown`."""
    found = replace(found, events=only(ask.system, tuple(ask.system.schemas)))
    if found.status == "reachable" or (found.proof is not None and found.proof.method == "positions"):
        return found
    number = number_of(ask.system.events)
    less = f"`{choice('by', ask.metric.name)}` asks a planning model, which has fewer"
    less = less if ask.metric.name not in (ALL, RULES) else "say by `happens` which of them are meant"
    reason = f"too many of the {number:,} events of the rules could matter to the goal to try them all; {less}"
    return replace(found, status="unknown", proof=None, reason=reason)


def by_trying(
    ask: Ask, text: str, goal: Term, admits: Admits, kind: Tries, *, most: float = math.inf
) -> Reach | None:
    """Search for a witness, possibly a long one, in Python; None if none is found.

    Args:
        text: The goal as the user wrote it.
        goal: Bool, over fluents.
        admits: Which events may happen.
        kind: Makes the search.
        most: The time limit in seconds.
    """
    ask.progress("trying events")
    try:
        with until(ask.effort.deadline):
            search = kind(ask.system, admits, goal)
    except TimeUp:
        return None
    way = search.find(ask.state, ask.effort.deadline.part(budgets.TRYING, most), ask.within)
    return None if way is None else _witness(ask, text, goal, way, admits)


def _witness(ask: Ask, text: str, goal: Term, way: Sequence[Event], admits: Admits) -> Reach | None:
    """The answer with a record as witness; None if one of its events is not admitted."""
    with granted(ANSWERING):
        way = shortened(ask.system, ask.state, way, goal, admits)
        steps = as_played(ask.system, ask.state, way, admits)
        if steps is None:
            return None
        record = recorded(ask.system, ask.state, way, goal, ask.effort.deadline)
    found = unanswered(ask, text, "")
    return replace(found, status="reachable", depth=len(steps), steps=steps, record=record, replayed=True)


def _never(ask: Ask, text: str, goal: Term, events: Iterable[Grounded], *, assumed: bool) -> Reach | None:
    """Prove the goal unreachable by invariants of the events that affect its easy parts; None without a proof."""
    small = easy(goal)
    if small is TRUE:
        return None
    ask.progress("looking at facts that no event changes")
    asked_for = set(variables(small))
    changing = [g for g in events if any(fluent in asked_for for fluent, _ in g.action.effects)]
    of_few = replace(ask, metric=of_events(ask, changing, assumed=assumed))
    effort = ask.effort.part(budgets.GUESSES_SHARE, budgets.GUESSES)
    proof = by_invariants(small, of_few.transition(), ask.start, ask.invariants, effort, most=1)
    return None if proof is None else _never_by(ask, text, proof)


def _out_of_reach(ask: Ask, text: str, goal: Term) -> Reach | None:
    """Prove the goal unreachable by the delete relaxation of the events; None without a proof."""
    ask.progress("looking at all that can be gained")
    effort = ask.effort.part(budgets.TRYING)
    try:
        with until(effort.deadline):
            proof = by_closure(goal, ask.transition(), ask.start, ask.invariants, effort)
    except TimeUp:
        return None
    return None if proof is None or not proof.rechecked else _never_by(ask, text, proof)


def _never_by(ask: Ask, text: str, proof: Proof) -> Reach:
    """The answer "unreachable" with its proof."""
    return replace(unanswered(ask, text, ""), status="unreachable", proof=proof_text(ask, proof, None))


def _soon(ask: Ask, text: str, goal: Term, admits: Admits, *, assumed: bool) -> Reach | None:
    """Search for a witness of few events among those that change the goal's fluents; None if none is found."""
    few = min(_FEW, math.inf if ask.within is None else ask.within)
    events = directly(ask.system, [goal], admits)
    metric, effort = of_events(ask, events, assumed=assumed), ask.effort.part(budgets.FEW_EVENTS)
    found = reach(replace(ask, metric=metric, within=int(few), effort=effort), text, goal)
    return replace(found, assumptions=ask.assumptions) if found.status == "reachable" else None


def _settled(planned: Reach, by_rules: Ask, goal: Term, admits: Admits) -> Reach | None:
    """Lift a planning model's answer to all events: an admitted witness or a proof over positions; else None."""
    same = replace(
        planned,
        heading=by_rules.metric.heading,
        by=by_rules.metric.name,
        events=by_rules.events,
        assumptions=by_rules.assumptions,
        elapsed_s=by_rules.effort.elapsed_s,
    )
    if planned.proof is not None and planned.proof.method == "positions":
        return same
    events = planned.record.events if planned.record else None
    with granted(ANSWERING):
        steps = None if events is None else as_played(by_rules.system, by_rules.state, events, admits)
    return None if steps is None else _shorter(replace(same, depth=len(steps), steps=steps), by_rules, goal, admits)


def _shorter(found: Reach, ask: Ask, goal: Term, admits: Admits) -> Reach:
    """A witness without the events that can be left out; any other answer as it is."""
    events = found.record.events if found.record is not None else None
    if found.status != "reachable" or not events:
        return found
    shorter = _witness(ask, found.goal, goal, events, admits)
    if shorter is None or shorter.depth == found.depth:
        return found
    return replace(found, steps=shorter.steps, depth=shorter.depth, record=shorter.record)


def shortened(system: System, state: State, way: Sequence[Event], goal: Term, admits: Admits) -> Sequence[Event]:
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
            look()
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


def only(system: System, kinds: tuple[str, ...]) -> Events:
    """Some kinds of events of the rules, and those that are left out then."""
    return Events(kinds, tuple(name for name in system.schemas if name not in kinds))


def _only(system: System, events: Iterable[Grounded]) -> Events:
    """The kinds of the events that a proof is about, and those that cannot change it."""
    return only(system, tuple(dict.fromkeys(g.schema.name for g in events)))


def of_events(ask: Ask, events: Sequence[Grounded], *, assumed: bool) -> Metric:
    """Some events of the rules as a planning model: one per step, each at a cost of 1.

    The question is about all of them, whichever are looked at for it.
    """
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
        events=tuple(system.schemas),
    )


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

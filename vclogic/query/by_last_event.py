"""Reachability of goals about the last event of a record."""

from __future__ import annotations

from dataclasses import replace

from vclogic.clock import ANSWERING, TimeUp, granted, until
from vclogic.encode.grounding import Admits
from vclogic.model.actions import Event
from vclogic.model.event_terms import Spoken, watched
from vclogic.model.grounded import choices, number_of
from vclogic.query.admitted import admitting, of_events, only
from vclogic.query.all_events import by_names, looked_at
from vclogic.query.answers import ProofText, Reach, Recorded
from vclogic.query.bearing_events import MOST, by_bearing, led_to
from vclogic.query.found_records import as_played, by_trying
from vclogic.query.last_event import Judge, showing
from vclogic.query.plan_request import Ask
from vclogic.query.reach import holding, unanswered
from vclogic.query.record_search import by_relaxed_distance, of_given_events
from vclogic.solve import budgets
from vclogic.solve.proofs.unreachability import by_one_step
from vclogic.terms.build import any_of
from vclogic.terms.term import Term

_FEW = 400  # events that may show what is asked for, which are tried before all others are built


def reach_by_last_event(ask: Ask, text: str, goal: Term, *, assumed: bool) -> Reach:
    """Decide whether some reachable event satisfies a goal about the last event of a record.

    Planning models are not used, since their steps may combine many events.

    Args:
        text: The goal as the user wrote it.
        goal: Bool, over fluents and the placeholders of `before`, `happens` and `actor`.
        assumed: Whether events also need what the game assumes beyond its text.

    Returns:
        A replayed witness whose last event satisfies the goal; a proof that none does; or `unknown`.
    """
    spoken = Spoken(ask.system, goal)
    judge, (system, shown) = Judge(ask.system, spoken), watched(ask.system, spoken)
    state = (*ask.state, int(judge.at_start(ask.state)))
    asked = replace(ask, system=system, state=state, metric=of_events(ask, (), assumed=assumed))
    admits = admitting(asked, assumed=assumed)
    if state[-1]:
        return holding(asked, text)
    found = _by_those_that_show(asked, text, spoken, shown, admits)
    found = found or looked_at(asked, text, shown, admits, assumed=assumed)
    found = found or by_names(asked, text, shown, admits)
    found = found or by_trying(asked, text, shown, admits, by_relaxed_distance)
    found = found or led_to(asked, text, shown, admits)
    found = found or by_bearing(asked, text, shown, admits, assumed=assumed)
    if found.status != "reachable" or not found.steps:
        return found
    assert found.record is not None
    happened = found.record.events or tuple(Event(s.action, tuple(s.args.items())) for s in found.steps)
    # The search may have gone on after the first event that shows the goal: the witness ends there.
    with granted(ANSWERING):
        events = judge.until_shown(ask.state, happened)
        steps = as_played(ask.system, ask.state, events, admits)
    assert steps is not None
    return replace(found, depth=len(steps), steps=steps, record=Recorded(events))


def _by_those_that_show(ask: Ask, text: str, spoken: Spoken, shown: Term, admits: Admits) -> Reach | None:
    """Try the candidate events: none satisfies the goal from any position, or one soon does; else None."""
    ask.progress("looking at one event from any position")
    try:
        with until(ask.effort.deadline.part(budgets.EVENTS_OF_ONE_STEP)):
            shown_by = showing(ask.system, spoken, admits, MOST)
    except TimeUp:
        return None
    if shown_by is None:
        return None
    events = [s.event for s in shown_by]
    proof = by_one_step(any_of(s.when for s in shown_by), ask.invariants, ask.effort)
    if proof is not None:
        kinds = tuple(s.name for s in ask.system.events if any(g.schema.name == s.name for g in events))
        told = ProofText(proof.method.value, None, None, (), proof.rechecked)
        return replace(unanswered(ask, text, ""), status="unreachable", events=only(ask.system, kinds), proof=told)
    if len(events) > _FEW:
        return None
    routine = [s for s in ask.system.events if s.routine and number_of([s]) <= _FEW]
    between = [ask.system.opened(s, args) for s in routine for args in choices(s)]
    more = [replace(g, action=a) for g in between if (a := admits(g.schema, g.action)) is not None]
    glance = replace(ask, effort=ask.effort.part(most=budgets.GLANCE_AT_EVENTS))
    few = list({g.action.key: g for g in (*events, *more)}.values())
    return by_trying(glance, text, shown, admits, lambda *_: of_given_events(glance.system, few, shown))

"""Reachability by all events of the rules, not only by those of a planning model."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from vclogic.clock import ANSWERING, TimeUp, grace_period, until
from vclogic.encode.grounding import Admits, TooManyToBuild, relevant
from vclogic.model.actions import Event
from vclogic.model.grounded import Grounded, number_of
from vclogic.model.transition import actions_of
from vclogic.query.plan_search import holds
from vclogic.query.reach.admitted import admitting, kinds_of, of_events
from vclogic.query.reach.answer import Reach
from vclogic.query.reach.bearing_events import (
    GLANCE,
    LOOK,
    by_bearing,
    lasting,
    led_to,
    never_by,
    said_of,
    summed_up,
    turn_by_turn,
    unlawful,
)
from vclogic.query.reach.by_steps import holding, proof_text, reach, unanswered
from vclogic.query.reach.found_records import Tries, as_played, by_trying, shorter, witness
from vclogic.query.reach.record_search import by_climbing, by_relaxed_distance, of_related_events
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.shortage import libraries_missing
from vclogic.solve import budgets
from vclogic.solve.problem import Proof, ProofMethod
from vclogic.solve.proofs.lost_for_good import LostForGood
from vclogic.solve.proofs.unreachability import by_numbers
from vclogic.solve.searches import all_positions

_FEW_BEARING = 400  # events that bear on a goal, of which all are looked at before anything else is
_FEW_NUMBERS = 200  # variables of a goal whose sums alone are asked about before anything is tried
_BUILT = 6_000  # events of the rules that are all built: of those that bear on a goal there are often fewer
_MANY = 10_000  # events, of which to build all takes some seconds: those about what the goal names are tried first


def reach_by_events(resolved: ResolvedQuestion, *, assumed: bool, planning: bool = True) -> Reach:
    """Decide whether a goal can be reached by the events of the rules.

    A planning model may find a witness sooner, which counts if the rules accept it as a record.

    Args:
        resolved: The question; its metric is the planning model that is tried first.
        assumed: Whether events also need what the game assumes beyond its text.
        planning: Whether a planning model is tried, too.

    Returns:
        A witness that has been replayed; the proof that there is none; or `unknown` with the reason.
    """
    admits = admitting(resolved, assumed=assumed)
    by_rules = replace(resolved, metric=of_events(resolved, (), assumed=assumed))
    at_once = _at_once(by_rules, admits, assumed=assumed)
    if at_once is not None:
        return at_once
    few = number_of(resolved.system.events) <= all_positions.MOST_EVENTS
    lost = lasting(resolved, resolved.goal.term, admits) if few else LostForGood()
    small = looked_at(resolved, lost.admits(admits), assumed=assumed) if few else None
    if small is not None:
        return said_of(small, by_rules, lost)
    later: list[Tries] = [by_climbing]
    # Of many events few can be built: those about the names in the goal are tried at once, or after a planning model
    # of single actions, which builds none of them.
    if number_of(resolved.system.events) > _MANY:
        resolved, single = _made_ready(resolved) if planning else (resolved, False)
        found = None if single else by_trying(by_rules, admits, of_related_events)
        if found is not None:
            return found
        later = [of_related_events] if single else []
    planned = None
    if planning and resolved.within is None:
        planned = reach(replace(resolved, effort=resolved.effort.part(budgets.PLANNING_MODEL)))
        settled = _lift_answer(planned, by_rules, admits)
        if settled is not None:
            return settled
    # Where the planning model has no plan, trying events rarely finds one: proofs come first, after a glance.
    hopeless = planned is not None and planned.status == "unreachable"
    most = budgets.TRYING_ANYWAY if hopeless else math.inf
    for kind in later:
        found = by_trying(by_rules, admits, kind, most=most)
        if found is not None:
            return found
    lost = lost if few else lasting(resolved, resolved.goal.term, admits)
    admits = lost.admits(admits)
    small = None if few else looked_at(resolved, admits, assumed=assumed)
    found = small or by_each_method(resolved, admits, lost, assumed=assumed, hopeless=hopeless)
    if found.status == "unknown" and planned is not None and planned.status == "unreachable":
        every = {*planned.events.included} >= {s.name for s in resolved.system.events}
        some = "single events as plans have them" if every else f"{', '.join(planned.events.included)} alone"
        return replace(found, reason=f"{found.reason}; by {some} it is unreachable")
    return found


def by_each_method(
    resolved: ResolvedQuestion, admits: Admits, lost: LostForGood, *, assumed: bool, hopeless: bool = False
) -> Reach:
    """The answer of the first method that decides, from the cheap to the dear; else `unknown`.

    Args:
        resolved: The question.
        admits: Which events may happen.
        lost: What the goal needs for good; events that lose it are not admitted.
        assumed: Whether events also need what the game assumes beyond its text.
        hopeless: Whether a planning model has no plan, so that proofs are tried before long records.
    """
    by_rules = replace(resolved, metric=of_events(resolved, (), assumed=assumed))
    found = (
        by_trying(by_rules, admits, by_relaxed_distance)
        or unlawful(by_rules)
        or summed_up(by_rules, admits)
        or turn_by_turn(by_rules, admits, lost, GLANCE)
        or led_to(by_rules, admits)  # not sooner: where there is a witness, it mostly takes all its time
        or turn_by_turn(by_rules, admits, lost, LOOK)
        or by_bearing(resolved, admits, assumed=assumed, hopeless=hopeless)
    )
    return said_of(found, by_rules, lost)


def by_names(resolved: ResolvedQuestion, admits: Admits) -> Reach | None:
    """A witness among events about the names in the goal, of which few are built where they are many; else None."""
    many = number_of(resolved.system.events) > _MANY
    return by_trying(resolved, admits, of_related_events if many else by_climbing)


def _made_ready(resolved: ResolvedQuestion) -> tuple[ResolvedQuestion, bool]:
    """Build the planning model's steps once; returns the question with them, and whether they are single actions.

    Single actions have methods without unrolling, so the model is then tried before the events.
    """
    if resolved.within is not None:
        return resolved, False
    try:
        with until(resolved.effort.deadline.part(budgets.PLANNING_MODEL)):
            made = resolved.transition()
    except TimeUp:
        return resolved, False
    return replace(resolved, metric=replace(resolved.metric, transition=lambda *_: made)), bool(actions_of(made))


def _at_once(resolved: ResolvedQuestion, admits: Admits, *, assumed: bool) -> Reach | None:
    """Try the cheap methods; None if they do not decide.

    The goal holds already, or is contradictory; or hill climbing over related events reaches it; or only few events
    are relevant to it.
    """
    if holds(resolved, resolved.goal.term):
        return holding(resolved)
    proof = by_numbers(resolved.goal.term, resolved.effort, _FEW_NUMBERS)
    if proof is not None:
        return never_by(resolved, proof)
    if number_of(resolved.system.events) <= _MANY:
        return None
    found = by_trying(resolved, admits, by_climbing)
    return found or _of_few_events(resolved, admits, assumed=assumed)


def looked_at(resolved: ResolvedQuestion, admits: Admits, *, assumed: bool) -> Reach | None:
    """The answer where play can reach so few positions that all of them are looked at; else None."""
    found = positions_of(resolved, admits)
    if found is None:
        return None
    of_all = replace(resolved, metric=of_events(resolved, found.events, assumed=assumed))
    if found.record is not None:
        return witness(of_all, found.record, admits)
    never = replace(unanswered(of_all, ""), status="unreachable", events=kinds_of(resolved.system, found.events))
    return replace(never, proof=proof_text(of_all, found.proof, None))


def _of_few_events(resolved: ResolvedQuestion, admits: Admits, *, assumed: bool) -> Reach | None:
    """The answer if so few events are relevant to a goal that exploring them all takes no time; else None."""
    try:
        with until(resolved.effort.deadline):
            relevant(resolved.system, [resolved.goal.term], admits, start=resolved.state, most=_FEW_BEARING)
    except (TooManyToBuild, TimeUp):
        return None
    glance = replace(resolved, effort=resolved.effort.part(budgets.TRYING))
    found = by_bearing(glance, admits, assumed=assumed)
    return None if found.status == "unknown" else found


def _lift_answer(planned: Reach, by_rules: ResolvedQuestion, admits: Admits) -> Reach | None:
    """Lift a planning model's answer to all events: an admitted witness or a proof over positions; else None."""
    same = replace(
        planned,
        heading=by_rules.metric.heading,
        by=by_rules.metric.name,
        events=by_rules.events,
        assumptions=by_rules.assumptions,
        elapsed_s=by_rules.effort.elapsed_s,
    )
    if planned.proof is not None and planned.proof.method == ProofMethod.POSITIONS:
        return same
    events = planned.record.events if planned.record else None
    with grace_period(ANSWERING):
        steps = None if events is None else as_played(by_rules.system, by_rules.state, events, admits)
    return None if steps is None else shorter(replace(same, depth=len(steps), steps=steps), by_rules, admits)


@dataclass(frozen=True)
class Looked:
    """The result of a look at all positions.

    Attributes:
        events: The events that were looked at: those that bear on the goal.
        record: The fewest of them that lead to the goal; None: none do.
        proof: The proof that none do; None where only records of at most so many events were asked for.
    """

    events: Sequence[Grounded]
    record: tuple[Event, ...] | None
    proof: Proof | None


def positions_of(resolved: ResolvedQuestion, admits: Admits) -> Looked | None:
    """Look at all positions that play can reach; None if there are too many of them, or too many events.

    Args:
        admits: Which events may happen.
    """
    most = all_positions.MOST_EVENTS
    if libraries_missing() or number_of(resolved.system.events) > _BUILT:
        return None
    from vclogic.explore.events import TooManyEvents, each_number  # needs NumPy

    try:
        with until(resolved.effort.deadline.part(1.0, budgets.GROUNDING)):
            bearing = relevant(resolved.system, [resolved.goal.term], admits, start=resolved.state)
            if len(bearing) > most:
                return None
            events = each_number(bearing, 2 * most)
    except (TooManyToBuild, TooManyEvents, TimeUp):
        return None
    asked = resolved.system.layout, resolved.state, resolved.goal.term, events
    found = all_positions.look_at_all(*asked, resolved.effort, resolved.within)
    if found is None:
        return None
    proof = None if found.record is not None else all_positions.positions_proof(*asked, found, resolved.effort)
    return Looked(bearing, found.record, proof)

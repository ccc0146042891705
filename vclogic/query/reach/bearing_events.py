"""Reachability over the events that bear on a goal: those that lead to it, and all that are relevant to it."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache

from vclogic.choices import choice
from vclogic.clock import ANSWERING, TIME_UP, TimeUp, grace_period, until
from vclogic.encode.grounding import Admits, TooManyToBuild, changing, directly, places, relevant, size
from vclogic.encode.step_slice import StepSlices
from vclogic.encode.turn_bounds import Limits, turn_bounds
from vclogic.model.actions import Schema
from vclogic.model.fluents import Value
from vclogic.model.grounded import Grounded, choices, number_of
from vclogic.model.system import ANY, IDLE, System
from vclogic.model.transition import Transition
from vclogic.query.reach.admitted import ALL, RULES, admitting, kinds_of, of_events, only
from vclogic.query.reach.answer import Reach
from vclogic.query.reach.by_steps import in_words, proof_text, reach, unanswered
from vclogic.query.reach.found_records import by_trying, shorter
from vclogic.query.reach.record_search import LONG, RecordSearch, by_relaxed_distance, of_given_events
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.solve import budgets
from vclogic.solve.problem import Proof, ProofMethod
from vclogic.solve.proofs.backwards import backwards
from vclogic.solve.proofs.by_turns import kept_by_each
from vclogic.solve.proofs.invariants import by_invariants, easy
from vclogic.solve.proofs.lost_for_good import LostForGood, confirm_loss, lost_for_good, needs_of
from vclogic.solve.proofs.summands import by_summands
from vclogic.solve.proofs.unreachability import by_closure, by_laws
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import all_of
from vclogic.terms.rewrite import substitute
from vclogic.terms.term import Term, conjuncts, variables

_FEW = 2  # events in a row that are tried before all events are looked at
MOST = 40_000  # events that can be looked at, of those that bear on a goal
GLANCE = Limits(fluents=150, events=1_500, work=15_000)  # at what can be gained turn by turn: a second
LOOK = Limits(fluents=600, events=12_000, work=400_000)  # the same once what leads to the goal was followed
_FEW_PARTS = 3  # parts of a goal each of which is followed backwards by itself


def led_to(resolved: ResolvedQuestion, admits: Admits) -> Reach | None:
    """Prove the goal unreachable by what leads to it, by one event, by two, and so on; None without a proof."""
    looked: dict[str, None] = {}
    left = budgets.LEADING_EVENTS_IN_ALL

    def leading(term: Term) -> list[Grounded]:
        nonlocal left
        events = directly(resolved.system, [term], admits, most=min(budgets.LEADING_EVENTS, left))
        left -= len(events)
        looked.update(dict.fromkeys(g.schema.name for g in events))
        return events

    effort = resolved.effort.part(budgets.LEADING_SHARE)
    small = [
        t
        for t in conjuncts(easy(resolved.goal.term))
        if t is not resolved.goal.term and substitute(t, resolved.start) is FALSE
    ]
    asked = [*small[:_FEW_PARTS], resolved.goal.term]  # where a part is never so, the whole is not
    for more, part in zip(range(len(asked), 0, -1), asked, strict=True):
        mine = effort.part(1 / more)
        proof: Proof | None = None
        looked.clear()
        with suppress(TimeUp), until(mine.deadline):
            proof = backwards(part, leading, resolved.start, resolved.invariants, mine)
        if proof is not None:
            kinds = tuple(s.name for s in resolved.system.events if s.name in looked)
            return replace(never_by(resolved, proof), events=only(resolved.system, kinds))
    return None


def lasting(resolved: ResolvedQuestion, goal: Term, admits: Admits) -> LostForGood:
    """The parts of a goal that no event brings back: a search may leave out the events that lose them.

    Args:
        goal: Bool; what it says of fluents alone counts.
        admits: Which events may happen.
    """
    fluents, where = resolved.system.layout.slot, places(resolved.system.layout)
    seen: set[tuple[str, tuple[Value, ...]]] = set()
    built: dict[frozenset[Term], list[Grounded]] = {}

    def touching(term: Term) -> list[Grounded]:
        nonlocal seen
        about = frozenset(variables(term))
        if about not in built:
            parts = [(s, given) for s in resolved.system.events for given in changing(s, about, where)]
            if sum(size(s, given) for s, given in parts) > budgets.NEEDING_EVENTS:
                raise TooManyToBuild
            more = {(s.name, tuple(args.values())) for s, given in parts for args in choices(s, given)} | seen
            if len(more) > budgets.NEEDING_EVENTS:
                raise TooManyToBuild
            seen = more
            built[about] = directly(resolved.system, [term], admits)
        return built[about]

    spoken = all_of(t for t in needs_of(goal) if all(v in fluents for v in variables(t)))
    return lost_for_good(spoken, touching, resolved.start)


def said_of(found: Reach, resolved: ResolvedQuestion, lost: LostForGood) -> Reach:
    """The answer with what its proof takes for granted: that nothing is lost that no event brings back."""
    over = found.proof is not None and found.proof.method in (ProofMethod.POSITIONS, ProofMethod.ONE_STEP)
    if found.proof is None or over or not lost.needs:
        return found
    claim = None
    if found.proof.rechecked:
        with suppress(TimeUp), grace_period(ANSWERING):
            claim = confirm_loss(lost, resolved.effort)
    by = found.proof.confirmed_by
    if by and claim is not None:  # another solver agrees only if it agrees with this too
        other = resolved.effort.confirming_solvers((claim,))
        by = by if other in (by, "terms") else other
    kept = in_words(lost.needs)
    return replace(found, proof=replace(found.proof, kept=kept, rechecked=claim is not None, confirmed_by=by))


def turn_by_turn(resolved: ResolvedQuestion, admits: Admits, lost: LostForGood, limits: Limits) -> Reach | None:
    """Prove the goal unreachable by what each fluent can be turn by turn; None without a proof.

    Args:
        lost: What the goal needs for good: it may bound the rounds.
        limits: How much is looked at.
    """
    clock = [f for f in resolved.system.schedule if f.mask or f in variables(*lost.needs)]
    if not clock:
        return None
    resolved.progress("looking at what can be gained turn by turn")
    effort = resolved.effort.part(budgets.BY_TURNS_SHARE)
    with suppress(TimeUp), until(effort.deadline):
        found = turn_bounds(resolved.system, resolved.goal.term, admits, resolved.state, clock, limits)
        if found is None:
            return None
        claims = kept_by_each(found.laws, resolved.goal.term, found.events, resolved.start, effort, found.moments)
        if claims is not None:
            kinds = kinds_of(resolved.system, found.events)
            return replace(never_by(resolved, Proof(ProofMethod.TURNS, found.laws, claims=claims)), events=kinds)
    return None


def unlawful(resolved: ResolvedQuestion) -> Reach | None:
    """Prove that no position satisfies the goal, by the laws about what it speaks of; None without a proof."""
    proof: Proof | None = None
    with suppress(TimeUp), until(resolved.effort.deadline):
        proof = by_laws(resolved.goal.term, (rule.kept for rule in resolved.system.laws), resolved.effort)
    return None if proof is None else never_by(resolved, proof)


def summed_up(resolved: ResolvedQuestion, admits: Admits) -> Reach | None:
    """Prove the goal unreachable by what each part of its sums can come to; None without a proof."""
    looked: dict[str, None] = {}

    def leading(fluents: Iterable[Term]) -> list[Grounded]:
        events = directly(resolved.system, fluents, admits, most=budgets.LEADING_EVENTS)
        looked.update(dict.fromkeys(g.schema.name for g in events))
        return events

    effort = resolved.effort.part(budgets.SUMMANDS_SHARE)
    laws = [rule.kept for rule in resolved.system.laws]
    with suppress(TimeUp, TooManyToBuild), until(effort.deadline):
        proof = by_summands(resolved.goal.term, leading, resolved.start, resolved.invariants, laws, effort)
        if proof is not None:
            kinds = tuple(s.name for s in resolved.system.events if s.name in looked)
            return replace(never_by(resolved, proof), events=only(resolved.system, kinds))
    return None


def by_bearing(resolved: ResolvedQuestion, admits: Admits, *, assumed: bool, hopeless: bool = False) -> Reach:
    """The answer over the events that are relevant to the goal.

    Args:
        admits: Which events may happen.
        assumed: Whether they also need what the game assumes beyond its text.
        hopeless: Whether a planning model has no plan, so that a proof is tried first.
    """
    few, asked = resolved, replace(resolved, metric=of_events(resolved, (), assumed=assumed))
    try:
        try:
            events = relevant(resolved.system, [resolved.goal.term], admits, start=resolved.state, most=MOST)
        except TooManyToBuild:
            few = _few_enough(resolved)
            asked = replace(few, metric=of_events(few, (), assumed=assumed))
            events = relevant(few.system, [resolved.goal.term], admits, start=resolved.state)
        of_all = replace(asked, metric=of_events(few, events, assumed=assumed))
        made = cache(lambda: of_given_events(few.system, events, resolved.goal.term))

        def trial(*_: object) -> RecordSearch:
            return made()

        def long(system: System, admits: Admits, goal: Term) -> RecordSearch:
            return by_relaxed_distance(system, admits, goal, events=made().events, work=LONG)

        # From the cheap to the dear: the first that decides gives the answer.
        found = (
            (None if hopeless else by_trying(of_all, admits, trial, most=budgets.BEFORE_A_PROOF))
            or _never(of_all, events, assumed=assumed)
            or _out_of_reach(of_all)
            or _unhelped(resolved, assumed=assumed)
            or by_trying(replace(of_all, system=resolved.system), admits, long)
            or by_trying(of_all, admits, trial)
            or _soon(asked, admits, assumed=assumed)
            or shorter(reach(of_all), of_all, admits)
        )
        if found.status == "unreachable":
            found = replace(found, events=kinds_of(few.system, events))
    except TimeUp:
        found = unanswered(asked, TIME_UP)
    return found if few is resolved else _of_few(resolved, found)


def _unhelped(resolved: ResolvedQuestion, *, assumed: bool) -> Reach | None:
    """A witness in which the other side is idle, though it may help; None if none is found.

    What an idle side does it may do where it helps too, and there are far fewer such records.
    """
    if resolved.opponent != ANY or resolved.side is None:
        return None
    idle = replace(resolved, opponent=IDLE, effort=resolved.effort.part(budgets.UNHELPED))
    found = by_bearing(idle, admitting(idle, assumed=assumed), assumed=assumed)
    return replace(found, assumptions=resolved.assumptions) if found.status == "reachable" else None


def _few_enough(resolved: ResolvedQuestion) -> ResolvedQuestion:
    """The question restricted to as many kinds of events as can be explored: those with the fewest events."""
    found: list[Schema] = []
    for schema in sorted(resolved.system.events, key=lambda s: number_of([s])):
        if number_of([*found, schema]) > MOST:
            events = tuple(s for s in resolved.system.events if s in found)
            return replace(resolved, system=replace(resolved.system, events=events, _instances={}))
        found.append(schema)
    return resolved


def _of_few(resolved: ResolvedQuestion, found: Reach) -> Reach:
    """Lift an answer about some kinds of events to all: a witness or a proof over positions; else `unknown`."""
    found = replace(found, events=only(resolved.system, tuple(resolved.system.schemas)))
    if found.status == "reachable" or (found.proof is not None and found.proof.method == ProofMethod.POSITIONS):
        return found
    number = number_of(resolved.system.events)
    less = f"`{choice('by', resolved.metric.name)}` asks a planning model, which has fewer"
    less = less if resolved.metric.name not in (ALL, RULES) else "say by `happens` which of them are meant"
    reason = f"too many of the {number:,} events of the rules could matter to the goal to try them all; {less}"
    return replace(found, status="unknown", proof=None, reason=reason)


def _never(resolved: ResolvedQuestion, events: Iterable[Grounded], *, assumed: bool) -> Reach | None:
    """Prove the goal unreachable by invariants of the events that affect its easy parts; None without a proof."""
    small = easy(resolved.goal.term)
    if small is TRUE:
        return None
    resolved.progress("looking at facts that no event changes")
    all_events = tuple(events)

    def touching(fluents: Collection[Term]) -> list[Grounded]:
        return [g for g in all_events if any(fluent in fluents for fluent, _ in g.action.effects)]

    def step_of(few: Sequence[Grounded]) -> Transition:
        return replace(resolved, metric=of_events(resolved, few, assumed=assumed)).transition()

    _, step = steps_about(small, touching, step_of)
    effort = resolved.effort.part(budgets.GUESSES_SHARE, budgets.GUESSES)
    proof = by_invariants(small, step, resolved.start, resolved.invariants, effort, most=1)
    return None if proof is None else never_by(resolved, proof)


def steps_about(
    small: Term,
    touching: Callable[[Collection[Term]], list[Grounded]],
    step_of: Callable[[Sequence[Grounded]], Transition],
) -> tuple[list[Grounded], Transition]:
    """The events that change the fluents which invariants of a small condition are about, and the step of them.

    Numbers that might leave their sorts are among these fluents, so all events that change them count too.
    """
    about = dict.fromkeys(variables(small))
    while True:
        events = touching(about)
        step = step_of(events)
        more = StepSlices(step).with_numbers(about)
        if all(f in about for f in more):
            return events, step
        about |= dict.fromkeys(more)


def _out_of_reach(resolved: ResolvedQuestion) -> Reach | None:
    """Prove the goal unreachable by the delete relaxation of the events; None without a proof."""
    resolved.progress("looking at all that can be gained")
    effort = resolved.effort.part(budgets.TRYING)
    try:
        with until(effort.deadline):
            proof = by_closure(resolved.goal.term, resolved.transition(), resolved.start, resolved.invariants, effort)
    except TimeUp:
        return None
    return None if proof is None or not proof.rechecked else never_by(resolved, proof)


def never_by(resolved: ResolvedQuestion, proof: Proof) -> Reach:
    """The answer "unreachable" with its proof."""
    return replace(
        unanswered(resolved, ""),
        status="unreachable",
        proof=proof_text(resolved, proof, None, (), resolved.goal.text),
    )


def _soon(resolved: ResolvedQuestion, admits: Admits, *, assumed: bool) -> Reach | None:
    """Search for a witness of few events among those that change the goal's fluents; None if none is found."""
    few = min(_FEW, math.inf if resolved.within is None else resolved.within)
    events = directly(resolved.system, [resolved.goal.term], admits)
    metric, effort = of_events(resolved, events, assumed=assumed), resolved.effort.part(budgets.FEW_EVENTS)
    found = reach(replace(resolved, metric=metric, within=int(few), effort=effort))
    return replace(found, assumptions=resolved.assumptions) if found.status == "reachable" else None

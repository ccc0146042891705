"""Several cheapest plans, of which none holds all that another one holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from vclogic.clock import ANSWERING, TIME_UP, TimeUp, granted, until
from vclogic.encode.blocking import Mark, marks, memory, not_all, remembering
from vclogic.model.actions import Action, Event
from vclogic.model.transition import actions_of
from vclogic.query.answers import OnePlan, Plans
from vclogic.query.battles import battles_of
from vclogic.query.plan_record import recorded
from vclogic.query.plan_request import Ask
from vclogic.query.preferred import shown
from vclogic.query.replay import as_events, simplified
from vclogic.solve.problem import Problem, Search
from vclogic.solve.strategy import Question, solve
from vclogic.terms.atoms import FALSE
from vclogic.terms.build import all_of, and_
from vclogic.terms.term import Term

ENOUGH = "as many as were asked for"
NOT_CHEAPEST = "the plan is not proved to be a cheapest one"


def several(ask: Ask, problem: Problem, goal: Term, found: Search, first: OnePlan) -> Plans:
    """Further plans of the cost of a cheapest plan.

    Each search asks for a plan that leaves out something of each plan so far. Events that are interchangeable for the
    goal count as one, and those that another event is never worse than are left out (`encode/dominance.py`).

    Args:
        ask: The question, with the number of plans.
        goal: Bool, over fluents.
        found: The cheapest plan.
        first: The same, as the answer shows it.
    """
    if found.cost is None or found.cost != found.lower_bound:
        return Plans((first,), False, NOT_CHEAPEST)
    plans, blocked = [first], [marks(problem.transition, found.steps or ())]
    seen = [_decided(ask, as_events(first.steps))]
    while len(plans) < ask.plans and blocked[-1]:
        ask.progress(f"looking for plan {len(plans) + 1} of {ask.plans}", found.cost, found.cost)
        try:
            with until(ask.effort.deadline):
                following = without(problem, blocked)
                next_ = solve(Question(following, ask.effort, parties(ask, following)))
                if next_.exhausted or (next_.lower_bound is not None and next_.lower_bound > found.cost):
                    return Plans(tuple(plans), True)
                if next_.cost != found.cost or next_.steps is None:
                    return Plans(tuple(plans), False, TIME_UP if ask.effort.deadline.left <= 0 else next_.reason)
                if not actions_of(problem.full) and not problem.full.scoped:
                    next_ = simplified(ask.system, ask.state, problem, next_)
            other = shown(ask, problem, next_)
            with granted(ANSWERING):
                decided = _decided(ask, other.events)
                if not any(decided >= before for before in seen):  # else the plans differ in what is no event
                    seen.append(decided)
                    record = recorded(ask.system, ask.state, other.events, goal, ask.effort.deadline)
                    plans.append(OnePlan(other.steps, record, battles_of(ask, record)))
        except TimeUp:
            return Plans(tuple(plans), False, TIME_UP)
        blocked.append(marks(problem.transition, next_.steps or ()))
    return Plans(tuple(plans), True) if not blocked[-1] else Plans(tuple(plans), False, ENOUGH)


def _decided(ask: Ask, events: Iterable[Event]) -> frozenset[Event]:
    """The events that somebody decides."""
    schemas = ask.system.schemas
    return frozenset(e for e in events if e.name not in schemas or not schemas[e.name].routine)


def without(problem: Problem, blocked: list[frozenset[Mark]]) -> Problem:
    """The problem of a plan that does not hold all of any of some plans."""
    chosen = frozenset().union(*blocked)
    differs = all_of(map(not_all, blocked))
    later = problem.regressions
    fresh: Mapping[Term, Term] = {memory(m): FALSE for m in chosen}
    return replace(
        problem,
        start={**problem.start, **fresh},
        begin={**problem.begin, **fresh},
        transition=remembering(problem.transition, chosen),
        regressions=replace(later, goals={and_(g, differs): k for g, k in later.goals.items()}),
    )


def parties(ask: Ask, problem: Problem) -> list[dict[Term, Action]]:
    """The actions of each side."""
    parties: dict[str | None, dict[Term, Action]] = {}
    for taken, action in actions_of(problem.transition).items():
        side = ask.system.side_of(action.actor) if isinstance(action.actor, str) else None
        parties.setdefault(side, {})[taken] = action
    return list(parties.values())

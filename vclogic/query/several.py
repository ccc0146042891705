"""Several cheapest plans, of which none holds all that another one holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from vclogic.clock import ANSWERING, TIME_UP, TimeUp, granted, until
from vclogic.encode.conditions import still_true
from vclogic.model.actions import Event
from vclogic.model.transition import Scoped, SingleActions, Transition, Wanted
from vclogic.query.answers import OnePlan, Plans
from vclogic.query.battles import battles_of
from vclogic.query.plan_request import Ask, PlanningProblem
from vclogic.query.planning import Planning, find
from vclogic.query.preferred import shown
from vclogic.query.replay import as_events
from vclogic.solve.problem import Problem, Search
from vclogic.terms.atoms import FALSE, TRUE, var
from vclogic.terms.build import all_of, and_, eq, ge, not_, or_
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import BOOL, EnumSort
from vclogic.terms.term import Term

ENOUGH = "as many as were asked for"
NOT_CHEAPEST = "the plan is not proved to be a cheapest one"


def several(planning: Planning, problem: Problem, found: Search, first: OnePlan) -> Plans:
    """Further plans of the cost of a cheapest plan.

    Each search asks for a plan that leaves out something of each plan so far. Events that are interchangeable for the
    goal count as one, and those that another event is never worse than are left out (`encode/dominance.py`).

    Args:
        planning: The question, with the number of plans.
        problem: The planning problem.
        found: The cheapest plan.
        first: The same, as the answer shows it.
    """
    if found.cost is None or found.cost != found.lower_bound:
        return Plans((first,), False, NOT_CHEAPEST)
    ask, deadline = planning.ask, planning.ask.effort.deadline
    plans, blocked = [first], [marks(problem.transition, found.steps or ())]
    seen = [_decided(ask, as_events(first.steps))]
    while len(plans) < ask.plans and blocked[-1]:
        ask.progress(f"looking for plan {len(plans) + 1} of {ask.plans}", found.cost, found.cost)
        try:
            with until(deadline):
                task = PlanningProblem(without(problem, blocked), problem)
                next_ = find(ask, task, effort=ask.effort)
                if next_.exhausted or (next_.lower_bound is not None and next_.lower_bound > found.cost):
                    return Plans(tuple(plans), True)
                if next_.cost != found.cost or next_.steps is None:
                    return Plans(tuple(plans), False, TIME_UP if deadline.left <= 0 else next_.reason)
            other = shown(ask, problem, next_)
            with granted(ANSWERING):
                decided = _decided(ask, other.events)
                if not any(decided >= before for before in seen):  # else the plans differ in what is no event
                    seen.append(decided)
                    record = planning.recorded(other, task)
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


Mark = tuple[str, int]
"""The name of a choice and the number that is chosen; where a step says which events it comes to: an event, and 1."""


def memory(mark: Mark) -> Term:
    """The Bool fluent that says whether a choice has been made, in any step."""
    name, number = mark
    return var(f"chosen: {name} {number}", BOOL)


def marks(transition: Transition, steps: Iterable[Mapping[Term, int]]) -> frozenset[Mark]:
    """The choices of a plan in any of its steps."""
    if transition.taken is None:
        return frozenset((choice.name, n) for step in steps for choice, n in step.items() if n)
    found: set[Mark] = set()
    for step in steps:
        chosen = Substitution({c: TRUE if step.get(c) else FALSE for c in transition.choices})
        found.update((a.key, 1) for condition, a in transition.taken.items() if chosen(condition) is TRUE)
    return frozenset(found)


def not_all(chosen: frozenset[Mark]) -> Term:
    """Bool, over these fluents: a plan does not choose all of this."""
    return not_(all_of(memory(m) for m in sorted(chosen)))


def remembering(transition: Transition, chosen: frozenset[Mark]) -> Transition:
    """The same steps, with the fluents that say which of some choices have been made."""
    if isinstance(transition, SingleActions):
        actions = {
            taken: replace(a, effects=(*a.effects, (memory((taken.name, 1)), TRUE)))
            if (taken.name, 1) in chosen
            else a
            for taken, a in transition.actions.items()
        }
        seen = transition.looked_at
        return transition.over(actions, None if seen is None else seen | {memory(m) for m in chosen})
    if isinstance(transition, Scoped):
        scope = transition.scope
        own = frozenset(memory(m) for m in chosen)

        def remembered(state: Mapping[Term, Term], wanted: Wanted | None) -> Transition:
            return _marked(scope(state, None if wanted is None else frozenset(wanted) - own), chosen)

        return replace(transition, scope=remembered, hints=still_true(transition.hints))
    return _marked(transition, chosen)


def _marked(step: Transition, chosen: frozenset[Mark]) -> Transition:
    by_name: dict[str, list[int]] = {}
    for name, n in chosen:
        by_name.setdefault(name, []).append(n)
    following = dict(step.next)
    for condition, action in (step.taken or {}).items():
        if action.key in by_name:
            fluent = memory((action.key, 1))
            following[fluent] = or_(fluent, condition)
    for choice in () if step.taken is not None else step.choices:
        for n in by_name.get(choice.name, ()):
            fluent = memory((choice.name, n))
            following[fluent] = or_(fluent, _made(choice, n))
    return replace(step, next=following, hints=still_true(step.hints))


def _made(choice: Term, n: int) -> Term:
    """A Bool term: the choice is made; of numbers, it is at least `n`."""
    if choice.is_bool:
        return choice
    return eq(choice, choice.sort.members[n]) if isinstance(choice.sort, EnumSort) else ge(choice, n)

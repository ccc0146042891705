"""The largest value of an expression, and the cheapest plan that reaches it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from vclogic.clock import ANSWERING, TimeUp, granted, until
from vclogic.encode.affine import Unsupported
from vclogic.encode.delete_free import delete_free
from vclogic.encode.evaluator import interpret
from vclogic.encode.reachability_abstraction import closure
from vclogic.model.transition import actions_of
from vclogic.query.answers import Maximum, Plan
from vclogic.query.plan import plan
from vclogic.query.plan_request import Ask
from vclogic.query.planning import holds
from vclogic.solve import budgets
from vclogic.solve.problem import Problem
from vclogic.solve.searches.maximize import Maximization, maximize_bounded, maximize_delete_free, maximize_milp
from vclogic.solve.strategy import BUILDING, NO_LIMIT, NO_PROGRAM
from vclogic.terms.build import and_, ge
from vclogic.terms.partial import Partial
from vclogic.terms.rewrite import substitute


def maximize(ask: Ask, text: str, objective: Partial) -> Plan:
    """The largest value of an expression and a cheapest plan for it.

    Args:
        text: The expression as the user wrote it.
        objective: Int, over fluents; it counts only where it is defined.

    Returns:
        The plan, `optimal` only if the value is proved to be the largest and the plan to be a cheapest for it.
    """
    try:
        with until(ask.effort.deadline.part(budgets.LARGEST)):  # the rest is for the plan
            problem = ask.problem(objective.defined, (objective.value,), tail=False)
            found = _highest(ask, problem, objective)
    except TimeUp:
        found = Maximization(None, objective.value.hi, BUILDING)
    if found.value is None and found.reason:
        found = replace(found, value=_now(ask, objective))
    said, goal, proved = f"{text} is defined", objective.defined, not found.reason
    if found.value is not None:
        with granted(ANSWERING):
            goal = and_(goal, ge(objective.value, found.value))
        said, proved = f"{text} >= {found.value}", found.value >= found.upper_bound
    answer = plan(ask, said, goal, found.plan)
    if answer.status == "optimal" and not proved:
        answer = replace(answer, status="feasible", reason=found.reason)
    return replace(answer, maximum=Maximum(text, found.value, found.upper_bound))


def _now(ask: Ask, objective: Partial) -> int | None:
    """The present value, which an empty plan reaches; None if it is undefined."""
    with granted():
        slot = ask.system.layout.slot
        return interpret(objective.value, slot, ask.state) if holds(ask, objective.defined) else None


def _highest(ask: Ask, problem: Problem, objective: Partial) -> Maximization:
    actions = actions_of(problem.transition)
    free = delete_free(actions, problem.start, problem.metric)
    if free is not None and actions:
        with suppress(Unsupported):
            deadline = ask.effort.deadline.part(budgets.LARGEST)
            return maximize_delete_free(problem, free, objective.value, deadline, ask.progress)
    if not actions and problem.within is not None:
        try:
            return maximize_milp(problem, objective.value, ask.effort.part(budgets.LARGEST))
        except Unsupported as reason:
            ask.progress(f"HiGHS is not asked: {reason}")
    if problem.transition.hints.lemmas:
        return Maximization(None, objective.value.hi, NO_LIMIT if problem.within is None else NO_PROGRAM)
    # Time is kept for the plan, where the largest value turns out to be hard to prove.
    with ask.effort.part(budgets.LARGEST).session() as session:
        start = {f: t for f, t in ask.start.items() if f in problem.start}
        # A scoped step does not show what its choices change, so there no bound is known but that of the sorts.
        value = objective.value
        most = value.hi if problem.full.scoped else substitute(value, closure(problem.full, start)).hi
        return maximize_bounded(problem, value, most, session, ask.progress)

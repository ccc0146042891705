"""The search for a cheapest plan, as all questions ask for it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from vclogic.clock import ANSWERING, TimeUp, grace, grace_period
from vclogic.encode.python.evaluator import interpret
from vclogic.model.transition import actions_of
from vclogic.query.replay import simplify_plan
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.solve import budgets
from vclogic.solve.backends.session import Effort
from vclogic.solve.problem import NOTHING, Problem, SearchResult
from vclogic.solve.strategy import solve
from vclogic.terms.term import Term

START = "the start"
"""The proof that a goal that holds already costs nothing."""
HELD = SearchResult((), 0, 0, bound_by=START)
"""The plan for a goal that holds already."""


def holds(resolved: ResolvedQuestion, goal: Term) -> bool:
    """True if a goal holds already, so that nothing need be built or solved; evaluated whatever the deadline."""
    with grace_period(ANSWERING):
        return bool(interpret(goal, resolved.system.layout.slot, resolved.state))


def for_search(effort: Effort) -> Effort:
    """The resources of a search, without the time that is kept back for making its result an answer."""
    left = effort.deadline.left
    kept = max(left * budgets.PLAYING_SHARE, min(left * budgets.PLAYING_LEAST_SHARE, budgets.PLAYING_LEAST))
    return effort.part(most=left - min(kept, budgets.PLAYING))


def find(
    resolved: ResolvedQuestion,
    problem: Problem,
    *,
    effort: Effort | None = None,
    first: bool = False,
    known: SearchResult = NOTHING,
    better: Callable[[SearchResult], None] = lambda found: None,
) -> SearchResult:
    """Find a cheapest plan, or prove that there is none.

    Args:
        effort: The resources; None: those of the question, with time kept back for the answer.
        first: See `Effort`.
        known: A plan that is already known, if any.
        better: Called with each better plan, as the search has it.
    """
    effort = replace(effort or for_search(resolved.effort), first=first, certify=resolved.certify)
    return simpler(resolved, problem, solve(problem, effort, known, better))


def simpler(resolved: ResolvedQuestion, problem: Problem, found: SearchResult) -> SearchResult:
    """A result whose plan makes no choice that it does not need, as far as the time allows."""
    plain = problem.plain
    if found.steps is not None and problem.loose and not actions_of(plain.whole_step) and not plain.whole_step.scoped:
        with suppress(TimeUp), grace_period(grace()):
            return simplify_plan(resolved.system, resolved.state, plain, found)
    return found

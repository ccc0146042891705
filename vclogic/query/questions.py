"""The questions that need solvers: check the user's choices, then ask and answer.

The code of each kind of question is imported when it is asked.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from vclogic.choices import choice
from vclogic.clock import TimeUp
from vclogic.collector_paused import collector_paused
from vclogic.errors import Diagnostic, InputError
from vclogic.files.findings import Findings
from vclogic.files.record import Events
from vclogic.model.event_terms import EventWords
from vclogic.model.system import ANY
from vclogic.query.answers import Plan, Reach
from vclogic.query.conditions import read_conditions
from vclogic.query.plan_request import Ask, any_of_sides, check_numbers, opponent_of, side_for
from vclogic.query.request import Request
from vclogic.terms.event_words import RefusedWords
from vclogic.terms.resolve import compile_value
from vclogic.terms.sorts import IntSort

if TYPE_CHECKING:
    from vclogic.query.compare import Comparison
    from vclogic.query.duel import Defence, Force, Survival
    from vclogic.query.missing import Missing
    from vclogic.query.objectives.answer import Objectives

_LEAST = 1e-6  # seconds; where there are no more, the answer is what is known at once


def plan(
    request: Request,
    goal: str | None,
    maximize: str | None,
    *,
    side: str | None,
    minimize: str | None,
    within: int | None,
    opponent: str,
    certify: bool,
    plans: int = 1,
    without: Sequence[Events] = (),
    on_better: Callable[[Plan], object] | None = None,
) -> Plan:
    """The cheapest plan for a goal, or for the largest value of an expression; see `Game.plan`.

    Raises:
        InputError: The goal or a choice is wrong.
    """
    if (goal is None) == (maximize is None):
        raise InputError(Diagnostic("missing-goal", "say either what to reach or what to maximize"))
    check_numbers(request.timeout, plans, "plans", within)
    ask = partial(
        request.ask,
        side=side,
        metric=minimize,
        within=within,
        opponent=opponent_of(opponent),
        certify=certify,
        plans=plans,
        without=without,
    )
    if goal is not None:
        from vclogic.query.frozen import plan_unless_frozen
        from vclogic.query.plan import plan as find_plan

        compiled = request.goal(goal)
        with ask(compiled.mentions) as asked:
            return plan_unless_frozen(asked, find_plan(asked, goal, compiled.term, on_better=on_better))
    assert maximize is not None
    from vclogic.query.maximize import maximize as maximize_value

    expression = compile_value(maximize, request.setup.system.vocabulary, choice("maximize"))
    if not isinstance(expression.partial.value.sort, IntSort):
        raise InputError(Diagnostic("wrong-value", "what to maximize must be a number", choice("maximize"), 1, 1))
    with ask(expression.mentions) as asked:
        return maximize_value(asked, maximize, expression.partial)


def reach(
    request: Request,
    goal: str,
    *,
    side: str | None,
    within: int | None,
    opponent: str,
    by: str | None,
    without: Sequence[Events] = (),
) -> Reach:
    """Find a record that reaches a goal, or prove that there is none; see `Game.reach`.

    Raises:
        InputError: The goal or a choice is wrong.
    """
    from vclogic.query.all_events import RULES, of_events, reach_by_events
    from vclogic.query.by_last_event import reach_by_last_event
    from vclogic.query.frozen import unless_frozen
    from vclogic.query.reach import reach as reach_by_steps
    from vclogic.query.reach import unanswered

    over_events = by in (None, RULES)
    compiled = request.goal(goal, EventWords(request.setup.system) if over_events else _no_bundles(RULES))
    metric = None if over_events else by
    choices = request.ask(
        compiled.mentions,
        side=side,
        metric=metric,
        within=within,
        opponent=opponent_of(opponent),
        optional=True,
        option="by",
        without=without,
        every=over_events,
    )
    with choices as asked:
        if not over_events:
            return unless_frozen(asked, reach_by_steps(asked, goal, compiled.term))
        over = reach_by_last_event if compiled.of_events else reach_by_events
        try:
            found = unless_frozen(asked, over(asked, goal, compiled.term, assumed=by is None))
            return replace(found, not_judged=request.setup.system.not_judged({s.action for s in found.steps}))
        except TimeUp:
            asked = replace(asked, metric=of_events(asked, (), assumed=by is None))
            return unanswered(asked, goal, "the time was up before the search began")


def _no_bundles(rules: str) -> RefusedWords:
    problem = "speaks of single events: a step of a planning model may be many at once"
    return RefusedWords(problem, f"leave out `{choice('by')}`, or write `{choice('by', rules)}`")


def missing(request: Request, goal: str, *, keep: Sequence[str], change: Sequence[str], limit: int) -> Missing:
    """Find the changes that are missing for a goal; see `Game.missing`.

    Raises:
        InputError: The goal or a choice is wrong.
    """
    from vclogic.query import missing as lacking

    check_numbers(request.timeout, limit)
    system = request.setup.system
    parts = lacking.goal_parts(system, request.goal(goal))
    kept = lacking.fluents_named(system, keep)
    left = lacking.memories(system, lacking.fluents_named(system, change, "change"))
    question = lacking.RepairQuestion(system, request.state, parts, kept, limit, left)
    with request.effort() as effort:
        found = lacking.missing(request.setup.game, goal, question, effort, request.assumptions)
        return replace(found, kept=tuple(keep), elapsed_s=effort.elapsed_s)


def compare(request: Request, other: Request, on: str | None, *, within: int | None, numbers: int) -> Comparison:
    """Compare two games; see `Game.compare`.

    Args:
        request: The first game, and the resources.
        other: The second game.
        on: What to compare.
        within: The horizon.
        numbers: How many values of each numeric argument to compare.

    Raises:
        InputError: A choice is wrong, or `on` does not exist in both games.
    """
    from vclogic.query import compare as comparing

    check_numbers(request.timeout, numbers, "numbers", within)
    a, b = (comparing.Side(r.setup, r.state) for r in (request, other))
    both = tuple(x for x in request.setup.chosen_in_words if x in other.setup.chosen_in_words)
    with request.effort(other.setup) as effort:
        found = comparing.compare(comparing.Compared(a, b, on, within, numbers, effort, both))
        return replace(found, elapsed_s=effort.elapsed_s)


def objectives(
    request: Request,
    goal: str | None,
    *,
    side: str | None,
    minimize: str | None,
    opponent: str,
    within: int | None,
    threat: str | None,
    require: Sequence[Events],
    avoid: Sequence[Events],
    keep: str | None,
    limit: int,
) -> Objectives:
    """A briefing of a side; see `Game.objectives`.

    Raises:
        InputError: Everything that is wrong with the goals, the conditions and the choices.
    """
    from vclogic.query.planner import Planner

    found, system = Findings(), request.setup.system
    with found.catch():
        check_numbers(request.timeout, limit, within=within)
    with found.catch():
        if side is not None:
            side_for(system, (), side, opponent)
    with found.catch():
        planner = Planner(request.setup, request.state, side, minimize, opponent, built=False, option="minimize")
    # Something is wrong: look for further faults, so that one report has them all.
    if found:
        for text, option in ((goal, "goal"), (threat, "threat"), (keep, "keep")):
            with found.catch():
                if text is not None:
                    request.goal(text, option=option)
        with found.catch():
            read_conditions(system, system.metric(minimize) or system.metrics[0], require, avoid, None)
        found.stop()
    return planner.objectives(
        goal,
        within=within,
        threat=threat,
        require=require,
        avoid=avoid,
        keep=keep,
        limit=limit,
        budget_s=max(request.timeout - (time.monotonic() - request.began), _LEAST),
        progress=request.progress,
    )


def force(request: Request, goal: str, *, side: str | None, minimize: str | None, within: int) -> Force:
    """Ask if a side can force a goal; see `Game.force`.

    Raises:
        InputError: The goal or a choice is wrong.
    """
    from vclogic.query import force as forcing

    compiled = request.goal(goal)
    moving = side_for(request.setup.system, compiled.mentions, side, ANY)
    assert moving is not None
    with _duel(request, moving, minimize, within) as asked:
        return forcing.force(asked, goal, compiled.term)


def defend(
    request: Request, threat: str, *, side: str | None, minimize: str | None, within: int, idle: bool
) -> Defence:
    """The fewest moves against a threat; see `Game.defend`.

    Raises:
        InputError: The threat or a choice is wrong, or it is not the side's turn.
    """
    from vclogic.query import force as forcing

    system = request.setup.system
    compiled = request.goal(threat, option="threat")
    if side is None:
        threatening = side_for(system, compiled.mentions, None, ANY)
        others = [s for s in system.sides if s != threatening]
        moving = others[0] if len(others) == 1 else None
    else:
        moving = side_for(system, (), side, ANY)
    if moving is None:
        hint = f"say which side defends: {any_of_sides(system)}"
        raise InputError(Diagnostic("missing-side", "more than one side could defend", choice("side"), help=hint))
    with _duel(request, moving, minimize, within) as asked:
        return forcing.defend(asked, threat, compiled.term, idle=idle)


def survives(request: Request, plan: Plan, *, side: str | None, within: int | None) -> Survival:
    """Ask if a plan survives the strongest reply to it; see `Game.survives`.

    Raises:
        InputError: The plan has no turns, or cannot be played from this position.
    """
    from vclogic.query.survives import survives as answer

    if not plan.steps and plan.cost is None:
        raise InputError(Diagnostic("no-plan", f"there is no plan to look at: the answer is {plan.status!r}"))
    if plan.game != request.setup.game:
        message = f"the plan is of {plan.game}, not of {request.setup.game}"
        raise InputError(Diagnostic("not-for-this-game", message, choice("plan")))
    compiled = request.goal(plan.goal)
    moving = side_for(request.setup.system, compiled.mentions, side, ANY)
    assert moving is not None
    with _duel(request, moving, plan.metric, within) as asked:
        return answer(asked, plan.goal, compiled.term, plan.steps)


@contextmanager
def _duel(request: Request, side: str, minimize: str | None, within: int | None) -> Iterator[Ask]:
    """A question about turns of two parties, with the choices checked."""
    from vclogic.query.force import metric_of_turns

    check_numbers(request.timeout, within=within)
    with request.effort() as effort, collector_paused():
        metric = metric_of_turns(request.setup.system, minimize)
        yield request.question(side, ANY, metric, effort, within)

"""The cheapest plan for a goal, with a proof that no plan is cheaper."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal

from vclogic.clock import ANSWERING, TimeUp, answering, granted, until
from vclogic.encode.evaluator import interpret
from vclogic.model.transition import actions_of
from vclogic.query.answers import Horizon, OnePlan, Plan, Plans, Recorded, Step
from vclogic.query.battles import battles_of
from vclogic.query.exposed import check_held, exposure
from vclogic.query.plan_record import recorded
from vclogic.query.plan_request import Ask
from vclogic.query.plan_risks import Battles, Exposure
from vclogic.query.preferred import shown
from vclogic.query.replay import played, simplified
from vclogic.query.several import parties, several
from vclogic.solve import budgets
from vclogic.solve.problem import NOTHING, Problem, Search
from vclogic.solve.strategy import BUILDING, Question, solve
from vclogic.terms.term import Term

PLAYING = "a plan was found, but the time was up before it was played"

INEXACT = "steps of this metric are not single events, so other plans may meet the conditions"

START = "the start"
"""The proof that a goal that holds already costs nothing."""


def plan(
    ask: Ask, text: str, goal: Term, known: Search = NOTHING, on_better: Callable[[Plan], object] | None = None
) -> Plan:
    """The cheapest plan for a goal.

    Args:
        text: The goal as the user wrote it.
        goal: Bool, over fluents.
        known: A plan that is already known, if any.
        on_better: Called with each better plan while a cheaper one is looked for; what is said of its battles and of
            what it leaves exposed waits for the answer.

    Returns:
        The plan; `impossible` with the proof; or `unknown` with the reason.
    """
    problem, told = None, PlanReport()
    try:
        with until(ask.effort.deadline):
            if holds(ask, goal):
                found, told = Search((), 0, 0, bound_by=START), PlanReport(record=Recorded(()))
            else:
                problem = ask.problem(goal)
                better = None if on_better is None else _teller(ask, text, goal, problem, on_better)
                found = about_all(find(ask, problem, known=known, better=better), exact=ask.limited()[1])
    except TimeUp:
        found = replace(known if problem else NOTHING, reason=BUILDING)
    if found.steps is not None and problem is not None:
        try:
            told = _told(ask, problem, goal, found)
        except TimeUp:
            # A plan that was not replayed is not shown; the bound on all plans stays true.
            found = Search(lower_bound=found.lower_bound, bound_by=found.bound_by, exact=found.exact, reason=PLAYING)
    elif ask.plans > 1 and found.steps is not None:
        told = replace(told, plans=Plans((OnePlan((), Recorded(())),), True))
    if not as_asked(ask, told.record):
        found, told = replace(NOTHING, reason=INEXACT), PlanReport()
    said = answer(ask, text, found, told.steps, told.record)
    said = replace(said, plans=told.plans, battles=told.battles, exposed=told.exposed)
    return replace(said, assumptions=(*said.assumptions, *_rest(ask, told)))


def _teller(
    ask: Ask, text: str, goal: Term, problem: Problem, on_better: Callable[[Plan], object]
) -> Callable[[Search], None]:
    """Tells of better plans, each replayed first."""
    best = math.inf

    def tell(found: Search) -> None:
        nonlocal best
        if found.steps is None or found.cost is None or found.cost >= best:
            return
        best = found.cost
        with granted(answering()):
            play = played(ask.system, ask.state, problem, found)
            record = recorded(ask.system, ask.state, play.events, goal, ask.effort.deadline)
        if as_asked(ask, record):
            on_better(answer(ask, text, about_all(found, exact=ask.limited()[1]), play.steps, record))

    return tell


def about_all(found: Search, *, exact: bool) -> Search:
    """The result as a statement on all plans that meet the conditions: weaker unless only these were searched."""
    if exact:
        return found
    if found.exhausted:
        return replace(NOTHING, reason=INEXACT)
    return replace(found, lower_bound=None, bound_by=None, reason=found.reason or INEXACT)


def as_asked(ask: Ask, record: Recorded | None) -> bool:
    """True if a record holds none of the events that are left out."""
    events = record.events if record is not None else None
    return ask.without is None or ask.without.met(events or ())


@dataclass(frozen=True)
class PlanReport:
    """The parts of an answer on a plan; see `answers.Plan`."""

    steps: tuple[Step, ...] = ()
    record: Recorded | None = None
    battles: Battles | None = None
    exposed: Exposure | None = None
    plans: Plans | None = None


def _told(ask: Ask, problem: Problem, goal: Term, found: Search) -> PlanReport:
    """Play a plan, and say what there is to say of it.

    Raises:
        TimeUp: The time is up before it is played, and before it is seen whether it holds what it is to hold.
    """
    play = shown(ask, problem, found)
    with granted(answering()):
        record = recorded(ask.system, ask.state, play.events, goal, ask.effort.deadline)
    exposed = exposure(ask, play.states)
    if exposed is not None:
        check_held(ask, exposed)
    told = PlanReport(play.steps, record, battles_of(ask, record), exposed)
    if ask.plans > 1:
        return replace(told, plans=several(ask, problem, goal, found, OnePlan(told.steps, record, told.battles)))
    return told


def _rest(ask: Ask, told: PlanReport) -> tuple[str, ...]:
    """The assumptions of a plan's battles and of its exposed places."""
    rest = told.battles.assumptions if told.battles is not None else ()
    counter = ask.system.counter
    if counter is not None and (counter.holding.level or (told.exposed is not None and told.exposed.turns)):
        return (*rest, *counter.assumptions)
    return rest


@granted()
def answer(
    ask: Ask,
    text: str,
    found: Search,
    steps: tuple[Step, ...],
    record: Recorded | None,
    conditions: tuple[str, ...] = (),
) -> Plan:
    """The answer to a question for a plan.

    Args:
        text: The goal as the user wrote it.
        found: What was found.
        steps: The plan, replayed.
        record: The plan as a record.
        conditions: The conditions on the plan, in words.
    """
    return Plan(
        game=ask.game,
        goal=text,
        heading=ask.metric.heading,
        status=_verdict(found),
        metric=ask.metric.name,
        cost=found.cost,
        lower_bound=found.lower_bound,
        bound_by=found.proved_by,
        exact=(found.bound_by is not None and found.exact) or found.proof is not None,
        horizon=Horizon(ask.within, ask.metric.unit),
        events=ask.events,
        steps=steps,
        record=record,
        replayed=None if found.steps is None else True,
        assumptions=(*ask.assumptions, *conditions),
        reason=found.reason,
        elapsed_s=ask.effort.elapsed_s,
        argued=found.argued,
        scale=None if ask.metric.scale == 1 else ask.metric.scale,
        counted=ask.metric.counted,
    )


def holds(ask: Ask, goal: Term) -> bool:
    """True if a goal holds already, so that nothing need be built or solved; evaluated whatever the deadline."""
    with granted(ANSWERING):
        return bool(interpret(goal, ask.system.layout.slot, ask.state))


def _verdict(found: Search) -> Literal["optimal", "feasible", "impossible", "unknown"]:
    if found.steps is not None:
        return "optimal" if found.cost == found.lower_bound else "feasible"
    return "impossible" if found.exhausted else "unknown"


def find(
    ask: Ask,
    problem: Problem,
    *,
    first: bool = False,
    pause: float | None = None,
    known: Search = NOTHING,
    better: Callable[[Search], None] | None = None,
) -> Search:
    """Find a cheapest plan, or prove that there is none.

    Args:
        first: Whether any plan will do; see `strategy.Question`.
        pause: See `strategy.Question`.
        known: A plan that is already known, if any.
        better: Called with each better plan; None: nobody wants to know.
    """
    left = ask.effort.deadline.left
    effort = ask.effort.part(most=left - min(left * budgets.PLAYING_SHARE, budgets.PLAYING))

    def plain(found: Search) -> Search:
        if found.steps is not None and not actions_of(problem.full) and not problem.full.scoped:
            with granted(answering()):
                return simplified(ask.system, ask.state, problem, found)
        return found

    asked = Question(problem, effort, parties(ask, problem), first, ask.certify, pause)
    if better is not None:

        def tell(found: Search) -> None:
            with suppress(TimeUp):  # the search that found it goes on to its own end
                better(plain(found))

        asked = replace(asked, better=tell)
    return plain(solve(asked, known))

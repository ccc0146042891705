"""The questions that need solvers: check the user's choices, then ask and answer.

The code of each kind of question is imported when it is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from vclogic.clock import TimeUp
from vclogic.errors import Diagnostic, InputError
from vclogic.model.event_terms import EventWords
from vclogic.query.answers import Plan, Reach
from vclogic.query.plan_request import check_numbers, opponent_of
from vclogic.query.request import Request
from vclogic.terms.event_words import Refused
from vclogic.terms.resolve import compile_value
from vclogic.terms.sorts import IntSort

if TYPE_CHECKING:
    from vclogic.query.comparison import Comparison
    from vclogic.query.missing import Missing

_NO_BUNDLES = Refused(
    "speaks of single events: a step of a planning model may be many at once",
    "leave out `--by`, or write `--by rules`",
)


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
) -> Plan:
    """The cheapest plan for a goal, or for the largest value of an expression; see `Game.plan`.

    Raises:
        InputError: The goal or a choice is wrong.
    """
    if (goal is None) == (maximize is None):
        raise InputError(Diagnostic("missing-goal", "say either what to reach or what to maximize"))
    check_numbers(request.timeout, plans, "--plans", within)
    ask = partial(
        request.ask,
        side=side,
        metric=minimize,
        within=within,
        opponent=opponent_of(opponent),
        certify=certify,
        plans=plans,
    )
    if goal is not None:
        from vclogic.query.plan import plan as find_plan

        compiled = request.goal(goal)
        with ask(compiled.mentions) as asked:
            return find_plan(asked, goal, compiled.term)
    assert maximize is not None
    from vclogic.query.maximize import maximize as maximize_value

    expression = compile_value(maximize, request.setup.system.vocabulary, "--maximize")
    if not isinstance(expression.partial.value.sort, IntSort):
        raise InputError(Diagnostic("type", "what is maximized must be a number", "--maximize", 1, 1))
    with ask(expression.mentions) as asked:
        return maximize_value(asked, maximize, expression.partial)


def reach(
    request: Request, goal: str, *, side: str | None, within: int | None, opponent: str, by: str | None
) -> Reach:
    """Whether a goal can be reached at all; see `Game.reach`.

    Raises:
        InputError: The goal or a choice is wrong.
    """
    from vclogic.query.all_events import RULES, of_events, reach_by_events
    from vclogic.query.by_last_event import reach_by_last_event
    from vclogic.query.reach import reach as reach_by_steps
    from vclogic.query.reach import unanswered

    over_events = by in (None, RULES)
    compiled = request.goal(goal, EventWords(request.setup.system) if over_events else _NO_BUNDLES)
    metric = None if over_events else by
    choices = request.ask(
        compiled.mentions, side=side, metric=metric, within=within, opponent=opponent_of(opponent), optional=True
    )
    with choices as asked:
        if not over_events:
            return reach_by_steps(asked, goal, compiled.term)
        over = reach_by_last_event if compiled.of_events else reach_by_events
        try:
            return over(asked, goal, compiled.term, assumed=by is None)
        except TimeUp:
            asked = replace(asked, metric=of_events(asked, (), assumed=by is None))
            return unanswered(asked, goal, "the time was up before the search began")


def missing(request: Request, goal: str, *, keep: Sequence[str], limit: int) -> Missing:
    """What is missing for a goal; see `Game.missing`.

    Raises:
        InputError: The goal or a choice is wrong.
    """
    from vclogic.query import missing as lacking

    check_numbers(request.timeout, limit)
    system = request.setup.system
    parts = lacking.goal_parts(system, request.goal(goal))
    question = lacking.Question(system, request.state, parts, lacking.fluents_named(system, keep), limit)
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

    check_numbers(request.timeout, numbers, "--numbers", within)
    a, b = (comparing.Side(r.setup, r.state) for r in (request, other))
    both = tuple(x for x in request.setup.chosen_in_words if x in other.setup.chosen_in_words)
    with request.effort(other.setup) as effort:
        found = comparing.compare(comparing.Compared(a, b, on, within, numbers, effort, both))
        return replace(found, elapsed_s=effort.elapsed_s)

"""The cheapest plan for a goal, with a proof that no plan is cheaper."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from vclogic.query.answers import OnePlan, Plan, Plans, Recorded
from vclogic.query.battles import battles_of
from vclogic.query.exposed import check_held, exposure
from vclogic.query.plan_request import Ask, PlanningProblem
from vclogic.query.planning import Better, Planning, Wish
from vclogic.query.preferred import shown
from vclogic.query.several import several
from vclogic.solve.problem import NOTHING, Search
from vclogic.terms.term import Term


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
    tell: Better | None = None if on_better is None else lambda better, _: on_better(better)
    found = _FullPlanning(ask, Wish.of(ask, text, goal), tell, known).answer()
    more = found.battles.assumptions if found.battles is not None else ()
    counter = ask.system.counter
    if counter is not None and (counter.holding.level or (found.exposed is not None and found.exposed.turns)):
        more = (*more, *counter.assumptions)
    return replace(found, assumptions=(*found.assumptions, *more)) if more else found


class _FullPlanning(Planning):
    """A question for a plan with all that there is to say of it: its battles, what it exposes, other plans."""

    def finished(self, found: Search, task: PlanningProblem | None) -> Plan:
        """The answer with a plan as a player would rather have it.

        Raises:
            TimeUp: The time is up before it is played, and before it is seen whether it holds what it is to hold.
        """
        ask = self.ask
        if task is None:
            said, one = self.said(found, (), Recorded(())), OnePlan((), Recorded(()))
            return replace(said, plans=Plans((one,), True)) if ask.plans > 1 else said
        made = shown(ask, task.plain, found)
        record = self.recorded(made, task)
        exposed = None if ask.system.counter is None else exposure(ask, made.states)
        if exposed is not None:
            check_held(ask, exposed)
        battles = battles_of(ask, record)
        one = OnePlan(made.steps, record, battles)
        plans = several(self, task.problem, found, one) if ask.plans > 1 else None
        return replace(self.said(found, made.steps, record), plans=plans, battles=battles, exposed=exposed)

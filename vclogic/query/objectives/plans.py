"""Ways as plans of answers: played in Python, checked, with their record, their battles and their cost."""

from __future__ import annotations

from dataclasses import dataclass, replace

from vclogic.clock import ANSWERING, granted
from vclogic.encode.evaluator import interpret
from vclogic.query.answers import Horizon, OnePlan, Recorded
from vclogic.query.battles import battles_of
from vclogic.query.objectives.answer import Cost, Verdict
from vclogic.query.objectives.question import ObjectivesQuestion
from vclogic.query.objectives.ways import Way
from vclogic.query.plan_request import PlanningProblem
from vclogic.query.planning import Planning, Wish
from vclogic.query.replay import Played, ReplayError, played


@dataclass(frozen=True)
class PlayedWay:
    """A way that was played.

    Attributes:
        way: The way.
        made: Its steps, events and states.
        plan: The plan.
    """

    way: Way
    made: Played
    plan: OnePlan


def play(asked: ObjectivesQuestion, way: Way) -> PlayedWay:
    """Play a way.

    Args:
        way: A way that was found.

    Raises:
        ReplayError: The plan is illegal, does not reach the goal, breaks a condition, or takes other objectives than
            the way says.
        TimeUp: The time was up before it was played.
    """
    ask = asked.ask
    if way.problem is None:
        return PlayedWay(way, Played((), (), ()), OnePlan((), Recorded(())))
    made = played(ask.system, ask.state, way.problem, way.search)
    taken = frozenset(asked.taken(made.states))
    if taken != way.takes:
        raise ReplayError(f"the plan takes {sorted(taken)}, not {sorted(way.takes)}")
    task = PlanningProblem(way.problem, way.problem)
    record = Planning(ask, Wish(asked.text, asked.goal, asked.conditions)).recorded(made, task)
    return PlayedWay(way, made, OnePlan(made.steps, record, battles_of(ask, record)))


def counted_steps(asked: ObjectivesQuestion, done: PlayedWay) -> int:
    """The number of steps of a plan that count towards the horizon, those in which turns pass at its end left out."""
    if done.way.problem is None:
        return 0
    slot, counts = asked.ask.system.layout.slot, done.way.problem.full.counts
    before = (asked.ask.state, *done.made.states)[: len(done.way.search.steps or ())]
    return sum(bool(interpret(counts, slot, state)) for state in before)


def limited(asked: ObjectivesQuestion, best: Way) -> ObjectivesQuestion:
    """A question with a horizon: where none was asked for, as many counted steps as the best plan takes."""
    if asked.ask.within is not None or best.status != "found":
        return asked
    with granted(ANSWERING):
        steps = counted_steps(asked, play(asked, best))
    return replace(asked, ask=replace(asked.ask, within=steps))


def cost_of(asked: ObjectivesQuestion, way: Way, now: Cost | None) -> Cost:
    """The cost of a way, as far as it is known.

    Args:
        asked: The question, with its horizon.
        way: The answer about the cheapest way of some kind.
        now: What the cheapest plan of all costs; None: that is not known, or not to be compared with.
    """
    found = way.search
    horizon = Horizon(asked.ask.within, asked.ask.metric.unit)
    by = found.proved_by
    exact = (found.bound_by is not None and found.exact) or found.proof is not None
    if way.status != "found" or found.cost is None:
        nothing: Verdict = "impossible" if way.status == "none" else "unknown"
        bound = None if way.status == "none" else found.lower_bound
        return Cost(nothing, None, bound, None, by, exact, horizon, found.reason)
    proved = found.cost == found.lower_bound
    least = None if now is None or now.status != "optimal" or not proved else now.cost
    difference = None if least is None else found.cost - least
    status: Verdict = "optimal" if proved else "feasible"
    return Cost(status, found.cost, found.lower_bound, difference, by, exact, horizon, found.reason)

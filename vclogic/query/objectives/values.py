"""The worth of each objective: the goal's cost if the side takes it first, loses it, or never has it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

from vclogic.clock import TIME_UP, Deadline, TimeUp, look, until
from vclogic.model.fluents import State
from vclogic.model.objectives import Objective
from vclogic.query.answers import Horizon
from vclogic.query.objectives.answer import Cost, ObjectiveValue
from vclogic.query.objectives.plans import cost_of
from vclogic.query.objectives.question import ObjectivesQuestion
from vclogic.query.objectives.ways import Way, Ways
from vclogic.query.objectives.winning import Parts
from vclogic.solve.problem import NOTHING

Kind = Literal["closed", "first", "lost"]
About = tuple[str, Kind]
Question = Callable[[Deadline], Way]
Answers = Callable[[ObjectivesQuestion], Ways]
_NO_PLAN = 0.2  # the share of the time for what is lost where there is no plan even now
_TIME_UP = Way("unknown", replace(NOTHING, reason=TIME_UP))
_NOWHERE = Way("unknown", replace(NOTHING, reason="no position without it can be told"))


def values(
    asked: ObjectivesQuestion, ways: Ways, now: Cost, found: Parts, again: Answers, deadline: Deadline
) -> tuple[ObjectiveValue, ...]:
    """The worth of each main objective.

    Args:
        asked: The question; its limit is that of the plans that are compared.
        ways: Its answers.
        now: What the cheapest plan costs; its limit may be another one.
        found: What is known of the winning sets under that limit.
        again: The answers to the same question from another state.
        deadline: When to stop; each objective gets its share of the time.
    """
    about = [o for o in asked.ask.system.objectives if o.main]
    least = now
    if now.horizon != limit_of(asked):
        least = cost_of(asked, ways.find(frozenset(), deadline, cheapest=True), None)
    costs = _known(asked, least, found) if now.cost == least.cost else {}
    questions = {key: ask for key, ask in _questions(asked, ways, again, about).items() if key not in costs}
    if least.status == "impossible":
        deadline = deadline.part(_NO_PLAN)
    ways_of = in_turns(questions, deadline)
    costs |= {key: cost_of(asked, way, least) for key, way in ways_of.items() if way is not _NOWHERE}
    sets = found.cheapest if found.all_cheapest else None
    return tuple(_row(asked, o, sets, costs) for o in about)


def state_without(asked: ObjectivesQuestion, objective: Objective) -> State | None:
    """The state once an enemy has taken an objective from the side; None where no such state is known."""
    layout = asked.ask.system.layout
    values = layout.values(asked.ask.state)
    changes = None if objective.lost is None else objective.lost(asked.side, values)
    return None if changes is None else layout.state({**values, **changes})


def _row(
    asked: ObjectivesQuestion, o: Objective, cheapest: Collection[frozenset[str]] | None, costs: Mapping[About, Cost]
) -> ObjectiveValue:
    return ObjectiveValue(
        name=o.name,
        kind=o.kind,
        places=o.places,
        worth=o.worth.get(asked.side, ""),
        holder=min(asked.holders[o.name]) if len(asked.holders[o.name]) == 1 else None,
        held=_held(asked, o),
        cheapest=None if cheapest is None else sum(o.name in some for some in cheapest),
        first=costs.get((o.name, "first")),
        lost=costs.get((o.name, "lost")),
        closed=costs.get((o.name, "closed")),
    )


def _held(asked: ObjectivesQuestion, o: Objective) -> bool:
    return asked.side in asked.holders[o.name]


def limit_of(asked: ObjectivesQuestion) -> Horizon:
    """The limit of the plans of a question."""
    return Horizon(asked.ask.within, asked.ask.metric.unit)


def _known(asked: ObjectivesQuestion, now: Cost, found: Parts) -> dict[About, Cost]:
    """Costs that follow from cheapest plans: closing what one leaves out, or beginning as one does, costs no more.

    Where there is no plan at all, there is none that begins with an objective, or leaves one out.
    """
    if now.status == "impossible":
        open_ = [o.name for o in asked.ask.system.objectives if o.main and not _held(asked, o)]
        first: dict[About, Cost] = {(name, "first"): now for name in asked.main}
        return {**first, **{(name, "closed"): now for name in open_}}
    if now.status != "optimal":
        return {}
    never = {o.name for o in asked.ask.system.objectives if o.main and asked.side not in o.held}
    left = never.union(*(asked.main - some for some in found.cheapest))
    cheapest = (p for p in found.played.values() if p.way.search.cost == now.cost)
    begun = frozenset[str]().union(*(_begun_with(asked, p.made.states) for p in cheapest))
    same = replace(now, difference=0)
    return {**{(name, "closed"): same for name in left}, **{(name, "first"): same for name in begun}}


def _begun_with(asked: ObjectivesQuestion, states: Sequence[State]) -> frozenset[str]:
    """The objectives that a plan takes before all others."""
    taken = (asked.main.intersection(asked.had(s)) for s in states)
    return next((some for some in taken if some), frozenset())


def _questions(
    asked: ObjectivesQuestion, ways: Ways, again: Answers, about: Sequence[Objective]
) -> dict[About, Question]:
    """All questions."""

    def way_without(objective: Objective, deadline: Deadline) -> Way:
        with until(deadline):
            look()
            state = state_without(asked, objective)
            if state is None:
                return _NOWHERE
            other = again(replace(asked, ask=replace(asked.ask, state=state)))
        return other.find(frozenset(), deadline, cheapest=True)

    new = [o.name for o in about if o.name in asked.main]
    others = [o.name for o in about if o.name not in new and not _held(asked, o)]
    found: dict[About, Question] = {(name, "closed"): partial(ways.find, {name}, cheapest=True) for name in new}
    found |= {(name, "first"): partial(ways.find, frozenset(), cheapest=True, first=name) for name in new}
    found |= {(name, "closed"): partial(ways.find, frozenset(), cheapest=True) for name in others}
    having = [o for o in about if o.lost is not None and _held(asked, o)]
    return found | {(o.name, "lost"): partial(way_without, o) for o in having}


# ---- sharing the time


def in_turns(questions: Mapping[About, Question], deadline: Deadline) -> dict[About, Way]:
    """Answers of questions of which each gets the same share of the time.

    What a question leaves over goes to the others; those that are not decided then share what is left. A question
    that gave up before its time was over is not asked again.
    """
    found: dict[About, Way] = {}
    open_ = list(questions)
    while open_ and deadline.left > 0:
        again = []
        for i, key in enumerate(open_):
            share = deadline.part(1 / (len(open_) - i))
            way = _asked(questions[key], share)
            found[key] = _better(found.get(key), way)
            if not _decided(found[key]) and share.left <= 0:
                again.append(key)
        open_ = again
    return {key: found.get(key, _TIME_UP) for key in questions}


def _asked(question: Question, deadline: Deadline) -> Way:
    try:
        way = question(deadline)
    except TimeUp:
        return _TIME_UP
    if _decided(way) or deadline.left > 0:
        return way
    return replace(way, search=replace(way.search, reason=TIME_UP))


def _decided(way: Way) -> bool:
    return way.status == "none" or (way.status == "found" and way.search.cost == way.search.lower_bound)


def _better(before: Way | None, way: Way) -> Way:
    """Join two answers to the same question."""
    if before is None or _decided(way):
        return way
    costs = [w.search.cost for w in (before, way)]
    best = before if costs[1] is None or (costs[0] is not None and costs[0] < costs[1]) else way
    bounds = [w.search.lower_bound for w in (before, way) if w.search.lower_bound is not None]
    return replace(best, search=replace(best.search, lower_bound=max(bounds, default=None)))

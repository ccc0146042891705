"""The briefing of a side: all parts in the order of what is cheap to know, each with a share of the time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from vclogic.clock import ANSWERING, TIME_UP, Deadline, TimeUp, check_deadline, grace_period, until
from vclogic.encode.conditions import NO_CONDITIONS
from vclogic.model.fluents import State
from vclogic.model.objectives import Objective
from vclogic.query.answers import Horizon
from vclogic.query.objectives.answer import Cost, Next, Objectives, ObjectiveValue, Threat
from vclogic.query.objectives.choose import boundless, ways_of
from vclogic.query.objectives.next import AdvisedPlans, going_on, next_of
from vclogic.query.objectives.request import ObjectivesQuestion
from vclogic.query.objectives.threats import Menace, threats
from vclogic.query.objectives.ways import ObjectiveWay, ObjectiveWays, cost_of, limited, play
from vclogic.query.objectives.winning import Parts, parts
from vclogic.query.planner.cache import Built
from vclogic.solve.problem import NOTHING

# ---- the value of each objective


Kind = Literal["closed", "first", "lost"]
About = tuple[str, Kind]
Question = Callable[[Deadline], ObjectiveWay]
Answers = Callable[[ObjectivesQuestion], ObjectiveWays]
_NO_PLAN = 0.2  # the share of the time for what is lost where there is no plan even now
_TIME_UP = ObjectiveWay("unknown", replace(NOTHING, reason=TIME_UP))
_NOWHERE = ObjectiveWay("unknown", replace(NOTHING, reason="no position without it can be told"))


def values(
    asked: ObjectivesQuestion, ways: ObjectiveWays, now: Cost, found: Parts, again: Answers, deadline: Deadline
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
    about = [o for o in asked.resolved.system.objectives if o.main]
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
    layout = asked.resolved.system.layout
    values = layout.values(asked.resolved.state)
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
    return Horizon(asked.resolved.within, asked.resolved.metric.unit)


def _known(asked: ObjectivesQuestion, now: Cost, found: Parts) -> dict[About, Cost]:
    """Costs that follow from cheapest plans: closing what one leaves out, or beginning as one does, costs no more.

    Where there is no plan at all, there is none that begins with an objective, or leaves one out.
    """
    if now.status == "impossible":
        open_ = [o.name for o in asked.resolved.system.objectives if o.main and not _held(asked, o)]
        first: dict[About, Cost] = {(name, "first"): now for name in asked.main}
        return {**first, **{(name, "closed"): now for name in open_}}
    if now.status != "optimal":
        return {}
    never = {o.name for o in asked.resolved.system.objectives if o.main and asked.side not in o.held}
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
    asked: ObjectivesQuestion, ways: ObjectiveWays, again: Answers, about: Sequence[Objective]
) -> dict[About, Question]:
    """All questions."""

    def way_without(objective: Objective, deadline: Deadline) -> ObjectiveWay:
        with until(deadline):
            check_deadline()
            state = state_without(asked, objective)
            if state is None:
                return _NOWHERE
            other = again(replace(asked, resolved=replace(asked.resolved, state=state)))
        return other.find(frozenset(), deadline, cheapest=True)

    new = [o.name for o in about if o.name in asked.main]
    others = [o.name for o in about if o.name not in new and not _held(asked, o)]
    found: dict[About, Question] = {(name, "closed"): partial(ways.find, {name}, cheapest=True) for name in new}
    found |= {(name, "first"): partial(ways.find, frozenset(), cheapest=True, first=name) for name in new}
    found |= {(name, "closed"): partial(ways.find, frozenset(), cheapest=True) for name in others}
    having = [o for o in about if o.lost is not None and _held(asked, o)]
    return found | {(o.name, "lost"): partial(way_without, o) for o in having}


# ---- sharing the time


def in_turns(questions: Mapping[About, Question], deadline: Deadline) -> dict[About, ObjectiveWay]:
    """Answers of questions of which each gets the same share of the time.

    What a question leaves over goes to the others; those that are not decided then share what is left. A question
    that gave up before its time was over is not asked again.
    """
    found: dict[About, ObjectiveWay] = {}
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


def _asked(question: Question, deadline: Deadline) -> ObjectiveWay:
    try:
        way = question(deadline)
    except TimeUp:
        return _TIME_UP
    if _decided(way) or deadline.left > 0:
        return way
    return replace(way, search=replace(way.search, reason=TIME_UP))


def _decided(way: ObjectiveWay) -> bool:
    return way.status == "none" or (way.status == "found" and way.search.cost == way.search.lower_bound)


def _better(before: ObjectiveWay | None, way: ObjectiveWay) -> ObjectiveWay:
    """Join two answers to the same question."""
    if before is None or _decided(way):
        return way
    costs = [w.search.cost for w in (before, way)]
    best = before if costs[1] is None or (costs[0] is not None and costs[0] < costs[1]) else way
    bounds = [w.search.lower_bound for w in (before, way) if w.search.lower_bound is not None]
    return replace(best, search=replace(best.search, lower_bound=max(bounds, default=None)))


# ---- the briefing


_ALL = 0.97  # the share of the time in which questions are asked; the rest is for saying what was found
_ANY_LENGTH = 0.15  # the share for the cheapest plan of any length, where ever longer ones have to be looked at
_CHEAPEST, _SETS, _VALUES = 0.4, 0.6, 0.5  # shares of the time that is left, for each part in turn


@dataclass(frozen=True)
class Briefing:
    """The work on one briefing.

    Attributes:
        built: What the planner has built.
        asked: The question; without a horizon, if none was asked for.
        menaces: What the enemies want.
        before: The answer whose plan is followed; None: the last one to the same question.
        followed: The plans that the planner advised.
    """

    built: Built
    asked: ObjectivesQuestion
    menaces: Sequence[Menace]
    before: Objectives | None
    followed: AdvisedPlans

    def answer(self) -> Objectives:
        """The briefing, at the latest when the time is up."""
        deadline = self.asked.resolved.effort.deadline.part(_ALL)
        self.asked.resolved.progress("looking for the cheapest plan")
        best, continued = self._best(deadline)
        asked = limited(self.asked, best)
        ways = ways_of(self.built, asked, deadline)
        if self.asked.resolved.within is None:
            best, continued = _within(ways, best, deadline.part(_CHEAPEST), continued=continued)
        now = cost_of(asked, best, None)
        asked.resolved.progress("looking for winning and denial sets", now.cost, now.lower_bound)
        found = parts(asked, ways, best, deadline.part(_SETS))
        continued, best = continued and found.best.search.steps is best.search.steps, found.best
        now = cost_of(asked, best, None)
        following = self._next(asked, found, best, continued)
        asked.resolved.progress("looking for the worth of each objective", now.cost, now.lower_bound)
        worth = self._values(asked, ways, found, now, deadline.part(_VALUES))
        asked.resolved.progress("looking for threats", now.cost, now.lower_bound)
        # What holds already needs no steps: no limit for enemies.
        feared = asked if asked.resolved.within else self.asked
        against = threats(self.built, feared, self.menaces, deadline)
        return self._said(asked, now, found, worth, against, following)

    def unanswered(self, reason: str) -> Objectives:
        """The briefing where nothing could be asked."""
        best = ObjectiveWay("unknown", replace(NOTHING, reason=reason))
        found = parts(self.asked, ObjectiveWays(None), best, self.asked.resolved.effort.deadline)
        return self._said(self.asked, cost_of(self.asked, best, None), found, (), (), None)

    # ---- the parts

    def _best(self, deadline: Deadline) -> tuple[ObjectiveWay, bool]:
        """The cheapest way, and whether it goes on with an earlier plan."""
        soon, ways = self._soon(deadline), ways_of(self.built, self.asked, deadline)
        best = ways.find(frozenset(), deadline.part(_CHEAPEST if soon else _ANY_LENGTH), cheapest=True)
        if best.status == "unknown" and not soon:
            best = ways.find(frozenset(), deadline.part(_CHEAPEST))
        earlier = self.followed.find(self._question, self.before) if best.status == "found" else None
        with suppress(TimeUp), until(deadline):
            rest = None if earlier is None else going_on(self.asked, best, earlier)
            if rest is not None:
                return rest, True
        return best, False

    def _soon(self, deadline: Deadline) -> bool:
        """True if the cheapest plan is proved without a look at ever longer ones."""
        if self.asked.resolved.within is not None:
            return True
        with suppress(TimeUp), until(deadline):
            return boundless(self.built, self.asked) is not None
        return False

    @property
    def _question(self) -> Hashable:
        """A key of the question, the state apart."""
        resolved = self.asked.resolved
        return (
            resolved.side,
            resolved.metric.name,
            self.asked.resolved.goal.text,
            self.asked.resolved.conditions,
            resolved.within,
        )

    def _next(self, asked: ObjectivesQuestion, found: Parts, best: ObjectiveWay, continued: bool) -> Next | None:
        """The first steps of the plan that is followed, or of the first winning set's."""
        if best.status != "found":
            return None
        with grace_period(ANSWERING):
            done = found.played.get(1)
            other = continued or done is None or done.way.search.cost != best.search.cost
            done = play(asked, best) if other or done is None else done
            made = next_of(asked, done, cost_of(asked, best, None), continued=continued)
        self.followed.put(self._question, made, done.way)
        return made

    def _values(
        self, asked: ObjectivesQuestion, ways: ObjectiveWays, found: Parts, now: Cost, deadline: Deadline
    ) -> tuple[ObjectiveValue, ...]:
        """The value of each objective; without a limit on steps where the method needs none."""
        with suppress(TimeUp), until(deadline):
            free = boundless(self.built, asked, ordered=True)
            if free is not None:
                asked, ways = free, ways_of(self.built, free, deadline)
        again = partial(ways_of, self.built, deadline=deadline)
        return values(asked, ways, now, found, again, deadline)

    def _said(
        self,
        asked: ObjectivesQuestion,
        now: Cost,
        found: Parts,
        objectives: Sequence[ObjectiveValue],
        against: Sequence[Threat],
        following: Next | None,
    ) -> Objectives:
        resolved = asked.resolved
        return Objectives(
            game=resolved.game,
            side=asked.side,
            goal=asked.resolved.goal.text,
            heading=resolved.metric.heading,
            metric=resolved.metric.name,
            scale=resolved.metric.scale,
            status=now.status,
            cost=now,
            horizon=Horizon(resolved.within, resolved.metric.unit),
            events=resolved.events,
            objectives=tuple(objectives),
            winning=found.winning,
            landmarks=found.landmarks,
            denial=found.denial,
            threats=tuple(against),
            next=following,
            conditions=asked.resolved.conditions.said,
            assumptions=(*replace(resolved, conditions=NO_CONDITIONS).assumptions, *_of_battles(found, against)),
            elapsed_s=resolved.effort.elapsed_s,
        )


def _of_battles(found: Parts, against: Sequence[Threat]) -> tuple[str, ...]:
    """The assumptions of the chances in plans' battles."""
    sets = (*found.winning.sets, *(w for threat in against for w in threat.winning.sets))
    plans = (
        *(w.plan for w in sets),
        *(t.stop.plan for t in against if t.stop is not None and t.stop.plan is not None),
    )
    return tuple(dict.fromkeys(a for plan in plans if plan.battles is not None for a in plan.battles.assumptions))


def _within(
    ways: ObjectiveWays, best: ObjectiveWay, deadline: Deadline, *, continued: bool
) -> tuple[ObjectiveWay, bool]:
    """A cheapest way within the horizon that follows from a way, where that is not known to be one.

    Args:
        ways: Answers the question with the horizon.
        best: The way from which the horizon follows.
        continued: Whether it goes on with an earlier plan.

    Returns:
        The way, and whether it goes on with an earlier plan.
    """
    if best.status != "found" or best.cheapest:
        return best, continued
    if continued:
        ways.learn(best)  # so that it is kept unless another one costs less
    limited = ways.find(frozenset(), deadline, cheapest=True)
    if limited.status != "found" or limited.cost > best.cost:
        return best, continued
    return limited, continued and limited.search.steps is best.search.steps

"""The briefing of a side: all parts in the order of what is cheap to know, each with a share of the time."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from vclogic.clock import ANSWERING, Deadline, TimeUp, granted, until
from vclogic.query.answers import Horizon
from vclogic.query.built import Built
from vclogic.query.objectives.answer import Cost, Next, Objectives, ObjectiveValue, Threat
from vclogic.query.objectives.choose import boundless, ways_of
from vclogic.query.objectives.next import AdvisedPlans, going_on, next_of
from vclogic.query.objectives.plans import cost_of, limited, play
from vclogic.query.objectives.question import ObjectivesQuestion
from vclogic.query.objectives.threats import Menace, threats
from vclogic.query.objectives.values import values
from vclogic.query.objectives.ways import Way, Ways
from vclogic.query.objectives.winning import Parts, parts
from vclogic.solve.problem import NOTHING

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
        deadline = self.asked.ask.effort.deadline.part(_ALL)
        self.asked.ask.progress("looking for the cheapest plan")
        best, continued = self._best(deadline)
        asked = limited(self.asked, best)
        ways = ways_of(self.built, asked, deadline)
        if self.asked.ask.within is None:
            best, continued = _within(ways, best, deadline.part(_CHEAPEST), continued=continued)
        now = cost_of(asked, best, None)
        asked.ask.progress("looking for winning and denial sets", now.cost, now.lower_bound)
        found = parts(asked, ways, best, deadline.part(_SETS))
        continued, best = continued and found.best.search.steps is best.search.steps, found.best
        now = cost_of(asked, best, None)
        following = self._next(asked, found, best, continued)
        asked.ask.progress("looking for the worth of each objective", now.cost, now.lower_bound)
        worth = self._values(asked, ways, found, now, deadline.part(_VALUES))
        asked.ask.progress("looking for threats", now.cost, now.lower_bound)
        feared = asked if asked.ask.within else self.asked  # what holds already needs no steps: no limit for enemies
        against = threats(self.built, feared, self.menaces, deadline)
        return self._said(asked, now, found, worth, against, following)

    def unanswered(self, reason: str) -> Objectives:
        """The briefing where nothing could be asked."""
        best = Way("unknown", replace(NOTHING, reason=reason))
        found = parts(self.asked, Ways(None), best, self.asked.ask.effort.deadline)
        return self._said(self.asked, cost_of(self.asked, best, None), found, (), (), None)

    # ---- the parts

    def _best(self, deadline: Deadline) -> tuple[Way, bool]:
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
        if self.asked.ask.within is not None:
            return True
        with suppress(TimeUp), until(deadline):
            return boundless(self.built, self.asked) is not None
        return False

    @property
    def _question(self) -> Hashable:
        """A key of the question, the state apart."""
        ask = self.asked.ask
        return ask.side, ask.metric.name, self.asked.text, self.asked.conditions, ask.within

    def _next(self, asked: ObjectivesQuestion, found: Parts, best: Way, continued: bool) -> Next | None:
        """The first steps of the plan that is followed, or of the first winning set's."""
        if best.status != "found":
            return None
        with granted(ANSWERING):
            done = found.played.get(1)
            other = continued or done is None or done.way.search.cost != best.search.cost
            done = play(asked, best) if other or done is None else done
            made = next_of(asked, done, cost_of(asked, best, None), continued=continued)
        self.followed.put(self._question, made, done.way)
        return made

    def _values(
        self, asked: ObjectivesQuestion, ways: Ways, found: Parts, now: Cost, deadline: Deadline
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
        ask = asked.ask
        return Objectives(
            game=ask.game,
            side=asked.side,
            goal=asked.text,
            heading=ask.metric.heading,
            metric=ask.metric.name,
            scale=ask.metric.scale,
            status=now.status,
            cost=now,
            horizon=Horizon(ask.within, ask.metric.unit),
            events=ask.events,
            objectives=tuple(objectives),
            winning=found.winning,
            landmarks=found.landmarks,
            denial=found.denial,
            threats=tuple(against),
            next=following,
            conditions=asked.conditions.said,
            assumptions=(*ask.assumptions, *_of_battles(found, against)),
            elapsed_s=ask.effort.elapsed_s,
        )


def _of_battles(found: Parts, against: Sequence[Threat]) -> tuple[str, ...]:
    """The assumptions of the chances in plans' battles."""
    sets = (*found.winning.sets, *(w for threat in against for w in threat.winning.sets))
    plans = (
        *(w.plan for w in sets),
        *(t.stop.plan for t in against if t.stop is not None and t.stop.plan is not None),
    )
    return tuple(dict.fromkeys(a for plan in plans if plan.battles is not None for a in plan.battles.assumptions))


def _within(ways: Ways, best: Way, deadline: Deadline, *, continued: bool) -> tuple[Way, bool]:
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

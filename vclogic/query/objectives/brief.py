"""The briefing of a side: all parts in the order of what is cheap to know, each with a share of the time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from vclogic.clock import ANSWERING, TimeUp, granted, until
from vclogic.query.answers import Horizon
from vclogic.query.built import Built
from vclogic.query.objectives.answer import Cost, Next, Objectives, ObjectiveValue, Threat
from vclogic.query.objectives.asked import Asked
from vclogic.query.objectives.choose import UNDECIDED, ways_of
from vclogic.query.objectives.plans import cost_of, counted_steps, play
from vclogic.query.objectives.ways import Way, Ways
from vclogic.query.objectives.winning import Parts, parts
from vclogic.solve.problem import NOTHING

_CHEAPEST, _SETS = 0.4, 0.6  # shares of the time that is left, for each part in turn


@dataclass(frozen=True)
class Briefing:
    """What a briefing is asked for.

    Attributes:
        built: What the planner has built.
        asked: The question; without a horizon, if none was asked for.
        threat: The goal of the enemies; None: what follows from the game's outcomes.
        before: The answer whose plan is followed; None: the last one to the same question.
    """

    built: Built
    asked: Asked
    threat: str | None
    before: Objectives | None

    def answer(self) -> Objectives:
        """The briefing, at the latest when the time is up."""
        deadline = self.asked.ask.effort.deadline
        ways, best = self._best()
        asked = self._limited(best)
        if asked is not self.asked:
            ways = self._ways(asked)
        now = cost_of(asked, best, None)
        found = parts(asked, ways, best, deadline.part(_SETS))
        return self._said(asked, now, found, (), (), None)

    def unanswered(self, reason: str) -> Objectives:
        """The briefing where nothing could be asked."""
        best = Way("unknown", replace(NOTHING, reason=reason))
        found = parts(self.asked, UNDECIDED, best, self.asked.ask.effort.deadline)
        return self._said(self.asked, cost_of(self.asked, best, None), found, (), (), None)

    def _best(self) -> tuple[Ways, Way]:
        """Who answers the question as it was asked, and the cheapest way."""
        deadline = self.asked.ask.effort.deadline.part(_CHEAPEST)
        ways = self._ways(self.asked)
        return ways, ways.find(frozenset(), deadline, cheapest=True)

    def _ways(self, asked: Asked) -> Ways:
        """Who answers a question."""
        try:
            with until(asked.ask.effort.deadline):
                return ways_of(self.built, asked)
        except TimeUp:
            return UNDECIDED

    def _limited(self, best: Way) -> Asked:
        """The question with its horizon: where none was asked for, as many counted steps as the best plan takes."""
        ask = self.asked.ask
        if ask.within is not None or best.status != "found":
            return self.asked
        with granted(ANSWERING):
            steps = counted_steps(self.asked, play(self.asked, best))
        return replace(self.asked, ask=replace(ask, within=steps))

    def _said(
        self,
        asked: Asked,
        now: Cost,
        found: Parts,
        objectives: Sequence[ObjectiveValue],
        threats: Sequence[Threat],
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
            threats=tuple(threats),
            next=following,
            conditions=asked.conditions.said,
            assumptions=ask.assumptions,
            elapsed_s=ask.effort.elapsed_s,
        )

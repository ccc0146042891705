"""The way of a question for a cheapest plan to its answer.

The goal holds already; or its problem is built and searched, and the plan found is replayed, made a record, checked
against its conditions, and told.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Literal

from vclogic.clock import TIME_UP, TimeUp, grace, grace_period, until
from vclogic.encode.python.evaluator import interpret
from vclogic.progress import Progress, silent
from vclogic.query.answers import Horizon, Recorded, Step
from vclogic.query.goal_claims import claims_in_parts
from vclogic.query.plan.answer import Plan
from vclogic.query.plan.battles import check_battles
from vclogic.query.plan_record import record_plan
from vclogic.query.plan_search import HELD, find, for_search, holds, simpler
from vclogic.query.replay import Played, ReplayError, replay_plan
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.solve.backends.claims import POSITIONS
from vclogic.solve.backends.session import Effort
from vclogic.solve.landmarks.search import CLOSURE
from vclogic.solve.problem import INEXACT, NOTHING, Problem, SearchResult, join_results
from vclogic.solve.strategy import BUILDING
from vclogic.terms.atoms import TRUE

_PAUSE = 2.0  # seconds without word of a better plan after one, at most,
_PAUSES = 4  # or so many times as long as it took to play the last one
PLAYING = "a plan was found, but the time was up before it was played"


Better = Callable[[Plan, int | None], object]
"""Called with a better plan, and the best lower bound of the cost."""


class Planning:
    """A question for a cheapest plan on its way to the answer.

    A plan that was found is played as soon as it is, where it is the first or somebody listens; then it is the answer
    whatever happens after it, unless a better one is. What is told of the search while it goes on is said of such
    plans, and of bounds that the answer has too.

    Args:
        resolved: The question.
        tell: Called with each better plan while a cheaper one is looked for; None: nobody wants to know.
        known: A plan that is already known, if any.

    Attributes:
        best: The answer with the best plan that was replayed on the way; None: there is none yet.
    """

    def __init__(self, resolved: ResolvedQuestion, tell: Better | None = None, known: SearchResult = NOTHING):
        self.resolved = resolved
        self.best: Plan | None = None
        self._tell = tell
        self._known = known
        self._waiting: tuple[SearchResult, Problem] | None = None  # a better plan that is yet to be played
        self._next = -math.inf  # when it may be

    def answer(self) -> Plan:
        """The answer; when the time is up, the best plan with the best bound that are known by then."""
        found = replace(NOTHING, reason=BUILDING)
        try:
            if not self.resolved.conditions.require and holds(self.resolved, self.resolved.goal.term):
                return self.final_answer(HELD, None)
            with until(self.resolved.effort.deadline):
                found, problem = self.search(for_search(self.resolved.effort))
            if found.steps is not None and (self.best is None or (found.cost or 0) <= (self.best.cost or 0)):
                return self.final_answer(found, problem)
        except Unmet:
            found = replace(NOTHING, reason=INEXACT)
        except TimeUp:
            if found.steps is not None:
                # A plan that was not replayed is not shown; the bound on all plans stays true.
                found = replace(found, steps=None, cost=None, reason=PLAYING)
        return self._best_known_answer(found)

    def _best_known_answer(self, found: SearchResult) -> Plan:
        """The answer with the best plan that was played, if there is one, and the best bound.

        Args:
            found: What was found without such a plan.
        """
        best = self.best
        if best is None or found.exhausted:
            return self.as_answer(found)
        by = SearchResult(
            (), best.cost, best.lower_bound, bound_by=best.bound_by, exact=best.exact, argued=best.argued
        )
        reason = TIME_UP if found.reason in ("", PLAYING, BUILDING) else found.reason
        known = join_results(replace(by, reason=reason), replace(found, steps=None, cost=None))
        settled = known.cost == known.lower_bound
        return replace(
            best,
            status=_verdict(known),
            lower_bound=known.lower_bound,
            bound_by=known.proved_by,
            exact=known.bound_by is not None and known.exact,
            argued=known.argued,
            reason="" if settled else known.reason,
            elapsed_s=self.resolved.effort.elapsed_s,
        )

    # ---- the search

    def search(self, effort: Effort) -> tuple[SearchResult, Problem]:
        """The problem, and what is found about its plans.

        Args:
            effort: The resources of the search, without what is kept back for the answer.
        """
        problem = self.resolved.problem()
        return self.search_problem(problem, effort, self._known), problem

    def search_problem(self, problem: Problem, effort: Effort, known: SearchResult = NOTHING) -> SearchResult:
        """The results of all methods about the plans of a problem."""
        told = replace(effort, listener=lambda progress: self._report_progress(progress, exact=problem.complete))
        if known.cost is not None:
            self.take_better(known, problem)
        return problem.lift_result(
            find(
                self.resolved,
                problem,
                effort=told,
                known=known,
                better=lambda found: self.take_better(found, problem),
            )
        )

    def _report_progress(self, progress: Progress, *, exact: bool) -> None:
        """Tell of the search what the answer will say, if it ends now.

        Args:
            progress: What the search tells.
            exact: Whether its bounds are those of the question.
        """
        self._play_waiting()
        cost, bound = None if self.best is None else self.best.cost, progress.bound if exact else None
        bound = bound if cost is None or bound is None else min(cost, bound)
        self.resolved.effort.listener(replace(progress, cost=cost, bound=bound))

    def take_better(self, found: SearchResult, problem: Problem) -> None:
        """Take a better plan, and tell of it, replayed; the search that found it goes on to its own end."""
        if found.cost is not None and self._is_cheaper(found):
            self._waiting = found, problem
            self._play_waiting()

    def _is_cheaper(self, found: SearchResult) -> bool:
        return self.best is None or self.best.cost is None or (found.cost or 0) < self.best.cost

    def _play_waiting(self) -> None:
        """Play the better plan that waits for it: the first, or where somebody listens, a while after the last."""
        heard = self._tell is not None or self.resolved.effort.listener is not silent
        if self._waiting is None or (self.best is not None and (not heard or time.monotonic() < self._next)):
            return
        (found, problem), self._waiting = self._waiting, None
        began = time.monotonic()
        with suppress(TimeUp, Unmet):
            if self._is_cheaper(found):
                self.answer_with_plan(
                    problem.lift_result(found if self._tell is None else simpler(self.resolved, problem, found)),
                    problem,
                )
        ended = time.monotonic()
        self._next = ended + min(_PAUSE, _PAUSES * (ended - began))

    # ---- the answer

    def answer_with_plan(self, found: SearchResult, problem: Problem | None) -> Plan:
        """The answer with a plan alone, which is replayed; it is told, if none of its cost was.

        Args:
            found: A result with a plan.
            problem: The problem; None: the goal holds already.
        """
        steps: tuple[Step, ...] = ()
        record = Recorded(())
        if problem is not None:
            with grace_period(grace()):
                made = replay_plan(self.resolved.system, self.resolved.state, problem.plain, found)
                steps, record = made.steps, self.record_of(made, problem)
                check_battles(self.resolved, record)
        said = self.as_answer(found, steps, record)
        if self._tell is not None and (self.best is None or self.best.cost != said.cost):
            self._tell(said, said.lower_bound)
        self.best = said
        return said

    def final_answer(self, found: SearchResult, problem: Problem | None) -> Plan:
        """The answer with the best plan of all; see `replay_plan`."""
        return self.answer_with_plan(found, problem)

    def record_of(self, made: Played, problem: Problem) -> Recorded:
        """The record of a plan that was replayed.

        Raises:
            Unmet: The plan does not meet its conditions, and not all plans of its problem do.
        """
        resolved, conditions = self.resolved, self.resolved.conditions
        kept, slot = conditions.keep, resolved.system.layout.slot
        if kept is not TRUE and not all(interpret(kept, slot, state) for state in made.states):
            raise ReplayError("the plan breaks the condition that it must keep")
        if conditions and not conditions.met(made.events):
            unmet = ReplayError if problem.complete else Unmet
            raise unmet("the plan does not hold the events that it must, or holds others")
        with grace_period(grace()):
            return record_plan(
                resolved.system, resolved.state, made.events, resolved.goal.term, resolved.effort.deadline, kept
            )

    @grace_period()
    def as_answer(self, found: SearchResult, steps: tuple[Step, ...] = (), record: Recorded | None = None) -> Plan:
        """The result as an answer.

        Args:
            steps: The plan, replayed.
            record: The plan as a record.
        """
        resolved = self.resolved
        return Plan(
            game=resolved.game,
            goal=resolved.goal.text,
            heading=resolved.metric.heading,
            status=_verdict(found),
            metric=resolved.metric.name,
            cost=found.cost,
            lower_bound=found.lower_bound,
            bound_by=found.proved_by,
            exact=(found.bound_by is not None and found.exact) or found.proof is not None,
            horizon=Horizon(resolved.within, resolved.metric.unit),
            events=resolved.events,
            steps=steps,
            record=record,
            replayed=None if found.steps is None else True,
            assumptions=resolved.assumptions,
            reason=found.reason,
            elapsed_s=resolved.effort.elapsed_s,
            argued=found.argued,
            scale=None if resolved.metric.scale == 1 else resolved.metric.scale,
            counted=resolved.metric.counted,
            confirmed_by=self._agreeing_solver(found),
        )

    def _agreeing_solver(self, found: SearchResult) -> str:
        """The other solver that agrees with the proof of a final result, if one was needed and does."""
        effort = self.resolved.effort
        if found.rechecked and _verdict(found) == "optimal":
            return POSITIONS
        if effort.opinion is None or _verdict(found) not in ("optimal", "impossible"):
            return ""
        if found.proof is not None:
            return effort.agreeing(claims_in_parts(self.resolved.system, self.resolved.goal.text, found.proof.claims))
        if found.bounds or found.bound_by == CLOSURE:  # checked in whole numbers, by a program of its own
            effort.opinion.note(found.claims, found.bounds)
            return ""
        return effort.agreeing(claims_in_parts(self.resolved.system, self.resolved.goal.text, found.claims))


class Unmet(ReplayError):
    """A plan does not meet its conditions."""


def _verdict(found: SearchResult) -> Literal["optimal", "feasible", "impossible", "unknown"]:
    if found.steps is not None:
        return "optimal" if found.cost == found.lower_bound else "feasible"
    return "impossible" if found.exhausted else "unknown"

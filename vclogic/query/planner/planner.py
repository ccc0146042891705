"""A planner: plans for many goals from many states of one game, each within a budget of time.

What is built for one question serves the next: the steps of the planning model, the goals and conditions as terms,
and, where nothing that is gained is ever lost, the whole program with its cuts (`solve/landmarks`).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import Any

from vclogic.choices import choice
from vclogic.clock import LONGEST, Deadline, Stopper, TimeUp, at_the_latest, stoppable, until
from vclogic.encode.conditions import NO_CONDITIONS, Conditions
from vclogic.errors import Diagnostic, InputError
from vclogic.files.record import Events
from vclogic.files.setup import Setup
from vclogic.files.state_form import StateForm
from vclogic.files.trees.findings import Findings
from vclogic.model.fluents import State
from vclogic.model.memoized import Latest
from vclogic.progress import Listener, silent
from vclogic.query.keywords import checked
from vclogic.query.objectives.answer import Objectives
from vclogic.query.objectives.next import AdvisedPlans
from vclogic.query.objectives.request import ObjectivesQuestion, default_goal
from vclogic.query.objectives.threats import Menace, menaces
from vclogic.query.plan.answer import Plan
from vclogic.query.plan.conditions import read_conditions
from vclogic.query.plan.planning import Better, Planning
from vclogic.query.planner.cache import Built, FirstPlans, Steps
from vclogic.query.planner.expressions import Given, GivenStates
from vclogic.query.question import method_of
from vclogic.query.resolved_question import (
    ResolvedQuestion,
    any_of_sides,
    check_choices,
    check_numbers,
    goal_of,
    metric_opponent,
    side_for,
)
from vclogic.query.stalled_play import plan_unless_stalled
from vclogic.solve.backends.highs import shared_engines
from vclogic.solve.backends.session import Effort
from vclogic.solve.problem import NOTHING, Problem, SearchResult
from vclogic.terms.expressions.compiled import ANYTHING, Goal


@dataclass(frozen=True, kw_only=True)
class PlannerQuestion:
    """A question to a planner.

    Attributes:
        require: Events of which the plan must hold at least one each, as in a record; arguments left out can have
            any value.
        avoid: Events that the plan must not hold, in the same form.
        keep: What must hold after every step of the plan, in the goal language.
        within: The most counted steps; None: in `objectives` as many as the cheapest plan takes.
    """

    require: Sequence[Events] = ()
    avoid: Sequence[Events] = ()
    keep: str | None = None
    within: int | None = None


@dataclass(frozen=True)
class Preparation(PlannerQuestion):
    """Build what questions with such a goal share, whatever time it takes.

    A question that finds it built needs less of its budget: on large boards building may take longer than a
    budget lasts, and what a question leaves half built is not kept. Goals that differ only in the numbers that
    sums are compared with share what is built.

    Attributes:
        goal: The goal, in the goal language.
    """

    goal: str


@dataclass(frozen=True, kw_only=True)
class QuestionFromState(PlannerQuestion):
    """A question to a planner from a state.

    Attributes:
        state: The state to plan from: a game at a moment; a whole state or a part of one as `state_dict` gives
            it, where what it leaves out is as in the game that made the planner; or a state as numbers. None: the
            state of that game.
    """

    state: Given | None = None


@dataclass(frozen=True)
class PlannerPlan(QuestionFromState):
    """The cheapest plan that is found within a budget of time.

    Attributes:
        goal: The goal, in the goal language.
        budget_s: Seconds, after which the best that is known is the answer.
        on_better: Called with each better plan and the best lower bound known then, in this thread; the time it
            takes is part of the budget.
    """

    goal: str
    _: KW_ONLY
    budget_s: float = 0.1
    on_better: Better | None = None


@dataclass(frozen=True)
class PlannerBriefing(QuestionFromState):
    """A briefing: what wins, what every plan needs, what denies the goal, what threatens, and what to do next.

    Attributes:
        goal: The goal, in the goal language; None: what the side needs for one of its outcomes.
        threat: The goal of each enemy; None: what it needs for one of its outcomes.
        before: The answer whose plan is followed; None: the last answer to the same question.
        limit: The most winning sets that are listed, and the most denial sets; those that denial sets refer to
            are listed as well.
        budget_s: Seconds, after which what is known is the answer; what is not decided is marked so.
        progress: Called with what is being done.
    """

    goal: str | None = None
    _: KW_ONLY
    threat: str | None = None
    before: Objectives | None = None
    limit: int = 100
    budget_s: float = 10.0
    progress: Listener = silent


BUSY = "the planner was still busy with another question"
_MOST_CONDITIONS = 256
_MOST_ANSWERS = 256
_FIRST = 1 / 2  # the share of the time left in which a first plan is looked for
_LAST = 0.001  # seconds for saying that nothing is known


@checked
class Planner:
    """Plans of one side by one metric, from many states of a game; see `Game.planner`.

    Args:
        setup: The game.
        state: The state of questions that give none.
        side: The side that plans; None: questions whose goal names one side.
        metric: Name of the metric; None: the game's first.
        opponent: `idle` or `helps`.
        built: Whether the steps of a side are built now, whatever time that takes; else the first question does it.
        option: What the metric is given as, for messages.
        remade: What makes it anew in another process, as `__reduce__` says it.

    Raises:
        InputError: There is no such side, metric or opponent.
    """

    def __init__(
        self,
        setup: Setup,
        state: State,
        side: str | None,
        metric: str | None,
        opponent: str,
        *,
        built: bool = True,
        option: str = "metric",
        remade: tuple[Any, ...] = (),
    ):
        self._remade = remade
        self._setup = setup
        self._state = state
        self._opponent = metric_opponent(opponent)
        self._metric = check_choices(setup.system, metric, self._opponent, option)
        self._side = None if side is None else side_for(setup.system, (), side, self._opponent)
        self._lock = threading.Lock()
        self._stop: Stopper | None = None
        self._followed = AdvisedPlans()
        self._engines = shared_engines()
        self._asked: Latest[str, Conditions] = Latest(_MOST_CONDITIONS)
        self._answers: Latest[Hashable, Plan] = Latest(_MOST_ANSWERS)
        self.built = Built(setup.system, self._metric, self._opponent)
        self.first = FirstPlans(setup.system, self._metric.name, self._opponent)
        if built and self._side is not None:
            self.built.steps(self._side, state)

    def __reduce__(self) -> tuple[Any, ...]:
        return self._remade or super().__reduce__()  # type: ignore[return-value]

    def _plan(self, question: PlannerPlan) -> Plan:
        """The best plan found, replayed, with its cost and the bound that is proved.

        It is `optimal`, `feasible`, `impossible`, or `unknown` with the reason.

        Raises:
            InputError: The goal, a condition or a choice is wrong, or the state is of another game.
        """
        effort = Effort(Deadline(question.budget_s, time.monotonic()), silent, engines=self._engines)
        check_numbers(budget_s=question.budget_s, within=question.within)
        compiled, side = self._compiled(question.goal)
        resolved = self._resolve(question, compiled, self._conditions(question), side, effort)
        with self._alone(effort) as alone:
            if not alone:
                return Planning(resolved).as_answer(replace(NOTHING, reason=BUSY))
            key = resolved.state, side, resolved.goal.text, resolved.conditions, resolved.within
            known = self._answers.find(key)
            if known is not None:
                if question.on_better is not None and known.cost is not None:
                    question.on_better(known, known.lower_bound)
                return replace(known, elapsed_s=effort.elapsed_s)
            found = plan_unless_stalled(resolved, _KeptPlanning(self, resolved, question.on_better).answer())
            # Other answers may get better with another budget.
            if found.status in ("optimal", "impossible"):
                self._answers.put(key, found)
            return found

    def _objectives(self, question: PlannerBriefing) -> Objectives:
        """The briefing; what is not decided is marked so.

        Raises:
            InputError: Everything that is wrong with the goals, the conditions, the numbers and the state.
        """
        from vclogic.query.objectives.brief import Briefing

        effort = Effort(Deadline(question.budget_s, time.monotonic()), question.progress, engines=self._engines)
        asked, enemies = self._about_objectives(question, effort)
        with self._alone(effort) as alone:
            briefing = Briefing(self.built, asked, enemies, question.before, self._followed)
            return briefing.answer() if alone else briefing.unanswered(BUSY)

    def _prepare(self, question: Preparation) -> None:
        """Nothing.

        Raises:
            InputError: The goal or a condition is wrong.
        """
        check_numbers(within=question.within)
        compiled, side = self._compiled(question.goal)
        resolved = self._resolve(
            question, compiled, self._conditions(question), side, Effort(Deadline(LONGEST), silent)
        )
        with self._lock:
            self.built.open(resolved, resolved.goal.term, resolved.conditions)
            self.first.open(resolved, compiled.term, self.built.steps(side, resolved.state).step)

    plan = method_of(PlannerPlan, _plan)
    objectives = method_of(PlannerBriefing, _objectives)
    prepare = method_of(Preparation, _prepare)

    def cancel(self) -> None:
        """End the question that is being answered, from another thread; it returns the best plan so far."""
        stop = self._stop
        if stop is not None:
            stop.ask()

    # ---- questions looked up; what was looked up lately is kept

    def _about_objectives(
        self, question: PlannerBriefing, effort: Effort
    ) -> tuple[ObjectivesQuestion, Sequence[Menace]]:
        """A question about objectives with everything looked up, and what the enemies want.

        Raises:
            InputError: Everything that is wrong.
        """
        found, goal, read, side = Findings(), ANYTHING, NO_CONDITIONS, self._side
        with found.catch():
            check_numbers(budget_s=question.budget_s, limit=question.limit, within=question.within)
        with found.catch():
            goal, side = self._goal_or_default(question.goal)
        with found.catch():
            read = self._conditions(question)
        with found.catch():
            some = () if side is None else menaces(self._setup.system, side, question.threat)
        with found.catch():
            resolved = self._resolve(question, goal, read, side, effort)
        found.stop()
        return ObjectivesQuestion(resolved, question.limit), some

    def _goal_or_default(self, goal: str | None) -> tuple[Goal, str]:
        """A goal, and the side that plans for it."""
        if goal is not None:
            compiled, side = self._compiled(goal)
            assert side is not None, "no side is optional"
            return compiled, side
        if self._side is None:
            hint = f"say whose briefing it is: {any_of_sides(self._setup.system)}"
            raise InputError(
                Diagnostic("missing-side", "neither a side nor a goal is given", choice("side"), help=hint)
            )
        return default_goal(self._setup.system, self._side), self._side

    def _compiled(self, goal: str) -> tuple[Goal, str | None]:
        """A goal, and the side that plans for it."""
        system = self._setup.system
        found = goal_of(system, goal)
        return found, self._side or side_for(system, found.mentions, None, self._opponent)

    def _resolve(
        self, question: PlannerQuestion, goal: Goal, conditions: Conditions, side: str | None, effort: Effort
    ) -> ResolvedQuestion:
        """A question with everything looked up.

        Raises:
            InputError: The state is of another game.
        """
        return ResolvedQuestion(
            game=self._setup.game,
            system=self._setup.system,
            state=self._state_of(question),
            settings=self._setup.chosen_in_words,
            side=side,
            opponent=self._opponent,
            metric=self._metric,
            effort=effort,
            within=question.within,
            goal=goal,
            conditions=conditions,
        )

    @cached_property
    def _given(self) -> GivenStates:
        form = StateForm(self._setup.system)
        return GivenStates(self._setup, "this planner", "state", lambda facts: form.changed(self._state, facts))

    def _state_of(self, question: PlannerQuestion) -> State:
        """The state that a question gives; that of the planner's own game if it gives none.

        Raises:
            InputError: It is of another game.
        """
        given = question.state if isinstance(question, QuestionFromState) else None
        return self._state if given is None else self._given.bounded(given)

    def _conditions(self, question: PlannerQuestion) -> Conditions:
        """The conditions on a plan; the same object for the same words.

        Raises:
            InputError: What is wrong with them.
        """
        words = question.require, question.avoid, question.keep
        return self._asked.get(repr(words), lambda: read_conditions(self._setup.system, self._metric, *words))

    # ---- what questions share

    @contextmanager
    def _alone(self, effort: Effort) -> Iterator[bool]:
        """One question at a time, which `cancel` can end; whether it is this one's turn before its time is up."""
        if not self._lock.acquire(timeout=max(effort.deadline.left, 0)):
            yield False
            return
        try:
            stop = self._stop = Stopper()
            with stoppable(stop), at_the_latest(effort.deadline.end - _LAST):
                yield True
        finally:
            self._stop = None
            self._engines.again()
            self._lock.release()


class _KeptPlanning(Planning):
    """A question with what a planner keeps; it has a budget, so that nothing is told of battles."""

    def __init__(self, planner: Planner, resolved: ResolvedQuestion, tell: Better | None):
        super().__init__(resolved, tell)
        self._built, self._first = planner.built, planner.first
        self._steps: Steps | None = None

    def answer(self) -> Plan:
        """See `Planning.answer`."""
        while True:
            found = super().answer()
            if self._steps is None or self._steps.watched.fits(self.resolved.state):
                return found
            self._built.forget(self._steps)  # they read more of the start than when they were built,
            self.best = None  # so what came of them may be of another start

    def search(self, effort: Effort) -> tuple[SearchResult, Problem]:
        """See `Planning.search`: by the kept program of such goals, else by all methods and the kept steps."""
        resolved, deadline = self.resolved, effort.deadline
        kept_back = resolved.effort.deadline.end - deadline.end
        with until(deadline), at_the_latest(deadline.end + kept_back / 3):
            self._steps = self._built.steps(resolved.side, resolved.state)
            known, numbers = self._built.open(resolved, resolved.goal.term, resolved.conditions)
            if known.search is not None and known.problem is not None:
                plain = known.problem
                found = known.search.find(
                    resolved.state, numbers, deadline, lambda better: self.take_better(better, plain)
                )
                if found.exhausted or found.cost is not None or deadline.left <= 0:
                    return found, plain
            problem = resolved.problem(step=self._steps.step)
            early = NOTHING
            if not resolved.conditions:
                with suppress(TimeUp):
                    early = self._first.find(resolved, resolved.goal.term, problem.plain, deadline.part(_FIRST))
            return self.search_problem(problem, effort, early), problem

"""A planner: plans for many goals from many states of one game, each within a budget of time.

What is built for one question serves the next: the steps of the planning model, the goals and conditions as terms,
and, where nothing that is gained is ever lost, the whole program with its cuts (`solve/landmarks`).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from functools import cached_property

from vclogic.choices import choice
from vclogic.clock import LONGEST, TIME_UP, Deadline, Stopper, TimeUp, at_the_latest, granted, stoppable, until
from vclogic.encode.conditions import Conditions
from vclogic.encode.evaluator import interpret
from vclogic.errors import Diagnostic, InputError
from vclogic.files.findings import Findings
from vclogic.files.setup import Setup
from vclogic.files.state_form import StateForm
from vclogic.model.fluents import State
from vclogic.model.latest import Latest
from vclogic.model.transition import actions_of
from vclogic.progress import silent
from vclogic.query.answers import Plan, Recorded, Step
from vclogic.query.battles import check_battles
from vclogic.query.built import Built, Steps
from vclogic.query.conditions import read_conditions
from vclogic.query.first_plan import FirstPlans
from vclogic.query.frozen import plan_unless_frozen
from vclogic.query.given_state import GivenStates
from vclogic.query.keywords import checked
from vclogic.query.objectives.answer import Objectives
from vclogic.query.objectives.next import AdvisedPlans
from vclogic.query.objectives.question import ObjectivesQuestion, default_goal
from vclogic.query.objectives.threats import Menace, menaces
from vclogic.query.plan import INEXACT, START, answer
from vclogic.query.plan_record import recorded
from vclogic.query.plan_request import Ask, any_of_sides, check_choices, check_numbers, opponent_of, side_for
from vclogic.query.planning_problem import planning_problem
from vclogic.query.question import method_of
from vclogic.query.questions.planner import (
    Better,
    PlannerBriefing,
    PlannerPlan,
    PlannerQuestion,
    Preparation,
    QuestionFromState,
)
from vclogic.query.replay import ReplayError, played, simplified
from vclogic.query.several import parties
from vclogic.solve.backends.highs import shared_engines
from vclogic.solve.backends.session import Effort
from vclogic.solve.problem import NOTHING, Problem, Search
from vclogic.solve.strategy import BUILDING, Question, solve
from vclogic.terms.event_words import ONLY_REACH
from vclogic.terms.resolve import Goal, compile_goal
from vclogic.terms.term import Term

BUSY = "the planner was still busy with another question"
_MOST_GOALS = 256
_MOST_ANSWERS = 256
_ANSWERING = 0.2  # the share of a budget that is kept for turning a result into an answer,
_LEAST, _MOST = 0.005, 1.0  # in seconds at least and at most
_FIRST = 1 / 2  # the share of the time left in which a first plan is looked for
_LAST = 0.001  # seconds for saying that nothing is known


@dataclass(frozen=True)
class Wish:
    """The goal of a plan and its conditions.

    Attributes:
        text: The goal as the user wrote it.
        goal: Bool, over fluents.
        conditions: The conditions on the plan.
    """

    text: str
    goal: Term
    conditions: Conditions


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
    ):
        self._setup = setup
        self._state = state
        self._opponent = opponent_of(opponent)
        self._metric = check_choices(setup.system, metric, self._opponent, option)
        self._side = None if side is None else side_for(setup.system, (), side, self._opponent)
        self._lock = threading.Lock()
        self._stop: Stopper | None = None
        self._followed = AdvisedPlans()
        self._engines = shared_engines()
        self._goals: Latest[str, Goal] = Latest(_MOST_GOALS)
        self._asked: Latest[str, Conditions] = Latest(_MOST_GOALS)
        self._answers: Latest[Hashable, Plan] = Latest(_MOST_ANSWERS)
        self.built = Built(setup.system, self._metric, self._opponent)
        self.first = FirstPlans(setup.system, self._metric.name, self._opponent)
        if built and self._side is not None:
            self.built.steps(self._side, state)

    def _plan(self, question: PlannerPlan) -> Plan:
        """The best plan found, replayed, with its cost and the bound that is proved.

        It is `optimal`, `feasible`, `impossible`, or `unknown` with the reason.

        Raises:
            InputError: The goal, a condition or a choice is wrong, or the state is of another game.
        """
        effort = Effort(Deadline(question.budget_s, time.monotonic()), silent, engines=self._engines)
        check_numbers(budget_s=question.budget_s, within=question.within)
        compiled, side = self._compiled(question.goal)
        ask = self._ask(question, side, effort)
        wish = Wish(question.goal, compiled.term, self._conditions(question))
        with self._alone(effort) as alone:
            if not alone:
                return answer(ask, wish.text, replace(NOTHING, reason=BUSY), (), None, wish.conditions.said)
            key = ask.state, side, wish.text, wish.conditions, ask.within
            known = self._answers.find(key)
            if known is not None:
                if question.on_better is not None and known.cost is not None:
                    question.on_better(known, known.lower_bound)
                return replace(known, elapsed_s=effort.elapsed_s)
            found = plan_unless_frozen(ask, _Run(self, ask, wish, question.on_better).answer())
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
        conditions = self._conditions(question)
        ask = self._ask(question, side, Effort(Deadline(LONGEST), silent))
        with self._lock:
            self.built.open(ask, compiled.term, conditions)
            self.first.open(ask, compiled.term, self.built.steps(side, ask.state).step)

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
        found, side = Findings(), self._side
        with found.catch():
            check_numbers(budget_s=question.budget_s, limit=question.limit, within=question.within)
        with found.catch():
            text, term, side = self._goal_or_default(question.goal)
        with found.catch():
            read = self._conditions(question)
        with found.catch():
            some = () if side is None else menaces(self._setup.system, side, question.threat)
        with found.catch():
            ask = self._ask(question, side, effort)
        found.stop()
        return ObjectivesQuestion(ask, text, term, read, question.limit), some

    def _goal_or_default(self, goal: str | None) -> tuple[str, Term, str]:
        """A goal as text and as a term, and the side that plans for it."""
        if goal is not None:
            compiled, side = self._compiled(goal)
            assert side is not None, "no side is optional"
            return goal, compiled.term, side
        if self._side is None:
            hint = f"say whose briefing it is: {any_of_sides(self._setup.system)}"
            raise InputError(
                Diagnostic("missing-side", "neither a side nor a goal is given", choice("side"), help=hint)
            )
        return (*default_goal(self._setup.system, self._side), self._side)

    def _compiled(self, goal: str) -> tuple[Goal, str | None]:
        """A goal, and the side that plans for it."""
        system = self._setup.system
        found = self._goals.get(goal, lambda: compile_goal(goal, system.vocabulary, choice("goal"), ONLY_REACH))
        return found, self._side or side_for(system, found.mentions, None, self._opponent)

    def _ask(self, question: PlannerQuestion, side: str | None, effort: Effort) -> Ask:
        """A question with everything looked up.

        Raises:
            InputError: The state is of another game.
        """
        return Ask(
            game=self._setup.game,
            system=self._setup.system,
            state=self._state_of(question),
            settings=self._setup.chosen_in_words,
            side=side,
            opponent=self._opponent,
            metric=self._metric,
            effort=effort,
            within=question.within,
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


class _Run:
    """One question."""

    def __init__(self, planner: Planner, ask: Ask, wish: Wish, on_better: Better | None):
        self._built = planner.built
        self._first = planner.first
        self._ask = ask
        self._wish = wish
        self._tell = on_better
        self._best: Plan | None = None
        self._exact = True

    def answer(self) -> Plan:
        """The answer, at the latest when the budget is used up."""
        left = self._ask.effort.deadline.left
        kept = min(max(left * _ANSWERING, _LEAST), _MOST)
        deadline = self._ask.effort.deadline.part(most=left - kept)
        effort = replace(self._ask.effort, deadline=deadline)

        def once(_: Steps) -> Plan:
            with until(deadline), at_the_latest(deadline.end + kept / 3):
                found, problem = self._found(effort)
            return self._said(found) if found.steps is None else self._played(found, problem)

        try:
            return self._built.asked(self._ask.side, self._ask.state, deadline, once)
        except Unmet:
            if self._exact:
                raise
            return self._best or self._said(replace(NOTHING, reason=INEXACT))
        except TimeUp:
            if self._best is None:
                return self._said(replace(NOTHING, reason=BUILDING))
            return replace(self._best, reason=TIME_UP) if self._best.status == "feasible" else self._best

    def _found(self, effort: Effort) -> tuple[Search, Problem | None]:
        ask, wish = self._ask, self._wish
        if not wish.conditions.require and interpret(wish.goal, ask.system.layout.slot, ask.state):
            return Search((), 0, 0, bound_by=START), None
        known, numbers = self._built.open(ask, wish.goal, wish.conditions)
        if known.search is not None and known.problem is not None:
            problem = known.problem
            found = known.search.find(ask.state, numbers, effort.deadline, lambda s: self._improved(s, problem))
            if found.exhausted or found.cost is not None or effort.deadline.left <= 0:
                return found, problem
        return self._by_all_methods(effort)

    def _by_all_methods(self, effort: Effort) -> tuple[Search, Problem]:
        """Search by all methods as for a fresh question, under the conditions."""
        ask, wish = self._ask, self._wish
        step = self._built.steps(ask.side, ask.state).step
        asked = planning_problem(ask, step, wish.goal, wish.conditions)
        problem, plain = asked.problem, asked.plain
        self._exact = asked.exact
        known = NOTHING if wish.conditions else self._first.find(ask, wish.goal, plain, effort.deadline.part(_FIRST))
        if known.steps is not None:
            self._played(known, plain)

        def better(found: Search) -> None:
            with suppress(Unmet) if not asked.exact else nullcontext():
                self._improved(found if asked.exact else replace(found, lower_bound=None), plain)

        found = asked.shown(solve(Question(problem, effort, parties(ask, problem), better=better), known))
        if found.steps is not None and not actions_of(step) and not step.scoped and not wish.conditions:
            found = simplified(ask.system, ask.state, plain, found)
        return found, plain

    def _improved(self, found: Search, problem: Problem) -> None:
        """Tell of a better plan, which is replayed for that."""
        cost = None if self._best is None else self._best.cost
        if self._tell is not None and found.cost is not None and (cost is None or found.cost < cost):
            self._played(found, problem)

    def _played(self, found: Search, problem: Problem | None) -> Plan:
        """The answer with a plan, which is replayed; it is told, if it is better than what was told before."""
        ask, wish = self._ask, self._wish
        steps: tuple[Step, ...] = ()
        record = Recorded(())
        with granted(ask.effort.deadline.left):
            if problem is not None:
                made = played(ask.system, ask.state, problem, found)
                slot = ask.system.layout.slot
                if not all(interpret(wish.conditions.keep, slot, s) for s in made.states):
                    raise ReplayError("the plan breaks the condition that it must keep")
                if not wish.conditions.met(made.events):
                    raise Unmet("the plan does not hold the events that it must, or holds others")
                deadline, keep = ask.effort.deadline, wish.conditions.keep
                record = recorded(ask.system, ask.state, made.events, wish.goal, deadline, keep)
                check_battles(ask, record)
                steps = made.steps
            said = self._said(found, steps, record)
        if self._tell is not None and (self._best is None or self._best.cost != said.cost):
            self._tell(said, said.lower_bound)
        self._best = said
        return said

    def _said(self, found: Search, steps: tuple[Step, ...] = (), record: Recorded | None = None) -> Plan:
        return answer(self._ask, self._wish.text, found, steps, record, self._wish.conditions.said)


class Unmet(ReplayError):
    """A plan does not meet its conditions."""

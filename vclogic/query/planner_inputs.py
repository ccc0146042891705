"""Inputs of a planner's questions, looked up: goals, conditions and states."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from vclogic.choices import choice
from vclogic.encode.conditions import Conditions
from vclogic.errors import Diagnostic, InputError
from vclogic.files.findings import Findings
from vclogic.files.setup import Setup
from vclogic.files.state_form import StateForm
from vclogic.model.fluents import State
from vclogic.model.latest import Latest
from vclogic.model.system import Metric
from vclogic.query.conditions import read_conditions
from vclogic.query.given_state import GivenStates
from vclogic.query.objectives.question import ObjectivesQuestion, default_goal
from vclogic.query.objectives.threats import Menace, menaces
from vclogic.query.plan_request import Ask, any_of_sides, check_numbers, side_for
from vclogic.query.questions.planner import PlannerBriefing, PlannerQuestion, QuestionFromState
from vclogic.solve.backends.session import Effort
from vclogic.terms.event_words import ONLY_REACH
from vclogic.terms.resolve import Goal, compile_goal
from vclogic.terms.term import Term

_MOST_GOALS = 256


class Inputs:
    """Looks up what questions give; what was looked up lately is kept.

    Args:
        setup: The game.
        state: The state of questions that give none.
        side: The side that plans; None: that which the goal names.
        metric: The kind of plans.
        opponent: `idle` or `any`.
    """

    def __init__(self, setup: Setup, state: State, side: str | None, metric: Metric, opponent: str):
        self._setup = setup
        self._state = state
        self._side = side
        self._metric = metric
        self._opponent = opponent
        self._goals: Latest[str, Goal] = Latest(_MOST_GOALS)
        self._asked: Latest[str, Conditions] = Latest(_MOST_GOALS)

    def about_objectives(
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
            read = self.conditions(question)
        with found.catch():
            some = () if side is None else menaces(self._setup.system, side, question.threat)
        with found.catch():
            ask = self.ask(question, side, effort)
        found.stop()
        return ObjectivesQuestion(ask, text, term, read, question.limit), some

    def _goal_or_default(self, goal: str | None) -> tuple[str, Term, str]:
        """A goal as text and as a term, and the side that plans for it."""
        if goal is not None:
            compiled, side = self.compiled(goal)
            assert side is not None, "no side is optional"
            return goal, compiled.term, side
        if self._side is None:
            hint = f"say whose briefing it is: {any_of_sides(self._setup.system)}"
            raise InputError(
                Diagnostic("missing-side", "neither a side nor a goal is given", choice("side"), help=hint)
            )
        return (*default_goal(self._setup.system, self._side), self._side)

    def compiled(self, goal: str) -> tuple[Goal, str | None]:
        """A goal, and the side that plans for it."""
        system = self._setup.system
        found = self._goals.get(goal, lambda: compile_goal(goal, system.vocabulary, choice("goal"), ONLY_REACH))
        return found, self._side or side_for(system, found.mentions, None, self._opponent)

    def ask(self, question: PlannerQuestion, side: str | None, effort: Effort) -> Ask:
        """A question with everything looked up.

        Raises:
            InputError: The state is of another game.
        """
        return Ask(
            game=self._setup.game,
            system=self._setup.system,
            state=self.state_of(question),
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

    def state_of(self, question: PlannerQuestion) -> State:
        """The state that a question gives; that of the planner's own game if it gives none.

        Raises:
            InputError: It is of another game.
        """
        given = question.state if isinstance(question, QuestionFromState) else None
        return self._state if given is None else self._given.bounded(given)

    def conditions(self, question: PlannerQuestion) -> Conditions:
        """The conditions on a plan; the same object for the same words.

        Raises:
            InputError: What is wrong with them.
        """
        words = question.require, question.avoid, question.keep
        return self._asked.get(repr(words), lambda: read_conditions(self._setup.system, self._metric, *words))

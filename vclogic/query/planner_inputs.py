"""What a planner's questions give, looked up: goals, conditions and states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol

from vclogic.encode.conditions import Conditions
from vclogic.errors import Diagnostic, InputError
from vclogic.files.findings import Findings
from vclogic.files.setup import Setup
from vclogic.files.state_form import StateForm
from vclogic.model.fluents import State
from vclogic.model.latest import Latest
from vclogic.model.system import Metric
from vclogic.query.conditions import Events, read_conditions
from vclogic.query.objectives.asked import Asked
from vclogic.query.objectives.goals import default_goal
from vclogic.query.objectives.threats import Menace, menaces
from vclogic.query.plan_request import Ask, check_numbers, side_for
from vclogic.solve.backends.session import Effort
from vclogic.terms.event_words import ONLY_REACH
from vclogic.terms.resolve import Goal, compile_goal
from vclogic.terms.term import Term

_MOST_GOALS = 256


class Positioned(Protocol):
    """A game at a moment."""

    @property
    def as_loaded(self) -> Setup:
        """The game, with whatever start."""

    @property
    def state(self) -> State:
        """Its state."""


Given = Positioned | Mapping[str, Any] | State | None
"""A state as a question gives it; see `Planner.plan`."""


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
        self,
        goal: str | None,
        state: Given,
        conditions: tuple[Sequence[Events], Sequence[Events], str | None],
        threat: str | None,
        numbers: tuple[float, int, int | None],
        effort: Effort,
    ) -> tuple[Asked, Sequence[Menace]]:
        """A question about objectives, and what the enemies want; see `Planner.objectives`.

        Args:
            goal: The goal.
            state: The state.
            conditions: What the plan must hold, what it must not, and what holds after every step.
            threat: The goal of each enemy.
            numbers: The seconds, the most sets that are listed, and the horizon.
            effort: The resources.

        Raises:
            InputError: Everything that is wrong.
        """
        found = Findings()
        seconds, limit, within = numbers
        with found.catch():
            check_numbers(seconds, limit, within=within)
        side = self._side
        with found.catch():
            text, term, side = self._goal_or_default(goal)
        with found.catch():
            read = self.conditions(*conditions)
        with found.catch():
            some = () if side is None else menaces(self._setup.system, side, threat)
        with found.catch():
            start = self.state_of(state)
        found.stop()
        return Asked(self.ask(start, side, effort, within), text, term, read, limit), some

    def _goal_or_default(self, goal: str | None) -> tuple[str, Term, str]:
        """A goal as text and as a term, and the side that plans for it."""
        if goal is not None:
            compiled, side = self.compiled(goal)
            assert side is not None, "no side is optional"
            return goal, compiled.term, side
        if self._side is None:
            hint = f"say whose briefing it is: --side {' or --side '.join(self._setup.system.sides)}"
            raise InputError(Diagnostic("missing-side", "neither a side nor a goal is given", "--side", help=hint))
        return (*default_goal(self._setup.system, self._side), self._side)

    def compiled(self, goal: str) -> tuple[Goal, str | None]:
        """A goal, and the side that plans for it."""
        system = self._setup.system
        found = self._goals.get(goal, lambda: compile_goal(goal, system.vocabulary, "goal", ONLY_REACH))
        return found, self._side or side_for(system, found.mentions, None, self._opponent)

    def ask(self, state: State, side: str | None, effort: Effort, within: int | None) -> Ask:
        """A question."""
        return Ask(
            game=self._setup.game,
            system=self._setup.system,
            state=state,
            settings=self._setup.chosen_in_words,
            side=side,
            opponent=self._opponent,
            metric=self._metric,
            effort=effort,
            within=within,
        )

    @cached_property
    def _form(self) -> StateForm:
        return StateForm(self._setup.system)

    def state_of(self, given: Positioned | Mapping[str, Any] | State | None) -> State:
        """A state as a question gives it; None: that of questions that give none.

        Raises:
            InputError: It is of another game.
        """
        if given is None:
            return self._state
        if isinstance(given, Mapping):
            return self._form.changed(self._state, given)
        layout = self._setup.system.layout
        if isinstance(given, tuple):
            if len(given) != len(layout.fluents):
                message = f"a state of {self._setup.game} has {len(layout.fluents)} numbers, not {len(given)}"
                raise InputError(Diagnostic("wrong-value", message, "state"))
            return given
        other = given.as_loaded
        if other.system is not self._setup.system and not self._same_rules(other):
            message = f"this planner is for {self._setup.game} under its settings, not for {other.game}"
            raise InputError(Diagnostic("usage", message, "state", help="make a planner of that game"))
        return given.state

    def _same_rules(self, other: Setup) -> bool:
        """Whether another game, loaded on its own, has the same rules on the same board."""
        own = self._setup
        names, settings = ([getattr(s, x) for s in (own, other)] for x in ("reference", "settings"))
        boards = [s.board.tree if s.board is not None else None for s in (own, other)]
        fluents = [s.system.layout.fluents for s in (own, other)]
        return all(a == b for a, b in (names, settings, boards, fluents))

    def conditions(self, require: Sequence[Events], avoid: Sequence[Events], keep: str | None) -> Conditions:
        """Conditions on a plan; the same object for the same words.

        Raises:
            InputError: What is wrong with them.
        """
        key = repr((require, avoid, keep))
        return self._asked.get(key, lambda: read_conditions(self._setup.system, self._metric, require, avoid, keep))

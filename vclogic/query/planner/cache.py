"""Parts that a planner shares between questions: steps of its model, and programs for goals under conditions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from vclogic.clock import Deadline, until
from vclogic.collector_paused import collector_paused
from vclogic.encode.conditions import Conditions, action_under, conditioned
from vclogic.encode.dominance import Classes, without_dominated
from vclogic.encode.goal_regression import regressions
from vclogic.encode.linear.affine import Unsupported
from vclogic.encode.linear.delete_free import (
    DeleteFree,
    OpenGains,
    from_any_start,
    is_wide,
    only_falls,
    with_thresholds,
)
from vclogic.encode.unroll import cone
from vclogic.model.fluents import Layout, State
from vclogic.model.memoized import Latest
from vclogic.model.system import Metric, System
from vclogic.model.transition import SingleActions, Transition, actions_of
from vclogic.query.resolved_question import ResolvedQuestion, without_memory
from vclogic.shortage import libraries_missing
from vclogic.solve.problem import Problem
from vclogic.terms.atoms import TRUE
from vclogic.terms.build import all_of, any_of, not_
from vclogic.terms.rewrite import substitute
from vclogic.terms.term import Term, conjuncts, variables

if TYPE_CHECKING:
    from vclogic.solve.searches.kept_search import KeptSearch

from vclogic.clock import check_deadline
from vclogic.encode.python.evaluator import IllegalStep, OutOfBounds, interpret, stepper_of
from vclogic.model.actions import Event
from vclogic.query.replay import replay_plan
from vclogic.solve.problem import NOTHING, SearchResult

T = TypeVar("T")


class Watched(Mapping[Term, Term]):
    """The value of each fluent at a start, and which of them were read, so that what was built from them is known.

    Args:
        layout: The fluents.
        state: The start.
        others: The values of further variables.

    Attributes:
        read: The number of each fluent that was read, by its place in a state.
    """

    def __init__(self, layout: Layout, state: State, others: Mapping[Term, Term] | None = None):
        self._layout = layout
        self._state = state
        self._others = others or {}
        self.read: dict[int, int] = {}

    def __getitem__(self, fluent: Term) -> Term:
        place = self._layout.slot.get(fluent)
        if place is None:
            return self._others[fluent]
        number = self.read[place] = self._state[place]
        return self._layout.known[place][number]

    def __iter__(self) -> Iterator[Term]:
        self.read.update(enumerate(self._state))
        yield from self._layout.fluents
        yield from self._others

    def __len__(self) -> int:
        return len(self._state) + len(self._others)

    def fits(self, state: State) -> bool:
        """True if another start has the same values wherever this one was read."""
        return all(state[place] == number for place, number in self.read.items())


@dataclass(frozen=True)
class Steps:
    """The steps of a planning model.

    Attributes:
        step: The steps.
        watched: The start from which they were built; they are the same from each start that fits it.
    """

    step: Transition
    watched: Watched


@dataclass(frozen=True)
class Open:
    """A goal under conditions from any start.

    Attributes:
        steps: The steps from which it was built.
        watched: The start from which it was built.
        problem: The problem in which plans are replayed; only its goal differs between questions.
        search: The search; None: gains can be lost, or the goal cannot be written as a program.
        others: The variables beside fluents that a question gives a number.
    """

    steps: Steps
    watched: Watched
    problem: Problem | None = None
    search: KeptSearch | None = None
    others: tuple[Term, ...] = ()

    def fits(self, steps: Steps, state: State) -> bool:
        """True if it is the same from a start."""
        return self.steps is steps and self.watched.fits(state)


class Built:
    """The steps and programs of a planner.

    Args:
        system: The rule set.
        metric: The kind of plan.
        opponent: `idle` or `any`.
    """

    _STEPS = 4
    _PROGRAMS = 24
    _GOALS = 256
    _KEPT = 64

    def __init__(self, system: System, metric: Metric, opponent: str):
        self._system = system
        self._metric = metric
        self._opponent = opponent
        self._steps: list[tuple[str | None, Steps]] = []
        self._open: Latest[Hashable, Open] = Latest(self._PROGRAMS)
        self._goals: Latest[Term, tuple[Term, dict[Term, int]]] = Latest(self._GOALS)
        self._wide: Latest[Term, tuple[Term, ...]] = Latest(self._GOALS)
        self._kept: Latest[Hashable, Any] = Latest(self._KEPT)

    @property
    def programs(self) -> tuple[Open, ...]:
        """The goals under conditions that are kept."""
        return self._open.kept

    @collector_paused()
    def steps(self, side: str | None, state: State) -> Steps:
        """The steps of a side from a start."""
        for known in self._steps:
            if known[0] == side and known[1].watched.fits(state):
                return known[1]
        watched = Watched(self._system.layout, state)
        found = Steps(self._metric.transition(side, self._opponent, watched), watched)
        self._steps = [(side, found), *self._steps][: self._STEPS]
        return found

    def cached_answer(
        self,
        side: str | None,
        state: State,
        deadline: Deadline,
        ask: Callable[[Steps], T],
        steps: Steps | None = None,
    ) -> T:
        """The answer to a question about the steps of a side from a start.

        It is asked once more with fresh steps where it reads more of the start than when the steps were built.

        Args:
            deadline: When the steps have to be there.
            ask: Answers it.
            steps: The steps to begin with; None: those that are kept, or fresh ones.

        Raises:
            TimeUp: The deadline passed before the steps were built.
        """
        while True:
            if steps is None:
                with until(deadline):
                    steps = self.steps(side, state)
            answer = ask(steps)
            if steps.watched.fits(state):
                return answer
            self.forget(steps)
            steps = None

    def forget(self, steps: Steps) -> None:
        """Build steps anew when they are asked for next, as they read more of the start than when they were built."""
        self._steps = [(other, s) for other, s in self._steps if s is not steps]

    def cached(self, key: Hashable, make: Callable[[], T]) -> T:
        """Anything else made for questions, such as sessions; the one asked for least recently is dropped."""
        found: T = self._kept.get(key, make)
        return found

    @collector_paused()
    def open(self, resolved: ResolvedQuestion, goal: Term, conditions: Conditions) -> tuple[Open, tuple[int, ...]]:
        """A goal under conditions from any start, and the numbers of its other variables for this goal."""
        state = resolved.state
        steps = self.steps(resolved.side, state)
        goal = self._without_wide(goal, steps.step, state)
        asked, numbers = self._goals.get(goal, lambda: self._with_thresholds(goal))
        key = (resolved.side, asked, conditions, resolved.within)
        found = self._open.find(key)
        if found is None or not found.fits(steps, state):
            found = self._open.put(key, self._opened(steps, resolved, (goal, asked), conditions))
        if goal is not asked and found.problem is not None:
            found = replace(found, problem=at_goal(found.problem, goal))
        return found, tuple(numbers.get(v, 0) for v in found.others)

    def _without_wide(self, goal: Term, step: Transition, state: State) -> Term:
        """A goal without numbers of too many values for programs from any start, where no step changes them."""
        tail, slot = self._metric.tail, self._system.layout.slot
        wide = self._wide.get(goal, lambda: tuple(f for f in variables(goal) if f in slot and is_wide(f)))
        if not wide:
            return goal
        changed = step.touched | ({f for f, _ in tail.effects} if tail else set())
        known = self._system.layout.known
        return substitute(goal, {f: known[slot[f]][state[slot[f]]] for f in wide if f not in changed})

    def _with_thresholds(self, goal: Term) -> tuple[Term, dict[Term, int]]:
        """See `with_thresholds`; a goal on which the passing of turns bears is left as it is."""
        tail = self._metric.tail
        later = {f for f, _ in tail.effects} if tail else set()
        return with_thresholds(goal) if later.isdisjoint(variables(goal)) else (goal, {})

    def _opened(
        self, steps: Steps, resolved: ResolvedQuestion, goals: tuple[Term, Term], conditions: Conditions
    ) -> Open:
        watched = Watched(self._system.layout, resolved.state, conditions.start)
        step, (goal, asked), within = steps.step, goals, resolved.within
        if isinstance(step, SingleActions) and not libraries_missing():
            tail = None if self._metric.tail is None else action_under(self._metric.tail, conditions)
            later = regressions(conditions.goal(goal), tail, watched, step.touched | set(conditions.memory))
            wanted = [conditions.goal(asked)] if goal is not asked else list(later.goals)
            with suppress(Unsupported):
                found = self._written(step, wanted, conditions)
                if found is not None:
                    plain = Problem({}, found.merged, goal, later, self._metric.name, within, step, {})
                    plain = without_memory(replace(plain, classes=found.classes), step, goal, conditions)
                    end = all_of((any_of(wanted), conditions.end, *found.ends))
                    others = tuple(v for v in found.gains.start if v not in self._system.layout.slot)
                    slot = self._system.layout.slot
                    from vclogic.solve.searches.kept_search import KeptSearch, OpenProblem  # needs NumPy and HiGHS

                    search = KeptSearch(OpenProblem(found.gains, found.free, end, others, within, slot))
                    return Open(steps, watched, plain, search, others)
        return Open(steps, watched)

    def _written(self, step: SingleActions, wanted: Sequence[Term], conditions: Conditions) -> AnyStartProblem | None:
        """The delete-free problem from any start; None if it is none.

        What must hold after every step and, once false, stays false, need only hold at the end.
        """
        parts = [*conjuncts(conditions.keep), *conditions.stays]
        tail = self._metric.tail
        later = {f for f, _ in tail.effects} if tail else set()
        wanted = [*wanted, conditions.end, *parts]
        bare = self._reduced(step, wanted, replace(conditions, keep=TRUE, stays={}))
        if bare is None or not later.isdisjoint(variables(conditions.end)):
            return None
        if not only_falls(bare.gains, not_(conditions.end)):
            return None  # it could hold on the way, and no longer at the end
        ends = [c for c in parts if later.isdisjoint(variables(c)) and only_falls(bare.gains, c)]
        keep = all_of(c for c in conjuncts(conditions.keep) if c not in ends)
        left = replace(conditions, keep=keep, stays={c: by for c, by in conditions.stays.items() if c not in ends})
        found = bare if left.always is TRUE else self._reduced(step, wanted, left)
        return None if found is None else replace(found, ends=tuple(ends))

    def _reduced(self, step: SingleActions, asked: Sequence[Term], conditions: Conditions) -> AnyStartProblem | None:
        under = conditioned(step, conditions).step
        needed, smaller = cone(under, asked)
        merged, classes = without_dominated(smaller, asked, self._metric.name)
        found = from_any_start(actions_of(merged), needed, self._metric.name)
        return None if found is None else AnyStartProblem(merged, classes, *found)


@dataclass(frozen=True)
class AnyStartProblem:
    """A delete-free problem from any start.

    Attributes:
        merged: The steps, reduced to what matters.
        classes: The actions that each choice represents.
        gains: Its network.
        free: Its delete-free form.
        ends: What must hold at the end, beside the goal.
    """

    merged: Transition
    classes: Classes
    gains: OpenGains
    free: DeleteFree
    ends: tuple[Term, ...] = ()


def at_goal(problem: Problem, goal: Term) -> Problem:
    """The problem in which plans are replayed, for a goal on which the passing of turns does not bear."""
    return replace(problem, goal_at_end=goal, regressions=replace(problem.regressions, goals={goal: 0}))


# ---- a first plan in steps of many choices, before a solver has one
#
# Where another planning model of the game has single events as steps, its cheapest plan is found in a moment. As many
# of its events as the steps allow, in the order of that plan, are chosen in each. What comes of it is a plan if the
# goal holds; nothing is claimed of its cost.


_NOTHING_DONE = 20  # steps in a row without an event of the plan, after which it is given up


class FirstPlans:
    """Finds first plans, for questions about one game.

    Args:
        system: The rule set.
        metric: Name of the metric whose plans are wanted.
        opponent: `idle` or `any`.
    """

    def __init__(self, system: System, metric: str, opponent: str):
        self._system = system
        self._none = Conditions()
        self._others = [Built(system, m, opponent) for m in system.metrics if m.name != metric and not m.refused]

    def find(self, resolved: ResolvedQuestion, goal: Term, problem: Problem, deadline: Deadline) -> SearchResult:
        """A plan without a bound; nothing where none is found.

        Args:
            resolved: The question; its conditions, if it has any, are not looked at.
            goal: Bool, over fluents.
            problem: The problem of the plan.

        Raises:
            TimeUp: The time was up.
        """
        opened = self.open(resolved, goal, problem.whole_step)
        search, single = (None, None) if opened is None else (opened[0].search, opened[0].problem)
        if opened is None or search is None or single is None:
            return NOTHING
        found = search.find(resolved.state, opened[1], deadline, lambda found: None)
        if found.steps is None:
            return NOTHING
        events = replay_plan(self._system, resolved.state, single, found).events
        return in_steps(self._system, resolved.state, problem, events)

    def open(self, resolved: ResolvedQuestion, goal: Term, step: Transition) -> tuple[Open, tuple[int, ...]] | None:
        """The goal in a planning model of single events, as `Built.open` gives it; None where there is none of use.

        Args:
            resolved: The question, whose limit is on other steps than these.
            goal: Bool, over fluents.
            step: The steps of the plan; of use where they say which events their choices come to.
        """
        for other in self._others if step.taken is not None else ():
            if actions_of(other.steps(resolved.side, resolved.state).step):
                return other.open(replace(resolved, within=None), goal, self._none)
        return None


def in_steps(system: System, state: State, problem: Problem, events: Sequence[Event]) -> SearchResult:
    """A plan in which the events of another come as early as the steps allow; nothing where that does not do.

    Args:
        state: The start.
        problem: The problem of the plan, whose steps say which events their choices come to.
        events: The events, in the order in which they are to be tried.
    """
    step, slot = problem.whole_step, system.layout.slot
    play, idle = stepper_of(system.layout, step), dict.fromkeys(step.choices, 0)
    choices, left = _choices(step), list(events)
    steps: list[Mapping[Term, int]] = []
    cost = counted = waited = 0
    with suppress(IllegalStep, OutOfBounds):
        while not interpret(problem.goal, slot, state):
            counted += interpret(step.counts, slot, state)
            if waited > _NOTHING_DONE or (problem.within is not None and counted > problem.within):
                return NOTHING
            chosen: dict[Term, int] = {}
            # Each event joins those of the step so far, and the step is tried: choices may exclude each other.
            after = play.step(state, idle)
            for event in tuple(left):
                for choice in choices.get(event, ()):
                    check_deadline()
                    with suppress(IllegalStep, OutOfBounds):
                        after = play.step(state, idle | chosen | {choice: 1})
                        chosen[choice] = 1
                        left.remove(event)
                        break
            waited = 0 if chosen else waited + 1
            cost += play.cost(state, idle | chosen)
            steps.append(chosen)
            state = after
        return SearchResult(steps, cost)
    return NOTHING


def _choices(step: Transition) -> dict[Event, list[Term]]:
    """The choices that come to each event alone."""

    def pairs() -> Iterator[tuple[Event, list[Term]]]:
        for condition, action in (step.taken or {}).items():
            yield Event(action.name, action.args), [v for v in variables(condition) if v.is_bool]

    return dict(pairs())

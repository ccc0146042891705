"""A plan as a player would rather have it at the same cost: nobody waits, or moves to and fro for nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations, product

from vclogic.clock import Deadline, TimeUp, check_deadline, grace, grace_period, until
from vclogic.encode.python.evaluator import IllegalStep, OutOfBounds, Stepper, interpret
from vclogic.model.fluents import State
from vclogic.model.system import System
from vclogic.model.transition import Chosen, Transition, actions_of
from vclogic.query.replay import Played, ReplayError, by_name, replay_plan
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.solve.problem import Problem, SearchResult
from vclogic.terms.term import Term

_SHARE, _MOST = 1 / 3, 3.0  # of the time left, and in seconds
Rather = Callable[[Chosen], Iterable[Chosen]]


def replay_preferred(resolved: ResolvedQuestion, problem: Problem, found: SearchResult) -> Played:
    """A plan, replayed, as a player would rather have it at the same cost, where the time allows that.

    Args:
        found: A result with a plan.
    """
    with grace_period(grace()):
        plain = replay_plan(resolved.system, resolved.state, problem, found)
    better = preferred_plan(resolved.system, resolved.state, problem, found, resolved.effort.deadline)
    if better is not found:
        with suppress(TimeUp), until(resolved.effort.deadline):
            return replay_plan(resolved.system, resolved.state, problem, better)
    return plain


def preferred_plan(
    system: System, state: State, problem: Problem, found: SearchResult, deadline: Deadline
) -> SearchResult:
    """A plan with its turns as early as they can be, and with what steps say a player would rather choose.

    Solvers do not care when a power moves, or where aircraft land (`Hints.rather`), as long as the plan goes on from
    there; a player does. What is proved of the plan's cost stays: each change costs the same, and later steps and the
    goal stand.

    Args:
        state: The start.
        found: A result; only one with a plan is changed.
        deadline: When to answer; a part of the time left is used.

    Returns:
        The result with the better plan; as it was where nothing is better, where the steps do not say what players
        would rather choose, or where plans must satisfy more than their laws, such as to hold what they take.
    """
    full = problem.whole_step
    more = len(problem.transition.hints.lemmas) > len(full.hints.lemmas)
    if not found.steps or more:
        return found
    if actions_of(full) and full.hints.rather is not None and problem.unconditioned is None:
        return _of_single_events(system, state, problem, found, full.hints.rather, deadline)
    if not full.scoped:
        return found
    plan = _ChangedPlan(system, problem, [])
    with suppress(TimeUp), until(deadline.part(_SHARE, _MOST)):
        if full.at(system.layout.constants(state)).hints.rather is None:
            return found
        plan.open(state, found.steps)
        plan.hurry()
        for n, turn in reversed([*enumerate(plan.turns)]):
            if turn.step.hints.rather is not None:
                plan.improve(n, turn.step.hints.rather)
    with suppress(TimeUp), until(deadline.part(_SHARE, _MOST)):
        # Turns were changed one by one: only playing them all shows that later ones can still be taken.
        if plan.changed and _stands(system, state, problem, plan.steps, found.cost):
            return replace(found, steps=plan.steps)
    return found


def _of_single_events(
    system: System, state: State, problem: Problem, found: SearchResult, rather: Rather, deadline: Deadline
) -> SearchResult:
    """The same for steps of one event each: single ones, and two that undo each other; arguments as above."""
    steps: list[Mapping[Term, int]] = [*(found.steps or ())]
    with suppress(TimeUp), until(deadline.part(_SHARE, _MOST)):
        left = True
        while left:
            others = (other for few in (1, 2) for other in _variants(steps, few, rather))
            better = next((o for o in others if _leads(system, state, problem, replace(found, steps=o))), None)
            left = better is not None
            steps = better or steps
    return found if steps == [*(found.steps or ())] else replace(found, steps=steps)


def _variants(steps: Sequence[Mapping[Term, int]], few: int, rather: Rather) -> Iterator[list[Mapping[Term, int]]]:
    """Steps of which a few are something better, the last ones first."""
    for places in combinations(reversed(range(len(steps))), few):
        for others in product(*(list(rather(steps[n])) for n in places)):
            changed = [*steps]
            for n, other in zip(places, others, strict=True):
                changed[n] = other
            yield changed


def _leads(system: System, state: State, problem: Problem, found: SearchResult) -> bool:
    """True if a plan is legal, costs what it claims, and leads to the goal."""
    try:
        replay_plan(system, state, problem, found)
    except ReplayError:
        return False
    return True


def _stands(
    system: System, state: State, problem: Problem, steps: Sequence[Mapping[Term, int]], cost: int | None
) -> bool:
    """True if steps are a plan of that cost, each built for the state in which it is taken."""
    plan = _ChangedPlan(system, problem, [])
    try:
        plan.open(state, steps)
    except (IllegalStep, OutOfBounds, ReplayError):
        return False
    return plan.cost == cost and plan.holds_after(len(steps))


@dataclass
class _Turn:
    """A step of a plan.

    Attributes:
        step: The step, as built for the state in which the plan was found to take it.
        stepper: Evaluates it.
        state: The state before it.
        chosen: What is chosen.
    """

    step: Transition
    stepper: Stepper
    state: State
    chosen: Chosen


@dataclass
class _ChangedPlan:
    """A plan that is being changed.

    Attributes:
        system: The rule set.
        problem: The planning problem.
        turns: Its steps.
        changed: Whether it was.
    """

    system: System
    problem: Problem
    turns: list[_Turn]
    changed: bool = False

    @property
    def steps(self) -> Sequence[Mapping[Term, int]]:
        """The choices, step by step."""
        return [{choice: n for choice, n in turn.chosen.items() if n} for turn in self.turns]

    def open(self, state: State, steps: Sequence[Mapping[Term, int]]) -> None:
        """Build the steps of a plan."""
        layout = self.system.layout
        for choice in steps:
            check_deadline()
            step = self.problem.whole_step.at(layout.constants(state))
            chosen = {**dict.fromkeys(step.choices, 0), **by_name(step, choice)}
            turn = _Turn(step, Stepper(layout, step), state, chosen)
            self.turns.append(turn)
            state = turn.stepper.step(state, chosen)

    def hurry(self) -> None:
        """Take what is chosen in a turn in an earlier one, in which the same side or power does nothing so far."""
        late = 0
        while late < len(self.turns):
            turn = self.turns[late]
            if any(turn.chosen.values()) and turn.step.mover is not None:
                idle = (n for n, t in enumerate(self.turns[:late]) if not any(t.chosen.values()))
                same = (n for n in idle if self._mover(n) == self._mover(late))
                next((n for n in same if self._move(late, n)), None)
            late += 1

    def _mover(self, n: int) -> int | None:
        mover = self.turns[n].step.mover
        return None if mover is None else interpret(mover, self.system.layout.slot, self.turns[n].state)

    def _move(self, late: int, early: int) -> bool:
        """Do in one turn what is done in a later one, if that leaves a plan of the same cost."""
        steps = [*self.steps]
        steps[early], steps[late] = steps[late], {}
        other = _ChangedPlan(self.system, self.problem, self.turns[:early])
        try:
            other.open(self.turns[early].state, steps[early:])
        except (IllegalStep, OutOfBounds, ReplayError):
            return False
        if other.cost != self.cost or not other.cut():
            return False
        self.turns, self.changed = other.turns, True
        return True

    @property
    def cost(self) -> int:
        """The cost of the plan."""
        return sum(turn.stepper.cost(turn.state, turn.chosen) for turn in self.turns)

    def cut(self) -> bool:
        """Leave out what comes after the goal holds first; whether it holds at all."""
        first = next((n for n in range(1, len(self.turns) + 1) if self.holds_after(n)), 0)
        del self.turns[first:]
        return first > 0

    def holds_after(self, n: int) -> bool:
        """True if the goal holds after so many steps."""
        turn = self.turns[n - 1]
        return bool(interpret(self.problem.goal, self.system.layout.slot, turn.stepper.step(turn.state, turn.chosen)))

    def improve(self, n: int, rather: Rather) -> None:
        """Change a step as long as something better leaves a plan."""
        found: Chosen | None = self.turns[n].chosen
        while found is not None:
            found = next((other for other in rather(found) if self._take(n, other)), None)

    def _take(self, n: int, other: Chosen) -> bool:
        """Take something else in a step, if it costs the same and leaves a plan."""
        check_deadline()
        here = self.turns[n]
        if here.stepper.cost(here.state, other) != here.stepper.cost(here.state, here.chosen):
            return False
        states = [here.state]
        try:
            states.append(here.stepper.step(here.state, other))
            for turn in self.turns[n + 1 :]:
                states.append(turn.stepper.step(states[-1], turn.chosen))
        except (IllegalStep, OutOfBounds):
            return False
        if not interpret(self.problem.goal, self.system.layout.slot, states[-1]):
            return False
        here.chosen, self.changed = other, True
        for turn, state in zip(self.turns[n:], states, strict=False):
            turn.state = state
        return True

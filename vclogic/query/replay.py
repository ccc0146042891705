"""Replay records and plans by the Python evaluator, which is independent of the solvers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from vclogic.choices import by_command
from vclogic.clock import TimeUp, check_deadline
from vclogic.encode.python.evaluator import IllegalStep, OutOfBounds, Stepper, apply, failed, interpret, stepper_of
from vclogic.errors import Diagnostic, InputError
from vclogic.files.record import RecordStep
from vclogic.model.actions import Action, Event
from vclogic.model.fluents import State, Value, beyond, numbered
from vclogic.model.step_text import StepText, step_text
from vclogic.model.system import System
from vclogic.model.transition import TakenStep, Transition, actions_of
from vclogic.query.answers import Step
from vclogic.terms.atoms import TRUE
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term

if TYPE_CHECKING:  # a record is played without the solvers
    from vclogic.encode.dominance import Classes
    from vclogic.solve.problem import Problem, SearchResult


class ReplayError(AssertionError):
    """The evaluator refuses a plan of the solvers: a bug in vclogic, never shown as an answer."""


def play_record(system: System, state: State, record: Sequence[RecordStep], *, first: int = 1) -> State:
    """The state after a record.

    Args:
        state: The state before it.
        record: The steps.
        first: The number of the first of them, for messages.

    Raises:
        InputError: A step breaks a rule; at its place, with the clauses. Nothing after it is applied.
    """
    for number, step in enumerate(record, first):
        action = system.action_in(state, step.event)
        broken = failed(system, state, action)
        if broken:
            values = system.layout.values(state)
            said = [f"step {number}, {step.event}: {r.said(values)}{_clauses(r.cites)}" for r in broken]
            helps = [None] * (len(said) - 1) + [_instead()]
            raise InputError(
                Diagnostic("illegal-step", message, *step.spot, help)
                for message, help in zip(said, helps, strict=True)
            )
        try:
            state = apply(system, state, action)
        except OutOfBounds as error:
            message = f"step {number}, {step.event}: {beyond(error.fluent, error.number)}"
            raise InputError(Diagnostic("illegal-step", message, *step.spot, _instead())) from error
    return state


def _instead() -> str:
    """Help for a step that is refused."""
    lists = by_command("`vclogic legal FILE` lists", "see")
    return f"is a step missing before it? take this one out, and {lists} what may be done then"


def _clauses(cites: Iterable[object]) -> str:
    clauses = ", ".join(map(str, cites))
    return f" [{clauses}]" if clauses else ""


def state_after(system: System, state: State, event: Event) -> State | None:
    """The state after an event of a record; None if the rules refuse it."""
    return state_after_action(system, state, system.action_in(state, event))


def state_after_action(system: System, state: State, action: Action) -> State | None:
    """The same of an action."""
    try:
        return None if failed(system, state, action) else apply(system, state, action)
    except OutOfBounds:
        return None


@dataclass(frozen=True)
class Played:
    """A replayed plan.

    Attributes:
        steps: Its steps, for a reader.
        events: Its events, without the routine events that a record may need between them.
        states: The state after each step of the planning model, the passing of turns at the end included.
        each: To how many of `steps`, and of `events`, each step of the planning model comes.
        cost: What it costs.
    """

    steps: tuple[Step, ...]
    events: tuple[Event, ...]
    states: tuple[State, ...]
    each: tuple[tuple[int, int], ...] = ()
    cost: int = 0


def replay_plan(system: System, state: State, problem: Problem, found: SearchResult) -> Played:
    """Replay a plan step by step and describe it for a reader.

    Args:
        state: The start.
        found: A result with a plan; where it has no cost, none is claimed.

    Raises:
        ReplayError: The plan is illegal, does not reach the goal, or has another cost than claimed.
    """
    full = problem.whole_step
    taken: list[TakenStep] = []
    play = _one_by_one(system, problem) if actions_of(full) else _step_by_step(system, problem, taken)
    shown: list[Step] = []
    events: list[Event] = []
    states: list[State] = []
    each: list[tuple[int, int]] = []
    cost = 0
    for choice in found.steps or ():
        check_deadline()
        values = system.layout.values(state)
        try:
            made = play(state, choice, values)
        except (IllegalStep, OutOfBounds) as error:
            raise ReplayError(f"step {len(shown) + 1} of the plan: {error}") from error
        cost += made.cost
        events += made.events
        shown += as_steps(made.texts, len(shown), None if actions_of(full) else turn_of(system, values))
        each.append((len(made.texts), len(made.events)))
        state = made.state
        states.append(state)
    if found.cost not in (cost, None):
        raise ReplayError(f"the plan costs {cost}, not {found.cost}")
    # Searches add lemmas on demand: one that was never added must hold all the same.
    for judge in full.hints.lemmas:
        told = judge.judge(taken, {})
        if told.instead is None or told.instead or not all(t is TRUE for t in told.lemmas):
            raise ReplayError("the plan violates a lemma, or its cost is wrong")
    tail, after = _play_tail(system, state, problem, len(shown))
    each += [(1, 1)] * len(tail)
    return Played((*shown, *tail), (*events, *as_events(tail)), (*states, *after), tuple(each), cost)


@dataclass(frozen=True)
class _Replayed:
    """A replayed step."""

    texts: Sequence[StepText]
    events: Sequence[Event]
    cost: int
    state: State


_Play = Callable[[State, Mapping[Term, int], Mapping[Term, Value]], _Replayed]
"""Plays what was chosen in a state, given its values too."""


def _step_by_step(system: System, problem: Problem, taken: list[TakenStep]) -> _Play:
    """Replay steps of any kind; each is added to those taken, for judges."""
    full = problem.whole_step
    known = None if full.scoped else stepper_of(system.layout, full)

    def play(state: State, choice: Mapping[Term, int], values: Mapping[Term, Value]) -> _Replayed:
        here, stepper = full, known
        if stepper is None:
            here = full.at(system.layout.constants(state))
            stepper, choice = Stepper(system.layout, here), by_name(here, choice)
        chosen = dict.fromkeys(here.choices, 0) | _natural(problem.classes, choice, values)
        texts = here.describe(chosen, values)
        if full.hints.lemmas:
            chosen_terms = {c: numbered(c, n) for c, n in chosen.items()}
            taken.append(TakenStep(here, Substitution({**system.layout.constants(state), **chosen_terms})))
        events = here.events(chosen) if here.events else as_events(texts)
        return _Replayed(texts, events, stepper.cost(state, chosen), stepper.step(state, chosen))

    return play


def _one_by_one(system: System, problem: Problem) -> _Play:
    """Replay steps of one action each; only that action is evaluated, not all others of a large board."""
    actions, metric = actions_of(problem.whole_step), problem.metric

    def play(state: State, choice: Mapping[Term, int], values: Mapping[Term, Value]) -> _Replayed:
        made = [actions[taken] for taken, n in _natural(problem.classes, choice, values).items() if n]
        if len(made) > 1:
            raise ReplayError(f"the plan takes more than one action in a step: {', '.join(a.key for a in made)}")
        for action in made:
            if broken := failed(system, state, action):
                raise ReplayError(f"{action.key} is not legal in the plan: {broken[0].term} does not hold")
            state = apply(system, state, action)
        texts = [step_text(action, values) for action in made]
        return _Replayed(texts, as_events(texts), sum(a.costs.get(metric, 0) for a in made), state)

    return play


def as_events(steps: Iterable[Step | StepText]) -> list[Event]:
    """Steps that are one event each."""
    return [Event(s.action, tuple(s.args.items())) for s in steps]


def simplify_plan(system: System, state: State, problem: Problem, found: SearchResult) -> SearchResult:
    """Remove unnecessary choices from a plan, one by one, as long as goal and cost stay.

    Solvers minimize the cost, not the number of choices, so a step with many choices may contain useless ones.
    """
    full = problem.whole_step
    stepper = stepper_of(system.layout, full)
    slot = system.layout.slot
    steps = [dict(step) for step in found.steps or ()]

    def works() -> bool:
        now, cost = state, 0
        try:
            for step in steps:
                chosen = dict.fromkeys(full.choices, 0) | step
                cost += stepper.cost(now, chosen)
                now = stepper.step(now, chosen)
        except (IllegalStep, OutOfBounds):
            return False
        return cost == found.cost and bool(interpret(problem.goal, slot, now))

    # From the end: once a late choice is dropped, those that prepared it can be dropped too.
    for step in reversed(steps):
        for choice, number in list(step.items()):
            del step[choice]
            try:
                check_deadline()
                needed = not works()
            except TimeUp:
                step[choice] = number
                return replace(found, steps=steps)
            if needed:
                step[choice] = number
    return replace(found, steps=steps)


def actions_made(
    system: System, state: State, problem: Problem, found: SearchResult
) -> Iterator[tuple[Sequence[Action], State]]:
    """The actions of each step of a plan of single actions, those that pass turns at its end included.

    Nothing is checked; see `replay_plan`.

    Yields:
        The actions of a step, and the state after it.
    """
    actions, later = actions_of(problem.whole_step), problem.regressions.action
    for step in found.steps or ():
        made = [actions[choice] for choice, number in step.items() if number]
        for action in made:
            state = apply(system, state, action)
        yield made, state
    for _ in range(_passed(system, state, problem) or 0):
        assert later is not None
        state = apply(system, state, later)
        yield (later,), state


def _passed(system: System, state: State, problem: Problem) -> int | None:
    """The number of turns that pass after the last step until the goal holds; None: it never does."""
    goals = problem.regressions.goals.items()
    return min((n for goal, n in goals if interpret(goal, system.layout.slot, state)), default=None)


def _play_tail(system: System, state: State, problem: Problem, n: int) -> tuple[list[Step], list[State]]:
    """Replay the repetitions of the tail action; returns them and the state after each."""
    due = _passed(system, state, problem)
    if due is None:
        raise ReplayError("the plan does not reach its goal")
    shown: list[Step] = []
    states: list[State] = []
    for _ in range(due):
        action = problem.regressions.action
        assert action is not None
        values = system.layout.values(state)
        shown += as_steps([step_text(action, values)], n + len(shown), turn_of(system, values))
        if failed(system, state, action):
            raise ReplayError(f"step {n + len(shown)} of the plan is not legal")
        state = apply(system, state, action)
        states.append(state)
    if not interpret(problem.goal_at_end, system.layout.slot, state):
        raise ReplayError("the plan does not reach its goal")
    return shown, states


def _natural(classes: Classes, choice: Mapping[Term, int], values: Mapping[Term, Value]) -> dict[Term, int]:
    """Replace each action of a choice by the interchangeable one of lowest `display_rank`."""
    made: dict[Term, int] = {}
    for taken, number in choice.items():
        alternatives = classes.get(taken, {taken: None})

        def rank(t: Term, options: Mapping[Term, Action | None] = alternatives) -> int:
            action = options[t]
            return action.display_rank(values) if action and action.display_rank else 0

        made[min(alternatives, key=rank)] = number
    return made


def by_name(here: Transition, choice: Mapping[Term, int]) -> Mapping[Term, int]:
    """Translate choices to a step from a known state, whose choices have tighter bounds but the same names.

    Raises:
        ReplayError: A choice does not exist there.
    """
    names = {c.name: c for c in here.choices}
    unknown = [c.name for c, n in choice.items() if n and c.name not in names]
    if unknown:
        raise ReplayError(f"the plan makes choices that do not exist: {', '.join(unknown[:3])}")
    return {names[c.name]: n for c, n in choice.items() if n}


def turn_of(system: System, values: Mapping[Term, Value]) -> dict[str, Value]:
    """The side or power on turn, by the names of the schedule."""
    return {f.name: values[f] for f in system.schedule}


def as_steps(texts: Sequence[StepText], n: int, turn: Mapping[str, Value] | None) -> list[Step]:
    """Steps of an answer from their texts.

    Args:
        n: The number of earlier steps.
        turn: Whose turn it is; None if turn order is ignored.
    """
    return [Step(n + i, turn, t.actor, t.action, t.args, t.text, t.cites, t.under) for i, t in enumerate(texts, 1)]

"""The first steps of a good plan, which stays the same from turn to turn while nothing relevant changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice

from vclogic.encode.python.evaluator import IllegalStep, OutOfBounds, Stepper, apply, failed, interpret
from vclogic.model.actions import Event
from vclogic.model.fluents import State, Value
from vclogic.model.memoized import Latest
from vclogic.model.transition import Transition, actions_of
from vclogic.query.answers import Recorded, Step
from vclogic.query.objectives.answer import Cost, Next, Objectives
from vclogic.query.objectives.request import ObjectivesQuestion
from vclogic.query.objectives.ways import ObjectiveWay, PlayedWay
from vclogic.query.plan.answer import OnePlan
from vclogic.query.replay import Played, ReplayError, by_name, replay_plan
from vclogic.solve.problem import Problem
from vclogic.solve.problem import Step as Choices

_MOST = 256
Kept = Sequence[Choices]
"""The choices in each step of a plan."""


class AdvisedPlans:
    """The plans that a planner advised, with what is chosen in their steps."""

    def __init__(self) -> None:
        self._last: Latest[Hashable, Kept] = Latest(_MOST)
        self._of: Latest[str, Kept] = Latest(_MOST)

    def find(self, question: Hashable, before: Objectives | Next | None) -> Kept | None:
        """The plan that is followed.

        Args:
            question: What tells one question from others, the state apart.
            before: The answer with that plan; None: the last answer to this question.
        """
        if before is None:
            return self._last.find(question)
        advised = before.next if isinstance(before, Objectives) else before
        return None if advised is None else self._of.find(_told(advised.plan))

    def put(self, question: Hashable, advised: Next, way: ObjectiveWay) -> None:
        """Keep a plan that is advised."""
        steps = way.search.steps or ()
        self._last.put(question, steps)
        self._of.put(_told(advised.plan), steps)


def _told(plan: OnePlan) -> str:
    """A key of a plan."""
    return repr([(s.turn, s.actor, s.action, s.args) for s in plan.steps])


# ---- going on


def going_on(asked: ObjectivesQuestion, way: ObjectiveWay, kept: Kept) -> ObjectiveWay | None:
    """The rest of an earlier plan, if it is as good as the best plan from here.

    Args:
        way: The best plan that is known.
        kept: The earlier plan.

    Returns:
        What leads from here to the goal at no more cost, under the conditions and within the limit: the shortest end
        of the earlier plan; else one whose first step is done in part or as a whole; else, where steps are single
        events, those of its steps that can be made. None: nothing of that does.
    """
    problem = way.problem
    if problem is None or way.search.cost is None:
        return None
    for steps in _rests(asked, problem, kept):
        with suppress(ReplayError, IllegalStep, OutOfBounds):
            made = replay_plan(
                asked.resolved.system, asked.resolved.state, problem, replace(way.search, steps=steps, cost=None)
            )
            if made.cost <= way.search.cost and _fits(asked, problem, steps, made):
                search = replace(way.search, steps=steps, cost=made.cost)
                return ObjectiveWay("found", search, problem, frozenset(asked.taken(made.states)))
    return None


def _rests(asked: ObjectivesQuestion, problem: Problem, kept: Kept) -> Iterator[Kept]:
    """Possible rests of a plan; the shortest end first, so that nobody waits longer than the plan does."""
    full, layout = problem.whole_step, asked.resolved.system.layout
    known = kept if full.scoped else _in_terms_of(full, kept)
    yield from _ends(known)
    if actions_of(full):
        yield _possible(asked, problem, known)
        return
    here = full.at(layout.constants(asked.resolved.state))
    stepper = Stepper(layout, here)
    for end in _ends(known):
        first = {c: n for c, n in end[0].items() if n and _allowed(stepper, here, asked.resolved.state, {c: n})}
        yield from ((step, *end[1:]) for step in (first, {}))


def _in_terms_of(full: Transition, kept: Kept) -> Kept:
    """The last steps of a plan as choices of other steps, as far as these have them."""
    known: list[Choices] = []
    with suppress(ReplayError):
        for step in reversed(kept):
            known.insert(0, by_name(full, step))
    return known


def _ends(kept: Kept) -> Iterator[Kept]:
    return (kept[n:] for n in reversed(range(len(kept))))


def _allowed(stepper: Stepper, here: Transition, state: State, choice: Choices) -> bool:
    """True if a step with nothing but a choice is legal."""
    try:
        stepper.step(state, {**dict.fromkeys(here.choices, 0), **by_name(here, choice)})
    except (ReplayError, IllegalStep, OutOfBounds):
        return False
    return True


def _possible(asked: ObjectivesQuestion, problem: Problem, kept: Kept) -> Kept:
    """The steps of a plan without those that cannot be made."""
    system, state, actions = asked.resolved.system, asked.resolved.state, actions_of(problem.whole_step)
    made: list[Choices] = []
    for step in kept:
        chosen = [actions[t] for t, n in step.items() if n]
        if not any(failed(system, state, a) for a in chosen):
            for action in chosen:
                state = apply(system, state, action)
            made.append(step)
    return made


def _fits(asked: ObjectivesQuestion, problem: Problem, steps: Kept, made: Played) -> bool:
    """True if a plan that leads to the goal satisfies the conditions, within the limit."""
    slot = asked.resolved.system.layout.slot
    before = (asked.resolved.state, *made.states)
    counted = sum(bool(interpret(problem.whole_step.counts, slot, s)) for s, _ in zip(before, steps, strict=False))
    return (
        (asked.resolved.within is None or counted <= asked.resolved.within)
        and all(interpret(asked.resolved.conditions.keep, slot, s) for s in made.states)
        and asked.resolved.conditions.met(made.events)
    )


# ---- the answer


def next_of(asked: ObjectivesQuestion, played: PlayedWay, now: Cost, *, continued: bool) -> Next:
    """The first steps of a plan.

    Args:
        played: The plan.
        now: What it costs.
        continued: Whether it goes on with an earlier one.
    """
    made, plan = played.made, played.plan
    begun, main = _begun(asked, made), {o.name for o in asked.new if o.main}
    steps, events = (sum(n[i] for n in made.each[:begun]) for i in (0, 1))
    record = plan.record if begun == len(made.each) else _part(asked, plan.record, made.events[:events])
    takes = tuple(name for name in asked.taken(made.states) if name in main)
    return Next(plan.steps[:steps], record, plan, now, takes, continued)


def _begun(asked: ObjectivesQuestion, made: Played) -> int:
    """The number of steps of the planning model up to the end of the first turn in which the side moves."""
    shown: list[Sequence[Step]] = []
    rest = iter(made.steps)
    for n, _ in made.each:
        shown.append([*islice(rest, n)])
    own = (n for n, steps in enumerate(shown) if any(_decided(asked, s) for s in steps))
    begin = next(own, len(shown) - 1)
    end = begin + 1
    while end < len(shown) and _turn(shown[end]) and _turn(shown[end]) == _turn(shown[begin]):
        end += 1
    return end


def _decided(asked: ObjectivesQuestion, step: Step) -> bool:
    """True if the side decides a step, or nobody does."""
    schema = asked.resolved.system.schemas.get(step.action)
    routine = schema is not None and schema.routine
    return not routine and (step.actor is None or asked.resolved.system.side_of(step.actor) == asked.side)


def _turn(steps: Sequence[Step]) -> Mapping[str, Value] | None:
    return steps[-1].turn if steps else None


def _part(asked: ObjectivesQuestion, record: Recorded, events: Sequence[Event]) -> Recorded:
    """A record as far as it holds some events of its plan."""
    schemas = asked.resolved.system.schemas
    if record.events is None:
        return record
    left = Counter(schemas[e.name].event(dict(e.args)) for e in events if not schemas[e.name].routine)
    end = 0
    for n, event in enumerate(record.events, 1):
        if left[event]:
            left[event] -= 1
            end = n
    return Recorded(record.events[:end])

"""Conditions on plans: events that a plan must or must not hold, and what must hold after every step.

A condition becomes part of the steps. An event to avoid is no longer a choice. An event that is required sets a Bool
fluent of its own, a memory, which the goal asks for. What must hold after every step is a law of each step, over the
state that the step leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from vclogic.clock import check_deadline
from vclogic.model.actions import Action, Event, Requirement
from vclogic.model.fluents import Value, value
from vclogic.model.step_text import StepText
from vclogic.model.transition import Hints, Scoped, SingleActions, Transition, Wanted
from vclogic.terms.atoms import FALSE, TRUE, var
from vclogic.terms.build import all_of, any_of, eq, not_, or_
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import BOOL, EnumSort
from vclogic.terms.term import Term, variables

BEGUN = var("what comes first has come", BOOL)
_MOST = 200
"""Numbers of one choice of which it is asked which events they come to."""


@dataclass(frozen=True)
class Pattern:
    """Some events of one kind.

    Attributes:
        text: What it is called in answers, as it was asked for.
        name: The kind of event.
        args: The values of some arguments; arguments left out can have any value.
    """

    text: str
    name: str
    args: Mapping[str, frozenset[Value]]

    def matches(self, event: Event) -> bool:
        """True if it is one of the events."""
        if event.name != self.name:
            return False
        given = dict(event.args)
        return all(given.get(name) in values for name, values in self.args.items())


@dataclass(frozen=True, eq=False)
class Conditions:
    """Conditions on a plan; two are equal only if they are the same object.

    Attributes:
        require: Of each, the plan holds at least one event.
        avoid: Of these, the plan holds no event.
        keep: Bool, over fluents: what holds after every step of the plan.
        said: The conditions in words, for the assumptions of an answer.
        complete: The event with the defaults of its kind for arguments that a step leaves out.
        stays: Bools, over fluents and other variables: what holds at the start, and still after every step. Each with
            the fluents whose change can end it, so that only steps that change one of them are restricted.
        order: Two Bools over fluents, neither true at the start: the first is true after some step, and the second
            after no earlier one. None: no order is asked for.
        end: Bool, over fluents and other variables: what holds at the end, beside the goal; only kept programs see
            to it (`query/planner/cache.py`).
    """

    require: tuple[Pattern, ...] = ()
    avoid: tuple[Pattern, ...] = ()
    keep: Term = TRUE
    said: tuple[str, ...] = ()
    complete: Callable[[Event], Event] = lambda event: event
    stays: Mapping[Term, frozenset[Term]] = field(default_factory=dict)
    order: tuple[Term, Term] | None = None
    end: Term = TRUE

    @property
    def loose(self) -> bool:
        """True if they leave out events at the most: part of a plan that meets them meets them too."""
        return not self.memory and self.always is self.end is TRUE

    def __bool__(self) -> bool:
        return bool(self.require or self.avoid or self.order) or not self.always is self.end is TRUE

    @cached_property
    def always(self) -> Term:
        """The condition that holds after every step."""
        return all_of((self.keep, *self.stays))

    @cached_property
    def memory(self) -> tuple[Term, ...]:
        """The fluents that say which required events have happened, and whether what is to come first has come."""
        happened = tuple(var(f"happened: {p.text}", BOOL) for p in self.require)
        return happened if self.order is None else (*happened, BEGUN)

    @property
    def start(self) -> dict[Term, Term]:
        """The values of these fluents at the start."""
        return dict.fromkeys(self.memory, FALSE)

    def goal(self, goal: Term) -> Term:
        """A goal, and that the required events have happened."""
        return all_of((goal, *self.memory))

    def avoids(self, event: Event) -> bool:
        """True if the conditions exclude an event from plans."""
        event = self.complete(event)
        return any(p.matches(event) for p in self.avoid)

    def remembers(self, event: Event) -> list[Term]:
        """The fluents that an event sets."""
        event = self.complete(event)
        return [f for f, p in zip(self.memory, self.require, strict=False) if p.matches(event)]

    def in_order(self, after: Callable[[Term], Term]) -> tuple[Term, Term] | None:
        """Two terms: the earlier event has come after a step, and a law of the step; None where it bears on neither.

        Args:
            after: The value of a term after the step.
        """
        now = None if self.order is None else (after(self.order[0]), after(self.order[1]))
        if now is None or now == self.order:
            return None
        begun = or_(BEGUN, now[0])
        return begun, or_(not_(now[1]), begun)

    def met(self, events: Sequence[Event]) -> bool:
        """True if the events of a plan meet the conditions."""
        events = [self.complete(e) for e in events]
        missing = [p for p in self.require if not any(p.matches(e) for e in events)]
        return not missing and not any(p.matches(e) for p in self.avoid for e in events)


NO_CONDITIONS = Conditions()
"""One object, so that what is built for plans without conditions is found again."""


@dataclass(frozen=True)
class Conditioned:
    """Steps under conditions.

    Attributes:
        step: The steps.
        exact: Whether these are all the steps that satisfy the conditions. Otherwise some may be missing, so that a
            plan under these steps is one, but what is proved about them is not proved about all plans.
    """

    step: Transition
    exact: bool


def conditioned(
    transition: Transition, conditions: Conditions, values: Mapping[Term, Value] | None = None
) -> Conditioned:
    """The steps of a transition that satisfy conditions.

    Args:
        transition: The steps.
        values: The values at the start, for steps that do not say which events they come to: each number of each
            choice is described alone.
    """
    if not conditions:
        return Conditioned(transition, True)
    if isinstance(transition, SingleActions):
        asked = ((t, action_under(a, conditions)) for t, a in transition.actions.items())
        return Conditioned(transition.over({t: a for t, a in asked if a is not None}), True)
    only_keep = not conditions.require and not conditions.avoid
    if isinstance(transition, Scoped):
        return Conditioned(_scoped(transition, conditions, values or {}), only_keep)
    return Conditioned(_with_laws(transition, conditions, values or {}), only_keep or transition.taken is not None)


def action_under(action: Action, conditions: Conditions) -> Action | None:
    """An action under conditions; None if it must not be taken."""
    event = Event(action.name, action.args)
    if conditions.avoids(event):
        return None
    effects = Substitution(dict(action.effects))
    changed = {f for f, _ in action.effects}
    touched = (c for c, by in conditions.stays.items() if not changed.isdisjoint(by))
    order = conditions.in_order(effects)
    kept = all_of((effects(conditions.keep), *map(effects, touched), *([] if order is None else [order[1]])))
    asked = (Requirement(kept, "what must hold after every step would not hold"),) if kept is not TRUE else ()
    sets = [(f, TRUE) for f in conditions.remembers(event)] + ([] if order is None else [(BEGUN, order[0])])
    if kept is FALSE:
        return None
    return replace(action, requirements=(*action.requirements, *asked), effects=(*action.effects, *sets))


def _scoped(transition: Scoped, conditions: Conditions, values: Mapping[Term, Value]) -> Scoped:
    """Steps that are built for their state."""
    read, own = tuple(variables(conditions.always, *(conditions.order or ()))), frozenset(conditions.memory)

    def scope(state: Mapping[Term, Term], wanted: Wanted | None) -> Transition:
        wider = None if wanted is None else frozenset((*wanted, *read)) - own
        return _with_laws(transition.scope(state, wider), conditions, values)

    return replace(
        transition,
        scope=scope,
        reads=lambda state: (*transition.reads(state), *read),
        hints=still_true(transition.hints),
    )


def still_true(hints: Hints) -> Hints:
    """The hints that stay true where fewer plans count: none that says that some plan is as good as another."""
    return Hints(
        bounds=hints.bounds,
        fewest_choices=hints.fewest_choices,
        cuts=hints.cuts,
        lemmas=hints.lemmas,
        second_cost=hints.second_cost,
        rather=hints.rather,
    )


def _with_laws(step: Transition, conditions: Conditions, values: Mapping[Term, Value]) -> Transition:
    """A step with the conditions as laws."""
    laws = [*step.legality]
    kept = Substitution(step.next)(conditions.always)
    if kept is not TRUE:
        laws.append(kept)
    following = dict(step.next)
    order = conditions.in_order(Substitution(step.next))
    if order is not None:
        following[BEGUN] = order[0]
        laws.append(order[1])
    if conditions.require or conditions.avoid:
        happening: dict[Term, list[Term]] = {}
        for condition, event in _happenings(step, values):
            if conditions.avoids(event):
                laws.append(not_(condition))
            for f in conditions.remembers(event):
                happening.setdefault(f, []).append(condition)
        following |= {f: or_(f, any_of(some)) for f, some in happening.items()}
    return replace(step, legality=tuple(laws), next=following, hints=still_true(step.hints))


def _happenings(step: Transition, values: Mapping[Term, Value]) -> Iterable[tuple[Term, Event]]:
    """The events that choices come to, each with the condition over the choices under which it happens.

    Where a step does not say that, each number of each choice is looked at alone, with nothing else chosen.
    """
    if step.taken is not None:
        for condition, action in step.taken.items():
            yield condition, Event(action.name, action.args)
        return
    idle = set(_events(step, {}, values))
    for choice in step.choices:
        numbers = range(max(choice.lo, 1), min(choice.hi, _MOST) + 1)
        for n in numbers:
            check_deadline()
            if isinstance(choice.sort, EnumSort) and not choice.mask >> n & 1:
                continue
            condition = choice if choice.is_bool else eq(choice, value(choice.sort, n))
            for event in _events(step, {choice: n}, values):
                if event not in idle:
                    yield condition, event


def _events(step: Transition, chosen: Mapping[Term, int], values: Mapping[Term, Value]) -> list[Event]:
    """The events of a step in which only some choices are made; none if it cannot say that."""
    every = {**dict.fromkeys(step.choices, 0), **chosen}
    try:
        if step.events:
            return list(step.events(every))
        texts: Sequence[StepText] = step.describe(every, values)
        return [Event(t.action, tuple(t.args.items())) for t in texts]
    except (KeyError, IndexError, StopIteration):  # it reads the state, or expects choices that go together
        return []

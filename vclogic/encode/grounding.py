"""All events that can bear on a goal, as one step of which each is a choice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from vclogic.model.actions import Action, Schema
from vclogic.model.grounded import Grounded
from vclogic.model.system import System
from vclogic.model.transition import Chosen, StepText, Transition, Values, one_at_a_time, plain, step_text
from vclogic.terms.atoms import FALSE
from vclogic.terms.term import Term, variables

_MANY = 1_500  # events, beyond which what is known of single ones (`SingleActions.actions`) costs more than it tells
Admits = Callable[[Schema, Action], Action | None]
"""An event of a schema as it may happen; None if it may not."""


def relevant(
    system: System, goal: Iterable[Term], admits: Admits, hold: Callable[[], None] = lambda: None
) -> list[Grounded]:
    """Every event that can bear on a goal, directly or through what other such events read.

    What the others change no such event reads, so leaving them out loses nothing.

    Args:
        system: The rule set.
        goal: Terms over fluents.
        admits: Which events may happen, and what they need.
        hold: Called often; what it raises ends the work.
    """
    slot = system.layout.slot
    pool = list(_admitted(system.grounded(hold), admits))
    needed = set(variables(*goal))
    kept: list[Grounded] = []
    known = 0
    while known < len(needed):
        known = len(needed)
        kept = [g for g in pool if any(fluent in needed for fluent, _ in g.action.effects)]
        for g in kept:
            hold()
            read = [g.action.guard, *(new for fluent, new in g.action.effects if fluent in needed)]
            needed.update(v for v in variables(*read) if v in slot)
    return kept


def directly(
    system: System, goal: Iterable[Term], admits: Admits, hold: Callable[[], None] = lambda: None
) -> list[Grounded]:
    """Every event that changes what a goal speaks of; arguments as in `relevant`."""
    wanted = set(variables(*goal))
    changing = [g for g in system.grounded(hold) if any(fluent in wanted for fluent, _ in g.action.effects)]
    return list(_admitted(changing, admits))


def _admitted(events: Iterable[Grounded], admits: Admits) -> Iterator[Grounded]:
    for g in events:
        action = admits(g.schema, g.action)
        if action is not None and action.guard is not FALSE:
            yield replace(g, action=action)


def one_event(system: System, events: Sequence[Grounded], metric: str) -> Transition:
    """A step is at most one of some events; each costs 1 of the metric."""
    single = one_at_a_time([replace(g.action, costs={metric: 1}) for g in events], metric)
    numbers = [v for g in events for v in g.numbers.values()]
    if len(events) <= _MANY and not numbers:
        return single
    taken = dict(zip(single.choices, events, strict=True))

    def describe(chosen: Chosen, values: Values) -> list[StepText]:
        return [step_text(system.action(g.event(chosen)), values) for t, g in taken.items() if chosen[t]]

    return replace(plain(single), choices=(*taken, *numbers), describe=describe)

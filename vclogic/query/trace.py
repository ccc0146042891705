"""Changes by each step of a record: facts, values that `status` shows, outcomes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from vclogic.files.record import RecordStep
from vclogic.model.fluents import State, Value, value
from vclogic.model.system import System
from vclogic.query.answers import Status
from vclogic.query.replay import play_record
from vclogic.query.status import StatusView
from vclogic.query.traced import Changed, TracedStep
from vclogic.terms.term import Term


def states_of(system: System, initial: State, record: Sequence[RecordStep]) -> list[State]:
    """The state before a record, and the state after each of its steps.

    Raises:
        InputError: A step breaks a rule.
    """
    found = [initial]
    for number, step in enumerate(record, 1):
        found.append(play_record(system, found[-1], [step], first=number))
    return found


def changed_facts(system: System, before: State, after: State) -> tuple[Changed, ...]:
    """The facts that differ between two states, in the order of the layout."""
    pairs = zip(system.layout.fluents, before, after, strict=True)
    return tuple(_fact(system, v, a, b) for v, a, b in pairs if a != b)


def _fact(system: System, fluent: Term, before: int, after: int) -> Changed:
    now = value(fluent.sort, after)
    return Changed(fluent.name, value(fluent.sort, before), now, *system.in_words.said(fluent.name, now))


def traced(
    system: System, states: Sequence[State], record: Sequence[RecordStep], view: StatusView
) -> tuple[TracedStep, ...]:
    """The changes by each step of a record.

    Args:
        states: The state before the record, and after each of its steps; see `states_of`.
        view: What `status` shows of a state.
    """
    shown = [_shown(view, state) for state in states]
    steps = enumerate(zip(record, pairwise(states), pairwise(shown), strict=True), 1)
    return tuple(
        TracedStep(number, str(step.event), changed_facts(system, *two), *_changed(before, after))
        for number, (step, two, (before, after)) in steps
    )


def _shown(view: StatusView, state: State) -> Status:
    return view.status(state, game="", view=None, assumptions=())


def _changed(before: Status, after: Status) -> tuple[tuple[Changed, ...], tuple[Changed, ...]]:
    """The values and the outcomes that differ."""
    values = tuple(_differing(before.observables, after.observables))
    return values, tuple(_differing(_standings(before), _standings(after)))


def _standings(status: Status) -> Mapping[str, Value | None]:
    return {f"{o.rule} {o.side}": o.status for o in status.outcomes}


def _differing(before: Mapping[str, Value | None], after: Mapping[str, Value | None]) -> Iterator[Changed]:
    return (Changed(name, before[name], x) for name, x in after.items() if x != before[name])

"""Every event of a rule set with all its arguments, as it can happen from some starts on."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import prod
from typing import Protocol

from vclogic.clock import check_deadline
from vclogic.model.actions import Action, Event
from vclogic.model.fluents import State, numbered
from vclogic.model.grounded import Grounded, events_of, fits
from vclogic.model.system import System
from vclogic.terms.atoms import FALSE, TRUE, integer
from vclogic.terms.build import all_of, not_
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term

MOST_EVENTS = 20_000
"""Events of a rule set that are built; each takes a tenth of a millisecond to some."""


class TooManyEvents(Exception):
    """A rule set has more events than can be looked at one by one."""

    def __init__(self, number: int, most: int):
        super().__init__(f"there are {number:,} events, more than {most:,}")


class FluentOrder(Protocol):
    """Fluents in an order, such as a `Layout`."""

    @property
    def fluents(self) -> Sequence[Term]:
        """The fluents."""

    @property
    def slot(self) -> Mapping[Term, int]:
        """The number of each."""


@dataclass(frozen=True)
class Some:
    """Some fluents.

    Attributes:
        fluents: The fluents in their order.
    """

    fluents: tuple[Term, ...]

    @cached_property
    def slot(self) -> dict[Term, int]:
        """The number of each."""
        return {f: i for i, f in enumerate(self.fluents)}


@dataclass(frozen=True)
class Possible:
    """An event that may happen.

    Attributes:
        event: The event.
        guard: Bool: whether it is legal in a state; new values lie within their fluents' sorts.
        effects: Each changed fluent and its value after.
        actor: Who decides it, as in `Action`.
    """

    event: Event
    guard: Term
    effects: tuple[tuple[Term, Term], ...]
    actor: str | Term | None


def numbers_of(system: System, kinds: Collection[str] = ()) -> dict[str, int]:
    """For each kind of event how many there are, with every value of its arguments.

    Args:
        kinds: The names of the kinds; empty: all.
    """
    asked = (s for s in system.events if not kinds or s.name in kinds)
    return {s.name: prod(len(p.values) for p in s.parameters) for s in asked}


def fitting(numbers: Mapping[str, int]) -> tuple[str, ...]:
    """Kinds of events that are few enough to be looked at together: as many kinds as can be, in their order.

    Args:
        numbers: How many events there are of each.
    """
    taken, left = set[str](), MOST_EVENTS
    for kind in sorted(numbers, key=lambda kind: numbers[kind]):
        left -= numbers[kind]
        taken |= {kind} if left >= 0 else set()
    return tuple(kind for kind in numbers if kind in taken)


def every_event(system: System) -> Iterator[Event]:
    """Every event of the rules, with every value of its arguments, in the order in which the game declares them.

    Raises:
        TooManyEvents: There are more than `MOST_EVENTS`.
    """
    number = sum(numbers_of(system).values())
    if number > MOST_EVENTS:
        raise TooManyEvents(number, MOST_EVENTS)
    for schema in system.events:
        for event in events_of(schema):
            check_deadline()
            yield event


def possible(
    system: System, starts: Sequence[State], *, assumed: bool = False, unless: Term = FALSE
) -> tuple[Possible, ...]:
    """The events that may happen in play from some starts; those left out never can.

    What no event changes has its value at the start, where that is the same in all of them. So many events of a large
    rule set turn out to be impossible, which leaves fewer that change anything, and so on.

    Args:
        assumed: Whether events also need what questions about the future assume (`Action.assumed`).
        unless: Bool, over fluents: where nothing happens any more.

    Raises:
        TooManyEvents: The rules have more than `MOST_EVENTS` events.
    """
    actions = ((e, system.action(e)) for e in every_event(system))
    going_on = not_(unless)
    events = [_possible(e, a.under_assumptions if assumed else a, going_on) for e, a in actions]
    return as_started(system.layout, starts, events)


def each_number(events: Iterable[Grounded], most: int = MOST_EVENTS) -> tuple[Possible, ...]:
    """Events with every value of their open numbers.

    Args:
        most: How many there may be in all.

    Raises:
        TooManyEvents: There are more.
    """
    given = list(events)
    number = sum(prod(v.hi - v.lo + 1 for v in g.numbers.values()) for g in given)
    if number > most:
        raise TooManyEvents(number, most)
    return tuple(p for g in given for p in _each_number(g))


def of_action(action: Action, facts: FluentOrder) -> Possible:
    """An event that is an action as it is, but for fluents that do not count."""
    known = tuple((fluent, new) for fluent, new in action.effects if fluent in facts.slot)
    return _possible(Event(action.name, action.args), replace(action, effects=known), TRUE)


def _each_number(g: Grounded) -> Iterator[Possible]:
    """An event with every value of its open numbers."""
    open_ = list(g.numbers.values())
    for chosen in product(*(range(v.lo, v.hi + 1) for v in open_)):
        check_deadline()
        numbers = dict(zip(open_, chosen, strict=True))
        p = _possible(g.event(numbers), g.action, TRUE)
        yield _given(p, Substitution({v: integer(n) for v, n in numbers.items()})) if numbers else p


def _possible(event: Event, action: Action, going_on: Term) -> Possible:
    effects = dict(action.effects)  # of two on one fluent the last counts
    guard = all_of([going_on, action.guard, *(fits(fluent, new) for fluent, new in effects.items())])
    return Possible(event, guard, tuple((f, new) for f, new in effects.items() if f is not new), action.actor)


def as_started(facts: FluentOrder, starts: Sequence[State], events: Sequence[Possible]) -> tuple[Possible, ...]:
    """The events without those that what never changes rules out, and with what never changes put in."""
    alike = [len({state[i] for state in starts}) == 1 for i in range(len(facts.fluents))]
    at_start = {f: numbered(f, n) for f, n in zip(facts.fluents, starts[0], strict=True)}
    events = [p for p in events if p.guard is not FALSE]
    known: dict[Term, Term] = {}
    while True:
        changed = {fluent for p in events for fluent, _ in p.effects}
        same = (f for f, is_same in zip(facts.fluents, alike, strict=True) if is_same and f not in changed)
        settled = {f: at_start[f] for f in same}
        if len(settled) == len(known):
            return tuple(events)
        known = settled
        put_in = Substitution(known)
        events = [found for p in events if (found := _given(p, put_in)).guard is not FALSE]


def _given(p: Possible, put_in: Callable[[Term], Term]) -> Possible:
    check_deadline()
    guard = put_in(p.guard)
    if guard is FALSE:
        return Possible(p.event, guard, (), None)
    effects = tuple((f, put_in(new)) for f, new in p.effects)
    actor = put_in(p.actor) if isinstance(p.actor, Term) else p.actor
    if isinstance(actor, Term) and actor.is_const:
        actor = str(actor.value)
    return Possible(p.event, guard, effects, actor)

"""Events whose named arguments are fixed and whose numeric arguments may stay symbolic."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod

from vclogic.model.actions import Action, Event, Requirement, Schema
from vclogic.model.fluents import Value, beyond
from vclogic.terms.atoms import TRUE, integer, var
from vclogic.terms.build import all_of, and_, ge, in_mask, le
from vclogic.terms.sorts import EnumSort, IntSort
from vclogic.terms.term import Term, variables


@dataclass(frozen=True)
class Grounded:
    """An event whose named arguments are fixed and whose numeric arguments may be variables.

    Attributes:
        schema: Its schema.
        args: The fixed arguments.
        numbers: The variable of each other argument.
        action: The action, over fluents and those variables.
    """

    schema: Schema
    args: Mapping[str, Value]
    numbers: Mapping[str, Term]
    action: Action

    @cached_property
    def needs(self) -> tuple[Requirement, ...]:
        """The requirements of the event in a record, including that new values are within the fluents' sorts."""
        inside = ((fluent, fits(fluent, new)) for fluent, new in self.action.loose)
        bounds = (Requirement(t, beyond(fluent)) for fluent, t in inside if t is not TRUE)
        return (*self.action.requirements, *bounds)

    @cached_property
    def fixed(self) -> Term:
        """The part of the requirements that is over fluents only."""
        return all_of(self.over_fluents)

    @property
    def over_fluents(self) -> Sequence[Term]:
        """The requirements that are over fluents only."""
        return tuple(t for t in self._terms if t not in self._over_numbers) if self.numbers else self._terms

    @cached_property
    def open(self) -> Term:
        """The part of the requirements that is over the open numbers too."""
        return all_of(self._over_numbers)

    @cached_property
    def _terms(self) -> tuple[Term, ...]:
        return tuple(r.term for r in self.needs)

    @cached_property
    def _over_numbers(self) -> tuple[Term, ...]:
        numbers = set(self.numbers.values())
        return tuple(t for t in self._terms if not numbers.isdisjoint(variables(t))) if numbers else ()

    def event(self, chosen: Mapping[Term, int]) -> Event:
        """The event for given values of the variables."""
        return self.schema.event({**self.args, **{name: chosen[v] for name, v in self.numbers.items()}})


def fits(fluent: Term, new: Term) -> Term:
    """A Bool term: a new value is within the fluent's sort."""
    if fluent.lo <= new.lo and new.hi <= fluent.hi and not new.mask & ~fluent.mask:
        return TRUE
    if isinstance(fluent.sort, EnumSort):
        return in_mask(new, fluent.mask)
    return and_(ge(new, fluent.lo), le(new, fluent.hi))


def ground(schema: Schema, given: Mapping[str, Value]) -> Grounded:
    """Build an event; numbers that the schema takes as terms and that are not given become variables."""
    label = str(Event(schema.name, tuple(given.items())))
    numbers = {
        p.name: var(f"{label}.{p.name}", IntSort(min(p.domain), max(p.domain)))
        for p in schema.parameters
        if p.term and p.name not in given and isinstance(p.domain, range)
    }
    fixed = {p.name: integer(int(given[p.name])) for p in schema.parameters if p.term and p.name in given}
    return Grounded(schema, given, numbers, schema.instantiate(**{**given, **fixed}, **numbers))


def choices(schema: Schema, given: Mapping[str, Sequence[Value]] | None = None) -> Iterator[dict[str, Value]]:
    """The argument combinations of a schema's events, without the numbers that it takes as terms.

    Args:
        given: Restricts an argument to some values; arguments left out have all.
    """
    given = given or {}
    names = [p for p in schema.parameters if not p.term or p.name in given]
    for values in product(*(given.get(p.name, p.values) for p in names)):
        yield {p.name: v for p, v in zip(names, values, strict=True)}


def events_of(schema: Schema) -> Iterator[Event]:
    """The events of a kind, with every value of each argument, the numbers that it takes as terms too."""
    names = [p.name for p in schema.parameters]
    for values in product(*(p.values for p in schema.parameters)):
        yield Event(schema.name, tuple(zip(names, values, strict=True)))


def some_choices(
    schema: Schema, given: Mapping[str, Sequence[Value]] | None = None, *, most: int
) -> Iterator[dict[str, Value]]:
    """Some of the argument combinations of a schema's events, spread evenly over all, of which there may be billions.

    Args:
        given: As in `choices`.
        most: About how many.
    """
    given = given or {}
    names = [p for p in schema.parameters if not p.term or p.name in given]
    values = [given.get(p.name, p.values) for p in names]
    total = prod(map(len, values))
    for number in range(0, total, max(1, total // most)):
        found: dict[str, Value] = {}
        for p, some in zip(reversed(names), reversed(values), strict=True):  # the last one changes first
            number, place = divmod(number, len(some))
            found[p.name] = some[place]
        yield {p.name: found[p.name] for p in names}


def number_of(schemas: Iterable[Schema]) -> int:
    """The number of events of some schemas, with symbolic numbers counted once."""
    return sum(prod(len(p.values) for p in s.parameters if not p.term) for s in schemas)

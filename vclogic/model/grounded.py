"""Events with their names chosen, and their numbers open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from vclogic.model.actions import Action, Event, Schema
from vclogic.model.fluents import Value
from vclogic.terms.atoms import integer, var
from vclogic.terms.sorts import IntSort
from vclogic.terms.term import Term


@dataclass(frozen=True)
class Grounded:
    """An event with its names chosen, and its numbers open.

    Attributes:
        schema: Its schema.
        args: The arguments that are chosen.
        numbers: The variable of each number that is not.
        action: The action, over fluents and those variables.
    """

    schema: Schema
    args: Mapping[str, Value]
    numbers: Mapping[str, Term]
    action: Action

    def event(self, chosen: Mapping[Term, int]) -> Event:
        """The event, given the numbers that were chosen."""
        return self.schema.event({**self.args, **{name: chosen[v] for name, v in self.numbers.items()}})


def ground(schema: Schema, given: Mapping[str, Value]) -> Grounded:
    """An event of a schema; numbers that the schema takes as terms and that are not given stay open."""
    label = str(Event(schema.name, tuple(given.items())))
    numbers = {
        p.name: var(f"{label}.{p.name}", IntSort(min(p.domain), max(p.domain)))
        for p in schema.parameters
        if p.term and p.name not in given and isinstance(p.domain, range)
    }
    fixed = {p.name: integer(int(given[p.name])) for p in schema.parameters if p.term and p.name in given}
    return Grounded(schema, given, numbers, schema.instantiate(**{**given, **fixed}, **numbers))


def choices(schema: Schema, given: Mapping[str, Sequence[Value]] | None = None) -> Iterator[dict[str, Value]]:
    """The arguments of every event of a schema, without the numbers that it takes as terms.

    Args:
        schema: The schema.
        given: The values that an argument may have, where not all count.
    """
    given = given or {}
    names = [p for p in schema.parameters if not p.term or p.name in given]
    for values in product(*(given.get(p.name, p.values) for p in names)):
        yield {p.name: v for p, v in zip(names, values, strict=True)}


def number_of(schemas: Iterable[Schema]) -> int:
    """How many events some schemas have, numbers that stay open not counted."""
    return sum(prod(len(p.values) for p in s.parameters if not p.term) for s in schemas)

"""Events with their names chosen, and their numbers open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod

from vclogic.model.actions import Action, Event, Schema
from vclogic.model.fluents import Value
from vclogic.terms.atoms import var
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


def grounded(schema: Schema) -> Iterator[Grounded]:
    """Every event of a schema; numbers that the schema takes as terms stay open."""
    names = [p for p in schema.parameters if not p.term]
    for values in product(*(p.values for p in names)):
        args = {p.name: v for p, v in zip(names, values, strict=True)}
        label = str(Event(schema.name, tuple(args.items())))
        numbers = {
            p.name: var(f"{label}.{p.name}", IntSort(min(p.domain), max(p.domain)))
            for p in schema.parameters
            if p.term and isinstance(p.domain, range)
        }
        yield Grounded(schema, args, numbers, schema.instantiate(**args, **numbers))


def number_of(schemas: Iterable[Schema]) -> int:
    """How many events some schemas have, numbers that stay open not counted."""
    return sum(prod(len(p.values) for p in s.parameters if not p.term) for s in schemas)

"""Ground actions of a schema: all of them, or where they are many a spread."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from vclogic.model.actions import Action, Event, Schema
from vclogic.model.fluents import Value
from vclogic.model.system import System

MOST = 400
"""So many actions of one schema are built at the most."""


@dataclass(frozen=True)
class Instances:
    """Some ground actions of a schema.

    Attributes:
        actions: Those that were built.
        number: How many there are.
    """

    actions: tuple[Action, ...]
    number: int

    @property
    def complete(self) -> bool:
        """Whether that is all of them."""
        return len(self.actions) == self.number


def instances(system: System, schema: Schema, most: int = MOST) -> Instances:
    """Ground actions of a schema.

    Args:
        system: The rule set.
        schema: The schema.
        most: Where there are more, numbers are spread over their ranges, and of names every so manieth is taken.
    """
    values, number = _values(schema), number_of(schema)
    names = [p.name for p in schema.parameters]
    if number > most:
        values = [_ends(v) if isinstance(v, range) else v for v in values]
    found = [
        system.action(Event(schema.name, tuple(zip(names, given, strict=True)))) for given in _spread(values, most)
    ]
    return Instances(tuple(found), number)


def number_of(schema: Schema) -> int:
    """How many ground actions a schema has."""
    return math.prod(map(len, _values(schema)))


def _values(schema: Schema) -> list[Sequence[Value]]:
    return [p.values for p in schema.parameters]


def _ends(values: range) -> Sequence[Value]:
    return [values[i] for i in sorted({0, min(1, len(values) - 1), len(values) // 2, len(values) - 1})]


def _spread(values: Sequence[Sequence[Value]], most: int) -> Iterator[tuple[Value, ...]]:
    """Combinations of values, every so manieth where there are too many."""
    number = math.prod(map(len, values))
    stride = max(1, -(-number // most)) if number else 1
    while any(stride > 1 and math.gcd(stride, len(v)) > 1 for v in values):  # so that no value is left out
        stride += 1
    for i in range(0, number, stride):
        places = []
        for v in reversed(values):  # the last one changes fastest
            i, place = divmod(i, len(v))
            places.append(v[place])
        yield tuple(reversed(places))

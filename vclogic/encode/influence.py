"""Events that can change some fluents, found before the events are built."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import prod

from vclogic.model.actions import Schema
from vclogic.model.fluents import Layout, State, Value
from vclogic.model.grounded import choices
from vclogic.terms.domain import Domain
from vclogic.terms.rewrite import NEGATIVE, POSITIVE, polarities, substitute
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Op, Term

Places = Mapping[Term, tuple[str, tuple[str, ...]]]
"""The family of each fluent by name, and the indices it has there."""
Given = Mapping[str, Sequence[Value]]
"""Some arguments, each with the values that count."""


class TooManyToBuild(Exception):
    """More events would have to be built than the caller allows."""


# ---- which events can change a fluent


def places(layout: Layout) -> dict[Term, tuple[str, tuple[str, ...]]]:
    """The family and indices of each fluent."""
    return {v: (f.name, key) for f in layout.families.values() for key, v in f.fluents.items()}


def changing(schema: Schema, fluents: Iterable[Term], where: Places) -> list[Given]:
    """The arguments with which events of a schema can change one of some fluents, by `Schema.touches`.

    Args:
        where: See `places`.

    Returns:
        Sets of argument combinations, each a product; they may overlap.
    """
    if schema.touches is None:
        return [{}] if any(True for _ in fluents) else []
    found: dict[tuple[tuple[str, Value], ...], Given] = {}
    domains = {p.name: p.domain for p in schema.parameters if not p.term}
    for fluent in fluents:
        name, index = where[fluent]
        for family, *pattern in schema.touches:
            if family != name:
                continue
            given: dict[str, Value] = {}
            named = [(p, x) for p, x in zip(pattern, index, strict=False) if p]
            if all(_may_be(x, domains[p]) and given.setdefault(p, x) == x for p, x in named):
                found[tuple(sorted(given.items()))] = {p: (x,) for p, x in given.items()}
    return [{}] if () in found else list(found.values())


def _may_be(x: Value, domain: Domain | range) -> bool:
    return x in (domain if isinstance(domain, range) else domain.sort.index)


def size(schema: Schema, given: Given) -> int:
    """The number of events in a product of arguments."""
    return prod(len(given.get(p.name, p.values)) for p in schema.parameters if not p.term)


class Candidates:
    """Collects the events that can change fluents, as more and more fluents become relevant; each event once.

    Args:
        schemas: The kinds of events.
        layout: The order of the fluents.
        most: The largest number of events in all.
    """

    def __init__(self, schemas: Iterable[Schema], layout: Layout, most: float):
        self._schemas = tuple(schemas)
        self._where = places(layout)
        self._most = most
        self._seen: dict[str, set[tuple[Value, ...]]] = {s.name: set() for s in self._schemas}
        self._whole: set[str] = set()
        self._number = 0

    def more(self, fluents: Iterable[Term]) -> Iterator[tuple[Schema, dict[str, Value]]]:
        """The events that can change one of some fluents and were not returned before.

        Raises:
            TooMany: There are more than `most`.
        """
        new = list(fluents)
        wanted = [(s, changing(s, new, self._where)) for s in self._schemas if s.name not in self._whole]
        whole = {s.name: size(s, {}) for s, parts in wanted if {} in parts}
        if sum(whole.get(name, len(seen)) for name, seen in self._seen.items()) > self._most:
            raise TooManyToBuild
        for schema, parts in wanted:
            seen = self._seen[schema.name]
            for args in (a for given in parts for a in choices(schema, given)):
                key = tuple(args.values())
                if key not in seen:
                    seen.add(key)
                    self._number += 1
                    if self._number > self._most:
                        raise TooManyToBuild
                    yield schema, args
        self._whole.update(whole)


# ---- which fluents an event or a goal needs changed


def wanting(terms: Iterable[Term], layout: Layout, start: State) -> set[Term]:
    """The fluents for which a value other than the starting one could make one of some Bool terms true.

    For any other fluent: if a term holds, it also holds with the fluent at its starting value, whatever the values of
    all other fluents.
    """
    found: set[Term] = set()
    for t, sign in polarities(terms).items():
        if t.op is Op.IN:
            at = layout.slot.get(t.args[0])
            if at is not None and sign != (POSITIVE if t.payload >> start[at] & 1 else NEGATIVE):
                found.add(t.args[0])
        elif t.op is Op.VAR and not isinstance(t.sort, EnumSort):
            at = layout.slot.get(t)
            if at is not None and not (
                (sign == POSITIVE and start[at] == t.hi) or (sign == NEGATIVE and start[at] == t.lo)
            ):
                found.add(t)
        else:
            found.update(a for a in t.args if a.op is Op.VAR and isinstance(a.sort, EnumSort) and a in layout.slot)
    return found


def unsettled(
    effects: Iterable[tuple[Term, Term]], start: Callable[[Term], Term], fluents: frozenset[Term] | set[Term]
) -> set[Term]:
    """Those of some fluents that effects can move away from their starting value."""
    found = set()
    for fluent, new in effects:
        if fluent in fluents:
            value = start(fluent)
            if new is not value and substitute(new, {fluent: value}) is not value:
                found.add(fluent)
    return found

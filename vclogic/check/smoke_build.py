"""Builds once what is built only on demand, so that its faults show: events, observables, steps of plans."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice, product
from random import Random

from vclogic.errors import Diagnostic, InputError
from vclogic.files.references import undeclared
from vclogic.model.actions import Action, Event, Schema
from vclogic.model.event_terms import Spoken, of_positions
from vclogic.model.system import ANY, System
from vclogic.terms.term import Term

_MOST = 20  # of each kind


def smoke_build(system: System) -> None:
    """Builds some of everything, and rejects terms that reference undeclared fluents.

    Raises:
        InputError: A term references another one.
        Exception: Whatever the encoding raises.
    """
    found = undeclared(system, ((name, (), terms) for name, terms in _built(system)))
    for rule in (r for r in system.rules if r.step):
        for strange in Spoken(system, rule.kept).strange():
            place = rule.made[0] if rule.made else None
            message = f"the rule {rule.name} speaks of {strange}"
            where = (place.file, place.line) if place else ()
            found.append(Diagnostic("unknown-name", message, *where))
    for metric in system.metrics:
        metric.transition(None, ANY, system.layout.constants(system.layout.state(system.completed({}))))
    if found:
        raise InputError(dict.fromkeys(found))


def _built(system: System) -> Iterator[tuple[str, list[Term]]]:
    for observable in system.observables:
        for names in islice(product(*(d.sort.members for d in observable.parameters)), _MOST):
            value = observable.partial(*names)
            yield f"the observable {observable.name}", [value.value, value.defined]
    for schema in system.events:
        for action in _some(system, schema):
            needs = [r.term for r in action.requirements]
            yield f"the event {schema.name}", [*needs, *(t for effect in action.effects for t in effect)]
    for rule in system.rules:
        yield f"the rule {rule.name}", of_positions(rule)
    for table in system.tables:
        for entry in table.entries:
            yield f"the table {table.title!r}", [entry.row, entry.value.value, entry.value.defined]


def _some(system: System, schema: Schema) -> Iterator[Action]:
    """Ground events of a kind: all of them, or where they are many some that are drawn."""
    number, random = math.prod(len(p.values) for p in schema.parameters), Random(schema.name)
    for i in range(number) if number <= _MOST else [random.randrange(number) for _ in range(_MOST)]:
        given = []
        for p in schema.parameters:
            i, at = divmod(i, len(p.values))
            given.append((p.name, p.values[at]))
        yield system.action(Event(schema.name, tuple(given)))

"""What an encoding builds only on demand, built once, so that its faults show: events, observables, plans' steps."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

from vclogic.check.instances import instances
from vclogic.errors import Diagnostic, InputError, did_you_mean
from vclogic.model.actions import Action
from vclogic.model.event_terms import Spoken, of_positions
from vclogic.model.system import ANY, System
from vclogic.terms.partial import Partial
from vclogic.terms.term import Term, variables

_MOST = 20  # of each kind


def exercise(system: System) -> None:
    """Builds some of everything, and looks whether it speaks of fluents that there are.

    Raises:
        InputError: It speaks of others.
        Exception: Whatever the encoding raises.
    """
    known = system.layout.slot
    found = []
    for name, terms in _built(system):
        for v in variables(*terms):
            if v not in known:
                message = f"{name} refers to {v.name!r}, which is no fluent of the rule set"
                found.append(Diagnostic("unknown-fluent", message, help=did_you_mean(v.name, system.layout.by_name)))
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
        for action in instances(system, schema, _MOST).actions:
            yield f"the event {schema.name}", _terms(action)
    yield from made_later(system)


def made_later(system: System) -> list[tuple[str, list[Term]]]:
    """The terms of rules and tables, which may be `Later`: now they are made."""
    rules = [(f"the rule {rule.name}", of_positions(rule)) for rule in system.rules]
    entries = [(table.title, entry) for table in system.tables for entry in table.entries]
    return rules + [(f"the table {title!r}", [entry.row, *_both(entry.value)]) for title, entry in entries]


def _both(t: Term | Partial) -> list[Term]:
    return [t.value, t.defined] if isinstance(t, Partial) else [t]


def _terms(action: Action) -> list[Term]:
    needs = [r.term for r in action.requirements]
    return [*needs, *(t for effect in action.effects for t in effect)]

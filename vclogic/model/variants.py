"""Other results than the right one, to see whether anything notices."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from vclogic.model.actions import Action, Requirement
from vclogic.terms.atoms import FALSE, TRUE, constant, integer
from vclogic.terms.build import add, eq, ite, not_
from vclogic.terms.partial import Partial
from vclogic.terms.sorts import BoolSort, EnumSort
from vclogic.terms.term import Term


def variants(value: object) -> Iterator[object]:
    """Other values of the same type, to replace a function's result; none for types such as text."""
    match value:
        case Term():
            yield from _terms(value)
        case Partial():
            yield from (Partial(v, value.defined) for v in _terms(value.value))
        case bool():
            yield not value
        case int():
            yield from (value + 1, 0)
        case Action():
            yield from (replace(value, effects=()), replace(value, requirements=()))
        case Requirement():
            yield from (replace(value, term=TRUE), replace(value, term=FALSE))
        case Mapping():
            yield {}
        case Iterator():
            yield iter(())
        case Collection() if not isinstance(value, str):
            yield from _collections(value)
        case _ if is_dataclass(value) and not isinstance(value, type):
            for f in fields(value):
                if f.init and isinstance(getattr(value, f.name), Term | Partial | bool | int):
                    yield replace(value, **{f.name: next(iter(variants(getattr(value, f.name))))})


def _collections(value: Collection[Any]) -> Iterator[object]:
    """The empty collection; of a tuple also each part changed."""
    kind: Any = type(value)
    if isinstance(value, tuple) and value:
        for i, part in enumerate(value):
            yield from ((*value[:i], v, *value[i + 1 :]) for v in list(variants(part))[:1])
    elif value:
        yield kind()
    if isinstance(value, tuple):
        yield ()


def _terms(term: Term) -> Iterator[Term]:
    if isinstance(term.sort, BoolSort):
        yield from (not_(term), TRUE, FALSE)
    elif isinstance(term.sort, EnumSort):
        members = term.sort.members
        other = constant(term.sort, members[0])
        for member, after in zip(members, (*members[1:], members[0]), strict=True):
            other = ite(eq(term, member), constant(term.sort, after), other)
        yield from (other, constant(term.sort, members[0]))
    else:
        yield from (add(term, integer(1)), integer(0))

"""Notation for the parts of a rule set: signatures, events, values, readings."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from vclogic.model.actions import Schema
from vclogic.model.objectives import Objective
from vclogic.model.rules import Observable, Reading
from vclogic.query.rule_book import RuleBook, cites, sort_of
from vclogic.report.text.page import bracketed, bullets, indented
from vclogic.terms.sorts import BoolSort, EnumSort


def head(book: RuleBook) -> Group:
    """The game, and the texts that clauses are cited from."""
    encoding = book.setup.encoding
    sources = [Text(f"{t.source}: {t.title}", "dim") for t in encoding.texts]
    return Group(Text(encoding.title, "bold"), Text(book.setup.game, "dim"), *sources)


def signature(o: Observable) -> str:
    """An observable with the kinds of its arguments."""
    return o.name + (f"({', '.join(d.sort.name for d in o.parameters)})" if o.parameters else "")


def event(s: Schema) -> str:
    """An event as a record has it."""
    return f"{s.name}: {{{', '.join(f'{p.name}: ...' for p in s.parameters)}}}"


def decided(s: Schema) -> str:
    """The decider of an event."""
    return s.decided_by or "nobody: it is forced"


def brings(o: Objective) -> str:
    """The worth of an objective: once, where it is the same for every side that can have it."""
    told = {o.worth.get(side, "") for side in o.held}
    if len(told) == 1 and len(o.held) > 1:
        return told.pop()
    return "; ".join(f"{side}: {worth}" for side, worth in o.worth.items())


def value(o: Observable) -> str:
    """The kind of an observable's value."""
    sort = sort_of(o)
    if isinstance(sort, EnumSort):
        return sort.name
    return "true or false" if isinstance(sort, BoolSort) else "number"


def allowed(values: range | tuple[str, ...]) -> str:
    """The values of an option."""
    if not isinstance(values, range):
        return ", ".join(values)
    step = f" in steps of {values.step}" if values.step != 1 else ""
    return f"{min(values)} to {max(values)}{step}"


def reading(r: Reading, book: RuleBook) -> RenderableType:
    """A reading with all its values."""
    chosen = book.setup.settings.readings[r.name]
    default = " (default)" if chosen == r.default else f" (default: {r.default})"
    line = Text.assemble((r.name, "bold"), f" = {chosen}{default}", (bracketed(cites(r)), "dim"))
    meanings = bullets(f"{name}: {meaning}" for name, meaning in r.values.items())
    return Group(line, indented(meanings), indented(Text(f"why {r.default}: {r.reason}")))

"""Text report of `rules`: what a rule set holds, as tables."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Group, RenderableType

from vclogic.model.rules import Observable, Option
from vclogic.query.rule_book import ClauseUse, RuleBook, cites, sort_of
from vclogic.report.text.entry import entry
from vclogic.report.text.naming import allowed, brings, decided, event, head, reading, signature, value
from vclogic.report.text.page import bullets, indented, listed, paragraphs, table, titled
from vclogic.terms.domain import Domain
from vclogic.terms.sorts import EnumSort
from vclogic.words import amount, plural

_FEW = 8  # so many names are written out in an overview


def rules(book: RuleBook) -> Group:
    """The whole rule book with a line or two for each entry; a part of it in full."""
    return _overview(book) if book.subject is None else entry(book)


def _overview(book: RuleBook) -> Group:
    game = book.setup.request.name
    return paragraphs(
        head(book),
        _section("Outcomes", ("Outcome", "Side", "What it asks for", "Clauses"), _outcomes(book)),
        _section(
            "Rules", ("Rule", "What it says", "Clauses"), [(r.name, r.text, listed(cites(r), 4)) for r in book.rules]
        ),
        _section("Every position satisfies", ("Rule", "What it says"), [(r.name, r.text) for r in book.invariants]),
        _section(
            "Options (--set name=value)",
            ("Option", "Value", "Default", "Allowed", "What it does"),
            [_option(o, book) for o in book.options],
        ),
        titled("Readings (--set name=value)", Group(*(reading(r, book) for r in book.readings)))
        if book.readings
        else None,
        _section(
            "Observables (for goals)",
            ("Write", "Value", "What it is"),
            [(signature(o), value(o), o.text) for o in book.observables],
        ),
        _kinds(book.observables, game),
        _section(
            "Events (for records)",
            ("Event", "What it is", "Who decides it"),
            [(event(s), s.text, decided(s)) for s in book.events],
        ),
        _section(
            "Metrics (--minimize)",
            ("Metric", "What it counts", "--within counts", "Leaves out"),
            [(m.name, m.text, plural(m.unit), m.heading) for m in book.metrics],
        ),
        _section(
            "Objectives",
            ("Objective", "What it is", "What it brings"),
            [(o.name, o.kind, brings(o)) for o in book.objectives if o.main],
        ),
        Group(
            f"{amount(len(book.cases), 'ruling')}: `vclogic test {game}` tries them.",
            f"{_coverage(book.clauses)} `vclogic rules {game} NAME` tells all about a name above or a clause.",
        ),
    )


def _section(title: str, heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> RenderableType | None:
    kept = list(rows)
    return titled(title, table(heads, kept)) if kept else None


def _outcomes(book: RuleBook) -> Iterable[tuple[str, ...]]:
    above = ""
    for o in book.outcomes:
        yield o.name if o.name != above else "", o.side, o.text, listed(cites(o), 4)
        above = o.name


def _option(o: Option, book: RuleBook) -> tuple[str, ...]:
    return o.name, str(book.setup.settings.options[o.name]), str(o.default), allowed(o.values), o.text


def _kinds(observables: Iterable[Observable], game: str) -> RenderableType | None:
    """The names that each kind of argument or value has."""
    kinds: dict[str, tuple[Domain | EnumSort, str]] = {}
    for o in observables:
        for d in o.parameters:
            kinds.setdefault(d.sort.name, (d, o.name))
        sort = sort_of(o)
        if isinstance(sort, EnumSort):
            kinds.setdefault(sort.name, (sort, o.name))
    return indented(bullets(_kind(name, *found, game) for name, found in kinds.items())) if kinds else None


def _kind(name: str, names: Domain | EnumSort, user: str, game: str) -> str:
    members = names.sort.members if isinstance(names, Domain) else names.members
    if len(members) <= _FEW:
        return f"{name}: {', '.join(members)}"
    return f"{name}: {', '.join(members[:3])} ... ({len(members)} in all: `vclogic rules {game} {user}`)"


def _coverage(clauses: Iterable[ClauseUse]) -> str:
    found = list(clauses)
    planned = sum(c.planned is not None for c in found)
    outside = sum(c.out_of_scope is not None for c in found)
    notes = [f"{n} {what}" for n, what in ((planned, "planned"), (outside, "out of scope")) if n]
    return amount(len(found), "clause") + (f" ({', '.join(notes)})" if notes else "") + ":"

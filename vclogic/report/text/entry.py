"""Text report of `rules GAME NAME`: everything about one rule, clause or other name."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from vclogic.model.actions import Parameter, Schema
from vclogic.model.citation import CitedFunction
from vclogic.model.objectives import Objective
from vclogic.model.rules import Observable, Option, Outcome, Reading
from vclogic.model.system import Metric
from vclogic.query.rule_book import ClauseUse, Named, RuleBook, cites, sort_of
from vclogic.report.text import naming
from vclogic.report.text.page import bracketed, bullets, indented, paragraphs, titled
from vclogic.terms.domain import Domain
from vclogic.terms.sorts import EnumSort
from vclogic.words import amount, plural

_MOST_RULINGS = 40


def entry(book: RuleBook) -> Group:
    """A narrowed book: each thing in full, then the clauses, then the rulings."""
    things = [_thing(x, book) for x in book.named]
    clauses = [_clause(c) for c in book.clauses]
    return paragraphs(
        naming.head(book),
        *things,
        titled("Clauses", Group(*clauses)) if clauses else None,
        _rulings(book),
    )


def _thing(x: Named, book: RuleBook) -> RenderableType:
    if isinstance(x, Reading):
        return Group(Text("reading", "dim"), naming.reading(x, book))
    side = f" ({x.side})" if isinstance(x, Outcome) else ""
    line = Text.assemble((f"{_kind(x)} ", "dim"), (x.name, "bold"), side)
    cited = Text("clauses: " + ", ".join(cites(x)), "dim") if cites(x) else None
    parts: list[RenderableType] = [line, indented(x.kind if isinstance(x, Objective) else x.text)]
    parts += [indented(text) for text in _details(x, book)]
    return Group(*parts, *([indented(cited)] if cited else []))


def _kind(x: Named) -> str:
    kinds = {CitedFunction: "function", Metric: "metric", Schema: "event"}
    return kinds.get(type(x)) or type(x).__name__.lower()


def _details(x: Named, book: RuleBook) -> Iterator[RenderableType]:
    match x:
        case CitedFunction():
            yield f"in {x.file}, line {x.line}"
        case Outcome():
            yield f"judged {x.when}" if x.when else "judged at once"
        case Observable():
            yield f"write: {naming.signature(x)}; value: {naming.value(x)}"
            yield from map(_names, {d.sort.name: d for d in x.parameters}.values())
            sort = sort_of(x)
            if isinstance(sort, EnumSort):
                yield _names(x.values or Domain(sort))
        case Option():
            chosen = book.setup.settings.options[x.name]
            yield f"value: {chosen}; default: {x.default}; allowed: {naming.allowed(x.values)}"
        case Schema():
            yield f"in a record: {naming.event(x)}"
            yield from (_parameter(p) for p in x.parameters)
            yield f"decided by: {naming.decided(x)}"
            if x.not_judged:
                yield f"not checked: {x.not_judged}"
        case Objective():
            yield f"who can have it: {', '.join(x.held)}"
            if worth := naming.brings(x):
                yield f"what it brings: {worth}"
            if x.places:
                yield Text(f"where: {'; '.join(x.places)}")
        case Metric():
            yield f"--within counts {plural(x.unit)}" + (f"; {x.heading}" if x.heading else "")
            yield f"events of its plans: {', '.join(x.events)}"


def _names(d: Domain) -> RenderableType:
    """The members of a kind, each with its aliases."""
    also: dict[str, list[str]] = {}
    for alias, member in d.aliases.items():
        also.setdefault(member, []).append(alias)
    shown = (m + (f" (or {', '.join(also[m])})" if m in also else "") for m in d.sort.members)
    return Text(f"{d.sort.name}: {', '.join(shown)}")


def _parameter(p: Parameter) -> RenderableType:
    default = "" if p.default is None else f" (default: {p.default})"
    kind = naming.allowed(p.domain) if isinstance(p.domain, range) else f"a {p.domain.sort.name}"
    several = ", or a list: the event then happens for each of them" if p.each else ""
    return Text(f"{p.name}: {kind}{several}{default}")


def _clause(c: ClauseUse) -> Group:
    source = f" of {c.source}" if c.source else ""
    lines = ["an example"] if c.example else []
    lines += [f"encoded by {', '.join(c.rules)}"] if c.rules else []
    if c.cases:
        lines.append(f"exercised by {amount(len(c.cases), 'ruling')}")
    elif c.rules:
        lines.append("no ruling exercises it")
    lines += [f"out of scope: {c.out_of_scope}"] if c.out_of_scope else []
    lines += [f"not encoded yet: {c.planned}"] if c.planned else []
    return Group(Text.assemble((c.clause, "bold"), (source, "dim")), indented(bullets(lines)))


def _rulings(book: RuleBook) -> RenderableType | None:
    if not book.cases:
        return None
    lines = (c.name + bracketed(c.cites) for c in book.cases[:_MOST_RULINGS])
    rest = len(book.cases) - _MOST_RULINGS
    return titled("Rulings" + (f" (and {rest} more)" if rest > 0 else ""), bullets(lines))

"""Text report of `rules GAME NAME`: everything about one rule, clause or other name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from rich.console import Group, RenderableType
from rich.text import Text

from vclogic.model.actions import Parameter, Schema
from vclogic.model.citation import CitedFunction
from vclogic.model.objectives import Objective
from vclogic.model.rules import Observable, Option, Outcome, Reading
from vclogic.model.system import Metric
from vclogic.query.rule_index import ClauseUse, Named, RuleIndex, cites, sort_of
from vclogic.report.text.page import bracketed, bullets, indented, paragraphs, titled
from vclogic.terms.domain import Domain
from vclogic.terms.sorts import BoolSort, EnumSort
from vclogic.terms.vocabulary import CountedKind
from vclogic.words import amount, plural

_MOST_RULINGS = 40


def entry(book: RuleIndex) -> Group:
    """A narrowed book: each thing in full, then the clauses, then the rulings."""
    things = [_thing(x, book) for x in book.named]
    clauses = [_clause(c) for c in book.clauses]
    return paragraphs(
        head(book),
        *things,
        titled("Clauses", Group(*clauses)) if clauses else None,
        _rulings(book),
    )


def _thing(x: Named, book: RuleIndex) -> RenderableType:
    if isinstance(x, Reading):
        return Group(Text("reading", "dim"), reading(x, book))
    side = f" ({x.side})" if isinstance(x, Outcome) else ""
    line = Text.assemble((f"{_kind(x)} ", "dim"), (x.name, "bold"), side)
    cited = Text("clauses: " + ", ".join(cites(x)), "dim") if cites(x) else None
    text = x.kind if isinstance(x, Objective) else "goals can count these" if isinstance(x, CountedKind) else x.text
    parts: list[RenderableType] = [line, indented(text)]
    parts += [indented(text) for text in _details(x, book)]
    return Group(*parts, *([indented(cited)] if cited else []))


def _kind(x: Named) -> str:
    kinds = {CitedFunction: "function", Metric: "metric", Schema: "event", CountedKind: "kind"}
    return kinds.get(type(x)) or type(x).__name__.lower()


def _details(x: Named, book: RuleIndex) -> Iterator[RenderableType]:
    match x:
        case CitedFunction():
            yield f"in {x.file}, line {x.line}"
        case Outcome():
            yield f"judged {x.when}" if x.when else "judged at once"
        case Observable():
            yield f"write: {signature(x)}; value: {value(x)}"
            yield from map(_names, {d.sort.name: d for d in x.parameters}.values())
            sort = sort_of(x)
            if isinstance(sort, EnumSort):
                yield _names(x.values or Domain(sort))
        case Option():
            chosen = book.setup.settings.options[x.name]
            yield f"value: {chosen}; default: {x.default}; allowed: {allowed(x.values)}"
        case Schema():
            yield f"in a record: {event(x)}"
            yield from (_parameter(p) for p in x.parameters)
            yield f"decided by: {decided(x)}"
            if x.not_judged:
                yield f"not checked: {x.not_judged}"
        case Objective():
            yield f"who can have it: {', '.join(x.held)}"
            if worth := brings(x):
                yield f"what it brings: {worth}"
            if x.places:
                yield Text(f"where: {'; '.join(x.places)}")
        case CountedKind():
            yield _names(x.domain)
            if x.every_group:
                yield Text(f"groups: {', '.join(x.every_group)}")
            for name, f in x.functions.items():
                values = _names(f.values) if f.values else None
                yield Text(f"property: {name}({', '.join(d.sort.name for d in f.parameters)})")
                yield from [] if values is None else [indented(values)]
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
    kind = allowed(p.domain) if isinstance(p.domain, range) else f"a {p.domain.sort.name}"
    several = ", or a list: the event then happens for each of them" if p.each else ""
    return Text(f"{p.name}: {kind}{several}{default}")


def _clause(c: ClauseUse) -> Group:
    source = f" of {c.source}" if c.source else ""
    lines = ["an example"] if c.example else []
    lines += [f"in the rules: {', '.join(c.rules)}"] if c.rules else []
    if c.cases:
        lines.append(f"exercised by {amount(len(c.cases), 'ruling')}")
    elif c.rules:
        lines.append("no ruling exercises it")
    lines += [f"out of scope: {c.out_of_scope}"] if c.out_of_scope else []
    lines += [f"not in the rules yet: {c.planned}"] if c.planned else []
    return Group(Text.assemble((c.clause, "bold"), (source, "dim")), indented(bullets(lines)))


def _rulings(book: RuleIndex) -> RenderableType | None:
    if not book.cases:
        return None
    lines = (c.name + bracketed(c.cites) for c in book.cases[:_MOST_RULINGS])
    rest = len(book.cases) - _MOST_RULINGS
    return titled("Rulings" + (f" (and {rest} more)" if rest > 0 else ""), bullets(lines))


GAP = "..."
_ALL = 4  # so many names of a family are written out


class AlikeEntries(NamedTuple):
    """Entries of one family, or one entry.

    Attributes:
        name: The name, with the kind of what it is for: `units[TERRITORY]`.
        text: What all of them say, with `...` for what differs.
        names: For what they are, such as the territories; empty for one entry.
    """

    name: str
    text: str
    names: tuple[str, ...] = ()

    @property
    def spread(self) -> str:
        """The number of names, with the first and the last: `63: Archangel ... Yakut S.S.R.`."""
        return spread(self.names) if self.names else ""


def spread(names: Sequence[str]) -> str:
    """The number of names, with the first and the last: `63: Archangel ... Yakut S.S.R.`."""
    apart = "; " if any("," in name for name in names) else ", "
    return f"{len(names)}: " + (apart.join(names) if len(names) <= _ALL else f"{names[0]} {GAP} {names[-1]}")


def kinds_of(observables: Iterable[Observable]) -> dict[str, frozenset[str]]:
    """The names of each kind that observables speak of."""
    return {d.sort.name: frozenset(d.sort.members) for o in observables for d in o.parameters}


def alike(entries: Iterable[tuple[str, str]], kinds: Mapping[str, frozenset[str]]) -> list[AlikeEntries]:
    """Entries by name and text, those of one family (`units[...]`) together.

    Args:
        entries: Name and text of each.
        kinds: The names of each kind, to call what a family is for.
    """
    families: dict[str, dict[str, str]] = {}
    for name, text in entries:
        family, _, index = name.partition("[")
        families.setdefault(family, {})[index.removesuffix("]")] = text
    return [_told(family, texts, kinds) for family, texts in families.items()]


def _told(family: str, texts: Mapping[str, str], kinds: Mapping[str, frozenset[str]]) -> AlikeEntries:
    (first, text), *rest = texts.items()
    if not rest:
        return AlikeEntries(f"{family}[{first}]" if first else family, text)
    called = _called(list(texts), kinds)
    said = [_general(text, index.split(", ") if ", " in called else [index], called) for index, text in texts.items()]
    return AlikeEntries(f"{family}[{called}]", common(said), tuple(texts))


def _called(indices: Sequence[str], kinds: Mapping[str, frozenset[str]]) -> str:
    """The kinds of a family's indices, in capitals."""
    one = _kind_of(indices, kinds)
    parts = [index.split(", ") for index in indices]
    if one or len({len(p) for p in parts}) > 1:
        return one or GAP
    places = [_kind_of(p, kinds) or GAP for p in zip(*parts, strict=True)]
    return ", ".join(places)


def _kind_of(names: Sequence[str], kinds: Mapping[str, frozenset[str]]) -> str:
    """The smallest kind that has all the names."""
    fits = [(len(members), kind) for kind, members in kinds.items() if members.issuperset(names)]
    return min(fits)[1].upper() if fits else ""


def _general(text: str, names: Sequence[str], called: str) -> str:
    """A text with what its entry is for called by its kind."""
    kinds = called.split(", ") if len(names) > 1 else [called]
    for name, kind in zip(names, kinds, strict=True):
        if kind != GAP:
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", kind, text)
    return text


def common(texts: Iterable[str]) -> str:
    """The common beginning and end of texts, with `...` between."""
    several = [t.split() for t in dict.fromkeys(texts)]
    shortest = min(map(len, several))
    if len(several) == 1:
        return " ".join(several[0])
    before = next((i for i in range(shortest) if len({w[i] for w in several}) > 1), shortest)
    left = shortest - before
    after = next((i for i in range(left) if len({w[-1 - i] for w in several}) > 1), left)
    first = several[0]
    return " ".join((*first[:before], GAP, *first[len(first) - after :]))


def head(book: RuleIndex) -> Group:
    """The game, and the texts that clauses are cited from."""
    encoding = book.setup.encoding
    sources = [Text(f"{t.source}: {t.title}", "dim") for t in encoding.texts]
    changed = [Text(line, "dim") for line in book.setup.overlays]
    return Group(Text(encoding.title, "bold"), Text(book.setup.game, "dim"), *changed, *sources)


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


def reading(r: Reading, book: RuleIndex) -> RenderableType:
    """A reading with all its values."""
    chosen = book.setup.settings.readings[r.name]
    default = " (default)" if chosen == r.default else f" (default: {r.default})"
    line = Text.assemble((r.name, "bold"), f" = {chosen}{default}", (bracketed(cites(r)), "dim"))
    meanings = bullets(f"{name}: {meaning}" for name, meaning in r.values.items())
    return Group(line, indented(meanings), indented(Text(f"why {r.default}: {r.reason}")))

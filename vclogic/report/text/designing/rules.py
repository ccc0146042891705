"""Text reports of `rules`: a rule set with a line for each entry, what is found by words; and of `games`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from vclogic.model.actions import Schema
from vclogic.model.objectives import Objective
from vclogic.model.rules import Observable, Rule
from vclogic.query.rule_index import ClauseUse, Installed, RuleIndex, cites, sort_of
from vclogic.report.text.designing.entry import (
    GAP,
    alike,
    allowed,
    brings,
    common,
    decided,
    entry,
    head,
    kinds_of,
    signature,
    spread,
    value,
)
from vclogic.report.text.page import PIPED_WIDTH, bullets, indented, listed, paragraphs, plain, table, titled
from vclogic.terms.domain import Domain
from vclogic.terms.sorts import EnumSort
from vclogic.words import amount

_FEW = 8  # so many names are written out in an overview
_MOST = 20  # so many clauses and rulings are listed
_SEEN = ("outcome", "side")  # their names stand under Outcomes


def rules(book: RuleIndex) -> Group:
    """The whole rule set with a line for each entry; what was found by words; or a part of it in full."""
    if book.subject is not None:
        return entry(book)
    return _found(book) if book.words else _overview(book)


def _overview(book: RuleIndex) -> Group:
    game = book.setup.request.name
    return paragraphs(
        head(book),
        *_sections(book),
        Group(
            f"{amount(len(book.cases), 'ruling')}: `vclogic test {game}` tries them.",
            f"{_coverage(book.clauses)} `vclogic rules {game} NAME` tells all about a name above or a clause,",
            f"`vclogic rules {game} WORD` finds what speaks of something.",
        ),
    )


def _found(book: RuleIndex) -> Group:
    """The entries with some words in their name or text."""
    words, game = book.words, book.setup.request.name
    cases = [(c.name, listed(c.cites, 3)) for c in book.cases]
    return paragraphs(
        Group(Text(f"What speaks of {' '.join(words)}", "bold"), Text(book.setup.game, "dim")),
        *_sections(book),
        brief("Functions", ("Function", "What it says"), [(f.name, f.text) for f in book.functions], words),
        brief(_some("Clauses", book.clauses), ("Clause", "What it is"), map(_clause, book.clauses[:_MOST]), words),
        brief(_some("Rulings", cases), ("Clauses", "Ruling"), [(c, name) for name, c in cases[:_MOST]], words),
        Text(f"`vclogic rules {game} NAME` tells all about one of these."),
    )


def _some(title: str, things: Sequence[object]) -> str:
    return f"{title} (and {len(things) - _MOST} more)" if len(things) > _MOST else title


def _sections(book: RuleIndex) -> Iterator[RenderableType | None]:
    """A table for each kind of entry."""
    words, settings = book.words, book.setup.settings
    outcomes = [(o.name, o.side, listed(cites(o), 1), o.text) for o in book.outcomes]
    heads: tuple[str, ...] = ("Outcome", "Side", "Clauses", "What it asks for")
    yield brief("Outcomes", heads, _once(outcomes), words, whole=True)
    chosen = [str(settings.options[o.name]) for o in book.options]
    others = [_others(allowed(o.values), x) for o, x in zip(book.options, chosen, strict=True)]
    options = [(o.name, *x, o.text) for o, *x in zip(book.options, chosen, others, strict=True)]
    yield brief("Options (--set name=value)", ("Option", "Value", "Others", "What it does"), options, words)
    now = settings.readings
    readings = [(r.name, now[r.name], _others(", ".join(r.values), now[r.name])) for r in book.readings]
    yield brief("Readings (--set name=value)", ("Reading", "Value", "Others"), readings, words)
    observables = [(signature(o), value(o), o.text) for o in book.observables]
    yield brief("Observables (for goals)", ("Write", "Value", "What it is"), observables, words)
    if not words:
        yield _kinds(book.observables, book.setup.request.name)
    counted = [(k.name, listed([*k.functions]), listed([*k.every_group], 3)) for k in book.kinds]
    heads = ("Kind", "Properties of each", "Groups")
    yield brief("What goals can count", heads, (k for k in counted if any(k[1:])), words, whole=True)
    if book.moments and not words:
        yield Text(f"Moments (for rules as text): {', '.join(book.moments)}")
    events = [(_event(s), decided(s), s.text) for s in book.events]
    yield brief("Events (for records)", ("Event", "Who decides it", "What it is"), events, words)
    heads = ("Rule", "How many", "What it says")
    yield brief("Rules", heads, _rules(book.rules, book), words, whole=True)
    yield brief("Every position satisfies", heads, _rules(book.invariants, book), words, whole=True)
    metrics = [(m.name, m.text) for m in book.metrics]
    yield brief("Metrics (--minimize)", ("Metric", "What it counts"), metrics, words, whole=True)
    heads = ("Objective", "What it is", "What it brings")
    main = [o for o in book.objectives if o.main]
    yield brief("Objectives", heads, _objectives(main, each=len(main) <= _FEW), words, whole=True)


def _once(rows: Iterable[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """Rows; the first cell only where it is another one than above."""
    above = ""
    for first, *rest in rows:
        yield ("" if first == above else first, *rest)
        above = first


def _others(values: str, chosen: str) -> str:
    """The values that something can have beside the chosen one."""
    names = values.split(", ")
    return ", ".join(n for n in names if n != chosen) if chosen in names else values


def _event(s: Schema) -> str:
    parameters = ", ".join(p.name for p in s.parameters)
    return f"{s.name}: {{{parameters}}}" if parameters else s.name


def _rules(found: Sequence[Rule], book: RuleIndex) -> Iterator[tuple[str, str, str]]:
    """Rules, those of one family together."""
    for told in alike(((r.name, r.text) for r in found), kinds_of(book.observables)):
        yield told.name, told.spread, told.text


def _objectives(objectives: Iterable[Objective], each: bool) -> Iterator[tuple[str, str, str]]:
    """Objectives, each by itself or those of one kind together."""
    kinds: dict[str, list[Objective]] = {}
    for o in objectives:
        if each:
            yield o.name, o.kind, brings(o)
        else:
            kinds.setdefault(o.kind, []).append(o)
    for kind, several in kinds.items():
        worth = common(brings(o) for o in several)
        yield kind, spread([o.name for o in several]), "" if worth == GAP else worth


def _clause(c: ClauseUse) -> tuple[str, str]:
    left_out = c.out_of_scope and f"out of scope: {c.out_of_scope}"
    planned = c.planned and f"not in the rules yet: {c.planned}"
    return c.clause, left_out or planned or f"in the rules: {listed(c.rules, 3)}" if c.rules else left_out or ""


def _kinds(observables: Iterable[Observable], game: str) -> RenderableType | None:
    """The names that each kind of argument or value has."""
    kinds: dict[str, tuple[Domain | EnumSort, str]] = {}
    for o in observables:
        for d in o.parameters:
            kinds.setdefault(d.sort.name, (d, o.name))
        sort = sort_of(o)
        if isinstance(sort, EnumSort):
            kinds.setdefault(sort.name, (sort, o.name))
    shown = [_kind(name, *found, game) for name, found in kinds.items() if name not in _SEEN]
    return indented(bullets(shown)) if shown else None


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


CUT = " ..."
_WIDEST = 44  # of a first column
_MIDDLE = 26  # of a column that is neither the first nor the last
_MARGIN = 2  # before a table


def brief(
    title: str,
    heads: Sequence[str],
    rows: Iterable[Sequence[str]],
    words: Sequence[str] = (),
    *,
    whole: bool = False,
) -> RenderableType | None:
    """A titled table whose cells are cut to one line; None without rows.

    Args:
        heads: The head of each column.
        rows: Its cells.
        words: Words that are marked; cells are cut so that the first of them stays.
        whole: Whether nothing is cut but what is long in the middle.
    """
    kept = [[plain(cell) for cell in row] for row in rows]
    if not kept:
        return None
    columns = list(zip(heads, *kept, strict=True))
    widths = [min(max(map(len, c)), _MIDDLE if i else _WIDEST) for i, c in enumerate(columns[:-1])]
    widths.append(PIPED_WIDTH - _MARGIN - sum(w + 2 for w in widths))
    if whole:
        widths[-1] = max(map(len, columns[-1]))
    cells = [[_marked(cut(cell, w, words), words) for cell, w in zip(row, widths, strict=True)] for row in kept]
    return titled(title, table(heads, cells))


def _marked(cell: str, words: Sequence[str]) -> str | Text:
    if not words:
        return cell
    text = Text(cell)
    text.highlight_words(words, "bold reverse", case_sensitive=False)
    return text


def cut(text: str, width: int, words: Sequence[str] = ()) -> str:
    """A text in one line of some width, with the first of some words in it."""
    if len(text) <= width:
        return text
    at = min((i for w in words if (i := text.lower().find(w.lower())) >= 0), default=0)
    end = at + max(map(len, words), default=0)
    if end <= width - len(CUT):
        return text[: width - len(CUT)].rstrip(" ,;:") + CUT
    latest = len(text) - width + len(CUT)  # from there on the rest fits
    begin = text.find(" ", max(min(at - width // 3, latest), 0), at) + 1 or at
    return CUT.strip() + " " + cut(text[begin:], width - len(CUT))


def games(entries: Iterable[Installed]) -> RenderableType:
    """Each encoding with its scenarios."""
    found = [_game(e) for e in entries]
    return paragraphs(*found) if found else Text("No game is installed.")


def _game(entry: Installed) -> Group:
    head = Text.assemble((entry.name, "bold"), f"  {entry.title or 'broken'}")
    if entry.broken:
        return Group(head, *(Text(f"  {plain(d.message)}", "red") for d in entry.broken))
    rows = []
    for s in entry.scenarios:
        mark = f" (meant by {entry.name} alone)" if s.name == entry.default and len(entry.scenarios) > 1 else ""
        rows.append((f"{entry.name}/{s.name}", f"{s.content.title}{mark}", s.content.text))
    return Group(head, table(("Scenario", "Title", "What it is"), rows))

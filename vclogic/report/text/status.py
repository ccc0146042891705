"""Text report of `status`: who has won and who has what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from vclogic.choices import by_command
from vclogic.model.fluents import Value
from vclogic.model.position import Listing
from vclogic.model.sayings import sentence
from vclogic.query.status.answer import Changed, Status, TableStatus, TracedStep
from vclogic.query.status.outcomes import OutcomeStatus
from vclogic.query.status.position import Placed, PositionPart
from vclogic.query.status.progress import shown
from vclogic.report.text.page import bracketed, bullets, indented, paragraphs, plain, table, titled
from vclogic.report.text.reasons import outcome
from vclogic.words import joined

NOT_JUDGED = "Not checked in the record, since the rule text does not say"
_COLOURS = {"met": "bold green", "unmet": "", "undefined": "yellow", "undeclared": "yellow"}


def status(answer: Status, *, whole: bool = False) -> Group:
    """The winner, and each side's progress towards each outcome.

    Args:
        whole: Whether explanations are to be shown with all their parts, not the deciding ones alone.
    """
    seen = f", as {answer.view} can know it" if answer.view else ""
    return paragraphs(
        Group(Text(answer.headline, "bold green" if answer.winners else "bold"), Text(answer.game + seen, "dim")),
        _outcomes(answer.outcomes) if answer.outcomes else None,
        bullets(answer.remarks) if answer.remarks else None,
        titled("What each outcome asks for", _explained(answer, whole=whole)) if answer.explanations else None,
        _observables(answer),
        *map(listed, answer.position),
        *(titled(t.title + bracketed(t.cites, most=3), _table(t)) for t in answer.tables if _has_entries(t)),
        None if answer.trace is None else titled("What each step of the record changes", trace(answer.trace)),
        titled(NOT_JUDGED, bullets(answer.not_judged)) if answer.not_judged else None,
        titled("Assumptions", bullets(answer.assumptions)) if answer.assumptions else None,
    )


def _outcomes(outcomes: Iterable[OutcomeStatus]) -> RenderableType:
    heads = ("Outcome", "Side", "Status", "Has", "Needs", "Short", "Clauses")
    return table(heads, _rows(outcomes), right=("Has", "Needs", "Short"))


def _rows(outcomes: Iterable[OutcomeStatus]) -> Iterator[tuple[str | Text, ...]]:
    """A row for each outcome and side; what a row repeats from the one above it is left out."""
    above = ("", "")
    for o in outcomes:
        level = f" ({o.level})" if o.level else ""
        here = (o.rule + level, ", ".join(o.cites))
        rule, clauses = ("" if a == b and here[0] == above[0] else a for a, b in zip(here, above, strict=True))
        above = here
        yield (
            rule,
            o.whose,
            Text(o.status, _COLOURS[o.status]),
            _number(o.have),
            _number(o.need),
            _number(o.short),
            clauses,
        )


def _number(n: int | None) -> str:
    return "" if n is None else str(n)


def _explained(answer: Status, *, whole: bool) -> Group:
    """The conditions of each outcome, and why it is met or not."""
    parts: list[RenderableType] = []
    above: set[object] = set()
    for o, why in zip(answer.outcomes, answer.explanations, strict=True):
        line = Text(f"{o.rule}, {o.whose}: ")
        line.append(o.status, _COLOURS[o.status])
        has = ""
        if o.have is not None and o.need is not None:
            has = f"has {o.have}, needs {o.need}"
            has += f", {o.missing} short; " if o.missing else "; "
        judged = f"judged {o.when}" if o.when else "judged at once"
        clauses = Text(bracketed(o.cites, most=20), "dim")
        parts += [
            line,
            indented(Text.assemble(o.text, clauses)),
            indented(has + judged),
            indented(outcome(why, whole, above)),
        ]
    return Group(*parts)


def _observables(answer: Status) -> RenderableType | None:
    """The observables, but for those that the position says."""
    said = said_by(answer.position)
    rows = [(name, shown(v)) for name, v in answer.observables.items() if name.partition("(")[0] not in said]
    return table(("Observable", "Value"), rows) if rows else None


def _has_entries(answer: TableStatus) -> bool:
    return any(entries for cells in answer.rows.values() for entries in cells.values())


def _table(answer: TableStatus) -> RenderableType:
    rows = ((row, *(_cell(entries) for entries in cells.values())) for row, cells in answer.rows.items())
    return table((answer.head, *answer.columns), rows)


def _cell(entries: Mapping[str, Value]) -> str:
    """The entries of one value in a line each, the largest value first."""
    labels: dict[Value, list[str]] = {}
    for label, value in entries.items():
        labels.setdefault(value, []).append(label)
    ordered = sorted(labels.items(), key=lambda item: item[0] if isinstance(item[0], int) else 0, reverse=True)
    return "\n".join(f"{shown(value)}: {', '.join(names)}" for value, names in ordered)


def listed(part: PositionPart) -> RenderableType | None:
    """A part of the position; None where there is nothing to say of it."""
    if not part.things and not part.left_out:
        return None
    listing = part.listing
    body: list[RenderableType] = [table(heads(part), rows(part))] if part.things else []
    if part.left_out:
        body.append(Text(left_out(part) + by_command(" (`--whole` lists them)")))
    if part.viewed and listing.hidden:
        body.append(Text(listing.hidden, "dim"))
    return titled(part.title + bracketed(part.cites, most=3), Group(*body))


def heads(part: PositionPart) -> tuple[str, ...]:
    """The headings of a part's columns."""
    side = ("Side",) if any(x.side for x in part.things) else ()
    what = part.listing.what
    return (*side, part.listing.head, what[0].upper() + what[1:])


def rows(part: PositionPart) -> Iterator[tuple[str, ...]]:
    """A row for each value, under each side; a side is named once."""
    sided = any(x.side for x in part.things)
    sides = dict.fromkeys(x.side for x in part.things)
    for side in sides:
        own = [x for x in part.things if x.side == side]
        name = side
        for value in dict.fromkeys(x.value for x in sorted(own, key=_order)):
            there = [x for x in own if x.value == value]
            what = "; ".join(_things(there, part.listing))
            yield (*((name,) if sided else ()), part.listing.words.get(shown(value), shown(value)), what)
            name = ""


def _order(x: Placed) -> tuple[bool, int]:
    """In the order of values, what goes without saying last."""
    return x.usual, x.place


def _things(things: Sequence[Placed], listing: Listing) -> Iterator[str]:
    """Things of one value, those of one kind together."""
    kinds: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for x in things:
        kinds.setdefault((x.kind, tuple(x.parts or ())), []).append(_thing(x))
    for (kind, parts), names in kinds.items():
        called = listing.plurals.get(kind, kind) if len(names) > 1 else kind
        whose = "their" if len(names) > 1 else "its"
        inside = joined([listing.plurals.get(p, p) for p in parts])
        yield " ".join(p for p in (called, ", ".join(names)) if p) + (f" with all {whose} {inside}" if parts else "")


def _thing(x: Placed) -> str:
    number = "" if x.count is None else f"{x.count or 'no'} "
    return f"{number}{x.name}" + (f" ({'; '.join(x.notes)})" if x.notes else "")


def left_out(part: PositionPart) -> str:
    """The number of things that are as usual."""
    listing = part.listing
    if all(x.kind in listing.plurals for x in part.left_out):
        amounts = [_amount(x.number, x.kind, listing) for x in part.left_out]
    else:
        amounts = [f"{sum(x.number for x in part.left_out)} {listing.what}"]
    said = f"and {joined(amounts)} more" if part.things else joined(amounts)
    return f"{said}{', ' if listing.usual is None else ' '}{part.usual}"


def _amount(number: int, kind: str, listing: Listing) -> str:
    return f"{number} {kind if number == 1 else listing.plurals[kind]}"


def said_by(parts: Iterable[PositionPart]) -> frozenset[str]:
    """The observables that the parts say no less than."""
    return frozenset(name for part in parts for name in part.listing.instead)


NO_RECORD = "there is no record: nothing has happened since the start"
_NOTHING = "nothing that the rules know changes"


def trace(steps: Iterable[TracedStep]) -> Group:
    """Each step with what it changes."""
    parts: list[RenderableType] = []
    for step in steps:
        parts += [Text(plain(named(step)), "bold"), indented(changes(step))]
    return Group(*parts) if parts else Group(Text(NO_RECORD))


def named(step: TracedStep) -> str:
    """A step by its number and its event."""
    return f"step {step.step}, {step.event}"


def changes(step: TracedStep) -> RenderableType:
    """The changes by a step: outcomes first, then values, then facts; those that change alike in one line."""
    lines = [f"{c.what}: {_value(c.before)} -> {_value(c.after)}" for c in (*step.outcomes, *step.values)]
    return bullets([*lines, *_alike(step.facts)] or [_NOTHING])


def _alike(facts: Iterable[Changed]) -> Iterator[str]:
    """Facts as sentences, those of which the same is said and that were the same before in one."""
    groups: dict[tuple[str, str], list[str]] = {}
    for fact in facts:
        groups.setdefault((fact.says, _value(fact.before)), []).append(fact.about)
    for (says, before), names in groups.items():
        yield f"{sentence(names, says)} (before: {before})"


def _value(value: Value | None) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return shown(value)

"""The position as text: for each part a table of who is where, or who controls what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from vclogic.model.position import Listing
from vclogic.query.position import Listed, Placed
from vclogic.query.status import shown
from vclogic.report.text.page import bracketed, table, titled
from vclogic.words import joined


def listed(part: Listed) -> RenderableType | None:
    """A part of the position; None where there is nothing to say of it."""
    if not part.things and not part.left_out:
        return None
    listing = part.listing
    body: list[RenderableType] = [table(heads(part), rows(part))] if part.things else []
    if part.left_out:
        body.append(Text(f"{left_out(part)} (`--whole` lists them)"))
    if part.viewed and listing.hidden:
        body.append(Text(listing.hidden, "dim"))
    return titled(part.title + bracketed(part.cites, most=3), Group(*body))


def heads(part: Listed) -> tuple[str, ...]:
    """The headings of a part's columns."""
    side = ("Side",) if any(x.side for x in part.things) else ()
    what = part.listing.what
    return (*side, part.listing.head, what[0].upper() + what[1:])


def rows(part: Listed) -> Iterator[tuple[str, ...]]:
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


def left_out(part: Listed) -> str:
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


def said_by(parts: Iterable[Listed]) -> frozenset[str]:
    """The observables that the parts say no less than."""
    return frozenset(name for part in parts for name in part.listing.instead)

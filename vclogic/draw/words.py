"""What a picture shows, in words: for those who cannot see it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from vclogic.model.picture import Picture, Region


@dataclass(frozen=True)
class Words:
    """The text alternative of a picture.

    Attributes:
        title: What it is, in a line.
        lines: Who owns what, and what moves.
        regions: What there is to say about each region.
    """

    title: str
    lines: tuple[str, ...]
    regions: Mapping[str, str]


def alternative(picture: Picture) -> Words:
    """The text alternative of a picture."""
    regions = {r.name: _region(r) for r in picture.regions}
    title = "map of the position"
    if picture.captions:
        first, last = picture.captions[0].step, picture.captions[-1].step
        title += (
            f" with the moves of turn {first}" if first == last else f" with the moves of turns {first} to {last}"
        )
    return Words(title, tuple(_lines(picture)), regions)


def _lines(picture: Picture) -> Iterable[str]:
    yield from (f"{note[:1].upper()}{note[1:]}." for note in picture.notes)
    for party in picture.parties:
        owned = [_what(r) for r in picture.regions if r.owner == party.name]
        yield f"{party.name} ({party.side}) own {'; '.join(owned) or 'nothing'}."
    for r in picture.regions:
        if r.becomes:
            yield f"{r.label} changes hands: from {r.owner} to {r.becomes}."
    if any(r.units for r in picture.regions):
        at_sea = [f"{r.name}: {', '.join(r.units)}" for r in picture.regions if r.kind == "sea" and r.units]
        yield f"At sea: {'; '.join(at_sea) or 'nothing'}."
    for caption in picture.captions:
        head = f" ({caption.head})" if caption.head else ""
        yield f"Turn {caption.step}{head}: {'; '.join(caption.lines)}."


def _what(r: Region) -> str:
    extra = ", ".join((*r.badges, *r.units))
    return f"{r.label} ({extra})" if extra else r.label


def _region(r: Region) -> str:
    kind = "closed to everybody" if r.kind == "closed" else r.kind
    owner = f"owned by {r.owner}" if r.owner else ""
    then = f"then by {r.becomes}" if r.becomes else ""
    return ", ".join(p for p in (r.name, kind, owner, then, *r.badges, *r.units) if p)

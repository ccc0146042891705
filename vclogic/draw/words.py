"""The text alternative of a picture, for readers who cannot see it, and the words on its regions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from vclogic.draw.boxes import broken
from vclogic.model.hexmap import HexMap, Site
from vclogic.model.picture import NOBODY, Caption, LegendLine, Picture, Region, by_party


@dataclass(frozen=True)
class DrawnWords:
    """The text alternative of a picture.

    Attributes:
        title: What it is, in a line.
        lines: Who owns what, and what moves.
        regions: What there is to say about each region.
    """

    title: str
    lines: tuple[str, ...]
    regions: Mapping[str, str]


def alternative(picture: Picture) -> DrawnWords:
    """The text alternative of a picture."""
    alike = len({r.kind for r in picture.regions}) == 1  # then nobody asks what kind of area one is
    there = {r.name: _region(r, alike=alike) if picture.hexes is None else _hex(r) for r in picture.regions}
    said = {name: [m.words for m in picture.marks if name in m.regions and m.words] for name in there}
    regions = {name: "; ".join((words, *said[name])) for name, words in there.items()}
    title = "map of the position"
    steps = [c.step for c in picture.captions if not c.hollow]
    if steps:
        first, last = steps[0], steps[-1]
        title += (
            f" with the moves of turn {first}" if first == last else f" with the moves of turns {first} to {last}"
        )
    lines = _areas(picture) if picture.hexes is None else _hexes(picture, picture.hexes)
    notes = (f"{note[:1].upper()}{note[1:]}." for note in picture.notes)
    labels = {r.name: r.label for r in picture.regions}
    laid = {m: f": {' '.join(labels[name] for name in m.regions) or 'none'}" for m in picture.marks if m.laid}
    marks = (
        f"{m.words if m in laid else f'{m.name}: {m.words}'}{laid.get(m, '')}." for m in picture.marks if m.words
    )
    legend = (f"{': '.join((*_letters(x), x.words))}." for x in picture.legend)
    return DrawnWords(title, (*notes, *lines, *legend, *marks, *_moves(picture)), regions)


def caption_lines(picture: Picture, size: float, room: float) -> Iterable[tuple[Caption | None, str]]:
    """The lines on each turn, broken; the caption stands beside its first line, which has its number."""
    for caption in picture.captions:
        texts = [f"{caption.head}:"] if caption.head else []
        numbered: Caption | None = caption
        for text in (*texts, *caption.lines):
            for part in broken(text, size, room):
                yield numbered, part
                numbered = None


def _moves(picture: Picture) -> Iterable[str]:
    for caption in picture.captions:
        head = f" ({caption.head})" if caption.head else ""
        turn = f"Hollow arrows, turn {caption.step}" if caption.hollow else f"Turn {caption.step}"
        yield f"{turn}{head}: {'; '.join(caption.lines)}."


def _letters(line: LegendLine) -> Iterable[str]:
    """The text in the samples of a line."""
    texts = [s.text for s in line.samples if s.kind == "text"]
    if texts:
        yield ", ".join(texts)


def _areas(picture: Picture) -> Iterable[str]:
    for party in picture.parties:
        owned = [_what(r) for r in picture.regions if r.owner == party.name]
        yield f"{party.name} ({party.side}) own {'; '.join(owned) or 'nothing'}."
    yield from _hands(picture)
    fought = [f"{r.label}: {battle_words(r)}" for r in picture.regions if r.battle]
    if fought:
        yield f"{'; '.join(fought)}."
    if any(r.forces for r in picture.regions) and any(r.kind == "sea" for r in picture.regions):
        at_sea = [f"{r.name}: {by_party(r.forces)}" for r in picture.regions if r.kind == "sea" and r.forces]
        yield f"At sea: {'; '.join(at_sea) or 'nothing'}."


def _hands(picture: Picture) -> Iterable[str]:
    for r in picture.regions:
        if r.becomes:
            yield f"{r.label} changes hands: from {r.owner or NOBODY} to {r.becomes}."


def _what(r: Region) -> str:
    extra = ", ".join((*r.badges, *_units(r)))
    return f"{r.label} ({extra})" if extra else r.label


def _units(r: Region) -> Iterable[str]:
    """The units in an area; whose they are is said where it is not the owner."""
    others = tuple(f for f in r.forces if f.party != r.owner)
    yield from (f.words for f in r.forces if f.party == r.owner)
    if others:
        yield by_party(others)


def _region(r: Region, *, alike: bool) -> str:
    kind = "closed to everybody" if r.kind == "closed" else "" if alike else r.kind
    owner = f"owned by {r.owner}" if r.owner else ""
    then = f"then by {r.becomes}" if r.becomes else ""
    return ", ".join(p for p in (r.name, kind, owner, then, *r.badges, *_units(r), battle_words(r)) if p)


# ---- hexes


def site_words(site: Site) -> str:
    """A place or a zone with what it is worth and whose it is."""
    name = f"{site.name} ({site.mark})" if site.mark else site.name
    owner = "" if not site.owned else f"; {site.owner} has it" if site.owner else "; nobody has it"
    then = f", then {'nobody' if site.becomes == NOBODY else site.becomes}" if site.becomes else ""
    return f"{name}: {site.note or site.kind}{owner}{then}"


def _hexes(picture: Picture, hexes: HexMap) -> Iterable[str]:
    labels = {r.name: r.label for r in picture.regions}
    for site in hexes.sites:
        yield f"{site_words(site)}. Hexes: {' '.join(labels.get(h, h) for h in site.hexes)}."
    for party in picture.parties:
        there = [f"{c.words} in {r.label}" for r in picture.regions for c in r.counters if c.party == party.name]
        yield f"{party.name}: {'; '.join(there) or 'no units on the map'}."
        owned = [_what(r) for r in picture.regions if r.owner == party.name]
        if owned:
            yield f"{party.name} control {'; '.join(owned)}."
    yield from hexes.aside
    usual = hexes.grounds[0].name if hexes.grounds else ""
    for ground in hexes.grounds:
        there = [r.label for r in picture.regions if r.ground == ground.name]
        if there:
            yield f"{ground.name}: {' '.join(there) if ground.name != usual else 'all other hexes'}."
    yield from _hands(picture)


def _hex(r: Region) -> str:
    owner = f"controlled by {r.owner}" if r.owner else ""
    then = f"then by {r.becomes}" if r.becomes else ""
    units = (f"{c.words}, {c.party}" for c in r.counters)
    where = f"{r.label}, {r.ground}" if r.ground else r.label
    return "; ".join(p for p in (where, owner, then, *r.badges, *units) if p)


def owned(region: Region, picture: Picture) -> str:
    """The mark of a region's owner, and of its next owner; empty for what nobody owns."""
    mark = {p.name: p.mark for p in picture.parties}
    names = [n for n in (region.owner, region.becomes) if n is not None]
    return "\u2192".join(mark.get(n, n) for n in names)


def battle_words(region: Region) -> str:
    """The chance of the battle for a region, as it stands in its box; empty without one."""
    weakest = ", the weakest" if region.weakest else ""
    return f"battle {region.battle}{weakest}" if region.battle else ""


def begin(region: Region) -> float:
    """The distance of a region's outlines from its box: beyond the frame that shows a change of hands."""
    return 7.0 if region.becomes is not None else 3.0

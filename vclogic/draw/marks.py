"""Marks of regions: letters on a shade, outlines, and what lies over them; and where letters stand on hexes."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from vclogic.draw.boxes import Box, Point, broken, text_width
from vclogic.draw.elements import INK, Element, add, num, rect, write
from vclogic.draw.hexes import CHIP, HexPage, fitted
from vclogic.model.hexmap import HexMap
from vclogic.model.picture import Laid, Region, RegionNote, Sample

SHADE_FILLS = ("#f4f2fb", "#d5d0ea", "#a79fd0", "#6f61b0", "#3f1d7a")
"""The colours of shades, from light to dark; they differ in grey too."""
_LIGHT_INK = 3  # from this shade on letters are white
_DASHES = "9 5"
_SMALLER = 0.9  # letters in hexes, in those of hexes


def text_plate(parent: Element, b: Box, text: str, shade: int | None, size: float) -> None:
    """A text on its shade; without a shade on white, within dots."""
    dots = {"stroke_dasharray": "1.5 2"} if shade is None else {}
    fill = "#ffffff" if shade is None else SHADE_FILLS[shade]
    kind = "value" if shade is None else f"value shade-{shade}"
    rect(parent, b, fill=fill, stroke=INK, stroke_width=0.8, **dots, **{"class": kind})
    ink = "#ffffff" if shade is not None and shade >= _LIGHT_INK else INK
    write(parent, b.x, b.y + size * 0.36, text, size, weight="bold", fill=ink)


# ---- what lies over regions: patterns that differ in shape and colour, and lines

_LAID: Mapping[Laid, tuple[str, str, int]] = {
    "hatch": ("M0 10 L10 0 M-2 2 L2 -2 M8 12 L12 8", "#1f4fa3", 10),
    "back": ("M0 0 L10 10 M-2 8 L2 12 M8 -2 L12 2", "#b3261e", 10),
    "dots": ("M3 3 h0.1 M9 9 h0.1", "#1c6b34", 12),
    "cross": ("M5 5 L13 13 M13 5 L5 13", "#5b2a86", 18),
}
_LINE = "#1c6b34"


def laid_patterns(defs: Element, prefix: str, marks: Iterable[RegionNote | Sample]) -> None:
    """The patterns that some marks lay over regions, under names that begin with a prefix."""
    used = {m.laid if isinstance(m, RegionNote) else m.kind for m in marks}
    for laid, (path, colour, size) in _LAID.items():
        if laid in used:
            pattern = add(
                defs, "pattern", id=f"{prefix}-{laid}", width=size, height=size, patternUnits="userSpaceOnUse"
            )
            add(pattern, "rect", width=size, height=size, fill=colour, fill_opacity=0.12)
            wide = {"stroke_width": 4 if laid == "dots" else 1.8, "stroke_linecap": "round"}
            add(pattern, "path", d=path, fill="none", stroke=colour, **wide)


def laid_fill(prefix: str, laid: Laid) -> Mapping[str, str]:
    """The attributes of a shape that a pattern fills."""
    return {"fill": f"url(#{prefix}-{laid})", "class": f"laid {laid}"}


def laid_band(prefix: str, laid: Laid) -> Mapping[str, str]:
    """The attributes of an outline that is a band of a pattern: the board inside it stays to be seen."""
    return {"stroke": f"url(#{prefix}-{laid})", "class": f"laid {laid}"}


def straight(a: Point, b: Point) -> str:
    """The path from one point to another."""
    return f"M{num(a[0])} {num(a[1])} L{num(b[0])} {num(b[1])}"


def laid_lines(parent: Element, paths: Iterable[str], places: Iterable[Point]) -> None:
    """Lines between places, on white so that they are seen on any ground, and a point on each place."""
    lines = " ".join(paths)
    points = "".join(f"M{num(x)} {num(y)} h0.1 " for x, y in places)
    group = add(parent, "g", fill="none", stroke_linecap="round", **{"class": "laid line"})
    for colour, wider in (("#ffffff", 5), (_LINE, 0)):
        add(group, "path", d=lines, stroke=colour, stroke_width=5 + wider)
        add(group, "path", d=points.strip(), stroke=colour, stroke_width=13 + wider)


# ---- outlines

Draw = Callable[..., object]
"""Draws an outline at so many pixels from a border, with the attributes of a line."""


def outlined(found: RegionMarks, begin: float, draw: Draw) -> None:
    """The outlines of a region, from its border away: a double line, then a dashed one."""
    if found.double:
        draw(begin, stroke=INK, stroke_width=1.8, **{"class": "double"})
        draw(begin + 4, stroke=INK, stroke_width=1.8, **{"class": "double"})
        begin += 6
    if found.dashed:
        draw(begin + 1.5, stroke=INK, stroke_width=2.6, stroke_dasharray=_DASHES, **{"class": "dashed"})


@dataclass(frozen=True)
class RegionMarks:
    """The joined drawing of the marks of one region.

    Attributes:
        text: Their letters.
        shade: The darkest of their shades.
        double: Whether a double line goes around it.
        dashed: Whether a dashed line goes around it.
    """

    text: str = ""
    shade: int | None = None
    double: bool = False
    dashed: bool = False

    def edge(self, begin: float) -> float:
        """The outer distance of outlines that begin at a distance from the border; 0 without outlines."""
        return begin + 6 * self.double + 5 * self.dashed if self.double or self.dashed else 0.0


def written(marks: Iterable[RegionNote], *, named: bool = False) -> RegionMarks:
    """Join some marks.

    Args:
        named: Whether their letters stand behind their names, as they do anyway where there are several.
    """
    found = list(marks)
    texts = [m for m in found if m.text]
    named = named or len(texts) > 1
    return RegionMarks(
        text=" \u00b7 ".join(f"{m.name}: {m.text}" if named else m.text for m in texts),
        shade=max((m.shade for m in found if m.shade is not None), default=None),
        double=any(m.double for m in found),
        dashed=any(m.dashed for m in found),
    )


# ---- on hexes: letters in one hex each, shades and outlines in all of their hexes


@dataclass(frozen=True)
class Chip:
    """The letters of a mark that stand in a hex.

    Attributes:
        box: Where they stand.
        text: The letters.
        shade: Their shade.
        size: The size of the letters.
        room: How much room there was for them.
    """

    box: Box
    text: str
    shade: int | None
    size: float
    room: float


def standing(
    plan: HexPage, marks: Sequence[RegionNote], regions: Mapping[str, Region], named: Collection[str]
) -> Mapping[str, Sequence[RegionNote]]:
    """Assign marks to hexes: each where few others are, best where its name stands or in the middle.

    Those of the same hexes are written together.

    Args:
        plan: Where the hexes are.
        regions: The hexes.
        named: The hexes in which names of places are written.
    """
    shared = {name: sum(name in m.regions for m in marks) for name in regions}
    found: dict[str, list[RegionNote]] = {}
    place: dict[frozenset[str], str] = {}
    for mark in marks:
        hexes = [name for name in mark.regions if name in regions]
        if mark.text and hexes:
            middle = tuple(fmean(plan.centres[h][i] for h in hexes) for i in (0, 1))
            away = {h: math.dist(plan.centres[h], middle) for h in hexes}
            few = {h: (len(found.get(h, ())), shared[h], h not in named, len(regions[h].counters)) for h in hexes}
            best = min((*few[h], away[h], h) for h in hexes)[-1]
            found.setdefault(place.setdefault(frozenset(hexes), best), []).append(mark)
    return found


def chips(plan: HexPage, name: str, marks: Sequence[RegionNote], *, below: bool) -> tuple[Chip, ...]:
    """The letters of a hex, under its name: those of each mark in a line or more, named where there are several.

    Args:
        plan: Where the hexes are.
        name: The hex.
        marks: The marks that are written in it.
        below: Whether something else is written below the name of the hex.
    """
    found: list[Chip] = []
    for mark in marks:
        text = written([mark], named=len(marks) > 1).text
        whole = _chip(plan, name, text, mark.shade, len(found), below=below)
        if whole.text != text:  # it was cut
            parts = broken(text, plan.size * _SMALLER, whole.room)
            found += [_chip(plan, name, p, mark.shade, len(found) + i, below=below) for i, p in enumerate(parts)]
        else:
            found.append(whole)
    return tuple(found)


def _chip(plan: HexPage, name: str, text: str, shade: int | None, line: int, *, below: bool) -> Chip:
    """Letters in one of the lines under the name of a hex."""
    x, y = plan.centres[name]
    high = plan.size * 1.15
    middle = plan.top + plan.size * (0.95 + 1.05 * below + CHIP * line)
    room = plan.room(max(abs(middle - high / 2), abs(middle + high / 2))) - 14
    writing = fitted(text, plan.size * _SMALLER, room, bold=True)
    wide = min(text_width(writing.text, writing.size), room + 8)
    box = Box(x, round(y + middle, 1), round(wide, 1), round(high, 1))
    return Chip(box, writing.text, shade, writing.size, room)


def shades(marks: Sequence[RegionNote], regions: Iterable[str]) -> dict[str, int]:
    """The darkest shade of each hex that has one."""
    found = {name: written(m for m in marks if name in m.regions).shade for name in regions}
    return {name: shade for name, shade in found.items() if shade is not None}


def first_outline(plan: HexPage, hexes: HexMap, mark: RegionNote, marks: Sequence[RegionNote]) -> float:
    """The distance of a mark's outlines from the border of its hexes: inside others that are there."""
    there = set(mark.regions)
    kinds = {s.kind for s in hexes.sites if not there.isdisjoint(s.hexes)}
    taken = 0.1 if "place" in kinds else 0.055 if "zone" in kinds else 0.0
    others = any(m.double and not there.isdisjoint(m.regions) for m in marks)
    return round(plan.depth * taken + 3.5 + 6 * (others and not mark.double), 1)

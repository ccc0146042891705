"""Layout of a hex map: where the hexes are, and what is written where in them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from vclogic.draw.boxes import Box, Point, badge_width, broken, width
from vclogic.model.hexmap import Counter, Site
from vclogic.model.picture import Picture, Region

LINE = 1.14
"""From one line of text to the next, in letter sizes."""
CHIP = 1.3
"""The same for the letters of marks."""
LEAST, MOST = 54.0, 120.0
"""The possible lengths of a hex's side."""
_WIDE = 1880.0
_SMALLEST = 7.0  # letters
_GAP = 3.0  # between counters
_BOLD = 1.1  # so much wider than plain letters


@dataclass(frozen=True)
class Writing:
    """A line of text that fits.

    Attributes:
        text: As much of it as there is room for.
        size: The size of its letters.
    """

    text: str
    size: float


def fitted(text: str, size: float, room: float, *, bold: bool = False) -> Writing:
    """A text in the largest letters that fit, cut off where these would be too small."""
    room = room / _BOLD if bold else room
    while size > _SMALLEST and width(text, size) > room:
        size = max(size - 0.5, _SMALLEST)
    if width(text, size) <= room:
        return Writing(text, size)
    while text and width(f"{text}\u2026", size) > room:
        text = text[:-1]
    return Writing(f"{text.rstrip()}\u2026", size)


class HexPage:
    """The places of all hexes on the page.

    Args:
        picture: The picture.
        corner_north: Whether hexes have a corner to the north.
        left: Where the map begins.
        top: Where the map begins.
    """

    def __init__(self, picture: Picture, corner_north: bool, left: float, top: float):
        self.corner_north = corner_north
        places = {r.name: r.at or (0.0, 0.0) for r in picture.regions} or {"": (0.0, 0.0)}
        half_wide, self._half_high = (math.sqrt(3) / 2, 1.0) if corner_north else (1.0, math.sqrt(3) / 2)
        xs, ys = [x for x, _ in places.values()], [y for _, y in places.values()]
        across = max(xs) - min(xs) + 2 * half_wide
        self.side = s = round(min(max(_WIDE / across, LEAST), MOST), 1)
        self.centres: Mapping[str, Point] = {
            n: (round(left + (x - min(xs) + half_wide) * s, 1), round(top + (y - min(ys) + self._half_high) * s, 1))
            for n, (x, y) in places.items()
        }
        self.right = left + across * s
        self.bottom = top + (max(ys) - min(ys) + 2 * self._half_high) * s
        self.size = round(min(max(s * 0.165, 8.0), 15.0), 1)

    # ---- shapes

    @property
    def depth(self) -> float:
        """From the centre of a hex to the middle of a side."""
        return self.side * math.sqrt(3) / 2

    @cached_property
    def _turns(self) -> tuple[Point, ...]:
        first = 30 if self.corner_north else 0
        return tuple((math.cos(math.radians(a)), math.sin(math.radians(a))) for a in range(first, first + 360, 60))

    def corners(self, name: str, inset: float = 1.0) -> list[Point]:
        """The corners of a hex, clockwise, scaled around its centre."""
        x, y = self.centres[name]
        return [(x + c * self.side * inset, y + s * self.side * inset) for c, s in self._turns]

    @cached_property
    def _by_place(self) -> Mapping[tuple[int, int], str]:
        return {self._cell(p): name for name, p in self.centres.items()}

    def _cell(self, p: Point) -> tuple[int, int]:
        return round(p[0] / self.side * 4), round(p[1] / self.side * 4)

    def beyond(self, name: str, k: int) -> str | None:
        """The hex beyond a side, by the number of the corner that the side begins at."""
        (ax, ay), (bx, by) = self.corners(name)[k], self.corners(name)[(k + 1) % 6]
        x, y = self.centres[name]
        column, row = self._cell((ax + bx - x, ay + by - y))
        near = ((column + i, row + j) for i in (0, -1, 1) for j in (0, -1, 1))
        return next((self._by_place[c] for c in near if c in self._by_place), None)

    def outline(self, hexes: Iterable[str], inset: float) -> list[tuple[Point, Point]]:
        """The outline of some hexes, drawn a little inside."""
        inside = set(hexes)
        found = []
        for name in (n for n in self.centres if n in inside):
            corners = self.corners(name, inset)
            for k in range(6):
                if self.beyond(name, k) not in inside:
                    found.append((corners[k], corners[(k + 1) % 6]))
        return found

    def between(self, a: str, b: str) -> tuple[Point, Point] | None:
        """The side between two hexes; None where they do not touch."""
        corners = self.corners(a)
        return next(((corners[k], corners[(k + 1) % 6]) for k in range(6) if self.beyond(a, k) == b), None)

    # ---- room

    def room(self, high: float) -> float:
        """The width of a hex at a height above or below its centre."""
        high = abs(high)
        if self.corner_north:
            return math.sqrt(3) * min(self.side, 2 * (self.side - high))
        return 2 * (self.side - high / math.sqrt(3))

    @property
    def top(self) -> float:
        """The baseline of the topmost text, from the centre."""
        return self.side * (-0.66 if self.corner_north else -0.67)

    def middle(self, *, below: bool, chips: int, named: bool) -> tuple[float, float]:
        """The heights between which counters are drawn.

        Args:
            below: Whether something is written below the name of the hex.
            chips: How many lines with the letters of marks stand below that.
            named: Whether the name of a place is written below them.
        """
        low = self.top + self.size * (0.35 + 1.1 * below + CHIP * chips)
        return low, self.under - self.size * 1.05 if named else self.side * (0.55 if self.corner_north else 0.45)

    @property
    def under(self) -> float:
        """The baseline of the name of a place under counters."""
        return self.side * 0.6


# ---- counters


@dataclass(frozen=True)
class Chit:
    """A counter as it stands on the map.

    Attributes:
        counter: The unit; None: how many more there are.
        box: Where it is drawn.
        lines: What is written on it.
        mark: The mark of its party.
    """

    counter: Counter | None
    box: Box
    lines: tuple[Writing, ...]
    mark: str


def chits(
    plan: HexPage,
    region: Region,
    marks: Mapping[str, str],
    *,
    below: bool = False,
    chips: int = 0,
    named: bool = False,
) -> tuple[Chit, ...]:
    """The counters of a hex without overlaps: with names and figures, or in a line each, or only the first.

    Args:
        plan: Where the hexes are.
        region: The hex.
        marks: The mark of each party.
        below: Whether something is written below the name of the hex.
        chips: How many lines with the letters of marks stand below that.
        named: Whether the name of a place is written below them.
    """
    counters = region.counters
    if not counters:
        return ()
    low, high = plan.middle(below=below, chips=chips, named=named)
    centre = (plan.centres[region.name][0], plan.centres[region.name][1] + (low + high) / 2)
    room = min(plan.room(low + plan.size), plan.room(high - plan.size / 2)) - 8
    # Ever fewer lines for each counter, until all counters fit; else only the first ones are shown.
    ways = [[_lines(plan, c, marks, room, full) for c in counters] for full in (3, 2, 1)]
    fits = next((way for way in ways if _height(plan, way) <= high - low), None)
    if fits is not None:
        return _placed(plan, centre, counters, fits, marks, room)
    short = ways[-1]
    shown = max(len(short) - 1, 1)
    while shown > 1 and _height(plan, short[: shown + 1]) > high - low:
        shown -= 1
    rest = (Writing(f"+ {len(counters) - shown} more", plan.size * 0.9),)
    return _placed(plan, centre, (*counters[:shown], None), [*short[:shown], rest], marks, room)


def _kind(counter: Counter) -> str:
    """The kind of a unit, unless its name says it."""
    return "" if counter.kind.lower() in counter.name.lower() else counter.kind


def _figures(counter: Counter) -> str:
    return " ".join(p for p in (_kind(counter), counter.figures, *counter.state) if p)


def _lines(plan: HexPage, counter: Counter, marks: Mapping[str, str], room: float, most: int) -> tuple[Writing, ...]:
    """The text of a counter in a limited number of lines."""
    mark, size = badge_width(marks.get(counter.party, "")) + 6, plan.size
    if most == 1:
        words = (counter.name, _kind(counter), counter.figures, *counter.state)
        every, less = (" ".join(w for w in some if w) for some in (words, (words[0], *words[2:])))
        fits = width(every, size) * _BOLD <= room - mark
        return (fitted(every if fits else less, size, room - mark, bold=True),)
    figures = _figures(counter)
    tail = (fitted(figures, size * 0.92, room - 4),) if figures else ()
    if most == 3 and width(counter.name, size) * _BOLD > room - mark:
        names = broken(counter.name, size, (room - mark) / _BOLD)
        first, rest = names[0], " ".join(names[1:])
        if rest:
            return (fitted(first, size, room - mark, bold=True), fitted(rest, size, room - 4), *tail)
    return (fitted(counter.name, size, room - mark, bold=True), *tail)


def _high(plan: HexPage, lines: Sequence[Writing]) -> float:
    return len(lines) * plan.size * LINE + 3


def _height(plan: HexPage, each: Sequence[Sequence[Writing]]) -> float:
    return sum(_high(plan, lines) + _GAP for lines in each) - _GAP


def _placed(
    plan: HexPage,
    middle: Point,
    counters: Sequence[Counter | None],
    each: Sequence[tuple[Writing, ...]],
    marks: Mapping[str, str],
    room: float,
) -> tuple[Chit, ...]:
    y = middle[1] - _height(plan, each) / 2
    found = []
    for counter, lines in zip(counters, each, strict=True):
        tall = _high(plan, lines)
        mark = marks.get(counter.party, "") if counter else ""
        wide = _wide(lines, badge_width(mark) if counter else 0.0, room)
        box = Box(middle[0], round(y + tall / 2, 1), round(wide, 1), round(tall, 1))
        found.append(Chit(counter, box, lines, mark))
        y += tall + _GAP
    return tuple(found)


def _wide(lines: Sequence[Writing], sign: float, room: float) -> float:
    first = width(lines[0].text, lines[0].size) * _BOLD + sign + 4
    return min(max(first, *(width(x.text, x.size) for x in lines)) + 6, room)


def is_whole(found: Sequence[Chit]) -> bool:
    """True if all counters of a hex can be read there in full."""
    return not any(c.counter is None or any(x.text.endswith("\u2026") for x in c.lines) for c in found)


def stack(found: Sequence[Chit]) -> Box | None:
    """The box around all counters of a hex."""
    if not found:
        return None
    boxes = [c.box for c in found]
    top, bottom = boxes[0].y - boxes[0].h / 2, boxes[-1].y + boxes[-1].h / 2
    return Box(boxes[0].x, (top + bottom) / 2, max(b.w for b in boxes), bottom - top)


# ---- names of places


@dataclass(frozen=True)
class Name:
    """The name of a place, written in one of its hexes.

    Attributes:
        site: The place.
        hex: The hex.
        box: Where it is drawn.
        lines: What is written.
        sign: What the sign of its owner says; empty: it has none.
    """

    site: Site
    hex: str
    box: Box
    lines: tuple[Writing, ...]
    sign: str


def names(
    plan: HexPage, sites: Iterable[Site], regions: Mapping[str, Region], marks: Mapping[str, str]
) -> list[Name]:
    """The names of all places: each in a hex of it where there is most room."""
    taken: dict[str, int] = {}
    found = []
    for site in sites:
        hexes = [h for h in site.hexes if h in regions]
        if site.kind == "zone" or not hexes:
            continue
        where = min(hexes, key=lambda h: (taken.get(h, 0), len(regions[h].counters)))
        found.append(_name(plan, site, where, regions[where], marks, taken.get(where, 0)))
        taken[where] = taken.get(where, 0) + 1
    return found


def _name(plan: HexPage, site: Site, where: str, region: Region, marks: Mapping[str, str], above: int) -> Name:
    free = not region.counters
    size = plan.size
    holders = [marks.get(n, "\u2013") for n in (site.owner or "", site.becomes or "") if n]
    sign = (
        "\u2192".join(holders) if site.owner else f"\u2013\u2192{holders[0]}" if holders else "\u2013"
    ) * site.owned
    shift = badge_width(sign) + 4 if sign else 0.0
    count = 1 + bool(site.short)
    first = plan.under + above * size * LINE
    if free:
        first = plan.side * 0.1 + (above - (count - 1) / 2) * count * size * LINE
    lines = [fitted(site.name, size, plan.room(first) - shift - 4, bold=True)]
    if site.short:
        second = fitted(site.short, size * 0.9, plan.room(first + size * LINE) - 4)
        lines += [second] if second.text == site.short else []
    x, y = plan.centres[where]
    wide = max(width(lines[0].text, lines[0].size) * _BOLD + shift, *(width(x.text, x.size) for x in lines)) + 4
    high = len(lines) * size * LINE
    return Name(site, where, Box(x, y + first - size + high / 2, round(wide, 1), round(high, 1)), tuple(lines), sign)

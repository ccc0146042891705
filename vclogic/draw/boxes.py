"""Layout of an area map: a box for each region in a frame, without overlaps."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from vclogic.board.area import AreaMap, distances
from vclogic.draw.written import Written, written
from vclogic.model.picture import Picture, Region

Point = tuple[float, float]
NAME, SMALL = 12.0, 10.5
"""Sizes of the letters of a name, and of what stands below it."""
BAND = 15.0
"""The height of the letters of marks with their shade."""
_GAP = 6.0  # at least so much is between two boxes
_ARROW = 38.0  # and so much between two with an arrow from one to the other
_LINE = 1.2  # from one line of text to the next, in letter sizes
_LONG = 112.0  # wider names and lists of units are broken
_MARGIN = (60.0, 32.0)  # from the edges to the outermost centres
_STRETCH = 1.25  # the scales in both directions differ at most so much
_ROUNDS = 400
_WIDTHS = {
    "ijl'|": 0.24,
    "It.,:;/!f ": 0.29,
    "r-()": 0.35,
    "ckvsxyzJ": 0.5,
    "mMw": 0.85,
    "W": 0.98,
    "GOQCDHNRU": 0.77,
}
_WIDTH = {letter: width for letters, width in _WIDTHS.items() for letter in letters}


def width(text: str, size: float) -> float:
    """The approximate width of a text in a plain sans-serif face, rather too large than too small."""
    return size * 1.15 * sum(
        _WIDTH.get(c, 0.58 if c.islower() or c.isdigit() else 0.7) for c in text if c < "\u0300"
    ) + (size * sum(c >= "\u0300" for c in text))


@dataclass(frozen=True)
class Frame:
    """The part of the picture that holds the map."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True)
class Box:
    """A rectangle by its centre.

    Attributes:
        x: Its centre.
        y: Its centre.
        w: How wide it is.
        h: How high it is.
    """

    x: float
    y: float
    w: float
    h: float

    def overlaps(self, other: Box, gap: float = 0.0) -> bool:
        """Whether two boxes overlap or are nearer to each other than a gap."""
        return self.over(other, gap) is not None

    def over(self, other: Box, gap: float = 0.0) -> Point | None:
        """How far two boxes overlap, across and down; None if they do not."""
        across = (self.w + other.w) / 2 + gap - abs(self.x - other.x)
        down = (self.h + other.h) / 2 + gap - abs(self.y - other.y)
        return (across, down) if across > 1e-6 and down > 1e-6 else None

    def grown(self, by: float) -> Box:
        """A box that reaches farther on every side."""
        return replace(self, w=round(self.w + 2 * by, 1), h=round(self.h + 2 * by, 1)) if by else self

    def around(self, other: Box) -> Box:
        """The smallest box with both in it."""
        left, right = (min(b.x - b.w / 2 for b in (self, other)), max(b.x + b.w / 2 for b in (self, other)))
        top, bottom = (min(b.y - b.h / 2 for b in (self, other)), max(b.y + b.h / 2 for b in (self, other)))
        return Box((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)

    def holds(self, point: Point, gap: float = 0.0) -> bool:
        """Whether a point lies inside."""
        return abs(point[0] - self.x) <= self.w / 2 + gap and abs(point[1] - self.y) <= self.h / 2 + gap


@dataclass(frozen=True)
class Card:
    """A region's box with the lines of text in it.

    Attributes:
        region: The region.
        box: Where it stands.
        name: The lines of its name.
        badges: The line below; may be empty.
        units: The lines below that.
        said: What marks say of the region; their letters are the last line.
        battle: The line above that; may be empty.
        edge: How far outlines reach beyond the box.
    """

    region: Region
    box: Box
    name: tuple[str, ...]
    badges: str
    units: tuple[str, ...]
    said: Written
    battle: str = ""
    edge: float = 0.0

    @property
    def outer(self) -> Box:
        """The box with its outlines."""
        return self.box.grown(self.edge)


def cards(picture: Picture, frame: Frame) -> dict[str, Card]:
    """The box of each region."""
    found = {r.name: _card(r, picture) for r in picture.regions}
    given = {r.name: r.at for r in picture.regions if r.at is not None}
    places = given if len(given) == len(found) else _spread(picture)
    sizes = {name: card.outer for name, card in found.items()}
    crossed = {frozenset((a.source, a.target)) for a in picture.arrows}
    boxes = _apart(_fitted(places, sizes, frame), frame, crossed)
    return {name: replace(card, box=boxes[name].grown(-card.edge)) for name, card in found.items()}


# ---- what stands in a box


def broken(text: str, size: float, longest: float) -> tuple[str, ...]:
    """A text broken at spaces into lines that fit, as far as its words do."""
    lines: list[str] = []
    for word in text.split():
        if lines and width(f"{lines[-1]} {word}", size) <= longest:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return tuple(lines)


def owned(region: Region, picture: Picture) -> str:
    """The mark of a region's owner, and of its next owner; empty for what nobody owns."""
    mark = {p.name: p.mark for p in picture.parties}
    names = [n for n in (region.owner, region.becomes) if n is not None]
    return "\u2192".join(mark.get(n, n) for n in names)


def battle_words(region: Region) -> str:
    """The chance of the battle for a region, as it stands in its box; empty without one."""
    weakest = ", the weakest" if region.weakest else ""
    return f"battle {region.battle}{weakest}" if region.battle else ""


def badge_width(mark: str) -> float:
    """How wide the sign with the owner's mark is."""
    return width(mark, NAME) + 8 if mark else 0.0


def _card(region: Region, picture: Picture) -> Card:
    size = NAME if region.kind == "land" else SMALL
    name = broken(region.label, size, _LONG)
    badges = " \u00b7 ".join(region.badges)
    units = tuple(line for group in region.units for line in broken(group, SMALL, _LONG + 10))
    battle = battle_words(region)
    said = written(m for m in picture.marks if region.name in m.regions)
    badge = badge_width(owned(region, picture))
    wide = max(
        badge + (4 if badge else 0) + max((width(n, size) for n in name), default=0.0) * (1.07 if badge else 1),
        width(badges, SMALL) * 1.05,
        *(width(u, SMALL) for u in units),
        width(battle, SMALL) * 1.05,
        text_width(said.text, SMALL) - 6,
    )
    high = _LINE * (size * len(name) + SMALL * (bool(badges) + len(units) + bool(battle))) + BAND * bool(said.text)
    box = Box(0, 0, round(wide + 10, 1), round(high + 6, 1))
    return Card(region, box, name, badges, units, said, battle, said.edge(begin(region)))


def begin(region: Region) -> float:
    """How far from a region's box its outlines begin: beyond the frame of what changes hands."""
    return 7.0 if region.becomes is not None else 3.0


def text_width(text: str, size: float) -> float:
    """How wide a text on its shade is."""
    return width(text, size) * 1.1 + 8 if text else 0.0


# ---- where boxes stand


def _fitted(places: Mapping[str, Point], sizes: Mapping[str, Box], frame: Frame) -> dict[str, Box]:
    """The places scaled to fill the frame, by about the same factor in both directions."""
    xs, ys = [x for x, _ in places.values()], [y for _, y in places.values()]
    if not xs:
        return {}
    room = (frame.right - frame.left - 2 * _MARGIN[0], frame.bottom - frame.top - 2 * _MARGIN[1])
    extent = (max(xs) - min(xs), max(ys) - min(ys))
    scales = [r / e if e > 0 else math.inf for r, e in zip(room, extent, strict=True)]
    least = min((s for s in scales if s < math.inf), default=1.0)
    across, down = (min(s, least * _STRETCH) for s in scales)
    middle = ((max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2)
    centre = ((frame.left + frame.right) / 2, (frame.top + frame.bottom) / 2)
    return {
        name: replace(sizes[name], x=centre[0] + (x - middle[0]) * across, y=centre[1] + (y - middle[1]) * down)
        for name, (x, y) in places.items()
    }


def _apart(
    boxes: Mapping[str, Box], frame: Frame, crossed: Collection[frozenset[str | None]] = frozenset()
) -> dict[str, Box]:
    """The boxes moved as little as possible until none overlap, with room for arrows between some of them."""
    found = {name: _inside(box, frame) for name, box in boxes.items()}
    names = list(found)
    for _ in range(_ROUNDS):
        moved = False
        for i, a in enumerate(names):
            for b in names[i + 1 :]:
                gap = _GAP if frozenset((a, b)) not in crossed else _ARROW
                over = found[a].over(found[b], gap)
                if over:
                    found[a], found[b] = (_inside(x, frame) for x in _pushed(found[a], found[b], over))
                    moved = True
        if not moved:
            break
    return {n: replace(b, x=round(b.x, 1), y=round(b.y, 1)) for n, b in found.items()}


def _pushed(a: Box, b: Box, over: Point) -> tuple[Box, Box]:
    """Two overlapping boxes moved apart, in the direction that takes less."""
    across, down = over
    if across < down:
        by = math.copysign(across / 2 + 0.1, a.x - b.x)
        return replace(a, x=a.x + by), replace(b, x=b.x - by)
    by = math.copysign(down / 2 + 0.1, a.y - b.y)
    return replace(a, y=a.y + by), replace(b, y=b.y - by)


def _inside(box: Box, frame: Frame) -> Box:
    x = min(max(box.x, frame.left + box.w / 2), frame.right - box.w / 2)
    y = min(max(box.y, frame.top + box.h / 2), frame.bottom - box.h / 2)
    return replace(box, x=x, y=y)


# ---- places for a map that gives none


def _spread(picture: Picture) -> dict[str, Point]:
    """Places for regions that have none, about as far apart as the links between them count (stress majorization)."""
    names = [r.name for r in picture.regions]
    far = _distances(names, picture.links)
    turn = 2 * math.pi / max(len(names), 1)
    places = [
        (1.6 * math.cos(i * turn) * len(names) / 6, math.sin(i * turn) * len(names) / 6) for i in range(len(names))
    ]
    for _ in range(80):
        for i, here in enumerate(places):
            places[i] = _balanced(i, here, places, far[i])
    return dict(zip(names, places, strict=True))


def _balanced(i: int, here: Point, places: Sequence[Point], far: Sequence[float]) -> Point:
    """The place of a region that best fits its distances from all others."""
    x = y = weights = 0.0
    for j, there in enumerate(places):
        if i == j:
            continue
        dx, dy = here[0] - there[0], here[1] - there[1]
        away = math.hypot(dx, dy) or 1e-9
        weight = far[j] ** -2
        x += weight * (there[0] + far[j] * dx / away)
        y += weight * (there[1] + far[j] * dy / away)
        weights += weight
    return (x / weights, y / weights) if weights else here


def _distances(names: Sequence[str], links: Iterable[tuple[str, str]]) -> list[list[float]]:
    """The number of links between any two regions; unconnected ones are one farther than the farthest."""
    around = AreaMap(tuple(names), tuple(links)).neighbours
    rows = []
    for name in names:
        found = distances(around, name, len(names))
        most = max(found.values()) + 1
        rows.append([float(found.get(n, most)) for n in names])
    return [[max(a, rows[j][i], 1.0) for j, a in enumerate(row)] for i, row in enumerate(rows)]

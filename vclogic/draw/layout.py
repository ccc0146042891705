"""Layout of an area map: a box for each region, as large as the board allows, without overlaps."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import fmean

from vclogic.board import graphs
from vclogic.board.area import AreaMap, Touching, distances
from vclogic.draw.boxes import BAND, NAME, SMALL, Box, Frame, Point, badge_width, broken, text_width, width
from vclogic.draw.marks import RegionMarks, written
from vclogic.draw.routes import Route, routes
from vclogic.draw.signs import ROW, CounterRow, Counters
from vclogic.draw.words import battle_words, begin, owned
from vclogic.model.picture import Picture, Region

SHEET = (1912.0, 1004.0)
"""The largest size of a map at the usual size of letters."""
_LARGER = (7.0, 6.2, 5.6, 5.0, 4.4, 3.9, 3.4, 3.0, 2.6, 2.3, 2.0, 1.8, 1.6, 1.45, 1.3, 1.15)
_SCALES = (*_LARGER, 1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4)  # sizes of letters that are tried, in usual ones
_GAP, _WIDER = 6.0, 24.0  # at least so much is between two boxes; so much where letters are larger than usual
_ARROW = {True: 58.0, False: 38.0}  # so much between two with an arrow from one to the other, in either case
_EDGE, _WRAPPED = 10.0, 30.0  # from the edges to the outermost boxes; so much where links go over them
_ABOVE = 24.0  # from the upper and the lower edge
_STRETCH = {True: 1.25, False: 2.0}  # the scales in both directions differ at most so much; where a map gives places
_ROUNDS = {True: 80, False: 400}  # of pushing boxes apart; fewer where letters are larger than usual
_MOST_CHECKS = 8_000_000  # of two boxes
_FULL = {True: 0.5, False: 0.85}  # so much of the map boxes may fill; in either case
_MOVED = 40.0  # larger boxes may be moved so far from their places
_LOWEST = 0.28  # a map is at least so high, in its widths
LINE = 1.2
"""From one line of text to the next, in letter sizes."""
_LONG = 112.0  # wider names are broken
_ROW = 132.0  # so are wider rows of counters


@dataclass(frozen=True)
class RegionBox:
    """A region's box with the lines in it.

    Attributes:
        region: The region.
        box: Where it stands.
        name: The lines of its name.
        badges: The lines below; may be empty.
        rows: The counters below that.
        said: What marks say of the region; their letters are the last line.
        battle: The lines above that; may be empty.
        edge: How far outlines reach beyond the box.
    """

    region: Region
    box: Box
    name: tuple[str, ...]
    badges: tuple[str, ...]
    rows: tuple[CounterRow, ...]
    said: RegionMarks
    battle: tuple[str, ...] = ()
    edge: float = 0.0

    @property
    def outer(self) -> Box:
        """The box with its outlines."""
        return self.box.grown(self.edge)


_SPREAD_ROUNDS, _SPREAD_CHECKS = 80, 2_000_000  # at most so many rounds, and so many looks at two regions
_MOST_LINKS = 500  # whose crossings are counted


@dataclass(frozen=True)
class AreaLayout:
    """The places of everything on an area map.

    Attributes:
        scale: How large its letters are, in usual sizes.
        frame: The map, in the units of letters of the usual size.
        cards: The box of each region.
        routes: The arrows.
    """

    scale: float
    frame: Frame
    cards: Mapping[str, RegionBox]
    routes: Sequence[Route]


def layout(picture: Picture, counters: Counters) -> AreaLayout:
    """The layout of a map with the largest letters with which everything has room.

    Args:
        counters: How units are shown.
    """
    found = {r.name: card(r, picture, counters) for r in picture.regions}
    given = {r.name: r.at for r in picture.regions if r.at is not None}
    is_given = len(given) == len(found) and 2 * len(set(given.values())) > len(given)  # not one place for all
    places = given if is_given else spread(picture)
    sizes = {name: c.outer for name, c in found.items()}
    crossed = {frozenset((a.source, a.target)) for a in picture.arrows}
    for scale in _SCALES:
        frame = Frame(0.0, 0.0, round(SHEET[0] / scale, 1), round(SHEET[1] / scale, 1))
        if not _has_room(sizes, frame, larger=scale > 1):
            continue
        inner = _inner(frame, wraps=picture.wraps)
        fitted = _fitted(places, sizes, inner, _STRETCH[is_given])
        boxes = push_apart(fitted, inner, crossed, larger=scale > 1)
        if boxes is None or (scale > 1 and _moved(fitted, boxes) > _MOVED):
            continue
        frame, boxes = _cropped(boxes, frame)
        ways = routes(picture.arrows, boxes, frame, counters, wraps=picture.wraps)
        if scale <= 1 or _are_clear([r.label for r in ways], boxes.values()):
            return _layout(scale, frame, found, boxes, ways)
    scale, frame, boxes = _in_rows(places, sizes)
    return _layout(scale, frame, found, boxes, routes(picture.arrows, boxes, frame, counters, wraps=picture.wraps))


def _layout(
    scale: float, frame: Frame, cards: Mapping[str, RegionBox], boxes: Mapping[str, Box], ways: Sequence[Route]
) -> AreaLayout:
    placed = {name: replace(c, box=boxes[name].grown(-c.edge)) for name, c in cards.items()}
    return AreaLayout(scale, frame, placed, ways)


def _inner(frame: Frame, *, wraps: bool) -> Frame:
    """The part of a map in which boxes stand."""
    edge = _WRAPPED if wraps else _EDGE
    return Frame(frame.left + edge, frame.top + _ABOVE, frame.right - edge, frame.bottom - _ABOVE)


def _has_room(sizes: Mapping[str, Box], frame: Frame, *, larger: bool) -> bool:
    """True if boxes could fit in a frame at all."""
    wide, high, gap = frame.right - frame.left, frame.bottom - frame.top, _WIDER if larger else _GAP
    taken = sum((b.w + gap) * (b.h + gap) for b in sizes.values())
    each = all(b.w + 2 * _EDGE <= wide and b.h + 2 * _EDGE <= high for b in sizes.values())
    return each and taken <= wide * high * _FULL[larger]


def _moved(before: Mapping[str, Box], after: Mapping[str, Box]) -> float:
    """The longest distance that a box was moved."""
    return max((math.dist((b.x, b.y), (after[n].x, after[n].y)) for n, b in before.items()), default=0.0)


def _are_clear(labels: Sequence[Box], boxes: Iterable[Box]) -> bool:
    """True if no label is over a box or another label."""
    return not any(a.overlaps(b) for a, b in combinations(labels, 2)) and not any(
        label.overlaps(box) for box in boxes for label in labels
    )


# ---- boxes and what is in them


def name_size(region: Region) -> float:
    """The size of the letters of a region's name."""
    return NAME if region.kind == "land" else SMALL


def card(region: Region, picture: Picture, counters: Counters) -> RegionBox:
    """The box of a region, around the origin."""
    size = name_size(region)
    badge = badge_width(owned(region, picture))
    letter = 1.07 if badge else 1.0  # names of land are bold
    name = broken(region.label, size, _LONG)
    badges = broken(" \u00b7 ".join(region.badges), SMALL, 1.6 * _LONG)
    rows = counters.rows(region.forces, region.owner, _ROW)
    battle = broken(battle_words(region), SMALL, _LONG)
    said = written(m for m in picture.marks if region.name in m.regions)
    wide = max(
        badge + (4 if badge else 0) + max((width(n, size) for n in name), default=0.0) * letter,
        *(width(b, SMALL) * 1.05 for b in (*badges, *battle)),
        *(counters.width(r) + 4 for r in rows),
        text_width(said.text, SMALL) - 6,
    )
    texts = LINE * (size * len(name) + SMALL * (len(badges) + len(battle)))
    box = Box(0, 0, round(wide + 10, 1), round(texts + ROW * len(rows) + BAND * bool(said.text) + 6, 1))
    edge = max(said.edge(begin(region)), 4.0 if region.becomes is not None else 0.0)
    return RegionBox(region, box, name, badges, rows, said, battle, edge)


# ---- boxes at their places


def _fitted(places: Mapping[str, Point], sizes: Mapping[str, Box], frame: Frame, stretch: float) -> dict[str, Box]:
    """The places scaled until the boxes fill the frame, by about the same factor in both directions."""
    if not places:
        return {}
    names = list(places)
    room = (frame.right - frame.left, frame.bottom - frame.top)
    at = [[places[n][i] for n in names] for i in (0, 1)]
    half = [[sizes[n].w / 2 for n in names], [sizes[n].h / 2 for n in names]]
    scales = [_scale(at[i], half[i], room[i]) for i in (0, 1)]
    least = min((s for s in scales if s < math.inf), default=1.0)
    found = []
    for i, centre in enumerate(((frame.left + frame.right) / 2, (frame.top + frame.bottom) / 2)):
        low, high = _reach(at[i], half[i], by := min(scales[i], least * stretch))
        found.append([centre + p * by - (low + high) / 2 for p in at[i]])
    return {n: replace(sizes[n], x=x, y=y) for n, x, y in zip(names, *found, strict=True)}


def _reach(places: Sequence[float], half: Sequence[float], scale: float) -> tuple[float, float]:
    """From where to where boxes reach at scaled places."""
    ends = [(p * scale - h, p * scale + h) for p, h in zip(places, half, strict=True)]
    return min(a for a, _ in ends), max(b for _, b in ends)


def _scale(places: Sequence[float], half: Sequence[float], room: float) -> float:
    """The largest scale at which boxes stay within some room; any, if they all have one place."""
    extent = max(places) - min(places)
    if extent <= 0:
        return math.inf
    low, high = 0.0, room / extent
    for _ in range(30):
        middle = (low + high) / 2
        a, b = _reach(places, half, middle)
        low, high = (middle, high) if b - a <= room else (low, middle)
    return low


def push_apart(
    boxes: Mapping[str, Box], frame: Frame, crossed: Collection[frozenset[str | None]] = frozenset(), *, larger: bool
) -> dict[str, Box] | None:
    """Boxes moved as little as possible until none overlap, with room for arrows between some of them.

    Args:
        frame: Where they have to stay.
        crossed: Between which there are arrows.
        larger: Whether letters are larger than usual; boxes are then farther apart.

    Returns:
        The boxes; None if they do not come apart.
    """
    found = {name: _inside(box, frame) for name, box in boxes.items()}
    usual = _WIDER if larger else _GAP
    gaps = dict.fromkeys(crossed, _ARROW[larger])
    rounds = min(_ROUNDS[larger], _MOST_CHECKS // (len(found) + 1) ** 2 + 1)
    for _ in range(rounds):
        moved = False
        for a, b in _near(found, max(usual, *gaps.values()) if gaps else usual):
            over = found[a].over(found[b], gaps.get(frozenset((a, b)), usual))
            if over:
                found[a], found[b] = (_inside(x, frame) for x in _pushed(found[a], found[b], over))
                moved = True
        if not moved:
            break
    rounded = {n: replace(b, x=round(b.x, 1), y=round(b.y, 1)) for n, b in found.items()}
    return None if any(rounded[a].overlaps(rounded[b]) for a, b in _near(rounded, 0.0)) else rounded


def _near(boxes: Mapping[str, Box], gap: float) -> Iterable[tuple[str, str]]:
    """The pairs of boxes that are no farther apart than a gap from left to right, from the left."""
    order = sorted(boxes, key=lambda n: (boxes[n].x - boxes[n].w / 2, n))
    lefts = [boxes[n].x - boxes[n].w / 2 for n in order]
    for i, a in enumerate(order):
        right = boxes[a].x + boxes[a].w / 2 + gap
        for j in range(i + 1, len(order)):
            if lefts[j] >= right:
                break
            yield a, order[j]


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


def _cropped(boxes: Mapping[str, Box], frame: Frame) -> tuple[Frame, dict[str, Box]]:
    """The map without what is empty above and below, and the boxes on it."""
    top = min((b.y - b.h / 2 for b in boxes.values()), default=0.0)
    bottom = max((b.y + b.h / 2 for b in boxes.values()), default=0.0)
    wide, high = frame.right - frame.left, frame.bottom - frame.top
    needed = round(min(max(bottom - top + 2 * _ABOVE, wide * _LOWEST), high), 1)
    up = (top + bottom - needed) / 2
    up = min(max(up, bottom - needed), top)
    return replace(frame, bottom=frame.top + needed), {n: replace(b, y=round(b.y - up, 1)) for n, b in boxes.items()}


# ---- boxes in rows


def _in_rows(places: Mapping[str, Point], sizes: Mapping[str, Box]) -> tuple[float, Frame, dict[str, Box]]:
    """Boxes in rows, roughly by their places, in a frame that is large enough for them."""
    order = sorted(places, key=lambda n: (places[n][1], places[n][0]))
    widest = max((b.w for b in sizes.values()), default=0.0) + 2 * _EDGE
    taken = sum((b.w + _WIDER) * (b.h + _WIDER) for b in sizes.values())
    wide = max(widest, math.sqrt(taken * SHEET[0] / SHEET[1] * 1.2), SHEET[0] / _SCALES[-1])
    boxes: dict[str, Box] = {}
    x, y, high = _EDGE, _ABOVE, 0.0
    for name in order:
        b = sizes[name]
        if x > _EDGE and x + b.w + _EDGE > wide:
            x, y, high = _EDGE, y + high + _WIDER, 0.0
        boxes[name] = replace(b, x=round(x + b.w / 2, 1), y=round(y + b.h / 2, 1))
        x, high = x + b.w + _WIDER, max(high, b.h)
    return SHEET[0] / wide, Frame(0.0, 0.0, round(wide, 1), round(y + high + _ABOVE, 1)), boxes


def spread(picture: Picture) -> dict[str, Point]:
    """Places for regions that have none, about as far apart as the links between them count (stress majorization).

    Of several beginnings the one is taken that leads to fewest crossings of links, and then fits best. networkx makes
    one more where links cross after the others.
    """
    names = [r.name for r in picture.regions]
    around = AreaMap(tuple(names), tuple(picture.links)).neighbours
    far = _distances(names, around)
    at = {name: i for i, name in enumerate(names)}
    links = [(at[a], at[b]) for a, b in picture.links]

    def best(starts: Iterable[Sequence[Point]]) -> tuple[int, float, list[Point]]:
        found = [_settled(start, far) for start in starts]
        return min((_crossings(places, links), _stress(places, far), places) for places in found)

    found = best((_circle(_in_turn(names, around)), _pivots(far)))
    if found[0] and (more := graphs.layout(len(names), links)):
        found = min(found, best([more]))
    return dict(zip(names, _turned(found[2]), strict=True))


def _circle(order: Sequence[int]) -> list[Point]:
    """Places on a circle, in an order."""
    n = max(len(order), 1)
    turn, radius = 2 * math.pi / n, n / 6
    found: list[Point] = [(0.0, 0.0)] * len(order)
    for k, i in enumerate(order):
        found[i] = (1.6 * math.cos(k * turn) * radius, math.sin(k * turn) * radius)
    return found


def _in_turn(names: Sequence[str], around: Touching) -> list[int]:
    """Regions one after the other so that each touches the one before where it can."""
    at = {name: i for i, name in enumerate(names)}
    found: dict[str, None] = {}
    waiting = list(reversed(names))
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = None
            waiting += reversed(around[name])
    return [at[name] for name in found]


def _pivots(far: Sequence[Sequence[float]]) -> list[Point]:
    """Places by the distances from two regions far from each other, and from a third one far from both."""
    n = len(far)
    if n < 2:
        return [(0.0, 0.0)] * n
    a = max(range(n), key=lambda i: far[0][i])
    b = max(range(n), key=lambda i: (i != a) * far[a][i])
    c = max(range(n), key=lambda i: min(far[a][i], far[b][i]) if i not in (a, b) else 0.0)
    return [((far[a][i] - far[b][i]) / 2, far[c][i] + 0.01 * math.sin(7 * i)) for i in range(n)]


def _settled(start: Sequence[Point], far: Sequence[Sequence[float]]) -> list[Point]:
    places = list(start)
    for _ in range(min(_SPREAD_ROUNDS, _SPREAD_CHECKS // (len(start) + 1) ** 2 + 1)):
        for i, here in enumerate(places):
            places[i] = _balanced(i, here, places, far[i])
    return places


def _stress(places: Sequence[Point], far: Sequence[Sequence[float]]) -> float:
    """The misfit between places and the wanted distances."""
    pairs = ((math.dist(places[i], places[j]), far[i][j]) for i, j in combinations(range(len(places)), 2))
    return round(sum((away / wanted - 1) ** 2 for away, wanted in pairs), 6)


def _crossings(places: Sequence[Point], links: Sequence[tuple[int, int]]) -> int:
    """The number of pairs of links that cross; 0 where there are too many to count."""
    if len(links) > _MOST_LINKS:
        return 0
    push_apart = (x for x in combinations(links, 2) if len({*x[0], *x[1]}) == 4)
    return sum(_cross(*(places[i] for i in (*a, *b))) for a, b in push_apart)


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """True if the line from `a` to `b` crosses the one from `c` to `d`."""

    def left(p: Point, q: Point, r: Point) -> bool:
        return (q[0] - p[0]) * (r[1] - p[1]) > (q[1] - p[1]) * (r[0] - p[0])

    return left(a, c, d) != left(b, c, d) and left(a, b, c) != left(a, b, d)


def _turned(places: Sequence[Point]) -> list[Point]:
    """Places turned about their middle so that they reach farthest from left to right."""
    if not places:
        return []
    x, y = (fmean(p[i] for p in places) for i in (0, 1))
    push_apart = [(px - x, py - y) for px, py in places]
    across, down = sum(px * px for px, _ in push_apart), sum(py * py for _, py in push_apart)
    angle = math.atan2(2 * sum(px * py for px, py in push_apart), across - down) / 2
    c, s = math.cos(angle), math.sin(angle)
    return [(round(px * c + py * s, 6), round(py * c - px * s, 6)) for px, py in push_apart]


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


def _distances(names: Sequence[str], around: Touching) -> list[list[float]]:
    """The number of links between any two regions; unconnected ones are one farther than the farthest."""
    rows = []
    for name in names:
        found = distances(around, name, len(names))
        most = max(found.values()) + 1
        rows.append([float(found.get(n, most)) for n in names])
    return [[max(a, rows[j][i], 1.0) for j, a in enumerate(row)] for i, row in enumerate(rows)]

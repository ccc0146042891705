"""Paths of arrows: over areas around boxes of other regions, over hexes from centre to centre; places for labels."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from vclogic.draw.arrows import DOT, label_width
from vclogic.draw.boxes import Box, Frame, Point
from vclogic.draw.hexes import HexPage
from vclogic.draw.signs import Counters
from vclogic.model.picture import Arrow

_BENDS = tuple(s * b for b in (0.06, 0.12, 0.2, 0.3, 0.4, 0.5) for s in (1, -1))
_LINK_BENDS = (0.0, *(s * b / 25 for b in range(2, 41) for s in (1, -1)))
_LOOP = 8.0  # so many points of a link are rather hidden than that it goes around in a loop
_STEP = 5.0  # from one point to the next of a link, where it is looked whether it lies under a box
_PLACES = (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9)
_OFFSETS = tuple(s * d for d in (0.0, 14.0, 28.0, 44.0, 60.0, 76.0, 92.0) for s in (1, -1))
_POINTS = 24  # of which a curve between two regions is made
_TIP = 24.0  # the length of an arrow's head, with a bit of its shaft
_HEAD = 16.0  # what the head of an arrow takes
_ASIDE = 12.0  # how far hollow arrows go beside the centres of regions, where others may go
_COVERED = 20.0  # how bad it is to cover a point of another arrow; a pixel away from one's own is 2
_HIDING = 220.0  # and how bad to cover all of it
_AROUND = tuple((math.cos(a * math.pi / 8), math.sin(a * math.pi / 8)) for a in range(16))
_SHORTEST = 22.0  # an arrow
_HEX_POINTS = 8  # of which a curve is made, for each hex
_REACH = 240.0  # of a label on hexes
_SHIFTS = ((0.0, 0.0), (5.0, 5.0), (-5.0, -5.0), (5.0, -5.0), (-5.0, 5.0), (9.0, 0.0), (-9.0, 0.0))


@dataclass(frozen=True)
class Route:
    """An arrow on the map.

    Attributes:
        arrow: The move.
        points: Its way, from border to border; it may leave the frame, to come in on the other side; on hexes it
            goes on under the counters. Empty for what only appears at its target.
        tip: Its end, above everything.
        label: Where its label stands.
    """

    arrow: Arrow
    points: tuple[Point, ...]
    tip: tuple[Point, ...]
    label: Box


def nearest(a: Point, b: Point, span: float) -> Point:
    """The copy of `b` nearest to `a` on a map that wraps around after a span; 0: it does not wrap."""
    if span and abs(b[0] - a[0]) > span / 2:
        return b[0] + math.copysign(span, a[0] - b[0]), b[1]
    return b


def routes(
    arrows: Sequence[Arrow], boxes: Mapping[str, Box], frame: Frame, counters: Counters, *, wraps: bool
) -> list[Route]:
    """The path of each arrow, with its label where it covers least.

    Args:
        arrows: The moves.
        boxes: The boxes of regions, with their outlines.
        frame: The map.
        counters: How units are shown.
        wraps: Whether its left and right edge meet.
    """
    span = frame.right - frame.left if wraps else 0.0
    labels: list[Box] = []
    found = []
    ways = [_way(a, boxes, span) for a in arrows]
    heads = [Box(*way[-1], _HEAD, _HEAD) for way in ways if way]
    for i, (arrow, way) in enumerate(zip(arrows, ways, strict=True)):
        others = [p for j, w in enumerate(ways) if j != i for p in w]
        wide = label_width(arrow, counters)
        taken = [*boxes.values(), *heads, *labels]
        label = _label_box(wide, way, taken, others, boxes[arrow.target], frame, hiding=_HIDING)
        labels.append(label)
        found.append(Route(arrow, way, _tip_of(way) if way else (), label))
    return found


# ---- ways


def _way(arrow: Arrow, boxes: Mapping[str, Box], span: float) -> tuple[Point, ...]:
    """A path that avoids most boxes and goes beside the regions that it passes."""
    if arrow.source is None or arrow.source == arrow.target:
        return ()
    stops = [boxes[n] for n in (arrow.source, *arrow.via, arrow.target)]
    centres: list[Point] = []
    for box in stops:
        centres.append(nearest(centres[-1], (box.x, box.y), span) if centres else (box.x, box.y))
    images = [Box(*centre, box.w, box.h) for centre, box in zip(centres, stops, strict=True)]
    if arrow.hollow:
        x, y = _across(centres[0], centres[-1])
        centres = [(cx + x * _ASIDE, cy + y * _ASIDE) for cx, cy in centres]
    turns = centres[:1]
    for k, passed in enumerate(images[1:-1], 1):
        turns.append(_beside(passed, turns[-1], centres[k + 1]))
    own = {arrow.source, arrow.target}
    foreign = [b for n, b in boxes.items() if n not in own]
    pieces = [_best(a, b, foreign, span) for a, b in pairwise([*turns, centres[-1]])]
    points = _between(images[0], images[-1], [p for piece in pieces for p in piece])
    return tuple((round(x, 1), round(y, 1)) for x, y in points)


def _between(start: Box, end: Box, way: Sequence[Point]) -> Sequence[Point]:
    """The part of a path outside the boxes at its ends; a short line across where they nearly touch."""
    outside = [p for p in way if not start.holds(p, 2) and not end.holds(p, 4)]
    if len(outside) > 1 and math.dist(outside[0], outside[-1]) >= _SHORTEST:
        return outside
    straight = _curve((start.x, start.y), (end.x, end.y), 0)
    inside = [p for p in straight if start.holds(p)]
    beyond = [p for p in straight if end.holds(p)]
    (ax, ay), (bx, by) = inside[-1], beyond[0]
    length = math.dist((start.x, start.y), (end.x, end.y)) or 1.0
    dx, dy = ((end.x - start.x) / length * _SHORTEST / 2, (end.y - start.y) / length * _SHORTEST / 2)
    x, y = (ax + bx) / 2, (ay + by) / 2
    return [(x - dx, y - dy), (x, y), (x + dx, y + dy)]


def _across(a: Point, b: Point) -> Point:
    """The direction to the left of a way."""
    length = math.dist(a, b) or 1.0
    return (b[1] - a[1]) / length, (a[0] - b[0]) / length


def _beside(box: Box, before: Point, after: Point) -> Point:
    """A point by which to pass a region without covering its text: on the side that adds the least length."""
    across, down = box.w / 2 + DOT / 2, box.h / 2 + DOT / 2
    sides = [(box.x, box.y - down), (box.x, box.y + down), (box.x - across, box.y), (box.x + across, box.y)]
    return min(sides, key=lambda p: math.dist(before, p) + math.dist(p, after))


def _best(a: Point, b: Point, foreign: Sequence[Box], span: float) -> list[Point]:
    curves = [_curve(a, b, bend) for bend in _BENDS]
    middle, size = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2), math.dist(a, b) * 1.1
    all_around = Box(*middle, size, size)
    shifts = (0.0, span, -span) if span else (0.0,)
    images = (replace(f, x=f.x + s) if s else f for f in foreign for s in shifts)
    near = [f for f in images if f.overlaps(all_around)]

    def hidden(curve: list[Point]) -> int:
        """The number of points in boxes of other regions; those at the end count more."""
        return sum((1 + 2 * (i > _POINTS // 2)) * any(f.holds(p, 3) for f in near) for i, p in enumerate(curve))

    return min(curves, key=hidden)


@lru_cache(maxsize=16)
def links(
    pairs: tuple[tuple[str, str, float], ...], boxes: tuple[tuple[str, Box], ...], span: float
) -> Mapping[tuple[str, str], tuple[Point, ...]]:
    """The links between regions, which bend as little as keeps them from under other regions.

    Args:
        pairs: The regions, and how far from others a link stays where it can.
        boxes: Those of all regions.
        span: After how far the map wraps around; 0: it does not.

    Returns:
        For each pair its two ends, with the control point of a curve between them; a straight one has none. The
        second end may lie beyond an edge of the map.
    """
    found = {}
    at = dict(boxes)
    for a, b, clear in pairs:
        start, other = ((at[n].x, at[n].y) for n in (a, b))
        end = nearest(start, other, span)
        others = [box for name, box in boxes if name not in (a, b)]
        beyond = [replace(box, x=box.x + end[0] - other[0]) for box in others] if end != other else []
        bend = _bend(start, end, [*others, *beyond], clear)
        found[a, b] = (start, *([_control(start, end, bend)] if bend else []), end)
    return found


def _bend(a: Point, b: Point, boxes: Iterable[Box], clear: float) -> float:
    """The least bend of a link that will do: see `_curve`."""
    length = math.dist(a, b)
    x, y = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
    wide, high = ((abs(a[i] - b[i]) + length) / 2 for i in (0, 1))
    near = [box for box in boxes if abs(box.x - x) < wide + box.w / 2 and abs(box.y - y) < high + box.h / 2]

    def points(bend: float) -> list[Point]:
        return _curve(a, b, bend, int(length / _STEP) + 2)

    def covered(bend: float) -> float:
        return sum(any(box.holds(p) for box in near) for p in points(bend)) + _LOOP * abs(bend)

    for gap in (clear, 1.0):
        for bend in _LINK_BENDS:
            if not any(box.holds(p, gap) for p in points(bend) for box in near):
                return bend
    return min(_LINK_BENDS, key=covered)


def _control(a: Point, b: Point, bend: float) -> Point:
    """The control point of a curve whose middle is off the straight line by half a part of its length."""
    return (a[0] + b[0]) / 2 - (b[1] - a[1]) * bend, (a[1] + b[1]) / 2 + (b[0] - a[0]) * bend


def _curve(a: Point, b: Point, bend: float, points: int = _POINTS) -> list[Point]:
    """A curve whose middle is off the straight line by half a part of its length."""
    (ax, ay), (bx, by) = a, b
    mx, my = _control(a, b, bend)
    found = []
    for i in range(points + 1):
        t = i / points
        u = 1 - t
        found.append((u * u * ax + 2 * u * t * mx + t * t * bx, u * u * ay + 2 * u * t * my + t * t * by))
    return found


def _tip_of(points: Sequence[Point]) -> tuple[Point, ...]:
    """The end of a path, as long as an arrow's head."""
    found = [points[-1]]
    for p in reversed(points[:-1]):
        found.append(p)
        if math.dist(points[-1], p) >= _TIP:
            break
    return tuple(reversed(found))


# ---- labels


def _label_box(
    wide: float,
    way: Sequence[Point],
    taken: Sequence[Box],
    others: Sequence[Point],
    target: Box,
    frame: Frame,
    *,
    hiding: float = 0.0,
) -> Box:
    """The place where a label covers least: along the path of its arrow, or beside its target.

    Args:
        wide: How wide it is.
        way: The path of its arrow.
        taken: What it should not cover.
        others: The points of other arrows.
        target: Where the arrow ends.
        frame: The map.
        hiding: How bad it is to cover all of its own arrow.
    """

    def costs(spots: Iterable[Point]) -> Iterable[tuple[float, Box]]:
        for n, (x, y) in enumerate(spots):
            box = Box(_kept(x, wide, frame.left, frame.right), _kept(y, DOT, frame.top, frame.bottom), wide, DOT)
            away = min((math.dist((box.x, box.y), p) for p in way), default=0.0)
            hidden = sum(box.overlaps(t, 1) for t in taken) * 1000 + sum(box.holds(p, 2) for p in others) * _COVERED
            own = hiding * sum(box.holds(p, 2) for p in way) / len(way) if way else 0.0
            yield hidden + own + away * 2 + n / 5, box

    best = min(costs(_spots(way, target, wide)), key=lambda o: o[0])
    # Only where a label would hide something, places farther away are tried.
    if best[0] >= (hiding or 1000):
        best = min((best, *costs(_farther(way, target))), key=lambda o: o[0])
    return best[1]


def _farther(way: Sequence[Point], target: Box) -> Iterable[Point]:
    """Places all around an arrow, farther and farther away."""
    x, y = way[len(way) // 2] if way else (target.x, target.y)
    for far in range(24, 200, 12):
        yield from ((x + far * across, y + far * down) for across, down in _AROUND)


def _kept(centre: float, size: float, low: float, high: float) -> float:
    return round(min(max(centre, low + size / 2), high - size / 2), 1)


def _spots(way: Sequence[Point], target: Box, wide: float) -> Iterable[Point]:
    if not way:
        below, beside = (target.h + DOT) / 2 + 1, (target.w + wide) / 2 + 1
        for k in range(4):
            yield from ((target.x, target.y + s * (below + k * DOT)) for s in (1, -1))
            yield from ((target.x + s * beside, target.y + k * DOT) for s in (1, -1))
        return
    short = math.dist(way[0], way[-1]) < wide + 2 * DOT  # a label would hide all of it
    for offset in _OFFSETS[2:] if short else _OFFSETS:
        for t in _PLACES:
            i = min(max(int(t * (len(way) - 1)), 0), len(way) - 2)
            (ax, ay), (bx, by) = way[i], way[i + 1]
            length = math.hypot(bx - ax, by - ay) or 1.0
            yield ax - (by - ay) / length * offset, ay + (bx - ax) / length * offset


# ---- on hexes, from centre to centre


def hex_routes(
    plan: HexPage, arrows: Sequence[Arrow], stacks: Mapping[str, Box], texts: Sequence[Box]
) -> list[Route]:
    """The path of each arrow, with its label where it covers least.

    Args:
        plan: Where the hexes are.
        arrows: The moves.
        stacks: The boxes of counters, by hex.
        texts: What else is written.
    """
    frame = Frame(4, 4, plan.right + 60, plan.bottom)
    drawn = [_hex_way(plan, a, stacks, _shift(arrows[:i], a)) for i, a in enumerate(arrows)]
    labels: list[Box] = []
    found = []
    for i, (arrow, (points, tip)) in enumerate(zip(arrows, drawn, strict=True)):
        others = [p for j, (w, _) in enumerate(drawn) if j != i for p in w]
        x, y = plan.centres[arrow.target]
        target = stacks.get(arrow.target, Box(x, y, 12, 12))
        near = [b for b in (*stacks.values(), *texts, *labels) if _is_near(b, points or ((x, y),))]
        label = _label_box(label_width(arrow), points, near, others, target, frame)
        labels.append(label)
        found.append(Route(arrow, points, tip, label))
    return found


def _is_near(box: Box, points: Sequence[Point]) -> bool:
    """True if a label of an arrow could cover a box."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    across = min(xs) - _REACH <= box.x <= max(xs) + _REACH
    return across and min(ys) - _REACH <= box.y <= max(ys) + _REACH


def _hexes(arrow: Arrow) -> tuple[str, ...]:
    return (arrow.source or arrow.target, *arrow.via, arrow.target)


def _shift(before: Sequence[Arrow], arrow: Arrow) -> Point:
    """The shift of an arrow from the centres, so that it does not cover earlier ones."""
    own = set(_hexes(arrow))
    same = [a for a in before if not own.isdisjoint(_hexes(a))]
    return _SHIFTS[len(same) % len(_SHIFTS)]


def _hex_way(
    plan: HexPage, arrow: Arrow, stacks: Mapping[str, Box], shift: Point
) -> tuple[tuple[Point, ...], tuple[Point, ...]]:
    """The whole path of an arrow, and its head."""
    stops = [plan.centres[h] for h in _hexes(arrow)]
    if arrow.source is None or len(set(stops)) < 2:
        return (), ()
    dense = [(round(x + shift[0], 1), round(y + shift[1], 1)) for x, y in _hex_curve(stops)]
    start, end = stacks.get(arrow.source), stacks.get(arrow.target)
    if end is None:
        return tuple(dense), _tip_of(dense)
    outside = list(dense)
    while outside and end.holds(outside[-1], 2):
        outside.pop()
    clear = [p for p in outside if start is None or not start.holds(p)]
    if len(clear) > 1 and math.dist(clear[0], clear[-1]) >= _TIP:
        return tuple(outside), _tip_of(outside)
    (ax, ay), (bx, by) = stops[-2:]
    near = stacks.get(_hexes(arrow)[-2], Box(ax, ay, 4, 4))
    short = [(round(x, 1), round(y, 1)) for x, y in _between(near, end, [(ax, ay), (bx, by)])]
    return (*outside, *short[-1:]), tuple(short)


def _hex_curve(stops: Sequence[Point]) -> list[Point]:
    """A curve from the first place to the last through the sides of the hexes between them."""
    middles = [((ax + bx) / 2, (ay + by) / 2) for (ax, ay), (bx, by) in pairwise(stops)]
    found = [stops[0]]
    for start, (x, y), end in zip(middles, stops[1:-1], middles[1:], strict=False):
        found += _straight(found[-1], start) if found[-1] == stops[0] else []
        for i in range(1, _HEX_POINTS + 1):
            t = i / _HEX_POINTS
            u = 1 - t
            weights = (u * u, 2 * u * t, t * t)
            px, py = (
                sum(w * p for w, p in zip(weights, place, strict=True))
                for place in ((start[0], x, end[0]), (start[1], y, end[1]))
            )
            found.append((px, py))
    return [*found, *_straight(found[-1], stops[-1])]


def _straight(a: Point, b: Point) -> list[Point]:
    return [
        (a[0] + (b[0] - a[0]) * i / _HEX_POINTS, a[1] + (b[1] - a[1]) * i / _HEX_POINTS)
        for i in range(1, _HEX_POINTS + 1)
    ]

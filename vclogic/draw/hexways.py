"""Paths of arrows over a hex map, from centre to centre."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from vclogic.draw.arrows import label_width
from vclogic.draw.boxes import Box, Frame, Point
from vclogic.draw.hexes import HexPage
from vclogic.draw.routes import TIP, between, label_box, tip_of
from vclogic.model.picture import Arrow

_STEPS = 8  # points for each hex
_REACH = 240.0  # of a label
_ASIDE = ((0.0, 0.0), (5.0, 5.0), (-5.0, -5.0), (5.0, -5.0), (-5.0, 5.0), (9.0, 0.0), (-9.0, 0.0))


@dataclass(frozen=True)
class HexArrow:
    """An arrow on the map.

    Attributes:
        arrow: The move.
        points: Its way, under the counters; empty for what only appears at its target.
        tip: Its end, over them.
        label: Where its label stands.
    """

    arrow: Arrow
    points: tuple[Point, ...]
    tip: tuple[Point, ...]
    label: Box


def ways(plan: HexPage, arrows: Sequence[Arrow], stacks: Mapping[str, Box], texts: Sequence[Box]) -> list[HexArrow]:
    """The path of each arrow, with its label where it covers least.

    Args:
        plan: Where the hexes are.
        arrows: The moves.
        stacks: The boxes of counters, by hex.
        texts: What else is written.
    """
    frame = Frame(4, 4, plan.right + 60, plan.bottom)
    drawn = [_way(plan, a, stacks, _shift(arrows[:i], a)) for i, a in enumerate(arrows)]
    labels: list[Box] = []
    found = []
    for i, (arrow, (points, tip)) in enumerate(zip(arrows, drawn, strict=True)):
        others = [p for j, (w, _) in enumerate(drawn) if j != i for p in w]
        x, y = plan.centres[arrow.target]
        target = stacks.get(arrow.target, Box(x, y, 12, 12))
        near = [b for b in (*stacks.values(), *texts, *labels) if _is_near(b, points or ((x, y),))]
        label = label_box(label_width(arrow), points, near, others, target, frame)
        labels.append(label)
        found.append(HexArrow(arrow, points, tip, label))
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
    return _ASIDE[len(same) % len(_ASIDE)]


def _way(
    plan: HexPage, arrow: Arrow, stacks: Mapping[str, Box], shift: Point
) -> tuple[tuple[Point, ...], tuple[Point, ...]]:
    """The whole path of an arrow, and its head."""
    stops = [plan.centres[h] for h in _hexes(arrow)]
    if arrow.source is None or len(set(stops)) < 2:
        return (), ()
    dense = [(round(x + shift[0], 1), round(y + shift[1], 1)) for x, y in _curve(stops)]
    start, end = stacks.get(arrow.source), stacks.get(arrow.target)
    if end is None:
        return tuple(dense), tip_of(dense)
    outside = list(dense)
    while outside and end.holds(outside[-1], 2):
        outside.pop()
    clear = [p for p in outside if start is None or not start.holds(p)]
    if len(clear) > 1 and math.dist(clear[0], clear[-1]) >= TIP:
        return tuple(outside), tip_of(outside)
    (ax, ay), (bx, by) = stops[-2:]
    near = stacks.get(_hexes(arrow)[-2], Box(ax, ay, 4, 4))
    short = [(round(x, 1), round(y, 1)) for x, y in between(near, end, [(ax, ay), (bx, by)])]
    return (*outside, *short[-1:]), tuple(short)


def _curve(stops: Sequence[Point]) -> list[Point]:
    """A curve from the first place to the last through the sides of the hexes between them."""
    middles = [((ax + bx) / 2, (ay + by) / 2) for (ax, ay), (bx, by) in pairwise(stops)]
    found = [stops[0]]
    for start, (x, y), end in zip(middles, stops[1:-1], middles[1:], strict=False):
        found += _straight(found[-1], start) if found[-1] == stops[0] else []
        for i in range(1, _STEPS + 1):
            t = i / _STEPS
            u = 1 - t
            weights = (u * u, 2 * u * t, t * t)
            px, py = (
                sum(w * p for w, p in zip(weights, place, strict=True))
                for place in ((start[0], x, end[0]), (start[1], y, end[1]))
            )
            found.append((px, py))
    return [*found, *_straight(found[-1], stops[-1])]


def _straight(a: Point, b: Point) -> list[Point]:
    return [(a[0] + (b[0] - a[0]) * i / _STEPS, a[1] + (b[1] - a[1]) * i / _STEPS) for i in range(1, _STEPS + 1)]

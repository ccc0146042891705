"""Places for the regions of a map that gives none."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import combinations
from statistics import fmean

from vclogic.board.area import AreaMap, Touching, distances
from vclogic.board.graphs import layout
from vclogic.draw.boxes import Point
from vclogic.model.picture import Picture

_ROUNDS, _CHECKS = 80, 2_000_000  # at most so many rounds, and so many looks at two regions
_MOST_LINKS = 500  # whose crossings are counted


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
    if found[0] and (more := layout(len(names), links)):
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
    for _ in range(min(_ROUNDS, _CHECKS // (len(start) + 1) ** 2 + 1)):
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
    apart = (x for x in combinations(links, 2) if len({*x[0], *x[1]}) == 4)
    return sum(_cross(*(places[i] for i in (*a, *b))) for a, b in apart)


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
    apart = [(px - x, py - y) for px, py in places]
    across, down = sum(px * px for px, _ in apart), sum(py * py for _, py in apart)
    angle = math.atan2(2 * sum(px * py for px, py in apart), across - down) / 2
    c, s = math.cos(angle), math.sin(angle)
    return [(round(px * c + py * s, 6), round(py * c - px * s, 6)) for px, py in apart]


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

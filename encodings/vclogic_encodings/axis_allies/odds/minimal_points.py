"""The least compositions that are enough, where more of any kind are never worse."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

Numbers = tuple[int, ...]
"""The number of each kind."""
Enough = Callable[[Sequence[Numbers]], Sequence[bool]]
"""For each of some compositions, whether it is enough."""


@dataclass(frozen=True)
class KindLine:
    """Compositions that differ in one kind alone.

    Attributes:
        start: The others, with none of that kind.
        axis: Which kind.
        most: The most units of it.
    """

    start: Numbers
    axis: int
    most: int

    def at(self, n: int) -> Numbers:
        """The composition with so many units of the kind."""
        return (*self.start[: self.axis], n, *self.start[self.axis + 1 :])


def minimal_points(caps: Sequence[int], enough: Enough) -> list[Numbers]:
    """The compositions that are enough, and from which no unit can be taken away.

    The first on each line is found by halving. The lines are taken by how many other units there are. Where such a
    line begins with a composition that is enough, those with more other units hold nothing new.

    Args:
        caps: The most of each kind.
        enough: Never false for a composition with more units than one that is enough.
    """
    if not caps:
        return [()] if enough([()])[0] else []
    axis = max(range(len(caps)), key=caps.__getitem__)
    first: dict[Numbers, int] = {}
    least: list[Numbers] = []
    level = {tuple(0 for _ in caps): caps[axis] + 1}
    while level:
        found = first_on([KindLine(start, axis, most - 1) for start, most in level.items()], enough)
        for (start, most), n in zip(level.items(), found, strict=True):
            first[start] = n
            if n < most:
                least.append(KindLine(start, axis, most).at(n))
        level = _next(level, first, caps, axis)
    return least


def _next(
    level: Iterable[Numbers], first: Mapping[Numbers, int], caps: Sequence[int], axis: int
) -> dict[Numbers, int]:
    """The lines with one unit more, each with the fewest that are enough on a line with one unit less."""
    others = [i for i in range(len(caps)) if i != axis]
    new = {KindLine(s, i, 0).at(s[i] + 1) for s in level if first[s] for i in others if s[i] < caps[i]}
    below = {s: [first.get(KindLine(s, i, 0).at(s[i] - 1), 0) for i in others if s[i]] for s in new}
    return {s: min(some) for s, some in below.items() if all(some)}


def first_on(lines: Sequence[KindLine], enough: Enough) -> list[int]:
    """The number of units that are enough on each line; one more than there are where none do."""
    low, high = [0] * len(lines), [line.most + 1 for line in lines]
    while unknown := [i for i in range(len(lines)) if low[i] < high[i]]:
        middle = {i: (low[i] + high[i]) // 2 for i in unknown}
        found = enough([lines[i].at(k) for i, k in middle.items()])
        for (i, k), yes in zip(middle.items(), found, strict=True):
            low[i], high[i] = (low[i], k) if yes else (k + 1, high[i])
    return low

"""What captures on the 1942 board can come to, by brute force: all sets of territories that a side can take."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from tests.oracles.captures import World
from tests.oracles.objectives import NOTHING, Names, Plans, least


def taken_within(world: World, held: Names, most: int | None) -> Iterator[Names]:
    """All sets of so many lands at most that a side can take one after the other, from those that it controls.

    Args:
        world: The board.
        held: The lands that the side controls.
        most: The most captures; None: any number.
    """
    layer = {NOTHING}
    while layer:
        yield from layer
        if most == 0:
            return
        most = None if most is None else most - 1
        layer = {taken | {t} for taken in layer for t in _targets(world, held | taken)}


def _targets(world: World, mine: Names) -> Names:
    return world.reached(mine, mine) - mine


def plans_1942(world: World, held: Names, met: Callable[[Names], bool], most: int) -> Plans:
    """All plans by captures within a limit, where lands are the objectives, and those with a city the main ones.

    Which objective is taken first is left open.
    """
    costs = {(taken, NOTHING): len(taken) for taken in taken_within(world, held, most) if met(held | taken)}
    new = frozenset(world.land) - held
    main = frozenset(t for t in new if world.points[t])
    return Plans(costs, new, main, min(costs.values(), default=None))


def dual(sets: Iterable[Names]) -> frozenset[Names]:
    """The smallest sets that have something in common with each of some sets, one set after the other (Berge)."""
    found = frozenset({NOTHING})
    for some in sorted(sets, key=sorted):
        found = least(
            d if d & some else d | {name} for d in found for name in (sorted(some) if not d & some else ("",))
        )
    return found

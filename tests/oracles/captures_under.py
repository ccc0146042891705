"""Fewest captures under conditions by brute force: over plain Python, without terms."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from tests.oracles.captures import IDLE, Moment, Owners, Wish, World, movers, passes_to

Capture = tuple[str, str]
"""A power and the land that it takes."""


@dataclass(frozen=True)
class Under:
    """Conditions on a plan.

    Attributes:
        require: Tests of captures, each of which one capture of the plan has to pass.
        avoid: Tests of captures, none of which a capture of the plan passes.
        keep: What holds after every capture, and as turns pass at the end.
    """

    require: Sequence[Callable[[Capture], bool]] = ()
    avoid: Sequence[Callable[[Capture], bool]] = ()
    keep: Callable[[World, Moment], bool] = lambda world, at: True


def fewest_under(
    world: World, start: Moment, wish: Wish, side: str, under: Under, within: int | None = None
) -> int | None:
    """The fewest captures of a side, in any order of turns, after which a goal holds, under conditions.

    The goal may come true as turns pass after the last capture. None: there is no such plan.
    """
    powers = movers(world, side, IDLE)
    begin = start.owners, (False,) * len(under.require)
    seen, layer, n = {begin}, [begin], 0
    while layer and (within is None or n <= within):
        for owners, done in layer:
            at = start if n == 0 else replace(start, owners=owners, ended="none")
            if all(done) and comes(world, at, wish, under):
                return n
        following = []
        for owners, done in layer:
            for capture in _captures(world, owners, powers, under):
                after = world.taken(owners, capture[0], (capture[1],))
                if not under.keep(world, replace(start, owners=after, ended="none")):
                    continue
                state = after, tuple(d or asks(capture) for d, asks in zip(done, under.require, strict=True))
                if state not in seen:
                    seen.add(state)
                    following.append(state)
        layer, n = following, n + 1
    return None


def _captures(world: World, owners: Owners, powers: dict[str, int], under: Under) -> Iterator[Capture]:
    for power in powers:
        for target in world.captures(owners, power, own_only=False):
            capture = power, target
            if not any(no(capture) for no in under.avoid):
                yield capture


def comes(world: World, at: Moment, wish: Wish, under: Under) -> bool:
    """Whether the goal holds now, or after turns that pass while what is to be kept is kept."""
    passes = passes_to(world, at, wish)
    if passes is None:
        return False
    for _ in range(passes):
        at = world.end_turn(at)
        if not under.keep(world, at):
            return False
    return True

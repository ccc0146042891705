"""Random small boards on which two sides capture in turns, and what one of them wants, from a seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

from vclogic_encodings.axis_allies.board import Board, City, Power, Territory, flaws

from tests.oracles.captures import Moment, Wish, World
from tests.toys.small_maps import POWERS, RANKS, SIDES, SmallMap, joined, short_system, world_of


@dataclass(frozen=True)
class Duel:
    """A position, the side that wants something, and what.

    Attributes:
        seed: The number from which it was made.
        m: The game and the position.
        side: The side.
        wish: The goal.
        within: In how many of the side's turns it is wanted.
    """

    seed: int
    m: SmallMap
    side: str
    wish: Wish
    within: int

    @property
    def other(self) -> str:
        """The other side."""
        return SIDES[1 - SIDES.index(self.side)]


def duel(seed: int, most_land: int = 9, most_within: int = 2) -> Duel:
    """A board of 3 to so many lands, 2 or 3 powers, a position, and a goal that is not met yet."""
    rng = Random(seed)
    for _ in range(100):
        m = _map(rng, rng.randint(3, most_land))
        side = rng.choice(SIDES)
        for _ in range(10):
            wish = _wish(rng, m.world, m.start, side)
            if not wish.met(m.world, m.start):
                return Duel(seed, m, side, wish, rng.randint(1, most_within))
    raise AssertionError("every goal is met at once")


def _map(rng: Random, size: int) -> SmallMap:
    lands = [f"L{i}" for i in range(size)]
    zones = [f"{i} Sea Zone" for i in range(rng.choice((0, 0, 1, 2)))]
    powers = rng.sample(POWERS, rng.choice((2, 2, 3)))
    sides = {p: SIDES[i] if i < 2 else rng.choice(SIDES) for i, p in enumerate(powers)}
    borders = {(lands[rng.randrange(max(0, i - 3), i)], lands[i]) for i in range(1, size) if rng.random() < 0.9}
    for _ in range(rng.randint(0, size // 2)):
        a, b = sorted(rng.sample(range(size), 2))
        borders.add((lands[a], lands[b]))
    coasts = {(t, z) for z in zones for t in rng.sample(lands, min(size, rng.randint(2, 3)))}
    seas = {(zones[0], zones[1])} if len(zones) == 2 else set()
    ranks = dict(zip(RANKS, rng.sample((5, 3, 2, 1), 4), strict=True))
    territories = {z: Territory("sea") for z in zones}
    for i, name in enumerate(lands):
        rank = rng.choice((None, *RANKS))
        city = City(f"City {i}", rank, powers[0]) if rank else None
        territories[name] = Territory("land", rng.choice(powers), rng.randint(0, 4), city=city)
    points = sum(ranks[t.city.rank] for t in territories.values() if t.city)
    need = rng.randint(points // 2, points + 1)
    board = Board(
        powers={p: Power(sides[p], p) for p in powers},
        turn_order=tuple(rng.sample(powers, len(powers))),
        judged_after=rng.choice(powers),
        ranks=ranks,
        # Not both at once: the rules do not say who wins then.
        major_victory={"Axis": need, "Allies": max(points - need + 1, points // 2 + 1)},
        territories=territories,
        connections=(*sorted(borders), *sorted(coasts), *sorted(seas)),
        canals={},
    )
    assert not list(flaws(board))
    chosen: dict[str, int | str] = {
        "sea_range": rng.randint(0, 2),
        "captures_per_turn": rng.randint(1, 2),
        "captures_per_source": rng.randint(1, 2),
    }
    world = world_of(board, chosen, rng.choice((0, 0, 1, 2)))
    owners = tuple(rng.choice(world.order) for _ in world.land)
    start = Moment(owners, rng.choice(world.order), rng.randint(1, 2))
    return SmallMap(board, chosen, world, start, short_system(board, chosen))


# ---- goals


def _wish(rng: Random, world: World, start: Moment, side: str) -> Wish:
    """Something that the side may want: lands, points, victory, or to hold something until some power's turn."""
    kind = rng.randrange(10)
    if kind < 3:
        return _lands(rng, world, start, side, rng.choice((1, 1, 2)))
    if kind < 5:
        return at_least("territories", world, side, len(world.lands(start.owners, side)) + rng.randint(1, 2))
    if kind < 7:
        return at_least("vcp", world, side, world.vcp(start.owners, side) + rng.randint(1, 3))
    if kind == 7:
        return victory(rng.choice(world.outcomes), side)
    power = rng.choice(world.order)
    until = Wish(f"turn == {power}", lambda w, at: at.turn == power, True)
    held = at_least("territories", world, side, max(1, len(world.lands(start.owners, side)) + rng.randint(-1, 1)))
    what = rng.choice((held, _lands(rng, world, start, side, 1)))
    rounds = Wish(f"round >= {start.round + 1}", lambda w, at: at.round > start.round, True, start.round + 1)
    return joined("and", [what, rng.choice((until, rounds))])


def _lands(rng: Random, world: World, start: Moment, side: str, number: int) -> Wish:
    mine = world.lands(start.owners, side)
    theirs = [t for t in world.land if t not in mine] or list(world.land)
    return lands(side, rng.sample(theirs, min(number, len(theirs))))


def lands(side: str, some: Sequence[str]) -> Wish:
    """A side controls some territories."""
    text = " and ".join(f'controls({side}, "{t}")' for t in some)
    return Wish(text, lambda w, at: set(some) <= w.lands(at.owners, side))


def at_least(counted: str, world: World, side: str, number: int) -> Wish:
    """A side has at least so many territories, or points."""

    def met(what: str, w: World, at: Moment) -> bool:
        have = len(w.lands(at.owners, side)) if what == "territories" else w.vcp(at.owners, side)
        return have >= number

    return Wish(f"{counted}({side}) >= {number}", partial(met, counted))


def victory(outcome: str, side: str) -> Wish:
    """A side wins an outcome at this moment."""
    return Wish(f"holds({outcome}, {side})", lambda w, at: w.holds(outcome, side, at), True)

"""Random Axis & Allies boards of 8 to 11 lands, and goals that take many captures; large enough for odd plans."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from vclogic_encodings.axis_allies.board import Board, Canal, City, Power, Territory, flaws

from tests.oracles.captures import Moment, Wish, World
from tests.toys.small_maps import POWERS, RANKS, SIDES, TESTS, SmallMap, joined, quoted, short_system, world_of

Worth = Callable[[World, Moment], int]
Number = tuple[str, Worth]


def wide_map(rng: Random, least: int = 8, most: int = 11) -> SmallMap:
    """A board of a chain of so many lands with more borders, coasts, seas and canals, and a position on it."""
    lands, zones = (
        [f"L{i}" for i in range(rng.randint(least, most))],
        [f"{i} Sea Zone" for i in range(rng.randint(2, 5))],
    )
    powers = rng.sample(POWERS, rng.randint(2, 4))
    sides = {p: SIDES[i] if i < 2 else rng.choice(SIDES) for i, p in enumerate(powers)}
    borders = {(lands[rng.randrange(max(0, i - 3), i)], lands[i]) for i in range(1, len(lands)) if rng.random() < 0.8}
    borders |= {tuple(sorted(rng.sample(lands, 2))) for _ in range(rng.randint(0, 3))}  # type: ignore[misc]
    seas = {(zones[i - 1], zones[i]) for i in range(1, len(zones)) if rng.random() < 0.8}
    coasts = {(rng.choice(lands), z) for z in zones for _ in range(rng.randint(1, 3))}
    canals = {
        f"Canal {i}": Canal(edge, tuple(rng.sample(lands, rng.randint(1, 2))))
        for i, edge in enumerate(rng.sample(sorted(seas), min(len(seas), rng.randint(0, 2))))
    }
    ranks = dict(zip(RANKS, rng.sample((5, 3, 2, 1), 4), strict=True))
    territories = {z: Territory("sea") for z in zones}
    for i, name in enumerate(lands):
        rank = rng.choice((None, None, *RANKS))
        city = City(f"City {i}", rank, powers[0]) if rank else None
        territories[name] = Territory("land", rng.choice(powers), rng.randint(0, 5), city=city)
    points = sum(ranks[t.city.rank] for t in territories.values() if t.city)
    need = rng.randint(1, points + 1)
    board = Board(
        powers={p: Power(sides[p], p) for p in powers},
        turn_order=tuple(rng.sample(powers, len(powers))),
        judged_after=rng.choice(powers),
        ranks=ranks,
        major_victory={"Axis": need, "Allies": rng.randint(points - need + 1, points + 2)},
        territories=territories,
        connections=(*sorted(borders), *sorted(coasts), *sorted(seas)),
        canals=canals,
    )
    assert not list(flaws(board))
    chosen: dict[str, int | str] = {"sea_range": rng.randint(0, 3)}
    world = world_of(board, chosen, rng.randint(0, 3))
    mine = rng.choice((0.2, 0.5))
    first = [p for p in powers if sides[p] == "Axis"]
    owners = tuple(rng.choice(first) if rng.random() < mine else rng.choice(powers) for _ in world.land)
    start = Moment(owners, rng.choice(world.order), rng.randint(1, 2))
    return SmallMap(board, chosen, world, start, short_system(board, chosen))


def number(rng: Random, world: World) -> Number:
    """Something that is counted."""
    side, power = rng.choice(SIDES), rng.choice(world.order)
    return rng.choice(
        (
            (f"vcp({side})", lambda w, at: w.vcp(at.owners, side)),
            (f"territories({side})", lambda w, at: len(w.lands(at.owners, side))),
            (f"ipc({power})", lambda w, at: sum(w.ipc[t] for t in w.own(at.owners, power))),
        )
    )


def mix(rng: Random, world: World) -> Number:
    """One or two numbers, weighted."""
    text, value = number(rng, world)
    if rng.random() < 0.4:
        return text, value
    (other, second), k = number(rng, world), rng.choice((1, 2, -1, -2))
    return f"{text} + {k} * {other}", lambda w, at: value(w, at) + k * second(w, at)


def far(rng: Random, m: SmallMap, side: str) -> Moment:
    """A position after some captures of a side."""
    world, owners = m.world, m.start.owners
    for _ in range(rng.randint(2, 7)):
        ways = [
            (p, t) for p in world.order if world.side_of[p] == side for t in world.captures(owners, p, own_only=False)
        ]
        if ways:
            power, target = rng.choice(ways)
            owners = world.taken(owners, power, (target,))
    return replace(m.start, owners=owners, ended="none")


def aim(rng: Random, m: SmallMap, side: str) -> Wish:
    """A goal that is not met yet, and is after many captures, or would be after one more than there can be."""
    while True:
        wish = _wish(rng, m, far(rng, m, side))
        if wish.timed or not wish.met(m.world, m.start):
            return wish


def _wish(rng: Random, m: SmallMap, there: Moment) -> Wish:
    parts = [_part(rng, m, there) for _ in range(rng.randint(1, 4))]
    return parts[0] if len(parts) == 1 else joined("or" if rng.random() < 0.2 else "and", parts)


def _part(rng: Random, m: SmallMap, there: Moment) -> Wish:
    world, kind = m.world, rng.random()
    if kind < 0.6:
        text, value = mix(rng, world)
        test = rng.choice((">=", ">=", ">=", "==", "<=", "!="))
        at_least = value(world, there) + rng.choice((0, 0, 0, 1, -1))
        return Wish(f"{text} {test} {at_least}", lambda w, at: TESTS[test](value(w, at), at_least))
    i = rng.randrange(len(world.land))
    land, power = world.land[i], there.owners[i]
    if kind < 0.75:
        side = world.side_of[power]
        return Wish(f"controls({side}, {quoted(land)})", lambda w, at: land in w.lands(at.owners, side))
    if kind < 0.85:
        return Wish(f"owner({quoted(land)}) == {power}", lambda w, at: w.owner(at)[land] == power)
    if kind < 0.93:
        outcome, side = rng.choice(world.outcomes), rng.choice(SIDES)
        return Wish(f"holds({outcome}, {side})", lambda w, at: w.holds(outcome, side, at), timed=True)
    inner = _part(rng, m, there)
    return Wish(f"not ({inner.text})", lambda w, at: not inner.met(w, at), inner.timed, inner.latest)

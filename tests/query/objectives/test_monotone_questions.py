"""Winning and denial sets of random monotone questions, against all sets tried; with questions that stay open."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tests.oracles.objectives import least
from tests.oracles.objectives_1942 import dual
from vclogic.query.objectives.sets import Answer, Dual, TakenSet


def hunt(seed: int, seen: Counter[tuple[str, object]]) -> None:
    """The lists are right; where some questions stay open, what is claimed is right."""
    rng = Random(seed)
    size = rng.randint(0, 9)
    ways = [rng.getrandbits(size) & rng.getrandbits(size) for _ in range(rng.choice((0, 1, 2, 4, 8, 20)))]
    often_open = rng.choice((0, 0, 0.05, 0.3, 1))
    left_open: dict[int, bool] = {}

    def ask(closed: int) -> Answer:
        if left_open.setdefault(closed, rng.random() < often_open):
            return "unknown"
        fitting = [way for way in ways if not way & closed]
        if not fitting:
            return "none"
        way = rng.choice(fitting)
        more = rng.getrandbits(size) & rng.getrandbits(size) & ~closed  # a way may take more than it must
        return TakenSet(way | more if rng.random() < 0.5 else way, rng.random() < 0.5)

    closures = [rng.getrandbits(size) for _ in range(rng.choice((0, 0, 3)))]
    none = [closed for closed in closures if not any(not way & closed for way in ways)]
    won = rng.sample(ways, rng.randint(0, len(ways)))
    found = Dual(size, ask, none, won)
    found.run()
    smallest = least(map(members, ways))
    denial = dual(smallest)
    told, denied = frozenset(map(members, found.winning)), frozenset(map(members, found.denial))
    what = seed, size, ways
    if often_open == 0:
        assert found.complete, what
    if found.complete:
        assert (told, denied) == (smallest, denial), what
        assert len(found.winning) == len(told), what
    assert found.done
    assert all(any(s <= t for s in smallest) for t in told), what
    assert all(not any(not way & d for way in ways) for d in found.denial), what
    for taken in found.winning:
        assert found.is_smallest(taken) in (members(taken) in smallest, None), what
        assert found.is_smallest(taken) is not None or not found.complete, what
    seen["complete", found.complete] += 1
    seen["winning", min(len(told), 2)] += 1
    seen["denial", min(len(denied), 2)] += 1


def members(number: int) -> frozenset[str]:
    """The members of a set that is written as a number."""
    return frozenset(str(i) for i in range(number.bit_length()) if number >> i & 1)


def test_random_questions() -> None:
    seen: Counter[tuple[str, object]] = Counter()
    for seed in range(400):
        hunt(seed, seen)
    assert min(seen[kind, n] for kind in ("winning", "denial") for n in range(3)) >= 30, seen
    assert seen["complete", False] >= 30, seen


@pytest.mark.slow
@pytest.mark.parametrize("first", range(10_000, 50_000, 10_000))
def test_many_random_questions(first: int) -> None:
    for seed in range(first, first + 10_000):
        hunt(seed, Counter())

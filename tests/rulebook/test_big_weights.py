"""A rulebook whose sums are far beyond 2^31: each question answers as trying all positions in plain Python does."""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import nullcontext
from itertools import combinations
from pathlib import Path

import pytest

import vclogic
from tests.fixtures.all_positions import never_looked_at
from tests.fixtures.pace import seeds
from vclogic.game import Game

MOST = 999_999_999
"""Near the largest number that the goal language takes; larger ones are products."""
BOOK = """# Big

**1** Some towns can be held.

```vclogic
kind town: {towns}
fact held(town)
```

**2** Red and Blue take turns. Red takes a town in a turn.

```vclogic
sides Red, Blue
turn is one event
event take by side town
  needs side == Red
  needs not held(town)
  then held(town) becomes true
event rest by side
  needs side == Blue
```

**3** Towns are worth much.

```vclogic
worth means {worth}
side wins Points at once if side == Red and worth >= {points}
```
"""


class Big:
    """Towns with weights, and what may be held where the game ends once enough is."""

    def __init__(self, weights: Sequence[int], points: int):
        self.weights, self.points = weights, points
        towns = range(len(weights))
        self.sets = [frozenset(c) for n in range(len(weights) + 1) for c in combinations(towns, n)]
        self.reached = [s for s in self.sets if not s or min(self.worth(s - {t}) for t in s) < points]
        self.reached = [s for s in self.reached if self._leads(s)]

    def worth(self, held: frozenset[int]) -> int:
        return sum(self.weights[t] for t in held)

    def _leads(self, held: frozenset[int]) -> bool:
        """Whether the towns can be taken one by one without an end before the last."""
        return not held or any(self.worth(held - {t}) < self.points and self._leads(held - {t}) for t in held)

    def text(self) -> str:
        parts = [f"if(held(T{i}), {written(w)}, 0)" for i, w in enumerate(self.weights)]
        towns = ", ".join(f"T{i}" for i in range(len(self.weights)))
        return BOOK.format(towns=towns, worth=" + ".join(parts), points=written(self.points))

    def fewest(self, least: int) -> int | None:
        """The fewest towns by which so much is reached in play."""
        return min((len(s) for s in self.reached if self.worth(s) >= least), default=None)

    def minimal(self, least: int) -> set[frozenset[int]]:
        """The minimal sets of towns worth so much, whatever play leads to."""
        enough = [s for s in self.sets if self.worth(s) >= least]
        return {s for s in enough if not any(other < s for other in enough)}


def written(n: int) -> str:
    """A number in the goal language, in which none is beyond `MOST`."""
    if n <= MOST:
        return str(n)
    high, low = divmod(n, MOST)
    return f"({high} * {MOST} + {low})"


def drawn(seed: int) -> Big:
    rng = random.Random(seed)
    edges = (2**31, 2**32, 3_000_000_000, 4 * MOST, 10**12, 2**47)  # the language refuses numbers beyond 10^15
    weights = [rng.choice(edges) + rng.randint(-2, 2) if rng.random() < 0.7 else rng.randint(1, 9) for _ in range(4)]
    points = rng.choice((sum(weights) + 1, sum(sorted(weights)[:3]), max(weights) + 1))
    return Big(weights, points)


def goals(big: Big) -> list[int]:
    """Bounds that tell faults apart: what some towns are worth, and one more."""
    sums = sorted({big.worth(s) for s in big.sets if s})
    return [sums[0], sums[len(sums) // 2] + 1, sums[-1], sums[-1] + 1]


@pytest.mark.parametrize("quick", [True, False], ids=["all positions", "solvers"])
@pytest.mark.parametrize("seed", seeds((2,), range(3, 40)))
def test_questions_about_sums_beyond_all_edges(seed: int, quick: bool, tmp_path: Path) -> None:
    big = drawn(seed)
    file = tmp_path / "big.md"
    file.write_text(big.text())
    game = vclogic.load(str(file))
    with nullcontext() if quick else never_looked_at():
        for least in goals(big):
            _compare(game, big, least)
        found = game.plan(maximize="worth", side="Red", within=2 * len(big.weights) - 1)
    assert found.maximum is not None
    assert found.status == "optimal"
    assert found.maximum.value == found.maximum.upper_bound == max(map(big.worth, big.reached))


def _compare(game: Game, big: Big, least: int) -> None:
    goal, fewest = f"worth >= {written(least)}", big.fewest(least)
    plan = game.plan(goal, side="Red")
    assert plan.status == ("impossible" if fewest is None else "optimal"), goal
    # Blue rests between two events of Red.
    assert plan.cost == (None if fewest is None else max(2 * fewest - 1, 0))
    assert game.reach(goal, side="Red").status == ("unreachable" if fewest is None else "reachable"), goal
    missing = game.missing(goal, limit=50)
    wanted = big.minimal(least)
    assert missing.status == ("possible" if wanted else "impossible"), goal
    assert {frozenset(int(c.fluent[6:-1]) for c in r.changes) for r in missing.repairs} == (wanted or set())


@pytest.mark.parametrize("seed", seeds((1,), range(2, 20)))
def test_check_finds_who_can_never_win(seed: int, tmp_path: Path) -> None:
    big = drawn(seed)
    file = tmp_path / "big.md"
    file.write_text(big.text())
    found = {f.message for f in vclogic.load(str(file)).check().findings if f.code == "VC201"}
    never = {"Blue"} | ({"Red"} if sum(big.weights) < big.points else set())
    assert {side for side in ("Red", "Blue") if any(f"the {side} side can never win" in m for m in found)} == never


def test_two_books_that_differ_beyond_2_to_the_32(tmp_path: Path) -> None:
    first, second = Big((3_000_000_000, 5, 7), 3_000_000_005), Big((3_000_000_000, 5, 7), 3_000_000_005 + 2**32)
    for name, big in (("a.md", first), ("b.md", second)):
        (tmp_path / name).write_text(big.text())
    a, b = (vclogic.load(str(tmp_path / name)) for name in ("a.md", "b.md"))
    assert a.compare(b).status == "differ"
    assert a.compare(a).status != "differ"

"""What solvers and planners are known to get wrong, asked of vclogic in every way, against plain Python.

Unified Planning 1.3.0 counts "two points for each of three units" once, ENHSP 0.1.1 calls the first goal that is met
the most points, and compares costs in single precision; of two planners each proves the other's goal impossible
where one action sets and clears a fact. Here such games are drawn, and play, plan, proof, most points and many games
at once say what a search over all positions in plain Python says.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

import vclogic
from tests.fixtures.pace import seeds
from vclogic.cli.main import run
from vclogic.errors import InputError
from vclogic.game import Game

State = tuple[int, tuple[int, ...]]
"""The points, and which lamps are lit."""
LAMPS = ("Ash", "Birch", "Cedar")
STEPS = (1, 3, (1 << 24) + 1, (1 << 27) + 1)
"""Beyond 2^24 single precision loses one; still larger sums are those of `test_big_weights.py`."""
BOOK = """# Lamps

**1** Lamps are lit and put out, and lit ones are worth points.

```vclogic
sides Red
turn is one event
kind lamp: Ash, Birch, Cedar
fact lit(lamp)
fact points: 0 to {most}
{events}
pass always
never points > {most}
```
"""


@dataclass(frozen=True)
class Deed:
    """An event: the lamps it needs, what it does to each, and the points for each lamp lit before it."""

    needs: tuple[int, int] | None
    sets: Mapping[int, str]
    gain: int
    each: bool

    def __call__(self, now: State, most: int) -> State | None:
        points, lit = now
        if self.needs is not None and lit[self.needs[0]] != self.needs[1]:
            return None
        more = points + (self.gain * sum(lit) if self.each else self.gain)
        if not 0 <= more <= most:
            return None
        value = {"on": 1, "off": 0}
        return more, tuple(
            1 - was if self.sets.get(n) == "flip" else value.get(self.sets.get(n, ""), was)
            for n, was in enumerate(lit)
        )

    def text(self, name: str) -> str:
        lines = [f"event {name} by side"]
        if self.needs is not None:
            lamp, want = self.needs
            lines.append(f"  needs {'' if want else 'not '}lit({LAMPS[lamp]})")
        word = {"on": "true", "off": "false"}
        for n, what in self.sets.items():
            lines.append(f"  then lit({LAMPS[n]}) becomes {word.get(what) or f'not lit({LAMPS[n]})'}")
        verb = "rises" if self.gain >= 0 else "falls"
        over = " for lamp where lit(lamp)" if self.each else ""
        lines.append(f"  then points {verb} by {abs(self.gain)}{over}")
        return "\n".join(lines)


class Lamps:
    """A game, in plain Python and as a rulebook."""

    def __init__(self, seed: int):
        random = Random(seed)
        self.unit = random.choice(STEPS)
        self.most = self.unit * 7
        self.deeds = {f"deed{n}": self._deed(random) for n in range(random.randint(2, 4))}

    def _deed(self, random: Random) -> Deed:
        sets = {n: random.choice(("on", "off", "flip")) for n in range(3) if random.random() < 0.6}
        needs = (random.randrange(3), random.randrange(2)) if random.random() < 0.7 else None
        return Deed(needs, sets, random.choice((-2, -1, 1, 1, 2)) * self.unit, random.random() < 0.5)

    def depths(self) -> dict[State, int]:
        """How many events lead to each position."""
        start: State = (0, (0, 0, 0))
        found, queue = {start: 0}, deque([start])
        while queue:
            now = queue.popleft()
            for deed in self.deeds.values():
                then = deed(now, self.most)
                if then is not None and then not in found:
                    found[then] = found[now] + 1
                    queue.append(then)
        return found

    def load(self, folder: Path) -> Game:
        path = folder / "lamps.md"
        path.write_text(BOOK.format(most=self.most, events="\n".join(d.text(n) for n, d in self.deeds.items())))
        return vclogic.load(str(path))


def facts(now: State) -> dict[str, object]:
    return {"points": now[0], "lit": {LAMPS[n]: bool(v) for n, v in enumerate(now[1])}}


def goal(now: State) -> str:
    lamps = " and ".join(f"{'' if v else 'not '}lit({LAMPS[n]})" for n, v in enumerate(now[1]))
    return f"points == {now[0]} and {lamps}"


@pytest.mark.parametrize("seed", seeds(range(8), range(8, 200)))
def test_all_ways_to_ask_say_what_a_search_by_hand_says(seed: int, tmp_path: Path) -> None:
    lamps, random = Lamps(seed), Random(seed)
    depths = lamps.depths()
    game = lamps.load(tmp_path)

    # play: each event from each of some positions
    for now in random.sample(sorted(depths), min(6, len(depths))):
        there = game.at_state(facts(now))
        for name, deed in lamps.deeds.items():
            then = deed(now, lamps.most)
            allowed = any(e == name for e, _ in there.legal().events())
            assert allowed == (then is not None), (now, name)
            if then is not None:
                after = there.apply(name, side="Red")
                assert [after.value("points"), *(after.value(f"lit({x})") for x in LAMPS)] == [
                    then[0],
                    *map(bool, then[1]),
                ]

    # plan and proof: the fewest events, and what is never reached
    drawn = [(lamps.unit * random.randint(0, 7), tuple(random.randrange(2) for _ in LAMPS)) for _ in range(2)]
    for now in (*random.sample(sorted(depths), min(2, len(depths))), *drawn):
        found = game.plan(goal(now), side="Red")
        assert found.cost == depths.get(now), (now, found.status)
        assert (found.status == "impossible") == (now not in depths), (now, found.status)
        assert (game.reach(goal(now), side="Red").status == "reachable") == (now in depths)

    # the most points within some events: of all that can come about, and not where a goal is first met
    most = game.plan(maximize="points", side="Red", within=6)
    assert most.status == "optimal"
    assert most.maximum is not None
    assert most.maximum.value == max(points for (points, _), depth in depths.items() if depth <= 6)

    # many games at once
    many = game.many(64)
    import numpy as np

    draw = np.random.default_rng(seed)
    for _ in range(12):
        many.apply(many.draw(draw.random(64)))
    slot = game.setup.system.layout.slot
    at = [
        slot[f]
        for family in game.setup.system.families
        for f in family.fluents.values()
        if family.name in ("points", "lit")
    ]
    names = [
        f.name
        for family in game.setup.system.families
        for f in family.fluents.values()
        if family.name in ("points", "lit")
    ]
    for row in many.states[:, at].tolist():
        value = dict(zip(names, row, strict=True))
        assert (value["points"], tuple(value[f"lit[{x}]"] for x in LAMPS)) in depths


def test_two_numbers_are_swapped_by_one_event(tmp_path: Path) -> None:
    swap = (
        "fact other: 0 to 9, starts 2\nevent swap by side\n  then points becomes other\n  then other becomes points"
    )
    (tmp_path / "x.md").write_text(
        BOOK.format(most=9, events=swap).replace("points: 0 to 9", "points: 0 to 9, starts 1")
    )
    game = vclogic.load(str(tmp_path / "x.md"))
    assert game.plan("points == 2 and other == 1", side="Red").cost == 1
    assert game.reach("points == other", side="Red").status == "unreachable"
    after = game.apply("swap", side="Red")
    assert (after.value("points"), after.value("other")) == (2, 1)


def test_two_assignments_at_once_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    both = "event lift by side\n  then points becomes 5\n  then points becomes 7"
    (tmp_path / "x.md").write_text(BOOK.format(most=9, events=both))
    assert run(["check", str(tmp_path / "x.md")]) == 1
    out = capsys.readouterr().out
    assert "x.md:13" in out
    assert "becomes" in out


@pytest.mark.parametrize(
    ("events", "said"),
    [
        ("event lift by side\n  then points rises by 0.1", "a number is whole"),
        ("fact score: number\nevent lift by side\n  then score rises by 1", "one value alone"),
    ],
)
def test_tenths_and_numbers_without_bounds_are_errors(events: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "x.md").write_text(BOOK.format(most=9, events=events))
    with pytest.raises(InputError, match=said):
        vclogic.load(str(tmp_path / "x.md"))

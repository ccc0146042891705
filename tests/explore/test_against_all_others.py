"""Best play of one of several sides against all others together."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import vclogic
from vclogic.errors import InputError
from vclogic.explore.table import BestPlayTable
from vclogic.game import Game
from vclogic.studies.playtest import Playtest, play

HEAP = """# Heap

**1** Each side takes one or two stones in its turn. Who takes the last one has won.

```vclogic
sides {sides}
turn is one event
fact heap: 0 to 12, starts {stones}
event take by side number 1 to 2
  then heap falls by number
side wins last at once if heap == 0 and before(turn) == side and before(heap) > 0
```
"""
SIDES = {2: "Red, Blue", 3: "Red, Blue, Green", 4: "Red, Blue, Green, White"}


def heap(tmp_path: Path, sides: int, stones: int) -> Game:
    file = tmp_path / "heap.md"
    file.write_text(HEAP.format(sides=SIDES[sides], stones=stones))
    return vclogic.load(str(file))


@cache
def wins(sides: int, stones: int, turns_until_his: int) -> bool:
    """Whether somebody takes the last stone, whatever all others do; by trying everything."""
    if not stones:
        return False
    after = [
        (True if not left and not turns_until_his else wins(sides, left, (turns_until_his - 1) % sides))
        for left in (stones - 1, stones - 2)
        if left >= 0
    ]
    return any(after) if not turns_until_his else all(after)


@pytest.mark.parametrize("sides", [2, 3, 4])
@pytest.mark.parametrize("stones", range(1, 10))
def test_each_side_against_all_others(tmp_path: Path, sides: int, stones: int) -> None:
    game = heap(tmp_path, sides, stones)
    for i, side in enumerate(game.sides):
        found = game.solve(side=side)
        other = "Blue" if side == "Red" else "Red"
        assert found.status == "solved"
        assert found.winner == (side if wins(sides, stones, i) else other if sides == 2 else "the others")
        assert found.side == (None if sides == 2 else side)
        assert found.checked


def test_the_table_is_of_the_game_and_of_no_other(tmp_path: Path) -> None:
    game = heap(tmp_path, 3, 4)
    found = game.solve(side="Blue")
    assert found.table is not None
    file = str(tmp_path / "blue.npz")
    found.table.save(file)
    table = BestPlayTable.load(file)
    assert table.sides == ("Blue", "the others")
    assert table[game].winner == "the others"
    blue = game.apply("take", number=2)
    assert (table[blue].winner, str(table[blue].event)) == ("Blue", "take(Blue, 2)")
    with pytest.raises(InputError, match="the table is for"):
        table[heap(tmp_path, 4, 4)]


def test_the_best_player_takes_the_last_stones(tmp_path: Path) -> None:
    game = heap(tmp_path, 3, 2)
    rows = list(play(game, Playtest({"Red": "best"}, {}, {}, (), 9, {}), range(20)))
    assert {r["winner"] for r in rows} == {"Red"}


@pytest.mark.parametrize(
    ("side", "message"), [(None, "games of two sides; this one has 3"), ("Rot", "no side 'Rot'")]
)
def test_what_is_asked_about_is_told_to_be_missing(tmp_path: Path, side: str | None, message: str) -> None:
    with pytest.raises(InputError, match=message):
        heap(tmp_path, 3, 2).solve(side=side)

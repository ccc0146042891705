"""Games of which best play is known."""

from __future__ import annotations

from functools import reduce
from operator import xor

import numpy as np
import pytest

from tests.toys import classics
from vclogic.explore.best_play import DRAW, FIRST, ODDS, SECOND, BestPlay, best_play
from vclogic.explore.check_table import check_table
from vclogic.explore.endings import endings
from vclogic.explore.expansion import Explored
from vclogic.explore.search import explore
from vclogic.explore.table import BestPlayTable, table_of
from vclogic.model.system import System


def solved(system: System) -> tuple[Explored, BestPlay, BestPlayTable]:
    start = system.layout.state(system.completed({}))
    found = explore(system, [start], stop=endings(system).final)
    play = best_play(system, found)
    table = table_of("classic", system, found, play)
    assert not check_table(system, table).faults
    return found, play, table


def test_noughts_and_crosses_is_a_draw_of_5478_positions() -> None:
    found, play, _ = solved(classics.noughts_and_crosses())
    assert len(found.states) == 5478
    assert play.value[0] == DRAW
    assert int(play.final.sum()) == 958
    assert np.bincount(play.value[play.final]).tolist() == [0, 626, 316, 16]


@pytest.mark.parametrize("heaps", [(1, 2, 3), (3, 4, 5), (2, 2)])
def test_nim_is_won_by_the_nim_sum(heaps: tuple[int, ...]) -> None:
    system = classics.nim(heaps)
    found, play, _ = solved(system)
    for state, value in zip(found.states.tolist(), play.value, strict=True):
        *sizes, turn = state
        assert value == (turn if reduce(xor, sizes) else 1 - turn) + 1
    assert play.value[0] == (FIRST if reduce(xor, heaps) else SECOND)
    assert play.turns[0] <= sum(heaps)


def pig(goal: int, faces: int) -> float:
    """The probability that who begins wins at Pig, by repeating its equations in floating point."""
    win = {(a, b, t): 0.5 for a in range(goal) for b in range(goal) for t in range(goal - a)}
    for _ in range(2000):
        change = 0.0
        for (a, b, t), old in win.items():
            lost = 1 - win[b, a, 0]
            rolled = sum(1.0 if a + t + n >= goal else win[a, b, t + n] for n in range(2, faces + 1))
            roll = (lost + rolled) / faces
            new = max(roll, 1 - win[b, a + t, 0]) if t else roll
            change = max(change, abs(new - old))
            win[a, b, t] = new
        if change < 1e-13:
            break
    return win[0, 0, 0]


def test_pig_is_won_as_often_as_its_equations_say() -> None:
    """Each roll may give the turn away for nothing, so play can come back to a position: bounds that close in."""
    _, play, table = solved(classics.race(10, 4))
    assert play.value[0] == ODDS
    assert play.expected is not None
    lower, upper = (int(x[0]) / play.expected.unit for x in (play.expected.lower, play.expected.upper))
    assert upper - lower < 1e-9
    assert (1 + lower) / 2 == pytest.approx(pig(10, 4), abs=1e-9)
    assert table.unit

"""How far a goal can be forced on graphs whose worst way is not found last."""

from __future__ import annotations

from typing import Any

import numpy as np

from vclogic.explore.arena import LENGTHS, TURN, Arena
from vclogic.explore.chance import Backwards, Layers


def graph(owners: list[int], edges: list[tuple[int, int, int]]) -> Arena:
    """A graph of positions with the owner of each, and edges from, to, and of which length."""
    source, target, length = (np.array(x, np.int32) for x in zip(*sorted(edges), strict=True))
    first = np.searchsorted(source, np.arange(len(owners) + 1))
    none: Any = np.zeros(len(edges), np.int64)
    owner = np.array(owners)
    return Arena(len(owners), owner, np.zeros_like(owner), first, source, target, length, none, none)


def test_who_has_to_lose_takes_the_longest_way_whichever_is_found_first() -> None:
    """From 0 one edge that ends a turn leads to the goal, 2, and one event to 1, from where one event leads there."""
    lost, goal = 1, 2
    found = Backwards.of(graph([lost, 0, 0], [(0, 2, 2), (0, 1, 1), (1, 2, 1)]))
    lengths = found.lengths(np.array([goal]), np.array([False, True, True]))
    assert lengths.tolist() == [LENGTHS[2], LENGTHS[1], 0]


def test_play_that_nobody_followed_counts_as_a_turn_where_the_goal_needs_one() -> None:
    """From 0 an event leads to the goal, 1, or to 2, from where it is a turn away; whoever delays chooses 2."""
    game = graph([0, 0, 0], [(0, 1, 1), (0, 2, 1)])
    goal, beyond = np.array([1]), np.array([2])
    for found in (Backwards.of(game), Layers(game, np.array([0, 1, 3]), game.length)):
        for hurries, far in ((True, LENGTHS[1]), (False, TURN + LENGTHS[1])):
            lengths = found.lengths(goal, np.array([hurries, True, True]), beyond)
            assert lengths.tolist() == [far, 0, TURN]

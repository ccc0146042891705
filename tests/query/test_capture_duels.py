"""What a side can force by captures on random small boards, and what stops it, against brute force over all turns."""

from __future__ import annotations

from tests.oracles.adversary import Play, Want
from tests.oracles.captures import IDLE, fewest_turns
from tests.toys.capture_duels import duel


def test_the_brute_force_agrees_with_itself_and_with_that_of_plans() -> None:
    for seed in range(150):
        d = duel(seed)
        want, world, start = Want(Play(d.m.world), d.wish, d.side), d.m.world, d.m.start
        fewest = fewest_turns(world, start, d.wish, d.side, IDLE, d.within)
        assert want.planned(start, d.within) == (fewest is not None)
        assert want.planned(start, d.within) or not want.forced(start, d.within)
        assert want.forced(start, d.within + 1) or not want.forced(start, d.within)

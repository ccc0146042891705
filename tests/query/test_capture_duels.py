"""What a side can force by captures on random small boards, and what stops it, against brute force over all turns."""

from __future__ import annotations

from tests.oracles.adversary import Play, Want
from tests.oracles.captures import IDLE, Wish, fewest_turns
from tests.oracles.wide_captures import At, Wide
from tests.oracles.wide_captures import Want as WideWant
from tests.toys.capture_duels import Duel, duel


def test_the_brute_force_agrees_with_itself_and_with_that_of_plans() -> None:
    for seed in range(150):
        d = duel(seed)
        want, world, start = Want(Play(d.m.world), d.wish, d.side), d.m.world, d.m.start
        fewest = fewest_turns(world, start, d.wish, d.side, IDLE, d.within)
        assert want.planned(start, d.within) == (fewest is not None)
        assert want.planned(start, d.within) or not want.forced(start, d.within)
        assert want.forced(start, d.within + 1) or not want.forced(start, d.within)


def test_the_brute_force_for_large_boards_agrees_with_the_other_one() -> None:
    for seed in range(150):
        d = duel(seed)
        both_agree(d, None)
        both_agree(d, d.m.world.order[0])


def both_agree(d: Duel, turn: str | None) -> None:
    """Both say the same of a goal: to control the first two lands, and perhaps that it is some power's turn."""
    world, start, land = d.m.world, d.m.start, set(d.m.world.land[:2])
    wide, play, timed = Wide(world), Play(world), turn is not None
    at, bits = wide.start(start), wide.lands(land)
    assert {wide.names(some) for some in wide.choices(at.held, at.turn)} == {
        tuple(t for t in world.land if t in some) for some in play.choices(start.owners, start.turn)
    }
    wish = Wish("", lambda w, m: land <= w.lands(m.owners, d.side) and turn in (None, m.turn), timed)

    def met(a: At) -> bool:
        return not bits & ~wide.controlled(a.held, d.side) and turn in (None, world.order[a.turn])

    forced = WideWant(wide, d.side, met, timed).forced(at, d.within)
    assert forced == Want(play, wish, d.side).forced(start, d.within)
    planned = WideWant(wide, d.side, met, timed, idle=True).forced(at, d.within)
    assert planned == Want(play, wish, d.side).planned(start, d.within)

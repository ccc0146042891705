"""Objectives of random small rulebooks: winning sets, denial sets and what each is worth, as all plans show."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from hypothesis import assume, given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from tests.oracles.objectives import Move, Play, plans
from tests.rulebook.test_plan_lines import loaded
from tests.toys.marches import SIDES, Goal, Marches, Position, made

FAR = 4
MOST = 1_500
"""Games of more places than so many are left out."""
LINES = {
    "kept": 'objective "{area}" for area where marked(area) == yes\n  held by side if holder(area) == side\n'
    "  lies in other area where other == area\n",
    "stood": 'objective "{area}" for area\n  held by side if some(unit of side where at(unit) == area)\n'
    "  lies in other area where other == area\n",
    "two": 'objective "{area}" for area where marked(area) == yes\n  held by side if holder(area) == side\n'
    'objective "the road from {area}" for area\n  called "road"\n  held by Red if gone(area)\n'
    "  held by Blue if gone(area)\n",
}
Place = tuple[tuple[object, ...], int]


def held(game: Marches, lines: str, side: str) -> dict[str, Callable[[Position], bool]]:
    """Whether the side has each objective at a position."""
    found: dict[str, Callable[[Position], bool]] = {}
    for area in game.areas:
        if lines != "stood" and area in game.marked:
            found[area] = lambda p, area=area: p.holder[area] == side  # type: ignore[misc]
        if lines == "stood":
            own = [u for u, s in game.units.items() if s == side]
            found[area] = lambda p, area=area, own=own: any(p.at[u] == area for u in own)  # type: ignore[misc]
        if lines == "two":
            found[f"the road from {area}"] = lambda p, area=area: area in p.gone  # type: ignore[misc]
    return found


def play(game: Marches, lines: str, side: str, goal: Goal) -> Play[Place]:
    """What the side can do, whose enemy lets its turns pass."""
    known: dict[Place, Position] = {}

    def place(p: Position, turn: int) -> Place:
        known[p.key, turn] = p
        assume(len(known) <= MOST)
        return p.key, turn

    def moves(at: Place) -> Iterator[Move[Place]]:
        here, turn = known[at], at[1]
        if SIDES[turn] != side:
            yield Move(place(game.ended(here, SIDES[turn]), 1 - turn), 0)
            return
        for cost, after in game.turns(here, side):
            yield Move(place(after, 1 - turn), cost)

    has = {name: lambda at, test=test: test(known[at]) for name, test in held(game, lines, side).items()}
    return Play(place(game.first, 0), moves, lambda at: goal.holds(known[at]), has, frozenset(has))


@examples(150, usual=6)
@given(st.randoms(use_true_random=False), st.sampled_from(sorted(LINES)))
def test_briefings_tell_what_all_plans_show(random: Random, lines: str) -> None:
    game, goal, side = made(random)
    known = plans(play(game, lines, side, goal), FAR)
    assume(not goal.holds(game.first))
    text = game.text.replace("plan marches", f"{LINES[lines]}plan marches")
    found = loaded(text).objectives(goal.text, side=side, within=FAR, limit=500, timeout=300)
    if known.cost is None:
        assert found.status == "impossible", goal.text
        return
    assert found.cost.cost == known.cost
    assert found.winning.complete
    assert found.denial.complete
    winning = {frozenset(w.takes): w.cost.cost for w in found.winning.sets}
    assert {some: cost for some, cost in winning.items() if some in known.smallest} == {
        some: known.only(some) for some in known.smallest
    }
    assert all(known.only(some) == cost for some, cost in winning.items())
    assert {frozenset(d.keeps) for d in found.denial.sets} == known.denial
    assert {m.name for m in found.landmarks.found} & known.main == known.landmarks & known.main
    for worth in found.objectives:
        if worth.name in known.main:
            for told, cost in ((worth.closed, known.closed(worth.name)), (worth.first, known.first(worth.name))):
                assert told is None or told.status == "unknown" or told.cost == cost, worth

"""The brute force over objectives agrees with itself, and with what is counted by hand."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given

from tests.fixtures.pace import examples
from tests.oracles.objectives import Move, Plans, Play, Threat, fewest_to_stop, plans
from tests.oracles.objectives_1942 import dual
from tests.toys.capture_objectives import known, quest
from tests.toys.sided_systems import Quest, quests

ROADS = {"home": ("A", "B"), "A": ("C",), "B": ("C", "D"), "C": (), "D": ("C",)}
Lands = frozenset[str]
HOME = frozenset({"home"})


def conquest(*wanted: str, main: str = "ABCD") -> Play[Lands]:
    """Lands are taken along roads, and stay."""

    def moves(at: Lands) -> Iterator[Move[Lands]]:
        for land in sorted({to for here in at for to in ROADS[here]} - at):
            yield Move(at | {land}, what=land)

    held = {land: lambda at, land=land: land in at for land in "ABCD"}
    return Play(HOME, moves, lambda at: at >= set(wanted), held, frozenset(main))


def names(*sets: str) -> frozenset[frozenset[str]]:
    return frozenset(map(frozenset, sets))


def test_what_is_counted_by_hand() -> None:
    found = plans(conquest("C"), 3)
    assert found.smallest == names("AC", "BC")
    assert dict(found.winning) == {frozenset("AC"): 2, frozenset("BC"): 2}
    assert found.denial == names("C", "AB")
    assert found.landmarks == frozenset("C")
    assert (found.closed("A"), found.closed("C"), found.first("B"), found.first("C")) == (2, None, 2, None)
    assert found.in_cheapest("C") == 2
    assert found.fewest_steps == 2


def test_places_that_do_not_count_are_taken_for_nothing_and_are_landmarks() -> None:
    found = plans(conquest("C", main="AC"), 2)
    assert found.smallest == names("C")
    assert found.winning == {frozenset("C"): 2}
    assert found.denial == names("C")
    assert plans(conquest("D", main="A"), None).landmarks == frozenset("BD")


def test_a_cheapest_set_need_not_be_a_smallest_one() -> None:
    found = plans(conquest("D", "C", main="BCD"), None)
    assert found.winning == {frozenset("BCD"): 3}
    dear = Play(
        0,
        lambda at: [Move(1, 5, what="a"), Move(2, 1, what="b"), Move(3, 1, what="c")] if at == 0 else [Move(4, 1)],
        lambda at: at in (1, 4),
        {"x": lambda at: at == 2, "y": lambda at: at == 3},
        frozenset({"x", "y"}),
    )
    found = plans(dear, 2)
    assert found.smallest == frozenset({frozenset()})
    assert dict(found.winning) == {frozenset(): 5, frozenset("x"): 2, frozenset("y"): 2}
    assert found.denial == frozenset()
    assert found.landmarks == frozenset()


def test_no_plan_and_a_goal_that_holds() -> None:
    none, held = plans(conquest("C"), 1), plans(conquest("home"), 0)
    assert (none.winning, none.denial, none.landmarks, none.cost) == ({}, frozenset(), frozenset(), None)
    assert (held.winning, held.denial, held.landmarks, held.cost) == ({frozenset(): 0}, frozenset(), frozenset(), 0)


def test_what_stops_a_threat() -> None:
    """The enemy walks from 0 to 3 in three steps; each step of the side takes one field off its way, at a price."""

    def enemy(at: frozenset[int]) -> Play[int]:
        return Play(0, lambda n: [Move(n + 1)] if n + 1 not in at else [], lambda n: n == 3, {}, frozenset())

    price = {1: 4, 2: 2, 4: 1}
    own = Play(
        frozenset[int](),
        lambda at: [Move(at | {n}, price[n]) for n in price if n not in at],
        lambda at: False,
        {},
        frozenset(),
    )
    assert fewest_to_stop(own, Threat(enemy, 3)) == 2
    assert fewest_to_stop(own, Threat(enemy, 2)) == 0


def agrees(found: Plans) -> None:
    """Each list is what the others make of it."""
    if found.costs:
        assert found.denial == dual(found.smallest) - {frozenset()}
        assert not found.denial or dual(found.denial) == found.smallest
        assert found.landmarks & found.main == {name for some in found.denial if len(some) == 1 for name in some}


def test_winning_and_denial_sets_are_each_others_duals_on_boards() -> None:
    for seed in range(15):
        agrees(known(quest(seed)))


@examples(150)
@given(quests())
def test_winning_and_denial_sets_are_each_others_duals_in_small_systems(q: Quest) -> None:
    agrees(plans(q.play(), q.within))

"""Which attackers are enough for a chance: all compositions of small battles are asked, one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vclogic_encodings.axis_allies.armies.opposed import GUNS, fights_of
from vclogic_encodings.axis_allies.armies.profiles import Profile, likely_enough, profile_of
from vclogic_encodings.axis_allies.board import UnitType
from vclogic_encodings.axis_allies.odds.chances import Chances
from vclogic_encodings.axis_allies.odds.halfspaces import Halfspaces, halfspaces
from vclogic_encodings.axis_allies.odds.minimal_points import minimal_points
from vclogic_encodings.axis_allies.odds.minimal_winners import Finder, MinimalWinners

from tests.encodings.test_army_battles import first_turn
from tests.encodings.test_odds_engine import odd_types
from tests.encodings.test_odds_oracle import board
from tests.oracles.integer_arithmetic import Integers
from tests.toys.army_boards import TYPES
from vclogic.terms.atoms import FALSE, TRUE, integer, var
from vclogic.terms.build import and_, eq, not_
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import BOOL, between

Numbers = tuple[int, ...]


def every(most: Sequence[int]) -> Iterator[Numbers]:
    """All compositions of at most so many of each kind."""
    return product(*(range(n + 1) for n in most))


def above(least: Numbers, n: Numbers) -> bool:
    """Whether a composition contains another one."""
    return all(a <= b for a, b in zip(least, n, strict=True))


def points_within(caps: Sequence[int]) -> st.SearchStrategy[set[Numbers]]:
    """Some compositions of at most so many of each kind."""
    return st.sets(st.tuples(*(st.integers(0, n) for n in caps)), max_size=5)


# ---- sums


def told(by: Halfspaces, n: Numbers) -> bool:
    """What sums say of a composition."""
    high = all(sum(w * k for w, k in zip(weights, n, strict=True)) >= least for weights, least in by.sums)
    return high and not any(above(n, other) for other in by.others)


@pytest.mark.parametrize("seed", range(60))
def test_sums_say_which_compositions_contain_one_of_some(seed: int) -> None:
    random = Random(seed)
    most = [random.randint(1, 5) for _ in range(random.randint(1, 4))]
    points = {tuple(random.randint(0, m) for m in most) for _ in range(random.randint(1, 6))}
    least = {p for p in points if not any(above(q, p) and q != p for q in points)}
    found = halfspaces(least, [m + random.choice((0, 2)) for m in most])
    for n in every([m + 2 for m in most]):
        if all(k <= m for k, m in zip(n, most, strict=True)):
            assert told(found, n) == any(above(p, n) for p in least), n


def test_what_lies_between_two_compositions_is_named() -> None:
    assert halfspaces({(2, 0), (0, 2)}, [2, 2]) == Halfspaces((((1, 1), 2),), ((1, 1),))
    assert halfspaces({(3, 0), (0, 1)}, [3, 1]) == Halfspaces((((1, 3), 3),), ())


# ---- the least points


@given(st.lists(st.integers(0, 4), max_size=4).flatmap(lambda caps: st.tuples(st.just(caps), points_within(caps))))
def test_the_least_of_all_that_are_enough(asked: tuple[list[int], set[Numbers]]) -> None:
    """All compositions are looked at, one by one."""
    caps, points = asked

    def enough(some: Sequence[Numbers]) -> list[bool]:
        return [any(above(p, n) for p in points) for n in some]

    wanted = {p for p in points if not any(above(q, p) and q != p for q in points)}
    found = minimal_points(caps, enough)
    assert set(found) == wanted
    assert len(found) == len(wanted)


# ---- compositions that win


def asked(
    types: Mapping[str, UnitType], seed: int, *, at_sea: bool
) -> tuple[Chances, dict[str, int], MinimalWinners]:
    """A random battle, how many can come, and who wins it in at least 70 of 100."""
    random = Random(seed)
    there = ("sea", "air") if at_sea else ("land", "air")
    kinds = [u for u, t in types.items() if t.kind in there and not t.antiaircraft]
    defenders = {u: n for u in kinds if (n := random.choice((0, 0, 1, 2)))} or {kinds[0]: 1}
    if not at_sea and random.random() < 0.4:
        defenders["aa_gun"] = 1
    most = {u: random.choice((0, 1, 1, 2)) for u in kinds}
    if not at_sea:
        most[f"{GUNS}battleship"] = random.choice((0, 1))
    chances = Chances(board(types), defenders, at_sea)
    holders = [] if at_sea else [u for u in kinds if types[u].kind == "land"]
    return chances, most, Finder(chances, most, Fraction(7, 10), holders).winning()


def reaches(chances: Chances, kinds: Sequence[str], n: Numbers) -> bool:
    """Whether these attackers win in at least 70 of 100, in fractions."""
    there = dict(zip(kinds, n, strict=True))
    guns = {u.removeprefix(GUNS): k for u, k in there.items() if u.startswith(GUNS)}
    attackers = {u: k for u, k in there.items() if not u.startswith(GUNS)}
    return chances.compared([(attackers, guns)], Fraction(7, 10))[0] >= 0


@pytest.mark.parametrize("at_sea", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_all_compositions_of_small_battles(seed: int, at_sea: bool) -> None:
    chances, most, found = asked(TYPES, seed, at_sea=at_sea)
    assert chances.monotone
    assert not found.holes
    for n in every([most[u] for u in found.kinds]):
        assert reaches(chances, found.kinds, n) == any(above(p, n) for p in found.least), n


@pytest.mark.parametrize("seed", range(20))
def test_all_compositions_on_boards_of_ones_own(seed: int) -> None:
    chances, most, found = asked(odd_types(Random(seed)), seed, at_sea=False)
    for n in every([most[u] for u in found.kinds]):
        wins = any(above(p, n) for p in found.least) and n not in found.holes
        assert reaches(chances, found.kinds, n) == wins, n


def test_a_chance_at_the_threshold_is_enough() -> None:
    chances = Chances(board(TYPES), {"infantry": 1}, False)
    exact = chances.exact({"armour": 1}, {})[0]
    for threshold, enough in ((exact, {(1,)}), (exact + Fraction(1, 10**12), {(2,)})):
        assert Finder(chances, {"armour": 2}, threshold, ("armour",)).winning().least == enough


# ---- laws


def profile(kinds: Sequence[str], least: Set[Numbers], most: Sequence[int], holes: Set[Numbers]) -> Profile:
    """What is asked of a battle that these win."""
    sums = halfspaces(least, most)
    return Profile(tuple(kinds), frozenset(least), sums.sums, sums.others, frozenset(holes))


def test_laws_hold_for_exactly_these_by_python_and_by_z3() -> None:
    most: Numbers = (3, 3, 2)
    least: set[Numbers] = {(2, 0, 0), (0, 2, 0), (1, 1, 1)}
    holes: set[Numbers] = {(2, 1, 0)}
    won = var("won", BOOL)
    numbers = [var(f"n{i}", between(0, m)) for i, m in enumerate(most)]
    laws = list(profile("abc", least, most, holes).laws(won, numbers))
    solver = Integers()
    for n in every(most):
        here = dict(zip(numbers, map(integer, n), strict=True))
        right = any(above(p, n) for p in least) and n not in holes
        assert all(Substitution({won: TRUE, **here})(law) is TRUE for law in laws) == right
        assert all(Substitution({won: FALSE, **here})(law) is TRUE for law in laws)
        claimed = and_(won, *laws, *(eq(v, k) for v, k in here.items()))
        assert solver.possible(claimed) == right


def test_nobody_who_can_come_is_enough() -> None:
    won = var("won", BOOL)
    assert list(Profile(("a",), frozenset(), (), (), frozenset()).laws(won, [integer(3)])) == [not_(won)]


def test_the_laws_of_a_turn_ask_for_the_chance() -> None:
    m = first_turn("Germans", min_odds="80")
    fights = [f for f in fights_of(m) if not f.at_sea]
    assert len(fights) > 3
    for fight in fights:
        assert set(likely_enough(m, fight.place, fight.won)) <= set(m.laws)
        found = profile_of(m.game, fight)
        chances = Chances(m.board, fight.defenders, False)
        for n in found.least:
            there = dict(zip(found.kinds, n, strict=True))
            assert all(k <= fight.most[u] for u, k in there.items())
            guns = {u.removeprefix(GUNS): there.pop(u) for u in list(there) if u.startswith(GUNS)}
            assert chances.take(there, guns) > 0.8 - 1e-9

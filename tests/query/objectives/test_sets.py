"""Winning and denial sets of monotone questions, against brute force over all sets."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vclogic.clock import TimeUp
from vclogic.query.objectives.sets import Answer, Dual, TakenSet

MEMBERS = 7
families = st.lists(st.integers(0, 2**MEMBERS - 1), max_size=12)
seeds = st.integers(0, 2**32)


class Monotone:
    """A question of which some ways are known; it answers like ways that take more than they must.

    Args:
        ways: What each way takes.
        seed: Which of the ways around what is closed is found, and of which sets the answer is not known.
        unknown: The share of sets of which the answer is not known.
        lean: Whether only smallest sets are found.
    """

    def __init__(self, ways: Iterable[int], seed: int, unknown: float = 0.0, *, lean: bool = False):
        self.winning = smallest(ways)
        self._seed, self._unknown, self._lean = seed, unknown, lean
        self.asked: list[int] = []

    def __call__(self, closed: int) -> Answer:
        self.asked.append(closed)
        rng = Random(f"{self._seed} {closed}")
        around = sorted(w for w in self.winning if not w & closed)
        if rng.random() < self._unknown:
            return "unknown"
        if not around:
            return "none"
        more = 0 if self._lean else rng.getrandbits(MEMBERS) & rng.getrandbits(MEMBERS) & ~closed
        return TakenSet(rng.choice(around) | more, self._lean)

    @property
    def denial(self) -> set[int]:
        """The smallest denial sets."""
        return smallest(c for c in range(2**MEMBERS) if all(w & c for w in self.winning))


def smallest(sets: Iterable[int]) -> set[int]:
    """The sets that hold no other."""
    every = set(sets)
    return {s for s in every if not any(o & s == o != s for o in every)}


def check_claims(dual: Dual, question: Monotone) -> None:
    """Whatever is claimed is so, complete or not."""
    assert set(dual.denial) <= question.denial
    for taken in dual.winning:
        assert any(w & taken == w for w in question.winning)
        told = dual.is_smallest(taken)
        assert told is None or told is (taken in question.winning)


@given(families, seeds, st.booleans())
def test_both_lists_are_complete(ways: list[int], seed: int, lean: bool) -> None:
    question = Monotone(ways, seed, lean=lean)
    dual = Dual(MEMBERS, question)
    dual.run()
    assert dual.complete
    assert sorted(dual.denial) == sorted(question.denial)
    assert set(dual.winning) == question.winning
    assert all(dual.is_smallest(w) for w in question.winning)
    assert len(question.asked) == len(set(question.asked)), "it asks nothing twice"


@given(families, seeds)
def test_of_cheapest_ways_each_question_shows_a_set(ways: list[int], seed: int) -> None:
    question = Monotone(ways, seed, lean=True)
    dual = Dual(MEMBERS, question)
    dual.run()
    assert len(question.asked) == len(question.winning) + len(question.denial)


@given(families, seeds, st.sampled_from((0.1, 0.4, 0.9)))
def test_nothing_wrong_is_claimed_where_answers_are_not_known(ways: list[int], seed: int, unknown: float) -> None:
    question = Monotone(ways, seed, unknown)
    dual = Dual(MEMBERS, question)
    dual.run()
    check_claims(dual, question)
    found = set(dual.winning) == question.winning and set(dual.denial) == question.denial
    assert found or not dual.complete
    for closed in dual.open:
        assert all(w & closed for w in dual.winning)
        assert closed not in dual.denial


@given(families, seeds, st.integers(0, 30))
def test_what_is_cut_short_claims_nothing_wrong_and_goes_on(ways: list[int], seed: int, most: int) -> None:
    question = Monotone(ways, seed)

    def ask(closed: int) -> Answer:
        if len(question.asked) >= most:
            raise TimeUp
        return question(closed)

    dual = Dual(MEMBERS, ask)
    try:
        dual.run()
    except TimeUp:
        assert not dual.complete
    check_claims(dual, question)
    most = 10**9
    dual.run()
    assert dual.complete
    assert set(dual.winning) == question.winning
    assert sorted(dual.denial) == sorted(question.denial)


@given(families, seeds, st.data())
def test_what_is_known_already_is_not_asked(ways: list[int], seed: int, data: st.DataObject) -> None:
    whole = Monotone(ways, seed)
    none = [c for c in range(2**MEMBERS) if all(w & c for w in whole.winning)]
    some = data.draw(st.lists(st.sampled_from(none), max_size=4)) if none else []
    won = data.draw(st.lists(st.sampled_from(sorted(whole.winning)), max_size=4)) if whole.winning else []
    dual = Dual(MEMBERS, whole, some, won)
    dual.run()
    assert set(dual.winning) == whole.winning
    assert sorted(dual.denial) == sorted(whole.denial)
    assert not any(n & c == n for n in some for c in whole.asked)
    assert not any(not w & c for w in won for c in whole.asked)


@given(families, seeds, st.sampled_from((0.3, 0.8)))
def test_a_smaller_part_is_asked_for_later(ways: list[int], seed: int, unknown: float) -> None:
    unsure, sure = Monotone(ways, seed, unknown), Monotone(ways, seed)
    asks = [unsure]
    dual = Dual(MEMBERS, lambda closed: asks[0](closed))
    dual.run()
    asks[0] = sure
    while any(dual.is_smallest(w) is None for w in dual.winning):
        for taken in dual.winning:
            dual.settle(taken)
    assert all(w in sure.winning for w in dual.winning)


@given(families, seeds, st.sampled_from((0.3, 0.8)))
def test_open_sets_can_be_asked_again(ways: list[int], seed: int, unknown: float) -> None:
    unsure, sure = Monotone(ways, seed, unknown), Monotone(ways, seed)
    asks = [unsure]
    dual = Dual(MEMBERS, lambda closed: asks[0](closed))
    dual.run()
    asks[0] = sure
    dual.reopen()
    assert not dual.complete
    dual.run()
    assert dual.complete
    assert set(dual.winning) == sure.winning
    assert sorted(dual.denial) == sorted(sure.denial)


def test_smaller_sets_are_asked_for_again_after_what_was_open_is_decided() -> None:
    """A winning set that is found late leaves out the open set, and makes a set hit all that held it needlessly."""
    ways = (0b111000, 0b10000, 0b100101, 0b11001, 0b10101, 0b1100)
    found = {0: 0b111000, 0b10000: 0b1100, 0b100100: 0b11001, 0b100101: 0b10000}

    def ask(closed: int) -> Answer:
        if closed == 0b1000:
            return "unknown"
        way = found.get(closed, next((w for w in ways if not w & closed), None))
        return "none" if way is None else TakenSet(way, lean=True)

    dual = Dual(6, ask)
    dual.run()
    assert dual.complete
    assert set(dual.winning) == smallest(ways)
    assert set(dual.denial) == smallest(c for c in range(2**6) if all(w & c for w in ways))


@pytest.mark.parametrize("most", [3, 4])
def test_many_sets_of_many_members(most: int) -> None:
    """All sets of so many of twelve: each denial set leaves one too few."""
    members = 12
    ways = [sum(1 << i for i in some) for some in combinations(range(members), most)]
    dual = Dual(members, lambda closed: next((TakenSet(w, True) for w in ways if not w & closed), "none"))
    dual.run()
    assert sorted(dual.winning) == sorted(ways)
    left = members - most + 1
    assert sorted(dual.denial) == sorted(sum(1 << i for i in some) for some in combinations(range(members), left))


def test_where_nothing_must_be_taken_nothing_denies() -> None:
    dual = Dual(3, lambda closed: TakenSet(0))
    dual.run()
    assert (dual.winning, dual.denial, dual.complete) == ([0], [], True)


def test_where_there_is_no_way_nothing_need_be_kept() -> None:
    dual = Dual(3, lambda closed: "none")
    dual.run()
    assert (dual.winning, dual.denial, dual.complete) == ([], [0], True)

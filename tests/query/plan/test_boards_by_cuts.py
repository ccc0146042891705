"""Landmark cuts on random small boards against brute force in plain Python.

Each board is asked for its cheapest plan, whether the goal can be reached, and for the largest value of an
expression, with and without a limit, by every kind of goal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.local_z3 import local_sessions
from tests.fixtures.pace import examples, seeds
from tests.oracles.captures import IDLE, Moment, Wish, World, fewest_captures
from tests.toys.small_maps import SIDES, SmallMap, numbers, questions
from tests.toys.wide_maps import aim, mix, wide_map
from vclogic.encode.linear.delete_free import delete_free
from vclogic.model.transition import actions_of
from vclogic.query.plan.cheapest import plan
from vclogic.query.plan.maximize import maximize
from vclogic.query.reach.by_steps import reach
from vclogic.solve.landmarks.search import CLOSURE, VERIFIED
from vclogic.terms.expressions.compiled import Goal
from vclogic.terms.expressions.resolve import compile_value

Case = tuple[SmallMap, str, Wish, str, Callable[[World, Moment], int], int | None]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A map, the side that moves, a goal, an expression and its value, and a limit."""
    m, side, wish = draw(questions(IDLE))
    (text, value, _), (text2, value2, _) = draw(numbers(m.world)), draw(numbers(m.world))
    factor, within = draw(st.sampled_from((0, 0, 1, -1, 2))), draw(st.none() | st.integers(0, 4))
    return (
        m,
        side,
        wish,
        f"{text} + {factor} * {text2}",
        lambda world, at: value(world, at) + factor * value2(world, at),
        within,
    )


def wide(rng: Random) -> Case:
    """The same on a larger board."""
    m, side = wide_map(rng), rng.choice(SIDES)
    text, worth = mix(rng, m.world)
    return m, side, aim(rng, m, side), text, worth, rng.choice((None, None, 2, 4, 6))


def all_agree(case: Case) -> str | None:
    """Asks all of it; gives who proved the plan's cost, or that there is none."""
    m, side, wish, text, worth, within = case
    best = fewest_captures(m.world, m.start, wish, side, IDLE, within)
    seen: list[int] = []

    def see(world: World, at: Moment) -> bool:
        seen.append(worth(world, at))
        return False

    largest = Wish("", see)
    fewest_captures(m.world, m.start, largest, side, IDLE, within)
    with local_sessions(60):
        question = m.ask(side, IDLE, within=within, timeout=60, wish=wish)
        problem = question.problem()
        free = delete_free(actions_of(problem.transition), problem.start, problem.metric)
        if actions_of(problem.transition):
            assert free is not None, "captures are delete-free"
        answer = plan(question)
        assert answer.status == ("impossible" if best is None else "optimal")
        assert (answer.cost, answer.lower_bound) == (best, best)
        if free is not None and best:
            assert answer.bound_by in (CLOSURE, VERIFIED)
        value = compile_value(text, m.system.vocabulary).partial
        highest = maximize(replace(question, goal=Goal(text, value.defined)), value)
        assert highest.maximum is not None
        assert (highest.maximum.value, highest.maximum.upper_bound) == (max(seen), max(seen))
        if within is None:
            found = reach(m.ask(side, IDLE, timeout=60, wish=wish))
            assert found.status == ("unreachable" if best is None else "reachable")
    return answer.bound_by


@examples(70)
@given(cases())
def test_small_boards(case: Case) -> None:
    all_agree(case)


def test_wide_boards() -> None:
    usual = (2, 8, 15, 16, 25, 28, 31, 34, 36, 39, 46, 87)
    by = Counter(all_agree(wide(Random(seed))) for seed in seeds(usual, range(90)))
    assert by[VERIFIED] * 9 >= by.total() * 4
    assert len(by) >= 3


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1000, 3000, 250))
def test_two_thousand_boards(first: int) -> None:
    for seed in range(first, first + 250):
        all_agree(wide(Random(seed)))

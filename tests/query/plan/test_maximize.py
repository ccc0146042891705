"""The largest value of an expression, on random small maps, against trying everything."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hypothesis import event, given
from hypothesis import strategies as st

from tests.fixtures.local_z3 import local_sessions
from tests.fixtures.pace import examples
from tests.oracles.captures import ANY, IDLE, Moment, Wish, World, fewest_captures, fewest_turns
from tests.toys.small_maps import SIDES, SmallMap, numbers, small_maps
from vclogic.query.plan.answer import Plan
from vclogic.query.plan.maximize import maximize
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.terms.expressions.compiled import Goal
from vclogic.terms.expressions.resolve import compile_value

Worth = Callable[[World, Moment], int]
Search = Callable[[Wish], int | None]


@st.composite
def questions(draw: st.DrawFn, most_land: int) -> tuple[SmallMap, str, str, Worth]:
    """A map, the side that moves, an expression and its value."""
    m = draw(small_maps(most_land, 3))
    (text, value, _), (text2, value2, _) = draw(numbers(m.world)), draw(numbers(m.world))
    factor = draw(st.sampled_from((0, 0, 1, -1, 2)))
    side = draw(st.sampled_from(SIDES))
    return (
        m,
        side,
        f"{text} + {factor} * {text2}",
        lambda world, at: value(world, at) + factor * value2(world, at),
    )


def best_of(worth: Worth, fewest: Search) -> tuple[int, int | None]:
    """The largest value, and what it costs at least."""
    seen: list[int] = []

    def look(world: World, at: Moment) -> bool:
        seen.append(worth(world, at))
        return False

    fewest(Wish("", look))
    best = max(seen)
    return best, fewest(Wish("", lambda world, at: worth(world, at) >= best))


def agrees(answer: Plan, best: int, cost: int | None, *, may_be_open: bool) -> None:
    """Whether the answer says what is so."""
    event(answer.status)
    assert answer.maximum is not None
    if answer.status == "optimal":
        assert (answer.maximum.value, answer.maximum.upper_bound) == (best, best)
        assert answer.cost == answer.lower_bound == cost
    else:
        assert may_be_open
        assert answer.maximum.upper_bound >= best
        assert answer.maximum.value is None or answer.maximum.value <= best


def largest(resolved: ResolvedQuestion, text: str) -> Plan:
    """The largest value of an expression, and a plan for it."""
    value = compile_value(text, resolved.system.vocabulary).partial
    return maximize(replace(resolved, goal=Goal(text, value.defined)), value)


@examples(36)
@given(questions(6), st.none() | st.integers(0, 4))
def test_with_an_idle_opponent(question: tuple[SmallMap, str, str, Worth], within: int | None) -> None:
    m, side, text, worth = question
    best, cost = best_of(worth, lambda wish: fewest_captures(m.world, m.start, wish, side, IDLE, within))
    with local_sessions(5):
        answer = largest(m.ask(side, IDLE, within=within), text)
    agrees(answer, best, cost, may_be_open=False)


@examples(18)
@given(questions(4), st.integers(0, 3))
def test_while_the_other_side_may_move_too(question: tuple[SmallMap, str, str, Worth], within: int) -> None:
    m, side, text, worth = question
    best, cost = best_of(worth, lambda wish: fewest_captures(m.world, m.start, wish, side, ANY, within))
    with local_sessions(5):
        answer = largest(m.ask(side, ANY, within=within), text)
    agrees(answer, best, cost, may_be_open=False)


@examples(18)
@given(questions(5), st.integers(0, 3))
def test_in_turns(question: tuple[SmallMap, str, str, Worth], within: int) -> None:
    m, side, text, worth = question
    best, cost = best_of(worth, lambda wish: fewest_turns(m.world, m.start, wish, side, IDLE, within))
    with local_sessions(5):
        answer = largest(m.ask(side, IDLE, "turns", within), text)
    agrees(answer, best, cost, may_be_open=False)

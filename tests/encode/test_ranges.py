"""Numbers for which a condition holds: compared with trying every one."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from vclogic.encode.python.evaluator import interpret
from vclogic.encode.ranges import boxes, merged
from vclogic.terms.atoms import integer, var
from vclogic.terms.build import add, and_, floordiv, ge, ite, not_, or_, scale
from vclogic.terms.sorts import IntSort
from vclogic.terms.term import Term

X, Y, Z = (var(name, IntSort(lo, hi)) for name, lo, hi in (("x", 1, 9), ("y", -3, 4), ("z", 0, 5)))


@st.composite
def conditions(draw: st.DrawFn, numbers: tuple[Term, ...], depth: int = 3) -> Term:
    """Comparisons of sums of some numbers, and what is made of them."""
    if depth and draw(st.booleans()):
        parts = [draw(conditions(numbers, depth - 1)) for _ in range(2)]
        return draw(st.sampled_from([and_(*parts), or_(*parts), not_(parts[0])]))
    factors = [draw(st.integers(-3, 3)) for _ in numbers]
    whole = add(*(scale(n, k) for n, k in zip(numbers, factors, strict=True)), draw(st.integers(-3, 3)))
    shared = draw(
        st.sampled_from([whole, whole, whole, floordiv(whole, 2), ite(ge(numbers[0], 2), whole, integer(3))])
    )
    return ge(shared, draw(st.integers(-6, 12)))


@examples(200)
@given(st.sampled_from([(X,), (X, Y), (Y, X, Z)]).flatmap(lambda ns: st.tuples(st.just(ns), conditions(ns))))
def test_boxes_hold_exactly_the_numbers_that_satisfy_a_condition(case: tuple[tuple[Term, ...], Term]) -> None:
    numbers, condition = case
    slot = {n: i for i, n in enumerate(numbers)}
    every = product(*(range(n.lo, n.hi + 1) for n in numbers))
    expected = [x for x in every if interpret(condition, slot, x)]
    found = [
        x
        for box in boxes(condition, numbers)
        for x in product(*([n for lo, hi in ranges for n in range(lo, hi + 1)] for ranges in box))
    ]
    assert sorted(found) == expected  # each combination once


def test_ranges_that_touch_are_one() -> None:
    assert merged([(4, 5), (1, 2), (3, 3), (8, 9), (7, 8)]) == ((1, 5), (7, 9))

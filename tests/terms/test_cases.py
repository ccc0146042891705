"""Comparisons told apart by conditions in their sums, against the values of random expressions."""

from __future__ import annotations

from hypothesis import event as note
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from tests.terms.specs import VARS, Spec, pools, specs, states, term
from vclogic.encode.python.codegen import interpret
from vclogic.model.event_terms import told_apart
from vclogic.terms.atoms import integer, var
from vclogic.terms.build import add, and_, eq, ge, minimum
from vclogic.terms.sorts import IntSort
from vclogic.terms.term import Term


@st.composite
def risen(draw: st.DrawFn) -> tuple[tuple[Term, ...], Term]:
    """How a conditional number compares with one of its branches, and with another number."""
    pool = tuple(dict.fromkeys((*draw(pools()), VARS["I"][1])))

    def number() -> Spec:
        return draw(specs(pool, "I", 3))

    shared = number()
    after = ("ite I", draw(specs(pool, "B", 2)), ("add", shared, number()), number())
    claim = (draw(st.sampled_from(["ge", "eq", "ne", "lt"])), ("add", after, number()), ("add", shared, number()))
    return pool, term(draw(st.sampled_from([claim, ("or", claim, draw(specs(pool, "B", 2)))])))


@examples(300)
@given(risen())
def test_a_comparison_told_apart_is_the_same(case: tuple[tuple[Term, ...], Term]) -> None:
    pool, claim = case
    apart = told_apart(claim)
    note(f"told apart: {apart is not claim}")
    slot = {v: i for i, v in enumerate(pool)}
    for state in states(pool):
        first, second = interpret([claim, apart], slot, [state[v] for v in pool])
        assert first == second


def test_a_capped_number_that_stays_has_got_nothing_or_is_at_its_cap() -> None:
    n, k = var("points", IntSort(0, 99)), var("more", IntSort(0, 5))
    capped = minimum(add(n, k), integer(99))
    stays = told_apart(eq(capped, n))
    assert stays is not eq(capped, n)
    at_cap = and_(ge(add(n, k), 100), eq(n, 99))
    for x in range(95, 100):
        for y in range(6):
            is_so, cap = interpret([stays, at_cap], {n: 0, k: 1}, [x, y])
            assert is_so == (y == 0 or cap)

"""What follows about sums that an event changes, against every assignment."""

from __future__ import annotations

from functools import cache
from itertools import product

from hypothesis import event as note
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from tests.terms.specs import VARS, domain
from vclogic.encode.python.codegen import interpret
from vclogic.solve.proofs.backwards import _forced_comparisons, _way
from vclogic.terms.atoms import var
from vclogic.terms.build import and_, eq, ge, linear, lt, not_, or_
from vclogic.terms.sorts import BOOL
from vclogic.terms.term import Term, variables

FLAGS = [*VARS["B"], VARS["I"][1], VARS["E"][0]]
NUMBERS = st.lists(st.tuples(st.integers(-2, 3), st.sampled_from([*VARS["B"], VARS["I"][1]])), min_size=2, max_size=4)


@st.composite
def comparisons(draw: st.DrawFn) -> Term:
    """Comparisons of sums that share addends, some of them in conditions that leave no choice."""
    shared = draw(NUMBERS)
    sums = [linear([*shared, *draw(NUMBERS)]) for _ in range(draw(st.integers(2, 4)))]
    tests = [(ge if draw(st.booleans()) else lt)(s, draw(st.integers(-3, 6))) for s in sums]
    other = eq(VARS["E"][0], "A")
    said = [
        draw(st.sampled_from([t, or_(t, other), not_(and_(t, other)), not_(and_(not_(t), other))])) for t in tests
    ]
    return and_(*said, other)


@examples(200)
@given(comparisons())
def test_what_is_said_of_sums_follows(claim: Term) -> None:
    way = _way(claim, cache(_forced_comparisons))
    found = variables(claim, way.whole, way.risen)
    slot = {v: i for i, v in enumerate(found)}
    note(f"sums left out: {len(variables(way.risen)) < len(variables(claim))}")
    for values in product(*map(domain, found)):
        is_so, whole, risen = interpret([claim, way.whole, way.risen], slot, list(values))
        assert whole == is_so
        assert risen or not is_so


def test_of_a_sum_that_has_risen_the_rise_is_left() -> None:
    places = [var(f"unit {i}", BOOL) for i in range(8)]
    small, large = lt(linear((1, p) for p in places), 5), ge(linear((1, p) for p in (*places, VARS["B"][0])), 5)
    assert _way(and_(small, large), cache(_forced_comparisons)).risen is VARS["B"][0]
    over, quiet = VARS["B"][1], VARS["B"][2]
    hidden = (not_(and_(not_(small), or_(over, quiet))), or_(over, quiet))
    assert VARS["B"][0] in {*_way(and_(*hidden, large), cache(_forced_comparisons)).risen.args, VARS["B"][0]}

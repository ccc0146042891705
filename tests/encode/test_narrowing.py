"""What tests leave of their variables, and what the parts of a conjunction tell of each other, by every value."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from tests.terms.specs import meaning, specs, states, term
from tests.toys.small_systems import FLUENTS
from vclogic.encode.narrowing import narrowed_by, propagated
from vclogic.encode.python.evaluator import interpret
from vclogic.terms.atoms import FALSE, var
from vclogic.terms.build import and_, ge, is_in, le, ne, not_, or_
from vclogic.terms.sorts import BOOL, EnumSort, IntSort

N, B, SIDE = var("n", IntSort(0, 9)), var("b", BOOL), var("side", EnumSort("side", ("red", "blue", "none")))


@examples(400)
@given(st.data())
def test_propagation_keeps_what_a_term_says(data: st.DataObject) -> None:
    some = tuple(data.draw(st.lists(st.sampled_from(FLUENTS), min_size=2, max_size=4, unique=True)))
    spec = ("and", *(data.draw(specs(some, "B", 2)) for _ in range(data.draw(st.integers(2, 4)))))
    found = propagated(term(spec))
    slot = {v: i for i, v in enumerate(some)}
    for values in states(some):
        assert bool(interpret(found, slot, [values[v] for v in some])) == bool(meaning(spec, values))


@examples(400)
@given(st.data())
def test_a_test_leaves_every_value_with_which_it_holds(data: st.DataObject) -> None:
    v = data.draw(st.sampled_from(FLUENTS))
    spec = data.draw(specs((v,), "B", 1))
    for f, left in narrowed_by(term(spec)).items():
        for values in states((v,)):
            if meaning(spec, values):
                x = values[f]
                assert left.mask >> x & 1 if f.mask else left.lo <= x <= left.hi


def test_a_number_that_is_told_settles_what_is_asked_of_it() -> None:
    said = and_(ge(N, 4), le(N, 4), not_(and_(ge(N, 3), or_(B, is_in(SIDE, ["red"])))))
    assert propagated(said) is and_(ge(N, 4), le(N, 4), not_(B), ne(SIDE, "red"))
    assert propagated(and_(is_in(SIDE, ["red"]), or_(B, is_in(SIDE, ["blue"])), not_(B))) is FALSE

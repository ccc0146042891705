"""Questions made smaller, and how far a state is from an answer: against every state of small ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from tests.terms.specs import Spec, cases, domain, meaning, states, term
from vclogic.encode.abstractions import DomainAbstraction, abstracted
from vclogic.encode.distance import penalty
from vclogic.encode.python.codegen import interpret
from vclogic.terms.atoms import var
from vclogic.terms.build import all_of, and_, any_of, floordiv, ge, is_in, le, linear, not_, scale
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term, variables

FACTS = tuple(var(f"fact {i}", BOOL) for i in range(5))
Case = tuple[tuple[Term, ...], Spec]


def value(t: Term, values: Mapping[Term, int]) -> int:
    slot = {v: i for i, v in enumerate(values)}
    return int(interpret([t], slot, list(values.values()))[0])


def numbers(v: Term) -> list[int]:
    return [i for i in range(v.mask.bit_length()) if v.mask >> i & 1] if v.mask else list(range(v.lo, v.hi + 1))


def everything(t: Term) -> Iterator[dict[Term, int]]:
    found = variables(t)
    return (dict(zip(found, chosen, strict=True)) for chosen in product(*map(numbers, found)))


@examples(150)
@given(cases("B", 4), st.booleans(), st.booleans())
def test_nothing_is_missing_exactly_where_a_term_holds(case: Case, every: bool, even: bool) -> None:
    pool, spec = case
    missing = penalty(term(spec), every=every, even=even)
    for values in states(pool):
        assert (value(missing, values) == 0) == bool(meaning(spec, values)), values
        assert value(missing, values) >= 0


def test_what_is_nearer_misses_less() -> None:
    total = var("total", IntSort(0, 500))
    missing = penalty(and_(ge(total, 400), *FACTS))
    nothing = dict.fromkeys(FACTS, 0)
    found = [value(missing, {total: n, **nothing}) for n in (0, 200, 398, 399, 400)]
    found += [value(missing, {total: 400, **nothing, FACTS[0]: 1})]
    assert found == sorted(set(found), reverse=True)
    alike = penalty(ge(total, 400), even=True)
    assert len({value(alike, {total: n}) for n in range(401)}) == 401


@st.composite
def comparisons(draw: st.DrawFn) -> Term:
    """A condition on several sums of the same facts, weighed in one proportion or in many."""
    weights = draw(st.lists(st.integers(1, 3), min_size=5, max_size=5))
    split = draw(st.integers(1, 4))
    sums: list[Any] = []
    for _ in range(draw(st.integers(2, 4))):
        a, b = draw(st.integers(-3, 3)), draw(st.integers(-3, 3))
        pairs = [(w * (a if i < split else b), f) for i, (w, f) in enumerate(zip(weights, FACTS, strict=True))]
        extra = [(), ((1, FACTS[0]),), ((1, floordiv(linear((2, f) for f in FACTS), 3)),)]
        extra += [((1, and_(t, FACTS[1])), (2, not_(t))) for t in sums]  # decided by another comparison
        sums.append(ge(linear([*pairs, *draw(st.sampled_from(extra))]), draw(st.integers(-6, 8))))
    parts = [not_(t) if draw(st.booleans()) else t for t in sums]
    return (all_of if draw(st.booleans()) else any_of)([*parts, *draw(st.sampled_from([(), FACTS[:1]]))])


@examples(100)
@given(comparisons())
def test_what_satisfies_a_question_satisfies_the_loosened_one(wanted: Term) -> None:
    loose = abstracted(wanted)
    if loose is not None and any(value(wanted, values) for values in everything(wanted)):
        assert any(value(loose, values) for values in everything(loose))


def test_rows_of_a_ratio_exclude_each_other_once_loosened() -> None:
    ours, theirs = (
        linear((3 * i % 7 + 1, var(f"{side} {i}", BOOL)) for i in range(20)) for side in ("German", "Soviet")
    )
    apart = abstracted(and_(ge(theirs, 1), le(ours, scale(theirs, 2)), ge(ours, scale(theirs, 3))))
    assert apart is not None
    assert len(variables(apart)) == 2
    assert not any(value(apart, values) for values in everything(apart))
    both = abstracted(and_(le(ours, scale(theirs, 3)), ge(ours, scale(theirs, 2))))
    assert both is not None
    assert any(value(both, values) for values in everything(both))


def test_a_grade_that_a_ratio_comes_to_is_the_ratio_once_loosened() -> None:
    ours, theirs = (
        linear((3 * i % 7 + 1, var(f"{side} {i}", BOOL)) for i in range(20)) for side in ("German", "Soviet")
    )
    rows = [le(ours, theirs), le(ours, scale(theirs, 2)), le(ours, scale(theirs, 3))]
    grade = linear([(1, rows[0]), (2, and_(not_(rows[0]), rows[1])), (3, and_(not_(rows[1]), rows[2]))])
    wrong, right = (abstracted(and_(ge(grade, 2), ge(theirs, 1), ge(ours, scale(theirs, k)))) for k in (4, 3))
    for loose, possible in ((wrong, False), (right, True)):
        assert loose is not None
        assert len(variables(loose)) == 2
        assert any(value(loose, values) for values in everything(loose)) == possible


@examples(150)
@given(cases("B", 4), st.data())
def test_a_question_over_one_member_of_each_kind_decides(case: Case, data: st.DataObject) -> None:
    pool, spec = case
    wanted = term(spec)
    preferred = {v: data.draw(st.sampled_from(domain(v))) for v in pool if isinstance(v.sort, EnumSort)}
    (thin,), stands = DomainAbstraction(preferred, few=1).abstracted([wanted])
    answers = [values for values in everything(thin) if value(thin, values)]
    assert bool(answers) == any(meaning(spec, values) for values in states(pool))
    for answer in answers:
        whole = {v: answer.get(stands.get(v, v), numbers(stands.get(v, v))[0]) for v in variables(wanted)}
        assert value(wanted, whole)


def test_members_that_are_told_apart_stay() -> None:
    sort = EnumSort("hex", tuple(f"h{i}" for i in range(200)))
    v = var("at", sort)
    (thin,), stands = DomainAbstraction({v: 150}).abstracted(
        [and_(not_(is_in(v, ["h3"])), is_in(v, sort.members[:180]))]
    )
    assert numbers(stands[v]) == [3, 150]
    assert value(thin, {stands[v]: 150})

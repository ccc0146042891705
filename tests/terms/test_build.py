"""Folding and bounds never change a value: random expressions against plain recursion, in all states."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from tests.terms.specs import E, F, Spec, assert_normal, cases, literal, meaning, states, term
from vclogic.terms.atoms import FALSE, TRUE, boolean, constant, integer, member, var
from vclogic.terms.build import (
    add,
    all_of,
    and_,
    any_of,
    ceildiv,
    count,
    eq,
    floordiv,
    ge,
    gt,
    iff,
    implies,
    in_mask,
    is_in,
    ite,
    le,
    linear,
    lt,
    minimum,
    ne,
    not_,
    or_,
    scale,
    sub,
    total,
    xor,
)
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Op, Term, postorder

MANY = examples(800)
p, q = var("p", BOOL), var("q", BOOL)
x, y = var("x", IntSort(-2, 5)), var("y", IntSort(0, 3))
c, d = var("c", E), var("d", E)


FAR = var("far", IntSort(0, 9))


@MANY
@given(
    st.lists(st.tuples(st.integers(-3, 3), st.sampled_from([x, y, p, q, not_(p), eq(c, "B")])), max_size=4), st.data()
)
def test_a_comparison_is_the_same_term_however_it_is_written(
    pairs: list[tuple[int, Term]], data: st.DataObject
) -> None:
    k = data.draw(st.integers(-6, 6))
    a = linear(pairs, data.draw(st.integers(-2, 2)))
    b = data.draw(st.sampled_from([x, add(y, scale(x, 2)), integer(1), sub(p, y)]))
    assert ge(a, k) is ge(add(a, FAR), add(FAR, k)) is not_(lt(a, k))
    assert le(a, k) is le(add(FAR, a), add(k, FAR)) is not_(gt(a, k))
    assert eq(a, b) is and_(ge(a, b), le(a, b))
    assert eq(a, k) is eq(add(a, FAR), add(FAR, k))


@MANY
@given(cases())
def test_folding_keeps_the_value_and_bounds_hold(case: tuple[tuple[Term, ...], Spec]) -> None:
    pool, spec = case
    t = term(spec)
    kind = spec_kind(t)
    for values in states(pool):
        want = meaning(spec, values)
        got = Substitution({v: literal(spec_kind(v), n) for v, n in values.items()})(t)
        assert got is literal(kind, want)
        assert t.mask >> want & 1 if t.mask else t.lo <= want <= t.hi


@MANY
@given(cases())
def test_terms_are_in_normal_form_and_shared(case: tuple[tuple[Term, ...], Spec]) -> None:
    _, spec = case
    t = term(spec)
    assert_normal(t)
    assert term(spec) is t
    if t.is_bool:
        assert not_(not_(t)) is t
        assert_normal(not_(t))
        if t.op not in (Op.AND, Op.OR) and not_(t).op not in (Op.AND, Op.OR):
            assert and_(t, not_(t)) is FALSE
            assert or_(not_(t), t) is TRUE


def spec_kind(t: Term) -> str:
    if isinstance(t.sort, EnumSort):
        return "E" if t.sort is E else "F"
    return "B" if t.is_bool else "I"


def test_comparisons_decided_by_bounds_disappear() -> None:
    assert ge(x, -2) is TRUE
    assert ge(x, 6) is FALSE
    assert le(add(x, y), 8) is TRUE
    assert lt(add(x, y), -2) is FALSE
    assert eq(scale(x, 2), 3) is FALSE  # by the divisor
    assert ne(scale(x, 2), 3) is TRUE
    assert ge(count([p, q]), 3) is FALSE
    assert ge(total([(2, p), (2, q)]), 1) is ge(count([p, q]), 1)


def test_comparisons_of_one_bool_are_that_bool() -> None:
    assert ge(count([p]), 1) is p
    assert lt(count([p]), 1) is not_(p)
    assert ge(scale(p, -3), 0) is not_(p)
    assert eq(add(p, 4), 5) is p
    assert le(p, 0) is not_(p)


def test_a_comparison_and_its_negation_share_a_term() -> None:
    for a, b in ((ge(x, 2), lt(x, 2)), (le(x, y), gt(x, y))):
        assert {t for t in postorder([a]) if t.op is Op.GE} == {t for t in postorder([b]) if t.op is Op.GE}
        assert not_(a) is b
    assert add(x, y, p) is add(p, y, x)
    assert ge(x, y) is le(y, x) is not_(lt(x, y)) is not_(gt(y, x))


def test_memberships_merge() -> None:
    assert and_(is_in(c, ["A", "B"]), is_in(c, ["B", "C"])) is eq(c, "B")
    assert or_(eq(c, "A"), eq(c, "B")) is not_(eq(c, "C"))
    assert and_(eq(c, "A"), eq(c, "B")) is FALSE
    assert or_(eq(c, "A"), p, is_in(c, ["B", "C"])) is TRUE
    assert or_(eq(c, "A"), p, eq(c, "B")).args == (is_in(c, ["A", "B"]), p)
    assert eq(c, c) is TRUE
    assert and_(eq(c, "A"), eq(d, "A")).op is Op.AND


def test_ite_of_bools_becomes_a_junction_where_it_can() -> None:
    assert ite(p, p, q) is ite(p, TRUE, q) is or_(p, q)
    assert ite(p, q, p) is ite(p, q, FALSE) is and_(p, q)
    assert ite(p, FALSE, q) is and_(not_(p), q)
    assert ite(p, q, TRUE) is or_(not_(p), q) is implies(p, q)
    assert ite(not_(p), x, y) is ite(p, y, x)
    assert ite(p, x, x) is x
    assert ite(p, integer(5), integer(2)) is linear([(3, p)], 2)


def test_masks_narrow() -> None:
    two = var("c", E, mask=0b011)
    assert is_in(two, ["A", "B"]) is TRUE
    assert eq(two, "C") is FALSE
    assert not_(eq(two, "A")) is eq(two, "B")
    assert var("c", E, mask=0b100) is member(E, "C")
    assert ite(p, member(E, "A"), member(E, "B")).mask == 0b011
    assert eq(ite(p, member(E, "A"), c), "A") is or_(p, eq(c, "A"))


def test_division_rounds_down_below_zero() -> None:
    for n in range(-9, 10):
        for k in range(1, 5):
            assert floordiv(n, k) is integer(n // k)
            assert ceildiv(n, k) is integer(-(-n // k))
    assert (floordiv(x, 2).lo, floordiv(x, 2).hi) == (-1, 2)
    assert (ceildiv(x, 2).lo, ceildiv(x, 2).hi) == (-1, 3)
    assert floordiv(x, 1) is x
    assert floordiv(y, 4) is integer(0)


def test_nothing_is_true_or_zero() -> None:
    assert and_() is all_of([]) is TRUE
    assert or_() is any_of([]) is FALSE
    assert add() is count([]) is total([]) is integer(0)


def test_constants() -> None:
    assert boolean(True) is TRUE
    assert integer(True) is integer(1)
    assert type(integer(True).value) is int
    assert integer(1) is not TRUE
    assert member(E, "B").value == "B"
    assert [constant(*pair).value for pair in ((BOOL, False), (IntSort(0, 3), 2), (E, "C"))] == [
        False,
        2,
        "C",
    ]
    assert var("k", IntSort(4, 4)) is integer(4)
    with pytest.raises(ValueError, match="outside"):
        constant(IntSort(0, 3), 4)
    with pytest.raises(TypeError):
        constant(IntSort(0, 3), True)
    with pytest.raises(TypeError):
        constant(BOOL, 1)
    with pytest.raises(KeyError):
        constant(E, "D")


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: not_(x),
        lambda: and_(p, c),
        lambda: or_(p, x),
        lambda: implies(x, p),
        lambda: ite(x, p, q),
        lambda: ite(p, x, q),
        lambda: ite(p, c, x),
        lambda: ite(p, c, var("f", F)),
        lambda: iff(p, c),
        lambda: xor(p, c),
        lambda: linear([(1, c)]),
        lambda: linear([(1, member(E, "A"))]),
        lambda: ge(c, 1),
        lambda: sub(c, c),
        lambda: floordiv(c, 2),
        lambda: ceildiv(c, 2),
        lambda: minimum(c, c),
        lambda: eq(c, var("f", F)),
        lambda: eq(c, 1),
        lambda: is_in(p, ["A"]),
        lambda: in_mask(x, 1),
        lambda: in_mask(p, 1),
    ],
)
def test_wrong_sorts_are_refused(wrong: object) -> None:
    assert callable(wrong)
    with pytest.raises(TypeError):
        wrong()


def test_wrong_values_are_refused() -> None:
    with pytest.raises(KeyError):
        is_in(c, ["D"])
    with pytest.raises(KeyError):
        eq(c, "D")
    for k in (0, -2):
        with pytest.raises(ValueError, match="positive"):
            floordiv(x, k)


def test_deep_terms_need_no_recursion() -> None:
    flags = [var(f"b{i}", BOOL) for i in range(2500)]
    owner = var("owner", E)
    chain: Term = owner
    nested: Term = owner
    for i, b in enumerate(flags):
        chain = ite(b, member(E, E.members[i % 3]), chain)
        nested = ite(b, nested, member(E, E.members[i % 3]))
    for t in (chain, nested):
        assert len(list(postorder([eq(t, "B")]))) > len(flags)
    none = Substitution(dict.fromkeys(flags, FALSE))
    assert none(eq(chain, "B")) is eq(owner, "B")
    every = Substitution(dict.fromkeys(flags, TRUE))
    assert every(eq(nested, "B")) is eq(owner, "B")
    last = Substitution({flags[-1]: TRUE})
    assert last(eq(chain, E.members[2499 % 3])) is TRUE
    assert last(eq(chain, E.members[2498 % 3])) is FALSE


def test_shared_branches_cost_no_more_than_once() -> None:
    flags = [var(f"b{i}", BOOL) for i in range(300)]
    t: Term = var("owner", E)
    for a, b, o in zip(flags[::3], flags[1::3], flags[2::3], strict=True):
        t = ite(a, ite(b, t, member(E, "A")), ite(o, t, member(E, "B")))  # 2**100 paths
    assert len(list(postorder([eq(t, "C")]))) < 1000

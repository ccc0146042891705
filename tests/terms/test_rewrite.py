"""Substitution keeps values; a variable that occurs only positively can only help."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from tests.terms.specs import (
    KIND,
    SORT,
    Spec,
    assert_normal,
    cases,
    domain,
    literal,
    meaning,
    pools,
    specs,
    states,
    term,
)
from vclogic.terms.atoms import FALSE, TRUE, member, var
from vclogic.terms.build import add, and_, floordiv, ge, implies, ite, linear, not_, or_, scale, sub
from vclogic.terms.partial import Partial
from vclogic.terms.rewrite import NEGATIVE, POSITIVE, Substitution, polarities, rebuild, substitute
from vclogic.terms.sorts import BOOL, IntSort
from vclogic.terms.term import Op, Term, postorder

MANY = examples(800)
p, q, r = (var(n, BOOL) for n in "pqr")
x, y = var("x", IntSort(-2, 1)), var("y", IntSort(0, 3))


@st.composite
def replacements(draw: st.DrawFn, pool: tuple[Term, ...]) -> dict[Term, Spec]:
    """For some variables a constant or an expression that stays within the variable's bounds."""
    found: dict[Term, Spec] = {}
    for v in draw(st.lists(st.sampled_from(pool), unique=True)):
        value = st.sampled_from(domain(v))
        constants = [("const", KIND[v], draw(value)) for _ in range(2)]
        if draw(st.booleans()):
            found[v] = constants[0]
        elif KIND[v] == "B" or (KIND[v] in SORT and v.mask == SORT[KIND[v]].full_mask):
            found[v] = draw(specs(pool, KIND[v], 2))
        else:
            found[v] = (f"ite {KIND[v]}", draw(specs(pool, "B", 2)), *constants)
    return found


@MANY
@given(st.data())
def test_what_is_known_to_stay_the_same_changes_no_result(data: st.DataObject) -> None:
    pool = data.draw(pools())
    terms = [term(data.draw(specs(pool, depth=3))) for _ in range(3)]
    variables = data.draw(st.lists(st.sampled_from(pool), unique=True))
    same: set[Term] = set()
    for _ in range(3):
        mapping = {v: term(("const", KIND[v], data.draw(st.sampled_from(domain(v))))) for v in variables}
        learning, plain = Substitution(mapping, same), Substitution(mapping)
        assert [learning(t) for t in terms] == [plain(t) for t in terms]
    assert not any(v in postorder([t]) for t in same for v in variables)


@MANY
@given(st.data())
def test_substituting_some_variables_keeps_the_value(data: st.DataObject) -> None:
    pool = data.draw(pools())
    spec = data.draw(specs(pool, depth=3))
    new = data.draw(replacements(pool))
    t = substitute(term(spec), {v: term(s) for v, s in new.items()})
    assert_normal(t)
    for values in states(pool):
        inner = {**values, **{v: meaning(s, values) for v, s in new.items()}}
        want = meaning(spec, inner)
        assert t.mask >> want & 1 if t.mask else t.lo <= want <= t.hi
        assert substitute(t, {v: literal(KIND[v], n) for v, n in values.items()}).payload == want


@MANY
@given(cases())
def test_substituting_nothing_changes_nothing(case: tuple[tuple[Term, ...], Spec]) -> None:
    t = term(case[1])
    assert Substitution({})(t) is t
    for s in postorder([t]):
        if s.args:
            assert rebuild(s, list(s.args)) is s


def test_whole_subterms_are_replaced_but_replacements_are_not() -> None:
    t = and_(or_(p, q), ge(x, 1))
    assert substitute(t, {or_(p, q): r}) is and_(r, ge(x, 1))
    assert substitute(p, {p: q, q: r}) is q
    assert substitute(and_(p, q), {p: q, q: p}) is and_(q, p)
    assert substitute(p, {}) is p


def test_substitution_is_not_recursive() -> None:
    flags = [var(f"b{i}", BOOL) for i in range(3000)]
    t: Term = y
    for b in flags:
        t = ite(b, floordiv(add(t, y, 1), 2), t)
    assert substitute(t, dict.fromkeys(flags, FALSE)) is y
    assert substitute(t, {flags[0]: TRUE}).op is Op.ITE


# ---- Polarity


@MANY
@given(cases("B"))
def test_raising_a_positive_variable_never_hurts(case: tuple[tuple[Term, ...], Spec]) -> None:
    pool, spec = case
    root = term(spec)
    signs = polarities([root])
    for v in pool:
        sign = signs.get(v, 0)
        if KIND[v] not in "BI" or sign == POSITIVE | NEGATIVE:
            continue
        for values in states(pool):
            if values[v] + 1 not in domain(v):
                continue
            before, after = meaning(spec, values), meaning(spec, {**values, v: values[v] + 1})
            assert before == after or (sign == POSITIVE and before < after) or (sign == NEGATIVE and before > after)


def test_polarities_of_each_operator() -> None:
    both = POSITIVE | NEGATIVE
    assert polarities([implies(p, q)])[p] == NEGATIVE
    assert polarities([implies(p, q)])[q] == POSITIVE
    assert polarities([not_(and_(p, or_(q, r)))])[r] == NEGATIVE
    signs = polarities([ge(sub(x, y), 1)])
    assert (signs[x], signs[y]) == (POSITIVE, NEGATIVE)
    signs = polarities([ge(ite(p, x, floordiv(add(y, y, q), 3)), 1)])
    assert (signs[p], signs[x], signs[y], signs[q]) == (both, POSITIVE, POSITIVE, POSITIVE)
    assert polarities([and_(p, not_(or_(p, q)))])[p] == both
    assert polarities([p, not_(p)])[p] == both
    assert polarities([and_(p, q), q])[q] == POSITIVE


NUMBERS = [var(f"number {i}", IntSort(-1, 4)) for i in range(5)]
NAMES = [var(f"name {i}", (IntSort(0, 3), BOOL)[i % 2]) for i in range(6)]


@MANY
@given(st.lists(st.integers(-3, 3), min_size=5, max_size=5), st.lists(st.integers(0, 7), min_size=5, max_size=5))
def test_a_sum_of_replaced_numbers_is_the_sum_made_of_them(ks: list[int], names: list[int]) -> None:
    """In order and unlike each other or not; some are constants, some stay."""
    known = [*NAMES, TRUE, member(SORT["E"], "A")]
    new = [NUMBERS[i] if known[n].mask else known[n] for i, n in enumerate(names)]
    found = Substitution(dict(zip(NUMBERS, new, strict=True)))(linear(zip(ks, NUMBERS, strict=True), 2))
    assert found is linear(zip(ks, new, strict=True), 2)


def test_polarities_are_not_recursive() -> None:
    t: Term = p
    for i in range(10_000):
        t = not_(and_(t, var(f"b{i}", BOOL)))
    assert polarities([t])[p] == POSITIVE


# ---- Pairs of value and definedness


def test_partial_values() -> None:
    assert Partial(p).holds is p
    assert Partial(p, q).holds is and_(q, p)
    ratio = Partial(ge(y, scale(add(x, 2), 2)), ge(x, -1))
    for a in domain(x):
        for b in domain(y):
            at = Substitution({x: literal("I", a), y: literal("I", b)})
            assert at(ratio.value).value == (b >= 2 * (a + 2))
            assert at(ratio.holds).value == (a >= -1 and b >= 2 * (a + 2))
    assert member(SORT["E"], "A").is_const

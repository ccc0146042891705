"""SMT-LIB against direct evaluation: satisfiable in exactly the states where Python says so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from tests.fixtures.smt_checker import Checker, in_state, is_
from tests.terms.specs import cases, literal, meaning, states, term
from vclogic.encode.portable import PortableWriter
from vclogic.encode.smt import SmtWriter
from vclogic.solve.backends.z3_engine import ENGINES
from vclogic.terms.atoms import FALSE, TRUE, boolean, constant, var
from vclogic.terms.build import (
    and_,
    any_of,
    ceildiv,
    count,
    eq,
    floordiv,
    ge,
    iff,
    implies,
    ite,
    le,
    linear,
    not_,
    or_,
    sub,
)
from vclogic.terms.reach import Graph, reach
from vclogic.terms.rewrite import substitute
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term

DIALECTS = [*((engine, False) for engine in ENGINES), ("plain", True)]


# ---- every operator


@examples(60)
@given(st.data())
def test_exactly_the_states_of_python(data: st.DataObject) -> None:
    pool, spec = data.draw(cases())
    state = data.draw(st.sampled_from(list(states(pool))[:400]))
    built = term(spec)
    kind = "E" if isinstance(built.sort, EnumSort) and len(built.sort.members) == 3 else "F"
    kind = "B" if built.is_bool else kind if isinstance(built.sort, EnumSort) else "I"
    value = meaning(spec, state) + data.draw(st.sampled_from((0, 0, 0, 1, -1)))
    if kind == "B":
        value %= 2
    elif kind != "I":
        value %= len(built.sort.members) if isinstance(built.sort, EnumSort) else 1
    asked = eq(built, literal(kind, value))
    some = [*data.draw(st.lists(st.sampled_from(list(states(pool))[:400]), max_size=6)), state]
    truth = [meaning(spec, s) == value for s in some]
    for engine, portable in DIALECTS:
        checker = Checker(engine, portable)
        checker.add(asked)
        found = [checker.check(in_state(s)) for s in some]
        assert found == truth, (engine, portable)


@examples(60)
@given(st.data())
def test_models_are_states_in_which_the_terms_hold(data: st.DataObject) -> None:
    pool, spec = data.draw(cases("BI"))
    built = term(spec)
    values = {meaning(spec, s) for s in states(pool)}
    value = data.draw(st.sampled_from(sorted({*values, max(values) + 1})))
    asked = eq(built, boolean(bool(value)) if built.is_bool else value) if not built.is_bool or value < 2 else FALSE
    for engine, portable in DIALECTS:
        checker = Checker(engine, portable)
        checker.add(asked, *(ge(v, v.lo) for v in pool if not v.mask))
        assert checker.check() == (value in values), (engine, portable)
        if value in values:
            found = checker.values()
            full = {v: found.get(v, next(iter(states((v,))))[v]) for v in pool}
            assert meaning(spec, full) == value, (engine, portable, full)


@pytest.mark.parametrize(("engine", "portable"), DIALECTS)
@pytest.mark.parametrize(
    ("k", "low", "high"), [(1, -5, 4), (2, -9, -3), (2, -5, 4), (3, 0, 11), (7, -5, 4), (7, 3, 13)]
)
def test_division_rounds_as_python_does(engine: str, portable: bool, k: int, low: int, high: int) -> None:
    x = var("x", IntSort(low, high))
    for n in range(low, high + 1):
        checker = Checker(engine, portable)
        checker.add(eq(x, n), eq(floordiv(x, k), n // k), eq(ceildiv(x, k), -(-n // k)))
        assert checker.check()
        assert checker.values()[x] == n
        only = Checker(engine, portable)  # nothing but the value of x says what the quotients are
        only.add(eq(x, n))
        assert not only.check(not_(eq(floordiv(x, k), n // k)))
        assert not only.check(not_(eq(ceildiv(x, k), -(-n // k))))


@pytest.mark.parametrize("most", [2, 4, 5, 8])
def test_a_number_is_never_beyond_its_bounds(most: int) -> None:
    x, more = var("x", IntSort(0, most)), var("more", IntSort(0, most + 1))
    checker = Checker("plain", False)
    checker.add(eq(x, more))
    assert checker.check(ge(more, most))
    assert not checker.check(ge(more, most + 1))


@pytest.mark.parametrize(("engine", "portable"), DIALECTS)
def test_models_give_values_of_every_sort(engine: str, portable: bool) -> None:
    two = EnumSort("two", ("A", "B"))
    three = EnumSort("three", ("A", "B", "C"))
    wanted: dict[Term, int] = {
        var("below", IntSort(-7, -2)): -3,
        var("around", IntSort(-2, 5)): 4,
        var("above", IntSort(5, 9)): 5,
        var("high", IntSort(100, 107)): 107,
        var("yes", BOOL): 1,
        var("no", BOOL): 0,
        var("two", two): 0,
        var("other", two): 1,
        var("three", three): 1,
        var("part", three, mask=0b101): 2,
        var("rest", three, mask=0b110): 1,
    }
    checker = Checker(engine, portable)
    checker.add(*(is_(v, x) for v, x in wanted.items()))
    assert checker.check()
    assert checker.values() == wanted


def test_what_the_model_leaves_open_is_a_value_of_the_sort() -> None:
    writer = SmtWriter()
    three = EnumSort("three", ("A", "B", "C"))
    assert writer.value(var("x", IntSort(-3, 4)), {}) == -3
    assert writer.value(var("c", three, mask=0b110), {}) == 1
    assert writer.value(var("p", BOOL), {}) == 0


@pytest.mark.parametrize("engine", list(ENGINES))
def test_sums_of_booleans_with_negative_weights_and_constants(engine: str) -> None:
    p, q, r = (var(n, BOOL) for n in "pqr")
    x = linear([(3, p), (-2, q), (1, r)], -1)
    for bits in product((0, 1), repeat=3):
        value = 3 * bits[0] - 2 * bits[1] + bits[2] - 1
        checker = Checker(engine)
        checker.add(in_state(dict(zip((p, q, r), bits, strict=True))))
        for k in range(-4, 5):
            assert checker.check(ge(x, k)) == (value >= k)
            assert checker.check(le(x, k)) == (value <= k)


def test_one_writer_defines_a_shared_term_once() -> None:
    p, q = var("p", BOOL), var("q", BOOL)
    shared = or_(p, q)
    writer = SmtWriter()
    first = writer.assertions([implies(shared, p)])
    again = writer.assertions([implies(shared, q)])
    assert first.count("(or |p| |q|)") == 1
    assert "(or |p| |q|)" not in again
    assert "declare" not in again


def test_the_portable_dialect_has_none_of_z3s_own_atoms() -> None:
    parts = [var(n, BOOL) for n in "pqrst"]
    text = PortableWriter().assertions([ge(linear((i + 1, p) for i, p in enumerate(parts)), 4)])
    assert "pbge" not in text
    assert "at-least" not in text


# ---- reachability


@st.composite
def graphs(draw: st.DrawFn) -> Graph[int]:
    n = draw(st.integers(1, 6))
    pairs = [(a, b) for a in range(n) for b in range(n) if a != b]
    return Graph(
        tuple(range(n)), tuple(draw(st.lists(st.sampled_from(pairs), unique=True, max_size=9)) if pairs else ())
    )


def reached(graph: Graph[int], sources: Iterable[int], passable: Iterable[int]) -> set[int]:
    """What networkx reaches."""
    walk: networkx.DiGraph[int] = networkx.DiGraph()
    walk.add_nodes_from(graph.nodes)
    free = set(passable)
    walk.add_edges_from((a, b) for a, b in graph.edges if b in free)
    return {n for s in sources for n in {s} | networkx.descendants(walk, s)}


@examples(70)
@given(st.data())
def test_reach_against_networkx_in_every_polarity(data: st.DataObject) -> None:
    graph = data.draw(graphs())
    n = len(graph.nodes)
    flags = [var(f"{kind}{i}", BOOL) for kind in ("source", "free") for i in range(n)]
    given_ = [data.draw(st.sampled_from((FALSE, TRUE, flag, flag, not_(flag)))) for flag in flags]
    terms = reach(graph, dict(enumerate(given_[:n])), dict(enumerate(given_[n:])))
    bits = data.draw(st.lists(st.booleans(), min_size=2 * n, max_size=2 * n))
    on = [
        t is TRUE or (t in flags and b) or (t not in flags and t is not FALSE and not b)
        for t, b in zip(given_, bits, strict=True)
    ]
    truth = reached(graph, (i for i in range(n) if on[i]), (i for i in range(n) if on[n + i]))
    state = in_state({f: int(b) for f, b in zip(flags, bits, strict=True)})
    engine, portable = data.draw(st.sampled_from(DIALECTS))
    order = data.draw(st.permutations(range(n)))
    k = data.draw(st.integers(0, n))
    questions = [(terms[i], i in truth) for i in order]
    questions += [(not_(terms[i]), i not in truth) for i in order]
    questions += [(ge(count(terms.values()), k), len(truth) >= k), (le(count(terms.values()), k), len(truth) <= k)]
    questions += [(iff(terms[0], terms[i]), (0 in truth) == (i in truth)) for i in order]
    questions = data.draw(st.permutations(questions))
    checker = Checker(engine, portable)
    if data.draw(st.booleans()):
        checker.add(state)
        found = [checker.check(question) for question, _ in questions]
    else:
        found = [checker.check(state, question) for question, _ in questions]
    assert found == [answer for _, answer in questions]


def test_reach_is_exact_where_it_occurs_both_ways_in_one_term() -> None:
    graph = Graph((0, 1, 2), ((0, 1), (1, 2), (2, 1)))
    p, q = var("p", BOOL), var("q", BOOL)
    found = reach(graph, {0: p}, {1: q, 2: TRUE})
    for engine, portable in DIALECTS:
        checker = Checker(engine, portable)
        checker.add(ite(found[2], not_(p), and_(p, q)))  # reached means p and q: so neither branch can be
        assert not checker.check()
        checker = Checker(engine, portable)
        checker.add(found[2], not_(q))  # a loop of two that holds itself up
        assert not checker.check()


# ---- names


NASTY = [
    "a|b",
    "a\\b",
    "a%7Cb",
    "a%b",
    "a b",
    'a"b',
    "a'b",
    "Île ♥",
    "a\nb",
    "(a)",
    ";a",
    "",
    "a,b",
    "|",
    "\\",
    "%7C",
    "á",
    "á",
]
OWN = [
    "t!1",
    "a!1",
    "a!2",
    "q!1",
    "r!1",
    "k!1",
    "true",
    "false",
    "and",
    "or",
    "not",
    "ite",
    "let",
    "assert",
    "Bool",
    "pbge",
]


@pytest.mark.parametrize(("engine", "portable"), DIALECTS)
def test_names_survive(engine: str, portable: bool) -> None:
    names = list(dict.fromkeys(NASTY + OWN))
    sort = EnumSort("name", tuple(names))
    wanted: dict[Term, int] = {var(n, BOOL): i % 2 for i, n in enumerate(names)}
    wanted |= {var(f"owner[{n}]", sort): i for i, n in enumerate(names)}
    wanted |= {var(f"x[{n}]", IntSort(0, 50)): i for i, n in enumerate(names)}
    checker = Checker(engine, portable)
    checker.add(*(is_(v, x) for v, x in wanted.items()))
    assert checker.check()
    assert checker.values() == wanted
    for v, x in list(wanted.items())[:5]:
        assert not checker.check(not_(is_(v, x)))


@examples(60)
@given(
    st.lists(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=5),
        min_size=2,
        max_size=5,
        unique=True,
    )
)
def test_different_names_are_different_variables(names: Sequence[str]) -> None:
    flags = [var(n, BOOL) for n in names]
    sort = EnumSort("e", tuple(names))
    enums = [var(f"v{n}", sort) for n in names]
    wanted = {v: i % 2 for i, v in enumerate(flags)} | {v: i for i, v in enumerate(enums)}
    checker = Checker("merging")
    checker.add(*(is_(v, x) for v, x in wanted.items()))
    assert checker.check()
    assert checker.values() == wanted


def test_an_enum_s_member_is_not_taken_for_another_variable_s() -> None:
    a, ab = var("a", EnumSort("one", ("b=c", "x", "y"))), var("a=b", EnumSort("two", ("c", "x", "y")))
    checker = Checker("plain")
    checker.add(eq(a, "b=c"), eq(ab, "x"))
    assert checker.check()
    assert checker.values() == {a: 0, ab: 1}


# ---- engines agree


@examples(40)
@given(st.data())
def test_engines_agree_on_weighted_sums(data: st.DataObject) -> None:
    flags = [var(f"b{i}", BOOL) for i in range(data.draw(st.integers(3, 9)))]
    weights = st.integers(-4, 5)
    laws = []
    for _ in range(data.draw(st.integers(1, 4))):
        total = linear((data.draw(weights), f) for f in flags)
        laws.append(data.draw(st.sampled_from((ge, le, eq)))(total, data.draw(st.integers(-4, 8))))
    laws += [
        any_of(data.draw(st.lists(st.sampled_from([*flags, *map(not_, flags)]), min_size=1, max_size=3)))
        for _ in range(data.draw(st.integers(0, 3)))
    ]
    truth = any(
        all(holds(t, dict(zip(flags, bits, strict=True))) for t in laws)
        for bits in product((0, 1), repeat=len(flags))
    )
    for engine, portable in DIALECTS:
        checker = Checker(engine, portable)
        checker.add(*laws)
        assert checker.check() == truth, (engine, portable)


def holds(t: Term, values: Mapping[Term, int]) -> bool:
    """A term's value by substitution of constants."""
    return substitute(t, {v: constant(v.sort, bool(x)) for v, x in values.items()}) is TRUE


def test_a_difference_that_could_overflow() -> None:
    x, y = var("x", IntSort(-120, 135)), var("y", IntSort(-1, 254))
    for engine, portable in DIALECTS:
        checker = Checker(engine, portable)
        checker.add(eq(sub(x, y), -374), le(add_all(x, y, y), 388))
        assert checker.check()
        assert checker.values() == {x: -120, y: 254}
        assert not checker.check(ge(sub(x, y), -373))


def add_all(*terms: Term) -> Term:
    """The sum."""
    return linear((1, t) for t in terms)

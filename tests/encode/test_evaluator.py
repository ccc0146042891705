"""Compiled, interpreted and tracked values against plain recursion."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Mapping
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from tests.terms.specs import Spec, cases, meaning, pools, specs, states, term
from vclogic.encode.python.evaluator import (
    Evaluator,
    compile_term,
    compile_terms,
    interpret,
)
from vclogic.model.fluents import Layout, value
from vclogic.terms.atoms import TRUE, integer, member, var
from vclogic.terms.build import (
    add,
    and_,
    count,
    eq,
    floordiv,
    ge,
    is_in,
    ite,
    linear,
    not_,
    or_,
    total,
)
from vclogic.terms.reach import Graph, reach
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term

MANY = examples(200)
POWER = EnumSort("power", ("German", "Japanese", "Russian", "British", "American"))


# ---- Terms as functions


@MANY
@given(st.data())
def test_compiled_and_interpreted_values_are_right(data: st.DataObject) -> None:
    pool = data.draw(pools())
    several = data.draw(st.lists(specs(pool), min_size=1, max_size=4))
    terms = [term(s) for s in several]
    slot = {v: i for i, v in enumerate(pool)}
    together, alone = compile_terms(terms, slot), [compile_term(t, slot) for t in terms]
    for values in states(pool):
        state = tuple(values.values())
        want = tuple(meaning(s, values) for s in several)
        assert together(state) == together(list(state)) == want
        assert tuple(f(state) for f in alone) == want
        assert tuple(interpret(t, slot, state) for t in terms) == want


@MANY
@given(cases())
def test_evaluators_give_values_of_the_right_type(case: tuple[tuple[Term, ...], Spec]) -> None:
    pool, spec = case
    evaluator = Evaluator(layout_of(pool), {"it": term(spec), "twice": term(spec)})
    for values in states(pool):
        state = tuple(values.values())
        want = value(term(spec).sort, meaning(spec, values))
        for got in evaluator.evaluate(state).values():
            assert (got, type(got)) == (want, type(want))


def layout_of(pool: tuple[Term, ...]) -> Layout:
    """A layout of given variables; masked ones have no family of their own."""
    layout = Layout(())
    layout.fluents = pool
    layout.slot = {v: i for i, v in enumerate(pool)}
    return layout


def test_deep_terms_compile() -> None:
    flags = [var(f"b{i}", BOOL) for i in range(4_000)]
    x = var("x", IntSort(0, 9))
    slot = {v: i for i, v in enumerate((*flags, x))}
    chain: Term = x
    mixed: Term = flags[0]
    for i, b in enumerate(flags):
        chain = ite(b, integer(i), chain)
        mixed = (and_ if i % 2 else or_)(mixed, not_(b) if i % 3 else b)
    rng = random.Random(5)
    wide = linear((i % 7 - 3, b) for i, b in enumerate(flags))
    for f in (chain, mixed, wide):
        compiled = compile_term(f, slot)
        for size in (0, 1, 2000):
            state = [0] * 4_000 + [7]
            for i in rng.sample(range(4_000), size):
                state[i] = 1
            assert compiled(state) == interpret(f, slot, state)


def test_deep_shared_sums_compile() -> None:
    flags = [var(f"b{i}", BOOL) for i in range(600)]
    slot = {v: i for i, v in enumerate(flags)}
    t: Term = integer(100)
    for i, b in enumerate(flags):
        t = floordiv(add(t, t, t, b, *flags[: i % 60], 2), 3)
    compiled = compile_term(t, slot)
    for n in (0, 1, 300, 599):
        state = tuple(int(i <= n) for i in range(600))
        assert compiled(state) == interpret(t, slot, state)


def test_compiling_needs_little_of_the_stack() -> None:
    x = [var(f"x{i}", IntSort(0, 9)) for i in range(300)]
    t: Term = x[0]
    for i in range(300):
        t = ite(ge(floordiv(add(t, *x[i : i + 20]), 2), 3), add(t, x[i]), floordiv(add(t, x[-i], 1), 2))
    slot = {v: i for i, v in enumerate(x)}

    def down(n: int) -> int:
        return down(n - 1) if n else compile_term(t, slot)([3] * 300)

    assert down(sys.getrecursionlimit() // 2) == interpret(t, slot, [3] * 300)


def test_sums_are_grouped_by_enum_variable() -> None:
    a, b = var("owner[a]", POWER), var("owner[b]", POWER)
    flag, n = var("flag", BOOL), var("n", IntSort(-3, 3))
    slot = {a: 0, b: 1, flag: 2, n: 3}
    third = floordiv(total([(4, eq(a, "German")), (8, is_in(a, ["Russian", "British"]))]), 3)  # of one variable
    chosen = ite(eq(b, "German"), third, total([(5, is_in(b, ["Russian"]))]))  # of two
    alone = ite(eq(b, "German"), integer(2), floordiv(add(third, 9), 2))
    terms = [
        linear([(2, eq(a, "German")), (3, is_in(b, ["Russian", "British"])), (-1, eq(a, "British"))], 7),
        linear([(5, third), (-2, eq(a, "British")), (3, eq(b, "German"))], -4),
        linear([(-3, flag), (1, eq(a, "German")), (4, n), (-1, n), (1, flag), (2, chosen)], 10),
        linear([(-1, flag), (-1, n), (6, chosen), (1, alone)], 1),
        linear([(1, third)], 5),
        linear([(2, flag), (-1, n)], -6),
    ]
    compiled = compile_terms(terms, slot)
    for state in product(range(5), range(5), range(2), range(-3, 4)):
        i, j, f, m = state
        t = {0: 1, 2: 2, 3: 2}.get(i, 0)
        c = t if j == 0 else 5 * (j == 2)
        e = 2 if j == 0 else (t + 9) // 2
        assert compiled(state) == (
            7 + 2 * (i == 0) + 3 * (j in (2, 3)) - (i == 3),
            5 * t - 2 * (i == 3) + 3 * (j == 0) - 4,
            -2 * f + (i == 0) + 3 * m + 2 * c + 10,
            -f - m + 6 * c + e + 1,
            t + 5,
            2 * f - m - 6,
        )


@pytest.mark.usefixtures("either_way")
def test_equal_tables_of_truths_and_numbers_are_kept_apart() -> None:
    a, b = var("owner[a]", POWER), var("owner[b]", POWER)
    axis = ["German", "Japanese"]
    terms = {"number": add(is_in(a, axis), is_in(b, axis)), "truth": is_in(a, axis)}
    for named in (terms, dict(reversed(terms.items()))):
        found = Evaluator(layout_of((a, b)), named).evaluate((0, 3))
        assert (found["number"], found["truth"]) == (1, True)
        assert (type(found["number"]), type(found["truth"])) == (int, bool)


def test_large_enums_tabulate_fast() -> None:
    hexes = EnumSort("hex", tuple(f"h{i}" for i in range(1000)))
    units = [var(f"at{u}", hexes) for u in range(3)]
    slot = {v: i for i, v in enumerate(units)}
    cost = linear((h % 9, eq(u, name)) for u in units for h, name in enumerate(hexes.members))
    state = tuple(range(100, 1000, 300))
    assert compile_term(cost, slot)(state) == sum(h % 9 for h in state) == interpret(cost, slot, state)


@pytest.mark.usefixtures("either_way")
def test_names_never_reach_the_source() -> None:
    evil = '"]; raise SystemExit #\n'
    sort = EnumSort(evil, (evil, "'", "\\"))
    v, b = var(evil, sort), var("s[0]); import os #", BOOL)
    graph = Graph((evil, "b"), ((evil, "b"),))
    hit = reach(graph, {evil: b}, {"b": eq(v, evil)})["b"]
    evaluator = Evaluator(
        layout_of((v, b)), {evil: and_(hit, is_in(v, [evil, "'"])), "who": ite(b, v, member(sort, "'"))}
    )
    assert evaluator.evaluate((0, 1)) == {evil: True, "who": evil}
    assert evaluator.evaluate((2, 0)) == {evil: False, "who": "'"}


def test_a_variable_without_a_slot_is_an_error() -> None:
    p, c = var("p", BOOL), var("c", POWER)
    for t in (p, not_(p), eq(c, "German"), ge(count([p, eq(c, "German")]), 2)):
        with pytest.raises(KeyError):
            compile_term(t, {})
        with pytest.raises(KeyError):
            interpret(t, {}, ())


def test_reach_in_compiled_terms_with_every_kind_of_source() -> None:
    graph = Graph.undirected(range(4), [(0, 1), (1, 2), (2, 3)])
    flags = [var(f"b{i}", BOOL) for i in range(4)]
    owner = var("owner", POWER)
    slot = {v: i for i, v in enumerate((*flags, owner))}
    free: Mapping[int, Term] = {1: eq(owner, "German"), 2: flags[2], 3: TRUE}
    for sources in ({0: TRUE}, {0: flags[0]}, {0: TRUE, 3: flags[3]}, {0: eq(owner, "Russian"), 2: flags[1]}):
        terms = list(reach(graph, sources, free).values())
        compiled = compile_terms([*terms, count(terms)], slot)
        for bits in range(16):
            for power in range(5):
                state = (*(bits >> i & 1 for i in range(4)), power)
                *found, number = compiled(state)
                assert [bool(f) for f in found] == [bool(interpret(t, slot, state)) for t in terms]
                assert number == sum(map(bool, found))


def test_no_solver_is_imported() -> None:
    code = "import sys, vclogic.encode.python.evaluator; sys.exit('z3' in sys.modules or 'highspy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": ":".join(sys.path)}).returncode == 0


def test_weighted_sum_over_cities() -> None:
    owners = [var(f"owner{i}", POWER) for i in range(25)]
    points = total((i % 3 + 1, is_in(v, ["German", "Japanese"])) for i, v in enumerate(owners))
    compiled = compile_term(points, {v: i for i, v in enumerate(owners)})
    rng = random.Random(3)
    for _ in range(50):
        state = tuple(rng.randrange(5) for _ in owners)
        assert compiled(state) == sum(i % 3 + 1 for i, n in enumerate(state) if n in (0, 1))


def test_sums_of_the_same_variables_do_not_run_into_each_other() -> None:
    """Sums that are looked up together, with numbers below 0, over more or fewer variables."""
    rng = random.Random(5)
    owners = [var(f"owner{i}", POWER) for i in range(40)]
    flag, number = var("flag", BOOL), var("number", IntSort(-5, 5))
    slot = {v: i for i, v in enumerate([*owners, flag, number])}
    sums: list[Term] = []
    for n in range(60):
        some = rng.sample(owners, rng.choice([3, 9, 25, 40]))
        weights = [(rng.randint(-9, 9), is_in(v, rng.sample(POWER.members, 2))) for v in some]
        least = [(10**12, is_in(some[0], ["German"]))] if n % 7 == 0 else []
        sums.append(add(total([*weights, *least, (3, flag)]), number if n % 2 else rng.randint(-9, 9)))
    terms = [*sums, *(ge(t, 4) for t in sums)]
    compiled = compile_terms(terms, slot)
    for _ in range(60):
        state = (*(rng.randrange(5) for _ in owners), rng.randrange(2), rng.randint(-5, 5))
        assert compiled(state) == tuple(interpret(t, slot, state) for t in terms)
        assert compiled((*([0] * 40), 1, -5)) == tuple(interpret(t, slot, (*([0] * 40), 1, -5)) for t in terms)

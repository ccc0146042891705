"""Values of terms over arrays of states, against plain recursion and against single states."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from tests.terms.specs import domain, meaning, pools, specs, states, term
from vclogic.encode.python.batch import ROWS, batch_function, smallest_type, type_of
from vclogic.encode.python.evaluator import compile_terms, interpret
from vclogic.terms.atoms import TRUE, integer, member, var
from vclogic.terms.build import add, all_of, any_of, count, eq, floordiv, ge, is_in, ite, linear, not_, scale, sub
from vclogic.terms.reach import Graph, reach
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term

MANY = examples(200)


def rows(terms: list[Term], pool: tuple[Term, ...], found: list[tuple[int, ...]]) -> list[list[int]]:
    """The values of each term by `batch_function`, of all three orders and types in which arrays may come."""
    slot = {v: i for i, v in enumerate(pool)}
    batch = batch_function(terms, slot)
    numbers = [x for row in found for x in row]
    array = np.array(found, np.int64).reshape(len(found), len(pool))
    small = np.asfortranarray(array, smallest_type(min(numbers, default=0), max(numbers, default=0)))
    values = [[x.tolist() for x in batch(a)] for a in (array, small, np.repeat(array, 2, axis=0)[::2])]
    assert values[0] == values[1] == values[2]
    for t, x in zip(terms, batch(array), strict=True):
        assert x.dtype == type_of(t)
        assert x.shape == (len(found),)
    result: list[list[int]] = values[0]
    return result


@MANY
@given(st.data())
def test_values_of_random_terms_are_right(data: st.DataObject) -> None:
    pool = data.draw(pools())
    several = data.draw(st.lists(specs(pool), min_size=1, max_size=4))
    all_states = list(states(pool))
    got = rows([term(s) for s in several], pool, [tuple(x.values()) for x in all_states])
    assert got == [[meaning(s, values) for values in all_states] for s in several]


def agree(terms: list[Term], pool: tuple[Term, ...], seed: int = 1, n: int = 300) -> None:
    """Fails if rows of random states have other values than each state alone."""
    rng = random.Random(seed)
    found = [tuple(rng.choice(domain(v)) for v in pool) for _ in range(n)]
    single = compile_terms(terms, {v: i for i, v in enumerate(pool)})
    want = [list(map(int, x)) for x in zip(*map(single, found), strict=True)]
    assert rows(terms, pool, found) == want


@pytest.mark.parametrize("most", [1, 100, 127, 128, 30_000, 2**31 - 1, 2**40, 2**62, 2**70])
def test_no_number_is_too_large(most: int) -> None:
    a, b, p = var("a", IntSort(-most, most)), var("b", IntSort(0, most)), var("p", BOOL)
    terms = [
        add(a, b),
        sub(a, b),
        linear([(most, p), (-3, a), (2, b)], most),
        scale(a, most),
        ite(p, a, b),
        ite(p, integer(-most), b),
        ite(p, a, integer(most)),
        ite(p, integer(-most), integer(most)),
        floordiv(a, 7),
        floordiv(a, 2 * most + 5),
        floordiv(linear([(5, a), (-2, b)], 3), 3),
        ge(add(a, b, b), most),
        eq(a, b),
    ]
    slot = {a: 0, b: 1, p: 2}
    found = list(product((-most, -1, 0, most), (0, 1, most), (0, 1)))
    array = np.array(found, object if most >= 2**63 else np.int64)
    want = [[interpret(t, slot, state) for state in found] for t in terms]
    assert [x.tolist() for x in batch_function(terms, slot)(array)] == want


def test_sums_of_many_parts() -> None:
    flags = tuple(var(f"p{i}", BOOL) for i in range(300))
    numbers = tuple(var(f"n{i}", IntSort(-50, 90)) for i in range(20))
    terms = [
        count(flags),
        linear([(i % 5 - 2, p) for i, p in enumerate(flags)], 7),
        linear([*((1, n) for n in numbers), *((3, p) for p in flags)], -40),
        linear([(-1, numbers[0]), (2, numbers[1])]),
        linear([(1, numbers[0])], 3),
    ]
    agree(terms, (*flags, *numbers))


@pytest.mark.parametrize("members", [2, 5, 127, 128, 129, 300])
def test_sets_of_few_and_of_many_members(members: int) -> None:
    place = EnumSort(f"place{members}", tuple(f"m{i}" for i in range(members)))
    v, w = var("v", place), var("w", place)
    names = place.members
    sets = [
        names[:1],
        names[-1:],
        names[1:],
        names[::2],
        names[: members // 2],
        names[members // 3 : members // 2 + 1],
        names[1::3],
    ]
    terms = [is_in(x, s) for x in (v, w) for s in sets if 0 < len(s) < members]
    terms += [not_(t) for t in terms]
    weights = linear([(i % 7, eq(v, name)) for i, name in enumerate(names)])
    terms += [weights, ge(weights, 3), eq(v, w), add(weights, count([eq(w, names[0]), eq(v, names[1])]))]
    terms += [ite(is_in(v, names[::2]), w, member(place, names[1])), scale(weights, 1000)]
    agree([t for t in terms if not t.is_const], (v, w))


def test_tests_that_hold_for_every_member_or_for_none() -> None:
    place = EnumSort("four", tuple("abcd"))
    v, w = var("v", place), var("w", place)
    some = linear([(1, is_in(v, "ab")), (1, is_in(v, "bcd")), (1, is_in(v, "ad"))])  # 2, whatever v is, or 1
    agree([t for t in (ge(some, 1), ge(some, 2), ge(some, 3), add(some, eq(w, "a"))) if not t.is_const], (v, w))


def test_values_that_a_variable_cannot_have_do_not_matter() -> None:
    place = EnumSort("ten", tuple("abcdefghij"))
    v = var("v", place, mask=0b1011011010)
    agree([is_in(v, s) for s in ("b", "bd", "bj", "egj", "de", "dg", "j")], (v,))


@pytest.mark.parametrize("seed", range(6))
def test_graphs(seed: int) -> None:
    rng = random.Random(seed)
    n = rng.randint(2, 14)
    edges = {(rng.randrange(n), rng.randrange(n)) for _ in range(3 * n)}
    graph = Graph(tuple(range(n)), tuple(sorted(edges)))
    flags = tuple(var(f"p{i}", BOOL) for i in range(2 * n))
    sources = {i: rng.choice([flags[i], flags[i], TRUE]) for i in range(0, n, 4)}
    free = {i: rng.choice([flags[n + i], flags[n + i], all_of(flags[i : i + 2]), TRUE]) for i in range(n) if i % 5}
    reached = [t for t in reach(graph, sources, free).values() if not t.is_const]
    agree([*reached, count(reached), any_of(reached)], flags)


def test_more_rows_than_a_block_and_none() -> None:
    x, p = var("x", IntSort(0, 9)), var("p", BOOL)
    batch = batch_function([x, p, ge(x, 5), integer(3)], {x: 0, p: 1})
    states = np.array([[i % 10, i % 2] for i in range(2 * ROWS + 5)], np.int16)
    want = [[i % 10 for i in range(len(states))], [bool(i % 2) for i in range(len(states))]]
    got: list[Any] = [found.tolist() for found in batch(states)]
    assert got[:2] == want
    assert got[2] == [i % 10 >= 5 for i in range(len(states))]
    assert got[3] == [3] * len(states)
    assert [len(found) for found in batch(states[:0])] == [0, 0, 0, 0]


def test_the_values_are_not_the_memory_of_the_states() -> None:
    x, p = var("x", IntSort(0, 9)), var("p", BOOL)
    states = np.asfortranarray([[3, 1], [4, 0]], np.int8)
    for found in batch_function([x, p], {x: 0, p: 1})(states):
        found[:] = 1
    assert states.tolist() == [[3, 1], [4, 0]]


def test_deep_terms() -> None:
    x = var("x", IntSort(0, 3))
    t: Term = x
    for i in range(3000):
        t = floordiv(add(t, x, i % 3), 2)
    agree([t], (x,), n=20)

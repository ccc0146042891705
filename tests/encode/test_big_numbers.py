"""Numbers around what a backend still takes exactly, through all encoders, against plain recursion.

An encoder that cannot take a number says so (HiGHS), or writes it in another way (z3, NumPy); none gets it wrong.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.encode.test_smt import DIALECTS
from tests.fixtures.local_highs import local_highs
from tests.fixtures.pace import examples
from tests.fixtures.smt_checker import Checker, in_state, is_
from tests.terms.specs import KIND, Spec, meaning, specs, term
from vclogic.clock import Deadline
from vclogic.encode.linear.affine import Unsupported
from vclogic.encode.linear.terms import compile_program
from vclogic.encode.python.batch import batch_function
from vclogic.encode.python.codegen import build_function, interpret
from vclogic.encode.ranges import boxes
from vclogic.explore.packing import Packing
from vclogic.model.actions import MOST_ODDS, Action
from vclogic.model.fluents import LARGEST, Family
from vclogic.progress import untold
from vclogic.solve.backends.certificate import is_model
from vclogic.solve.backends.highs import Minimization, minimize
from vclogic.terms.atoms import integer, var
from vclogic.terms.build import all_of, eq, ge, le, linear, or_, scale
from vclogic.terms.sorts import BOOL, IntSort
from vclogic.terms.term import Term

EDGES = (2**31, 2**32, 2**53, 2**63, 10**18)
NEAR = st.builds(
    lambda sign, edge, by: sign * (edge + by), st.sampled_from((1, 1, -1)), st.sampled_from(EDGES), st.integers(-2, 2)
)
PRODUCTS = st.builds(int.__mul__, NEAR, NEAR)
LESS = st.sampled_from((10**5, 10**5 + 1, 999_999_999, 2**30, 3 * 2**29, 2**52 + 1))
NUMBERS = st.one_of(st.integers(-3, 3), NEAR, NEAR, LESS, PRODUCTS)


@st.composite
def wide(draw: st.DrawFn, most: int = 10**40) -> Term:
    """A number whose bounds are large, or far from 0, or both."""
    ends = sorted(min(max(draw(NUMBERS), -most), most - 3) for _ in range(2))
    if draw(st.booleans()):
        ends = [ends[0], ends[0] + 3]
    return var(f"w{ends[0]}..{ends[1]}", IntSort(ends[0], max(ends[1], ends[0] + 1)))


@st.composite
def pools(draw: st.DrawFn) -> tuple[Term, ...]:
    small = draw(st.lists(st.sampled_from(list(KIND)), min_size=1, max_size=4, unique=True))
    return tuple(dict.fromkeys([*small, *draw(st.lists(wide(), max_size=2))]))


def some_state(data: st.DataObject, pool: Sequence[Term]) -> dict[Term, int]:
    found: dict[Term, int] = {}
    for v in pool:
        if v.mask:
            found[v] = data.draw(st.sampled_from([m for m in range(v.hi + 1) if v.mask >> m & 1]))
        else:
            found[v] = data.draw(st.one_of(st.sampled_from((v.lo, v.hi)), st.integers(v.lo, v.hi)))
    return found


def drawn(data: st.DataObject, kinds: str = "BI") -> tuple[tuple[Term, ...], Spec, list[dict[Term, int]]]:
    pool = data.draw(pools())
    spec = data.draw(specs(pool, kinds, 3, NUMBERS))
    return pool, spec, [some_state(data, pool) for _ in range(4)]


@examples(2_000, usual=40)
@given(st.data())
def test_the_interpreter_generated_python_and_numpy(data: st.DataObject) -> None:
    pool, spec, some = drawn(data)
    built, slot = term(spec), {v: i for i, v in enumerate(pool)}
    rows = [tuple(s.values()) for s in some]
    truth = [meaning(spec, s) for s in some]
    assert [int(interpret([built], slot, row)[0]) for row in rows] == truth
    assert [int(build_function([built], slot)(row)[0]) for row in rows] == truth
    whole = max((abs(x) for row in rows for x in row), default=0) < 2**63
    states = np.array(rows, np.int64 if whole else object).reshape(len(rows), len(pool))
    assert [int(x) for x in batch_function([built], slot)(states)[0]] == truth
    assert built.lo <= min(truth)
    assert max(truth) <= built.hi


@examples(400, usual=6)
@given(st.data())
def test_smt_lib_in_both_dialects(data: st.DataObject) -> None:
    _, spec, some = drawn(data)
    built = term(spec)
    value = meaning(spec, some[0]) + data.draw(st.sampled_from((0, 0, 1, -1, 2**31, -(2**32), 2**63)))
    claims = [eq(built, integer(value)), ge(built, value)] if not built.is_bool else [built, built]
    truth = [meaning(spec, s) for s in some]
    wanted = [[x == value, x >= value] if not built.is_bool else [x == 1] * 2 for x in truth]
    for engine, portable in DIALECTS:
        for i, claim in enumerate(claims):
            checker = Checker(engine, portable)
            checker.add(claim)
            found = [checker.check(in_state(s)) for s in some]
            assert found == [w[i] for w in wanted], (engine, portable)


@pytest.mark.parametrize(("engine", "portable"), DIALECTS)
@pytest.mark.parametrize("weight", [2**31 - 1, 2**31, 3_000_000_000, 2**32 - 1, 2**32, 2**63, 10**18])
def test_one_weight_alone_is_enough(engine: str, portable: bool, weight: int) -> None:
    """z3 reads such a weight as a negative one: "at least 1" could not be met."""
    p, q = var("p", BOOL), var("q", BOOL)
    for sign in (1, -1):
        checker = Checker(engine, portable)
        checker.add(ge(linear([(sign * weight, p), (1, q)]), 1 if sign > 0 else 1 - weight), is_(q, 0))
        assert checker.check() == (sign > 0 or weight > 1)
        assert checker.check(is_(p, 1)) == (sign > 0)


@examples(300)
@given(st.data())
def test_sums_of_truths_with_huge_weights(data: st.DataObject) -> None:
    """Weights alone may be small and their sum not."""
    flags = [var(n, BOOL) for n in "abcdef"]
    weights = data.draw(st.lists(NUMBERS.filter(bool), min_size=2, max_size=6))
    bits = data.draw(st.lists(st.integers(0, 1), min_size=6, max_size=6))
    value = sum(k * x for k, x in zip(weights, bits, strict=False))
    least = value + data.draw(st.sampled_from((0, 1, -1)))
    claim = ge(linear(zip(weights, flags, strict=False)), least)
    state = in_state(dict(zip(flags, bits, strict=True)))
    for engine, portable in DIALECTS:
        checker = Checker(engine, portable)
        checker.add(claim)
        assert checker.check(state) == (value >= least), (engine, portable)


@examples(300)
@given(st.data())
def test_programs_refuse_what_doubles_get_wrong(data: st.DataObject) -> None:
    """The cheapest solution of HiGHS is that of trying all, or the program is refused."""
    flags = [var(n, BOOL) for n in "abcde"]
    sizes = st.one_of(st.integers(-9, 9), st.integers(-(10**5), 10**5), NUMBERS)
    few = data.draw(st.sampled_from((sizes, st.integers(-(10**5), 10**5), st.integers(-9, 9))))
    weights = [data.draw(st.lists(few, min_size=5, max_size=5)) for _ in range(2)]
    price = data.draw(st.lists(data.draw(st.sampled_from((few, sizes))), min_size=5, max_size=5))
    goals = [data.draw(st.sampled_from((sum(map(abs, w)) // 2, sum(w), 1))) for w in weights]
    claims = [ge(linear(zip(w, flags, strict=True)), g) for w, g in zip(weights, goals, strict=True)]
    cost = linear(zip(price, flags, strict=True), data.draw(few))
    slot = {v: i for i, v in enumerate(flags)}
    every = [[n >> i & 1 for i in range(5)] for n in range(32)]
    right = [int(interpret([cost], slot, s)[0]) for s in every if all(interpret(claims, slot, s))]
    try:
        program = compile_program(claims, cost)
    except Unsupported:
        assert max(map(abs, [*weights[0], *weights[1], *price, *goals, cost.payload[1] if cost.args else 0])) > 10**4
        return
    with local_highs():
        found = minimize(Minimization(program, claims), Deadline(60), untold)
    assert found.status == ("optimal" if right else "infeasible")
    assert found.cost == found.lower_bound == min(right, default=None)
    assert not right or is_model(found.values, claims)


@examples(300)
@given(st.data())
def test_ranges_of_one_number(data: st.DataObject) -> None:
    number = data.draw(wide())
    parts = [
        ge(scale(number, data.draw(NUMBERS.filter(bool))), data.draw(st.one_of(NUMBERS, PRODUCTS)))
        for _ in range(data.draw(st.integers(1, 2)))
    ]
    condition = data.draw(st.sampled_from((all_of, lambda ts: or_(*ts))))(parts)
    inside = [ranges[0] for ranges in boxes(condition, [number])]
    for x in {number.lo, number.hi, *(some_state(data, [number])[number] for _ in range(3))}:
        there = any(lo <= x <= hi for ranges in inside for lo, hi in ranges)
        assert there == bool(interpret([condition], {number: 0}, [x])[0])


@examples(300)
@given(st.data())
def test_keys_of_positions(data: st.DataObject) -> None:
    pool = data.draw(st.lists(wide(LARGEST), min_size=1, max_size=4, unique=True))
    rows = [tuple(some_state(data, pool).values()) for _ in range(5)]
    states = np.array(rows, np.int64)
    packing = Packing.of(states)
    keys, inside = packing.packed(states)
    assert inside.all()
    assert [tuple(map(int, row)) for row in packing.unpacked(keys)] == rows
    assert [packing.key_of(row) for row in rows] == [tuple(map(int, key)) for key in keys.T]
    for i in packing.digits:
        for kind in (np.int64, object):
            new = np.array([data.draw(NUMBERS if kind is object else st.just(row[i])) for row in rows], kind)
            fits = packing.holds(i, new)
            assert fits.tolist() == [packing.least[i] <= x < packing.least[i] + packing.span[i] for x in new]
            moved = keys.copy()
            moved[packing.digits[i].word] += packing.growth(i, states[:, i], new)
            wanted = [(*row[:i], int(x), *row[i + 1 :]) for row, x in zip(rows, new, strict=True)]
            after = packing.unpacked(moved).tolist()
            assert all(tuple(a) == w for a, w, fit in zip(after, wanted, fits, strict=True) if fit)


def test_no_fact_is_beyond_what_states_hold() -> None:
    assert Family("gold", IntSort(-LARGEST, LARGEST), "gold").fluent.hi == LARGEST
    for lo, hi in ((0, LARGEST + 1), (-(2**63), 0), (0, 10**30)):
        with pytest.raises(ValueError, match="no fact is beyond"):
            Family("gold", IntSort(lo, hi), "gold")


def test_no_odds_are_beyond_what_sums_of_them_hold() -> None:
    for odds in (MOST_ODDS + 1, var("many", IntSort(1, 2**53))):
        with pytest.raises(ValueError, match="none are beyond"):
            Action("roll", (), None, (), (), "A roll", odds=odds)


def test_bounds_of_a_program_are_bounds_of_its_sums() -> None:
    """Whole numbers that are small may have a sum that a double does not hold."""
    n = 40
    flags = [var(f"flag {i}", BOOL) for i in range(n)]
    price = [2**52 + 1 + i for i in range(n)]
    with pytest.raises(Unsupported, match="floating point"):
        compile_program([ge(linear((1, f) for f in flags), 3)], linear(zip(price, flags, strict=True)))
    assert compile_program([le(linear((1, f) for f in flags), 3)], linear((-3, f) for f in flags)).rows

"""Mixed-integer programs against direct evaluation: feasible and cheapest exactly where Python says so."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from tests.fixtures.local_highs import local_highs
from tests.fixtures.pace import examples
from tests.fixtures.smt_checker import Checker
from tests.terms.specs import meaning, pools, specs, states, term
from vclogic.clock import Deadline
from vclogic.encode.linear.affine import LARGEST, Affine, Program, Sheet, Unsupported, combined
from vclogic.encode.linear.terms import compile_program
from vclogic.progress import untold
from vclogic.solve.backends.certificate import is_model
from vclogic.solve.backends.highs import Minimization, Minimum, minimize
from vclogic.terms.atoms import FALSE, TRUE, integer, var
from vclogic.terms.build import add, and_, eq, floordiv, ge, implies, is_in, ite, le, linear, not_, or_, scale, sub
from vclogic.terms.reach import Graph, reach
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term

P, Q, R = (var(n, BOOL) for n in "PQR")
X, Y, Z = (var(n, IntSort(0, 9)) for n in "XYZ")
OWNER = EnumSort("owner", ("red", "blue", "green"))


def cheapest(terms: Sequence[Term], objective: Term | None = None) -> Minimum:
    with local_highs():
        return minimize(Minimization(compile_program(terms, objective), terms), Deadline(60), untold)


def costs(program: Program) -> dict[tuple[int, ...], int]:
    """The cost of each solution of a program, by trying all."""
    found = {}
    for solution in product(*(range(lo, hi + 1) for lo, hi in program.columns)):
        sums = [(sum(k * solution[c] for c, k in row.weights), row) for row in program.rows]
        if all((r.lo is None or s >= r.lo) and (r.hi is None or s <= r.hi) for s, r in sums):
            found[solution] = program.cost(solution)
    return found


# ---- random terms


@examples(250)
@given(st.data())
def test_the_optimum_is_the_one_of_python_and_z3(data: st.DataObject) -> None:
    pool = data.draw(pools())
    claims = [data.draw(specs(pool, "B")) for _ in range(data.draw(st.integers(1, 3)))]
    objective = data.draw(specs(pool, "I"))
    allowed = [s for s in states(pool) if all(meaning(c, s) for c in claims)]
    best = min((meaning(objective, s) for s in allowed), default=None)
    terms, cost = [term(c) for c in claims], term(objective)
    found = cheapest(terms, cost)
    event(found.status)
    assert found.status == ("infeasible" if best is None else "optimal")
    assert found.cost == found.lower_bound == best
    if best is not None:
        assert is_model(found.values, terms)
    checker = Checker("plain")
    for t in terms:
        checker.add(t)
    assert checker.check(*([] if best is None else [le(cost, best)])) == (best is not None)
    assert best is None or not checker.check(le(cost, best - 1))


@st.composite
def programs_by_hand(draw: st.DrawFn) -> list[Term]:
    """Conjunctions in the way unrolled steps are written: definitions, guarded sums, cases of an Enum."""
    numbers = [X, Y, var("next X", IntSort(-9, 18)), var("next Y", IntSort(-9, 18))]
    owner, later = var("owner", OWNER), var("later", OWNER)
    flags = st.sampled_from([P, Q, is_in(owner, ["red"]), is_in(owner, ["blue", "green"])])
    sums = st.builds(
        lambda a, b, c: linear([(a, numbers[0]), (b, numbers[1])], c),
        st.integers(-2, 2),
        st.integers(-2, 2),
        st.integers(-3, 3),
    )
    moved = ite(draw(flags), draw(sums), draw(sums))
    claims = [
        eq(numbers[2], sub(X, Y)),
        eq(later, ite(draw(flags), var("conqueror", OWNER, mask=draw(st.sampled_from((3, 5, 6, 7)))), owner)),
        or_(not_(draw(flags)), ge(draw(sums), draw(st.integers(-5, 20)))),
        ge(add(numbers[2], moved), draw(st.integers(-9, 9))),
        implies(draw(flags), and_(ge(draw(sums), draw(flags)), le(floordiv(draw(sums), 2), 3))),
        or_(is_in(later, [draw(st.sampled_from(OWNER.members))]), draw(flags)),
    ]
    return draw(st.lists(st.sampled_from(claims), min_size=2, max_size=6, unique=True))


@examples(80)
@given(programs_by_hand(), st.integers(-2, 2), st.integers(-2, 2))
def test_what_steps_are_made_of(terms: list[Term], a: int, b: int) -> None:
    cost = linear([(a, X), (b, Y), (1, P)])
    found = cheapest(terms, cost)
    checker = Checker("plain")
    for t in terms:
        checker.add(t)
    if found.status == "infeasible":
        assert not checker.check()
    else:
        assert found.status == "optimal"
        assert found.cost is not None
        assert is_model(found.values, terms)
        assert not checker.check(le(cost, found.cost - 1))


# ---- how it is written


def test_sums_are_rows_and_what_is_defined_has_no_column() -> None:
    after = var("after", IntSort(-9, 18))
    program = compile_program([eq(after, add(X, scale(Y, -1))), ge(after, 3), le(after, 5)], after)
    assert program.columns == ((0, 9), (0, 9))
    assert [(row.weights, row.lo, row.hi) for row in program.rows] == [(((0, 1), (1, -1)), 3, 5)]
    assert program.values([7, 2]) == {X: 7, Y: 2, after: 5}
    assert set(costs(program).values()) == {3, 4, 5}


def test_a_condition_has_one_column_however_often_it_is_used() -> None:
    rich = ge(add(X, Y), 12)
    program = compile_program([or_(P, Q, rich), or_(R, and_(Q, rich), rich), le(Z, linear([(4, rich)], 1))])
    assert len(program.columns) - len({X, Y, Z, P, Q, R} & set(program.places)) <= 2  # `rich`, and Q with it


def test_a_guarded_sum_is_one_row() -> None:
    program = compile_program([or_(not_(P), Q, ge(sub(X, Y), 2))])
    assert len(program.columns) == 4
    assert [(len(row.weights), row.lo) for row in program.rows] == [(4, -9)]


def test_what_need_not_be_noticed_is_not_said() -> None:
    """A condition that can only help is claimed where it holds, and no row says that it must be."""
    program = compile_program([or_(P, and_(Q, ge(X, 5))), or_(R, and_(Q, ge(X, 5)))])
    assert all((row.lo is not None and row.hi is None) or len(row.weights) == 2 for row in program.rows)
    assert len(program.rows) <= 4


def test_two_members_are_one_column_and_three_are_three() -> None:
    two, three = var("two", OWNER, mask=0b101), var("three", OWNER)
    program = compile_program([is_in(two, ["green"]), or_(P, is_in(three, ["red"]))])
    assert len(program.columns) == 1 + 3 + 1
    assert all(values[two] == 2 for values in map(program.values, costs(program)))


def test_what_cannot_be_is_seen() -> None:
    assert compile_program([P, not_(P)]).impossible
    assert compile_program([FALSE]).impossible
    assert compile_program([ge(X, 4), le(X, 3)]).impossible
    assert not compile_program([TRUE], integer(7)).impossible
    assert cheapest([TRUE], integer(7)).cost == 7


# ---- what is refused


def test_reachability_is_not_for_programs() -> None:
    line = Graph.undirected(range(3), [(0, 1), (1, 2)])
    with pytest.raises(Unsupported, match="'reach'"):
        compile_program([reach(line, {0: P}, dict.fromkeys(range(3), Q))[2]])


@pytest.mark.parametrize(
    "terms",
    [
        [ge(linear([(LARGEST + 1, P), (1, X)]), 5)],
        [or_(P, ge(linear([(LARGEST, X), (3, Y)]), LARGEST + 1))],
        [ge(var("huge", IntSort(0, LARGEST + 1)), 5)],
        [le(scale(var("large", IntSort(0, 10**5)), 10**12), linear([(10**12 + 1, P)]))],
    ],
)
def test_numbers_too_large_for_floating_point(terms: list[Term]) -> None:
    with pytest.raises(Unsupported, match="floating point"):
        compile_program(terms, X)


@pytest.mark.parametrize("n", [0, 2, 3, 5, 9])
@pytest.mark.parametrize("factor", [1, 3])
def test_a_quotient_is_exact_from_both_sides(n: int, factor: int) -> None:
    quotient = floordiv(scale(X, factor), 3)
    for sign in (1, -1):
        assert cheapest([ge(X, n), le(X, n)], scale(quotient, sign)).cost == sign * (factor * n // 3)


def test_what_a_sum_defines_stays_within_its_bounds() -> None:
    low, high = var("no more than 5", IntSort(0, 5)), var("no less than 3", IntSort(3, 40))
    assert cheapest([eq(add(X, Y), low)], scale(low, -1)).cost == -5
    assert cheapest([eq(add(X, Y), high)], high).cost == 3


def test_a_row_is_as_tight_as_whole_numbers_allow_and_stays_so() -> None:
    sheet = Sheet()
    a, b = sheet.column(0, 9), sheet.column(0, 9)
    sheet.at_least(combined([(2, a), (2, b)]), 3)
    sheet.at_least(combined([(-2, a), (-2, b)]), -11)
    assert [(row.lo, row.hi) for row in sheet.rows] == [(2, 5)]
    sheet.at_least(combined([(1, a), (1, b)]), 1)
    sheet.at_least(combined([(-1, a), (-1, b)]), -7)
    assert [(row.lo, row.hi) for row in sheet.rows] == [(2, 5)]


def test_bounds_and_rows_say_which_arguments_they_rest_on() -> None:
    for terms in (1, 2):
        sheet = Sheet()
        columns = [sheet.column(0, 9) for _ in range(terms)]
        sheet.at_least(combined((1, c) for c in columns), 1)
        assert not sheet.argued.union(*(row.argued for row in sheet.rows))
        sheet.family = "an argument"
        sheet.at_least(combined((1, c) for c in columns), 2)
        assert sheet.argued.union(*(row.argued for row in sheet.rows)) == {"an argument"}


def test_a_common_factor_does_no_harm() -> None:
    assert cheapest([ge(linear([(10**9, X), (3 * 10**9, P)]), 4 * 10**9)], add(X, scale(P, 2))).cost == 3


def test_sums_of_sums() -> None:
    half = combined([(2, Affine({0: 3, 1: 1}, 4)), (-1, Affine({0: 6}, 1))], 10)
    assert (half.weights, half.constant) == ({1: 2}, 17)
    assert half.complement == Affine({1: -2}, -16)

"""Sums counted case by case: what two rule sets count in two ways becomes one term, with the same value."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from vclogic.encode.cases import CaseByCase
from vclogic.encode.python.evaluator import interpret
from vclogic.terms.atoms import var
from vclogic.terms.build import add, and_, any_of, count, eq, ge, is_in, not_, scale, total
from vclogic.terms.sorts import BOOL, EnumSort
from vclogic.terms.term import Term

PLACES = EnumSort("place", ("off", "A", "B", "C"))
UNITS = [var(f"at[{n}]", PLACES) for n in (1, 2, 3)]
OPEN = [var(f"open[{h}]", BOOL) for h in "ABC"]
SLOTS = {v: n for n, v in enumerate([*UNITS, *OPEN])}
STATES = [(*at, *opened) for at in product(range(4), repeat=3) for opened in product((0, 1), repeat=3)]

BY_PLACE = total((3, and_(any_of(eq(u, h) for u in UNITS), not_(o))) for h, o in zip("ABC", OPEN, strict=True))
BY_UNIT = total(
    (3, and_(is_in(u, "ABC"), not_(any_of(and_(eq(u, h), o) for h, o in zip("ABC", OPEN, strict=True)))))
    for u in UNITS
)
SOME = ge(count(eq(u, "A") for u in UNITS), 1)


def test_both_ways_of_counting_are_one_term() -> None:
    counted = CaseByCase([BY_PLACE, BY_UNIT])
    assert BY_PLACE is not BY_UNIT
    assert counted(BY_PLACE) is counted(BY_UNIT)
    assert set(counted.exclusive) == {and_(eq(u, h), eq(v, h)) for u, v in combinations(UNITS, 2) for h in "ABC"}
    assert CaseByCase([SOME])(SOME) is any_of(eq(u, "A") for u in UNITS)


@pytest.mark.parametrize(
    "term", [BY_PLACE, BY_UNIT, SOME, add(BY_PLACE, scale(BY_UNIT, -2), 7), ge(add(BY_PLACE, BY_UNIT), 5)]
)
def test_its_value_is_the_same_where_no_two_stand_together(term: Term) -> None:
    counted = CaseByCase([term])
    apart = [s for s in STATES if not any(interpret(t, SLOTS, s) for t in counted.exclusive)]
    assert len(apart) >= 8 * 4
    assert all(interpret(term, SLOTS, s) == interpret(counted(term), SLOTS, s) for s in apart)


def test_another_number_of_points_stays_another_term() -> None:
    counted = CaseByCase([BY_PLACE, more := add(BY_UNIT, total([(1, eq(UNITS[0], "A"))]))])
    assert counted(BY_PLACE) is not counted(more)

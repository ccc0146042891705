"""The bound on how many facts must change is never too high, and exact for sums of facts."""

from __future__ import annotations

from vclogic.encode.distance import fewest_changes
from vclogic.terms.atoms import var
from vclogic.terms.build import and_, count, ge, not_, or_
from vclogic.terms.sorts import BOOL
from vclogic.terms.term import Term

P, Q, R = FACTS = tuple(var(n, BOOL) for n in "PQR")


def fewest(term: Term, *state: int) -> int:
    """The bound from some state of the facts."""
    return fewest_changes(term, {v: i for i, v in enumerate(FACTS)}, state)


def test_one_fact_may_turn_over_several_parts() -> None:
    assert fewest(and_(or_(P, Q), or_(P, R)), 0, 0, 0) == 1
    assert fewest(not_(or_(and_(P, Q), and_(P, R))), 1, 1, 1) == 1


def test_a_sum_has_to_reach_its_bound_or_to_fall_below_it() -> None:
    several = ge(count(FACTS), 2)
    assert [fewest(several, *state) for state in ((0, 0, 0), (1, 0, 0), (1, 1, 0))] == [2, 1, 0]
    assert [fewest(not_(several), *state) for state in ((1, 1, 1), (1, 1, 0), (1, 0, 0))] == [2, 1, 0]

"""What a bound of a cost may be called where the solver decides some questions only."""

from __future__ import annotations

import pytest

from vclogic.solve.backends.session import Answer
from vclogic.solve.searches.cost_bounds import Probe, downwards, halves, narrow, number
from vclogic.terms.atoms import TRUE, integer, var
from vclogic.terms.rewrite import substitute
from vclogic.terms.sorts import IntSort
from vclogic.terms.term import Term

COST = var("cost", IntSort(0, 9))


@pytest.mark.parametrize("by", [halves, downwards])
@pytest.mark.parametrize(("gives_up", "proved"), [(False, True), (True, False)])
def test_only_what_was_refuted_is_proved_the_least(by: Probe, gives_up: bool, proved: bool) -> None:
    """The least cost is 3; that nothing costs less is left open by a solver that gives up."""

    def check(limit: Term, _: float) -> Answer:
        most = max(n for n in range(10) if _allows(limit, n))
        if most >= 3:
            return Answer("sat", {COST: most})
        return Answer("unknown", reason="the time is up") if gives_up else Answer("unsat")

    found = narrow(check, COST, Answer("sat", {COST: 7}), 7, 0, by=by, hard="skip")
    assert found.proved is proved
    assert found.paid == number(COST, found.best)
    assert not found.proved or found.paid == 3


def _allows(limit: Term, n: int) -> bool:
    return substitute(limit, {COST: integer(n)}) is TRUE

"""What a method may hand on: plans within the limit, and proofs that were confirmed."""

from __future__ import annotations

import pytest

from tests.fixtures.efforts import effort
from vclogic.encode.goal_regression import Regressions
from vclogic.model.actions import Action, Requirement
from vclogic.model.transition import one_at_a_time
from vclogic.solve import strategy
from vclogic.solve.problem import NOTHING, Problem, Proof
from vclogic.terms.atoms import FALSE, TRUE, var
from vclogic.terms.build import and_
from vclogic.terms.sorts import BOOL

P, Q = (var(n, BOOL) for n in "PQ")
START = {P: FALSE, Q: FALSE}
RAISE_EACH = one_at_a_time(
    [Action(f.name, (), None, (Requirement(TRUE, ""),), ((f, TRUE),), "", {"cost": 1}) for f in START], "cost"
)


def both(within: int | None) -> Problem:
    """Two facts are to be raised, one by a step."""
    goal = and_(P, Q)
    return Problem(START, RAISE_EACH, goal, Regressions({goal: 0}), "cost", within, RAISE_EACH, START)


@pytest.mark.parametrize(("within", "steps"), [(None, 2), (2, 2), (1, 0)])
def test_a_relaxed_plan_counts_where_the_limit_allows_as_many_steps(within: int | None, steps: int) -> None:
    found = strategy.relaxed(strategy.Question(both(within), effort()), NOTHING)
    assert len(found.steps or ()) == steps


def test_a_proof_that_was_not_confirmed_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for rechecked in (True, False):
        told = Proof("positions", rechecked=rechecked)
        monkeypatch.setattr(strategy, "by_positions", lambda *arguments, told=told: told)
        assert strategy.prove(both(None), effort()) is (told if rechecked else None)

"""What a method may hand on: plans within the limit, bounds of its own question, proofs that were confirmed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.fixtures.efforts import effort
from tests.fixtures.plan_methods import step_by_step
from vclogic.clock import Deadline, TimeUp
from vclogic.encode.goal_regression import Regressions
from vclogic.model.actions import Action, Requirement
from vclogic.model.transition import actions_of, one_at_a_time
from vclogic.solve import strategy
from vclogic.solve.backends.session import PLAIN, Effort, Session
from vclogic.solve.problem import Incumbent, Problem, Proof, ProofMethod, SearchResult
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
    found = strategy.relaxed(both(within), effort(), Incumbent())
    assert len(found.steps or ()) == steps


def test_a_proof_that_was_not_confirmed_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for rechecked in (True, False):
        told = Proof(ProofMethod.POSITIONS, rechecked=rechecked)
        monkeypatch.setattr(strategy, "by_positions", lambda *arguments, told=told: told)
        assert strategy.prove(both(None), effort()) is (told if rechecked else None)


def test_what_the_time_cut_short_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(problem: Problem, effort: Effort, best: Incumbent) -> SearchResult:
        raise TimeUp

    monkeypatch.setattr(strategy, "METHODS", (late,))
    found = strategy.solve(both(None), effort())
    assert (found.exhausted, found.reason) == (False, strategy.BUILDING)


def dear_and_cheap(whole: int) -> Problem:
    """Both facts at once for so much, or one after the other for 1 each."""
    at_once = Action(
        "at once", (), None, (Requirement(TRUE, ""),), tuple((f, TRUE) for f in START), "", {"cost": whole}
    )
    step = one_at_a_time([at_once, *RAISE_EACH.actions.values()], "cost")
    goal = and_(P, Q)
    return Problem(START, step, goal, Regressions({goal: 0}), "cost", None, step, START)


def test_what_one_party_can_do_alone_bounds_nothing() -> None:
    problem = dear_and_cheap(3)
    actions = actions_of(problem.transition)
    alone = {taken for taken, action in actions.items() if action.name == "at once"}
    found = strategy.by_one_party(replace(problem, parties=[alone]), effort(), Incumbent())
    assert (found.cost, found.lower_bound, found.final) == (3, None, False)


def test_a_cheaper_plan_may_take_one_step_more() -> None:
    with Session(Deadline(60), PLAIN) as session:
        found = step_by_step(dear_and_cheap(3), session)
    assert (found.cost, found.lower_bound) == (2, 2)

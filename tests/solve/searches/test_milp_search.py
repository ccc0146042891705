"""Cheapest plans of flows by HiGHS: brute force, z3 and HiGHS agree, and z3 catches a HiGHS that is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from tests.fixtures.local_highs import local_highs
from tests.fixtures.local_z3 import local_sessions
from tests.fixtures.pace import examples
from tests.fixtures.plan_methods import cheapest
from tests.fixtures.smt_checker import refuted, tight
from tests.toys.unit_flows import Edge, Flow, Sum, Wish, questions, replayed
from vclogic.clock import TIME_UP, Deadline, TimeUp
from vclogic.encode.goal_regression import Regressions
from vclogic.encode.linear.affine import Unsupported
from vclogic.model.transition import Transition
from vclogic.progress import Progress, silent
from vclogic.query.plan.maximize import maximize_milp
from vclogic.solve.backends.certificate import Certificate
from vclogic.solve.backends.cvc5_worker import verdict
from vclogic.solve.backends.highs import Minimum
from vclogic.solve.backends.session import Effort
from vclogic.solve.problem import Problem, SearchResult
from vclogic.solve.searches import lemmas as method
from vclogic.solve.searches import milp_search
from vclogic.solve.searches.milp_search import CHECKED, ENGINE, VERIFIED, search
from vclogic.solve.searches.plan_groups import Group, groups
from vclogic.terms.atoms import FALSE, TRUE, integer, var
from vclogic.terms.build import add, eq, ge, implies, ite, le, not_
from vclogic.terms.sorts import BOOL, IntSort
from vclogic.terms.term import Term


def effort(seconds: float = 60) -> Effort:
    return Effort(Deadline(seconds), silent)


# A line of three areas; two units go from the first to the last, one unit at a time on each edge, for 1 and 2.
LINE = Flow((Edge(0, 1, 1, 1, False), Edge(1, 2, 1, 2, False)), (6, 6, 6), (2, 0, 0), 1, False)
NOBODY = (0,) * 3


def arrived(n: int) -> Wish:
    return Wish(Sum((0, 0, 1), NOBODY), n, (), None)


def problem(n: int, within: int | None) -> Problem:
    return LINE.prepared(arrived(n).term(LINE), within)


@pytest.fixture
def _local() -> Iterator[None]:
    with local_highs():
        yield


# ---- random flows


@examples(60)
@given(st.data())
def test_the_cheapest_plan_is_that_of_brute_force(data: st.DataObject) -> None:
    flow, within, wish, best = data.draw(questions())
    certify = data.draw(st.integers(0, 3)) == 0
    asked = flow.prepared(wish.term(flow), within)
    with local_highs(), local_sessions(30):
        try:
            found = search(asked, effort(), certify=certify)
        except Unsupported as reason:
            event(str(reason))
            return
    event(f"{found.bound_by}: {'none' if found.exhausted else 'a plan'}")
    assert (found.reason, found.cost, found.exhausted) == ("", best, best is None)
    assert (found.bound_by, found.exact) == (VERIFIED, True)
    if best is not None:
        assert found.lower_bound == best
        moment, cost = replayed(flow, found)
        assert wish.met(moment)
        assert cost == best


# ---- where it is used


@examples(40)
@given(questions())
def test_the_largest_value_is_that_of_brute_force(question: tuple[Flow, int, Wish, int | None]) -> None:
    flow, within, wish, _ = question
    best = max(wish.sum.value(moment) for moment in flow.costs(within))
    value = wish.sum.term(flow)
    with local_highs():
        try:
            found = maximize_milp(flow.prepared(TRUE, within, (value,)), value, effort())
        except Unsupported as reason:
            event(str(reason))
            return
    assert (found.value, found.upper_bound, found.reason) == (best, best, "")
    at_start = wish.sum.value(flow.begin)
    event("as at the start" if best == at_start else "higher")
    assert (found.plan.steps is None) == (best == at_start)
    assert found.claims or best == at_start
    assert refuted(found.claims)
    assert tight(found.claims) or best == at_start
    if found.plan.steps is not None:
        assert wish.sum.value(replayed(flow, found.plan)[0]) == best


def building(nth: int) -> Callable[..., list[Group]]:
    """Builds programs, until the time is up in the midst of one."""
    made = 0

    def built(*given: Any) -> list[Group]:
        nonlocal made
        made += 1
        if made == nth:
            raise TimeUp
        return groups(*given)

    return built


@pytest.mark.usefixtures("_local")
def test_a_plan_is_kept_where_the_time_ends_while_longer_ones_are_built(monkeypatch: pytest.MonkeyPatch) -> None:
    """One unit needs two steps, which cost 3: a plan of three steps may cost 2, as far as the first two tell."""
    asked = problem(1, None)
    rising = replace(asked.transition.hints, idle=frozenset())
    asked = replace(asked, transition=replace(asked.transition, hints=rising))
    told: list[SearchResult] = []
    whole = search(asked, effort(), better=told.append)
    assert (whole.cost, whole.lower_bound, whole.reason) == (3, 3, "")
    for nth, cost, low in ((1, None, 0), (2, None, 1), (3, 3, 2)):
        monkeypatch.setattr(milp_search, "groups", building(nth))
        reports: list[Progress] = []
        found = search(asked, Effort(Deadline(60), reports.append))
        assert (found.cost, found.lower_bound, found.reason) == (cost, low, TIME_UP)
        assert max(p.bound or 0 for p in reports) == low
    assert [plan.cost for plan in told] == [3]
    assert told[0].lower_bound is None


@pytest.mark.usefixtures("_local")
def test_short_plans_are_looked_for_before_long_ones_are_built(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = problem(1, 4)
    for nth, cost in ((3, 3), (4, 3)):
        monkeypatch.setattr(milp_search, "groups", building(nth))
        found = search(asked, effort())
        assert (found.cost, found.reason) == (cost, TIME_UP if nth == 3 else "")
    monkeypatch.setattr(milp_search, "groups", building(2))
    told: list[SearchResult] = []
    found = search(asked, effort(), better=told.append)  # a glance that comes to nothing is no answer
    assert (found.cost, found.lower_bound, found.exact) == (3, 3, True)


@pytest.mark.usefixtures("_local")
def test_a_plan_that_is_known_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    known = search(problem(1, 4), effort())
    monkeypatch.setattr(milp_search, "groups", building(1))
    found = search(problem(1, 4), effort(), known)
    assert (found.steps, found.cost, found.lower_bound, found.reason) == (known.steps, 3, 0, TIME_UP)


@pytest.mark.usefixtures("_local")
def test_the_portfolio_chooses_it_for_numbers_within_a_limit() -> None:
    with local_sessions(60):
        found = cheapest(problem(2, 3), [], effort(), first=False)
        assert (found.cost, found.lower_bound, found.bound_by, found.exact) == (6, 6, VERIFIED, True)
        assert cheapest(problem(2, 2), [], effort(), first=False).exhausted
        for unlimited in (
            cheapest(problem(2, None), [], effort(), first=False),
            cheapest(problem(2, 3), [], effort(), first=True),
        ):
            assert (unlimited.cost, unlimited.exact) == (6, True)
            assert unlimited.bound_by != VERIFIED


def test_a_real_process_does_the_same() -> None:
    found = cheapest(problem(2, 3), [], effort(), first=False, certify=True)
    assert (found.cost, found.lower_bound, found.bound_by, found.exact) == (6, 6, VERIFIED, True)


@pytest.mark.parametrize("outcome", [Minimum("unknown", reason="the solver's process ended unexpectedly"), None])
def test_z3_takes_over(monkeypatch: pytest.MonkeyPatch, outcome: Minimum | None) -> None:
    def fails(*arguments: object) -> Minimum:
        if outcome is None:
            raise Unsupported("numbers too large")
        return outcome

    monkeypatch.setattr(method, "minimize", fails)
    with local_sessions(60):
        found = cheapest(problem(2, 3), [], effort(), first=False)
    assert (found.cost, found.lower_bound, found.exact) == (6, 6, True)


def test_a_plan_that_is_not_proved_best_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    given_up(monkeypatch, 4)
    found = cheapest(problem(2, 3), [], effort(), first=False)
    assert (found.cost, found.lower_bound, found.reason, found.exact) == (6, 4, "Time limit reached", False)


def given_up(monkeypatch: pytest.MonkeyPatch, low: int) -> None:
    real: Any = vars(method)["minimize"]

    def stops(*arguments: Any) -> Minimum:
        with local_highs():
            found: Minimum = real(*arguments)
        if found.status != "optimal":
            return found
        return replace(found, status="unknown", lower_bound=low, reason="Time limit reached")

    monkeypatch.setattr(method, "minimize", stops)


# ---- what z3 says of it


def claims(monkeypatch: pytest.MonkeyPatch, outcome: Minimum) -> None:
    monkeypatch.setattr(method, "minimize", lambda *arguments: outcome)


@pytest.mark.parametrize("certify", [False, True])
def test_a_goal_that_is_wrongly_denied(monkeypatch: pytest.MonkeyPatch, certify: bool) -> None:
    claims(monkeypatch, Minimum("infeasible"))
    with local_sessions(60):
        found = search(problem(2, 3), effort(), certify=certify)
    if certify:
        assert found.cost is not None
        assert not found.exhausted
        assert "HiGHS" in found.reason
        assert found.lower_bound is not None
        assert found.lower_bound < found.cost or found.cost == 6
    else:
        assert (found.exhausted, found.exact, found.bound_by) == (True, False, ENGINE)


def test_z3_confirms_what_is_proved_in_floating_point(monkeypatch: pytest.MonkeyPatch) -> None:
    in_floating_point(monkeypatch)
    found = search(problem(2, 3), effort(), certify=True)
    assert (found.cost, found.lower_bound, found.exact, found.bound_by) == (6, 6, True, CHECKED)


def in_floating_point(monkeypatch: pytest.MonkeyPatch) -> None:
    """What branch and bound closes does not hold in whole numbers."""
    monkeypatch.setattr(Certificate, "proves", lambda *arguments: False)


def test_z3_without_time_confirms_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    in_floating_point(monkeypatch)

    class Late(Deadline):
        @property
        def left(self) -> float:
            return 60.0 if Late.early else 0.0

        early = True

    late = Effort(Late(60), lambda progress: setattr(Late, "early", "z3" not in progress.phase))
    with local_highs():
        found = search(problem(2, 3), late, certify=True)
    assert (found.cost, found.lower_bound, found.exact, found.bound_by) == (6, 6, False, ENGINE)
    assert found.reason == "the time is up"


@pytest.mark.usefixtures("_local")
def test_what_highs_says_is_claimed_and_true() -> None:
    found = search(problem(2, 3), effort())
    assert found.cost == 6
    assert found.claims
    for claim in found.claims:
        assert verdict(claim.script, 30) == "unsat", claim.about


# ---- depths


A, B = var("a", IntSort(0, 5)), var("b", BOOL)
MOVE = var("move", IntSort(0, 2))


def transition(**changes: Any) -> Transition:
    fields: dict[str, Any] = {
        "choices": (MOVE,),
        "legality": (),
        "next": {A: ite(le(add(A, MOVE), 5), add(A, MOVE), A), B: B},
        "cost": MOVE,
        "describe": lambda chosen, values: (),
    }
    return Transition(**{**fields, **changes})


def asked(goal: Term, within: int = 3, **changes: Any) -> Problem:
    step = transition(**changes)
    start = {A: integer(0), B: FALSE}
    return Problem(start, step, goal, Regressions({goal: 0}), "moved", within, step, start)


def solve(question: Problem) -> SearchResult:
    with local_highs(), local_sessions(60):
        found = search(question, effort())
        checked = search(question, effort(), certify=True)
    assert (found.cost, found.exhausted) == (checked.cost, checked.exhausted)
    assert checked.exact
    return found


def test_idle_steps_make_one_program() -> None:
    question = asked(ge(A, 4))
    (group,) = groups(question)
    assert list(group.goals) == [0, 1, 2, 3] or list(group.goals) == [3]
    assert solve(question).cost == 4


def test_a_goal_that_idling_loses_is_looked_for_at_every_depth() -> None:
    """B tells whether the last step was an odd one."""
    question = asked(B, next={A: ite(le(add(A, MOVE), 5), add(A, MOVE), A), B: not_(B)})
    (group,) = groups(question)
    assert len(group.goals) >= 2
    found = solve(question)
    assert (found.cost, len(found.steps or ())) == (0, 1)


def test_steps_that_must_be_paid_for_are_not_idle() -> None:
    question = asked(ge(A, 2), cost=add(MOVE, 1))
    assert len(groups(question)) == 4
    found = solve(question)
    assert (found.cost, len(found.steps or ())) == (3, 1)


def test_a_plan_may_end_where_no_step_is_allowed() -> None:
    """Once A is 4 nothing is allowed any more, not even nothing."""
    question = asked(ge(A, 4), legality=(le(A, 3),))
    assert len(groups(question)) == 2
    assert solve(question).cost == 4


def test_a_step_that_may_not_be_idle() -> None:
    question = asked(eq(A, 3), legality=(ge(MOVE, 1), implies(ge(A, 2), ge(MOVE, 2))))
    assert len(groups(question)) > 1
    assert solve(question).cost == 3


@pytest.mark.parametrize("changes", [{"counts": FALSE}, {"counts": B}])
def test_steps_that_need_not_count(changes: dict[str, Any]) -> None:
    with pytest.raises(Unsupported, match="need not count"):
        search(asked(ge(A, 4), **changes), effort())


def test_nothing_to_decide_but_conditions() -> None:
    with pytest.raises(Unsupported, match="no numbers"):
        search(asked(B, choices=(B,), next={B: TRUE}, cost=integer(1)), effort())

"""Lemmas on demand: plans whose prices are any function of what is chosen, against brute force."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from tests.fixtures.local_highs import local_highs
from tests.fixtures.local_z3 import local_sessions
from tests.fixtures.pace import examples
from vclogic.clock import Deadline
from vclogic.encode.python.codegen import interpret
from vclogic.model.transition import Hints, Judged, Lemmas, TakenStep, Transition
from vclogic.progress import silent
from vclogic.query.plan.maximize import maximize_milp
from vclogic.solve.backends.certificate import Certificate
from vclogic.solve.backends.highs import Minimum, minimize
from vclogic.solve.backends.session import Effort
from vclogic.solve.problem import Problem, prepare
from vclogic.solve.searches import lemmas
from vclogic.solve.searches.lemmas import NOT_EXCLUDED
from vclogic.solve.searches.milp_search import CHECKED, search
from vclogic.solve.strategy import NO_LIMIT, solve
from vclogic.terms.atoms import TRUE, integer, var
from vclogic.terms.build import add, all_of, eq, ge, le, not_, or_, scale
from vclogic.terms.sorts import IntSort
from vclogic.terms.term import Term

SPENT, DEAREST = var("spent", IntSort(0, 12)), 20
KINDS = [var("red", IntSort(0, 2)), var("blue", IntSort(0, 2))]
PRICE = var("price", IntSort(0, DEAREST))
Point = tuple[int, ...]


def effort() -> Effort:
    return Effort(Deadline(60), silent)


@dataclass(frozen=True)
class Shop:
    """In each step some red and blue things are taken, for any price; some pairs are not sold; none are free.

    Attributes:
        prices: The price of each pair of numbers; None: not sold.
    """

    prices: Mapping[Point, int | None]

    def first(self, steps: Sequence[TakenStep]) -> list[Term]:
        least = min((p for at, p in self.prices.items() if p is not None and any(at)), default=0)
        return [t.here(or_(le(add(*KINDS), 0), ge(PRICE, least))) for t in steps]

    def judge(self, steps: Sequence[TakenStep], values: Mapping[Term, int]) -> Judged:
        lemmas, instead = list[Term](), dict[Term, int]()
        sold = True
        for t in steps:
            slot = {v: i for i, v in enumerate(values)}
            *at, paid = map(int, interpret([t.here(x) for x in (*KINDS, PRICE)], slot, [*values.values()]))
            price = self.prices[tuple(at)]
            here = all_of(t.here(eq(k, n)) for k, n in zip(KINDS, at, strict=True))
            if price is None:
                sold = False
                lemmas.append(not_(here))
            elif paid != price:
                instead[t.here(PRICE)] = price
                if paid < price:
                    lemmas.append(or_(not_(here), t.here(ge(PRICE, price))))
        return Judged(tuple(lemmas), instead if sold else None)

    def problem(self, goal: int, within: int | None, judge: Lemmas | None = None) -> Problem:
        taken = add(*KINDS)
        step = Transition(
            choices=(*KINDS, PRICE),
            legality=(le(add(SPENT, taken), 12), le(PRICE, scale(taken, DEAREST))),
            next={SPENT: add(SPENT, taken)},
            cost=PRICE,
            describe=lambda chosen, values: (),
            hints=Hints(lemmas=(judge or Lemmas(self.first, self.judge),), second_cost=taken),
        )
        goal_term = ge(SPENT, goal)
        return prepare(step, {SPENT: integer(0)}, goal_term, tail=None, metric="paid", within=within)

    def best(self, goal: int, within: int) -> tuple[int, int] | None:
        """The least price, and the fewest things for it."""
        found = []
        sold = [(p, sum(at)) for at, p in self.prices.items() if p is not None]
        for steps in range(within + 1):
            for way in product(sold, repeat=steps):
                if sum(n for _, n in way) >= goal:
                    found.append((sum(p for p, _ in way), sum(n for _, n in way)))
        return min(found, default=None)


@st.composite
def shops(draw: st.DrawFn) -> Shop:
    price = st.one_of(st.integers(0, DEAREST), st.none()) if draw(st.booleans()) else st.integers(0, DEAREST)
    prices = {at: draw(price) for at in product(range(3), repeat=2)}
    return Shop({**prices, (0, 0): 0})


@examples(60)
@given(shops(), st.integers(1, 9), st.integers(1, 2), st.integers(0, 3))
def test_the_cheapest_plan_is_that_of_brute_force(shop: Shop, goal: int, within: int, certify: int) -> None:
    best = shop.best(goal, within)
    with local_highs(), local_sessions(30):
        found = search(shop.problem(goal, within), effort(), certify=not certify)
    event("none" if best is None else "a plan")
    assert (found.reason, found.exhausted, found.exact) == ("", best is None, True)
    assert (found.cost, found.lower_bound) == ((best[0], best[0]) if best else (None, None))
    if best is not None and found.steps is not None:
        at = [tuple(step.get(k, 0) for k in KINDS) for step in found.steps]
        assert [shop.prices[a] for a in at] == [step.get(PRICE, 0) for step in found.steps]
        assert sum(map(sum, at)) == best[1]


@examples(30)
@given(shops(), st.integers(1, 2))
def test_the_most_that_can_be_had_is_that_of_brute_force(shop: Shop, within: int) -> None:
    most = max(goal for goal in range(4 * within + 1) if shop.best(goal, within) is not None)
    with local_highs():
        found = maximize_milp(replace(shop.problem(0, within)), SPENT, effort())
    assert (found.value, found.upper_bound, found.reason) == (most, most, "")


ODD = Shop({(a, b): (7 * a + 5 * b + 3 * a * b) % 11 if a or b else 0 for a in range(3) for b in range(3)})
LINE = Shop({(a, b): 3 * a + 2 * b for a in range(3) for b in range(3)})


@pytest.mark.parametrize("goal", [2, 5])
def test_z3_confirms_it_with_all_lemmas(monkeypatch: pytest.MonkeyPatch, goal: int) -> None:
    monkeypatch.setattr(Certificate, "proves", lambda *arguments: False)
    with local_highs():
        found = search(ODD.problem(goal, 2), effort(), certify=True)
    best = ODD.best(goal, 2)
    assert best is not None
    assert (found.cost, found.lower_bound, found.bound_by, found.exact) == (best[0], best[0], CHECKED, True)


def test_a_solution_of_z3_that_breaks_lemmas_is_no_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    """HiGHS denies every plan here, before any lemma is told but the first; z3 learns the others by itself."""
    monkeypatch.setattr(lemmas, "minimize", lambda *arguments: Minimum("infeasible"))
    with local_highs():
        found = search(ODD.problem(3, 1), effort(), certify=True)
    assert found.steps is not None
    (step,) = found.steps
    assert found.cost == ODD.prices[step.get(KINDS[0], 0), step.get(KINDS[1], 0)] == step.get(PRICE, 0)


def test_a_judge_that_excludes_nothing_is_found_out() -> None:
    judge = Lemmas(lambda steps: (), lambda steps, values: Judged((TRUE,), None))
    with local_highs():
        found = search(LINE.problem(2, 1, judge), effort())
    assert (found.steps, found.exhausted, found.reason) == (None, False, NOT_EXCLUDED)


@pytest.mark.parametrize("first", [False, True])
def test_methods_that_know_no_lemmas_are_not_asked(first: bool) -> None:
    with local_highs():
        found = solve(LINE.problem(2, 1), replace(effort(), first=first))
        assert (found.cost, found.lower_bound) == (4, 4)
        unlimited = solve(LINE.problem(2, None), replace(effort(), first=first))
    assert (unlimited.steps, unlimited.exhausted, unlimited.reason) == (None, False, NO_LIMIT)


def test_what_is_known_at_the_end_of_the_time_is_a_plan_at_its_price(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second time the solver is asked, it has no time left; the first solution is judged all the same."""
    asked = []

    def once(*arguments: object) -> Minimum:
        asked.append(arguments)
        return minimize(*arguments) if len(asked) == 1 else Minimum("unknown", reason="stopped")  # type: ignore[arg-type]

    monkeypatch.setattr(lemmas, "minimize", once)
    with local_highs():
        found = search(LINE.problem(3, 1), effort())
    assert found.reason == "stopped"
    assert found.steps is not None
    (step,) = found.steps
    assert found.cost == step[PRICE] == 3 * step.get(KINDS[0], 0) + 2 * step.get(KINDS[1], 0)
    assert found.lower_bound == 2  # by what the judge says first

"""Cheapest plans of a delete-free problem from one start after the other, with what was built and found before."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from vclogic.clock import ANSWERING, TIME_UP, Deadline, TimeUp, granted, until
from vclogic.encode.codegen import build_function
from vclogic.encode.delete_free import DeleteFree
from vclogic.encode.network_closure import Flags, flags, founded
from vclogic.encode.open_start import OpenGains
from vclogic.solve.backends.branch_and_bound import BranchTree
from vclogic.solve.backends.messages import SLACK
from vclogic.solve.landmarks.reusable_program import Beginning, OpenTask, ReusableProgram
from vclogic.solve.landmarks.rounding import Rounding
from vclogic.solve.landmarks.search import CLOSURE, LANDMARKS, VERIFIED
from vclogic.solve.landmarks.task import Order, Task
from vclogic.solve.problem import Search
from vclogic.terms.build import count, le
from vclogic.terms.term import Term, variables

_MANY = 300  # choices, from which on a plan is looked for before the first relaxation
Better = Callable[[Search], None]


@dataclass(frozen=True)
class OpenProblem:
    """A delete-free problem from any start.

    Attributes:
        gains: Its network.
        free: Its delete-free form.
        goal: Bool, over fluents and other variables: what holds at the end.
        others: Variables beside the fluents that each question gives a number, such as thresholds of the goal.
        within: The most actions; None: no limit.
        slot: The place of each fluent in a state.
    """

    gains: OpenGains
    free: DeleteFree
    goal: Term
    others: Sequence[Term]
    within: int | None
    slot: Mapping[Term, int]


class KeptSearch:
    """Searches for cheapest plans; it keeps the network, the program, HiGHS's basis and the cuts.

    Args:
        problem: The problem.

    Raises:
        Unsupported: It cannot be written as a program for any start.
    """

    def __init__(self, problem: OpenProblem):
        self._problem = problem
        gains = problem.gains
        self._goal_node = gains.node(problem.goal)
        self._first = gains.network.choices.start
        self._choices = tuple(gains.actions)
        states = len(problem.slot)
        self._slot = {**problem.slot, **{v: states + i for i, v in enumerate(problem.others)}}
        self._holds = build_function([problem.goal], self._slot, single=True)
        self._raises = [
            [(self._slot[f], int(v.payload)) for f, v in a.effects if f in gains.start and v is not f]
            for a in gains.actions.values()
        ]
        self._now: Sequence[int] = ()
        task = self._task()
        self._given = [(v, self._slot[v]) for v in gains.start]
        self._kept = ReusableProgram(OpenTask(task, tuple(gains.facts.values()), tuple(gains.start)))
        self._facts = build_function(list(gains.facts), self._slot)

    def find(self, state: Sequence[int], others: Sequence[int], deadline: Deadline, better: Better) -> Search:
        """The cheapest plan from a start, with a proof.

        Args:
            state: The start.
            others: The number of each other variable.
            better: Called with each better plan, and with better bounds of its cost.

        Raises:
            TimeUp: The deadline passed before anything was known.
        """
        now = self._now = (*state, *others)
        gains = self._problem.gains
        with until(deadline):
            holds = self._facts(now)
            gains.turn(holds)
            on = founded(gains.network, flags(gains.network, gains.network.choices))
            if self._goal_node not in on:
                return Search(exhausted=True, bound_by=CLOSURE, depth=self._depth)
            everything = [c for c in on if c in gains.network.choices]
            start = Beginning(holds, {v: now[place] for v, place in self._given})
            return _OpenTaskSearch(self, everything, better).run(start, deadline)

    def check_cuts(self) -> int:
        """Check each cut that is kept by a closure; returns how many there are.

        Raises:
            AssertionError: A cut does not hold from all starts from which it is in force.
        """
        return self._kept.check_cuts()

    @property
    def _depth(self) -> int:
        most, within = self._problem.free.most, self._problem.within
        return most if within is None else min(within, most)

    def _task(self) -> Task:
        gains, free, within = self._problem.gains, self._problem.free, self._problem.within
        node = dict(zip(gains.actions, gains.network.choices, strict=True))
        alone = [[node[t] for t in group] for group in free.alone if len(group) > 1]
        goal = free.at_end(self._problem.goal)
        laws = [goal, *(le(count(group), 1) for group in free.alone if len(group) > 1)]
        if within is not None and within < free.most:
            laws.append(le(free.length, within))
        prices = [*([0] * gains.network.choices.start), *(free.prices.get(t, 0) for t in gains.actions)]
        named = frozenset(variables(goal))

        def satisfied(order: Order) -> bool:
            made = set(order)
            fits = within is None or len(order) <= within
            return (
                fits and all(len(made.intersection(g)) <= 1 for g in alone) and bool(self._holds(self._after(order)))
            )

        return Task(
            gains.network,
            self._choices,
            self._goal_node,
            [c for c, taken in zip(gains.network.choices, gains.actions, strict=True) if taken in named],
            laws,
            free.cost,
            prices,
            alone,
            satisfied,
            paid=lambda order: sum(prices[c] for c in order),
        )

    def _after(self, order: Order) -> Sequence[int]:
        """The numbers after some choices, made in this order."""
        after = list(self._now)
        for c in order:
            for place, number in self._raises[c - self._first]:
                after[place] = number
        return after


class _OpenTaskSearch:
    """The search from one start; `everything` is the choices that can be made, in a possible order."""

    def __init__(self, search: KeptSearch, everything: Order, better: Better):
        self._search = search
        self._kept = search._kept
        self._task = search._kept.task
        self._everything = everything
        self._better = better
        self._plan: Order | None = None
        self._cost = math.inf
        self._bound: int | None = None

    def run(self, start: Beginning, deadline: Deadline) -> Search:
        """Improve the plan and the bound until they meet."""
        network = self._task.network
        allowed: Flags = flags(network, self._everything)
        kept = self._kept
        try:
            if len(self._everything) > _MANY and self._task.prices is not None:
                plan = Rounding(self._task, allowed).plan(self._task.prices)
                if plan is not None:
                    self._took(plan)
            if not kept.turn(start, allowed, self._took, self._at_least):
                return self._closed(exact=True)
            kept.best.cost = self._cost - kept.constant
            end = BranchTree(kept, kept.best, [kept.scores], deadline.end, self._tell).search()
        except TimeUp:
            end = {"status": "unknown", "reason": TIME_UP}
        if end["status"] != "closed":
            return self._found(self._bound, LANDMARKS, exact=False, reason=end["reason"])
        exact = False
        with suppress(TimeUp), granted(ANSWERING):
            exact = kept.proved()
        return self._closed(exact=exact)

    def _tell(self, **line: Any) -> None:
        if "bound" in line:
            self._at_least(line["bound"] + self._kept.constant)
        elif "solution" in line:
            self._took(self._kept.plan(line["solution"]))
        else:
            self._kept.certificate.take(line)

    def _took(self, plan: Order) -> int:
        """Keep a plan if it is the cheapest so far; returns the least cost known."""
        cost = self._task.paid(plan)
        if cost < self._cost:
            self._plan, self._cost = plan, cost
            self._better(self._found(self._bound, LANDMARKS, exact=False, reason=""))
        return int(self._cost)

    def _at_least(self, bound: float) -> None:
        """Keep a lower bound if it is the best so far."""
        whole = math.ceil(bound - SLACK) if math.isfinite(bound) else self._bound
        if whole is not None and (self._bound is None or whole > self._bound):
            self._bound = whole

    def _closed(self, *, exact: bool) -> Search:
        """The result once nothing is cheaper than the known plan."""
        by = VERIFIED if exact else LANDMARKS
        if self._plan is None:
            return Search(exhausted=True, bound_by=by, exact=exact, depth=self._search._depth)
        return self._found(int(self._cost), by, exact=exact, reason="")

    def _found(self, bound: int | None, by: str, *, exact: bool, reason: str) -> Search:
        if self._plan is None:
            return Search(lower_bound=bound, bound_by=by, exact=exact, reason=reason)
        cost = int(self._cost)
        steps = [{self._search._choices[c - self._search._first]: 1} for c in self._plan]
        at_least = None if bound is None else min(cost, bound)
        return Search(steps, cost, at_least, bound_by=by, exact=exact, reason=reason)

"""Cheapest plans of a delete-free problem from one start after the other, with what was built and found before."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from vclogic.clock import Deadline, until
from vclogic.encode.linear.delete_free import DeleteFree, OpenGains
from vclogic.encode.linear.network import flags, founded
from vclogic.encode.python.codegen import build_function
from vclogic.solve.landmarks.reusable_program import Beginning, OpenTask, ReusableProgram
from vclogic.solve.landmarks.search import CLOSURE, Cheapest, CutSearch
from vclogic.solve.landmarks.task import Order
from vclogic.solve.problem import SearchResult
from vclogic.solve.searches.delete_free_search import delete_free_task
from vclogic.terms.term import Term

_MANY = 300  # choices, from which on a plan is looked for before the first relaxation
Better = Callable[[SearchResult], None]


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
        task = delete_free_task(
            gains, problem.free, problem.goal, problem.within, lambda order: self._holds(self._after(order))
        )
        self._given = [(v, self._slot[v]) for v in gains.start]
        self._kept = ReusableProgram(OpenTask(task, tuple(gains.facts.values()), tuple(gains.start)))
        self._facts = build_function(list(gains.facts), self._slot)

    def find(self, state: Sequence[int], others: Sequence[int], deadline: Deadline, better: Better) -> SearchResult:
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
                return SearchResult(exhausted=True, bound_by=CLOSURE, depth=self._depth)
            everything = [c for c in on if c in gains.network.choices]
            start = Beginning(holds, {v: now[place] for v, place in self._given})
            search = CutSearch(self._kept.task, everything, lambda: better(self._found(search.so_far())))

            def begin() -> ReusableProgram:
                if len(everything) > _MANY:
                    search.round()
                self._kept.turn(start, search.possible, search.took, search.at_least)
                return self._kept

            return self._found(search.run(begin, deadline))

    def _found(self, found: Cheapest) -> SearchResult:
        return SearchResult(
            None if found.plan is None else [{choice: 1} for choice in found.plan],
            found.cost,
            found.lower_bound,
            found.exhausted,
            found.bound_by,
            found.reason,
            self._depth if found.exhausted else None,
            found.exact,
        )

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

    def _after(self, order: Order) -> Sequence[int]:
        """The numbers after some choices, made in this order."""
        after = list(self._now)
        for c in order:
            for place, number in self._raises[c - self._first]:
                after[place] = number
        return after

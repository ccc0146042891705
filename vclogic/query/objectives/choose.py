"""The searches for ways to a goal, and the choice among them."""

from __future__ import annotations

from collections.abc import Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial

from vclogic.clock import ANSWERING, Deadline, TimeUp, grace_period, until
from vclogic.encode.conditions import Conditions
from vclogic.encode.python.evaluator import compiled_later, interpret
from vclogic.model.objectives import Objective
from vclogic.model.transition import SingleActions, Transition
from vclogic.progress import silent
from vclogic.query.objectives.request import ObjectivesQuestion
from vclogic.query.objectives.session_ways import SessionSearch, for_programs, session_search
from vclogic.query.objectives.ways import ObjectiveWay, ObjectiveWays, SearchPerGoal, Sought, WaySearch, either
from vclogic.query.plan_search import HELD as NO_STEPS
from vclogic.query.planner.cache import Built, Open
from vclogic.query.replay import actions_made, replay_plan
from vclogic.solve.backends.session import Effort
from vclogic.solve.problem import INEXACT, NOTHING, Problem, SearchResult
from vclogic.solve.strategy import solve
from vclogic.terms.atoms import var
from vclogic.terms.build import all_of, any_of, not_
from vclogic.terms.sorts import BOOL
from vclogic.terms.term import Term, variables

# ---- one program for all questions, where nothing that is gained is ever lost
#
# Each objective has a gate, a Bool to which each question gives a value: is it closed? What holds after every step
# is that nothing closed is held. Further gates say which objective is to come first. A goal that can be satisfied
# in more ways than one, such as by one of three victories, has a program for each: relaxed together they bound
# costs badly.


UNORDERED = "an order of events cannot be asked of such steps"


@dataclass(frozen=True)
class Gates:
    """The gates of the objectives of a side, and conditions that read them.

    Attributes:
        conditions: The conditions of the question, and those of the gates.
        closed: The gate of each objective: whether it is closed.
        first: For each main objective: whether it is to come before all others; empty where no order is asked for.
        new: For each main objective: whether it is not held at the start.
        free: Whether no order is asked for.
    """

    conditions: Conditions
    closed: dict[str, Term]
    first: dict[str, Term]
    new: dict[str, Term]
    free: Term

    def numbers(self, closed: Set[str], new: Set[str], first: str | None) -> dict[Term, int]:
        """The numbers of the gates that are not 0.

        Args:
            closed: The names of the closed objectives.
            new: The names of the objectives that are not held at the start.
            first: The objective that comes first.
        """
        on = [self.closed[name] for name in closed]
        if first is None:
            return dict.fromkeys((*on, self.free), 1)
        return dict.fromkeys((*on, self.first[first], *(v for name, v in self.new.items() if name in new)), 1)


def gates(conditions: Conditions, side: str, objectives: Sequence[Objective], *, ordered: bool) -> Gates:
    """Gates for the objectives of a side.

    Args:
        conditions: The conditions of the question.
        objectives: The objectives that it can have.
        ordered: Whether an order can be asked for.
    """
    held = {o.name: o.held[side] for o in objectives}
    main = [o.name for o in objectives if o.main]
    closed, first, new = (
        {name: var(f"{kind}: {name}", BOOL) for name in names}
        for kind, names in (("closed", held), ("first", main), ("new", main))
    )
    free = var("in any order", BOOL)
    begun = any_of((free, *(all_of((first[name], held[name])) for name in main)))
    having = {name: frozenset(variables(term)) for name, term in held.items()}
    stays = {any_of((not_(closed[name]), not_(held[name]))): by for name, by in having.items()}
    if ordered:
        alone = {name: any_of((not_(held[name]), not_(new[name]), first[name], begun)) for name in main}
        stays |= {term: having[name] for name, term in alone.items()}
        conditions = replace(conditions, end=begun)
    else:
        first, new = {}, {}
    return Gates(replace(conditions, stays=stays), closed, first, new, free)


class ProgramSearch(WaySearch):
    """Ways of a side whose gains nothing undoes: always a cheapest one, by a kept program.

    Args:
        built: What the planner has built.
        asked: The question.
        gates: The gates of the objectives.
    """

    def __init__(self, built: Built, asked: ObjectivesQuestion, gates: Gates):
        self.ordered = bool(gates.first)
        self._built = built
        self._asked = asked
        self._gates = gates
        self._new = frozenset(o.name for o in asked.new)
        self._held = compiled_later([o.held[asked.side] for o in asked.new], asked.resolved.system.layout.slot)

    @property
    def possible(self) -> bool:
        """True if there is a program."""
        return self._opened()[0].search is not None

    def answer(self, sought: Sought, deadline: Deadline) -> ObjectiveWay:
        """A cheapest plan; see `ways.WaySearch`."""
        if sought.first is not None and not self.ordered:
            return ObjectiveWay("unknown", replace(NOTHING, reason=UNORDERED))
        gates = self._gates.numbers(sought.closed, self._new, sought.first)
        resolved = self._asked.resolved
        found, problem = self._built.cached_answer(
            resolved.side, resolved.state, deadline, lambda _: self._search(gates, deadline)
        )
        if found.exhausted:
            return ObjectiveWay("none", found)
        least, most = found.lower_bound, sought.most
        if most is not None and least is not None and least > most:
            return ObjectiveWay(
                "none", replace(NOTHING, lower_bound=least, bound_by=found.bound_by, exact=found.exact)
            )
        if found.cost is None or (most is not None and found.cost > most):
            return ObjectiveWay("unknown", found)
        return ObjectiveWay("found", found, problem, self._taken(found, problem))

    def _search(self, gates: dict[Term, int], deadline: Deadline) -> tuple[SearchResult, Problem]:
        """Search by the kept program.

        Raises:
            TimeUp: The time was up before anything was known.
        """
        with until(deadline):
            known, numbers = self._opened()
        assert known.search is not None, "it was opened before"
        assert known.problem is not None, "it was opened before"
        others = [gates.get(v, n) for v, n in zip(known.others, numbers, strict=True)]
        return known.search.find(self._asked.resolved.state, others, deadline, lambda _: None), known.problem

    def _opened(self) -> tuple[Open, tuple[int, ...]]:
        resolved = self._asked.resolved
        return self._built.open(resolved, resolved.goal.term, self._gates.conditions)

    def _taken(self, found: SearchResult, problem: Problem) -> frozenset[str]:
        """The names of the objectives that a plan takes."""
        resolved = self._asked.resolved
        having = (self._held(state) for _, state in actions_made(resolved.system, resolved.state, problem, found))
        taken = {i for held in having for i, has in enumerate(held) if has}
        return frozenset(self._asked.new[i].name for i in taken)


def program_search(built: Built, asked: ObjectivesQuestion) -> WaySearch | None:
    """A search by kept programs; None where gains can be lost, or the goal cannot be written as a program.

    Raises:
        TimeUp: The time was up before it was built.
    """
    goals = either(asked.resolved.goal.term)
    if len(goals) > 1:
        asks = [replace(asked.resolved, goal=replace(asked.resolved.goal, term=goal)) for goal in goals]
        each = [_by_program(built, replace(asked, resolved=ask)) for ask in asks]
        able = [search for search in each if search is not None]
        if len(able) == len(goals):
            return SearchPerGoal(able)
    return _by_program(built, asked)


def _by_program(built: Built, asked: ObjectivesQuestion) -> ProgramSearch | None:
    """A search by one kept program, if there is one."""
    tail, side = asked.resolved.metric.tail, asked.side
    later = {f for f, _ in tail.effects} if tail else set()
    if not later.isdisjoint(variables(*(o.held[side] for o in asked.known))):
        return None
    if not isinstance(built.steps(side, asked.resolved.state).step, SingleActions):
        return None
    for ordered in (True, False):
        key = ("gates", side, asked.resolved.conditions, ordered)
        made = built.cached(key, partial(gates, asked.resolved.conditions, side, asked.known, ordered=ordered))
        found = ProgramSearch(built, asked, made)
        if found.possible:
            return found
    return None


# ---- the choice among the searches


class FreshSearch(WaySearch):
    """Ways by the methods of the planner, each from a search of its own.

    Args:
        built: What was built.
        asked: The question.
    """

    def __init__(self, built: Built, asked: ObjectivesQuestion):
        self._built, self._asked = built, asked
        self._held = {o.name: o.held[asked.side] for o in asked.new}

    def answer(self, sought: Sought, deadline: Deadline) -> ObjectiveWay:
        """See `ways.WaySearch`."""
        resolved = self._asked.resolved
        with until(deadline):
            return self._built.cached_answer(
                resolved.side, resolved.state, deadline, lambda steps: self._answered(steps.step, sought, deadline)
            )

    def _answered(self, step: Transition, sought: Sought, deadline: Deadline) -> ObjectiveWay:
        listener = self._asked.resolved.effort.listener if is_best(sought) else silent
        most, effort = sought.most, Effort(deadline, listener)
        resolved = replace(self._asked.resolved, effort=effort, conditions=self._conditions(sought))
        problem = resolved.problem(step=step)
        any_plan = not sought.cheapest and most is None
        any_plan = any_plan and not problem.transition.hints.lemmas and not for_programs(problem)
        found = problem.lift_result(solve(problem, replace(effort, first=any_plan)))
        if found.exhausted:
            return ObjectiveWay("none", found)
        if most is not None and found.lower_bound is not None and found.lower_bound > most:
            return ObjectiveWay("none", replace(found, steps=None, cost=None))
        if found.cost is None or (most is not None and found.cost > most):
            return ObjectiveWay("unknown", found)
        return self._played(problem, found)

    def _conditions(self, sought: Sought) -> Conditions:
        """The conditions on plans that leave some objectives alone, and take one before all others."""
        asked, first = self._asked, sought.first
        kept = all_of((asked.resolved.conditions.keep, *(not_(self._held[name]) for name in sorted(sought.closed))))
        if first is None:
            return replace(asked.resolved.conditions, keep=kept)
        others = any_of(self._held[name] for name in sorted(asked.main - {first}))
        return replace(asked.resolved.conditions, keep=kept, order=(self._held[first], others))

    def _played(self, problem: Problem, found: SearchResult) -> ObjectiveWay:
        """The way of a plan, with what it takes."""
        asked = self._asked
        with grace_period(ANSWERING):
            made = replay_plan(asked.resolved.system, asked.resolved.state, problem.plain, found)
            if not asked.resolved.conditions.met(made.events):
                return ObjectiveWay("unknown", replace(NOTHING, reason=INEXACT))
            takes = frozenset(asked.taken(made.states))
        return ObjectiveWay("found", found, problem.plain, takes)


class CheapestSearch(WaySearch):
    """The cheapest search that can answer: a kept program where gains are never lost, else a session, else afresh.

    Args:
        built: What was built.
        asked: The question, with its horizon.

    Raises:
        TimeUp: The time was up before it was built.
    """

    def __init__(self, built: Built, asked: ObjectivesQuestion):
        self._built, self._asked = built, asked
        self._program = program_search(built, asked)
        self.of(Sought(frozenset()))  # the search of most questions is built now

    @cached_property
    def _others(self) -> tuple[FreshSearch, SessionSearch | None]:
        return FreshSearch(self._built, self._asked), session_search(self._built, self._asked)

    def of(self, sought: Sought) -> WaySearch:
        """The search that answers a question.

        Raises:
            TimeUp: The time was up before it was built.
        """
        if self._program is not None and (sought.first is None or self._program.ordered):
            return self._program
        fresh, session = self._others
        return fresh if session is None or is_best(sought) else session

    def answer(self, sought: Sought, deadline: Deadline) -> ObjectiveWay:
        """See `ways.WaySearch`."""
        with until(deadline):
            search = self.of(sought)
        return search.answer(sought, deadline)

    def tidied(self, way: ObjectiveWay, deadline: Deadline) -> ObjectiveWay:
        """See `SessionSearch.tidied`."""
        session = None if self._program is not None else self._others[1]
        return way if session is None else session.tidied(way, deadline)


def is_best(sought: Sought) -> bool:
    """True if the cheapest way of all is asked for: no objective bears on it."""
    return sought.cheapest and not sought.closed and sought.first is None


HELD = ObjectiveWay("found", NO_STEPS)
"""The way to a goal that holds already."""


def ways_of(built: Built, asked: ObjectivesQuestion, deadline: Deadline) -> ObjectiveWays:
    """The ways that answer a question; where the time is up before their search is built, nothing is known of them.

    Args:
        asked: The question, with its horizon.
    """
    search = None
    with suppress(TimeUp), until(deadline):
        search = CheapestSearch(built, asked)
    ways = ObjectiveWays(search)
    if already(asked):
        ways.learn(HELD)
    return ways


def boundless(built: Built, asked: ObjectivesQuestion, *, ordered: bool = False) -> ObjectivesQuestion | None:
    """The question without a horizon, where the method that answers it needs none; else None.

    Args:
        ordered: Whether it is asked as well what comes first.

    Raises:
        TimeUp: The time was up before it was built.
    """
    free = replace(asked, resolved=replace(asked.resolved, within=None))
    found = program_search(built, free)
    return None if found is None or (ordered and not found.ordered) else free


def already(asked: ObjectivesQuestion) -> bool:
    """True if the goal holds already, and no event is required."""
    return not asked.resolved.conditions.require and bool(
        interpret(asked.resolved.goal.term, asked.resolved.system.layout.slot, asked.resolved.state)
    )

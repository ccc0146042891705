"""Ways where nothing that is gained is ever lost: one program for all questions about the objectives of a goal.

Each objective has a gate, a Bool to which each question gives a value: is it closed? What holds after every step is
that nothing closed is held. Further gates say which objective is to come first. A goal that can be satisfied in more
ways than one, such as by one of three victories, has a program for each: relaxed together they bound costs badly.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from functools import partial

from vclogic.clock import TIME_UP, Deadline, TimeUp, until
from vclogic.encode.conditions import Conditions
from vclogic.encode.evaluator import apply, compiled_later, interpret
from vclogic.model.objectives import Objective
from vclogic.model.transition import SingleActions, Transition, actions_of
from vclogic.query.built import Built, Open
from vclogic.query.objectives.question import ObjectivesQuestion
from vclogic.query.objectives.ways import EitherWays, OrderedWays, Sought, Way, either
from vclogic.solve.problem import NOTHING, Problem, Search
from vclogic.terms.atoms import var
from vclogic.terms.build import all_of, any_of, not_
from vclogic.terms.sorts import BOOL
from vclogic.terms.term import Term, variables

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


class KeptWays(OrderedWays):
    """Ways of a side whose gains nothing undoes; see `ways.Ways`.

    Args:
        built: What the planner has built.
        asked: The question.
        gates: The gates of the objectives.
    """

    def __init__(self, built: Built, asked: ObjectivesQuestion, gates: Gates):
        self._built = built
        self._asked = asked
        self._gates = gates
        self._new = frozenset(o.name for o in asked.new)
        self._taking = Taking(asked)

    @property
    def ordered(self) -> bool:
        """True if questions about an order can be asked."""
        return bool(self._gates.first)

    @property
    def possible(self) -> bool:
        """True if there is a program."""
        return self._opened()[0].search is not None

    def answer(self, sought: Sought, deadline: Deadline) -> Way:
        """A cheapest plan; see `ways.Ways`."""
        if sought.first is not None and not self._gates.first:
            return Way("unknown", replace(NOTHING, reason=UNORDERED))
        try:
            found, problem = self._search(self._gates.numbers(sought.closed, self._new, sought.first), deadline)
        except TimeUp:
            return Way("unknown", replace(NOTHING, reason=TIME_UP))
        if found.exhausted:
            return Way("none", found)
        least, most = found.lower_bound, sought.most
        if most is not None and least is not None and least > most:
            return Way("none", replace(NOTHING, lower_bound=least, bound_by=found.bound_by, exact=found.exact))
        if found.cost is None or (most is not None and found.cost > most):
            return Way("unknown", found)
        return Way("found", found, problem, self._taking.of(found, problem))

    def _search(self, gates: dict[Term, int], deadline: Deadline) -> tuple[Search, Problem]:
        """Search by the kept program.

        Raises:
            TimeUp: The time was up before anything was known.
        """
        ask = self._asked.ask

        def searched(_: Transition) -> tuple[Search, Problem]:
            known, numbers = self._opened()
            assert known.search is not None, "it was opened before"
            assert known.problem is not None, "it was opened before"
            others = [gates.get(v, n) for v, n in zip(known.others, numbers, strict=True)]
            return known.search.find(ask.state, others, deadline, lambda _: None), known.problem

        with until(deadline):
            return self._built.by_steps(ask, searched)

    def _opened(self) -> tuple[Open, tuple[int, ...]]:
        ask = self._asked.ask
        return self._built.open(ask, self._asked.goal, self._gates.conditions)


class Taking:
    """Says what plans of single actions take.

    Args:
        asked: The question.
    """

    def __init__(self, asked: ObjectivesQuestion):
        self._asked = asked
        self._held = compiled_later([o.held[asked.side] for o in asked.new], asked.ask.system.layout.slot)

    def of(self, found: Search, problem: Problem) -> frozenset[str]:
        """The names of the objectives that a plan takes."""
        system, state = self._asked.ask.system, self._asked.ask.state
        actions = actions_of(problem.full)
        taken: set[int] = set()
        for step in found.steps or ():
            for choice in step:
                state = apply(system, state, actions[choice])
            taken.update(i for i, held in enumerate(self._held(state)) if held)
        slot, regressions = system.layout.slot, problem.regressions
        due = [k for goal, k in regressions.goals.items() if interpret(goal, slot, state)]
        for _ in range(min(due, default=0)):
            assert regressions.action is not None
            state = apply(system, state, regressions.action)
            taken.update(i for i, held in enumerate(self._held(state)) if held)
        return frozenset(o.name for i, o in enumerate(self._asked.new) if i in taken)


def kept_ways(built: Built, asked: ObjectivesQuestion) -> KeptWays | EitherWays | None:
    """Ways by kept programs; None where gains can be lost, or the goal cannot be written as a program.

    Raises:
        TimeUp: The time was up before it was built.
    """
    goals = either(asked.goal)
    if len(goals) > 1:
        each = [_by_program(built, replace(asked, goal=goal)) for goal in goals]
        able = [ways for ways in each if ways is not None]
        if len(able) == len(goals):
            return EitherWays(able)
    return _by_program(built, asked)


def _by_program(built: Built, asked: ObjectivesQuestion) -> KeptWays | None:
    """Ways by one kept program, if there is one."""
    tail, side = asked.ask.metric.tail, asked.side
    later = {f for f, _ in tail.effects} if tail else set()
    if not later.isdisjoint(variables(*(o.held[side] for o in asked.known))):
        return None
    if not isinstance(built.steps(side, asked.ask.state).step, SingleActions):
        return None
    for ordered in (True, False):
        key = ("gates", side, asked.conditions, ordered)
        made = built.kept(key, partial(gates, asked.conditions, side, asked.known, ordered=ordered))
        found = KeptWays(built, asked, made)
        if found.possible:
            return found
    return None

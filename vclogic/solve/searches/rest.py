"""The most steps that plans of some cost need, where nothing happens any more once nothing is done for a while.

Turns that pass without an event may change something all the same: what is counted or forgotten at their ends. Where
a second round of them never changes anything, it can be left out of any plan. Whether that is so is asked of z3.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from vclogic.encode.unroll import Unrolling
from vclogic.model.transition import Scoped, Transition
from vclogic.solve import budgets
from vclogic.solve.backends.claims import Claim, Claims
from vclogic.solve.backends.session import Effort
from vclogic.solve.problem import Problem
from vclogic.terms.atoms import FALSE
from vclogic.terms.build import and_, any_of, eq, not_, or_
from vclogic.terms.term import Term

_LONGEST = 24
"""The most steps of a round."""
State = Mapping[Term, Term]
Known = tuple[Term, ...]


@dataclass(frozen=True)
class Rest:
    """Rounds without events, of which the second changes nothing.

    Attributes:
        steps: The steps of the longest of them.
        claims: What nothing satisfies, since it is so.
        told: The facts that are known of the states in which they begin.
        begins: What these are.
    """

    steps: int
    claims: Claims
    told: tuple[Term, ...]
    begins: frozenset[Known]

    def covers(self, states: Iterable[State]) -> bool:
        """True if one of them begins in each of some states."""
        return all(_known(self.told, state) in self.begins for state in states)

    def most(self, cost: int) -> int:
        """The most steps that a plan of at most this cost needs.

        In so many of them something is done. Before and after each stand at most two rounds without events: the first
        step may be the rest of a turn, and of two rounds after it the second changes nothing.
        """
        return cost + (cost + 1) * (2 * self.steps)


FEWEST = Rest(1, (), (), frozenset())
"""Where a round is one step: no other rest lets fewer steps be enough."""


def rest_of(problem: Problem, states: Iterable[State], effort: Effort) -> Rest | None:
    """How long nothing has to be done until nothing changes any more; None: that is not known.

    Args:
        problem: The problem.
        states: States between its steps, as far as they are known: after each step that a plan can begin with.
        effort: The resources.
    """
    idle = problem.transition.hints.resting
    if idle is None:
        return None
    told = (idle.known or ()) if isinstance(idle, Scoped) else ()
    changing = {*problem.transition.next, *idle.next}
    longest, claims = 0, list[Claim]()
    begins = dict.fromkeys(_known(told, state) for state in states)
    for known in begins:
        if not all(x.is_const for x in known):
            return None
        start = {f: f if f in changing else x for f, x in problem.start.items()} | dict(zip(told, known, strict=True))
        found = _round(idle, start, told, problem.laws)
        if found is None or not _never(found[1], effort):
            return None
        longest = max(longest, found[0])
        said = "after a round in which nothing is done another one changes something"
        claims.append(Claim(f"never: {said}", found[1]))
    return Rest(longest, tuple(claims), told, frozenset(begins)) if begins else None


def _round(
    idle: Transition, start: State, told: Iterable[Term], laws: Iterable[Term]
) -> tuple[int, tuple[Term, ...]] | None:
    """The steps of a round from a state, and what is so where a second one changes something; None: it has no end."""
    unrolled, so = Unrolling(idle, start), [*laws]
    while not unrolled.depth or any(unrolled.states[-1][f] is not start[f] for f in told):
        if unrolled.depth == _LONGEST:
            return None
        so += unrolled.extend()
    steps = unrolled.depth
    for _ in range(steps):
        so += unrolled.extend()
    once, twice = unrolled.states[steps], unrolled.states[-1]
    changed = any_of(_differ(once[f], twice[f]) for f in start)
    return steps, (*so, changed)


def _never(terms: tuple[Term, ...], effort: Effort) -> bool:
    if FALSE in terms:
        return True
    with effort.session(most=budgets.REST) as session:
        session.add(*terms)
        return session.check().verdict == "unsat"


def _known(told: Iterable[Term], state: State) -> Known:
    return tuple(state.get(f, f) for f in told)


def _differ(a: Term, b: Term) -> Term:
    return or_(and_(a, not_(b)), and_(b, not_(a))) if a.is_bool else not_(eq(a, b))

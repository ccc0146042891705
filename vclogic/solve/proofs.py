"""Proofs, without a horizon, that something never is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vclogic.encode.deletefree import delete_free
from vclogic.encode.relaxation import relaxation
from vclogic.encode.relaxed import as_laws, closure
from vclogic.encode.unroll import Unrolling, cone, free_state
from vclogic.model.transition import Transition
from vclogic.solve.problem import Problem
from vclogic.solve.session import PLAIN, Effort
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import all_of, and_, not_
from vclogic.terms.rewrite import Substitution, substitute
from vclogic.terms.term import Term, variables


@dataclass(frozen=True)
class Proof:
    """Why a goal can never hold.

    Attributes:
        method: `positions`, `closure` or `relaxation`.
        invariant: Terms over fluents that hold in every state that can be reached; for `closure` only.
        rechecked: Whether a fresh plain solver confirmed it.
    """

    method: str
    invariant: tuple[Term, ...] = ()
    rechecked: bool = True


def by_positions(goal: Term, invariants: Sequence[Term], effort: Effort) -> Proof | None:
    """A proof that no well-formed position satisfies the goal, or None if there is none (or no time for one).

    Args:
        goal: Bool, over fluents.
        invariants: What every well-formed position satisfies.
        effort: What may be spent.
    """
    return Proof("positions") if _contradictory([*_bearing(goal, invariants), goal], effort, _PATIENCE) else None


def by_closure(
    goal: Term,
    transition: Transition,
    start: Mapping[Term, Term],
    invariants: Sequence[Term],
    effort: Effort,
) -> Proof | None:
    """A proof that nothing that could ever be gained satisfies the goal, or None if that does not show it.

    Every fluent is given all values that it could have at the very most. That is an invariant; where no state
    within it satisfies the goal, a fresh solver checks it again: it holds at the start, steps keep it, and it
    excludes the goal.

    Args:
        goal: Bool, over fluents.
        transition: One step, with whatever else may happen.
        start: The constant value of every fluent.
        invariants: What every well-formed position satisfies.
        effort: What may be spent.
    """
    invariants = _bearing(goal, invariants)
    needed, smaller = cone(transition, [goal, *invariants])
    begin = {f: start[f] for f in needed}
    bounds = closure(smaller, begin)
    bounded = [substitute(t, bounds) for t in (*invariants, goal)]
    if not _contradictory(bounded, effort):
        return None
    laws = [t for t in (*as_laws(bounds), *invariants) if t is not TRUE]
    return Proof("closure", tuple(as_laws(bounds)), is_invariant(laws, goal, smaller, begin, effort))


def by_relaxation(problem: Problem, effort: Effort) -> Proof | None:
    """A proof that the goal is out of reach even if nothing that was ever gained is lost again, or None.

    It sees more than the closure, since what is gained must be gained in some order and by some action. It needs
    steps that are single actions; where those never lose anything, it decides.

    Args:
        problem: The problem; its limit plays no part.
        effort: What may be spent.
    """
    if not problem.transition.actions:
        return None
    actions, start, metric = problem.transition.actions, problem.start, problem.metric
    relaxed = delete_free(actions, start, metric) or relaxation(actions, start, metric)
    goal = substitute(problem.goal, relaxed.final)
    return Proof("relaxation") if _contradictory([*relaxed.constraints, goal], effort) else None


def is_invariant(
    laws: Sequence[Term], goal: Term, transition: Transition, start: Mapping[Term, Term], effort: Effort
) -> bool:
    """Whether laws hold at the start, are kept by every step, and exclude a goal; judged by a fresh plain solver.

    Args:
        laws: Bool terms over fluents.
        goal: Bool, over fluents.
        transition: One step.
        start: The constant value of each fluent.
        effort: What may be spent; what is not confirmed with it is not.
    """
    at_start = Substitution(start)
    if any(at_start(t) is not TRUE for t in laws):
        return False
    one_step = Unrolling(transition, free_state(start))
    step = one_step.extend()
    kept = all_of(one_step.holds(t, 1) for t in laws)
    return _contradictory([*laws, *step, not_(kept)], effort) and _contradictory([*laws, goal], effort)


def _bearing(goal: Term, invariants: Sequence[Term]) -> list[Term]:
    """The invariants that share fluents with the goal, directly or through each other."""
    fluents = set(variables(goal))
    found: list[Term] = []
    while more := [t for t in invariants if t not in found and fluents & set(variables(t))]:
        found += more
        fluents.update(variables(*more))
    return found


def _contradictory(terms: Sequence[Term], effort: Effort, most: float = math.inf) -> bool:
    """Whether no state satisfies all the terms, as a fresh plain solver has it; `most` seconds may be spent on it."""
    if and_(*terms) is FALSE:
        return True
    with effort.session(PLAIN, most=most) as session:
        session.add(*terms)
        return session.check().verdict == "unsat"


_PATIENCE = 10.0  # seconds; so that time is left for the search where there are very many invariants

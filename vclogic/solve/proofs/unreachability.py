"""Proofs of unreachability without a horizon."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from operator import or_

from vclogic.clock import TimeUp
from vclogic.encode.abstractions import DomainAbstraction, abstracted, as_laws, closure, tests_in
from vclogic.encode.linear.affine import Unsupported
from vclogic.encode.linear.delete_free import delete_free
from vclogic.encode.linear.gains import relaxation
from vclogic.encode.unroll import Unrolling, cone, free_state
from vclogic.model.transition import Transition, actions_of
from vclogic.progress import untold
from vclogic.solve import budgets
from vclogic.solve.backends.claims import Claim, Claims
from vclogic.solve.backends.session import FAST, PLAIN, Effort
from vclogic.solve.landmarks.search import cheapest
from vclogic.solve.problem import Problem, Proof, ProofMethod
from vclogic.solve.searches.delete_free_search import claim_of, relaxed_task, task_of
from vclogic.terms.atoms import FALSE, TRUE, integer
from vclogic.terms.build import add, all_of, and_, ge, le, not_, scale
from vclogic.terms.rewrite import Substitution, substitute
from vclogic.terms.sorts import IntSort
from vclogic.terms.term import Op, Term, postorder, variables

_NEAR = 200  # laws about what a goal speaks of, beyond which they are too many to be looked at together
_MOST = 5_000  # possible values of all Enum fluents together; with more a solver needs longer than for most plans


def by_positions(goal: Term, invariants: Sequence[Term], effort: Effort) -> Proof | None:
    """Prove that no well-formed position satisfies the goal; None if one does or the time does not suffice.

    Args:
        goal: Bool, over fluents.
        invariants: The invariants of well-formed positions.
    """
    by_sums = by_numbers(goal, effort)
    if by_sums is not None:
        return by_sums
    laws = _with_what_is_said([*Laws(invariants).bearing(goal), goal])
    if sum(v.mask.bit_count() for v in variables(*laws)) > _MOST:
        return None
    return _of_positions(prove_excluded(laws, effort, most=budgets.ALL_POSITIONS))


def by_numbers(goal: Term, effort: Effort, most: float = math.inf) -> Proof | None:
    """Prove that no position satisfies the goal from its comparisons of sums alone; None if that does not suffice.

    Args:
        goal: Bool, over fluents.
        most: The largest number of variables to try: with few it takes no time, however large the board.
    """
    few = FALSE if goal is FALSE else _few_numbers(goal)
    if few is None or len(variables(few)) > most:
        return None
    return _of_positions(prove_excluded([few], effort, most=budgets.FEW_NUMBERS))


def by_laws(goal: Term, laws: Iterable[Term], effort: Effort) -> Proof | None:
    """Prove that no position satisfies a goal by the laws about the same things; None if that does not suffice.

    Laws that are one for each place are added up over the places that the goal names, and over the others.

    Args:
        goal: Bool, over fluents.
        laws: What every position satisfies.
    """
    asked = {v: reduce(or_, masks) for v, masks in tests_in([goal]).items()}
    plain = {v for v in variables(goal) if v not in asked}
    within: tuple[list[Term], list[Term]] = [], []  # laws about places that the goal names, or about the others
    for law in laws:
        tests = [(v, _smaller(m, v)) for v, masks in tests_in([law]).items() if v in asked for m in masks]
        if tests or not plain.isdisjoint(variables(law)):
            within[0 if all(not m & ~asked[v] for v, m in tests) else 1].append(law)
    near: list[Term] = []
    for some in within:
        if some and len(some) <= _NEAR:
            sums = [found for t in some if (found := sum_of(t)) is not None]  # places added up are a zone
            near += [*some, ge(add(*(number for number, _ in sums)), sum(least for _, least in sums))]
    if not near:
        return None
    few, _ = DomainAbstraction({}, few=2).abstracted([goal, *near])
    return _of_positions(prove_excluded(few, effort, most=budgets.FEW_NUMBERS))


def _of_positions(claim: Claim | None) -> Proof | None:
    return None if claim is None else Proof(ProofMethod.POSITIONS, claims=(claim,))


def _smaller(mask: int, v: Term) -> int:
    """The members that a test is about: it may be written as that the value is none of them."""
    return min(mask, v.mask & ~mask, key=int.bit_count)


def by_one_step(shown: Term, invariants: Sequence[Term], effort: Effort) -> Proof | None:
    """Prove that no event from a well-formed position has some property; None if one has or time does not suffice.

    Args:
        shown: Bool, over the fluents before an event: some event is allowed and has the property.
        invariants: The invariants of well-formed positions.
    """
    laws = _with_what_is_said([*Laws(invariants).bearing(shown), shown])
    claim = prove_excluded(
        laws, effort, most=budgets.ONE_STEP, about="an event from such a position has the property"
    )
    return None if claim is None else Proof(ProofMethod.ONE_STEP, claims=(claim,))


def _few_numbers(goal: Term) -> Term | None:
    """The goal as a question over a few numbers, one per group of sums; None if that cannot give a proof.

    A sum that is compared only once can have any value within its bounds.
    """
    loose = abstracted(goal)
    if loose is None:
        return None
    compared = [t for t in postorder([loose]) if t.op is Op.GE]
    numbers = Counter(v for t in compared for v in variables(t))
    return loose if any(n > 1 for n in numbers.values()) else None


def by_closure(
    goal: Term,
    transition: Transition,
    start: Mapping[Term, Term],
    invariants: Sequence[Term],
    effort: Effort,
) -> Proof | None:
    """Prove a goal unreachable by the values that each fluent can ever have; None if that does not suffice.

    That each fluent has one of these values is an invariant. If no state within it satisfies the goal, a second
    solver checks it again: it holds at the start, steps preserve it, and it excludes the goal.

    Args:
        goal: Bool, over fluents.
        transition: One step of everything that can happen.
        start: The constant value of every fluent.
        invariants: The invariants of well-formed positions.
    """
    invariants = Laws(invariants).bearing(goal)
    needed, smaller = cone(transition, [goal, *invariants])
    begin = {f: start[f] for f in needed}
    bounds = closure(smaller, begin)
    bounded = [substitute(t, bounds) for t in (*invariants, goal)]
    if not contradictory(bounded, effort):
        return None
    laws = [t for t in (*as_laws(bounds), *invariants) if t is not TRUE]
    claims = is_invariant(laws, goal, smaller, begin, effort)
    return Proof(ProofMethod.CLOSURE, tuple(as_laws(bounds)), claims is not None, claims=claims or ())


def by_relaxation(problem: Problem, effort: Effort) -> Proof | None:
    """Prove the goal unreachable in the delete relaxation; None if that does not suffice.

    It is stronger than the closure, since gains need actions in some order. It needs steps that are single actions;
    if these never lose anything, it is complete.

    Args:
        problem: The problem; its horizon is ignored.
    """
    actions, start, metric = actions_of(problem.transition), problem.start, problem.metric
    if not actions:
        return None
    try:
        free = delete_free(actions, start, metric)
        if free is not None:
            task = task_of(replace(problem, within=None), free)
        else:
            task = relaxed_task(problem.goal, relaxation(actions, start, metric))
        nothing = [0] * len(task.prices or ())
        found = cheapest(
            replace(task, cost=integer(0), prices=nothing, paid=lambda order: 0), effort.deadline, untold
        )
    except (Unsupported, TimeUp):
        return None
    if not found.exhausted:
        return None
    bounds = () if found.bound is None else (found.bound,)
    return Proof(ProofMethod.RELAXATION, rechecked=found.exact, claims=(claim_of(task, found),), bounds=bounds)


def is_invariant(
    laws: Sequence[Term], goal: Term, transition: Transition, start: Mapping[Term, Term], effort: Effort
) -> Claims | None:
    """Check by a new plain solver that laws hold at the start, are preserved by every step, and exclude a goal.

    That numbers stay within their sorts is one of the laws, and assumed in the state before the step.

    Args:
        laws: Bool terms over fluents.
        goal: Bool, over fluents.
        transition: One step.
        start: The constant value of each fluent.
        effort: The resources.

    Returns:
        What it has checked; None if that is not so, or the resources do not suffice.
    """
    at_start = Substitution(start)
    if any(at_start(t) is not TRUE for t in laws):
        return None
    one_step = Unrolling(transition, free_state(start))
    step = one_step.extend()
    kept = all_of([within_sorts(one_step), *(one_step.holds(t, 1) for t in laws)])
    consecution = contradictory([*laws, *step, not_(kept)], effort, about="a step breaks what holds before it")
    exclusion = consecution and contradictory([*laws, goal], effort, about="the goal holds where the laws do")
    return (consecution, exclusion) if consecution and exclusion else None


def within_sorts(unrolled: Unrolling) -> Term:
    """The constraints that every number is within its sort after the last step."""
    numbers = {f: t for f, t in unrolled.states[-1].items() if isinstance(f.sort, IntSort)}
    return all_of(and_(ge(t, f.lo), le(t, f.hi)) for f, t in numbers.items())


class Laws:
    """The laws of positions, found by the fluents that they speak of.

    Args:
        laws: Bool terms over fluents.
    """

    def __init__(self, laws: Iterable[Term]):
        self._laws = [(law, variables(law)) for law in dict.fromkeys(laws)]
        self._about: dict[Term, list[int]] = {}
        for i, (_, fluents) in enumerate(self._laws):
            for f in fluents:
                self._about.setdefault(f, []).append(i)

    def bearing(self, *terms: Term) -> list[Term]:
        """The laws that share fluents with some terms, directly or through other laws: the nearest come first."""
        found: dict[int, None] = {}
        seen = new = set(variables(*terms))
        while new:
            near = sorted({i for f in new for i in self._about.get(f, ())} - found.keys())
            found |= dict.fromkeys(near)
            new = {f for i in near for f in self._laws[i][1]} - seen
            seen |= new
        return [self._laws[i][0] for i in found]


def sum_of(t: Term) -> tuple[Term, int] | None:
    """A sum and its least value by a comparison or its negation; None for anything else."""
    test = t.args[0] if t.op is Op.NOT else t
    if test.op is not Op.GE or test.args[0].op is not Op.LIN:
        return None
    number, k = test.args[0], test.payload
    return (number, k) if test is t else (scale(number, -1), 1 - k)


def _with_what_is_said(terms: Sequence[Term]) -> list[Term]:
    """Unit propagation: replace Bool variables that a term asserts or denies by their values."""
    found = list(and_(*terms).args) if and_(*terms).op is Op.AND else list(terms)
    said = {t: TRUE for t in found if t.op is Op.VAR}
    said |= {t.args[0]: FALSE for t in found if t.op is Op.NOT and t.args[0].op is Op.VAR}
    return [and_(*(substitute(t, said) for t in found))] if said else found


_SATISFIED = "a position satisfies the goal and the laws of positions"


def prove_excluded(
    terms: Sequence[Term], effort: Effort, *, most: float = math.inf, about: str = _SATISFIED
) -> Claim | None:
    """Show by two runs of z3 that no state satisfies all terms, the second with all engines; arguments as below.

    What only a solver has shown is confirmed by a run that knows nothing of the first, as what was found by a
    search is.
    """
    claim = contradictory(terms, effort, most=most, about=about)
    again = claim is None or and_(*terms) is FALSE or _unsatisfied(terms, effort, (*FAST, *PLAIN), most)
    return claim if again else None


def contradictory(
    terms: Sequence[Term], effort: Effort, *, most: float = math.inf, about: str = _SATISFIED
) -> Claim | None:
    """Check by a new plain solver that no state satisfies all terms; None if one does, or it is not known.

    Args:
        most: Time limit in seconds.
        about: What a state would show that does, in words.
    """
    never = and_(*terms) is FALSE or _unsatisfied(terms, effort, PLAIN, most)
    return Claim(f"never: {about}", tuple(terms)) if never else None


def _unsatisfied(terms: Sequence[Term], effort: Effort, engines: Sequence[str], most: float) -> bool:
    with effort.session(engines, most=most) as session:
        session.add(*terms)
        return session.check().verdict == "unsat"

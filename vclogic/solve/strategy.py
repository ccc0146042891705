"""The strategy: which planning methods are tried in which order; each adds its results to those known."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from vclogic.clock import TIME_UP, TimeUp, check_deadline, until
from vclogic.encode.abstractions import closure
from vclogic.encode.linear.affine import Unsupported
from vclogic.encode.linear.delete_free import delete_free, in_turn
from vclogic.encode.linear.gains import relaxation
from vclogic.encode.unroll import universal_step, without
from vclogic.model.transition import Scoped, actions_of, then_maybe
from vclogic.progress import Progress
from vclogic.solve import budgets
from vclogic.solve.backends.session import Effort
from vclogic.solve.landmarks.search import LANDMARKS, Cheapest, cheapest
from vclogic.solve.problem import NOTHING, Incumbent, Problem, Proof, SearchResult
from vclogic.solve.proofs.invariants import by_invariants
from vclogic.solve.proofs.race import by_all_steps
from vclogic.solve.proofs.unreachability import by_closure, by_numbers, by_positions, by_relaxation
from vclogic.solve.searches import bmc, milp_search
from vclogic.solve.searches.all_positions import cheapest_plan as cheapest_of_all
from vclogic.solve.searches.delete_free_search import cheapest_plan, relaxed_task
from vclogic.solve.searches.rest import rest_of
from vclogic.terms.atoms import TRUE
from vclogic.terms.rewrite import substitute

BUILDING = "the time was up while the steps were built"
NO_LIMIT = "such plans are looked for within a limit only: give one"
NO_PROGRAM = "such plans are looked for by programs of whole numbers only, and this is none"
RELAXED = "landmark cuts, with no gain ever lost"


Method = Callable[[Problem, Effort, Incumbent], SearchResult]
"""Takes what is known and gives what is known then; what it cannot add to, it gives back as it is."""


def solve(
    problem: Problem,
    effort: Effort,
    known: SearchResult = NOTHING,
    better: Callable[[SearchResult], None] = lambda found: None,
) -> SearchResult:
    """Find a cheapest plan, or prove that there is none.

    Args:
        known: A plan that is already known, if any.
        better: Called with each better plan, as soon as a method has one.

    Returns:
        The result after all methods or at the deadline; `exhausted`, mostly with a `proof`, if there is no plan.
    """
    best = Incumbent(known, better)
    with until(effort.deadline):
        for method in KNOW_LEMMAS if problem.transition.hints.lemmas else METHODS:
            try:
                found = method(problem, _heard(effort, method, best), best)
            except TimeUp:
                known = best.known
                settled = known.exhausted or (known.cost is not None and known.cost == known.lower_bound)
                reason = known.reason or (BUILDING if known.steps is None else TIME_UP)
                return known if settled else replace(known, reason=reason)
            best.take(found)
    return best.known


def _heard(effort: Effort, method: Method, best: Incumbent) -> Effort:
    """The resources of one method: what it tells is kept, whatever becomes of it, and no more is told on."""
    prover = _PROVERS.get(method)

    def tell(progress: Progress) -> None:
        if prover is not None and progress.bound is not None:
            best.raise_bound(progress.bound, prover, exact=method is step_by_step)
        effort.listener(replace(progress, cost=best.known.cost, bound=best.known.lower_bound))

    return replace(effort, listener=tell, cost=best.known.cost, bound=best.known.lower_bound)


def prove(problem: Problem, effort: Effort, *, over_steps: bool = False) -> Proof | None:
    """Prove without a horizon that the goal can never hold, confirmed by a fresh run; None without a proof.

    Args:
        over_steps: Whether to try proofs over all steps, which take longer.
    """
    goal, start, laws = problem.goal_at_end, problem.whole_start, problem.laws
    methods: list[tuple[str, Callable[[], Proof | None]]] = [
        ("all positions", lambda: by_positions(goal, laws, effort)),
    ]
    # A scoped step holds from one state only: proofs over all states need it built for every state.
    if problem.whole_step.scoped:
        methods += [("facts that no step changes", lambda: _from_any_state(problem, effort))] if over_steps else []
    else:
        everything = then_maybe(problem.whole_step, problem.regressions.action)
        methods += [
            ("all possible gains", lambda: by_closure(goal, everything, start, laws, effort)),
            ("plans that never lose anything", lambda: by_relaxation(problem, effort)),
        ]
        if over_steps:
            methods += [
                (
                    "facts that no step changes",
                    lambda: by_invariants(goal, everything, start, laws, _guessing(effort)),
                ),
                ("all possible events", lambda: by_all_steps(goal, everything, start, laws, effort)),
            ]
    try:
        with until(effort.deadline):
            for over, method in methods:
                check_deadline()
                effort.progress(f"looking for a proof over {over}")
                proof = method()
                if proof and proof.rechecked:
                    return proof
    except TimeUp:
        pass
    return None


def _from_any_state(problem: Problem, effort: Effort) -> Proof | None:
    """Prove the goal unreachable where steps are built per state, by one step for all states."""
    goal, start, laws = problem.goal_at_end, problem.whole_start, problem.laws
    whole = universal_step(problem.whole_step, start)
    if whole is None:
        return None
    step = then_maybe(whole, problem.regressions.action)
    return by_invariants(goal, step, start, laws, _guessing(effort)) or by_closure(goal, step, start, laws, effort)


# ---- the methods, in the order in which they are asked


def proof_first(problem: Problem, effort: Effort, best: Incumbent) -> SearchResult:
    """First try to prove that the goal can never hold; where a limit decides anyway, by its sums alone."""
    known = best.known
    if problem.single_actions or problem.goal_at_start:
        return known
    if problem.within is not None:
        return _proved(by_numbers(problem.goal_at_end, effort), known)
    return _proved(prove(problem, _glance(problem, effort)), known)


def by_landmark_cuts(problem: Problem, effort: Effort, best: Incumbent) -> SearchResult:
    """Delete-free problems: landmark cuts decide them without encoding an order."""
    known = best.known
    actions = actions_of(problem.transition)
    if known.settled(effort.first) or not actions:
        return known
    free = delete_free(actions, problem.start, problem.metric)
    if free is None:
        return known
    try:
        found = cheapest_plan(problem, free, effort, certify=effort.certify, better=best.take)
    except Unsupported as reason:
        effort.progress(f"landmark cuts do not say that: {reason}")
        return known
    return replace(found, final=True)


def all_positions(problem: Problem, effort: Effort, best: Incumbent) -> SearchResult:
    """Single actions of one cost: all positions, where there are few."""
    known = best.known
    if known.settled(effort.first) or known.final or not problem.single_actions:
        return known
    found = cheapest_of_all(problem, effort)
    return known if found is None else found


def relaxed(problem: Problem, effort: Effort, best: Incumbent) -> SearchResult:
    """Single actions: the delete relaxation gives a lower bound, or proves that there is no plan."""
    known = best.known
    transition, start = problem.transition, problem.start
    actions = actions_of(transition)
    if known.settled(effort.first) or known.final or not actions:
        return known
    effort.progress("looking at plans in which no gain is ever lost")

    def tell(phase: str, cost: int | None = None, bound: int | None = None) -> None:
        effort.progress("looking for a lower bound", bound=bound)  # the cost is not that of a plan

    deadline = effort.deadline.part(1 / 3, budgets.ONE_BOUND)
    try:
        encoded = relaxation(actions, start, problem.metric, lambda: closure(transition, start))
        found = cheapest(relaxed_task(problem.goal, encoded), deadline, tell)
    except Unsupported as reason:
        effort.progress(f"landmark cuts do not say that: {reason}")
        return known
    if found.exhausted:
        return SearchResult(exhausted=True, bound_by=RELAXED, exact=found.exact)
    if found.lower_bound is None:
        return known
    known = replace(known, lower_bound=found.lower_bound, bound_by=RELAXED, exact=found.exact)
    return _as_it_is(problem, found, known)


def _as_it_is(problem: Problem, found: Cheapest, known: SearchResult) -> SearchResult:
    """The known result, improved by a relaxed plan if that can be played as it is."""
    plan = found.plan or ()
    played, state = in_turn(actions_of(problem.transition), problem.start, set(plan))
    fits = problem.within is None or len(played) <= problem.within
    if not plan or len(played) < len(plan) or not fits or substitute(problem.goal, state) is not TRUE:
        return known
    return replace(known, steps=[{taken: 1} for taken in played], cost=found.cost)


def by_one_party(problem: Problem, effort: Effort, best: Incumbent) -> SearchResult:
    """Single actions: the cheapest plan in which one party acts alone, if that problem is delete-free."""
    known = best.known
    if known.settled(effort.first) or known.final or not actions_of(problem.transition):
        return known
    cheaper = known

    def take(found: SearchResult) -> None:
        best.take(replace(found, lower_bound=None, bound_by=None))  # the bound is of one party's plans

    for party in problem.parties:
        others = [t for t in problem.transition.choices if t not in party]
        alone = replace(problem, transition=without(problem.transition, others))
        free = delete_free(actions_of(alone.transition), problem.start, problem.metric)
        if free is not None and others:
            try:
                found = cheapest_plan(alone, free, effort.part(1 / 3, budgets.ONE_BOUND), better=take)
            except Unsupported:
                continue
            if found.cost is not None and (cheaper.cost is None or found.cost < cheaper.cost):
                cheaper = replace(known, steps=found.steps, cost=found.cost)
    return cheaper


def as_program(problem: Problem, effort: Effort, best: Incumbent) -> SearchResult:
    """Steps with numeric choices: a mixed-integer program; z3 if the problem cannot be encoded as one."""
    known = best.known
    if known.settled(effort.first) or actions_of(problem.transition):
        return known
    if effort.first and not problem.transition.hints.lemmas:  # else no other method can be asked
        return known
    try:
        found = milp_search.search(problem, effort, known, certify=effort.certify, better=best.take)
    except Unsupported as reason:
        effort.progress(f"HiGHS is not asked: {reason}")
        if problem.transition.hints.lemmas:  # and no other method is
            return replace(known, reason=NO_LIMIT if problem.within is None else f"{NO_PROGRAM}: {reason}")
        return known
    settled = found.exhausted or (found.steps is not None and found.steps is not known.steps) or not found.reason
    return replace(found, final=settled or effort.deadline.left <= budgets.ONE_MORE_METHOD)


def proof_under_a_limit(problem: Problem, effort: Effort, best: Incumbent) -> SearchResult:
    """With a horizon: try to prove that the goal can never hold, where a program found no plan within it."""
    known = best.known
    limited = problem.within is not None and not problem.single_actions and not problem.goal_at_start
    if not limited or known.steps is not None or known.proof is not None:
        return known
    return _proved(prove(problem, _glance(problem, effort)), known)


def step_by_step(problem: Problem, effort: Effort, best: Incumbent) -> SearchResult:
    """Bounded model checking; if no plan is found for a while, a proof over all steps is tried in between."""
    known = best.known
    if known.settled(effort.first) or known.final:
        return known
    pause = effort.pause
    if problem.goal_at_start or not _provable(problem):
        pause = math.inf
    elif pause is None:
        pause = min(effort.deadline.left * budgets.BEFORE_A_PROOF_SHARE, budgets.BEFORE_A_PROOF)
    with effort.session() as session:
        first, better, resting = effort.first, best.take, partial(rest_of, problem, effort=effort)
        for found in bmc.search(
            problem, session, effort.progress, known=known, first=first, pause=pause, better=better, resting=resting
        ):
            if found is not None:
                return found
            part = effort.part(budgets.PROOF_SHARE, budgets.PROOF)
            proof = prove(problem, part, over_steps=True)
            if proof:
                return SearchResult(exhausted=True, proof=proof)
    return known


def proof_after(problem: Problem, effort: Effort, best: Incumbent) -> SearchResult:
    """Single actions without a plan: try a proof without a horizon."""
    known = best.known
    if not problem.single_actions or known.steps is not None or known.proof is not None:
        return known
    over_steps = known.exhausted and problem.within is None
    return _proved(prove(problem, _glance(problem, effort), over_steps=over_steps), known)


METHODS: tuple[Method, ...] = (
    proof_first,
    by_landmark_cuts,
    all_positions,
    relaxed,
    by_one_party,
    as_program,
    proof_under_a_limit,
    step_by_step,
    proof_after,
)
_PROVERS: Mapping[Method, str] = {
    by_landmark_cuts: LANDMARKS,
    relaxed: RELAXED,
    as_program: milp_search.ENGINE,
    step_by_step: bmc.ENGINE,
}
"""The name of what proves the bounds that a method tells; what others tell are no bounds of the question."""
KNOW_LEMMAS: tuple[Method, ...] = (proof_first, as_program, proof_under_a_limit)
"""The methods for steps with lemmas: what leaves them out proves at most that there is no plan."""


def _provable(problem: Problem) -> bool:
    """True if a proof over all steps is possible, and useful because no horizon decides the question anyway."""
    full = problem.whole_step
    return not isinstance(full, Scoped) or (full.known is not None and problem.within is None)


def _guessing(effort: Effort) -> Effort:
    """The time for invariant inference."""
    return effort.part(budgets.GUESSES_SHARE, budgets.GUESSES)


def _glance(problem: Problem, effort: Effort) -> Effort:
    """The time for proofs without a horizon: all of it, or a moment if the question has a horizon."""
    limited = problem.within is not None
    return effort.part(most=budgets.PROOF_UNDER_A_LIMIT if limited else math.inf)


def _proved(proof: Proof | None, known: SearchResult) -> SearchResult:
    return SearchResult(exhausted=True, proof=proof) if proof else known

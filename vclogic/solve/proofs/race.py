"""Unreachability by k-induction and Spacer in parallel.

A proof by a few steps in a row is preferred, at a counted effort, so that the engine that is faster by chance does
not decide which proof is told; where none is found so, the first confirmed proof counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from vclogic.clock import TimeUp, until
from vclogic.encode.reachability_abstraction import as_laws, closure
from vclogic.encode.unroll import Unrolling, cone, free_state
from vclogic.model.transition import Transition, plain
from vclogic.solve import budgets
from vclogic.solve.backends.session import Effort, Session
from vclogic.solve.problem import Proof, ProofMethod
from vclogic.solve.proofs.k_induction import Confined, Induction, Path, holds_by_induction
from vclogic.solve.proofs.spacer import Clauses, Spacer
from vclogic.solve.proofs.unreachability import bearing, is_invariant, within_sorts
from vclogic.solve.searches.deletion_filter import reduced
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import all_of, not_
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term

_ONE = ("merging",)


def by_all_steps(
    goal: Term, transition: Transition, start: Mapping[Term, Term], invariants: Sequence[Term], effort: Effort
) -> Proof | None:
    """Prove over sequences of steps that the goal is unreachable; None if no proof is found in time.

    Args:
        goal: Bool, over fluents.
        transition: One step of everything that can happen; not scoped.
        start: The constant value of every fluent.
        invariants: The invariants of well-formed positions; used if they are inductive.
    """
    try:
        with until(effort.deadline):
            return _by_either(confined(goal, transition, start, invariants, effort), effort)
    except TimeUp:
        return None


def _by_either(system: Confined, effort: Effort) -> Proof | None:
    """The proof by few steps, else the first confirmed one of k-induction and Spacer."""
    searching = effort.part(budgets.SEARCH_OF_PROOF)
    with spacer(system) as prover, Induction(system, searching) as induction:
        few = induction.search(most=budgets.STEPS_IN_A_ROW, effort=budgets.ONE_OF_STEPS)
        if few == "proved" and (proof := _by_induction(system, induction.k, effort)):
            return proof
        if few == "reachable":
            return None
        open_ = True
        while True:
            finding = induction.search(prover if open_ else None)
            if finding == "reachable":
                return None
            if finding == "proved" and (proof := _by_induction(system, induction.k, effort)):
                return proof
            if finding != "interrupted" and open_:
                prover.wait(searching.deadline.left)
            if open_ and prover.done and (proof := _by_spacer(system, prover.laws, effort)):
                return proof
            if finding != "interrupted":
                return None
            open_ = False


def confined(
    goal: Term, transition: Transition, start: Mapping[Term, Term], invariants: Sequence[Term], effort: Effort
) -> Confined:
    """The part of a system that is relevant to a goal, with the laws that are inductive."""
    known = bearing(goal, invariants)
    needed, smaller = cone(transition, [goal, *known])
    begin = {f: start[f] for f in needed}
    bounds = closure(smaller, begin)
    laws = as_laws(bounds)
    if known and is_invariant([*laws, *known], FALSE, smaller, begin, effort):
        laws += known
    return Confined(goal, smaller, begin, bounds, tuple(laws))


# ---- Spacer


@dataclass(frozen=True)
class Narrow:
    """A system in which everything that is constant has been folded."""

    transition: Transition
    start: Mapping[Term, Term]
    goal: Term
    laws: tuple[Term, ...]
    fluents: Mapping[Term, Term]


def narrow(system: Confined) -> Narrow:
    """The system over fluents narrowed to their bounds; `fluents` maps back to the original ones."""
    here = Substitution(system.bounds)
    open_ = {f: b for f, b in system.bounds.items() if not b.is_const}
    transition = replace(
        plain(system.transition),
        legality=tuple(t for t in map(here, system.transition.legality) if t is not TRUE),
        next={open_[f]: here(t) for f, t in system.transition.next.items() if f in open_},
        cost=here(system.transition.cost),
        counts=here(system.transition.counts),
    )
    start = {b: system.start[f] for f, b in open_.items()}
    laws = tuple(t for t in map(here, system.laws) if t is not TRUE)
    return Narrow(transition, start, here(system.goal), laws, {b: f for f, b in open_.items()})


def spacer(system: Confined) -> Spacer:
    """Start Spacer on a system."""
    n = narrow(system)
    return Spacer(Clauses(n.transition, n.start, n.goal, n.laws), n.fluents)


def _by_spacer(system: Confined, claimed: Sequence[Term] | None, effort: Effort) -> Proof | None:
    """The proof from Spacer's invariant, minimized, if a new plain solver confirms it."""
    if claimed is None:
        return None
    laws = list(dict.fromkeys([*claimed, *system.laws]))
    if not is_invariant(laws, system.goal, system.transition, system.start, effort):
        return None
    with _tidying(effort).session(_ONE) as session:
        session.add(system.goal)
        few = _fewer(system, laws, {t: t for t in laws}, session, effort)
    if len(few) < len(laws) and is_invariant(few, system.goal, system.transition, system.start, effort):
        laws = few
    return Proof(ProofMethod.SPACER, tuple(laws))


# ---- induction


def _by_induction(system: Confined, k: int, effort: Effort) -> Proof | None:
    """The proof by k-induction with few laws, if new plain solvers confirm it."""
    path = Path(system, (), narrow=False)
    with _tidying(effort).session(_ONE) as session:
        needs = {t: [path.holds(t)] for t in system.laws}
        for _ in range(k):
            session.add(*path.extend())
            for t in system.laws:
                needs[t].append(path.holds(t))
        session.add(path.goal)
        laws = _fewer(system, system.laws, {t: all_of(ts) for t, ts in needs.items()}, session, effort)
    for some in dict.fromkeys((tuple(laws), system.laws)):
        kept = is_invariant(some, FALSE, system.transition, system.start, effort)
        if kept and holds_by_induction(system, some, k, effort):
            return Proof(ProofMethod.K_INDUCTION, some, k=k)
    return None


# ---- what a proof does not need


def _tidying(effort: Effort) -> Effort:
    return replace(effort.part(budgets.FEWER_LAWS_SHARE, budgets.FEWER_LAWS), transcript=None)


def _fewer(
    system: Confined, laws: Sequence[Term], needs: Mapping[Term, Term], exclusion: Session, effort: Effort
) -> list[Term]:
    """A smaller subset of the laws that is still inductive and still excludes the goal, as far as time permits.

    Unless laws exclude it, the session `exclusion` satisfies the goal; `needs` has what to assume for each law.
    """
    step = Unrolling(system.transition, free_state(system.start))
    with _tidying(effort).session(_ONE) as session:
        session.add(*step.extend())
        after = {t: step.holds(t, 1) for t in laws}
        in_sorts = within_sorts(step)

        def enough(some: Sequence[Term]) -> bool:
            if exclusion.check(*(needs[t] for t in some)).verdict != "unsat":
                return False
            kept = all_of([in_sorts, *(after[t] for t in some)])
            return session.check(*some, not_(kept)).verdict == "unsat"

        return reduced(list(laws), enough)

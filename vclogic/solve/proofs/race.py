"""Unreachability by k-induction and Spacer in parallel.

A proof by a few steps in a row is preferred, at a counted effort, so that the engine that is faster by chance does
not decide which proof is told; where none is found so, the first confirmed proof counts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from vclogic.clock import TimeUp, until
from vclogic.encode.abstractions import as_laws, closure
from vclogic.encode.unroll import Unrolling, cone, free_state
from vclogic.model.transition import Transition, plain
from vclogic.solve import budgets
from vclogic.solve.backends.claims import Claim, Claims
from vclogic.solve.backends.session import FAST, GIVEN_UP, PLAIN, Beside, Effort, Session
from vclogic.solve.backends.z3_engine import LIMIT
from vclogic.solve.problem import Proof, ProofMethod
from vclogic.solve.proofs.spacer import Clauses, Spacer
from vclogic.solve.proofs.unreachability import Laws, is_invariant, within_sorts
from vclogic.solve.searches.minimal_sets import reduce
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import all_of, any_of, ne, not_
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term

Finding = Literal["proved", "reachable", "interrupted", "over"]
_MANY = 150  # fluents, beyond which only neighbouring states are told apart


# k-induction: if k states without the goal are never followed by it, and the first k are without it, none has it.


@dataclass(frozen=True)
class Confined:
    """A goal, the steps reduced to what is relevant to it, and known invariants.

    Attributes:
        goal: Bool, over fluents.
        transition: One step.
        start: The constant value of each relevant fluent.
        bounds: For each fluent, a variable whose sort covers its reachable values, or its constant value.
        laws: Bool terms over fluents that are inductive together.
    """

    goal: Term
    transition: Transition
    start: Mapping[Term, Term]
    bounds: Mapping[Term, Term]
    laws: tuple[Term, ...]


class Path:
    """A simple path: consecutive states that satisfy the laws but not the goal, all different.

    A shortest path to the goal is simple and has the goal only at its end, so considering such paths loses nothing;
    without this restriction, steps that change nothing could prolong any path.

    Args:
        system: The system.
        laws: The laws that all states of the path satisfy.
        narrow: Whether the first state's variables have the fluents' bounds.
    """

    def __init__(self, system: Confined, laws: Sequence[Term], *, narrow: bool):
        self._system = system
        self._laws = laws
        self._unrolled = Unrolling(system.transition, system.bounds if narrow else free_state(system.start))

    @property
    def goal(self) -> Term:
        """The goal, in the last state."""
        return self.holds(self._system.goal)

    def holds(self, term: Term) -> Term:
        """A term over fluents, in the last state."""
        return self._unrolled.holds(term, self._unrolled.depth)

    def begin(self) -> list[Term]:
        """The constraints of the first state."""
        return [self.holds(t) for t in self._laws]

    def extend(self) -> list[Term]:
        """Add one step.

        Returns:
            Its constraints: no goal before it, the step itself, and a state that differs from all earlier ones.
        """
        before = not_(self.goal)
        step = self._unrolled.extend()
        *earlier, now = self._unrolled.states
        told_apart = earlier if len(now) <= _MANY else earlier[-1:]
        new = [any_of(ne(now[f], state[f]) for f in now if now[f] is not state[f]) for state in told_apart]
        return [before, *step, *new, *(self.holds(t) for t in self._laws)]


class Induction:
    """A search for a k with which induction proves a goal unreachable; it can be paused and resumed.

    Use it as a context manager: leaving it ends its processes.

    Args:
        system: The system.
        effort: The resources.

    Attributes:
        k: The depth being tried: the number of steps without the goal before the last one.
    """

    def __init__(self, system: Confined, effort: Effort):
        self.k = 0
        self._effort = effort
        self._system = system
        self._ways = Unrolling(system.transition, system.start)
        self._path = Path(system, system.laws, narrow=True)
        self._base, self._step = effort.session(FAST), effort.session(FAST)
        self._step.add(*self._path.begin())
        self._refuted = False  # whether the goal is refuted in the state after the first k steps

    def __enter__(self) -> Induction:
        return self

    def __exit__(self, *raised: object) -> None:
        self._base.close()
        self._step.close()

    def search(self, beside: Beside | None = None, *, most: float = math.inf, effort: int = 0) -> Finding:
        """Try ever larger depths until a proof is found, the deadline passes, or it is interrupted.

        Args:
            beside: It is interrupted once this has answered,
            most: or after so many depths in all,
            effort: or once a question has taken so much effort, in z3's unit; 0: no limit.
        """
        while self.k < most:
            if not self._refuted:
                goal = self._ways.holds(self._system.goal, self.k)
                answer = self._base.check(goal, effort=effort, beside=beside)
                if answer.verdict != "unsat":
                    return "reachable" if answer.verdict == "sat" else _stopped(answer.reason)
                self._refuted = True
                self._base.add(*self._ways.extend())
                self._step.add(*self._path.extend())
            answer = self._step.check(self._path.goal, effort=effort, beside=beside)
            if answer.verdict == "unknown":
                return _stopped(answer.reason)
            self.k += 1
            self._refuted = False
            if answer.verdict == "unsat":
                return "proved"
            self._effort.progress(f"looking for a proof by {self.k + 1} steps in a row")
        return "interrupted"


def _stopped(reason: str) -> Finding:
    return "interrupted" if reason in (GIVEN_UP, LIMIT) else "over"


def holds_by_induction(system: Confined, laws: Sequence[Term], k: int, effort: Effort) -> Claims | None:
    """Recheck a proof by k-induction with new plain solvers; returns what was checked, None if it was not confirmed.

    Args:
        laws: Invariants, which are not checked here.
        k: The depth.
    """
    ways = Unrolling(system.transition, system.start)
    claims, steps = [], list[Term]()
    with effort.session(PLAIN) as session:
        for depth in range(k):
            goal = ways.holds(system.goal, depth)
            if session.check(goal).verdict != "unsat":
                return None
            claims.append(Claim(f"never: the goal holds after {depth} steps", (*steps, goal)))
            steps += (more := ways.extend())
            session.add(*more)
    path = Path(system, laws, narrow=False)
    with effort.session(PLAIN) as session:
        row = [*path.begin(), *(t for _ in range(k) for t in path.extend())]
        session.add(*row, path.goal)
        if session.check().verdict != "unsat":
            return None
    after = Claim(f"never: the goal holds after {k} states in a row without it", (*row, path.goal))
    return (*claims, after)


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
            return _by_either(confine(goal, transition, start, invariants, effort), effort)
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


def confine(
    goal: Term, transition: Transition, start: Mapping[Term, Term], invariants: Sequence[Term], effort: Effort
) -> Confined:
    """The part of a system that is relevant to a goal, with the laws that are inductive."""
    known = Laws(invariants).bearing(goal)
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
    claims = is_invariant(laws, system.goal, system.transition, system.start, effort)
    if claims is None:
        return None
    with _tidying(effort).session(_ONE) as session:
        session.add(system.goal)
        few = _fewer(system, laws, {t: t for t in laws}, session, effort)
    fewer = is_invariant(few, system.goal, system.transition, system.start, effort) if len(few) < len(laws) else None
    laws, claims = (laws, claims) if fewer is None else (few, fewer)
    return Proof(ProofMethod.SPACER, tuple(laws), claims=claims)


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
        held = holds_by_induction(system, some, k, effort) if kept else None
        if kept and held:
            return Proof(ProofMethod.K_INDUCTION, some, k=k, claims=(*kept, *held))
    return None


# ---- what a proof does not need


def _tidying(effort: Effort) -> Effort:
    return effort.part(budgets.FEWER_LAWS_SHARE, budgets.FEWER_LAWS)


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

        return reduce(list(laws), enough)

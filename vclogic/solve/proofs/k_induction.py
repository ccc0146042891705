"""k-induction: if k states without the goal are never followed by it, and the first k are without it, none has it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from vclogic.encode.unroll import Unrolling, free_state
from vclogic.model.transition import Transition
from vclogic.solve.backends.session import FAST, GIVEN_UP, PLAIN, Beside, Effort
from vclogic.solve.backends.z3_engine import LIMIT
from vclogic.terms.build import any_of, ne, not_
from vclogic.terms.term import Term

Finding = Literal["proved", "reachable", "interrupted", "over"]
_MANY = 150  # fluents, beyond which only neighbouring states are told apart


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


def holds_by_induction(system: Confined, laws: Sequence[Term], k: int, effort: Effort) -> bool:
    """Recheck a proof by k-induction with new plain solvers.

    Args:
        laws: Invariants, which are not checked here.
        k: The depth.
    """
    ways = Unrolling(system.transition, system.start)
    with effort.session(PLAIN) as session:
        for depth in range(k):
            if session.check(ways.holds(system.goal, depth)).verdict != "unsat":
                return False
            session.add(*ways.extend())
    path = Path(system, laws, narrow=False)
    with effort.session(PLAIN) as session:
        session.add(*path.begin())
        for _ in range(k):
            session.add(*path.extend())
        session.add(path.goal)
        return session.check().verdict == "unsat"

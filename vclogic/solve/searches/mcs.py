"""Minimal correction sets: the smallest sets of values to change so that a goal holds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from vclogic.clock import TIME_UP, Deadline, TimeUp
from vclogic.solve import budgets
from vclogic.solve.backends.session import Answer, Effort, Session
from vclogic.solve.searches.canonical_plan import lexicographically_first
from vclogic.solve.searches.cost_bounds import least as least_of
from vclogic.solve.searches.cost_bounds import narrow, number
from vclogic.terms.atoms import var
from vclogic.terms.build import any_of, count, eq, ge, iff, in_mask, ite, le, linear, ne, not_, scale, sub
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term, variables

Correction = Mapping[Term, int]
"""Each changed variable with its new value, as a state's number."""


@dataclass(frozen=True)
class CorrectionSets:
    """Minimal correction sets: none contains another.

    Attributes:
        sets: The sets, small ones first; each with one choice of new values.
        complete: Whether there are no others.
        least: The proved least size of a set.
        reason: Why the search stopped early, if it did.
    """

    sets: tuple[Correction, ...]
    complete: bool
    least: int = 0
    reason: str = ""

    @property
    def impossible(self) -> bool:
        """Whether it is proved that no values satisfy the goal."""
        return self.complete and not self.sets


def correction_sets(goal: Sequence[Term], start: Mapping[Term, Term], limit: int, effort: Effort) -> CorrectionSets:
    """Find minimal sets of variables whose change can make terms true, in order of size.

    Each set found excludes its supersets, and sets are found in order of size, so every set found is minimal. Of sets
    of one size that which changes the first variable of the start comes first, and so on, whichever engine answers.
    The new values are settled the same way, of numbers the nearest.

    Args:
        goal: Bool terms.
        start: The constant value of each variable.
        limit: The number of sets to find.
        effort: The resources.
    """
    spoken = dict.fromkeys(variables(*goal))
    differs = {v: ne(v, now) for v, now in start.items() if v in spoken}
    size = count(differs.values())
    changed = {v: var(f"changed {i}", BOOL) for i, v in enumerate(differs)}
    with effort.session() as session:
        session.add(*goal, *(iff(changed[v], t) for v, t in differs.items()))
        first = session.check()
        if first.verdict != "sat":
            return CorrectionSets((), first.verdict == "unsat", reason=first.reason)
        best, least, reason = narrow(size, first, number(size, first), 0, session, effort.progress)
        if reason:
            return CorrectionSets((_correction(best, start, changed),), False, least, reason)
        return _others(best, least, Hunt(session, start, changed, size, limit), effort)


@dataclass(frozen=True)
class Hunt:
    """A search among the solutions in a session, for a number of sets.

    Attributes:
        session: The constraints.
        start: The constant value of each variable.
        changed: For each variable a Bool variable: whether it is changed.
        size: The number of changed variables.
        limit: The number of sets to find.
    """

    session: Session
    start: Mapping[Term, Term]
    changed: Mapping[Term, Term]
    size: Term
    limit: int

    def first(self, answer: Answer, most: int) -> Correction:
        """The first set of at most so many variables, with its first values, as far as time permits.

        Args:
            answer: Some solution that changes no more.
            most: The number of changed variables.
        """
        settled = [le(self.size, most)]
        deadline = Deadline(budgets.FIRST_CHANGES)

        def ask(term: Term, seconds: float = math.inf) -> Answer:
            return self.session.check(*settled, term, seconds=min(seconds, deadline.left))

        answer = lexicographically_first(list(self.changed.values()), answer, ask, deadline.left)
        found = _correction(answer, self.start, self.changed)
        settled += [c if v in found else not_(c) for v, c in self.changed.items()]
        names = [v for v in found if isinstance(v.sort, EnumSort)]
        answer = lexicographically_first(names, answer, ask, deadline.left)
        settled += [in_mask(v, 1 << answer.values[v]) for v in names]
        for v in found:
            if isinstance(v.sort, IntSort):
                up = sub(v, self.start[v])
                away = ite(ge(up, 1), linear([(2, up)], 1), scale(up, -2))  # of two as near the smaller one is first
                answer, _, _ = least_of(ask, away, answer)
                settled.append(eq(v, answer.values[v]))
        return _correction(answer, self.start, self.changed)


def _others(best: Answer, least: int, hunt: Hunt, effort: Effort) -> CorrectionSets:
    """The requested number of sets, beginning with a smallest one."""
    found: list[Correction] = []
    answer, most = best, least
    try:
        while True:
            if answer.verdict == "sat":
                found.append(hunt.first(answer, most))
                if not found[-1]:
                    return CorrectionSets(tuple(found), True, least)
                effort.progress(f"{len(found)} found, the last of {most} changes")
                hunt.session.add(any_of(not_(hunt.changed[v]) for v in found[-1]))
            elif answer.verdict == "unknown":
                return CorrectionSets(tuple(found), False, least, answer.reason)
            else:
                beyond = hunt.session.check()
                if beyond.verdict != "sat":
                    return CorrectionSets(tuple(found), beyond.verdict == "unsat", least, beyond.reason)
                most += 1
            if len(found) == hunt.limit:
                rest = hunt.session.check()
                return CorrectionSets(tuple(found), rest.verdict == "unsat", least)
            answer = hunt.session.check(le(hunt.size, most))
    except TimeUp:
        return CorrectionSets(tuple(found), False, least, TIME_UP)


def _correction(answer: Answer, start: Mapping[Term, Term], wanted: Iterable[Term]) -> Correction:
    """The variables that differ from the start; those that a model leaves open keep their value."""
    return {v: answer.values[v] for v in wanted if v in answer.values and answer.values[v] != int(start[v].payload)}

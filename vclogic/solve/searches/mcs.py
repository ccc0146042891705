"""Minimal correction sets: the smallest sets of values to change so that a goal holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from vclogic.clock import TIME_UP, TimeUp
from vclogic.solve.backends.session import Answer, Effort, Session
from vclogic.solve.searches.cost_bounds import narrow, number
from vclogic.terms.build import any_of, count, le, ne, not_
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

    Each set found excludes its supersets, and sets are found in order of size, so every set found is minimal.

    Args:
        goal: Bool terms.
        start: The constant value of each variable.
        limit: The number of sets to find.
        effort: The resources.
    """
    differs = {v: ne(v, start[v]) for v in variables(*goal)}
    size = count(differs.values())
    with effort.session() as session:
        session.add(*goal)
        first = session.check()
        if first.verdict != "sat":
            return CorrectionSets((), first.verdict == "unsat", reason=first.reason)
        best, least, reason = narrow(size, first, number(size, first), 0, session, effort.progress)
        if reason:
            return CorrectionSets((_correction(best, start, differs),), False, least, reason)
        return _others(best, least, Hunt(session, start, differs, size, limit), effort)


@dataclass(frozen=True)
class Hunt:
    """The constraints of a search, and the number of sets to find."""

    session: Session
    start: Mapping[Term, Term]
    differs: Mapping[Term, Term]
    size: Term
    limit: int


def _others(best: Answer, least: int, hunt: Hunt, effort: Effort) -> CorrectionSets:
    """The requested number of sets, beginning with a smallest one."""
    found: list[Correction] = []
    answer, most = best, least
    try:
        while True:
            if answer.verdict == "sat":
                found.append(_correction(answer, hunt.start, hunt.differs))
                if not found[-1]:
                    return CorrectionSets(tuple(found), True, least)
                effort.progress(f"{len(found)} found, the last of {most} changes")
                hunt.session.add(any_of(not_(hunt.differs[v]) for v in found[-1]))
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

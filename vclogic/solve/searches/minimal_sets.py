"""Minimal sets: unsatisfiable subsets of terms, and corrections: the fewest values to change so that a goal holds.

A correction set is minimal for the values that it gives: no part of it, with the same values, is enough. So a set
found excludes what its own values already achieve (the goal with everything else as it is), not all sets that
change the same variables.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from vclogic.clock import ANSWERING, TIME_UP, Deadline, TimeUp, grace_period
from vclogic.model.fluents import numbered
from vclogic.solve import budgets
from vclogic.solve.backends.session import Answer, Effort, Session
from vclogic.solve.searches.cost_bounds import halves, lexicographically_first, narrow, number
from vclogic.terms.atoms import var
from vclogic.terms.build import (
    all_of,
    any_of,
    count,
    eq,
    ge,
    iff,
    implies,
    in_mask,
    ite,
    le,
    linear,
    not_,
    scale,
    sub,
)
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term, variables

T = TypeVar("T")


# ---- the deletion filter: reduce a set to a minimal sufficient subset


def reduce(parts: list[T], enough: Callable[[Sequence[T]], bool]) -> list[T]:
    """Remove parts that are not needed: in large blocks first, one by one at last.

    If sufficiency is monotone, the result is minimal.

    Args:
        parts: Parts that suffice together.
        enough: Tests whether some of them suffice.
    """
    size = len(parts)
    while size:
        place = 0
        while place < len(parts):
            without = parts[:place] + parts[place + size :]
            if enough(without):
                parts = without
            else:
                place += size
        size //= 2
    return parts


_HOUR = 3600.0  # seconds: where nobody sets a limit
_ONE = ("merging",)  # many small questions: an engine that starts afresh for each only gets in the way
Set = frozenset[int]
"""Places of some of the terms."""


# ---- minimal unsatisfiable subsets of terms, by MARCO (Liffiton, Previti, Malik and Marques-Silva 2016)


@dataclass(frozen=True)
class UnsatSubsets:
    """Minimal unsatisfiable subsets: without any one of its terms, a set is satisfiable.

    Attributes:
        sets: The sets, as sorted positions of their terms, small ones first.
        complete: Whether there are no others.
        reason: Why the search stopped early, if it did.
    """

    sets: tuple[tuple[int, ...], ...]
    complete: bool
    reason: str = ""


class _Stopped(Exception):
    """No solver decided a query in time."""


def unsat_subsets(terms: Sequence[Term], limit: int, effort: Effort) -> UnsatSubsets:
    """Enumerate the minimal unsatisfiable subsets of some terms.

    A map solver keeps the subsets that are still undecided: a satisfiable set decides all its subsets; an
    unsatisfiable one is shrunk to a minimal one, which decides all its supersets.

    Args:
        terms: Bool terms.
        limit: The number of sets to find.
    """
    found: list[Set] = []
    with effort.session(_ONE) as session, effort.session(_ONE) as map_:
        using = [var(f"using {i}", BOOL) for i in range(len(terms))]
        session.add(*(implies(u, t) for u, t in zip(using, terms, strict=True)))
        marco = _Marco(session, map_, using, found)
        try:
            while len(found) < limit and (seed := marco.unexplored()) is not None:
                if marco.can_hold(seed):
                    map_.add(any_of(u for i, u in enumerate(using) if i not in seed))
                    continue
                found.append(frozenset(reduce(sorted(seed), lambda some: not marco.can_hold(some))))
                map_.add(not_(all_of(using[i] for i in found[-1])))
                effort.progress(f"{len(found)} contradictions found")
            return UnsatSubsets(_ordered(found), len(found) < limit or marco.unexplored() is None)
        except _Stopped as stopped:
            return UnsatSubsets(_ordered(found), False, str(stopped))
        except TimeUp:
            return UnsatSubsets(_ordered(found), False, TIME_UP)


def _ordered(found: Sequence[Set]) -> tuple[tuple[int, ...], ...]:
    return tuple(sorted((tuple(sorted(s)) for s in found), key=lambda s: (len(s), s)))


@dataclass(frozen=True)
class _Marco:
    """The state of the enumeration.

    Attributes:
        session: The session with the terms.
        map: The session with the undecided subsets.
        using: The selector of each term, in both sessions.
        found: The minimal unsatisfiable subsets so far.
    """

    session: Session
    map: Session
    using: Sequence[Term]
    found: Sequence[Set]

    def unexplored(self) -> Set | None:
        """A largest undecided subset; None if there is none."""
        answer = self.map.check()
        if answer.verdict == "unknown":
            raise _Stopped(answer.reason)
        if answer.verdict == "unsat":
            return None
        seed = {i for i, u in enumerate(self.using) if answer.values.get(u, 1)}
        for i in range(len(self.using)):
            if not any(s <= seed | {i} for s in self.found):
                seed.add(i)
        return frozenset(seed)

    def can_hold(self, some: Sequence[int] | Set) -> bool:
        """True if some terms are satisfiable together."""
        answer = self.session.check(all_of(self.using[i] for i in sorted(some)))
        if answer.verdict == "unknown":
            raise _Stopped(answer.reason)
        return answer.verdict == "sat"


Correction = Mapping[Term, int]
"""Each changed variable with its new value, as a state's number."""


@dataclass(frozen=True)
class CorrectionSets:
    """Minimal correction sets: the variables whose change can make the goal true, each of them needed.

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
        """True if it is proved that no values satisfy the goal."""
        return self.complete and not self.sets


def correction_sets(
    goal: Sequence[Term],
    start: Mapping[Term, Term],
    limit: int,
    effort: Effort,
    following: Mapping[Term, Term] | None = None,
) -> CorrectionSets:
    """Find minimal sets of variables whose change can make terms true, in order of size.

    Sets are found in order of size, and each excludes what its own values achieve, so every set found is minimal for
    the values that it gives. Of sets of one size that which changes the first variable of the start comes first, and
    so on, whichever engine answers. The new values are settled the same way, of numbers the nearest.

    Args:
        goal: Bool terms.
        start: The constant value of each variable.
        limit: The number of sets to find.
        following: What some variables are by themselves, over others that are not among them; as at the start where
            nothing changes. Only another value than that counts as a change of theirs.
    """
    asked = dict.fromkeys(variables(*goal))
    usual = {v: t for v, t in (following or {}).items() if v in asked}
    spoken = dict.fromkeys(variables(*goal, *usual.values()))
    usual = {v: usual.get(v, now) for v, now in start.items() if v in spoken}
    differs = {v: not_(eq(v, t)) for v, t in usual.items()}
    size = count(differs.values())
    changed = {v: var(f"changed {i}", BOOL) for i, v in enumerate(differs)}
    with effort.session() as session:
        session.add(*goal, *(iff(changed[v], t) for v, t in differs.items()))
        first = session.check()
        if first.verdict != "sat":
            return CorrectionSets((), first.verdict == "unsat", reason=first.reason)
        found = narrow(
            lambda t, seconds: session.check(t, seconds=seconds),
            size,
            first,
            number(size, first),
            0,
            patience=budgets.ONE_COST,
            progress=effort.progress,
        )
        hunt = Hunt(session, all_of(goal), start, usual, changed, size, limit, effort)
        if found.reason:
            return CorrectionSets((hunt.correction(found.best),), False, found.low, found.reason)
        return _others(found.best, found.low, hunt, effort)


@dataclass(frozen=True)
class Hunt:
    """A search among the solutions in a session, for a number of sets.

    Attributes:
        session: The constraints.
        goal: What is to be true.
        start: The constant value of each variable.
        usual: What each variable is if it is not changed: its value at the start, or what follows from others.
        changed: For each variable a Bool variable: whether it is changed.
        size: The number of changed variables.
        limit: The number of sets to find.
        effort: What may be spent.
    """

    session: Session
    goal: Term
    start: Mapping[Term, Term]
    usual: Mapping[Term, Term]
    changed: Mapping[Term, Term]
    size: Term
    limit: int
    effort: Effort

    def first(self, answer: Answer, most: int) -> Correction:
        """The first set of at most so many variables, with its first values, as far as time permits.

        Args:
            answer: Some solution that changes no more.
            most: The number of changed variables.
        """
        settled = [le(self.size, most)]
        left = self.effort.deadline.left
        deadline = Deadline(max(budgets.FIRST_CHANGES, min(left, _HOUR) * budgets.FIRST_CHANGES_SHARE))

        def ask(term: Term, seconds: float = math.inf) -> Answer:
            return self.session.check(*settled, term, seconds=min(seconds, deadline.left))

        answer = lexicographically_first(list(self.changed.values()), answer, ask, deadline.left)
        found = self.correction(answer)
        settled += [c if v in found else not_(c) for v, c in self.changed.items()]
        names = [v for v in found if isinstance(v.sort, EnumSort)]
        answer = lexicographically_first(names, answer, ask, deadline.left)
        settled += [in_mask(v, 1 << answer.values[v]) for v in names]
        for v in found:
            if isinstance(v.sort, IntSort):
                up = sub(v, self.start[v])
                away = ite(ge(up, 1), linear([(2, up)], 1), scale(up, -2))  # of two as near the smaller one is first
                answer = narrow(ask, away, answer, number(away, answer), 0, by=halves, hard="stop").best
                settled.append(eq(v, answer.values[v]))
        return self.correction(answer)

    def correction(self, answer: Answer) -> Correction:
        """The variables that a solution changes; those that it leaves open are as usual."""
        here = {v: t if v not in answer.values else numbered(v, answer.values[v]) for v, t in self._as_at_start()}
        usual = Substitution(here)
        found = {v: answer.values[v] for v in self.usual if v in answer.values}
        return {v: n for v, n in found.items() if n != int(usual(self.usual[v]).payload)}

    def achieving_term(self, some: Iterable[Term]) -> Term:
        """A Bool term: the values of some variables make the goal true with all others as usual."""
        changed = set(some)
        here = {v: t for v, t in self._as_at_start() if v not in changed}
        usual = Substitution(here)
        here |= {v: usual(t) for v, t in self.usual.items() if v not in here and v not in changed}
        return Substitution(here)(self.goal)

    def _as_at_start(self) -> Iterator[tuple[Term, Term]]:
        return ((v, t) for v, t in self.usual.items() if t.is_const)


def _as_found(hunt: Hunt, answer: Answer, most: int) -> Correction:
    """The first set of a solution, or where the time is up that of the solution itself, which is as small."""
    try:
        return hunt.first(answer, most)
    except TimeUp:
        with grace_period(ANSWERING):
            return hunt.correction(answer)


def _others(best: Answer, least: int, hunt: Hunt, effort: Effort) -> CorrectionSets:
    """The requested number of sets, beginning with a smallest one."""
    found: list[Correction] = []
    answer, most = best, least
    try:
        while True:
            if answer.verdict == "sat":
                found.append(_as_found(hunt, answer, most))
                if not found[-1]:
                    return CorrectionSets(tuple(found), True, least)
                effort.progress(f"{len(found)} found, the last of {most} changes")
                hunt.session.add(not_(hunt.achieving_term(found[-1])))
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

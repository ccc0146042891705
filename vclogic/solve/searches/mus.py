"""Minimal unsatisfiable subsets of terms, by MARCO (Liffiton, Previti, Malik and Marques-Silva 2016)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vclogic.clock import TIME_UP, TimeUp
from vclogic.solve.backends.session import Effort, Session
from vclogic.solve.searches.deletion_filter import reduced
from vclogic.terms.atoms import var
from vclogic.terms.build import all_of, any_of, implies, not_
from vclogic.terms.sorts import BOOL
from vclogic.terms.term import Term

_ONE = ("merging",)  # many small questions: an engine that starts afresh for each only gets in the way
Set = frozenset[int]
"""Places of some of the terms."""


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
                found.append(frozenset(reduced(sorted(seed), lambda some: not marco.can_hold(some))))
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

"""The positions before and after an event, and the moments that happen in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass
from functools import cached_property

from vclogic.model.memoized import Latest
from vclogic.model.moments import Between
from vclogic.rulebook.statements import ONCE
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import and_, any_of, eq, not_
from vclogic.terms.rewrite import Substitution, stands_for_none
from vclogic.terms.term import Term, variables

Following = Mapping[Term, Term]
"""Facts and their values after an event, over the position before it."""
Same = Latest[frozenset[Term], set[Term]]


class EventPositions:
    """The positions before and after an event; what is asked of both again and again is worked out once.

    Args:
        before: The position before.
        after: That after it.
        same: Terms in which some facts do not occur, by these.
    """

    def __init__(self, before: Following, after: Following, same: Same):
        self._same, self._was, self._then = same, before, after
        self.before, self.after = self._with(before), self._with(after)
        self.ended: dict[tuple[Term, ...], Term] = {}
        self._happens: dict[int, Term] = {}
        self._plain = stands_for_none()
        self._position: tuple[Mapping[Term, Term], Substitution] = {}, Substitution({})

    def _with(self, facts: Following) -> Substitution:
        """The values of terms where some facts are others."""
        return Substitution(facts, self._same.get(frozenset(facts), set))

    def position(self, now: Following, still: Following) -> Substitution:
        """The values of terms at a moment.

        Args:
            now: The facts that are others then.
            still: Those of the time, which are as they were.
        """
        here = {**now, **still}
        if here != self._position[0]:
            self._position = here, self._with(here)
        return self._position[1]

    def leaves(self, reads: Set[Term], now: Following, still: Following) -> bool:
        """True if terms that read some facts alone are the same at a moment as before the event."""
        return self._plain and now.keys().isdisjoint(reads) and still.keys().isdisjoint(reads)

    def happens(self, moment: Occurrence) -> Term:
        """Bool, over the position before: whether a moment happens."""
        found = self._happens.get(id(moment))
        if found is None:
            still = moment.never_stands and self.leaves_as_it_was(moment.reads)
            found = FALSE if still else moment.between(self.before, self.after)
            self._happens[id(moment)] = found
        return found

    def leaves_as_it_was(self, facts: Iterable[Term]) -> bool:
        """True if some facts are certainly after the event what they were before it."""
        was, then = self._was, self._then
        return self._plain and all(then.get(f, f) is was.get(f, f) for f in facts)


@dataclass(frozen=True)
class Occurrence:
    """A moment: it happens where an event makes any of some terms true, or changes one that is a number.

    Attributes:
        name: One of `MOMENTS`.
        terms: The terms; at once: always.
        exact: What tells it instead, where a term does not; see `Moments`.
    """

    name: str
    terms: tuple[Term, ...]
    exact: tuple[Between, ...] = ()

    @property
    def shown(self) -> bool:
        """True if a position shows that it has just happened."""
        return all(t.is_bool for t in self.terms)

    @cached_property
    def reads(self) -> frozenset[Term]:
        """The facts that tell it."""
        read: set[Term] = set()

        def noted(term: Term) -> Term:
            read.update(variables(term))
            return term

        self.between(noted, noted)
        return frozenset(read)

    @cached_property
    def never_stands(self) -> bool:
        """True if it certainly does not happen where none of the facts that tell it changes."""
        return self.between(_itself, _itself) is FALSE

    def between(self, before: Callable[[Term], Term], after: Callable[[Term], Term]) -> Term:
        """Bool, over the position before a step: whether it happens between two positions in it."""
        if self.name == ONCE:
            return TRUE
        if self.exact:
            return any_of(happens(before, after) for happens in self.exact)
        return any_of(
            and_(after(t), not_(before(t))) if t.is_bool else not_(eq(after(t), before(t))) for t in self.terms
        )


def _itself(term: Term) -> Term:
    return term

"""Invariant candidates: properties that may hold in every reachable state, guessed from the terms of steps and goal.

Each candidate holds at the start. A solver decides whether steps preserve it (`solve/proofs/invariants.py`); a wrong
candidate costs time and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from vclogic.model.transition import Transition
from vclogic.terms.atoms import TRUE
from vclogic.terms.build import count, eq, ge, in_mask, le, not_, or_
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import EnumSort, IntSort, members_of
from vclogic.terms.term import Op, Term, postorder, variables

_SINGLE = 2_000  # guesses about one thing each; beyond that a solver sorts them out too slowly
_PAIRED, _PARTNERS = 24, 60  # conditions of the goal, and those that each of them is paired with
_FEW = 8  # members of an Enum each of which is asked about


class Guesses:
    """Invariant candidates of a system, the likely ones first.

    Args:
        goal: Bool, over fluents.
        transition: One step.
        start: The starting value of each fluent that candidates may mention, those that the goal reads first.
        given: Further candidates.
    """

    def __init__(
        self,
        goal: Term,
        transition: Transition,
        start: Mapping[Term, Term],
        given: Sequence[Term] = (),
    ):
        self._goal = goal
        self._start = start
        self._given = given
        self._at_start = Substitution(start)
        self._conditions = list(self._found([goal]))
        said = dict.fromkeys(self._conditions)
        more = [*self._found([*transition.next.values(), *transition.legality]), *self._values()]
        self._others = [t for t in dict.fromkeys(more) if t not in said]

    def likely(self, known: Iterable[Term] = ()) -> list[Term]:
        """Candidates that a fluent never changes, falls or rises, or that a condition of the goal keeps its value.

        Args:
            known: Known invariants, which are not guessed again.
        """
        return self._new([*self._of_fluents(), *self._of_conditions(self._conditions)], known)

    def single(self, known: Iterable[Term] = ()) -> list[Term]:
        """The same for conditions of the steps, with nearby bounds; counts of conditions; and the given candidates.

        Args:
            known: Known invariants.
        """
        return self._new([*self._given, *self._of_counts(), *self._of_conditions(self._others)], known)[:_SINGLE]

    def paired(self, known: Iterable[Term]) -> list[Term]:
        """Candidates that one condition implies another, or excludes it.

        Args:
            known: Known invariants; nothing weaker is guessed.
        """
        found = set(known)
        open_ = [t for t in self._conditions if not found & {t, not_(t)}][:_PAIRED]
        near = set(variables(*open_))
        others = sorted(self._others, key=lambda t: near.isdisjoint(variables(t)))
        partners = [t for t in (*open_, *others) if not found & {t, not_(t)}][:_PARTNERS]
        either = (
            or_(x, y)
            for a, b in product(open_, partners)
            if a is not b
            for x, y in product((a, not_(a)), (b, not_(b)))
        )
        return self._true(either)

    def _new(self, guesses: Iterable[Term], known: Iterable[Term]) -> list[Term]:
        found = set(known)
        return [t for t in self._true(guesses) if t not in found]

    def _true(self, guesses: Iterable[Term]) -> list[Term]:
        """The distinct candidates that hold at the start and are not constants."""
        found: dict[Term, None] = {}
        for t in guesses:
            if t is not TRUE and t not in found and self._at_start(t) is TRUE:
                found[t] = None
        return list(found)

    def _found(self, roots: Sequence[Term]) -> Iterator[Term]:
        """The subterms of sort Bool that contain fluents only."""
        over_fluents: set[Term] = set()
        for t in postorder(roots):
            if t in self._start if t.op is Op.VAR else over_fluents.issuperset(t.args):
                over_fluents.add(t)
                if t.op in (Op.GE, Op.IN, Op.REACH) or (t.op is Op.VAR and t.is_bool):
                    yield t

    def _values(self) -> Iterator[Term]:
        """Candidates that a fluent with few values has one of them."""
        for f in self._start:
            if isinstance(f.sort, EnumSort) and f.mask.bit_count() <= _FEW:
                yield from (in_mask(f, 1 << m) for m in members_of(f.mask))

    def _of_fluents(self) -> Iterator[Term]:
        """Candidates for each fluent: no event changes it, it never falls, it never rises."""
        for f, value in self._start.items():
            if isinstance(f.sort, IntSort):
                yield from (ge(f, value), le(f, value))
            else:
                yield eq(f, value)

    def _of_conditions(self, conditions: Iterable[Term]) -> Iterator[Term]:
        """Candidates that a condition keeps its starting value, or that a compared sum never rises or never falls."""
        for t in conditions:
            yield from (t, not_(t))
            if t.op is Op.GE and t.args[0].op is Op.VAR:
                yield from (le(t.args[0], t.payload), ge(t.args[0], t.payload - 1))
            elif t.op is Op.GE and t.args[0].op is Op.LIN:
                yield from self._around(t.args[0])

    def _of_counts(self) -> Iterator[Term]:
        """Candidates on counts (of a family, a sum, similar tests): exactly one, at most one, as many as at first."""
        groups: dict[object, list[Term]] = {}
        for f in self._start:
            if f.is_bool and "[" in f.name:
                groups.setdefault(f.name.partition("[")[0], []).append(f)
        for t in self._conditions:
            if t.op is Op.IN:
                groups.setdefault((t.args[0].sort, t.payload), []).append(t)
        for group in groups.values():
            if len(group) > 1:
                yield from self._around(count(group), most=1)

    def _around(self, number: Term, most: int | None = None) -> Iterator[Term]:
        """Candidates that a number never exceeds its starting value or some bound, or never falls below it."""
        now = self._at_start(number)
        yield from (ge(number, now), le(number, now))
        if most is not None:
            yield le(number, most)

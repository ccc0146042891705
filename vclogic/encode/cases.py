"""Sums counted case by case: a sum over places and the sum over what stands there become one term."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from vclogic.terms.atoms import constant, in_var
from vclogic.terms.build import and_, any_of, linear
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import EnumSort, members_of
from vclogic.terms.sums import items_of
from vclogic.terms.term import Op, Term, postorder


class CaseByCase:
    """Rewrites sums: a condition about where something stands becomes one condition for each place.

    "Some unit is in the hex, and ..." becomes one condition for each unit, which counts as much if no two of them are
    there at once (`exclusive`); "the unit is in one of these hexes, and ..." becomes one for each hex. What is
    connected stays as it is, as one thing.

    Args:
        terms: All that is to be rewritten.

    Attributes:
        exclusive: Conditions that have to be impossible for this to be right.
    """

    def __init__(self, terms: Iterable[Term]):
        parts = list(postorder(terms))
        self.exclusive: dict[Term, None] = {}
        self._kept = {t: t for t in parts if t.op in (Op.REACH, Op.FIX)}
        sums = [t for t in parts if t.op is Op.LIN]
        some = {t: any_of(t.args[0].args) for t in parts if t.op is Op.GE and _asks_for_some(t)}
        self._whole = Substitution({t: self._sum(t) for t in sums} | some | self._kept)

    def __call__(self, term: Term) -> Term:
        """A term with its sums counted case by case."""
        return self._whole(term)

    def _sum(self, sum_: Term) -> Term:
        return linear([(k, x) for t, k in items_of(sum_) for x in self._cases(t)], sum_.payload[1])

    def _cases(self, term: Term) -> list[Term]:
        """Conditions of which one holds where a condition does, and none where it does not."""
        parts = term.args if term.op is Op.AND else (term,) if term.is_bool else ()
        for part in parts:
            if part.op is Op.OR and all(_one(x) for x in part.args) and len({x.args for x in part.args}) > 1:
                self.exclusive |= dict.fromkeys(and_(x, y) for x, y in combinations(part.args, 2))
                return [self._where(x, term) for x in part.args]
        for part in parts:
            if part.op is Op.IN and len(parts) > 1 and not _one(part):
                v = part.args[0]
                return [self._where(in_var(v, 1 << i), term) for i in members_of(part.payload & v.mask)]
        return [term]

    def _where(self, test: Term, term: Term) -> Term:
        """A condition where something stands in one place."""
        (v,), (i,) = test.args, members_of(test.payload)
        assert isinstance(v.sort, EnumSort), "tests of members are of these"
        return and_(test, Substitution({v: constant(v.sort, v.sort.members[i])} | self._kept)(term))


def _asks_for_some(test: Term) -> bool:
    """True of a test that any one condition of a sum suffices for."""
    (sum_,) = test.args
    if sum_.op is not Op.LIN or not all(t.is_bool for t in sum_.args):
        return False
    weights, more = sum_.payload
    least: int = test.payload - more
    return bool(0 < least <= min(weights))


def _one(test: Term) -> bool:
    """True of a test that asks for one place."""
    return test.op is Op.IN and test.payload.bit_count() == 1

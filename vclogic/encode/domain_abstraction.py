"""Members of an Enum that a question does not tell apart: one of them stands for all.

A unit may be in a thousand hexes; a question about points may ask only whether it is in the capital or eliminated.
Each set that it asks for takes in all members of a kind or none, so a question over one member of each kind has an
answer exactly where the whole question has one, and every answer to it is an answer to the whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from vclogic.terms.atoms import var
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import EnumSort, members_of
from vclogic.terms.term import Op, Term, postorder

_FEW = 16


class Kinds:
    """Writes questions with one member of each kind.

    Args:
        preferred: For a variable the member's number that is to stand for its kind.
        few: A variable of no more members stays: questions about it then share what a solver has learnt.
    """

    def __init__(self, preferred: Mapping[Term, int], few: int = _FEW):
        self._preferred = preferred
        self._few = few
        self._made: dict[tuple[Term, int], Term] = {}

    def thinned(self, terms: Sequence[Term]) -> tuple[list[Term], Mapping[Term, Term]]:
        """Bool terms over variables of fewer members, and what stands for each variable of theirs.

        What stands for one is a variable of the same numbers, or a constant.
        """
        tests = tests_in(terms)
        stands = {v: self._standing(v, masks, i) for i, (v, masks) in enumerate(tests.items())}
        replaced = Substitution({v: w for v, w in stands.items() if w is not v})
        return [replaced(t) for t in terms], stands

    def _standing(self, v: Term, tests: Sequence[int], i: int) -> Term:
        assert isinstance(v.sort, EnumSort)
        if len(v.sort.members) <= self._few:
            return v
        mask = 0
        for kind in _kinds(v, tests):
            preferred = self._preferred.get(v, -1)
            mask |= 1 << (preferred if preferred in kind else kind[i % len(kind)])  # not all in one place
        if mask == v.mask:
            return v
        made = self._made.get((v, mask))
        if made is None:
            made = self._made[v, mask] = var(f"{v.name} ~{len(self._made)}", v.sort, mask=mask)
        return made


def tests_in(terms: Iterable[Term]) -> dict[Term, list[int]]:
    """The sets of members that each Enum variable is asked for; terms are shared, so each set stands once."""
    found: dict[Term, list[int]] = {}
    for t in postorder(terms):
        if t.op is Op.IN:
            found.setdefault(t.args[0], []).append(t.payload)
    return found


def _kinds(v: Term, tests: Sequence[int]) -> list[list[int]]:
    """The members of a variable, together where every set takes in all of them or none."""
    kinds = [v.mask]
    for test in tests:
        kinds = [part for kind in kinds for part in (kind & test, kind & ~test) if part]
    return [members_of(kind) for kind in kinds]

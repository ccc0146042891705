"""Domain abstraction: members of an Enum that a question does not distinguish are represented by one of them.

A unit may be in a thousand hexes, while a question about points only asks whether it is in the capital or eliminated.
Members form a class if every membership test contains all of them or none. The question over one representative per
class is satisfiable exactly if the original is, and each of its solutions is a solution of the original.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from vclogic.terms.atoms import var
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import EnumSort, members_of
from vclogic.terms.term import Op, Term, postorder

_FEW = 16


class DomainAbstraction:
    """Abstracts questions to one member of each class.

    Args:
        preferred: For a variable, the number of the member to prefer as representative of its class.
        few: Variables with at most this many members stay as they are, so that queries share learnt clauses.
    """

    def __init__(self, preferred: Mapping[Term, int], few: int = _FEW):
        self._preferred = preferred
        self._few = few
        self._made: dict[tuple[Term, int], Term] = {}

    def abstracted(self, terms: Sequence[Term]) -> tuple[list[Term], Mapping[Term, Term]]:
        """Abstract some Bool terms.

        Returns:
            The terms over variables with fewer members, and for each original variable what replaces it: a variable
            with the same numbers, or a constant.
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
        for kind in kinds(v, tests):
            preferred = self._preferred.get(v, -1)
            mask |= 1 << (preferred if preferred in kind else kind[i % len(kind)])  # not all in one place
        if mask == v.mask:
            return v
        made = self._made.get((v, mask))
        if made is None:
            made = self._made[v, mask] = var(f"{v.name} ~{len(self._made)}", v.sort, mask=mask)
        return made


def tests_in(terms: Iterable[Term]) -> dict[Term, list[int]]:
    """The distinct member sets against which each Enum variable is tested."""
    found: dict[Term, list[int]] = {}
    for t in postorder(terms):
        if t.op is Op.IN:
            found.setdefault(t.args[0], []).append(t.payload)
    return found


def kinds(v: Term, tests: Sequence[int]) -> list[list[int]]:
    """Partition the members of a variable into classes that no set separates."""
    kinds = [v.mask]
    for test in tests:
        kinds = [part for kind in kinds for part in (kind & test, kind & ~test) if part]
    return [members_of(kind) for kind in kinds]

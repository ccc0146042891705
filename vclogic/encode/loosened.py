"""A question over large sums made small: parts that every sum weighs alike become one number each.

"At most 3 to 1 and more than 4 to 1" compares two totals of sixty units each, folded into one sum per comparison. All
of a side's units stand in those sums in one proportion, so together they are one number within known bounds. Whatever
satisfies the question satisfies the small one; so where nothing satisfies that, nothing satisfies the question.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import gcd

from vclogic.terms.atoms import var
from vclogic.terms.build import ge, linear
from vclogic.terms.rewrite import substitute
from vclogic.terms.sorts import IntSort
from vclogic.terms.term import Op, Term, postorder

_Proportion = tuple[tuple[Term, int], ...]
"""What a part weighs in each comparison of which it is a part, without a common factor."""


def loosened(term: Term) -> Term | None:
    """A Bool term that follows from another one once values are chosen for new variables; None if it is no simpler.

    Args:
        term: The term.

    Returns:
        A term in which groups of what is added up, each with the same proportions in all sums that are compared, are
        new Int variables.
    """
    compared = [t for t in postorder([term]) if t.op is Op.GE and t.args[0].op is Op.LIN]
    groups = _groups(compared)
    if all(len(members) == 1 for members in groups.values()):
        return None
    sums: dict[Term, list[tuple[int, Term]]] = {t: [] for t in compared}
    for i, (proportion, members) in enumerate(groups.items()):
        stands = _standing(i, members)
        for comparison, k in proportion:
            sums[comparison] += ((k * factor, part) for factor, part in stands)
    return substitute(term, {t: ge(linear(parts, t.args[0].payload[1]), t.payload) for t, parts in sums.items()})


def _groups(compared: Iterable[Term]) -> Mapping[_Proportion, list[tuple[int, Term]]]:
    """What is added up, by its proportions: in each group the parts with the factor that is left."""
    weights: dict[Term, dict[Term, int]] = {}
    for t in compared:
        for k, part in zip(t.args[0].payload[0], t.args[0].args, strict=True):
            weights.setdefault(part, {})[t] = k
    groups: dict[_Proportion, list[tuple[int, Term]]] = {}
    for part, found in weights.items():
        factor = gcd(*found.values()) * (1 if next(iter(found.values())) > 0 else -1)
        proportion = tuple((t, k // factor) for t, k in found.items())
        groups.setdefault(proportion, []).append((factor, part))
    return groups


def _standing(i: int, members: list[tuple[int, Term]]) -> list[tuple[int, Term]]:
    """What stands for the members of a group: a number between the least and the most that they can add up to."""
    if len(members) == 1:
        return members
    whole = linear(members)
    return [(1, var(f"all {i} from {whole.lo} to {whole.hi}", IntSort(whole.lo, whole.hi)))]

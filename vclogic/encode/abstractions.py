"""Abstractions: of large sums, of members that a question does not tell apart, and of whatever play can reach.

Sums: "at most 3 to 1 and more than 4 to 1" compares two totals of sixty units each, folded into one sum per
comparison. All units of a side occur in these sums in the same proportion, so their total is one Int within known
bounds. Every solution of the question gives a solution of the abstraction, so if the abstraction is unsatisfiable,
so is the question.
"""

from __future__ import annotations

import itertools
from collections.abc import Container, Iterable, Mapping, Sequence
from math import gcd

from vclogic.model.transition import Transition
from vclogic.terms.atoms import FALSE, TRUE, var
from vclogic.terms.build import and_, eq, ge, in_mask, le, linear
from vclogic.terms.rewrite import Substitution, substitute
from vclogic.terms.sorts import EnumSort, IntSort, members_of
from vclogic.terms.term import Op, Term, postorder, variables

_FEW = 16


# ---- domain abstraction: members of an Enum that a question does not distinguish are represented by one of them
#
# A unit may be in a thousand hexes, while a question about points asks only if it is in the capital or eliminated.
# Members form a class if every membership test contains all of them or none. The question over one representative per
# class is satisfiable exactly if the original is, and each of its solutions is a solution of the original.


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


_Proportion = tuple[tuple[Term, int], ...]
"""The weights of a part in the comparisons that have it, without a common factor."""


def abstracted(term: Term) -> Term | None:
    """The abstraction of a Bool term: implied by it for suitable values of new variables; None if it is no simpler.

    Returns:
        A term in which each group of summands with the same proportions in all compared sums is a new Int variable.
    """
    compared, decided = _compared(term)
    groups = _groups(compared, decided)
    if all(len(members) == 1 for members in groups):
        return None
    sums: dict[Term, list[tuple[int, Term]]] = {t: [] for t in compared}
    for i, members in enumerate(groups):
        stands = _standing(i, [(factor, part) for factor, part, _ in members])
        for comparison, k in members[0][2]:
            sums[comparison] += ((k * factor, part) for factor, part in stands)
    smaller: dict[Term, Term] = {}
    for t, parts in sums.items():  # comparisons within others come first
        here = [(k, substitute(part, smaller) if part in decided else part) for k, part in parts]
        smaller[t] = ge(linear(here, t.args[0].payload[1]), t.payload)
    return substitute(term, smaller)


def _compared(term: Term) -> tuple[list[Term], set[Term]]:
    """The comparisons of sums in a term, inner ones first, and all subterms that contain one."""
    compared: list[Term] = []
    decided: set[Term] = set()
    for t in postorder([term]):
        if t.op is Op.GE and t.args[0].op is Op.LIN:
            compared.append(t)
            decided.add(t)
        elif not decided.isdisjoint(t.args):
            decided.add(t)
    return compared, decided


def _groups(compared: Sequence[Term], decided: Container[Term]) -> list[list[tuple[int, Term, _Proportion]]]:
    """Group the summands of all comparisons by their proportions; each summand with its remaining factor.

    A summand that a comparison determines, such as a grade computed from a ratio, stays alone.
    """
    weights: dict[Term, dict[Term, int]] = {}
    for t in compared:
        for k, part in zip(t.args[0].payload[0], t.args[0].args, strict=True):
            weights.setdefault(part, {})[t] = k
    groups: dict[object, list[tuple[int, Term, _Proportion]]] = {}
    for part, found in weights.items():
        factor = gcd(*found.values()) * (1 if next(iter(found.values())) > 0 else -1)
        proportion = tuple((t, k // factor) for t, k in found.items())
        groups.setdefault(part if part in decided else proportion, []).append((factor, part, proportion))
    return list(groups.values())


def _standing(i: int, members: list[tuple[int, Term]]) -> list[tuple[int, Term]]:
    """The Int variable of a group, bounded by the least and the greatest sum of its members."""
    if len(members) == 1:
        return members
    whole = linear(members)
    return [(1, var(f"all {i} from {whole.lo} to {whole.hi}", IntSort(whole.lo, whole.hi)))]


# ---- reachable values, each fluent by itself: for bounds and for proofs of unreachability


_PATIENCE = 3  # rounds in which an Int may still grow before it is let grow to the end of its sort


def widest(fluent: Term, values: Iterable[Term]) -> Term:
    """A variable that can have any value of some terms (for an Int: anything between the least and the greatest)."""
    terms = list(values)
    if isinstance(fluent.sort, EnumSort):
        mask = 0
        for t in terms:
            mask |= t.mask
        return var(fluent.name, fluent.sort, mask=mask)
    if isinstance(fluent.sort, IntSort):
        return var(fluent.name, IntSort(min(t.lo for t in terms), max(t.hi for t in terms)))
    return terms[0] if terms[0].is_const and all(t is terms[0] for t in terms) else fluent


def closure(transition: Transition, start: Mapping[Term, Term]) -> dict[Term, Term]:
    """For each fluent, a variable whose sort covers all values that it can ever have.

    This is the least fixpoint of the transition with independent fluents (a Cartesian abstraction): a Bool choice is
    free unless a law over it alone excludes it. An Int that keeps growing is widened to the bound of its sort.

    Args:
        transition: One step.
        start: The value of each relevant fluent: a constant, or a variable if it is unknown.
    """
    laws = _laws_of_one(transition)
    have = dict(start)
    for rounds in itertools.count():
        loosely = Substitution(have)
        never = {c: FALSE for c, law in laws if substitute(loosely(law), {c: TRUE}) is FALSE}
        step = Substitution({**have, **never})
        wider = dict(have)
        for fluent in (f for f in have if f in transition.next):
            wider[fluent] = widest(fluent, [have[fluent], step(transition.next[fluent])])
            if rounds > _PATIENCE and isinstance(fluent.sort, IntSort):
                wider[fluent] = to_the_end(fluent, have[fluent], wider[fluent])
        if wider == have:
            break
        have = wider
    return have


def to_the_end(fluent: Term, before: Term, after: Term) -> Term:
    """Widen: if a bound of an Int moved, set it to the bound of its sort; the other bound stays."""
    lo = after.lo if after.lo == before.lo else fluent.lo
    hi = after.hi if after.hi == before.hi else fluent.hi
    return var(fluent.name, IntSort(lo, hi))


def _laws_of_one(transition: Transition) -> list[tuple[Term, Term]]:
    choices = {c for c in transition.choices if c.is_bool}
    found = []
    for law in transition.legality:
        bound = [v for v in variables(law) if v in choices]
        if len(bound) == 1:
            found.append((bound[0], law))
    return found


def as_laws(bounds: Mapping[Term, Term]) -> list[Term]:
    """The bounds as Bool terms over the fluents."""
    laws = []
    for fluent, bound in bounds.items():
        if isinstance(fluent.sort, EnumSort):
            law = in_mask(fluent, bound.mask)
        elif isinstance(fluent.sort, IntSort):
            law = and_(ge(fluent, bound.lo), le(fluent, bound.hi))
        else:
            law = eq(fluent, bound) if bound.is_const else TRUE
        if law is not TRUE:
            laws.append(law)
    return laws

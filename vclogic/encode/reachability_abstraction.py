"""Over-approximations of the reachable values, for bounds and for proofs of unreachability."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping

from vclogic.model.transition import Transition
from vclogic.terms.atoms import FALSE, TRUE, var
from vclogic.terms.build import and_, eq, ge, in_mask, le
from vclogic.terms.rewrite import Substitution, substitute
from vclogic.terms.sorts import EnumSort, IntSort
from vclogic.terms.term import Term, variables

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
                wider[fluent] = _to_the_end(fluent, have[fluent], wider[fluent])
        if wider == have:
            break
        have = wider
    return have


def _to_the_end(fluent: Term, before: Term, after: Term) -> Term:
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

"""Names of several kinds together, such as `if(CONDITION, French, nobody)`: what they can be, and which are equal."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic.terms import atoms
from vclogic.terms.build import and_, any_of, in_mask, ite
from vclogic.terms.domain import Domain
from vclogic.terms.partial import Partial
from vclogic.terms.sorts import EnumSort, members_of
from vclogic.terms.term import Term
from vclogic.terms.typed.form import Env, Expression, plain

OR = " or "
NOBODY = "nobody"
"""The name that is no side, wherever a side can stand."""


def together(domains: Iterable[Domain]) -> Domain:
    """The names of some kinds as one; one of these kinds where it has the names of all.

    Args:
        domains: The kinds, one at least.
    """
    first, *more = domains
    for other in more:
        mine, others = first.sort.index.keys(), other.sort.index.keys()
        if mine >= others:
            continue
        if others > mine:
            first = other
            continue
        members = dict.fromkeys((*first.sort.members, *other.sort.members))
        sort = EnumSort(f"{first.sort.name}{OR}{other.sort.name}", tuple(members))
        first = Domain(sort, {**other.aliases, **first.aliases})
    return first


class SharedNames:
    """The names that two kinds share, by their numbers in both.

    Args:
        a: A kind.
        b: The other one.
    """

    def __init__(self, a: Domain, b: Domain):
        found = {(n, b.sort.index[m]) for n, name in enumerate(a.sort.members) if (m := b.find(name)) is not None}
        found |= {(a.sort.index[m], n) for n, name in enumerate(b.sort.members) if (m := a.find(name)) is not None}
        self._first: dict[int, list[int]] = {}
        self._second: dict[int, list[int]] = {}
        for i, j in sorted(found):
            self._first.setdefault(i, []).append(j)
            self._second.setdefault(j, []).append(i)

    def equal(self, x: Term, y: Term) -> Term:
        """A Bool term: a term of the one kind is the same name as one of the other."""
        if y.mask.bit_count() < x.mask.bit_count():
            here = [(i, j) for j in members_of(y.mask) for i in self._second.get(j, ()) if x.mask >> i & 1]
        else:
            here = [(i, j) for i in members_of(x.mask) for j in self._first.get(i, ()) if y.mask >> j & 1]
        return any_of(and_(in_mask(x, 1 << i), in_mask(y, 1 << j)) for i, j in sorted(here))


def as_one_of(value: Partial, domain: Domain) -> Partial:
    """A name of another kind as one of some names; undefined where it is none of them.

    Args:
        value: An Enum value.
        domain: The names.
    """
    term, of = value.value, value.value.sort
    assert isinstance(of, EnumSort), "it is a name"
    sort = domain.sort
    if of == sort:
        return value
    named = [(n, domain.find(of.members[n])) for n in members_of(term.mask)]
    fits = [(in_mask(term, 1 << n), atoms.member(sort, member)) for n, member in named if member is not None]
    new = fits[0][1] if fits else atoms.member(sort, sort.members[0])
    for when, member in fits[1:]:
        new = ite(when, member, new)
    return Partial(new, and_(value.defined, any_of(when for when, _ in fits)))


class OneOf(Expression):
    """A name as one of more names than its own kind has.

    Args:
        part: The name.
        kind: The kind of all of them in words.
        domain: The names that it is one of.
    """

    def __init__(self, part: Expression, kind: str, domain: Domain):
        super().__init__(part.node, kind, (part,), domain)

    def of(self, env: Env) -> Partial:
        """Its value."""
        assert self.values is not None, "it is a name"
        return as_one_of(plain(self.parts[0].of(env)), self.values)

"""Values of facts that are all one to some terms: what is asked of a place is mostly whether it is one of a few."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Set

from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Op, Term, postorder


class AlikeValues:
    """Tells which values of facts some terms cannot tell apart.

    Args:
        terms: The terms.
        exact: Facts of which each value is another one, whatever the terms ask.
    """

    def __init__(self, terms: Iterable[Term], exact: Set[Term]):
        self._tests: dict[Term, set[int]] = {}
        self._exact = {*exact}
        roots = [*terms]
        self._exact.update(t for t in roots if t.op is Op.VAR)
        for t in postorder(roots):
            for fact in t.args:
                if fact.op is Op.VAR and t.op is Op.IN:
                    self._tests.setdefault(fact, set()).add(int(t.payload))
                elif fact.op is Op.VAR:
                    self._exact.add(fact)
        self._known: dict[tuple[Term, Term], Hashable] = {}

    def key(self, facts: Mapping[Term, Term]) -> Hashable:
        """Equal keys: the terms become the same where these facts are others, in one case as in the other."""
        return frozenset((f, self._value(f, x)) for f, x in facts.items() if f in self._exact or f in self._tests)

    def _value(self, fact: Term, value: Term) -> Hashable:
        if fact in self._exact or not value.is_const or not isinstance(fact.sort, EnumSort):
            return value
        found = self._known.get((fact, value))
        if found is None:
            number = int(value.payload)
            found = self._known[fact, value] = tuple(mask >> number & 1 for mask in sorted(self._tests[fact]))
        return found

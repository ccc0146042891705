"""The words that count and choose: `count`, `some`, `no`, `sum`, `max`, `min`, `if`, `connected`.

A variable stands for each member of a kind in turn; what is said of it is worked out for each. So a count is one sum
of conditions, as if it were written out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from vclogic.errors import did_you_mean, quoted
from vclogic.terms import build
from vclogic.terms.atoms import FALSE, TRUE, integer
from vclogic.terms.calls import Calls
from vclogic.terms.domain import Domain
from vclogic.terms.names import Names
from vclogic.terms.partial import Partial
from vclogic.terms.reach import reach
from vclogic.terms.syntax import CONNECTED, COUNT, IF, MAX, NO, SOME, SUM, Binder, Call, Form, Node, Word
from vclogic.terms.term import Term
from vclogic.terms.typed import BOOL, COMPARE, INT, UNKNOWN, Typed, called
from vclogic.terms.vocabulary import CountedKind

Want = Callable[[str, Typed, str | None], Partial]
"""The value of a part that must be of a kind; else a report, and any value."""


class Forms:
    """The forms of one text.

    Args:
        names: Looks names up.
        calls: Resolves calls.
        resolved: Resolves any node.
        want: Takes only values of a kind.
    """

    def __init__(self, names: Names, calls: Calls, resolved: Callable[[Node], Typed], want: Want):
        self._names, self._calls = names, calls
        self._resolved, self._want = resolved, want

    def resolve(self, node: Form) -> Typed:
        """Resolve one of `syntax.FORMS`."""
        if node.word == CONNECTED:
            return self._connected(node)
        if node.word == IF:
            return self._chosen(node)
        if node.word in (COUNT, SOME, NO):
            holding = self._holding(node)
            if node.word == COUNT:
                return Typed(node, INT, Partial(build.count(holding)))
            found = build.any_of(holding)
            return Typed(node, BOOL, Partial(found if node.word == SOME else build.not_(found)))
        valued = self._valued(node)
        return Typed(node, INT, _summed(valued) if node.word == SUM else _extreme(valued, node.word))

    # ---- what is looked at

    def _each(self, binder: Binder) -> Iterator[tuple[str, Term]]:
        """Each member that counts if a condition holds, with the condition; the variable stands for it meanwhile."""
        named = self._names.kind_named(binder.kind)
        if named is None:
            return
        name, kind = named
        chosen = self._among(kind, binder)
        if chosen is None:
            return
        with self._names.bound(name, kind) as members:
            for member in members:
                if member in chosen:
                    self._names.worked(binder.kind.at)
                    where = TRUE if binder.where is None else self._condition(binder.where)
                    if where is not FALSE:
                        yield member, where
                    if self._names.errors:  # what is wrong of one member is wrong of all
                        return

    def _among(self, kind: CountedKind, binder: Binder) -> frozenset[str] | None:
        """The members of the group and of the owner that a binder names; None, with a report, if one is wrong."""
        chosen: frozenset[str] | None = frozenset(kind.members)
        if binder.group is not None:
            chosen = self._names.group(binder.group, kind)
        if binder.owner is None or chosen is None:
            return chosen
        values = dict.fromkeys(v for of in kind.properties.values() for v in of.values() if isinstance(v, str))
        owner = self._owner(binder.owner, values)
        if owner is not None and owner not in values:
            help = did_you_mean(owner, values) if values else f"{kind.name} has nothing that `of` could ask for"
            message = f"there is no {kind.name} of {quoted(owner)}"
            self._names.report(binder.owner.at, "unknown-name", message, help)
            return None
        owned = (m for of in kind.properties.values() for m, value in of.items() if value == owner)
        return None if owner is None else chosen.intersection(owned)

    def _owner(self, node: Word | Call, values: Collection[str]) -> str | None:
        """The name after `of`, as one of some values; None, with a report, if it is no name."""
        if isinstance(node, Call):
            typed = self._resolved(node)
            if typed.name is None and typed.kind != UNKNOWN:
                message = f"{typed} that can change, which cannot stand after `of`"
                self._names.report(node.at, "wrong-value", message)
            return typed.name
        bound = self._names.scope.get(node.text)
        if bound is not None:
            return bound.member
        for kind in self._names.kinds.values():
            found = kind.domain.find(node.text)
            if found in values and found is not None:
                self._names.mentions[kind.domain.sort.name, found] = None
                return found
        return node.text

    def _condition(self, node: Node) -> Term:
        return self._want(BOOL, self._resolved(node), COMPARE).holds

    def _holding(self, node: Form) -> list[Term]:
        """The conditions that are counted."""
        binder = node.binder
        if binder is None:
            return [self._condition(part) for part in node.parts]
        alone = binder.group is None and binder.owner is None and binder.where is None
        if alone and binder.kind.text in self._names.vocabulary and binder.kind.text not in self._names.kinds:
            return [self._condition(binder.kind)]  # one observable, and no kind
        return [where for _, where in self._each(binder)]

    def _valued(self, node: Form) -> list[tuple[Term, Partial]]:
        """The numbers that are added or compared, each with when it counts."""
        if node.binder is None:
            return [(TRUE, self._want(INT, self._resolved(part), None)) for part in node.parts]
        (value,) = node.parts
        return [(where, self._want(INT, self._resolved(value), None)) for _, where in self._each(node.binder)]

    # ---- if, and paths

    def _chosen(self, node: Form) -> Typed:
        condition = self._condition(node.parts[0])
        a, b = (self._resolved(part) for part in node.parts[1:])
        if UNKNOWN in (a.kind, b.kind):
            return Typed(node, UNKNOWN)
        if a.kind != b.kind or (a.values and a.partial.value.sort != b.partial.value.sort):
            self._names.report(node.parts[2].at, "wrong-value", f"{a} and {b}: `if` needs two of a kind")
            return Typed(node, UNKNOWN)
        value = build.ite(condition, a.partial.value, b.partial.value)
        defined = build.ite(condition, a.partial.defined, b.partial.defined)
        return Typed(node, a.kind, Partial(value, defined), a.values)

    def _connected(self, node: Form) -> Typed:
        binder, group = node.binder, node.group
        assert binder is not None, "the parser gives it one"
        assert group is not None, "the parser gives it one"
        kind = self._names.kinds.get(binder.kind.text) or self._names.kinds.get(binder.kind.text.partition(" ")[2])
        passable = dict(self._each(binder))
        if kind is None:
            return Typed(node, BOOL)
        if kind.neighbours is None:
            self._names.report(
                binder.kind.at, "wrong-kind", f"no paths lead over {kind.name}: nothing lies beside it"
            )
            return Typed(node, BOOL)
        ends = self._names.group(group, kind)
        (place,) = node.parts
        if ends is None or self._names.errors:
            return Typed(node, BOOL)
        reached = reach(kind.graph, {m: passable[m] for m in passable if m in ends}, passable)
        asked = _Reached(kind, reached)
        assert isinstance(place, Word | Call), "the parser takes names there"
        return self._calls.asked(Call(called(node), (place,), node.at), asked)


class _Reached:
    """Whether a path leads from a place, as a function of its name."""

    values: Domain | None = None

    def __init__(self, kind: CountedKind, reached: dict[str, Term]):
        self.parameters: tuple[Domain, ...] = (kind.domain,)
        self._reached = reached

    def partial(self, *arguments: str) -> Partial:
        """Whether one does."""
        return Partial(self._reached[arguments[0]])


def _summed(valued: Sequence[tuple[Term, Partial]]) -> Partial:
    """The sum of the numbers that count; undefined where one of those is."""
    parts = [(n.value.lo, where) if n.value.is_const else (1, _or_nothing(where, n.value)) for where, n in valued]
    return Partial(build.linear(parts), build.all_of(build.implies(where, n.defined) for where, n in valued))


def _or_nothing(where: Term, value: Term) -> Term:
    return build.ite(where, value, integer(0))


def _extreme(valued: Sequence[tuple[Term, Partial]], word: str) -> Partial:
    """The largest or smallest of the numbers that count; undefined where none does, or one of those is undefined."""
    some, best = FALSE, integer(0)
    for where, number in valued:
        larger, smaller = (number.value, best) if word == MAX else (best, number.value)
        better = build.or_(build.not_(some), build.gt(larger, smaller))
        best = build.ite(build.and_(where, better), number.value, best)
        some = build.or_(some, where)
    return Partial(best, build.all_of((some, *(build.implies(where, n.defined) for where, n in valued))))

"""Observables and properties of members, asked of names, of variables, or of what another one is worth.

What is asked of something that changes, such as `terrain(at(unit))`, has a value in cases: one for each name that the
argument can be. Where the argument is no name that fits, such as a unit that is on no hex, the value is undefined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import permutations, product

from vclogic.terms.atoms import FALSE, TRUE, integer
from vclogic.terms.build import all_of, and_, any_of, in_mask, ite, total
from vclogic.terms.domain import Domain
from vclogic.terms.names import Names
from vclogic.terms.partial import Partial
from vclogic.terms.sorts import BoolSort, EnumSort, IntSort, members_of
from vclogic.terms.syntax import Call, Node, Word
from vclogic.terms.term import Term
from vclogic.terms.typed import BOOL, INT, UNKNOWN, Typed, names_needed, of_kind, written
from vclogic.terms.vocabulary import Function

_MOST_SWAPPED = 4
Alternatives = Sequence[tuple[str, Term]]
"""The names that an argument can be, each with when it is that one."""


class Calls:
    """The calls of one text.

    Args:
        names: Looks names up.
        resolved: Resolves any node.
    """

    def __init__(self, names: Names, resolved: Callable[[Node], Typed]):
        self._names = names
        self._resolved = resolved

    def resolve(self, node: Call) -> Typed:
        """Resolve a call of an observable or a property."""
        names = self._names
        function = names.vocabulary.get(node.text) or self._property(node)
        if function is None:
            names.unknown(node)
            return Typed(node, UNKNOWN)
        return self.asked(node, function)

    def asked(self, node: Call, function: Function) -> Typed:
        """Resolve a call of a function."""
        names, values = self._names, function.values
        failed = Typed(node, of_kind(values.sort.name) if values else UNKNOWN, values=values)
        for name, _ in node.named:
            help = f"`=` stands in events alone: happens(EVENT, {name.text}=...)"
            names.report(name.at, "arguments", f"{node.text} takes names without `=`", help)
        if len(function.parameters) != len(node.arguments) + len(node.named):
            self._miscounted(node, function)
            return failed
        if node.named or self._misnamed(node, function):
            return failed
        each = [self._alternatives(d, a) for d, a in zip(function.parameters, node.arguments, strict=True)]
        found = [alternatives for alternatives in each if alternatives is not None]
        return self._asked(node, function, found) if len(found) == len(each) else failed

    def _property(self, node: Call) -> Function | None:
        """The property of members, or of two of them, that a call asks for."""
        some = [k.functions[node.text] for k in self._names.kinds.values() if node.text in k.functions]
        fitting = (f for f in some if node.arguments and self._fits(f.parameters[0], node.arguments[0]))
        return next(fitting, some[0] if some else None)

    def _fits(self, domain: Domain, node: Word | Call) -> bool:
        if isinstance(node, Call):
            values = self._resolved(node).values
            return values is not None and _shared(domain, values.sort.members)
        bound = self._names.scope.get(node.text)
        return domain.find(node.text) is not None if bound is None else _shared(domain, bound.kind.members)

    # ---- mistakes in the number and the order of arguments

    def _miscounted(self, node: Call, function: Function) -> None:
        kinds = [d.sort.name for d in function.parameters]
        self._names.check_hexes(node.arguments, self._names.domains)
        message = f"{node.text} needs {names_needed(len(kinds))} in parentheses, not {len(node.arguments)}"
        some = ", ".join(written(d.sort.members[0]) for d in function.parameters)
        such = f"write {node.text}({', '.join(kinds)}), such as {node.text}({some})"
        self._names.report(node.at, "arguments", message, such if kinds else f"write {node.text} alone")

    def _misnamed(self, node: Call, function: Function) -> bool:
        """True if the names are in the wrong order, which is one fault, not one for each name."""
        names, kinds = self._names, function.parameters
        words = [a for a in node.arguments if isinstance(a, Word) and a.text not in names.scope]
        if all(d.find(a.text) is not None for d, a in zip(kinds, node.arguments, strict=True) if a in words):
            return False
        names.check_hexes(words, kinds)
        if len(words) < len(kinds) or len(kinds) > _MOST_SWAPPED:
            return False
        for some in permutations(words):
            if all(d.find(w.text) is not None for d, w in zip(kinds, some, strict=True)):
                help = f"write {node.text}({', '.join(written(w.text) for w in some)})"
                message = "the names in the parentheses stand in the wrong order"
                names.report(words[0].at, "arguments", message, help)
                return True
        return False

    # ---- arguments

    def _alternatives(self, domain: Domain, node: Word | Call) -> Alternatives | None:
        """The names that an argument can be; none where it fits nowhere; None, with a report, where it never can."""
        if isinstance(node, Call):
            return self._worth(domain, self._resolved(node))
        bound = self._names.scope.get(node.text)
        if bound is None:
            name = self._names.member(domain, node)
            return None if name is None else [(name, TRUE)]
        if not _shared(domain, bound.kind.members):
            message = f"{node.text} is {of_kind(bound.kind.name)}, not {of_kind(domain.sort.name)}"
            self._names.report(node.at, "wrong-kind", message)
            return None
        found = domain.find(bound.member)
        return [] if found is None else [(found, TRUE)]

    def _worth(self, domain: Domain, typed: Typed) -> Alternatives | None:
        if typed.kind == UNKNOWN:
            return None
        value, sort = typed.partial.value, typed.partial.value.sort
        if not isinstance(sort, EnumSort) or not _shared(domain, sort.members):
            self._names.report(typed.node.at, "wrong-kind", f"{typed}, not {of_kind(domain.sort.name)}")
            return None
        named = ((domain.find(sort.members[n]), n) for n in members_of(value.mask))
        defined = typed.partial.defined
        return [(name, and_(defined, in_mask(value, 1 << n))) for name, n in named if name is not None]

    # ---- values

    def _asked(self, node: Call, function: Function, each: Sequence[Alternatives]) -> Typed:
        cases: dict[Partial, list[Term]] = {}
        for chosen in product(*each):
            if self._names.scope or any(len(a) > 1 for a in each):
                self._names.worked(node.at)
            when = all_of(condition for _, condition in chosen)
            if when is not FALSE:
                partial = self._value(node.text, function, tuple(name for name, _ in chosen))
                cases.setdefault(partial, []).append(when)
        if not cases:  # it fits nowhere, so it has no value; what it would be like is that of any other
            some = self._value(node.text, function, tuple(d.sort.members[0] for d in function.parameters))
            cases = {Partial(some.value, FALSE): [TRUE]}
        merged = {any_of(when): partial for partial, when in cases.items()}
        plain = merged.get(TRUE)
        partial = plain or _merged(merged)
        sort, values = partial.value.sort, function.values
        if isinstance(sort, EnumSort):
            known = values or Domain(sort)
            name = sort.members[int(partial.value.payload)] if partial.value.is_const else None
            return Typed(node, of_kind(sort.name), partial, known, name, None if plain else merged)
        kind = BOOL if isinstance(sort, BoolSort) else INT
        return Typed(node, kind, partial, cases=None if plain else merged)

    def _value(self, name: str, function: Function, arguments: tuple[str, ...]) -> Partial:
        if name not in self._names.vocabulary:
            return function.partial(*arguments)
        known = self._names.values.setdefault(name, {})
        if arguments not in known:
            known[arguments] = function.partial(*arguments)
        return known[arguments]


def _shared(domain: Domain, members: Iterable[str]) -> bool:
    """True if a domain has any of some names."""
    return any(domain.find(m) is not None for m in members)


def _merged(cases: Mapping[Term, Partial]) -> Partial:
    """One value for cases that exclude each other."""
    defined = any_of(and_(when, p.defined) for when, p in cases.items())
    pairs = [(when, p.value) for when, p in cases.items()]
    sort = pairs[0][1].sort
    if isinstance(sort, BoolSort):
        return Partial(any_of(and_(when, value) for when, value in pairs), defined)
    if isinstance(sort, IntSort) and all(value.is_const for _, value in pairs):
        return Partial(total((value.lo, when) for when, value in pairs) if pairs else integer(0), defined)
    found = pairs[-1][1]
    for when, value in reversed(pairs[:-1]):
        found = ite(when, value, found)
    return Partial(found, defined)

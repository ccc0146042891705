"""The words that count and choose: `count`, `some`, `no`, `sum`, `max`, `min`, `if`, `connected`.

A variable stands for each member of a kind in turn; what is said of it is worked out for each. So a count is one sum
of conditions, as if it were written out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product
from typing import Any

from vclogic.errors import did_you_mean, quoted
from vclogic.terms import build
from vclogic.terms.atoms import FALSE, TRUE, integer
from vclogic.terms.build import all_of, and_, any_of, in_mask, ite, total
from vclogic.terms.domain import Domain
from vclogic.terms.names import BOOL, COMPARE, INT, UNKNOWN, Names, Typed, called, names_needed, of_kind, written
from vclogic.terms.partial import Partial
from vclogic.terms.reach import reach
from vclogic.terms.sorts import BoolSort, EnumSort, IntSort, members_of
from vclogic.terms.syntax import CONNECTED, COUNT, IF, MAX, NO, SOME, SUM, Binder, Call, Form, Node, Operation, Word
from vclogic.terms.term import Term
from vclogic.terms.vocabulary import ADJACENT, CountedKind, FixedFunction, Function

_MOST_SWAPPED = 4
Alternatives = Sequence[tuple[str, Term]]
"""The names that an argument can be, each with when it is that one."""


@dataclass(frozen=True)
class _OneOf(Sequence[tuple[str, Term]]):
    """The names that a value can be: each with the number of the member that it is."""

    partial: Partial
    names: tuple[tuple[str, int], ...]

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, i: Any) -> Any:
        name, n = self.names[i]
        return name, and_(self.partial.defined, in_mask(self.partial.value, 1 << n))


# ---- observables and properties of members, asked of names, of variables, or of what another one is worth
#
# What is asked of something that changes, such as `terrain(at(unit))`, has a value in cases: one for each name that
# the argument can be. Where it is no name that fits, such as a unit that is on no hex, the value is undefined.


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
        node = self._with_calls(node, function)
        failed = Typed(node, of_kind(values.sort.name) if values else UNKNOWN, values=values)
        for name, _ in node.named:
            help = f"`=` stands in events alone: happens(EVENT, {name.text}=...)"
            names.report(name.at, "arguments", f"{node.text} takes names without `=`", help)
        if len(function.parameters) != len(node.arguments) + len(node.named):
            self._miscounted(node, function)
            return failed
        if node.named or self._misnamed(node, function):
            return failed
        each = [self.alternatives(d, a) for d, a in zip(function.parameters, node.arguments, strict=True)]
        found = [alternatives for alternatives in each if alternatives is not None]
        return self._asked(node, function, found) if len(found) == len(each) else failed

    def _with_calls(self, node: Call, function: Function) -> Call:
        """A call of which arguments that are observables asked of nothing, such as `turn`, are calls too."""
        if len(node.arguments) != len(function.parameters):
            return node
        pairs = zip(function.parameters, node.arguments, strict=True)
        arguments = tuple(self._as_call(a) if d.find(a.text) is None else a for d, a in pairs)
        return node if arguments == node.arguments else replace(node, arguments=arguments)

    def _as_call(self, node: Word | Call) -> Word | Call:
        function = self._names.vocabulary.get(node.text) if isinstance(node, Word) else None
        if function is None or function.parameters or node.text in self._names.scope:
            return node
        return Call(node.text, (), node.at)

    def _property(self, node: Call) -> Function | None:
        """The property of members, or of two of them, that a call asks for."""
        some = [k.functions[node.text] for k in self._names.kinds.values() if node.text in k.functions]
        fitting = (f for f in some if node.arguments and self._fits(f.parameters[0], node.arguments[0]))
        return next(fitting, some[0] if some else None)

    def _fits(self, domain: Domain, node: Word | Call) -> bool:
        node = self._as_call(node) if domain.find(node.text) is None else node
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

    def alternatives(self, domain: Domain, node: Word | Call) -> Alternatives | None:
        """The names that an argument can be; none where it fits nowhere; None, with a report, where it never can."""
        node = self._as_call(node) if domain.find(node.text) is None else node
        if isinstance(node, Call):
            return self._worth(domain, self._resolved(node))
        bound = self._names.scope.get(node.text)
        if bound is None:
            name = self._names.member(domain, node)
            return None if name is None else [(name, TRUE)]
        if self._names.of_several(node, domain):
            return None
        if not _shared(domain, bound.kind.members):
            message = f"{node.text} is {of_kind(bound.kind.name)}, not {of_kind(domain.sort.name)}"
            self._names.report(node.at, "wrong-kind", message)
            return None
        found = domain.find(bound.member)
        return [] if found is None else [(found, TRUE)]

    def _worth(self, domain: Domain, typed: Typed) -> Alternatives | None:
        if typed.kind == UNKNOWN:
            return None
        sort = typed.partial.value.sort
        if not isinstance(sort, EnumSort) or not _shared(domain, sort.members):
            self._names.report(typed.node.at, "wrong-kind", f"{typed}, not {of_kind(domain.sort.name)}")
            return None
        if not typed.cases:
            named = tuple((domain.find(sort.members[n]), n) for n in members_of(typed.partial.value.mask))
            return _OneOf(typed.partial, tuple((name, n) for name, n in named if name is not None))
        found: dict[str, list[Term]] = {}
        for when, part in (typed.cases or {TRUE: typed.partial}).items():
            for n in members_of(part.value.mask):
                name = domain.find(sort.members[n])
                if name is not None:
                    found.setdefault(name, []).append(and_(when, part.defined, in_mask(part.value, 1 << n)))
        return [(name, any_of(when)) for name, when in found.items()]

    # ---- values

    def _asked(self, node: Call, function: Function, each: Sequence[Alternatives]) -> Typed:
        cases = self._by_member(node, function, each)
        for chosen in product(*each) if not cases else ():
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

    def _by_member(self, node: Call, function: Function, each: Sequence[Alternatives]) -> dict[Partial, list[Term]]:
        """The same where one argument alone changes, as one name of many: its names are put together by the value."""
        open_ = [i for i, a in enumerate(each) if isinstance(a, _OneOf)]
        if len(open_) != 1 or any(len(a) != 1 for a in each if not isinstance(a, _OneOf)):
            return {}
        (place,) = open_
        one, others = each[place], [a[0] for i, a in enumerate(each) if i != place]
        assert isinstance(one, _OneOf), "it was looked for"
        names = [name for name, _ in others]
        # What the board alone decides is the same whoever asks.
        known = function.known if isinstance(function, FixedFunction) else {}
        key = place, tuple(names), one.names
        masks = known.get(key)
        if masks is None:
            masks = known[key] = {}
            for name, n in one.names:
                self._names.worked(node.at)
                partial = self._value(node.text, function, (*names[:place], name, *names[place:]))
                masks[partial] = masks.get(partial, 0) | 1 << n
        given = (one.partial.defined, *(condition for _, condition in others))
        found = {p: all_of((*given, in_mask(one.partial.value, mask))) for p, mask in masks.items()}
        return {p: [when] for p, when in found.items() if when is not FALSE}

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

    def each(self, binder: Binder) -> Iterator[tuple[str, Term]]:
        """Each member that counts if a condition holds, with the condition; the variable stands for it meanwhile."""
        named = self._names.kind_named(binder.kind)
        if named is None:
            return
        name, kind = named
        chosen = self._among(kind, binder)
        if chosen is None:
            return
        chosen = self._beside(name, kind, binder.where, chosen)
        with self._names.bound(name, kind) as members:
            for member in members:
                if member in chosen:
                    self._names.worked(binder.kind.at)
                    where = TRUE if binder.where is None else self._condition(binder.where)
                    if where is not FALSE:
                        yield member, where
                    if self._names.errors:  # what is wrong of one member is wrong of all
                        return

    def _beside(self, name: str, kind: CountedKind, where: Node | None, chosen: frozenset[str]) -> frozenset[str]:
        """Of some members those that can lie beside the one that a condition says they lie beside: few of many."""
        parts = where.parts if isinstance(where, Operation) and where.operators[0] == "and" else (where,)
        for part in parts:
            if isinstance(part, Call) and part.text == ADJACENT and len(part.arguments) == 2 and not part.named:
                texts = [a.text if isinstance(a, Word) else "" for a in part.arguments]
                bound = self._names.scope.get(texts[texts[0] == name]) if name in texts else None
                if bound is not None and kind.neighbours is not None and bound.member in kind.graph.index:
                    few = chosen.intersection(kind.around(bound.member))
                    return few or frozenset(
                        [*chosen][:1]
                    )  # one at least is looked at, for what is wrong with the rest
        return chosen

    def _among(self, kind: CountedKind, binder: Binder) -> frozenset[str] | None:
        """The members of the group and of the owner that a binder names; None, with a report, if one is wrong."""
        chosen: frozenset[str] | None = frozenset(kind.members)
        if binder.group is not None:
            chosen = self._names.group(binder.group, kind)
        if binder.owner is None or chosen is None:
            return chosen
        values = dict.fromkeys(v for of in kind.properties.values() for v in of.values() if isinstance(v, str))
        values |= dict.fromkeys(m for d in kind.named.values() for m in d.sort.members)  # some may own nothing
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
        return [where for _, where in self.each(binder)]

    def _valued(self, node: Form) -> list[tuple[Term, Partial]]:
        """The numbers that are added or compared, each with when it counts."""
        if node.binder is None:
            return [(TRUE, self._want(INT, self._resolved(part), None)) for part in node.parts]
        (value,) = node.parts
        return [(where, self._want(INT, self._resolved(value), None)) for _, where in self.each(node.binder)]

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
        passable = dict(self.each(binder))
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
        assert isinstance(place, Word | Call), "the parser takes names there"
        begins = self._names.begins(place, kind) if isinstance(place, Word) else None
        if begins is not None:
            return Typed(node, BOOL, Partial(any_of(reached[m] for m in kind.members if m in begins)))
        return self._calls.asked(Call(called(node), (place,), node.at), _Reached(kind, reached))


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

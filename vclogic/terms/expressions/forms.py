"""The words that count and choose: `count`, `some`, `no`, `sum`, `max`, `min`, `if`, `connected`.

A variable stands for each member of a kind in turn; what is said of it is worked out for each. So a count is one sum
of conditions, as if it were written out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import ExitStack
from itertools import combinations

from vclogic.errors import InputError, did_you_mean, quoted
from vclogic.terms import build
from vclogic.terms.atoms import integer
from vclogic.terms.domain import Domain
from vclogic.terms.expressions.calls import Calls, variable
from vclogic.terms.expressions.named import OneOf, together
from vclogic.terms.expressions.names import COMPARE, MemberGroups, NameLookup, of_kind
from vclogic.terms.expressions.syntax import (
    CONNECTED,
    COUNT,
    DOWN,
    IF,
    IN,
    NO,
    REACHES,
    SOME,
    UP,
    WAYS,
    Binder,
    Call,
    Form,
    Node,
    Operation,
    Tabled,
    Word,
)
from vclogic.terms.partial import Partial
from vclogic.terms.term import Term
from vclogic.terms.typed.form import BOOL, INT, UNKNOWN, Chosen, Constant, Expression, Worked
from vclogic.terms.typed.looped import Connected, Listed, Looped, Members, Ways
from vclogic.terms.typed.ways import End, Way
from vclogic.terms.vocabulary import CountedKind

_MOST_DIVISORS = 1_000
Want = Callable[[str, Expression, str | None], Expression]
"""A part that must be of a kind; else a report, and any value."""
Named = tuple[list[Expression], Callable[[Sequence[str]], int]]
"""What names the group and the owner of a variable, and the members that these leave, by the names."""


class Forms:
    """The forms of one text.

    Args:
        names: Looks names up.
        calls: Resolves calls.
        resolved: Resolves any node.
        want: Takes only values of a kind.
    """

    def __init__(self, names: NameLookup, calls: Calls, resolved: Callable[[Node], Expression], want: Want):
        self._names, self._calls = names, calls
        self._resolved, self._want = resolved, want

    def resolve(self, node: Form) -> Expression:
        """Resolve one of `syntax.FORMS`."""
        if node.word == CONNECTED:
            return self._connected(node)
        if node.word == IF:
            return self._chosen(node)
        if node.word in WAYS:
            return self._ways_of(node)
        if node.word in (DOWN, UP):
            number, by = (self._wanted(part, conditions=False) for part in node.parts)
            return Worked(node, INT, (number, by), lambda parts: self._divided(node, *parts))
        conditions, binder = node.word in (COUNT, SOME, NO), node.binder
        if binder is None or (conditions and self._is_observable(binder)):
            parts = node.parts if binder is None else (binder.kind,)
            return Listed(node, [self._wanted(part, conditions=conditions) for part in parts])
        found = self.members(binder, None if conditions else node.parts[0])
        if found is None:
            return Constant(node, BOOL if node.word in (SOME, NO) else INT)
        _, members, value, _ = found
        looped = Looped(node, members, value)
        looped.kept = looped.slots < {s.place for s in self._names.scope.values()}
        return looped

    def _divided(self, node: Form, number: Partial, by: Partial) -> Partial:
        """A division, rounded; undefined by nought. One by what changes is one for each number that this can be."""
        divide = build.floordiv if node.word == DOWN else build.ceildiv
        if by.value.hi - by.value.lo > _MOST_DIVISORS:
            message = f"this divides by more than {_MOST_DIVISORS} numbers"
            raise self._names.failed(node.parts[1].at, "limit", message, "divide by a number with a smaller range")
        minus = build.scale(number.value, -1)
        defined = build.and_(number.defined, by.defined, build.ne(by.value, 0))
        cases = [d for d in range(by.value.lo, by.value.hi + 1) if d]
        found = integer(0)
        for d in cases:
            quotient = divide(number.value if d > 0 else minus, abs(d))
            found = build.ite(build.eq(by.value, d), quotient, found) if d != cases[0] else quotient
        return Partial(found, defined)

    def _is_observable(self, binder: Binder) -> bool:
        """True if what looks like a kind is one observable alone."""
        alone = binder.group is None and binder.owner is None and binder.where is None
        return alone and binder.kind.text in self._names.vocabulary and binder.kind.text not in self._names.kinds

    def _wanted(self, node: Node, *, conditions: bool) -> Expression:
        found = self._resolved(node)
        return self._want(BOOL, found, COMPARE) if conditions else self._want(INT, found, None)

    # ---- what is looked at

    def members(
        self, binder: Binder, value: Node | None = None, stop: Node | None = None
    ) -> tuple[str, Members, Expression | None, Expression | None] | None:
        """A variable by its name, with a number that is worked out for each; None, with a report, if it is wrong.

        Args:
            binder: What is said of the variable.
            value: The number.
            stop: What else is worked out for each, a condition.
        """
        names = self._names
        named = names.kind_named(binder.kind)
        if named is None:
            return None
        name, kind = named
        among = self._among(kind, binder)
        slot = names.new_slot(kind)
        with names.bound(name, slot):
            several = [] if not isinstance(binder.group, Call) else [_within(name, binder.group)]
            where = [self._wanted(n, conditions=True) for n in (*several, *_joined(binder.where))]
            number = None if value is None else self._wanted(value, conditions=False)
            holds = None if stop is None else self._wanted(stop, conditions=True)
        if among is None:
            return None
        return name, Members(slot, *among, where, lambda: names.count_work(binder.kind.at)), number, holds

    def _among(self, kind: CountedKind, binder: Binder) -> Named | None:
        """The members of the group and of the owner that a binder names; None, with a report, if one is wrong."""
        given: list[Expression] = []
        each: list[Callable[[str], int]] = []
        whole = _mask(kind, kind.members)
        if isinstance(binder.group, Word):
            group = self._names.group(binder.group, kind)
            if group is None:
                return None
            if isinstance(group, MemberGroups):
                assert isinstance(binder.group, Word), "it is a variable"
                given.append(variable(binder.group, group.slot))
                each.append(lambda name: _mask(kind, group.of[name]))
            else:
                whole &= _mask(kind, group)
        if binder.owner is not None:
            owner, word = self._owner(kind, binder.owner), binder.owner
            if owner is None:
                return None
            if isinstance(owner, str):
                whole &= self._owned(kind, word, owner)
            else:
                given.append(owner)
                each.append(lambda name: self._owned(kind, word, name))

        def allowed(named: Sequence[str]) -> int:
            found = whole
            for name, leave in zip(named, each, strict=True):
                found &= leave(name)
            return found

        return given, allowed

    def _owner(self, kind: CountedKind, node: Word | Call) -> str | Expression | None:
        """The name after `of`, or what is worth one; None, with a report, if nothing of a kind can belong to it."""
        names, values = self._names, _owners(kind)
        if isinstance(node, Call):
            typed = self._resolved(node)
            if typed.kind == UNKNOWN:
                return None
            if typed.values is None:
                self._names.report(node.at, "wrong-value", _changing(typed))
                return None
            return Worked(node, typed.kind, (typed,), self._lasting(typed), values=typed.values)
        slot = names.scope.get(node.text)
        if slot is not None:
            if values.keys().isdisjoint(slot.domain.sort.members):
                names.errors += self._strange_owner(kind, node, slot.domain.sort.members[0], values).diagnostics
                return None
            return variable(node, slot)
        owner = node.text
        for other in names.kinds.values():
            found = other.domain.find(node.text)
            if found is not None and found in values:
                names.mentions[other.domain.sort.name, found] = None
                owner = found
                break
        if owner not in values:
            names.errors += self._strange_owner(kind, node, owner, values).diagnostics
            return None
        return owner

    def _lasting(self, typed: Expression) -> Callable[[Sequence[Partial]], Partial]:
        def name(parts: Sequence[Partial]) -> Partial:
            if not parts[0].value.is_const:
                raise self._names.failed(typed.node.at, "wrong-value", _changing(typed))
            return parts[0]

        return name

    def _owned(self, kind: CountedKind, node: Word | Call, owner: str) -> int:
        """The members that belong to something."""
        values = _owners(kind)
        if owner not in values:
            raise self._strange_owner(kind, node, owner, values)
        return _mask(kind, (m for of in kind.properties.values() for m, value in of.items() if value == owner))

    def _strange_owner(self, kind: CountedKind, node: Word | Call, owner: str, values: Collection[str]) -> InputError:
        help = did_you_mean(owner, values) if values else f"{kind.name} has nothing that `of` could ask for"
        return self._names.failed(node.at, "unknown-name", f"there is no {kind.name} of {quoted(owner)}", help)

    # ---- if, and paths

    def _chosen(self, node: Form) -> Expression:
        condition = self._wanted(node.parts[0], conditions=True)
        found = self._alike(self._branches(*node.parts[1:]), "`if` needs two of a kind")
        return Constant(node, UNKNOWN) if found is None else Chosen(node, (condition, *found), _either)

    def _alike(self, parts: Sequence[Expression], wanted: str) -> Sequence[Expression] | None:
        """Values of one kind, names as those that any of them can be; None, with a report, if they are not."""
        if UNKNOWN in [p.kind for p in parts]:
            return None
        names = [p.values for p in parts if p.values is not None]
        if len(names) == len(parts):
            values = together(names)
            return [p if p.values is values else OneOf(p, of_kind(values.sort.name), values) for p in parts]
        first = parts[0]
        other = next((p for p in parts if p.kind != first.kind), None)
        if other is None:
            return parts
        help = "write two numbers, two conditions, or two names: if(CONDITION, THEN, ELSE)"
        help = help if "if" in wanted else "write numbers in each row, or names in each"
        self._names.report(other.node.at, "wrong-value", f"{first} and {other}: {wanted}", help)
        return None

    def tabled(self, node: Tabled) -> Expression:
        """Resolve what is read off a table: undefined where no row applies, or two do."""
        by = [self._wanted(part, conditions=False) for part in node.read_by]
        rows = [self._branch(part, None) for part in node.parts[len(by) :]]
        said = self._alike(rows, "the rows of a table are of one kind")
        if said is None:
            return Constant(node, UNKNOWN)

        def read(parts: Sequence[Partial]) -> Partial:
            value, to = parts[0], parts[1] if node.ratio else None
            return _read_off(node.applying(value, to), parts[len(by) :])

        return Worked(node, said[0].kind, (*by, *said), read, values=said[0].values)

    def _branches(self, first: Node, second: Node) -> tuple[Expression, Expression]:
        """Resolve what `if` chooses; a name by itself is looked for among those that the other can be first."""
        if isinstance(first, Word) and not isinstance(second, Word):
            b = self._resolved(second)
            return self._branch(first, b.values), b
        a = self._branch(first, None)
        return a, self._branch(second, a.values)

    def _branch(self, node: Node, beside: Domain | None) -> Expression:
        found = self._names.alone(node, beside) if isinstance(node, Word) else None
        return self._resolved(node) if found is None else found

    def _ways_of(self, node: Form) -> Expression:
        """Resolve `reaches` or `cheapest`."""
        names, binder = self._names, node.binder
        assert binder is not None, "the parser gives it one"
        failed = Constant(node, BOOL if node.word == REACHES else INT)
        named = names.kind_named(binder.kind)
        if named is None:
            return failed
        if named[1].neighbours is None:
            names.report(binder.kind.at, "wrong-kind", f"no ways lead over {named[1].name}: nothing lies beside it")
            return failed
        ends = [self._end(part, named[1]) for part in node.parts[:2]]
        within = self._wanted(node.parts[2], conditions=False) if len(node.parts) > 2 else None
        last = None if node.last is None else names.new_slot(named[1])
        if last is not None and ends[0] is not None and ends[0].place is None:
            message = "ways that begin in a group enter its places from nowhere"
            names.report(node.parts[0].at, "wrong-kind", message, "begin them at a place, or leave `from` out")
        inside = ExitStack()
        with inside:
            if last is not None and node.last is not None:
                inside.enter_context(names.bound(node.last.text, last))
            found = self.members(binder, node.cost, node.stop)
        first, second = ends
        if found is None or first is None or second is None:
            return failed
        _, members, cost, stop = found
        return Way(node, (first, second), members, last, (within, cost, stop), _failing(names, node.at))

    def _end(self, part: Node, kind: CountedKind) -> End | None:
        """The end of a way: a place, or a group."""
        assert isinstance(part, Word | Call), "the parser takes names there"
        slot = self._names.scope.get(part.text) if isinstance(part, Word) else None
        one = slot is not None and slot.kind.name == kind.name
        group = self._names.begins(part, kind) if isinstance(part, Word) and not one else None
        if group is not None:
            return End(None, *_ways(part, group))
        place = self._calls.argument(kind.domain, part)
        return None if place is None else End(place)

    def _connected(self, node: Form) -> Expression:
        binder, word = node.binder, node.group
        assert binder is not None, "the parser gives it one"
        assert word is not None, "the parser gives it one"
        kind = self._names.kinds.get(binder.kind.text) or self._names.kinds.get(binder.kind.text.partition(" ")[2])
        found = self.members(binder)
        failed = Constant(node, BOOL)
        if kind is None:
            return failed
        if kind.neighbours is None:
            message = f"no paths lead over {kind.name}: nothing lies beside it"
            self._names.report(binder.kind.at, "wrong-kind", message)
            return failed
        group = self._names.group(word, kind)
        (place,) = node.parts
        assert isinstance(place, Word | Call), "the parser takes names there"
        begins = self._names.begins(place, kind) if isinstance(place, Word) else None
        argument = None if begins is not None else self._calls.argument(kind.domain, place)
        if group is None or found is None or (argument is None and begins is None):
            return failed
        return Connected(node, found[1], *_ways(word, group), *_ways(place, begins), argument)


def _failing(names: NameLookup, at: int) -> Callable[[str, str], InputError]:
    """Makes the error for what shows only as an expression is worked out."""
    return lambda message, help: names.failed(at, "limit", message, help)


def _read_off(applying: Sequence[Partial], said: Sequence[Partial]) -> Partial:
    """The value of the row that applies."""
    when = [a.holds for a in applying]
    value = said[-1].value
    for applies, row in zip(when[-2::-1], said[-2::-1], strict=True):
        value = build.ite(applies, row.value, value)
    defined = build.any_of(build.and_(a, row.defined) for a, row in zip(when, said, strict=True))
    twice = build.any_of(build.and_(a, b) for a, b in combinations(when, 2))
    return Partial(value, build.and_(defined, build.not_(twice)))


def _ways(word: Word | Call, group: frozenset[str] | MemberGroups | None) -> Ways:
    """A group of places, or what a variable stands for as one; None: there is none."""
    if isinstance(group, MemberGroups):
        assert isinstance(word, Word), "it is a variable"
        return variable(word, group.slot), group.of.__getitem__
    return None, None if group is None else lambda _: group


def _within(name: str, group: Call) -> Operation:
    """The condition that a variable's member is among the values of a property."""
    return Operation((IN,), (group.at,), (Word(name, group.at), group), group.at)


def _joined(where: Node | None) -> Iterable[Node]:
    """The conditions that `and` joins."""
    if where is None:
        return ()
    if isinstance(where, Operation) and where.operators[0] == "and":
        return [n for part in where.parts for n in _joined(part)]
    return (where,)


def _mask(kind: CountedKind, members: Iterable[str]) -> int:
    index, found = kind.domain.sort.index, 0
    for member in members:
        if member in index:
            found |= 1 << index[member]
    return found


def _owners(kind: CountedKind) -> dict[str, None]:
    """The possible owners of the members of a kind; some may own nothing."""
    values = dict.fromkeys(v for of in kind.properties.values() for v in of.values() if isinstance(v, str))
    return values | dict.fromkeys(m for d in kind.named.values() for m in d.sort.members)


def _changing(typed: Expression) -> str:
    return f"{typed} that can change, which cannot stand after `of`"


def _either(condition: Term, a: Partial, b: Partial) -> Partial:
    return Partial(build.ite(condition, a.value, b.value), build.ite(condition, a.defined, b.defined))

"""The typed form of a line: a tree whose names were looked up once, with slots for its variables.

An expression is worked out for what its variables stand for: as a term (`of`, `holds`), or, where the board alone
decides it, for all members that one variable can stand for at once: as a bit mask of those for which it holds
(`mask`), or by its values (`groups`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Self

from vclogic.terms import atoms
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import all_of, and_, any_of, in_mask, ite, not_
from vclogic.terms.domain import Domain
from vclogic.terms.expressions.syntax import Call, Form, Node, Word
from vclogic.terms.partial import Partial
from vclogic.terms.sorts import EnumSort, members_of
from vclogic.terms.term import Term
from vclogic.terms.vocabulary import CountedKind

BOOL, INT, UNKNOWN = "true or false", "a number", ""
NOTHING = Partial(FALSE)
Env = list[str]
"""The member that each variable stands for, by its place."""
Groups = Mapping[Term | None, int]
"""Members by a value that the board decides, as bit masks; None: of those it is undefined."""


@dataclass(frozen=True, eq=False)
class Cased(Partial):
    """A value in cases that exclude each other, where it is of something that changes; elsewhere undefined."""

    cases: Mapping[Term, Partial] = field(default_factory=dict)


def cases_of(found: Partial) -> Iterable[tuple[Term, Partial]]:
    """The cases of a value, each with when it is so."""
    return found.cases.items() if isinstance(found, Cased) else ((TRUE, found),)


def plain(found: Partial) -> Partial:
    """A value without its cases."""
    return Partial(found.value, found.defined) if isinstance(found, Cased) else found


@lru_cache(maxsize=256)
def _each_value(sort: EnumSort) -> Mapping[str, Partial]:
    """Each member of an enum as a value: many variables stand for the same ones."""
    return {m: Partial(atoms.member(sort, m)) for m in sort.members}


class Slot:
    """A variable.

    Args:
        place: Its place in what the variables of its line stand for.
        kind: What it ranges over.
    """

    def __init__(self, place: int, kind: CountedKind):
        self.place, self.kind, self.domain = place, kind, kind.domain
        self.members = kind.members
        self.full = (1 << len(self.members)) - 1
        self._back: dict[int, tuple[Domain, list[int]]] = {}

    @cached_property
    def partials(self) -> Mapping[str, Partial]:
        """Each member as a value."""
        if self.kind.numbers:
            return {m: Partial(atoms.integer(int(m))) for m in self.members}
        return _each_value(self.domain.sort)

    @cached_property
    def groups(self) -> Groups:
        """Each member by itself."""
        return {self.partials[m].value: 1 << n for n, m in enumerate(self.members)}

    def called(self, domain: Domain) -> list[int]:
        """For each name of a domain the members that are called so there, as a mask."""
        if id(domain) not in self._back:
            found = [0] * len(domain.sort.members)
            for n, member in enumerate(self.members):
                name = domain.find(member)
                if name is not None:
                    found[domain.sort.index[name]] |= 1 << n
            self._back[id(domain)] = domain, found
        return self._back[id(domain)][1]

    def is_of(self, domain: Domain) -> bool:
        """True if its members are the names of a domain."""
        return domain is self.domain or domain.sort == self.domain.sort

    def mask_of(self, domain: Domain, mask: int) -> int:
        """The members that are called as some names of a domain are, as masks."""
        if self.is_of(domain):
            return mask
        called, found = self.called(domain), 0
        for n in members_of(mask):
            found |= called[n]
        return found


class Copying:
    """A copy of an expression with other expressions in the places of some.

    Args:
        slots: What stands in the place of a variable.
        instead: What stands in the place of an expression; None: a copy of it.
        new_slot: Makes a variable of a kind.
    """

    def __init__(
        self,
        slots: Mapping[int, Expression],
        instead: Callable[[Expression, Copying], Expression | None],
        new_slot: Callable[[CountedKind], Slot],
    ):
        self.slots, self._instead, self.new_slot = dict(slots), instead, new_slot

    def of(self, expression: Expression) -> Expression:
        """The copy."""
        found = self._instead(expression, self)
        return expression.copy(self) if found is None else found


class Expression:
    """A typed node.

    Args:
        node: The node.
        kind: Its kind in words; empty if unknown.
        parts: The expressions below it.
        values: The names that it can be.

    Attributes:
        fixed: Whether the board, Readings and options alone decide it.
        slots: The places of the variables that it speaks of.
    """

    decided = True  # by the board, if all its parts are
    own: frozenset[int] = frozenset()
    """The places of the variables that it brings with it."""

    def __init__(self, node: Node, kind: str, parts: Sequence[Expression] = (), values: Domain | None = None):
        self.node, self.kind, self.values = node, kind, values
        self._take(tuple(parts))

    def _take(self, parts: tuple[Expression, ...]) -> None:
        self.parts = parts
        self.fixed: bool = self.decided and all(p.fixed for p in parts)
        self.slots: frozenset[int] = frozenset[int]().union(*(p.slots for p in parts))
        self._known: dict[tuple[int, ...], dict[tuple[str, ...], Groups]] = {}

    def __str__(self) -> str:
        return f"{in_message(self.node) if isinstance(self.node, Word | Call | Form) else 'this'} is {self.kind}"

    # ---- what it is worth

    def of(self, env: Env) -> Partial:
        """Its value."""
        return Partial(self.holds(env))

    def holds(self, env: Env) -> Term:
        """Of one that is true or false: when it is defined and true."""
        found = self.of(env)
        return found.value if found.defined is TRUE else and_(found.defined, found.value)

    def defined_when(self, env: Env) -> Term:
        """When it has a meaning, so that it is not false for want of one."""
        return all_of((self.of(env).defined, *(p.defined_when(env) for p in self.parts)))

    def possible(self, env: Env) -> bool:
        """False if it holds in no position; of one that is true or false."""
        return self.holds(env) is not FALSE

    def below(self) -> Iterable[Expression]:
        """The expressions in it."""
        return self.parts

    # ---- of one that the board decides: for all that a variable can stand for

    def indexed(self, over: Slot) -> bool:
        """True if its mask is found without a look at each member."""
        return over.place not in self.slots

    def tabled(self, over: Slot) -> bool:
        """True if its groups are found without a look at each member, or are the same whatever else there is."""
        return self.slots == {over.place}

    def mask(self, over: Slot, env: Env) -> int:
        """The members for which it holds."""
        if self.slots == {over.place}:
            return self.groups(over, env).get(TRUE, 0)  # the same whatever else there is
        return self.among(over, env, over.full)

    def among(self, over: Slot, env: Env, within: int) -> int:
        """The members for which it holds, looked at one after the other."""
        if over.place not in self.slots:
            return within if self.holds(env) is TRUE else 0
        found = 0
        for n in members_of(within):
            env[over.place] = over.members[n]
            if self.holds(env) is TRUE:
                found |= 1 << n
        return found

    def groups(self, over: Slot, env: Env) -> Groups:
        """The members by its value."""
        others = tuple(p for p in self.slots if p != over.place)
        known = self._known.setdefault((over.place, *others), {})
        key = tuple([env[p] for p in others])
        found = known.get(key)
        if found is None:
            found = known[key] = self._grouped(over, env)
        return found

    def _grouped(self, over: Slot, env: Env) -> Groups:
        found: dict[Term | None, int] = {}
        for n, member in enumerate(over.members):
            env[over.place] = member
            partial = self.of(env)
            value = partial.value if partial.defined is TRUE else None
            found[value] = found.get(value, 0) | 1 << n
        return found

    # ---- copies

    def copy(self, copying: Copying) -> Expression:
        """A copy with copies of its parts."""
        return self.again(tuple(map(copying.of, self.parts)))

    def again(self, parts: tuple[Expression, ...]) -> Self:
        """The same of other parts."""
        made = copy(self)
        made._take(parts)
        return made


def around(expression: Expression, inner: frozenset[int] = frozenset()) -> Iterator[Expression]:
    """The largest parts of an expression that the board decides by variables around it alone.

    What they are worth decides what it is worth.

    Args:
        expression: The expression.
        inner: The places of variables that are not around it, beside its own.
    """
    if expression.fixed and expression.slots.isdisjoint(inner):
        if expression.slots:
            yield expression
        return
    inner |= expression.own
    for part in expression.below():
        yield from around(part, inner)


def in_message(node: Node) -> str:
    """The words of a message for a name, a call, or one of the language's own words."""
    return node.text if isinstance(node, Word | Call) else node.word if isinstance(node, Form) else "this"


class Constant(Expression):
    """A number, a truth, or the name of a member."""

    def __init__(self, node: Node, kind: str, partial: Partial = NOTHING, values: Domain | None = None):
        super().__init__(node, kind, (), values)
        self.partial = partial

    def of(self, env: Env) -> Partial:
        """Its value."""
        return self.partial

    def copy(self, copying: Copying) -> Expression:
        """A copy."""
        return self


class Variable(Expression):
    """A variable, as a value."""

    def __init__(self, node: Node, kind: str, slot: Slot):
        super().__init__(node, kind, (), None if slot.kind.numbers else slot.domain)
        self.slot, self.slots = slot, frozenset({slot.place})

    def of(self, env: Env) -> Partial:
        """Its value."""
        return self.slot.partials[env[self.slot.place]]

    def groups(self, over: Slot, env: Env) -> Groups:
        """The members by its value."""
        return over.groups if over.place == self.slot.place else super().groups(over, env)

    def copy(self, copying: Copying) -> Expression:
        """A copy."""
        return copying.slots.get(self.slot.place, self)


class Junction(Expression):
    """`and`, or `or`: what the board decides is looked at first, and the rest only where that leaves it open."""

    def __init__(self, node: Node, parts: Sequence[Expression], *, both: bool):
        self.both = both
        super().__init__(node, BOOL, parts)

    def _take(self, parts: tuple[Expression, ...]) -> None:
        super()._take(parts)
        self._order = (*(p for p in parts if p.fixed), *(p for p in parts if not p.fixed))
        self._zero, self._unit = (FALSE, TRUE) if self.both else (TRUE, FALSE)

    def holds(self, env: Env) -> Term:
        """When it is defined and true."""
        found: list[Term] = []
        zero, unit = self._zero, self._unit
        for part in self._order:
            term = part.holds(env)
            if term is zero:
                return zero
            if term is not unit:
                found.append(term)
        if len(found) < 2:
            return found[0] if found else unit
        return all_of(found) if self.both else any_of(found)

    def defined_when(self, env: Env) -> Term:
        """When all of it has a meaning; of `or`, when a part has."""
        return (all_of if self.both else any_of)(p.defined_when(env) for p in self.parts)

    def indexed(self, over: Slot) -> bool:
        """True if its mask is found without a look at each member."""
        return all(p.indexed(over) for p in self.parts)

    def mask(self, over: Slot, env: Env) -> int:
        """The members for which it holds."""
        return meeting(self.parts, over, env, over.full) if self.both else self._any(over, env)

    def _any(self, over: Slot, env: Env) -> int:
        found = 0
        for part in sorted(self.parts, key=lambda p: not p.indexed(over)):
            left = over.full & ~found
            if not left:
                break
            found |= part.mask(over, env) if part.indexed(over) else part.among(over, env, left)
        return found


def meeting(parts: Iterable[Expression], over: Slot, env: Env, within: int) -> int:
    """The members that meet all of some conditions: what is found without a look at each is asked first."""
    late: list[Expression] = []
    for part in parts:
        if part.indexed(over) or part.slots == {over.place}:
            within &= part.mask(over, env)
            if not within:
                return 0
        else:
            late.append(part)
    for part in late:
        within = part.among(over, env, within)
    return within


class Negation(Expression):
    """`not`."""

    def __init__(self, node: Node, part: Expression):
        super().__init__(node, BOOL, (part,))

    def holds(self, env: Env) -> Term:
        """When it is defined and true."""
        return not_(self.parts[0].holds(env))

    def indexed(self, over: Slot) -> bool:
        """True if its mask is found without a look at each member."""
        return self.parts[0].indexed(over)

    def mask(self, over: Slot, env: Env) -> int:
        """The members for which it holds."""
        return over.full & ~self.parts[0].mask(over, env)


class Within(Expression):
    """`in`: a name is one of a group, or of what a variable stands for.

    Args:
        node: The node.
        parts: The name, and the variable.
        group: The members, by the name of what the variable stands for; by nothing where there is none.
    """

    def __init__(self, node: Node, parts: Sequence[Expression], group: Callable[[str], int]):
        self._group = group
        super().__init__(node, BOOL, parts)

    def of(self, env: Env) -> Partial:
        """Its value."""
        found = self.parts[0].of(env)
        named = self.parts[1].of(env).value.value if len(self.parts) > 1 else ""
        return Partial(in_mask(found.value, self._group(str(named))), found.defined)


class Worked(Expression):
    """An expression whose value is made of those of its parts by a function."""

    def __init__(
        self,
        node: Node,
        kind: str,
        parts: Sequence[Expression],
        make: Callable[[Sequence[Partial]], Partial],
        *,
        decided: bool = True,
        values: Domain | None = None,
    ):
        self.decided, self._make = decided, make
        super().__init__(node, kind, parts, values)

    def of(self, env: Env) -> Partial:
        """Its value."""
        return self._make([p.of(env) for p in self.parts])


class Chosen(Expression):
    """`if`."""

    def __init__(self, node: Node, parts: Sequence[Expression], choose: Callable[[Term, Partial, Partial], Partial]):
        self._choose = choose
        super().__init__(node, parts[1].kind, parts, parts[1].values)

    def of(self, env: Env) -> Partial:
        """Its value."""
        condition, a, b = self.parts
        when = condition.holds(env)
        if when is TRUE or when is FALSE:
            return plain((a if when is TRUE else b).of(env))
        return self._choose(when, a.of(env), b.of(env))

    def defined_when(self, env: Env) -> Term:
        """When the condition has a meaning, and what it chooses."""
        condition, a, b = self.parts
        return and_(condition.defined_when(env), ite(condition.holds(env), a.defined_when(env), b.defined_when(env)))

    def indexed(self, over: Slot) -> bool:
        """True if its mask is found without a look at each member."""
        return self.kind == BOOL and all(p.indexed(over) for p in self.parts)

    def mask(self, over: Slot, env: Env) -> int:
        """The members for which it holds."""
        condition, a, b = self.parts
        if over.place not in condition.slots:
            return (a if condition.holds(env) is TRUE else b).mask(over, env)
        if not self.indexed(over):
            return super().mask(over, env)
        where = condition.mask(over, env)
        return where & a.mask(over, env) | over.full & ~where & b.mask(over, env)

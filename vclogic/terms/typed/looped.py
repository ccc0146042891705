"""Words that count and choose, in the typed form: `count`, `some`, `no`, `sum`, `max`, `min`, `connected`.

A variable stands for each member of a kind in turn. What the board decides of the members is asked first, and those
that meet it are kept for each of what that speaks of; terms are made for these alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy

from vclogic.terms import build
from vclogic.terms.atoms import FALSE, TRUE, integer
from vclogic.terms.expressions.names import of_kind
from vclogic.terms.expressions.syntax import COUNT, MAX, NO, SOME, SUM, Form, Node, Word
from vclogic.terms.partial import Partial
from vclogic.terms.reach import reach
from vclogic.terms.sorts import members_of
from vclogic.terms.term import Term
from vclogic.terms.typed.asked import Asked, alternatives
from vclogic.terms.typed.form import BOOL, INT, Copying, Env, Expression, Groups, Slot, Variable, around, meeting
from vclogic.terms.vocabulary import CountedKind

Allowed = Callable[[Sequence[str]], int]
"""The members that a group and an owner leave, by the names of these where variables stand for them."""


Group = Callable[[str], frozenset[str]]
"""A group, by the name of what a variable stands for that is one."""
Ways = tuple[Expression | None, Group | None]
"""The variable that is a group, and the group; no variable: always the same one; no group: it is none."""


class Selection:
    """The members of a variable that meet what the board decides of them.

    Args:
        slot: The variable.
        named: The expressions that name a group and an owner.
        allowed: The members that these leave.
        filters: What the board decides of the members.
    """

    def __init__(self, slot: Slot, named: Sequence[Expression], allowed: Allowed, filters: Sequence[Expression]):
        self._slot, self._named, self._allowed, self._filters = slot, named, allowed, filters
        slots = frozenset[int]().union(*(e.slots for e in (*named, *filters))) - {slot.place}
        self._others = tuple(slots)
        self._known: dict[tuple[str, ...], tuple[str, ...]] = {}

    def members(self, env: Env) -> tuple[str, ...]:
        """The members, for what other variables stand for."""
        key = tuple([env[p] for p in self._others])
        found = self._known.get(key)
        if found is None:
            within = self._allowed([str(e.of(env).value.value) for e in self._named])
            within = meeting(self._filters, self._slot, env, within)
            names = self._slot.members
            found = self._known[key] = tuple([names[n] for n in members_of(within)])
        return found


class _Kept:
    """An open condition that is worked out once for each of what it speaks of.

    Args:
        part: The condition.
    """

    def __init__(self, part: Expression):
        self._part, self._places = part, tuple(part.slots)
        self._known: dict[tuple[str, ...], Term] = {}

    def holds(self, env: Env) -> Term:
        """When it is defined and true."""
        key = tuple([env[p] for p in self._places])
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._part.holds(env)
        return found


class Members:
    """A variable with what is said of those that count.

    Args:
        slot: The variable.
        named: The expressions that name a group and an owner, where variables or calls do.
        allowed: The members that group and owner leave.
        where: What holds of those that count.
        worked: Counts a member that is looked at.
    """

    def __init__(
        self,
        slot: Slot,
        named: Sequence[Expression],
        allowed: Allowed,
        where: Sequence[Expression],
        worked: Callable[[], None],
    ):
        self.slot, self.named, self.allowed = slot, tuple(named), allowed
        self.where, self.worked = tuple(where), worked
        self.fixed = all(e.fixed for e in self.where)
        self.slots = frozenset[int]().union(*(e.slots for e in (*self.named, *self.where))) - {slot.place}
        self._selections: dict[int, tuple[Selection, tuple[Expression, ...]]] = {}
        self._selection, late = self.beside(-1)
        around = frozenset[int]().union(*(e.slots for e in self.where)) - {slot.place}
        self._open = [_Kept(e) if around - e.slots else e for e in late]  # it comes again for others of these

    def beside(self, place: int) -> tuple[Selection, tuple[Expression, ...]]:
        """The members by what the board decides without another variable, and what else is said of them."""
        if place not in self._selections:
            early = [e for e in self.where if e.fixed and place not in e.slots]
            late = tuple(e for e in self.where if not e.fixed or place in e.slots)
            self._selections[place] = Selection(self.slot, self.named, self.allowed, early), late
        return self._selections[place]

    def certain(self, env: Env) -> tuple[str, ...]:
        """The members that count, where the board decides it."""
        return self._selection.members(env)

    def each(self, env: Env) -> Iterator[tuple[str, Term]]:
        """Each member that counts if a condition holds, with the condition; the variable stands for it meanwhile."""
        place = self.slot.place
        for member in self._selection.members(env):
            env[place] = member
            self.worked()
            found: list[Term] = []
            for part in self._open:
                term = part.holds(env)
                if term is FALSE:
                    break
                if term is not TRUE:
                    found.append(term)
            else:
                where = found[0] if len(found) == 1 else build.all_of(found)
                if where is not FALSE:
                    yield member, where

    @property
    def below(self) -> Sequence[Expression]:
        """The expressions in what is said."""
        return *self.named, *self.where

    def defined_when(self, env: Env) -> Term:
        """When what is said of some member has a meaning; always, where there is none."""
        allowed = self.allowed([str(e.of(env).value.value) for e in self.named])
        found: list[Term] = []
        for n in members_of(allowed) if self.where else ():
            env[self.slot.place] = self.slot.members[n]
            found.append(build.all_of(e.defined_when(env) for e in self.where))
            if found[-1] is TRUE:
                break
        return build.any_of(found) if found else TRUE

    def where_instead(self, where: Sequence[Expression]) -> Members:
        """The same variable, with something else said of those that count."""
        return Members(self.slot, self.named, self.allowed, where, self.worked)

    def copy(self, copying: Copying) -> Members:
        """A copy, with a variable of its own."""
        new = copying.new_slot(self.slot.kind)
        copying.slots[self.slot.place] = Variable(Word(new.kind.name, 0), of_kind(new.domain.sort.name), new)
        return Members(
            new,
            [copying.of(e) for e in self.named],
            self.allowed,
            [copying.of(e) for e in self.where],
            self.worked,
        )


class Looped(Expression):
    """A form with a variable.

    Args:
        node: The form.
        members: The variable.
        value: The number that is added or compared.
        kept: Whether it is worked out again and again with the same variables around it.
    """

    def __init__(self, node: Form, members: Members, value: Expression | None, *, kept: bool = False):
        self.form, self.word, self.members, self.value, self.kept = node, node.word, members, value, kept
        super().__init__(node, BOOL if node.word in (SOME, NO) else INT)

    def _take(self, parts: tuple[Expression, ...]) -> None:
        super()._take(parts)
        value = () if self.value is None else (self.value,)
        self.fixed = self.members.fixed and all(e.fixed for e in value)
        self.own = frozenset({self.members.slot.place})
        self.slots = self.members.slots.union(*(e.slots for e in value)) - self.own
        self._keys: tuple[Sequence[int], Sequence[Asked]] | None = None
        self._values: dict[tuple[object, ...], Partial] = {}

    def below(self) -> Iterable[Expression]:
        """What is said of its members, and the number."""
        return self.members.below if self.value is None else (*self.members.below, self.value)

    def of(self, env: Env) -> Partial:
        """Its value."""
        places, asked = self._keys or self._found_keys()
        if not self.kept and not asked:
            return self._of(env)
        key: tuple[object, ...] = tuple([env[p] for p in places])
        if asked:
            key = *key, *(said.value if said.defined is TRUE else None for said in [e.of(env) for e in asked])
        found = self._values.get(key)
        if found is None:
            found = self._values[key] = self._of(env)
        return found

    def _found_keys(self) -> tuple[Sequence[int], Sequence[Asked]]:
        """What decides its value: the places of variables, and what the board says of others.

        Of `no(other unit where at(other) == to and side(other) != side(unit))` this is `to` and `side(unit)`: it is
        worked out once for all units of a side.
        """
        parts = [*around(self)]
        asked = [e for e in parts if isinstance(e, Asked) and e.direct]
        places = {*self.slots}
        if all(isinstance(e, Variable) or e in asked for e in parts):
            places = {p for e in parts if isinstance(e, Variable) for p in e.slots}
        self._keys = tuple(places), tuple(e for e in asked if not e.slots <= places)
        return self._keys

    def _of(self, env: Env) -> Partial:
        members, word = self.members, self.word
        if word in (SOME, NO):
            if members.fixed:
                holds = TRUE if members.certain(env) else FALSE
            else:
                holds = build.any_of(where for _, where in members.each(env))
            return Partial(holds if word == SOME else build.not_(holds))
        if word == COUNT:
            if members.fixed:
                return Partial(integer(len(members.certain(env))))
            return Partial(build.count([where for _, where in members.each(env)]))
        assert self.value is not None, "it adds or compares numbers"
        return summed_or_extreme(word, [(where, self.value.of(env)) for _, where in members.each(env)])

    def defined_when(self, env: Env) -> Term:
        """When a number is defined, and what is said of some member has a meaning."""
        return build.and_(self.of(env).defined, self.members.defined_when(env))

    # ---- for all that a variable can stand for

    def indexed(self, over: Slot) -> bool:
        """True if its mask is found without a look at each member."""
        return over.place not in self.slots or (self.word in (SOME, NO) and self._joined(over))

    def tabled(self, over: Slot) -> bool:
        """True if its groups are found without a look at each member."""
        return super().tabled(over) or (self.word == COUNT and self._joined(over))

    def _joined(self, over: Slot) -> bool:
        """True if the members for which it holds are joined from those of each of its own members."""
        return (
            self.fixed and not self._names(over) and all(e.indexed(over) for e in self.members.beside(over.place)[1])
        )

    def mask(self, over: Slot, env: Env) -> int:
        """The members for which it holds."""
        if not self.fixed or over.place not in self.slots or self.word not in (SOME, NO) or self._names(over):
            return super().mask(over, env)
        selection, late = self.members.beside(over.place)
        found, place = 0, self.members.slot.place
        for member in selection.members(env):
            env[place] = member
            found |= meeting(late, over, env, over.full & ~found)
            if found == over.full:
                break
        return found if self.word == SOME else over.full & ~found

    def _names(self, over: Slot) -> bool:
        return any(over.place in e.slots for e in self.members.named)

    def _grouped(self, over: Slot, env: Env) -> Groups:
        if self.word != COUNT or not self.fixed or self._names(over):
            return super()._grouped(over, env)
        selection, late = self.members.beside(over.place)
        counts, place = [over.full], self.members.slot.place  # the members for which so many count
        for member in selection.members(env):
            env[place] = member
            met = meeting(late, over, env, over.full)
            if met:
                more = [had & met for had in counts]
                counts = [had & ~met for had in counts] + [0]
                counts = [a | b for a, b in zip(counts, [0, *more], strict=True)]
                if not counts[-1]:
                    counts.pop()
        return {integer(n): mask for n, mask in enumerate(counts) if mask}

    def copy(self, copying: Copying) -> Expression:
        """A copy."""
        made = copy(self)
        made.members = self.members.copy(copying)
        made.value = None if self.value is None else copying.of(self.value)
        made._take(())
        return made


class Listed(Expression):
    """A form whose conditions or numbers are written out."""

    def __init__(self, node: Form, parts: Sequence[Expression]):
        self.word = node.word
        super().__init__(node, BOOL if node.word in (SOME, NO) else INT, parts)

    def of(self, env: Env) -> Partial:
        """Its value."""
        if self.word in (SOME, NO):
            found = build.any_of(p.holds(env) for p in self.parts)
            return Partial(found if self.word == SOME else build.not_(found))
        if self.word == COUNT:
            return Partial(build.count([p.holds(env) for p in self.parts]))
        return summed_or_extreme(self.word, [(TRUE, p.of(env)) for p in self.parts])

    def defined_when(self, env: Env) -> Term:
        """When a number is defined, or some condition has a meaning."""
        if self.word in (SOME, NO, COUNT):
            return build.any_of(p.defined_when(env) for p in self.parts)
        return super().defined_when(env)


class Connected(Expression):
    """`connected`: whether a path leads from a place to a group over members that meet a condition.

    Args:
        node: The form.
        members: The variable of what the paths lead over.
        ends: The group that they lead to.
        begins: The group from which one leads; of nothing: a place.
        place: The place; None: any of the group.
    """

    def __init__(
        self,
        node: Node,
        members: Members,
        to: Expression | None,
        ends: Group | None,
        of: Expression | None,
        begins: Group | None,
        place: Expression | None,
    ):
        self.members, self._ends, self._begins = members, ends, begins
        self._has = to is not None, of is not None, place is not None
        super().__init__(node, BOOL, [p for p in (to, of, place) if p is not None])

    def _take(self, parts: tuple[Expression, ...]) -> None:
        super()._take(parts)
        left = list(parts)
        self._to, self._of_group, self._place = (left.pop(0) if has else None for has in self._has)
        self.fixed = self.fixed and self.members.fixed
        named = frozenset[int]() if self._to is None else self._to.slots
        self.own = frozenset({self.members.slot.place})
        self._others = tuple(self.members.slots | named)
        self.slots |= self.members.slots
        self._named: dict[int, tuple[tuple[str, int], ...]] = {}
        self._reached: dict[tuple[str, ...], dict[str, Term]] = {}

    def below(self) -> Iterable[Expression]:
        """What it joins, and what is said of what the paths lead over."""
        return *self.parts, *self.members.below

    def of(self, env: Env) -> Partial:
        """Its value."""
        kind: CountedKind = self.members.slot.kind
        key = tuple([env[p] for p in self._others])
        reached = self._reached.get(key)
        if reached is None:
            assert self._ends is not None, "paths lead somewhere"
            ends, passable = self._ends(_named(self._to, env)), dict(self.members.each(env))
            reached = self._reached[key] = reach(
                kind.graph, {m: passable[m] for m in passable if m in ends}, passable
            )
        if self._place is None:
            assert self._begins is not None, "paths begin somewhere"
            begins = self._begins(_named(self._of_group, env))
            return Partial(build.any_of(reached[m] for m in kind.members if m in begins))
        each = alternatives(kind.domain, self._place, env, self._named)
        found = [build.and_(when, reached[name]) for name, when in each]
        return Partial(build.any_of(found), build.any_of(when for _, when in each))

    def copy(self, copying: Copying) -> Expression:
        """A copy."""
        made = copy(self)
        made.members = self.members.copy(copying)
        made._take(tuple(map(copying.of, self.parts)))
        return made


def _named(part: Expression | None, env: Env) -> str:
    """The name of what a variable stands for; of nothing none."""
    return "" if part is None else str(part.of(env).value.value)


def summed_or_extreme(word: str, valued: Sequence[tuple[Term, Partial]]) -> Partial:
    """The sum, the largest or the smallest of the numbers that count."""
    return _summed(valued) if word == SUM else _extreme(valued, word)


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

"""Conditions that speak of one fact alone, such as where a unit is, as one test of it.

`some(hex where row(hex) == 3 and covers(unit, hex))` says that `at(unit)` is one of some places. Which ones the board
decides. So a variable is put in the place of the fact, through definitions too, and the condition is worked out for
all that it can stand for at once, as a bit mask.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import prod
from types import MappingProxyType

from vclogic.terms.atoms import TRUE
from vclogic.terms.build import in_mask
from vclogic.terms.expressions.names import NameLookup
from vclogic.terms.expressions.syntax import SOME, Word
from vclogic.terms.partial import Partial
from vclogic.terms.term import Op, Term
from vclogic.terms.typed.asked import Asked
from vclogic.terms.typed.form import (
    BOOL,
    Cased,
    Chosen,
    Constant,
    Copying,
    Env,
    Expression,
    Junction,
    Slot,
    Variable,
    Within,
    Worked,
    around,
)
from vclogic.terms.typed.looped import Connected, Listed, Looped, Members
from vclogic.terms.typed.ways import Way
from vclogic.terms.vocabulary import CountedKind

_MOST = 400  # nodes of a condition that definitions are put into
Key = tuple[object, ...]
Facts = Mapping[Key, Asked]


class OneTest(Expression):
    """A condition that speaks of one fact alone.

    Args:
        plain: The condition.
        fact: The fact.
        slot: The variable in its place.
        relation: The condition with the variable.
    """

    decided = False

    def __init__(self, plain: Expression, fact: Asked, slot: Slot, relation: Expression):
        self._plain, self._fact, self._slot, self._relation = plain, fact, slot, relation
        self._around = [*around(relation, frozenset({slot.place}))]
        self._masks: dict[tuple[Term, ...], int] = {}
        super().__init__(plain.node, BOOL)
        self.slots = plain.slots

    def of(self, env: Env) -> Partial:
        """Its value; of what is asked for it may be undefined."""
        asked = isinstance(self._plain, Asked | Chosen | Connected | Within | Worked)
        return self._plain.of(env) if asked else Partial(self.holds(env))

    def holds(self, env: Env) -> Term:
        """When it is defined and true."""
        found = self._test(env)
        return self._plain.holds(env) if found is None else in_mask(*found)

    def _test(self, env: Env) -> tuple[Term, int] | None:
        """The fact, and the values for which it holds, as a mask; None: the fact is none by itself."""
        fact = self._fact.of(env)
        if isinstance(fact, Cased) or fact.defined is not TRUE or fact.value.op is not Op.VAR:
            return None
        key: list[Term] = []
        for part in self._around:
            found = part.of(env)
            key += found.value, found.defined
        whole = tuple(key)
        mask = self._masks.get(whole)
        if mask is None:
            mask = self._masks[whole] = self._relation.mask(self._slot, env)
        return fact.value, mask

    def defined_when(self, env: Env) -> Term:
        """When the condition as it is written has a meaning."""
        return self._plain.defined_when(env)

    def possible(self, env: Env) -> bool:
        """False if it holds in no position."""
        found = self._test(env)
        return super().possible(env) if found is None else bool(found[0].mask & found[1])

    def below(self) -> Iterable[Expression]:
        """The condition as it is written."""
        return (self._plain,)

    def copy(self, copying: Copying) -> Expression:
        """A copy of the condition as it is written."""
        return copying.of(self._plain)

    @property
    def plain(self) -> Expression:
        """The condition as it is written."""
        return self._plain


def simplified(expression: Expression, names: NameLookup) -> Expression:
    """An expression with one test in the place of each long condition that speaks of one fact alone."""
    if expression.fixed:
        return expression
    if expression.kind == BOOL and _is_long(expression):
        found = _one_test(expression, names) or _swapped(expression, names)
        if found is not None:
            return found
    if isinstance(expression, Looped):
        members = expression.members
        where = [simplified(e, names) for e in members.where]
        if any(a is not b for a, b in zip(where, members.where, strict=True)):
            expression.members = members.where_instead(where)
        if expression.value is not None:
            expression.value = simplified(expression.value, names)
    parts = tuple(simplified(p, names) for p in expression.parts)
    if any(a is not b for a, b in zip(parts, expression.parts, strict=True)):
        return expression.again(parts)
    return expression


def _is_long(expression: Expression) -> bool:
    """True if members are looked at for it, a definition is asked, or what the board says of a fact."""
    if isinstance(expression, Looped) or (isinstance(expression, Asked) and _is_deep(expression)):
        return True
    return any(map(_is_long, expression.below()))


def _is_deep(asked: Asked) -> bool:
    return not asked.fixed and (asked.meaning is not None or not asked.direct)


def _size(expression: Expression) -> int:
    return 1 + sum(map(_size, expression.below()))


def least_work(expression: Expression, outside: Mapping[int, int] = MappingProxyType({})) -> int:
    """So many members it certainly looks at; what the board rules out and what may end early is not counted.

    Args:
        expression: An expression.
        outside: For the places of the variables around it, how many members each stands for.
    """
    if expression.fixed or isinstance(expression, OneTest | Asked | Connected):
        return 0
    if not isinstance(expression, Looped):
        parts = expression.parts[:1] if isinstance(expression, Junction | Chosen | Listed) else expression.parts
        return sum(least_work(p, outside) for p in parts)
    members = expression.members
    if members.named or any(e.fixed for e in members.where):
        return 0  # so many as the board leaves
    number = members.allowed(()).bit_count()
    inside = members.where[0] if members.where else expression.value
    again = 0 if inside is None else least_work(inside, {**outside, members.slot.place: number})
    # What is worked out is kept for each of the members that it speaks of.
    return again + number * prod(n for place, n in outside.items() if place in expression.slots)


# ---- the facts that a condition speaks of


def _key(asked: Asked) -> Key:
    places = (p.slot.place if isinstance(p, Variable) else str(p.of([]).value.value) for p in asked.parts)
    return id(asked.function), *places


def facts(expression: Expression, *, through: bool) -> Facts | None:
    """The facts that an expression speaks of; None: of something else too that changes.

    Args:
        expression: The expression.
        through: Whether definitions are looked into.
    """
    if expression.fixed:
        return {}
    if isinstance(expression, Connected | Way) or (isinstance(expression, Worked) and not expression.decided):
        return None
    if isinstance(expression, Asked) and not expression.decided:
        return _asked(expression, through=through)
    found: dict[Key, Asked] = {}
    for part in expression.below():
        more = facts(part, through=through)
        if more is None:
            return None
        found |= more
        if len(found) > 1:
            return None
    return found


def _asked(expression: Asked, *, through: bool) -> Facts | None:
    if not expression.direct:
        return None
    if expression.meaning is None:
        return {_key(expression): expression}
    body = expression.meaning.body() if through else None
    if body is None:
        return None
    root, slots = body
    inside = facts(root, through=through)
    if inside is None:
        return None
    given = {slot.place: part for slot, part in zip(slots, expression.parts, strict=True)}
    found: dict[Key, Asked] = {}
    for asked in inside.values():
        if not all(isinstance(p, Constant) or p.slots <= given.keys() for p in asked.parts):
            return None  # it is asked of a variable of the definition's own
        parts = tuple(given[p.slot.place] if isinstance(p, Variable) else p for p in asked.parts)
        new = asked.again(parts)
        found[_key(new)] = new
    return found


def _one_test(expression: Expression, names: NameLookup) -> OneTest | None:
    """A condition as one test; None: it is none."""
    found = facts(expression, through=not names.recorded)
    if not found:
        return None
    ((key, fact),) = found.items()
    if fact.values is None or not fact.slots <= expression.slots:
        return None
    slot = names.new_slot(CountedKind(fact.values.sort.name, fact.values))
    relation = _with_variable(expression, key, slot, names)
    return OneTest(expression, fact, slot, relation) if relation.fixed and _size(relation) <= _MOST else None


def _with_variable(expression: Expression, key: Key, slot: Slot, names: NameLookup) -> Expression:
    """A condition with a variable in the place of a fact, through definitions too."""

    def instead(part: Expression, copying: Copying) -> Expression | None:
        if part.fixed or not isinstance(part, Asked) or part.decided:
            return None
        asked = part.again(tuple(map(copying.of, part.parts)))
        if asked.meaning is None:
            return Variable(Word(slot.kind.name, 0), asked.kind, slot) if _key(asked) == key else asked
        body = asked.meaning.body()
        assert body is not None, "it was looked into"
        root, slots = body
        given = {s.place: p for s, p in zip(slots, asked.parts, strict=True)}
        return Copying(given, instead, names.new_slot).of(root)

    return Copying({}, instead, names.new_slot).of(expression)


# ---- the order of variables


def _written_out(expression: Expression, names: NameLookup) -> Expression:
    """The body of a definition in the place of a call of it."""
    if names.recorded or not isinstance(expression, Asked) or expression.meaning is None or not expression.direct:
        return expression
    body = expression.meaning.body()
    if body is None or not isinstance(body[0], Looped):
        return expression
    root, slots = body
    given = {s.place: p for s, p in zip(slots, expression.parts, strict=True)}
    return Copying(given, lambda part, copying: None, names.new_slot).of(root)


def _swapped(expression: Expression, names: NameLookup) -> Expression | None:
    """`some(x where some(y where ...))` with the variables the other way round, where that is one test for each."""
    if not isinstance(expression, Looped) or expression.word != SOME:
        return None
    outer = expression.members
    inside = [_written_out(e, names) for e in outer.where if not e.fixed]
    if len(inside) != 1 or not isinstance(inside[0], Looped) or inside[0].word != SOME:
        return None
    inner, place = inside[0].members, outer.slot.place
    if any(place in e.slots for e in inner.named):
        return None
    late = [e for e in inner.where if place in e.slots or not e.fixed]
    both = Members(
        outer.slot, outer.named, outer.allowed, [*(e for e in outer.where if e.fixed), *late], outer.worked
    )
    test = _one_test(Looped(expression.form, both, None), names)
    if test is None:
        return None
    early = [e for e in inner.where if e not in late]
    again = Members(inner.slot, inner.named, inner.allowed, [*early, test], inner.worked)
    made = Looped(expression.form, again, None)
    made.kept = expression.kept
    return made

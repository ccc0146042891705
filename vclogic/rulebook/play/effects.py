"""Changes by an event of a rulebook: each line is typed once, for any names in the places of its arguments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import Protocol

from vclogic.model.actions import RANGE, Requirement
from vclogic.model.citation import Cites, is_watched
from vclogic.model.fluents import Family, beyond
from vclogic.rulebook.board.world import ROUND
from vclogic.rulebook.declarations import Effect
from vclogic.rulebook.meaning.names import Bindings, TextNames
from vclogic.rulebook.meaning.values import always_fits, valued
from vclogic.rulebook.source import RulesSource
from vclogic.rulebook.statements import BECOMES, FALLS
from vclogic.terms.atoms import FALSE, TRUE, integer
from vclogic.terms.build import add, all_of, and_, any_of, eq, ge, implies, ite, le, not_, scale
from vclogic.terms.expressions.line import Argument, Kinds
from vclogic.terms.expressions.syntax import Call, Word, free_words
from vclogic.terms.partial import Partial
from vclogic.terms.sorts import IntSort
from vclogic.terms.term import Term

_MOST_KEPT = 2_000
"""For so many names of its variables at most what a line changes is kept."""


@dataclass(frozen=True)
class Change:
    """A change of a fact: to what or by how much, when it applies, and whether it is added."""

    fluent: Term
    value: Partial
    when: Term
    adds: bool


class Facts(Protocol):
    """The knowledge of facts that a line needs."""

    names: TextNames

    def family(self, source: RulesSource, fact: Call | Word) -> Family:
        """The fact that a line changes."""

    def arguments(self, source: RulesSource, fact: Call | Word, kinds: Kinds) -> Sequence[Argument]:
        """The arguments of the fact that a line changes."""

    def cites_of(self, fluent: Term) -> Cites:
        """The sentence that declares a fact."""


class EffectLine:
    """A line below an event.

    Args:
        effect: What it says.
        source: The text.
        facts: The facts.
        kinds: The variables around it.

    Attributes:
        family: The fact that it changes.
        always_possible: Whether no position refuses it: each fact gets one value, which it can have.

    Raises:
        InputError: What is wrong with it.
    """

    def __init__(self, effect: Effect, source: RulesSource, facts: Facts, kinds: Kinds):
        names, kinds_around = facts.names, kinds
        self._members = [] if effect.binder is None else names.within(source, effect.binder, kinds)
        kinds = {**kinds, **{line.name: line.kind for line in self._members}}
        self.family = facts.family(source, effect.fact)
        self._arguments = facts.arguments(source, effect.fact, kinds)
        condition = effect.condition
        self._condition = None if condition is None else names.true_or_false(source, condition, kinds)
        said = names, source, self.family, effect.kind, effect.value, kinds
        self._value = valued(*said)
        self.always_possible = self._one_each(effect.fact) and always_fits(*said)
        self._told = _told(effect, kinds_around)
        self._kept: dict[tuple[object, ...], Sequence[Change]] = {}
        self._lacks = effect.fact.text in names.lacking
        self._falls, self._adds = effect.kind == FALLS, effect.kind != BECOMES

    def _one_each(self, fact: Call | Word) -> bool:
        """True if its members are names that the fact is asked of: each of them changes another one."""
        given = fact.arguments if isinstance(fact, Call) else ()
        of = {w.text: index.sort for w, index in zip(given, self.family.indices, strict=True) if isinstance(w, Word)}
        return all(of.get(line.name) == line.kind.domain.sort for line in self._members)

    def changes(self, bound: Bindings) -> Sequence[Change]:
        """The changes, for the names that variables stand for; worked out once for those that the line speaks of."""
        if self._told is None:
            return [*self._changes(bound)]
        key = is_watched(), *[bound[n].member for n in self._told if n in bound]
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = [*self._changes(bound)]
        return found

    def _changes(self, bound: Bindings) -> Iterator[Change]:
        each: Iterable[tuple[Bindings, Term]] = [] if self._lacks else [(bound, TRUE)]
        for line in self._members:
            each = line.each(each)
        for inside, when in each:
            if self._condition is not None:
                when = and_(when, self._condition.holds({n: b.member for n, b in inside.items()}))
            if when is not FALSE:
                value = self._value(inside)
                signed = Partial(scale(value.value, -1), value.defined) if self._falls else value
                for fluent, that in targets(self.family, self._arguments, inside):
                    yield Change(fluent, signed, and_(when, that), self._adds)


def _told(effect: Effect, kinds: Kinds) -> tuple[str, ...] | None:
    """The variables around a line that it speaks of; None: all of them, or it can stand for too much to be kept."""
    binder = effect.binder
    given = effect.fact.arguments if isinstance(effect.fact, Call) else ()
    of_members = () if binder is None else (b.where for b in (binder, *binder.more))
    among = () if binder is None else (x for b in (binder, *binder.more) for x in (b.group, b.owner))
    nodes = [n for n in (effect.value, effect.condition, *given, *of_members, *among) if n is not None]
    named = {w.text for n in nodes for w in free_words(n, groups=True)}
    told = tuple(n for n in kinds if n in named)
    few = prod(len(kinds[n].members) for n in told) <= _MOST_KEPT
    return told if few and len(told) < len(kinds) else None


def targets(family: Family, arguments: Sequence[Argument], bound: Bindings) -> Iterator[tuple[Term, Term]]:
    """The fluents that a line can change, each with when it is that one.

    Args:
        family: The fact.
        arguments: What it is asked of.
        bound: The variables.
    """
    for chosen in product(*(line.alternatives(bound) for line in arguments)):
        when = all_of(condition for _, condition in chosen)
        if when is not FALSE:
            yield family[tuple([name for name, _ in chosen])], when


class Effects:
    """The changes that some lines bring about, worked out as far as they are asked for.

    Args:
        lines: The lines.
        asking: Those of them that may ask for something.
        facts: The facts.
        cites: The sentences of the event.
        bound: The variables.
    """

    def __init__(
        self, lines: Sequence[EffectLine], asking: Sequence[EffectLine], facts: Facts, cites: Cites, bound: Bindings
    ):
        self._lines, self._asking, self._facts, self._cites, self._bound = lines, asking, facts, cites, bound
        self._of_line: dict[EffectLine, Sequence[Change]] = {}

    @cached_property
    def new(self) -> Mapping[Term, Term]:
        """The new value of each fact."""
        return {fluent: _combined(fluent, changes)[0] for fluent, changes in self._changes.items()}

    @cached_property
    def when(self) -> Mapping[Term, Term]:
        """For each fact Bool: whether a line changes it."""
        return {fluent: any_of(c.when for c in changes) for fluent, changes in self._changes.items()}

    @cached_property
    def asked(self) -> Sequence[Requirement]:
        """The requirements of the lines: each value is defined, within its range, and the only one of its fact."""
        found: list[Requirement] = []
        changes = self._by_fact(self._asking)
        for change in (c for line in self._asking for c in self._of(line)):
            if change.value.defined is not TRUE:
                message = f"what {change.fluent.name.partition('[')[0]} would become is not defined"
                found.append(Requirement(implies(change.when, change.value.defined), message, self._cites))
        for fluent, of_fluent in changes.items():
            possible = _combined(fluent, of_fluent)[1]
            if possible is not TRUE:
                found.append(Requirement(possible, beyond(fluent), self._facts.cites_of(fluent), RANGE))
        return found

    @cached_property
    def _changes(self) -> Mapping[Term, Sequence[Change]]:
        return self._by_fact(self._lines)

    def _by_fact(self, lines: Iterable[EffectLine]) -> Mapping[Term, Sequence[Change]]:
        found: dict[Term, list[Change]] = {}
        for change in (c for line in lines for c in self._of(line)):
            found.setdefault(change.fluent, []).append(change)
        return found

    def _of(self, line: EffectLine) -> Sequence[Change]:
        if line not in self._of_line:
            self._of_line[line] = line.changes(self._bound)
        return self._of_line[line]


def asking(lines: Sequence[EffectLine]) -> Sequence[EffectLine]:
    """The lines for whose sake an event may be refused; the others can always be done."""
    of_fact: dict[str, list[EffectLine]] = {}
    for line in lines:
        of_fact.setdefault(line.family.name, []).append(line)
    return [line for line in lines if len(of_fact[line.family.name]) > 1 or not line.always_possible]


def _combined(fluent: Term, changes: Sequence[Change]) -> tuple[Term, Term]:
    """The new value of a fact, and Bool: whether it can have it, and is not given two at once."""
    new, possible = fluent, TRUE
    becoming = [c for c in changes if not c.adds]
    for i, change in enumerate(becoming):
        for other in becoming[:i]:
            differ = not_(_same(change.value.value, other.value.value))
            possible = and_(possible, not_(and_(change.when, other.when, differ)))
        new = ite(change.when, change.value.value, new)
    added = [ite(c.when, c.value.value, integer(0)) for c in changes if c.adds]
    new = add(new, *added) if added else new
    if isinstance(fluent.sort, IntSort):
        most = TRUE if fluent.name == ROUND else le(new, fluent.sort.hi)  # the last round ends the game
        possible = and_(possible, ge(new, fluent.sort.lo), most)
    return new, possible


def _same(a: Term, b: Term) -> Term:
    return and_(implies(a, b), implies(b, a)) if a.is_bool else eq(a, b)

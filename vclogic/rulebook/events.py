"""An event of a rulebook: what it asks for and what it changes, for any names in the places of its arguments."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice
from math import prod
from typing import Protocol

from vclogic.errors import InputError, did_you_mean, nearest, quoted
from vclogic.model.actions import RANGE, Action, Parameter, Requirement, Schema, Touches
from vclogic.model.citation import Cites, is_watched, said_by
from vclogic.model.fluents import Family, Value, beyond
from vclogic.rulebook.declarations import CHANCE, Effect, EventRule, Need
from vclogic.rulebook.facts import value_line, value_of
from vclogic.rulebook.names import Bindings, TextNames
from vclogic.rulebook.source import RulesSource
from vclogic.rulebook.statements import BECOMES, FALLS, Statement
from vclogic.rulebook.timing import Timing
from vclogic.rulebook.wording import described, filled, told
from vclogic.rulebook.world import World
from vclogic.terms.atoms import FALSE, TRUE, integer
from vclogic.terms.build import add, all_of, and_, eq, ge, implies, ite, le, not_, scale
from vclogic.terms.lexer import MAX_DIGITS
from vclogic.terms.line import Argument, Kinds
from vclogic.terms.names import Bound
from vclogic.terms.partial import Partial
from vclogic.terms.sorts import IntSort
from vclogic.terms.syntax import Call, Node, Word, free_words
from vclogic.terms.term import Term
from vclogic.terms.typed import INT
from vclogic.terms.vocabulary import CountedKind, of_numbers

MOST_NUMBERS, MOST_CASES, MOST_TRIED = 1_000, 200_000, 2_000_000
"""So many numbers an argument may be, so many cases an event may have, and so many are tried to find these."""
MOST_PRODUCT = 100_000_000
"""So many combinations of its arguments an event may have at most, whatever its needs rule out."""
COST = "events"
"""What plans count."""


class Surroundings(Protocol):
    """What an event of a rulebook needs to know of the rest of it."""

    world: World
    timing: Timing
    names: TextNames

    def family(self, source: RulesSource, fact: Call | Word) -> Family:
        """The fact that a line changes."""

    def arguments(self, source: RulesSource, fact: Call | Word, kinds: Kinds) -> Sequence[Argument]:
        """What the fact that a line changes is asked of."""

    def targets(self, source: RulesSource, fact: Call | Word, bound: Bindings) -> Iterator[tuple[Term, Term]]:
        """The fluents that a line can change, each with when it is that one."""

    def cites_of(self, fluent: Term) -> Cites:
        """The sentence that declares a fact."""

    def common(self, event: EventMeaning, actor: str | None) -> Iterator[Requirement]:
        """What every event asks for."""

    def then(self, event: EventMeaning, actor: str | None, effects: Mapping[Term, Term]) -> Mapping[Term, Term]:
        """The effects of an event, and what follows for whose turn it is."""


@dataclass(frozen=True)
class Change:
    """A change of a fact: to what or by how much, when it applies, and whether it is added."""

    fluent: Term
    value: Partial
    when: Term
    adds: bool


def arguments_of(
    rule: EventRule, source: RulesSource, kinds: Mapping[str, CountedKind], taken: Collection[str] = ()
) -> Iterator[tuple[str, CountedKind]]:
    """The arguments of an event: the name and the kind of each.

    Args:
        rule: What it says.
        source: Its block.
        kinds: The kinds by name.
        taken: Names that stand for something already.

    Raises:
        InputError: Its first line is wrong.
    """
    left, seen = [*rule.header], {*taken}
    while left:
        word = left.pop(0)
        if word.text in kinds:
            kind = kinds[word.text]
        elif left and left[0].text in kinds:
            kind = kinds[left.pop(0).text]
        elif _is_range(left):
            least, most = (int(w.text[:MAX_DIGITS]) for w in left[:3:2])
            if not least <= most < least + MOST_NUMBERS:
                message = "the larger number stands first" if least > most else f"at most {MOST_NUMBERS:,} numbers"
                raise source.goal.error(left[0].at, message, "write NAME 1 to 4", "limit")
            left = left[3:]
            kind = of_numbers(range(least, most + 1))
        else:
            if left and nearest(left[0].text, kinds):  # the word names it, and its kind is misspelt
                word = left[0]
            help = did_you_mean(word.text, kinds) or "write NAME KIND, KIND, or NAME 1 to 4"
            raise source.goal.error(word.at, f"{quoted(word.text)} is no kind of thing", help, "unknown-name")
        if word.text in seen or not word.text.isidentifier():
            message = "stands here twice" if word.text in seen else "is no name of an argument"
            help = f"give it one word as its name: to {kind.name}"
            raise source.goal.error(word.at, f"{quoted(word.text)} {message}", help, "taken-name")
        seen.add(word.text)
        yield word.text, kind


class EventMeaning:
    """An event of a rulebook.

    Args:
        rule: What it says.
        source: Its block.
        statement: The statement.
        around: The rest of the rulebook.

    Attributes:
        actors: Who can decide it; none: nobody.
        variable: The name that stands for who decides it; empty: it is always the same one, or nobody.
        arguments: Its arguments with their kinds.
        chance: Whether chance decides it.

    Raises:
        InputError: Its first line is wrong.
    """

    def __init__(self, rule: EventRule, source: RulesSource, statement: Statement, around: Surroundings):
        self.rule, self.source, self.statement, self.around = rule, source, statement, around
        self.name, self.names = rule.name.text, around.names
        self.chance = rule.by is not None and rule.by.text == CHANCE
        self.actors, self.variable = self._actors()
        self.arguments = dict(arguments_of(rule, source, self.names.kinds, {self.variable}))
        self.cites = source.cites(statement)
        self._values: dict[tuple[int, tuple[str, ...]], Partial] = {}
        self._tried = 0
        if prod(len(kind.members) for kind in self.arguments.values()) > MOST_PRODUCT:
            raise self._too_many()
        self._mentions: dict[int, frozenset[str]] = {}
        self._told: dict[int, tuple[str, ...]] = {}
        self._asked: dict[tuple[object, ...], Requirement] = {}

    # ---- its first line

    def _actors(self) -> tuple[tuple[str, ...], str]:
        by, movers = self.rule.by, self.around.world.movers
        if by is None or self.chance:
            return (), ""
        if by.text == movers.name:
            return movers.members, by.text
        if by.text in movers.members:
            return (by.text,), ""
        help = did_you_mean(by.text, (movers.name, CHANCE, *movers.members)) or f"write by {movers.name}"
        message = f"nobody called {quoted(by.text)} has a turn"
        raise self.source.goal.error(by.at, message, help, "unknown-name")

    def lines(self) -> Iterator[Callable[[], object]]:
        """What types each of its lines, also where no member is left for which one would be worked out."""
        kinds = {**self.names.kinds, **self.arguments} if self.variable else self.arguments
        given = {name: kinds[name] for name in self._parameters}
        for need in self.rule.needs:
            yield partial(self.names.true_or_false, self.source, need.condition, given)
            yield partial(self._type_parts, need.message, given)
        yield partial(self._type_parts, self.rule.says, given)
        yield partial(self._type_weight, given)
        for effect in self.rule.effects:
            yield partial(self._type_effect, effect, given)

    def _type_parts(self, parts: Sequence[str | Node], kinds: Kinds) -> None:
        for part in parts:
            if not isinstance(part, str) and not (isinstance(part, Word) and part.text in kinds):
                self.names.line(self.source, part, kinds)

    def _type_weight(self, kinds: Kinds) -> None:
        found = None if self.rule.weight is None else self.names.line(self.source, self.rule.weight, kinds).root
        if found is not None and found.kind != INT:
            raise self.source.goal.error(found.node.at, f"{found}, and a weight is a number", None, "wrong-value")

    def _type_effect(self, effect: Effect, kinds: Kinds) -> None:
        if effect.binder is not None:
            line = self.names.members(self.source, effect.binder, kinds)
            kinds = {**kinds, line.name: line.kind}
        family = self.around.family(self.source, effect.fact)
        self.around.arguments(self.source, effect.fact, kinds)
        if effect.condition is not None:
            self.names.true_or_false(self.source, effect.condition, kinds)
        value_line(self.names, self.source, family, effect.kind, effect.value, kinds)

    # ---- as an event of the game

    def schema(self) -> Schema:
        """The kind of event."""
        actor = (self.around.timing.mover(self.variable),) if self.variable else ()
        arguments = (Parameter(n, _numbers(k) if k.numbers else k.domain) for n, k in self.arguments.items())
        return Schema(
            self.name,
            (*actor, *arguments),
            self.action,
            self.source.words(self.statement),
            self.cites,
            decided_by=f"the {self.variable} on turn" if self.variable else "".join(self.actors),
            asks=dict(self._asks()),
            touches=self._touches(),
            made=self.source.made(self.statement.at),
        )

    def _asks(self) -> Iterator[tuple[str, Callable[[str], Iterable[Requirement]]]]:
        """What all events with one argument ask for, whatever the others are."""
        if self.variable:
            yield self.variable, lambda actor: self.around.common(self, actor)
        own = {*self._parameters}
        for name in self.arguments:
            needs = [n for n in self.rule.needs if self._speaks_of(n) & own == {name}]
            if needs:
                yield (
                    name,
                    lambda value, name=name, needs=needs: (  # type: ignore[misc]
                        self.requirement(need, self.bound({name: value})) for need in needs
                    ),
                )

    def _speaks_of(self, need: Need) -> frozenset[str]:
        """The names that a need and what a player is told of it speak of."""
        told = (self._mentioned(part) for part in need.message if not isinstance(part, str))
        return self._mentioned(need.condition).union(*told)

    def _touches(self) -> Touches:
        found: list[tuple[str | None, ...]] = [(f.name,) for f in self.around.timing.families]
        known = {*self.arguments, self.variable} - {""}
        for effect in self.rule.effects:
            given = effect.fact.arguments if isinstance(effect.fact, Call) else ()
            found.append((effect.fact.text, *(w.text if w.text in known else None for w in given)))
        return tuple(found)

    def action(self, **given: Value) -> Action:
        """The ground action for some arguments, that of who decides it included."""
        bound = self.bound(given)
        actor = str(given[self.variable]) if self.variable else next(iter(self.actors), None)
        effects, asked = self._effects(bound)
        words = {n: b.member for n, b in bound.items() if n != self.variable}
        said = described(self.name, actor, words, {n: k.name for n, k in self.arguments.items()})
        return Action(
            name=self.name,
            args=tuple((name, given[name]) for name in self._parameters),
            actor=actor,
            requirements=(*self.around.common(self, actor), *self.needs(bound), *asked),
            effects=tuple(self.around.then(self, actor, effects).items()),
            text=filled(self.names, self.source, self.rule.says, bound) if self.rule.says else said,
            costs={COST: 1},
            cites=self.cites,
            odds=self._weight(bound) if self.chance else None,
        )

    def can_happen(self, given: Mapping[str, Value]) -> Term:
        """Bool: whether the event is legal for some arguments, if nobody decides it."""
        bound = self.bound(given)
        asked = (*self.around.common(self, None), *self.needs(bound), *self._effects(bound)[1])
        return all_of(r.term for r in asked)

    @property
    def _parameters(self) -> tuple[str, ...]:
        return (*([self.variable] if self.variable else []), *self.arguments)

    def bound(self, given: Mapping[str, Value]) -> dict[str, Bound]:
        """The variables, for some arguments."""
        kinds = {**self.names.kinds, **self.arguments} if self.variable else self.arguments
        return {name: Bound(kinds[name], str(x)) for name, x in given.items()}

    def every(self, actors: Sequence[str] | None = None) -> Sequence[dict[str, Value]]:
        """The arguments for which no need is false whatever the position.

        Args:
            actors: Who may decide it; None: anybody.

        Raises:
            InputError: There are too many.
        """
        found = list(islice(self.some(actors), MOST_CASES + 1))
        if len(found) > MOST_CASES:
            raise self._too_many()
        return found

    def some(self, actors: Sequence[str] | None = None) -> Iterator[dict[str, Value]]:
        """The same, found one after the other."""
        members: dict[str, Sequence[str]] = {name: kind.members for name, kind in self.arguments.items()}
        deciding = self.actors if actors is None else [a for a in self.actors if a in actors]
        if self.variable:
            members = {self.variable: deciding, **members}
        if (deciding or not self.actors) and self.impossible is None:
            self._tried = 0
            yield from self._sensible([*members], members, {})

    @cached_property
    def impossible(self) -> Need | None:
        """What it needs that is never so, whatever the position and the arguments; None: nothing of the kind."""
        own = {*self._parameters}
        alone = (n for n in self.rule.needs if self._mentioned(n.condition).isdisjoint(own))
        return next((n for n in alone if self._condition(n.condition, {}) is FALSE), None)

    def _too_many(self) -> InputError:
        """The error for an event of more cases than can be looked at."""
        message = f"{self.name} can happen in more than {MOST_CASES:,} ways, one for each of its arguments"
        help = "give it fewer arguments, or needs that rule most of them out, such as adjacent(from, to)"
        wrong = self.source.goal.error(self.rule.name.at, message, help, "limit")
        return InputError([self.source.placed(d) for d in wrong.diagnostics])

    def _sensible(
        self, names: Sequence[str], members: Mapping[str, Sequence[str]], given: dict[str, Value]
    ) -> Iterator[dict[str, Value]]:
        """The same, with the names given one after the other, so that what cannot be is left early."""
        if not names:
            yield given
            return
        name, *rest = names
        numbers = name in self.arguments and self.arguments[name].numbers
        for member in members[name]:
            now = {**given, name: int(member) if numbers else member}
            self._tried += 1
            if self._tried > MOST_TRIED:
                raise self._too_many()
            if self._can_be(now, name):
                yield from self._sensible(rest, members, now)

    def _can_be(self, given: Mapping[str, Value], new: str) -> bool:
        """True if no need is false that speaks of the new name, and of none that is still to be given."""
        bound = self.bound(given)
        for need in self.rule.needs:
            mentioned = self._mentioned(need.condition)
            told = new in mentioned and bound.keys() >= mentioned & {*self._parameters}
            if told and self._condition(need.condition, bound) is FALSE:
                return False
        return True

    # ---- what it asks for

    def needs(self, bound: Bindings) -> Iterator[Requirement]:
        """What its own lines ask for."""
        for need in self.rule.needs:
            yield self.requirement(need, bound)

    def requirement(self, need: Need, bound: Bindings) -> Requirement:
        """What a line asks for; made once for the names that it speaks of."""
        key = id(need), tuple([bound[n].member for n in self._told_of(need) if n in bound]), is_watched()
        found = self._asked.get(key)
        if found is None:
            found = self._asked[key] = self._requirement(need, bound)
        return found

    def _told_of(self, need: Need) -> tuple[str, ...]:
        """The names that a line, or what a player is told of it, can speak of."""
        if id(need) not in self._told:
            told = self._speaks_of(need)
            said = "" if need.message else need.text  # a text of its own names what the event is given
            self._told[id(need)] = tuple(n for n in self._parameters if n in told or n in said)
        return self._told[id(need)]

    def _requirement(self, need: Need, bound: Bindings) -> Requirement:
        stated = Partial(self._condition(need.condition, bound))
        holds = said_by(self.source.cited(self.statement), lambda: stated).value
        made = self.source.made(need.at)
        return Requirement(holds, told(self.names, self.source, need, bound), self.cites, made=made)

    def _mentioned(self, node: Node) -> frozenset[str]:
        if id(node) not in self._mentions:
            self._mentions[id(node)] = frozenset(w.text for w in free_words(node, groups=True))
        return self._mentions[id(node)]

    def _condition(self, node: Node, bound: Bindings) -> Term:
        """A condition; worked out once for the variables that it speaks of."""
        relevant = [(n, b.member) for n, b in sorted(bound.items()) if n in self._mentioned(node)]
        key = id(node), tuple(x for pair in relevant for x in pair)
        if key not in self._values:
            self._values[key] = self.names.condition(self.source, node, bound)
        return self._values[key].holds

    def _weight(self, bound: Bindings) -> Term:
        if self.rule.weight is None:
            return integer(1)
        return self.names.resolved(self.source, self.rule.weight, bound).partial.value

    # ---- what it changes

    def _effects(self, bound: Bindings) -> tuple[dict[Term, Term], list[Requirement]]:
        """The facts that change with their new values, and what these ask for."""
        changes: dict[Term, list[Change]] = {}
        asked: list[Requirement] = []
        for effect in self.rule.effects:
            for change in self._changes(effect, bound):
                if change.value.defined is not TRUE:
                    message = f"what {change.fluent.name.partition('[')[0]} would become is not defined"
                    asked.append(Requirement(implies(change.when, change.value.defined), message, self.cites))
                changes.setdefault(change.fluent, []).append(change)
        effects: dict[Term, Term] = {}
        for fluent, of_fluent in changes.items():
            effects[fluent], possible = _combined(fluent, of_fluent)
            if possible is not TRUE:
                asked.append(Requirement(possible, beyond(fluent), self.around.cites_of(fluent), RANGE))
        return effects, asked

    def _changes(self, effect: Effect, bound: Bindings) -> Iterator[Change]:
        names = self.names
        each: list[tuple[Bindings, Term]] = [(bound, TRUE)]
        if effect.binder is not None:
            line = names.members(self.source, effect.binder, {n: b.kind for n, b in bound.items()})
            each = [({**bound, line.name: Bound(line.kind, m)}, when) for m, when in line.where(bound).items()]
        family = self.around.family(self.source, effect.fact)
        for inside, when in each:
            if effect.condition is not None:
                when = and_(when, names.condition(self.source, effect.condition, inside).holds)
            if when is not FALSE:
                value = value_of(names, self.source, family, effect.kind, effect.value, inside)
                signed = Partial(scale(value.value, -1), value.defined) if effect.kind == FALLS else value
                for fluent, that in self.around.targets(self.source, effect.fact, inside):
                    yield Change(fluent, signed, and_(when, that), effect.kind != BECOMES)


def _is_range(words: Sequence[Word]) -> bool:
    """True if some words begin with `1 to 4`."""
    texts = [w.text for w in words[:3]]
    return len(texts) == 3 and texts[1] == "to" and all(t.isascii() and t.isdigit() for t in texts[::2])


def _numbers(kind: CountedKind) -> range:
    return range(int(kind.members[0]), int(kind.members[-1]) + 1)


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
        possible = and_(possible, ge(new, fluent.sort.lo), le(new, fluent.sort.hi))
    return new, possible


def _same(a: Term, b: Term) -> Term:
    return and_(implies(a, b), implies(b, a)) if a.is_bool else eq(a, b)

"""An event of a rulebook: what it asks for and what it changes, for any names in the places of its arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property, partial
from itertools import islice
from math import prod
from typing import Protocol

from vclogic.errors import InputError, did_you_mean, quoted
from vclogic.model.actions import Action, Parameter, Requirement, Schema, Touches, later
from vclogic.model.actions import Effect as ActionEffect
from vclogic.model.citation import is_watched, said_by
from vclogic.model.fluents import Family, Value
from vclogic.model.picture import Known, Values
from vclogic.rulebook.board.world import TURN
from vclogic.rulebook.declarations import CHANCE, Effect, EventRule, Need
from vclogic.rulebook.meaning.names import Bindings
from vclogic.rulebook.meaning.some import some
from vclogic.rulebook.play.arguments import EventArgument, arguments_of, owners_of
from vclogic.rulebook.play.effects import EffectLine, Effects, Facts, asking
from vclogic.rulebook.play.ways import Needed, Ways, all_parts
from vclogic.rulebook.play.wording import Said, described, filled, told
from vclogic.rulebook.source import RulesSource
from vclogic.rulebook.statements import Statement
from vclogic.terms.atoms import FALSE, TRUE, integer
from vclogic.terms.build import all_of
from vclogic.terms.expressions.line import Kinds, Line
from vclogic.terms.expressions.names import BoundVariable
from vclogic.terms.expressions.syntax import Call, Node, Word, free_words
from vclogic.terms.partial import Partial
from vclogic.terms.term import Term
from vclogic.terms.typed.form import INT
from vclogic.terms.typed.ways import Way
from vclogic.terms.vocabulary import CountedKind

MOST_CASES = 200_000
"""So many cases an event may have."""
MOST_PRODUCT = 100_000_000
"""So many combinations of its arguments an event may have at most, whatever its needs rule out."""
COST = "events"
"""What plans count."""


class Deciding(Protocol):
    """The deciders of an event."""

    @property
    def movers(self) -> CountedKind:
        """The kind of those who have turns."""


class Clock(Protocol):
    """The time of a game."""

    @property
    def families(self) -> tuple[Family, ...]:
        """The facts that any event may change."""

    def mover(self, name: str) -> Parameter:
        """The argument that says who decides an event."""

    @property
    def on_turn(self) -> Term | str | None:
        """Whoever is on turn; None: nothing tells."""


class Surroundings(Facts, Protocol):
    """The surroundings of an event of a text: what it needs to know of the rest of the game."""

    @property
    def world(self) -> Deciding:
        """The deciders."""

    @property
    def timing(self) -> Clock:
        """Its time."""

    def common_requirements(self, event: EventMeaning, actor: str | None) -> Iterator[Requirement]:
        """The requirements of every event."""

    def common_changes(self, name: str) -> Sequence[tuple[RulesSource, Effect]]:
        """The changes that every event makes, each with its block."""

    def effects_and_turn(self, event: EventMeaning, actor: str | None, changed: Effects) -> Mapping[Term, Term]:
        """The effects of an event, and what follows for whose turn it is."""


class EventMeaning:
    """An event of a rulebook.

    Args:
        rule: What it says.
        source: Its block.
        statement: The statement.
        around: The rest of the rulebook.

    Attributes:
        actors: Who can decide it; none: nobody.
        variable: The name that stands for who decides it; empty: nobody, or the same one, or told otherwise.
        on_turn: Whether whoever is on turn decides it.
        arguments: Its arguments with their kinds.
        chance: Whether chance decides it.
        effects: The lines that say what it changes, each with its block.

    Raises:
        InputError: Its first line is wrong.
    """

    def __init__(self, rule: EventRule, source: RulesSource, statement: Statement, around: Surroundings):
        self.rule, self.source, self.statement, self.around = rule, source, statement, around
        self.name, self.names = rule.name.text, around.names
        self.chance = rule.by is not None and rule.by.text == CHANCE
        self.on_turn = isinstance(rule.by, Word) and rule.by.text == TURN
        self.actors, self.variable = self._actors()
        of_some = partial(some, self.names, source)
        given = tuple(arguments_of(rule, source, self.names.kinds, {self.variable}, of_some))
        self.arguments = {a.name: a.kind for a in given}
        self._absent = {a.name: a.default for a in given if a.default is not None and not self._is_there(a)}
        self._given = tuple(a for a in given if a.name not in self._absent)
        self._whose = None
        if isinstance(rule.by, Call):
            self._whose = owners_of(rule.by, source, self.arguments, around.world.movers)
        self.cites = source.cites(statement)
        own = {**self.names.kinds, **self.arguments} if self.variable else self.arguments
        self._kinds = {n: own[n] for n in (*([self.variable] if self.variable else []), *self.arguments)}
        self.effects = (*((source, e) for e in rule.effects), *around.common_changes(rule.name.text))
        self._values: dict[tuple[int, tuple[str, ...]], Term] = {}
        if prod(len(kind.members) for kind in self.arguments.values()) > MOST_PRODUCT:
            raise self._too_many()
        self._mentions: dict[int, frozenset[str]] = {}
        self._conditions: dict[int, tuple[tuple[str, ...], Line]] = {}
        self._effects: dict[int, EffectLine] = {}
        self._common: dict[tuple[str | None, bool], tuple[Requirement, ...]] = {}
        self._bounds: dict[tuple[str, Value], BoundVariable] = {}
        self._told: dict[int, tuple[str, ...]] = {}
        self._asked: dict[tuple[object, ...], Requirement] = {}

    def beside(self, around: Surroundings) -> EventMeaning:
        """The same event in another rule set, under whose Readings all its lines are the same."""
        found = copy(self)
        found.around, found.names, found._common = around, around.names, {}
        return found

    # ---- its first line

    def _actors(self) -> tuple[tuple[str, ...], str]:
        by, movers = self.rule.by, self.around.world.movers
        if by is None or self.chance:
            return (), ""
        if self.on_turn or isinstance(by, Call):
            return movers.members, ""
        if by.text == movers.name:
            return movers.members, by.text
        if by.text in movers.members:
            return (by.text,), ""
        help = did_you_mean(by.text, (movers.name, TURN, CHANCE, *movers.members)) or f"write by {movers.name}"
        message = f"nobody called {quoted(by.text)} has a turn"
        raise self.source.goal.error(by.at, message, help, "unknown-name")

    @property
    def kinds(self) -> Kinds:
        """The kinds of its arguments by name, who decides it included where that is one of several."""
        return self._kinds

    def _is_there(self, argument: EventArgument) -> bool:
        """True if the board and the Readings have an argument.

        Raises:
            InputError: That can change in the game.
        """
        if argument.condition is None:
            return True
        holds = self.names.condition(self.source, argument.condition, {}).holds
        if not holds.is_const:
            message = f"whether {self.name} has the argument {argument.name} can change in the game"
            help = "a Reading, an option or the board says so"
            raise self.source.goal.error(argument.condition.at, message, help, "wrong-value")
        return holds is TRUE

    def actor(self, given: Mapping[str, Value]) -> str | None:
        """The decider, for some arguments; None: nobody, or whoever is on turn."""
        if self.variable:
            return str(given[self.variable])
        if self._whose is not None:
            return str(self._whose[1][str(given[self._whose[0]])])
        return None if self.on_turn else next(iter(self.actors), None)

    def lines(self) -> Iterator[Callable[[], object]]:
        """The typing of each of its lines, also where no member is left for which one would be worked out."""
        given = self._kinds
        for need in self.rule.needs:
            yield partial(self.names.true_or_false, self.source, need.condition, given)
            yield partial(self._type_parts, need.message, given)
        yield partial(self._type_parts, self.rule.says, given)
        yield partial(self._type_weight, given)
        for source, effect in self.effects:
            yield partial(self._effect_line, source, effect)

    def _type_parts(self, parts: Sequence[str | Node], kinds: Kinds) -> None:
        for part in parts:
            if not isinstance(part, str) and not (isinstance(part, Word) and part.text in kinds):
                self.names.line(self.source, part, kinds)

    def _type_weight(self, kinds: Kinds) -> None:
        found = None if self.rule.weight is None else self.names.line(self.source, self.rule.weight, kinds).root
        if found is not None and found.kind != INT:
            raise self.source.goal.error(found.node.at, f"{found}, and a weight is a number", None, "wrong-value")

    def _effect_line(self, source: RulesSource, effect: Effect) -> EffectLine:
        if id(effect) not in self._effects:
            self._effects[id(effect)] = EffectLine(effect, source, self.around, self._kinds)
        return self._effects[id(effect)]

    # ---- as an event of the game

    def schema(self) -> Schema:
        """The kind of event."""
        actor = (self.around.timing.mover(self.variable),) if self.variable else ()
        rule, whoever = self.rule, self.variable or (self.around.world.movers.name if self._on_turn_decides else "")
        return Schema(
            self.name,
            (*actor, *(a.parameter for a in self._given)),
            self.action,
            self.source.words(self.statement),
            self.cites,
            routine=rule.routine,
            not_judged=rule.not_judged,
            decided_by=f"the {whoever} on turn" if whoever else "".join(self.actors),
            obliged=rule.obliged,
            asks=dict(self._asks()),
            touches=self._touches(),
            ways=self.among,
            made=self.source.made(self.statement.at),
        )

    @property
    def _on_turn_decides(self) -> bool:
        """True if whoever is on turn decides it, though no argument says who that is."""
        return self.on_turn or self._whose is not None

    def _asks(self) -> Iterator[tuple[str, Callable[[str], Iterable[Requirement]]]]:
        """The requirements of all events with one argument, whatever the others are."""
        if self.variable:
            yield self.variable, self._in_common
        own = {*self._kinds}
        for name in (a.name for a in self._given):
            needs = [n for n in self.rule.needs if self._speaks_of(n) & own == {name}]
            tells = self._whose is not None and self._whose[0] == name
            if needs or tells:
                yield name, partial(self._asked_of, name, needs, tells)

    def _asked_of(self, name: str, needs: Sequence[Need], tells: bool, value: str) -> Iterator[Requirement]:
        """The requirements of an argument of some value by itself.

        Args:
            tells: Whether it tells who decides the event.
        """
        if tells:
            yield from self._in_common(self.actor({name: value}))
        yield from (self.requirement(need, self.bound({name: value})) for need in needs)

    def _in_common(self, actor: str | None) -> tuple[Requirement, ...]:
        """The requirements whatever its other arguments are."""
        key = actor, is_watched()
        if key not in self._common:
            self._common[key] = tuple(self.around.common_requirements(self, actor))
        return self._common[key]

    def _speaks_of(self, need: Need) -> frozenset[str]:
        """The names that a need and what a player is told of it speak of."""
        told = (self._mentioned(part) for part in need.message if not isinstance(part, str))
        return self._mentioned(need.condition).union(*told)

    def _touches(self) -> Touches:
        found: list[tuple[str | None, ...]] = [(f.name,) for f in self.around.timing.families]
        known = {*(a.name for a in self._given), self.variable} - {""}
        for _, effect in self.effects:
            if effect.fact.text in self.around.names.lacking:
                continue
            given = effect.fact.arguments if isinstance(effect.fact, Call) else ()
            found.append((effect.fact.text, *(w.text if w.text in known else None for w in given)))
        return tuple(found)

    def action(self, **given: Value) -> Action:
        """The ground action for some arguments, that of who decides it included."""
        bound = self.bound(given)
        actor = self.actor(given)
        args = tuple((name, given[name]) for name in self._kinds if name not in self._absent)
        asked: Sequence[Requirement] = ()
        effects = partial(self._effects_for, args, actor)  # it keeps little: there are many events
        if self._effect_lines[1]:
            changed = self._changed(bound)
            asked, effects = changed.asked, partial(self._followed, actor, changed)
        return Action(
            name=self.name,
            args=args,
            actor=self.around.timing.on_turn if self.on_turn else actor,
            requirements=(*self._in_common(actor), *self.needs(bound), *asked),
            effects=later(effects),
            text=self._text(actor, bound),
            costs={COST: 1},
            cites=self.cites,
            odds=self._weight(bound) if self.chance else None,
            way=partial(self._way, bound) if self._led is not None else None,
        )

    @cached_property
    def _led(self) -> tuple[Line, Way] | None:
        """The way that it needs, with its line; None: it needs none."""
        for need in self.rule.needs:
            line = self._line(need.condition)[1]
            for part in all_parts(line.root):
                if isinstance(part, Way) and part.reaches:
                    return line, part
        return None

    def _way(self, bound: Bindings, values: Values) -> Sequence[str]:
        """The places that the way leads through which it needs."""
        assert self._led is not None, "it needs one"
        line, way = self._led
        return way.route(line.env(bound), Known(values))

    def _effects_for(self, args: Sequence[tuple[str, Value]], actor: str | None) -> Iterable[ActionEffect]:
        """The effects, for some arguments."""
        return self._followed(actor, self._changed(self.bound(dict(args))))

    def _followed(self, actor: str | None, changed: Effects) -> Iterable[ActionEffect]:
        """The effects, with what follows for whose turn it is."""
        return self.around.effects_and_turn(self, actor, changed).items()

    def _text(self, actor: str | None, bound: Bindings) -> Said:
        """The text of it for players."""
        if self.rule.says:
            return filled(self.names, self.source, self.rule.says, bound)
        words = {n: b.member for n, b in bound.items() if n != self.variable and n not in self._absent}
        return described(self.name, actor, words, {n: k.name for n, k in self.arguments.items()})

    def can_happen(self, given: Mapping[str, Value]) -> Term:
        """Bool: whether the event is legal for some arguments."""
        bound, actor = self.bound(given), self.actor(given)
        asked = (*self.around.common_requirements(self, actor), *self.needs(bound), *self._changed(bound).asked)
        return all_of(r.term for r in asked)

    def open_to(self, given: Mapping[str, Value]) -> Term:
        """Bool: whether what it needs by itself is there for some arguments, whoever's turn it is."""
        bound = self.bound(given)
        return all_of(r.term for r in (*self.needs(bound), *self._changed(bound).asked))

    def bound(self, given: Mapping[str, Value]) -> dict[str, BoundVariable]:
        """The variables, for some arguments."""
        found: dict[str, BoundVariable] = {}
        for name, x in {**given, **self._absent}.items():
            known = self._bounds.get((name, x))
            found[name] = known or self._bounds.setdefault((name, x), BoundVariable(self._kinds[name], str(x)))
        return found

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
        deciding = self.actors if actors is None else [a for a in self.actors if a in actors]
        if deciding or not self.actors:
            found = self.among({self.variable: deciding, **{a.name: a.kind.members for a in self._given}})
            yield from (g for g in found if self._whose is None or self.actor(g) in deciding)

    def among(self, values: Mapping[str, Iterable[Value]]) -> Iterator[dict[str, Value]]:
        """The same, of some values of each argument."""
        if self.impossible is None:
            for found in self._ways.each({**values, **{n: (x,) for n, x in self._absent.items()}}):
                yield {n: x for n, x in found.items() if n not in self._absent}

    @cached_property
    def _ways(self) -> Ways:
        """Its arguments, typed."""

        def needed(need: Need) -> Needed:
            names, line = self._line(need.condition)
            return names, line, lambda members: self._held(need.condition, members)

        return Ways(self._kinds, [*map(needed, self.rule.needs)], self._too_many)

    @property
    def lacks(self) -> str:
        """The kind of an argument of which the board has none; empty: it has some of each."""
        return next((k.name for k in self.arguments.values() if k.none), "")

    @cached_property
    def impossible(self) -> Need | None:
        """The need that is never met, whatever the position and the arguments; None: nothing of the kind."""
        own = {*self._kinds}
        alone = (n for n in self.rule.needs if self._mentioned(n.condition).isdisjoint(own))
        return next((n for n in alone if self._condition(n.condition, {}) is FALSE), None)

    def _too_many(self) -> InputError:
        """The error for an event of more cases than can be looked at."""
        message = f"{self.name} can happen in more than {MOST_CASES:,} ways, one for each of its arguments"
        help = "give it fewer arguments, or needs that rule most of them out, such as adjacent(from, to)"
        wrong = self.source.goal.error(self.rule.name.at, message, help, "limit")
        return InputError([self.source.placed(d) for d in wrong.diagnostics])

    # ---- what it asks for

    def needs(self, bound: Bindings) -> Iterator[Requirement]:
        """The requirements of its own lines."""
        for need in self.rule.needs:
            yield self.requirement(need, bound)

    def requirement(self, need: Need, bound: Bindings) -> Requirement:
        """The requirement of a line; made once for the names that it speaks of."""
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
            self._told[id(need)] = tuple(n for n in self._kinds if n in told or n in said)
        return self._told[id(need)]

    def _requirement(self, need: Need, bound: Bindings) -> Requirement:
        stated = Partial(self._condition(need.condition, bound))
        line = self.line_below(need)
        holds = said_by(self.source.cited(line), lambda: stated).value
        made, cites = self.source.made(need.at), self.source.cites(line)
        return Requirement(holds, told(self.names, self.source, need, bound), cites, made=made)

    def line_below(self, part: Need | Effect) -> Statement:
        """The line of the event that cites what a line below it does: that itself, or the first one."""
        return replace(self.statement, at=part.at, clauses=part.clauses) if part.clauses else self.statement

    def _mentioned(self, node: Node) -> frozenset[str]:
        if id(node) not in self._mentions:
            self._mentions[id(node)] = frozenset(w.text for w in free_words(node, groups=True))
        return self._mentions[id(node)]

    def _line(self, node: Node) -> tuple[tuple[str, ...], Line]:
        """A condition, typed for all arguments, and those that it speaks of."""
        if id(node) not in self._conditions:
            mentioned = self._mentioned(node)
            line = self.names.true_or_false(self.source, node, self._kinds)
            self._conditions[id(node)] = tuple(n for n in self._kinds if n in mentioned), line
        return self._conditions[id(node)]

    def _condition(self, node: Node, bound: Bindings) -> Term:
        """When a condition holds."""
        return self._held(node, tuple([bound[n].member for n in self._line(node)[0]]))

    def _held(self, node: Node, members: tuple[str, ...]) -> Term:
        """The same, for the arguments that it speaks of; worked out once for them."""
        key = id(node), members
        found = self._values.get(key)
        if found is None:
            names, line = self._line(node)
            found = self._values[key] = line.holds(dict(zip(names, members, strict=True)))
        return found

    def _weight(self, bound: Bindings) -> Term:
        if self.rule.weight is None:
            return integer(1)
        return self.names.resolved(self.source, self.rule.weight, bound).partial.value

    def _changed(self, bound: Bindings) -> Effects:
        """Its changes, and their requirements."""
        return Effects(*self._effect_lines, self.around, self.cites, bound)

    @cached_property
    def _effect_lines(self) -> tuple[Sequence[EffectLine], Sequence[EffectLine]]:
        """The lines that say what it changes, and those of them that may ask for something."""
        lines = [self._effect_line(s, e) for s, e in self.effects]
        return lines, asking(lines)

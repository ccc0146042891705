"""Additions of a text of rules to how a game is played: events of its own, and events of the game that it refuses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from vclogic.errors import did_you_mean, quoted
from vclogic.model.actions import Action, Parameter, Requirement, Schema
from vclogic.model.citation import Cites
from vclogic.model.fluents import Family
from vclogic.model.moments import Moments
from vclogic.rulebook.board.places import from_table, kind_of
from vclogic.rulebook.board.world import TURN
from vclogic.rulebook.declarations import Effect, EventRule, EveryEvent, KindOf
from vclogic.rulebook.meaning.names import Statements, TextNames, taken
from vclogic.rulebook.play.effects import Effects
from vclogic.rulebook.play.events import EventMeaning
from vclogic.rulebook.play.wording import told
from vclogic.rulebook.source import RulesSource
from vclogic.rulebook.statements import EACH_SIDE, RememberedFact, Statement
from vclogic.terms.build import any_of
from vclogic.terms.domain import Domain
from vclogic.terms.expressions.line import Argument, Kinds
from vclogic.terms.expressions.names import BoundVariable
from vclogic.terms.expressions.syntax import Call, Word
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term
from vclogic.terms.vocabulary import CountedKind, of_numbers, of_sides

POWER = "power"


def own_kinds(sources: Sequence[RulesSource], taken_names: Mapping[str, CountedKind]) -> tuple[CountedKind, ...]:
    """The kinds that texts beside a game name, such as its counters.

    Args:
        sources: The texts.
        taken_names: The kinds of the game.

    Raises:
        InputError: All that is wrong with them.
    """
    lines, found = Statements(sources), dict[str, CountedKind]()
    for source, _, kind in lines.each(KindOf):
        with lines.at(source, unknown=kind.name.text):
            if kind.name.text in (*taken_names, *found):
                raise taken(source, kind.name, "a kind of thing")
            if not kind.members:
                from_table(kind, source)  # there is no table beside a game, which it says
            made = {w.text: source.made(w.at) for w in kind.members}
            found[kind.name.text] = kind_of(kind.name, [w.text for w in kind.members], source, made)
    lines.check()
    return tuple(found.values())


@dataclass(frozen=True)
class _Movers:
    """The deciders of an event."""

    movers: CountedKind


@dataclass(frozen=True)
class _Clock:
    """The turns of the game, as far as its moments tell."""

    moments: Moments
    movers: CountedKind
    families: tuple[Family, ...] = ()

    @property
    def on_turn(self) -> None:
        """Whoever is on turn: moments of a game in Python do not name them."""

    def mover(self, name: str) -> Parameter:
        """The argument that says who decides an event."""
        return Parameter(name, self.movers.domain)


class Added(Statements):
    """The events that texts add to a game, and what they ask of its own.

    Args:
        names: What the texts can speak of, their facts among it.

    Attributes:
        events: Those that are added, by name.

    Raises:
        InputError: All that is wrong with them.
    """

    def __init__(self, names: TextNames):
        super().__init__(names.sources)
        self._unknown = names._unknown  # what is wrong with these names is told already
        self.names, self.system = names, names.system
        self.events: dict[str, EventMeaning] = {}
        for source, statement, rule in self.each(EventRule):
            with self.at(source):
                self._add(source, statement, rule)
        self._restrictions = [each for each in self.each(EveryEvent) if each[2].need is not None]
        self._check()
        self.check()

    def _add(self, source: RulesSource, statement: Statement, rule: EventRule) -> None:
        self.names.new_name(source, rule.name)
        if rule.name.text in self.events:
            raise taken(source, rule.name, "an event")
        if rule.phase is not None:
            help = "write what holds then: needs CONDITION"
            raise source.goal.error(rule.phase.at, "a card's event belongs to no phase", help)
        if isinstance(rule.by, Word) and rule.by.text == TURN:
            raise source.goal.error(rule.by.at, "it is not said who decides a card's event", "write by side")
        if rule.at_once:
            message = "a card's event does not come before those of the game"
            raise source.goal.error(rule.name.at, message, "write at any time")
        self.events[rule.name.text] = event = EventMeaning(rule, source, statement, _Around(self, rule))
        for line in event.lines():
            with self.at(source):
                line()

    def _check(self) -> None:
        """Report wrong names of events, and what is wrong with what is asked of them."""
        for source, _, content in self.each(EveryEvent):
            if content.effect is not None:
                with self.at(source):
                    help = "write it below each event that the card adds"
                    raise source.goal.error(content.effect.at, "a card changes nothing by the game's events", help)
        known = [*self.system.schemas, *self.events]
        for source, _, content in self._restrictions:
            for word in (*content.but, *((content.of,) if content.of else ())):
                with self.at(source):
                    if word.text not in known:
                        message = f"there is no event {quoted(word.text)}"
                        raise source.goal.error(word.at, message, did_you_mean(word.text, known), "unknown-name")
            if content.of is None or content.of.text in known:
                kinds = {} if content.of is None else self._arguments(content.of.text)
                with self.at(source):
                    self.names.true_or_false(source, content.asks.condition, kinds)
        if not self._wrong:
            for event in self.events.values():
                with self.at(event.source):
                    for given in islice(event.some(), 1):
                        tuple(event.action(**given).effects)

    def _arguments(self, event: str) -> dict[str, CountedKind]:
        """The names that the condition can speak of by which an event is refused: its arguments."""
        own = self.events.get(event)
        parameters = (own.schema() if own else self.system.schemas[event]).parameters
        found: dict[str, CountedKind] = {}
        for p in (p for p in parameters if not p.term):
            if isinstance(p.domain, range):
                found[p.name] = of_numbers(p.domain)
            else:
                same = (k for k in self.names.kinds.values() if k.domain.sort == p.domain.sort)
                found[p.name] = next(same, CountedKind(p.name, p.domain))
        return found

    @cached_property
    def _kinds_of(self) -> Mapping[str, dict[str, CountedKind]]:
        named = (content.of.text for _, _, content in self._restrictions if content.of)
        return {name: self._arguments(name) for name in named}

    @property
    def refuses(self) -> bool:
        """True if events of the game are refused."""
        return bool(self._restrictions)

    def schemas(self) -> Iterator[Schema]:
        """The kinds of events that are added."""
        for event in self.events.values():
            if event.impossible is None:
                touches = (*(event.schema().touches or ()),)
                yield replace(event.schema(), touches=touches)

    def asked(self, action: Action, routine: bool) -> Iterator[Requirement]:
        """The requirements of the texts for an event.

        Args:
            action: The event.
            routine: Whether it only advances the game, as the end of a turn does: `every event` leaves it alone.
        """
        for source, statement, content in self._restrictions:
            bound: dict[str, BoundVariable] = {}
            if content.of is not None:
                if content.of.text != action.name:
                    continue
                kinds = self._kinds_of[action.name]
                bound = {n: BoundVariable(kinds[n], str(x)) for n, x in action.args if n in kinds}
            elif routine or action.name in [w.text for w in content.but]:
                continue
            holds = self.names.condition(source, content.asks.condition, bound).holds
            made = source.made(content.asks.at)
            said = told(self.names, source, content.asks, bound)
            yield Requirement(holds, said, source.cites(statement), made=made)


class _Around:
    """The surroundings of an event that is added: what it needs to know of the game."""

    def __init__(self, added: Added, rule: EventRule):
        self.names, self._added = added.names, added
        system = added.system
        powers = tuple(dict.fromkeys(p for of in system.sides.values() for p in of))
        by = "" if rule.by is None else rule.by.text
        if by == POWER or (by in powers and by not in system.sides):
            movers = CountedKind(POWER, Domain(EnumSort(POWER, powers)))
        else:
            movers = added.names.kinds.get(EACH_SIDE) or of_sides(Domain(EnumSort(EACH_SIDE, tuple(system.sides))))
        self.world, self.timing = _Movers(movers), _Clock(system.moments, movers)

    def family(self, source: RulesSource, fact: Call | Word) -> Family:
        """The fact that a line changes.

        Raises:
            InputError: There is none of that name, or it is one of the game.
        """
        own = {**self.names.families, **self.names.lacking}
        if fact.text in own:
            return own[fact.text]
        if fact.text in self._added.system.layout.families:
            message = f"{fact.text} is a fact of the game, which its own events change"
            raise source.goal.error(fact.at, message, "a card's event changes the card's facts: fact NAME ...")
        help = did_you_mean(fact.text, own) or "a fact is declared: fact NAME(KIND): 0 to 2"
        raise source.goal.error(fact.at, f"there is no fact {quoted(fact.text)}", help, "unknown-name")

    def arguments(self, source: RulesSource, fact: Call | Word, kinds: Kinds) -> Sequence[Argument]:
        """The arguments of the fact that a line changes."""
        return self.names.arguments(source, fact, self.family(source, fact), kinds)

    def cites_of(self, fluent: Term) -> Cites:
        """The place where a fact is declared."""
        name = fluent.name.partition("[")[0]
        facts = self._added.each(RememberedFact)
        return next((s.cites(at) for s, at, fact in facts if fact.name.text == name), ())

    def common_requirements(self, event: EventMeaning, actor: str | None) -> Iterator[Requirement]:
        """The requirements of turn, where the game's moments tell, and that the game goes on."""
        if actor is not None and not event.rule.any_time:
            starts = self.timing.moments.turn_starts
            own = [starts[p] for p in (actor, *self._added.system.sides.get(actor, ())) if p in starts]
            if own and all(t.is_bool for t in own):
                yield Requirement(any_of(own), f"it is not the turn of {actor}", event.cites, "turn order")

    def common_changes(self, name: str) -> Sequence[tuple[RulesSource, Effect]]:
        """The changes that every event makes: none."""
        return ()

    def effects_and_turn(self, event: EventMeaning, actor: str | None, changed: Effects) -> Mapping[Term, Term]:
        """The effects of an event; whose turn it is stays."""
        return changed.new

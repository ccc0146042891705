"""The objectives of a rulebook: those that its lines say, else those that its outcomes speak of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import partial

from vclogic.errors import did_you_mean, quoted
from vclogic.model.fluents import Value
from vclogic.model.objectives import Objective, changes, following
from vclogic.model.picture import Known, Values
from vclogic.model.rules import Observable
from vclogic.rulebook.aims import ObjectiveRule
from vclogic.rulebook.meaning.remembered import Memory
from vclogic.rulebook.play.effects import EffectLine, Effects
from vclogic.rulebook.play.game import Play
from vclogic.rulebook.play.wording import filled
from vclogic.rulebook.source import RulesSource
from vclogic.rulebook.statements import EACH_SIDE, Definition, OutcomeTable, RememberedFact, Win
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import eq, or_
from vclogic.terms.expressions.names import BoundVariable
from vclogic.terms.expressions.syntax import Call, Word
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term
from vclogic.terms.vocabulary import CountedKind

OBJECTIVE = "objective"
_MOST = 40
"""Kinds of more members have no objective for each of them, where no line says so."""


def declared(play: Play, memory: Memory) -> tuple[Objective, ...]:
    """The objectives that lines say.

    Args:
        play: The events of the rulebook, with its names.
        memory: Its facts that remember.

    Raises:
        InputError: All that is wrong with the lines.
    """
    found: dict[str, Objective] = {}
    for source, _, rule in play.each(ObjectiveRule):
        with play.at(source):
            for objective in _Declared(play, memory, source, rule).each():
                if objective.name in found:
                    message = f"two objectives are called {quoted(objective.name)}"
                    help = 'name them by what tells them apart: objective "{place}" for place'
                    raise source.goal.error(rule.held[0].who.at, message, help, "taken-name")
                found[objective.name] = objective
    play.check()
    return tuple(found.values())


class _Declared:
    """The objectives of one statement.

    Args:
        play: The events of the rulebook.
        memory: Its facts that remember.
        source: The block.
        rule: The statement.
    """

    def __init__(self, play: Play, memory: Memory, source: RulesSource, rule: ObjectiveRule):
        self.play, self.memory, self.source, self.rule = play, memory, source, rule
        self.names, self.side = play.names, play.names.kinds[EACH_SIDE]

    def each(self) -> Iterator[Objective]:
        """The objectives."""
        each: Iterable[tuple[Mapping[str, BoundVariable], Term]] = [({}, TRUE)]
        kinds: dict[str, CountedKind] = {}
        for line in () if self.rule.binder is None else self.names.within(self.source, self.rule.binder, {}):
            each = line.each(each)
            kinds[line.name] = line.kind
        kinds[EACH_SIDE] = self.side
        for held in self.rule.held:
            self._sides(held.who)
            self.names.true_or_false(self.source, held.condition, kinds)
        lost = [EffectLine(e, self.source, self.play, kinds) for e in self.rule.lost]
        for bound, when in each:
            if when is TRUE:
                yield self._objective(dict(bound), lost)

    def _sides(self, who: Word) -> Sequence[str]:
        """The sides that a line is about."""
        if who.text in (EACH_SIDE, *self.side.members):
            return self.side.members if who.text == EACH_SIDE else (who.text,)
        help = did_you_mean(who.text, self.side.members) or "write held by side if CONDITION"
        message = f"there is no side {quoted(who.text)}"
        raise self.source.goal.error(who.at, message, help, "unknown-name")

    def _of(self, bound: Mapping[str, BoundVariable], side: str) -> dict[str, BoundVariable]:
        return {**bound, EACH_SIDE: BoundVariable(self.side, side)}

    def _objective(self, bound: Mapping[str, BoundVariable], lost: Sequence[EffectLine]) -> Objective:
        held: dict[str, Term] = {}
        for line in self.rule.held:
            for side in self._sides(line.who):
                has = self.names.condition(self.source, line.condition, self._of(bound, side)).holds
                held[side] = or_(held.get(side, FALSE), has)
        name = filled(self.names, self.source, self.rule.said, bound)
        if not isinstance(name, str):
            raise self.source.goal.error(self.rule.held[0].who.at, "what it is called can change in the game")
        found = {side: has for side, has in held.items() if has is not FALSE}
        return Objective(
            name,
            self.rule.sort or OBJECTIVE,
            found,
            tuple(self._places(bound)),
            dict(self._worth(bound)),
            lost=partial(self._lost, bound, lost, found) if lost else None,
        )

    def _places(self, bound: Mapping[str, BoundVariable]) -> Iterator[str]:
        if self.rule.places is not None:
            line = self.names.members(self.source, self.rule.places, {n: b.kind for n, b in bound.items()})
            for inside, when in line.each([(bound, TRUE)]):
                if not when.is_const:
                    message = "where an objective lies can change in the game"
                    help = "name what the board alone decides"
                    raise self.source.goal.error(self.rule.places.kind.at, message, help, "wrong-value")
                if when is TRUE:
                    yield inside[line.name].member

    def _worth(self, bound: Mapping[str, BoundVariable]) -> Iterator[tuple[str, str]]:
        for worth in self.rule.worth:
            for side in self.side.members if worth.who is None else self._sides(worth.who):
                given = self._of(bound, side)
                said = filled(self.names, self.source, worth.said, given)
                when = TRUE
                if worth.condition is not None:
                    when = self.names.condition(self.source, worth.condition, given).holds
                if when is TRUE and isinstance(said, str):
                    yield side, said

    def _lost(
        self,
        bound: Mapping[str, BoundVariable],
        lost: Sequence[EffectLine],
        held: Mapping[str, Term],
        side: str,
        values: Values,
    ) -> Mapping[Term, Value] | None:
        """The changes once a side has lost it; None: the side would have it all the same."""
        new = Effects(lost, lost, self.play, (), self._of(bound, side)).new
        after = following(values, self.memory.at_once(new).items())
        return None if Known(after)(held[side]) else changes(values, after)


# ---- by themselves


def spoken_of(play: Play, observables: Sequence[Observable]) -> tuple[Objective, ...]:
    """The objectives that outcomes speak of: what a side has or has not, and what somebody has.

    Args:
        play: The events of the rulebook, with its names.
        observables: What its lines define and remember.
    """
    known = {o.name: o for o in observables}
    side = play.names.kinds[EACH_SIDE]
    found: dict[str, Objective] = {}
    for name in _asked(play, known):
        for objective in _of(known[name], side, play.names.kinds):
            called = objective.name if objective.name not in found else f"{objective.name} ({objective.kind})"
            found.setdefault(called, Objective(called, objective.kind, objective.held, objective.places))
    return tuple(found.values())


def _asked(play: Play, known: Mapping[str, Observable]) -> Iterator[str]:
    """The facts and definitions that tell who has something, as outcomes come to them."""
    said: dict[str, list[object]] = {}
    for _, _, content in play.each(Definition):
        said.setdefault(content.name.text, []).extend((content.value, content.condition))
    for _, _, fact in play.each(RememberedFact):
        said.setdefault(fact.name.text, []).extend((c.value, c.condition) for c in fact.changes)
    for _, _, table in play.each(OutcomeTable):
        if table.moment is None:
            said.setdefault(table.name.text, []).append((table.value, table.to, table.rows))
    wins = [win.condition for _, _, win in play.each(Win) if not win.loses]
    tables = [(t.value, t.to) for _, _, t in play.each(OutcomeTable) if t.moment is not None]
    queue: list[object] = [*wins, *tables]
    seen: set[str] = set()
    side = play.names.kinds[EACH_SIDE]
    while queue:
        for name in dict.fromkeys(_named(queue.pop(0))):
            if name in known and name not in seen:
                seen.add(name)
                if any(True for _ in _of(known[name], side, play.names.kinds)):
                    yield name
                else:
                    queue += said.get(name, [])


def _named(part: object) -> Iterator[str]:
    """The words in an expression, in their order."""
    if isinstance(part, Word | Call):
        yield part.text
    inside = part if isinstance(part, tuple | list) else ()
    if is_dataclass(part) and not isinstance(part, Word):
        inside = [getattr(part, field.name) for field in fields(part)]
    for each in inside:
        yield from _named(each)


def _of(asked: Observable, side: CountedKind, kinds: Mapping[str, CountedKind]) -> Iterator[Objective]:
    """The objectives that a fact or definition tells of, if it does: one, or one for each member of a kind."""
    sides, parameters = side.members, [*asked.parameters]
    by_side = [i for i, d in enumerate(parameters) if tuple(d.sort.members) == sides]
    others = [d for i, d in enumerate(parameters) if i not in by_side]
    if len(by_side) > 1 or len(others) > 1 or any(len(d.sort.members) > _MOST for d in others):
        return
    label = asked.name.replace("_", " ")
    for member in others[0].sort.members if others else ("",):
        held = {}
        for s in sides if by_side else ("",):
            given = [s if i in by_side else member for i in range(len(parameters))]
            value = asked.partial(*given)
            if by_side and value.value.is_bool:
                held[s] = value.holds
            elif not by_side and isinstance(value.value.sort, EnumSort) and {*sides} <= {*value.value.sort.members}:
                held |= {each: eq(value.value, each) for each in sides}
        found = {s: has for s, has in held.items() if not has.is_const}
        if found:
            kind = kinds.get(others[0].sort.name) if others else None
            there = kind is not None and kind.neighbours is not None
            yield Objective(member or label, label, found, (member,) if there else ())

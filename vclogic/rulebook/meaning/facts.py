"""Facts that remember, as a text of rules declares them: their values, their start, and their changes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import product
from math import prod
from typing import NamedTuple

from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.model.fluents import Family, Value
from vclogic.model.rules import LevelTable
from vclogic.rulebook.meaning.happening import Occurrence
from vclogic.rulebook.meaning.names import TextNames
from vclogic.rulebook.meaning.remembered import Update, within
from vclogic.rulebook.meaning.some import some, values_called
from vclogic.rulebook.meaning.tables import one_at_most
from vclogic.rulebook.meaning.values import value_of
from vclogic.rulebook.source import RulesSource
from vclogic.rulebook.statements import BECOMES, FALLS, ONCE, FactChange, RememberedFact, Statement
from vclogic.rulebook.table import written
from vclogic.terms import build
from vclogic.terms.atoms import FALSE, TRUE, constant
from vclogic.terms.build import and_
from vclogic.terms.domain import Domain
from vclogic.terms.expressions.named import OR
from vclogic.terms.expressions.names import BoundVariable
from vclogic.terms.expressions.syntax import Binder, Call, Node, Operation, Word, free_words
from vclogic.terms.partial import Partial
from vclogic.terms.sorts import BOOL as TRUTH
from vclogic.terms.sorts import EnumSort, IntSort, Sort, between
from vclogic.terms.term import Term
from vclogic.terms.vocabulary import CountedKind

MAX_FACTS = 100_000
"""So many things a fact may be asked of, all together."""


class _Said(NamedTuple):
    """A line about what becomes of a fact: its text, when it applies, the value, and where it stands."""

    text: str
    when: Term
    value: Partial
    line: FactChange
    source: RulesSource


class RememberedFacts:
    """The facts of some texts.

    Args:
        names: What the texts can speak of; learns the facts.
        like: The facts under other Readings, which those that are the same are taken from; None: there are none.
    """

    def __init__(self, names: TextNames, like: RememberedFacts | None = None):
        self._names, self._like = names, like
        self._lines: dict[Term, dict[Occurrence, list[_Said]]] = {}
        self._stay: dict[str, Mapping[tuple[str, ...], Term]] = {}
        self._under_way: set[str] = set()
        self._changing: dict[int, list[Update]] = {}
        self._starting: dict[int, Mapping[Term, Term]] = {}
        for source, statement, fact in sorted(names.each(RememberedFact), key=lambda f: f[2].condition is not None):
            with names.at(source, unknown=fact.name.text):
                self._declare(source, statement, fact)

    def _declare(self, source: RulesSource, statement: Statement, fact: RememberedFact) -> None:
        if (common := self._names.common) is not None and self._is_same(fact):
            base, own, name = common.names, self._names, fact.name.text
            there, here = (base.lacking, own.lacking) if name in base.lacking else (base.families, own.families)
            here[name], own.known[name] = there[name], base.known[name]
            own.observables.append(base.known[name])
            return
        condition = [] if fact.condition is None else [w.text for w in free_words(fact.condition)]
        if not (fact.name.text in condition and self._names.is_chosen(fact.name.text)):
            self._names.new_name(source, fact.name)  # an option may be called as the fact that is there by it
        parameters = self._names.parameters(source, fact.parameters)
        if prod(len(kind.members) for _, kind in parameters) > MAX_FACTS:
            message = f"the fact has more than {MAX_FACTS:,} values, one for each of what it is asked of"
            raise source.goal.error(fact.name.at, message, "let it be asked of less", "limit")
        sort, values = self._sort(source, fact)
        text = statement.text.partition(" rises ")[0].partition(" becomes ")[0].partition(" falls ")[0]
        indices = tuple(kind.domain for _, kind in parameters)
        least = fact.range[0] if fact.range else None
        none = next(
            (kind for kind in (*(kind for _, kind in parameters), *self._among(source, fact)) if kind.none), None
        )
        family = Family(fact.name.text, sort, text, indices, values, least)
        if none is not None:
            first = _start(source, fact, fact.starts if isinstance(fact.starts, Word) else None, family)
            family = replace(family, otherwise=first, empty=True, lacks=f"the board has no {none.name}")
        if not self._is_there(source, fact):
            self._names.lacking[family.name] = family
            usual = constant(sort, _start(source, fact, None, family))
            stays: Callable[..., Term] = lambda *index: self._stays(source, fact, family).get(index, usual)  # noqa: E731
            self._names.know(source, statement, family.name, indices, stays, values)
            return
        self._names.families[fact.name.text] = family
        seen = self._kept(source, fact, family) if fact.secret else None
        self._names.know(source, statement, fact.name.text, indices, lambda *names: family[names], values, seen)

    def _is_same(self, fact: RememberedFact) -> bool:
        """True if a fact is there as under other Readings, and starts as it does there."""
        return self._names.keeps(fact.name, fact.parameters, fact.names, fact.starts, fact.condition)

    def _among(self, source: RulesSource, fact: RememberedFact) -> Iterator[CountedKind]:
        """The kinds of whose members some alone are values of a fact."""
        said = (v for v in fact.names if isinstance(v, Binder) and v.kind.text in self._names.kinds)
        return (some(self._names, source, v) for v in said)

    def _is_there(self, source: RulesSource, fact: RememberedFact) -> bool:
        """True if a position has a fact under these settings.

        Raises:
            InputError: That can change.
        """
        there = self._names.condition(source, fact.condition, {}).holds
        if not there.is_const:
            assert fact.condition is not None, "without one it is there"
            message = f"this can change: Readings, options and the board decide whether {fact.name.text} is there"
            help = "write if READING == VALUE"
            raise source.goal.error(fact.condition.at, message, help, "wrong-value")
        return there is TRUE

    def _stays(self, source: RulesSource, fact: RememberedFact, family: Family) -> Mapping[tuple[str, ...], Term]:
        """The value of a fact that is not there: what it starts as, which others may decide."""
        if family.name not in self._stay:
            found = dict.fromkeys(family.fluents, constant(family.sort, _start(source, fact, None, family)))
            if isinstance(fact.starts, Word):
                found = dict.fromkeys(found, constant(family.sort, _start(source, fact, fact.starts, family)))
            elif fact.starts is not None:
                if family.name in self._under_way:
                    message = f"what {family.name} is leads back to itself"
                    raise source.goal.error(fact.starts.at, message, "say it without itself", "circle")
                self._under_way.add(family.name)
                try:
                    each = self._each_start(source, fact, fact.starts, family)
                finally:
                    self._under_way.discard(family.name)
                found = {index: each[fluent] for index, fluent in family.fluents.items()}
            self._stay[family.name] = found
        return self._stay[family.name]

    def _kept(self, source: RulesSource, fact: RememberedFact, family: Family) -> Callable[..., Term]:
        """Make a fact a secret of the side that it is asked of: builds whether a side can know it."""
        secrets, side_of = self._names.secrets, self._names.system.side_of
        owners = (i for i, domain in enumerate(family.indices) if all(map(side_of, domain.sort.members)))
        owner = next(owners, None)
        if owner is None:
            help = f"write secret fact {fact.name.text}(side, ...)"
            raise source.goal.error(fact.name.at, "it is not said whose secret it is", help, "wrong-value")
        secrets.add(family, owner, side_of)
        return lambda view, *index: secrets.known(view, family[index])

    def _sort(self, source: RulesSource, fact: RememberedFact) -> tuple[Sort, Domain | None]:
        if fact.range is not None:
            return between(*fact.range), None
        if not fact.names:
            return TRUTH, None
        members: dict[str, None] = {}
        first = fact.names[0]
        whole = self._names.kinds.get(first.text) if isinstance(first, Word) else None
        if whole is not None and len(fact.names) == 1 and len(whole.members) > 1:
            return whole.domain.sort, whole.domain  # so two such facts can be compared
        for value in fact.names:
            domain = values_called(self._names, source, value)
            members |= dict.fromkeys(domain.sort.members if domain else ())
        if len(members) < 2:
            at = first.at if isinstance(first, Word) else first.kind.at
            message, help = "this is one value alone", "write NAME or NAME, such as side or nobody"
            raise source.goal.error(at, message, help, "wrong-value")
        sort = EnumSort(
            OR.join(w.text if isinstance(w, Word) else written.binder(w) for w in fact.names), tuple(members)
        )
        return sort, Domain(sort)

    def starts(self) -> tuple[dict[Term, Value], dict[Term, Term]]:
        """The value of each fact at the start; of those that others decide what they are where they are not given.

        Raises:
            InputError: What starts as what it cannot be.
        """
        found: dict[Term, Value] = {}
        follows: dict[Term, Term] = {}
        for source, _, fact in self._names.each(RememberedFact):
            family = self._names.families.get(fact.name.text)
            if family is None and self._is_same(fact):
                continue
            if family is None:
                self._stays(source, fact, self._names.lacking[fact.name.text])
            elif fact.starts is None or isinstance(fact.starts, Word):
                found |= dict.fromkeys(family.fluents.values(), _start(source, fact, fact.starts, family))
            else:
                for fluent, value in self._each_start(source, fact, fact.starts, family).items():
                    if value.is_const:
                        found[fluent] = value.value
                    else:
                        follows[fluent] = value
        return found, follows

    def _each_start(
        self, source: RulesSource, fact: RememberedFact, starts: Node, family: Family
    ) -> Mapping[Term, Term]:
        """The start of each: what the board says, or what follows from others."""
        if self._like is not None and self._is_same(fact):
            same = self._like._starting.get(id(fact))
            if same is not None:
                return same
        found: dict[Term, Term] = {}
        wrong: list[Diagnostic] = []
        parameters = self._names.parameters(source, fact.parameters)
        usual = constant(family.sort, _start(source, fact, None, family))
        for index, fluent in family.fluents.items():
            bound = {n: BoundVariable(k, m) for (n, k), m in zip(parameters, index, strict=True)}
            value = value_of(self._names, source, family, BECOMES, starts, bound)
            said = self._names.resolved(source, starts, bound).partial
            if said.defined is TRUE and said.value.is_const and not _can_be(family.sort, value):
                which = f"({', '.join(index)})" if index else ""
                message = f"{family.name}{which} can never be {quoted(str(said.value.value))}"
                help = _known(family.sort, str(said.value.value))
                wrong += map(source.placed, source.goal.error(starts.at, message, help, "wrong-value").diagnostics)
            else:
                found[fluent] = build.ite(value.defined, within(family.sort, value.value), usual)
        if wrong:
            raise InputError(wrong)
        self._starting[id(fact)] = found
        return found

    def changes(self) -> list[Update]:
        """The changes of the facts."""
        found: list[Update] = []
        for source, _, fact in self._names.each(RememberedFact):
            family = self._names.families.get(fact.name.text) or self._names.lacking.get(fact.name.text)
            if family is not None:
                with self._names.at(source):
                    changes = self._same_changes(fact, family)
                    if changes is None:
                        changes = self._changing[id(fact)] = self._changes(source, fact, family)
                    found += changes if fact.name.text in self._names.families else []
        return found

    def _same_changes(self, fact: RememberedFact, family: Family) -> list[Update] | None:
        """The changes of a fact that are those under other Readings; None: they are not."""
        base = self._like
        if base is None or not self._names.keeps(fact):
            return None
        self._lines |= {f: base._lines[f] for f in family.fluents.values() if f in base._lines}
        return base._changing.get(id(fact))

    def _changes(self, source: RulesSource, fact: RememberedFact, family: Family) -> list[Update]:
        names = self._names
        parameters = names.parameters(source, fact.parameters)
        if fact.starts is None or isinstance(fact.starts, Word):
            _start(source, fact, fact.starts, family)
        found: list[Update] = []
        for line in fact.changes:
            self._follows_first(source, line)
            free = names.free_kinds(
                source, (line.value, *([line.condition] if line.condition else [])), dict(parameters)
            )
            for (index, fluent), more in product(family.fluents.items(), list(free)):
                bound = {n: BoundVariable(k, m) for (n, k), m in zip(parameters, index, strict=True)} | more
                moment = names.moment(source, line.moment, bound)
                happening = names.happening(source, moment, line.at)
                value = value_of(names, source, family, line.kind, line.value, bound)
                when = and_(names.condition(source, line.condition, bound).holds, value.defined)
                signed = build.scale(value.value, -1) if line.kind == FALLS else value.value
                found.append(Update(fluent, happening, when, signed, adds=line.kind != BECOMES))
                said = self._lines.setdefault(fluent, {}).setdefault(happening, [])
                if line.kind == BECOMES:
                    self._differ(source, line, (fluent, when, value.value), said)
                said.append(_Said(source.line_of(line.at), when, value, line, source))
        return found

    def _differ(
        self, source: RulesSource, line: FactChange, now: tuple[Term, Term, Term], said: Sequence[_Said]
    ) -> None:
        """Refuse two lines that certainly say different things at one moment.

        Raises:
            InputError: They do.
        """
        fluent, when, value = now
        for other in said:
            x = other.value.value
            certain = and_(when, other.when) in (when, other.when) and FALSE not in (when, other.when)
            differ = value.is_const and x.is_const and value is not x
            if other.line is not line and other.line.kind == BECOMES and certain and differ:
                name = fluent.name.partition("[")[0]
                wrong = source.goal.error(
                    line.at,
                    f"{name} becomes something else at the same moment by another line",
                    f"that is line {other.source.line(other.line.at)}: the order of lines decides nothing, "
                    "so say of one when it does not apply",
                    "wrong-value",
                )
                first = other.source.goal.error(
                    other.line.at,
                    f"{name} becomes something else at the same moment by line {source.line(line.at)}",
                    None,
                    "wrong-value",
                )
                raise InputError(
                    [*map(other.source.placed, first.diagnostics), *map(source.placed, wrong.diagnostics)]
                )

    def _follows_first(self, source: RulesSource, line: FactChange) -> None:
        """Refuse a number that changes where values differ of which one becomes the other before they are compared.

        Raises:
            InputError: It is one, which would never change.
        """
        if line.kind == BECOMES or line.condition is None:
            return
        for part in _differences(line.condition):
            for a, b in (part.parts, part.parts[::-1]):
                moments = self._following.get((_shape(a), _shape(b)), set())
                if isinstance(a, Call | Word) and moments & {ONCE, line.moment.name}:
                    when = ONCE if ONCE in moments else "at that moment"
                    message = f"this never holds: {a.text} becomes the other value {when}, before they are compared"
                    help = f"let {a.text} become it at the start of a turn, and this change at the end of a turn"
                    raise source.goal.error(part.places[0], message, help, "wrong-value")

    @cached_property
    def _following(self) -> dict[tuple[str, str], set[str]]:
        """The facts that always become a value at a moment, each with that value, as lines write them."""
        found: dict[tuple[str, str], set[str]] = {}
        for _, _, fact in self._names.each(RememberedFact):
            own = Call(fact.name.text, fact.asked_of, 0) if fact.parameters else Word(fact.name.text, 0)
            for line in fact.changes:
                if line.kind == BECOMES and line.moment.of is None and line.condition is None:
                    found.setdefault((_shape(own), _shape(line.value)), set()).add(line.moment.name)
        return found

    def exclusive(self) -> Iterator[LevelTable]:
        """The changes of facts at a moment, as tables: of lines with different values one applies at most."""
        for source, statement, fact in self._names.each(RememberedFact):
            family = self._names.families.get(fact.name.text)
            for fluent in family.fluents.values() if family else ():
                for happening, lines in self._lines.get(fluent, {}).items():
                    becoming = [s for s in lines if s.line.kind == BECOMES]
                    several = [(s.text, s.when, s.value) for s in becoming]
                    name = f"the changes of {fluent.name} {happening.name}"
                    places = dict.fromkeys(p for s in becoming for p in source.made(s.line.at))
                    yield from one_at_most(name, several, source.cites(statement), tuple(places))


def _differences(node: Node) -> Iterator[Operation]:
    """The comparisons in a condition, all of which must hold, of two values that differ."""
    if isinstance(node, Operation) and node.operators[0] == "and":
        for part in node.parts:
            yield from _differences(part)
    elif isinstance(node, Operation) and node.operators[0] in ("<", ">", "!="):
        yield node


def _shape(node: Node) -> str:
    """An expression, wherever it stands."""
    return re.sub(r"\bat=\d+|\bplaces=\([^)]*\)", "", repr(node))


def _start(source: RulesSource, fact: RememberedFact, word: Word | None, family: Family) -> Value:
    """The value of a fact at the start."""
    sort = family.sort
    if isinstance(sort, EnumSort):
        found = sort.members[0] if word is None else word.text
        if found in sort.index:
            return found
    elif isinstance(sort, IntSort):
        number = max(sort.lo, min(0, sort.hi)) if word is None else _whole(word.text)
        if number is not None and sort.lo <= number <= sort.hi:
            return number
    elif word is None or word.text in ("true", "false"):
        return word is not None and word.text == "true"
    assert word is not None, "what starts somewhere is said"
    message = f"{family.name} cannot start as {quoted(word.text)}"
    raise source.goal.error(word.at, message, _known(sort, word.text), "wrong-value")


def _known(sort: Sort, text: str) -> str | None:
    """Advice about what a fact can be."""
    if isinstance(sort, IntSort):
        return f"it lies between {sort.lo} and {sort.hi}"
    return did_you_mean(text, sort.members) if isinstance(sort, EnumSort) else "it is true or false"


def _can_be(sort: Sort, value: Partial) -> bool:
    """True if a constant is a value of a fact."""
    if isinstance(sort, IntSort):
        return sort.lo <= value.value.lo <= sort.hi
    return value.defined is not FALSE


def _whole(text: str) -> int | None:
    return int(text) if text.isascii() and text.removeprefix("-").isdigit() else None

"""Declarations of a rulebook before anything is judged: sides and powers, time, kinds and boards, Readings."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from vclogic.errors import did_you_mean, quoted
from vclogic.model.rules import NOBODY
from vclogic.model.system import Flaw
from vclogic.rulebook.board.choices import choices_of
from vclogic.rulebook.board.columns import Declared, Given, names_of, with_columns
from vclogic.rulebook.board.filled import Filled
from vclogic.rulebook.board.given import BoardForm, GivenBoard
from vclogic.rulebook.board.places import TERRAIN, KindBoard, from_table, kind_of, of_rows, once, with_edges
from vclogic.rulebook.declarations import (
    CHANCE,
    BoardValue,
    Column,
    Edges,
    EventRule,
    KindOf,
    PassRule,
    Rounds,
    Rows,
    Sides,
    TurnIs,
    TurnOrder,
)
from vclogic.rulebook.meaning.names import Statements, taken
from vclogic.rulebook.source import RulesSource
from vclogic.rulebook.statements import EACH_SIDE, RememberedFact, Statement
from vclogic.rulebook.table.entries import BOOK
from vclogic.terms.domain import Domain, grouped
from vclogic.terms.expressions.syntax import Node, Word
from vclogic.terms.sorts import EnumSort
from vclogic.terms.vocabulary import CountedKind, of_sides

T = TypeVar("T")
POWER = "power"
TURN, ROUND, OVER = "turn", "round", "over"
END_TURN, END_PHASE = "end_turn", "end_phase"
"""The events that end turns and phases, where a rulebook does not call them otherwise."""
_SIDES_FIRST = "write sides NAME, NAME in a block"


class World(Statements):
    """The declarations of a rulebook.

    Args:
        sources: Its blocks, after those of rulebooks that it includes.
        given: The board that gives what it takes from one; None: there is none.

    Attributes:
        values: The values of the board, each with the names that it can be.
        pairs: The columns of two kinds, each with its values.
        sides: Each side with the powers that act for it.
        aliases: Other names of sides.
        order: Whose turns follow each other.
        has_turns: What who has turns is like, with its block; None: all have.
        kinds: All kinds by name.
        boards: The kinds that are places, and how they lie.
        turn: What a turn is.
        ends: The events that end phases, each with those; where a turn has none, the one that ends it.
        rounds: After how many rounds the game ends; None: it has no last one.
        passing: How a side can pass; None: it cannot.

    Raises:
        InputError: All that is wrong with the declarations.
    """

    def __init__(self, sources: Sequence[RulesSource], given: GivenBoard | None = None):
        super().__init__(sources)
        self._filled = Filled(BoardForm(sources) if given is None else given.form, given, self)
        self.sides: dict[str, tuple[str, ...]] = {}
        self.aliases: Mapping[str, str] = {}
        self.kinds: dict[str, CountedKind] = {}
        self.pairs: dict[str, tuple[Column, Mapping[tuple[str, str], Given]]] = {}
        self.boards: list[KindBoard] = []
        self._refuse_twice()
        self._declare_sides()
        self.order = self._order()
        self.has_turns: tuple[RulesSource, Node] | None = self._has_turns()
        self.turn = self._last(TurnIs) or TurnIs()
        for source, _, turn in self.each(TurnIs):
            with self.at(source):
                once([w.text for w in turn.phases], next((w.at for w in turn.phases), 0), source)
        self.ends = self._ends()
        self.rounds = self._rounds()
        self.passing = self._last(PassRule)
        self._declare_kinds()
        self._declare_edges()
        self._name_properties()
        self.values = self._values()
        self.readings, self.options = choices_of(self)
        self.check()

    def _last(self, kind: type[T]) -> T | None:
        """The last statement of a kind: a rulebook may say it anew of one that it includes."""
        return next(reversed([content for _, _, content in self.each(kind)]), None)

    def _refuse_twice(self) -> None:
        """Refuse what a file says a second time that is said once."""
        for entry in (e for e in BOOK.entries if e.once):
            said: dict[str, int] = {}
            for source, statement, _ in self.each(entry.kind):
                line = source.line(statement.at)
                if source.file in said:
                    message = f"{quoted(' '.join(entry.words))} stands in line {said[source.file]}, too"
                    with self.at(source):
                        raise source.goal.error(statement.at, message, "a rulebook says it once")
                said.setdefault(source.file, line)

    # ---- sides

    def _declare_sides(self) -> None:
        powers: dict[str, str] = {}
        said = self._last(Sides)
        for source, _, content in self.each(Sides):
            if content is not said:
                continue
            with self.at(source):
                board = () if content.board is None else self._filled.sides(content, source)
                for name, own in content.names or [
                    (Word(n, content.board.key.at), ()) for n in board if content.board
                ]:
                    if name.text in (NOBODY, EACH_SIDE) or name.text in self.sides:
                        message = f"a side cannot be called {quoted(name.text)}"
                        raise source.goal.error(name.at, message, "give it another name", "taken-name")
                    self.sides[name.text] = tuple(w.text for w in own) or (name.text,)
                    powers |= {w.text: name.text for w in own}
                if content.names:
                    once([w.text for _, own in content.names for w in own], content.names[0][0].at, source)
        if not self.sides:
            source = self.sources[0]
            with self.at(source):
                raise source.goal.error(0, "the rulebook names no sides", _SIDES_FIRST)
            self.check()
        for source, _, content in self.each(Sides):
            if content is said:
                with self.at(source):
                    self.aliases = others(content.also, {*self.sides, *powers}, source)
        side = of_sides(Domain(EnumSort(EACH_SIDE, tuple(self.sides)), self.aliases))
        self.kinds[EACH_SIDE] = side
        if powers:
            domain = Domain(EnumSort(POWER, tuple(powers)))
            self.kinds[POWER] = CountedKind(POWER, domain, properties={EACH_SIDE: powers})

    def _order(self) -> tuple[str, ...]:
        """The order of turns: as it is said, else the powers or sides as they are named."""
        known = tuple(p for powers in self.sides.values() for p in powers)
        named: dict[str, None] = {}
        said = self._last(TurnOrder)
        for source, _, content in self.each(TurnOrder):
            if content is said:
                with self.at(source):
                    for word in content.names:
                        if word.text in self._filled.form.values:
                            first = self._filled.value(word, source)
                            if first is not None and first not in known:
                                self._filled.wrong_name(word, first, "side", known)
                            named |= dict.fromkeys([first] if first in known else [])
                        elif word.text == EACH_SIDE:
                            named |= dict.fromkeys(known)
                        elif word.text in named:
                            continue
                        elif word.text not in known:
                            help = did_you_mean(word.text, known)
                            message = f"nobody is called {quoted(word.text)}"
                            raise source.goal.error(word.at, message, help, "unknown-name")
                        else:
                            named[word.text] = None
                    if not {w.text for w in content.names} & {*self._filled.form.values, EACH_SIDE}:
                        once([w.text for w in content.names], content.names[0].at, source)
                    return tuple(named) or known
        return known

    def _rounds(self) -> int | None:
        """After how many rounds the game ends."""
        said = self._last(Rounds)
        if said is None:
            return None
        if isinstance(said.most, int):
            return said.most
        for source, _, content in self.each(Rounds):
            if content is said:
                with self.at(source):
                    if not self._filled.form.values:
                        message = "the number of rounds is a whole number from 1 on, or a value of the board"
                        raise source.goal.error(said.most.at, message, "write rounds 6")
                    found = self._filled.value(said.most, source)
                    if found is None or (isinstance(found, int) and found > 0):
                        return found
                    least = self._filled.form.values[said.most.text].range
                    if least is None or least[0] < 1:
                        help = f"write board {said.most.text}: 1 to 99"
                        message = f"{said.most.text} can be no number of rounds"
                        raise source.goal.error(said.most.at, message, help, "wrong-value")
        return None

    def names_of(self, column: Column) -> Domain | None:
        """The names that a column of two kinds can say; None: it says a number, or true or false."""
        source = next(source for source, _, content in self.each(Column) if content is column)
        return names_of(source, column, self.kinds)

    @property
    def flaws(self) -> Sequence[Flaw]:
        """The flaws of the board."""
        return () if self._filled.given is None else self._filled.given.flaws

    def _values(self) -> Mapping[str, tuple[Given | None, Domain | None]]:
        """The values of the board; several places are a group of their kind."""
        found: dict[str, tuple[Given | None, Domain | None]] = {}
        where = {content.name.text: source for source, _, content in self.each(BoardValue)}
        layouts = {w.text for _, _, rows in self.each(Rows) if rows.layout for w in rows.layout.named}
        for name, said in self._filled.form.values.items():
            with self.at(where[name]):
                if said.several and name in layouts:
                    continue  # hexes that are not there
                value, domain = self._filled.known(name, where[name], self.kinds)
                if isinstance(value, tuple):
                    kinds = (k for k in self.kinds.values() if domain is not None and k.domain.sort == domain.sort)
                    kind = next(kinds, None)
                    if kind is None:
                        help = "write several KIND, such as several hex"
                        message = f"the values of {name} are no members of one kind"
                        raise where[name].goal.error(said.name.at, message, help, "wrong-value")
                    self.kinds[kind.name] = replace(kind, groups={**kind.groups, name: value})
                else:
                    found[name] = value, domain
        return found

    def _has_turns(self) -> tuple[RulesSource, Node] | None:
        """The condition of those who have turns, with its block; None: all have."""
        said = self._last(TurnOrder)
        return next(((s, c.where) for s, _, c in self.each(TurnOrder) if c is said and c.where is not None), None)

    def _ends(self) -> Mapping[str, tuple[str, ...]]:
        """The events that end phases, each with those; where a turn has none, the one that ends it, with none."""
        if self.turn.one:
            return {}
        named = [w.text if w else None for w in self.turn.ends] or [None] * max(len(self.turn.phases), 1)
        usual = END_PHASE if self.turn.phases else END_TURN
        found: dict[str, tuple[str, ...]] = {}
        for n, name in enumerate(named):
            name = name or usual
            found[name] = (*found.get(name, ()), *(w.text for w in self.turn.phases[n : n + 1]))
        return found

    @property
    def set_by_events(self) -> bool:
        """True if an event says whose turn is next, or ends a round."""
        return any(e.fact.text in (TURN, ROUND) for _, _, rule in self.each(EventRule) for e in rule.effects)

    @property
    def ended_by_events(self) -> bool:
        """True if an event can end the game: `then over becomes true`."""
        if any(fact.name.text == OVER for _, _, fact in self.each(RememberedFact)):
            return False  # it is a fact of the text's own
        return any(self.each_end())

    def each_end(self) -> Iterator[tuple[RulesSource, Statement]]:
        """The events that can end the game, or the lines below them that say so where these cite sentences."""
        for source, statement, rule in self.each(EventRule):
            for effect in (e for e in rule.effects if e.fact.text == OVER):
                line = replace(statement, at=effect.at, clauses=effect.clauses) if effect.clauses else statement
                yield source, line

    @property
    def begun_by_events(self) -> bool:
        """True if an event can say who begins a round: one that ends it, or one of no turn."""
        for _, _, rule in self.each(EventRule):
            changed = {e.fact.text for e in rule.effects}
            if ROUND in changed or (TURN in changed and loose(rule, one=self.turn.one)):
                return True
        return False

    @property
    def movers(self) -> CountedKind:
        """The kind of those who have turns: the powers, or the sides where there are none."""
        return self.kinds[POWER if POWER in self.kinds else EACH_SIDE]

    # ---- kinds and Readings

    def _declare_kinds(self) -> None:
        """Declare the kinds: a rulebook may say one anew of a rulebook that it includes."""
        said: dict[str, tuple[RulesSource, KindOf | Rows]] = {}
        every: list[tuple[RulesSource, KindOf | Rows]] = [(s, kind) for s, _, kind in self.each(KindOf)]
        every += [(s, rows) for s, _, rows in self.each(Rows)]
        for source, content in every:
            with self.at(source):
                name = content.name
                earlier = said[name.text][0].file if name.text in said else ""
                if name.text in (*self.kinds, POWER) or earlier == source.file:
                    raise taken(source, name, "a kind of thing")
                said[name.text] = source, content
        columns = self._columns({**said, **self.kinds})
        if self._filled.given is not None:
            self.check()  # a board was read by the columns that were said last
        for source, content in said.values():
            with self.at(source):
                names = [c.name.text for _, c in columns.get(content.name.text, ())]
                board = self._places(content, source, names)
                self.kinds[content.name.text] = board.kind
                if board.kind.neighbours is not None:
                    self.boards.append(board)
        for called, of in columns.items():
            with self.at(of[0][0]):
                if called in self.kinds:
                    given = partial(self._column, self.kinds[called])
                    single = [c for c in of if c[1].second is None]
                    self.kinds[called] = with_columns(self.kinds[called], single, self.kinds, given)
        for of in columns.values():
            for source, column in of:
                if column.second is not None:
                    with self.at(source):
                        self._declare_pairs(source, column)

    def _declare_pairs(self, source: RulesSource, column: Column) -> None:
        """Declare a column of two kinds."""
        assert column.second is not None, "it has two"
        if column.second.text not in self.kinds:
            help = did_you_mean(column.second.text, self.kinds)
            message = f"there is no kind of thing {quoted(column.second.text)}"
            raise source.goal.error(column.second.at, message, help, "unknown-name")
        if column.name.text in self.pairs:
            raise taken(source, column.name, "a column")
        self.pairs[column.name.text] = column, self._filled.pairs(source, column, self.kinds)

    def _places(self, content: KindOf | Rows, source: RulesSource, plain: Collection[str]) -> KindBoard:
        """The members of a kind, from wherever they come."""
        if isinstance(content, Rows):
            of_board = content.board is not None or (
                content.layout is not None and content.layout.columns is not None
            )
            return self._filled.hexes(content, source, self.kinds) if of_board else of_rows(content, source)
        board = KindBoard(self._filled.kind(content, source)) if content.board else _of(content, source, plain)
        if not content.also:
            return board
        domain = board.kind.domain
        also = {**domain.aliases, **others(content.also, domain.sort.index, source)}
        return replace(board, kind=replace(board.kind, domain=replace(domain, aliases=also)))

    def _column(
        self, kind: CountedKind, source: RulesSource, column: Column, domain: Domain | None
    ) -> Mapping[str, Given] | None:
        """The cells of a column that a board gives; None: it is not taken from one."""
        found = self._filled.column(source, column, domain)
        if found is not None and column.board is not None and not self._filled.in_entries(column):
            found = self._filled.keyed(column, kind, found)
        if found is not None and column.default is not None and not column.several:
            whole = with_columns(replace(kind, properties={}), [(source, replace(column, board=None))], self.kinds)
            found = {**whole.properties.get(column.name.text, {}), **found}
        return found

    def _declare_edges(self) -> None:
        """Declare what lies between places; a rulebook may say one anew of a rulebook that it includes."""
        files: dict[str, str] = {}
        for source, _, edges in self.each(Edges):
            if edges.board is not None and all(edges is not e for e in self._filled.form.edges):
                continue  # a rulebook says it anew
            with self.at(source):
                between = None if edges.board is None else self._filled.edges(edges, source, self.kinds)
                edges = edges if between is None else between[0]
                name = edges.name.text
                known = (k.name for k in self.kinds.values() if name in k.functions and name not in files)
                if files.get(name) == source.file or (of := next(known, None)):
                    raise taken(source, edges.name, "edges" if name in files else f"what is said of {of}")
                files[name] = source.file
                kind = with_edges(edges, source, self.kinds) if edges.lines else between[1] if between else None
                if kind is None:
                    continue
                if not edges.lines:
                    kind = replace(kind, edges={**kind.edges, name: ()})
                self.kinds[kind.name] = kind

    def _columns(self, kinds: Mapping[str, object]) -> Mapping[str, Sequence[Declared]]:
        """The columns whose values are declared, by the kind that has them; the last counts of a name."""
        found: dict[str, dict[str, Declared]] = {}
        for source, _, column in self.each(Column):
            with self.at(source):
                if column.kind.text not in kinds:
                    help = did_you_mean(column.kind.text, kinds) or "declare the kind: kind NAME, from the table"
                    message = f"there is no kind of thing {quoted(column.kind.text)}"
                    raise source.goal.error(column.kind.at, message, help, "unknown-name")
                of = found.setdefault(column.kind.text, {})
                if column.name.text in of and of[column.name.text][0].file == source.file:
                    raise taken(source, column.name, f"a column of {column.kind.text}")
                of[column.name.text] = source, column
        return {kind: tuple(of.values()) for kind, of in found.items()}

    def _name_properties(self) -> None:
        """Let properties whose values are all members of a kind be names of it, such as where a unit starts."""
        marks = {board.kind.name: board.marks for board in self.boards}
        for name, kind in self.kinds.items():
            named = dict(kind.named)
            for of, values in kind.properties.items():
                if of in named:
                    continue
                terrain = marks.get(name, ()) if of == TERRAIN else ()
                found = {*terrain} or {v for v in values.values() if isinstance(v, str)}
                fits = (k for k in self.kinds.values() if found and found <= k.domain.sort.index.keys())
                better = sorted(fits, key=lambda k: k.name != of)  # a column may be called as the kind is
                if better:
                    named[of] = better[0].domain
                elif terrain:
                    named[of] = Domain(EnumSort(of, terrain))  # also what no hex of this map is
            self.kinds[name] = replace(kind, named=named, domain=self._with_groups(kind))
        for i, board in enumerate(self.boards):
            self.boards[i] = replace(board, kind=self.kinds[board.kind.name])

    def _with_groups(self, kind: CountedKind) -> Domain:
        """The names of a kind, with groups of those that a column says the same of: `side US`, `type infantry`."""
        places = {m for board in self.boards for m in board.kind.members}
        found = dict(kind.domain.groups)
        for of, values in kind.properties.items():
            named = {m: v for m, v in values.items() if isinstance(v, str)}
            if of != TERRAIN and places.isdisjoint(named.values()):
                found |= grouped(of, named)
        return replace(kind.domain, groups=found)


def others(also: Sequence[tuple[Word, Word]], known: Collection[str], source: RulesSource) -> Mapping[str, str]:
    """Other names of sides or members, each with what it means.

    Args:
        also: What is said of them.
        known: The names that something has already.
        source: The text.

    Raises:
        InputError: One means something already.
    """
    found: dict[str, str] = {}
    for other, name in also:
        if other.text in known or other.text in found:
            raise taken(source, other, "a name here")
        found[other.text] = name.text
    return found


def loose(rule: EventRule, *, one: bool) -> bool:
    """True if an event is no part of a turn.

    Args:
        one: Whether a turn is one event, and so what chance makes of it.
    """
    nobody = rule.by is None or (rule.by.text == CHANCE and not one)
    return rule.any_time or (nobody and not rule.at_once)


def _of(content: KindOf, source: RulesSource, plain: Collection[str]) -> KindBoard:
    if content.members:
        made = {w.text: source.made(w.at) for w in content.members}
        return KindBoard(kind_of(content.name, [w.text for w in content.members], source, made))
    return from_table(content, source, plain)

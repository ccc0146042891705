"""The board that a rulebook takes from YAML: its form, made of the declarations, and what one gives.

The form is a dataclass like that of a game in Python, so files are read as for those, and so is told what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, make_dataclass
from functools import cached_property
from keyword import iskeyword
from typing import Annotated, Any, Literal

from vclogic.errors import InputError, did_you_mean, quoted
from vclogic.model.system import Flaw
from vclogic.rulebook.declarations import BoardValue, Column, Edges, FromBoard, KindOf, Rows, Sides
from vclogic.rulebook.meaning.names import Statements, taken
from vclogic.rulebook.source import RulesSource
from vclogic.rulebook.statements import EACH_SIDE, Statement
from vclogic.terms.expressions.syntax import Word

Path = tuple[str | int, ...]
Said = Column | BoardValue
"""What says which values something can have."""
TO = " to "
ANY_NAME = "any name"
"""In place of the values of a column: whatever a table or a board writes."""
BORDERS = "borders"
"""The column of a table, or the key of a board's entries, that says what an area touches."""
Texts = Annotated[tuple[str, ...], "one or several"]
"""As in other boards: a list of texts, for which one may stand without its list."""


def is_truth(said: Said) -> bool:
    """True if something is true or false."""
    return not said.values and said.range is None


def is_open(said: Said) -> bool:
    """True if something can have any name: `any name`."""
    return [w.text for w in said.values] == [ANY_NAME]


def paired(said: Said) -> str | None:
    """The kind of places between two of which each value lies, as `several hex to hex` has it; None: none does."""
    first, to, last = said.values[0].text.partition(TO) if len(said.values) == 1 else ("", "", "")
    return first if to and first == last and said.several else None


@dataclass(frozen=True)
class GivenValue:
    """A value that a board gives.

    Attributes:
        value: The value: several have one each.
        path: Where it stands on the board.
    """

    value: Any
    path: Path


@dataclass(frozen=True)
class ListedMember:
    """A member of a kind that a board lists.

    Attributes:
        name: Its name.
        path: Where it stands.
        key: Whether its name is a key.
        cells: Its columns.
    """

    name: str
    path: Path
    key: bool
    cells: Mapping[str, GivenValue]


@dataclass
class _Key:
    """A key of the board: its type, what it is where it is left out, and what says it.

    Attributes:
        hint: The type.
        default: What it is; absent: it is needed.
        text: What is said of it.
    """

    hint: Any
    default: Sequence[Any]
    text: str


class BoardForm(Statements):
    """The form of boards that a rulebook takes.

    Args:
        sources: Its blocks, after those of rulebooks that it includes.

    Attributes:
        every: All kinds and maps by name, as they were said last.
        kinds: The kinds whose members a board lists.
        columns: The columns of each kind.
        values: The values that a board gives.
        told: The values that the rulebook itself gives.

    Raises:
        InputError: All that is wrong with it.
    """

    def __init__(self, sources: Sequence[RulesSource]):
        super().__init__(sources)
        self.every: dict[str, KindOf | Rows] = {}
        self.every |= {kind.name.text: kind for _, _, kind in self.each(KindOf)}
        self.every |= {rows.name.text: rows for _, _, rows in self.each(Rows)}
        self.kinds = {n: k for n, k in self.every.items() if isinstance(k, KindOf) and k.board is not None}
        self.columns: dict[str, dict[str, Column]] = {}
        for _, _, column in self.each(Column):
            self.columns.setdefault(column.kind.text, {})[column.name.text] = column
        self.values = {v.name.text: v for _, _, v in self.each(BoardValue) if not v.given}
        self.told = {v.name.text: v for _, _, v in self.each(BoardValue) if v.given}
        self.sides = next(reversed([s for _, _, s in self.each(Sides)]), None)
        self._refuse_twice()
        self._where = {id(s.content): (source, s) for source in sources for s in source.statements}
        self.keys: dict[str, _Key] = {}
        self._fields: dict[str, dict[str, _Key]] = {}
        self._all_keys()
        self.check()

    def _refuse_twice(self) -> None:
        """Refuse a value that a file says twice: what it can be, or what it is."""
        files: set[tuple[str, str, bool]] = set()
        for source, _, value in self.each(BoardValue):
            key = source.file, value.name.text, bool(value.given)
            with self.at(source):
                if key in files:
                    raise taken(source, value.name, "a value of the board")
                if value.given:
                    self.value_called(value.name, source)
            files.add(key)

    def value_called(self, word: Word, source: RulesSource) -> BoardValue:
        """The value of a name, as it is declared.

        Raises:
            InputError: There is none.
        """
        if word.text not in self.values:
            help = did_you_mean(word.text, self.values) or f"write board {word.text}: VALUE, VALUE"
            message = f"no value of the board is called {quoted(word.text)}"
            raise source.goal.error(word.at, message, help, "unknown-name")
        return self.values[word.text]

    @property
    def edges(self) -> tuple[Edges, ...]:
        """The edges between places, as a board says them."""
        last = {e.name.text: e for _, _, e in self.each(Edges)}
        return tuple(e for e in last.values() if e.board is not None)

    @property
    def is_empty(self) -> bool:
        """True if no board is taken at all."""
        return not self.keys

    # ---- its keys

    def _all_keys(self) -> None:
        for content in (*self.kinds.values(), *self._others()):
            source, statement = self._where[id(content)]
            with self.at(source):
                self._key(content, source, statement)

    def _others(self) -> Iterator[Any]:
        """The other keys: columns of their own, values, hexes, edges, sides."""
        yield from (v for n, v in self.values.items() if n not in self.told)
        yield from (k for k in self.every.values() if isinstance(k, Rows) and k.board is not None)
        yield from self.edges
        if self.sides is not None and self.sides.board is not None:
            yield self.sides
        yield from (c for of in self.columns.values() for c in of.values() if c.board is not None)

    def _key(self, content: Any, source: RulesSource, statement: Statement) -> None:
        """Add the key of a declaration."""
        text = source.words(statement)
        if isinstance(content, BoardValue):
            self._add(source, content.name, _Key(*self._type(source, content), text))
        elif isinstance(content, KindOf):
            self._add(source, content.board.key, self._entries(content, source, text))  # type: ignore[union-attr]
        elif isinstance(content, Column):
            self._own_column(content, source, text)
        else:
            of = content.board
            if isinstance(content, Sides):
                if not any(
                    c.board and c.board.key.text == of.key.text for c in self.columns.get(EACH_SIDE, {}).values()
                ):
                    self._add(source, of.key, _Key(Texts, (), text))
                return
            hint = tuple[str, ...] if isinstance(content, Rows) else tuple[tuple[str, ...], ...]
            self._add(source, of.key, _Key(hint, () if isinstance(content, Rows) else ((),), text))

    def _add(self, source: RulesSource, word: Word, key: _Key) -> None:
        if word.text in self.keys:
            raise taken(source, word, "a key of the board")
        self._named(source, word)
        self.keys[word.text] = key

    @staticmethod
    def _named(source: RulesSource, word: Word) -> None:
        """Make sure that a key can be one.

        Raises:
            InputError: It is a word that Python has a use for.
        """
        if iskeyword(word.text) or word.text.startswith("__"):
            message = f"no key of a board can be called {quoted(word.text)}"
            raise source.goal.error(word.at, message, "give it another name", "taken-name")

    def _entries(self, kind: KindOf, source: RulesSource, text: str) -> _Key:
        """The key of a kind whose members a board lists."""
        assert kind.board is not None, "a board lists them"
        name, of = kind.name.text, kind.board
        value = self._entry(name, of, source)
        if of.numbered:
            hint: Any = tuple[value, ...]  # type: ignore[valid-type]
        else:
            hint = Mapping[str, value]  # type: ignore[valid-type]
            if of.by is not None:
                outer = self._static((of.by,))
                hint = Mapping[Literal[outer] if outer else str, hint]  # type: ignore[misc]
        empty: Any = () if of.numbered else {}
        return _Key(hint, (empty,) if kind.optional else (), text)

    def _entry(self, name: str, of: FromBoard, source: RulesSource) -> Any:
        """The type of what a board says of a member."""
        own = self._own(name, of)
        alone: Column | None = (
            None
            if self.kinds[name].areas
            else next((c for c in self.columns.get(name, {}).values() if self._stands_alone(c, of)), None)
        )
        if alone is not None:
            return self._type(source, alone)[0]
        keys = {}
        for key, column in own.items():
            source, statement = self._where[id(column)]
            with self.at(source):
                self._named(source, Word(key, column.name.at))
                keys[key] = _Key(*self._type(source, column), source.words(statement))
        if self.kinds[name].areas:
            keys[BORDERS] = _Key(Texts, ((),), f"what the {name} touches")
        return _made(name, keys)

    @staticmethod
    def _stands_alone(column: Column, of: FromBoard) -> bool:
        return column.board is not None and column.board.within is None and column.board.key.text == of.key.text

    def _own(self, kind: str, of: FromBoard) -> dict[str, Column]:
        """The columns that entries of a kind have, by their keys."""
        found: dict[str, Column] = {}
        for column in self.columns.get(kind, {}).values():
            if column.board is None and not column.table:
                if of.by is None or column.name.text != of.by.text:
                    found[column.name.text] = column
            elif column.board is not None and column.board.within and column.board.within.text == of.key.text:
                found[column.board.key.text] = column
        return found

    def _own_column(self, column: Column, source: RulesSource, text: str) -> None:
        """The key of a column that stands by itself."""
        assert column.board is not None, "a board has it"
        of, kind = column.board, self.kinds.get(column.kind.text)
        if kind is not None and kind.board is not None:
            if of.within is not None and of.within.text == kind.board.key.text:
                return  # it is a key of the entries
            if self._stands_alone(column, kind.board):
                return
        keyed = self._static((column.kind,))
        key: Any = Literal[keyed] if keyed else str
        hint: Any
        hint, default = self._type(source, column)
        needed = not default
        if of.by is not None:
            named = self._static(column.values)
            self._add(source, of.key, _Key(Mapping[Literal[named] if named else str, Texts], ({},), text))  # type: ignore[misc]
        elif of.within is None:
            self._add(source, of.key, _Key(Mapping[key, hint], () if needed else ({},), text))
        else:
            there = self._fields.setdefault(of.within.text, {})
            if not there:
                self._add(source, of.within, _Key(None, ({},), text))
            there[of.key.text] = _Key(hint, default, text)
            self.keys[of.within.text].hint = Mapping[key, _made(of.within.text, there)]  # type: ignore[misc]

    # ---- types

    def _type(self, source: RulesSource, said: Said) -> tuple[Any, Sequence[Any]]:
        """The type of a value, and what it is where it is left out; nothing: it is needed."""
        if isinstance(said, Column) and said.second is not None:
            hint: Any
            hint, default = self._single(source, said)
            keyed = self._static((said.second,))
            key: Any = Literal[keyed] if keyed else str
            return Mapping[key, hint], ({},) if default else ()
        return self._single(source, said)

    def _single(self, source: RulesSource, said: Said) -> tuple[Any, Sequence[Any]]:
        """The same of one value."""
        if is_truth(said):
            if said.optional or (said.default is not None and said.default.text not in ("true", "false")):
                at = said.name.at if said.default is None else said.default.at
                raise source.goal.error(
                    at, f"{said.name.text} is true or false", "write default false", "wrong-value"
                )
            return bool, () if said.default is None else (said.default.text == "true",)
        default = () if said.default is None else (said.default.text,)
        if said.several:
            several: Any = tuple[tuple[str, str], ...] if paired(said) else Texts
            return several, ((),) if said.optional else tuple((text,) for text in default)
        if said.range is not None:
            low, high = said.range
            number = "" if said.default is None else said.default.text
            if said.default and not (number.removeprefix("-").isdecimal() and low <= int(number[:10]) <= high):
                raise no_value(source, said, said.default, f"it is a number from {low} to {high}")
            return (int | None, (None,)) if said.optional else (int, tuple(map(int, default)))
        static = self._static(said.values)
        if static and said.default is not None and said.default.text not in static:
            raise no_value(source, said, said.default, did_you_mean(said.default.text, static))
        hint: Any = Literal[static] if static else str
        return (hint | None, (None,)) if said.optional else (hint, default)

    def _static(self, words: Sequence[Word]) -> tuple[str, ...]:
        """The names that some words stand for; none where a board or a table says some of them."""
        found: list[str] = []
        for word in words:
            if word.text == EACH_SIDE and self.sides is not None:
                found += [w.text for w, _ in self.sides.names]
                if not self.sides.names:
                    return ()
            elif (kind := self.every.get(word.text)) is not None:
                if not (isinstance(kind, KindOf) and kind.members and kind.board is None):
                    return ()
                found += [w.text for w in kind.members]
            elif word.text in ("power", ANY_NAME):
                return ()
            else:
                found.append(word.text)
        return tuple(dict.fromkeys(found))

    @cached_property
    def board(self) -> type:
        """The dataclass that boards are read into."""
        return _made("Board", self.keys)


def no_value(source: RulesSource, said: Said, word: Word, help: str | None) -> InputError:
    """The error for a word that is no value of what a board gives."""
    message = f"{quoted(word.text)} is no value of {said.name.text}"
    return source.goal.error(word.at, message, help, "wrong-value")


def _made(name: str, keys: Mapping[str, _Key]) -> type:
    """A dataclass with some keys, each described as the rulebook does."""
    fields = []
    for key, said in keys.items():
        empty = said.default[0] if said.default else None
        if not said.default:
            fields.append((key, said.hint, field(kw_only=True)))
        elif isinstance(empty, dict):
            fields.append((key, said.hint, field(default_factory=dict, kw_only=True)))
        else:
            fields.append((key, said.hint, field(default=empty, kw_only=True)))
    found = make_dataclass(name.title().replace(" ", ""), fields, frozen=True)
    told = "\n".join(f"        {key}: {' '.join(said.text.split())}" for key, said in keys.items())
    found.__doc__ = f"What a board says.\n\n    Attributes:\n{told}\n    "
    return found


@dataclass
class GivenBoard:
    """The content of a board.

    Attributes:
        form: Its form.
        read: The board as it was read.
        flaws: What is wrong with it.
    """

    form: BoardForm
    read: Any
    flaws: list[Flaw] = field(default_factory=list)

    def entries(self, kind: KindOf) -> Iterator[ListedMember]:
        """The members of a kind that it lists."""
        assert kind.board is not None, "a board lists them"
        of, found = kind.board, getattr(self.read, kind.board.key.text)
        if of.numbered:
            for n, said in enumerate(found):
                yield self._entry(kind, f"{kind.name.text} {n + 1}", said, (of.key.text, n), {}, key=False)
            return
        for outer, inner in found.items() if of.by is not None else ((None, found),):
            path: Path = (of.key.text,) if outer is None else (of.key.text, outer)
            under = {} if of.by is None else {of.by.text: GivenValue(outer, path)}
            for name, said in inner.items():
                yield self._entry(kind, name, said, (*path, name), under, key=True)

    def _entry(
        self, kind: KindOf, name: str, said: Any, path: Path, under: Mapping[str, GivenValue], *, key: bool
    ) -> ListedMember:
        assert kind.board is not None, "a board lists them"
        cells = dict(under)
        for column in self.form.columns.get(kind.name.text, {}).values():
            if self.form._stands_alone(column, kind.board):
                cells[column.name.text] = GivenValue(said, path)
        for called, column in self.form._own(kind.name.text, kind.board).items():
            if column.name.text not in cells and hasattr(said, called):
                cells[column.name.text] = GivenValue(getattr(said, called), (*path, called))
        return ListedMember(name, path, key, cells)

    def column(self, column: Column) -> dict[str, GivenValue]:
        """The cells of a column that stands by itself, by the member that has each."""
        assert column.board is not None, "a board has it"
        of = column.board
        top = of.key.text if of.within is None else of.within.text
        there = getattr(self.read, top)
        if of.by is not None:
            return {
                m: GivenValue(value, (top, value, n))
                for value, members in there.items()
                for n, m in enumerate(members)
            }
        if of.within is None:
            return {m: GivenValue(x, (top, m)) for m, x in there.items()}
        return {m: GivenValue(getattr(x, of.key.text), (top, m, of.key.text)) for m, x in there.items()}

    def borders(self, kind: KindOf) -> Iterator[tuple[str, Path, tuple[str, ...]]]:
        """The places that each of a kind touches, with where that stands."""
        assert kind.board is not None, "a board lists them"
        found = getattr(self.read, kind.board.key.text)
        for entry in self.entries(kind):
            said: Any = found
            for step in entry.path[1:]:
                said = said[step]
            yield entry.name, (*entry.path, BORDERS), getattr(said, BORDERS)

    def value(self, name: str) -> Any:
        """A value that it gives; None: it does not."""
        return getattr(self.read, name, None)

    def flaw(self, path: Path, message: str, help: str | None = None, *, key: bool = False) -> None:
        """Note what is wrong."""
        self.flaws.append(Flaw(path, message, help, key))

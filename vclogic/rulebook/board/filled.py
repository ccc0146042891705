"""The kinds, maps and values of a rulebook that a board gives; what is wrong with the board is noted at its place."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from vclogic.board.area import AreaMap
from vclogic.errors import did_you_mean, quoted
from vclogic.rulebook.board.columns import Given, names_of
from vclogic.rulebook.board.given import (
    TO,
    BoardForm,
    GivenBoard,
    GivenValue,
    Path,
    Said,
    is_open,
    is_truth,
    no_value,
)
from vclogic.rulebook.board.places import MOST_MEMBERS, KindBoard, kind_of, laid_out
from vclogic.rulebook.declarations import Column, Edges, HexLayout, KindOf, Rows, Sides
from vclogic.rulebook.meaning.names import Statements
from vclogic.rulebook.source import RulesSource
from vclogic.terms.domain import Domain
from vclogic.terms.expressions.lexer import unwritable
from vclogic.terms.expressions.syntax import Word
from vclogic.terms.vocabulary import CountedKind

BLANK = " "
"""In rows of signs on a board: no hex there."""
_STAGGERS: Mapping[str, tuple[int, bool]] = {
    "odd-column": (1, False),
    "even-column": (0, False),
    "odd-row": (1, True),
    "even-row": (0, True),
}


class Filled:
    """The kinds and values of a rulebook that a board gives.

    Args:
        form: What the rulebook takes from a board.
        given: The board; None: there is none.
        lines: Collects what is wrong with the rulebook.
    """

    def __init__(self, form: BoardForm, given: GivenBoard | None, lines: Statements):
        self.form, self.given, self._lines = form, given, lines
        self._grids: dict[str, KindBoard] = {}

    def board(self, source: RulesSource, word: Word) -> GivenBoard:
        """The board.

        Raises:
            InputError: There is none.
        """
        if self.given is None:
            help = "name one in a position: game: FILE.md, board: FILE.yaml; or write include FILE.yaml"
            raise source.goal.error(word.at, f"there is no board, which gives {word.text}", help, "no-board")
        return self.given

    # ---- sides and kinds

    def sides(self, content: Sides, source: RulesSource) -> list[str]:
        """The sides that it names."""
        assert content.board is not None, "a board names them"
        key = content.board.key
        names = [*getattr(self.board(source, key).read, key.text)]
        given = self.board(source, key)
        for i, name in enumerate(names):
            if name in names[:i]:
                given.flaw((key.text, i), f"{quoted(name)} stands here twice")
        if len({*names}) < 1:
            given.flaw((key.text,), "it names no side")
        return list(dict.fromkeys(names)) or ["nobody there"]

    def kind(self, content: KindOf, source: RulesSource) -> CountedKind:
        """A kind whose members it lists."""
        assert content.board is not None, "a board lists them"
        given = self.board(source, content.board.key)
        names: dict[str, Path] = {w.text: () for w in content.members}
        for entry in given.entries(content):
            if entry.name in names:
                given.flaw(entry.path, f"there are two called {quoted(entry.name)}", key=entry.key)
            elif (problem := unwritable(entry.name)) is not None:
                given.flaw(entry.path, f"nothing can be called {quoted(entry.name)}: {problem}", key=entry.key)
            else:
                names[entry.name] = entry.path
        if len(names) > MOST_MEMBERS:
            given.flaw((content.board.key.text,), f"there are more than {MOST_MEMBERS:,} of them")
            names = dict([*names.items()][:MOST_MEMBERS])
        if not names and not content.optional:
            given.flaw((content.board.key.text,), f"there is no {content.name.text}")
        if not content.areas:
            return kind_of(content.name, [*names], source, {}, empty=True)
        links: dict[tuple[str, str], None] = {}
        for name, path, around in given.borders(content):
            for n, near in enumerate(around):
                if near not in names:
                    help = did_you_mean(near, names)
                    given.flaw((*path, n), f"{name} borders on {quoted(near)}, which is not on the board", help)
                elif name in names and (near, name) not in links:
                    links[name, near] = None
        neighbours = AreaMap(tuple(names), tuple(links)).neighbours
        return kind_of(content.name, [*names], source, {}, empty=True, neighbours=dict(neighbours))

    def column(self, source: RulesSource, column: Column, domain: Domain | None) -> Mapping[str, Given] | None:
        """The cells of a column, for the members of its kind; None: it is not taken from the board."""
        kind = self.form.kinds.get(column.kind.text)
        if column.table or (column.board is None and kind is None):
            return None
        given = self.board(source, column.name)
        inside = kind is not None and kind.board is not None and self._is_inside(column, kind)
        if inside and kind is not None:
            cells = {e.name: e.cells[column.name.text] for e in given.entries(kind) if column.name.text in e.cells}
        else:
            cells = given.column(column)
        found: dict[str, Given] = {}
        for member, cell in cells.items():
            value = self._value(given, column, domain, cell)
            if value is not None:
                found[member] = value
        return found

    def pairs(
        self, source: RulesSource, column: Column, kinds: Mapping[str, CountedKind]
    ) -> Mapping[tuple[str, str], Given]:
        """The values of a column of two kinds, by a member of each."""
        assert column.second is not None, "it has two"
        first, second, domain = kinds[column.kind.text], kinds[column.second.text], names_of(source, column, kinds)
        found: dict[tuple[str, str], Given] = {}
        if column.default is not None:
            usual = self._told(column, (column.default,), source)
            found = {(a, b): usual for a in first.members for b in second.members}
        kind = self.form.kinds.get(column.kind.text)
        if column.board is None and kind is None:
            return found
        given = self.board(source, column.name)
        cells = (
            given.column(column)
            if kind is None or not self._is_inside(column, kind)
            else {e.name: e.cells[column.name.text] for e in given.entries(kind) if column.name.text in e.cells}
        )
        for member, cell in cells.items():
            for other, value in cell.value.items():
                path: Path = (*cell.path, other)
                here = self._members(given, second, other, path, key=True)
                said = self._value(given, column, domain, GivenValue(value, path))
                if said is not None:
                    found |= {(member, m): said for m in here if member in first.members}
        return found

    def in_entries(self, column: Column) -> bool:
        """True if entries of the column's kind have it."""
        kind = self.form.kinds.get(column.kind.text)
        return kind is not None and self._is_inside(column, kind)

    def wrong_name(self, word: Word, name: str, kind: str, known: Collection[str]) -> None:
        """Note a value of the board that is none of some names."""
        if self.given is not None and word.text not in self.form.told:
            self.given.flaw((word.text,), f"unknown {kind} {quoted(name)}", did_you_mean(name, known))

    @staticmethod
    def _is_inside(column: Column, kind: KindOf) -> bool:
        """True if entries of a kind have a column."""
        of = column.board
        if of is None or kind.board is None:
            return of is None
        return (of.within or of.key).text == kind.board.key.text

    def keyed(self, column: Column, kind: CountedKind, found: Mapping[str, Given]) -> Mapping[str, Given]:
        """The cells of a column that stands by itself, for members that there are."""
        assert self.given is not None, "it says something"
        assert column.board is not None, "it stands by itself"
        top = (column.board.within or column.board.key).text
        known: dict[str, Given] = {}
        for n, (name, value) in enumerate(found.items()):
            path: Path = (top, name) if column.board.by is None else self.given.column(column)[name].path
            for member in self._members(self.given, kind, name, path, key=column.board.by is None):
                known[member] = value
            if n > MOST_MEMBERS:
                break
        return known

    def _members(
        self, given: GivenBoard, kind: CountedKind, name: str, path: Path, *, key: bool = False
    ) -> tuple[str, ...]:
        """The members that a name stands for; what is wrong with it is noted."""
        if (found := kind.domain.find(name)) is not None:
            return (found,)
        first, to, last = name.partition(TO)
        if to and kind.domain.span and kind.domain.find(first) and kind.domain.find(last):
            return kind.domain.span(first, last)
        self._unknown(
            given,
            path,
            kind.name,
            name if not to else (last if kind.domain.find(first) else first),
            kind.domain,
            key=key,
        )
        return ()

    # ---- values

    def _value(self, given: GivenBoard, said: Said, domain: Domain | None, cell: GivenValue) -> Given | None:
        """A value of a column, if it can be one; what is wrong with it is noted."""
        value, path = cell.value, cell.path
        if value is None:
            return None
        if is_truth(said):
            return bool(value)
        if said.range is not None:
            low, high = said.range
            if isinstance(value, tuple):
                return None
            if not low <= value <= high:
                given.flaw(path, f"a number from {low} to {high} is needed, not {value}")
                return None
            return int(value)
        if is_open(said):
            return str(value)
        assert domain is not None, "it has names"
        if not said.several:
            found = domain.find(value)
            if found is None:
                self._unknown(given, path, domain.sort.name, value, domain)
            return found
        return tuple(self._several(given, said, domain, value, path))

    def _several(self, given: GivenBoard, said: Said, domain: Domain, values: Any, path: Path) -> Iterator[str]:
        seen: dict[str, None] = {}
        for n, value in enumerate(values):
            here: Path = (*path, n)
            ends = value if isinstance(value, tuple) else value.split(TO)
            known = [domain.find(end) for end in ends]
            for i, (end, there) in enumerate(zip(ends, known, strict=True)):
                if there is None:
                    at: Path = (*here, i) if isinstance(value, tuple) else here
                    self._unknown(given, at, domain.sort.name, end, domain)
            if None in known:
                continue
            if len(known) == 1:
                if known[0] in seen:
                    given.flaw(here, f"{known[0]} stands here twice")
                seen[str(known[0])] = None
            elif len(known) == 2 and domain.span is not None:
                seen |= dict.fromkeys(domain.span(str(known[0]), str(known[1])))
            else:
                given.flaw(here, f"{quoted(TO.join(ends))} is no {domain.sort.name}")
        yield from seen

    def _unknown(
        self, given: GivenBoard, path: Path, kind: str, name: str, domain: Domain, *, key: bool = False
    ) -> None:
        """Note a name that means nothing there."""
        board = self._grids.get(kind)
        board = board or next(
            (b for b in self._grids.values() if b.kind.domain.sort.name in kind.split(" or ")), None
        )
        grid = None if board is None else board.grid
        if grid is not None and "," in name and board is not None and board.kind.members[0] in grid:
            for message in grid.flaws([name]):
                given.flaw(path, message, key=key)
                return
        given.flaw(path, f"unknown {kind} {quoted(name)}", did_you_mean(name, domain.sort.members), key=key)

    def value(self, word: Word, source: RulesSource) -> Any:
        """A value of the board as it stands: what the rulebook says, else the board; None: neither does.

        Raises:
            InputError: Nothing says which values it can have.
        """
        said = self.form.value_called(word, source)
        told = self.form.told.get(word.text)
        if told is not None:
            return self._told(said, told.given, source)
        return self.board(source, word).value(word.text)

    def _told(self, said: Said, words: Sequence[Word], source: RulesSource) -> Any:
        """The value that a rulebook gives by itself."""
        texts = tuple(w.text for w in words)
        if said.several:
            return texts
        if len(texts) > 1:
            raise source.goal.error(words[1].at, f"{said.name.text} is one value", None, "wrong-value")
        if is_truth(said):
            if texts[0] not in ("true", "false"):
                raise source.goal.error(words[0].at, f"{said.name.text} is true or false", None, "wrong-value")
            return texts[0] == "true"
        if said.range is not None:
            low, high = said.range
            if not texts[0].removeprefix("-").isdigit() or not low <= int(texts[0]) <= high:
                raise no_value(source, said, words[0], f"it is a number from {low} to {high}")
            return int(texts[0])
        return texts[0]

    def known(
        self, name: str, source: RulesSource, kinds: Mapping[str, CountedKind]
    ) -> tuple[Given | None, Domain | None]:
        """A value of the board, and the names that it can be.

        Raises:
            InputError: The rulebook says something else.
        """
        said = self.form.values[name]
        domain = names_of(source, said, kinds)
        value, told = self.value(said.name, source), self.form.told.get(name)
        if told is None or domain is None:
            given = self.given or GivenBoard(self.form, None)
            return self._value(given, said, domain, GivenValue(value, (name,))), domain
        for word in told.given:
            if not all(map(domain.find, word.text.split(TO))):
                raise no_value(source, said, word, did_you_mean(word.text, domain.sort.members))
        return self._value(GivenBoard(self.form, None), said, domain, GivenValue(value, (name,))), domain

    # ---- maps

    def hexes(self, content: Rows, source: RulesSource, kinds: Mapping[str, CountedKind]) -> KindBoard:
        """The hexes that rows of signs, or numbers of columns and rows, make."""
        layout = content.layout or HexLayout()
        stagger = self.value(layout.stagger, source) if layout.stagger else None
        if stagger is not None and stagger not in _STAGGERS:
            message = f"{layout.stagger.text if layout.stagger else ''} is none of {', '.join(_STAGGERS)}"
            raise source.goal.error(layout.stagger.at if layout.stagger else 0, message, None, "wrong-value")
        lower, by_rows = _STAGGERS[stagger] if stagger else (content.lower, content.by_rows)
        first = content.first
        if layout.first is not None:
            number = self.value(layout.first, source)
            first = f"{number},{number}" if isinstance(number, int) else first
        content = replace(content, lower=lower, by_rows=by_rows, first=first)
        signs = self._signs(content, source, layout)
        if layout.short is not None and self.value(layout.short, source):
            signs = _shortened(signs, content)
        board = laid_out(content, source, signs)
        if board.kind.domain.sort.members:
            board = self._without(board, content, source, signs, layout)
        self._marked(content, source, board, kinds)
        self._grids[board.kind.name] = board
        return board

    def _signs(self, content: Rows, source: RulesSource, layout: HexLayout) -> dict[tuple[int, int], Word]:
        """The sign of each hex by its column and row; an empty one where it has no terrain."""
        if content.board is None:
            assert layout.columns is not None, "else there are rows"
            assert layout.rows is not None, "both are said"
            columns, rows = self.value(layout.columns, source), self.value(layout.rows, source)
            if not (isinstance(columns, int) and isinstance(rows, int)):
                raise source.goal.error(layout.columns.at, "columns and rows are numbers", None, "wrong-value")
            word = Word("", content.name.at)
            if columns * rows > MOST_MEMBERS:
                given = self.board(source, layout.columns)
                given.flaw((layout.columns.text,), f"a map has at most {MOST_MEMBERS:,} hexes")
                columns = rows = 1
            return {(c, r): word for r in range(rows) for c in range(columns)}
        key = content.board.key
        given = self.board(source, key)
        found: dict[tuple[int, int], Word] = {}
        picture = getattr(given.read, key.text)
        if sum(map(len, picture)) > MOST_MEMBERS:
            given.flaw((key.text,), f"a map has at most {MOST_MEMBERS:,} hexes")
            picture = ()
        for r, row in enumerate(picture):
            found |= {(c, r): Word(sign, key.at) for c, sign in enumerate(row) if sign != BLANK}
        if not found:
            given.flaw((key.text,), "the map has no hex")
            found = {(0, 0): Word("", key.at)}
        return found

    def _without(
        self,
        board: KindBoard,
        content: Rows,
        source: RulesSource,
        signs: Mapping[tuple[int, int], Word],
        layout: HexLayout,
    ) -> KindBoard:
        """The hexes without those that the board says are not there."""
        absent = self.value(layout.absent, source) if layout.absent else ()
        if not absent or layout.absent is None:
            return board
        self._grids[board.kind.name] = board
        given = self.board(source, layout.absent)
        names = dict(zip(sorted(signs, key=lambda x: (x[1], x[0])), board.kind.members, strict=True))
        gone: set[str] = set()
        for n, name in enumerate(absent):
            gone |= {*self._members(given, board.kind, name, (layout.absent.text, n))}
        left = {x: w for x, w in signs.items() if names[x] not in gone}
        if not left:
            given.flaw((layout.absent.text,), "the map has no hex")
            return board
        return laid_out(content, source, left)

    def _marked(self, content: Rows, source: RulesSource, board: KindBoard, kinds: Mapping[str, CountedKind]) -> None:
        """Note the signs of a map that stand for nothing."""
        terrain = kinds.get("terrain")
        if content.board is None:
            return
        given, key = self.board(source, content.board.key), content.board.key
        if terrain is None:
            help = "write kind terrain, from terrain of the board: its names are the signs"
            raise source.goal.error(key.at, "nothing says what the signs of the map stand for", help)
        for sign in (m for m in terrain.members if len(m) != 1 or m == BLANK):
            of = self.form.kinds["terrain"].board if "terrain" in self.form.kinds else None
            if of is not None:
                given.flaw((of.key.text, sign), f"{quoted(sign)} is not a sign for a picture of the map", key=True)
        for r, row in enumerate(getattr(given.read, key.text)):
            for sign in sorted({*row} - {BLANK, *terrain.members}):
                given.flaw((key.text, r), f"{quoted(sign)} stands for no terrain", did_you_mean("", terrain.members))

    def edges(
        self, content: Edges, source: RulesSource, kinds: Mapping[str, CountedKind]
    ) -> tuple[Edges, CountedKind] | None:
        """The edges between places, as lines of a rulebook would say them; None: there are none."""
        assert content.board is not None, "a board says it"
        key, places = content.board.key, [k for k in kinds.values() if k.neighbours is not None]
        if not places:
            raise source.goal.error(content.name.at, "there are no places", "declare them: areas, grid or hexes")
        given, kind = self.board(source, key), places[0]
        lines: list[tuple[Word, ...]] = []
        for n, line in enumerate(getattr(given.read, key.text)):
            path: Path = (key.text, n)
            unknown = [i for i, name in enumerate(line) if kind.domain.find(name) is None]
            for i in unknown:
                self._unknown(given, (*path, i), kind.name, line[i], kind.domain)
            if len(line) < 2:
                given.flaw(path, "it lies between two places, or along a row of them")
            elif not unknown:
                apart = [(i, a, b) for i, (a, b) in enumerate(pairwise(line)) if b not in kind.around(a)]
                for i, a, b in apart:
                    given.flaw((*path, i + 1), f"{a} and {b} do not touch")
                if not apart:
                    lines.append(tuple(Word(name, key.at) for name in line))
        return replace(content, lines=tuple(lines), board=None), kind


def staggered(stagger: str) -> tuple[int, bool]:
    """The columns or rows that lie half a hex further: 1 odd ones, 0 even ones, and whether they are rows."""
    return _STAGGERS[stagger]


def _shortened(signs: Mapping[tuple[int, int], Word], content: Rows) -> dict[tuple[int, int], Word]:
    """The hexes without the last one of each column or row that lies half a hex further."""
    along, across = (0, 1) if content.by_rows else (1, 0)
    most = max(x[along] for x in signs)
    number = int((content.first or "1,1").split(",")[across])
    return {x: w for x, w in signs.items() if x[along] < most or (x[across] + number) % 2 != content.lower % 2}

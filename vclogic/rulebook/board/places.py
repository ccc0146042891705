"""The places of a rulebook's board: grids, hexes and areas, with what touches what and where each is drawn."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

from vclogic.board.area import AreaMap
from vclogic.board.hexgrid import HexGrid, Stagger
from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.provenance import CodePlace, Places
from vclogic.rulebook.board.given import BORDERS
from vclogic.rulebook.declarations import BOTH_WAYS, DIAGONAL, Edges, KindOf, Rows
from vclogic.rulebook.source import Cell, RulesSource, TextTable
from vclogic.terms.domain import Domain
from vclogic.terms.expressions.syntax import Word
from vclogic.terms.sorts import EnumSort
from vclogic.terms.vocabulary import CountedKind, Fixed

_LISTED = re.compile(r'\s*(?:"([^"]*)"\s*|([^,]+))(?:,|\Z)')
TERRAIN, COLUMN, ROW = "terrain", "column", "row"
NO_PLACE = "-"
_BESIDE, _CORNERS = ((1, 0), (-1, 0), (0, 1), (0, -1)), ((1, 1), (1, -1), (-1, 1), (-1, -1))
MOST_MEMBERS = 5_000
_TRUTHS = {"true": "yes", "on": "yes", "false": "no", "off": "no"}
"""Other names of yes and no, where a kind has both: as which files may read them."""
FIRST = re.compile(
    r"(?P<letters>[A-Z]{1,2})(?P<number>[0-9]{1,3})|(?P<column>[0-9]{1,3}),(?P<row>[0-9]{1,3})"
    r"|(?P<both>[0-9]{4}|[0-9]{6})(?![0-9])"
)
"""The name of a map's first place as maps print it: A1, 1,1, or 0101."""


@dataclass(frozen=True)
class KindBoard:
    """The places of one kind.

    Attributes:
        kind: What they are, with what they touch.
        at: Where the centre of each is drawn, x to the right and y down; empty: wherever a picture puts it.
        grid: The hexes, if these are hexes.
        marks: What their terrain can be.
    """

    kind: CountedKind
    at: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    grid: HexGrid | None = None
    marks: tuple[str, ...] = ()

    @cached_property
    def links(self) -> tuple[tuple[str, str], ...]:
        """Pairs of places that touch, each once."""
        around, order = self.kind.neighbours or {}, self.kind.domain.sort.index
        return tuple((a, b) for a in around for b in around[a] if order[a] < order[b])


def once(names: Sequence[str], at: int, source: RulesSource) -> None:
    """Make sure that no name stands twice.

    Raises:
        InputError: One does.
    """
    twice = next((n for n, times in Counter(names).items() if times > 1), None)
    if twice is not None:
        raise source.goal.error(at, f"{quoted(twice)} stands there twice", "give each a name of its own")


def kind_of(
    name: Word,
    members: list[str],
    source: RulesSource,
    made: Mapping[str, Places],
    span: Callable[[str, str], tuple[str, ...]] | None = None,
    *,
    empty: bool = False,
    **more: Mapping[str, object],
) -> CountedKind:
    """A kind with its members, and where each is named.

    Args:
        name: What it is called.
        members: Them.
        source: The text.
        made: Where each is named.
        span: The members between two of them.
        empty: Whether there may be none.
        more: What else is known of it.

    Raises:
        InputError: One stands there twice, or there are too many.
    """
    if not members and not empty:
        raise source.goal.error(name.at, f"there is no {name.text} at all", "name one at least")
    if len(members) > MOST_MEMBERS:
        raise source.goal.error(name.at, f"there are more than {MOST_MEMBERS:,} of them", code="limit")
    once(members, name.at, source)
    aliases = {a: m for a, m in _TRUTHS.items() if {"yes", "no"}.issubset(members) and a not in members}
    domain = Domain(EnumSort(name.text, tuple(members) or (f"no {name.text}",)), aliases, span=span)
    return CountedKind(name.text, domain, made=made, none=not members, **more)  # type: ignore[arg-type]


# ---- tables


def from_table(content: KindOf, source: RulesSource, plain: Collection[str] = ()) -> KindBoard:
    """The kind that a table lists: each further column is a property; `borders` says what its members touch.

    Args:
        content: What is said of it.
        source: Its block.
        plain: The columns whose cells are taken as they stand.

    Raises:
        InputError: There is no table above, or it is wrong.
    """
    table = source.table
    if table is None or not table.head:
        help = "above the block stands a table: the first column has the names, each further one a property"
        raise source.goal.error(content.name.at, "there is no table above", help)
    rows = table.rows
    if wrong := list(_uneven(table, source.file)):
        raise InputError(wrong)
    if not rows:
        raise source.goal.error(content.name.at, "the table above has no rows")
    rows = tuple((replace(row[0], text=unquoted(row[0].text)), *row[1:]) for row in rows)
    names = [row[0].text for row in rows]
    properties: dict[str, dict[str, Fixed]] = {}
    around: dict[str, tuple[str, ...]] | None = None
    for i, head in enumerate(table.head[1:], 1):
        column = {row[0].text: row[i] for row in rows if i < len(row) and row[i].text}
        if content.areas and head.text.lower() == BORDERS:
            around = _borders(column, names, source)
        else:
            name = _column_name(head, source)
            as_it_stands: dict[str, Fixed] = {m: c.text for m, c in column.items()}
            properties[name] = as_it_stands if name in plain else _column(head, column, source)
    if content.areas and around is None:
        help = f"one column is called {BORDERS} and lists what each touches"
        raise source.goal.error(content.name.at, "the table does not say what touches what", help)
    more: dict[str, Mapping[str, object]] = {} if around is None else {"neighbours": around}
    made = {row[0].text: (CodePlace(source.file, row[0].line, ""),) for row in rows}
    return KindBoard(kind_of(content.name, names, source, made, None, empty=False, properties=properties, **more))


def _uneven(table: TextTable, file: str) -> Iterator[Diagnostic]:
    """Rows without a name, or with more or fewer cells than the head."""
    for row in table.rows:
        if len(row) != len(table.head):
            message = f"there are {len(row)} cells in this row, and {len(table.head)} in the head"
            help = "put a bar between each two cells; one without a value stands empty between its bars"
            yield Diagnostic("wrong-value", message, file, row[0].line, 1, help)
        elif not row[0].text:
            help = "the first cell of each row has the name"
            yield Diagnostic("wrong-value", "the first cell of this row is empty", file, row[0].line, 1, help)
        elif (sign := re.search(r"[*`<>~]", row[0].text)) and unquoted(row[0].text) == row[0].text:
            message = f"a name in a table cannot hold {quoted(sign[0])}"
            help = "take it out of the first cell, or put the name in double quotes"
            yield Diagnostic("wrong-value", message, file, row[0].line, 1, help)


def unquoted(name: str) -> str:
    """A name of a table without the double quotes in which one with odd signs stands."""
    return name[1:-1] if len(name) > 2 and name[0] == name[-1] == '"' else name


def _column_name(head: Cell, source: RulesSource) -> str:
    name = "_".join(head.text.split())
    if not name.isidentifier():
        message = f"a column cannot be called {quoted(head.text)}: goals use it as a name of letters, digits and _"
        inside = "_".join(re.findall(r"\w+", head.text))
        word = (
            inside
            if inside[:1].isalpha()
            else "_".join(filter(None, ("odds" if ":" in head.text else "column", inside)))
        )
        help = f"write a word that begins with a letter, such as {word}"
        raise InputError(Diagnostic("unreadable", message, source.file, head.line, head.column, help))
    return name


def _column(head: Cell, cells: Mapping[str, Cell], source: RulesSource) -> dict[str, Fixed]:
    """The values of a column: numbers all, or names all."""
    numbers = {m: c.text.removeprefix("-").isdigit() and c.text.isascii() for m, c in cells.items()}
    if any(numbers.values()) and not all(numbers.values()):
        odd = next(m for m, is_number in numbers.items() if not is_number)
        message = f"{quoted(cells[odd].text)} is no number, and the column {head.text} has numbers"
        help = "leave the cell empty where there is no value"
        raise InputError(Diagnostic("wrong-value", message, source.file, cells[odd].line, None, help))
    return {m: int(c.text) if numbers[m] else c.text for m, c in cells.items()}


def names_in(cell: str) -> list[str]:
    """The names that a cell lists, with commas between them; a name that has a comma stands in quotes.

    Args:
        cell: The text of the cell.
    """
    return [(quoted_one or plain).strip() for quoted_one, plain in _LISTED.findall(cell)]


def _borders(cells: Mapping[str, Cell], names: list[str], source: RulesSource) -> dict[str, tuple[str, ...]]:
    """The neighbours of each area; each touches what touches it."""
    wrong: list[Diagnostic] = []
    links: dict[tuple[str, str], None] = {}
    for name, cell in cells.items():
        for near in names_in(cell.text):
            if near not in names:
                message, help = (
                    f"{name} borders on {quoted(near)}, which is not in the table",
                    did_you_mean(near, names),
                )
                wrong.append(Diagnostic("unknown-name", message, source.file, cell.line, None, help))
            elif (near, name) not in links:
                links[name, near] = None
    if wrong:
        raise InputError(wrong)
    return dict(AreaMap(tuple(names), tuple(links)).neighbours)


def with_edges(edges: Edges, source: RulesSource, kinds: Mapping[str, CountedKind]) -> CountedKind:
    """The kind of places between which something lies, with that.

    Raises:
        InputError: They are no places, or do not touch.
    """
    boards = [k for k in kinds.values() if k.neighbours is not None]
    first = edges.lines[0][0]
    kind = next((k for k in boards if k.domain.find(first.text) is not None), boards[0] if boards else None)
    if kind is None:
        raise source.goal.error(edges.name.at, "there are no places", "declare them: areas, grid or hexes")
    pairs: dict[tuple[str, str], None] = {}
    wrong: list[Diagnostic] = []
    for line in edges.lines:
        for word in line:
            if kind.domain.find(word.text) is None:
                help = did_you_mean(word.text, kind.members)
                message = f"there is no {kind.name} {quoted(word.text)}"
                wrong += source.goal.error(word.at, message, help, "unknown-name").diagnostics
        for a, b in pairwise(line):
            if a.text in kind.graph.index and b.text in kind.graph.index:
                if b.text not in kind.around(a.text):
                    help = f"{a.text} touches {', '.join(kind.around(a.text)) or 'nothing'}"
                    wrong += source.goal.error(b.at, f"{a.text} and {b.text} do not touch", help).diagnostics
                pairs[a.text, b.text] = pairs[b.text, a.text] = None
    if wrong:
        raise InputError(list(map(source.placed, wrong)))
    return replace(kind, edges={**kind.edges, edges.name.text: pairs.keys()})


# ---- grids and hexes


def of_rows(content: Rows, source: RulesSource) -> KindBoard:
    """The board that rows of names or of marks, or a size, make.

    Raises:
        InputError: A place stands there twice, or a row is longer than others.
    """
    if not content.hexes:
        return _grid(content, source)
    return laid_out(content, source, {(c, r): word for c, r, word in _places(content)})


def _between(at: Mapping[str, tuple[int, int]]) -> Callable[[str, str], tuple[str, ...]]:
    """The places of the rectangle between two of them: `B2 to D4`.

    Args:
        at: Column and row of each.
    """

    def span(first: str, last: str) -> tuple[str, ...]:
        columns, rows = (sorted(pair) for pair in zip(at[first], at[last], strict=True))
        return tuple(n for n, (c, r) in at.items() if columns[0] <= c <= columns[1] and rows[0] <= r <= rows[1])

    return span


@dataclass(frozen=True)
class Printed:
    """The names of places as the map prints them.

    Attributes:
        column: The number of the first column.
        row: The number of the first row.
        digits: How many digits each has where one stands behind the other; 0: otherwise.
        letters: Whether columns have letters.
    """

    column: int = 1
    row: int = 1
    digits: int = 0
    letters: bool = True

    def __call__(self, column: int, row: int) -> str:
        """The name of a place.

        Args:
            column: Its column, counted from 0.
            row: Its row, counted from 0.
        """
        column, row = column + self.column, row + self.row
        if self.digits:
            return f"{column:0{self.digits}}{row:0{self.digits}}"
        return f"{_letters(column)}{row}" if self.letters else f"{column},{row}"


def _letters(column: int) -> str:
    """A column as letters: A, B, ..., Z, AA, AB."""
    found = ""
    while column:
        column, left = divmod(column - 1, 26)
        found = chr(ord("A") + left) + found
    return found


def printed(first: str) -> Printed:
    """The names of places by that of the first; empty: A1."""
    found = FIRST.fullmatch(first)
    if found is None:
        return Printed()
    if found["both"]:
        half = len(found["both"]) // 2
        return Printed(int(first[:half]), int(first[half:]), half, letters=False)
    if found["column"]:
        return Printed(int(found["column"]), int(found["row"]), letters=False)
    column = 0
    for letter in found["letters"]:
        column = 26 * column + ord(letter) - ord("A") + 1
    return Printed(column, int(found["number"]))


def _places(content: Rows) -> Iterator[tuple[int, int, Word]]:
    """Column, row, and what stands there, of each place of the rows or of the size."""
    if content.size is not None:
        (columns, rows), name = content.size, printed(content.first)
        yield from ((c, r, Word(name(c, r), content.name.at)) for r in range(rows) for c in range(columns))
    for r, row in enumerate(content.rows):
        yield from ((c, r, word) for c, word in enumerate(row) if word.text != NO_PLACE)


def _grid(content: Rows, source: RulesSource) -> KindBoard:
    at = {word.text: (c, r) for c, r, word in _places(content)}
    names = [word.text for _, _, word in _places(content)]
    ways = {DIAGONAL: _CORNERS, BOTH_WAYS: (*_BESIDE, *_CORNERS)}.get(content.touching, _BESIDE)
    by_place = {place: name for name, place in at.items()}
    around = {
        name: tuple(by_place[c + x, r + y] for x, y in ways if (c + x, r + y) in by_place)
        for name, (c, r) in at.items()
    }
    first = printed(content.first)
    properties = {
        COLUMN: {n: c + first.column for n, (c, _) in at.items()},
        ROW: {n: r + first.row for n, (_, r) in at.items()},
    }
    made = {word.text: source.made(word.at) for _, _, word in _places(content)}
    kind = kind_of(content.name, names, source, made, _between(at), neighbours=around, properties=properties)
    around_it = {
        n: tuple((c + x, r + y) for x, y in ways if (c + x, r + y) not in by_place) for n, (c, r) in at.items()
    }
    kind = replace(kind, straight=_straight(at, content.touching), outside=around_it)
    return KindBoard(kind, {name: (float(c), float(r)) for name, (c, r) in at.items()})


def _straight(at: Mapping[str, tuple[int, int]], touching: str) -> Callable[[str, str], int | None]:
    """A function for the distance of two places of a grid, whether or not there are places between them."""

    def far(a: str, b: str) -> int | None:
        across, down = (abs(x - y) for x, y in zip(at[a], at[b], strict=True))
        if touching == DIAGONAL:
            return max(across, down) if (across + down) % 2 == 0 else None
        return max(across, down) if touching == BOTH_WAYS else across + down

    return far


_STAGGER: Mapping[tuple[bool, int], Stagger] = {
    (False, 1): "odd-column",
    (False, 0): "even-column",
    (True, 1): "odd-row",
    (True, 0): "even-row",
}


def laid_out(content: Rows, source: RulesSource, there: Mapping[tuple[int, int], Word]) -> KindBoard:
    """The hexes of a board, by their columns and rows, counted from 0, each with its mark.

    Args:
        content: How they lie and are called.
        source: The text.
        there: The mark of each; an empty one: it has no terrain.
    """
    columns, rows = (max((x[i] + 1 for x in there), default=0) for i in (0, 1))
    if not there:
        return KindBoard(kind_of(content.name, [], source, {}))
    stagger = _STAGGER[content.by_rows, content.lower]
    called = printed(content.first)
    first = called.row if content.by_rows else called.column  # odd ones are those that the map calls so
    whole = HexGrid(columns, rows, stagger, first=first)
    absent = frozenset(h for h in whole.hexes if whole.offset(h) not in there)
    grid = HexGrid(columns, rows, stagger, absent, first=first)
    name = {h: called(*grid.offset(h)) for h in grid.hexes}
    around = {name[h]: tuple(name[n] for n in near) for h, near in grid.neighbours.items()}
    properties: dict[str, dict[str, Fixed]] = {
        COLUMN: {name[h]: grid.offset(h)[0] + called.column for h in grid.hexes},
        ROW: {name[h]: grid.offset(h)[1] + called.row for h in grid.hexes},
    }
    marks = dict(content.marks)
    terrain = {name[h]: there[grid.offset(h)].text for h in grid.hexes}
    if content.size is None and any(terrain.values()):
        properties[TERRAIN] = {h: marks.get(mark, mark) for h, mark in terrain.items()}
    made = {name[h]: source.made(there[grid.offset(h)].at) for h in grid.hexes}
    span = _between({name[h]: grid.offset(h) for h in grid.hexes})
    kind = kind_of(content.name, list(name.values()), source, made, span, neighbours=around, properties=properties)
    hexes = {n: h for h, n in name.items()}
    outside = {n: grid.outside(h) for n, h in hexes.items()}
    kind = replace(kind, straight=lambda a, b: grid.distance(hexes[a], hexes[b]), outside=outside)
    return KindBoard(kind, {name[h]: grid.centre(h) for h in grid.hexes}, grid, tuple(dict.fromkeys(marks.values())))

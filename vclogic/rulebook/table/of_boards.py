"""Kinds and boards: how they are read and written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from vclogic.rulebook.board.places import FIRST
from vclogic.rulebook.declarations import (
    BOTH_WAYS,
    DIAGONAL,
    ORTHOGONAL,
    BoardValue,
    Column,
    Edges,
    HexLayout,
    KindOf,
    Rows,
)
from vclogic.rulebook.table import written as text
from vclogic.rulebook.table.parts import (
    BOARD,
    OR,
    StatementPart,
    from_board,
    from_the_table,
    of_board,
    other_names,
    with_others,
)
from vclogic.rulebook.table.reader import HEADER_WORD, Reader
from vclogic.terms.expressions.syntax import Word

_SIZE = re.compile(r"([0-9]{1,2})\s+by\s+([0-9]{1,2})\b")
_STAGGER = re.compile(r"(odd|even)\s+(?:columns\s+(lower)|rows\s+(?:further\s+)?(right))\b")
_TOUCHING = re.compile(r"(with\s+diagonals|diagonals\s+only)\b")
_NAMED = re.compile(rf"named\s+from\s+(?:{FIRST.pattern})")
_TABLE = from_the_table("its members are missing here", "write kind NAME: A, B, or kind NAME, from the table")
_OPTIONAL = re.compile(r",\s*default\s+nothing\b")
_LAYOUT = {
    "first": re.compile(r"named\s+from\s+([^\W\d]\w*)"),
    "absent": re.compile(r"without\s+([^\W\d]\w*)"),
    "short": re.compile(r"short\s+rows\s+if\s+([^\W\d]\w*)"),
    "size": re.compile(r"([^\W\d]\w*)\s+by\s+([^\W\d]\w*)"),
    "stagger": re.compile(r"laid\s+as\s+([^\W\d]\w*)"),
}
"""What a board can say of hexes: each names a value of it."""
_RowsOfMarks = tuple[tuple[tuple[Word, ...], ...], tuple[tuple[str, str], ...]]


# ---- kinds


def _read_kind(r: Reader) -> Mapping[str, Any]:
    name = r.words("the kind")
    if r.lexer.skip(":"):
        members = [r.words("a member", OR)]
        also = [*other_names(r, members[0])]
        while (found := from_board(r)) is None and r.lexer.skip(","):
            members.append(r.words("a member", OR))
            also += other_names(r, members[-1])
        listed = {"name": name, "members": tuple(members), "also": tuple(also)}
        return {**listed, "board": found, "optional": bool(found) and _read_optional(r)}
    found = from_board(r)
    if found is not None:
        return {"name": name, "board": found, "optional": _read_optional(r)}
    return {"name": name, **_TABLE.read(r)}


def _read_optional(r: Reader) -> bool:
    """`, default nothing`: whether there may be none."""
    r.lexer.char()
    found = _OPTIONAL.match(r.text, r.lexer.at)
    r.lexer.at = found.end() if found else r.lexer.at
    return found is not None


def _kind(s: KindOf) -> str:
    head = f" {text.name(s.name, ())}"
    listed = f": {', '.join(with_others(w, s.also) for w in s.members)}" if s.members else ""
    if s.board is not None:
        return f"{head}{listed}{of_board(s.board)}{', default nothing' if s.optional else ''}"
    return head + (listed or _TABLE.written(s))


KIND = StatementPart(
    _read_kind,
    _kind,
    f'name (", from the table" | [":" member {{"or" name}} {{"," member ...}}] [{BOARD} [", default nothing"]])',
)

_AREAS = from_the_table("their table is missing here", "write areas NAME, from the table")


def _read_areas(r: Reader) -> Mapping[str, Any]:
    found = from_board(r)
    return _AREAS.read(r) if found is None else {"board": found}


AREAS = StatementPart(
    _read_areas, lambda s: of_board(s.board) or _AREAS.written(s), f'(", from the table" | {BOARD})'
)

# ---- columns

_COLUMN = "write column NAME(KIND): VALUE, VALUE, default VALUE"
_FROM = re.compile(r",\s*from\s")
_THE_TABLE = re.compile(r",\s*from\s+the\s+table\b")
NOTHING = "nothing"
"""The default of what may be left out."""


def _read_column(r: Reader) -> Mapping[str, Any]:
    name, of = r.named("the column"), r.parameters()
    if len(of) not in (1, 2):
        raise r.source.error(r.lexer.at, "a column is asked of one kind, or on a board of two", _COLUMN)
    head = {"name": name, "kind": of[0], "second": of[1] if of[1:] else None, **_read_values(r, _COLUMN)}
    r.lexer.char()
    table = _THE_TABLE.match(r.text, r.lexer.at)
    r.lexer.at = table.end() if table else r.lexer.at
    if head["second"] is not None and (table or head["several"]):
        message = "a column of two kinds has one value for each pair, and stands on a board"
        raise r.source.error(r.begin, message, "write column NAME(KIND, KIND): VALUE, VALUE")
    return {**head, "table": table is not None, "board": None if table else from_board(r)}


def _read_values(r: Reader, help: str) -> dict[str, Any]:
    """`: [several] VALUE, ... [, default VALUE]`, or `: NUMBER to NUMBER`; without it true or false."""
    numbers, several = None, False
    values: list[Word] = []
    if r.lexer.skip(":"):
        several, numbers = r.lexer.clause("several"), r.number_range()
        values = [] if numbers else [r.words("a value")]
    default: Word | None = None
    while default is None and not _FROM.match(r.text, _at(r)) and r.lexer.skip(","):
        if r.lexer.clause("default"):
            default = r.number() or r.words("the default")
        else:
            values.append(r.words("a value"))
    if numbers and (several or values):
        raise r.source.error(r.begin, "the values of a column are numbers, or names", help)
    optional = default is not None and default.text == NOTHING and not default.literal
    found = {"values": tuple(values), "range": numbers, "several": several}
    return {**found, "default": None if optional else default, "optional": optional}


def _at(r: Reader) -> int:
    """The place of the next sign."""
    r.lexer.char()
    return r.lexer.at


def _column(s: Column) -> str:
    table = ", from the table" if s.table else of_board(s.board)
    return f" {text.name(s.name, ())}{text.asked((s.kind, *filter(None, [s.second])))}{_values(s)}{table}"


def _values(s: Column | BoardValue) -> str:
    said = f"{s.range[0]} to {s.range[1]}" if s.range else text.names(s.values)
    default = "" if s.default is None else f", default {s.default.text if s.range else text.name(s.default, ())}"
    default = f", default {NOTHING}" if s.optional else default
    return (f": {'several ' if s.several else ''}{said}" if said else "") + default


_VALUES = '[":" (number "to" number | ["several"] value {"," value})] [", default" value]'
COLUMN = StatementPart(
    _read_column, _column, f'name "(" kind ["," kind] ")" {_VALUES} [", from the table" | {BOARD}]'
)

# ---- values of a board

_VALUE = "write board NAME: VALUE, VALUE, default VALUE, or board NAME is VALUE"


def _read_value(r: Reader) -> Mapping[str, Any]:
    name = r.named("the value", "is")
    if r.lexer.clause("is"):
        given = [r.number() or r.words("a value")]
        while r.lexer.skip(","):
            given.append(r.number() or r.words("a value"))
        return {"name": name, "given": tuple(given)}
    return {"name": name, **_read_values(r, _VALUE)}


def _value(s: BoardValue) -> str:
    if s.given:
        return f" {text.name(s.name, ())} is {', '.join(_number_or_name(w) for w in s.given)}"
    return f" {text.name(s.name, ())}{_values(s)}"


def _number_or_name(word: Word) -> str:
    return word.text if word.text.removeprefix("-").isdigit() else text.name(word, ())


VALUE = StatementPart(_read_value, _value, f'name ("is" value {{"," value}} | {_VALUES})')

# ---- edges


def _read_edges(r: Reader) -> Mapping[str, Any]:
    help = "write edges NAME: PLACE and PLACE, PLACE and PLACE and PLACE"
    name = r.named("what lies between places", "from")
    if (found := from_board(r)) is not None:
        return {"name": name, "board": found}
    if not r.lexer.skip(":"):
        raise r.source.error(r.lexer.at, "':' is missing here", help)
    lines: list[tuple[Word, ...]] = []
    while not lines or r.lexer.skip(","):
        places = [r.words("a place", "and")]
        while r.lexer.clause("and"):
            places.append(r.words("a place", "and"))
        if len(places) < 2:
            raise r.source.error(places[0].at, "it lies between two places", help)
        lines.append(tuple(places))
    return {"name": name, "lines": tuple(lines)}


def _edges(s: Edges) -> str:
    if s.board is not None:
        return f" {text.name(s.name, ())}{of_board(s.board)}"
    lines = (" and ".join(text.name(w, ("and",)) for w in line) for line in s.lines)
    return f" {text.name(s.name, ())}: {', '.join(lines)}"


EDGES = StatementPart(
    _read_edges, _edges, f'name (":" place "and" place {{"and" place}} {{"," place ...}} | {BOARD})'
)

# ---- grids and hexes


def _read_grid(r: Reader) -> Mapping[str, Any]:
    name, touching, size, first = r.header_word("what its places are called"), ORTHOGONAL, None, ""
    while r.lexer.skip(","):
        found = _size(r)
        if found:
            size = found
        elif named := _first(r):
            first = named
        else:
            help = "write 8 by 8, named from 0101, with diagonals, or diagonals only"
            way = r.match(_TOUCHING, "this is nothing that a grid can have", help)
            touching = BOTH_WAYS if way[1].startswith("with") else DIAGONAL
    rows = tuple(_rows_of_names(r))
    if first and rows:
        raise r.source.error(r.begin, "its places have names of their own", "leave `named from` out, or write a size")
    return {"name": name, "rows": _sized(r, rows, size), "size": size, "touching": touching, "first": first}


def _read_hexes(r: Reader) -> Mapping[str, Any]:
    name, size, lower, by_rows, first = r.header_word("what they are called"), None, 1, False, ""
    said: dict[str, Word] = {}
    board = None
    while not (board := from_board(r)) and r.lexer.skip(","):
        found = _size(r)
        if found:
            size = found
        elif named := _first(r):
            first = named
        elif told := _read_layout(r):
            said |= told
        else:
            help = "write odd columns lower, even columns lower, odd rows right, even rows right, "
            help += "5 by 5, or named from 0101"
            way = r.match(_STAGGER, "this is nothing that hexes can have", help)
            lower, by_rows = int(way[1] == "odd"), way[3] is not None
    how = {"lower": lower, "by_rows": by_rows, "first": first, "layout": HexLayout(**said) if said else None}
    if board is not None or "columns" in said:
        return {"name": name, "size": size, "board": board, **how}
    rows, marks = _rows_of_marks(r)
    rows = _sized(r, rows, size)
    return {"name": name, "rows": rows, "size": size, "marks": marks, **how}


def _read_layout(r: Reader) -> dict[str, Word]:
    """The value of the board for the layout of the hexes; nothing: none is named here."""
    at = _at(r)
    for what, pattern in _LAYOUT.items():
        found = pattern.match(r.text, at)
        if found:
            r.lexer.at = found.end()
            words = [Word(found[i], found.start(i)) for i in range(1, 1 + len(found.groups()))]
            return dict(zip(("columns", "rows") if what == "size" else (what,), words, strict=True))
    return {}


def _layout(s: HexLayout | None) -> list[str]:
    if s is None:
        return []
    found = [f"laid as {s.stagger.text}"] if s.stagger else []
    found += [f"{s.columns.text} by {s.rows.text}"] if s.columns and s.rows else []
    found += [f"named from {s.first.text}"] if s.first else []
    found += [f"without {s.absent.text}"] if s.absent else []
    return [*found, *([f"short rows if {s.short.text}"] if s.short else [])]


def _size(r: Reader) -> tuple[int, int] | None:
    """`8 by 8`; None: there is none here."""
    r.lexer.char()
    found = _SIZE.match(r.text, r.lexer.at)
    if found is None:
        return None
    r.lexer.at = found.end()
    return int(found[1]), int(found[2])


def _first(r: Reader) -> str:
    """The name of the first place; empty: it is not said here."""
    r.lexer.char()
    found = _NAMED.match(r.text, r.lexer.at)
    if found is None:
        return ""
    r.lexer.at = found.end()
    return found[0].split()[-1]


def _sized(
    r: Reader, rows: tuple[tuple[Word, ...], ...], size: tuple[int, int] | None
) -> tuple[tuple[Word, ...], ...]:
    """The rows, which are there unless there is a size."""
    if bool(rows) == (size is not None):
        message = "there are rows and a size" if rows else "there are no rows"
        raise r.source.error(r.begin, message, "below it stand its rows, or behind it its size: 8 by 8")
    return rows


def _rows_of_names(r: Reader) -> Iterator[tuple[Word, ...]]:
    """Rows of names, or `-` where there is no place."""
    for at, line in r.rest_of_lines():
        yield tuple(Word(found[0].strip("'\""), at + found.start()) for found in HEADER_WORD.finditer(line))


def _rows_of_marks(r: Reader) -> _RowsOfMarks:
    """Rows of marks, each a sign, and what the signs stand for."""
    rows: list[tuple[Word, ...]] = []
    marks: list[tuple[str, str]] = []
    for at, line in r.rest_of_lines():
        if line.startswith("marks "):
            for part in line.removeprefix("marks ").split(","):
                sign, _, name = part.strip().partition(" ")
                if len(sign) != 1 or not name.strip():
                    help = "write marks . open, w wood"
                    raise r.source.error(at, f"{part.strip()!r} says of no sign what it stands for", help)
                marks.append((sign, name.strip()))
        else:
            signs = [(i, sign) for i, sign in enumerate(line) if not sign.isspace()]
            rows.append(tuple(Word(sign, at + i) for i, sign in signs))
    known = {"-", *(sign for sign, _ in marks)}
    strange = next((w for row in rows for w in row if w.text not in known), None) if rows else None
    if strange is not None:
        help = f"write marks {strange.text} open, ...; - stands where there is no hex"
        raise r.source.error(strange.at, f"nothing says what {strange.text!r} stands for", help)
    return tuple(rows), tuple(marks)


def _rows(s: Rows) -> str:
    shifted = f"{'odd' if s.lower else 'even'} {'rows right' if s.by_rows else 'columns lower'}"
    size = None if s.size is None else f"{s.size[0]} by {s.size[1]}"
    shifted = "" if s.layout and s.layout.stagger else shifted
    head = [f" {text.header(s.name)}", shifted if s.hexes else s.touching, size]
    head += [f"named from {s.first}"] if s.first else []
    head += _layout(s.layout)
    if s.hexes:
        rows = ["".join(w.text for w in row) for row in s.rows]
        rows += [f"marks {', '.join(f'{sign} {meaning}' for sign, meaning in s.marks)}"] if s.marks else []
    else:
        cells = [[text.header(w) for w in row] for row in s.rows]
        wide = [max(len(row[i]) for row in cells if i < len(row)) for i in range(max(map(len, cells), default=0))]
        rows = ["  ".join(f"{cell:{wide[i]}}" for i, cell in enumerate(row)).rstrip() for row in cells]
    return "\n".join((", ".join(filter(None, head)) + of_board(s.board), *rows))


GRID = StatementPart(
    _read_grid,
    _rows,
    'name [", with diagonals" | ", diagonals only"] ("," number "by" number [", named from" name] | {row of names})',
)
HEXES = StatementPart(
    _read_hexes,
    _rows,
    'name "," ("odd" | "even") ("columns lower" | "rows right") [", named from" name] '
    f'("," number "by" number | {{row of marks}} marks | {BOARD}) {{"," layout}}',
)

"""A board as a rulebook in Markdown that says the same: tables, maps and values, over the text that it fills."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from vclogic.errors import Diagnostic, InputError, quoted
from vclogic.rulebook.board.filled import BLANK, staggered
from vclogic.rulebook.board.given import BORDERS, TO, BoardForm, GivenBoard, ListedMember
from vclogic.rulebook.board.places import NO_PLACE
from vclogic.rulebook.declarations import BoardValue, Column, Edges, HexLayout, Include, KindOf, Rows, Sides
from vclogic.rulebook.printing import printed
from vclogic.rulebook.source import RULES
from vclogic.rulebook.statements import Content
from vclogic.terms.expressions.syntax import Word


def scenario(form: BoardForm, board: object, text: str, title: str, about: str = "") -> str:
    """The rulebook.

    Args:
        form: What the text takes from a board.
        board: The board, as it was read.
        text: The file of the text, as the rulebook names it.
        title: What it is called.
        about: What is said of it.

    Raises:
        InputError: A name of the board cannot stand in a rulebook.
    """
    given = GivenBoard(form, board)
    parts = [f"# {title}", about, _block([Include(Word(text, 0)), *_values(given), *_sides(given)])]
    parts += _kinds(given)
    parts += _columns(given)
    parts += [_block([rows]) for rows in _maps(given)]
    parts += [_block([edges]) for edges in _edges(given)]
    return "\n\n".join(filter(None, parts)) + "\n"


def _block(contents: Sequence[Content]) -> str:
    return f"```{RULES}\n{printed(contents)}```" if contents else ""


def _word(text: object) -> Word:
    return Word(str(text).lower() if isinstance(text, bool) else str(text), 0)


# ---- values and sides


def _values(given: GivenBoard) -> Iterator[Content]:
    """The values that differ from what they are where a board says nothing."""
    for name, said in given.form.values.items():
        key, value = given.form.keys.get(name), given.value(name)
        if key is None or value is None or (key.default and key.default[0] == value):
            continue
        every = value if isinstance(value, tuple) else (value,)
        yield BoardValue(_word(name), given=tuple(_word(_cell(v)) for v in every)) if every else said


def _sides(given: GivenBoard) -> Iterator[Content]:
    sides = given.form.sides
    if sides is not None and sides.board is not None:
        names = [*getattr(given.read, sides.board.key.text)]
        yield Sides(tuple((_word(n), ()) for n in names))


# ---- kinds and their columns


def _kinds(given: GivenBoard) -> Iterator[str]:
    for name, kind in given.form.kinds.items():
        two = next((c for c in given.form.columns.get(name, {}).values() if c.second is not None), None)
        if two is not None and any(
            e.cells[two.name.text].value for e in given.entries(kind) if two.name.text in e.cells
        ):
            message = f"the column {quoted(two.name.text)} has a value for each of two kinds, which no table has"
            raise InputError(Diagnostic("bad-value", message, help="keep this board in YAML: include FILE.yaml"))
        entries = list(given.entries(kind))
        if not entries:
            continue
        columns = [
            c for c in given.form.columns.get(name, {}).values() if c.second is None and _in_entries(given, c, kind)
        ]
        if kind.board is not None and kind.board.by is not None:
            by = kind.board.by.text
            columns = [Column(_word(by), kind.name), *(c for c in columns if c.name.text != by)]
        said = [c for c in columns if c.board is not None]
        block: list[Content] = [KindOf(kind.name, areas=kind.areas), *(replace(c, board=None) for c in said)]
        yield f"{_entries(given, kind, entries, [c.name.text for c in columns])}\n\n{_block(block)}"


def _entries(given: GivenBoard, kind: KindOf, entries: Sequence[ListedMember], columns: Sequence[str]) -> str:
    """The table of a kind, without columns that say nothing."""
    there = [c for c in columns if any(c in e.cells and _said(e.cells[c].value) for e in entries)]
    around = {name: _text(near) for name, _, near in given.borders(kind)} if kind.areas else {}
    rows = [
        [
            _first(e.name),
            *([around[e.name]] if around else []),
            *(_text(e.cells[c].value) if c in e.cells else "" for c in there),
        ]
        for e in entries
    ]
    return _table([kind.name.text, *([BORDERS] if around else []), *there], rows)


def _in_entries(given: GivenBoard, column: Column, kind: KindOf) -> bool:
    """True if entries of a kind have a column."""
    of = column.board
    if of is None or kind.board is None:
        return of is None and not column.table
    return (of.within or of.key).text == kind.board.key.text


def _columns(given: GivenBoard) -> Iterator[str]:
    """The columns that stand by themselves."""
    for name, columns in given.form.columns.items():
        kind = given.form.kinds.get(name)
        own = [
            c for c in columns.values() if c.board is not None and (kind is None or not _in_entries(given, c, kind))
        ]
        cells = {c.name.text: given.column(c) for c in own}
        own = [c for c in own if cells[c.name.text]]
        members = dict.fromkeys(m for c in own for m in cells[c.name.text])
        if own:
            texts = {c: {m: _text(x.value) for m, x in of.items()} for c, of in cells.items()}
            rows = [[_first(m), *(texts[c.name.text].get(m, "") for c in own)] for m in members]
            block = [replace(c, board=None, table=True) for c in own]
            yield f"{_table([name, *(c.name.text for c in own)], rows)}\n\n{_block(block)}"


# ---- maps


def _maps(given: GivenBoard) -> Iterator[Rows]:
    """The maps of signs; one of columns and rows is told by values."""
    for rows in (k for k in given.form.every.values() if isinstance(k, Rows) and k.board is not None):
        assert rows.board is not None, "it has one"
        layout = rows.layout or HexLayout()
        stagger = _value(given, layout.stagger)
        lower, by_rows = staggered(stagger) if stagger else (rows.lower, rows.by_rows)
        number = _value(given, layout.first)
        picture = getattr(given.read, rows.board.key.text)
        signs = tuple(dict.fromkeys(sign for line in picture for sign in line if sign != BLANK))
        for sign in signs:
            if sign in (",", NO_PLACE, "#"):
                message = f"the sign {quoted(sign)} of the map means something else in a rulebook"
                raise InputError(Diagnostic("bad-value", message, help="give the terrain another sign"))
        wide = max(map(len, picture), default=0)
        lines = (line.ljust(wide).replace(BLANK, NO_PLACE) for line in picture)
        yield Rows(
            rows.name,
            tuple(tuple(_word(sign) for sign in line) for line in lines),
            hexes=True,
            lower=lower,
            by_rows=by_rows,
            marks=tuple((sign, sign) for sign in signs),
            first=f"{number},{number}" if isinstance(number, int) else rows.first,
        )


def _value(given: GivenBoard, word: Word | None) -> Any:
    return None if word is None else given.value(word.text)


def _edges(given: GivenBoard) -> Iterator[Edges]:
    for edges in given.form.edges:
        assert edges.board is not None, "it has one"
        lines = getattr(given.read, edges.board.key.text)
        if lines:
            yield Edges(edges.name, tuple(tuple(map(_word, line)) for line in lines))


# ---- tables


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    every = [head, ["---"] * len(head), *rows]
    return "\n".join("|" + "".join(f" {cell} |" if cell else " |" for cell in row) for row in every)


def _first(name: str) -> str:
    """A name in the first column of a table."""
    plain = not any(sign in name for sign in '*`<>~_\\|"')
    return name if plain else f'"{_escaped(name)}"'


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|")


def _said(value: Any) -> bool:
    return value is not None and value != ()


def _cell(value: Any) -> Any:
    return TO.join(value) if isinstance(value, tuple) else value


def _text(value: Any) -> str:
    """A value as a cell: several with commas between them, a name with a comma in quotes."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        texts = [str(_cell(v)) for v in value]
        return ", ".join(f'"{_escaped(t)}"' if "," in t else _escaped(t) for t in texts)
    return _escaped(str(value))

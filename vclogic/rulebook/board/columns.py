"""Columns whose values a rulebook declares: what a cell can say, and what is so where there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.rulebook.board.given import Said, is_open, is_truth, paired
from vclogic.rulebook.board.places import names_in, unquoted
from vclogic.rulebook.declarations import Column
from vclogic.rulebook.source import RulesSource
from vclogic.terms.domain import Domain
from vclogic.terms.expressions.named import OR, together
from vclogic.terms.expressions.syntax import Word
from vclogic.terms.sorts import EnumSort
from vclogic.terms.vocabulary import CountedKind, Fixed

Declared = tuple[RulesSource, Column]
Given = Fixed | tuple[str, ...]
"""The value of a column for a member; several where it has several."""
_TRUTHS = {"true": True, "yes": True, "false": False, "no": False}


def with_columns(
    kind: CountedKind,
    columns: Sequence[Declared],
    kinds: Mapping[str, CountedKind],
    given: Callable[[RulesSource, Column, Domain | None], Mapping[str, Given] | None] = lambda *_: None,
) -> CountedKind:
    """A kind with the values of the columns that are declared for it.

    Args:
        kind: The kind; its cells are as they stand.
        columns: What is declared.
        kinds: All kinds by name.
        given: What a board says of a column, whose values have some names; None: it is not taken from one.

    Raises:
        InputError: A cell says something else.
    """
    wrong: list[Diagnostic] = []
    for source, column in columns:
        cells = dict(kind.properties.get(column.name.text, {}))
        domain = names_of(source, column, kinds)
        if (of_board := given(source, column, domain)) is not None:
            kind = _with(kind, column, domain, of_board)
            continue
        said = {m: str(cells[m]) for m in kind.members if m in cells}
        if column.table:
            said = _in_the_table(source, column, kind)
        if column.default is not None:
            said = {m: said.get(m, column.default.text) for m in kind.members}
        values: dict[str, Given] = {}
        for member, text in said.items():
            try:
                found = tuple(_read(column, domain, part.strip()) for part in _parts(column, text))
            except InputError as error:
                wrong += _placed(error, source, column, kind, member if member in cells else "")
                if member not in cells:
                    break
                continue
            if column.several:
                values[member] = tuple(str(v) for one in found for v in one)
            else:
                ((values[member],),) = found
        kind = _with(kind, column, domain, values)
    if wrong:
        raise InputError(wrong)
    return kind


def _with(kind: CountedKind, column: Column, domain: Domain | None, values: Mapping[str, Given]) -> CountedKind:
    """A kind with the values of a column."""
    name = column.name.text
    properties = {n: of for n, of in kind.properties.items() if n != name}
    named = kind.named if domain is None else {**kind.named, name: domain}
    if column.several:
        several = {m: v for m, v in values.items() if isinstance(v, tuple)}
        return replace(kind, properties=properties, named=named, several_of={**kind.several_of, name: several})
    single = {m: v for m, v in values.items() if not isinstance(v, tuple)}
    truths = kind.truths | {name} if is_truth(column) else kind.truths - {name}
    return replace(kind, properties={**properties, name: single}, named=named, truths=truths)


def _in_the_table(source: RulesSource, column: Column, kind: CountedKind) -> dict[str, str]:
    """The cells of a column in the table above, whose first column names members.

    Raises:
        InputError: There is none, or it names something else.
    """
    heads = [] if source.table is None else ["_".join(h.text.split()) for h in source.table.head]
    if source.table is None or column.name.text not in heads[1:]:
        help = (
            f"above the block stands a table: its first column names each {kind.name}, another is {column.name.text}"
        )
        raise source.goal.error(column.name.at, "the table above does not have it", help)
    at = heads.index(column.name.text)
    names = [unquoted(row[0].text) for row in source.table.rows]
    wrong = [
        Diagnostic(
            "unknown-name",
            f"there is no {kind.name} {quoted(name)}",
            source.file,
            row[0].line,
            1,
            did_you_mean(name, kind.members),
        )
        for name, row in zip(names, source.table.rows, strict=True)
        if kind.domain.find(name) is None
    ]
    if wrong:
        raise InputError(wrong)
    pairs = zip(names, source.table.rows, strict=True)
    return {name: row[at].text for name, row in pairs if at < len(row) and row[at].text}


def names_of(source: RulesSource, column: Said, kinds: Mapping[str, CountedKind]) -> Domain | None:
    """The names that a column can say; None: it says a number, true or false, or any name."""
    if not column.values or is_open(column):
        return None
    place = paired(column)
    single: list[str] = []
    domains = []
    for word in (Word(place, column.name.at),) if place else column.values:
        if word.text in kinds:
            domains.append(kinds[word.text].domain)
        else:
            single.append(word.text)
    twice = next((n for i, n in enumerate(single) if n in single[:i]), None)
    if twice is not None:
        raise source.goal.error(column.name.at, f"{quoted(twice)} stands there twice", "name each value once")
    if single:
        domains.append(Domain(EnumSort(column.name.text if not domains else OR.join(single), tuple(single))))
    return together(domains)


def _parts(column: Column, text: str) -> list[str]:
    return [p for p in names_in(text) if p] if column.several else [text]


def _read(column: Said, domain: Domain | None, text: str) -> tuple[Fixed, ...]:
    """The values of a part of a cell: a number, a name, or several where the column has several.

    Raises:
        InputError: It is no value of the column; without a place.
    """
    message = f"{quoted(text)} is no value of {column.name.text}"
    if is_truth(column):
        if text not in _TRUTHS:
            raise InputError(Diagnostic("wrong-value", message, help="it is yes or no"))
        return (_TRUTHS[text],)
    if is_open(column):
        return (text,)
    if domain is None:
        assert column.range is not None, "a column has names or numbers"
        low, high = column.range
        if not (text.removeprefix("-").isdigit() and text.isascii() and low <= int(text[:10]) <= high):
            help = f"it is a number from {low} to {high}"
            raise InputError(Diagnostic("wrong-value", message, help=help))
        return (int(text),)
    known = domain.find(text)
    if known is not None:
        return (known,)
    if column.several and " to " in text:
        return domain.several(text)
    near = did_you_mean(text, domain.sort.members)
    raise InputError(Diagnostic("wrong-value", message, help=near))


def _placed(
    error: InputError, source: RulesSource, column: Column, kind: CountedKind, member: str
) -> Iterator[Diagnostic]:
    """The faults of a cell, at its row; of the default, where it stands."""
    made = kind.made.get(member, ())
    for found in error.diagnostics:
        if made:
            yield replace(found, file=made[0].file, line=made[0].line)
        else:
            at = column.name.at if column.default is None else column.default.at
            yield from map(source.placed, source.goal.error(at, found.message, found.help, found.code).diagnostics)

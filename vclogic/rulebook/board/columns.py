"""Columns whose values a rulebook declares: what a cell can say, and what is so where there is none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.rulebook.board.places import names_in
from vclogic.rulebook.declarations import Column
from vclogic.rulebook.source import RulesSource
from vclogic.terms.domain import Domain
from vclogic.terms.goal.named import OR, together
from vclogic.terms.sorts import EnumSort
from vclogic.terms.vocabulary import CountedKind, Fixed

Declared = tuple[RulesSource, Column]


def with_columns(kind: CountedKind, columns: Sequence[Declared], kinds: Mapping[str, CountedKind]) -> CountedKind:
    """A kind with the values of the columns that are declared for it.

    Args:
        kind: The kind; its cells are as they stand.
        columns: What is declared.
        kinds: All kinds by name.

    Raises:
        InputError: A cell says something else.
    """
    wrong: list[Diagnostic] = []
    for source, column in columns:
        name, cells = column.name.text, dict(kind.properties.get(column.name.text, {}))
        said = {m: str(cells[m]) for m in kind.members if m in cells}
        if column.default is not None:
            said = {m: said.get(m, column.default.text) for m in kind.members}
        domain = None if column.range is not None else _names(source, column, kinds)
        values: dict[str, Fixed] = {}
        several: dict[str, tuple[str, ...]] = {}
        for member, text in said.items():
            try:
                found = tuple(_read(column, domain, part.strip()) for part in _parts(column, text))
            except InputError as error:
                wrong += _placed(error, source, column, kind, member if member in cells else "")
                if member not in cells:
                    break
                continue
            if column.several:
                several[member] = tuple(str(v) for one in found for v in one)
            else:
                ((values[member],),) = found
        properties = {n: of for n, of in kind.properties.items() if n != name}
        named = kind.named if domain is None else {**kind.named, name: domain}
        if column.several:
            kind = replace(kind, properties=properties, named=named, several_of={**kind.several_of, name: several})
        else:
            kind = replace(kind, properties={**properties, name: values}, named=named)
    if wrong:
        raise InputError(wrong)
    return kind


def _names(source: RulesSource, column: Column, kinds: Mapping[str, CountedKind]) -> Domain:
    """The names that a column can say."""
    single: list[str] = []
    domains = []
    for word in column.values:
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


def _read(column: Column, domain: Domain | None, text: str) -> tuple[Fixed, ...]:
    """What a part of a cell says: a number, a name, or several where the column has several.

    Raises:
        InputError: It is no value of the column; without a place.
    """
    message = f"{quoted(text)} is no value of {column.name.text}"
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
    """What is wrong with a cell, at its row; with the default, where it stands."""
    made = kind.made.get(member, ())
    for found in error.diagnostics:
        if made:
            yield replace(found, file=made[0].file, line=made[0].line)
        else:
            at = column.name.at if column.default is None else column.default.at
            yield from map(source.placed, source.goal.error(at, found.message, found.help, found.code).diagnostics)

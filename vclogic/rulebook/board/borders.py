"""The borders in a table, against each other and against the sentences that list them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set

from vclogic.rulebook.board.given import BORDERS
from vclogic.rulebook.board.places import names_in
from vclogic.rulebook.declarations import KindOf
from vclogic.rulebook.source import RulesSource, TextTable
from vclogic.rulebook.statements import Statement

_TOUCHES = (
    r"(?:touch(?:es)?|borders?(?: on)?|adjoins?|neighbours?|leads? to|meets?"
    r"|(?:is|are|lies?) (?:adjacent|next|joined|connected|linked|beside) ?(?:to|with)?)"
)
_MOST_LEFT_OUT = 2  # pairs of the table that a sentence leaves out which lists all of them, but for a slip
_Pair = frozenset[str]


def unlike(source: RulesSource, statement: Statement, text: str) -> Iterator[tuple[str, int]]:
    """The borders in a table that a statement reads and that disagree, each with its line of the file.

    Args:
        text: The sentences of the statement.
    """
    content, table = statement.content, source.table
    if not isinstance(content, KindOf) or not content.areas or table is None:
        return
    column = next((i for i, head in enumerate(table.head) if head.text.lower() == BORDERS), None)
    if column is None:
        return
    names = [row[0].text for row in table.rows]
    lines = {row[0].text: row[0].line for row in table.rows}
    said = [(row[0].text, near) for row in table.rows for near in names_in(row[column].text) if near in names]
    yield from _one_sided(said, lines)
    yield from _unsaid({frozenset(pair) for pair in said}, text, table)


def _one_sided(said: list[tuple[str, str]], lines: dict[str, int]) -> Iterator[tuple[str, int]]:
    """Borders that one row alone has, in a table that gives the others in both rows."""
    there = {*said}
    twice = [pair for pair in said if pair[::-1] in there]
    once = [pair for pair in said if pair[::-1] not in there]
    if len(twice) > 2 * len(once):
        for name, near in once:
            yield f"the row of {name} borders on {near}, and the row of {near} not on {name}", lines[near]


def _unsaid(there: Set[_Pair], text: str, table: TextTable) -> Iterator[tuple[str, int]]:
    """Pairs that a sentence lists and the table lacks, or the other way round."""
    lines = {row[0].text: row[0].line for row in table.rows}
    listed = dict.fromkeys(_pairs(text, [*lines]))
    for pair in listed:
        if frozenset(pair) not in there:
            yield f"the sentence has a border between {pair[0]} and {pair[1]}, and the table has none", lines[pair[0]]
    known = {frozenset(pair) for pair in listed}
    missing = [p for p in there if p not in known and len(p) > 1]
    if missing and len(missing) <= _MOST_LEFT_OUT < len(known & there):
        for a, b in sorted(tuple(sorted(p)) for p in missing):
            yield f"the table has a border between {a} and {b}, and the sentence lists none", lines[a]


def _pairs(text: str, names: list[str]) -> Iterator[tuple[str, str]]:
    """The pairs of places that a text says touch: `A touches B and C`, or `A-B`."""
    name = "|".join(re.escape(n) for n in sorted(names, key=len, reverse=True))
    each = rf"(?:the )?({name})(?!\w)"
    for found in re.finditer(rf"(?<!\w){each} {_TOUCHES} ((?:{each}(?:, (?:and )?| and )?)+)", text):
        for near in re.findall(rf"(?<!\w)({name})(?!\w)", found[2]):
            yield found[1], near
    if not any(re.search(r"[-–—]", n) for n in names):
        yield from re.findall(rf"(?<!\w)({name}) ?[-–—] ?({name})(?!\w)", text)

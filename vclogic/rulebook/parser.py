"""The parser of texts of rules: lines become statements, with expressions of the goal language in them.

A statement begins at the margin; what stands further right belongs to it. `#` begins a comment. The order of the
statements has no force, but for `otherwise`. Which statements there are is in `vclogic.rulebook.table.entries`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from vclogic.errors import Diagnostic, InputError
from vclogic.rulebook.declarations import EventRule
from vclogic.rulebook.statements import Content, Statement
from vclogic.rulebook.table.entries import TEXT
from vclogic.rulebook.table.entry import StatementEntry, StatementTable
from vclogic.rulebook.table.reader import BELOW, ENDS, STRING, VERBS, WORD, Reader, begins_statement
from vclogic.terms.expressions.syntax import GoalSource

MAX_STATEMENTS = 1000
MAX_TEXT = 200_000
_DEFINED = re.compile(r"\w+\([^()]*\)\s+means\b")
"""A definition may be called as a line can begin."""
CITED = re.compile(r"\[(\d[\w./-]*(?:,[ \t]*\d[\w./-]*)*)\][ \t]*$", re.MULTILINE)
"""The sentences that a line cites, behind it."""


def parse_rules(
    text: str, label: str = "outcomes", own: Collection[str] = (), table: StatementTable = TEXT
) -> tuple[Statement, ...]:
    """The statements of a text.

    Args:
        text: The text.
        label: What to call it in a diagnostic.
        own: The names of observables, which come before the language's own words for what is counted.
        table: The statements that there are; else those of a text that stands beside a game.

    Raises:
        InputError: All statements that cannot be read, each with the first thing wrong with it.
    """
    source = GoalSource(text, label)
    if len(text) > MAX_TEXT:
        raise source.error(0, f"the text is longer than {MAX_TEXT} characters", code="limit")
    for at, char in enumerate(text):
        if not char.isprintable() and char not in "\t\r\n":
            raise source.error(at, "a sign that nobody sees", "type a space, or nothing")
    plain = STRING.sub(lambda found: " " * len(found[0]) if found[0][0] == "#" else found[0], text)
    cited = {m.start(): tuple(c.strip() for c in m[1].split(",")) for m in CITED.finditer(plain)}
    plain = CITED.sub(lambda found: " " * len(found[0]), plain)
    found: list[Statement] = []
    wrong: list[Diagnostic] = []
    parts = list(_parts(plain, table.beginnings))
    begins = [at for at, _ in parts[1:]] + [len(plain)] * bool(
        parts
    )  # what a statement cites stands behind its last word
    for (at, end), begins_next in zip(parts, begins, strict=True):
        if len(found) == MAX_STATEMENTS:
            raise source.error(at, f"there are more than {MAX_STATEMENTS} statements", code="limit")
        try:
            content = _content(Reader(GoalSource(plain[:end], label), own, at, table.beginnings), table)
            here = {place: clauses for place, clauses in cited.items() if at <= place < begins_next}
            content, own = _with_clauses(content, here)
            found.append(Statement(content, at, end, " ".join(plain[at:end].split()), own))
        except InputError as error:
            wrong += error.diagnostics
    if wrong:
        raise InputError(wrong)
    if not found:
        raise source.error(0, "there is nothing here", table.lines)
    return tuple(found)


def _with_clauses(content: Content, cited: Mapping[int, tuple[str, ...]]) -> tuple[Content, tuple[str, ...]]:
    """A statement whose lines below it have the sentences that stand behind them; and those that it cites itself.

    Args:
        cited: The sentences, each with its place.
    """
    own = content if isinstance(content, EventRule) else None
    below = {*(n.at for n in own.needs), *(e.at for e in own.effects)} if own is not None else set()
    begins = sorted((*below, *(t.at for t in own.takes))) if own is not None else []
    lines: dict[int, tuple[str, ...]] = {}
    left: tuple[str, ...] = ()
    for place, clauses in cited.items():
        line = max((at for at in begins if at < place), default=-1)
        if line in below:
            lines[line] = (*lines.get(line, ()), *clauses)
        else:
            left += clauses
    if own is None or not lines:
        return content, left
    needs = tuple(replace(n, clauses=lines.get(n.at, ())) for n in own.needs)
    return replace(
        own, needs=needs, effects=tuple(replace(e, clauses=lines.get(e.at, ())) for e in own.effects)
    ), left


def _parts(text: str, beginnings: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """The lines at which each statement begins and ends."""
    blank = STRING.sub(lambda found: "_" * len(found[0]), text)  # parentheses in quotes close nothing
    begins: list[int] = []
    at = depth = 0
    margin: int | None = None
    for line in blank.splitlines(keepends=True):
        stripped = line.strip()
        indent = len(line) - len(line.lstrip())
        right = len(line[:indent].expandtabs())
        margin = right if margin is None and stripped else margin
        if stripped and right <= (margin or 0) and (depth <= 0 or begins_statement(stripped, beginnings)):
            begins.append(at + indent)
            depth = 0
        depth += line.count("(") - line.count(")")
        at += len(line)
    ends = [*begins[1:], len(text)] if begins else []
    return ((a, a + len(text[a:b].rstrip())) for a, b in zip(begins, ends, strict=True))


def _content(r: Reader, table: StatementTable) -> Content:
    """The statement that a reader stands before."""
    blank = STRING.sub(lambda found: "_" * len(found[0]), r.text[r.begin :])
    words = WORD.findall(blank)
    entry = _by_words(r, words, table, called=bool(_DEFINED.match(blank))) or _by_a_word_within(r, words, table)
    if entry is not None:
        return entry.read(r)
    lower = (*VERBS, *TEXT.beginnings, "means")
    large = next((w for w in WORD.finditer(blank) if w[0].lower() in lower), None)
    if large:
        help = f"write `{large[0].lower()}`"
        raise r.source.error(r.begin + large.start(), f"{large[0]!r} cannot stand here", help)
    raise r.source.error(r.begin, "this line says nothing that can be read", table.lines)


def _by_words(r: Reader, words: list[str], table: StatementTable, called: bool) -> StatementEntry | None:
    """The statement that begins with a word of its own, which is then read.

    Args:
        called: Whether a name stands there of which something is asked.
    """
    first, second = (*words, "", "")[:2]
    for entry in table.entries:
        if entry.words and entry.before[0] and [first, second] == [entry.before[0], entry.words[0]]:
            r.prefixed = r.lexer.clause(first)
            r.lexer.clause(second)
            return entry
    entries = () if called else table.beginning(first)
    entries = () if second == "means" and all(e.words[1:] for e in entries) else entries  # `left means 3`
    entries = tuple(e for e in entries if not e.within or not {*e.within}.isdisjoint(words))
    if entries:
        r.lexer.clause(first)
    return next((e for e in entries if e.words[1:2] == (second,)), entries[-1] if entries else None)


def _by_a_word_within(r: Reader, words: list[str], table: StatementTable) -> StatementEntry | None:
    """The statement that begins with a name and is told by a word within; the word before it is then read."""
    first = words[0] if words else ""
    for entry in (e for e in table.entries if e.told_by):
        if VERBS.keys() & {*entry.told_by}:
            _refuse(r, first)
        elif first == entry.before[0]:
            r.prefixed = r.lexer.clause(first)
            return entry
        if any(w in entry.told_by for w in words):
            r.prefixed = r.lexer.clause(entry.before[0])
            return entry
    return None


def _refuse(r: Reader, first: str) -> None:
    """Refuse what belongs to the line above it, and what begins a block."""
    if first in BELOW:
        raise r.source.error(r.begin, "this belongs to the event above it", "begin it further right")
    if r.text.startswith("```", r.begin):
        message = "a block begins in this one, which is not closed"
        raise r.source.error(r.begin, message, "write ``` in a line of its own where the block above ends")
    if first in ENDS:
        raise r.source.error(r.begin, "this belongs to the fact above it", "begin it further right")

"""A rulebook with its blocks written anew in one style; comments stay where they are, and so does the prose."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from vclogic.errors import Diagnostic, InputError
from vclogic.rulebook.declarations import Choice, EventRule, Rows
from vclogic.rulebook.document import says
from vclogic.rulebook.markdown.pieces import Piece, pieces
from vclogic.rulebook.parser import CITED
from vclogic.rulebook.printing import INDENT, fitted, parts
from vclogic.rulebook.source import RULES
from vclogic.rulebook.statements import OutcomeTable, RememberedFact, Statement
from vclogic.rulebook.table.reader import BELOW, BELOW_OBJECTIVE, BELOW_PLAN, ENDS, STRING

_BELOW = re.compile(rf"\s+({'|'.join((*BELOW, *ENDS, *BELOW_PLAN, *BELOW_OBJECTIVE))})\b")
_BLANKS = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|[ \t]+")


def formatted(text: str, file: str) -> str:
    """The rulebook, written anew.

    Args:
        text: What its file holds.
        file: The file.

    Raises:
        InputError: All statements that cannot be read, at their lines of the file.
    """
    found: list[str] = []
    wrong: list[Diagnostic] = []
    for piece in pieces(text):
        try:
            found.append(piece.with_lines(_lines(piece, file)) if piece.kind else piece.whole)
        except InputError as error:
            wrong += error.diagnostics
    if wrong:
        raise InputError(wrong)
    return "".join(found)


def _lines(piece: Piece, file: str) -> list[str]:
    found = list(_rules(piece.text, piece.statements(file)) if piece.kind == RULES else _rulings(piece.text))
    kept = [line for n, line in enumerate(found) if line or (n and found[n - 1])]  # one empty line at a time
    return kept[: len(kept) - (kept[-1:] == [""])][kept[:1] == [""] :]


def _rulings(text: str) -> Iterator[str]:
    """Titles at the margin, and what is below them further right."""
    for line in text.splitlines():
        code, comment = (line, "") if line.lstrip().startswith("#") else _parted(line)
        words = _BLANKS.sub(lambda m: m[0] if m[0][0] in "'\"" else " ", code.strip())
        yield f"{INDENT if words and line[:1].isspace() else ''}{words}{comment}"


def _parted(line: str) -> tuple[str, str]:
    """A line of a ruling and its comment, which a blank comes before."""
    code, sign, comment = line.partition(" #")
    return code.rstrip(), f"  #{comment.rstrip()}" if sign else ""


# ---- blocks of rules


@dataclass
class _BlockLine:
    """A line of a block, without the comment and the number of a sentence behind it."""

    code: str
    cite: str
    comment: str
    further_right: bool


@dataclass
class _Below:
    """The printed lines below one line of a statement.

    Attributes:
        above: Comments that stand above it.
        cites: Numbers of sentences behind it.
        behind: The comments behind it.
    """

    above: list[str] = field(default_factory=list)
    cites: list[str] = field(default_factory=list)
    behind: list[str] = field(default_factory=list)


def _rules(text: str, statements: Sequence[Statement]) -> Iterator[str]:
    """The lines of a block; a statement that would say something else then stays as it is."""
    lines = _read(text)
    done = 0
    for statement in statements:
        begin, end = (text.count("\n", 0, at) for at in (statement.at, statement.end))
        yield from (_between(line) for line in lines[done:begin])
        found = list(_statement(statement, lines[begin : end + 1]))
        if not says("\n".join(found), statement):
            found = [line.rstrip() for line in text.split("\n")[begin : end + 1]]
        yield from found
        done = end + 1
    yield from (_between(line) for line in lines[done:])


def _read(text: str) -> list[_BlockLine]:
    comments = {m.start(): m[0] for m in STRING.finditer(text) if m[0][0] == "#"}
    found: list[_BlockLine] = []
    at = 0
    for line in text.split("\n"):
        mark = next((c for c in comments if at <= c <= at + len(line)), at + len(line))
        code = line[: mark - at].rstrip()
        cited = CITED.search(code)
        cite = cited[1] if cited else ""
        code = code[: cited.start()].rstrip() if cited else code
        found.append(_BlockLine(code, cite, comments.get(mark, "").rstrip(), line[:1].isspace()))
        at += len(line) + 1
    return found


def _between(line: _BlockLine) -> str:
    return f"{INDENT if line.further_right and line.comment else ''}{line.comment}"


def _statement(statement: Statement, lines: Sequence[_BlockLine]) -> Iterator[str]:
    printed = [CITED.sub("", line).rstrip() for line in parts(statement.content)]
    own = _own_lines(statement, lines)
    order: Mapping[int, int] = {n: n for n in range(len(printed))}
    if isinstance(statement.content, EventRule):
        order = _as_written(printed, [lines[n].code for n in own])
    if len(own) != len(printed):  # nothing tells what is whose: all of it is the first line's
        own, order = own[:1], {n: n for n in range(len(printed))}
    belongs = [_Below() for _ in printed]
    ends = (*own[1:], len(lines))
    now = 0
    for n, line in enumerate(lines):
        now = own.index(n) if n in own else now
        if line.code:
            belongs[now].cites += [line.cite] if line.cite else []
            belongs[now].behind += [line.comment] if line.comment else []
        elif line.comment:  # it belongs to what goes on below it
            goes_on = now == len(own) - 1 or any(x.code for x in lines[n : ends[now]])
            belongs[now if goes_on else now + 1].above.append(line.comment)
    for n in range(len(printed)):
        yield from _laid_out(printed[order[n]], belongs[n])


def _own_lines(statement: Statement, lines: Sequence[_BlockLine]) -> list[int]:
    """The lines with which the parts of a statement begin."""
    content = statement.content
    if isinstance(content, OutcomeTable | Rows | Choice):
        return [n for n, line in enumerate(lines) if line.code]
    if isinstance(content, EventRule | RememberedFact):
        return [n for n, line in enumerate(lines) if n == 0 or _BELOW.match(line.code)]
    return [0]


def _as_written(printed: Sequence[str], written: Sequence[str]) -> Mapping[int, int]:
    """The order in which the lines of an event were written, for each printed line."""
    left: dict[str, list[int]] = {}
    for n, line in enumerate(printed[1:], 1):
        left.setdefault(line.split()[0], []).append(n)
    words = [line.split()[0] for line in written[1:]]
    if sorted(words) != sorted(line.split()[0] for line in printed[1:]):
        return {n: n for n in range(len(printed))}
    return {0: 0, **{n: left[word].pop(0) for n, word in enumerate(words, 1)}}


def _laid_out(line: str, what: _Below) -> Iterator[str]:
    above = (*what.above, *what.behind[:-1])
    yield from (f"{line[: len(line) - len(line.lstrip())]}{comment}" for comment in above)
    *pieces, last = fitted(line)
    yield from pieces
    cite = f"  [{', '.join(what.cites)}]" if what.cites else ""
    yield f"{last}{cite}{f'  {what.behind[-1]}' if what.behind else ''}"

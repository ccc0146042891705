"""Who wins what: lines and tables of outcomes, how they are read and written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from vclogic.rulebook.statements import InsteadOf, OutcomeTable, TableRow, Win
from vclogic.rulebook.table import written as text
from vclogic.rulebook.table.parts import Part
from vclogic.rulebook.table.reader import STRING, VERBS, Reader
from vclogic.terms.goal import Parser
from vclogic.terms.syntax import GoalSource, Node, Word

_NUMBER = r"(-?[0-9]{1,9})(?:\s*:\s*([0-9]{1,9}))?"
_ROW = re.compile(
    rf"(?:{_NUMBER}\s+to\s+{_NUMBER}|(more|less|fewer)\s+than\s+{_NUMBER}|(?:exactly\s+)?{_NUMBER}(?:\s+or\s+(more|less|fewer)\b)?)"
)
_Limit = tuple[int, int] | None


# ---- one line


def _read_win(r: Reader) -> Mapping[str, Any]:
    who, loses = _who(r, "write SIDE wins NAME MOMENT if CONDITION")
    name = r.lexer.words_of_clause(("at", "if", "after", "when", "on", "during")) or Word("victory", who.at)
    moment = r.moment() if r.prefixed else r.a_moment()
    condition = r.expression() if r.lexer.clause("if") else None
    return {"who": who, "name": name, "moment": moment, "condition": condition, "loses": loses}


def _who(r: Reader, help: str) -> tuple[Word, bool]:
    """Who wins or loses, and whether it is who loses."""
    who = r.words("a side", *VERBS)
    verb = next((v for v in VERBS if r.lexer.clause(v)), None)
    if verb is None:
        raise r.source.error(r.lexer.at, "'wins' is missing here", help)
    return who, VERBS[verb]


def _win(s: Win) -> str:
    moment = "" if s.moment is None else f" {text.when(s.moment)}"
    return f" {text.verb(s.who, s.loses)} {text.name(s.name)}{moment}{text.if_clause(s.condition)}"


WIN = Part(_read_win, _win, '(side | "side" | "nobody") ("wins" | "loses") name [moment] ["if" expr]', first="who")

# ---- tables


def _read_table(r: Reader) -> Mapping[str, Any]:
    name = r.words("the table", "at", "by")
    moment = r.a_moment()
    r.lexer.skip(",")
    r.word("by", "write table NAME MOMENT, by VALUE")
    value = _up_to_colon(r)
    to = r.expression() if r.lexer.skip(":") else None
    rows = tuple(_read_rows(r))
    if not rows:
        raise r.source.error(r.begin, "the table has no rows", "below it stands: 4 or more SIDE wins")
    return {"name": name, "moment": moment, "value": value, "to": to, "rows": rows}


def _up_to_colon(r: Reader) -> Node:
    """An expression in the first line, which ends where the line or a colon does."""
    line = r.line()
    colon = STRING.sub(lambda found: "_" * len(found[0]), line).find(":", r.lexer.at)
    cut = line if colon < 0 else line[:colon]
    found = Parser(GoalSource(cut, r.source.label), r.own, r.lexer.at).run()
    r.lexer.at = len(cut)
    return found


def _read_rows(r: Reader) -> Iterator[TableRow]:
    """The rows of a table."""
    while r.lexer.char():
        at = r.lexer.at
        found = _ROW.match(r.text, at)
        if found is None:
            help = "a row begins with its numbers: 4 or more, -3 to 3, more than 2:1, 1:1 or less"
            raise r.source.error(at, "this is no row of a table", help)
        rest = r.from_here(r.line(), found.end())
        least, most, over, under = _limits(found)
        if 0 in (*(least or ())[1:], *(most or ())[1:]):
            raise r.source.error(at, "there is no ratio to 0", "write 1:1 or more")
        if least and most and least[0] * most[1] > most[0] * least[1]:
            first, last = found.group().split("to")
            raise r.source.error(at, "the larger number stands first", f"write {last.strip()} to {first.strip()}")
        who, loses = _who(rest, "write 4 or more  SIDE wins")
        name = rest.lexer.words_of_clause(())
        rest.end()
        yield TableRow(least, most, over, under, who, loses, name, at)
        r.lexer.at = len(rest.text)


def _limits(found: re.Match[str]) -> tuple[_Limit, _Limit, bool, bool]:
    """The least and the largest number or ratio of a row, and whether they are not for it themselves."""

    def pair(a: str | None, b: str | None) -> _Limit:
        return None if a is None else (int(a), int(b or 1))

    a, a2, b, b2, than, c, c2, d, d2, more = found.groups()
    if a is not None:
        return pair(a, a2), pair(b, b2), False, False
    if than is not None:
        return (pair(c, c2), None, True, False) if than == "more" else (None, pair(c, c2), False, True)
    one = pair(d, d2)
    return (one if more in (None, "more") else None), (one if more != "more" else None), False, False


def _table(s: OutcomeTable) -> str:
    to = "" if s.to is None else f" : {text.expression(s.to)}"
    rows = [(_range(row), f"{text.name(row.who)} {text.verb(row.who, row.loses)}", row.name) for row in s.rows]
    wide = max((len(limits) for limits, _, _ in rows), default=0)
    verbs = max((len(who) for _, who, _ in rows), default=0)
    lines = (
        f"{limits:{wide}}  {who:{verbs}} {'' if n is None else text.name(n, ())}".rstrip() for limits, who, n in rows
    )
    return "\n".join((f" {text.name(s.name)} {text.when(s.moment)}, by {text.expression(s.value)}{to}", *lines))


def _range(row: TableRow) -> str:
    def number(limit: tuple[int, int]) -> str:
        return f"{limit[0]}:{limit[1]}" if limit[1] != 1 else str(limit[0])

    if row.least is not None and row.most is not None:
        return number(row.least) if row.least == row.most else f"{number(row.least)} to {number(row.most)}"
    if row.least is not None:
        return f"more than {number(row.least)}" if row.over else f"{number(row.least)} or more"
    if row.most is None:
        return ""  # which no table can say
    return f"less than {number(row.most)}" if row.under else f"{number(row.most)} or less"


TABLE = Part(_read_table, _table, 'name moment ", by" expr [":" expr] {row}')

# ---- outcomes that do not count


def _read_instead(r: Reader) -> Mapping[str, Any]:
    found = [r.words("an outcome", "and")]
    while r.lexer.skip(",") or r.lexer.clause("and"):
        found.append(r.words("an outcome", "and"))
    return {"names": tuple(found)}


def _instead(s: InsteadOf) -> str:
    return f" {', '.join(map(text.name, s.names))}"


INSTEAD = Part(_read_instead, _instead, 'outcome {"," outcome}')

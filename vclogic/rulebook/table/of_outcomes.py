"""Winners: lines and tables of outcomes, how they are read and written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from vclogic.rulebook.statements import InsteadOf, OutcomeTable, TableRow, Win
from vclogic.rulebook.table import written as text
from vclogic.rulebook.table.parts import StatementPart
from vclogic.rulebook.table.reader import STRING, VERBS, WORD, Reader
from vclogic.terms.expressions.parser import Parser
from vclogic.terms.expressions.syntax import GoalSource, Node, Word

_NOUGHT = re.compile(r"([0-9]{1,9})\s*:\s*0+(?![0-9:])(?!\s+(?:or|to)\b)")
_NUMBER = r"(-?[0-9]{1,9})(?:\s*:\s*([0-9]{1,9}))?"
_ROW = re.compile(
    rf"(?:(more\s+than\s+)?{_NUMBER}\s+to\s+(less\s+than\s+)?{_NUMBER}|(more|less|fewer)\s+than\s+{_NUMBER}|(?:exactly\s+)?{_NUMBER}(?:\s+or\s+(more|less|fewer)\b)?)"
)
_LIMITS = {
    **dict.fromkeys(("at least", "from", ">=", "\u2265", "min", "minimum"), "N or more"),
    **dict.fromkeys(("at most", "up to", "<=", "\u2264", "max", "maximum"), "N or less"),
    **dict.fromkeys(("over", "above", ">"), "more than N"),
    **dict.fromkeys(("under", "below", "<"), "less than N"),
    **dict.fromkeys(("=", "==", "equal to"), "N"),
}
"""How else people say the limits of a row, with what to write."""
_LIMIT = re.compile(
    rf"({'|'.join(map(re.escape, sorted(_LIMITS, key=len, reverse=True)))})\s*(-?[0-9]+(?:\s*:\s*[0-9]+)?)"
)
_LESS = ("below", "lower", "under", "down", "less", "fewer")
_OR_MORE = re.compile(rf"(?:or|and)\s+(above|higher|over|greater|up|better|more|{'|'.join(_LESS)})\b")
_WON = re.compile(r"\b(?:has\s+|have\s+)?(?:won|lost|victorious|winner)\b")
_NOBODY = ("draw", "tie", "nobody", "none", "neither", "drawn")
_Limit = tuple[int, int] | None


# ---- one line


def _read_win(r: Reader) -> Mapping[str, Any]:
    who, also, loses = _who(r, "write SIDE wins NAME MOMENT if CONDITION")
    name = r.lexer.words_of_clause(("at", "if", "after", "when", "on", "during")) or Word("victory", who.at)
    moment = r.moment() if r.prefixed else r.a_moment()
    condition = r.expression() if r.lexer.clause("if") else None
    return {"who": who, "name": name, "moment": moment, "condition": condition, "loses": loses, "also": also}


def _who(r: Reader, help: str) -> tuple[Word, tuple[Word, ...], bool]:
    """The winner or loser, who does so together with that one, and whether it is a loser."""
    who, also = r.words("a side", *VERBS, "and"), list[Word]()
    while r.lexer.skip(",") or r.lexer.clause("and"):
        also.append(r.words("a side", *VERBS, "and"))
    verb = next((v for v in VERBS if r.lexer.clause(v)), None)
    if verb is None:
        raise r.source.error(r.lexer.at, "'wins' is missing here", help)
    return who, tuple(also), VERBS[verb]


def _win(s: Win) -> str:
    moment = "" if s.moment is None else f" {text.when(s.moment)}"
    also = text.together(s.also)
    return f"{also} {text.verb(s.who, s.loses, s.also)} {text.name(s.name)}{moment}{text.if_clause(s.condition)}"


WIN = StatementPart(
    _read_win,
    _win,
    '(side {("," | "and") side} | "side" | "all" | "nobody") ("wins" | "loses") name [moment] ["if" expr]',
    first="who",
)

# ---- tables


def _read_table(r: Reader) -> Mapping[str, Any]:
    name = r.words("the table", "at", "by")
    parameters = r.parameters()
    blank = STRING.sub("", r.text[r.lexer.at :])
    wins = any(w in VERBS for w in WORD.findall(blank))
    if wins and parameters:
        raise r.source.error(name.at, "a table of outcomes is asked of nothing", "write table NAME MOMENT, by VALUE")
    moment = r.a_moment() if wins else None
    r.lexer.skip(",")
    help = "write table NAME MOMENT, by VALUE; or table NAME(KIND), by VALUE for one that says a value"
    r.word("by", help)
    name = name if wins else r.is_name(name)
    value = _up_to_colon(r)
    to = r.expression() if r.lexer.skip(":") else None
    rows = tuple(_read_rows(r, wins=wins, ratio=to is not None))
    if not rows:
        raise r.source.error(
            r.begin, "the table has no rows", "below it stands: 4 or more SIDE wins, or 4 or more VALUE"
        )
    return {"name": name, "moment": moment, "value": value, "to": to, "rows": rows, "parameters": parameters}


def _up_to_colon(r: Reader) -> Node:
    """An expression in the first line, which ends where the line or a colon does."""
    line = r.line()
    colon = STRING.sub(lambda found: "_" * len(found[0]), line).find(":", r.lexer.at)
    cut = line if colon < 0 else line[:colon]
    found = Parser(GoalSource(cut, r.source.label), r.own, r.lexer.at).run()
    r.lexer.at = len(cut)
    return found


def _read_rows(r: Reader, *, wins: bool, ratio: bool) -> Iterator[TableRow]:
    """The rows of a table."""
    rest = False
    while r.lexer.char():
        at = r.lexer.at
        line = r.from_here(r.line(), at)
        if rest:
            raise r.source.error(at, "a row stands below `otherwise`", "let `otherwise` be the last row")
        rest = line.lexer.clause("otherwise")
        limits = (None, None, False, False, ()) if rest else _read_limits(line, at, ratio=ratio)
        least, most, over, under, noughts = limits
        if wins:
            limit = " ".join(r.text[at : line.lexer.at].split())
            _refuse_sign(line, limit)
            who, also, loses = _who(line, f"write {limit}  {_winner(line)}")
            name = line.lexer.words_of_clause(())
            line.end()
            yield TableRow(least, most, over, under, who, loses, name, at, None, noughts, rest, also)
        else:
            value = line.expression()
            line.end()
            yield TableRow(least, most, over, under, None, False, None, at, value, noughts, rest)
        r.lexer.at = len(line.text)


def _read_limits(r: Reader, at: int, *, ratio: bool) -> tuple[_Limit, _Limit, bool, bool, tuple[int, ...]]:
    """The numbers or ratios that a row is for, and the ratios to nought beside."""
    noughts = _read_noughts(r, ratio=ratio)
    if noughts:
        return None, None, False, False, noughts
    wrong = _LIMIT.match(r.text, at)
    help = "a row begins with its numbers: 4 or more, -3 to 3, more than 2:1, 1:1 or less; or with otherwise"
    found = r.match(
        _ROW,
        "this is no row of a table",
        f"write {_LIMITS[wrong[1]].replace('N', wrong[2])}" if wrong else help,
    )
    least, most, over, under = _limits(found)
    if 0 in (*(least or ())[1:], *(most or ())[1:]):
        raise r.source.error(at, "a ratio to 0 stands alone", "write 1:0, 0:0, or behind others: 2:1 or more and 1:0")
    if least and most and least[0] * most[1] > most[0] * least[1]:
        first, last = found.group().split("to")
        raise r.source.error(at, "the larger number stands first", f"write {last.strip()} to {first.strip()}")
    before = r.lexer.at
    noughts = _read_noughts(r, ratio=ratio) if r.lexer.clause("and") else ()
    r.lexer.at = r.lexer.at if noughts else before
    return least, most, over, under, noughts


def _read_noughts(r: Reader, *, ratio: bool) -> tuple[int, ...]:
    """`1:0`, `0:0`, or both with `and` between them; none where there are none."""
    found: list[int] = []
    r.lexer.char()
    while ratio and (nought := _NOUGHT.match(r.text, r.lexer.at)):
        r.lexer.at = nought.end()
        found.append(int(int(nought[1]) > 0))
        before = r.lexer.at
        if not r.lexer.clause("and"):
            break
        r.lexer.char()
        if not _NOUGHT.match(r.text, r.lexer.at):
            r.lexer.at = before
            break
    return tuple(dict.fromkeys(found))


def _winner(r: Reader) -> str:
    """The side that is meant to win by the rest of a row that does not say so."""
    said = _WON.sub("", r.text[r.lexer.at :].strip(": |,->="))
    if any(re.search(rf"\b{verb}\b", said) for verb in VERBS):
        return " ".join(said.split())
    side, _, name = " ".join(said.split()).partition(" ")
    if not side.isidentifier() or not all(word.isidentifier() for word in name.split()):
        return "SIDE wins"
    if side.lower() in _NOBODY:
        return "nobody wins"
    return f"{side} wins {name}".strip()


def _refuse_sign(r: Reader, numbers: str) -> None:
    """Refuse other words for a limit, and a sign between the numbers of a row and who wins."""
    sign, begin = r.lexer.char(), r.lexer.at
    other = _OR_MORE.match(r.text, begin)
    if other is not None:
        help = f"write {numbers} or {'less' if other[1] in _LESS else 'more'}"
        raise r.source.error(begin, f"{' '.join(other[0].split())!r} cannot stand here", help)
    if not sign or sign.isalnum() or sign in "'\"_(":
        return
    second = re.compile(r"[-\u2013]\s*([0-9]+(?:\s*:\s*[0-9]+)?)").match(r.text, begin)
    r.lexer.at += 1
    help = f"write {numbers}  {_winner(r)}, with nothing between"
    help = f"write {numbers} to {second[1]}" if second else f"write {numbers} or more" if sign == "+" else help
    raise r.source.error(begin, f"{sign!r} cannot stand here", help)


def _limits(found: re.Match[str]) -> tuple[_Limit, _Limit, bool, bool]:
    """The least and the largest number or ratio of a row, and whether they are not for it themselves."""

    def pair(a: str | None, b: str | None) -> _Limit:
        return None if a is None else (int(a), int(b or 1))

    above, a, a2, below, b, b2, than, c, c2, d, d2, more = found.groups()
    if a is not None:
        return pair(a, a2), pair(b, b2), above is not None, below is not None
    if than is not None:
        return (pair(c, c2), None, True, False) if than == "more" else (None, pair(c, c2), False, True)
    one = pair(d, d2)
    return (one if more in (None, "more") else None), (one if more != "more" else None), False, False


def _table(s: OutcomeTable) -> str:
    to = "" if s.to is None else f" : {text.expression(s.to)}"
    rows = [(_range(row, ratio=s.to is not None), *_said(row)) for row in s.rows]
    wide = max((len(limits) for limits, _, _ in rows), default=0)
    verbs = max((len(who) for _, who, _ in rows), default=0)
    lines = (f"{limits:{wide}}  {who:{verbs}} {name}".rstrip() for limits, who, name in rows)
    when = "" if s.moment is None else f" {text.when(s.moment)}"
    head = f" {text.name(s.name)}{text.asked(s.parameters)}{when}, by {text.expression(s.value)}{to}"
    return "\n".join((head, *lines))


def _said(row: TableRow) -> tuple[str, str]:
    """The winner and the outcome; or a value, and nothing."""
    if row.who is None:
        assert row.value is not None, "it says one or the other"
        return text.expression(row.value), ""
    won = "" if row.name is None else text.name(row.name, ())
    return f"{text.name(row.who)}{text.together(row.also)} {text.verb(row.who, row.loses, row.also)}", won


def _range(row: TableRow, *, ratio: bool) -> str:
    def number(limit: tuple[int, int]) -> str:
        return f"{limit[0]}:{limit[1]}" if ratio or limit[1] != 1 else str(limit[0])

    if row.rest:
        return "otherwise"
    found = ""
    if row.least is not None and row.most is not None:
        first, last = (f"{'more than ' if row.over else ''}{number(row.least)}", number(row.most))
        found = first if row.least == row.most else f"{first} to {'less than ' if row.under else ''}{last}"
    elif row.least is not None:
        found = f"more than {number(row.least)}" if row.over else f"{number(row.least)} or more"
    elif row.most is not None:
        found = f"less than {number(row.most)}" if row.under else f"{number(row.most)} or less"
    return " and ".join((*([found] if found else ()), *(f"{n}:0" for n in row.noughts)))


TABLE = StatementPart(_read_table, _table, 'name (moment | ["(" binders ")"]) ", by" expr [":" expr] {row}')

# ---- outcomes that do not count


def _read_instead(r: Reader) -> Mapping[str, Any]:
    found = [r.words("an outcome", "and")]
    while r.lexer.skip(",") or r.lexer.clause("and"):
        found.append(r.words("an outcome", "and"))
    return {"names": tuple(found)}


def _instead(s: InsteadOf) -> str:
    return f" {', '.join(map(text.name, s.names))}"


INSTEAD = StatementPart(_read_instead, _instead, 'outcome {"," outcome}')

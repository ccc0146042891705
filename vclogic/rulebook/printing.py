"""Statements as a text that says the same: a line for each, with what belongs to it below."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import singledispatch

from vclogic.rulebook.declarations import (
    MANY_EVENTS,
    ONE_EVENT,
    Accept,
    Choice,
    Effect,
    EventRule,
    EveryEvent,
    Include,
    KindOf,
    Law,
    LeftOut,
    MarkPlaces,
    Need,
    Passing,
    PythonModule,
    Rounds,
    Rows,
    Sides,
    Start,
    TurnIs,
    TurnOrder,
)
from vclogic.rulebook.declaring import BookParser
from vclogic.rulebook.statements import (
    Content,
    Definition,
    FactChange,
    InsteadOf,
    Moment,
    NamedGroup,
    OutcomeTable,
    RememberedFact,
    TableRow,
    Win,
)
from vclogic.terms.lexer import CLAUSES, JOINING, TRUTHS
from vclogic.terms.syntax import BEFORE, FORMS, Binder, Call, Form, Node, Operation, Word

WIDTH = 118
"""Lines are broken before they are longer, where they can be."""
INDENT = "  "
_BARE = re.compile(r"(?!\d)\w[\w.]*")
_PART = re.compile(r"[\w./]+")
_HEADER = re.compile(r"[^\s,'\"#]+")
_BELOW_NOTHING = re.compile(r"-[0-9]+")
_OWN = "if at or starts becomes rises falls means wins win loses lose by true false else needs is"
_WORDS = (*CLAUSES, *JOINING, *_OWN.split())
_SAYING = ("means", "wins", "win", "loses", "lose")
"""Words that tell what a line says, wherever they stand in it."""
_FIRST = (*BookParser.beginnings, "if")
_OF_FACTS = ("becomes", "rises", "falls", "starts", "means")
_OR, _AND, _NOT, _COMPARISON, _SUM, _PRODUCT, _SIGN, _WHOLE = range(8)
_LEVELS = {"or": _OR, "and": _AND, "+": _SUM, "-": _SUM, "*": _PRODUCT}
UNARY = {"not": _NOT, "-": _SIGN, BEFORE: _WHOLE}
"""Operators that stand before their only part."""
_BREAK = re.compile(r"'[^']*'|\"[^\"]*\"|[()]|(?<=,) | (?=(?:and|or|if|for|else|where|through|\+|-) )")


def printed(statements: Iterable[Content]) -> str:
    """The text of some statements."""
    return "".join(f"{line}\n" for s in statements for line in laid_out(s))


def laid_out(statement: Content, clauses: Sequence[str] = ()) -> list[str]:
    """The lines of a statement as they stand in a text.

    Args:
        clauses: The sentences that it cites itself, one behind each line.
    """
    found = at_least(len(clauses), lambda width: broken(statement, width))
    cites = (*(f" [{c}]" for c in clauses), *("" for _ in found[len(clauses) :]))
    return [f"{line}{cite}" for line, cite in zip(found, cites, strict=False)]


def at_least(number: int, cut: Callable[[int], list[str]]) -> list[str]:
    """Lines that are cut shorter than usual where there would be too few: only one number can stand behind each.

    Args:
        number: How many there should be.
        cut: The lines for a width.
    """
    width = WIDTH
    found = cut(width)
    while len(found) < number and width > len(INDENT):
        width //= 2
        found = cut(width)
    return found


def broken(statement: Content, width: int = WIDTH) -> list[str]:
    """The lines of a statement, those that are too long broken."""
    return [part for line in parts(statement) for part in fitted(line, width)]


def parts(statement: Content) -> list[str]:
    """The lines of a statement, however long: the first one, and those that stand further right below it."""
    head, *below = _lines(statement)
    return [head, *(f"{INDENT}{line}" for line in below)]


_IN_ONE = re.compile(r"(?:event|table|grid|hexes)\b|\s")
"""What begins lines of statements that end with the line; those below are looked at by their own words."""
_CAN_GO_ON = re.compile(r"\s+(?:needs|then|weight|becomes|rises|falls)\b")


def fitted(line: str, width: int = WIDTH) -> list[str]:
    """A line in pieces that are not too long, each but the first further right; as it is where it cannot be broken.

    It is broken where the fewest parentheses are open.
    """
    found: list[str] = []
    if _IN_ONE.match(line) and not _CAN_GO_ON.match(line):
        return [line]
    right = " " * (len(line) - len(line.lstrip()) + 2 * len(INDENT))
    while len(line) > width:
        depth, places = 0, list[tuple[int, int]]()
        for mark in _BREAK.finditer(line, len(right)):
            depth += (mark[0] == "(") - (mark[0] == ")")
            if mark[0] == " " and mark.start() <= width:
                places.append((-depth, mark.start()))
        if not places:
            break
        at = max(places)[1]
        found.append(line[:at])
        line = right + line[at + 1 :]
    return [*found, line]


# ---- names and expressions


def name(word: Word, reserved: Collection[str] = _WORDS) -> str:
    """A name, in quotes where it needs them.

    Args:
        reserved: The words that end names where it stands.
    """
    plain = all(_PART.fullmatch(p) and p not in reserved and p not in _SAYING for p in word.text.split(" "))
    return word.text if word.literal or plain else _quoted(word.text)


def _names(of: Iterable[Word]) -> str:
    """Names with commas between them, which no word ends."""
    return ", ".join(name(w, ()) for w in of)


def _quoted(text: str) -> str:
    return f'"{text}"' if "'" in text else f"'{text}'"


def _text(text: str) -> str:
    """A text that players read."""
    return f"'{text}'" if '"' in text else f'"{text}"'


def _template(of: Sequence[str | Node]) -> str:
    """A text with expressions in braces, whose names stand in the other kind of quotes."""
    outside = "".join(part for part in of if isinstance(part, str))
    found = [part if isinstance(part, str) else "{" + expression(part) + "}" for part in of]
    if '"' in outside:
        found = [p if isinstance(p, str) else new.replace("'", '"') for p, new in zip(of, found, strict=True)]
    return _text("".join(found)) if '"' not in outside else f"'{''.join(found)}'"


def expression(node: Node) -> str:
    """An expression, with the parentheses that it needs."""
    if isinstance(node, Word):
        alone = node.literal or (_BARE.fullmatch(node.text) and node.text not in _WORDS)
        return node.text if alone else _quoted(node.text)
    if isinstance(node, Call):
        plain = _BARE.fullmatch(node.text) and node.text not in (*FORMS, BEFORE, *JOINING, *TRUTHS, *_SAYING)
        return _call(node, node.text if plain else _quoted(node.text))
    return _operation(node) if isinstance(node, Operation) else _form(node)


def _call(call: Call, called: str) -> str:
    given = [_call(a, a.text) if isinstance(a, Call) else name(a, ()) for a in call.arguments]
    return f"{called}({', '.join((*given, *(f'{name(k, ())}={name(v, ())}' for k, v in call.named)))})"


def _level(node: Node) -> int:
    """How tightly a node holds together."""
    if not isinstance(node, Operation):
        return _WHOLE
    if len(node.parts) == 1:
        return UNARY[node.operators[0]]
    return _LEVELS.get(node.operators[0], _COMPARISON)


def _inner(node: Node, least: int) -> str:
    return expression(node) if _level(node) >= least else f"({expression(node)})"


def _operation(node: Operation) -> str:
    level = _level(node)
    if len(node.parts) == 1:
        (operator,) = node.operators
        if operator == BEFORE:
            return f"{BEFORE}({expression(node.parts[0])})"
        return f"{operator}{' ' if operator == 'not' else ''}{_inner(node.parts[0], level)}"
    least = _NOT if level == _OR else level + 1  # `a and b or c` is not for everybody
    found = _inner(node.parts[0], least)
    for operator, part in zip(node.operators, node.parts[1:], strict=True):
        group = operator == "in" and isinstance(part, Word)
        found += f" {operator} {name(part) if group and isinstance(part, Word) else _inner(part, least)}"
    return found


def _form(node: Form) -> str:
    inside = ", ".join(map(expression, node.parts))
    if node.binder is None:
        return f"{node.word}({inside})"
    over = _binder(node.binder)
    if node.group is not None:
        place = name(node.parts[0], ()) if isinstance(node.parts[0], Word) else inside
        return f"{node.word}({place}, {name(node.group)} through {over})"
    return f"{node.word}({f'{inside} for ' if inside else ''}{over})"


def _binder(binder: Binder) -> str:
    found = name(binder.kind)
    if binder.group is not None:
        found += f" in {name(binder.group)}"
    if binder.owner is not None:
        found += f" of {name(binder.owner) if isinstance(binder.owner, Word) else expression(binder.owner)}"
    return found if binder.where is None else f"{found} where {expression(binder.where)}"


# ---- statements of a text of rules


@singledispatch
def _lines(statement: object) -> tuple[str, ...]:
    raise TypeError(statement)


def _if(condition: Node | None) -> str:
    return "" if condition is None else f" if {expression(condition)}"


def _asked(of: tuple[Word, ...]) -> str:
    return f"({', '.join(map(name, of))})" if of else ""


def _when(moment: Moment) -> str:
    return moment.name if moment.of is None else f"{moment.name} of {name(moment.of)}"


@_lines.register
def _(s: Definition) -> tuple[str, ...]:
    head = f"{'except ' if s.exception else ''}{name(s.name, _FIRST)}{_asked(s.parameters)}"
    return (f"{head} means {expression(s.value)}{_if(s.condition)}",)


@_lines.register
def _(s: RememberedFact) -> tuple[str, ...]:
    values = f": {s.range[0]} to {s.range[1]}" if s.range else ""
    values = f": {' or '.join(map(_name_or_number, s.names))}" if s.names else values
    starts = "" if s.starts is None else f", starts {_value(s.starts)}"
    secret = "secret " if s.secret else ""
    return (f"{secret}fact {name(s.name, _OF_FACTS)}{_asked(s.parameters)}{values}{starts}", *map(_change, s.changes))


def _name_or_number(word: Word) -> str:
    """A value of a fact that is a name, where a number could stand."""
    return _quoted(word.text) if word.text[:1].isdigit() else name(word)


def _value(start: Word | Call) -> str:
    if isinstance(start, Call):
        return expression(start)
    return start.text if _BELOW_NOTHING.fullmatch(start.text) else name(start, _OF_FACTS)


def _change(c: FactChange) -> str:
    value = expression(c.value)
    value = f"({value})" if _ENDS_IN_GROUP.search(value) else value  # its name would go on
    return f"{c.kind} {value} {_when(c.moment)}{_if(c.condition)}"


_ENDS_IN_GROUP = re.compile(r" in [\w ./]+$")


@_lines.register
def _(s: NamedGroup) -> tuple[str, ...]:
    return (f"group {name(s.name, ())}: {_names(s.members) if s.binder is None else _binder(s.binder)}",)


@_lines.register
def _(s: Win) -> tuple[str, ...]:
    head = f"{'otherwise ' if s.otherwise else ''}{name(s.who, _FIRST)} {_verb(s.who, s.loses)} {name(s.name)}"
    return (f"{head}{'' if s.moment is None else f' {_when(s.moment)}'}{_if(s.condition)}",)


def _verb(who: Word, loses: bool) -> str:
    """The verb: a name that ends in s is that of several people."""
    return ("lose" if loses else "win") + ("" if who.text.endswith("s") and not who.text.isupper() else "s")


@_lines.register
def _(s: InsteadOf) -> tuple[str, ...]:
    return (f"instead of {', '.join(map(name, s.names))}",)


@_lines.register
def _(s: OutcomeTable) -> tuple[str, ...]:
    to = "" if s.to is None else f" : {expression(s.to)}"
    rows = [(_limits(row), f"{name(row.who)} {_verb(row.who, row.loses)}", row.name) for row in s.rows]
    wide = max((len(limits) for limits, _, _ in rows), default=0)
    verbs = max((len(who) for _, who, _ in rows), default=0)
    lines = (f"{limits:{wide}}  {who:{verbs}} {'' if n is None else name(n, ())}".rstrip() for limits, who, n in rows)
    return (f"table {name(s.name)} {_when(s.moment)}, by {expression(s.value)}{to}", *lines)


def _limits(row: TableRow) -> str:
    def number(limit: tuple[int, int]) -> str:
        return f"{limit[0]}:{limit[1]}" if limit[1] != 1 else str(limit[0])

    if row.least is not None and row.most is not None:
        return number(row.least) if row.least == row.most else f"{number(row.least)} to {number(row.most)}"
    if row.least is not None:
        return f"more than {number(row.least)}" if row.over else f"{number(row.least)} or more"
    if row.most is None:
        return ""  # which no table can say
    return f"less than {number(row.most)}" if row.under else f"{number(row.most)} or less"


# ---- declarations of a rulebook


def _header(word: Word) -> str:
    """A word of a line that ends with the line, in quotes where it needs them."""
    plain = _HEADER.fullmatch(word.text) and word.text not in ("by", "in", "at")
    return word.text if plain else _quoted(word.text)


@_lines.register
def _(s: Sides) -> tuple[str, ...]:
    between = "; " if any(powers for _, powers in s.names) else ", "
    return (f"sides {between.join(name(w, ()) + (f': {_names(p)}' if p else '') for w, p in s.names)}",)


@_lines.register
def _(s: TurnOrder) -> tuple[str, ...]:
    return (f"turn order {_names(s.names)}",)


@_lines.register
def _(s: TurnIs) -> tuple[str, ...]:
    return (f"turn is {_names(s.phases) or (ONE_EVENT if s.one else MANY_EVENTS)}",)


@_lines.register
def _(s: Rounds) -> tuple[str, ...]:
    return (f"rounds {s.most}",)


@_lines.register
def _(s: Passing) -> tuple[str, ...]:
    return (f"pass {'always' if s.always else 'if nothing else is legal'}",)


@_lines.register
def _(s: KindOf) -> tuple[str, ...]:
    head = f"{'areas' if s.areas else 'kind'} {name(s.name, ())}"
    return (f"{head}: {_names(s.members)}" if s.members else f"{head}, from the table",)


@_lines.register
def _(s: Rows) -> tuple[str, ...]:
    shifted = f"{'odd' if s.lower else 'even'} {'rows right' if s.by_rows else 'columns lower'}"
    size = None if s.size is None else f"{s.size[0]} by {s.size[1]}"
    head = [f"{'hexes' if s.hexes else 'grid'} {_header(s.name)}", shifted if s.hexes else s.touching, size]
    if s.hexes:
        rows = ["".join(w.text for w in row) for row in s.rows]
        rows += [f"marks {', '.join(f'{sign} {meaning}' for sign, meaning in s.marks)}"] if s.marks else []
    else:
        cells = [[_header(w) for w in row] for row in s.rows]
        wide = [max(len(row[i]) for row in cells if i < len(row)) for i in range(max(map(len, cells), default=0))]
        rows = ["  ".join(f"{cell:{wide[i]}}" for i, cell in enumerate(row)).rstrip() for row in cells]
    return (", ".join(filter(None, head)), *rows)


@_lines.register
def _(s: Start) -> tuple[str, ...]:
    return (f"start {expression(s.fact)} is {expression(s.value)}{_for(s.binder)}",)


def _for(binder: Binder | None) -> str:
    return "" if binder is None else f" for {_binder(binder)}"


@_lines.register
def _(s: Law) -> tuple[str, ...]:
    return (f"{'never' if s.never else 'always'} {expression(s.condition)}",)


@_lines.register
def _(s: EventRule) -> tuple[str, ...]:
    by = () if s.by is None else ("by", _header(s.by))
    phase = () if s.phase is None else ("in", _header(s.phase))
    head = " ".join(("event", _header(s.name), *by, *map(_header, s.header), *phase))
    says = (f"says {_template(s.says)}",) if s.says else ()
    weight = () if s.weight is None else (f"weight {expression(s.weight)}",)
    first = f"{head}, at any time" if s.any_time else head
    return (first, *(f"needs {_need(n)}" for n in s.needs), *map(_effect, s.effects), *says, *weight)


def _need(need: Need) -> str:
    return expression(need.condition) + (f", else {_template(need.message)}" if need.message else "")


def _effect(e: Effect) -> str:
    return f"then {expression(e.fact)} {e.kind} {expression(e.value)}{_for(e.binder)}{_if(e.condition)}"


@_lines.register
def _(s: EveryEvent) -> tuple[str, ...]:
    but = f" but {', '.join(map(name, s.but))}" if s.but else ""
    return (f"every event{but} needs {_need(s.need)}",)


@_lines.register
def _(s: Choice) -> tuple[str, ...]:
    def value(word: Word, meaning: str) -> str:
        chosen = f", default{f' {_text(s.reason)}' if s.reason else ''}" if word.text == s.default else ""
        return f"{name(word, ())} {_text(meaning)}{chosen}"

    head = f"{'reading' if s.reading else 'option'} {name(s.name, ())} {_text(s.question)}"
    if s.numbers is not None:
        return head, f"{s.numbers[0]} to {s.numbers[1]}, default {s.default}"
    return (head, *(value(*v) for v in s.values))


@_lines.register
def _(s: Include) -> tuple[str, ...]:
    return (f"include {_header(s.file)}",)


@_lines.register
def _(s: PythonModule) -> tuple[str, ...]:
    return (f"python {_header(s.module)}", *(f"{name(f.name, ())}{_asked(f.parameters)}" for f in s.functions))


@_lines.register
def _(s: LeftOut) -> tuple[str, ...]:
    return (f"left out {_text(s.reason)}",)


@_lines.register
def _(s: Accept) -> tuple[str, ...]:
    return (f"accept {s.code.text} {_text(s.reason)}",)


@_lines.register
def _(s: MarkPlaces) -> tuple[str, ...]:
    return (f"mark {_text(s.name)}{' with lines' if s.lines else ''}{_for(s.binder)}",)

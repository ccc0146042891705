"""Definitions, facts and groups: how they are read and written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from vclogic.rulebook.statements import Definition, FactChange, NamedGroup, RememberedFact
from vclogic.rulebook.table import written as text
from vclogic.rulebook.table.parts import StatementPart
from vclogic.rulebook.table.reader import CHANGES, ENDS, STRING, WORD, Reader
from vclogic.terms.expressions.syntax import Binder, Node, Word

_OF_FACTS = ("becomes", "rises", "falls", "starts", "means", "if")
_BELOW_NOTHING = re.compile(r"-[0-9]+")
_WORKED_OUT, _GOES_ON = re.compile(r"\(|not\b|if\s*\("), tuple("(+-*/=!<>")
_BELOW = re.compile(rf"\n[ \t]*(?=(?:{'|'.join(ENDS)})\b)")
_ENDS_IN_GROUP = re.compile(r" in [\w ./]+$")


# ---- definitions


def _read_definition(r: Reader) -> Mapping[str, Any]:
    name = r.named("what is defined", "means", "if")
    parameters = r.parameters()
    r.word("means", f"write {name.text} means VALUE")
    if r.lexer.equals():
        raise r.source.error(r.lexer.at - 1, "'=' cannot stand here", f"write {name.text} means VALUE")
    value = r.expression()
    condition: Node | None = None
    if r.lexer.clause("if"):
        if not r.prefixed:
            help = "write if(CONDITION, VALUE, OTHERWISE), or an exception: except ... means ... if ..."
            raise r.source.error(r.lexer.at, "a definition holds always", help)
        condition = r.expression()
    return {"name": name, "parameters": parameters, "value": value, "condition": condition}


def _definition(s: Definition) -> str:
    return f"{text.asked(s.parameters)} means {text.expression(s.value)}{text.if_clause(s.condition)}"


DEFINITION = StatementPart(
    _read_definition, _definition, 'name ["(" (binder | member) {","} ")"] "means" expr ["if" expr]', first="name"
)

# ---- facts


def _read_fact(r: Reader) -> Mapping[str, Any]:
    name = _fact_name(r)
    parameters = _asked_of(r)
    limits: tuple[int, int] | None = None
    names: list[Word | Binder] = []
    if r.lexer.skip(":"):
        limits = r.number_range()
        if limits is None:
            if r.lexer.char().isdigit():
                help = "write 0 to 12; a number has at most 9 digits"
                raise r.source.error(r.lexer.at, "these are no numbers that a fact can have", help)
            names = _alternatives(r)
    starts: Node | None = None
    head = r.from_here(_above(r), r.lexer.at)
    if head.lexer.skip(",") or head.lexer.clause("starts"):
        head.lexer.clause("starts")
        starts = _read_start(head)
    condition = head.expression() if head.lexer.clause("if") else None
    head.lexer.char()
    r.lexer.at = head.lexer.at
    changes = tuple(map(_read_change, r.lines_below(ENDS)))
    return {
        "name": name,
        "parameters": parameters,
        "range": limits,
        "names": tuple(names),
        "starts": starts,
        "changes": changes,
        "condition": condition,
    }


def _above(r: Reader) -> str:
    """The text up to the first line below a fact: a name on the line above does not go on there."""
    blank = STRING.sub(lambda found: "_" * len(found[0]), r.text)
    for found in _BELOW.finditer(blank, r.lexer.at):
        inside = blank[r.lexer.at : found.start()]
        if inside.count("(") <= inside.count(")"):
            return r.text[: found.start()]
    return r.text


def _asked_of(r: Reader) -> tuple[Word | Binder, ...]:
    """The kinds in parentheses, or those of their members that it is asked of."""
    if not r.lexer.skip("("):
        return ()
    found: list[Binder] = []
    while not found or r.lexer.skip(","):
        found.append(r.parser.binder())
        r.lexer.back()
    if not r.lexer.skip(")"):
        help = "between the parentheses stand kinds, such as worth(hex), or owner(hex in towns)"
        raise r.source.error(r.lexer.at, "')' is missing here", help)
    return tuple(b.kind if b == Binder(b.kind) else b for b in found)


def _read_start(r: Reader) -> Node:
    """A value at the start: a number or a name, or an expression."""
    r.lexer.char()
    at = r.lexer.at
    if not _WORKED_OUT.match(r.text, at):
        found = r.number() or r.words("its value at the start", "if", *ENDS)
        if r.lexer.char() not in _GOES_ON:
            return found
        r.lexer.at = at
    return r.expression()


def _fact_name(r: Reader) -> Word:
    """The name of a fact, up to its values."""
    found = r.words("the fact", *ENDS, "starts", "means", "if")
    first, _, rest = found.text.partition(" ")
    r.lexer.char()
    if rest[:1].isdigit() or r.text[r.lexer.at : r.lexer.at + 1] in ("=", "-"):
        help = f"write fact {first}: 0 to 12, starts 0"
        raise r.source.error(found.at + len(first), "':' is missing here", help)
    return r.is_name(found)


def _alternatives(r: Reader) -> list[Word | Binder]:
    """Values joined by `or`; none where they are true and false."""
    found = [_alternative(r)]
    while r.lexer.clause("or"):
        found.append(_alternative(r))
    return [] if [w.text for w in found if isinstance(w, Word)] == ["true", "false"] else found


def _alternative(r: Reader) -> Word | Binder:
    """A kind or a single name; or members of a kind, such as `hex in towns`."""
    r.lexer.char()
    at = r.lexer.at
    word = r.words("a value", "or", "starts", "if", *ENDS)
    if r.text[at] in "'\"" or not {"in", "of"}.intersection(word.text.split()):
        return word
    return r.from_here(r.text[: r.lexer.at], at).binder()


def _read_change(r: Reader) -> FactChange:
    """A line below a fact."""
    at = r.lexer.at
    kind = next((k for k, begin in CHANGES.items() if begin.match(r.text, at)), None)
    if kind is None:
        help = "below a fact stand lines such as: rises by 1 at the end of a turn if CONDITION"
        raise r.source.error(at, "this is no change of the fact", help)
    r.lexer.at = CHANGES[kind].match(r.text, at).end()  # type: ignore[union-attr]
    value = r.expression()
    moment = r.a_moment()
    return FactChange(kind, value, moment, r.condition(), at)


def _fact(s: RememberedFact) -> str:
    values = f": {s.range[0]} to {s.range[1]}" if s.range else ""
    values = f": {' or '.join(map(_name_or_number, s.names))}" if s.names else values
    starts = "" if s.starts is None else f", starts {_value(s.starts)}"
    head = f" {text.name(s.name, _OF_FACTS)}{text.asked(s.parameters)}{values}{starts}{text.if_clause(s.condition)}"
    return "\n".join((head, *map(_change, s.changes)))


def _name_or_number(word: Word | Binder) -> str:
    """A value of a fact that is a name, where a number could stand."""
    if isinstance(word, Binder):
        return text.binder(word)
    return text.in_quotes(word.text) if word.text[:1].isdigit() else text.name(word)


def _value(start: Node) -> str:
    if not isinstance(start, Word):
        return text.expression(start)
    return start.text if _BELOW_NOTHING.fullmatch(start.text) else text.name(start, _OF_FACTS)


def _change(c: FactChange) -> str:
    value = text.expression(c.value)
    value = f"({value})" if _ENDS_IN_GROUP.search(value) else value  # its name would go on
    return f"{c.kind} {value} {text.when(c.moment)}{text.if_clause(c.condition)}"


FACT = StatementPart(
    _read_fact, _fact, 'name ["(" binder {"," binder} ")"] [":" values] [", starts" expr] ["if" expr] {change}'
)

# ---- groups


def _read_group(r: Reader) -> Mapping[str, Any]:
    name = r.words("the group")
    if not r.lexer.skip(":"):
        raise r.source.error(r.lexer.at, "':' is missing here", "write group NAME: MEMBER, MEMBER")
    blank = STRING.sub(lambda found: "_" * len(found[0]), r.text[r.lexer.at :])
    if any(w in ("where", "in") for w in WORD.findall(blank)):
        return {"name": name, "binder": r.binder()}
    return {"name": name, "members": r.names("a member")}


def _group(s: NamedGroup) -> str:
    return f" {text.name(s.name, ())}: {text.names(s.members) if s.binder is None else text.binder(s.binder)}"


GROUP = StatementPart(_read_group, _group, 'name ":" (member {"," member} | binder)')

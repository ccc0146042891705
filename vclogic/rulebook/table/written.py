"""Names and expressions as a text that says the same, each in quotes or parentheses where it needs them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from vclogic.rulebook.statements import Moment
from vclogic.terms.expressions.lexer import CLAUSES, JOINING, TRUTHS
from vclogic.terms.expressions.syntax import (
    BEFORE,
    DOWN,
    FORMS,
    FROM,
    SHARED,
    UNTIL,
    UP,
    WAYS,
    WITHIN,
    Binder,
    Call,
    Form,
    Node,
    Operation,
    Word,
)

_BARE = re.compile(r"(?!\d)\w[\w.]*")
_PART = re.compile(r"[\w./]+")
_HEADER = re.compile(r"[^\s,'\"#]+")
_OWN = "if at or starts becomes rises falls means wins win loses lose by true false else needs is"
_WORDS = (*CLAUSES, *JOINING, *_OWN.split())
_SAYING = ("means", "wins", "win", "loses", "lose")
"""Words that tell what a line says, wherever they stand in it."""
_OR, _AND, _NOT, _COMPARISON, _SUM, _PRODUCT, _SIGN, _WHOLE = range(8)
_LEVELS = {"or": _OR, "and": _AND, "+": _SUM, "-": _SUM, "*": _PRODUCT}
UNARY = {"not": _NOT, "-": _SIGN, BEFORE: _WHOLE}
"""Operators that stand before their only part."""


def name(word: Word, reserved: Collection[str] = _WORDS) -> str:
    """A name, in quotes where it needs them.

    Args:
        reserved: The words that end names where it stands.
    """
    plain = all(_PART.fullmatch(p) and p not in reserved and p not in _SAYING for p in word.text.split(" "))
    return word.text if word.literal or plain else in_quotes(word.text)


def cites(clauses: Sequence[str]) -> str:
    """The sentences that a line cites, behind it; empty where it cites none."""
    return f" [{', '.join(clauses)}]" if clauses else ""


def names(of: Iterable[Word]) -> str:
    """Names with commas between them, which no word ends."""
    return ", ".join(name(w, ()) for w in of)


def in_quotes(text: str) -> str:
    """A name in the quotes that it does not hold."""
    return f'"{text}"' if "'" in text else f"'{text}'"


def text(text: str) -> str:
    """A text that players read."""
    return f"'{text}'" if '"' in text else f'"{text}"'


def template(of: Sequence[str | Node]) -> str:
    """A text with expressions in braces, whose names stand in the other kind of quotes."""
    outside = "".join(part for part in of if isinstance(part, str))
    found = [part if isinstance(part, str) else "{" + _placed(part) + "}" for part in of]
    if '"' in outside:
        found = [p if isinstance(p, str) else new.replace("'", '"') for p, new in zip(of, found, strict=True)]
    return text("".join(found)) if '"' not in outside else f"'{''.join(found)}'"


def _placed(node: Node) -> str:
    """An expression in braces, where a word by itself is a name whatever else it means."""
    alone = isinstance(node, Word) and _BARE.fullmatch(node.text) and node.text not in (*JOINING, "if")
    return node.text if isinstance(node, Word) and alone else expression(node)


def expression(node: Node) -> str:
    """An expression, with the parentheses that it needs."""
    if isinstance(node, Word):
        alone = node.literal or (_BARE.fullmatch(node.text) and node.text not in _WORDS)
        return node.text if alone else in_quotes(node.text)
    if isinstance(node, Call):
        taken = node.text in FORMS and node.text not in SHARED
        plain = _BARE.fullmatch(node.text) and not taken and node.text not in (BEFORE, *JOINING, *TRUTHS, *_SAYING)
        return _call(node, node.text if plain else in_quotes(node.text))
    return _operation(node) if isinstance(node, Operation) else _form(node)


def _call(call: Call, called: str) -> str:
    given = [_call(a, a.text) if isinstance(a, Call) else name(a, ()) for a in call.arguments]
    return f"{called}({', '.join((*given, *(f'{name(k, ())}={name(v, ())}' for k, v in call.named)))})"


def _level(node: Node) -> int:
    """The strength with which a node holds together."""
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
    if node.word in (DOWN, UP):
        number, by = node.parts
        return f"{node.word}({_inner(number, _PRODUCT)} / {_inner(by, _SIGN)})"
    if node.word in WAYS:
        return _ways(node)
    if node.binder is None:
        return f"{node.word}({inside})"
    over = binder(node.binder)
    if node.group is not None:
        place = name(node.parts[0], ()) if isinstance(node.parts[0], Word) else inside
        return f"{node.word}({place}, {name(node.group)} through {over})"
    return f"{node.word}({f'{inside} for ' if inside else ''}{over})"


def _ways(node: Form) -> str:
    """`reaches` or `cheapest`."""
    begins, leads = (name(p) if isinstance(p, Word) else expression(p) for p in node.parts[:2])
    within = "".join(f" {WITHIN} {_inner(n, _SUM)}" for n in node.parts[2:])
    assert node.binder is not None, "the parser gives it one"
    over, where = node.binder, node.binder.where
    found = name(over.kind, (*_WORDS, FROM, UNTIL))
    found += "" if node.last is None else f" {FROM} {name(node.last)}"
    if over.group is not None:
        found += f" in {name(over.group) if isinstance(over.group, Word) else expression(over.group)}"
    said = (("where", where), ("for", node.cost), (UNTIL, node.stop))
    found += "".join(f" {word} {expression(n)}" for word, n in said if n is not None)
    return f"{node.word}({begins}, {leads}{within} through {found})"


def binder(binder: Binder) -> str:
    """A variable with what it ranges over; several with commas between them."""
    found = ", ".join(map(_variable, (binder, *binder.more)))
    return found if binder.where is None else f"{found} where {expression(binder.where)}"


def _variable(binder: Binder) -> str:
    found = name(binder.kind)
    if binder.group is not None:
        found += f" in {name(binder.group) if isinstance(binder.group, Word) else expression(binder.group)}"
    if binder.owner is not None:
        found += f" of {name(binder.owner) if isinstance(binder.owner, Word) else expression(binder.owner)}"
    return found


def if_clause(condition: Node | None) -> str:
    """`if CONDITION`, with the space before it; nothing where there is none."""
    return "" if condition is None else f" if {expression(condition)}"


def asked(of: tuple[Word | Binder, ...]) -> str:
    """The arguments in parentheses; nothing where there are none."""
    each = (binder(part) if isinstance(part, Binder) else name(part) for part in of)
    return f"({', '.join(each)})" if of else ""


def when(moment: Moment) -> str:
    """A moment."""
    when = moment.name if moment.phase is None else moment.name.replace("a phase", name(moment.phase, ("of", "if")))
    if moment.of is None:
        return when
    return f"{when} of {name(moment.of) if isinstance(moment.of, Word) else expression(moment.of)}"


def together(also: Sequence[Word]) -> str:
    """The sides that win or lose beside the first one."""
    *more, last = [name(w, (*_WORDS, "and")) for w in also] or [""]
    return "".join(f", {w}" for w in more) + (f" and {last}" if last else "")


def verb(who: Word, loses: bool, also: Sequence[Word] = ()) -> str:
    """The verb: a name that ends in s is that of several people."""
    several = also or who.text == "all" or (who.text.endswith("s") and not who.text.isupper())
    return ("lose" if loses else "win") + ("" if several else "s")


def for_clause(over: Binder | None) -> str:
    """`for KIND where CONDITION`, with the space before it; nothing where there is none."""
    return "" if over is None else f" for {binder(over)}"


def header(word: Word, reserved: Collection[str] = ("by", "in", "at")) -> str:
    """A word of a line that ends with the line, in quotes where it needs them.

    Args:
        word: The word.
        reserved: Words of the language where it stands.
    """
    plain = _HEADER.fullmatch(word.text) and word.text not in reserved
    return word.text if plain else in_quotes(word.text)

"""The goal language: its grammar, and the parser from a text to a small tree.

From loose to tight: `or`, `and`, `not`, one comparison (`== != < <= > >= in`, never chained), `+ -`, `*`, unary
`-`, then whole numbers, `true`, `false`, names, calls and parentheses. White space and line ends are free.

A bare name is made of letters, digits, `_` and `.`; it has no inner `-`, so `vcp(Axis)-3` subtracts. A name
with anything else in it stands in single or double quotes, without escapes. The arguments of a call are names, or
calls that are worth one; there a bare name may also hold `/`, and several words make one name:
`owner(Karelia S.S.R.)`. Some may be given by name: `happens(place, unit=infantry)`. In the parentheses of `before`
stands any expression.

    count(B)  some(B)  no(B)  sum(x for B)  max(x for B)  min(x for B)     over the members of a kind
    count(c, ...)  max(x, ...)  min(x, ...)  if(c, x, y)                   of what is listed
    connected(x, GROUP through B)                                          is there a path?
    down(x / y)  up(x / y)                                                 a division, rounded
    reaches(x, y within n through B for c until d)                         is there a way that costs n at most?
    cheapest(x, y through B for c until d)                                 what the cheapest way costs


`B` is a variable: `[NAME] KIND [in GROUP] [of OWNER] [where CONDITION]`, such as `hex in Heights where
occupies(French, hex)`. These words are names like others where the rule set has an observable that is called so.

The parser descends at most 100 deep and takes linear time. `terms.expressions.resolve` says what a name means.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace

from vclogic.errors import InputError
from vclogic.terms.expressions.lexer import (
    CLAUSES,
    HELP,
    JOINING,
    QUOTE,
    SENTENCE,
    Lexer,
    Token,
    check_hex,
    hyphened,
    is_sentence,
)
from vclogic.terms.expressions.syntax import (
    BEFORE,
    CONNECTED,
    COUNT,
    DIVIDE,
    DOWN,
    FORMS,
    FROM,
    IF,
    IN,
    NO,
    REACHES,
    SOME,
    SUM,
    UNTIL,
    UP,
    WAYS,
    WITHIN,
    Binder,
    Call,
    Form,
    GoalSource,
    Node,
    Operation,
    Word,
)

MAX_LENGTH = 200_000
MAX_DEPTH = 100

_OR, _AND, _NOT, _COMPARE, _SUM, _PRODUCT, _NEGATE = range(7)
_INFIX = {"or": _OR, "and": _AND, "+": _SUM, "-": _SUM, "*": _PRODUCT, IN: _COMPARE}
_INFIX |= dict.fromkeys(("==", "!=", "<", "<=", ">", ">="), _COMPARE)
_ORDERED = ("==", "<", "<=", ">", ">=")
_ENDS = r"(?:where|in|of|for|and)\b"
ANOTHER = re.compile(
    r"(?:,|and\b|for\b)\s*(?:(?:for|and|each)\s+)*"
    rf"([^\W\d]\w*(?: (?!{_ENDS})[^\W\d]\w*)?)\s*(?=[),]|{_ENDS}|$)"
)
"""A second kind, where one alone can stand."""
_A_KIND = "a kind is missing, such as in count(unit of US where ...)"


_DIVIDES, _LEADS = re.compile("/"), re.compile(r"\b(?:through|within|over|across|via)\b")
_NAMED = re.compile(r"\(\s*[^\s()\d,][^()+*-]*\)")
"""Names alone."""


def parse(text: str, label: str = "goal", own: Collection[str] = ()) -> Node:
    """The tree of a goal or value.

    Args:
        label: What to call it in a diagnostic, such as `--goal`.
        own: The names of observables, which come before the language's own words for what is counted.

    Raises:
        InputError: The first thing wrong with the text, with line and column.
    """
    source = GoalSource(text, label)
    if len(text) > MAX_LENGTH:
        raise source.error(0, f"the text is longer than {MAX_LENGTH} characters", code="limit")
    if not text.strip(" \t\r\n"):
        raise source.error(0, "there is nothing here", "write a comparison, such as round >= 3")
    for at, char in enumerate(text):
        if not char.isprintable() and char not in "\t\r\n":
            name = unicodedata.name(char, "not printable").lower()
            raise source.error(at, f"a sign that nobody sees ({name})", "type a space, or nothing")
    return Parser(source, own).run()


class Parser:
    """Parses expressions and variables at any place of a text.

    Args:
        source: The text.
        own: As in `parse`.
        at: Where to begin.

    Attributes:
        lexer: What reads the text, up to the end of what was parsed.
    """

    def __init__(self, source: GoalSource, own: Collection[str] = (), at: int = 0):
        self.source, self.error, self.lexer = source, source.error, Lexer(source, at)
        self.forms = frozenset(FORMS).difference(own)
        self.depth = 0
        self.last: Node | None = None  # the last value that was read

    def run(self) -> Node:
        """An expression, which the text ends with.

        Raises:
            InputError: What is wrong with it, or stands behind it.
        """
        found = self.expression()
        self.finish()
        return found

    def finish(self) -> None:
        """Make sure that the text has ended.

        Raises:
            InputError: Something is left.
        """
        end = self.lexer.take()
        if end.text == ")":
            raise self.error(end.at, "this ')' closes nothing", "take it out, or write '(' before it")
        if end.text:
            raise self._misplaced(end)

    @contextmanager
    def _deeper(self, at: int) -> Iterator[None]:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.error(at, f"nested deeper than {MAX_DEPTH}", code="limit")
        yield
        self.depth -= 1

    def _misplaced(self, token: Token) -> InputError:
        """The error for a token where an operator or the end of something is expected."""
        if token.text == "," and isinstance(self.last, Word):
            check_hex(self.source, self.last.at)
        words = token.node is not None and isinstance(self.last, Word)
        if isinstance(self.last, Word) and self.last.text in self.forms:
            return self.error(token.at, f"{token} cannot stand here", f"write {self.last.text}(KIND where ...)")
        if token.text == DIVIDE:
            return self.error(token.at, f"{token} cannot stand here", HELP[DIVIDE])
        help = QUOTE if words else "something is missing before it, such as 'and' or '=='"
        help = SENTENCE if words and is_sentence(self.source.text) else hyphened(self.source.text, token.at) or help
        return self.error(token.at, f"{token} cannot stand here", help)

    # ---- operators

    def expression(self, least: int = _OR) -> Node:
        """All that operators of a level, or tighter ones, join.

        Raises:
            InputError: The first thing wrong with it.
        """
        found = self._operand(least)
        while (level := _INFIX.get(self.lexer.peek().keyword, -1)) >= least:
            parts, taken = [found], list[Token]()
            while _INFIX.get(self.lexer.peek().keyword) == level:
                taken.append(self.lexer.take())
                if level == _COMPARE and len(taken) > 1:
                    help = "write two, with `and` between: 3 <= round and round <= 5"
                    raise self.error(taken[1].at, "two comparisons in one", help)
                parts.append(self._group() if taken[-1].text == IN else self.expression(level + 1))
            found = Operation(tuple(t.text for t in taken), tuple(t.at for t in taken), tuple(parts), parts[0].at)
        return found

    def _operand(self, least: int) -> Node:
        token = self.lexer.take()
        if token.node is not None:
            self.last = self._value(token, token.node)
            return self.last
        if token.text == "(":
            with self._deeper(token.at):
                found = self.expression()
                self._close(token.at)
            return found
        level = {"not": _NOT, "-": _NEGATE}.get(token.text)
        if level is None:
            raise self.error(token.at, f"a name or a number is missing before {token}")
        if level == _NOT and least > _NOT:
            raise self.error(token.at, "'not' cannot stand here", "put it in parentheses: (not ...)")
        with self._deeper(token.at):
            return Operation((token.text,), (token.at,), (self.expression(level),), token.at)

    def _close(self, opening: int) -> None:
        token = self.lexer.take()
        if not token.text:
            raise self.error(opening, "the '(' is never closed", "write ')' where it ends")
        if token.text != ")":
            raise self._misplaced(token)

    # ---- names, calls, and the words that count

    def _value(self, token: Token, word: Word) -> Node:
        if word.literal or self.lexer.char() != "(":
            return word
        opening = self.lexer.at
        if token.keyword != BEFORE and (token.keyword not in self.forms or not self._begins_form(token.keyword)):
            return self._call(word)
        with self._deeper(word.at):
            self.lexer.skip("(")
            if token.keyword == BEFORE:
                found: Node = Operation((BEFORE,), (word.at,), (self.expression(),), word.at)
            else:
                found = self._form(token.text, word.at)
            self._close(word.at if token.keyword == BEFORE else opening)
        return found

    def _begins_form(self, word: str) -> bool:
        """True if what stands in the parentheses is that of a word of the language, and no name that a rulebook gave.

        `up(pin)` may be a fact, where `up(points / 2)` is a division.
        """
        telling = {DOWN: _DIVIDES, UP: _DIVIDES}.get(word, _LEADS if word in WAYS else None)
        if telling is None:
            return True
        text, depth = self.source.text, 0
        for end in range(self.lexer.at, len(text)):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            if not depth:
                break
        inside = text[self.lexer.at : end + 1]
        return telling.search(inside) is not None or not _NAMED.fullmatch(inside)

    def _call(self, word: Word) -> Call:
        lexer, opening = self.lexer, self.lexer.at
        found, named = list[Word | Call](), list[tuple[Word, Word]]()
        with self._deeper(word.at):
            lexer.skip("(")
            more = lexer.char() != ")"
            while more:
                argument = self._argument(opening)
                if isinstance(argument, Word) and lexer.equals():
                    named.append((argument, self._name(opening)))
                else:
                    found.append(argument)
                more = lexer.skip(",")
            if not lexer.skip(")"):
                raise self._missing(opening)
        return Call(word.text, tuple(found), word.at, tuple(named))

    def _argument(self, opening: int) -> Word | Call:
        """A name, or a call that is worth one."""
        word = self._name(opening)
        quoted = self.source.text[word.at] in "'\""
        return self._call(word) if not quoted and self.lexer.char() == "(" else word

    def _name(self, opening: int) -> Word:
        found = self.lexer.words()
        if found is None:
            raise self._missing(opening)
        return found

    def _missing(self, opening: int) -> InputError:
        if not self.lexer.char():
            return self.error(opening, "the '(' is never closed", "write ')' where it ends")
        return self.lexer.misplaced()

    def _named(self, what: str) -> Word:
        """The name in a clause."""
        found = self.lexer.words_of_clause()
        if found is None:
            raise self.error(self.lexer.at, f"the name of {what} is missing here", HELP.get(self.lexer.char()))
        return found

    def _group(self) -> Word | Call:
        """A group, or what has several members: `hexes(place)`."""
        word = self._named("a group")
        return self._call(word) if self.lexer.char() == "(" else word

    def _divided(self, word: str, at: int) -> Form:
        """The content of the parentheses of a division, of which the word tells how it is rounded."""
        number = self.expression(_PRODUCT)
        help = f"write {word}(NUMBER / NUMBER), with parentheses around a sum: {word}((a + b) / 2)"
        if self.lexer.peek().text != DIVIDE:
            raise self.error(self.lexer.peek().at, f"{word} takes a division", help, "arguments")
        self.lexer.take()
        by = self.expression(_NEGATE)
        if self.lexer.peek().text in ("+", "-", "*", DIVIDE):
            raise self.error(self.lexer.peek().at, f"{word} takes one division", help, "arguments")
        return Form(word, at, (number, by))

    def _ways(self, word: str, at: int) -> Form:
        """The content of the parentheses of `reaches` or `cheapest`."""
        lexer = self.lexer
        within = f" {WITHIN} NUMBER" if word == REACHES else ""
        help = f"write {word}(PLACE, PLACE{within} through KIND where ... for COST until STOP)"
        ends: list[Node] = []
        for _ in range(2):
            place = lexer.words_of_clause((*CLAUSES, *JOINING, WITHIN))
            if place is None or (not ends and not lexer.skip(",") and lexer.char() != "("):
                raise self.error(lexer.at, f"{word} needs two places, and what ways lead through", help, "arguments")
            if lexer.char() == "(":
                ends.append(self._call(place))
                if len(ends) == 1 and not lexer.skip(","):
                    raise self.error(lexer.at, f"{word} needs two places", help, "arguments")
            else:
                ends.append(place)
        if word == REACHES:
            if not lexer.clause(WITHIN):
                raise self.error(lexer.at, "nothing says how much a way may cost", help, "arguments")
            ends.append(self.expression(_SUM))
            lexer.back()
        if not lexer.clause("through"):
            raise self.error(lexer.at, "nothing says what ways lead through", help, "arguments")
        kind = lexer.words_of_clause((*CLAUSES, *JOINING, FROM, UNTIL))
        if kind is None:
            raise self.error(lexer.at, "nothing is said to be looked at here", _A_KIND)
        last = self._named("the place before it") if lexer.clause(FROM) else None
        group = self._group() if lexer.clause("in") else None
        where = self._after("where")
        cost = self._after("for")
        return Form(word, at, tuple(ends), Binder(kind, group, None, where), None, last, cost, self._after(UNTIL))

    def _after(self, word: str) -> Node | None:
        """The expression after a word; None where it does not come next."""
        if not self.lexer.clause(word):
            return None
        found = self.expression()
        self.lexer.back()
        return found

    def _form(self, word: str, at: int) -> Form:
        """The content of the parentheses of one of the language's own words."""
        lexer, begin = self.lexer, self.lexer.at
        if word == CONNECTED:
            return self._path(at)
        if word in (DOWN, UP):
            return self._divided(word, at)
        if word in WAYS:
            return self._ways(word, at)
        if word in (COUNT, SOME, NO) and lexer.begins_variable():
            return Form(word, at, (), self._only_one(word))
        parts = [self.expression()]
        if word not in (COUNT, SOME, NO, IF) and lexer.peek().keyword == "for":
            value = self.source.text[begin : lexer.take().at].strip()
            return Form(word, at, tuple(parts), self._only_one(word, value))
        while lexer.peek().text == ",":
            lexer.take()
            parts.append(self.expression())
        if word in (COUNT, SOME, NO) and lexer.peek().keyword == "where" and (kinds := _words(parts)):
            raise self._two(word, kinds[1].at, kinds[0].text, kinds[1].text)
        wants = {IF: "if(CONDITION, THEN, ELSE)", SUM: "sum(VALUE for KIND where ...)"}
        wants |= {SOME: "some(KIND where ...)", NO: "no(KIND where ...)"}
        if word in wants and (word != IF or len(parts) != 3) and lexer.peek().text == ")":
            raise self.error(at, f"{word} does not take this", f"write {wants[word]}", "arguments")
        return Form(word, at, tuple(parts))

    def _only_one(self, word: str, value: str = "") -> Binder:
        """The variable of a form, which has one alone.

        Args:
            value: What is worked out for each, as it is written; empty: nothing.
        """
        found = self.binder()
        again = self.lexer.back()
        joined = ANOTHER.match(self.source.text, again)
        if joined is not None:
            raise self._two(word, again, found.kind.text, joined[1], value)
        return found

    def _two(self, word: str, at: int, one: str, two: str, value: str = "") -> InputError:
        """The error for a second kind in a form."""
        within = SOME if word == NO else word
        inner = f"{within}({value} for {two})" if value else f"{within}({two} where ...)"
        if word in (SOME, NO):
            help = f"write {word}({one} where {inner})"
        else:
            help = f"write {SUM if word == COUNT else word}({inner} for {one})"
        return self.error(at, f"{word} looks at one kind at a time", help)

    def _path(self, at: int) -> Form:
        lexer = self.lexer
        begin = lexer.at
        place = self._argument(begin)
        group = self._named("the group that the path leads to") if lexer.skip(",") else None
        if group is None or not lexer.clause("through"):
            help = "write connected(PLACE, GROUP through KIND where ...)"
            raise self.error(lexer.at, "connected needs a place, a group, and what its paths lead through", help)
        return Form(CONNECTED, at, (place,), self.binder(), group)

    def binder(self, *, several: bool = False) -> Binder:
        """A variable with what it ranges over.

        Args:
            several: Whether others may follow, with commas between them.

        Raises:
            InputError: What is wrong with it.
        """
        found = [self._variable()]
        while several and self.lexer.skip(","):
            found.append(self._variable())
        where = self.expression() if self.lexer.clause("where") else None
        return replace(found[0], where=where, more=tuple(found[1:]))

    def _variable(self) -> Binder:
        lexer = self.lexer
        kind = lexer.words_of_clause()
        if kind is None:
            raise self.error(lexer.at, "nothing is said to be looked at here", _A_KIND)
        group = self._group() if lexer.clause("in") else None
        owner: Word | Call | None = None
        if lexer.clause("of"):
            owner = self._named("a side, or of another value,")
            owner = self._call(owner) if lexer.char() == "(" else owner
        return Binder(kind, group, owner)


def _words(parts: list[Node]) -> tuple[Word, Word] | None:
    """The first two names that are listed, or joined; None where that is not all that stands there."""
    inside = parts[0].parts if len(parts) == 1 and isinstance(parts[0], Operation) else parts
    match [*inside]:
        case [Word() as one, Word() as two, *_]:
            return one, two
    return None


def conjuncts(text: str, own: Collection[str] = ()) -> tuple[str, ...]:
    """The parts of a goal that its outermost `and` joins, as texts; the goal itself where there is none.

    Args:
        own: As in `parse`.

    Raises:
        InputError: As in `parse`.
    """
    root = parse(text, own=own)
    if not isinstance(root, Operation) or root.operators[0] != "and":
        return (text,)
    ends = (*root.places, len(text))
    begins = (0, *(at + len("and") for at in root.places))
    parts = tuple(text[a:b].strip() for a, b in zip(begins, ends, strict=True))
    balanced = all(p.count("(") == p.count(")") for p in parts)  # else parentheses stand around the whole
    return parts if balanced else (text,)


def comparison(text: str, own: Collection[str] = ()) -> tuple[str, str, str] | None:
    """Both sides of a goal that is one comparison of two, with the operator between them; None for another goal.

    Args:
        own: As in `parse`.

    Raises:
        InputError: As in `parse`.
    """
    root = parse(text, own=own)
    if not isinstance(root, Operation) or len(root.parts) != 2 or root.operators[0] not in _ORDERED:
        return None
    (at,), (operator,) = root.places, root.operators
    sides = text[:at].strip(), text[at + len(operator) :].strip()
    balanced = all(side.count("(") == side.count(")") for side in sides)
    return (sides[0], operator, sides[1]) if balanced else None

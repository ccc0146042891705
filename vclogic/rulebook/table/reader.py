"""Reader of every statement: names, words, expressions, texts, moments, lines, each with its message."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Self

from vclogic.rulebook.statements import BECOMES, END, FALLS, ONCE, RISES, Moment
from vclogic.terms.expressions.lexer import CLAUSES
from vclogic.terms.expressions.parser import ANOTHER, Parser
from vclogic.terms.expressions.syntax import Binder, Call, GoalSource, Node, Word

VERBS = {"wins": False, "win": False, "loses": True, "lose": True}
BELOW = ("takes", "needs", "then", "says", "weight", "not judged")
"""What the lines below an event begin with."""
BELOW_PLAN = ("uses", "without", "step", "keeps", "counts", "python")
"""What the lines below a plan begin with."""
BELOW_OBJECTIVE = ("called", "held", "lies", "worth", "lost")
"""What the lines below an objective begin with."""
_OTHER_QUOTES = tuple("\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb")
ENDS = ("becomes", "rises", "falls")
"""Words that begin what stands below a fact."""
CHANGES = {BECOMES: re.compile(r"becomes\b"), RISES: re.compile(r"rises\s+by\b"), FALLS: re.compile(r"falls\s+by\b")}
_MOMENT = re.compile(
    r"at\s+(?:(once)\b|the\s+(start|end)\b(?:\s+of\s+(?:(?:a|each|every|the|any)\s+)?(turn|round|game|phase)\b)?)"
)
_TURN_OF = re.compile(
    r"at\s+the\s+(start|end)\s+of\s+(?:(?:a|an|each|every|the|any)\s+)?(?!(?:turn|round|game|phase)\b)"
    r"((?:(?!\bif\b)[\w. ])+?)(?:\s+player)?(?:'s|’s|'|’)?\s+turns?\b"
)
_ASKED = re.compile(r"\s*\w+\s*\(")
_AFTER = re.compile(r"after\b|on\b|when\b|during\b")
_INSTEAD = {
    "when": "write the moment, and `if` before the condition",
    "after": "count them: a fact that rises by 1 at the end of a turn; SIDE wins NAME at once if FACT >= 12",
}
_RANGE = re.compile(r"(-?[0-9]{1,9})\s+to\s+(-?[0-9]{1,9})\b")
_BELOW = re.compile(r"-[0-9]{1,9}\b")
STRING = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|#[^\n]*")
WORD = re.compile(r"[^\W\d]\w*")
_WHEN = (
    "say when: at once, at the end, at the end of a turn, at the end of a turn of SIDE, at the end of a round, ..."
)
HEADER_WORD = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|[^\s,]+")
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


def begins_statement(line: str, beginnings: Collection[str]) -> bool:
    """True if a line looks like the first one of a statement."""
    words = WORD.findall(line)
    return bool(words) and (words[0] in beginnings or any(w in VERBS or w == "means" for w in words))


class Reader:
    """Reads one statement, which the text ends with.

    Args:
        source: The text.
        own: As in `vclogic.rulebook.parser.parse_rules`.
        at: Where it begins.
        beginnings: Words that begin a statement.

    Attributes:
        prefixed: Whether the word stood before it that may, such as `otherwise`.
    """

    def __init__(self, source: GoalSource, own: Collection[str], at: int, beginnings: Collection[str]):
        self.source, self.text, self.begin, self.own, self.beginnings = source, source.text, at, own, beginnings
        self.parser = Parser(source, own, at)
        self.lexer = self.parser.lexer
        self.prefixed = False

    # ---- names and expressions

    def words(self, what: str, *ends: str) -> Word:
        """A name, up to one of some words."""
        found = self.lexer.words_of_clause(ends)
        if found is None:
            raise self.source.error(self.lexer.at, f"the name of {what} is missing here")
        return found

    def word(self, text: str, help: str) -> None:
        """A word of the language."""
        if not self.lexer.clause(text):
            raise self.source.error(self.lexer.at, f"{text!r} is missing here", help)

    def names(self, what: str, *ends: str) -> tuple[Word, ...]:
        """Names with commas between them."""
        found = [self.words(what, *ends)]
        while self.lexer.skip(","):
            found.append(self.words(what, *ends))
        return tuple(found)

    def parameters(self) -> tuple[Word, ...]:
        """Kinds in parentheses; none where there are no parentheses."""
        if not self.lexer.skip("("):
            return ()
        found = [self.words("a kind", *CLAUSES)]
        while self.lexer.skip(","):
            found.append(self.words("a kind", *CLAUSES))
        if not self.lexer.skip(")"):
            help = "between the parentheses stand kinds, such as worth(hex), or in exceptions names"
            raise self.source.error(self.lexer.at, "')' is missing here", help)
        return tuple(found)

    def expression(self) -> Node:
        """An expression of the goal language."""
        found = self.parser.expression()
        self.lexer.back()
        return found

    def target(self) -> Call | Word:
        """A fact, with names in parentheses where it is asked of some."""
        found = self.expression()
        if not isinstance(found, Call | Word) or (isinstance(found, Word) and found.literal):
            raise self.source.error(found.at, "a fact is expected here", "write FACT, or FACT(NAME, ...)")
        return found

    def binder(self, *, several: bool = False) -> Binder:
        """A variable with what it ranges over; several with commas between them."""
        found = self.parser.binder(several=several)
        at = self.lexer.back()
        another = ANOTHER.match(self.text, at)
        if another is not None:
            help = f"write a line for each {found.kind.text}, with `for {another[1]}`"
            help = f"write for {found.kind.text}, {another[1]}" if several else help
            raise self.source.error(at, "a line goes through one kind", help)
        return found

    def quoted(self, what: str) -> str:
        """A text in quotes."""
        if self.lexer.char() not in ("'", '"'):
            straight = ' of this kind: "' if self.lexer.char() in _OTHER_QUOTES else ""
            raise self.source.error(self.lexer.at, f"{what} is missing here", f"it stands in quotes{straight}")
        found = self.lexer.words()
        assert found is not None, "a quote begins it"
        return found.text

    def template(self, what: str) -> tuple[str | Node, ...]:
        """A text in quotes, with expressions in braces."""
        self.lexer.char()
        begin = self.lexer.at + 1
        text = self.quoted(what)
        parts: list[str | Node] = []
        at = 0
        for found in _PLACEHOLDER.finditer(text):
            parts.append(text[at : found.start()])
            cut = GoalSource(self.text[: begin + found.end() - 1], self.source.label)
            parts.append(Parser(cut, self.own, begin + found.start() + 1).run())
            at = found.end()
        return tuple(p for p in (*parts, text[at:]) if p != "")

    def condition(self) -> Node | None:
        """`if CONDITION`, up to the end; None: there is none."""
        found = self.expression() if self.lexer.clause("if") else None
        self.end()
        return found

    def end(self) -> None:
        """Make sure that nothing stands behind it."""
        if not self.lexer.char():
            return
        at = self.lexer.at
        if self.lexer.clause("else"):
            help = "write `otherwise SIDE wins NAME` in a line of its own below"
            raise self.source.error(at, "'else' cannot stand here", help)
        if begins_statement(self.text[at:], self.beginnings):
            help = "a line says one thing: begin another one"
            raise self.source.error(at, "what follows is a statement of its own", help)
        self.parser.finish()

    # ---- moments

    def moment(self) -> Moment | None:
        """A moment; None: there is none here."""
        self.lexer.char()
        whose = _TURN_OF.match(self.text, self.lexer.at)
        if whose is not None and not _MOMENT.fullmatch(whose[0]):
            anybody = whose[2].strip() in ("player", "side", "power")
            help = f"write at the {whose[1]} of a turn" + ("" if anybody else f" of {whose[2].strip()}")
            raise self.source.error(self.lexer.at, "whose turn it is stands after the turn", help)
        found = _MOMENT.match(self.text, self.lexer.at)
        if found is None:
            wrong = _AFTER.match(self.text, self.lexer.at)
            if wrong or self.lexer.clause("at"):
                help = _INSTEAD.get(wrong[0], _WHEN) if wrong else _WHEN
                raise self.source.error(self.lexer.at, "this is no moment", help)
            return None
        self.lexer.at = found.end()
        if not found[1] and found[3] is None and self.lexer.clause("of"):
            phase = self.words("a phase", "of", "if", *ENDS)
            return Moment(f"at the {found[2]} of a phase", self.whose_turn(), phase)
        if found[3] and self.lexer.char().isdigit():
            help = f"write at the {found[2]} of a {found[3]} if round == NUMBER and ..."
            raise self.source.error(self.lexer.at, "a moment is that of every turn or round", help)
        if found[1] or found[3] in (None, "game"):
            return Moment(ONCE if found[1] else END) if found[1] or found[2] == "end" else self.no_start(found)
        return Moment(f"at the {found[2]} of a {found[3]}", self.whose_turn())

    def whose_turn(self) -> Word | Call | None:
        """`of SIDE`, `of enemy(SIDE)` or `of side(UNIT)`, which says whose turn it is about; None: it is not said."""
        if not self.lexer.clause("of"):
            return None
        if not _ASKED.match(self.text, self.lexer.at):
            return self.words("a side", "if", *ENDS)
        found = self.target()
        if not isinstance(found, Call) or not found.arguments:
            raise self.source.error(found.at, "whose enemy is not said", "write of enemy(side)")
        return found

    def no_start(self, found: re.Match[str]) -> Moment:
        """Refuse the start of the game."""
        raise self.source.error(found.start(), "the game's start is no moment that can be judged", _WHEN)

    def a_moment(self) -> Moment:
        """A moment, which must be there."""
        found = self.moment()
        if found is None:
            later = _MOMENT.search(self.text, self.lexer.at)
            help = f"`{later[0]}` stands before `if`" if later else _WHEN
            raise self.source.error(self.lexer.at, "nothing says when", help)
        return found

    def match(self, pattern: re.Pattern[str], message: str, help: str) -> re.Match[str]:
        """The match of a pattern here."""
        self.lexer.char()
        found = pattern.match(self.text, self.lexer.at)
        if found is None:
            raise self.source.error(self.lexer.at, message, help)
        self.lexer.at = found.end()
        return found

    def whole(self, what: str, example: str) -> int:
        """A whole number from 1 on."""
        found = self.lexer.words_of_clause()
        if found is None or not (found.text.isascii() and found.text.isdigit()) or not int(found.text[:9]) > 0:
            at = self.lexer.at if found is None else found.at
            raise self.source.error(at, f"{what} is a whole number from 1 on", example)
        if len(found.text) > len("9999"):
            raise self.source.error(found.at, "there are at most 9999", example, "limit")
        return int(found.text)

    def named(self, what: str, *ends: str) -> Word:
        """The name of something new, which goals can speak of."""
        return self.is_name(self.words(what, *ends))

    def is_name(self, found: Word) -> Word:
        """The name, if goals can use it."""
        if not WORD.fullmatch(found.text):
            help = f"such as {re.sub('[^0-9A-Za-z_]+', '_', found.text).strip('_').lower() or 'held'}"
            raise self.source.error(found.at, "a name that goals use is one word of letters, digits and _", help)
        return found

    def number_range(self) -> tuple[int, int] | None:
        """`NUMBER to NUMBER`; None: there is none here."""
        self.lexer.char()
        found = _RANGE.match(self.text, self.lexer.at)
        if found is None:
            return None
        self.lexer.at, low, high = found.end(), int(found[1]), int(found[2])
        if low >= high:
            wrong = "the larger number stands first" if low > high else "this is one number alone"
            raise self.source.error(found.start(), wrong, "write 0 to 12")
        return low, high

    def call(self, at: int) -> Call:
        """A name with names in parentheses."""
        self.lexer.at = at
        found = self.expression()
        if not isinstance(found, Call):
            raise self.source.error(at, "this is no name with names in parentheses")
        return found

    def number(self) -> Word | None:
        """A number below nothing; None: there is none here."""
        self.lexer.char()
        found = _BELOW.match(self.text, self.lexer.at)
        if found is None:
            return None
        self.lexer.at = found.end()
        return Word(found[0], found.start())

    def lines_below(self, words: Collection[str]) -> Iterator[Self]:
        """A reader for each part of what is left that begins with one of some words, at the begin of a line.

        A name in it ends where the part does, not with a word of the next line.
        """
        if not self.lexer.char():
            return
        begins = [self.lexer.at]
        blank = STRING.sub(lambda found: "_" * len(found[0]), self.text)
        for found in re.finditer(rf"\n[ \t]*(?=(?:{'|'.join(words)})\b)", blank):
            inside = blank[begins[-1] : found.end()]
            if found.end() > begins[-1] and inside.count("(") <= inside.count(")"):
                begins.append(found.end())
        for begin, end in zip(begins, (*begins[1:], len(self.text)), strict=True):
            yield self.from_here(self.text[:end].rstrip(), begin)
        self.lexer.at = len(self.text)

    # ---- lines

    def from_here(self, text: str, at: int) -> Self:
        """A reader for a part of the text that ends elsewhere."""
        return type(self)(GoalSource(text, self.source.label), self.own, at, self.beginnings)

    def line(self) -> str:
        """The text up to the end of the line that is read."""
        end = self.text.find("\n", self.lexer.at)
        return self.text if end < 0 else self.text[:end]

    def line_ends(self) -> bool:
        """True if nothing is left of the line, or what belongs below an event begins."""
        rest = re.compile(r"[ \t]*").match(self.text, self.lexer.at)
        assert rest is not None, "it matches nothing"
        self.lexer.at = rest.end()
        return self.text[self.lexer.at : self.lexer.at + 1] in ("", "\n", "\r")

    def on_line(self, word: str) -> bool:
        """True if a word comes next in this line, which is then read."""
        return not self.line_ends() and self.lexer.clause(word)

    def header_word(self, what: str) -> Word:
        """A word of an event's first line, or a name in quotes."""
        found = None if self.line_ends() else HEADER_WORD.match(self.text, self.lexer.at)
        if found is None:
            raise self.source.error(self.lexer.at, f"{what} is missing here", "write event NAME by side ARGUMENTS")
        self.lexer.at = found.end()
        return Word(found[0].strip("'\""), found.start())

    def rest_of_lines(self) -> Iterator[tuple[int, str]]:
        """The lines below the first, each with its place."""
        at = self.lexer.at
        for line in self.text[at:].splitlines(keepends=True):
            stripped = line.strip()
            if stripped:
                yield at + line.index(stripped), stripped
            at += len(line)
        self.lexer.at = at

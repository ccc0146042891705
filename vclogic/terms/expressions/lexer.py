"""The words and signs of the goal language, each with its place."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from typing import NamedTuple

from vclogic.errors import InputError, quoted
from vclogic.terms.expressions.syntax import GoalSource, Word

MAX_DIGITS, MAX_NAME = 9, 200
JOINING, TRUTHS = ("and", "or", "not"), ("true", "false")
CLAUSES = ("in", "of", "where", "for", "through", "if", "else")
"""Words that end a kind, a group or an owner; a name that holds one stands in quotes there."""

_SYMBOLS = {*"()+-*/,", "==", "!=", "<", "<=", ">", ">="}
_MARKS = "\u0300-\u036f"  # combining accents, as some systems type them
_QUOTES = ("'", '"')
_DIGITS = re.compile(r"[0-9][0-9_.]*")
_SPACE = re.compile(r"[ \t\r\n]*")
_HEX = re.compile(r"([0-9]+)\s*,\s*([0-9]+)", re.ASCII)
_WORD = re.compile(rf"\w[\w.{_MARKS}]*")
_IN_NAMES = re.compile(rf"[\w./][\w./{_MARKS}]*")
_WORDS = re.compile(rf"{_IN_NAMES.pattern}(?:[ \t\r\n]+{_IN_NAMES.pattern})*")
_SYMBOL = re.compile(r"===|!==|==|!=|<=|>=|=>|=<|<>|&&|\|\||\*\*|//|(?s:.)")

_SPELLINGS = "and && &;or || |;not ! ¬ ~;== = ===;!= !== <> ≠;>= => ≥;<= =< ≤;- − – —;* × ·;' ‘ ’;\" “ ” „"
HELP = {w: f"write `{right}`" for right, *wrong in map(str.split, _SPELLINGS.split(";")) for w in wrong}
"""What to do about signs and words that others use, and this language does not."""
HELP |= dict.fromkeys(("/", "//", "%"), "say how a division is rounded: down(NUMBER / NUMBER), or up(...)")
HELP |= dict.fromkeys(("**", "^"), "there are no powers: a value can be multiplied by a constant")
HELP["["] = "what a name is asked of stands in parentheses: NAME(OF_WHAT)"
HELP["\\"] = "a name is written as it is; put it in the other kind of quotes"
QUOTE = "a name of several words, or with other characters, stands in quotes"


_HYPHENED = re.compile(r"[\w./+]+(?:-[\w./+]+)+")
_SENTENCE = re.compile(r"\s*[^\W\d]+(?:\s+[^\W\d]+){2,}")
SENTENCE = "plain sentences are not read: write an expression, as count(KIND where ...) or NAME(OF_WHAT) == NAME"


def hyphened(text: str, at: int) -> str | None:
    """Help about a name with a hyphen that stands at a place, or around it, without quotes; None if none does."""
    found = next((m[0] for m in _HYPHENED.finditer(text) if m.start() <= at < m.end()), None)
    return None if found is None else f"a name with a hyphen stands in quotes: '{found}'"


def is_sentence(text: str) -> bool:
    """True if a text begins with several plain words, none of which joins conditions."""
    found = _SENTENCE.match(text)
    return found is not None and not {*JOINING, *CLAUSES, "if"}.intersection(found[0].split())


def unwritable(name: str) -> str | None:
    """Why a name cannot stand in a goal, not even in quotes; None if it can."""
    if not 0 < len(name) <= MAX_NAME:
        return f"a name has 1 to {MAX_NAME} characters"
    if "\\" in name or not name.isprintable():
        return "a name holds no \\ and no sign that nobody sees"
    return "a name holds one kind of quotes at most" if all(mark in name for mark in _QUOTES) else None


def is_hex(name: str) -> bool:
    """True if a name is a hex as players write it: `column,row`."""
    return _HEX.fullmatch(name) is not None


def check_hex(source: GoalSource, at: int) -> None:
    """Raise an error if a hex without quotes stands at a place: its comma would end the value.

    Raises:
        InputError: One does.
    """
    found = _HEX.match(source.text, at)
    if found:
        raise source.error(at, f"a hex wants quotes: '{found[1]},{found[2]}'", code="unquoted-hex")


class Token(NamedTuple):
    """An operator, a parenthesis, a comma, the end (no text), or a value (with its node).

    Attributes:
        text: As it stands, without quotes.
        at: Its place.
        node: The name, number or truth.
        bare: Whether it stands without quotes.
    """

    text: str
    at: int
    node: Word | None = None
    bare: bool = True

    def __str__(self) -> str:
        return quoted(self.text) if self.text else "the end"

    @property
    def keyword(self) -> str:
        """Its text, where that may be one of the language's own words; empty for a name in quotes."""
        return self.text if self.bare else ""


class Lexer:
    """Reads a text from its begin, by tokens where an expression stands, by names in parentheses.

    Args:
        source: The text.
        at: Where to begin.

    Attributes:
        at: How far it is read.
    """

    def __init__(self, source: GoalSource, at: int = 0):
        self.source, self.text, self.at = source, source.text, at
        self._next: Token | None = None

    # ---- tokens

    def peek(self) -> Token:
        """The next token, which is still to be taken."""
        if self._next is None:
            self._next = self._token() if self.char() else Token("", self.at)
        return self._next

    def take(self) -> Token:
        """The next token."""
        found, self._next = self.peek(), None
        return found

    def back(self) -> int:
        """Forget the token that was looked at, so that names can be read from there on; the place."""
        if self._next is not None:
            self.at, self._next = self._next.at, None
        return self.at

    def char(self) -> str:
        """The next character that is no white space, or nothing at the end; asked where no token is looked at."""
        self.at = self._match(_SPACE)
        return self.text[self.at : self.at + 1]

    def _match(self, pattern: re.Pattern[str]) -> int:
        match = pattern.match(self.text, self.at)
        return match.end() if match else self.at

    def _token(self) -> Token:
        at = self.at
        if self.text[at] in _QUOTES:
            text = self._quoted()
            return Token(text, at, Word(text, at), bare=False)
        text = self.text[at : self._match(_WORD)]
        if not text:
            return self._symbol()
        self.at += len(text)
        if text in JOINING:
            return Token(text, at)
        if self._constant(text, at):
            return Token(text, at, Word(text, at, True))
        text = self._name(text, at)
        return Token(text, at, Word(text, at))

    def _symbol(self) -> Token:
        at, text = self.at, self.text[self.at : self._match(_SYMBOL)]
        if text not in _SYMBOLS:
            raise self.source.error(at, f"{quoted(text)} cannot stand here", HELP.get(text))
        self.at += len(text)
        return Token(text, at)

    def _constant(self, text: str, at: int) -> bool:
        """True if a bare word is `true`, `false` or a number."""
        lower = text.casefold()
        if lower != text and lower in (*JOINING, *TRUTHS):
            raise self.source.error(at, f"{quoted(text)} cannot stand here", f"write `{lower}`")
        if not _DIGITS.fullmatch(text):
            return text in TRUTHS
        if len(text) > MAX_DIGITS or not text.isdigit():
            raise self.source.error(at, f"a number is whole and has at most {MAX_DIGITS} digits", code="limit")
        return True

    def _name(self, name: str, at: int) -> str:
        if not 0 < len(name) <= MAX_NAME:
            raise self.source.error(at, f"a name has 1 to {MAX_NAME} characters", code="limit")
        return unicodedata.normalize("NFC", name)

    def _quoted(self) -> str:
        at, end = self.at, self.text.find(self.text[self.at], self.at + 1)
        name, error = self.text[at + 1 : end], self.source.error
        if end < 0 or "\n" in name:
            raise error(at, "the quote is not closed in its line", "write the same quote again where the name ends")
        if "\\" in name:
            raise error(at + 1 + name.index("\\"), "'\\\\' cannot stand here", HELP["\\"])
        self.at = end + 1
        return self._name(name, at)

    # ---- names in parentheses, where no token is looked at

    def skip(self, char: str) -> bool:
        """True if a character comes next, which is then read."""
        here = self.char() == char
        self.at += here
        return here

    def equals(self) -> bool:
        """True if a single `=` comes next, which is then read."""
        here = self.char() == "=" and self._match(_SYMBOL) == self.at + 1
        self.at += here
        return here

    def words(self) -> Word | None:
        """The name that comes next: in quotes, or of several words; None if none does."""
        char, at = self.char(), self.at
        if char in _QUOTES:
            return Word(self._quoted(), at)
        self.at = self._match(_WORDS)
        return None if self.at == at else Word(self._name(" ".join(self.text[at : self.at].split()), at), at)

    def words_of_clause(self, ends: Collection[str] = (*CLAUSES, *JOINING, "if")) -> Word | None:
        """The same, up to a word that begins a clause or joins conditions, or one of others that end the name."""
        char, at, end = self.char(), self.at, self.at
        if char in _QUOTES:
            return Word(self._quoted(), at)
        while (found := _IN_NAMES.match(self.text, self.at)) and found[0] not in ends:
            end = self.at = found.end()
            self.char()
        self.at = end
        return None if end == at else Word(self._name(" ".join(self.text[at:end].split()), at), at)

    def clause(self, word: str) -> bool:
        """True if a word that begins a clause comes next, which is then read."""
        self.char()
        found = _IN_NAMES.match(self.text, self.at)
        here = found is not None and found[0] == word
        self.at += len(word) * here
        return here

    def begins_variable(self) -> bool:
        """True if a kind, with or without clauses, comes next, and no expression."""
        at = self.at
        if self.char() in _QUOTES:
            return False
        found = self.words_of_clause()
        here = found is not None and (self.char() == ")" or any(map(self.clause, ("in", "of", "where"))))
        self.at = at
        return here

    def misplaced(self) -> InputError:
        """The error for what comes next where a name, a comma or the end of a call is expected."""
        char = self.char()
        help = "a name is missing before it" if char and char in ",)" else HELP.get(char, QUOTE)
        help = (hyphened(self.text, self.at) if char == "-" else None) or help
        return self.source.error(self.at, f"{quoted(char)} cannot stand here", help)

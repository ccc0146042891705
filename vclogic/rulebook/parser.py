"""The parser of texts of rules: lines become statements, with expressions of the goal language in them.

A statement begins at the margin; what stands further right belongs to it. `#` begins a comment. The order of the
statements has no force, but for `otherwise`.

    NAME(KIND, ...) means VALUE                     except NAME(MEMBER, ...) means VALUE if CONDITION
    fact NAME(KIND, ...): VALUES, starts VALUE      below it: becomes / rises by / falls by VALUE MOMENT if CONDITION
    group NAME: MEMBER, ...                         group NAME: KIND where CONDITION
    SIDE wins NAME MOMENT if CONDITION              also `side`, `nobody`, `loses`; `otherwise SIDE wins NAME`
    table NAME MOMENT, by VALUE                     below it: 4 or more SIDE wins; of a ratio: by VALUE : VALUE
    instead of OUTCOME, ...

MOMENT is `at once`, `at the end`, or `at the start` or `at the end` of `a turn`, `a turn of SIDE` or `a round`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from typing import Self

from vclogic.errors import Diagnostic, InputError
from vclogic.rulebook.statements import (
    BECOMES,
    END,
    FALLS,
    ONCE,
    RISES,
    Content,
    Definition,
    FactChange,
    InsteadOf,
    Moment,
    NamedGroup,
    OutcomeTable,
    RememberedFact,
    Statement,
    TableRow,
    Win,
)
from vclogic.terms.goal import Parser
from vclogic.terms.lexer import CLAUSES
from vclogic.terms.syntax import Call, GoalSource, Node, Word

MAX_STATEMENTS = 1000
MAX_TEXT = 200_000
_VERBS = {"wins": False, "win": False, "loses": True, "lose": True}
_BEGINNINGS = ("fact", "secret", "group", "table", "instead", "except", "otherwise")
BELOW = ("needs", "then", "says", "weight")
"""What the lines below an event begin with."""
_OTHER_QUOTES = tuple("\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb")
_ENDS = ("becomes", "rises", "falls")
"""Words that begin what stands below a fact."""
CHANGES = {BECOMES: re.compile(r"becomes\b"), RISES: re.compile(r"rises\s+by\b"), FALLS: re.compile(r"falls\s+by\b")}
_MOMENT = re.compile(
    r"at\s+(?:(once)\b|the\s+(start|end)\b(?:\s+of\s+(?:(?:a|each|every|the|any)\s+)?(turn|round|game)\b)?)"
)
_TURN_OF = re.compile(
    r"at\s+the\s+(start|end)\s+of\s+(?:(?:a|an|each|every|the|any)\s+)?(?!(?:turn|round|game)\b)"
    r"((?:(?!\bif\b)[\w. ])+?)(?:\s+player)?(?:'s|’s|'|’)?\s+turns?\b"
)
_AFTER = re.compile(r"after\b|on\b|when\b|during\b")
_INSTEAD = {
    "when": "write the moment, and `if` before the condition",
    "after": "count them: a fact that rises by 1 at the end of a turn; SIDE wins NAME at once if FACT >= 12",
}
_RANGE = re.compile(r"(-?[0-9]{1,9})\s+to\s+(-?[0-9]{1,9})\b")
_BELOW = re.compile(r"-[0-9]{1,9}\b")
_NUMBER = r"(-?[0-9]{1,9})(?:\s*:\s*([0-9]{1,9}))?"
_ROW = re.compile(
    rf"(?:{_NUMBER}\s+to\s+{_NUMBER}|(more|less|fewer)\s+than\s+{_NUMBER}|(?:exactly\s+)?{_NUMBER}(?:\s+or\s+(more|less|fewer)\b)?)"
)
STRING = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|#[^\n]*")
_WORD = re.compile(r"[^\W\d]\w*")
_DEFINED = re.compile(r"\w+\([^()]*\)\s+means\b")
"""A definition may be called as a line can begin."""
CITED = re.compile(r"\[(\d[\w.-]*)\][ \t]*$", re.MULTILINE)
"""A sentence that a line cites, behind it."""
_LINES = (
    "a line says NAME(...) means VALUE, or SIDE wins NAME MOMENT if CONDITION, or begins with fact, group, table, "
    "except, otherwise or instead of"
)
_WHEN = (
    "say when: at once, at the end, at the end of a turn, at the end of a turn of SIDE, at the end of a round, ..."
)


def parse_rules(
    text: str, label: str = "outcomes", own: Collection[str] = (), reader: type[StatementParser] | None = None
) -> tuple[Statement, ...]:
    """The statements of a text.

    Args:
        text: The text.
        label: What to call it in a diagnostic.
        own: The names of observables, which come before the language's own words for what is counted.
        reader: Reads each statement; None: a text that stands beside a game.

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
    cited = {m.start(): m[1] for m in CITED.finditer(plain)}
    plain = CITED.sub(lambda found: " " * len(found[0]), plain)
    reader = reader or StatementParser
    found: list[Statement] = []
    wrong: list[Diagnostic] = []
    for at, end in _parts(plain, reader.beginnings):
        if len(found) == MAX_STATEMENTS:
            raise source.error(at, f"there are more than {MAX_STATEMENTS} statements", code="limit")
        try:
            content = reader(GoalSource(plain[:end], label), own, at).content()
            clauses = tuple(clause for place, clause in cited.items() if at <= place < end)
            found.append(Statement(content, at, end, " ".join(plain[at:end].split()), clauses))
        except InputError as error:
            wrong += error.diagnostics
    if wrong:
        raise InputError(wrong)
    if not found:
        raise source.error(0, "there is nothing here", reader.lines)
    return tuple(found)


def _parts(text: str, beginnings: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """Where each statement begins and ends."""
    blank = STRING.sub(lambda found: "_" * len(found[0]), text)  # parentheses in quotes close nothing
    begins: list[int] = []
    at = depth = 0
    margin: int | None = None
    for line in blank.splitlines(keepends=True):
        stripped = line.strip()
        indent = len(line) - len(line.lstrip())
        right = len(line[:indent].expandtabs())
        margin = right if margin is None and stripped else margin
        if stripped and right <= (margin or 0) and (depth <= 0 or _begins(stripped, beginnings)):
            begins.append(at + indent)
            depth = 0
        depth += line.count("(") - line.count(")")
        at += len(line)
    ends = [*begins[1:], len(text)] if begins else []
    return ((a, a + len(text[a:b].rstrip())) for a, b in zip(begins, ends, strict=True))


def _begins(line: str, beginnings: tuple[str, ...]) -> bool:
    words = _WORD.findall(line)
    return bool(words) and (words[0] in beginnings or any(w in _VERBS or w == "means" for w in words))


class StatementParser:
    """Reads one statement, which the text ends with.

    Args:
        source: The text.
        own: As in `parse_rules`.
        at: Where it begins.
    """

    beginnings: tuple[str, ...] = _BEGINNINGS
    """Words that begin a statement."""
    lines = _LINES
    """What there is to write."""

    def __init__(self, source: GoalSource, own: Collection[str], at: int):
        self.source, self.text, self.begin, self.own = source, source.text, at, own
        self.parser = Parser(source, own, at)
        self.lexer = self.parser.lexer

    def content(self) -> Content:
        """The statement."""
        readers = self.readers()
        blank = STRING.sub(lambda found: "_" * len(found[0]), self.text[self.begin :])
        words = _WORD.findall(blank)
        first = words[0] if words else ""
        if words[:2] == ["secret", "fact"] and self.lexer.clause("secret") and self.lexer.clause("fact"):
            return replace(self.fact(), secret=True)
        if first in readers and not _DEFINED.match(blank):
            self.lexer.clause(first)
            return readers[first]()
        if first == "except" or "means" in words:
            return self.definition(exception=self.lexer.clause("except"))
        if first in BELOW:
            raise self.source.error(self.begin, "this belongs to the event above it", "begin it further right")
        if self.text.startswith("```", self.begin):
            message = "a block begins in this one, which is not closed"
            raise self.source.error(self.begin, message, "write ``` in a line of its own where the block above ends")
        if first in _ENDS:
            raise self.source.error(self.begin, "this belongs to the fact above it", "begin it further right")
        if any(w in _VERBS for w in words):
            return self.win(otherwise=self.lexer.clause("otherwise"))
        large = next((w for w in _WORD.finditer(blank) if w[0].lower() in (*_VERBS, *_BEGINNINGS, "means")), None)
        if large:
            help = f"write `{large[0].lower()}`"
            raise self.source.error(self.begin + large.start(), f"{large[0]!r} cannot stand here", help)
        raise self.source.error(self.begin, "this line says nothing that can be read", self.lines)

    def readers(self) -> dict[str, Callable[[], Content]]:
        """What reads the statements that begin with a word of their own."""
        return {"fact": self.fact, "group": self.group, "table": self.table, "instead": self.instead}

    # ---- parts of statements

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

    def quoted(self, what: str) -> str:
        """A text in quotes."""
        if self.lexer.char() not in ("'", '"'):
            straight = ' of this kind: "' if self.lexer.char() in _OTHER_QUOTES else ""
            raise self.source.error(self.lexer.at, f"{what} is missing here", f"it stands in quotes{straight}")
        found = self.lexer.words()
        assert found is not None, "a quote begins it"
        return found.text

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
        if _begins(self.text[at:], self.beginnings):
            help = "a line says one thing: begin another one"
            raise self.source.error(at, "what follows is a statement of its own", help)
        self.parser.finish()

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
        if found[3] and self.lexer.char().isdigit():
            help = f"write at the {found[2]} of a {found[3]} if round == NUMBER and ..."
            raise self.source.error(self.lexer.at, "a moment is that of every turn or round", help)
        if found[1] or found[3] in (None, "game"):
            return Moment(ONCE if found[1] else END) if found[1] or found[2] == "end" else self.no_start(found)
        of = self.words("a side", "if", *_ENDS) if self.lexer.clause("of") else None
        return Moment(f"at the {found[2]} of a {found[3]}", of)

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

    # ---- statements

    def instead(self) -> InsteadOf:
        """`instead of OUTCOME, ...`."""
        self.word("of", "write instead of OUTCOME")
        found = [self.words("an outcome", "and")]
        while self.lexer.skip(",") or self.lexer.clause("and"):
            found.append(self.words("an outcome", "and"))
        self.end()
        return InsteadOf(tuple(found))

    def named(self, what: str, *ends: str) -> Word:
        """The name of something new, which goals can speak of."""
        return self.is_name(self.words(what, *ends))

    def is_name(self, found: Word) -> Word:
        """The name, if goals can use it."""
        if not _WORD.fullmatch(found.text):
            help = f"such as {re.sub('[^0-9A-Za-z_]+', '_', found.text).strip('_').lower() or 'held'}"
            raise self.source.error(found.at, "a name that goals use is one word of letters, digits and _", help)
        return found

    def definition(self, *, exception: bool) -> Definition:
        """`NAME(...) means VALUE`."""
        name = self.named("what is defined", "means", "if")
        parameters = self.parameters()
        self.word("means", f"write {name.text} means VALUE")
        if self.lexer.equals():
            raise self.source.error(self.lexer.at - 1, "'=' cannot stand here", f"write {name.text} means VALUE")
        value = self.expression()
        if self.lexer.clause("if"):
            if not exception:
                help = "write if(CONDITION, VALUE, OTHERWISE), or an exception: except ... means ... if ..."
                raise self.source.error(self.lexer.at, "a definition holds always", help)
            condition: Node | None = self.expression()
        else:
            condition = None
        self.end()
        return Definition(name, parameters, value, condition, exception)

    def fact(self) -> RememberedFact:
        """`fact NAME(...): VALUES, starts VALUE`, with its changes."""
        name = self.fact_name()
        parameters = self.parameters()
        limits: tuple[int, int] | None = None
        names: list[Word] = []
        if self.lexer.skip(":"):
            limits = self.number_range()
            if limits is None:
                if self.lexer.char().isdigit():
                    help = "write 0 to 12; a number has at most 9 digits"
                    raise self.source.error(self.lexer.at, "these are no numbers that a fact can have", help)
                names = self.alternatives()
        starts: Word | Call | None = None
        if self.lexer.skip(",") or self.lexer.clause("starts"):
            self.lexer.clause("starts")
            starts = self.number() or self.words("its value at the start", *_ENDS)
            if isinstance(starts, Word) and self.lexer.char() == "(":  # what the board says of each
                starts = self.call(starts.at)
        changes = tuple(self.changes())
        return RememberedFact(name, parameters, limits, tuple(names), starts, changes)

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

    def fact_name(self) -> Word:
        """The name of a fact, up to its values."""
        found = self.words("the fact", *_ENDS, "starts", "means")
        first, _, rest = found.text.partition(" ")
        self.lexer.char()
        if rest[:1].isdigit() or self.text[self.lexer.at : self.lexer.at + 1] in ("=", "-"):
            help = f"write fact {first}: 0 to 12, starts 0"
            raise self.source.error(found.at + len(first), "':' is missing here", help)
        return self.is_name(found)

    def alternatives(self) -> list[Word]:
        """Values joined by `or`; none where they are true and false."""
        found = [self.words("a value", "or", "starts", *_ENDS)]
        while self.lexer.clause("or"):
            found.append(self.words("a value", "or", "starts", *_ENDS))
        return [] if [w.text for w in found] == ["true", "false"] else found

    def changes(self) -> Iterator[FactChange]:
        """The lines below a fact."""
        for line in self.lines_below(_ENDS):
            yield line.change()

    def change(self) -> FactChange:
        """A line below a fact."""
        at = self.lexer.at
        kind = next((k for k, begin in CHANGES.items() if begin.match(self.text, at)), None)
        if kind is None:
            help = "below a fact stand lines such as: rises by 1 at the end of a turn if CONDITION"
            raise self.source.error(at, "this is no change of the fact", help)
        self.lexer.at = CHANGES[kind].match(self.text, at).end()  # type: ignore[union-attr]
        value = self.expression()
        moment = self.a_moment()
        condition = self.expression() if self.lexer.clause("if") else None
        self.end()
        return FactChange(kind, value, moment, condition, at)

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
            yield type(self)(GoalSource(self.text[:end].rstrip(), self.source.label), self.own, begin)

    def group(self) -> NamedGroup:
        """`group NAME: ...`."""
        name = self.words("the group")
        if not self.lexer.skip(":"):
            raise self.source.error(self.lexer.at, "':' is missing here", "write group NAME: MEMBER, MEMBER")
        blank = STRING.sub(lambda found: "_" * len(found[0]), self.text[self.lexer.at :])
        if any(w in ("where", "in") for w in _WORD.findall(blank)):
            binder = self.parser.binder()
            self.lexer.back()
            self.end()
            return NamedGroup(name, binder=binder)
        members = [self.words("a member")]
        while self.lexer.skip(","):
            members.append(self.words("a member"))
        self.end()
        return NamedGroup(name, tuple(members))

    def win(self, *, otherwise: bool) -> Win:
        """`SIDE wins NAME MOMENT if CONDITION`."""
        who = self.words("a side", *_VERBS)
        verb = next((v for v in _VERBS if self.lexer.clause(v)), None)
        if verb is None:
            raise self.source.error(
                self.lexer.at, "'wins' is missing here", "write SIDE wins NAME MOMENT if CONDITION"
            )
        name = self.lexer.words_of_clause(("at", "if", "after", "when", "on", "during")) or Word("victory", who.at)
        moment = self.moment() if otherwise else self.a_moment()
        condition = self.condition()
        return Win(who, name, moment, condition, _VERBS[verb], otherwise)

    def table(self) -> OutcomeTable:
        """`table NAME MOMENT, by VALUE`, with its rows."""
        name = self.words("the table", "at", "by")
        moment = self.a_moment()
        self.lexer.skip(",")
        self.word("by", "write table NAME MOMENT, by VALUE")
        value = self.expression_up_to_colon()
        to = self.expression() if self.lexer.skip(":") else None
        rows = tuple(self.rows())
        if not rows:
            raise self.source.error(self.begin, "the table has no rows", "below it stands: 4 or more SIDE wins")
        return OutcomeTable(name, moment, value, to, rows)

    def expression_up_to_colon(self) -> Node:
        """An expression in the first line, which ends where the line or a colon does."""
        line = self.line()
        colon = STRING.sub(lambda found: "_" * len(found[0]), line).find(":", self.lexer.at)
        cut = line if colon < 0 else line[:colon]
        found = Parser(GoalSource(cut, self.source.label), self.own, self.lexer.at).run()
        self.lexer.at = len(cut)
        return found

    def line(self) -> str:
        """The text up to the end of the line that is read."""
        end = self.text.find("\n", self.lexer.at)
        return self.text if end < 0 else self.text[:end]

    def rows(self) -> Iterator[TableRow]:
        """The rows of a table."""
        while self.lexer.char():
            at = self.lexer.at
            found = _ROW.match(self.text, at)
            if found is None:
                help = "a row begins with its numbers: 4 or more, -3 to 3, more than 2:1, 1:1 or less"
                raise self.source.error(at, "this is no row of a table", help)
            rest = StatementParser(GoalSource(self.line(), self.source.label), self.own, found.end())
            least, most, over, under = _limits(found)
            if 0 in (*(least or ())[1:], *(most or ())[1:]):
                raise self.source.error(at, "there is no ratio to 0", "write 1:1 or more")
            if least and most and least[0] * most[1] > most[0] * least[1]:
                first, last = found.group().split("to")
                raise self.source.error(
                    at, "the larger number stands first", f"write {last.strip()} to {first.strip()}"
                )
            yield rest.row(at, least, most, over, under)
            self.lexer.at = len(rest.text)

    def row(
        self, at: int, least: tuple[int, int] | None, most: tuple[int, int] | None, over: bool, under: bool
    ) -> TableRow:
        """What a row says behind its numbers."""
        who = self.words("a side", *_VERBS)
        verb = next((v for v in _VERBS if self.lexer.clause(v)), None)
        if verb is None:
            raise self.source.error(self.lexer.at, "'wins' is missing here", "write 4 or more  SIDE wins")
        name = self.lexer.words_of_clause(())
        self.end()
        return TableRow(least, most, over, under, who, _VERBS[verb], name, at)


def _limits(found: re.Match[str]) -> tuple[tuple[int, int] | None, tuple[int, int] | None, bool, bool]:
    """The least and the largest number or ratio of a row, and whether they are not for it themselves."""

    def pair(a: str | None, b: str | None) -> tuple[int, int] | None:
        return None if a is None else (int(a), int(b or 1))

    a, a2, b, b2, than, c, c2, d, d2, more = found.groups()
    if a is not None:
        return pair(a, a2), pair(b, b2), False, False
    if than is not None:
        return (pair(c, c2), None, True, False) if than == "more" else (None, pair(c, c2), False, True)
    one = pair(d, d2)
    return (one if more in (None, "more") else None), (one if more != "more" else None), False, False

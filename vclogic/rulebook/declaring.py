"""The parser of a whole rulebook's blocks: what a text of rules can say, and sides, turns, boards, laws and events.

    sides NAME, NAME                                sides NAME: POWER, POWER; NAME: POWER
    turn order NAME, ...                            turn is one event / any number of events / PHASE, ...
    rounds NUMBER                                   pass always / pass if nothing else is legal
    kind NAME: MEMBER, ...                          kind NAME, from the table; areas NAME, from the table
    grid NAME / hexes NAME, odd columns lower       below it rows of names or marks, and: marks . open, w wood
    start FACT is VALUE for KIND ...                never CONDITION; always CONDITION
    event NAME by side ARGUMENTS                    below it: needs, then, says, weight
    every event but NAME needs CONDITION            reading NAME "question"; option NAME "question"
    include FILE                                    left out "why"; accept CODE "why"
    python PACKAGE.MODULE / python FILE.py          below it: NAME(KIND, ...)
    mark "NAME" for KIND where CONDITION            mark "NAME" with lines for KIND where CONDITION

The lines of a text of rules are in `vclogic.rulebook.parser`; `docs/rulebooks.md` has an example of each.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from vclogic.rulebook.declarations import (
    BOTH_WAYS,
    CHANCE,
    DIAGONAL,
    MANY_EVENTS,
    ONE_EVENT,
    ORTHOGONAL,
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
    PythonFunction,
    PythonModule,
    Rounds,
    Rows,
    Sides,
    Start,
    TurnIs,
    TurnOrder,
)
from vclogic.rulebook.parser import BELOW, CHANGES, StatementParser
from vclogic.rulebook.statements import Content
from vclogic.terms.goal import Parser
from vclogic.terms.syntax import Binder, Call, GoalSource, Node, Word

_BEGINNINGS = (
    *StatementParser.beginnings,
    *("sides", "turn", "rounds", "pass", "kind", "areas", "grid", "hexes", "start", "never", "always", "event"),
    *("every", "reading", "option", "include", "python", "left", "accept", "mark"),
)
_SIZE = re.compile(r"([0-9]{1,2})\s+by\s+([0-9]{1,2})\b")
_STAGGER = re.compile(r"(odd|even)\s+(?:columns\s+(lower)|rows\s+(?:further\s+)?(right))\b")
_TOUCHING = re.compile(r"(with\s+diagonals|diagonals\s+only)\b")
_FROM_TABLE = re.compile(r"from\s+the\s+table\b")
_HEADER_WORD = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|[^\s,]+")
_FUNCTION = re.compile(r"[^\s,()]+")
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_NOTHING_ELSE = re.compile(r"if\s+nothing\s+else\s+is\s+legal\b")
_CODE = re.compile(r"[Vv][Cc][0-9]{3}\b")
_ANY_TIME = re.compile(r",?\s*at\s+any\s+time\b")
MOST_ROWS = 99


class BookParser(StatementParser):
    """Reads one statement of a rulebook; see `StatementParser`."""

    beginnings = _BEGINNINGS
    lines = (
        "a line begins with sides, turn, rounds, pass, kind, areas, grid, hexes, start, never, always, event, every, "
        "fact, group, table, except, otherwise, reading, option, include, python, left out, accept or mark; or it "
        "says NAME(...) means VALUE, or SIDE wins NAME MOMENT if CONDITION"
    )

    def readers(self) -> dict[str, Callable[[], Content]]:
        """What reads the statements that begin with a word of their own."""
        return {
            **super().readers(),
            "sides": self.sides,
            "turn": self.turn,
            "rounds": self.rounds,
            "pass": self.passing,
            "kind": self.kind,
            "areas": self.areas,
            "grid": self.grid,
            "hexes": self.hexes,
            "start": self.start,
            "never": lambda: self.law(never=True),
            "always": lambda: self.law(never=False),
            "event": self.event,
            "every": self.every,
            "reading": lambda: self.choice(reading=True),
            "option": lambda: self.choice(reading=False),
            "include": self.include,
            "python": self.python,
            "left": self.left_out,
            "accept": self.accept,
            "mark": self.mark,
        }

    # ---- sides and time

    def names(self, what: str, *ends: str) -> tuple[Word, ...]:
        """Names with commas between them."""
        found = [self.words(what, *ends)]
        while self.lexer.skip(","):
            found.append(self.words(what, *ends))
        return tuple(found)

    def sides(self) -> Sides:
        """`sides A, B` or `sides A: POWER, POWER; B: POWER`."""
        found: list[tuple[Word, tuple[Word, ...]]] = []
        more = True
        while more:
            name = self.words("a side")
            powers = self.names("a power") if self.lexer.skip(":") else ()
            found.append((name, powers))
            more = self.lexer.skip(";") or self.lexer.skip(",")
        self.end()
        return Sides(tuple(found))

    def turn(self) -> TurnOrder | TurnIs:
        """`turn order NAME, ...` or `turn is ...`."""
        if self.lexer.clause("order"):
            order = TurnOrder(self.names("who has a turn"))
            self.end()
            return order
        help = f"write turn is {ONE_EVENT}, turn is {MANY_EVENTS}, or turn is PHASE, PHASE"
        self.word("is", help)
        phases = self.names("a phase")
        self.end()
        if len(phases) == 1 and phases[0].text in (ONE_EVENT, MANY_EVENTS):
            return TurnIs(one=phases[0].text == ONE_EVENT)
        return TurnIs(phases)

    def whole(self, what: str, example: str) -> int:
        """A whole number from 1 on."""
        found = self.lexer.words_of_clause(())
        if found is None or not (found.text.isascii() and found.text.isdigit()) or not int(found.text[:9]) > 0:
            at = self.lexer.at if found is None else found.at
            raise self.source.error(at, f"{what} is a whole number from 1 on", example)
        if len(found.text) > len("9999"):
            raise self.source.error(found.at, "there are at most 9999", example, "limit")
        return int(found.text)

    def rounds(self) -> Rounds:
        """`rounds NUMBER`."""
        found = Rounds(self.whole("the number of rounds", "write rounds 6"))
        self.end()
        return found

    def passing(self) -> Passing:
        """`pass always` or `pass if nothing else is legal`."""
        if self.lexer.clause("always"):
            self.end()
            return Passing(True)
        self.match(_NOTHING_ELSE, "this is no way to pass", "write pass always, or pass if nothing else is legal")
        self.end()
        return Passing(False)

    def match(self, pattern: re.Pattern[str], message: str, help: str) -> re.Match[str]:
        """What a pattern finds here."""
        self.lexer.char()
        found = pattern.match(self.text, self.lexer.at)
        if found is None:
            raise self.source.error(self.lexer.at, message, help)
        self.lexer.at = found.end()
        return found

    # ---- kinds and boards

    def kind(self) -> KindOf:
        """`kind NAME: MEMBER, ...` or `kind NAME, from the table`."""
        name = self.words("the kind")
        if self.lexer.skip(":"):
            found = KindOf(name, self.names("a member"))
        else:
            self.lexer.skip(",")
            self.match(
                _FROM_TABLE, "its members are missing here", "write kind NAME: A, B, or kind NAME, from the table"
            )
            found = KindOf(name)
        self.end()
        return found

    def areas(self) -> KindOf:
        """`areas NAME, from the table`."""
        name = self.words("what they are called")
        self.lexer.skip(",")
        self.match(_FROM_TABLE, "their table is missing here", "write areas NAME, from the table")
        self.end()
        return KindOf(name, areas=True)

    def grid(self) -> Rows:
        """`grid NAME` with rows of names below it, or `grid NAME, 8 by 8`."""
        name, touching, size = self.header_word("what its places are called"), ORTHOGONAL, None
        while self.lexer.skip(","):
            self.lexer.char()
            found = _SIZE.match(self.text, self.lexer.at)
            if found:
                size = int(found[1]), int(found[2])
                self.lexer.at = found.end()
            else:
                way = self.match(
                    _TOUCHING,
                    "this is nothing that a grid can have",
                    "write 8 by 8, with diagonals, or diagonals only",
                )
                touching = BOTH_WAYS if way[1].startswith("with") else DIAGONAL
        rows = tuple(self.rows_of_names())
        return Rows(name, self.sized(rows, size), size, touching)

    def hexes(self) -> Rows:
        """`hexes NAME, odd columns lower` with rows of marks below it, or `hexes NAME, 5 by 5`."""
        name, size, lower, by_rows = self.header_word("what they are called"), None, 1, False
        while self.lexer.skip(","):
            self.lexer.char()
            found = _SIZE.match(self.text, self.lexer.at)
            if found:
                size = int(found[1]), int(found[2])
                self.lexer.at = found.end()
            else:
                help = "write odd columns lower, even columns lower, odd rows right, even rows right, or 5 by 5"
                way = self.match(_STAGGER, "this is nothing that hexes can have", help)
                lower, by_rows = int(way[1] == "odd"), way[3] is not None
        rows, marks = self.rows_of_marks()
        return Rows(name, self.sized(rows, size), size, hexes=True, lower=lower, by_rows=by_rows, marks=marks)

    def sized(self, rows: tuple[tuple[Word, ...], ...], size: tuple[int, int] | None) -> tuple[tuple[Word, ...], ...]:
        """The rows, which are there unless there is a size."""
        if bool(rows) == (size is not None):
            message = "there are rows and a size" if rows else "there are no rows"
            raise self.source.error(self.begin, message, "below it stand its rows, or behind it its size: 8 by 8")
        return rows

    def rest_of_lines(self) -> Iterator[tuple[int, str]]:
        """The lines below the first, each with its place."""
        at = self.lexer.at
        for line in self.text[at:].splitlines(keepends=True):
            stripped = line.strip()
            if stripped:
                yield at + line.index(stripped), stripped
            at += len(line)
        self.lexer.at = at

    def rows_of_names(self) -> Iterator[tuple[Word, ...]]:
        """Rows of names, or `-` where there is no place."""
        for at, line in self.rest_of_lines():
            yield tuple(Word(found[0].strip("'\""), at + found.start()) for found in _HEADER_WORD.finditer(line))

    def rows_of_marks(self) -> tuple[tuple[tuple[Word, ...], ...], tuple[tuple[str, str], ...]]:
        """Rows of marks, each a sign, and what the signs stand for."""
        rows: list[tuple[Word, ...]] = []
        marks: list[tuple[str, str]] = []
        for at, line in self.rest_of_lines():
            if line.startswith("marks "):
                for part in line.removeprefix("marks ").split(","):
                    sign, _, name = part.strip().partition(" ")
                    if len(sign) != 1 or not name.strip():
                        help = "write marks . open, w wood"
                        raise self.source.error(at, f"{part.strip()!r} says of no sign what it stands for", help)
                    marks.append((sign, name.strip()))
            else:
                signs = [(i, sign) for i, sign in enumerate(line) if not sign.isspace()]
                rows.append(tuple(Word(sign, at + i) for i, sign in signs))
        known = {"-", *(sign for sign, _ in marks)}
        strange = next((w for row in rows for w in row if w.text not in known), None) if rows else None
        if strange is not None:
            help = f"write marks {strange.text} open, ...; - stands where there is no hex"
            raise self.source.error(strange.at, f"nothing says what {strange.text!r} stands for", help)
        return tuple(rows), tuple(marks)

    # ---- positions

    def target(self) -> Call | Word:
        """A fact, with names in parentheses where it is asked of some."""
        found = self.expression()
        if not isinstance(found, Call | Word) or (isinstance(found, Word) and found.literal):
            raise self.source.error(found.at, "a fact is expected here", "write FACT, or FACT(NAME, ...)")
        return found

    def start(self) -> Start:
        """`start FACT is VALUE [for KIND ...]`."""
        fact = self.target()
        self.word("is", "write start FACT is VALUE")
        value = self.expression()
        binder = self.binder() if self.lexer.clause("for") else None
        self.end()
        return Start(fact, value, binder)

    def binder(self) -> Binder:
        """A variable with what it ranges over."""
        found = self.parser.binder()
        self.lexer.back()
        return found

    def law(self, *, never: bool) -> Law:
        """`never CONDITION` or `always CONDITION`."""
        found = Law(self.expression(), never)
        self.end()
        return found

    # ---- events

    def event(self) -> EventRule:
        """`event NAME [by SIDE] ARGUMENTS`, with the lines below it."""
        name = self.header_word("the event")
        name = Word(name.text, name.at)
        by = self.header_word("who decides it") if self.on_line("by") else None
        header: list[Word] = []
        phase: Word | None = None
        any_time = False
        while not self.line_ends():
            time = _ANY_TIME.match(self.text, self.lexer.at)
            if time:
                self.lexer.at, any_time = time.end(), True
            elif self.on_line("in"):
                phase = self.header_word("a phase")
            else:
                header.append(self.header_word("an argument"))
        needs, effects, says, weight = self.below()
        if (weight is not None) and (by is None or by.text != CHANCE):
            raise self.source.error(self.begin, "only what chance decides has a weight", "write event NAME by chance")
        return EventRule(self.is_name(name), by, tuple(header), phase, any_time, needs, effects, says, weight)

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
        found = None if self.line_ends() else _HEADER_WORD.match(self.text, self.lexer.at)
        if found is None:
            raise self.source.error(self.lexer.at, f"{what} is missing here", "write event NAME by side ARGUMENTS")
        self.lexer.at = found.end()
        return Word(found[0].strip("'\""), found.start())

    def below(self) -> tuple[tuple[Need, ...], tuple[Effect, ...], tuple[str | Node, ...], Node | None]:
        """The lines below an event."""
        needs: list[Need] = []
        effects: list[Effect] = []
        says: tuple[str | Node, ...] = ()
        weight: Node | None = None
        for line in self.lines_below(BELOW):
            at = line.lexer.at
            if line.lexer.clause("needs"):
                needs.append(line.need(at))
            elif line.lexer.clause("then"):
                effects.append(line.effect(at))
            elif line.lexer.clause("says"):
                says = line.template("what a player reads")
            elif line.lexer.clause("weight"):
                weight = line.expression()
            else:
                help = 'below an event stand needs CONDITION, then FACT becomes VALUE, says "..."'
                raise self.source.error(at, "this belongs to no event", help)
            line.end()
        return tuple(needs), tuple(effects), says, weight

    def need(self, at: int) -> Need:
        """What stands behind `needs`."""
        begin = self.lexer.at
        condition = self.expression()
        text = " ".join(self.text[begin : self.lexer.at].split())
        before = self.lexer.at
        self.lexer.skip(",")
        if self.lexer.clause("else"):
            return Need(condition, text, at, self.template("what a player is told"))
        self.lexer.at = before
        return Need(condition, text, at)

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

    def effect(self, at: int) -> Effect:
        """What stands behind `then`."""
        fact = self.target()
        self.lexer.char()
        kind = next((k for k, begin in CHANGES.items() if begin.match(self.text, self.lexer.at)), None)
        if kind is None:
            help = "write then FACT becomes VALUE, rises by VALUE, or falls by VALUE"
            raise self.source.error(self.lexer.at, "nothing says how the fact changes", help)
        self.lexer.at = CHANGES[kind].match(self.text, self.lexer.at).end()  # type: ignore[union-attr]
        value = self.expression()
        binder = self.binder() if self.lexer.clause("for") else None
        condition = self.expression() if self.lexer.clause("if") else None
        return Effect(fact, kind, value, binder, condition, at)

    def every(self) -> EveryEvent:
        """`every event [but NAME, ...] needs CONDITION, else "..."`."""
        self.word("event", "write every event but NAME needs CONDITION")
        but = self.names("an event", "needs") if self.lexer.clause("but") else ()
        at = self.lexer.at
        self.word("needs", "write every event but NAME needs CONDITION")
        need = self.need(at)
        self.end()
        return EveryEvent(but, need)

    # ---- Readings, and what else there is

    def choice(self, *, reading: bool) -> Choice:
        """`reading NAME "question"`, with its values below it."""
        name = self.named("it")
        question = self.quoted("the question")
        values: list[tuple[Word, str]] = []
        default = reason = ""
        if not reading and (numbers := self.number_range()) is not None:
            return self._number_choice(name, question, numbers)
        while self.lexer.char():
            value = self.named("a value")
            values.append((value, self.quoted("what the value means")))
            self.lexer.skip(",")
            if self.lexer.clause("default"):
                default = value.text
                reason = self.quoted("why it is the default") if reading or self.lexer.char() in ("'", '"') else ""
        if len(values) < 2 or not default:
            message = "it needs two values" if len(values) < 2 else "none of its values is the default"
            raise self.source.error(self.begin, message, 'below it stands: VALUE "meaning", default "reason"')
        return Choice(name, question, tuple(values), default, reason, reading)

    def _number_choice(self, name: Word, question: str, numbers: tuple[int, int]) -> Choice:
        """`NUMBER to NUMBER, default NUMBER`: the values of an option that are numbers."""
        low, high = numbers
        self.lexer.skip(",")
        default = self.lexer.words() if self.lexer.clause("default") else None
        help = f"write {low} to {high}, default {low}"
        if default is None or not default.text.removeprefix("-").isdecimal():
            raise self.source.error(self.begin, "an option of numbers has a range and a default in it", help)
        if not low <= int(default.text) <= high:
            raise self.source.error(default.at, f"{default.text} is not in {low} to {high}", help, "wrong-value")
        self.end()
        return Choice(name, question, (), default.text, "", False, numbers)

    def include(self) -> Include:
        """`include FILE`."""
        found = self.match(_HEADER_WORD, "the file is missing here", "write include basic.md")
        self.end()
        return Include(Word(found[0].strip("'\""), found.start()))

    def python(self) -> PythonModule:
        """`python PACKAGE.MODULE` or `python FILE.py`, with functions below it."""
        help = "write python PACKAGE.MODULE, or python FILE.py; below it stand functions: NAME(KIND, ...)"
        found = self.match(_HEADER_WORD, "the package or file is missing here", help)
        functions: list[PythonFunction] = []
        while self.lexer.char():
            word = self.match(_FUNCTION, "the name of a function is missing here", help)
            functions.append(PythonFunction(self.is_name(Word(word[0], word.start())), self.parameters()))
        if not functions:
            raise self.source.error(self.begin, "it names no function", help)
        return PythonModule(Word(found[0].strip("'\""), found.start()), tuple(functions))

    def left_out(self) -> LeftOut:
        """`left out "why"`."""
        self.word("out", 'write left out "why"')
        found = LeftOut(self.quoted("why"))
        self.end()
        return found

    def accept(self) -> Accept:
        """`accept CODE "why"`."""
        help = 'write accept VC201 "why", with the code as `vclogic check` tells it'
        found = self.match(_CODE, "the code of a finding is missing here", help)
        accepted = Accept(Word(found[0].upper(), found.start()), self.quoted("why"))
        self.end()
        return accepted

    def mark(self) -> MarkPlaces:
        """`mark "NAME" [with lines] for KIND where CONDITION`."""
        help = 'write mark "NAME" for hex where CONDITION'
        name, lines = self.quoted("the name that players read"), self.lexer.clause("with")
        if lines:
            self.word("lines", f'{help}, or mark "NAME" with lines for hex where CONDITION')
        self.word("for", help)
        found = MarkPlaces(name, self.binder(), lines)
        self.end()
        return found

"""Sides, turns and passing, Readings and functions in Python: how they are read and written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from vclogic.rulebook.declarations import (
    MANY_EVENTS,
    ONE_EVENT,
    Choice,
    PassRule,
    PythonFunction,
    PythonModule,
    Sides,
    TurnIs,
)
from vclogic.rulebook.table import written as text
from vclogic.rulebook.table.parts import (
    BOARD,
    OR,
    StatementPart,
    file,
    from_board,
    of_board,
    other_names,
    with_others,
)
from vclogic.rulebook.table.reader import Reader
from vclogic.terms.expressions.syntax import UNTIL, Word

_NOTHING_ELSE = re.compile(r"if\s+nothing\s+else\s+is\s+legal\b")
_FUNCTION = re.compile(r"[^\s,()]+")


# ---- sides and time


def _read_sides(r: Reader) -> Mapping[str, Any]:
    if (board := from_board(r)) is not None:
        return {"board": board}
    found: list[tuple[Word, tuple[Word, ...]]] = []
    more = True
    also: list[tuple[Word, Word]] = []
    while more:
        name = r.words("a side", OR)
        also += other_names(r, name)
        powers = r.names("a power") if r.lexer.skip(":") else ()
        found.append((name, powers))
        more = r.lexer.skip(";") or r.lexer.skip(",")
    return {"names": tuple(found), "also": tuple(also)}


def _sides(s: Sides) -> str:
    if s.board is not None:
        return of_board(s.board).removeprefix(",")
    between = "; " if any(powers for _, powers in s.names) else ", "
    return f" {between.join(with_others(w, s.also) + (f': {text.names(p)}' if p else '') for w, p in s.names)}"


SIDES = StatementPart(
    _read_sides, _sides, f'(side {{"or" name}} [":" power {{"," power}}] {{("," | ";") side ...}} | {BOARD})'
)


def _read_rounds(r: Reader) -> Mapping[str, Any]:
    named = r.lexer.words_of_clause(()) if r.lexer.char().isalpha() else None
    return {"most": r.is_name(named) if named else r.whole("the number of rounds", "write rounds 6")}


ROUNDS = StatementPart(
    _read_rounds, lambda s: f" {s.most.text if isinstance(s.most, Word) else s.most}", "(number | value)"
)


def _read_turn(r: Reader) -> Mapping[str, Any]:
    phases: list[Word] = []
    ends: list[Word | None] = []
    while not phases or r.lexer.skip(","):
        phases.append(r.words("a phase", UNTIL))
        ends.append(r.named("an event") if r.lexer.clause(UNTIL) else None)
    said = {"ends": tuple(ends)} if any(ends) else {}
    if len(phases) == 1 and phases[0].text in (ONE_EVENT, MANY_EVENTS):
        one = phases[0].text == ONE_EVENT
        if one and said:
            raise r.source.error(r.begin, "a turn of one event ends with it", f"write turn is {ONE_EVENT}")
        return {"one": one, **said}
    return {"phases": tuple(phases), **said}


def _turn(s: TurnIs) -> str:
    parts = [text.name(w, (UNTIL,)) for w in s.phases] or [ONE_EVENT if s.one else MANY_EVENTS]
    ends = [f" {UNTIL} {text.name(w, ())}" if w else "" for w in s.ends or (None,) * len(parts)]
    return f" {', '.join(part + end for part, end in zip(parts, ends, strict=True))}"


TURN = StatementPart(
    _read_turn,
    _turn,
    f'("{ONE_EVENT}" | ("{MANY_EVENTS}" | phase) ["until" event] {{"," phase ["until" event]}})',
)


def _read_passing(r: Reader) -> Mapping[str, Any]:
    if r.lexer.clause("always"):
        return {"always": True}
    r.match(_NOTHING_ELSE, "this is no way to pass", "write pass always, or pass if nothing else is legal")
    return {"always": False}


def _passing(s: PassRule) -> str:
    return " always" if s.always else " if nothing else is legal"


PASSING = StatementPart(_read_passing, _passing, '("always" | "if nothing else is legal")')

# ---- Readings and options


def _read_choice(reading: bool) -> StatementPart:
    def read(r: Reader) -> Mapping[str, Any]:
        name = r.named("it")
        question = r.quoted("the question")
        head = {"name": name, "question": question}
        values: list[tuple[Word, str]] = []
        default = reason = ""
        if not reading and (numbers := r.number_range()) is not None:
            return {**head, **_read_numbers(r, numbers)}
        while r.lexer.char():
            value = r.named("a value")
            values.append((value, r.quoted("what the value means")))
            r.lexer.skip(",")
            if r.lexer.clause("default"):
                default = value.text
                reason = r.quoted("why it is the default") if reading or r.lexer.char() in ("'", '"') else ""
        if len(values) < 2 or not default:
            message = "it needs two values" if len(values) < 2 else "none of its values is the default"
            raise r.source.error(r.begin, message, 'below it stands: VALUE "meaning", default "reason"')
        return {**head, "values": tuple(values), "default": default, "reason": reason}

    numbers = "" if reading else ' | number "to" number ", default" number'
    return StatementPart(read, _choice, f'name text ({{value text [", default" text]}}{numbers})')


def _read_numbers(r: Reader, numbers: tuple[int, int]) -> Mapping[str, Any]:
    """`NUMBER to NUMBER, default NUMBER`: the values of an option that are numbers."""
    low, high = numbers
    r.lexer.skip(",")
    default = r.lexer.words() if r.lexer.clause("default") else None
    help = f"write {low} to {high}, default {low}"
    if default is None or not default.text.removeprefix("-").isdecimal():
        raise r.source.error(r.begin, "an option of numbers has a range and a default in it", help)
    if not low <= int(default.text) <= high:
        raise r.source.error(default.at, f"{default.text} is not in {low} to {high}", help, "wrong-value")
    return {"values": (), "default": default.text, "reason": "", "numbers": numbers}


def _choice(s: Choice) -> str:
    def value(word: Word, meaning: str) -> str:
        chosen = f", default{f' {text.text(s.reason)}' if s.reason else ''}" if word.text == s.default else ""
        return f"{text.name(word, ())} {text.text(meaning)}{chosen}"

    head = f" {text.name(s.name, ())} {text.text(s.question)}"
    if s.numbers is not None:
        return f"{head}\n{s.numbers[0]} to {s.numbers[1]}, default {s.default}"
    return "\n".join((head, *(value(*v) for v in s.values)))


READING, OPTION = _read_choice(True), _read_choice(False)

# ---- functions in Python

_WRITE_PYTHON = "write python PACKAGE.MODULE, or python FILE.py; below it stand functions: NAME(KIND, ...)"
MODULE = file("module", "the package or file is missing here", _WRITE_PYTHON, '(package "." module | file ".py")')


def _read_functions(r: Reader) -> Mapping[str, Any]:
    functions: list[PythonFunction] = []
    while r.lexer.char():
        word = r.match(_FUNCTION, "the name of a function is missing here", _WRITE_PYTHON)
        functions.append(PythonFunction(r.is_name(Word(word[0], word.start())), r.parameters()))
    if not functions:
        raise r.source.error(r.begin, "it names no function", _WRITE_PYTHON)
    return {"functions": tuple(functions)}


def _functions(s: PythonModule) -> str:
    return "".join(f"\n{text.name(f.name, ())}{text.asked(f.parameters)}" for f in s.functions)


FUNCTIONS = StatementPart(_read_functions, _functions, 'name ["(" kind {"," kind} ")"] {name ...}')

"""Write a file of rulings to fill in: with the names of a game, true as it stands, it says what may stand where."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from vclogic.errors import Diagnostic, InputError, quoted
from vclogic.files.boards import ENDINGS
from vclogic.files.output import unwritable, write_text
from vclogic.files.position import load_setup, with_overrides
from vclogic.files.record import RecordStep
from vclogic.files.registry import RULEBOOK, is_file
from vclogic.files.scenario import default_scenario, split_game
from vclogic.files.setup import Memo, Setup
from vclogic.files.trees.located import in_line
from vclogic.model.actions import OPEN, Event, Schema
from vclogic.model.fluents import State, Value
from vclogic.model.rules import Option, Reading
from vclogic.model.system import System
from vclogic.query.legal.answer import Allowed, Refused
from vclogic.query.legal.events import Legality
from vclogic.query.replay import play_record, state_after
from vclogic.query.status.progress import expression, value_of
from vclogic.terms.domain import Domain
from vclogic.terms.expressions.resolve import compile_value

_TRIED = 20
"""So many events of each kind are tried for one that changes what `status` shows."""
_LISTED, _WIDTH = 12, 100
_NAME, _ARGUMENT = re.compile(r"[^\W\d]\w*"), re.compile(r"[\w./]+")
_KEYWORDS = ("and", "or", "not", "true", "false")


@dataclass(frozen=True)
class NewCase:
    """A file of rulings that was written.

    Attributes:
        game: `encoding/scenario`.
        file: Its path.
    """

    game: str
    file: str


def write_case(game: str, file: str | None, folder: str | None) -> NewCase:
    """Write a file of rulings to fill in; nothing is overwritten.

    Args:
        game: `encoding` or `encoding/scenario`.
        file: Its name; None: the encoding's with `_rulings.yaml`.
        folder: The folder to write into; None: the working directory.

    Raises:
        InputError: There is no such game, or the file cannot be written.
    """
    encoding, scenario = split_game(game)
    setup = load_setup(f"{encoding}/{scenario or default_scenario(encoding)}")
    stem: str = encoding
    endings: tuple[str, ...] = ENDINGS[:2]
    if is_file(encoding):
        stem, endings = os.path.splitext(os.path.basename(encoding))[0], (RULEBOOK,)
    name = file or f"{stem}_rulings"
    path = os.path.join(folder or "", name if name.endswith(endings) else f"{name}{endings[0]}")
    reason = "it is there already" if os.path.lexists(path) else unwritable(path)
    if reason is not None:
        help = f"name another one: vclogic new --case {game} FILE.yaml"
        raise InputError(Diagnostic("cannot-write", f"{quoted(path)} is not written: {reason}", help=help))
    write_text(path, _in_markdown(setup, path) if is_file(encoding) else case_text(setup, os.path.basename(path)))
    return NewCase(setup.game, path)


def case_text(setup: Setup, file: str) -> str:
    """The text of a file of rulings to fill in.

    Args:
        setup: The game at its start.
        file: The name of the file, for the comments.
    """
    return "\n".join([*_head(setup, file), *_rulings(setup), *_words(setup), ""])


def _in_markdown(setup: Setup, path: str) -> str:
    """The text of a rulebook that holds rulings on another one.

    Raises:
        InputError: It would lie elsewhere than beside that one, or above it.
    """
    book = setup.request.name
    include = os.path.relpath(book, os.path.dirname(path) or os.curdir).replace(os.sep, "/")
    if include.startswith("../"):
        help = f"put it beside the rulebook: vclogic new --case {book} --folder {os.path.dirname(book) or '.'}"
        raise InputError(Diagnostic("cannot-write", f"{quoted(path)} would not find {quoted(book)}", help=help))
    if re.search(r"\s", include):
        include = f'"{include}"'
    system, found = setup.system, _example(setup)
    lines = ["What you rule, in a line", "  # An example: change it into a ruling of yours."]
    if found is None:
        lines.append(f"  expect {_holds(system, setup.initial, _first(system, setup.initial))}")
    else:
        lines.append(f"  expect {_holds(system, setup.initial, found.call)}  # so it is before it")
        lines.append(f"  play {_phrase(system, setup.initial, found.event)}")
        refused = _refused(system, found)
        if refused is not None:
            lines.append(f"  refused {_phrase(system, found.after, refused)}  # play goes on without it")
        lines.append(f"  expect {_holds(system, found.after, found.call)}")
    where = f"Try them: `vclogic test {os.path.basename(path)}`. They can stand in the rulebook itself as well."
    head = f"# Rulings on {setup.encoding.title}\n\n{where}\n\n```vclogic\ninclude {include}"
    return "\n".join([head, "```", "", "```ruling", *lines, "```", ""])


def _phrase(system: System, state: State, event: Event) -> str:
    """An event as a ruling of a rulebook has it: in the words of the event's first line."""
    schema, words = system.schemas[event.name], [event.name]
    for parameter, (name, value) in zip(schema.parameters, event.args, strict=True):
        if parameter.implied is not None or parameter.default is not None:  # whoever decides it
            there = system.settled(state, Event(event.name, ((name, OPEN), *event.args[1:])))
            words += [] if parameter.default is not None or there == event else ["by", str(value)]
        else:
            kind = parameter.domain.sort.name if isinstance(parameter.domain, Domain) else ""
            words += [str(value)] if name == kind else [name, str(value)]
    return " ".join(words)


# ---- what holds


@dataclass(frozen=True)
class _Example:
    """The parts of the example.

    Attributes:
        event: An event that the rules allow at the start.
        after: The state after it.
        call: A name of the goal language with its arguments, which the ruling asks for.
    """

    event: Event
    after: State
    call: tuple[str, ...]


def _rulings(setup: Setup) -> Iterator[str]:
    """Rulings that hold as they stand."""
    system, found = setup.system, _example(setup)
    yield from ("", "rulings:", "  - name: what you rule, in a line  # an example: change it into a ruling of yours")
    yield f"    # cites: [{', '.join(_clauses(setup)) or 'CLAUSE'}]  # the clauses that it rests on, if you like"
    if found is None:  # nothing can be done at the start
        yield f"    expect: {_quoted_for_file(_holds(system, setup.initial, _first(system, setup.initial)))}"
        return
    event = in_line(found.event.written)
    yield from ("    position:", "      record:  # what happens, one event after another")
    yield f"        - expect: {_quoted_for_file(_holds(system, setup.initial, found.call))}  # so it is before it"
    yield f"        - {event}"
    refused = _refused(system, found)
    if refused is not None:
        yield f"        - refused: {in_line(refused.written)}  # not allowed here; the record goes on without it"
    yield "    expect:  # what holds at the end; each line is tried by itself"
    yield f"      - {_quoted_for_file(_holds(system, found.after, found.call))}"
    yield from _other_reading(setup, found)
    yield from ("", "  - name: another ruling, which begins with a set-up of this file", "    setup: after one event")
    yield f"    expect: {_quoted_for_file(_holds(system, found.after, found.call))}"


def _example(setup: Setup) -> _Example | None:
    """An event that changes what `status` shows, if one is found; else any; None: nothing may happen."""
    system, start = setup.system, setup.initial
    alone = ((o.name,) for o in system.vocabulary.values() if not o.parameters)
    calls = (*system.overview, *alone)
    shown = tuple(call for call in calls if _value(system, start, call) is not None)
    first = None
    for event in _legal(system, start):
        after = state_after(system, start, event)
        if after is None or not shown:
            continue
        found = next((c for c in shown if _value(system, after, c) not in (None, _value(system, start, c))), None)
        if found is not None:
            return _Example(event, after, found)
        first = first or _Example(event, after, shown[0])
    return first


def _legal(system: System, state: State) -> Iterator[Event]:
    """Legal events, some of each kind; first those that somebody decides."""
    legality = Legality(system, state, None, 0)
    for schema in sorted(system.events, key=lambda s: (s.forced, s.routine)):
        kind = legality.kind(schema, {})
        yield from islice((_event(schema, a) for a in kind.allowed), _TRIED)


def _event(schema: Schema, found: Allowed | Refused) -> Event:
    """One of some events that differ in numbers alone: the one with the smallest."""
    numbers = {name: ranges[0][0] for name, ranges in found.numbers.items()}
    return schema.event({**found.args, **numbers})


def _refused(system: System, found: _Example) -> Event | None:
    """An event that the rules refuse after the example: the same once more, or one of any kind."""
    if state_after(system, found.after, found.event) is None:
        return found.event
    legality = Legality(system, found.after, None, 1)
    for schema in system.events:
        for refused in legality.kind(schema, {}).refused:
            given = {*refused.args, *refused.numbers}
            if all(p.name in given or p.default is not None for p in schema.parameters):
                event = _event(schema, refused)
                if state_after(system, found.after, event) is None:
                    return event
    return None


def _other_reading(setup: Setup, found: _Example) -> Iterator[str]:
    """An expectation under another Reading, if the record is allowed there."""
    memo = Memo()
    for reading in setup.encoding.readings:
        for value in reading.values:
            if value == setup.settings.readings[reading.name]:
                continue
            try:
                other = with_overrides(setup, [(reading.name, value)], memo=memo)
                after = play_record(other.system, other.initial, [RecordStep(found.event)])
                if _value(other.system, after, found.call) is None:
                    continue
            except InputError:
                continue
            yield "    per_reading:  # what holds at the end where the text is read otherwise"
            yield f"      - readings: {{{reading.name}: {in_line(value)}}}"
            yield f"        expect: {_quoted_for_file(_holds(other.system, after, found.call))}"
            return


def _first(system: System, state: State) -> tuple[str, ...]:
    return next((call for call in system.overview if _value(system, state, call) is not None), ())


def _value(system: System, state: State, call: tuple[str, ...]) -> Value | None:
    asked = _expression(call)
    return value_of(system, state, compile_value(asked, system.vocabulary).partial)


def _holds(system: System, state: State, call: tuple[str, ...]) -> str:
    """A goal that holds in a state."""
    if not call:
        return "1 == 1"
    asked, value = _expression(call), _value(system, state, call)
    if isinstance(value, bool):
        return asked if value else f"not {asked}"
    return f"{asked} == {value if isinstance(value, int) else _in_goal(str(value))}"


# ---- what may be said


def _head(setup: Setup, file: str) -> Iterator[str]:
    found = _example(setup)
    game, encoding = setup.game, setup.encoding
    yield f"# Rulings on {game}: positions, and what must hold in them. Try them: vclogic test {file}"
    yield "# Everything after a # is a remark. To use a line, take away its first # with the blank after it."
    yield "# An editor completes names with: vclogic schema case GAME > case.schema.json, and as the first line here"
    yield "# yaml-language-server: $schema=case.schema.json"
    yield from ("", f"game: {game}")
    yield "# board: my_board.yaml  # a board of your own, in a file beside this one or in a folder there"
    if encoding.options:
        option = encoding.options[0]
        yield f"# options: {{{option.name}: {in_line(option.default)}}}"
    if encoding.readings:
        reading = encoding.readings[0]
        yield f"# readings: {{{reading.name}: {in_line(reading.default)}}}"
    yield "# state:  # what differs from the start of the scenario, for every ruling of this file"
    yield from (f"#   {line}" for line in islice(_facts(setup), 3))
    if found is not None:
        yield from (
            "",
            "setups:  # what several rulings begin with; one set-up may begin with another: `setup: NAME`",
        )
        yield from ("  after one event:", "    record:", f"      - {in_line(found.event.written)}")


def _facts(setup: Setup) -> Iterator[str]:
    """A fact of each family, as the start has it."""
    values = setup.system.layout.values(setup.initial)
    for family in setup.system.families:
        for index, fluent in islice(family.fluents.items(), 1):
            value = values[fluent]
            tree: object = value
            for name in reversed(index):
                tree = {name: tree}
            yield f"{family.name}: {in_line(tree)}"


def _clauses(setup: Setup) -> Iterator[str]:
    cited = (c.clause for o in setup.system.outcomes for c in o.cites)
    return islice(dict.fromkeys(cited), 2)


def _words(setup: Setup) -> Iterator[str]:
    """Remarks with the names that a ruling may use."""
    system, encoding = setup.system, setup.encoding
    yield from ("", f"# Names to use; `vclogic rules {setup.request.name} NAME` tells more of each.")
    yield f"# Sides: {', '.join(system.sides)}"
    yield "# Events of a record, with what each needs:"
    for schema in system.events:
        needed = ", ".join(f"{p.name}: ..." for p in schema.parameters)
        yield f"#   - {{{schema.name}: {{{needed}}}}}" if needed else f"#   - {schema.name}"
    yield "# Expressions for `expect:`, compared with == != < <= > >=, joined with and, or, not:"
    calls = [expression(o.name, *(d.sort.name.upper() for d in o.parameters)) for o in system.vocabulary.values()]
    yield from _wrapped(calls)
    yield from _settings("Options", encoding.options)
    yield from _settings("Readings", encoding.readings)


def _settings(title: str, settings: Iterable[Option | Reading]) -> Iterator[str]:
    found = list(settings)
    if found:
        yield f"# {title}, each with its values, the usual one first:"
    for setting in found:
        if isinstance(setting.values, range):
            values = f"{setting.default}, from {min(setting.values)} to {max(setting.values)}"
        else:
            others = [v for v in setting.values if v != setting.default]
            more = f", and {len(others) - _LISTED} more" if len(others) > _LISTED else ""
            values = ", ".join([str(setting.default), *others[:_LISTED]]) + more
        yield f"#   {setting.name}: {values}"


def _wrapped(words: list[str]) -> Iterator[str]:
    line = ""
    for word in words:
        if line and len(line) + len(word) > _WIDTH:
            yield f"#   {line}"
            line = ""
        line += f"{', ' if line else ''}{word}"
    if line:
        yield f"#   {line}"


def _expression(call: tuple[str, ...]) -> str:
    """A call in the goal language."""
    return expression(call[0], *(_in_goal(name, _ARGUMENT) for name in call[1:]))


def _in_goal(name: str, bare: re.Pattern[str] = _NAME) -> str:
    """A name as a goal has it, in quotes where it is no single word."""
    if bare.fullmatch(name) and name not in _KEYWORDS:
        return name
    mark = "'" if '"' in name else '"'
    return f"{mark}{name}{mark}"


def _quoted_for_file(goal: str) -> str:
    """A goal as a value in a file, in quotes where it needs them."""
    return in_line(goal)

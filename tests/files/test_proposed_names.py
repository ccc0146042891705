"""What "did you mean" and a text in back-quotes propose mends the fault where it is put, whatever was misspelled."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.bad_files.faults import GROUPS, faults
from tests.cli.conftest import Run, run  # noqa: F401
from tests.fixtures.games import ROOT, loaded
from tests.fixtures.pace import examples
from vclogic.cli.main import commands
from vclogic.errors import Diagnostic, InputError
from vclogic.files.position import load_setup
from vclogic.files.source import Source
from vclogic.files.trees.nodes import parse
from vclogic.serve.protocol import read_request
from vclogic.serve.requests import KINDS
from vclogic.terms.expressions.resolve import compile_goal

Door = Callable[[str], Sequence[Diagnostic]]
"""What is wrong with a text."""
FILES = ("two_islands", "okinawa_breakout", "asl_bridge")
BOARDS = ("asl/1f3_island", "moscow/small", "napoleonics/double", "okinawa/strip")
GOALS = {
    "axis_allies": (
        "vcp(Axis) >= 40",
        'owner("Ukraine S.S.R.") == Germans and round == 2',
        'controls(Axis, "Western Europe") or not ipc(Germans) >= 3',
    ),
    "asl": ("controls_hex(Russian, 22V2) and not controls_location(Russian, 22V2/1)",),
    "moscow/small": ("grade(German) >= 2 and at('3rd Panzer') == '2,2'",),
    "napoleonics": ("banners(French) >= 5 or at(Hussars) == '3,3'",),
    "okinawa": ("vp_at_end(Japan) >= 5 and at('22nd Regiment') == '8,0'",),
}
_QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")


def faults_of_file(text: str) -> Sequence[Diagnostic]:
    try:
        load_setup(parse(Source("p.yaml", text)))
    except InputError as error:
        return error.diagnostics
    return ()


def faults_of_goal(game: str) -> Door:
    def door(text: str) -> Sequence[Diagnostic]:
        try:
            compile_goal(text, loaded(game).setup.system.vocabulary)
        except InputError as error:
            return error.diagnostics
        return ()

    return door


def proposed(found: Diagnostic) -> list[str]:
    """The texts that a help proposes to write instead of what its message quotes."""
    help = found.help or ""
    if help.startswith("did you mean"):
        return [text[1:-1] for text in _QUOTED.findall(help)]
    one = re.fullmatch(r"write `([^`]*)`(?:, .*)?", help)
    return [one[1]] if one and not re.search("NAME|EVENT|VALUE", one[1]) else []


def put(text: str, found: Diagnostic, proposal: str) -> str | None:
    """The text with a proposal instead of what the message quotes, at its place; None if that is not there."""
    before = text.splitlines(keepends=True)[: (found.line or 1) - 1]
    start = sum(map(len, before)) + (found.column or 1) - 1
    for quoted in _QUOTED.findall(found.message):
        at = text.find(quoted[1:-1], max(start - 1, 0))
        if at >= 0 and "\n" not in text[start:at]:
            return text[:at] + proposal + text[at + len(quoted) - 2 :]
    return None


def not_mended(door: Door, text: str) -> list[str]:
    """The proposals that leave their fault there."""
    wrong = []
    for found in door(text):
        for proposal in proposed(found):
            mended = put(text, found, proposal)
            assert mended is not None, (text, found)
            same = (found.code, found.line, found.column)
            if any((d.code, d.line, d.column) == same for d in door(mended)):
                wrong.append(f"{mended}: {found}")
    return wrong


def slip(random: Random, word: str) -> str:
    """The word with a letter too many, one too few, or another one."""
    i, letter = random.randrange(len(word)), random.choice("aeinrstxz")
    return random.choice((word[:i] + word[i + 1 :], word[:i] + letter + word[i:], word[:i] + letter + word[i + 1 :]))


def slipped(random: Random, text: str) -> str:
    """The text with a slip of the hand in one of its words, none of which is a comment."""
    plain = re.sub("#.*", lambda comment: " " * len(comment[0]), text)
    word = random.choice(list(re.finditer(r"[A-Za-z][\w' .-]*\w", plain)))
    return text[: word.start()] + slip(random, word[0]) + text[word.end() :]


def good_files() -> Iterator[str]:
    """Positions, and boards within one."""
    for name in FILES:
        yield (ROOT / "examples" / f"{name}.yaml").read_text()
    for name in BOARDS:
        lines = (ROOT / "encodings" / "vclogic_encodings" / f"{name}.yaml").read_text().splitlines()
        yield "\n".join([f"game: {name.partition('/')[0]}", "board:", *(f"  {line}" for line in lines), ""])


GOOD = tuple(good_files())


@given(st.sampled_from(GOOD), st.integers(0, 10**9))
@examples(30)
def test_in_files(text: str, seed: int) -> None:
    assert not not_mended(faults_of_file, slipped(Random(seed), text))


@given(st.sampled_from([(game, goal) for game, goals in GOALS.items() for goal in goals]), st.integers(0, 10**9))
@examples(400)
def test_in_goals(asked: tuple[str, str], seed: int) -> None:
    game, goal = asked
    assert not faults_of_goal(game)(goal)
    assert not not_mended(faults_of_goal(game), slipped(Random(seed), goal))


@pytest.mark.parametrize("group", GROUPS)
def test_in_the_files_that_players_get_wrong(group: str) -> None:
    for fault in faults(group):
        if not fault.ask:
            assert not not_mended(faults_of_file, fault.file), fault.what


def test_a_name_that_stands_there_already_is_not_proposed() -> None:
    found, *_ = faults_of_file("game: axis_allies\nrecord:\n  - {capture: {power: Germans, powr: Russia}}\n")
    assert "did you mean" not in str(found.help)
    found, *_ = faults_of_file("game: moscow/small\nstate: {turn: 1}\nstat: {turn: 1}\n")
    assert "did you mean" not in str(found.help)


def test_what_fits_the_names_in_parentheses_is_proposed_first() -> None:
    (found,) = faults_of_goal("asl")("control_hex(Russian, 22V2)")
    assert found.help == "did you mean 'controls_hex'?"
    (found,) = faults_of_goal("axis_allies")("vpc >= 40")
    assert found.help == "did you mean 'vcp' or 'ipc'?"


@pytest.mark.parametrize("command", commands.commands)
def test_in_commands_and_their_options(command: str, run: Run, tmp_path: Path) -> None:  # noqa: F811
    random = Random(command)
    options = [o for p in commands.commands[command].params for o in p.opts if o.startswith("--")]
    for words in ([slip(random, command)], *([command, f"--{slip(random, o[2:])}"] for o in options)):
        said = run(*words, "--help").err
        code = re.search(r"error\[(.*?)\]", said)
        found = re.search("did you mean (.*)[?]", said)
        if code is None or found is None:
            continue
        for proposal in _QUOTED.findall(found[1]):
            again = run(*words[:-1], proposal[1:-1], "--help").err
            assert f"error[{code[1]}]" not in again, (words, proposal)


NAMES = (  # commands with one name that stands last
    "status axis_allies/revised-1942",
    "status okinawa/strip",
    "status asl --view Russian",
    "status axis_allies --set level",
    "plan axis_allies --goal true --side Axis",
    "plan axis_allies --goal true --side Axis --minimize captures",
    "plan axis_allies --goal true --side Axis --opponent idle",
    "plan axis_allies --goal true --side Axis --without capture",
    "plan axis_allies --maximize vcp",
    "reach okinawa --goal true --side US --by moves",
    "legal napoleonics --event move",
    "schema position",
)


def fault(said: str) -> tuple[str, list[str]] | None:
    """The code and place of a fault that proposes texts, with these; None if it proposes none."""
    help = re.search("did you mean (.*)[?]", said)
    return (said[: help.start()], _QUOTED.findall(help[1])) if help else None


@pytest.mark.parametrize("words", NAMES)
def test_in_names_on_the_command_line(words: str, run: Run) -> None:  # noqa: F811
    *before, name = words.split()
    random, tried = Random(words), 0
    for _ in range(3):
        said = run(*before, as_word(before, slip(random, name)))
        found = fault(said.err)
        for proposal in found[1] if found else ():
            tried += 1
            again = run(*before, as_word(before, proposal[1:-1]))
            assert again.err.partition("\n")[0] != said.err.partition("\n")[0], (words, said.err, again.err)
    assert tried


def as_word(before: Sequence[str], name: str) -> str:
    """The word of a command that a name stands in."""
    return f"{name}=0" if before[-1] == "--set" else name


@pytest.mark.parametrize("command", [c for c in commands.commands if c != "serve"])  # mended, it serves
def test_in_the_choices_of_options(command: str, run: Run) -> None:  # noqa: F811
    random = Random(command)
    for param in commands.commands[command].params:
        for value in param.type.choices if isinstance(param.type, click.Choice) else ():
            found = fault(run(command, param.opts[0], slip(random, str(value))).err)
            for proposal in found[1] if found else ():
                assert "error[bad-value]" not in run(command, param.opts[0], proposal[1:-1]).err


@pytest.mark.parametrize("kind", KINDS)
def test_in_requests(kind: str) -> None:
    def unknown(key: str) -> list[Diagnostic]:
        request = read_request(json.dumps({"ask": kind, key: 1}).encode())
        assert request is not None
        try:
            KINDS[kind].read(request)
        except InputError as error:
            return [d for d in error.diagnostics if d.code == "unknown-entry"]
        return []

    random = Random(kind)
    for field in dataclasses.fields(KINDS[kind].keys):
        for found in unknown(slip(random, field.name)):
            for proposal in proposed(found):
                assert not unknown(proposal), (found, proposal)

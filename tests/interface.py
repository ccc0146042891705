"""What users of vclogic hold on to, as texts that are compared: `python -m tests.interface` writes them anew.

A change of one of them is a change that users see: it is made on purpose, in a commit of its own.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from functools import partial
from pathlib import Path

import click

import vclogic
from tests.golden_documents import FOLDER as DOCUMENTS
from tests.golden_documents import answered
from vclogic.check.catalogue import CATALOGUE
from vclogic.cli.main import commands
from vclogic.game import Game
from vclogic.query.planner.planner import Planner
from vclogic.serve.requests import KINDS
from vclogic.serve.schemas import COMMANDS, answer_schema

FOLDER = Path(__file__).parent / "goldens"


def help_of_commands() -> Iterator[str]:
    """The words and options of every command."""
    for name, command in sorted(commands.commands.items()):
        lines = command.get_help(click.Context(command, info_name=name, terminal_width=100)).split("\n")
        # how help itself is asked for is remembered by click as whoever asked first had it
        own = [re.sub("  +", "  ", line) for line in lines if not line.lstrip().startswith(("-h, --help", "--help"))]
        yield "\n".join((f"$ vclogic {name} --help", *own, ""))


def signatures() -> Iterator[str]:
    """The arguments of what `vclogic` exports, with their types."""
    for function in (vclogic.load, vclogic.study):
        yield f"vclogic.{function.__name__}{_called(function)}"
    for owner in (Game, Planner):
        for name, member in inspect.getmembers(owner):
            if not name.startswith("_"):
                called = _called(member) if inspect.isroutine(member) else ""
                yield f"{owner.__name__}.{name}{called}"


def _called(function: Callable[..., object]) -> str:
    return re.sub(" at 0x[0-9a-f]+", "", str(inspect.signature(function)))  # of a function that is a default


def request_keys() -> Iterator[str]:
    """The keys of each request, those that must be there first."""
    for name, kind in KINDS.items():
        yield f"{name}: {', '.join(field.name for field in fields(kind.keys))}"


def schemas() -> Iterator[str]:
    """The JSON Schemas of all answers."""
    for kind in COMMANDS:
        for key, part in answer_schema(kind).items():
            inner = part.items() if key in ("properties", "$defs") else [("", part)]
            yield from (f"{kind} {key} {name}: {json.dumps(value, ensure_ascii=False)}" for name, value in inner)


def codes() -> Iterator[str]:
    """The codes of findings."""
    for code in CATALOGUE.values():
        yield f"{code.code} {code.name} {code.severity}"


TEXTS: Mapping[str, Callable[[], Iterator[str]]] = {
    "help.txt": help_of_commands,
    "python.txt": signatures,
    "requests.txt": request_keys,
    "answers.txt": schemas,
    "codes.txt": codes,
    **{f"{DOCUMENTS.name}/{file.name}": partial(answered, file.name) for file in sorted(DOCUMENTS.iterdir())},
}
"""The files, and what makes the lines of each."""


def text(file: str) -> str:
    """What a file has to hold."""
    return "\n".join(TEXTS[file]()) + "\n"


if __name__ == "__main__":
    for name in TEXTS:
        (FOLDER / name).write_text(text(name), encoding="utf-8")

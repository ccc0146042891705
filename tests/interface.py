"""What users of vclogic hold on to, as texts that are compared: `python -m tests.interface` writes them anew.

A change of one of them is a change that users see: it is made on purpose, in a commit of its own. With names behind
it, such as `help requests skirmish`, only these are written: the answers of the games take minutes. Without names it
writes all else that programs write into the repository, too: pages, and the grammar for editors.
"""

from __future__ import annotations

import inspect
import json
import re
import runpy
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from difflib import SequenceMatcher
from functools import partial
from itertools import zip_longest
from pathlib import Path

import click

import vclogic
from tests.golden_documents import FOLDER as DOCUMENTS
from tests.golden_documents import answered
from vclogic.check.catalogue import CATALOGUE, page
from vclogic.cli.main import commands
from vclogic.game import Game
from vclogic.query.planner.planner import Planner
from vclogic.serve.requests import KINDS
from vclogic.serve.schemas import COMMANDS, answer_schema

FOLDER = Path(__file__).parent / "goldens"
ROOT = FOLDER.parents[1]


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


TEXTS: Mapping[str, Callable[[], Iterator[str]]] = {
    "help.txt": help_of_commands,
    "python.txt": signatures,
    "requests.txt": request_keys,
    "answers.txt": schemas,
    **{f"{DOCUMENTS.name}/{file.name}": partial(answered, file.name) for file in sorted(DOCUMENTS.iterdir())},
}
"""The files, and what makes the lines of each."""


def text(file: str) -> str:
    """What a file has to hold."""
    return "\n".join(TEXTS[file]()) + "\n"


def differing(file: str, wanted: str) -> str:
    """The lines that are gone from a file, with a minus, and those that are new; long ones from where they differ."""
    there, made = (FOLDER / file).read_text(encoding="utf-8").split("\n"), wanted.split("\n")
    told = []
    for kind, a, b, c, d in SequenceMatcher(None, there, made, autojunk=False).get_opcodes():
        for old, new in zip_longest(there[a:b], made[c:d]) if kind != "equal" else ():
            pairs = enumerate(zip(old or "", new or "", strict=False))
            begin = max(next((at for at, (x, y) in pairs if x != y), 0) - _AROUND, 0)
            both = ("-", old), ("+", new)
            told += [f"{sign} {line[begin : begin + _LONG]}" for sign, line in both if line is not None]
    return "\n".join(told)


_AROUND, _LONG = 40, 300


def write_pages() -> None:
    """Write what programs write beside the goldens: `docs/findings.md`, `docs/messages.md`, what statements tell."""
    (ROOT / "docs" / "findings.md").write_text(page(CATALOGUE.values()), encoding="utf-8")
    for module in ("tests.bad_files", "tests.rulebook.told_statements"):
        runpy.run_module(module, run_name="__main__")


if __name__ == "__main__":
    asked = sys.argv[1:]
    for name in TEXTS:
        if not asked or Path(name).stem in asked:
            (FOLDER / name).write_text(text(name), encoding="utf-8")
    if not asked:
        write_pages()

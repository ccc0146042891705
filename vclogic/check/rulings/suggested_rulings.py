"""A ruling ready to paste: its lines in a rulebook or in a file of rulings, and where they go."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import yaml

from vclogic.files.rulings.case_files import RULINGS as LISTED
from vclogic.files.source import Source, read_text
from vclogic.files.trees.located import DUMPER
from vclogic.files.trees.nodes import parse
from vclogic.files.trees.overlay import BASED_ON
from vclogic.model.actions import Event
from vclogic.model.fluents import Value, written
from vclogic.query.status.progress import expression
from vclogic.rulebook.board.world import World
from vclogic.rulebook.changes import Edit
from vclogic.rulebook.markdown.book import Book
from vclogic.rulebook.markdown.pieces import fenced, pieces
from vclogic.rulebook.markdown.rulings import phrase
from vclogic.rulebook.source import RULES, RULINGS

_IN, _WIDE = "  ", 100


@dataclass(frozen=True)
class PastedRuling:
    """A ruling that vclogic words.

    Attributes:
        title: Its title.
        given: The facts that differ from the start: the name of each, what it is asked of, and its value.
        under: The Readings that it is about.
        play: The event that happens; None: none does.
        refused: Whether that is refused.
        expect: What holds at the end; empty where the event is refused.
        other: What would hold instead, as a remark.
    """

    title: str
    given: tuple[tuple[str, tuple[str, ...], Value], ...] = ()
    under: Mapping[str, str] = field(default_factory=dict)
    play: Event | None = None
    refused: bool = False
    expect: str = ""
    other: str = ""

    def lines(self, book: Book, world: World) -> list[str]:
        """Its lines in a block of rulings.

        Args:
            book: The rulebook.
            world: What that declares, on its board.
        """
        found = [f"under {name} is {value}" for name, value in self.under.items()]
        given = [f"{expression(name, *index)} is {written(value)}" for name, index, value in self.given]
        line = f"given {', '.join(given)}"
        found += [line] if len(line) <= _WIDE else [f"given {each}" for each in given]
        if self.play is not None:
            event = phrase(book, world, self.play.name, dict(self.play.args))
            found.append(f"{'refused' if self.refused else 'play'} {event}")
        if self.expect:
            found.append(f"expect {self.expect}")
        return [self.title, *(f"{_IN}{line}" for line in found if line != "given ")]

    def listed(self) -> list[str]:
        """Its lines in a list of rulings."""
        state: dict[str, Any] = {}
        for name, index, value in self.given:
            *path, last = (name, *index)
            here = state
            for step in path:
                here = here.setdefault(step, {})
            here[last] = value
        position: dict[str, Any] = {"state": state} if state else {}
        if self.play is not None:
            event = self.play.written
            position["record"] = [{"refused": event} if self.refused else event]
        parts: dict[str, Any] = {"name": self.title}
        parts |= {"readings": dict(self.under)} if self.under else {}
        parts |= {"position": position} if position else {}
        parts |= {"expect": [self.expect]} if self.expect else {}
        style: dict[str, Any] = {
            "default_flow_style": None,
            "sort_keys": False,
            "allow_unicode": True,
            "width": _WIDE,
        }
        return str(yaml.dump([parts], Dumper=DUMPER, **style)).splitlines()


class PastePlace(NamedTuple):
    """The place where rulings are added to a file.

    Attributes:
        file: The file.
        at: The place in its text, counted from 0.
        before: What comes before them.
        after: What comes after them.
        indent: What stands before each line.
        end: How the lines of the file end.
    """

    file: str
    at: int
    before: str = ""
    after: str = ""
    indent: str = ""
    end: str = "\n"

    def edit(self, lines: Iterable[str]) -> Edit:
        """The edit that adds some lines."""
        body = "".join(f"{self.indent}{line}\n" for line in lines)
        return self.at, self.at, f"{self.before}{body}{self.after}".replace("\n", self.end)


def below_sentence(text: str, file: str, line: int) -> PastePlace:
    """The place of the rulings on a line: in the block of rulings that follows its block, or in a new one."""
    known, at = list(pieces(text)), 0
    for i, piece in enumerate(known):
        at += len(piece.whole)
        if piece.kind != RULES or not piece.line <= line < piece.line + piece.text.count("\n"):
            continue
        beside = known[i + 1 : i + 3]
        blank = beside.pop(0) if beside and not beside[0].kind and not beside[0].whole.strip() else None
        if beside and beside[0].kind == RULINGS:
            whole = beside[0].whole
            end = at + len(whole) + (0 if blank is None else len(blank.whole))
            return PastePlace(file, end - len(whole.splitlines(keepends=True)[-1]), indent=beside[0].indent)
        opening, closing = fenced(RULINGS, "", piece.indent).splitlines(keepends=True)
        missing = "" if piece.whole.endswith("\n") else "\n"
        return PastePlace(file, at, f"{missing}\n{opening}", closing, piece.indent)
    raise ValueError("no block of rules has this line")


_NAME = re.compile(rf"^{BASED_ON}:\s*['\"]?([^'\"#\n]+?)['\"]?\s*(?:#.*)?$", re.MULTILINE)


def ruling_files(card: str) -> list[str]:
    """The files beside a position file that are based on it; where there is none, the one that would be written."""
    folder, name = os.path.split(card)
    found = []
    for other in sorted(os.listdir(folder or os.curdir)):
        path = os.path.join(folder, other)
        if other.endswith((".yaml", ".yml")) and os.path.isfile(path):
            base = _NAME.search(read_text(path).text)
            if base is not None and base[1] == name and re.search(rf"^{LISTED}:", read_text(path).text, re.MULTILINE):
                found.append(path)
    return found


def end_of_list(file: str, card: str) -> PastePlace:
    """The place of the next ruling in a file of rulings; the file may not be there yet."""
    if not os.path.exists(file):
        return PastePlace(file, 0, f"{BASED_ON}: {os.path.basename(card)}\n\n{LISTED}:\n")
    text = read_text(file).text
    node = parse(Source(file, text))
    tree = node.tree if isinstance(node.tree, dict) else {}
    begins = {key: node.where.find((key,), key=True)[0] or 0 for key in tree}
    later = [line for line in begins.values() if line > begins.get(LISTED, 0)]
    lines = text.splitlines(keepends=True)
    at = sum(map(len, lines[: min(later) - 1])) if later else len(text)
    column = node.where.find((LISTED, 0))[1] or 3
    return PastePlace(file, at, "" if not at or text[at - 1] == "\n" else "\n", indent=" " * (column - 3))

"""Rulebooks written anew: in one style where they stand, or elsewhere as Markdown or as a document."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from vclogic.errors import Diagnostic, InputError
from vclogic.files.output import check_output, write_text
from vclogic.files.registry import rulebook_file
from vclogic.files.source import STDIN, read_text
from vclogic.files.text_games.games import map_book
from vclogic.files.trees.findings import Findings
from vclogic.rulebook.document import book_document, book_of
from vclogic.rulebook.markdown.book import BOARDS
from vclogic.rulebook.markdown.formatted import formatted
from vclogic.triplea.naming import MAP

DOCUMENT = ".json"
"""What the name of a document ends with."""


@dataclass(frozen=True)
class Formatted:
    """The result of `format`.

    Attributes:
        changed: The rulebooks that were not in the style, or the other file that was written.
        unchanged: Those that were.
        written: Whether what was not is written.
    """

    changed: tuple[str, ...]
    unchanged: tuple[str, ...]
    written: bool


def format_rulebooks(files: Sequence[str], *, check: bool = False) -> Formatted:
    """Write the blocks of rulebooks in one style; nothing is written where anything is wrong in any of them.

    Args:
        files: The rulebooks.
        check: Whether they are only looked at.

    Raises:
        InputError: All that is wrong with them, or one cannot be written.
    """
    if STDIN in files and not check:
        message, help = "there is no file to write", "add -o FILE; -o - prints what is read from standard input"
        raise InputError(Diagnostic("usage", message, STDIN, help=help))
    findings, new = Findings(), dict[str, str]()
    for file in dict.fromkeys(files):
        with findings.catch(file):
            if (book := rulebook_file(file)) is not None and book[0].endswith(MAP):
                message, help = "a map of TripleA is not written anew", f"write vclogic format {file} -o NAME.md"
                raise InputError(Diagnostic("usage", message, file, help=help))
            text = read_text(file).text
            styled = formatted(text, file)
            if styled != text:
                new[file] = styled
            if not check and file in new:
                check_output(file, (), file)
    findings.stop()
    if not check:
        for file, text in new.items():
            write_text(file, text)
    return Formatted(tuple(new), tuple(f for f in dict.fromkeys(files) if f not in new), not check)


def converted(file: str, *, document: bool, text: str | None = None, folder: str = "") -> str:
    """A rulebook in one style, or its document.

    Args:
        file: A rulebook in Markdown, the document of one, whose name ends in `.json`, a map of TripleA, or a board
            that fills a rulebook.
        document: Whether the document is wanted.
        text: Of a board: the rulebook that it fills; None: the one that the file names, or that stands beside it.
        folder: Of a board: where what is made of it will stand.

    Raises:
        InputError: All that is wrong with it.
    """
    if file.endswith(BOARDS[:2]):
        from vclogic.files.text_games.scenarios import as_scenario  # most of what is written anew is no board

        made = as_scenario(file, text, folder)
        return json.dumps(book_document(made, file), indent=2, ensure_ascii=False) + "\n" if document else made
    if (book := rulebook_file(file)) is not None and book[0].endswith(MAP):
        text = formatted(map_book(book[0]).text(), file)
        return json.dumps(book_document(text, file), indent=2, ensure_ascii=False) + "\n" if document else text
    text = read_text(file).text
    text = _from_document(text, file) if file.endswith(DOCUMENT) else formatted(text, file)
    return json.dumps(book_document(text, file), indent=2, ensure_ascii=False) + "\n" if document else text


def _from_document(text: str, file: str) -> str:
    try:
        found: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        line, column = (error.lineno, error.colno) if isinstance(error, json.JSONDecodeError) else (None, None)
        message, help = "this is no JSON", "`vclogic schema rulebook` says what the document of a rulebook holds"
        raise InputError(Diagnostic("unreadable", message, file, line, column, help)) from error
    return formatted(book_of(found, file), file)

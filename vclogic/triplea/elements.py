"""XML as a tree of elements with their places, read from strangers: no entities, bounded sizes and depths."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from vclogic.errors import Diagnostic, InputError, quoted
from vclogic.triplea.naming import plain

MOST_BYTES = 30_000_000
_MOST_DEPTH = 40
_MOST_ELEMENTS = 1_000_000
_MARK = codecs.BOM_UTF8


@dataclass(slots=True)
class Element:
    """An element of an XML file.

    Attributes:
        name: Its tag.
        given: Its attributes.
        line: Its line, counted from 1.
        column: Its column, counted from 1.
        inside: The elements in it.
        text: The text in it, without that of its elements.
    """

    name: str
    given: dict[str, str]
    line: int
    column: int
    inside: list[Element] = field(default_factory=list)
    text: str = ""

    def all(self, *names: str) -> Iterator[Element]:
        """The elements directly in it that have one of some names."""
        return (e for e in self.inside if e.name in names)

    def first(self, *names: str) -> Element | None:
        """The first of them; None if there is none."""
        return next(self.all(*names), None)

    def named(self, name: str) -> str:
        """An attribute that is a name, as a rulebook can write it."""
        return plain(self.get(name))

    def get(self, name: str, default: str = "") -> str:
        """An attribute, without the space around it; what is given for it where it has none."""
        return self.given.get(name, default).strip()


class _Builder:
    """The tree, as the parser comes through the file."""

    def __init__(self, file: str):
        self._file = file
        self._count = 0
        self._open: list[Element] = []
        self.root: Element | None = None
        self.parser = parser = expat.ParserCreate()
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.EntityDeclHandler = self._entity

    def _start(self, name: str, given: dict[str, str]) -> None:
        self._count += 1
        if len(self._open) >= _MOST_DEPTH or self._count > _MOST_ELEMENTS:
            depth = len(self._open) >= _MOST_DEPTH
            message = f"elements stand more than {_MOST_DEPTH} deep" if depth else f"over {_MOST_ELEMENTS:,} elements"
            raise self.error("limit", message, "no map of TripleA is like that")
        line, column = self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1
        element = Element(name, given, line, column)
        if self._open:
            self._open[-1].inside.append(element)
        else:
            self.root = element
        self._open.append(element)

    def _end(self, name: str) -> None:
        self._open.pop()

    def _characters(self, text: str) -> None:
        if self._open and not text.isspace():
            self._open[-1].text += text

    def _entity(self, name: str, *rest: object) -> None:
        message = f"it declares the entity {quoted(name)}"
        raise self.error(
            "unreadable", message, "write out what it stands for: entities of strangers are not expanded"
        )

    def error(self, code: str, message: str, help: str | None) -> InputError:
        """An error at the place where the parser is."""
        line, column = self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1
        return InputError(Diagnostic(code, message, self._file, line, column, help))


def read_elements(content: bytes, file: str) -> Element:
    """The root element of an XML file.

    Args:
        content: What the file holds.
        file: Its name, for messages.

    Raises:
        InputError: It is too large, too deep, no XML, or declares entities; at its line and column.
    """
    if len(content) > MOST_BYTES:
        raise InputError(Diagnostic("limit", f"it has more than {MOST_BYTES:,} bytes", file))
    builder = _Builder(file)
    try:
        builder.parser.Parse(content.removeprefix(_MARK), True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise InputError(
            Diagnostic("unreadable", f"this is no XML: {reason}", file, error.lineno, error.offset + 1)
        ) from error
    assert builder.root is not None, "XML has a root"
    return builder.root

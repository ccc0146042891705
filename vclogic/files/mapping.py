"""Positions given in Python as mappings, in the form of position files."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any

from vclogic.errors import Diagnostic, quoted
from vclogic.files.findings import Findings
from vclogic.files.tree import BAD_CHARACTER, DEPTH, MOST_PARTS, MOST_TEXT, Locator, Node, Quoted, Tree, bad_character
from vclogic.files.yaml_events import TOO_DEEP, TOO_LONG, TOO_MANY

MAPPING = "<mapping>"
"""The name in place of the file in messages about a mapping."""


def mapping_node(content: Mapping[str, Any] | Sequence[Any], name: str, findings: Findings) -> Node:
    """A mapping (or a list) of Python values as the content of a file.

    Texts stand for texts in quotes: they are names, never numbers or truth values.

    Args:
        content: Mappings and lists of bool, whole numbers, text and None.
        name: What stands for the file in messages.
        findings: Takes what is wrong: values of other types, or more than a file may hold.

    Raises:
        InputError: It is far too large, or as in `Findings.add`.
    """
    return Node(_MappingReader(name, findings).tree(content, 1), Locator(name, _nowhere))


def _nowhere() -> None:
    """The places of what stands in no file."""


class _MappingReader:
    """Turns Python values into a file's content."""

    def __init__(self, name: str, findings: Findings):
        self._name = name
        self._findings = findings
        self._parts = 0

    def tree(self, x: Any, depth: int) -> Tree:
        """A value as a file's content; nothing where it is none."""
        self._parts += 1
        if self._parts > MOST_PARTS:
            self._wrong("too-big", TOO_MANY)
            self._findings.stop()
        if x is None:
            return None
        if isinstance(x, str):
            return Quoted(self._checked(x))
        if isinstance(x, bool):
            return "true" if x else "false"
        if isinstance(x, Mapping | list | tuple):
            if depth > DEPTH:
                self._wrong("too-deep", TOO_DEEP)
                return None
            if isinstance(x, Mapping):
                return {self._key(key): self.tree(part, depth + 1) for key, part in x.items()}
            return [self.tree(part, depth + 1) for part in x]
        if isinstance(x, float):
            return str(x)  # the reader of the value says that it is no whole number
        try:
            return str(operator.index(x))
        except TypeError:
            kind = type(x).__name__
            self._wrong(
                "wrong-value",
                f"expected text, a number, true or false, a list or a mapping, found a value of the type {kind}",
            )
            return None

    def _key(self, key: Any) -> str:
        if isinstance(key, str):
            return self._checked(key)
        self._wrong("wrong-value", f"the keys of a mapping are texts, found {quoted(key)}")
        return str(key)

    def _checked(self, text: str) -> str:
        if bad_character(text) >= 0:
            self._wrong("control-character", f"{BAD_CHARACTER} in the text {text[:40]!a}")
        if len(text) > MOST_TEXT:
            self._wrong("too-big", TOO_LONG)
        return text

    def _wrong(self, code: str, message: str) -> None:
        self._findings.add(Diagnostic(code, message, self._name))

"""Parse text into a located tree: YAML by libyaml's events, JSON by `json`."""

from __future__ import annotations

import functools
import operator
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from vclogic.errors import Diagnostic, InputError, quoted
from vclogic.files.source import Source, read_text
from vclogic.files.trees.findings import Findings
from vclogic.files.trees.located import (
    BAD_CHARACTER,
    DEPTH,
    MOST_PARTS,
    MOST_TEXT,
    Locator,
    Node,
    NodePlace,
    Quoted,
    TextMark,
    Tree,
    bad_character,
)
from vclogic.files.trees.yaml_events import TOO_DEEP, TOO_LONG, TOO_MANY, TWICE, build_tree


def read_node(path: str, *, below: str | None = None) -> Node:
    """The content of a file, or of standard input for `-`.

    Args:
        path: The file.
        below: A folder with which the path begins; behind it, nothing may be a symbolic link. None: anything may.

    Raises:
        InputError: The file cannot be read, or is not YAML or JSON of the accepted kind.
    """
    return parse(read_text(path, below=below))


def parse(source: Source) -> Node:
    """Parse a text: as JSON if the file's name or the text says so, else as YAML.

    Aliases, anchors, tags, merge keys, duplicate keys, keys that are not text, several documents, control
    characters, nesting deeper than `DEPTH`, more than `MOST_PARTS` parts and texts longer than `MOST_TEXT` are
    refused.

    Raises:
        InputError: Everything that is wrong with it.
    """
    offset = bad_character(source.text)
    if offset >= 0:
        before = source.text[:offset]
        line, column = before.count("\n") + 1, offset - before.rfind("\n")
        message = f"{BAD_CHARACTER}: {source.text[offset]!a}"
        raise InputError(Diagnostic("control-character", message, source.name, line, column, "remove it"))
    is_json = source.name.endswith(".json")
    node = None
    # A text that begins like JSON may be YAML in flow style: only a file named so has to be JSON.
    if is_json or source.text.lstrip()[:1] in ("{", "["):
        node = _parse_json(source, strictly=is_json)
    node = node or _parse_yaml(source)
    if node.tree is None:
        raise InputError(
            Diagnostic(
                "empty-file",
                "the file is empty",
                source.name,
                1,
                1,
                "was it saved? a position file begins with `game: NAME`",
            )
        )
    return node


def parse_json(source: Source, as_they_are: Collection[str] = ()) -> Node:
    """Parse a text as JSON and as nothing else; what `parse` refuses is refused.

    Args:
        as_they_are: Keys of the whole, whose values may hold whatever JSON can.

    Raises:
        InputError: Everything that is wrong with it.
    """
    node = _parse_json(source, strictly=True, as_they_are=as_they_are)
    assert node is not None
    return node


def _parse_yaml(source: Source) -> Node:
    findings = Findings()
    tree, place = build_tree(source, findings)
    findings.stop()
    return Node(tree, Locator(source.name, lambda: place))


class _Number(str):
    """A number of a JSON text, as written."""

    __slots__ = ()


class _Repeated(dict[str, Any]):
    """A mapping of a JSON text with a duplicate key."""

    __slots__ = ()


def _mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    return found if len(found) == len(pairs) else _Repeated(found)


def _parse_json(source: Source, *, strictly: bool, as_they_are: Collection[str] = ()) -> Node | None:
    """Parse a JSON text; None if it is not JSON and need not be."""
    import json  # here, since most runs read no JSON and start 10 ms sooner

    if source.text.count(",") > MOST_PARTS:
        raise InputError(Diagnostic("too-big", TOO_MANY, source.name))
    wrong: dict[str, str] = {}
    tree: Tree = None
    try:
        raw = json.loads(
            source.text,
            object_pairs_hook=_mapping,
            parse_int=_Number,
            parse_float=_Number,
            parse_constant=_Number,
        )
        aside = {key: raw.pop(key) for key in as_they_are if key in raw} if isinstance(raw, dict) else {}
        tree = _as_text(raw, 1, wrong)
        if isinstance(tree, dict):
            tree |= {key: _as_it_is(part) for key, part in aside.items()}
    except json.JSONDecodeError as error:
        if not strictly or not source.text.strip():
            return None
        message = f"this is not JSON: {error.msg[:1].lower()}{error.msg[1:]}"
        place = (error.lineno, error.colno)
        raise InputError(Diagnostic("not-json", message, source.name, *place)) from error
    except RecursionError:
        wrong["too-deep"] = TOO_DEEP
    if wrong:
        raise _placed(wrong, source)
    return Node(tree, Locator(source.name, functools.cache(functools.partial(_places, source))))


def _as_text(raw: Any, depth: int, wrong: dict[str, str]) -> Tree:
    """Convert JSON values to the form of YAML: strings as quoted text, numbers and truth values as plain text."""
    kind = raw.__class__
    if kind is str:
        if bad_character(raw) >= 0:
            wrong["control-character"] = f"{BAD_CHARACTER} in the text {raw[:40]!a}"
        if len(raw) > MOST_TEXT:
            wrong["too-big"] = TOO_LONG
        return Quoted(raw)
    if kind is _Number:
        return str(raw)
    if raw is None:
        return None
    if kind is bool:
        return "true" if raw else "false"
    if depth > DEPTH:
        wrong["too-deep"] = TOO_DEEP
        return None
    if kind is list:
        return [_as_text(item, depth + 1, wrong) for item in raw]
    if kind is _Repeated:
        wrong["given-twice"] = TWICE
    for key in raw:
        if bad_character(key) >= 0:
            wrong["control-character"] = f"{BAD_CHARACTER} in the name {key[:40]!a}"
        if len(key) > MOST_TEXT:
            wrong["too-big"] = TOO_LONG
    return {key: _as_text(item, depth + 1, wrong) for key, item in raw.items()}


def _as_it_is(raw: Any) -> Any:
    """A JSON value in the form of YAML, without a look into it."""
    return Quoted(raw) if raw.__class__ is str else raw if isinstance(raw, dict | list) else _as_text(raw, 1, {})


def _places(source: Source) -> NodePlace | TextMark | None:
    """The places of the parts of a JSON text, found by parsing it as YAML; None if that fails."""
    findings = Findings()
    try:
        _, place = build_tree(source, findings)
    except InputError:
        return None
    return None if findings else place


def _placed(wrong: dict[str, str], source: Source) -> InputError:
    """The faults of a JSON text, with the places found by parsing it as YAML."""
    findings = Findings()
    try:
        build_tree(source, findings)
        findings.stop()
    except InputError as error:
        placed = [d for d in error.diagnostics if d.code in wrong]
        if placed:
            return InputError(placed)
    return InputError(Diagnostic(code, message, source.name) for code, message in wrong.items())


# ---- positions given in Python, in the form of position files


MAPPING = "<mapping>"
"""The name in place of the file in messages about a mapping."""


# ---- positions given in Python as mappings, in the form of position files


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

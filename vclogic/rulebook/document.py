"""Texts of rules as documents, for programs that write rules: there and back without loss, with a schema.

A document is `{"version": 1, "statements": [...]}`. Each part says under `is` what it is, in the words of
`statements` and of the trees of the goal language; what is as usual is left out, and so are places.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, fields
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.rulebook.printing import printed
from vclogic.rulebook.statements import (
    Definition,
    FactChange,
    InsteadOf,
    Moment,
    NamedGroup,
    OutcomeTable,
    RememberedFact,
    Statement,
    TableRow,
    TextContent,
    Win,
)
from vclogic.terms.syntax import Binder, Call, Form, Operation, Word

VERSION = 1
_BY_NAME: Mapping[str, type[Any]] = {
    "definition": Definition,
    "fact": RememberedFact,
    "change": FactChange,
    "group": NamedGroup,
    "win": Win,
    "table": OutcomeTable,
    "row": TableRow,
    "instead of": InsteadOf,
    "moment": Moment,
    "word": Word,
    "call": Call,
    "operation": Operation,
    "form": Form,
    "variable": Binder,
}
_NAMES = {kind: name for name, kind in _BY_NAME.items()}
_PLACES = ("at", "places")
_IS = "is"
LABEL = "outcomes"
_WHOLE = re.compile(r"-?[0-9]{1,9}")


def document(statements: Iterable[Statement]) -> dict[str, Any]:
    """The document of a text."""
    return {"version": VERSION, "statements": [_written(s.content) for s in statements]}


def _written(part: Any) -> Any:
    if isinstance(part, tuple):
        return [_written(x) for x in part]
    if type(part) not in _NAMES:
        return part
    told = {f.name: getattr(part, f.name) for f in _fields(type(part)) if getattr(part, f.name) != f.default}
    return {_IS: _NAMES[type(part)], **{name: _written(x) for name, x in told.items()}}


def text_of(found: Any) -> str:
    """The text that a document stands for.

    Args:
        found: The document, as JSON has it.

    Raises:
        InputError: It is none of this version, or a part of it is not as the schema says.
    """
    if not isinstance(found, Mapping) or str(found.get("version")) != str(VERSION):
        raise _wrong(f"a document of rules says version: {VERSION}", (), "write the rules as a text instead")
    known = found.get("statements")
    if not isinstance(known, list) or len(found) != 2:
        raise _wrong("a document of rules has `version` and a list of `statements`", ())
    statements = [_read(part, (n,)) for n, part in enumerate(known, 1)]
    for n, part in enumerate(statements, 1):
        if not isinstance(part, TextContent):
            raise _wrong(f"{_NAMES[type(part)]} is no statement", (n,))
    return printed(statements)


Path = tuple[str | int, ...]


def _wrong(message: str, path: Path, help: str | None = None) -> InputError:
    where = f" (statement {' '.join(map(str, path))})" if path else ""
    return InputError(Diagnostic("wrong-value", message + where, LABEL, help=help))


def _read(part: Any, path: Path) -> Any:
    """A part of a document, checked."""
    if isinstance(part, list):
        return tuple(_read(x, (*path, n)) for n, x in enumerate(part, 1))
    if not isinstance(part, Mapping):
        return part
    name = part.get(_IS)
    kind = _BY_NAME.get(name) if isinstance(name, str) else None
    if kind is None:
        help = did_you_mean(name, _BY_NAME) if isinstance(name, str) else f"one of {', '.join(_BY_NAME)}"
        raise _wrong(f"nothing says which part this is under `{_IS}`", path, help)
    hints, known = _hints(kind), {f.name: f for f in _fields(kind)}
    for key in part:
        if key != _IS and key not in known:
            raise _wrong(f"{quoted(str(key))} cannot stand in a {name}", path, did_you_mean(str(key), known))
    given: dict[str, Any] = {"at": 0, "places": ()}
    given = {f.name: given[f.name] for f in fields(kind) if f.name in given}
    for key, field in known.items():
        if key in part:
            given[key] = _as(_read(part[key], (*path, key)), hints[key])
            if not _fits(given[key], hints[key]):
                raise _wrong(f"{quoted(key)} of a {name} is something else", (*path, key))
        elif field.default is MISSING:
            raise _wrong(f"{quoted(key)} is missing in a {name}", path)
    return kind(**given)


def _fields(kind: type[Any]) -> tuple[Field[Any], ...]:
    return tuple(f for f in fields(kind) if f.name not in _PLACES)


_HINTS: dict[type[Any], Mapping[str, Any]] = {}


def _hints(kind: type[Any]) -> Mapping[str, Any]:
    if kind not in _HINTS:
        _HINTS[kind] = get_type_hints(kind)
    return _HINTS[kind]


def _as(value: Any, hint: Any) -> Any:
    """A value with the numbers and truths that a file has as text, where the field wants those."""
    inside = get_args(hint)
    if get_origin(hint) in (Union, UnionType):
        return next((found for x in inside if _fits(found := _as(value, x), x)), value)
    if get_origin(hint) is tuple and isinstance(value, tuple):
        each = inside[:1] * len(value) if inside[-1] is Ellipsis else inside
        return tuple(_as(x, h) for x, h in zip(value, each, strict=len(value) == len(each)))
    if isinstance(value, str):
        if hint is int and _WHOLE.fullmatch(value):
            return int(value)
        if hint is bool and value in ("true", "false"):
            return value == "true"
        return str(value) if hint is str else value
    return value


def _fits(value: Any, hint: Any) -> bool:
    origin, inside = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return any(_fits(value, x) for x in inside)
    if origin is tuple:
        if not isinstance(value, tuple):
            return False
        if inside[-1] is Ellipsis:
            return all(_fits(x, inside[0]) for x in value)
        return len(value) == len(inside) and all(_fits(x, h) for x, h in zip(value, inside, strict=True))
    return type(value) is hint


def schema() -> dict[str, Any]:
    """The JSON Schema of documents of rules."""
    statements = [_schema(c) for c in get_args(TextContent)]
    return {
        "title": "vclogic: rules as a document",
        "type": "object",
        "properties": {
            "version": {"const": VERSION},
            "statements": {"type": "array", "items": {"anyOf": statements}},
        },
        "required": ["version", "statements"],
        "additionalProperties": False,
        "$defs": {name: _part(name, kind) for name, kind in _BY_NAME.items()},
    }


def _part(name: str, kind: type[Any]) -> dict[str, Any]:
    hints = _hints(kind)
    return {
        "type": "object",
        "properties": {_IS: {"const": name}, **{f.name: _schema(hints[f.name]) for f in _fields(kind)}},
        "required": [_IS, *(f.name for f in _fields(kind) if f.default is MISSING)],
        "additionalProperties": False,
    }


def _schema(hint: Any) -> dict[str, Any]:
    origin, inside = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return {"anyOf": [_schema(x) for x in inside]}
    if origin is tuple and inside[-1] is Ellipsis:
        return {"type": "array", "items": _schema(inside[0])}
    if origin is tuple:
        return {"type": "array", "prefixItems": [_schema(x) for x in inside], "items": False, "minItems": len(inside)}
    plain = {str: "string", int: "integer", bool: "boolean", NoneType: "null"}
    return {"type": plain[hint]} if hint in plain else {"$ref": f"#/$defs/{_NAMES[hint]}"}

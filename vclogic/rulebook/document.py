"""Rules as documents, for programs that write them: there and back without loss, with a schema.

The document of a text of rules is `{"version": 1, "statements": [...]}`. That of a rulebook has `parts` instead, in
their order: `{"text": ...}`, Markdown for players, `{"rules": [...]}`, the statements of a block, and
`{"rulings": ...}`, the lines of a block of rulings. Each part of a statement says under `is` what it is, in the words
of `statements`, `declarations` and the trees of the goal language; what is as usual is left out, and so are places.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, fields, replace
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.rulebook.aims import Counted, FromPython, HeldBy, Kept, Used, WorthTo
from vclogic.rulebook.declarations import Effect, FromBoard, HexLayout, Need, PythonFunction, TakenArgument
from vclogic.rulebook.markdown.pieces import fenced, pieces
from vclogic.rulebook.parser import parse_rules
from vclogic.rulebook.printing import laid_out
from vclogic.rulebook.source import RULES, RULINGS
from vclogic.rulebook.statements import FactChange, Moment, Statement, TableRow
from vclogic.rulebook.table.entries import BOOK
from vclogic.rulebook.table.entries import TEXT as BESIDE
from vclogic.rulebook.table.entry import StatementTable
from vclogic.rulebook.table.written import UNARY
from vclogic.terms.expressions.syntax import Binder, Call, Form, Operation, Word

VERSION = 1
MAX_DEPTH = 300
_BY_NAME: Mapping[str, type[Any]] = {
    **BOOK.called(),
    "change": FactChange,
    "row": TableRow,
    "need": Need,
    "effect": Effect,
    "argument": TakenArgument,
    "of the board": FromBoard,
    "layout": HexLayout,
    "function": PythonFunction,
    "used": Used,
    "kept": Kept,
    "counted": Counted,
    "from python": FromPython,
    "held": HeldBy,
    "worth": WorthTo,
    "moment": Moment,
    "word": Word,
    "call": Call,
    "operation": Operation,
    "form": Form,
    "variable": Binder,
}
_NAMES = {kind: name for name, kind in _BY_NAME.items()}
_PLACES = ("at", "places")
_DERIVED = {Need: ("text",)}
"""What follows from the rest."""
_IS, _CITES = "is", "cites"
_STATEMENTS, _PARTS = "statements", "parts"
TEXT, RULES_PART, RULINGS_PART = "text", "rules", "rulings"
LABEL = "outcomes"
_WHOLE = re.compile(r"-?[0-9]{1,9}")


def document(statements: Iterable[Statement]) -> dict[str, Any]:
    """The document of a text."""
    return {"version": VERSION, _STATEMENTS: _list_of(statements)}


def book_document(text: str, label: str) -> dict[str, Any]:
    """The document of a rulebook; comments in its blocks are left out.

    Args:
        text: What its file holds.
        label: The file.

    Raises:
        InputError: All statements that cannot be read.
    """
    parts: list[dict[str, Any]] = []
    wrong: list[Diagnostic] = []
    for piece in pieces(text):
        if piece.indent:
            parts.append({TEXT: piece.whole})
        elif piece.kind == RULES:
            try:
                parts.append({RULES_PART: _list_of(piece.statements(label))})
            except InputError as error:
                wrong += error.diagnostics
        else:
            parts.append({RULINGS_PART if piece.kind == RULINGS else TEXT: piece.text})
    if wrong:
        raise InputError(wrong)
    return {"version": VERSION, _PARTS: parts}


def _list_of(statements: Iterable[Statement]) -> list[dict[str, Any]]:
    return [_written(s.content) | ({_CITES: [*s.clauses]} if s.clauses else {}) for s in statements]


def _written(part: Any) -> Any:
    if isinstance(part, tuple):
        return [_written(x) for x in part]
    if type(part) not in _NAMES:
        return part
    told = {f.name: getattr(part, f.name) for f in _fields(type(part)) if getattr(part, f.name) != f.default}
    return {_IS: _NAMES[type(part)], **{name: _written(x) for name, x in told.items()}}


def text_of(found: Any) -> str:
    """The text that a document of a text stands for.

    Args:
        found: The document, as JSON has it.

    Raises:
        InputError: It is none of this version, or a part of it is not as the schema says.
    """
    known = _checked(found, _STATEMENTS, f"a document of rules has `version` and a list of `{_STATEMENTS}`")
    return _text(known, (), BESIDE)


def book_of(found: Any, file: str) -> str:
    """The rulebook in Markdown that a document stands for.

    Args:
        found: The document, as JSON has it.
        file: The file that holds it.

    Raises:
        InputError: As for `text_of`.
    """
    try:
        known = _checked(found, _PARTS, f"the document of a rulebook has `version` and a list of `{_PARTS}`")
        return "".join(_markdown(part, (n,)) for n, part in enumerate(known, 1))
    except InputError as error:
        raise InputError(replace(d, file=file) for d in error.diagnostics) from error


def _markdown(part: Any, path: Path) -> str:
    ((kind, found),) = part.items() if isinstance(part, Mapping) and len(part) == 1 else ((None, None),)
    if kind == RULES_PART and isinstance(found, list):
        return fenced(RULES, _text(found, path, BOOK))
    if kind not in (TEXT, RULINGS_PART) or not isinstance(found, str):
        message = f"a part of a rulebook is `{TEXT}`, a text, `{RULES_PART}`, a list, or `{RULINGS_PART}`, a text"
        raise _wrong(message, path)
    return found if kind == TEXT else fenced(RULINGS, found)


def _checked(found: Any, key: str, message: str) -> list[Any]:
    """The statements that a document lists, if it is one of this version."""
    if not isinstance(found, Mapping) or str(found.get("version")) != str(VERSION):
        raise _wrong(f"a document of rules says version: {VERSION}", (), "write the rules as a text instead")
    known = found.get(key)
    if not isinstance(known, list) or len(found) != 2:
        raise _wrong(message, ())
    return known


def _text(found: list[Any], path: Path, table: StatementTable) -> str:
    """The lines of some statements of a document."""
    lines: list[str] = []
    for n, part in enumerate(found, 1):
        here, cites = (*path, n), part.get(_CITES, []) if isinstance(part, Mapping) else []
        known = {k: v for k, v in part.items() if k != _CITES} if isinstance(part, Mapping) else part
        content = _read(known, here)
        if not isinstance(content, table.kinds):
            raise _wrong(f"{_NAMES.get(type(content), 'this')} is no statement", here)
        if not isinstance(cites, list) or not all(isinstance(c, str) and _CLAUSE.fullmatch(c) for c in cites):
            raise _wrong(f"`{_CITES}` lists numbers of sentences", (*here, _CITES))
        lines += (said := laid_out(content, cites))
        if not says("\n".join(said), Statement(content, 0, 0, "", tuple(cites))):
            raise _wrong("no line of text can say this", here, "each name stands in one line; numbers are whole")
    return "".join(f"{line}\n" for line in lines)


def says(text: str, statement: Statement) -> bool:
    """True if a text says a statement, with the sentences that it cites, and nothing else."""
    try:
        return _list_of(parse_rules(text, LABEL, (), BOOK)) == _list_of([statement])
    except InputError:
        return False


_CLAUSE = re.compile(r"\d[\w./-]*")
Path = tuple[str | int, ...]


def _wrong(message: str, path: Path, help: str | None = None) -> InputError:
    where = f" (statement {' '.join(map(str, path))})" if path else ""
    return InputError(Diagnostic("wrong-value", message + where, LABEL, help=help))


def _read(part: Any, path: Path) -> Any:
    """A part of a document, checked."""
    if len(path) > MAX_DEPTH:
        raise _wrong("this is nested too deep", path[:2])
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
    given: dict[str, Any] = {"at": 0, "places": ()} | dict.fromkeys(_DERIVED.get(kind, ()), "")
    given = {f.name: given[f.name] for f in fields(kind) if f.name in given}
    for key, field in known.items():
        if key in part:
            given[key] = _as(_read(part[key], (*path, key)), hints[key])
            if not _fits(given[key], hints[key]):
                raise _wrong(f"{quoted(key)} of a {name} is something else", (*path, key))
        elif field.default is MISSING:
            raise _wrong(f"{quoted(key)} is missing in a {name}", path)
    if kind is Operation and not _is_operation(**given):
        raise _wrong("an operation has one operator less than parts, or one before its only part", path)
    return kind(**given)


def _is_operation(operators: tuple[str, ...], parts: tuple[Any, ...], **places: Any) -> bool:
    if len(parts) == 1:
        return len(operators) == 1 and operators[0] in UNARY
    return len(parts) > 1 and len(operators) == len(parts) - 1


def _fields(kind: type[Any]) -> tuple[Field[Any], ...]:
    return tuple(f for f in fields(kind) if f.name not in (*_PLACES, *_DERIVED.get(kind, ())))


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
    """The JSON Schema of documents of texts of rules."""
    return _whole("vclogic: rules as a document", _STATEMENTS, _schema_of(BESIDE))


def book_schema() -> dict[str, Any]:
    """The JSON Schema of documents of rulebooks."""
    rules = {"type": "array", "items": _schema_of(BOOK)}
    kinds: dict[str, dict[str, Any]] = {TEXT: {"type": "string"}, RULES_PART: rules, RULINGS_PART: {"type": "string"}}
    parts = [
        {"type": "object", "properties": {key: shape}, "required": [key], "additionalProperties": False}
        for key, shape in kinds.items()
    ]
    return _whole("vclogic: a rulebook as a document", _PARTS, {"anyOf": parts})


def _whole(title: str, key: str, items: dict[str, Any]) -> dict[str, Any]:
    return {
        "title": title,
        "type": "object",
        "properties": {"version": {"const": VERSION}, key: {"type": "array", "items": items}},
        "required": ["version", key],
        "additionalProperties": False,
        "$defs": {name: _part(name, kind) for name, kind in _BY_NAME.items()},
    }


def _schema_of(table: StatementTable) -> dict[str, Any]:
    return {"anyOf": [_schema(c) for c in table.kinds]}


def _part(name: str, kind: type[Any]) -> dict[str, Any]:
    hints = _hints(kind)
    cites = {_CITES: {"type": "array", "items": {"type": "string", "pattern": f"^{_CLAUSE.pattern}$"}}}
    return {
        "type": "object",
        "properties": {_IS: {"const": name}, **{f.name: _schema(hints[f.name]) for f in _fields(kind)}}
        | (cites if kind in BOOK.kinds else {}),
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

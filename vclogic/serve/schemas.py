"""The JSON Schema of whatever has one: files, answers, requests and replies."""

from __future__ import annotations

import dataclasses
import sys
import types
from collections.abc import Mapping
from fractions import Fraction
from inspect import get_annotations
from types import SimpleNamespace
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from vclogic.document_keys import keys_of
from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.files.shapes.documents import DRAFT, file_schema
from vclogic.files.shapes.documents import KINDS as FILES
from vclogic.files.shapes.words import Shape, described, mapping
from vclogic.files.trees.schema import Number, Texts
from vclogic.progress import Progress
from vclogic.query.answers import Recorded
from vclogic.query.ask.answer import Ruled
from vclogic.query.compare.answer import Comparison
from vclogic.query.force.answer import Defence, Force, Survival, Variation
from vclogic.query.objectives.answer import Objectives
from vclogic.query.odds.question import BattleOdds
from vclogic.query.plan.answer import Plan
from vclogic.query.reach.answer import Reach
from vclogic.query.solve.answer import Solved
from vclogic.report.json import name_of
from vclogic.serve.answers import ANSWERS
from vclogic.serve.described import SET
from vclogic.serve.requests import ENVELOPE, KINDS

# ---- answers, from the dataclasses that they are made of


COMMANDS: Mapping[str, type] = {
    "plan": Plan,
    "reach": Reach,
    "compare": Comparison,
    "solve": Solved,
    "force": Force,
    "defend": Defence,
    "odds": BattleOdds,
    "survives": Survival,
    "objectives": Objectives,
    "ask": Ruled,
}
"""The answers that have a schema."""
_OF_LINES = (Force, Defence)
"""Answers with variations, which may hold further ones."""
_SCALARS: Mapping[Any, str] = {str: "string", Fraction: "string", int: "integer", float: "number", bool: "boolean"}
EVENT: Shape = {
    "description": "an event as a record of a position file has it: its name, or its name with its arguments",
    "anyOf": [
        {"type": "string"},
        {"type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": {"type": "object"}},
    ],
}


def answer_schema(kind: str) -> Shape:
    """The JSON Schema of an answer. Keys that it does not name may be added without a new number.

    Args:
        kind: One of `COMMANDS`.
    """
    shape = document_shape(kind, COMMANDS[kind])
    if "record" in shape["properties"]:
        shape["properties"]["no_record"] = {
            "type": "string",
            "description": "Why a plan that was found is no record.",
        }
    return {"$schema": DRAFT, "title": f"vclogic: the answer of {kind}", **shape}


def document_shape(kind: str, cls: type) -> Shape:
    """The shape of the document of an answer.

    Args:
        kind: What the document names as its kind.
        cls: The dataclass of the answer.
    """
    shape = of_answer(cls)
    properties = {"schema": {"const": name_of(kind)}, **shape["properties"]}
    found: Shape = {"type": "object", "properties": properties, "required": ["schema", *shape["required"]]}
    if cls is Ruled:
        properties["version"] = {"type": "string", "description": "The version of vclogic that ruled."}
        found["required"].append("version")
    if cls in _OF_LINES:
        found["$defs"] = {Variation.__name__: of_answer(Variation)}
    return found


def of_answer(cls: type) -> Shape:
    """The shape of a dataclass of an answer, as JSON has it."""
    keys = keys_of(cls)
    attributes = {key.attribute for key in keys}
    hints: dict[str, Any] = {}
    texts: dict[str, str] = {}
    for base in reversed(cls.__mro__):  # each class in the names of its own module
        own = {n: x for n, x in get_annotations(base).items() if n in attributes}  # others may not be importable
        hints |= get_type_hints(SimpleNamespace(__annotations__=own), vars(sys.modules[base.__module__]))
        texts |= described(base)
    shown = {key.name: key for key in keys if key.attribute in hints}  # the others are properties
    properties = {
        name: of_hint(hints[key.attribute])
        | ({"description": texts[key.attribute]} if key.attribute in texts else {})
        for name, key in shown.items()
    }
    return {"type": "object", "properties": properties, "required": [n for n in shown if not shown[n].optional]}


def of_hint(hint: Any) -> Shape:
    """The shape of a value of a type, as JSON has it."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in _SCALARS:
        return {"type": _SCALARS[hint]}
    if hint is Any:
        return {}
    if hint is types.NoneType:
        return {"type": "null"}
    if hint is Recorded:
        return {"type": "array", "items": EVENT}
    if hint is Variation:
        return {"$ref": f"#/$defs/{Variation.__name__}"}
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return of_answer(hint)
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (Union, types.UnionType):
        return {"anyOf": [of_hint(a) for a in arguments]}
    if origin is tuple:
        return {"type": "array", "items": of_hint(arguments[0])}
    return {"type": "object", "additionalProperties": of_hint(arguments[1])}  # a mapping; nothing else is in answers


# ---- files, requests and replies


_BY_HAND = mapping({SET: {"type": "object"}}, [SET]) | {
    "description": "a change by hand: each fact that is named, by its family and names, gets this value"
}
_DESCRIPTION = mapping(
    {
        "game": {"type": ["string", "object"]},
        "at": {"type": ["string", "object", "array", "null"]},
        "settings": {"type": ["object", "null"]},
        "steps": {"type": "array", "items": {"anyOf": [_BY_HAND, EVENT]}},
    },
    ["game"],
)
_MOMENT: Shape = {"anyOf": [{"type": "string"}, _DESCRIPTION]}
_OPEN: dict[str, Shape] = {  # keys whose values are read elsewhere
    "game": {"type": ["string", "object"]},
    "at": {"type": ["string", "object", "array", "null"]},
    "state": {"type": ["object", "null"]},
    "event": EVENT,
    "moment": _MOMENT,
    "other": _MOMENT,
    "before": _MOMENT,
    **{key: {"type": "array", "items": EVENT} for key in ("events", "require", "avoid", "without")},
    "plan": {"type": "object"},
    "show": {"type": ["object", "null"]},
    "request": {"type": ["string", "integer"]},
    "id": {"type": ["string", "integer", "null"]},
}
_CANCELLED: Shape = {"const": True, "description": "There where the request was cancelled."}
_BOUND: Shape = {"type": ["integer", "null"], "description": "The best lower bound of the cost known then."}
_ID = _OPEN["id"] | {"description": ENVELOPE["id"]}


def schema_of(kind: str, game: str | None = None) -> Shape:
    """The JSON Schema of a kind of file, of an answer, or of a line of `serve`.

    Args:
        kind: Its name.
        game: For a file: `encoding` or `encoding/scenario`, whose names and values are the only ones then.

    Raises:
        InputError: There is no such kind or game, or a game is named where none is asked for.
    """
    if kind not in (*FILES, *COMMANDS, *_LINES):
        help = did_you_mean(kind, (*FILES, *COMMANDS, *_LINES))
        raise InputError(Diagnostic("unknown-name", f"there is no kind of file or answer {quoted(kind)}", help=help))
    if kind in FILES:
        return file_schema(kind, game)
    if game is not None:
        what = f"the answer of {kind}" if kind in COMMANDS else f"a {kind}"
        raise InputError(Diagnostic("usage", f"{what} is the same for every game: leave out the game"))
    return answer_schema(kind) if kind in COMMANDS else _LINES[kind]()


def request_schema() -> Shape:
    """The JSON Schema of a request: a line that `serve` reads."""
    return {"$schema": DRAFT, "title": "vclogic: a request", "oneOf": [_request(name) for name in KINDS]}


def _request(name: str) -> Shape:
    keys = KINDS[name].keys
    hints, texts = get_type_hints(keys, include_extras=True), described(keys)
    properties, required = {}, []
    for field in dataclasses.fields(keys):
        shape = _of(field.name, hints[field.name]) | {"description": texts[field.name]}
        if field.default is None and "anyOf" in shape:
            shape["anyOf"] = [*shape["anyOf"], {"type": "null"}]
        if field.default is dataclasses.MISSING:
            required.append(field.name)
        elif field.default not in (None, ()):
            shape["default"] = field.default
        properties[field.name] = shape
    properties["ask"] = {"const": name} | properties["ask"]
    about = (keys.__doc__ or "").partition("\n")[0]
    return {"title": name, "description": about} | mapping(properties, required)


def _of(key: str, hint: Any) -> Shape:
    if hint is Any:
        return dict(_OPEN[key])
    if hint == Number:
        return {"type": "number"}
    if hint == Texts:
        return {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
    return of_hint(hint)


def reply_schema() -> Shape:
    """The JSON Schema of a reply: a line that `serve` writes."""
    known = {kind: document_shape(kind, cls) for kind, cls in {**ANSWERS, **COMMANDS}.items()}
    known["error"] = _error()
    named = {name: part for shape in known.values() for name, part in shape.pop("$defs", {}).items()}
    cases = [
        {"if": {"properties": {"schema": {"const": name_of(kind)}}}, "then": shape} for kind, shape in known.items()
    ]
    answer = {"type": "object", "properties": {"schema": {"type": "string"}}, "required": ["schema"], "allOf": cases}
    return {
        "$schema": DRAFT,
        "title": "vclogic: a reply",
        "oneOf": [
            mapping({"id": _ID, "answer": answer, "cancelled": _CANCELLED}, ["id", "answer"]),
            mapping({"id": _ID, "part": {"type": "integer"}, "document": answer}, ["id", "part", "document"]),
            mapping({"id": _ID, "progress": of_answer(Progress)}, ["id", "progress"]),
            mapping({"id": _ID, "better": known["plan"], "bound": _BOUND}, ["id", "better", "bound"]),
        ],
        "$defs": named,
    }


def _error() -> Shape:
    """The shape of the document of errors."""
    shape = of_answer(Diagnostic)
    status = {"const": "error"}
    properties = {
        "schema": {"const": name_of("error")},
        "status": status,
        "errors": {"type": "array", "items": shape},
    }
    return {"type": "object", "properties": properties, "required": list(properties)}


_LINES = {"request": request_schema, "reply": reply_schema}

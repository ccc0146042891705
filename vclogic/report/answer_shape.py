"""The JSON Schemas of answers, from the dataclasses that they are made of."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from vclogic.files.shapes.documents import DRAFT
from vclogic.files.shapes.of_dataclass import described
from vclogic.files.shapes.words import Shape
from vclogic.query.answers import Plan, Reach, Recorded
from vclogic.query.comparison import Comparison
from vclogic.query.duel import Defence, Force, Survival, Variation
from vclogic.query.solved import Solved
from vclogic.report.json import keys_of, name_of

ANSWERS: Mapping[str, type] = {
    "plan": Plan,
    "reach": Reach,
    "compare": Comparison,
    "solve": Solved,
    "force": Force,
    "defend": Defence,
    "survives": Survival,
}
"""The answers that have a schema."""
_OF_LINES = (Force, Defence)
"""Answers with variations, which may hold further ones."""
_SCALARS: Mapping[Any, str] = {str: "string", int: "integer", float: "number", bool: "boolean"}
_EVENT: Shape = {
    "description": "an event as a record of a position file has it: its name, or its name with its arguments",
    "anyOf": [
        {"type": "string"},
        {"type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": {"type": "object"}},
    ],
}


def answer_schema(kind: str) -> Shape:
    """The JSON Schema of an answer. Keys that it does not name may be added without a new number.

    Args:
        kind: One of `ANSWERS`.
    """
    shape = _of_dataclass(ANSWERS[kind])
    properties = {"schema": {"const": name_of(kind)}, **shape["properties"]}
    if "record" in shape["properties"]:
        properties["no_record"] = {"type": "string", "description": "Why a plan that was found is no record."}
    title = f"vclogic: the answer of {kind}"
    required = ["schema", *shape["required"]]
    more = {"$defs": {Variation.__name__: _of_dataclass(Variation)}} if ANSWERS[kind] in _OF_LINES else {}
    return {
        "$schema": DRAFT,
        "title": title,
        "type": "object",
        "properties": properties,
        "required": required,
        **more,
    }


def _of_dataclass(cls: type) -> Shape:
    hints, texts = get_type_hints(cls), described(cls)
    optional = {key.name: key.optional for key in keys_of(cls)}
    names = [f.name for f in dataclasses.fields(cls) if f.name in optional]
    properties = {n: _of(hints[n]) | ({"description": texts[n]} if n in texts else {}) for n in names}
    return {"type": "object", "properties": properties, "required": [n for n in names if not optional[n]]}


def _of(hint: Any) -> Shape:
    """The shape of a value of a type, as JSON has it."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in _SCALARS:
        return {"type": _SCALARS[hint]}
    if hint is types.NoneType:
        return {"type": "null"}
    if hint is Recorded:
        return {"type": "array", "items": _EVENT}
    if hint is Variation:
        return {"$ref": f"#/$defs/{Variation.__name__}"}
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return _of_dataclass(hint)
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (Union, types.UnionType):
        return {"anyOf": [_of(a) for a in arguments]}
    if origin is tuple:
        return {"type": "array", "items": _of(arguments[0])}
    return {"type": "object", "additionalProperties": _of(arguments[1])}  # a mapping; nothing else is in answers

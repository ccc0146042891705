"""The JSON Schemas of answers, from the dataclasses that they are made of."""

from __future__ import annotations

import dataclasses
import sys
import types
from collections.abc import Mapping
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from vclogic.files.shapes.documents import DRAFT
from vclogic.files.shapes.of_dataclass import described
from vclogic.files.shapes.words import Shape
from vclogic.query.answers import Plan, Reach, Recorded
from vclogic.query.battle_odds import BattleOdds
from vclogic.query.comparison import Comparison
from vclogic.query.duel import Defence, Force, Survival, Variation
from vclogic.query.objectives.answer import Objectives
from vclogic.query.ruling.answer import Ruled
from vclogic.query.solved import Solved
from vclogic.report.json import keys_of, name_of

ANSWERS: Mapping[str, type] = {
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
        kind: One of `ANSWERS`.
    """
    shape = document_shape(kind, ANSWERS[kind])
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
    optional = {key.name: key.optional for key in keys_of(cls)}
    types_of = {f.name: f.type for f in dataclasses.fields(cls) if f.name in optional}  # others may not be importable
    named = SimpleNamespace(__annotations__=types_of)
    hints, texts, names = get_type_hints(named, vars(sys.modules[cls.__module__])), described(cls), list(types_of)
    properties = {n: of_hint(hints[n]) | ({"description": texts[n]} if n in texts else {}) for n in names}
    return {"type": "object", "properties": properties, "required": [n for n in names if not optional[n]]}


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

"""The JSON Schemas of answers, from the dataclasses that they are made of."""

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
from vclogic.files.shapes.documents import DRAFT
from vclogic.files.shapes.words import Shape, described
from vclogic.query.answers import Plan, Reach, Recorded, Solved
from vclogic.query.compare import Comparison
from vclogic.query.duel import Defence, Force, Survival, Variation
from vclogic.query.objectives.answer import Objectives
from vclogic.query.questions.odds import BattleOdds
from vclogic.query.ruling.answer import Ruled
from vclogic.report.json import name_of

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

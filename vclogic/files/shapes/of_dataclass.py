"""The shape of what a dataclass is read from; see `vclogic.files.schema`, which does the reading."""

from __future__ import annotations

import dataclasses
import inspect
import re
import types
from collections.abc import Mapping
from typing import Any, Literal, Union, get_args, get_origin

from vclogic.files.schema import Texts, check_class, fields_of
from vclogic.files.shapes.words import TEXT, TRUTH, Shape, mapping, names, one_or_several, or_nothing, several, whole

_SCALARS: dict[Any, Shape] = {str: TEXT, int: whole(), bool: TRUTH, Any: {}}
_ATTRIBUTE = re.compile(r"^(\w+): (.*(?:\n[ \t]+.*)*)", re.MULTILINE)


def of_dataclass(cls: type) -> Shape:
    """The shape of a mapping that is read into a dataclass; its docstring describes the keys.

    Raises:
        InputError: It has a field of a kind that no file can be read into.
    """
    check_class(cls)
    hints = fields_of(cls)
    texts = described(cls)
    properties, required = {}, []
    for field in dataclasses.fields(cls):
        if not field.init:
            continue
        shape = of_type(hints[field.name])
        properties[field.name] = shape | {"description": texts[field.name]} if field.name in texts else shape
        if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            required.append(field.name)
    return mapping(properties, required)


def of_type(hint: Any) -> Shape:
    """The shape of a value of a type.

    Raises:
        TypeError: It is none that a file can be read into.
    """
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in _SCALARS:
        return _SCALARS[hint]
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return of_dataclass(hint)
    if origin is Literal:
        return names(arguments)
    if origin in (Union, types.UnionType):
        return {"anyOf": [*(of_type(a) for a in arguments if a is not type(None)), {"type": "null"}]}
    if origin in (dict, Mapping):
        named = {"propertyNames": {"enum": list(get_args(arguments[0]))}} if arguments[0] is not str else {}
        return or_nothing({"type": "object", "additionalProperties": of_type(arguments[1]), **named})
    if hint == Texts:
        return one_or_several(TEXT)
    if origin is tuple and arguments[1:] == (...,):
        return several(of_type(arguments[0]))
    if origin is tuple:
        count = len(arguments)
        exact = {"minItems": count, "maxItems": count}
        return {"type": "array", "prefixItems": [of_type(a) for a in arguments], **exact}
    raise TypeError(f"a file cannot be read into a field of type {hint}")


def described(cls: type) -> dict[str, str]:
    """The text on each field in the section `Attributes` of a docstring."""
    text = inspect.getdoc(cls) or ""
    section = inspect.cleandoc("\n" + text.partition("Attributes:")[2])
    return {name: " ".join(said.split()) for name, said in _ATTRIBUTE.findall(section)}

"""Shapes of scalars, as an editor sees them: YAML 1.2 takes `13E6` for a number, which may be the name of a hex."""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
import types
from collections.abc import Iterable, Mapping
from typing import Any, Literal, Union, get_args, get_origin

from vclogic.files.trees.scalars import LARGEST
from vclogic.files.trees.schema import Texts, check_class, fields_of
from vclogic.files.trees.shorthand import EXCEPT
from vclogic.model.rules import Option, Reading
from vclogic.terms.domain import ALL, Domain

Shape = dict[str, Any]
"""A JSON Schema, or a part of one."""

TEXT: Shape = {"type": ["string", "number", "boolean"]}
_LOUD = "[yY][eE][sS]|[nN][oO]|[oO][nN]|[oO][fF][fF]"
TRUTH: Shape = {
    "anyOf": [{"enum": [True, False, "yes", "no", "on", "off"]}, {"type": "string", "pattern": f"^({_LOUD})$"}]
}
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", re.ASCII)
_WORDS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}


def whole(lo: int = -LARGEST, hi: int = LARGEST) -> Shape:
    """A whole number from `lo` to `hi`."""
    return {"type": "integer", "minimum": lo, "maximum": hi}


def names(members: Iterable[str]) -> Shape:
    """One of some names, quoted or not."""
    found: dict[str, Any] = {}
    for member in members:
        found[json.dumps(member)] = member
        read = _read(member)
        found[json.dumps(read)] = read
    return {"enum": list(found.values())}


def keys(domain: Domain) -> Shape:
    """One of the names of a domain as a key, which is always text; or a name for several of them."""
    return _with_ranges({"enum": [*domain.sort.members, *domain.aliases, *domain.groups, ALL, EXCEPT]}, domain)


def one_of_several(domain: Domain) -> Shape:
    """One of the names of a domain as an item of a list; or a name for several of them."""
    return _with_ranges(names((*domain.sort.members, *domain.aliases, *domain.groups, ALL)), domain)


def _with_ranges(shape: Shape, domain: Domain) -> Shape:
    return shape if domain.span is None else {"anyOf": [shape, {"type": "string", "pattern": ". to ."}]}


def of_domain(domain: Domain) -> Shape:
    """One of the names of a domain, or another name that it goes by."""
    return names((*domain.sort.members, *domain.aliases))


def of_setting(setting: Option | Reading) -> Shape:
    """A value of an option or reading."""
    values = setting.values
    if isinstance(values, range):
        shape = whole(min(values), max(values)) if values.step == 1 else {"enum": list(values)}
    else:
        shape = names(values)
    return shape | {"description": _meaning(setting), "default": setting.default}


def _meaning(setting: Option | Reading) -> str:
    if isinstance(setting, Option):
        return setting.text
    meanings: Mapping[str, str] = setting.values
    return "\n".join(f"{name}: {meaning}" for name, meaning in meanings.items())


def several(shape: Shape) -> Shape:
    """A list, for which nothing stands too."""
    return {"type": ["array", "null"], "items": shape}


def one_or_several(shape: Shape) -> Shape:
    """A list, for which one of its items stands too."""
    return {"anyOf": [shape, several(shape)]}


def mapping(properties: Mapping[str, Any], required: Iterable[str] = (), **more: Any) -> Shape:
    """A mapping with these keys and no others."""
    shape: Shape = {"type": "object", "properties": dict(properties), "additionalProperties": False, **more}
    needed = list(required)
    return shape | {"required": needed} if needed else shape


def or_nothing(shape: Shape) -> Shape:
    """A list or mapping, for which nothing stands too."""
    return shape | {"type": [shape["type"], "null"]}


def _read(text: str) -> Any:
    """The value of an unquoted text in YAML 1.2."""
    if text in _WORDS:
        return _WORDS[text]
    if text in ("null", "Null", "NULL", "~", ""):
        return None
    if re.fullmatch(r"[-+]?[0-9]+", text, re.ASCII):
        return int(text)
    return float(text) if _FLOAT.fullmatch(text) else text


# ---- the shape of what a dataclass is read from; `vclogic.files.trees.schema` does the reading


_SCALARS: dict[Any, Shape] = {str: TEXT, int: whole(), bool: TRUTH, Any: {}}
_ATTRIBUTE = re.compile(r"^(\w+): (.*(?:\n[ \t]+.*)*)", re.MULTILINE)


# ---- the shape of what a dataclass is read from; see `vclogic.files.trees.schema`, which does the reading


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

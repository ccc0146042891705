"""Names of fields in JSON documents, as metadata of the fields of an answer; see `docs/design/answers.md`.

Without metadata a field is a key of its name, and the keys have the order of the fields.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from inspect import get_annotations
from typing import Any, NamedTuple

Shown = dict[str, Any]
TEXT_ONLY: Shown = {"hidden": True}
"""No key: only the text shows it, or only a program uses it."""
IF_ANY: Shown = {"optional": True}
"""The key is left out where the value is empty, None, zero or false."""
OR_NULL: Shown = {"nullable": True}
"""The key is null there."""
AFTER: Shown = {"place": 1}
"""The key comes after those of the body of an answer."""
LAST: Shown = {"place": 2}
"""The key comes after those of the head, too."""


def key(name: str) -> Shown:
    """The key has another name than the field."""
    return {"key": name}


def then(*properties: str) -> Shown:
    """Properties that are keys right after the field."""
    return {"then": properties}


class Key(NamedTuple):
    """A key of a document.

    Attributes:
        name: The key.
        attribute: The attribute that holds its value.
        optional: Whether it is left out where the value says nothing.
        nullable: Whether it is null there.
    """

    name: str
    attribute: str
    optional: bool = False
    nullable: bool = False


@cache
def keys_of(cls: type) -> tuple[Key, ...]:
    """The keys of a dataclass's document, in their order."""
    return tuple(_keys(cls))


def _keys(cls: type) -> Iterator[Key]:
    of = {f.name: f.metadata for f in fields(cls)}
    order: dict[str, None] = {}
    for base in reversed(cls.__mro__):  # a field that a class declares anew stands where that class has it
        own = [name for name in get_annotations(base) if name in of]
        order = {name: None for name in order if name not in own} | dict.fromkeys(own)
    for name in sorted(order, key=lambda name: of[name].get("place", 0)):
        shown = of[name]
        if "hidden" not in shown:
            yield Key(shown.get("key", name), name, "optional" in shown, "nullable" in shown)
        yield from (Key(name, name) for name in shown.get("then", ()))

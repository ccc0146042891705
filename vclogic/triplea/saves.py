"""Saved games of TripleA (`.tsvg`): round, owners and units, read as data; no class of theirs is loaded."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from vclogic.errors import Diagnostic, InputError
from vclogic.triplea.game import NEUTRAL

MOST_BYTES = 60_000_000
"""The most bytes that a saved game may have, unpacked."""
_JAVA, _GZIP = b"\xac\xed", b"\x1f\x8b"
_DATA = "GameData"


@dataclass(frozen=True)
class SavedGame:
    """A saved game.

    Attributes:
        version: The engine's version, as the save has it.
        name: The name of its map.
        round: The round.
        step: The step of the round: a number from 0.
        owners: Who owns each territory.
        units: How many units of a kind a player has in a territory: (territory, player, kind) to number.
        relations: The type of the relationship of two players, and the round in which it began.
        properties: The properties that players may change: numbers, or whether they are set.
    """

    version: str
    name: str
    round: int
    step: int
    owners: Mapping[str, str]
    units: Mapping[tuple[str, str, str], int]
    relations: Mapping[tuple[str, str], tuple[str, int]]
    properties: Mapping[str, int | bool]


def read_save(content: bytes, file: str) -> SavedGame:
    """Read a saved game.

    Args:
        content: What its file holds.
        file: The file, for messages.

    Raises:
        InputError: It is no saved game, one of an old engine, or too large; or `javaobj-py3` is not installed.
    """
    raw = _unpacked(content, file)
    if not raw.startswith(_JAVA):
        help = "saves of TripleA 1.9 and older are not read: open it in today's TripleA and save it again"
        raise InputError(Diagnostic("unreadable", "this is no saved game of today's TripleA", file, help=help))
    javaobj = _reader(file)
    try:
        found = javaobj.load(io.BytesIO(raw))
    except RecursionError as error:
        raise InputError(Diagnostic("limit", "its objects stand too deep in each other", file)) from error
    except Exception as error:  # whatever bytes of strangers bring about in the reader
        message = f"it cannot be read as objects of Java: {type(error).__name__}"
        raise InputError(Diagnostic("unreadable", message, file)) from error
    objects = found if isinstance(found, list) else [found]
    data = next((o for o in objects if _named(o, _DATA)), None)
    if data is None:
        raise InputError(
            Diagnostic("unreadable", "there is no game in it", file, help="name a .tsvg file of TripleA")
        )
    try:
        return _saved(data, next((str(o) for o in objects if not hasattr(o, "field_data")), ""))
    except (KeyError, AttributeError, TypeError, ValueError) as error:
        message = f"its game is not as today's TripleA writes it: {error} is missing"
        raise InputError(Diagnostic("unreadable", message, file)) from error


def _reader(file: str) -> Any:
    """The library that reads objects of Java.

    Raises:
        InputError: It is not installed.
    """
    try:
        return import_module("javaobj.v2")
    except ModuleNotFoundError as error:
        message = "a library is missing that reads saved games of TripleA: javaobj-py3"
        help = "pip install 'vclogic[triplea]'"
        raise InputError(Diagnostic("missing-library", message, file, help=help)) from error


def _unpacked(content: bytes, file: str) -> bytes:
    if not content.startswith(_GZIP):
        return content
    unpack = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        raw = unpack.decompress(content, MOST_BYTES)
    except zlib.error as error:
        raise InputError(Diagnostic("unreadable", f"it is damaged: {error}", file)) from error
    if unpack.unconsumed_tail:
        raise InputError(Diagnostic("limit", f"unpacked it has more than {MOST_BYTES:,} bytes", file))
    return raw


def _saved(data: Any, version: str) -> SavedGame:
    fields = _fields(data)
    sequence = _fields(fields["sequence"])
    owners: dict[str, str] = {}
    units: dict[tuple[str, str, str], int] = {}
    for territory in _fields(fields["map"])["territories"]:
        of = _fields(territory)
        name = str(of["name"])
        owners[name] = _name(of["owner"])
        for unit in _fields(of["unitCollection"])["units"]:
            kind = _fields(unit)
            key = name, _name(kind["owner"]), _name(kind["type"])
            units[key] = units.get(key, 0) + 1
    return SavedGame(
        version,
        str(fields["gameName"]),
        int(sequence["round"]),
        int(sequence["currentIndex"]),
        owners,
        units,
        dict(_relations(fields)),
        dict(_properties(fields)),
    )


def _relations(fields: Mapping[str, Any]) -> Iterator[tuple[tuple[str, str], tuple[str, int]]]:
    """The relationships of each two players."""
    for pair, kind in _fields(fields["relationships"])["relationships"].items():
        players, found = _fields(pair), _fields(kind)
        two = _name(players["player1"]), _name(players["player2"])
        yield two, (_name(found["relationshipType"]), int(found["roundCreated"]))


def _properties(fields: Mapping[str, Any]) -> Iterator[tuple[str, int | bool]]:
    """The properties that players may change, those that are neither texts nor anything else."""
    for name, prop in _fields(fields["properties"])["editableProperties"].items():
        value = _fields(prop).get("value")
        if isinstance(value, int | bool):
            yield str(name), value


def _fields(instance: Any) -> dict[str, Any]:
    """The fields of an object, those of the classes above it included."""
    return {field.name: value for of in instance.field_data.values() for field, value in of.items()}


def _name(instance: Any) -> str:
    """The name of a player or a kind of unit; nobody is `Neutral`."""
    return NEUTRAL if instance is None else str(_fields(instance)["name"])


def _named(instance: Any, name: str) -> bool:
    return hasattr(instance, "field_data") and instance.classdesc.name.rpartition(".")[2] == name

"""A writer of Java's serialization for tests: as much of it as a saved game of TripleA needs."""

from __future__ import annotations

import gzip
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

_MAGIC = b"\xac\xed\x00\x05"
_NULL, _CLASS, _OBJECT, _STRING, _BLOCK, _END = b"\x70", b"\x72", b"\x73", b"\x74", b"\x77", b"\x78"
_SERIALIZABLE, _OWN_METHOD = 2, 1
_ENGINE = "games.strategy.engine.data."


@dataclass(eq=False)
class Instance:
    """An object of a class of the engine, with its fields: numbers, texts, objects, lists, or None."""

    kind: str
    fields: Mapping[str, object] = field(default_factory=dict)


def _utf(text: str) -> bytes:
    data = text.encode()
    return struct.pack(">H", len(data)) + data


def _described(name: str, flags: int, fields: Sequence[tuple[str, str]]) -> bytes:
    """The description of a class without a class above it."""
    parts = [_CLASS, _utf(name), struct.pack(">qB", 1, flags), struct.pack(">H", len(fields))]
    for kind, called in fields:
        parts += [kind[:1].encode(), _utf(called)]
        parts += [_STRING + _utf(kind)] if kind.startswith("L") else []
    return b"".join(parts) + _END + _NULL


def written(value: object) -> bytes:
    """A value as Java writes it, without references: what is named twice is written twice."""
    if value is None:
        return _NULL
    if isinstance(value, str):
        return _STRING + _utf(value)
    if isinstance(value, bool):
        return written(Instance("java.lang.Boolean", {"value": value}))
    if isinstance(value, dict):
        fields = [("F", "loadFactor"), ("I", "threshold")]
        head = _OBJECT + _described("java.util.HashMap", _SERIALIZABLE | _OWN_METHOD, fields)
        sizes = _BLOCK + b"\x08" + struct.pack(">ii", 16, len(value))
        pairs = (written(k) + written(v) for k, v in value.items())
        return head + struct.pack(">fi", 0.75, 12) + sizes + b"".join(pairs) + _END
    if isinstance(value, list):
        head = _OBJECT + _described("java.util.ArrayList", _SERIALIZABLE | _OWN_METHOD, [("I", "size")])
        size = struct.pack(">i", len(value))
        return head + size + _BLOCK + b"\x04" + size + b"".join(map(written, value)) + _END
    assert isinstance(value, Instance), f"{value!r} cannot be written"
    numbers = {k: v for k, v in value.fields.items() if isinstance(v, int)}
    others = {k: v for k, v in value.fields.items() if not isinstance(v, int)}
    plain = [("Z" if isinstance(v, bool) else "I", k) for k, v in numbers.items()]
    fields = [*plain, *(("Ljava/lang/Object;", k) for k in others)]
    name = value.kind if value.kind.startswith("java.") else _ENGINE + value.kind
    head = _OBJECT + _described(name, _SERIALIZABLE, fields)
    values = (struct.pack(">?" if isinstance(v, bool) else ">i", v) for v in numbers.values())
    return head + b"".join(values) + b"".join(map(written, others.values()))


def _named(kind: str, name: str | None) -> Instance | None:
    return None if name is None else Instance(kind, {"name": name})


def _property(value: int | bool) -> Instance:
    kind = "BooleanProperty" if isinstance(value, bool) else "NumberProperty"
    return Instance(f"properties.{kind}", {"value": value})


def _related(relation: tuple[str, str, str, int]) -> tuple[Instance, Instance]:
    one, other, kind, since = relation
    players = {"player1": _named("GamePlayer", one), "player2": _named("GamePlayer", other)}
    found = {"roundCreated": since, "relationshipType": _named("RelationshipType", kind)}
    return Instance("RelationshipTracker$RelatedPlayers", players), Instance(
        "RelationshipTracker$Relationship", found
    )


def saved_game(
    name: str,
    round: int,
    owners: Mapping[str, str | None],
    units: Sequence[tuple[str, str, str]],
    step: int = 0,
    *,
    relations: Sequence[tuple[str, str, str, int]] = (),
    properties: Mapping[str, int | bool] | None = None,
) -> bytes:
    """A saved game.

    Args:
        name: The name of its map.
        round: The round.
        owners: Who owns each territory; None: nobody.
        units: Territory, player and kind of each unit.
        step: The step of the round.
        relations: Two players, the type of their relationship, and the round in which it began.
        properties: The properties that players may change.
    """
    territories: list[object] = []
    for territory, owner in owners.items():
        there: list[object] = [
            Instance("Unit", {"owner": _named("GamePlayer", p), "type": _named("UnitType", k)})
            for t, p, k in units
            if t == territory
        ]
        collection = Instance("UnitCollection", {"units": there})
        fields = {"name": territory, "owner": _named("GamePlayer", owner), "unitCollection": collection}
        territories.append(Instance("Territory", fields))
    data = Instance(
        "GameData",
        {
            "gameName": name,
            "map": Instance("GameMap", {"territories": territories}),
            "sequence": Instance("GameSequence", {"round": round, "currentIndex": step}),
            "relationships": Instance("RelationshipTracker", {"relationships": dict(map(_related, relations))}),
            "properties": Instance(
                "properties.GameProperties",
                {"editableProperties": {k: _property(v) for k, v in (properties or {}).items()}},
            ),
        },
    )
    return gzip.compress(_MAGIC + written("2.7.1") + written(data))

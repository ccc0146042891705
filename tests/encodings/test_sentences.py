"""Each kind of event of the games is a sentence that tells what it is given."""

from __future__ import annotations

import random

import pytest

from tests.fixtures.games import loaded
from vclogic.model.actions import Event, Schema

_ELSEWHERE = {("eliminate", "same_result")}
"""Arguments that are told only where the position gives them a meaning."""
_TRIES = 40


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("axis_allies", {}),
        ("axis_allies", {"level": "armies", "purchases": "on"}),
        ("moscow/small", {}),
        ("okinawa/small", {}),
        ("napoleonics", {}),
        ("asl/22u3", {}),
        ("asl/1f3", {}),
        ("asl/points", {}),
    ],
)
def test_each_argument_changes_the_sentence(name: str, settings: dict[str, str]) -> None:
    game = loaded(name, **settings)
    system, draw = game.setup.system, random.Random(1)
    values = system.layout.values(game.state)

    def said(schema: Schema, **args: object) -> str:
        event = Event(schema.name, tuple((p.name, args[p.name]) for p in schema.parameters))  # type: ignore[misc]
        return system.action_in(game.state, event).said(values)

    for schema in system.events:
        assert schema.parameters or said(schema), schema.name
        for p in schema.parameters:
            told = len(p.values) == 1 or (schema.name, p.name) in _ELSEWHERE
            for _ in range(_TRIES):
                args = {q.name: draw.choice(list(q.values)) for q in schema.parameters}
                texts = {
                    said(schema, **{**args, p.name: x}) for x in draw.sample(list(p.values), min(6, len(p.values)))
                }
                assert all(texts), schema.name
                told = told or len(texts) > 1
                if told:
                    break
            assert told, f"{schema.name} does not tell its {p.name}: {texts}"

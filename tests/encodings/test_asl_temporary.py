"""26.12/2: whatever happens while a vehicle controls its Location, afterwards that and its hex are as they were."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from importlib.resources import files
from json import dumps
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import vclogic
from tests.fixtures.pace import examples
from vclogic.errors import InputError
from vclogic.game import Game

PLACE = "13DD4/0"
MEANWHILE: tuple[tuple[str, dict[str, str]], ...] = (
    *((name, {"location": PLACE}) for name in ("fire", "blaze", "blaze", "extinguish", "rubble", "clear")),
    *(("enter", {"unit": u, "to": PLACE}) for u in ("StuG", "T-34", "4-5-8", "StuG")),
    *(("leave", {"unit": u}) for u in ("StuG", "T-34", "4-5-8", "StuG")),
    *((name, {"unit": "PzIIIG"}) for name in ("malfunction", "repair", "shock", "immobilize", "mobilize")),
    *((name, {"unit": "4-5-8"}) for name in ("break", "rally")),
)


@cache
def tanks(holder: str) -> Game:
    """The board of two tanks, with nobody in the hex, which a side or nobody controls."""
    held = {"location_control": {PLACE: holder}, "hex_control": {"13DD4": holder}}
    state = {"at": {"KV-1E": "off", "PzIIIG": "13DD5/0", "4-5-8": "off"}, **held}
    folder = Path(mkdtemp())
    (folder / "13dd4.yaml").write_bytes((files("vclogic_encodings.asl") / "13dd4.yaml").read_bytes())
    (folder / "tanks.json").write_text(
        dumps({"game": "asl", "board": "13dd4.yaml", "state": state}), encoding="utf-8"
    )
    return vclogic.load(str(folder / "tanks.json"))


def controllers(game: Game) -> tuple[Any, Any]:
    return game.value(f"location_controller({PLACE})"), game.value("hex_controller(13DD4)")


@examples(150)
@given(st.data(), st.sampled_from(("none", "Russian")))
def test_what_a_tank_controls_is_given_back_whatever_happened_meanwhile(data: Any, holder: str) -> None:
    game = tanks(holder).apply("enter", unit="PzIIIG", to=PLACE)
    assert controllers(game) == ("German", "German")
    for name, arguments in data.draw(st.lists(st.sampled_from(MEANWHILE), min_size=2, max_size=9)):
        with suppress(InputError):
            game = game.apply(name, **arguments)
    with suppress(InputError):
        game = game.apply("leave", unit="4-5-8")
    for unit in ("StuG", "T-34", "PzIIIG"):
        with suppress(InputError):
            game = game.apply("mobilize", unit=unit)
        with suppress(InputError):
            game = game.apply("leave", unit=unit)
    found = controllers(game)
    squad_came = any(e.name == "enter" and "4-5-8" in str(e) for e in game.history)
    assert found == (holder, holder) or (squad_came and set(found) <= {holder, "Russian"})


@pytest.mark.parametrize("facts", [{"at": {"4-5-8": PLACE}}, {"at": {"4-5-8": PLACE, "T-34": PLACE}}])
def test_an_enemy_who_is_put_there_by_hand_does_not_end_it(facts: dict[str, Any]) -> None:
    game = tanks("none").apply("enter", unit="PzIIIG", to=PLACE).by_hand(facts)
    assert controllers(game) == ("German", "German")
    assert controllers(game.apply("leave", unit="PzIIIG")) == ("Russian", "Russian")


def test_an_enemy_tank_that_is_repaired_by_hand_does_not_end_it() -> None:
    game = tanks("none").apply("enter", unit="T-34", to=PLACE).apply("malfunction", unit="T-34")
    game = game.apply("enter", unit="PzIIIG", to=PLACE).by_hand({"armament": {"T-34": "working"}})
    assert controllers(game) == ("German", "German")
    assert controllers(game.apply("leave", unit="PzIIIG")) == ("Russian", "Russian")

"""Who is eliminated or gone in a position brings the points that he brings by a record."""

from __future__ import annotations

from random import Random

import pytest

from tests.fixtures.games import loaded
from tests.fixtures.pace import MORE, seeds
from vclogic.game import Game

GAMES = {
    "asl/points": ("cvp(Russian)", "cvp(German)", "exit_vp(Russian)", "exit_vp(German)"),
    "moscow/small": ("vp(German)", "vp(Soviet)"),
}
KINDS = ("squad", "half-squad", "leader", "gun", "vehicle")


def some_units(name: str, rng: Random) -> list[str]:
    """A few units that can be lost by themselves."""
    board = loaded(name).setup.board_read
    free = [n for n, u in board.units.items() if getattr(u, "kind", "squad") in KINDS]
    at = loaded(name).state_dict()["at"]
    return rng.sample(there := [n for n in free if at[n] not in ("off", "eliminated")], min(3, len(there)))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", seeds((1, 2, 9), range(100)))
def test_what_is_lost_in_a_position_counts_as_by_record(name: str, seed: int) -> None:
    rng = Random(seed)
    units = some_units(name, rng)
    assert units
    played = loaded(name)
    gone = "exited" if name.startswith("asl") and rng.random() < 0.5 else "eliminated"
    if gone == "exited":
        units = [u for u in units if loaded(name).setup.board_read.units[u].kind != "gun"]  # somebody must tow it
    board = loaded(name).setup.board_read
    halved = [u for u in units if name.startswith("asl") and board.units[u].kind == "squad"]
    for unit in halved:
        played = played.apply("reduce", unit=unit)
    for unit in units:
        by = {"by": "German"} if name.startswith("asl") and gone == "eliminated" else {}
        played = played.apply("exit" if gone == "exited" else "eliminate", unit=unit, **by)
    reduced = {"reduced": halved} if halved else {}
    placed = Game.load({"game": name, "state": {"at": dict.fromkeys(units, gone), **reduced}})
    asked = GAMES[name]
    assert {q: placed.value(q) for q in asked} == {q: played.value(q) for q in asked}, (units, gone)
    assert MORE or any(placed.value(q) != loaded(name).value(q) for q in asked)

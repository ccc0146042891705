"""`Game.graph`: the board by what moves on it, and all positions against play by `legal` and `apply`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixtures.games import loaded
from tests.toys import skirmish
from vclogic import load
from vclogic.errors import InputError

LATE = {"round": 4, "units": {"Red": {"a1": 1, "b1": 1}}}
ISLANDS = str(Path(__file__).parents[3] / "examples" / "two_islands.yaml")


def test_the_board_has_what_its_picture_shows_and_the_costs_of_ways() -> None:
    board = load(ISLANDS).apply("capture", power="Reds", territory="Outpost").graph()
    assert board.nodes["Outpost"] == {"label": "Outpost", "kind": "land", "owner": "Reds"}
    assert list(board["Strait"]) == ["Harbour", "Outpost", "Open Sea"]
    assert board.edges["Strait", "Open Sea"] == {"costs": {"land units and aircraft": 1, "ships": 1}, "weight": 1}
    hexes = loaded("moscow/small").graph()
    assert {way["weight"] for _, _, way in hexes.edges(data=True)} == {1, 2, 3}
    assert "pos" in hexes.nodes["0,0"]


@pytest.mark.parametrize("attacks", ["sure", "die"])
def test_positions_are_all_that_play_reaches(attacks: str) -> None:
    with skirmish.installed():
        start = load("skirmish/small", settings={"attacks": attacks}).at_state(LATE)
        found = start.graph("positions")
        waiting, played, ways = [start], {start.state: start}, []
        while waiting:
            game = waiting.pop()
            over = game.winner is not None or game.value("round > 4")
            for name, arguments in [] if over else list(game.legal().events()):
                after = game.apply(name, **arguments)
                ways.append((game.state, after.state, name, tuple(arguments.items())))
                if after.state not in played:
                    played[after.state] = after
                    waiting.append(after)
    assert set(found) == set(played)
    edges = [(a, b, e["event"], tuple(e["args"].items())) for a, b, e in found.edges(data=True)]
    assert sorted(edges) == sorted(ways)
    assert {s: tuple(x for x in (played[s].winner,) if x) for s in found} == dict(found.nodes(data="won"))
    assert found.nodes[start.state] == {"depth": 0, "mover": "Red", "won": (), "over": False}
    texts = {e["text"]: e.get("odds") for _, _, e in found.edges(data=True)}
    assert texts["Red moves a unit from a1 to b1"] is None
    assert (texts.get("Red hits"), texts.get("Red misses")) == ((2, 4) if attacks == "die" else (None, None))


def test_what_has_no_graph_is_refused() -> None:
    with skirmish.installed():
        with pytest.raises(InputError, match="too many for a graph: there are more than 100 positions"):
            load("skirmish/small").graph("positions", max_positions=100)
        with pytest.raises(InputError, match="too many for a graph: the time is up"):
            load("skirmish/small").graph("positions", timeout=1e-9)
        with pytest.raises(InputError, match="expected a whole number from 1"):
            load("skirmish/small").graph("positions", max_positions=0)
    with pytest.raises(InputError, match="events, more than 20,000"):
        load(ISLANDS).graph("positions")
    with pytest.raises(InputError, match="expected 'board' or 'positions', found 'map'"):
        load(ISLANDS).graph("map")  # type: ignore[call-overload]

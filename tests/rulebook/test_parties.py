"""Who may win by a text beside the sides: nobody, a power alone, a group of powers; and whose turn a moment is."""

from __future__ import annotations

from typing import Any

import pytest

import vclogic
from vclogic.encode.python.evaluator import interpret
from vclogic.errors import InputError
from vclogic.explore.endings import endings
from vclogic.game import Game

BOARD: dict[str, Any] = {
    "powers": {
        p: {"side": s, "nation": p[:-1]} for p, s in (("Reds", "Axis"), ("Blues", "Allies"), ("Greens", "Allies"))
    },
    "turn_order": ["Reds", "Blues", "Greens"],
    "judged_after": "Greens",
    "territories": {p: {"owner": f"{p}s", "ipc": 1} for p in ("Red", "Blue", "Green")},
    "connections": [["Red", "Blue"], ["Blue", "Green"], ["Red", "Green"]],
}
PARTIES = """
instead of total_victory, minor_victory
group Western: Greens, Reds
Blues alone win hill at the end of a round if owner(Red) == Blues
Western alone wins hill at the end of a turn of Greens if owner(Red) == Greens
nobody wins stalemate at the end of a round if round >= 3
"""


def _game(state: object, text: str = PARTIES) -> Game:
    return vclogic.load(
        {"game": "axis_allies", "board": BOARD, "outcomes": text, "state": state, "record": ["end_turn"]}
    )


@pytest.mark.parametrize(
    ("owner", "round", "winner", "asked"),
    [
        ("Blues", 1, "Blues", "hill Blues"),
        ("Greens", 1, "Western", "hill Western"),
        ("Reds", 3, None, "stalemate nobody"),
    ],
)
def test_who_wins_is_asked_and_shown_by_its_name(owner: str, round: int, winner: str | None, asked: str) -> None:
    game = _game({"turn": "Greens", "round": round, "owner": {"Red": owner}})
    assert game.status().winner == winner
    assert [f"{o.rule} {o.side}" for o in game.status().outcomes if o.status == "met"] == [asked]
    assert game.ask(asked).value is True
    rule, party = asked.split()
    assert game.value(f"holds({rule}, {party})") is True
    assert game.legal().allowed == 0


def test_the_game_is_over_for_best_play_too() -> None:
    game = _game({"turn": "Greens", "round": 3, "owner": {"Red": "Reds"}})
    system = game.setup.system
    assert interpret(endings(system).final, system.layout.slot, game.state)


def test_a_power_wins_by_itself_only_if_it_is_said() -> None:
    with pytest.raises(InputError, match="sides win, not powers"):
        _game({}, "Blues win hill at once if owner(Red) == Blues")
    with pytest.raises(InputError, match="there is no side 'Nobody alone'"):
        _game({}, "Nobody alone wins hill at once if owner(Red) == Blues")


def test_a_moment_may_be_the_turn_of_whoever_the_line_is_about() -> None:
    text = "side wins hold at the end of a turn of side if controls(side, Green) and round == 1"
    assert _game({"turn": "Blues", "owner": {"Green": "Reds"}}, text).status().winner is None
    assert _game({"turn": "Reds", "owner": {"Green": "Reds"}}, text).status().winner == "Axis"


def test_what_is_otherwise_so_at_several_moments_needs_one() -> None:
    text = "side wins hold at the end of a turn of side if controls(side, Green)\notherwise nobody wins draw"
    with pytest.raises(InputError, match="what stands above it is judged at several moments"):
        _game({}, text)


def test_all_lose_and_both_win_beside_a_game() -> None:
    text = """
instead of total_victory, minor_victory
all lose ruin at the end of a round if owner(Red) == Blues
Axis and Allies win peace at the end of a round if owner(Blue) == Reds
otherwise all lose late
"""
    ruin = _game({"turn": "Greens", "round": 1, "owner": {"Red": "Blues"}}, text)
    assert ruin.status().headline == "Nobody wins: all have lost (ruin)."
    assert ruin.returns == {"Axis": -1, "Allies": -1}
    assert ruin.ask("ruin nobody").value is True
    assert ruin.legal().allowed == 0
    peace = _game({"turn": "Greens", "round": 1, "owner": {"Blue": "Reds"}}, text)
    assert peace.status().headline == "Winners: Axis and Allies, together (peace)"
    assert peace.returns == {"Axis": 1, "Allies": 1}
    late = _game({"turn": "Greens", "round": 1}, text)
    assert late.status().headline == "Nobody wins: all have lost (late)."
    assert _game({"turn": "Reds", "round": 1}, text).returns == {"Axis": 0, "Allies": 0}

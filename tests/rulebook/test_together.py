"""Outcomes that several sides share and that all lose, as `status`, returns, best play and studies tell them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import vclogic
from vclogic.errors import InputError
from vclogic.game import Game
from vclogic.studies.playtest import Playtest, play
from vclogic.studies.summary import summaries
from vclogic.turns import GameTurns

RAFT = """# Raft

**1** Each of some sides in turn bails or rests. If the water is high all lose; if it has gone all win together.

```vclogic
sides {sides}
turn is one event
rounds 2
fact water: 0 to 4, starts 2
fact points(side): 0 to 9
event bail by side
  then water falls by 1
event leak by side
  then water rises by 1
event dig by side
  then points(side) rises by 1
{wins}
```
"""
WINS = "all win dry at once if water == 0\nall lose sunk at once if water == 4\nnobody wins calm at the end"


def game(tmp_path: Path, sides: str = "Red, Blue, Green", wins: str = WINS) -> Game:
    file = tmp_path / "raft.md"
    file.write_text(RAFT.format(sides=sides, wins=wins))
    return vclogic.load(str(file))


def after(game: Game, *events: str) -> Game:
    for event in events:
        game = game.apply(event)
    return game


def told(game: Game) -> tuple[str, bool, list[int]]:
    """The result in words, whether the game is over, and what each side gets, the same however it is asked."""
    returns = list(game.returns.values())
    turns = GameTurns(game)
    assert list(turns.turn(turns.start).returns) == returns
    assert game.many().returns.tolist() == [returns]
    assert bool(game.many().over[0]) == game.over
    return game.status().headline, game.over, returns


@pytest.mark.parametrize("sides", ["Red, Blue", "Red, Blue, Green", "Red, Blue, Green, White"])
def test_all_win_or_lose_together(tmp_path: Path, sides: str) -> None:
    n, start = len(sides.split()), game(tmp_path, sides)
    names = ", ".join(sides.split(", ")[:-1]) + " and " + sides.split(", ")[-1]
    assert told(start) == ("Nobody has won yet.", False, [0] * n)
    assert told(after(start, "bail", "bail")) == (f"Winners: {names}, together (dry)", True, [1] * n)
    assert told(after(start, "leak", "leak")) == ("Nobody wins: all have lost (sunk).", True, [-1] * n)
    assert told(after(start, *["dig"] * 2 * n)) == ("Nobody wins: calm ends in a draw.", True, [0] * n)


def test_some_win_together_and_the_rest_have_lost(tmp_path: Path) -> None:
    start = game(tmp_path, wins="Red and Green win pact at once if points(Red) + points(Green) == 2\n" + WINS)
    found = after(start, "dig", "dig", "dig")
    assert told(found) == ("Winners: Red and Green, together (pact)", True, [1, -1, 1])
    assert found.status().winners == ("Red", "Green")
    assert found.status().winner is None


def test_who_is_out_has_lost_even_where_nobody_wins(tmp_path: Path) -> None:
    wins = "side loses lead at once if points(side) == 1\nnobody wins calm at the end"
    start = game(tmp_path, wins=wins)
    one = after(start, "dig")
    assert told(one)[1:] == (False, [0, 0, 0])
    assert told(after(one, "leak", "leak", "bail", "bail", "bail")) == (
        "Nobody wins: calm ends in a draw.",
        True,
        [-1, 0, 0],
    )
    assert told(after(one, "dig"))[1:] == (True, [-1, -1, 1])


def test_all_are_out_at_once(tmp_path: Path) -> None:
    start = game(tmp_path, wins="side loses wet at once if water == 4\nnobody wins calm at the end")
    assert told(after(start, "leak", "leak")) == ("Nobody wins: all have lost (wet).", True, [-1, -1, -1])


def test_the_linter_takes_for_a_contradiction_only_what_no_line_shares(tmp_path: Path) -> None:
    joint = "Red and Blue win wet at the end of a round if water == 1\n" + WINS
    assert "VC101" not in codes(game(tmp_path, wins=joint))
    apart = (
        joint.replace("Red and Blue win wet", "Red wins wet")
        + "\nBlue wins other at the end of a round if water == 1"
    )
    assert "VC101" in codes(game(tmp_path, wins=apart))


def codes(game: Game) -> set[str]:
    return {f.code for f in game.check().findings}


def test_best_play_of_two_takes_both_for_a_draw_and_says_so(tmp_path: Path) -> None:
    found = game(tmp_path, "Red, Blue").solve()
    assert (found.status, found.value) == ("solved", "draw")
    assert found.checked
    assert any("where all lose, or all win together" in said for said in found.assumptions)
    rival = "side wins most at the end if points(side) > points(enemy(side))\notherwise nobody wins calm"
    found = game(tmp_path, "Red, Blue", "all lose sunk at once if water == 4\n" + rival).solve()
    assert (found.status, found.value) == ("solved", "draw")  # who is behind lets the water in
    found = game(tmp_path, "Red, Blue", rival).solve()
    assert not any("where all lose" in said for said in found.assumptions)


def test_studies_count_each_of_those_who_win_together(tmp_path: Path) -> None:
    start = game(tmp_path, wins="Red and Green win pact at once if points(Red) + points(Green) >= 1\n" + WINS)
    games = 300
    rows = list(play(start, Playtest({}, {}, {}, (), 20, {}), range(games)))
    pact = [r for r in rows if r["winners"] == ["Red", "Green"]]
    assert pact
    assert all(r["winner"] is None and r["ended"] == "won" for r in pact)
    lost = [r for r in rows if r["outcome"] == "sunk"]
    assert lost
    assert all(r["winners"] == [] and r["ended"] == "over" for r in lost)
    (cell,) = summaries(rows, [], ["Red", "Blue", "Green"], ["bail", "leak", "dig"])
    dry = sum(r["winners"] == ["Red", "Blue", "Green"] for r in rows)
    counts = {s: cell.wins[s].count for s in cell.wins}
    assert counts == {"Red": len(pact) + dry, "Blue": dry, "Green": len(pact) + dry}
    assert cell.drawn.count == games - len(pact) - dry


WRONG: list[tuple[str, str, str]] = [
    ("Red and Red win pact at the end", "Red cannot stand here", "Red and Blue win NAME"),
    ("side and Red win pact at the end", "Red cannot stand here", "`all win NAME`"),
    ("nobody and Red win pact at the end", "nobody wins together with somebody", "name the sides that do"),
    ("Red and Bleu win pact at the end", "there is no side 'Bleu'", "did you mean 'Blue'?"),
    ("Red and win pact at the end", "the name of a side is missing here", ""),
    ("both win pact at the end", "there is no side 'both'", "`all win`"),
    (
        "nobody wins calm at the end of a round if water == 1\nall lose calm at the end of a turn if water == 3",
        "by one line nobody wins calm, by another all lose it",
        "give one of them another name",
    ),
]


@pytest.mark.parametrize(("wins", "message", "help"), WRONG, ids=lambda x: x[:30])
def test_what_is_wrong_is_told_with_what_to_write(tmp_path: Path, wins: str, message: str, help: str) -> None:
    with pytest.raises(InputError) as caught:
        game(tmp_path, wins=wins)
    found = [(d.message, d.help or "") for d in caught.value.diagnostics]
    assert any(message in m and help in h for m, h in found), found


def test_a_table_may_give_it_to_several(tmp_path: Path) -> None:
    wins = (
        "table level at the end, by water\n  1  Red and Blue win\n  3 or more  all lose\n  otherwise  nobody wins x"
    )
    start = game(tmp_path, wins=wins)
    rest = ["dig"] * 5
    assert told(after(start, "bail", *rest))[2] == [1, 1, -1]
    assert told(after(start, "leak", *rest))[2] == [-1, -1, -1]
    assert told(after(start, "dig", *rest))[2] == [0, 0, 0]


def test_a_side_that_is_called_all_is_a_side(tmp_path: Path) -> None:
    start = game(tmp_path, "all, Blue", "all wins dry at once if water == 0\nnobody wins calm at the end")
    assert list(after(start, "bail", "bail").returns.values()) == [1, -1]


def test_whoever_plays_alone_may_lose(tmp_path: Path) -> None:
    start = game(tmp_path, "Red", "Red loses sunk at once if water == 4\nRed wins dry at once if water == 0")
    assert told_alone(after(start, "leak", "leak")) == ("Nobody wins: all have lost (sunk).", [-1])
    assert told_alone(after(start, "bail", "bail")) == ("Winner: Red (dry)", [1])


def told_alone(game: Game) -> tuple[str, list[int]]:
    return game.status().headline, list(game.returns.values())


def test_what_many_games_get_is_what_each_gets(tmp_path: Path) -> None:
    start = game(tmp_path, wins="Red and Green win pact at once if points(Red) + points(Green) == 2\n" + WINS)
    games, random = start.many(200), np.random.default_rng(7)
    for _ in range(6):
        games.apply(games.draw(random.random(200)))
    each = [list(start.at_state(tuple(state)).returns.values()) for state in games.states.tolist()]
    assert each == games.returns.tolist()
    assert {tuple(one) for one in each} >= {(1, -1, 1), (-1, -1, -1), (0, 0, 0)}


@pytest.mark.parametrize(
    ("sides", "who"), [("Red, Blue", "the opponent helps"), ("Red, Blue, Green", "the others help")]
)
def test_plans_speak_of_all_others(tmp_path: Path, sides: str, who: str) -> None:
    found = game(tmp_path, sides).plan("points(Red) == 1", side="Red", opponent="helps")
    assert any(who in said for said in found.assumptions)

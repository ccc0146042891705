"""Forcing a goal in rulebooks whose games end before it: against plain Python, and in games of few positions."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import vclogic
from vclogic.game import Game

EXAMPLES = Path("examples/rulebooks")
TEXT = """# Gold

**1** Each side earns up to three a turn.

```vclogic
sides Red, Blue
turn is one event
fact money(side): 0 to 9
event earn by side number 1 to 3
  needs money(side) + number <= 9
  then money(side) rises by number
pass if nothing else is legal
{who} wins gold at once if money({who}) >= {need}
```
"""


def plainly(who: str, need: int, goal: int, within: int) -> bool:
    """Whether Red can force to have so much, if who has enough ends the game."""

    @cache
    def forced(red: int, blue: int, turn: int, left: int) -> bool:
        if red >= goal:
            return True
        if (red, blue)[who == "Blue"] >= need or (turn == 0 and left == 0):
            return False
        mine = (red, blue)[turn]
        earned = [n for n in (1, 2, 3) if mine + n <= 9] or [0]
        after = [((red + n, blue) if turn == 0 else (red, blue + n)) for n in earned]
        found = (forced(*at, 1 - turn, left - (turn == 0)) for at in after)
        return any(found) if turn == 0 else all(found)

    return forced(0, 0, 0, within)


@pytest.mark.parametrize("few", [True, False], ids=["positions", "solvers"])
@pytest.mark.parametrize(("who", "need"), [("Red", 3), ("Red", 5), ("Blue", 4), ("Blue", 7)])
def test_a_game_that_a_win_ends_before_the_goal(
    who: str, need: int, few: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody has to answer where the game is over."""
    file = tmp_path / "gold.md"
    file.write_text(TEXT.format(who=who, need=need))
    monkeypatch.setattr("vclogic.query.force.event_duel._FEW", 100_000 if few else 1)
    game, seen = vclogic.load(str(file)), set()
    for goal, within in ((9, 1), (6, 2), (4, 2)):
        found = game.force(f"money(Red) >= {goal}", "Red", within=within, timeout=60)
        expected = plainly(who, need, goal, within)
        assert (found.status, found.reason) == ("forced" if expected else "refuted", "")
        assert found.checked is not None
        seen.add(expected)
    assert seen


def test_games_of_few_positions_are_decided_however_many_turns_are_looked_at() -> None:
    nim = _example("nim")
    found = nim.force("holds(last, First)", within=7)
    assert (found.status, found.turns, nim.solve().turns) == ("forced", 6, 11)
    assert nim.force("holds(last, First)", within=5).status == "refuted"
    assert nim.force("holds(last, Second)", within=7).status == "refuted"
    found = _example("tic_tac_toe").force("holds(line, Crosses)", within=5)
    assert (found.status, found.at_least) == ("refuted", 6)
    assert found.checked is not None


def test_where_there_are_many_positions_solvers_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what the turns asked about reach is looked at: of a game of many positions, too."""
    hex, most = _example("hex"), []

    def told(found: object) -> None:
        most.append(str(found))

    assert hex.force("holds(chain, White)", within=1, progress=told).status == "refuted"
    assert not any("looking at 0 turns" in line for line in most)
    monkeypatch.setattr("vclogic.query.force.event_duel._FEW", 1)
    assert hex.force("holds(chain, White)", within=1, progress=told).status == "refuted"
    assert any("looking at 0 turns" in line for line in most)


def _example(name: str) -> Game:
    return vclogic.load(str(EXAMPLES / f"{name}.md"))

"""Forcing goals where a turn is several events, or chance decides: cases with few positions, played to the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.rulebook.test_small_rulebooks import game_of
from vclogic.query.force.answer import Variation

RAISE = """\
sides Reds, Blues
turn is any number of events
rounds 3
fact men(side): 0 to 4, starts 1
fact used
  becomes false at the start of a turn
event raise by side
  needs men(side) <= 3 and not used
  then men(side) rises by 1
event kill by side
  needs men(enemy(side)) >= 1 and men(side) >= 2 and not used
  then men(enemy(side)) falls by 1
  then used becomes true
"""
DICE = """\
sides Reds, Blues
turn is one event
fact hits: 0 to 4
fact aimed
event aim by side
  needs not aimed
  then aimed becomes true
event roll by chance many 1 to 2
  needs aimed
  then hits rises by many
  then aimed becomes false
"""
PARLEY = """\
sides Reds, Blues, Greens
turn is talk, act
fact word: 0 to 3
event speak by side, at any time
  needs word <= 1
  then word rises by 1
event act by side in act
  needs word == 1
  then word becomes 3
"""
HASTE = """\
sides Reds, Blues
turn is any number of events
fact word: 0 to 2
event hush by side, at any time
  needs turn == Reds
  then word becomes 0
event speak by side
  then word becomes 1
"""
NEVER = """\
sides Reds, Blues, Greens
turn order Greens, Blues
turn is {}
fact word: 0 to 2
event speak by side
  then word becomes 1
"""


@pytest.mark.parametrize(
    ("text", "side", "goal", "status", "turns"),
    [
        (RAISE, "Reds", "men(Blues) == 0", "forced", 1),  # raise, then kill, in one turn
        (RAISE, "Blues", "men(Reds) == 0", "refuted", None),  # Reds raise first
        (RAISE, "Reds", "men(Blues) == 3", "refuted", None),
        (RAISE, "Reds", "round == 3", "forced", 2),  # a turn comes to its end
        (DICE, "Reds", "hits >= 2", "forced", 1),  # Blues have to aim, too
        (DICE, "Reds", "hits == 2", "refuted", None),  # the die decides
        (DICE, "Blues", "hits >= 1", "forced", 0),
        (PARLEY, "Reds", "word == 3", "refuted", None),  # others may speak at any time
        (HASTE, "Reds", "word == 1", "refuted", None),  # Blues may go on to hush for ever
        (NEVER.format("one event"), "Reds", "word == 2", "refuted", None),  # they are never on turn
        (NEVER.format("any number of events"), "Reds", "word == 2", "refuted", None),
    ],
)
def test_it_is_forced_or_not(tmp_path: Path, text: str, side: str, goal: str, status: str, turns: int | None) -> None:
    found = game_of(tmp_path, text).force(goal, side=side, within=2)
    assert (found.status, found.turns, found.reason) == (status, turns, "")
    if found.strategy or found.refutation:
        assert found.checked is not None
        assert found.checked.every


def events(case: Variation) -> list[str]:
    """The events of an answer."""
    return [s.action for turn in case.turns for s in turn.steps]


def test_the_answer_says_all_events_of_a_turn(tmp_path: Path) -> None:
    game = game_of(tmp_path, RAISE)
    (case,) = game.force("men(Blues) == 0", side="Reds").strategy
    assert (events(case), case.reached) == (["raise", "kill"], True)
    (first,) = game.force("men(Reds) == 0", side="Blues").refutation
    assert events(first) == ["raise", "end_turn"]


def test_too_many_positions_are_unknown_and_say_so(tmp_path: Path) -> None:
    text = RAISE.replace("0 to 4", "0 to 90").replace("<= 3", "<= 80")
    found = game_of(tmp_path, text).force("men(Blues) == 90", side="Reds", within=2, timeout=0.01)
    assert (found.status, found.turns) == ("unknown", None)
    assert found.reason


def test_it_is_told_to_a_player(tmp_path: Path, run: Run) -> None:
    game_of(tmp_path, DICE)
    told = run("force", str(tmp_path / "rules.md"), "--side", "Reds", "--goal", "hits >= 2").out
    assert "such as a die, counts as done by the others" in told.replace("\n    ", " ")
    assert "Checked: played without a solver against every legal turn" in told
    refused = run("defend", str(tmp_path / "rules.md"), "--side", "Reds", "--threat", "hits >= 2")
    assert refused.code == 2
    assert "nobody can answer" in refused.err

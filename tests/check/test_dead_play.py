"""Dead play, in a rulebook of three hills that is spoilt in one line at a time."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import vclogic
from vclogic.check.findings import Checked
from vclogic.check.play import PositionsOfPlay
from vclogic.clock import Deadline, TimeUp

HILLS = """\
# Three hills

**1** Red begins. In its turn a side takes a hill that is free, or passes. There are four rounds.

```vclogic
sides Red, Blue
turn is one event
rounds 4
kind hill: North, Middle, South
fact owner(hill): side or nobody, starts nobody
fact dug(hill): 0 to 2, starts 0
held(side) means count(hill where owner(hill) == side)
event take by side hill
  needs owner(hill) == nobody, else "{hill} is not free"
  then owner(hill) becomes side
event dig by side hill
  needs owner(hill) == side
  needs dug(hill) <= 1, else "it is deep enough"
  then dug(hill) rises by 1
pass always
```

**2** A side with two hills has won; else Blue has at the end.

```vclogic
side wins hold at once if held(side) >= 2
otherwise Blue wins time at the end
```
"""


def checked(folder: Path, *changes: tuple[str, str]) -> Checked:
    text = HILLS
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    (folder / "hills.md").write_text(text)
    return vclogic.load(str(folder / "hills.md")).check(select=["VC1", "VC2", "VC6", "VC7"])


def test_a_sound_rulebook_has_no_findings(tmp_path: Path) -> None:
    answer = checked(tmp_path)
    assert answer.findings == ()
    assert answer.play == "all 546 positions that play can reach from the start were looked at"
    # Both sides hold two hills in no position of play, since there are three.
    assert [c.rule for c in answer.cleared] == []


@pytest.mark.parametrize(
    ("old", "new", "code", "says", "line"),
    [
        (
            "needs dug(hill) <= 1,",
            "needs dug(hill) >= 1,",
            "VC206",
            "the event dig can never happen: it is always refused, as of dig(Red, North) with “it is deep enough”",
            16,
        ),
        (
            "needs owner(hill) == nobody, else",
            "needs owner(hill) == nobody and dug(hill) == 2, else",
            "VC206",
            "the event take can never happen: it is always refused, as of take(Red, North) with “North is not free”",
            13,
        ),
        (
            "held(side) >= 2",
            "held(side) >= 2 and (side == Red or dug(North) + dug(Middle) + dug(South) == 6)",
            "VC201",
            "the Blue side never wins by hold, however play goes on from this start",
            26,
        ),
        ("dug(hill) <= 1", "dug(hill) <= 5", "", "", 0),  # the range of the fact says so anyway
        (
            "needs owner(hill) == nobody,",
            'needs dug(hill) <= 1, else "deep"\n  needs owner(hill) == nobody,',
            "VC209",
            "a need of take never forbids anything: it is so wherever the others are",
            14,
        ),
        (
            "needs owner(hill) == nobody,",
            "needs owner(hill) == nobody and hill != South,",
            "VC606",
            "no play changes anything about South: dug and owner",
            9,
        ),
        (
            "otherwise Blue wins time at the end",
            "Blue wins time at the end if held(Red) <= 1",
            "VC208",
            "time of the Blue side is met whenever it is judged: its condition decides nothing",
            27,
        ),
    ],
)
def test_each_is_told_at_its_line(tmp_path: Path, old: str, new: str, code: str, says: str, line: int) -> None:
    answer = checked(tmp_path, (old, new))
    of_code = [f for f in answer.findings if (f.code == code and f.rule != "dig") or f.message == says]
    assert [f.message for f in of_code] == [says] * bool(code)
    assert [p.line for f in of_code for p in f.places] == [line] * bool(line)
    assert all("all " in f.proof for f in of_code)


@pytest.mark.parametrize(
    ("need", "idle"),
    [
        ("dug(North) <= 2", ["a need of every event never forbids anything: it is so in every position"]),
        # Whoever takes a hill finds a free one: it is to forbid that anybody digs later.
        ("count(hill where owner(hill) == nobody) >= 1", []),
    ],
)
def test_a_line_about_every_event_is_of_use_where_it_forbids_one(tmp_path: Path, need: str, idle: list[str]) -> None:
    answer = checked(tmp_path, ("rounds 4\n", f'rounds 4\nevery event but pass needs {need}, else "no"\n'))
    found = [f for f in answer.findings if f.code == "VC209"]
    assert [f.message for f in found] == idle
    assert [(f.rule, [p.line for p in f.places]) for f in found] == [("every event[line 9]", [9])] * len(idle)


def test_a_position_from_which_the_game_never_ends(tmp_path: Path) -> None:
    """Without a limit of rounds: when one hill is each side's and the third is nobody's for good."""
    answer = checked(
        tmp_path,
        ("There are four rounds.", ""),
        ("rounds 4\n", ""),
        ("otherwise Blue wins time at the end\n", ""),
        ("; else Blue has at the end", ""),
        ("needs owner(hill) == nobody,", "needs owner(hill) == nobody and (hill != South or held(Blue) == 0),"),
    )
    (found,) = [f for f in answer.findings if f.code == "VC207"]
    assert found.witness is not None
    assert found.scope == "reachable"
    state = {c.fluent: c.after for c in found.witness.changes}
    assert "owner[South]" not in state
    assert sorted(s.action for s in found.steps) == ["take", "take"]
    assert "it need not end, for play can come back to a position" in answer.play


def test_games_are_played_at_random_where_there_is_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They come to the end of the game, which lies too deep for looking at all positions."""
    monkeypatch.setattr("vclogic.check.play._MOST", 200)
    answer = checked(tmp_path)
    assert answer.findings == ()
    assert re.fullmatch(
        "280 positions, up to 6 events from the start, were looked at, and 128 games were played at random, "
        r"[\d,]+ events in all: there are more than 200 positions",
        answer.play,
    )
    monkeypatch.setattr("vclogic.check.play._GAMES", 1)
    monkeypatch.setattr("vclogic.check.play._LONGEST", 1)
    monkeypatch.setattr("vclogic.solve.budgets.ONE_PLAY", 0.0)
    assert "; not decided: whether play leads to " in checked(tmp_path).play


def test_an_event_that_no_position_allows_is_proved_where_play_is_too_much(tmp_path: Path) -> None:
    many = ", ".join(f"H{n}" for n in range(1, 19))
    answer = checked(
        tmp_path,
        ("North, Middle, South", many),
        ("rounds 4", "rounds 30"),
        ("needs dug(hill) <= 1", "needs owner(hill) == enemy(side)"),
    )
    (found,) = [f for f in answer.findings if f.code == "VC206"]
    assert found.rule == "dig"
    assert "what it needs contradicts itself" in found.proof


def test_the_end_of_the_time_ends_no_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may come while it is worked out when the game is over, before a position is looked at."""

    def late(system: object) -> None:
        raise TimeUp

    file = tmp_path / "hills.md"
    file.write_text(HILLS, encoding="utf-8")
    game = vclogic.load(str(file))
    monkeypatch.setattr("vclogic.explore.endings.endings", late)
    play = PositionsOfPlay.of(game.setup.system, game.state, Deadline(9.0))
    assert (play.found, play.unseen) == (None, "the time was up")


def test_a_rule_set_with_too_many_events_is_checked_too() -> None:
    """Of armies each number is an event of its own where positions are looked at one by one."""
    game = vclogic.load(str(Path(__file__).parents[2] / "examples" / "two_islands.yaml"))
    play = PositionsOfPlay.of(game.setup.system, game.state, Deadline(9.0))
    assert play.found is None
    assert play.unseen == "there are 3,043,989 events, more than 20,000"


SWAP = """\
event share by side
  needs owner(North) == nobody and owner(West) == nobody
  then owner(North) becomes Red
  then owner(West) becomes Blue
"""


@pytest.mark.parametrize(("more", "both"), [(SWAP, True), ("", False)])
def test_what_no_event_brings_about_is_no_contradiction(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: str, both: bool
) -> None:
    """Where each event takes one hill, both sides cannot come to two of four at once: the first one has won."""
    monkeypatch.setattr("vclogic.check.play._MOST", 50)
    text = HILLS.replace("North, Middle, South", "North, Middle, South, West").replace(
        "pass always", f"{more}pass always"
    )
    (tmp_path / "hills.md").write_text(text)
    answer = vclogic.load(str(tmp_path / "hills.md")).check(select=["VC101"])
    assert [f.rule for f in answer.findings if f.rule.startswith("hold")] == ["hold[Red] and hold[Blue]"] * both
    assert any("no event brings both about" in c.proof for c in answer.cleared) is not both


@pytest.mark.parametrize("late", ["vclogic.check.history.by_an_event", "vclogic.check.history.fresh"])
def test_a_contradiction_stays_where_the_time_ends_before_events_are_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, late: str
) -> None:
    def up(*given: object, **named: object) -> None:
        raise TimeUp

    monkeypatch.setattr("vclogic.check.play._MOST", 50)
    monkeypatch.setattr(late, up)
    (tmp_path / "hills.md").write_text(HILLS.replace("North, Middle, South", "North, Middle, South, West"))
    answer = vclogic.load(str(tmp_path / "hills.md")).check(select=["VC101"])
    assert "hold[Red] and hold[Blue]" in [f.rule for f in answer.findings]

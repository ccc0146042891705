"""`vclogic test --all`: what every game has to do, in words, without pytest."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run, run
from vclogic.conformance import claims, demands, events, games, meaning, planning
from vclogic.game import Game
from vclogic.query.answers import Recorded
from vclogic.query.plan.answer import Plan
from vclogic.query.test import rulings

__all__ = ["run"]
SOUND = """\
# Two walkers

**1** Two walkers on five fields, Red first. Red wins on the last field.

```vclogic
sides Red, Blue
fact place(side): 0 to 4, starts 0
turn is one event
event walk by side
  needs place(side) <= 3, else "{side} is there"
  needs side == Red or place(Blue) <= 2, else "Blue stops"
  then place(side) rises by 1
pass always
Red wins goal at once if place(Red) == 4
```

**2** Blue never goes beyond the third field.

```vclogic
always place(Blue) <= 3
```

```ruling
One step
  play walk
  expect place(Red) == 1 and not holds(goal, Red)
```
"""
FLY = "event fly by side\n"
EVENT = "event walk by side\n"


def write(text: str) -> None:
    Path("walk.md").write_text(text, encoding="utf-8")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


Demand = Callable[..., None]
NEVER = events.test_every_event_can_happen
LAW = meaning.test_the_invariants_hold_along_the_play
KEPT = meaning.test_every_event_keeps_the_invariants
TRIED = claims.test_rulings_try_every_event_and_outcome
READ = claims.test_every_value_of_a_reading_has_a_ruling


def said(text: str, *only: Demand, timeout: float = 60.0) -> tuple[list[str], tuple[str, ...]]:
    """What is not met of some demands, and what is not decided."""
    write(text)
    names = ["walk.md"]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(demands, "DEMANDS", only)
        found = demands.demanded(rulings.test_all(names, cites=False), names, timeout=timeout).demanded
    assert found is not None
    return [m.message for m in found.missed], found.not_decided


def test_a_sound_rulebook_meets_all_demands(run: Run) -> None:
    write(SOUND)
    found = run("test", "--all", "walk.md", "--format", "json")
    assert (found.code, found.err) == (0, "")
    tried = found.document["demanded"]
    assert (tried["games"], tried["missed"], tried["not_decided"]) == (["walk.md"], [], [])
    assert tried["tried"] >= len(demands.DEMANDS) - 6


def test_they_are_shown_with_what_to_do(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demands, "DEMANDS", (TRIED, READ))
    write(SOUND.replace(" and not holds(goal, Red)", ""))
    found = run("test", "--all", "walk.md")
    assert (found.code, found.err) == (1, "")
    assert (
        found.out
        == """\
not so: Each event of a rulebook is played or refused in a ruling, and each outcome is expected in one.
  --> walk.md
  no ruling holds `expect holds(goal, Red)` (walk.md:14): write one for each, in a block `ruling`

walk.md: 1 ruling passed.

1 of 2 demands on every game is not met.
"""
    )
    write(SOUND)
    assert run("test", "--all", "walk.md").out.endswith("2 demands on every game tried: none is not met.\n")


@pytest.mark.parametrize(
    ("demand", "old", "new", "says"),
    [
        (
            LAW,
            "always place(Blue) <= 3",
            "always place(Blue) <= 0",
            "after walk(Blue) this is not so: 'Blue never goes beyond the third field.' (walk.md:20); mend the "
            "event, or what must always hold",
        ),
        (
            NEVER,
            EVENT,
            f"{FLY}  needs place(side) == 4 and place(side) == 0\n  then place(side) becomes 2\n{EVENT}",
            "the event fly can never happen: it is always refused, as of fly(Red) with “it needs place(Red) == 4 "
            "and place(Red) == 0” (walk.md:9): let it need less, or take it out",
        ),
        (
            TRIED,
            EVENT,
            f"{FLY}  needs place(side) == 2\n  then place(side) becomes 4\n{EVENT}",
            "no ruling holds `play` or `refused fly` (walk.md:9): write one for each, in a block `ruling`",
        ),
        (
            READ,
            "pass always",
            'reading tired "May a side pass?"\n  yes "yes", default "it is silent"\n  no "no"\npass always',
            "no ruling tries the Reading tired=no (walk.md:13): write one with `under tired is no`",
        ),
    ],
    ids=["law", "never", "untried event", "untried Reading"],
)
def test_a_fault_is_said_with_its_line(demand: Demand, old: str, new: str, says: str) -> None:
    assert SOUND.count(old) == 1
    assert said(SOUND.replace(old, new), demand) == ([says], ())


def test_one_fault_is_told_once() -> None:
    """A broken law is told with the play that breaks it; what a ruling told is not told again."""
    broken = SOUND.replace("always place(Blue) <= 3", "always place(Blue) <= 0")
    assert len(said(broken, KEPT)[0]) == 1
    assert len(said(broken, LAW, KEPT)[0]) == 1
    wrong = SOUND.replace("place(Red) == 1", "place(Red) == 2")
    assert said(wrong, claims.test_the_rulings_hold) == ([], ())


def test_a_rare_event_is_searched_for() -> None:
    """Random play of 20 events ends long before; a pass that comes of itself is no event that somebody wrote."""
    far = SOUND.replace("0 to 4", "0 to 40").replace("<= 3", "<= 39").replace("== 4", "== 40")
    rare = f"{FLY}  needs place(side) == 30\n  then place(side) becomes 35\n{EVENT}"
    assert said(far.replace(EVENT, rare), NEVER) == ([], ())
    assert said(SOUND.replace("pass always", "pass if nothing else is legal"), NEVER) == ([], ())


def test_what_is_not_found_out_is_said() -> None:
    assert said(SOUND, LAW, timeout=1e-6) == ([], ("1 demand of 1: the time was up",))


def test_a_record_that_is_not_found_in_time_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Game.plan

    def late(*args: Any, **named: Any) -> Plan:
        return replace(plan(*args, **named), record=Recorded(None, "the time was up", decided=False))

    monkeypatch.setattr(Game, "plan", late)
    missed, (open_,) = said(SOUND, planning.test_each_metric_finds_a_single_step)
    assert missed == []
    assert re.fullmatch(r"walk\.md: whether the rules accept .* as a record: the time was up", open_)
    assert said(SOUND, planning.test_plans_of_random_goals_are_records) == ([], ())


def test_folders_and_games(run: Run) -> None:
    Path("games").mkdir()
    for name in ("b", "a"):
        Path("games", f"{name}.md").write_text(SOUND, encoding="utf-8")
    Path("games", "README.md").write_text("# No rulebook\n", encoding="utf-8")
    assert demands.games_of(["games"]) == ["games/a.md", "games/b.md"]
    found = run("test", "--all", "nowhere.yaml", "no_game", ".")
    assert found.code == 2
    assert "neither a rulebook nor an installed game" in found.err
    assert "there is no game 'no_game'" in found.err
    Path("none").mkdir()
    assert "no rulebook in the folder" in run("test", "--all", "none").err
    assert "--timeout goes with --all" in run("test", "games/a.md", "--timeout", "3").err


def test_progress_names_what_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    write(SOUND)
    told: list[str] = []
    monkeypatch.setattr(demands, "DEMANDS", (READ,))
    tested = rulings.test_all(["walk.md"], cites=False)
    demands.demanded(tested, ["walk.md"], timeout=60, progress=lambda p: told.append(p.phase))
    assert told == ["walk.md: 1 of 1: Each value of each Reading has a ruling."]


def test_it_needs_no_pytest() -> None:
    code = "import sys; sys.modules['pytest'] = None; from vclogic.conformance.demands import *; print(len(DEMANDS))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == (f"{len(demands.DEMANDS)}\n", "")


def test_both_run_the_same_demands() -> None:
    from vclogic.conformance import with_pytest

    names = {demand.__name__ for demand in demands.DEMANDS}
    assert names == {name for name in with_pytest.__all__ if name.startswith("test_")}
    assert all(demands.said(d).endswith(".") for d in demands.DEMANDS)
    assert games.UnmetDemand.__doc__

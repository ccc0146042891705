"""The table of the race: who is first, and that no loss goes without a word."""

from __future__ import annotations

import fnmatch
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.race import __main__ as race
from benchmarks.race import runs
from benchmarks.race.entries import GROUPS, Row, rows
from benchmarks.race.instances import Question
from benchmarks.race.results import UNKNOWN, Result, markdown, reason, reasons
from benchmarks.race.runs import NOT_RUN, Run
from tests.fixtures.pace import HANGS

ROOT = Path(__file__).parents[2]
ROW = Row("captures x", "captures", "a goal", "axis_allies", Question("vcp(Axis) >= 40", "Axis"), (), lambda game: {})


def run(wall: float, inside: float | None, *, proved: bool = True, **more: Any) -> Run:
    return Run({"cost": 3, "proved": proved, "inside": inside, "memory": 20.0, **more}, wall)


def result(ours: tuple[float, float], *, proved: bool = True, **peers: Run) -> Result:
    command = run(ours[0], None, proved=proved)
    return Result(ROW, command, run(ours[0], ours[1], proved=proved, again=0.5), peers)


# ---- who is first


def test_a_row_is_lost_by_the_process_or_by_what_is_inside() -> None:
    assert not result((1.0, 0.1), peer=run(2.0, 0.2)).lost
    assert result((1.0, 0.1), peer=run(0.5, 0.2)).lost
    assert result((1.0, 0.1), peer=run(2.0, 0.05)).lost
    assert not result((1.0, 0.1), peer=run(0.95, 0.2)).lost, "what two runs differ by"
    assert not result((1.0, 0.1), peer=run(0.1, 0.01, proved=False)).lost, "what is not proved wins nothing"
    assert not result((1.0, 0.1), peer=NOT_RUN).lost


def test_a_row_that_vclogic_does_not_finish_is_lost_where_a_peer_does() -> None:
    assert result((60.0, 60.0), proved=False, peer=run(50.0, 50.0)).lost
    assert not result((60.0, 60.0), proved=False, peer=run(60.0, 60.0, proved=False)).lost
    assert result((60.0, 60.0), proved=False, peer=run(50.0, 50.0)).lead(inside=True) == ("peer", None)


def test_the_ratio_is_to_the_best_peer_whoever_is_first() -> None:
    behind = result((1.0, 0.2), slow=run(5.0, 0.5), fast=run(0.5, 0.1))
    assert (behind.lead(inside=False), behind.lead(inside=True)) == (("fast", 2.0), ("fast", 2.0))
    ahead = result((1.0, 0.2), slow=run(5.0, 0.5), fast=run(2.0, 0.4))
    assert (ahead.lead(inside=False), ahead.lead(inside=True)) == (("vclogic", 0.5), ("vclogic", 0.5))


# ---- reasons


def test_a_lost_row_has_a_reason_or_says_that_none_is_known() -> None:
    lost, won = result((1.0, 0.1), peer=run(0.5, 0.2)), result((1.0, 0.1), peer=run(2.0, 0.2))
    assert reason(lost, {"captures *": "because"}) == "because"
    assert reason(lost, {"captures x": "this one", "captures *": "because"}) == "this one"
    assert reason(lost, {"growth *": "because"}) == UNKNOWN
    assert reason(won, {"captures *": "because"}) == ""


def test_every_reason_is_one_for_some_row(tmp_path: Path) -> None:
    keys = [row.key for row in rows(tmp_path)]
    assert len(set(keys)) == len(keys)
    assert [key for key in reasons() if not fnmatch.filter(keys, key)] == []
    easier = {before for row in rows(tmp_path, ("land", "full", "hexes")) for before in row.easier}
    assert easier <= set(keys)


# ---- the file


def test_the_table_has_a_line_for_each_row_losses_like_wins() -> None:
    some = [
        result((1.0, 0.1), peer=run(0.5, 0.2), other=run(10.0, 10.0, proved=False, lower=2), third=NOT_RUN),
        result((1.0, 0.1), peer=run(2.0, 0.2)),
    ]
    text = markdown(some, ["said first"], {})
    assert "2 rows; vclogic is first or level in 1, behind in 1." in text
    lines = [line for line in text.splitlines() if line.startswith("| a goal")]
    assert lines[0].split(" | ")[1:] == [
        *("3", "1 / 0.1", "0.5", "0.5 / 0.2", "✗ 10 s ≤ 3 ≥ 2", "–"),
        *("2× / 0.5×", "peer / vclogic", f"{UNKNOWN} |"),
    ]
    assert lines[1].split(" | ")[4:7] == ["2 / 0.2", "", ""]
    columns = {line.count(" | ") for line in text.splitlines() if line.startswith("|") and "---" not in line}
    assert len(columns) == 1


def test_what_is_wrong_stands_above_all_tables() -> None:
    wrong = Result(ROW, run(1.0, None), run(1.0, 0.1), {}, ["a proves 3, b proves 4"])
    text = markdown([wrong], [], {})
    assert text.index("captures x: a proves 3, b proves 4") < text.index(GROUPS["captures"])


# ---- the whole


def test_a_lie_is_said_loudly_and_is_exit_code_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "RESULTS.md"
    words = ["race", "--quick", "--only", "captures", "--peers", sys.executable, "--write", str(file)]
    monkeypatch.setattr(sys, "argv", words)
    monkeypatch.setattr(race, "_versions", lambda peers: "none")
    told = {"cost": 3, "proved": True, "lower": 3, "solution": ["Russia", "United Kingdom", "Eastern United States"]}
    monkeypatch.setattr(runs, "of_command", lambda *asked: Run(told, 1.0))
    monkeypatch.setattr(runs, "of_process", lambda *asked: Run({**told, "inside": 0.5}, 1.0))
    monkeypatch.setattr(runs, "of_peer", lambda *asked: Run({**told, "cost": 2, "lower": 2, "solution": [0, 1]}, 0.1))
    monkeypatch.setattr(race, "rows", lambda folder, only: list(rows(folder, only))[:1])
    assert race.main() == 1
    assert "vclogic proves 3, clingo usc proves 2" in capsys.readouterr().out
    assert "**captures Axis 40: clingo usc: the captures cannot be played**" in file.read_text(encoding="utf-8")


@pytest.mark.slow
def test_who_has_won_is_raced_for_with_what_is_installed(tmp_path: Path) -> None:
    """The peers' Python is the one of the tests here: z3 is there, clingo may not be, and then it is said."""
    file = tmp_path / "RESULTS.md"
    words = ["-m", "benchmarks.race", "--quick", "--only", "status", "--peers", sys.executable, "--write", str(file)]
    done = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True, timeout=HANGS)
    assert done.returncode == 0, done.stdout + done.stderr
    text = file.read_text(encoding="utf-8")
    assert text.count("| points of both sides and six outcomes") == 1
    assert "do not agree" not in text


def test_only_groups_that_there_are() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.race", "--only", "chess"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "no group chess" in done.stderr

"""Rulings of one's own: `tests/rulings` holds a file for each way to be right or wrong, with what is said of it."""

from __future__ import annotations

import io
import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run

FOLDER = Path(__file__).parents[1] / "rulings"
FILES = sorted(FOLDER.glob("*.yaml"))


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)


def joined(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_each_file_says_what_its_head_says(run: Run, file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    (code,) = re.findall(r"^# exit: (\d)$", text, re.MULTILINE)
    said = re.findall(r"^# says: (.*)$", text, re.MULTILINE)
    found = run("test", file.name)
    assert found.code == int(code)
    shown = joined(found.out + found.err)
    assert said
    assert [line for line in said if joined(line) not in shown] == []


def test_the_document_has_each_expectation_with_its_step_its_place_and_its_readings(run: Run) -> None:
    (case,) = run("test", "other_reading.yaml", "--format", "json").document["cases"]
    assert (case["source"], case["line"], case["status"]) == ("other_reading.yaml", 8, "failed")
    assert [t["holds"] for t in case["tried"]] == [True, False, True]
    wrong = case["tried"][1]
    assert (wrong["after"], wrong["event"]) == (1, "enter(4-4-7, 22V2/0, no)")
    assert (wrong["line"], wrong["column"], wrong["readings"]) == (16, 17, {"rooftop_enemy": "ignored"})
    assert ("at[4-4-7]", "off", "22V2/0") in [(f["what"], f["before"], f["after"]) for f in wrong["changed"]["facts"]]
    assert wrong["changed"]["step"] == 1


def test_a_folder_is_searched_for_rulings(run: Run) -> None:
    found = run("test", "folder")
    assert (found.code, found.err) == (0, "")
    assert "folder/a.yaml: 1 ruling passed.\nfolder/b.json: 1 ruling passed.\n" in found.out
    skipped = run("test", "folder", "--format", "json").document["skipped"]
    assert [s["file"] for s in skipped] == ["folder/position.yaml", "folder/record.yaml", "folder/boards/one.yaml"]
    assert skipped[0]["reason"] == "a position that expects nothing"


def test_several_are_tried_together(run: Run) -> None:
    found = run("test", "allowed.yaml", "folder", "position.yaml", "folder", "--format", "json")
    assert found.code == 1
    assert found.document["sources"] == ["allowed.yaml", "folder/a.yaml", "folder/b.json", "position.yaml"]
    assert (found.document["passed"], found.document["failed"]) == (3, 1)
    assert found.document["expectations"] == {"all": 7, "failed": 1}


def test_everything_that_is_wrong_is_said_at_once(run: Run) -> None:
    found = run("test", "bad_setups.yaml", "nowhere.yaml", "no_such_game", "misspelt.yaml")
    assert (found.code, found.out) == (2, "")
    for part in ("'sttae'", "nowhere.yaml", "'no_such_game'", "'rullings'"):
        assert part in found.err


def test_a_folder_without_rulings(run: Run, tmp_path: Path) -> None:
    shutil.copy(FOLDER / "only_a_position.yaml", tmp_path)
    found = run("test", str(tmp_path))
    assert found.code == 2
    assert "vclogic new --case GAME" in found.err


def test_rulings_on_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO((FOLDER / "passes.yaml").read_bytes())))
    found = run("test", "-")
    assert (found.code, found.out) == (0, "<stdin>: 5 rulings passed.\n")


def test_a_file_of_a_games_own_rulings(run: Run) -> None:
    file = FOLDER.parents[1] / "encodings" / "vclogic_encodings" / "okinawa" / "cases" / "zones.yaml"
    assert run("test", str(file)).code == 0


def test_a_file_of_rulings_is_no_position(run: Run) -> None:
    found = run("status", "passes.yaml")
    assert found.code == 2
    assert "`vclogic test` tries them" in found.err


def test_status_says_that_it_tries_no_expectations(run: Run) -> None:
    found = run("status", "position.yaml")
    assert found.code == 0
    assert "3 expectations in the record not tried here: `vclogic test` tries them" in joined(found.out)


def test_status_shows_what_each_step_changes(run: Run) -> None:
    found = run("status", "position.yaml", "--trace")
    assert found.code == 0
    step = found.out.split("What each step of the record changes\n")[1].split("\n\n")[0]
    assert step.splitlines() == [
        "  step 1, enter(4-4-7, 22V2/0, no)",
        "    - building_controller(22U3): German -> Russian",
        "    - hex_controller(22V2): German -> Russian",
        "    - location_controller(22V2/0): German -> Russian",
        "    - 4-4-7 is in 22V2/0 (before: off)",
    ]
    (traced,) = run("status", "position.yaml", "--trace", "--format", "json").document["trace"]
    assert (traced["step"], traced["event"]) == (1, "enter(4-4-7, 22V2/0, no)")
    assert traced["values"][0]["what"] == "building_controller(22U3)"
    assert "there is no record" in run("status", "asl", "--trace").out
    assert run("status", "position.yaml", "--trace", "--view", "German").code == 2

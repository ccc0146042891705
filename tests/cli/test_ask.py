"""`vclogic ask`: exit codes, what is written, and what bad input gets."""

from __future__ import annotations

import os
import re
from pathlib import Path

import jsonschema
import pytest

from tests.cli.conftest import Run
from tests.fixtures.games import ROOT
from vclogic.serve.schemas import answer_schema

GAME = "axis_allies"
PLACE = "place: {power: Germans, unit: infantry, territory: Karelia}"
POSITION = """\
game: axis_allies
state: {turn: Germans}
record:
  - {capture: {power: Germans, territory: Karelia}}
"""


@pytest.fixture
def position(tmp_path: Path) -> str:
    path = tmp_path / "pos.yaml"
    path.write_text(POSITION)
    return str(path)


@pytest.mark.parametrize(
    ("question", "code", "first"),
    [
        ("owner(Karelia) == Germans", 0, "owner(Karelia) == Germans: yes"),
        ("vcp(Axis) >= 60", 1, "vcp(Axis) >= 60: no"),
        ("vcp(Axis)", 0, "vcp(Axis): 28"),
        (PLACE, 1, "place(Germans, infantry, 1, Karelia S.S.R.): not allowed"),
        ("end_turn", 0, "end_turn(): allowed"),
        ("total_victory Axis", 1, "total_victory, Axis: unmet"),
        ("minor_victory(Axis)", 3, "minor_victory, Axis: undefined"),
    ],
)
def test_the_code_says_the_answer(run: Run, position: str, question: str, code: int, first: str) -> None:
    settings = ("--set", "victory=minor") if "minor" in question else ()
    found = run("ask", position, question, *settings)
    assert (found.code, found.out.split("\n")[0].split(" (")[0]) == (code, first)


def test_the_document_satisfies_its_schema(run: Run, position: str) -> None:
    shape = answer_schema("ask")
    for words in ((PLACE, "--all-readings"), ("vcp(Axis)",), ("total_victory Axis",)):
        document = run("ask", position, *words, "--format", "json").document
        jsonschema.validate(document, shape)
        assert (document["schema"], document["question"] != "") == ("vclogic/ask/1", True)
        assert bool(document["readings"]["alone"]) == ("--all-readings" in words)


def test_sheet_and_picture_are_written(run: Run, position: str, tmp_path: Path) -> None:
    sheet, picture = tmp_path / "ruling.md", tmp_path / "ruling.svg"
    found = run("ask", position, PLACE, "--sheet", str(sheet), "-o", str(picture))
    assert found.code == 1
    drawn = picture.read_text()
    assert drawn.startswith("<svg")
    assert "place(Germans, infantry, 1, Karelia S.S.R.): not allowed" in drawn
    text = sheet.read_text()
    assert text.startswith("# Ruling\n\n**place(Germans, infantry, 1, Karelia S.S.R.): not allowed**\n")
    assert "- capture: {power: Germans, territory: Karelia S.S.R." in text
    assert re.search(r"\), \d{4}-\d\d-\d\d\n", text)


def test_the_situation_of_a_sheet_gives_the_same_ruling(run: Run, position: str, tmp_path: Path) -> None:
    sheet, again = tmp_path / "ruling.md", tmp_path / "again.yaml"
    before = run("ask", position, PLACE, "--sheet", str(sheet)).out
    again.write_text(sheet.read_text().split("```yaml\n")[1].split("\n```")[0])
    assert run("ask", str(again), PLACE).out.split("\n")[0] == before.split("\n")[0]


def test_no_input_is_replaced(run: Run, position: str, tmp_path: Path) -> None:
    os.symlink(position, tmp_path / "link.md")
    for words in (("--sheet", str(tmp_path / "link.md")), ("-o", position)):
        found = run("ask", position, PLACE, *words, "--format", "json")
        assert (found.code, found.document["errors"][0]["code"]) == (2, "output-is-input")
    both = run("ask", position, PLACE, "--sheet", str(tmp_path / "x"), "-o", str(tmp_path / "x"), "--format", "json")
    assert (both.code, both.document["errors"][0]["code"]) == (2, "usage")
    assert run("ask", position, PLACE, "-o", "-", "--format", "json").document["errors"][0]["code"] == "usage"
    assert Path(position).read_text() == POSITION
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    ("question", "code", "message"),
    [
        ("foo(", "unreadable", "never closed"),
        ("", "unreadable", ""),
        ("total_victory", "missing-side", "which side's total_victory?"),
        ("total_victory Martians", "missing-side", "Martians has no outcome total_victory"),
        ("place", "missing-entry", "place needs it"),
        ("placed: {power: Germans}", "unknown-name", "there is no event 'placed'"),
        ("happens(end_turn)", "not-here", "'happens' speaks of the last event of a record"),
        ("owner(Karelya)", "unknown-name", "unknown territory 'Karelya'"),
        (
            "place: {power: Germans, unit: infantry, territory: Karelya}",
            "unknown-name",
            "unknown territory 'Karelya'",
        ),
    ],
)
def test_bad_questions_are_bad_input(run: Run, question: str, code: str, message: str) -> None:
    found = run("ask", GAME, question, "--format", "json")
    first = found.document["errors"][0]
    assert (found.code, first["code"]) == (2, code)
    assert message in first["message"]
    assert first["file"] == "question"


def test_a_time_limit_leaves_readings_open(run: Run) -> None:
    found = run("ask", str(ROOT / "examples" / "first_turns.yaml"), "vcp(Axis)", "--timeout", "0.000001")
    assert found.code == 0
    assert "Not all of them were tried: the time is up." in found.out


@pytest.mark.parametrize(
    "question",
    [
        "{place: {power: Germans, unit: infantry, territory: Karelia}}",
        "place(Germans, infantry, 1, Karelia S.S.R.)",
        " place: {power: Germans, unit: infantry, territory: 'Karelia S.S.R.'} ",
    ],
)
def test_an_event_may_be_pasted_from_a_record_or_an_answer(run: Run, question: str) -> None:
    found = run("ask", "axis_allies", question, "--format", "json")
    assert found.code == 1
    assert found.document["question"] == "place(Germans, infantry, 1, Karelia S.S.R.)"


def test_an_event_without_arguments_may_be_pasted_too(run: Run) -> None:
    assert run("ask", "axis_allies", "end_turn()").out == run("ask", "axis_allies", "end_turn").out
    assert run("ask", "axis_allies", "place(Germans)").code == 2

"""What only POSIX has is not needed for questions; the one command that needs it says so."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_process import vclogic
from tests.fixtures.pace import HANGS

POSITION = "game: axis_allies\nstate: {turn: Germans}\n"
PLACE = "place: {power: Germans, unit: infantry, territory: Karelia}"


def without_posix(*words: str) -> subprocess.CompletedProcess[str]:
    """The command, where all of it is missing."""
    command = [sys.executable, "-m", "tests.fixtures.without_posix", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=HANGS, check=False)


@pytest.mark.parametrize(
    "words",
    [
        ("status",),
        pytest.param(("ask", PLACE), marks=pytest.mark.slow),
        ("plan", "--side", "Axis", "--goal", "vcp(Axis) >= 40"),
        pytest.param(("reach", "--goal", "vcp(Axis) >= 70"), marks=pytest.mark.slow),
    ],
    ids=lambda words: words[0],
)
def test_questions_have_the_same_answer(words: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "p.yaml"
    file.write_text(POSITION)
    asked = (words[0], str(file), *words[1:], "--format", "json")
    found, usual = without_posix(*asked), vclogic(*asked)
    assert (found.returncode, found.stderr) == (usual.returncode, "")
    left_out = ("elapsed_s", "proof", "attempts")
    assert _plain(found.stdout, left_out) == _plain(usual.stdout, left_out)


def _plain(text: str, left_out: tuple[str, ...]) -> dict[str, object]:
    return {key: value for key, value in json.loads(text).items() if key not in left_out}


def test_files_are_written(tmp_path: Path) -> None:
    picture = tmp_path / "a.svg"
    assert without_posix("render", "okinawa", "-o", str(picture)).returncode == 0
    assert picture.read_text().startswith("<svg")


@pytest.mark.parametrize("words", [(), ("--stdio",)])
def test_serve_says_what_it_needs(words: tuple[str, ...]) -> None:
    found = without_posix("serve", *words)
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.startswith("error[not-here]: `serve` needs Linux, macOS or the like\n")

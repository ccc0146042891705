"""Standard output holds the answer and nothing else, whatever a library writes to it, through every door."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.pace import HANGS
from tests.fixtures.serving import Talk, talk
from tests.fixtures.web_server import serving
from vclogic.game import Game
from vclogic.solve.backends.libraries import highspy

NOISY = Path(__file__).parent / "fixtures" / "noisy"
NOISE = "what a library prints"
QUESTION = {"ask": "plan", "side": "Axis", "goal": "vcp(Axis) >= 40"}
WORDS = ("plan", "axis_allies", "--side", "Axis", "--goal", "vcp(Axis) >= 40")


def vclogic(*words: str, shell: str = '"$@"') -> subprocess.CompletedProcess[str]:
    """The command, where HiGHS prints."""
    command = ["/bin/sh", "-c", shell, "sh", sys.executable, "-m", "vclogic", *words]
    environment = {**os.environ, "PYTHONPATH": str(NOISY)}
    return subprocess.run(command, capture_output=True, text=True, timeout=HANGS, check=False, env=environment)


def test_a_command_says_its_answer_alone() -> None:
    found = vclogic(*WORDS, "--format", "json")
    assert found.returncode == 0
    assert json.loads(found.stdout)["schema"] == "vclogic/plan/2"
    assert NOISE in found.stderr


def test_a_command_whose_standard_error_is_closed() -> None:
    found = vclogic(*WORDS, shell='exec "$@" 2>&-')
    assert found.returncode == 0
    assert found.stdout.startswith("Fewest captures to vcp(Axis) >= 40")
    assert NOISE not in found.stdout


def test_a_file_that_is_written_while_standard_output_is_closed(tmp_path: Path) -> None:
    """The file must not get the descriptor to which libraries write."""
    file = tmp_path / "plan.yaml"
    found = vclogic(*WORDS, "--record", str(file), shell='exec "$@" >&- 2>&-')
    assert found.returncode == 0
    assert "Russia" in file.read_text()
    assert NOISE not in file.read_text()


def test_requests_by_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(NOISY))
    with talk() as at:  # each line that it says is read as an answer
        at.ask("load", game="axis_allies", name="start")
        assert at.ask(**QUESTION, moment="start")["schema"] == "vclogic/plan/2"
        assert NOISE in _noise_at_end(at)


def _noise_at_end(at: Talk) -> str:
    assert at.process.stdin is not None
    at.process.stdin.close()
    at.process.wait(60)
    return at.errors()


def test_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(NOISY))
    with serving(tmp_path) as server:
        status, replies = server.ask({**QUESTION, "moment": {"game": "axis_allies"}})
        assert (status, replies[-1]["answer"]["schema"]) == (200, "vclogic/plan/2")
        server.process.terminate()
        assert server.process.stdout is not None
        said = server.process.stdout.read()
    assert said == f"It shows the installed games and files of {tmp_path}, to this machine alone. Ctrl+C ends it.\n"


def test_a_python_program(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    """Its standard output is its own; HiGHS, which greets unless it was told to be silent, is told before."""
    enable, greetings = highspy.Highs.enableCallbacks, []

    def greets(self: Any) -> Any:
        greetings.append("Running HiGHS\n" if self.getOptionValue("output_flag")[1] else "")
        os.write(1, greetings[-1].encode())
        return enable(self)

    monkeypatch.setattr(highspy.Highs, "enableCallbacks", greets)
    answer = Game.load("axis_allies").plan("vcp(Axis) >= 40", side="Axis")
    assert (answer.status, bool(greetings)) == ("optimal", True)
    assert capfd.readouterr().out == ""

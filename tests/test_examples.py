"""Every example runs, and the demo is what the README says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from vclogic.game import Game

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"


@pytest.mark.parametrize("script", sorted(EXAMPLES.glob("*.py")), ids=lambda p: p.name)
def test_scripts_run(script: Path) -> None:
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout


@pytest.mark.parametrize("position", sorted(EXAMPLES.glob("*.yaml")), ids=lambda p: p.name)
def test_positions_load(position: Path) -> None:
    status = Game.load(str(position)).status()
    assert status.outcomes


def test_the_demo_is_the_command_that_the_readme_names() -> None:
    command = re.search(r"\$\(BIN\)/(vclogic plan .*)", (ROOT / "Makefile").read_text())
    assert command is not None
    assert f"`{command[1]}`" in (ROOT / "README.md").read_text()

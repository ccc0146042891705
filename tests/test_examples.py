"""Every example runs, and the README's figures are what the commands answer."""

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


def test_the_demo_is_the_readmes_first_plan() -> None:
    make = (ROOT / "Makefile").read_text()
    command = re.search(r"\$\(BIN\)/(vclogic plan .*)", make)
    assert command is not None
    readme = (ROOT / "README.md").read_text()
    assert f"$ {command[1]}\n" in readme
    assert "optimal: 3 captures, and fewer cannot do" in readme


def test_the_readmes_python_runs() -> None:
    readme = (ROOT / "README.md").read_text()
    block = re.search(r"```python\n(.*?)```", readme, re.DOTALL)
    assert block is not None
    code = block[1]
    assert "'closure'" in code
    namespace: dict[str, object] = {}
    exec(code, namespace)  # the README's own text
    expressions = [line.split("#")[0].strip() for line in code.splitlines() if "# 26" in line or "'Russians'" in line]
    fresh: dict[str, object] = {}
    exec('import vclogic\ngame = vclogic.load("axis_allies/revised-1942")', fresh)
    assert [eval(e, fresh) for e in expressions] == [26, "Russians"]

"""The clients in other languages under examples/clients, where what runs them is installed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fixtures.pace import HANGS

CLIENTS = Path(__file__).parents[2] / "examples" / "clients"
SERVER = [sys.executable, "-m", "vclogic", "serve", "--stdio"]
SHOWN = """\
game: axis_allies/revised-1942
Axis: 26 of 40 points
end_turn is legal
plan: optimal, 3 captures
  Germans take Russia (Moscow, 5 VCP) from West Russia
  Germans take United Kingdom (London, 5 VCP) by sea from Norway
  Germans take Eastern United States (Washington, 5 VCP) by sea from United Kingdom
after it: 41 points
the long question: cancelled
unknown side or power 'Axes' (did you mean 'Axis' or 'Allies'?)
exit code 0
"""


@pytest.mark.parametrize(("program", "client"), [("node", "client.js"), ("java", "Client.java")])
def test_a_client_plays_a_short_game(program: str, client: str) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    done = subprocess.run(
        [program, CLIENTS / client, *SERVER], capture_output=True, text=True, timeout=HANGS, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, SHOWN, "")


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_a_client_is_told_when_the_server_is_not_there() -> None:
    code = "const { Vclogic } = require(process.argv[1]); new Vclogic(process.argv.slice(2)).ask('version')"
    code += ".catch((error) => console.log('told:', error.message))"
    for command, said in ((["no such program"], "ENOENT"), ([sys.executable, "-c", "pass"], "vclogic has ended (0)")):
        done = subprocess.run(
            ["node", "-e", code, CLIENTS / "client.js", *command],
            capture_output=True, text=True, timeout=HANGS, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("told:"), done.stderr
        assert said in done.stdout

"""The command line from nothing to its answer, against starting Python and against importing z3."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from benchmarks.runner import Comparison, side_by_side

AIM = "a status in less than 0.4 s"
_VCLOGIC = str(Path(sys.executable).with_name("vclogic"))


def run() -> Iterator[Comparison]:
    """Processes from start to end."""
    commands = {
        "vclogic status axis_allies": (_VCLOGIC, "status", "axis_allies"),
        "vclogic status axis_allies --format json": (_VCLOGIC, "status", "axis_allies", "--format", "json"),
        "vclogic --help": (_VCLOGIC, "--help"),
        "python -c pass": (sys.executable, "-c", "pass"),
        "python -c 'import z3'": (sys.executable, "-c", "import z3"),
    }
    calls = {name: partial(_start, words) for name, words in commands.items()}
    yield Comparison("a process, from start to end", side_by_side(calls, rounds=10, share=0))


def _start(words: Sequence[str]) -> None:
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)

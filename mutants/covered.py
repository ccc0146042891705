"""A plugin for pytest that notes which lines of the engine a test runs: `python3.12 -m pytest -p mutants.covered`.

Lines that only another process runs (a worker, a command) are not seen, nor those whose result an earlier test left
in a cache: of a test that stands alone it is exact, of a run it is what the first to come needed.
"""

from __future__ import annotations

import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

from tests.fixtures.budget import processor_time

ROOT = Path(__file__).parent.parent
ENGINE = str(ROOT / "vclogic") + os.sep
NOTED = ROOT / "build" / "covered"
"""A file of JSON lines for each process of pytest: test, seconds of processor time, lines by file."""
_monitoring: Any = getattr(sys, "monitoring", None)
_lines: defaultdict[str, set[int]] = defaultdict(set)


@dataclass(frozen=True)
class Covered:
    """A test and what it runs of the engine.

    Attributes:
        test: Its id, as pytest takes it.
        seconds: Of processor time, with those of the processes that it starts.
        lines: Numbers of lines by file, from the root.
    """

    test: str
    seconds: float
    lines: Mapping[str, frozenset[int]]


def covered() -> Sequence[Covered]:
    """What is noted, the last note of each test; none where nothing was."""
    found: dict[str, Covered] = {}
    for file in sorted(NOTED.glob("*.jsonl"), key=lambda f: f.stat().st_mtime):
        for line in file.read_text(encoding="utf-8").splitlines():
            test, seconds, lines = json.loads(line)
            found[test] = Covered(test, seconds, {f: frozenset(n) for f, n in lines.items()})
    return list(found.values())


def pytest_configure() -> None:
    """Begins to listen.

    Raises:
        UsageError: This Python cannot tell which lines are run; 3.12 can.
    """
    if _monitoring is None:
        raise pytest.UsageError("mutants.covered needs Python 3.12: older ones have no sys.monitoring")
    tool = _monitoring.COVERAGE_ID
    _monitoring.use_tool_id(tool, "mutants.covered")
    _monitoring.register_callback(tool, _monitoring.events.PY_START, _begun)
    _monitoring.register_callback(tool, _monitoring.events.LINE, _line)
    _monitoring.set_events(tool, _monitoring.events.PY_START)
    NOTED.mkdir(parents=True, exist_ok=True)


def _begun(code: CodeType, _offset: int, engine: str = ENGINE, monitoring: Any = _monitoring) -> object:
    if code.co_filename.startswith(engine):
        monitoring.set_local_events(monitoring.COVERAGE_ID, code, monitoring.events.LINE)
    return monitoring.DISABLE


def _line(code: CodeType, number: int, lines: Any = _lines, monitoring: Any = _monitoring) -> object:
    lines[code.co_filename].add(number)
    return monitoring.DISABLE  # until the next test begins


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Notes one test: set-up, call, what follows."""
    _lines.clear()
    _monitoring.restart_events()
    before = processor_time()
    try:
        return (yield)
    finally:
        seconds = round(processor_time() - before, 3)
        lines = {str(Path(f).relative_to(ROOT)): sorted(n) for f, n in _lines.items()}
        with (NOTED / f"{os.getpid()}.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps([item.nodeid, seconds, lines]) + "\n")

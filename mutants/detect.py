"""One detector over the encoding of a sandbox, as a process: `python -m mutants.detect DETECTOR GAME FOLDER`.

The last line that it prints is its verdict as JSON.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import vclogic
from tests.fixtures.scenarios import smallest
from vclogic.errors import InputError, RulesError
from vclogic.files.registry import encoding_names, folder_of
from vclogic.files.rulings.case_files import load_cases
from vclogic.query.test.rulings import test_game, try_case

ROOT = Path(__file__).parent.parent
CHECK_SECONDS = 15
ALSO_CHECKED = ("napoleonics/sankt-veit",)
"""Scenarios that have what the smallest one lacks: permanent and turn start objectives."""
LEFT_OUT = ("VC5",)
"""What takes long to decide, and is found in sound rule sets too."""
CONFORMANCE = "not single_step and not costs_nothing and not choice_of_settings and not portable and not come_back"
"""The tests of conformance that are quick: play, Python against z3, invariants, effects, citations."""


def rulings(game: str) -> str:
    """How many rulings fail; empty if all hold."""
    results = test_game(game).cases
    failed = [r for r in results if r.status != "passed"]
    return f"{len(failed)} of {len(results)}" if failed else ""


def ruling(game: str) -> str:
    """The first ruling that fails; empty if all hold."""
    tried = (try_case(case) for case in load_cases(game))
    return next((r.name for r in tried if r.status != "passed"), "")


def check(game: str) -> str:
    """The codes of what `check` finds on the smallest scenario, and others, and the game does not explain."""
    scenarios = (smallest(game), *(s for s in ALSO_CHECKED if s.startswith(f"{game}/")))
    answers = [vclogic.load(s).check(ignore=list(LEFT_OUT), timeout=CHECK_SECONDS) for s in scenarios]
    return ", ".join(sorted({f.code for answer in answers for f in answer.open}))


class _Failed:
    """A plugin for pytest that remembers what fails."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def pytest_runtest_logreport(self, report: object) -> None:
        """Called by pytest for each part of each test."""
        if getattr(report, "failed", False):
            self.names.append(str(getattr(report, "nodeid", "")).partition("::")[2].partition("[")[0])

    def pytest_collectreport(self, report: object) -> None:
        """Called by pytest for each file of tests."""
        if getattr(report, "failed", False):
            self.names.append("not loaded")


def conformance(game: str) -> str:
    """The first test of conformance that fails on the smallest scenario; empty if none."""
    import pytest

    file = ROOT / "tests" / "conformance" / "test_conformance.py"
    failed = _Failed()
    options = ["-x", "-q", "-o", "pythonpath=", "-p", "no:cacheprovider", "-p", "no:xdist", "--rootdir", str(ROOT)]
    pytest.main([str(file), *options, "-k", f"{smallest(game)} and {CONFORMANCE}"], plugins=[failed])
    return failed.names[0].removeprefix("test_").replace("_", " ") if failed.names else ""


DETECTORS: Mapping[str, Callable[[str], str]] = {
    "rulings": rulings,
    "check": check,
    "conformance": conformance,
    "ruling": ruling,
}


def main(detector: str, game: str, folder: str) -> None:
    """Prints what a detector says of the encoding in a folder.

    Raises:
        RuntimeError: The encoding that is seen is not the one in the folder.
    """
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            seen = folder_of(game)
            if encoding_names() != (game,) or not Path(seen).is_relative_to(Path(folder).resolve()):
                raise RuntimeError(f"not the copy in {folder} is seen, but {seen}")
            what = DETECTORS[detector](game)
        except (InputError, RulesError) as error:
            what = f"broken: {error}"
    print(json.dumps({"caught": bool(what), "what": what}))


if __name__ == "__main__":
    main(*sys.argv[1:])

"""What a run leaves out, and what it tells of the time that its tests took."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Literal, get_args

import pytest

from tests.fixtures import budget
from tests.fixtures.budget import MOST, RELEASE, SPENT, Budget

HERE = "test_budget.py"
When = Literal["setup", "call", "teardown"]
ROOT = Path(__file__).parents[1]


def test_cases_and_whole_tests_are_left_to_a_long_run(request: pytest.FixtureRequest) -> None:
    _, test, _ = budget.parts(request.node)
    assert not Budget({}).is_long(request.node)
    assert Budget({HERE: {test: "all"}}).is_long(request.node)
    assert not Budget({HERE: {test: ["another case"]}}).is_long(request.node)
    assert Budget({HERE: {budget.ANY: ["another", ""]}}).is_long(request.node)
    assert not Budget({HERE: {budget.ANY: ["another*"]}}).is_long(request.node)


def test_what_no_test_is_called_is_named(request: pytest.FixtureRequest) -> None:
    _, test, _ = budget.parts(request.node)
    wrong = Budget({HERE: {"test_nothing": "all", test: ["no case"]}})
    assert wrong.unknown([request.node]) == [f"{HERE}::test_nothing", f"{HERE}::{test}[no case]"]
    assert Budget({HERE: {budget.ANY: ["a scenario*"]}}).unknown([request.node]) == []
    assert Budget({"elsewhere.py": {"test_nothing": "all"}}).unknown([request.node]) == []


def _report(name: str, when: When, seconds: float) -> pytest.TestReport:
    spent = [(SPENT, seconds), ("other", 9)]
    return pytest.TestReport(name, (HERE, 0, name), {}, "passed", None, when, user_properties=spent)


def test_the_dearest_are_told_and_the_sum_beside_that_of_the_last_release() -> None:
    reports = [_report(f"t{i}", when, i) for i in range(MOST + 5) for when in get_args(When)]
    *dearest, every = budget.told(reports, whole=True)
    assert [line.split() for line in dearest] == [[f"{i}.0", "s", f"t{i}"] for i in range(MOST + 4, 4, -1)]
    version, seconds = RELEASE
    assert every == f"   315 s  in all; those of {version} took {seconds:.0f} s"
    assert [*budget.told(reports, whole=False)][-1] == "   315 s  in all"


@pytest.mark.parametrize("split", [("-n", "0"), ("-n", "2")], ids=["in one process", "in two"])
def test_a_run_over_all_tests_ends_with_it(split: tuple[str, ...]) -> None:
    """As `make test` runs, where the project's tests are those of one file."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *split]
    for more, said in ((("-o", "testpaths=tests/test_words.py"), True), (("tests/test_words.py",), False)):
        done = subprocess.run([*command, *more], cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout
        lines = [line for line in done.stdout.splitlines() if re.match(r" *[\d.]+ s  ", line)]
        assert bool(lines) == said
        if said:
            assert all("tests/test_words.py::" in line for line in lines[:-1])
            assert f"in all; those of {RELEASE[0]} took" in lines[-1]

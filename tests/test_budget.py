"""What tests may take of the processor."""

from __future__ import annotations

from typing import Any

import pytest

from tests.fixtures import budget
from tests.fixtures.budget import LIMIT, SLACK, Budget

HERE = "test_budget.py"
NONE = Budget({}, {}, {})


def test_cases_and_whole_tests_are_left_to_a_long_run(request: pytest.FixtureRequest) -> None:
    _, test, _ = budget.parts(request.node)
    assert not NONE.is_long(request.node)
    assert Budget({HERE: {test: "all"}}, {}, {}).is_long(request.node)
    assert not Budget({HERE: {test: ["another case"]}}, {}, {}).is_long(request.node)
    assert Budget({HERE: {budget.ANY: ["another", ""]}}, {}, {}).is_long(request.node)
    assert not Budget({HERE: {budget.ANY: ["another*"]}}, {}, {}).is_long(request.node)


def test_what_no_test_is_called_is_named(request: pytest.FixtureRequest) -> None:
    _, test, _ = budget.parts(request.node)
    wrong = Budget({HERE: {"test_nothing": "all", test: ["no case"]}}, {"Why": [f"{HERE}::test_none", HERE]}, {})
    assert wrong.unknown([request.node]) == [f"{HERE}::{name}" for name in ("test_nothing", "test_none")] + [
        f"{HERE}::{test}[no case]"
    ]
    assert Budget({HERE: {budget.ANY: ["a scenario*"]}}, {}, {}).unknown([request.node]) == []
    assert Budget({"elsewhere.py": {"test_nothing": "all"}}, {}, {}).unknown([request.node]) == []


def test_folders_have_sums() -> None:
    found = Budget({}, {}, {"query": 10, "cli": 5})
    assert found.over({"query": SLACK * 10, "cli": SLACK * 5 + 1}) == ["cli: 11 s, its sum is 5 s"]


@pytest.mark.parametrize(
    ("seconds", "dear", "outcome", "times"),
    [
        ([LIMIT], False, "passed", 1),
        ([9.0, LIMIT], False, "passed", 2),  # the first to ask makes what others use after it
        ([9.0, 9.0], False, "failed", 2),
        ([9.0], True, "passed", 1),
    ],
    ids=["quick", "quick once warm", "slow", "dear"],
)
def test_a_test_that_is_too_slow_twice_fails_unless_it_is_listed(
    seconds: list[float],
    dear: bool,
    outcome: str,
    times: int,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    left, runs = iter(seconds), []

    def timed(item: pytest.Item, nextitem: pytest.Item | None) -> tuple[list[pytest.TestReport], float]:
        runs.append(item)
        return [pytest.TestReport(item.nodeid, item.location, {}, "passed", None, "call")], next(left)

    class Item:
        nodeid, location, path, name = HERE, (HERE, 0, "test"), request.node.path, "test_it"

        def get_closest_marker(self, name: str) -> None:
            """It has none."""

        def _initrequest(self) -> None:
            """It is run again."""

    monkeypatch.setattr(budget, "_timed", timed)
    monkeypatch.setattr(budget, "slowness", lambda: 1.0)
    item: Any = Item()
    (report,) = budget.run(item, None, Budget({}, {"Why": [HERE]} if dear else {}, {}))
    assert (report.outcome, len(runs)) == (outcome, times)

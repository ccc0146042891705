"""Wrong answers are noticed, and so are answers that cannot all be right."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from benchmarks.race.judge import disagreements, flaw, flaw_of_ours
from benchmarks.race.runs import NOT_RUN, Run, read_answer, repeated

LINE = {
    "kind": "captures",
    "land": ["home", "near", "far"],
    "sea": [],
    "connections": [["home", "near"], ["near", "far"]],
    "canals": [],
    "sea_range": 0,
    "held": ["home"],
    "weights": {"far": 3},
    "least": 3,
}
PROGRAM = {
    "kind": "programs",
    "programs": [
        {"columns": [[0, 4], [0, 4]], "rows": [[[[0, 1], [1, 2]], 5, None]], "objective": [[0, 1]], "constant": 2}
    ],
}


def run(cost: int | None, solution: Any = None, *, proved: bool = True, lower: int | None = None) -> Run:
    return Run({"cost": cost, "proved": proved, "solution": solution, "lower": lower}, 1.0)


@pytest.mark.parametrize(
    ("cost", "taken", "said"),
    [
        (2, [0, 1], None),
        (1, [0, 1], "2 captures are said to cost 1"),
        (1, [1], "the captures cannot be played"),
        (1, [0], "the captures cannot be played"),
    ],
)
def test_captures_are_played(cost: int, taken: list[int], said: str | None) -> None:
    assert flaw(LINE, run(cost, taken)) == said
    assert flaw_of_ours(LINE, run(cost, [["near", "far"][i] for i in taken])) == said


@pytest.mark.parametrize(
    ("cost", "values", "said"),
    [
        (3, [1, 2], None),
        (2, [1, 2], "the solution costs 3, not 2"),
        (2, [0, 2], "row 0 does not hold"),
        (7, [5, 0], "column 0 is 5, outside of its bounds"),
    ],
)
def test_rows_are_evaluated(cost: int, values: list[int], said: str | None) -> None:
    assert flaw(PROGRAM, run(cost, [0, values])) == said


def test_an_error_is_no_answer() -> None:
    error = '{"schema": "vclogic/error/2", "status": "error", "errors": [{"message": "a bug"}]}'
    status = '{"schema": "vclogic/status/1", "winner": null}'
    assert read_answer(status)["proved"]
    with pytest.raises(ValueError, match="a bug"):
        read_answer(error)
    told = repeated([sys.executable, "-c", f"print({error!r}); raise SystemExit('it broke')"], 60.0, read_answer)
    assert (told.proved, told.cost, told.trouble) == (False, None, "it broke")


def test_nothing_is_said_of_what_was_not_run() -> None:
    assert flaw(LINE, NOT_RUN) is None
    assert list(disagreements({"a": NOT_RUN, "b": run(3)})) == []


def test_all_that_are_proved_must_agree() -> None:
    assert list(disagreements({"a": run(3), "b": run(3), "c": run(9, proved=False, lower=2)})) == []
    assert list(disagreements({"a": run(3), "b": run(4)})) == ["a proves 3, b proves 4"]
    assert list(disagreements({"a": run(3), "b": run(None)})) == ["a proves 3, b proves none"]
    assert list(disagreements({"a": run(3), "b": run(None, proved=False, lower=4)})) == [
        "b says at least 4, but 3 was found"
    ]
    assert list(disagreements({"a": run(3), "b": run(2, proved=False)})) == ["a proves 3, but b found 2"]

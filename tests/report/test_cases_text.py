from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rich.console import RenderableType

from tests.report import answers
from vclogic.report.text.designing.test import test as report

Piped = Callable[[RenderableType], str]


def test_failures_read_like_this(piped: Piped) -> None:
    assert (
        piped(report(answers.TESTED))
        == """\
failed: a hill [is] held [C/2]
  --> cases/hills.yaml:8:7
  expected: owner(Hill) == Red
  got:      owner(Hill) is Blue
  as expected: round == 1

skirmish: 1 ruling failed, 1 passed. 1 expectation of 3 not met.
"""
    )


def test_success_is_one_line(piped: Piped) -> None:
    assert piped(report(replace(answers.TESTED, cases=answers.TESTED.cases[:1]))) == "skirmish: 1 ruling passed.\n"
    assert piped(report(replace(answers.TESTED, cases=()))) == "skirmish has no rulings.\n"

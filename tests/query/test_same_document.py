"""The same question gives the same document: in every process, whichever engine is first, busy or idle.

The long hunt asks each question once for each seed, a few seconds of processor time each: run
`python -m pytest -m slow tests/query/test_same_document.py`, with `-k seed1` (to `seed4`) or `-k busy` for a part of
it. Plans with armies are not among them: their choices are numbers, so others of the same cost may be shown.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import pytest

from tests.fixtures.elsewhere import ENGINES, documents

QUICK = """
missing axis_allies --goal 'vcp(Axis) >= 40' --limit 5
plan moscow/small --side German --minimize turns --within 3 --maximize 'grade(German)'
check skirmish/small
"""
"""Each needs that of many answers as good the same one is chosen, whichever engine is first."""
BEFORE = """
status moscow --explain=all
status moscow/small --explain=all
status okinawa --explain=all
status okinawa/small --explain=all
"""
"""Each has rules of the other one of its game."""
MANY = """
status axis_allies --explain=all
status okinawa/small --whole
status examples/asl_22u3.yaml
status napoleonics --explain=all
rules moscow
rules asl
legal axis_allies --side Allies
legal asl --side Russian
legal examples/crossroads.yaml
plan axis_allies --side Axis --goal 'vcp(Axis) >= 50'
plan axis_allies --side Axis --goal 'vcp(Axis) >= 33' --plans 3
plan axis_allies --side Axis --maximize 'vcp(Axis)' --within 3
plan axis_allies --goal 'vcp(Allies) >= 41' --minimize turns
plan okinawa/small --goal 'cut_off_points >= 5' --side Japan --minimize moves --within 2
plan napoleonics/erlenbach --goal 'banners(French) >= 1' --minimize turns --within 2
reach axis_allies --goal 'placed(Germany, infantry) >= 3' --side Axis
reach axis_allies --goal 'vcp(Axis) >= 33' --side Axis
reach axis_allies --goal 'vcp(Axis) >= 66'
reach examples/asl_vehicle_alone.yaml --goal 'controls_building(Russian, 22U3)' --opponent helps
reach asl --goal 'controls_hex(Russian, 22V2) and not controls_location(Russian, 22V2/1)'
missing moscow/small --goal 'vp(German) >= 3' --limit 3
missing asl --goal 'controls_building(Russian, 22U3)' --limit 3
missing axis_allies --goal 'vcp(Axis) >= 66'
compare okinawa --set-b northern_points=once
compare napoleonics --set-b combat=adjacent --timeout 600
check axis_allies
check examples/crossroads.yaml
check okinawa --ignore VC502 --timeout 600
objectives axis_allies --side Axis --goal 'vcp(Axis) >= 36' --timeout 600
objectives asl/22u3 --side Russian --timeout 600
objectives okinawa/small --side Japan --within 2 --timeout 600
objectives moscow/small --side German --goal 'vp(German) >= 2' --within 2 --timeout 600
objectives napoleonics/erlenbach --side French --goal 'banners(French) >= 1' --within 2 --timeout 600
solve skirmish/small
ask examples/asl_22u3.yaml 'controls_building(Russian, 22U3)' --all-readings
plan skirmish/small --side Red --goal 'number(Blue) <= 1' --within 2 --opponent best
"""


def questions(text: str) -> list[list[str]]:
    """The words of each command line."""
    return [shlex.split(line) for line in text.split("\n") if line]


def test_a_document_does_not_depend_on_the_order_of_sets_or_on_the_engine_that_is_first() -> None:
    asked = questions(QUICK)
    first, other = (documents(asked, seed, engine) for seed, engine in enumerate(ENGINES))
    assert all(code == 0 for code, _ in first)
    for words, one, another in zip(asked, first, other, strict=True):
        assert one == another, words


def test_a_document_does_not_depend_on_what_was_asked_before() -> None:
    """What stands side by side, and which of as good reasons is named."""
    asked = questions(BEFORE)
    assert documents(asked, 0, ENGINES[0]) == documents(asked[::-1], 0, ENGINES[0])[::-1]


@contextmanager
def busy() -> Iterator[None]:
    """Programs beside the tests that leave them little of the machine."""
    beside = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(6)]
    try:
        yield
    finally:
        for one in beside:
            one.kill()
            one.wait()


@cache
def expected(words: tuple[str, ...]) -> list[Any]:
    """What is answered first."""
    return documents([words], 0, ENGINES[0])


@pytest.mark.slow
@pytest.mark.parametrize("words", [tuple(q) for q in questions(QUICK + MANY)], ids=shlex.join)
@pytest.mark.parametrize("seed", range(1, 5), ids="seed{}".format)
def test_documents_under_other_seeds(words: tuple[str, ...], seed: int) -> None:
    assert documents([words], seed, ENGINES[seed % 2]) == expected(words)


@pytest.mark.slow
@pytest.mark.parametrize("words", [tuple(q) for q in questions(QUICK + MANY)], ids=shlex.join)
def test_documents_while_the_machine_is_busy(words: tuple[str, ...]) -> None:
    with busy():
        found = documents([words], 5, "")
    assert found == expected(words)

"""HiGHS inside the test's own process: the worker's own code, without the start of a process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from vclogic.encode.affine import Program
from vclogic.solve import highs, highs_worker
from vclogic.solve.highs import Asked, Race
from vclogic.solve.session import Deadline


def cheapest(program: Program) -> tuple[str, list[int] | None]:
    """How a search for solutions of a program ends, and the cheapest that it tells."""
    told: list[list[int]] = []

    def tell(**line: Any) -> None:
        if "solution" in line:
            told.append(line["solution"])

    request = Race(Asked(program, ()), lambda message: None).request(Deadline(60))
    answer = highs_worker.solve("plans", request, tell)
    return answer["status"], told[-1] if told else None


def _run(race: Race, deadline: Deadline) -> None:
    request = race.request(deadline)
    for engine in highs.ENGINES:
        race.take(highs_worker.solve(engine, request, lambda e=engine, **line: race.take(line, e)), engine)


@contextmanager
def local_highs() -> Iterator[None]:
    """HiGHS runs here, first for plans, then for the proof."""
    with patch.object(Race, "run", _run):
        yield

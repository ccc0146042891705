"""HiGHS inside the test's own process: the worker's own code, without the start of a process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from vclogic.solve.backends import highs, highs_worker
from vclogic.solve.backends.highs import Engines, Race
from vclogic.solve.backends.session import Deadline


def _run(race: Race, deadline: Deadline, engines: Engines) -> None:
    request = race.request(deadline)
    for engine in highs.ENGINES:
        race.take(highs_worker.solve(engine, request, lambda e=engine, **line: race.take(line, e)), engine)


@contextmanager
def local_highs() -> Iterator[None]:
    """HiGHS runs here, first for plans, then for the proof."""
    with patch.object(Race, "run", _run):
        yield

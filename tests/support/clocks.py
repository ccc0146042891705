"""A clock that says that the time is up once it has been looked at so many times: no test has to wait for it."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch


class Looks:
    """Stands in for the module `time` in `vclogic.clock`.

    Attributes:
        left: How many looks there still are before the time is up.
    """

    def __init__(self, most: float):
        self.left = most

    def monotonic(self) -> float:
        """The time, which ends for good after the last look."""
        self.left -= 1
        return time.monotonic() if self.left >= 0 else math.inf

    def thread_time(self) -> float:
        """The work done."""
        return time.thread_time()


@contextmanager
def looks(most: float) -> Iterator[Looks]:
    """The time is up for every question after so many looks at the clock."""
    fake = Looks(most)
    with patch("vclogic.clock.time", fake):
        yield fake

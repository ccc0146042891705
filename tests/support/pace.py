"""How many examples a property test takes, and how late a busy machine may be."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, settings

MORE = float(os.environ.get("MORE_EXAMPLES", "0"))
"""Set it to 20, say, to try 20 times as many examples, other ones each time; unset, every run is the same."""
USUAL = 0.3
"""The share of the examples in a run that is the same each time, so that the whole suite takes minutes."""
BUSY = 30.0
"""Seconds that a busy machine may be late where a test sets a limit: what keeps none takes minutes or for ever."""


def examples(number: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Settings for so many examples, the same in every run."""
    return settings(
        max_examples=max(int(number * (MORE or USUAL)), 1),
        derandomize=not MORE,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
    )

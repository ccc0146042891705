"""Which conformance tests are left out of a usual run, since they take long."""

from __future__ import annotations

import pytest

SLOW = tuple(
    f"test_every_event_occurs_in_a_witness[{game}]" for game in ("asl", "axis_allies", "okinawa", "napoleonics")
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """`make slow` runs them."""
    for item in items:
        if item.name in SLOW:
            item.add_marker(pytest.mark.slow)

"""Which conformance tests are left out of a usual run, since they take long."""

from __future__ import annotations

import pytest

SLOW = {f"test_every_event_occurs_in_a_witness[{game}]" for game in ("asl", "axis_allies", "okinawa", "napoleonics")}
SLOW |= {  # its map is the larger one of two, and rules are the same
    f"{name}[napoleonics/sankt-veit]"
    for name in ("test_every_event_keeps_the_invariants", "test_plans_of_random_goals_are_records")
}
BOTH = "test_python_and_z3_agree["


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """`make slow` runs them; a usual run reads each scenario in one of the two dialects of SMT-LIB, by turns."""
    read = [item for item in items if item.name.startswith(BOTH)]
    left = {item.name for n, item in enumerate(read) if (n // 2 + n) % 2}
    for item in items:
        if item.name in SLOW or item.name in left:
            item.add_marker(pytest.mark.slow)

"""Which conformance tests are left out of a usual run, since they take long; `make slow` runs them."""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest

SLOW = (
    # ASL has four scenarios of its own: one shows what they have in common
    "*[[]asl/1f3*",
    "*[[]asl/22u3*",
    "*[[]asl/points*",
)
BOTH = "test_python_and_z3_agree["


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A usual run reads each scenario in one of the two dialects of SMT-LIB, by turns."""
    read = [item for item in items if item.name.startswith(BOTH)]
    left = {item.name for n, item in enumerate(read) if (n // 2 + n) % 2}
    for item in items:
        if item.name in left or any(fnmatchcase(item.name, pattern) for pattern in SLOW):
            item.add_marker(pytest.mark.slow)

"""What holds for all tests."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

# Games are built of very many small objects that live long: looking for cycles among them as often as Python does
# takes a quarter of the time in which rule sets are built.
gc.set_threshold(50_000, 20, 100)


def pytest_collection_finish() -> None:
    """Modules and tests stay to the end: no collection has to look at them again."""
    gc.freeze()


@pytest.fixture
def only_new_objects_collected() -> Iterator[None]:
    """`gc.collect` looks at what the test makes, not at what all tests before it have left."""
    gc.freeze()
    yield
    gc.unfreeze()

"""What holds for all tests."""

from __future__ import annotations

import gc
import signal
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.fixtures import processes

# Games are built of very many small objects that live long: looking for cycles among them as often as Python does
# takes a quarter of the time in which rule sets are built.
gc.set_threshold(50_000, 20, 100)


def pytest_configure() -> None:
    """Interrupts are heard by the processes that tests start, also where a shell runs the tests in the background."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    """A random order may be asked for: whatever it is, the tests pass."""
    parser.addoption("--shuffle", type=int, metavar="SEED", help="in a random order: files, and tests in each")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests of a file stay together: what a file makes once is made once."""
    seed = config.getoption("--shuffle")
    if seed is None:
        return
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    chance, order = Random(seed), list(files.values())
    chance.shuffle(order)
    for tests in order:
        chance.shuffle(tests)
    items[:] = [item for tests in order for item in tests]


def pytest_collection_finish() -> None:
    """Modules and tests stay to the end: no collection has to look at them again."""
    gc.freeze()


@pytest.fixture
def only_new_objects_collected() -> Iterator[None]:
    """`gc.collect` looks at what the test makes, not at what all tests before it have left."""
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture
def nothing_left() -> Iterator[None]:
    """All processes that the test starts have ended with it."""
    with processes.nothing_left():
        yield

"""What holds for all tests."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from random import Random

import pytest

from tests.fixtures import budget, pace, processes, rule_sets

# Games are built of very many small objects that live long: looking for cycles among them as often as Python does
# takes a quarter of the time in which rule sets are built.
gc.set_threshold(50_000, 20, 100)

# Compiled modules are kept, also where that is switched off: else every process that a test starts compiles vclogic
# anew, which takes it twice as long, and every worker rewrites all assertions.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Of the games here, a rule set is built once in a process.
rule_sets.share()

BUDGET = pytest.StashKey[budget.Budget]()


def pytest_configure(config: pytest.Config) -> None:
    """Interrupts are heard by the processes that tests start, also where a shell runs the tests in the background."""
    config.stash[BUDGET] = budget.budget()
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    """A random order may be asked for: whatever it is, the tests pass."""
    parser.addoption("--shuffle", type=int, metavar="SEED", help="in a random order: files, and tests in each")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Some tests are long ones. In a random order tests of a file stay together: what it makes once is made once."""
    found = config.stash[BUDGET]
    for item in filter(found.is_long, items):
        item.add_marker(pytest.mark.slow)
    if not any("::" in arg for arg in config.args) and (unknown := found.unknown(items)):
        raise pytest.UsageError(f"{budget.FILE}: no test is called " + "\n  ".join(["", *unknown]))
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


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    """A test takes no more of the processor than it may."""
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for report in budget.run(item, nextitem, item.config.stash[BUDGET]):
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """What a test takes is noted."""
    yield from budget.call(item)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Folders that took much more of the processor than their sum are named; on a busy machine they may."""
    reports = [r for kind in ("passed", "failed", "skipped") for r in terminalreporter.stats.get(kind, ())]
    ended = [*reports, *terminalreporter.stats.get("", ())]  # set-up and tear-down
    over = config.stash[BUDGET].over(budget.spent_by(r for r in ended if isinstance(r, pytest.TestReport)))
    if over and not pace.MORE:
        terminalreporter.section("processor time")
        terminalreporter.write_line("\n".join(over))


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

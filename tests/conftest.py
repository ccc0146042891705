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
from hypothesis import settings

from tests.fixtures import budget, kept_solvers, pace, processes, rule_sets

# Games are built of very many small objects that live long: looking for cycles among them as often as Python does
# takes a quarter of the time in which rule sets are built.
gc.set_threshold(50_000, 20, 100)

# Compiled modules are kept, also where that is switched off: else every process that a test starts compiles vclogic
# anew, which takes it twice as long, and every worker rewrites all assertions.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# No test fails by a time, those with examples of Hypothesis neither.
settings.register_profile("no deadline", settings.get_profile("default"), deadline=None)
settings.load_profile("no deadline")

# Of the games here, a rule set is built once in a process.
rule_sets.share()

# A solver's process is started for the first question, not for each.
kept_solvers.share()

BUDGET = pytest.StashKey[budget.Budget]()


def pytest_configure(config: pytest.Config) -> None:
    """Interrupts are heard by the processes that tests start, also where a shell runs the tests in the background."""
    config.stash[BUDGET] = budget.budget()
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_unconfigure() -> None:
    """The solvers that tests have shared end."""
    kept_solvers.end()


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


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """The time of a test begins."""
    budget.begin(item)
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """What a test takes is noted; it fails by none of it."""
    report = yield
    budget.note(item, report)
    return report


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """A run over all tests ends with the dearest ones and the sum."""
    if config.option.collectonly or config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    reports = [r for of in terminalreporter.stats.values() for r in of if isinstance(r, pytest.TestReport)]
    usual = config.option.markexpr == "not slow" and not config.option.keyword and not pace.MORE
    terminalreporter.section("processor time")
    for line in budget.told(reports, whole=usual):
        terminalreporter.write_line(line)


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
    with kept_solvers.ended_with_question(), processes.nothing_left():
        yield

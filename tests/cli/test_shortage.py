"""Too little memory, too few file descriptors: one line and no traceback, and never the exit code that means "no"."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.fixtures.pace import cases
from vclogic.cli.options import INTERNAL
from vclogic.game import Game
from vclogic.shortage import FILES, MEMORY, shortage

ROOT = Path(__file__).parents[2]
COMMAND = str(Path(sys.executable).with_name("vclogic"))
PLAN = ("plan", "axis_allies", "--goal", "vcp(Axis) >= 33")
ARMIES = (*PLAN, "--set", "level=armies", "--minimize", "moves", "--within", "1", "--timeout", "4")
STATUS = ("status", "axis_allies")
LEAST = 15_000  # kB of address space, below which Python itself does not start


def limited(words: tuple[str, ...], kind: int, most: int) -> subprocess.CompletedProcess[str]:
    """The command as a process within a limit of the operating system."""

    def limit() -> None:
        resource.setrlimit(kind, (most, most))

    return subprocess.run(
        [COMMAND, *words], preexec_fn=limit, capture_output=True, text=True, timeout=300, check=False
    )


def check(found: subprocess.CompletedProcess[str]) -> None:
    """It answered `yes`, or did not."""
    assert found.returncode in (0, 3, INTERNAL), found
    if found.returncode == INTERNAL:
        assert found.stderr.count("\n") == 1
        assert "not enough" in found.stderr
        assert "bug" not in found.stderr
    else:
        assert found.stderr == ""


def memory(words: tuple[str, ...], kilobytes: int) -> int:
    """The exit code of the command with so much address space."""
    found = limited(words, resource.RLIMIT_AS, kilobytes * 1024)
    check(found)
    return found.returncode


# ---- as it comes


@pytest.mark.parametrize("words", [PLAN, STATUS, (*PLAN, "--format", "json")])
@pytest.mark.parametrize("kilobytes", [LEAST, 60_000])
def test_too_little_memory_to_begin(words: tuple[str, ...], kilobytes: int) -> None:
    assert memory(words, kilobytes) == INTERNAL


@pytest.mark.parametrize("kilobytes", [85_000, 130_000])
def test_hardly_any_memory_for_a_question(kilobytes: int) -> None:
    memory(ARMIES, kilobytes)


def test_enough_memory() -> None:
    assert memory(STATUS, 200_000) == 0
    assert memory(PLAN, 1_000_000) == 0


@pytest.mark.slow
@pytest.mark.parametrize("words", [PLAN, ARMIES, STATUS, ("status", "moscow"), ("missing", *PLAN[1:])])
def test_memory_in_fine_steps(words: tuple[str, ...]) -> None:
    for kilobytes in [*range(LEAST, 100_000, 1_000), *range(100_000, 400_000, 10_000)]:
        memory(words, kilobytes)


@pytest.mark.parametrize("count", cases([6, 8, 10, 16], 6, 10))
def test_few_file_descriptors(count: int) -> None:
    found = limited(PLAN, resource.RLIMIT_NOFILE, count)
    check(found)
    if found.returncode == 3:
        assert "not enough file descriptors to start a solver" in found.stdout


def test_ten_file_descriptors_are_enough() -> None:
    assert limited(PLAN, resource.RLIMIT_NOFILE, 10).returncode == 0


# ---- in the middle of a question


def fails(monkeypatch: pytest.MonkeyPatch, error: Callable[[], BaseException]) -> None:
    """Lets every question fail in the middle."""

    def fail(*given: object, **choices: object) -> None:
        raise error()

    monkeypatch.setattr(Game, "status", fail)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MemoryError, MEMORY),
        (lambda: OSError(12, "Cannot allocate memory"), MEMORY),
        (lambda: OSError(24, "Too many open files"), FILES),
        (lambda: ImportError("x.so: failed to map segment from shared object"), MEMORY),
        (lambda: RuntimeError("can't start new thread"), MEMORY),
    ],
)
def test_a_shortage_in_the_middle(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: Callable[[], BaseException], said: str
) -> None:
    fails(monkeypatch, error)
    found = run(*STATUS)
    assert (found.code, found.out, found.err) == (INTERNAL, "", f"{said} for this question\n")
    found = run(*STATUS, "--format", "json")
    assert (found.code, found.err) == (INTERNAL, f"{said} for this question\n")
    (told,) = json.loads(found.out)["errors"]
    assert (told["code"], told["message"]) == ("shortage", f"{said} for this question")


def test_other_errors_are_no_shortage() -> None:
    errors = (ValueError("x"), OSError(2, "No such file"), ImportError("no module z3"), RecursionError("deep"))
    assert not any(map(shortage, (None, *errors)))


def test_what_a_shortage_led_to_is_one() -> None:
    error = ValueError("it cannot be built")
    error.__cause__ = KeyError("x")
    error.__cause__.__context__ = MemoryError()
    assert shortage(error) == MEMORY
    error.__context__ = error.__cause__.__context__ = error  # a circle has an end
    assert shortage(error) is None


# ---- before anything is loaded

GUARDED = """
import sys
class Refusing:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}: raise {error}
sys.meta_path.insert(0, Refusing())
from vclogic.__main__ import main
sys.exit(main())
"""


@pytest.mark.parametrize("name", ["vclogic.cli.main", "click", "vclogic.errors", "vclogic.shortage"])
@pytest.mark.parametrize(
    ("error", "said"),
    [
        ("MemoryError", "not enough memory"),
        ("ImportError('failed to map segment')", None),
        ("RecursionError('deep')", "it cannot be loaded: RecursionError: deep"),
        ("SystemExit(1)", "it cannot be loaded: SystemExit: 1"),
        ("ModuleNotFoundError('No module named z')", "it cannot be loaded: ModuleNotFoundError: No module named z"),
    ],
)
def test_whatever_fails_while_it_is_loaded_is_no_answer(name: str, error: str, said: str | None) -> None:
    code = GUARDED.format(name=name, error=error)
    found = subprocess.run([sys.executable, "-c", code, *STATUS], capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout) == (INTERNAL, "")
    assert found.stderr.startswith("vclogic: ")
    assert found.stderr.count("\n") == 1
    if said is not None:
        assert said in found.stderr


def test_the_guard_loads_nothing() -> None:
    code = "import sys; before = set(sys.modules); import vclogic.__main__; print(*sorted(set(sys.modules) - before))"
    words = [sys.executable, "-S", "-c", code]
    found = subprocess.run(words, capture_output=True, text=True, check=True, cwd=ROOT)
    assert found.stdout == "__future__ vclogic vclogic.__main__\n"

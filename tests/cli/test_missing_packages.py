"""A library that is missing, or broken, is named with what to install; what needs none of it answers."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

import pytest

from tests.cli.conftest import Run, run  # noqa: F401
from vclogic.report.failures import failure_of, missing_package

ISLANDS = "examples/two_islands.yaml"


class _Broken(MetaPathFinder):
    """Finds a library that cannot be loaded."""

    def __init__(self, name: str):
        self._name = name

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname.partition(".")[0] == self._name:
            raise ImportError("lib.so.1: cannot open shared object file", name=fullname)
        return None


@pytest.fixture
def without(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A library cannot be loaded, nor what has imported it."""
    name: str = request.param
    monkeypatch.setattr(sys, "meta_path", [_Broken(name), *sys.meta_path])
    kept = dict(sys.modules)
    reports = ("vclogic.report.text", "rich")
    arrays = ("vclogic.query.solve.best_play", "vclogic.explore", "numpy")
    apart = {"rich": reports, "numpy": arrays}
    for module in [m for m in sys.modules if m.startswith(apart[name])]:
        del sys.modules[module]
    yield name
    for module in [m for m in sys.modules if m.startswith(apart[name])]:
        del sys.modules[module]
    sys.modules.update(kept)


@pytest.mark.parametrize(
    ("without", "words"),
    [
        ("rich", ("status", ISLANDS)),
        ("rich", ("status", "nonsuch")),
        ("numpy", ("solve", ISLANDS, "--timeout", "5")),
    ],
    indirect=["without"],
)
def test_it_says_what_to_install(without: str, words: tuple[str, ...], run: Run) -> None:  # noqa: F811
    found = run(*words)
    assert (found.code, found.out) == (2, "")
    assert found.err.startswith(f"this needs {without}, which cannot be loaded here: ")
    assert found.err.endswith(f"\n  help: pip install --force-reinstall {without}\n")


def test_what_lies_behind_other_errors_is_named_at_every_door() -> None:
    try:
        try:
            raise ImportError("no good", name="z3.z3core")
        except ImportError as error:
            raise RuntimeError("the engine") from error
    except RuntimeError as error:
        found = failure_of(error)
    assert (found.code, found.help) == ("missing-package", "pip install --force-reinstall z3-solver")
    assert missing_package(ImportError("no good", name="other")) is None

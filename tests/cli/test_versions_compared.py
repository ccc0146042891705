"""Two versions of the game that `vclogic new --python` writes, with one rule changed, are compared."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from tests.cli.conftest import Run, run  # noqa: F401
from vclogic.files import registry
from vclogic.files.template import write_game

CHANGED = {
    "hill_war": ("", ""),
    "more_points": ("ge(points, needed)", "ge(points, needed + 1)"),
    "more_roads": ("any_of(near)", "any_of([*near, not_(self.holds(side, place))])"),
}


@pytest.fixture
def versions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The game, and two with another rule, as the only ones installed."""
    for name, (rule, other) in CHANGED.items():
        write_game(name, str(tmp_path / f"of_{name}"))
        monkeypatch.syspath_prepend(str(tmp_path / f"of_{name}"))
        rules = tmp_path / f"of_{name}" / name / "rules.py"
        text = rules.read_text()
        assert rule in text
        rules.write_text(text.replace(rule, other))
    points = {name: EntryPoint(name, name, registry.GROUP) for name in CHANGED}
    monkeypatch.setattr(registry, "_registered", lambda: points)
    importlib.invalidate_caches()
    yield
    for module in [m for m in sys.modules if m.split(".")[0] in CHANGED]:
        del sys.modules[module]


@pytest.mark.usefixtures("versions")
def test_versions_of_a_game_are_compared(run: Run) -> None:  # noqa: F811
    def status(*words: str) -> object:
        return run("compare", *words, "--format", "json").document["status"]

    assert status("hill_war", "more_points") == status("more_points", "hill_war") == "differ"
    assert status("hill_war", "more_roads") == status("more_points", "more_roads") == "differ"
    assert status("hill_war", "more_roads", "--on", "take") == "differ"
    assert status("hill_war", "more_points", "--on", "points(Red)") == "equal"
    assert status("hill_war", "hill_war") == "equal"

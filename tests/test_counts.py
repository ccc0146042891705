"""What must not grow, counted where it is the same everywhere: modules, libraries, terms, solver questions."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures import counted
from tests.fixtures.games import loaded
from vclogic.game import Game
from vclogic.solve.backends.session import Session

SHOWN = ("click", "rich", "yaml")
BY_TEXT = (*SHOWN, "markdown_it")
GOAL = "vcp(Axis) >= 40"


@pytest.mark.parametrize(
    ("words", "modules", "libraries", "terms"),
    [
        (("--help",), 25, ("click",), 0),
        (("status", "axis_allies"), 230, SHOWN, 6_000),
        (("ask", "axis_allies", "owner(Karelia) == Germans"), 250, SHOWN, 30_000),
        (("legal", "asl/13cc5"), 210, SHOWN, 1_400),
        (("status", "examples/rulebooks/nim.md"), 250, BY_TEXT, 40),
        (("plan", "axis_allies", "--side", "Axis", "--goal", GOAL), 290, (*SHOWN, "highspy", "numpy"), 3_000),
    ],
    ids=lambda x: " ".join(x[:2]) if isinstance(x, tuple) else None,
)
def test_a_command_loads_no_more_than_it_needs(
    words: tuple[str, ...], modules: int, libraries: Collection[str], terms: int
) -> None:
    """Each of the numbers has a tenth to spare: what raises one further says why in its commit."""
    done = subprocess.run([sys.executable, counted.__file__, *words], capture_output=True, text=True)
    found = json.loads(done.stdout)
    assert found["code"] in (0, 1), done.stderr
    assert {*found["libraries"]} <= {*libraries}
    assert modules // 2 < found["modules"] <= modules
    assert terms // 2 <= found["terms"] <= terms


@pytest.mark.parametrize(
    ("name", "question", "most"),
    [
        ("axis_allies", lambda game: game.plan(GOAL, side="Axis"), 0),
        ("axis_allies", lambda game: game.reach("vcp(Axis) >= 500", side="Axis"), 0),
        ("asl/13cc5", lambda game: game.status(), 0),
        ("examples/asl_22u3.yaml", lambda game: game.missing("controls_building(Russian, 22U3)"), 8),
        ("examples/rulebooks/bridgehead.md", lambda game: game.plan("points(Crossers) >= 5", side="Crossers"), 0),
    ],
    ids=["a plan by cuts", "too much", "status", "missing", "a plan of a rulebook"],
)
def test_no_more_is_asked_of_solvers(
    name: str, question: Callable[[Game], object], most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, check = [], Session.check

    def noted(session: Session, *assumptions: Any, **limits: Any) -> Any:
        asked.append(assumptions)
        return check(session, *assumptions, **limits)

    monkeypatch.setattr(Session, "check", noted)
    question(loaded(name))
    assert len(asked) <= most
    assert asked or not most


def test_it_is_counted_where_it_is_made() -> None:
    """Whoever loads a module more, or makes terms, raises the numbers."""
    folder = str(Path(counted.__file__).parent)
    code = f"import sys; sys.path.insert(0, {folder!r}); import numpy, counted; counted.main()"
    done = subprocess.run([sys.executable, "-c", code, "--help"], capture_output=True, text=True)
    assert json.loads(done.stdout)["libraries"] == ["click", "numpy"]

"""The tiny game, installed in a folder of its own, and helpers to look at diagnostics."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from vclogic.errors import Diagnostic, InputError
from vclogic.files import registry

BOARD = """\
title: The valley
areas:
  Home: {owner: Red, value: 2, aliases: [Red Home], near: [Ford]}
  Ford: {owner: Red, near: [Home, Hill]}
  Hill: {owner: Blue, value: 1, aliases: [Hilltop]}
  No: {owner: Blue, port: yes, at: [3, 4]}
points: {Red: 3}
"""
SPRING = """\
title: Spring
default: true
options: {length: 12}
state:
  turn: 2
"""
WINTER = """\
title: Winter
text: The river is frozen.
state: {frozen: true, owner: {Ford: Blue}}
"""


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the encoding `skirmish`; the working directory is another, empty one."""
    folder = tmp_path / "site" / "skirmish_pkg"
    (folder / "scenarios").mkdir(parents=True)
    (folder / "cases").mkdir()
    (folder / "__init__.py").touch()
    (folder / "rules.py").write_text("from tests.files.fake_game import ENCODING\n")
    (folder / "board.yaml").write_text(BOARD)
    (folder / "scenarios" / "spring.yaml").write_text(SPRING)
    (folder / "scenarios" / "winter.yaml").write_text(WINTER)
    broken = tmp_path / "site" / "broken_pkg"
    broken.mkdir()
    (broken / "__init__.py").touch()
    (broken / "rules.py").write_text("import no_such_module\n")
    points = {
        "skirmish": EntryPoint("skirmish", "skirmish_pkg", registry.GROUP),
        "broken": EntryPoint("broken", "broken_pkg", registry.GROUP),
        "absent": EntryPoint("absent", "absent_pkg", registry.GROUP),
    }
    monkeypatch.setattr(registry, "_registered", lambda: points)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    importlib.invalidate_caches()
    yield folder
    for name in [n for n in sys.modules if n.split(".")[0] in ("skirmish_pkg", "broken_pkg")]:
        del sys.modules[name]


@pytest.fixture
def wrong() -> Callable[..., tuple[Diagnostic, ...]]:
    """Calls a function that must raise InputError, and gives its diagnostics."""

    def call(function: Callable[..., object], *args: object, **kwargs: object) -> tuple[Diagnostic, ...]:
        with pytest.raises(InputError) as caught:
            function(*args, **kwargs)
        return caught.value.diagnostics

    return call

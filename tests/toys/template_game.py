"""The game that `vclogic new --python` writes, installed in this process."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from vclogic.files import registry
from vclogic.files.template import write_game


@contextmanager
def installed(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str = "hill_war") -> Iterator[Path]:
    """The game as the only one installed; yields the folder of its package, which is below the working directory."""
    project = folder / "project"
    write_game(name, str(project))
    monkeypatch.setattr(registry, "_registered", lambda: {name: EntryPoint(name, name, registry.GROUP)})
    monkeypatch.syspath_prepend(str(project))
    monkeypatch.chdir(project)
    importlib.invalidate_caches()
    try:
        yield project / name
    finally:
        os.chdir(folder)
        for module in [m for m in sys.modules if m.split(".")[0] == name]:
            del sys.modules[module]

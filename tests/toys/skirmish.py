"""Skirmish in Python, the twin of examples/rulebooks/skirmish.md, installed in this process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
import yaml

from tests.oracles.skirmish import Skirmish
from vclogic.files import registry

FOLDER = Path(__file__).resolve().parents[1] / "fixtures" / "skirmish"
NAME = "skirmish"


@contextmanager
def installed() -> Iterator[None]:
    """The game beside those that are installed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(FOLDER))
        found = registry._registered()
        patch.setattr(registry, "_registered", lambda: {**found, NAME: EntryPoint(NAME, NAME, registry.GROUP)})
        yield


def by_hand(board: str) -> Skirmish:
    """The same game in plain Python, over a board of it."""
    return Skirmish.read(yaml.safe_load((FOLDER / NAME / f"{board}.yaml").read_text()))

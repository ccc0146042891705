"""The command line in this process, and what it wrote."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from vclogic.cli import main as cli


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> dict[str, Any]:
        """Standard output, which must be one JSON document; nothing else was written."""
        assert self.err == ""
        assert self.out.endswith("}\n")
        found: dict[str, Any] = json.loads(self.out)
        return found


Run = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs `vclogic` with some words."""

    def call(*words: str) -> Ran:
        code = cli.run(words)
        wrote = capsys.readouterr()
        assert "Traceback" not in wrote.out + wrote.err
        return Ran(code, wrote.out, wrote.err)

    return call

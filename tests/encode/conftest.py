"""What tests of the Python evaluator share."""

from __future__ import annotations

import pytest

from vclogic.encode.python import evaluator as engine


@pytest.fixture(params=[0, 10**9], ids=["compiled", "interpreted"])
def either_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Terms compiled at once, or never."""
    monkeypatch.setattr(engine, "_OFTEN", request.param - 1)

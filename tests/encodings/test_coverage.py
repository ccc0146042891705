"""Every clause of a rule text is encoded and exercised, or there is a reason why not."""

from __future__ import annotations

import pytest

from vclogic.files.coverage import load_coverage
from vclogic.files.registry import encoding_names

CLAUSES = {"asl": 116, "axis_allies": 66, "moscow": 22, "napoleonics": 23, "okinawa": 28}
"""Number of sentences, exceptions and examples of each rule text."""


@pytest.mark.parametrize("game", encoding_names())
def test_every_clause_is_listed(game: str) -> None:
    assert len(load_coverage(game).clauses) == CLAUSES[game]

"""How far a question is, on one line."""

from __future__ import annotations

import pytest

from vclogic.cli.terminal import line
from vclogic.progress import Progress


@pytest.mark.parametrize(
    ("progress", "shown"),
    [
        (Progress("trying events"), "trying events"),
        (Progress("looking at 3 steps", 12, 7), "looking at 3 steps: between 7 and 12, the best so far"),
        (Progress("looking at 3 steps", 12), "looking at 3 steps: best so far 12"),
        (Progress("looking at 3 steps", None, 7), "looking at 3 steps: at least 7"),
        (Progress("looking at 0 steps", None, 0), "looking at 0 steps"),
        (Progress("looking for a proof", 9, 9), "looking for a proof: best so far 9, and no less will do"),
        (Progress("looking", 3214, 2500, 1000), "looking: between 2.500 and 3.214, the best so far"),
    ],
)
def test_a_line_says_what_is_done_and_what_is_known(progress: Progress, shown: str) -> None:
    assert line(progress) == shown

"""What tests let a question cost."""

from __future__ import annotations

from vclogic.query.ask import silent
from vclogic.solve.session import Deadline, Effort, Transcript


def effort(seconds: float = 60, transcript: Transcript | None = None) -> Effort:
    """So many seconds from now, told to nobody."""
    return Effort(Deadline(seconds), silent, transcript)

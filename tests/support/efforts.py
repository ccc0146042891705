"""What tests let a question cost."""

from __future__ import annotations

from vclogic.clock import Deadline
from vclogic.progress import silent
from vclogic.solve.backends.session import Effort, Transcript


def effort(seconds: float = 60, transcript: Transcript | None = None) -> Effort:
    """So many seconds from now, told to nobody."""
    return Effort(Deadline(seconds), silent, transcript)

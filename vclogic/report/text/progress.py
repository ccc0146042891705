"""The progress line on a terminal."""

from __future__ import annotations

from vclogic.progress import Progress
from vclogic.words import in_parts


def line(progress: Progress) -> str:
    """The phase of the work and the known costs, on one line."""
    known = []
    if progress.cost is not None:
        known.append(f"best so far {_number(progress.cost, progress)}")
    if progress.bound and progress.bound != progress.cost:  # that it is not below 0 says nothing
        known.append(f"at least {_number(progress.bound, progress)}")
    return f"{progress.phase}: {', '.join(known)}" if known else progress.phase


def _number(n: int, progress: Progress) -> str:
    return str(n) if progress.scale == 1 else in_parts(n, progress.scale)

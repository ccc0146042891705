"""The progress line on a terminal."""

from __future__ import annotations

from vclogic.progress import Progress


def line(progress: Progress) -> str:
    """What is being done and what is known, on one line."""
    known = []
    if progress.cost is not None:
        known.append(f"best so far {progress.cost}")
    if progress.bound and progress.bound != progress.cost:  # that it is not below 0 says nothing
        known.append(f"at least {progress.bound}")
    return f"{progress.phase}: {', '.join(known)}" if known else progress.phase

"""All checks of a rule set, one family after the other, within a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence

from vclogic.files.checks import Suppression
from vclogic.query.ask import silent
from vclogic.query.check import chances, conditions, outcomes, races, readings, thresholds
from vclogic.query.check.desk import Desk, Subject
from vclogic.query.check.findings import Checked, Cleared, Finding, Scope, Undecided
from vclogic.query.check.history import History
from vclogic.query.check.suppress import stale, suppressed
from vclogic.solve.session import Deadline, Effort, Progress

FAMILIES: tuple[tuple[str, Callable[[Desk], Iterator[Finding]]], ...] = (
    ("thresholds", thresholds.beyond),
    ("what was folded away", thresholds.folded),
    ("outcomes at the start", chances.at_the_start),
    ("Readings that make no difference", readings.idle),
    ("outcomes that can never be met", chances.impossible),
    ("contradictions", outcomes.contradictions),
    ("the end of the game", outcomes.gaps),
    ("values without a meaning", outcomes.undefined),
    ("level tables", outcomes.tables),
    ("conditions that never matter", conditions.idle),
    ("the order of evaluation", races.evaluation),
    ("what lasts", chances.durations),
    ("events of one moment", races.races),
    ("Readings that decide who wins", readings.deciding),
)
"""Each family of checks with what it looks at; the cheap ones first."""
_SHARE = 1 / 4  # of the time that is left, one family gets this much


def check_rules(
    subject: Subject,
    codes: Sequence[str],
    *,
    timeout: float,
    scope: Scope = "positions",
    history: History | None = None,
    suppressions: Iterable[Suppression] = (),
    assumptions: tuple[str, ...] = (),
    progress: Progress = silent,
) -> Checked:
    """What is wrong with a rule set.

    Args:
        subject: The rule set.
        codes: The codes to look for.
        timeout: Seconds; what is not decided by then is `unknown`.
        scope: `positions`; or `reachable`, to look for play from the start that leads to each witness.
        history: What looks for it.
        suppressions: What the game says is no matter, and why.
        assumptions: What the answer rests on.
        progress: Told how far the check is.

    Returns:
        Every finding, and every check that could not be decided with its bound.
    """
    began = time.monotonic()
    found: list[Finding] = []
    cleared: tuple[Cleared, ...] = ()
    with Desk(subject, codes, Effort(Deadline(timeout), progress)) as desk:
        for i, (over, family) in enumerate(FAMILIES):
            desk.allot(1 if i == len(FAMILIES) - 1 else _SHARE)
            progress(f"looking at {over}")
            found += family(desk)
        desk.allot(1)
        if scope == "reachable" and history is not None:
            found, cleared = history.explored(desk, found)
    suppressions = tuple(suppressions)
    found = [suppressed(f, suppressions) for f in found]
    if "VC001" in codes:
        found += stale(suppressions, found, codes, desk.undecided)
    return Checked(
        game=subject.game,
        scope=scope,
        findings=tuple(sorted(found, key=lambda f: (f.code, f.rule))),
        checked=tuple(codes),
        unknown=_once(desk.undecided),
        cleared=cleared,
        assumptions=assumptions,
        elapsed_s=round(time.monotonic() - began, 3),
    )


def _once(undecided: Iterable[Undecided]) -> tuple[Undecided, ...]:
    return tuple(dict.fromkeys(undecided))

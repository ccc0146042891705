"""All checks of a rule set, one family after the other, within a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from vclogic.files.blame import TookTooLong, blamed
from vclogic.files.checks import Suppression
from vclogic.query.ask import silent
from vclogic.query.check import chances, conditions, keeping, outcomes, races, readings, thresholds
from vclogic.query.check.desk import Desk
from vclogic.query.check.findings import Checked, Cleared, Finding, Scope, Undecided
from vclogic.query.check.history import History
from vclogic.query.check.subject import Subject, Topic
from vclogic.query.check.suppress import stale, suppressed
from vclogic.solve import budgets
from vclogic.solve.session import Deadline, Effort, Progress


@dataclass(frozen=True)
class Family:
    """Checks of one kind.

    Attributes:
        over: What they look at.
        codes: The codes of what they find.
        look: Finds it.
    """

    over: str
    codes: tuple[str, ...]
    look: Callable[[Desk], Iterator[Finding]]


FAMILIES = (
    Family("thresholds", ("VC302",), thresholds.beyond),
    Family("what was folded away", ("VC302", "VC303", "VC304", "VC305"), thresholds.folded),
    Family("outcomes at the start", ("VC202",), chances.at_the_start),
    Family("Readings that make no difference", ("VC501",), readings.idle),
    Family("outcomes that can never be met", ("VC201",), chances.impossible),
    Family("contradictions", ("VC101",), outcomes.contradictions),
    Family("values without a meaning", ("VC106",), outcomes.undefined),
    Family("the end of the game", ("VC103",), outcomes.gaps),
    Family("level tables", ("VC104", "VC105"), outcomes.tables),
    Family("conditions that never matter", ("VC301",), conditions.idle),
    Family("the order of evaluation", ("VC102",), races.evaluation),
    Family("what lasts", ("VC203", "VC204"), chances.durations),
    Family("rules about events", ("VC205",), keeping.broken),
    Family("events of one moment", ("VC401",), races.races),
    Family("Readings that decide who wins", ("VC502",), readings.deciding),
)
"""Each family of checks with what it looks at; the cheap ones first."""


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
        for i, family in enumerate(FAMILIES):
            desk.allot(1 if i == len(FAMILIES) - 1 else budgets.ONE_FAMILY_SHARE)
            progress(f"looking at {family.over}")
            found += _looked(desk, family)
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


def _looked(desk: Desk, family: Family) -> list[Finding]:
    """What a family finds; where vclogic itself takes too long over it, that is taken down.

    Raises:
        TookTooLong: An encoding's own code does.
    """
    if desk.effort.deadline.left <= 0:
        _leave(desk, family)
        return []
    try:
        return list(family.look(desk))
    except TookTooLong as error:
        if blamed(error) is not None:
            raise
        _leave(desk, family)
        return []


def _leave(desk: Desk, family: Family) -> None:
    for code in family.codes:
        if desk.wants(code):
            desk.give_up(Topic(code, family.over, (), ()), "the time is up")


def _once(undecided: Iterable[Undecided]) -> tuple[Undecided, ...]:
    return tuple(dict.fromkeys(undecided))

"""Runs all checks of a rule set, one family after the other, within a time limit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from vclogic.check import event_rules, outcomes, ways
from vclogic.check.checked_rules import CheckedRules, FindingKey
from vclogic.check.findings import Checked, Cleared, Finding, Scope, Undecided
from vclogic.check.history import History
from vclogic.check.oracle import Oracle
from vclogic.clock import TIME_UP, TimeUp, granted, look, until
from vclogic.files.checks import Suppression
from vclogic.provenance import CodePlace
from vclogic.solve import budgets
from vclogic.solve.backends.session import Effort


@dataclass(frozen=True)
class CheckFamily:
    """Checks of one kind.

    Attributes:
        over: What they look at.
        codes: The codes of what they find.
        look: Finds it.
    """

    over: str
    codes: tuple[str, ...]
    look: Callable[[Oracle], Iterator[Finding]]


FAMILIES = (
    CheckFamily("outcomes at the start", ("VC202",), outcomes.at_the_start),
    CheckFamily("the ways on the board", ("VC601", "VC602", "VC603"), ways.on_the_board),
    CheckFamily("outcomes that can never be met", ("VC201",), outcomes.impossible),
    CheckFamily("contradictions", ("VC101",), outcomes.contradictions),
    CheckFamily("values without a meaning", ("VC106",), outcomes.undefined),
    CheckFamily("the end of the game", ("VC103",), outcomes.gaps),
    CheckFamily("level tables", ("VC104", "VC105"), outcomes.tables),
    CheckFamily("the order of evaluation", ("VC102",), event_rules.evaluation),
    CheckFamily("what lasts", ("VC203", "VC204"), event_rules.durations),
    CheckFamily("rules about events", ("VC205",), event_rules.broken),
    CheckFamily("Readings that decide who wins", ("VC502",), outcomes.deciding),
)
"""Each family of checks with what it looks at; the cheap ones first."""


def check_rules(
    rules: CheckedRules,
    codes: Sequence[str],
    *,
    effort: Effort,
    scope: Scope = "positions",
    history: History | None = None,
    suppressions: Iterable[Suppression] = (),
    assumptions: tuple[str, ...] = (),
) -> Checked:
    """Find the faults of a rule set.

    Args:
        rules: The rule set.
        codes: The codes to look for.
        effort: What may be spent; what is not decided by then is `unknown`.
        scope: `positions`; or `reachable`, to look for play from the start that leads to each witness.
        history: What looks for it.
        suppressions: What the game says is no matter, and why.
        assumptions: What the answer rests on.

    Returns:
        Every finding, and every check that could not be decided with its bound.
    """
    found: list[Finding] = []
    cleared: tuple[Cleared, ...] = ()
    with until(effort.deadline), Oracle(rules, codes, effort) as oracle:
        for i, family in enumerate(FAMILIES):
            oracle.allot(1 if i == len(FAMILIES) - 1 else budgets.ONE_FAMILY_SHARE)
            effort.progress(f"looking at {family.over}")
            found += _looked(oracle, family)
        oracle.allot(1)
        if scope == "reachable" and history is not None:
            found, cleared = history.explored(oracle, found)
    # Sorting findings asks no solver: it is done though the time may be up.
    with granted():
        suppressions = tuple(suppressions)
        found = [suppressed(f, suppressions) for f in found]
        if "VC001" in codes:
            found += stale(suppressions, found, codes, oracle.undecided)
        return Checked(
            game=rules.game,
            scope=scope,
            findings=tuple(sorted(found, key=lambda f: (f.code, f.rule))),
            checked=tuple(codes),
            unknown=tuple(dict.fromkeys(oracle.undecided)),
            cleared=cleared,
            assumptions=assumptions,
            elapsed_s=effort.elapsed_s,
        )


def nothing_checked(
    game: str, codes: Sequence[str], scope: Scope, effort: Effort, assumptions: tuple[str, ...]
) -> Checked:
    """The answer where the time was up before the rule set was built; arguments as in `check_rules`."""
    over = {code: family.over for family in FAMILIES for code in family.codes}
    reason = "the time was up while the rules were built"
    return Checked(
        game=game,
        scope=scope,
        findings=(),
        checked=tuple(codes),
        unknown=tuple(Undecided(code, over[code], reason) for code in codes if code in over),
        cleared=(),
        assumptions=assumptions,
        elapsed_s=effort.elapsed_s,
    )


def _looked(oracle: Oracle, family: CheckFamily) -> list[Finding]:
    """The findings of a family; where the time is up before its end, its codes are undecided."""
    found: list[Finding] = []
    try:
        look()
        for finding in family.look(oracle):  # what was found stays where the time is up in the middle
            found.append(finding)
    except TimeUp:
        for code in family.codes:
            if oracle.wants(code):
                oracle.give_up(FindingKey(code, family.over, (), ()), TIME_UP)
    return found


def suppressed(finding: Finding, suppressions: Iterable[Suppression]) -> Finding:
    """The finding, with the reason of the first suppression that fits it."""
    reason = next((s.reason for s in suppressions if s.fits(finding.code, finding.rule)), None)
    return replace(finding, suppressed=reason)


def stale(
    suppressions: Iterable[Suppression],
    found: Iterable[Finding],
    codes: Sequence[str],
    undecided: Iterable[Undecided],
) -> Iterator[Finding]:
    """VC001: suppressions of codes that were looked for and decided, and of which nothing was found."""
    found, undecided = list(found), list(undecided)
    for s in suppressions:
        used = any(s.fits(f.code, f.rule) for f in found)
        open_ = any(s.code == u.code for u in undecided)
        if s.code in codes and not used and not open_:
            about = FindingKey("VC001", f"{s.code} {s.rule}", (), (CodePlace(s.file, s.line or 1, "checks.yaml"),))
            yield about.finding(
                f"{s.code} is not found for {s.rule}, so there is nothing to suppress: this entry is out of date",
                scope="rules",
            )

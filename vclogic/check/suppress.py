"""Applies the suppressions of checks.yaml, and reports stale ones (VC001)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from vclogic.check.checked_rules import FindingKey
from vclogic.check.findings import Finding, Undecided
from vclogic.files.checks import Suppression
from vclogic.provenance import CodePlace


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

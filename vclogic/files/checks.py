"""Suppressed findings of `check`, with reasons: `checks.yaml` in the encoding's folder."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from vclogic.files.findings import Findings
from vclogic.files.nodes import parse
from vclogic.files.registry import data_source, has_file
from vclogic.files.schema import check_as
from vclogic.files.tree import Node

FILE = "checks.yaml"


@dataclass(frozen=True)
class _FindingEntry:
    code: str
    rule: str
    reason: str
    scenario: str | None = None
    scope: Literal["positions", "reachable"] | None = None
    settings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Suppression(_FindingEntry):
    """A suppressed finding.

    Attributes:
        code: Its code.
        rule: Its subject, as the finding names it; `*` stands for anything.
        reason: Why it is suppressed.
        scenario: The scenario that it applies to, on its own board; None: any.
        scope: The `--scope` that it applies to; None: any.
        settings: Options and Readings that it requires; others may have any value.
        file: The file of the suppression.
        line: The line in it.
    """

    file: str = FILE
    line: int | None = None

    def fits(self, code: str, rule: str) -> bool:
        """True if it covers a finding."""
        pattern = ".*".join(map(re.escape, self.rule.split("*")))
        return code == self.code and re.fullmatch(pattern, rule, re.DOTALL) is not None

    def applies(self, scenario: str | None, scope: str, settings: Mapping[str, int | str]) -> bool:
        """True if it applies to a scenario (None: a board of one's own) and a scope under options and Readings."""
        meant = all(str(settings.get(name)) == value for name, value in self.settings.items())
        return meant and self.scenario in (None, scenario) and self.scope in (None, scope)


def load_suppressions(encoding: str) -> tuple[Suppression, ...]:
    """The suppressions of an encoding; none if it has no such file.

    Raises:
        InputError: There is no such encoding, or everything that is wrong with the file.
    """
    if not has_file(encoding, FILE):
        return ()
    findings = Findings()
    found: list[Suppression] = []
    for item in parse(data_source(encoding, FILE)).parts("a list of suppressions", findings):
        with findings.catch():
            found.append(_suppression(item, findings))
    findings.stop()
    return tuple(found)


def _suppression(node: Node, findings: Findings) -> Suppression:
    entry = check_as(_FindingEntry, node)
    if not entry.reason.strip():
        findings.add(node.section("reason").diagnostic("missing-entry", "a suppression needs a reason"))
    file, line, _ = node.spot
    return Suppression(**{**vars(entry), "reason": entry.reason.strip()}, file=file, line=line)

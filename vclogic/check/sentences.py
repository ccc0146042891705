"""The sentences of a rulebook against its blocks."""

from __future__ import annotations

from collections.abc import Iterator

from vclogic.check.findings import Finding, FindingKey
from vclogic.check.oracle import Oracle


def of_the_text(oracle: Oracle) -> Iterator[Finding]:
    """VC701: numbered sentences that no line says."""
    for rule in oracle.system.unencoded if oracle.wants("VC701") else ():
        message = f"no line of the rules says the sentence {rule.name}: {rule.text}"
        yield FindingKey("VC701", f"sentence[{rule.name}]", rule.cites, rule.made).finding(message, scope="rules")

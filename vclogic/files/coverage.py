"""The clauses of a rule text, and which of them an encoding leaves out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from vclogic.errors import did_you_mean, quoted
from vclogic.files.registry import data_source
from vclogic.files.trees.findings import Findings
from vclogic.files.trees.nodes import parse
from vclogic.files.trees.schema import Texts, check_as

FILE = "coverage.yaml"


@dataclass(frozen=True)
class Coverage:
    """The clauses of one rule text. What encodes and exercises each is not said here: citations tell it.

    Attributes:
        source: The rule text, as citations name it.
        clauses: Ids of all its clauses, in the text's order.
        examples: Those that only give an example: a ruling exercises them, no code need encode them.
        out_of_scope: Those that the encoding leaves out for good, with the reason.
        planned: Those that are not encoded yet, with the reason.
    """

    source: str
    clauses: Texts
    examples: Texts = ()
    out_of_scope: Mapping[str, str] = field(default_factory=dict)
    planned: Mapping[str, str] = field(default_factory=dict)

    @property
    def in_scope(self) -> tuple[str, ...]:
        """The clauses that are encoded."""
        return tuple(c for c in self.clauses if c not in self.out_of_scope and c not in self.planned)

    @property
    def to_encode(self) -> tuple[str, ...]:
        """The clauses that need code: those in scope, without examples."""
        return tuple(c for c in self.in_scope if c not in self.examples)


def load_coverage(encoding: str) -> Coverage:
    """The clauses of an encoding's rule text.

    Raises:
        InputError: There is no such encoding or it has no such file, or all that is wrong with the file.
    """
    node = parse(data_source(encoding, FILE))
    coverage = check_as(Coverage, node)
    findings = Findings()
    for key in ("clauses", "examples"):
        listed = getattr(coverage, key)
        for i, clause in enumerate(listed):
            if clause in listed[:i]:
                place = node.section(key).part(i)
                findings.add(place.diagnostic("given-twice", f"{quoted(clause)} is listed twice"))
    for key in ("examples", "out_of_scope", "planned"):
        for i, clause in enumerate(getattr(coverage, key)):
            if clause not in coverage.clauses:
                place = node.section(key).part(i if key == "examples" else clause)
                message = f"{quoted(clause)} is not among the clauses"
                help = did_you_mean(clause, coverage.clauses)
                findings.add(place.diagnostic("unknown-name", message, key=True, help=help))
    for clause in coverage.planned.keys() & coverage.out_of_scope.keys():
        place = node.section("planned").section(clause)
        findings.add(place.diagnostic("given-twice", f"{quoted(clause)} is both planned and out of scope", key=True))
    findings.stop()
    return coverage

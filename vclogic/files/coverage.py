"""Which clauses of a rule text an encoding covers, and how."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from vclogic.errors import quoted
from vclogic.files.findings import Findings
from vclogic.files.nodes import parse
from vclogic.files.registry import data_source
from vclogic.files.schema import check_as
from vclogic.files.tree import Node

FILE = "coverage.yaml"


@dataclass(frozen=True)
class Clause:
    """How a clause is covered: by rules and cases, or not, for a reason.

    Attributes:
        rules: Names of the rules that encode it.
        cases: Names of the rulings that exercise it.
        out_of_scope: Why it is no matter for the encoding.
        planned: Why it is not encoded yet.
    """

    rules: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
    out_of_scope: str | None = None
    planned: str | None = None


@dataclass(frozen=True)
class _CoverageFile:
    source: str
    clauses: Mapping[str, Clause]


@dataclass(frozen=True)
class Coverage:
    """The coverage of one rule text.

    Attributes:
        source: The rule text, as citations name it.
        clauses: How each of its clauses is covered, by id.
        node: The file, for the places of what does not hold together.
    """

    source: str
    clauses: Mapping[str, Clause]
    node: Node


def load_coverage(encoding: str) -> Coverage:
    """The coverage of an encoding's rule text.

    Whether the rules and cases exist, and every clause of the text is listed, is not asked here.

    Raises:
        InputError: There is no such encoding or it has no such file, or all that is wrong with the file.
    """
    node = parse(data_source(encoding, FILE))
    content = check_as(_CoverageFile, node)
    findings = Findings()
    for name, clause in content.clauses.items():
        ways = (clause.rules or clause.cases, clause.out_of_scope, clause.planned)
        if sum(bool(way) for way in ways) != 1:
            message = f"clause {quoted(name)} needs rules and cases, or 'out_of_scope', or 'planned' with a reason"
            place = node.section("clauses").section(name)
            findings.add(place.diagnostic("missing-key", message, key=True))
    findings.stop()
    return Coverage(content.source, content.clauses, node)

"""Results of rulings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from vclogic.document_keys import AFTER, LAST, then
from vclogic.errors import BROKEN_RULES, Diagnostic
from vclogic.files.rulings.case_folder import Skipped
from vclogic.query.traced import TracedStep

UNSEEN = "it could not be looked at"
"""The result of an expectation where its position, or the record before it, is wrong."""

OTHERWISE = "it is refused otherwise"
"""The beginning of a result where an event is refused, but not by the clauses or in the words expected."""


@dataclass(frozen=True)
class Tried:
    """One thing that a ruling expects, and what is so.

    Attributes:
        expected: What it expects.
        got: What was found; the same where it is as expected.
        holds: Whether it is as expected.
        after: How many steps of the record come before it.
        event: The last of these steps, as in a record; None: there is none.
        readings: The Readings that it is about; none: those that the ruling has anyway.
        line: Its line in the file, counted from 1.
        column: Its column there.
        changed: Of what is not as expected: the last step before it that changed what it asks about; or the refused
            event, which is allowed, with what it would change. None: no step does.
    """

    expected: str
    got: str
    holds: bool
    after: int = 0
    event: str | None = None
    readings: Mapping[str, str] = field(default_factory=dict)
    line: int | None = None
    column: int | None = None
    changed: TracedStep | None = None

    @property
    def looked_at(self) -> bool:
        """True if it could be looked at."""
        return self.got != UNSEEN


@dataclass(frozen=True)
class CaseResult:
    """The result of one ruling.

    Attributes:
        name: The ruling.
        cites: Clause ids.
        source: The game, or the file of one's own, that was tried.
        tried: Everything that it expects, one thing after another.
        file: The file that it stands in.
        line: Its line there, counted from 1.
        problems: Why not all could be looked at: what is wrong with its position or its record, or a failure inside
            the rules (`broken-rules`).
    """

    name: str
    cites: tuple[str, ...] = field(metadata=then("status", "expected", "got"))
    source: str = field(metadata=AFTER)
    tried: tuple[Tried, ...] = field(metadata=LAST)
    file: str | None = field(default=None, metadata=then("lines"))
    line: int | None = field(default=None, metadata=AFTER)
    problems: tuple[Diagnostic, ...] = ()

    @property
    def status(self) -> Literal["passed", "failed"]:
        """`passed` if all is as expected."""
        return "failed" if self.problems or not all(t.holds for t in self.tried) else "passed"

    @property
    def expected(self) -> tuple[str, ...]:
        """Its expectations, one after another."""
        return tuple(t.expected for t in self.tried)

    @property
    def got(self) -> tuple[str, ...]:
        """The result of each expectation; the same text where it is as expected."""
        return tuple(t.got for t in self.tried)

    @property
    def lines(self) -> tuple[int | None, ...]:
        """The line of each of them."""
        return tuple(t.line for t in self.tried)


@dataclass(frozen=True)
class Tested:
    """The results of the rulings of games and files.

    Attributes:
        sources: The games and files that were named or found, in their order.
        cases: Each ruling, in the order of the sources.
        skipped: Files of a folder that hold no rulings.
    """

    sources: tuple[str, ...] = field(metadata=AFTER | then("expectations"))
    cases: tuple[CaseResult, ...]
    skipped: tuple[Skipped, ...] = field(default=(), metadata=AFTER)

    @property
    def passed(self) -> int:
        """The number of rulings with the expected result."""
        return sum(c.status == "passed" for c in self.cases)

    @property
    def failed(self) -> int:
        """The number of rulings with another result."""
        return len(self.cases) - self.passed

    @property
    def expectations(self) -> Mapping[str, int]:
        """The number of expectations, and of those that failed."""
        tried = [t for c in self.cases for t in c.tried]
        return {"all": len(tried), "failed": sum(not t.holds for t in tried)}

    @property
    def broken(self) -> int:
        """Over how many rulings the rules broke down."""
        return sum(any(d.code == BROKEN_RULES for d in c.problems) for c in self.cases)

"""The rule set that is checked, and what identifies a finding."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from vclogic.check.catalogue import CATALOGUE
from vclogic.check.findings import Finding
from vclogic.model.citation import Cites
from vclogic.model.fluents import State
from vclogic.model.rules import Reading
from vclogic.model.system import System
from vclogic.provenance import Places


@dataclass(frozen=True)
class CheckedRules:
    """A rule set to be checked.

    Attributes:
        game: What it is called: `encoding/scenario`, or `encoding: title`.
        system: The rule set.
        state: The start.
        readings: Its Readings.
        read: The value of each.
        under: The rule set with one Reading at another value.
        write: A state as the text of a position file; None where no file can give it.
    """

    game: str
    system: System
    state: State
    readings: tuple[Reading, ...] = ()
    read: Mapping[str, str] = field(default_factory=dict)
    under: Callable[[str, str], System] | None = None
    write: Callable[[State], str | None] = lambda state: None


@dataclass(frozen=True)
class FindingKey:
    """The identity of a finding: its code and its subject.

    Attributes:
        code: The code.
        rule: The name that suppressions use.
        cites: The clauses.
        places: Where the game's code made it.
    """

    code: str
    rule: str
    cites: Cites
    places: Places

    def finding(self, message: str, **more: object) -> Finding:
        """The finding that it identifies."""
        kind = CATALOGUE[self.code]
        clauses = tuple(dict.fromkeys(str(c) for c in self.cites))
        made = Finding(self.code, kind.severity, self.rule, clauses, message, self.places, help=kind.help)
        return replace(made, **more)  # type: ignore[arg-type]

"""Findings of a check, as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from vclogic.check.catalogue import CATALOGUE, Severity
from vclogic.document_keys import AFTER, OR_NULL, TEXT_ONLY, key
from vclogic.model.citation import Cites
from vclogic.model.fluents import State, Value
from vclogic.model.rules import Reading
from vclogic.model.system import System
from vclogic.provenance import Places
from vclogic.query.answers import GameAnswer, Step
from vclogic.terms.term import Term

Scope = Literal["positions", "reachable", "rules"]


@dataclass(frozen=True)
class WitnessChange:
    """A fluent that a witness has otherwise than the start.

    Attributes:
        fluent: Its name.
        before: Its value at the start.
        after: Its value in the witness.
    """

    fluent: str
    before: Value = field(metadata=key("from"))
    after: Value = field(metadata=key("to"))


@dataclass(frozen=True)
class Witness:
    """A position that shows a finding, as changes of the start; the Python evaluator has confirmed it.

    Attributes:
        changes: The fluents that are otherwise.
        minimal: Whether no position with fewer pieces, or as many and fewer changes, shows it (proved); of a position
            at the end of a history, whether no cheaper history leads to one.
        pieces: How many pieces there are, where the game counts them.
        position: The position as the text of a file; None where no file can give it.
        then: What happens from there, in sentences, where the finding is about that.
    """

    changes: tuple[WitnessChange, ...]
    minimal: bool
    pieces: int | None = None
    position: str | None = field(default=None, metadata=AFTER)
    then: tuple[str, ...] = ()


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong with a rule set, or worth knowing.

    Attributes:
        code: Its code in the catalogue.
        severity: How bad it is.
        rule: What it is about, by the name that suppressions use.
        cites: Clause ids.
        message: One plain sentence.
        places: Where the game's code made it, innermost first.
        scope: Where it holds: `positions` (over all well-formed ones), `reachable` (from the start by legal steps),
            or `rules` (it stands in the rule set itself).
        witness: A position that shows it, if one does.
        steps: How the witness comes about, for one that is reachable.
        proof: What a finding that something never is rests on.
        help: What to do about it.
        suppressed: Why it is no matter, where the game says so.
        ruling: A ruling that would tell what no ruling tells, ready to paste, with today's answer; empty: it is about
            something else.
        goal: The term that the witness makes true, for a look at whether that can be reached.
        of_event: Whether it speaks of the last event: then an event makes it true, from the witness on.
    """

    code: str
    severity: Severity
    rule: str
    cites: tuple[str, ...]
    message: str
    places: Places = ()
    scope: Scope = "positions"
    witness: Witness | None = None
    steps: tuple[Step, ...] = ()
    proof: str = field(default="", metadata=OR_NULL)
    help: str = ""
    suppressed: str | None = None
    ruling: str = field(default="", metadata=OR_NULL | AFTER)
    goal: Term | None = field(default=None, compare=False, repr=False, metadata=TEXT_ONLY)
    of_event: bool = field(default=False, compare=False, repr=False, metadata=TEXT_ONLY)


@dataclass(frozen=True)
class Undecided:
    """A check that could not be decided.

    Attributes:
        code: The code of the finding that it would be.
        rule: What it is about.
        reason: Why, with the bound up to which it was looked at.
    """

    code: str
    rule: str
    reason: str


@dataclass(frozen=True)
class Cleared:
    """A finding over all positions that the start never leads to.

    Attributes:
        code: Its code.
        rule: What it is about.
        proof: Why it is out of reach.
    """

    code: str
    rule: str
    proof: str


@dataclass(frozen=True, kw_only=True)
class Checked(GameAnswer):
    """The result of checking a rule set.

    Attributes:
        scope: How far was looked.
        findings: All of them, suppressed ones too.
        checked: The codes that were looked for.
        unknown: What could not be decided.
        cleared: What positions alone would allow, and the start excludes.
        play: How far play from the start was looked at, and what is open about it; empty: nothing asked for that.
        looked_at: What was looked at, and what was not, in a line; empty: nothing was.
        rulings: What became of the changes of which it was asked whether a ruling notices them; empty: none was made.
        elapsed_s: Seconds taken.
    """

    game: str
    scope: Scope
    findings: tuple[Finding, ...]
    checked: tuple[str, ...]
    unknown: tuple[Undecided, ...]
    cleared: tuple[Cleared, ...]
    play: str = field(default="", metadata=AFTER)
    looked_at: str = field(default="", metadata=AFTER)
    rulings: str = field(default="", metadata=AFTER)
    elapsed_s: float = field(metadata=AFTER)

    @property
    def open(self) -> tuple[Finding, ...]:
        """The findings that are not suppressed."""
        return tuple(f for f in self.findings if f.suppressed is None)


# ---- what is checked, and what identifies a finding


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

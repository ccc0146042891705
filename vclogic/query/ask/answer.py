"""The answer of `ask`: a ruling, with what decides it and what would change it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from vclogic.document_keys import AFTER, IF_ANY, LAST, TEXT_ONLY
from vclogic.model.fluents import Value
from vclogic.query.answers import GameAnswer
from vclogic.query.explanation import Explained

Kind = Literal["expression", "event", "outcome"]
Origin = Literal["given", "record", "scenario", "assumed"]


@dataclass(frozen=True)
class Fact:
    """A fact of the position that a ruling rests on.

    Attributes:
        name: The fact, as `state:` of a position file names it, such as `building_control[22U3]`.
        value: Its value.
        origin: Who says so: `given`, a file of the user; `record`, a step of the record brought it about;
            `scenario`, the scenario or its board; `assumed`, nobody: it is what holds where files leave it out.
        step: The step of the record that brought it about, counted from 1.
        file: The file that gives it.
        line: The line there.
        about: What it is about, in the game's words, such as a unit.
        follows: Whether it is not given as such, but follows from what is given.
        says: What it says of that, such as `is broken`; see `vclogic.model.sayings.Said`.
    """

    name: str
    value: Value
    origin: Origin
    step: int | None = None
    file: str | None = None
    line: int | None = None
    about: str = ""
    says: str = ""
    follows: bool = False


@dataclass(frozen=True)
class Addend:
    """A part of a number that adds something to it, or takes something off.

    Attributes:
        adds: How much.
        text: What it is, in a sentence.
        facts: The facts that decide that it does; none where the board alone decides.
    """

    adds: int
    text: str
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True)
class Because:
    """Why something is so at one moment.

    Attributes:
        text: What is explained, in a sentence.
        facts: The facts that decide it: as long as they stay, so does what is explained, whatever else changes.
        clauses: Ids of the clauses that decide it.
        step: None: the position that is asked about. A number: the step of the record that brought it about, or the
            last one that left it as it was; then the facts are those before that step.
        event: That step, as in a record.
        addends: Where a number decides: what adds up to it.
        total: That number.
        need: What it is compared with; None: it is itself the answer.
    """

    text: str
    facts: tuple[Fact, ...]
    clauses: tuple[str, ...] = ()
    step: int | None = None
    event: str | None = None
    addends: tuple[Addend, ...] = ()
    total: int | None = None
    need: int | None = None


@dataclass(frozen=True)
class DecidingClause:
    """A clause that a ruling rests on.

    Attributes:
        clause: Its id.
        source: The rule text.
        says: What it says in the game's words; a sentence for each thing that encodes it.
        speaks: Whether it speaks `for` the ruling, or `against` it: its condition is fulfilled, and but for the
            clauses that speak for the ruling the answer would be another.
    """

    clause: str
    source: str
    says: tuple[str, ...]
    speaks: Literal["for", "against"] = "for"


@dataclass(frozen=True)
class OtherRuling:
    """The answer under some other Readings.

    Attributes:
        readings: The Readings that differ from those in use, with their values.
        value: The answer under them; None: undefined, or `refused`.
        changes: Whether the answer is another than under the Readings in use.
        refused: Why the position or its record is not allowed under them, or how the game's rules break down; empty
            where there is an answer.
        says: What each of these values means, in the order of `readings`.
        clauses: The clauses that they are about.
        broken: Whether the game's rules break down under them: a mistake in the game, not in the position.
    """

    readings: Mapping[str, str]
    value: Value | None
    changes: bool
    refused: str = ""
    says: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    broken: bool = False


@dataclass(frozen=True)
class OtherReadings:
    """The effect of other Readings on a question.

    Attributes:
        changing: Smallest sets of Readings that change the answer, smallest first: no part of one changes it.
        alone: Each other value of each Reading, alone; only where all Readings are asked for.
        complete: Whether `changing` holds all such sets.
        up_to: So many Readings at once were tried, or cannot matter; None: any number.
        reason: Why it is not complete; empty where it is.
    """

    changing: tuple[OtherRuling, ...]
    alone: tuple[OtherRuling, ...] = ()
    complete: bool = True
    up_to: int | None = None
    reason: str = ""


@dataclass(frozen=True)
class Precedent:
    """A ruling of the game's own collection on the same deciding clauses.

    Attributes:
        name: What it rules, in a line.
        cites: The clauses that it rests on.
        shared: Those among them that decide the question.
        file: The file that it stands in.
        line: The line there.
    """

    name: str
    cites: tuple[str, ...]
    shared: tuple[str, ...]
    file: str
    line: int | None


@dataclass(frozen=True, kw_only=True)
class Ruled(GameAnswer):
    """The ruling on one question.

    Attributes:
        question: What was asked, with the names that the game uses.
        kind: Whether it is an expression, an event, or an outcome.
        side: Of an outcome: the side.
        value: The answer: the value of the expression, None where it is undefined; whether the event is allowed;
            whether the outcome is met, None where it is undefined.
        text: The answer in a sentence.
        lacks: What is missing where it is undefined, in a few words.
        because: Why; the position that is asked about first, then steps of the record.
        clauses: The clauses that decide, those that speak for the ruling first.
        readings: What other Readings make of it.
        precedents: Rulings of the game on the same clauses, those that share most first.
        more_precedents: How many more rulings there are on these clauses.
        places: Names of the regions of the picture that the deciding facts are about.
        not_judged: What the record, and an event that is allowed, are believed in, since the rule text does not say.
        explanations: Everything that the answer rests on, with what decides marked; where it was asked for.
        elapsed_s: How long it took, in seconds.
        reason: Why not all is told that the answer rests on; empty where it is.
    """

    game: str
    question: str
    kind: Kind
    side: str | None = None
    value: Value | None
    text: str
    lacks: str = ""
    because: tuple[Because, ...]
    clauses: tuple[DecidingClause, ...]
    readings: OtherReadings
    precedents: tuple[Precedent, ...]
    more_precedents: int = field(default=0, metadata=TEXT_ONLY)
    places: tuple[str, ...] = ()
    not_judged: tuple[str, ...] = ()
    explanations: tuple[Explained, ...] = field(default=(), metadata=IF_ANY | AFTER)
    elapsed_s: float = field(default=0.0, metadata=AFTER)
    reason: str = field(default="", metadata=IF_ANY | LAST)

    @property
    def assumed(self) -> tuple[Fact, ...]:
        """The deciding facts that nobody gave, each once."""
        facts = (f for b in self.because for f in b.facts if f.origin == "assumed")
        return tuple(dict.fromkeys(facts))

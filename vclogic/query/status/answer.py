"""The answer who is winning: progress towards each outcome, tables, and what each step has changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from vclogic.by_value import ByValue
from vclogic.document_keys import AFTER, IF_ANY, then
from vclogic.model.fluents import Value
from vclogic.query.answers import GameAnswer
from vclogic.query.status.headline import headline
from vclogic.query.status.outcomes import OutcomeStatus, remarks

if TYPE_CHECKING:
    from vclogic.query.explanation import Explained
    from vclogic.query.status.position import PositionPart


@dataclass(frozen=True)
class Changed:
    """A change by a step.

    Attributes:
        what: A fact as `state:` of a position file names it, an expression of the goal language, or an outcome and
            its side.
        before: Its value before the step; None: undefined.
        after: Its value after it.
        about: For a fact: what it is about, in the game's words, such as a unit.
        says: For a fact: what it says of that now, such as `is broken`; see `vclogic.model.sayings.Said`.
    """

    what: str
    before: Value | None
    after: Value | None
    about: str = ""
    says: str = ""


@dataclass(frozen=True)
class TracedStep:
    """One step of a record, with what it changes.

    Attributes:
        step: Its number, counted from 1.
        event: The event, as in a record.
        facts: The facts that it changes.
        values: The values that `status` shows and that it changes, such as points and controllers.
        outcomes: The outcomes whose status it changes (`met`, `unmet`, `undefined`).
    """

    step: int
    event: str
    facts: tuple[Changed, ...]
    values: tuple[Changed, ...] = ()
    outcomes: tuple[Changed, ...] = ()


@dataclass(frozen=True)
class TableStatus(ByValue):
    """A table of the game.

    Attributes:
        title: What it shows.
        head: What its rows are.
        columns: The columns.
        rows: For each row and column the entries with their values.
        cites: Clause ids.
    """

    title: str
    head: str
    columns: tuple[str, ...]
    rows: Mapping[str, Mapping[str, Mapping[str, Value]]]
    cites: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Status(GameAnswer):
    """The winner, and each side's progress towards each outcome.

    Attributes:
        winner: The side that was first to win, or None.
        winners: All sides that have won: several where they meet their outcomes at one moment and the rules name no
            single winner.
        over: Whether the game is over: a side has won, the rules say so, or it is stuck.
        stuck: Whether whoever is on turn can do nothing, and nobody has won; where the rules can tell.
        view: The side whose knowledge was asked for, or None for all of it.
        outcomes: Each outcome in use for each side.
        observables: Expression to value; None where it is undefined.
        turn: Whose turn it is, by the names of the schedule.
        tables: The game's tables, where they were asked for.
        explanations: Why each outcome is met or not, where that was asked for.
        not_judged: What the record was believed in, since the rule text does not speak of it.
        trace: What each step of the record changed; None where that was not asked for.
        position: Who is where and who controls what, where that was asked for.
    """

    winner: str | None = field(metadata=then("headline"))
    winners: tuple[str, ...] = ()
    over: bool = False
    stuck: bool = field(default=False, metadata=IF_ANY)
    view: str | None
    outcomes: tuple[OutcomeStatus, ...] = field(metadata=then("remarks"))
    observables: Mapping[str, Value | None]
    turn: Mapping[str, Value] = field(default_factory=dict)
    not_judged: tuple[str, ...] = ()
    tables: tuple[TableStatus, ...] = field(default=(), metadata=IF_ANY | AFTER)
    position: tuple[PositionPart, ...] = field(default=(), metadata=IF_ANY | AFTER)
    explanations: tuple[Explained, ...] = field(default=(), metadata=IF_ANY | AFTER)
    trace: tuple[TracedStep, ...] | None = field(default=None, metadata=IF_ANY | AFTER)

    @property
    def headline(self) -> str:
        """The result in a sentence: who has won by what, or that nobody has, and whether the game is over."""
        over = self.over and not self.stuck
        return headline(self.winners, self.outcomes, over=over, stuck=self.stuck, view=self.view)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences about the outcomes: when each is judged, what is undefined, who has enough already."""
        return remarks(self.outcomes)

"""What answers share: their heads, and the parts of several of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from vclogic.by_value import ByValue
from vclogic.document_keys import AFTER, IF_ANY, LAST, TEXT_ONLY
from vclogic.model.actions import Event
from vclogic.model.fluents import Value
from vclogic.model.step_text import Under
from vclogic.model.system import Events


@dataclass(frozen=True, kw_only=True)
class GameAnswer(ByValue):
    """The head of every answer.

    Attributes:
        game: What it is called: `encoding/scenario`, or `encoding: title`.
        assumptions: What the answer rests on.
    """

    game: str = field(metadata=TEXT_ONLY)
    assumptions: tuple[str, ...] = field(metadata=AFTER)


@dataclass(frozen=True, kw_only=True)
class SearchAnswer(GameAnswer):
    """The head of an answer that takes a search.

    Attributes:
        status: What was found, in a word; `unknown` where the time was up before.
        elapsed_s: Seconds taken.
        reason: Why nothing better is known; empty where nothing better can be.
    """

    status: str
    elapsed_s: float = field(default=0.0, metadata=AFTER)
    reason: str = field(default="", metadata=IF_ANY | LAST)


@dataclass(frozen=True, kw_only=True)
class GoalAnswer(SearchAnswer):
    """The head of an answer about plans, or turns, that lead to a goal.

    Attributes:
        goal: The goal as asked.
        heading: What the planning model leaves out.
        events: The events that plans and turns may hold, and those that the planning model leaves out.
    """

    goal: str = field(metadata=TEXT_ONLY)
    heading: str = field(metadata=TEXT_ONLY)
    events: Events


@dataclass(frozen=True)
class Step(ByValue):
    """One step of a plan or witness.

    Attributes:
        n: Its number, from 1.
        turn: The schedule when it is taken (such as round and turn), or None where turn order is ignored.
        actor: Who acts.
        action: Name of the action.
        args: Its arguments.
        text: The sentence for a player.
        cites: Clause ids that the step rests on.
        under: What it is part of, if several steps make one.
    """

    n: int
    turn: Mapping[str, Value] | None
    actor: str | None
    action: str
    args: Mapping[str, Value]
    text: str
    cites: tuple[str, ...]
    under: Under | None = field(default=None, metadata=TEXT_ONLY)


@dataclass(frozen=True)
class Recorded:
    """A plan or witness as a record.

    Attributes:
        events: The events as a position file may hold them, from the start to the goal; None where no order of them
            was found that the rules accept.
        reason: Why there are none.
        decided: Whether that is more than that the time was up.
    """

    events: tuple[Event, ...] | None
    reason: str = ""
    decided: bool = True


@dataclass(frozen=True)
class Horizon:
    """The limit of a statement.

    Attributes:
        n: The limit; None: none.
        unit: What is counted, in the singular.
    """

    n: int | None
    unit: str

"""Aims of players, as a rulebook's statements say them: planning models and objectives."""

from __future__ import annotations

from dataclasses import dataclass

from vclogic.rulebook.declarations import Effect
from vclogic.rulebook.statements import Content
from vclogic.terms.expressions.syntax import Binder, Call, Node, Word

EVENT_STEP, TURN_STEP, ROUND_STEP = "an event", "a turn", "a round"


@dataclass(frozen=True, slots=True)
class Used:
    """`EVENT [after EVENT]`: an event of a plan, and what comes before it with the same arguments."""

    event: Word
    after: Word | None = None


@dataclass(frozen=True, slots=True)
class Kept:
    """`keeps FACT [for KIND ...]`: facts that no step of a plan changes."""

    fact: Call | Word
    binder: Binder | None = None


@dataclass(frozen=True, slots=True)
class Counted:
    """`counts VALUE for EVENT, ...`: the cost of some events."""

    value: Node
    events: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class FromPython:
    """`python FUNCTION of FILE.py`, or `of PACKAGE.MODULE`: a function in Python that makes the model."""

    function: Word
    module: Word


@dataclass(frozen=True, slots=True)
class PlanRule(Content):
    """`plan NAME ["TEXT"]`, with what its steps are below it.

    Attributes:
        name: Its name, as questions ask for it.
        text: What it leaves out, for the head of answers.
        uses: The events that steps are made of, in the parts of a turn; empty: all but those that are left out.
        without: The events that are left out.
        step: One of `EVENT_STEP`, `TURN_STEP`, `ROUND_STEP`.
        most: The most events of a turn; None: any number.
        each: The kind each of whose members has one event at most in each part of a turn; None: any number.
        keeps: The facts that stay as they are.
        counts: The costs of events; empty: each event that somebody decides costs 1.
        turns: Whether turns are counted instead.
        python: The function that makes all of it, with no other line beside it; None: the lines do.
    """

    name: Word
    text: str = ""
    uses: tuple[tuple[Used, ...], ...] = ()
    without: tuple[Word, ...] = ()
    step: str = EVENT_STEP
    most: int | None = None
    each: Word | None = None
    keeps: tuple[Kept, ...] = ()
    counts: tuple[Counted, ...] = ()
    turns: bool = False
    python: FromPython | None = None


@dataclass(frozen=True, slots=True)
class HeldBy:
    """`held by SIDE if CONDITION`: who has an objective; `side` stands for each side."""

    who: Word
    condition: Node


@dataclass(frozen=True, slots=True)
class WorthTo:
    """`worth "TEXT" [to SIDE] [if CONDITION]`: what an objective brings, and to whom."""

    said: tuple[str | Node, ...]
    who: Word | None = None
    condition: Node | None = None


@dataclass(frozen=True, slots=True)
class ObjectiveRule(Content):
    """`objective "NAME" [for KIND ...]`, with who has it below: what players take and hold.

    Attributes:
        said: What players call it.
        binder: The members of kinds each of which is one; None: it is one alone.
        sort: What it is, in the singular; empty: an objective.
        held: Who has it when.
        places: Where it is on the board; None: nowhere.
        worth: What it brings.
        lost: What changes once a side, called `side`, has lost it.
    """

    said: tuple[str | Node, ...]
    binder: Binder | None = None
    sort: str = ""
    held: tuple[HeldBy, ...] = ()
    places: Binder | None = None
    worth: tuple[WorthTo, ...] = ()
    lost: tuple[Effect, ...] = ()

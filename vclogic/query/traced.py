"""A step of a record with what it changes, as data."""

from __future__ import annotations

from dataclasses import dataclass

from vclogic.model.fluents import Value


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

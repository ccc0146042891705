"""The text of a goal and of a value, compiled: terms, and what the text names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from vclogic.terms.atoms import TRUE
from vclogic.terms.domain import Domain
from vclogic.terms.partial import Partial
from vclogic.terms.term import Term


@dataclass(frozen=True)
class Goal:
    """A compiled goal.

    Attributes:
        text: As the user wrote it.
        term: Bool.
        mentions: Sort name and member name of every member that the text names, each once, in order.
        functions: The observables that it uses, in order, each with its values by the names that it is asked of.
        of_events: Whether it uses `before`, `happens` or `actor`; its term then contains their placeholders.
        meaning: Bool: where it has a meaning; elsewhere something that it asks for is undefined.
    """

    text: str
    term: Term
    mentions: tuple[tuple[str, str], ...] = ()
    functions: Mapping[str, Mapping[tuple[str, ...], Partial]] = field(default_factory=dict)
    of_events: bool = False
    meaning: Term = TRUE


ANYTHING = Goal("", TRUE)
"""The goal of a question that has none."""


@dataclass(frozen=True)
class Value:
    """A compiled expression of any sort; `text`, `mentions` and `functions` as in `Goal`.

    Attributes:
        partial: Its value, and where that is defined.
        values: For an Enum value: the names it can be compared with.
    """

    text: str
    partial: Partial
    mentions: tuple[tuple[str, str], ...]
    functions: Mapping[str, Mapping[tuple[str, ...], Partial]]
    values: Domain | None

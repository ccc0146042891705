"""Progress of the sides towards the outcomes, with remarks that a table of it does not show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from vclogic.document_keys import IF_ANY, TEXT_ONLY, then
from vclogic.words import joined

_MEANINGS = {
    "undefined": "undefined: the rules give no answer here, since something that they need is missing",
    "undeclared": "undeclared: hidden from this view",
}


@dataclass(frozen=True)
class OutcomeStatus:
    """The progress of one side towards one outcome.

    Attributes:
        rule: Name of the outcome.
        side: The side.
        level: Degree of victory, if the rules know degrees.
        status: `met` (now, or first at an earlier moment), `unmet`, `undefined` (the rules leave it open here) or
            `undeclared` (hidden from the view asked for).
        have: How far the side is, if the condition is a threshold.
        need: The threshold.
        cites: Clause ids.
        text: What the outcome asks for, in a line.
        when: When it is judged; empty: at once.
        lacks: For `undefined`: what is missing, in a few words.
        fulfilled: Whether what it asks for holds now, judged or not.
        count: The expression of the overview that says how far the side is; None: none does.
        together: Whether several sides win it together.
        all_lose: Of one that nobody wins: whether all lose by it.
    """

    rule: str
    side: str
    level: str | None
    status: Literal["met", "unmet", "undefined", "undeclared"]
    have: int | None
    need: int | None
    cites: tuple[str, ...] = field(metadata=then("short"))
    text: str = field(metadata=TEXT_ONLY)
    when: str
    lacks: str = field(default="", metadata=TEXT_ONLY)
    fulfilled: bool = False
    count: str | None = None
    together: bool = field(default=False, metadata=IF_ANY)
    all_lose: bool = field(default=False, metadata=IF_ANY)

    @property
    def whose(self) -> str:
        """The holder, for a reader."""
        return "all lose" if self.all_lose else self.side

    @property
    def missing(self) -> int | None:
        """The distance to the threshold; 0 where it is reached, None where there is none."""
        return None if self.have is None or self.need is None else max(self.need - self.have, 0)

    @property
    def short(self) -> int | None:
        """The same where it tells more than the status: how much an unmet outcome is short of, or that it is not."""
        return self.missing if self.status == "unmet" and (self.missing or self.fulfilled) else None


def remarks(outcomes: Sequence[OutcomeStatus]) -> tuple[str, ...]:
    """Sentences about where the sides stand with the outcomes.

    Args:
        outcomes: Each outcome for each side.

    Returns:
        When the outcomes are judged; what is undefined or hidden; who has enough without having won.
    """
    return (*_moments(outcomes), *_unsettled(outcomes), *_enough(outcomes))


def _moments(outcomes: Iterable[OutcomeStatus]) -> Iterator[str]:
    """When outcomes are judged, those of one moment together."""
    at: dict[str, list[str]] = {}
    for o in outcomes:
        at.setdefault(o.when or "at once", []).append(o.rule)
    for when, names in at.items():
        yield f"{joined(list(dict.fromkeys(names)))}: judged {when}"


def _unsettled(outcomes: Sequence[OutcomeStatus]) -> Iterator[str]:
    statuses = {o.status for o in outcomes}
    yield from (meaning for name, meaning in _MEANINGS.items() if name in statuses)
    yield from dict.fromkeys(f"{o.rule} is undefined: {o.lacks}" for o in outcomes if o.lacks)


def _enough(outcomes: Sequence[OutcomeStatus]) -> Iterator[str]:
    for o in outcomes:
        if o.status != "unmet" or not o.fulfilled:
            continue
        first = joined([x.side for x in outcomes if x.rule == o.rule and x.status == "met"])
        judged = f"it is judged {o.when}" if o.when else "it does not count yet"
        yield f"{o.side}: enough for {o.rule}, but " + (f"{first} came first" if first else judged)

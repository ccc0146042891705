"""How far a question is, told to whoever waits for its answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Progress:
    """How far a question is.

    Attributes:
        phase: What is being done, in a few plain words.
        cost: What the cheapest plan costs that is known so far; None: none is known.
        bound: No plan costs less, as far as is known; None: nothing is.
    """

    phase: str
    cost: int | None = None
    bound: int | None = None


Listener = Callable[[Progress], None]
"""What somebody does who is told."""


class Tell(Protocol):
    """What work says of itself: what it is doing, and the cost and the bound that it knows, if it knows any."""

    def __call__(self, phase: str, cost: int | None = None, bound: int | None = None) -> None:
        """Says so."""


def silent(progress: Progress) -> None:
    """Progress that nobody wants to see."""


def untold(phase: str, cost: int | None = None, bound: int | None = None) -> None:
    """Work that says nothing of itself."""

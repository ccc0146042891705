"""Progress reports of a running question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Progress:
    """The progress of a running question.

    Attributes:
        phase: What is being done, in a few plain words.
        cost: The cost of the best plan found so far; None: no plan is known.
        bound: The best proved lower bound of the cost; None: no bound is known.
        scale: In how many parts of one both are counted.
    """

    phase: str
    cost: int | None = None
    bound: int | None = None
    scale: int = 1


Listener = Callable[[Progress], None]
"""A function that is called with progress."""


class Tell(Protocol):
    """A function by which a search reports its phase, its best cost and its best bound."""

    def __call__(self, phase: str, cost: int | None = None, bound: int | None = None) -> None:
        """Report the phase, and the cost and the bound if they are known."""


def silent(progress: Progress) -> None:
    """Ignore progress."""


def untold(phase: str, cost: int | None = None, bound: int | None = None) -> None:
    """Ignore what a search reports."""

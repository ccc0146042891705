"""Progress reports of a running question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from vclogic.document_keys import then
from vclogic.words import bounds, in_parts


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
    scale: int = field(default=1, metadata=then("known"))

    @property
    def known(self) -> str:
        """The known bounds of the cost, in words; empty if there are none."""
        least = "" if not self.bound else self._number(self.bound)  # that it is not below 0 says nothing
        if self.cost is None:
            return bounds(least, "")
        cost = self._number(self.cost)
        if self.cost == self.bound:
            return f"best so far {cost}, and no less will do"
        return f"{bounds(least, cost)}, the best so far" if least else f"best so far {cost}"

    def _number(self, n: int) -> str:
        return str(n) if self.scale == 1 else in_parts(n, self.scale)


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

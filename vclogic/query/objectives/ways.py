"""Ways to a goal that leave some objectives alone: the one question that everything about objectives is made of.

If there is a way that never has any of some objectives, there is one for every part of them. So the sets of
objectives that plans take (winning sets), and those whose loss leaves no plan (denial sets), follow from the answers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Set
from dataclasses import dataclass
from typing import Literal

from vclogic.clock import Deadline
from vclogic.solve.problem import Problem, Search


@dataclass(frozen=True)
class Way:
    """The answer.

    Attributes:
        status: `found`, `none` (proved) or `unknown`.
        search: The plan, its cost and bound, or the proof that there is none.
        problem: The problem in which the plan is replayed; None without a plan.
        takes: The names of the objectives that the plan takes.
    """

    status: Literal["found", "none", "unknown"]
    search: Search
    problem: Problem | None = None
    takes: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Sought:
    """A request for a plan; see `Ways.find`."""

    closed: frozenset[str]
    most: int | None = None
    cheapest: bool = False
    first: str | None = None


class Ways(ABC):
    """Answers for one goal from one start, under conditions and a horizon."""

    def find(
        self,
        closed: Set[str],
        deadline: Deadline,
        *,
        most: int | None = None,
        cheapest: bool = False,
        first: str | None = None,
    ) -> Way:
        """A plan for the goal after no step of which the side has any of some objectives.

        Args:
            closed: The names of these objectives; none of them is held at the start.
            most: The most that the plan may cost; None: any cost.
            cheapest: Whether a cheapest plan is wanted, with a proof; else any plan is as good.
            first: An objective that the plan takes, and before which it takes none that the game is about; those
                taken in the same step count as taken together.
        """
        return self.answer(Sought(frozenset(closed), most, cheapest, first), deadline)

    def tidied(self, way: Way, deadline: Deadline) -> Way:
        """A way that takes the same at the same cost, without choices that are of no use, as far as time allows.

        Args:
            way: A way that was found.
        """
        return way

    @abstractmethod
    def answer(self, sought: Sought, deadline: Deadline) -> Way:
        """The same question as one object, so that it can be handed on."""

"""What a page shows of a game at one moment: the board, and what may be changed at a place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from vclogic.moment.playing import Playing
from vclogic.query.answers import Plan, Reach
from vclogic.query.answers import Step as PlanStep

if TYPE_CHECKING:
    from vclogic.query.board import BoardShown, PlaceFacts


class Looking(Playing):
    """A game at one moment, and what a page shows of it."""

    __slots__ = ()

    def board(self, plan: Plan | Reach | Sequence[PlanStep] = (), step: int | None = None) -> BoardShown:
        """The picture of this moment with places to select.

        Args:
            plan: A plan or witness found from this moment, or its steps.
            step: Only one turn of it, by the number on its arrows; None: all of it.

        Raises:
            InputError: The game has no picture, the plan is of another game, or there is no such turn.
        """
        from vclogic.query.board import board
        from vclogic.query.picture import turns_of

        drawn = self.picture(plan, step)
        steps = plan if isinstance(plan, Sequence) else plan.steps
        return board(drawn, turns_of(self.setup.system, self.state, steps))

    def place(self, place: str | None = None) -> PlaceFacts:
        """What is at a place of the board, and may be changed there by hand.

        Args:
            place: The place, as the board calls it; None: what is recorded of no place, such as whose turn it is.

        Raises:
            InputError: The game has no picture, or there is no such place on it.
        """
        from vclogic.query.board import place as facts_at

        return facts_at(self.setup.system, self.picture(), self.state, place)

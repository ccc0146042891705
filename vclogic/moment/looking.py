"""The board of a game at one moment, and the facts that may be changed at a place, for a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

from vclogic.choices import choice
from vclogic.errors import Diagnostic, InputError
from vclogic.model.sayings import Said
from vclogic.moment.playing import Playing
from vclogic.query.answers import Plan, Reach
from vclogic.query.answers import Step as PlanStep

if TYPE_CHECKING:
    from vclogic.query.board import BoardShown, PlaceFacts


_MOST_CHANGES = 8  # sentences


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
        return board(drawn, turns_of(self.loaded.setup.system, self.state, steps))

    def place(self, place: str | None = None) -> PlaceFacts:
        """The contents of a place of the board, and the facts that may be changed there by hand.

        Args:
            place: The place, as the board calls it; None: what is recorded of no place, such as whose turn it is.

        Raises:
            InputError: The game has no picture, or there is no such place on it.
        """
        from vclogic.query.board import place as facts_at

        return facts_at(self.loaded.setup.system, self.picture(), self.state, place)

    def changes_since(self, before: Self) -> tuple[str, ...]:
        """The facts that are others than at a moment before, in words; of very many only how many there are.

        Args:
            before: The moment before, under the same rules and on the same board.

        Raises:
            InputError: It is one of another game.
        """
        from vclogic.model.sentences import sentences
        from vclogic.query.status import changed_facts

        system = self.loaded.setup.system
        if before.loaded.setup.system.layout.fluents != system.layout.fluents:
            message = "these are moments of different games, or on different boards"
            raise InputError(Diagnostic("not-for-this-game", message, choice("before")))
        changed = changed_facts(system, before.state, self.state)
        return tuple(sentences((Said(c.about, c.says) for c in changed), _MOST_CHANGES))

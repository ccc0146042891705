"""What a player against an opponent asks of a game at one moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vclogic.model.system import IDLE
from vclogic.moment.questions import Questions

if TYPE_CHECKING:
    from vclogic.query.planner import Planner


class Playing(Questions):
    """A game at one moment, and the questions of one who plays against an opponent."""

    __slots__ = ()

    def planner(self, side: str | None = None, metric: str | None = None, *, opponent: str = IDLE) -> Planner:
        """A planner for many questions about this game, each with its own state, conditions and budget of time.

        Args:
            side: The side that plans; None: each question whose goal names one side is about that side.
            metric: A metric of the game; by default its first one.
            opponent: As in `plan`.

        Returns:
            The planner. It keeps between questions what does not depend on the state: the steps of the planning model
            where they are the same for all states, compiled goals and conditions, and, where no gain is ever lost
            (captures in axis_allies), the program with its cuts. Steps that are built for their state (units on maps,
            armies) are built anew for each state. Several threads may ask it; it answers one after the other.

        Raises:
            InputError: There is no such side, metric or opponent.
        """
        from vclogic.query.planner import Planner

        return Planner(self.setup, self.state, side, metric, opponent)

"""The question who wins if both sides play well, and that for all positions as a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vclogic.query.question import GameQuestion, Request, option, value

if TYPE_CHECKING:
    from vclogic.query.solve.answer import Solved


@value(kw_only=True)
class SolveQuestion(GameQuestion["Solved"]):
    """Find the winner if both sides play as well as can be, by looking at every position that play can reach.

    For small games. Of more than two sides one is asked about, against all others together. The `table` tells
    best play from each of these positions: `table[game]` for a game at one of these moments, `table.save(file)` and
    `Table.load(file)` of `vclogic.explore.table`.

    Attributes:
        side: Of more than two sides: the one against which all others play together.
        max_positions: The search is cut off after about so many positions; None: 5,000,000.
        check: Whether the table is checked position by position, in the time left.
    """

    side: str | None = option("Of more than two sides: who plays against all others.", "SIDE", default=None)
    max_positions: int | None = option("Look at no more positions than about so many.", "N", default=None)
    check: bool = option("Leave out the check of every position at the end.", default=True)

    def answer(self, request: Request) -> Solved:
        """The winner and in how many turns, or that it is a draw or endless, with the play.

        It is `unknown` if the search was cut off or the rules leave open what decides.

        Raises:
            InputError: The game has one side, or several and none is asked about, or a choice is wrong.
        """
        from vclogic.query.solve.best_play import MOST, solve

        most = MOST if self.max_positions is None else self.max_positions
        return solve(request, most, side=self.side, check=self.check)

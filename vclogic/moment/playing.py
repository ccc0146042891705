"""What a player against an opponent asks of a game at one moment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from vclogic.moment.questions import Questions
from vclogic.query.request import Patience, Spending

if TYPE_CHECKING:
    from vclogic.query.solved import Solved


class Playing(Questions):
    """A game at one moment, and the questions of one who plays against an opponent."""

    def solve(self, *, max_positions: int | None = None, check: bool = True, **patience: Unpack[Patience]) -> Solved:
        """Who wins from here if both sides play as well as can be, by looking at every position that play can reach.

        For small games of two sides. The answer's `table` tells best play from each of these positions:
        `table[game]` for a game at one of these moments, `table.save(file)` and `Table.load(file)` of
        `vclogic.explore.table`.

        Args:
            max_positions: The search is cut off after about so many positions; None: 5,000,000.
            check: Whether the table is checked position by position, in the time left.
            patience: Time limit and progress; see `Patience`.

        Returns:
            Who wins in how many turns, or that it is a draw or endless, with the play; `unknown` if the search was
            cut off or the rules leave open what decides.

        Raises:
            InputError: The game has not two sides, or a choice is wrong.
        """
        asked = self._request(Spending(dump=None, **patience))

        from vclogic.query.solve import MOST, solve

        return solve(asked, MOST if max_positions is None else max_positions, check=check)

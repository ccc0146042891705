"""The question who wins if both sides play well, and that for all positions as a graph."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from vclogic.document_keys import TEXT_ONLY
from vclogic.explore.odds import BestPlayOdds
from vclogic.query.answers import Recorded, SearchAnswer, Step
from vclogic.query.question import GameQuestion, Request, option, value

if TYPE_CHECKING:
    from vclogic.explore.table import BestPlayTable


@dataclass(frozen=True)
class Stuck:
    """A position in which nothing is legal, nobody has won, and the rules do not say that the game is over.

    Attributes:
        record: The fewest events that lead there.
        facts: What differs there from where the question was asked: each fact with its value.
    """

    record: Recorded
    facts: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Solved(SearchAnswer):
    """The winner if both sides play as well as can be.

    Attributes:
        status: `solved`; or `unknown`, where the search was cut off or the rules leave something open.
        value: `win`: a side wins; `draw`: the game ends and nobody has won; `endless`: neither side wins, and one can
            keep the game going for ever; `odds`: chance decides; `open`: not known.
        winner: The side that wins; None where none is sure to.
        turns: After how many turns, at most; a turn is a run of events that one side decides. None without a winner.
        safe: The sides that can be sure not to lose.
        keeps: The sides that can keep the game going for ever without losing.
        odds: What can be expected, where chance decides; else None.
        positions: How many positions were reached.
        events: How many legal events were found in them.
        depth: How many events the longest of the shortest ways to a position has.
        complete: Whether these are all positions that play can reach.
        stuck: How many positions there are in which nothing is legal and nothing is decided.
        stuck_first: Some of them, the nearest first.
        steps: Best play of both sides from here on, up to where chance decides.
        repeats_from: The step with which the play begins again; None where it comes to an end.
        record: The steps as a record; None where there are none.
        checked: Whether every position's claim was checked against the positions that its events lead to; None: it
            was not checked.
        table: Best play from every position; see `vclogic.explore.table.BestPlayTable`.
    """

    status: Literal["solved", "unknown"]
    value: Literal["win", "draw", "endless", "odds", "open"] = "open"
    winner: str | None = None
    turns: int | None = None
    safe: tuple[str, ...] = ()
    keeps: tuple[str, ...] = ()
    odds: BestPlayOdds | None = None
    positions: int
    events: int
    depth: int
    complete: bool = False
    stuck: int = 0
    stuck_first: tuple[Stuck, ...] = ()
    steps: tuple[Step, ...] = ()
    repeats_from: int | None = None
    record: Recorded | None = None
    checked: bool | None = None
    table: BestPlayTable | None = field(default=None, metadata=TEXT_ONLY)


@value(kw_only=True)
class SolveQuestion(GameQuestion["Solved"]):
    """Find the winner if both sides play as well as can be, by looking at every position that play can reach.

    For small games of two sides. The answer's `table` tells best play from each of these positions:
    `table[game]` for a game at one of these moments, `table.save(file)` and `Table.load(file)` of
    `vclogic.explore.table`.

    Attributes:
        max_positions: The search is cut off after about so many positions; None: 5,000,000.
        check: Whether the table is checked position by position, in the time left.
    """

    max_positions: int | None = option("Look at no more positions than about so many.", "N", default=None)
    check: bool = option("Leave out the check of every position at the end.", default=True)

    def answer(self, asked: Request) -> Solved:
        """Who wins in how many turns, or that it is a draw or endless, with the play.

        It is `unknown` if the search was cut off or the rules leave open what decides.

        Raises:
            InputError: The game has not two sides, or a choice is wrong.
        """
        from vclogic.query.solve import MOST, solve

        return solve(asked, MOST if self.max_positions is None else self.max_positions, check=self.check)

"""The answer who wins if both sides play as well as can be."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from vclogic.by_value import ByValue
from vclogic.document_keys import IF_ANY, TEXT_ONLY
from vclogic.explore.endings import BestPlayOdds
from vclogic.query.answers import Recorded, SearchAnswer, Step

if TYPE_CHECKING:
    from vclogic.explore.table import BestPlayTable


@dataclass(frozen=True)
class Stuck(ByValue):
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
        side: Of more than two sides the one against which all others play together; else None.
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
        looked_at: How many of them are finished: what may happen in them is known, or nothing does any more.
        decided: Of how many of them the value is known; None: best play was not worked out.
        depth: How many events the longest of the shortest ways to a position has.
        complete: Whether these are all positions that play can reach.
        stuck: How many positions there are in which nothing is legal and nothing is decided.
        stuck_first: Some of them, the nearest first.
        over: In how many of them the game is over, or a side has won.
        only_pass: In how many of them whoever decides can do nothing but pass.
        best: All events here that are best play: what each leads to is worth as much, and wins as soon.
        steps: Best play of both sides from here on, up to where chance decides.
        repeats_from: The step with which the play begins again; None where it comes to an end.
        record: The steps as a record; None where there are none.
        checked: Whether every position's claim was checked against the positions that its events lead to; None: it
            was not checked.
        table: Best play from every position; see `vclogic.explore.table.BestPlayTable`.
    """

    side: str | None = field(default=None, metadata=IF_ANY)
    status: Literal["solved", "unknown"]
    value: Literal["win", "draw", "endless", "odds", "open"] = "open"
    winner: str | None = None
    turns: int | None = None
    safe: tuple[str, ...] = ()
    keeps: tuple[str, ...] = ()
    odds: BestPlayOdds | None = None
    positions: int
    events: int
    looked_at: int
    decided: int | None = None
    depth: int
    complete: bool = False
    stuck: int = 0
    stuck_first: tuple[Stuck, ...] = ()
    over: int = 0
    only_pass: int = 0
    best: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    repeats_from: int | None = None
    record: Recorded | None = None
    checked: bool | None = None
    table: BestPlayTable | None = field(default=None, metadata=TEXT_ONLY)

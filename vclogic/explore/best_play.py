"""Best play: who wins from each position if both sides play as well as can be, by retrograde analysis.

What is computed, for a game of two sides:

- A position is *final* where a side has won or the game is over (`vclogic.explore.expansion`), and where no event is
  legal. Whatever is legal after a win does not count. If nobody has won there, it is a draw; if both have, its value
  is open.
- A side *wins* from a position if it can bring about a final position that it has won, whatever the other side does.
  A side that may act does act; that it may wait is an event of the game, such as the end of its turn.
- The length of a win is counted in *turns*: a turn is a run of events that one side decides; it ends where the next
  event may be another's, so that where both may act each event is a turn. Forced events count as no turn. The winner
  takes the fewest turns and among these the fewest events, the loser the most turns and among these the most events.
- Where neither side can win, both avoid to lose. The position is a *draw* if neither can keep the game going for
  ever without losing, and *endless* if one can. To each side both are worth the same, less than a win and more than
  a loss.
- What the rules leave open is never guessed: which of several forced events happens, and who acts first where both
  sides may. A side wins only if it does so whichever it is. Where that settles nothing, the value is *open*. An event
  that needs the consent of the other side counts for nobody; where there is no other, the value is open.
- Where chance decides, a side wins if it does so whatever comes up, and so on. What then is neither won nor lost nor
  a draw nor endless depends on *odds*: it has an expected score, see `vclogic.explore.chance`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vclogic.explore.arena import (
    CHANCE,
    DRAW,
    ENDLESS,
    FINAL,
    FIRST,
    LENGTHS,
    ODDS,
    OPEN,
    SECOND,
    SIDES,
    SITUATION,
    TURN,
    Arena,
    Array,
    arena,
)
from vclogic.explore.chance import NEVER, Result, Scores, forcing, scores
from vclogic.explore.endings import endings
from vclogic.explore.expansion import Explored
from vclogic.model.system import System

__all__ = ["DRAW", "ENDLESS", "FIRST", "ODDS", "OPEN", "SECOND", "VALUES", "BestPlay", "TooManySides", "best_play"]
_SECOND = 1 << 61  # what is added to lengths of the second side's wins, so that none is one of the first side's
VALUES = ("open", "first", "second", "draw", "endless", "odds")


class TooManySides(ValueError):
    """Best play is about games of two sides."""


@dataclass(frozen=True)
class Expected:
    """Expected scores of positions; see `vclogic.explore.chance.Scores`, also for the attributes.

    Attributes:
        unit: What a score of 1 is in `lower` and `upper`.
        lower: At least so many units.
        upper: At most so many units.
        lower_rank: A number that makes sure of `lower`.
        upper_rank: A number that makes sure of `upper`.
        level: A number that makes sure of `exact`.
        exact: The exact probabilities with which the sides win; None where they are not known.
    """

    unit: int
    lower: Array
    upper: Array
    lower_rank: Array
    upper_rank: Array
    level: Array
    exact: list[Result | None]


@dataclass(frozen=True)
class BestPlay:
    """Best play from each of some positions.

    Attributes:
        sides: The two sides.
        value: For each position `OPEN`, `FIRST` (the first side wins), `SECOND`, `DRAW`, `ENDLESS` or `ODDS`.
        turns: Where a side wins: after how many turns; 0 where it has won; -1 elsewhere.
        events: Where a side wins: after how many events; -1 elsewhere.
        best: For each position a best event, as the number of an edge in `Explored`; -1 where nothing is to be
            chosen or it is not known. For the winner it leads to the win in `turns`, for the loser it delays that as
            long as can be; where nobody decides it is the event that delays it most. Where the value is open it is
            one after which the side to move still need not lose, if there is such an event, else any.
        keeps: Where a side can keep the game going for ever without losing: 1 for the first side, 2 for the second,
            3 for both; else 0.
        safe: Which sides can be sure not to lose, whatever the rules leave open, in the same way.
        ends: For each side, where neither side need lose: within how many events it can bring the end about, if it
            and the other side only avoid to lose; -1 where it cannot.
        final: Whether a position is final.
        expected: Expected scores, where chance decides somewhere; else None.
    """

    sides: tuple[str, str]
    value: Array
    turns: Array
    events: Array
    best: Array
    keeps: Array
    safe: Array
    ends: Array
    final: Array
    expected: Expected | None


def two_sides(system: System) -> tuple[str, str]:
    """The sides of a game of two.

    Raises:
        TooManySides: It has fewer or more.
    """
    if len(system.sides) != SIDES:
        raise TooManySides(f"best play is about games of two sides; this one has {len(system.sides)}")
    first, second = system.sides
    return first, second


def best_play(system: System, explored: Explored, seconds: float = math.inf) -> BestPlay:
    """Best play from each explored position; see the module.

    Args:
        explored: The positions with their events.
        seconds: For how long bounds of expected scores are improved, where play can come back to a position.

    Raises:
        TooManySides: The game does not have two sides.
        TimeUp: The deadline has passed.
    """
    sides = two_sides(system)
    game = arena(system, explored, endings(system))
    return _BestPlaySolver(game, seconds).solved(sides)


class _BestPlaySolver:
    def __init__(self, game: Arena, seconds: float):
        self.game, self.seconds = game, seconds
        self.nobody = (game.owner == SITUATION) | (game.owner == CHANCE)
        self.open = bool((self.nobody | ((game.owner == FINAL) & (game.result == OPEN))).any())
        self.forcing = forcing(game)

    def solved(self, sides: tuple[str, str]) -> BestPlay:
        game, n = self.game, self.game.positions
        wins = [self._wins(side) for side in range(SIDES)]
        loses = [self._may_lose(side, wins[1 - side]) for side in range(SIDES)]
        value, keeps, ends, best = self._undecided(~loses[0] & ~loses[1])
        length = np.where(wins[0] < NEVER, wins[0], wins[1])
        value[wins[0] < NEVER], value[wins[1] < NEVER] = FIRST, SECOND
        won = length < NEVER
        whose = np.where(value == SECOND, length + _SECOND, length)
        best[won] = -1
        self._choose(best, whose[game.target] + LENGTHS[game.length] == np.where(won, whose, -1)[game.source])
        expected = self._expected(value, ~loses[0] & ~loses[1], best)
        self._something(loses, best)
        turns, events = np.divmod(length, TURN)
        return BestPlay(
            sides,
            value[:n],
            np.where(won, turns, -1)[:n].astype(np.int32),
            np.where(won, events, -1)[:n].astype(np.int32),
            self._as_event(best)[:n],
            keeps[:n],
            (~loses[0] + 2 * ~loses[1]).astype(np.int8)[:n],
            ends[:, :n],
            (game.owner == FINAL)[:n],
            expected,
        )

    def _something(self, loses: Sequence[Array], best: Array) -> None:
        """Choose, where nothing better is known, an event after which the mover need not lose, or else any."""
        game = self.game
        unknown = best[game.source] < 0
        for side in range(SIDES):
            mine = unknown & (game.owner[game.source] == side)
            self._choose(best, mine)
            self._choose(best, mine & ~loses[side][game.source] & ~loses[side][game.target])

    def _expected(self, value: Array, neither: Array, best: Array) -> Expected | None:
        """The expected scores; what depends on odds gets that value, and its best edge."""
        game, n = self.game, self.game.positions
        if not (game.owner == CHANCE).any():
            return None
        known = np.where(value == FIRST, 1, np.where(value == SECOND, -1, np.where(neither, 0, 2)))
        found: Scores = scores(game, known, self.seconds)
        odds = (known == 2) & (game.owner != FINAL)
        odds &= (found.lower > -found.unit) | (found.upper < found.unit)
        value[odds], best[odds] = ODDS, found.best[odds]
        return Expected(
            found.unit,
            found.lower[:n],
            found.upper[:n],
            found.lower_rank[:n],
            found.upper_rank[:n],
            found.level[:n],
            found.exact[:n],
        )

    def _wins(self, side: int) -> Array:
        """For each node the length of a side's win, whatever the other side and the situation choose."""
        game = self.game
        return self.forcing.lengths(np.flatnonzero(game.result == FIRST + side), game.owner == side)

    def _may_lose(self, side: int, wins_other: Array) -> Array:
        """For each node whether a side cannot be sure not to lose."""
        if not self.open:
            found: Array = wins_other < NEVER
            return found
        game = self.game
        other = 1 - side
        lost = (game.result == FIRST + other) | ((game.owner == FINAL) & (game.result == OPEN))
        chooses = (game.owner == other) | self.nobody
        return self.forcing.lengths(np.flatnonzero(lost), chooses) < NEVER

    def _undecided(self, neither: Array) -> tuple[Array, Array, Array, Array]:
        """Value, who keeps the game going, how far its end is, and the best edge, where neither side need lose."""
        game = self.game
        value: Array = np.zeros(game.nodes, np.int8)
        keeps: Array = np.zeros(game.nodes, np.int8)
        best: Array = np.full(game.nodes, -1, np.int64)
        ends: Array = np.full((SIDES, game.nodes), -1, np.int32)
        if not neither.any():
            return value, keeps, ends, best
        safe = neither[game.source] & neither[game.target]
        length = (game.origin >= 0).astype(np.int8)
        forced = self.forcing.restricted(safe, length)
        over = np.flatnonzero(neither & (game.owner == FINAL))
        to_end = [forced.lengths(over, game.owner == side) for side in range(SIDES)]
        may_end = to_end[::-1]  # against each side
        if self.open:
            may_end = [forced.lengths(over, game.owner != side) for side in range(SIDES)]
        self._choose(best, safe)  # where nothing better is known
        for side in range(SIDES):
            going = neither & (may_end[side] == NEVER)
            if going.any():
                keeps[going] |= 1 << side
                stays = safe & going[game.source] & going[game.target] & (game.owner[game.source] == side)
                self._choose(best, stays)
            known = neither & (to_end[side] < NEVER)
            ends[side, known] = to_end[side][known]
        value[keeps > 0] = ENDLESS
        drawn = (ends >= 0).all(axis=0)
        value[drawn] = DRAW
        # How far the end is for the side that chooses: the node after need not be its own.
        nearer = np.flatnonzero(safe)
        source, target = game.source[nearer], game.target[nearer]
        for side in range(SIDES):
            far = np.where(drawn & (game.owner == side), to_end[side], -NEVER)
            self._choose_among(best, nearer[to_end[side][target] + length[nearer] == far[source]])
        return value, keeps, ends, best

    def _choose(self, best: Array, edges: Array) -> None:
        """The first of some edges as the best of the node that they leave."""
        self._choose_among(best, np.flatnonzero(edges))

    def _choose_among(self, best: Array, edges: Array) -> None:
        best[self.game.source[edges[::-1]]] = edges[::-1]  # of several the last one counts, which is the first edge

    def _as_event(self, best: Array) -> Array:
        """The chosen edges as events; of a node in which several may act the one of whoever acts."""
        game = self.game
        found: Array = np.full(game.nodes, -1, np.int64)
        known = np.flatnonzero(best >= 0)
        found[known] = game.origin[best[known]]
        between = known[found[known] < 0]
        through = best[game.target[best[between]]]
        found[between] = np.where(through >= 0, game.origin[through], -1)
        return found

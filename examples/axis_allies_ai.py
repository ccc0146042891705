"""An AI that plays captures of Axis & Allies Revised: `python examples/axis_allies_ai.py --games 200`.

What is played: the board of 1942 without armies. A power takes one territory in its turn, or none, from what it
borders by land or across one sea zone (`legality=captures` has `Game.apply` judge that). A side wins by Major Victory
(40 points for the Axis, 50 for the Allies), which the rules look for after each round.

After three rounds the game is over. The Allies have three powers and the last move, and win points from a like-minded
opponent round by round. So it is not points that decide then, but how long the Axis have held out: with more than 16
of the 65 points they have won, and 16 is a draw; with 15 or fewer the Allies have 50. Where greedy plays greedy, most
games are drawn or close, and each player has each side in half of its games.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from arena import DRAW, Move, Position, main, other

import vclogic
from vclogic.game import Game

SETTINGS: dict[str, int | str] = {"legality": "captures", "captures_per_turn": 1, "sea_range": 0, "victory": "major"}
ROUNDS, LEVEL = 3, 16
WON = 100  # worth more than any number of points
TOTAL = 65  # points of all victory cities: what one side gains, the other loses
PASS = Move((("end_turn", {}),))


class Captures:
    """The contest."""

    sides = ("Axis", "Allies")

    def __init__(self) -> None:
        self.first = vclogic.load("axis_allies/revised-1942", settings=SETTINGS)
        self.owners = self.first.state_dict()["owner"]
        self.side_of = {
            p: s for s in self.sides for t, p in self.owners.items() if self.first.value(f'controls({s}, "{t}")')
        }
        self.turn, self.round = self.first.compile("turn"), self.first.compile("round")
        self.vcp = {side: self.first.compile(f"vcp({side})") for side in self.sides}

    def start(self) -> Position:
        """The set-up of 1942."""
        return Position(self.first)

    def mover(self, at: Position) -> str:
        """The side of the power on turn."""
        return self.side_of[self.turn(at.game)]

    def moves(self, at: Position) -> list[Move]:
        """The captures that the power on turn decides alone, with the end of its turn; or only that."""
        power = self.turn(at.game)
        kind = at.game.legal(side=power, event="capture").kinds[0]
        captures = [a.args for a in kind.allowed if a.agreed is None]
        mine = [p for p, side in self.side_of.items() if side == self.side_of[power]]
        return [
            *(Move((("capture", c), *PASS.events), takes_back=self.owners[c["territory"]] in mine) for c in captures),
            PASS,
        ]

    def points(self, games: Sequence[Game], side: str) -> Sequence[int]:
        """Victory city points."""
        return [self.vcp[side](g) for g in games]

    def result(self, at: Position) -> str | None:
        """Major Victory, or who has done better after the last round."""
        if winner := at.game.status().winner:
            return winner
        if self.round(at.game) <= ROUNDS:
            return None
        points = self.points([at.game], "Axis")[0]
        return DRAW if points == LEVEL else self.sides[points < LEVEL]


class Lookahead:
    """Looks some captures ahead, as if each power on the way took what is best for its side.

    Args:
        contest: The contest.
        depth: How many powers in a row; 2: a capture and the best answer to it.
        width: How many captures of a power are looked at: those after which its side has the most points.
    """

    def __init__(self, contest: Captures, depth: int = 2, width: int = 8) -> None:
        self.contest, self.depth, self.width = contest, depth, width

    def __call__(self, at: Position, moves: list[Move], rng: random.Random) -> Move:
        """The best move; of several the one after which its side has more points at once."""
        return self._best(at, moves, self.depth, -2 * WON, 2 * WON)[1]

    def _best(self, at: Position, moves: list[Move], depth: int, low: int, high: int) -> tuple[int, Move]:
        """The best move and its worth for the side on turn; what cannot matter (alpha-beta) is not looked at."""
        contest, side = self.contest, self.contest.mover(at)
        after = [at.after(m) for m in moves]
        points = contest.points([a.game for a in after], side)
        order = sorted(range(len(moves)), key=lambda i: -points[i])[: self.width]
        best = (-3 * WON, moves[-1])
        for i in order:
            worth = self._worth(after[i], points[i], side, depth - 1, max(low, best[0]), high)
            if worth > best[0]:
                best = (worth, moves[i])
            if worth >= high:
                break
        return best

    def _worth(self, at: Position, points: int, side: str, depth: int, low: int, high: int) -> int:
        """What a position is worth for a side: its points, and much more where it has won."""
        contest = self.contest
        result = contest.result(at)
        if result is not None or not depth:
            return points + {side: WON, other(contest, side): -WON}.get(result or DRAW, 0)
        if contest.mover(at) == side:
            return self._best(at, contest.moves(at), depth, low, high)[0]
        return TOTAL - self._best(at, contest.moves(at), depth, TOTAL - high, TOTAL - low)[0]


if __name__ == "__main__":
    contest = Captures()
    main(contest, Lookahead(contest))

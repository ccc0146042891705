"""Players, seeded games between them, and a table of who won.

The scripts `axis_allies_ai.py` and `napoleonics_ai.py` each add a contest (what is played) and an AI. vclogic is the
referee: every event of every game goes through `Game.apply`, and `Game.status` says who has won.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from vclogic.game import Game

Event = tuple[str, Mapping[str, Any]]
"""The name of an event and its arguments, as `Game.apply` takes them."""
DRAW = "draw"


@dataclass(frozen=True)
class Move:
    """What a player may choose.

    Attributes:
        events: What happens for certain.
        dice: What else may happen, each with its chance in twelfths, which add up to 12. Empty: nothing.
        unit: The unit that has had its fight with this move; empty: none.
        takes_back: Whether it takes back what the other side has taken.
    """

    events: tuple[Event, ...] = ()
    dice: tuple[tuple[int, tuple[Event, ...]], ...] = ()
    unit: str = ""
    takes_back: bool = False


@dataclass(frozen=True)
class Position:
    """A game at a moment, and the units that have had their fight this turn."""

    game: Game
    fought: frozenset[str] = frozenset()

    def after(self, move: Move, roll: Sequence[Event] = ()) -> Position:
        """The position after a move and what the dice brought about; once somebody has won, nothing more happens."""
        game = self.game
        for name, arguments in (*move.events, *roll):
            if game is self.game or game.status().winner is None:
                game = game.apply(name, **arguments)
        return Position(game, self.fought | {move.unit} if move.unit else frozenset())


class Contest(Protocol):
    """What is played: from where, what may be chosen, and who has won when."""

    sides: tuple[str, str]

    def start(self) -> Position:
        """The position that every game begins from."""

    def mover(self, at: Position) -> str:
        """The side that chooses."""

    def moves(self, at: Position) -> list[Move]:
        """What it may choose, in the same order every time; the last one passes."""

    def points(self, games: Sequence[Game], side: str) -> Sequence[int]:
        """The points of a side in each of some games."""

    def result(self, at: Position) -> str | None:
        """The side that has won, `DRAW`, or None while the game goes on."""


Player = Callable[[Position, list[Move], random.Random], Move]
"""Chooses one of the moves. What it leaves to chance comes from the generator, so a seed gives a game."""


def other(contest: Contest, side: str) -> str:
    """The side's opponent."""
    return contest.sides[contest.sides.index(side) - 1]


def expected(contest: Contest, at: Position, moves: Sequence[Move], side: str) -> list[float]:
    """The points of a side after each of some moves; where there are dice, their mean."""
    rolls = [
        (i, chance, at.after(m, roll).game) for i, m in enumerate(moves) for chance, roll in m.dice or [(12, ())]
    ]
    found = [0.0] * len(moves)
    for (i, chance, _), points in zip(rolls, contest.points([g for _, _, g in rolls], side), strict=True):
        found[i] += chance * points / 12
    return found


def random_player(contest: Contest) -> Player:
    """Each move is as likely as any other."""
    return lambda at, moves, rng: rng.choice(moves)


def greedy_player(contest: Contest) -> Player:
    """The move after which its own points are highest; of those one that takes back, else any but to pass."""

    def choose(at: Position, moves: list[Move], rng: random.Random) -> Move:
        points = expected(contest, at, moves, contest.mover(at))
        ranks = [(p, m.takes_back, m is not moves[-1]) for p, m in zip(points, moves, strict=True)]
        return rng.choice([m for m, rank in zip(moves, ranks, strict=True) if rank == max(ranks)])

    return choose


@dataclass
class Score:
    """How the games of one player went: results, its choices, and the processor time that these took."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    moves: int = 0
    seconds: float = 0.0
    games: list[Game] = field(default_factory=list)

    def row(self, name: str) -> str:
        """A row of the table."""
        games = self.won + self.drawn + self.lost
        pace = self.seconds / max(self.moves, 1)
        return f"| {name} | {self.won} | {self.drawn} | {self.lost} | {self.won / games:.1%} | {pace:.3f} |"


def play(contest: Contest, players: Mapping[str, Player], seed: int, watched: str, score: Score) -> None:
    """Plays a game to its end and adds it to the score of one side."""
    dice = random.Random(f"dice {seed}")
    own = {side: random.Random(f"{side} {seed}") for side in contest.sides}
    at = contest.start()
    while (result := contest.result(at)) is None:
        side, moves = contest.mover(at), contest.moves(at)
        began = time.process_time()
        move = players[side](at, moves, own[side]) if len(moves) > 1 else moves[0]
        if side == watched and len(moves) > 1:
            score.seconds += time.process_time() - began
            score.moves += 1
        rolls = [roll for chance, roll in move.dice for _ in range(chance)]
        at = at.after(move, rolls[dice.randrange(12)] if rolls else ())
    score.won += result == watched
    score.drawn += result == DRAW
    score.lost += result not in (watched, DRAW)
    score.games.append(at.game)


def match(contest: Contest, one: Player, two: Player, games: int, sides: Sequence[str] = ()) -> Score:
    """Plays games with the seeds 0, 1, 2, ...; the first player's side changes from game to game."""
    score = Score()
    for seed in range(games):
        side = (sides or contest.sides)[seed % len(sides or contest.sides)]
        play(contest, {side: one, other(contest, side): two}, seed, side, score)
    return score


def main(contest: Contest, ai: Player) -> None:
    """Prints the table of a contest: the AI against the two others, and greedy against itself."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--games", type=int, default=2, help="how many games in each row")
    games = parser.parse_args().games
    greedy, first = greedy_player(contest), contest.sides[0]
    print(f"| games in each row: {games} | won | drawn | lost | share won | seconds for a choice |")
    print("| --- | --- | --- | --- | --- | --- |")
    print(match(contest, ai, random_player(contest), games).row("AI against random"))
    print(match(contest, ai, greedy, games).row("AI against greedy"))
    print(match(contest, greedy, greedy, games, [first]).row(f"greedy, as {first}, against greedy"))

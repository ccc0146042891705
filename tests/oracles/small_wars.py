"""The games of `tests/toys/small_wars.py` played in plain Python: what can happen in a position, and who has won."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from tests.toys.small_wars import MISSES, SIDES, War, enemy

Event = tuple[str, ...]
"""The name of an event and its arguments."""


@dataclass(frozen=True)
class Position:
    """Where everything stands.

    Attributes:
        units: The units of each side in each area.
        turn: Who is on turn.
        acted: Whether it has moved or attacked.
        round: The round.
        winner: Who won first, where that is kept.
        die: The area for which a die is to be thrown, or `none`.
    """

    units: tuple[tuple[int, ...], ...]
    turn: str
    acted: bool = False
    round: int = 1
    winner: str = "none"
    die: str = "none"


@dataclass(frozen=True)
class Rules:
    """The rules of a game.

    Attributes:
        game: Its facts.
    """

    game: War

    @property
    def start(self) -> Position:
        """The position at the start."""
        return Position(tuple(self.game.units[s] for s in SIDES), self.game.first)

    # ---- who has won

    def won(self, at: Position) -> str | None:
        """Who wins at this moment; nobody where both sides have what they need."""
        if at.acted or at.die != "none":
            return None
        reached = [side for side in SIDES if self._reached(at, side)]
        return reached[0] if len(reached) == 1 else None

    def _reached(self, at: Position, side: str) -> bool:
        game = self.game
        mine, theirs = self._units(at, side), self._units(at, enemy(side))
        goal = game.goals[side]
        if goal is not None and mine[game.areas.index(goal)] > 0:
            return True
        if game.removal and sum(theirs) == 0:
            return True
        return self._over(at) and self._points(mine) > self._points(theirs)

    def _points(self, units: tuple[int, ...]) -> int:
        return sum(p for n, p in zip(units, self.game.points, strict=True) if n > 0)

    def _over(self, at: Position) -> bool:
        return 0 < self.game.rounds < at.round

    def result(self, at: Position) -> str | None:
        """Who has won, `draw` if the rounds are over and nobody has, or None while the game goes on."""
        if at.winner != "none":
            return at.winner
        return self.won(at) or ("draw" if self._over(at) else None)

    # ---- what can happen

    @staticmethod
    def _units(at: Position, side: str) -> tuple[int, ...]:
        return at.units[SIDES.index(side)]

    def events(self, at: Position) -> Iterator[tuple[str | None, Event, Position]]:
        """Every event that can happen: who decides it (None for a throw), the event, and the position after it."""
        if self.won(at) or self._over(at):
            return
        if at.die != "none":
            for name in ("hit", "miss"):
                yield None, (name, at.die), self._kept(self._thrown(at, hit=name == "hit"))
            return
        for side in SIDES:
            if self.game.first in ("", *SIDES) and at.turn in ("", side):
                for event, after in self._acts(at, side):
                    yield side, event, self._kept(after)

    def _acts(self, at: Position, side: str) -> Iterator[tuple[Event, Position]]:
        game = self.game
        mine, theirs = self._units(at, side), self._units(at, enemy(side))
        ends = game.may_pass or (not game.single and at.acted)
        if game.first and ends:
            yield ("end_turn",), self._turned(at)
        if at.acted:
            return
        for i, a in enumerate(game.areas):
            for j, b in enumerate(game.areas):
                if game.touch(a, b) and mine[i] > 0 and theirs[j] == 0 and mine[j] < game.limit:
                    moved = tuple(n - (k == i) + (k == j) for k, n in enumerate(mine))
                    yield ("move", side, a, b), self._done(self._with(at, side, moved))
        for j, b in enumerate(game.areas):
            if theirs[j] > 0 and self._around(at, side, b) >= game.attackers:
                after = replace(at, die=b) if game.odds else self._done(self._removed(at, enemy(side), j))
                yield ("attack", side, b), after

    def _thrown(self, at: Position, *, hit: bool) -> Position:
        after = self._removed(at, enemy(at.turn), self.game.areas.index(at.die)) if hit else at
        return self._done(replace(after, die="none"))

    def weight(self, at: Position, event: Event) -> int:
        """How much a throw of the die weighs."""
        if event[0] == "miss":
            return MISSES
        return self.game.odds + self._around(at, at.turn, at.die)

    def _around(self, at: Position, side: str, area: str) -> int:
        """In how many areas around one a side has units."""
        mine = zip(self.game.areas, self._units(at, side), strict=True)
        return sum(1 for a, n in mine if n > 0 and self.game.touch(a, area))

    def _removed(self, at: Position, side: str, place: int) -> Position:
        left = tuple(n - (k == place) for k, n in enumerate(self._units(at, side)))
        return self._with(at, side, left)

    @staticmethod
    def _with(at: Position, side: str, units: tuple[int, ...]) -> Position:
        return replace(at, units=tuple(units if s == side else u for s, u in zip(SIDES, at.units, strict=True)))

    def _done(self, at: Position) -> Position:
        return self._turned(at) if self.game.single else replace(at, acted=True)

    def _turned(self, at: Position) -> Position:
        if not self.game.first:
            return at
        new_round = bool(self.game.rounds) and at.turn != self.game.first
        return replace(at, turn=enemy(at.turn), acted=False, round=at.round + new_round)

    def _kept(self, after: Position) -> Position:
        """The position with the winner written down, where the game does that."""
        if self.game.latched and after.winner == "none":
            return replace(after, winner=self.won(after) or "none")
        return after

    # ---- as the rule set writes it

    def values(self, at: Position) -> Mapping[str, int | str | bool]:
        """The value of each fluent of the rule set, by its name."""
        found: dict[str, int | str | bool] = {
            f"units[{side}, {a}]": n
            for side, units in zip(SIDES, at.units, strict=True)
            for a, n in zip(self.game.areas, units, strict=True)
        }
        return found | {
            "turn": at.turn,
            "acted": at.acted,
            "round": at.round,
            "winner": at.winner,
            "die": at.die,
        }

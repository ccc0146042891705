"""What a side can force on small boards of captures, by brute force: every turn of both sides, in plain Python.

A play is a sequence of player-turns. The goal is looked at as the play begins and after each player-turn; a play in
which it holds ends there. Only the player-turns of the side that wants the goal are counted. After the last of them
the others play on until that side would be on turn again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from tests.oracles.captures import Moment, Owners, Wish, World

Taken = tuple[str, ...]
"""What is captured in a player-turn."""


@dataclass
class Play:
    """All player-turns on a map.

    Attributes:
        world: The map.
    """

    world: World
    _turns: dict[tuple[Owners, str], tuple[Taken, ...]] = field(default_factory=dict)

    def choices(self, owners: Owners, power: str) -> tuple[Taken, ...]:
        """All that a power can capture in its turn, fewest first; nothing at all is one of them."""
        key = (owners, power)
        if key not in self._turns:
            targets = self.world.captures(owners, power, own_only=True)
            numbers = range(min(len(targets), self.world.per_turn) + 1)
            sets = (some for n in numbers for some in combinations(targets, n))
            self._turns[key] = tuple(some for some in sets if self.world.in_one_turn(owners, power, some))
        return self._turns[key]

    def after(self, at: Moment, taken: Taken) -> Moment:
        """The moment after the player-turn in which the power on turn captures something."""
        owners = self.world.taken(at.owners, at.turn, taken)
        return self.world.end_turn(replace(at, owners=owners))

    def follow(self, at: Moment) -> Iterator[tuple[Taken, Moment]]:
        """What can be captured in the next player-turn, and the moment after it."""
        for taken in self.choices(at.owners, at.turn):
            yield taken, self.after(at, taken)

    def side(self, at: Moment) -> str:
        """The side on turn."""
        return self.world.side_of[at.turn]


@dataclass(frozen=True)
class Ending:
    """How a plan ends against some replies.

    Attributes:
        came: Whether the goal comes.
        turn: If so: after how many of the plan's turns; else the number of the turn that is not legal, or None where
            all were played.
    """

    came: bool
    turn: int | None


@dataclass
class Want:
    """A goal that a side wants, and what it can force.

    Attributes:
        play: The player-turns.
        wish: The goal.
        side: The side.
    """

    play: Play
    wish: Wish
    side: str
    _forced: dict[tuple[Moment, int], bool] = field(default_factory=dict)
    _planned: dict[tuple[Moment, int], bool] = field(default_factory=dict)

    def met(self, at: Moment) -> bool:
        """Whether the goal holds."""
        return self.wish.met(self.play.world, at)

    def forced(self, at: Moment, within: int) -> bool:
        """Whether the side can bring the goal about within so many of its turns, whatever the other side does."""
        key = (at, within)
        if key not in self._forced:
            self._forced[key] = self._force(at, within)
        return self._forced[key]

    def _force(self, at: Moment, within: int) -> bool:
        if self.met(at):
            return True
        if self.play.side(at) == self.side:
            return within > 0 and any(self.forced(after, within - 1) for _, after in self.play.follow(at))
        return all(self.forced(after, within) for _, after in self.play.follow(at))

    def planned(self, at: Moment, within: int) -> bool:
        """Whether it can within so many of its turns while the other side only ends its turns."""
        key = (at, within)
        if key not in self._planned:
            self._planned[key] = self._plan(at, within)
        return self._planned[key]

    def _plan(self, at: Moment, within: int) -> bool:
        if self.met(at):
            return True
        if self.play.side(at) != self.side:
            return self.planned(self.play.after(at, ()), within)
        return within > 0 and any(self.planned(after, within - 1) for _, after in self.play.follow(at))

    # ---- against it

    def defences(self, at: Moment, within: int, *, idle: bool) -> Mapping[Taken, bool]:
        """What the other side, on turn, can capture now, and whether the goal is out of reach after that.

        Args:
            at: The moment; the other side is on turn.
            within: How many turns of the side that wants the goal are looked at.
            idle: Whether the defender then only ends its turns; otherwise it goes on playing.
        """
        can = self.planned if idle else self.forced
        return {taken: not can(after, within) for taken, after in self.play.follow(at)}

    def fewest(self, at: Moment, within: int, *, idle: bool) -> int | None:
        """The fewest captures after which the goal is out of reach; None if there is no such turn."""
        return min((len(t) for t, safe in self.defences(at, within, idle=idle).items() if safe), default=None)

    def endings(self, at: Moment, plan: Sequence[Taken], played: int = 0) -> Iterator[Ending]:
        """Every way in which a plan can end, whatever the other side replies.

        A plan is what the side captures in each of its turns. It has failed where one of its turns is not legal, or
        where it is over, the side would be on turn again, and the goal has not come.

        Args:
            at: The moment.
            plan: The turns that are left.
            played: How many of its turns have been played.
        """
        if self.met(at):
            yield Ending(came=True, turn=played)
        elif self.play.side(at) != self.side:
            for _, after in self.play.follow(at):
                yield from self.endings(after, plan, played)
        elif not plan:
            yield Ending(came=False, turn=None)
        elif tuple(sorted(plan[0])) in {tuple(sorted(c)) for c in self.play.choices(at.owners, at.turn)}:
            yield from self.endings(self.play.after(at, plan[0]), plan[1:], played + 1)
        else:
            yield Ending(came=False, turn=played + 1)

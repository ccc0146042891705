"""What a side can force by captures on a large board, by brute force: territories as bits, every turn of both sides.

The same rules as `captures.py`, in a form that can look at millions of turns: a power holds a set of lands, which is
one whole number. At most two captures in a turn. The goals are of a kind that more land never spoils, unless they say
whose turn it is; so after the last turn of the side that wants one, the others need not be asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

from tests.oracles.captures import Moment, World

Held = tuple[int, ...]
"""The lands of each power, in turn order."""


@dataclass(frozen=True)
class At:
    """A moment between two player-turns.

    Attributes:
        held: Who holds what.
        turn: The number of the power on turn, in turn order.
        begun: Whether a turn has ended just now.
    """

    held: Held
    turn: int
    begun: bool = False


@dataclass
class Wide:
    """A board as bits.

    Attributes:
        world: The board.
    """

    world: World
    _near: dict[tuple[int, int], tuple[tuple[int, int, int], ...]] = field(default_factory=dict)
    _choices: dict[tuple[int, int, int], tuple[int, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        assert self.world.per_turn <= 2

    # ---- the board

    @cached_property
    def bit(self) -> Mapping[str, int]:
        """The bit of each land."""
        return {t: 1 << i for i, t in enumerate(self.world.land)}

    def lands(self, names: Iterable[str]) -> int:
        """Some lands as one number."""
        return sum(self.bit[t] for t in set(names))

    def names(self, lands: int) -> tuple[str, ...]:
        """The names of some lands."""
        return tuple(t for t, b in self.bit.items() if lands & b)

    @cached_property
    def _zones(self) -> Mapping[str, int]:
        zones = {z for _, z in self.world.coasts} | {z for edge in self.world.seas for z in edge}
        return {z: 1 << i for i, z in enumerate(sorted(zones))}

    @cached_property
    def _borders(self) -> Sequence[int]:
        pairs = [tuple(b) for b in self.world.borders if len(b) == 2]
        return [self.lands(u for p in pairs if t in p for u in p if u != t) for t in self.world.land]

    @cached_property
    def _shores(self) -> Sequence[int]:
        return [sum(self._zones[z] for u, z in self.world.coasts if u == t) for t in self.world.land]

    @cached_property
    def _banks(self) -> tuple[int, ...]:
        return tuple(self.lands(land) for _, land in self.world.canals)

    @cached_property
    def _sides(self) -> tuple[str, ...]:
        return tuple(self.world.side_of[p] for p in self.world.order)

    def side(self, at: At) -> str:
        """The side on turn."""
        return self._sides[at.turn]

    def controlled(self, held: Held, side: str) -> int:
        """The lands of a side."""
        return sum(lands for lands, s in zip(held, self._sides, strict=True) if s == side)

    def start(self, moment: Moment) -> At:
        """A moment as bits."""
        owned = self.world.owner(moment).items()
        held = tuple(self.lands(t for t, p in owned if p == power) for power in self.world.order)
        return At(held, self.world.order.index(moment.turn), moment.ended != "none")

    # ---- turns

    def _sailed(self, own: int, opened: int) -> int:
        """The sea zones from which there can be landings; `opened`: a bit for each canal that is open."""
        zones = 0
        for i, shore in enumerate(self._shores):
            if own >> i & 1:
                zones |= shore
        shut = {frozenset(edge) for i, (edge, _) in enumerate(self.world.canals) if not opened >> i & 1}
        channels = [sum(self._zones[z] for z in edge) for edge in self.world.seas if edge not in shut]
        for _ in range(self.world.sea_range):
            zones |= sum({b for c in channels if c & zones for b in _bits(c)} - set(_bits(zones)))
        return zones

    def _targets(self, own: int, opened: int) -> tuple[tuple[int, int, int], ...]:
        """Each land that can be taken, over which borders, from which zones."""
        key = (own, opened)
        if key not in self._near:
            zones = self._sailed(own, opened)
            beside = enumerate(zip(self._borders, self._shores, strict=True))
            places = [(1 << i, borders & own, shore & zones) for i, (borders, shore) in beside]
            self._near[key] = tuple((t, b, z) for t, b, z in places if (b or z) and not t & own)
        return self._near[key]

    def choices(self, held: Held, turn: int) -> tuple[int, ...]:
        """What the power on turn can capture, most first."""
        mine = self.controlled(held, self._sides[turn])
        opened = sum(1 << i for i, banks in enumerate(self._banks) if banks & ~mine == 0)
        key = (held[turn], mine, opened)
        if key not in self._choices:
            targets = [t for t in self._targets(held[turn], opened) if not t[0] & mine]
            pairs = combinations(targets, 2) if self.world.per_turn == 2 else ()
            two = [a[0] | b[0] for a, b in pairs if self._both(a, b)]
            self._choices[key] = (*two, *(t for t, _, _ in targets), 0)
        return self._choices[key]

    def _both(self, a: tuple[int, int, int], b: tuple[int, int, int]) -> bool:
        """Whether two lands can be taken in one turn: not both over the borders of one land or from one zone only."""
        one = a[1:] == b[1:] and (a[1].bit_count() + a[2].bit_count()) == 1
        return self.world.per_source > 1 or not one

    def after(self, at: At, taken: int) -> At:
        """The moment after a turn in which something is captured."""
        held = tuple(lands | taken if i == at.turn else lands & ~taken for i, lands in enumerate(at.held))
        return At(held, (at.turn + 1) % len(held), begun=True)


def _bits(n: int) -> Iterator[int]:
    while n:
        yield n & -n
        n &= n - 1


@dataclass
class Want:
    """A goal that a side wants.

    Attributes:
        wide: The board.
        side: The side.
        met: Whether the goal holds at a moment.
        timed: Whether the goal says whose turn it is.
        idle: Whether the other side only ends its turns.
    """

    wide: Wide
    side: str
    met: Callable[[At], bool]
    timed: bool = False
    idle: bool = False
    _known: dict[tuple[At, int], bool] = field(default_factory=dict)

    def forced(self, at: At, within: int) -> bool:
        """Whether the side can bring the goal about within so many of its turns, whatever the other side does."""
        ours = self.wide.side(at) == self.side
        if self.met(at):
            return True
        if within == 0 and (ours or not self.timed):
            return False
        key = (at, within)
        if key not in self._known:
            taken = (0,) if self.idle and not ours else self.wide.choices(at.held, at.turn)
            after = (self.forced(self.wide.after(at, some), within - ours) for some in taken)
            self._known[key] = any(after) if ours else all(after)
        return self._known[key]

    def good(self, at: At, within: int) -> Iterator[tuple[str, ...]]:
        """The turns with which the side on turn gets its way: the goal, or that it does not come."""
        ours = self.wide.side(at) == self.side
        for taken in self.wide.choices(at.held, at.turn):
            if self.forced(self.wide.after(at, taken), within - ours) == ours:
                yield self.wide.names(taken)

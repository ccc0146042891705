"""Random small rulebooks of marches with a `plan` line, and all that their player-turns can lead to, in plain Python.

Nothing here is shared with vclogic: a turn is played as a sequence of single events, each of which the rules of the
text allow by the position that those before it have left.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from itertools import count, permutations
from random import Random

SIDES = ("Red", "Blue")
MOST_STAYS = 5
State = tuple[tuple[str, object], ...]


@dataclass
class Position:
    """A position of the game.

    Attributes:
        at: Where each unit is.
        ordered: The units that are ordered.
        moved: The units that have moved.
        camped: Those that have camped.
        holder: Who has each marked area.
        gone: The areas that the last unit of a side left.
        trips: How many moves led to marked areas.
        seen: The areas in which a unit has been.
        stays: How often Red had a marked area at the end of its turn.
    """

    at: dict[str, str]
    ordered: frozenset[str] = frozenset()
    moved: frozenset[str] = frozenset()
    camped: frozenset[str] = frozenset()
    holder: dict[str, str] = field(default_factory=dict)
    gone: frozenset[str] = frozenset()
    trips: int = 0
    seen: frozenset[str] = frozenset()
    stays: int = 0

    @property
    def key(self) -> tuple[object, ...]:
        """It as something that a set can hold."""
        here = (tuple(self.at.items()), self.ordered, self.moved, self.camped, tuple(self.holder.items()))
        return (*here, self.gone, self.trips, self.seen, self.stays)


@dataclass(frozen=True)
class Marches:
    """A random game with its plan.

    Attributes:
        areas: Its areas, each with those that it touches.
        units: Its units, each with its side.
        start: Where they are.
        marked: The areas that count.
        stack: How many units have room in an area.
        blocked: Whether no unit enters where an enemy is.
        orders: Whether a unit moves only if it is ordered.
        camps: Whether a unit may camp after the moves, where it stands alone of its side.
        phases: Whether turns have phases.
        farther: Whether a move leads over two areas, through empty ones.
        most_trips: What `trips` can be.
        most: The most events of a turn; 0: any number.
        prices: What a move and a camp cost; None: turns are counted.
    """

    areas: Mapping[str, tuple[str, ...]]
    units: Mapping[str, str]
    start: Mapping[str, str]
    marked: frozenset[str]
    stack: int
    blocked: bool
    orders: bool
    camps: bool
    phases: bool
    farther: bool
    most_trips: int
    most: int
    prices: tuple[int, int] | None

    # ---- the text

    @property
    def text(self) -> str:
        """The rulebook, with the plan."""
        return self._text(self._plan)

    @property
    def bare(self) -> str:
        """The rulebook without the plan."""
        return self._text(())

    def _text(self, plan: tuple[str, ...]) -> str:
        rows = [f"| {a} | {'yes' if a in self.marked else 'no'} | {', '.join(n)} |" for a, n in self.areas.items()]
        units = [f"| {u} | {side} | {self.start[u]} |" for u, side in self.units.items()]
        lines = (*self._rules(), *plan)
        return "\n".join(
            [
                *("# Marches", "", "| area | marked | borders |", "| --- | --- | --- |", *rows, ""),
                *("```vclogic", "areas area, from the table", "column marked(area): yes, no", "```", ""),
                *("| unit | side | start |", "| --- | --- | --- |", *units, ""),
                *("```vclogic", *lines, "```", ""),
            ]
        )

    def _rules(self) -> Iterator[str]:
        yield f"sides {', '.join(SIDES)}"
        yield "turn is march, rest" if self.phases else "turn is any number of events"
        yield "kind unit, from the table"
        yield "fact at(unit): area, starts start(unit)"
        for name in ("ordered", "moved", "camped"):
            yield f"fact {name}(unit)"
            yield "  becomes false at the end of a turn"
        yield "fact holder(area): side or nobody, starts nobody"
        yield "fact gone(area)"
        yield f"fact trips: 0 to {self.most_trips}"
        yield "fact seen(area)"
        yield "  becomes true at once if some(unit where at(unit) == area)"
        yield f"fact stays: 0 to {MOST_STAYS}"
        yield "  rises by count(area where marked(area) == yes and some(unit of Red where at(unit) == area))"
        yield "      at the end of a turn of Red"
        yield "empty(unit, area) means no(other unit where other != unit and at(other) == area)"
        yield "alone(unit) means no(other unit of side(unit) where other != unit and at(other) == at(unit))"
        yield "leaves(unit, area) means at(unit) == area and alone(unit)"
        yield "event order by side unit" + " in march" * self.phases
        yield "  needs side(unit) == side and not ordered(unit)"
        yield "  then ordered(unit) becomes true"
        yield "event move by side unit to area" + " in march" * self.phases
        yield "  needs side(unit) == side and not moved(unit)"
        if self.orders:
            yield "  needs ordered(unit)"
        if self.farther:
            yield "  needs reaches(at(unit), to within 2 through step area where empty(unit, step))"
            yield "  needs at(unit) != to"
        else:
            yield "  needs adjacent(at(unit), to)"
        yield f"  needs count(other unit where at(other) == to) < {self.stack}"
        if self.blocked:
            yield "  needs no(other unit where side(other) != side and at(other) == to)"
        yield "  then at(unit) becomes to"
        yield "  then moved(unit) becomes true"
        yield "  then holder(to) becomes side if marked(to) == yes"
        yield "  then gone(area) becomes true for area if leaves(unit, area)"
        yield "  then trips rises by 1 if marked(to) == yes"
        yield "event camp by side unit" + " in rest" * self.phases
        yield "  needs side(unit) == side and not camped(unit)"
        yield "  needs alone(unit)"
        yield "  then camped(unit) becomes true"

    @property
    def _plan(self) -> tuple[str, ...]:
        move = "move after order" if self.orders else "move"
        most = f", at most {self.most} event{'s' * (self.most > 1)}" if self.most else ""
        counts: tuple[str, ...] = ("  counts turns",)
        if self.prices is not None:
            counts = (f"  counts {self.prices[0]} for move", f"  counts {self.prices[1]} for camp")
        uses = f"  uses {move}" + (" then camp" if self.camps else "")
        return ("plan marches", uses, f"  step is a turn{most}, one for each unit", *counts)

    # ---- what it means

    @property
    def first(self) -> Position:
        """The position at the start."""
        seen = frozenset(self.start.values())
        return Position(dict(self.start), holder=dict.fromkeys(self.areas, "nobody"), seen=seen)

    def ended(self, p: Position, side: str) -> Position:
        """The position after the end of a side's turn."""
        held = {p.at[u] for u, s in self.units.items() if s == "Red"} & self.marked
        stays = min(p.stays + len(held), MOST_STAYS) if side == "Red" else p.stays
        nobody: frozenset[str] = frozenset()
        return replace(p, ordered=nobody, moved=nobody, camped=nobody, stays=stays, seen=p.seen | {*p.at.values()})

    def moves(self, p: Position, unit: str) -> Iterator[tuple[str, Position]]:
        """The areas to which a unit may move, each with the position after it."""
        side = self.units[unit]
        if unit in p.moved or (self.orders and unit not in p.ordered):
            return
        for to in self.areas:
            others = [u for u in self.units if u != unit and p.at[u] == to]
            if to == p.at[unit] or not self._reached(p, unit, to) or len(others) >= self.stack:
                continue
            if self.blocked and any(self.units[u] != side for u in others):
                continue
            here = p.at[unit]
            trips = p.trips + (to in self.marked)
            if trips > self.most_trips:
                continue
            alone = not any(self.units[u] == side and u != unit and p.at[u] == here for u in self.units)
            yield (
                to,
                replace(
                    p,
                    at={**p.at, unit: to},
                    moved=p.moved | {unit},
                    holder={**p.holder, to: side} if to in self.marked else p.holder,
                    gone=p.gone | {here} if alone else p.gone,
                    trips=trips,
                ),
            )

    def _reached(self, p: Position, unit: str, to: str) -> bool:
        near = self.areas[p.at[unit]]
        if to in near and not self.farther:
            return True
        if not self.farther:
            return False
        free = {a for a in self.areas if not any(u != unit and p.at[u] == a for u in self.units)}
        return to in free and (to in near or any(step in free and to in self.areas[step] for step in near))

    def camp(self, p: Position, unit: str) -> Position | None:
        """The position after a unit camps; None: it may not."""
        side = self.units[unit]
        others = (u for u in self.units if u != unit and self.units[u] == side and p.at[u] == p.at[unit])
        return None if unit in p.camped or any(True for _ in others) else replace(p, camped=p.camped | {unit})

    def turns(self, p: Position, side: str) -> Iterator[tuple[int, Position]]:
        """All that a turn of a side can lead to, each with its cost."""
        units = [u for u, s in self.units.items() if s == side]
        seen = set()
        for n in range(len(units) + 1):
            for movers in permutations(units, n):
                if self.most and n > self.most:
                    continue
                begun = replace(p, ordered=p.ordered | {*movers}) if self.orders else p
                for moved in self._all_moved(begun, movers):
                    for camped, after in self._all_camped(moved, units, self.most - n if self.most else len(units)):
                        cost = 1 if self.prices is None else n * self.prices[0] + camped * self.prices[1]
                        ended = self.ended(after, side)
                        if (cost, ended.key, after.key) not in seen:
                            seen.add((cost, ended.key, after.key))
                            yield cost, ended

    def _all_moved(self, p: Position, movers: tuple[str, ...]) -> Iterator[Position]:
        if not movers:
            yield p
            return
        for _, after in self.moves(p, movers[0]):
            yield from self._all_moved(after, movers[1:])

    def _all_camped(self, p: Position, units: list[str], most: int) -> Iterator[tuple[int, Position]]:
        yield 0, p
        for i, unit in enumerate(units if self.camps and most > 0 else ()):
            after = self.camp(p, unit)
            if after is not None:
                for n, last in self._all_camped(after, units[i + 1 :], most - 1):
                    yield n + 1, last

    def cheapest(self, side: str, goal: Goal, within: int) -> int | None:
        """What the cheapest plan of a side costs whose enemy lets its turns pass; None: there is none."""
        number = count()
        queue: list[tuple[int, int, int, Position]] = [(0, next(number), 0, self.first)]
        seen: dict[tuple[int, tuple[object, ...]], int] = {}
        while queue:
            paid, _, turns, here = heappop(queue)
            if goal.holds(here):
                return paid
            if turns == within or seen.get((turns, here.key), paid + 1) <= paid:
                continue
            seen[turns, here.key] = paid
            mover = SIDES[turns % 2]
            if mover != side:
                heappush(queue, (paid, next(number), turns + 1, self.ended(here, mover)))
                continue
            for cost, after in self.turns(here, mover):
                heappush(queue, (paid + cost, next(number), turns + 1, after))
        return None


@dataclass(frozen=True)
class Goal:
    """A goal: where units are, who has areas, which are left, and how many trips there were."""

    at: tuple[tuple[str, str], ...] = ()
    holder: tuple[tuple[str, str], ...] = ()
    gone: tuple[str, ...] = ()
    trips: int = 0
    seen: tuple[str, ...] = ()
    stays: int = 0

    @property
    def text(self) -> str:
        """The goal in the goal language."""
        parts = [f"at({u}) == {a}" for u, a in self.at]
        parts += [f"holder({a}) == {s}" for a, s in self.holder]
        parts += [f"gone({a})" for a in self.gone]
        parts += [f"trips >= {self.trips}"] if self.trips else []
        parts += [f"seen({a})" for a in self.seen]
        parts += [f"stays >= {self.stays}"] if self.stays else []
        return " and ".join(parts)

    def holds(self, p: Position) -> bool:
        """True if it holds."""
        held = all(p.at[u] == a for u, a in self.at) and all(p.holder[a] == s for a, s in self.holder)
        remembered = all(a in p.gone for a in self.gone) and all(a in p.seen for a in self.seen)
        return held and remembered and p.trips >= self.trips and p.stays >= self.stays


def made(random: Random) -> tuple[Marches, Goal, str]:
    """A random game, a goal, and the side that plans."""
    areas = [f"a{n}" for n in range(random.randint(3, 5))]
    touching: dict[str, set[str]] = {a: set() for a in areas}
    for i, a in enumerate(areas):
        others = areas[:i] if i else []
        for b in {random.choice(others)} | {o for o in others if random.random() < 0.3} if others else ():
            touching[a].add(b)
            touching[b].add(a)
    units = {f"u{n}": SIDES[n % 2] for n in range(random.randint(3, 5))}
    stack, blocked = random.choice((1, 1, 2, 3)), random.random() < 0.6
    start: dict[str, str] = {}
    for u, side in units.items():
        free = [a for a in areas if sum(b == a for b in start.values()) < stack]
        free = [a for a in free if not any(b == a and units[o] != side for o, b in start.items())] or free
        start[u] = random.choice(free or areas)
    marked = frozenset(a for a in areas if random.random() < 0.5)
    camps = random.random() < 0.4
    prices = None if random.random() < 0.3 else (random.choice((1, 1, 2)), random.choice((0, 1)))
    game = Marches(
        {a: tuple(b for b in areas if b in touching[a]) for a in areas},
        *(units, start, marked, stack, blocked),
        *(random.random() < 0.4, camps, random.random() < 0.3, random.random() < 0.4),
        *(random.choice((1, 2, 6)), random.choice((0, 0, 1, 2)), prices),
    )
    side = random.choice(SIDES)
    own = [u for u, s in units.items() if s == side]
    there = game.first
    for _ in range(random.choice((1, 1, 2))):
        there = random.choice([p for _, p in game.turns(there, side)])
    if random.random() < 0.2:  # what may be far, or not at all
        there = replace(there, at={u: random.choice(areas) for u in units}, gone=frozenset(random.sample(areas, 1)))
    at = tuple((u, there.at[u]) for u in random.sample(own, random.randint(0, len(own))))
    holder = tuple((a, s) for a, s in there.holder.items() if s == side and random.random() < 0.6)
    gone = tuple(a for a in areas if a in there.gone and random.random() < 0.5)
    seen = tuple(a for a in areas if a in there.seen and random.random() < 0.3)
    goal = Goal(at, holder, gone, random.choice((0, there.trips)), seen, random.choice((0, 0, there.stays)))
    return game, goal if goal.text else Goal(at=((own[0], areas[-1]),)), side

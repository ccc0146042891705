"""Okinawa in plain Python, written from the rule text: a scenario that is played step by step, and small random ones.

Nothing here comes from the encoding but the format of a board.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from random import Random
from typing import Any, get_args

from vclogic_encodings.okinawa.board import Board, Terrain, Unit, Zone

from tests.oracles.hex_tables import around
from vclogic.board.hexgrid import Stagger

JAPAN, US = "Japan", "US"
SIDES = (JAPAN, US)
NOWHERE = ("off", "eliminated", "exited", "removed", "left")
READINGS = {
    "removed_units": ("no_points", "eliminated"),
    "too_few_to_remove": ("all_left", "owed", "no_exit"),
    "removal_edge": ("northeast", "any"),
    "earlier_retreats": ("kept", "taken_back"),
    "order_at_end": ("together", "lines_first"),
    "tie": ("draw", "Japan", "US"),
    "edge_hex": ("free", "any"),
    "own_hex": ("friendly", "other_unit"),
    "line_over_sea": ("no", "yes"),
    "northern_points": ("each_unit", "once"),
    "unused_zones": ("ignored", "count"),
    "retreat_length": ("hexes", "distance"),
    "losses": ("anytime", "enemy_on_map"),
}
Play = tuple[str, dict[str, str | int]]
"""An event by name, and its arguments."""


def other(side: str) -> str:
    return US if side == JAPAN else JAPAN


def distance(a: str, b: str, stagger: str) -> int:
    """Steps between two hexes, over the edge of the map too."""
    seen, n = {a}, 0
    while b not in seen:
        seen |= {h for s in seen for h in around(s, stagger)}
        n += 1
    return n


@dataclass
class Battle:
    """A scenario that is played.

    Attributes:
        board: The map and the units.
        readings: How the text is read.
        early: Whether the scenario may end before its last game turn.
        at: Where each unit is.
        points: Japan's points for retreats.
        brought: The part of them that each US unit has brought.
        last: The US unit that retreated just now, with its points.
        owed: US units that are still to be removed.
    """

    board: Board
    readings: dict[str, str]
    early: bool = True
    at: dict[str, str] = field(default_factory=dict)
    points: int = 0
    brought: dict[str, int] = field(default_factory=dict)
    last: tuple[str, int] | None = None
    owed: int = 0
    turn: str = JAPAN
    round: int = 1
    over: bool = False

    def __post_init__(self) -> None:
        self.at = {name: u.at for side in SIDES for name, u in self.board.units[side].items()}
        self.turn = self.board.first

    # ---- the map

    def hexes(self) -> list[str]:
        rows = enumerate(self.board.map)
        return [f"{c},{r}" for r, row in rows for c, letter in enumerate(row) if letter != " "]

    def price(self, hex_: str) -> int | None:
        c, r = map(int, hex_.split(","))
        return self.board.terrain[self.board.map[r][c]].cost

    def land(self) -> list[str]:
        return [h for h in self.hexes() if self.price(h) is not None]

    def near(self, hex_: str) -> set[str]:
        return around(hex_, self.board.stagger) & {*self.hexes()}

    def area(self, zone: str) -> set[str]:
        z = self.board.zones[zone]
        found = {*z.hexes}
        for first, last in z.spans:
            (c1, r1), (c2, r2) = (map(int, h.split(",")) for h in (first, last))
            columns, rows = sorted((c1, c2)), sorted((r1, r2))
            found |= {f"{c},{r}" for c in range(columns[0], columns[1] + 1) for r in range(rows[0], rows[1] + 1)}
        return found & {*self.land()}

    # ---- units

    def side(self, unit: str) -> str:
        return JAPAN if unit in self.board.units[JAPAN] else US

    def unit(self, name: str) -> Unit:
        return self.board.units[self.side(name)][name]

    def worth(self, name: str) -> int:
        u = self.unit(name)
        return sum(n for n in (u.attack, u.barrage, u.fpf, u.defence) if n is not None)

    def on_map(self, side: str) -> list[str]:
        return [u for u in self.board.units[side] if self.at[u] not in NOWHERE]

    def inside(self, side: str, hexes: Iterable[str]) -> list[str]:
        return [u for u in self.on_map(side) if self.at[u] in {*hexes}]

    def holds_out(self, unit: str) -> bool:
        """Whether a unit counts in its zone at the end."""
        return self.readings["order_at_end"] == "together" or self.side(unit) == JAPAN or self.traces(unit)

    def beyond(self, hex_: str) -> bool:
        """Whether a unit in a hex is at another edge of the map than the northeast one."""
        outside = around(hex_, self.board.stagger) - {*self.hexes()}
        inside = {h for place in outside for h in around(place, self.board.stagger)} & {*self.hexes()}
        return bool(inside - {*self.board.northeast_edge})

    def controlled(self, side: str) -> set[str]:
        units = [u for u in self.on_map(side) if self.unit(u).zone_of_control]
        return set().union(*(self.near(self.at[u]) for u in units))

    # ---- lines of communications

    def usable(self) -> set[str]:
        hexes = self.hexes() if self.readings["line_over_sea"] == "yes" else self.land()
        friends = {self.at[u] for u in self.on_map(US)}
        closed = {self.at[u] for u in self.on_map(JAPAN)} | self.controlled(JAPAN)
        return {h for h in hexes if h in friends or h not in closed}

    def traces(self, unit: str) -> bool:
        here = self.at[unit]
        with_it = [u for u in self.inside(US, [here]) if u != unit]
        if self.readings["own_hex"] == "other_unit" and here in self.controlled(JAPAN) and not with_it:
            return False
        usable, edge = self.usable(), {*self.board.northeast_edge}
        seen, left = {here}, [here]
        while left:
            h = left.pop()
            if h in edge or (self.readings["edge_hex"] == "any" and self.near(h) & edge):
                return True
            fresh = (self.near(h) & usable) - seen
            seen |= fresh
            left += fresh
        return False

    def cut_off(self) -> int:
        return sum(not self.traces(u) for u in self.on_map(US))

    # ---- points

    def zone_points(self, side: str) -> int:
        ordinary = {("Northern", JAPAN): 5, ("Central", JAPAN): 1, ("Southern", US): 4}
        total = 0
        for name, zone in self.board.zones.items():
            each = ordinary.get((name, side), 0) if zone.points is None else zone.points.get(side, 0)
            there = sum(self.holds_out(u) for u in self.inside(side, self.area(name)))
            if (name, side) == ("Northern", JAPAN) and self.readings["northern_points"] == "once":
                there = min(there, 1)
            total += each * there if zone.in_use else 0
        return total

    def given(self, side: str) -> int:
        where = ["eliminated"]
        if side == JAPAN and self.readings["removed_units"] == "eliminated":
            where.append("removed")
        total = sum(self.worth(u) for u in self.board.units[other(side)] if self.at[u] in where)
        if side == JAPAN:
            gone = [u for u in self.board.units[JAPAN] if self.at[u] == "exited"]
            total += self.points + 3 * sum(self.unit(u).defence for u in gone)
        return total

    def final(self, side: str) -> int:
        return self.given(side) + self.zone_points(side) + (3 * self.cut_off() if side == JAPAN else 0)

    def vp(self, side: str) -> int:
        return self.final(side) if self.over else self.given(side)

    def automatic(self) -> bool:
        def counted(*names: str) -> set[str]:
            every = self.readings["unused_zones"] == "count"
            return set().union(*(self.area(n) for n in names if every or self.board.zones[n].in_use))

        south = [u for u in self.inside(US, counted("Southern")) if self.holds_out(u)]
        return not south and bool(self.inside(JAPAN, counted("Central", "Northern")))

    def winner(self) -> str | None:
        if not self.over:
            return None
        if self.automatic():
            return JAPAN
        japan, us = self.final(JAPAN), self.final(US)
        if japan == us:
            return None if self.readings["tie"] == "draw" else self.readings["tie"]
        return JAPAN if japan > us else US

    # ---- events

    def room(self, unit: str, to: str) -> bool:
        side = self.side(unit)
        friends = [u for u in self.inside(side, [to]) if u != unit]
        return not self.inside(other(side), [to]) and len(friends) < self.board.stacking

    def may(self, name: str, a: dict[str, str | int]) -> bool:
        """Whether an event may happen."""
        due = self.owed and self.on_map(US)
        if self.over or (due and name != "remove"):
            return False
        late = self.round > (self.board.turns or 999)
        if name == "end_turn" or (late and name not in ("end_game", "remove")):
            return not late
        if name == "end_game":
            return self.early or self.board.turns is None or self.round > self.board.turns
        unit, to = str(a["unit"]), str(a.get("to"))
        side, here = self.side(unit), self.at[unit]
        if name == "move":
            return side == self.turn and here in (*self.land(), "off") and here != to and self.room(unit, to)
        if here in NOWHERE:
            return False
        alone = self.readings["losses"] == "enemy_on_map" and not self.on_map(other(side))
        if alone and name in ("eliminate", "retreat"):
            return False
        if name == "eliminate":
            return a.get("same_result") != "yes" or (self.last is not None and self.last[0] == unit)
        if name == "retreat":
            far = distance(here, to, self.board.stagger)
            return 0 < far <= int(a["hexes"]) and self.room(unit, to)
        if name in ("exit", "leave"):
            free = self.readings["too_few_to_remove"] != "no_exit" or not self.costs(name)
            there = here in self.board.northeast_edge if name == "exit" else self.beyond(here)
            return side == JAPAN == self.turn and there and (free or len(self.on_map(US)) >= 3)
        assert name == "remove"
        return side == US and self.owed > 0

    def costs(self, name: str) -> bool:
        """Whether US units are removed when a unit goes off the map in some way."""
        return name == "exit" or self.readings["removal_edge"] == "any"

    def destroy(self, unit: str) -> None:
        """A unit that is destroyed takes the points for its retreats along."""
        if self.readings["earlier_retreats"] == "taken_back":
            self.points -= self.brought.pop(unit, 0)

    def do(self, name: str, a: dict[str, str | int]) -> None:
        """An event happens."""
        last, self.last = self.last, None
        unit = str(a.get("unit"))
        if name == "end_turn":
            self.round += self.turn != self.board.first
            self.turn = other(self.turn)
        elif name == "end_game":
            self.over = True
        elif name == "move":
            self.at[unit] = str(a["to"])
        elif name == "eliminate":
            if self.readings["earlier_retreats"] == "kept" and last is not None and last[0] == unit:
                self.points -= last[1] if a.get("same_result") != "no" else 0
            self.destroy(unit)
            self.at[unit] = "eliminated"
        elif name == "retreat":
            far = distance(self.at[unit], str(a["to"]), self.board.stagger)
            points = int(a["hexes"]) if self.readings["retreat_length"] == "hexes" else far
            if self.side(unit) == US:
                self.points += points
                self.brought[unit] = self.brought.get(unit, 0) + points
                self.last = unit, points
            self.at[unit] = str(a["to"])
        elif name in ("exit", "leave"):
            self.at[unit] = "exited" if name == "exit" else "left"
            all_left = self.readings["too_few_to_remove"] == "all_left"
            if self.costs(name):
                self.owed = min(3, len(self.on_map(US))) if all_left else self.owed + 3
        else:
            self.at[unit] = "removed"
            self.owed -= 1
            if self.readings["removed_units"] == "eliminated":
                self.destroy(unit)

    def events(self, rng: Random) -> Iterator[Play]:
        """Some events, allowed or not."""
        yield rng.choice((("end_turn", {}), ("end_turn", {}), ("end_turn", {}), ("end_game", {})))
        for unit in self.at:
            to = rng.choice(self.land())
            yield "move", {"unit": unit, "to": to}
            near = [h for h in self.near(self.at[unit]) if h in self.land()] if self.at[unit] not in NOWHERE else []
            yield "move", {"unit": unit, "to": rng.choice([*near, to])}
            yield "retreat", {"unit": unit, "hexes": rng.randint(1, 3), "to": rng.choice([*near, to])}
            yield "eliminate", {"unit": unit, "same_result": rng.choice(("auto", "auto", "no", "yes"))}
            yield "exit", {"unit": unit}
            yield "leave", {"unit": unit}
            yield "remove", {"unit": unit}

    def next_event(self, rng: Random) -> Play:
        """An event, mostly one that is allowed; after a retreat and at the edge mostly what is special there."""
        found = [*self.events(rng)]
        if rng.random() < 0.2:
            return rng.choice(found)
        allowed = [e for e in found if self.may(*e)]
        if self.last is not None and rng.random() < 0.4:
            mine = [e for e in allowed if e[0] == "eliminate" and e[1]["unit"] == self.last[0]]
            allowed = mine or allowed
        exits = [e for e in allowed if e[0] == "exit" or (e[0] == "leave" and rng.random() < 0.2)]
        return rng.choice(exits if exits and rng.random() < 0.5 else allowed or found)

    # ---- player-turns of a plan

    def reached(self, unit: str) -> set[str]:
        """Where a unit can move: every way is tried, as long as it has movement points."""
        foes = {self.at[u] for u in self.on_map(other(self.side(unit)))}
        stops = self.controlled(other(self.side(unit)))
        best = {self.at[unit]: self.unit(unit).movement}
        left = [self.at[unit]]
        while left:
            h = left.pop()
            if h in stops and h != self.at[unit]:
                continue
            for n in self.near(h):
                cost = self.price(n)
                if cost is not None and n not in foes and best[h] - cost > best.get(n, -1):
                    best[n] = best[h] - cost
                    left.append(n)
        return {*best}

    def turns(self, side: str) -> Iterator[tuple[int, dict[str, str]]]:
        """Every way to move the units of a side once: how many move, and where all units then are."""
        units = self.on_map(side)
        for ends in product(*(sorted(self.reached(u)) for u in units)):
            if all(ends.count(h) <= self.board.stacking for h in ends):
                moved = sum(self.at[u] != h for u, h in zip(units, ends, strict=True))
                yield moved, {**self.at, **dict(zip(units, ends, strict=True))}


def random_board(rng: Random, *, units: int = 8, columns: int = 6) -> Board:
    """A small board, with units on and off the map."""
    size = rng.randint(3, columns), rng.randint(2, 4)
    picture = ["".join(rng.choice("....^~ ") for _ in range(size[0])) for _ in range(size[1])]
    picture[0] = "." + picture[0][1:-1] + "."
    stagger: Stagger = rng.choice(get_args(Stagger))
    hexes = [f"{c},{r}" for r, row in enumerate(picture) for c, letter in enumerate(row) if letter != " "]
    land = [h for h in hexes if picture[int(h.split(",")[1])][int(h.split(",")[0])] in ".^"]
    at_edge = [h for h in hexes if len(around(h, stagger) & {*hexes}) < 6]
    zones: dict[str, list[str]] = {"Northern": [], "Central": [], "Southern": []}
    for h in hexes:
        zones.get(rng.choice((*zones, "none")), []).append(h)
    stacking = rng.choice((1, 1, 2))
    counters: dict[str, dict[str, Unit]] = {JAPAN: {}, US: {}}
    for i in range(rng.randint(3, units)):
        side = SIDES[i] if i < 2 else rng.choice((JAPAN, US, US))
        mine, foes = ([u.at for u in counters[s].values()] for s in (side, other(side)))
        free = [h for h in land if h not in foes and mine.count(h) < stacking]
        at = rng.choice([*free, *free, "off"]) if free else "off"
        strengths: Any = (
            {"attack": rng.randint(0, 4)} if rng.random() < 0.7 else {"barrage": 3, "fpf": rng.randint(0, 3)}
        )
        counters[side][f"{side} {i}"] = Unit(
            at, rng.randint(0, 4), movement=rng.randint(1, 6), zone_of_control=rng.random() < 0.8, **strengths
        )
    points = (None, None, {JAPAN: 2, US: rng.randint(0, 3)})
    return Board(
        terrain={".": Terrain(2), "^": Terrain(3), "~": Terrain()},
        map=tuple(picture),
        zones={n: Zone(tuple(h), (), rng.random() < 0.8, rng.choice(points)) for n, h in zones.items()},
        northeast_edge=tuple(rng.sample(at_edge, min(len(at_edge), rng.randint(1, 3)))),
        units=counters,
        stagger=stagger,
        first=rng.choice(SIDES),
        turns=rng.choice((None, 1, 2)),
        stacking=stacking,
    )

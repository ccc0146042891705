"""The Eastern Front in plain Python, from the text: a game that is played step by step, and small random ones.

Nothing here comes from the encoding but the format of a board.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, get_args

from hypothesis import strategies as st
from vclogic_encodings.moscow.board import Award, Board, EliminationRate, Place, Unit

from tests.oracles.hex_tables import around
from vclogic.board.hexgrid import Stagger
from vclogic.model.actions import Event

Side = Literal["German", "Soviet"]
SIDES: tuple[Side, ...] = ("German", "Soviet")
SIZES = ("army", "corps", "division", "brigade", "regiment")


def other(side: str) -> str:
    return "Soviet" if side == "German" else "German"


@dataclass
class War:
    """A game that is played step by step."""

    board: Board
    readings: dict[str, str]
    at: dict[str, str] = field(default_factory=dict)
    owner: dict[str, str] = field(default_factory=dict)
    captured: set[tuple[str, str]] = field(default_factory=set)
    front: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SIDES, 0))
    held: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SIDES, 0))
    turn: str = "German"
    round: int = 1
    over: bool = False

    def __post_init__(self) -> None:
        self.at = {u: unit.at for u, unit in self.board.units.items()}
        self.owner = {p: place.owner or "none" for p, place in self.board.places.items()}
        self.settle()
        gained = ((s, p) for p, s in self.owner.items() if s != "none" and s != self.board.places[p].owner)
        self.captured = set(gained)

    # ---- who is where

    def hexes(self) -> set[str]:
        every = {f"{c},{r}" for c in range(self.board.columns) for r in range(self.board.rows)}
        return every - {*self.board.absent}

    def army(self, side: str, hexes: set[str]) -> list[Unit]:
        return [x for u, x in self.board.units.items() if x.side == side and self.at[u] in hexes]

    def alone(self, side: str, place: str) -> bool:
        hexes = {*self.board.places[place].hexes}
        every = self.readings["eb_in_places"] == "units"
        counts = {str(s): [x for x in self.army(s, hexes) if every or not x.eb] for s in SIDES}
        return bool(counts[side]) and not counts[other(side)]

    def settle(self) -> None:
        for place in self.board.places:
            for side in SIDES:
                if self.alone(side, place) and self.owner[place] != side:
                    self.owner[place] = side
                    self.captured.add((side, place))

    # ---- events

    def may(self, event: Event) -> bool:
        args: dict[str, Any] = dict(event.args)
        if self.over:
            return False
        if event.name in ("end_turn", "end_game"):
            return True
        unit = self.board.units[args["unit"]]
        here = self.at[args["unit"]]
        foes = (at for u, at in self.at.items() if self.board.units[u].side != unit.side)
        alone = self.readings["losses"] == "enemy_on_map" and all(at in ("off", "eliminated") for at in foes)
        if alone and event.name in ("eliminate", "retreat"):
            return False
        if event.name == "eliminate":
            return here not in ("off", "eliminated")
        to = args["to"]
        if (unit.side == self.turn) != (event.name == "move") or here in ("eliminated", to):
            return False
        if event.name == "retreat" and here == "off":
            return False
        if to == "off":
            return True
        full = self.board.stacking is not None and len(self.army(unit.side, {to})) >= self.board.stacking
        return not full and not self.army(other(unit.side), {to})

    def do(self, event: Event) -> None:
        args: dict[str, Any] = dict(event.args)
        if event.name == "end_game":
            self.over = True
        elif event.name == "end_turn":
            self.front[other(self.turn)] += self.gaps(self.turn)
            if self.turn != self.board.first:
                for side in SIDES:
                    self.held[side] += self.holdings(side)
            if self.turn != self.board.first and self.round == self.board.rounds:
                self.over = True
            elif self.turn != self.board.first:
                self.round += 1
            self.turn = other(self.turn)
        else:
            self.at[args["unit"]] = args.get("to", "eliminated")
            self.settle()

    # ---- the front line

    def has_zone(self, unit: Unit) -> bool:
        large = unit.size == "army" and self.readings["larger_units"] == "zone"
        small = unit.size not in ("corps", "division") and not large
        match self.readings["brackets"]:
            case "either":
                return not unit.eb and not small and not unit.bracketed
            case "size":
                return not unit.eb and not small
        return not unit.eb and not (small and unit.bracketed)

    def beside(self, hex_: str) -> set[str]:
        closed = [{*pair} for pair in self.board.barriers]
        return {h for h in around(hex_, self.board.stagger) & self.hexes() if {h, hex_} not in closed}

    def standing(self, side: str) -> list[tuple[Unit, str]]:
        units = ((x, self.at[u]) for u, x in self.board.units.items() if x.side == side)
        return [(x, at) for x, at in units if at not in ("off", "eliminated")]

    def zones(self, side: str) -> set[str]:
        return set().union(*(self.beside(at) for x, at in self.standing(side) if self.has_zone(x)))

    def cut_off(self, side: str, start: str) -> bool:
        """Whether no way leads from a unit's hex to its side's edge that the enemy does not bar."""
        ours, theirs = ({at for _, at in self.standing(s)} for s in (side, other(side)))
        barred = (theirs | self.zones(other(side))) - ours
        column = {h: int(h.split(",")[0]) for h in self.hexes()}
        edge = min(column.values()) if side == "German" else max(column.values())
        goal = {*self.board.home.get(side, [h for h, c in column.items() if c == edge])}  # type: ignore[call-overload]
        seen, left = {start}, [start]
        while left:
            fresh = self.beside(left.pop()) - barred - seen
            seen |= fresh
            left += fresh
        return not seen & goal

    def line(self, side: str) -> set[str]:
        found: set[str] = set()
        contested = self.zones(other(side)) if self.readings["contested_zones"] == "neither" else set()
        for x, at in self.standing(side):
            if x.eb or (self.readings["cut_off_units"] == "ignored" and self.cut_off(side, at)):
                continue
            if self.has_zone(x):
                found |= {at} | (self.beside(at) - contested)
            elif self.readings["small_units"] == "own_hex":
                found.add(at)
        return found

    def uncovered(self, side: str) -> list[int]:
        rows = sorted({int(h.split(",")[1]) for h in self.hexes()})
        held = {int(h.split(",")[1]) for h in self.line(side)}
        gaps = [r for r in rows if r not in held]
        if self.readings["rows"] == "between":
            gaps = [r for r in gaps if held and min(held) < r < max(held)]
        return gaps

    def gaps(self, side: str) -> int:
        """What the line costs: open rows, or open hexes of the cheapest chain, every price of a hex being tried."""
        line = self.line(side)
        rows = {h: int(h.split(",")[1]) for h in self.hexes()}
        known = [rows[h] for h in (rows if self.readings["rows"] == "all" else line)]
        if self.readings["required_line"] == "rows" or not known or not self.whole():
            return len(self.uncovered(side))
        ends = rows if self.readings["rows"] == "all" else line
        price = {h: int(h not in line) for h in rows if h in ends and rows[h] == min(known)}
        changed = True
        while changed:
            changed = False
            for h in list(price):
                for n in around(h, self.board.stagger) & self.hexes():
                    now = price[h] + (n not in line)
                    if now < price.get(n, 999):
                        price[n], changed = now, True
        return min(price[h] for h in rows if h in ends and rows[h] == max(known))

    def whole(self) -> bool:
        """Whether the map is in one piece."""
        start = min(self.hexes())
        seen, left = {start}, [start]
        while left:
            fresh = (around(left.pop(), self.board.stagger) & self.hexes()) - seen
            seen |= fresh
            left += fresh
        return seen == self.hexes()

    # ---- points

    def holds(self, side: str, place: str) -> bool:
        if place == "Moscow" or self.readings["other_places"] == "as_moscow":
            return self.alone(side, place)
        return self.owner[place] == side

    def takes(self, side: str, place: str) -> bool:
        taken = self.readings["taking_and_holding"] == "position" or (side, place) in self.captured
        return self.holds(side, place) and taken

    def strength(self, side: str) -> int:
        lost = [x for u, x in self.board.units.items() if x.side == side and self.at[u] == "eliminated"]
        if self.readings["strength"] == "both":
            return sum(x.strength + (x.defence or 0) for x in lost)
        both = [(x.strength, x.strength if x.defence is None else x.defence) for x in lost]
        counted = {"attack": [a for a, _ in both], "defence": [d for _, d in both], "larger": [max(x) for x in both]}
        return sum(counted[self.readings["strength"]])

    def points(self, side: str) -> int:
        total = self.front[side]
        rate = next((r for s, r in self.board.eliminated.items() if s == side), EliminationRate())
        total += self.strength(other(side)) // rate.per * rate.points
        mine = [a for a in self.board.awards if side in a.to]
        total += sum(a.points for a in mine if a.item == "capture" and (side, a.place) in self.captured)
        return total + (self.held[side] if self.readings["hold_points"] == "each_turn" else self.holdings(side))

    def holdings(self, side: str) -> int:
        mine = [a for a in self.board.awards if side in a.to]
        held = sum(a.points for a in mine if a.item == "hold" and self.holds(side, a.place))
        return held + sum(a.points for a in mine if a.item == "take_and_hold" and self.takes(side, a.place))

    def level(self) -> str:
        return level(self.points("German"), self.points("Soviet"), self.readings["zero_points"])


def level(german: int, soviet: int, zero: str) -> str:
    """The line of the table, by dividing."""
    if zero == "one":
        german, soviet = max(german, 1), max(soviet, 1)
    open_ = {
        "undefined": not german or not soviet,
        "divisor": not soviet,
        "limit": not german and not soviet,
        "even": False,
        "equal": not soviet and german > 0,
        "sixfold": False,
        "one": False,
    }
    if open_[zero]:
        return "undefined"
    if not soviet:
        return "german_decisive" if german or zero == "sixfold" else "soviet_decisive"
    ratio = Fraction(german, soviet)
    for most, name in ((1, "soviet_decisive"), (2, "soviet_substantial"), (3, "soviet_marginal")):
        if ratio <= most:
            return name
    return "german_decisive" if ratio >= 6 else "german_substantial" if ratio > 4 else "german_marginal"


# ---- random boards and plays


@st.composite
def boards(draw: st.DrawFn) -> Board:
    columns, rows = draw(st.integers(2, 5)), draw(st.integers(2, 6))
    hexes = [f"{c},{r}" for r in range(rows) for c in range(columns)]
    absent = tuple(draw(st.lists(st.sampled_from(hexes), max_size=3, unique=True)))
    absent = absent if len(hexes) - len(absent) > 3 else ()
    left = [h for h in hexes if h not in absent]
    stagger: Stagger = draw(st.sampled_from(get_args(Stagger)))
    spread = draw(st.permutations(left))
    places = {"Moscow": Place(tuple(spread[:2]), draw(st.sampled_from((*SIDES, None)))), "Orel": Place((spread[2],))}
    stacking = draw(st.sampled_from((None, 1, 2)))
    units: dict[str, Unit] = {}
    for i in range(draw(st.integers(3, 7))):
        side = SIDES[i] if i < 2 else draw(st.sampled_from(SIDES))
        at = draw(st.sampled_from((*left, "off")))
        there = [u for u in units.values() if u.at == at != "off"]
        if any(u.side != side for u in there) or (stacking is not None and len(there) >= stacking):
            at = "off"
        units[f"{side} {i}"] = Unit(
            side,
            at,
            draw(st.integers(0, 6)),
            draw(st.sampled_from((None, 1, 9))),
            draw(st.sampled_from(SIZES)),
            draw(st.integers(0, 3)) == 0,
            draw(st.integers(0, 5)) == 0,
        )
    edges = [(a, b) for a in left for b in sorted(around(a, stagger)) if b in left]
    return Board(
        columns=columns,
        rows=rows,
        units=units,
        places=places,
        awards=tuple(draw(st.lists(awards(), max_size=4, unique_by=lambda a: (a.place, a.item)))),
        eliminated={
            s: EliminationRate(draw(st.integers(0, 3)), draw(st.integers(1, 3))) for s in SIDES if draw(st.booleans())
        },
        stagger=stagger,
        absent=absent,
        barriers=tuple(draw(st.lists(st.sampled_from(edges), max_size=2))) if edges else (),
        rounds=draw(st.sampled_from((None, 1, 3))),
        stacking=stacking,
        home={"German": tuple(spread[:2])} if draw(st.integers(0, 3)) == 0 else {},
    )


@st.composite
def awards(draw: st.DrawFn) -> Award:
    item: Literal["capture", "hold", "take_and_hold"] = draw(st.sampled_from(("capture", "hold", "take_and_hold")))
    to: tuple[Side, ...] = draw(st.sampled_from((("German",), ("Soviet",), SIDES)))
    return Award(draw(st.sampled_from(("Moscow", "Orel"))), item, to, draw(st.integers(0, 20)))


@st.composite
def events(draw: st.DrawFn, war: War) -> Event:
    name = draw(st.sampled_from(("move", "move", "move", "retreat", "eliminate", "end_turn", "end_turn", "end_game")))
    if name in ("end_turn", "end_game"):
        return Event(name)
    unit = ("unit", draw(st.sampled_from(sorted(war.board.units))))
    if name == "eliminate":
        return Event(name, (unit,))
    return Event(name, (unit, ("to", draw(st.sampled_from((*sorted(war.hexes()), "off"))))))

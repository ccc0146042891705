"""Advanced Squad Leader, section 26, once more: control and fire by plain sets and loops, gains tested at once.

It shares nothing with the encoding but the board's dataclasses and the default readings.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

from vclogic_encodings.asl.board import Board

COLUMNS = [*"ABCDEFGHIJKLMNOPQRSTUVWXYZ", "AA", "BB", "CC", "DD", "EE", "FF", "GG"]
SQUADS = ("squad", "half-squad", "crew")
MEN = (*SQUADS, "leader", "armour-leader", "hero")
Area = tuple[str, str]


@cache
def near(a: str, b: str) -> bool:
    """Whether two hexes of one board touch, by the corners of their centres."""
    if a == b or a[: -len(a.lstrip("0123456789"))] != b[: -len(b.lstrip("0123456789"))]:
        return False
    (xa, ya), (xb, yb) = centre(a), centre(b)
    return (xa - xb) ** 2 * 3 / 4 + (ya - yb) ** 2 < 1.5


def centre(h: str) -> tuple[float, float]:
    """Where a hex lies: columns a unit apart, odd ones half a hex lower."""
    text = h.lstrip("0123456789")
    letters = text.rstrip("0123456789")
    column = COLUMNS.index(letters)
    return column, int(text[len(letters) :]) + (0.5 if column % 2 else 0.0)


@dataclass
class Plain:
    """A position, played by hand.

    Attributes:
        board: The board, of buildings with stairs everywhere they name.
        at: Where units are, or None.
        bypass: Units in bypass.
        broken: Broken units.
        hold: Vehicles that control their Location.
        owner: Who controls what.
        fire: Fire by Location: its state and its cause.
        rubble: Locations that are rubble.
        joined: Where Fire of a chain burns that both sides started.
        blame: Because of which Fires something is forfeited.
        seen: What a side can enter with some Locations shut, once that was found.
        near_by: Where ways lead from a Location, once that was found.
    """

    board: Board
    at: dict[str, str | None]
    bypass: set[str] = field(default_factory=set)
    broken: set[str] = field(default_factory=set)
    hold: set[str] = field(default_factory=set)
    owner: dict[Area, str] = field(default_factory=dict)
    fire: dict[str, tuple[str, str]] = field(default_factory=dict)
    rubble: set[str] = field(default_factory=set)
    joined: set[str] = field(default_factory=set)
    blame: dict[Area, set[str]] = field(default_factory=dict)
    seen: dict[tuple[str, frozenset[str]], set[str]] = field(default_factory=dict)
    near_by: dict[str, set[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.levels = {h: list(x.locations) for h, x in self.board.hexes.items()}
        for b in self.board.buildings.values():
            for h in b.hexes:
                self.levels[h] += [str(i) for i in range(1, b.levels + 1) if str(i) not in self.levels[h]]
        self.locations = [f"{h}/{x}" for h, levels in self.levels.items() for x in levels]
        self.areas: dict[Area, list[str]] = {("location", x): [x] for x in self.locations}
        self.areas |= {("hex", h): [f"{h}/{x}" for x in levels] for h, levels in self.levels.items()}
        for name, b in self.board.buildings.items():
            self.areas["building", name] = [f"{h}/{i}" for h in b.hexes for i in range(b.levels + 1)]

    # ---- control

    def settle(self) -> None:
        """Tests all conditions of gaining."""
        for area in self.areas:
            for side in self.board.sides:
                if self._gains(side, area) and not self._bars(side, area):
                    self.owner[area] = side
        for v, u in self.board.units.items():
            place = self.at[v]
            if u.kind == "vehicle" and place and self._armed(v) and v not in self.bypass:
                foes = [x for x in self._in([place]) if self.board.units[x].side != u.side and self._armed(x)]
                if not foes:
                    self.hold.add(v)
        self._fires()

    def _in(self, places: list[str]) -> list[str]:
        return [u for u, x in self.at.items() if x in places]

    def _armed(self, unit: str) -> bool:
        u = self.board.units[unit]
        return u.kind in MEN or (u.kind == "vehicle" and (u.main_armament or u.other_weapons))

    def _able(self, unit: str, side: str) -> bool:
        u = self.board.units[unit]
        return u.side == side and u.kind in SQUADS and unit not in self.broken and unit not in self.bypass

    def _gains(self, side: str, area: Area) -> bool:
        kind, _ = area
        places = self.areas[area]
        stands = places
        if kind == "hex":
            stands = [x for x in places if x.split("/")[1] in ("0", "bridge", "depression")]
        if not any(self._able(u, side) for u in self._in(stands)):
            return False
        foes = [u for u in self._in(places) if self.board.units[u].side != side and self._armed(u)]
        if kind == "building":
            foes = [u for u in foes if u not in self.bypass]
        return not foes

    def controller(self, area: Area) -> str:
        """Who controls something now, vehicles included."""
        kind, _ = area
        places = self.areas[area]
        if kind == "location" or (kind == "hex" and len(places) == 1):
            for v in self.hold:
                side = self.board.units[v].side
                if self.at[v] == places[0] and not self._bars(side, area):
                    return side
        return self.owner.get(area, "none")

    def forget(self, unit: str) -> None:
        """A vehicle moves away, or is lost."""
        self.hold.discard(unit)

    # ---- fire

    def causes(self) -> dict[str, str]:
        """Whose the Fire in each burning Location is considered to be, by the chain that it is in."""
        found: dict[str, str] = {}
        burning = {x.split("/")[0] for x, (state, _) in self.fire.items() if state != "none"}
        while burning:
            chain, stack = set(), [burning.pop()]
            while stack:
                h = stack.pop()
                chain.add(h)
                stack += [n for n in burning if near(h, n)]
                burning -= set(stack)
            here = [x for x in self.fire if x.split("/")[0] in chain and self.fire[x][0] != "none"]
            sides = {self.fire[x][1] for x in here} - {"accident"}
            self.joined |= {x for x in here if len(sides) > 1 or "both" in sides}
            found |= dict.fromkeys(here, "accident" if len(sides) != 1 or "both" in sides else sides.pop())
        return found

    def origin(self, place: str) -> str:
        """Whose the Fire is that comes from one: both sides' where both started what hangs together."""
        self.joined = set()
        cause = self.causes()[place]
        return "both" if place in self.joined else cause

    def extinguish(self, place: str) -> None:
        """Puts a Fire out; what the others were considered to be they stay."""
        before = self.causes()
        stay = {x: self.origin(x) for x in before}
        self.fire[place] = "none", "accident"
        for x, cause in self.causes().items():
            if before[x] != cause:
                self.fire[x] = self.fire[x][0], stay[x]

    def reached(self, side: str, spared: tuple[str, ...] = ()) -> set[str]:
        """The Locations that a side can enter, were there no Blazes of some causes."""
        causes = self.causes()
        shut = frozenset(x for x, cause in causes.items() if self.fire[x][0] == "blaze" and cause not in spared)
        shut |= {x for x in self.locations if side in self.board.hexes[x.split("/")[0]].closed}
        shut |= {x for x in self.locations if "rubble" not in spared and self._buried(x)}
        if (side, shut) not in self.seen:
            self.seen[side, shut] = self._reached(shut)
        return self.seen[side, shut]

    def _buried(self, x: str) -> bool:
        """Whether a Location is upstairs in rubble, or above some."""
        h, level = x.split("/")
        return level.isdigit() and int(level) > 0 and any(f"{h}/{i}" in self.rubble for i in range(int(level) + 1))

    def _reached(self, shut: frozenset[str]) -> set[str]:
        doors = [h for h in self.levels if sum(near(h, n) for n in self.levels) < 6]
        found: set[str] = set()
        stack = [x for h in doors for x in self._low(h) if x not in shut]
        while stack:
            x = stack.pop()
            if x not in found:
                found.add(x)
                stack += [y for y in self._next(x) if y not in shut]
        return found

    def _low(self, h: str) -> list[str]:
        return [f"{h}/{x}" for x in self.levels[h] if x in ("0", "bridge", "depression")]

    def _next(self, x: str) -> list[str]:
        h, level = x.split("/")
        found: list[str] = []
        if x in self._low(h):
            found += [y for n in self.levels if near(h, n) for y in self._low(n)] + self._low(h)
        for b in self.board.buildings.values():
            if h in b.hexes and level.isdigit() and int(level) <= b.levels:
                if int(level) > 0:
                    found += [f"{n}/{level}" for n in b.hexes if near(h, n)]
                if h in b.stairs:
                    found += [f"{h}/{i}" for i in (int(level) - 1, int(level) + 1) if 0 <= i <= b.levels]
        return found

    def _bars(self, side: str, area: Area) -> bool:
        """Whether a side has forfeited something."""
        places = self.areas[area]
        causes = self.causes()
        if any(causes.get(x) == side for x in (*places, *self.blame.get(area, ()))):
            return True
        return self._cut_off(side, places)

    def _cut_off(self, side: str, places: list[str]) -> bool:
        """Whether the opponent cannot enter any of some Locations because of a side's Fire."""
        foe = self.board.enemy(side)
        others = (foe, "accident", "rubble")
        now, without, alone = self.reached(foe), self.reached(foe, (side,)), self.reached(foe, others)
        if any(x in now for x in places):
            return False
        return any(x in without or (x not in alone and x in self.reached(foe, (side, *others))) for x in places)

    def _remember(self) -> None:
        """Keeps in mind for which Fires that burn something is forfeited."""
        causes = self.causes()
        for area, places in self.areas.items():
            kept = {x for x in self.blame.get(area, ()) if causes.get(x) in self.board.sides}
            for side in self.board.sides:
                if self._cut_off(side, places):
                    kept |= {x for x in causes if causes[x] == side and self._stands_before(x, places, side)}
            self.blame[area] = kept

    def _stands_before(self, fire: str, places: list[str], side: str) -> bool:
        """Whether a Blaze is between some Locations and the rest of the map."""
        if self.fire[fire][0] != "blaze":
            return False
        foe, blazes = self.board.enemy(side), {x for x, (state, _) in self.fire.items() if state == "blaze"}
        door = fire in self._low(fire.split("/")[0]) and sum(near(fire.split("/")[0], n) for n in self.levels) < 6
        for x in places:
            closed = {y for y in self.locations if foe in self.board.hexes[y.split("/")[0]].closed}
            closed |= self.reached(foe)
            pocket, stack = {x}, [x]
            while stack:
                here = stack.pop()
                new = {n for n in self.beside(here) if n not in pocket | blazes | closed and not self._buried(n)}
                pocket |= new
                stack += new
            around = self.beside(fire)
            touches, leads_out = any(n in pocket for n in around), door or any(n not in pocket for n in around)
            if x not in self.reached(foe) and touches and leads_out:
                return True
        return False

    def beside(self, x: str) -> set[str]:
        """Where ways lead from a Location, and from where they lead to it."""
        if x not in self.near_by:
            self.near_by[x] = {y for y in self.locations if y in self._next(x) or x in self._next(y)} - {x}
        return self.near_by[x]

    @staticmethod
    def _shut(places: list[str], now: set[str], without: set[str]) -> bool:
        """Whether nothing of some Locations can be entered, and something of them could but for a cause."""
        return not any(x in now for x in places) and any(x in without for x in places)

    def _fires(self) -> None:
        self.blame = {area: {x for x in fires if self.fire[x][0] != "none"} for area, fires in self.blame.items()}
        if not any(state != "none" for state, _ in self.fire.values()) and not self.rubble:
            return
        a, b = self.board.sides
        for area in self.areas:
            bars = {side: self._bars(side, area) for side in self.board.sides}
            if bars[a] != bars[b]:
                self.owner[area] = b if bars[a] else a
        now, without, opened = (
            {x for side in (a, b) for x in self.reached(side, c)} for c in ((), ("accident",), ("accident", "rubble"))
        )
        opened |= without | {x for side in (a, b) for x in self.reached(side, ("rubble",))}
        sealed = [h for h in self.levels if self._shut(self._low(h), now, without)]
        before = {h: self.controller(("hex", h)) for h in self.levels}
        for h in sealed:
            part, stack = {h}, [h]
            while stack:
                here = stack.pop()
                stack += [n for n in sealed if near(here, n) and n not in part]
                part |= set(stack)
            around = [n for n in self.levels if n not in sealed and any(near(n, p) for p in part)]
            for side in self.board.sides:
                if 2 * sum(before[n] == side for n in around) > len(around) and not self._bars(side, ("hex", h)):
                    self.owner["hex", h] = side
        for x in self.locations:
            owner = self.controller(("hex", x.split("/")[0]))
            if x not in now and x in opened and owner != "none" and not self._bars(owner, ("location", x)):
                self.owner["location", x] = owner
        for name, building in self.board.buildings.items():
            if self._shut(self.areas["building", name], now, without):
                held = {self.controller(("hex", h)) for h in building.hexes}
                owner = held.pop() if len(held) == 1 else "none"
                if owner != "none" and not self._bars(owner, ("building", name)):
                    self.owner["building", name] = owner
        self._remember()

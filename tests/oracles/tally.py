"""Who fights in the battles of a record of armies, counted from its events alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from vclogic_encodings.axis_allies.board import Board

from vclogic.model.battles import Battle

NONE = "none"


@dataclass
class Tally:
    """Units by place and kind, counted from the events alone."""

    board: Board
    power: str
    there: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    entered: Counter[tuple[str, str]] = field(default_factory=Counter)
    flown: Counter[tuple[str, str]] = field(default_factory=Counter)
    fired: Counter[tuple[str, str]] = field(default_factory=Counter)
    landed: set[str] = field(default_factory=set)
    held: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.held = {t: self.board.powers[str(self.board.territories[t].owner)].side for t in self.board.land}
        for name, t in self.board.territories.items():
            self.there.update({(name, p, u): n for p, units in t.units.items() for u, n in units.items()})

    @property
    def side(self) -> str:
        """The side of the power on turn."""
        return self.board.powers[self.power].side

    def go(self, unit: str, n: int, start: str, to: str) -> None:
        """Units go somewhere: to stay, or into a territory of the enemy's."""
        self.there[start, self.power, unit] -= n
        if self.held.get(to, self.side) == self.side:
            self.there[to, self.power, unit] += n
        else:
            self.entered[to, unit] += n

    def play(self, name: str, a: Mapping[str, Any]) -> None:
        """Plays an event other than a battle."""
        if name in ("march", "sail", "carry"):
            self.go(a["unit"], a["count"], a["from"], a["to"])
        if name == "carry":
            for cargo in ("cargo", "second"):
                if a[cargo] != NONE:
                    self.go(a[cargo], a["count"], a[f"{cargo}_from"], a[f"{cargo}_to"])
                    self.landed.add(a[f"{cargo}_to"])
        if name == "fly":
            self.there[a["from"], self.power, a["unit"]] -= a["count"]
            self.flown[a["to"], a["unit"]] += a["count"]
        if name == "bombard":
            self.fired[a["to"], a["unit"]] += a["count"]
        if name == "land":
            self.there[a["at"], self.power, a["unit"]] += a["count"]
        if name == "end_turn":
            order = self.board.turn_order
            self.power = order[(order.index(self.power) + 1) % len(order)]
            self.flown.clear()
            self.fired.clear()
            self.landed.clear()

    def battle(self, name: str, a: Mapping[str, Any]) -> Battle | None:
        """The battle that is to be decided now; None if nobody fights."""
        at_sea = name == "clear"
        place = a["zone"] if at_sea else a["territory"]
        kinds = self.board.units
        here = [(p, u, n) for (r, p, u), n in self.there.items() if r == place and n]
        foes = Counter[str]()
        foes.update(dict.fromkeys(kinds, 0))
        for p, u, n in here:
            if self.board.powers[p].side != self.side and (kinds[u].kind != "sea" or at_sea):
                foes[u] += n
        ours = Counter({u: n for (r, u), n in self.flown.items() if r == place})
        own = ((u, n) for p, u, n in here if p == self.power and kinds[u].kind == "sea") if at_sea else ()
        ours.update(dict(own))
        ours.update({u: n for (r, u), n in self.entered.items() if r == place})
        aircraft = any(kinds[u].kind == "air" for u, n in ours.items() if n)
        if not any(n and (aircraft or not kinds[u].antiaircraft) for u, n in foes.items()):
            return None
        guns = {u: n for (r, u), n in self.fired.items() if r == place and n}
        return Battle(+ours, +foes, guns, place, self.power, at_sea, place in self.landed)

    def over(self, name: str, a: Mapping[str, Any]) -> None:
        """The battle is won."""
        place = a["zone"] if name == "clear" else a["territory"]
        for r, p, u in [*self.there]:
            if r == place and self.board.powers[p].side != self.side:
                self.there[r, p, u] = 0
        for u in self.board.units:
            self.there[place, self.power, u] += self.entered.pop((place, u), 0)
            self.flown.pop((place, u), None)
            self.fired.pop((place, u), None)
        self.held[place] = self.side

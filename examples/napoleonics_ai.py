"""An AI for a battle of Commands & Colors Napoleonics: `python examples/napoleonics_ai.py --games 200`.

What is played: the mill at Erlenbach. vclogic knows the victory banners, whose turn it is, and who has won. The rule
text says nothing of distances and combat, so the engine that owns the board has to: here it is `Battle`, the same for
all players.

- In a turn a side orders three units or leaders at most, one after the other. Each moves once, within the allowance
  of its kind, by the cost of the terrain, to the first hex that stops it, not over enemies (as the planning model of
  vclogic has it).
- Then each ordered unit may fight one enemy unit in an adjacent hex. One die: 4 to 6 eliminates
  it. If it survives, it battles back: one die, and 6 eliminates the attacker. Leaders neither fight nor are fought.

A side wins with five banners. After twelve turns of each side the one with more banners has won, with as many it is a
draw.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import yaml
from arena import DRAW, Move, Position, expected, main, other

import vclogic
from vclogic.game import Game

TURNS, ORDERS = 24, 3
HIT, MISS, BACK = 6, 5, 1
"""Chances of a fight in twelfths: the enemy is eliminated, nobody is, the attacker is."""
NOBODY = ("off", "eliminated")
Places = Mapping[str, str]
"""Who is on the map, and where."""


class Battle:
    """The contest: an engine that moves units and rolls dice, with vclogic as its referee."""

    def __init__(self) -> None:
        package = files("vclogic_encodings.napoleonics")
        self.board: dict[str, Any] = yaml.safe_load(package.joinpath("erlenbach.yaml").read_text())
        self.first = vclogic.load({"game": "napoleonics", "board": self.board})
        self.first = self.first.apply("start_turn", side=self.board["first"])
        first, second = self.board["banners"]
        self.sides: tuple[str, str] = (first, second)
        self.side = {u: unit["side"] for u, unit in self.board["units"].items()}
        self.kind = {u: unit["kind"] for u, unit in self.board["units"].items()}
        kinds, ground = self.board["kinds"], self.board["terrain_types"]
        self.allowance = {u: kinds[kind]["move"] for u, kind in self.kind.items()}
        self.fighters = [u for u, kind in self.kind.items() if not kinds[kind].get("leader")]
        self.ground = {h: ground[t] for t, hexes in self.board["terrain"].items() for h in hexes}
        self.banners = {s: self.first.compile(f"banners({s})") for s in self.sides}
        self.ordered = self.first.compile([f'ordered("{u}")' for u in self.side])

    def start(self) -> Position:
        """The set-up, as the turn of the first side begins."""
        return Position(self.first)

    def mover(self, at: Position) -> str:
        """The side on turn."""
        return str(at.game.value("turn"))

    def points(self, games: Sequence[Game], side: str) -> Sequence[int]:
        """Victory banners."""
        return [self.banners[side](g) for g in games]

    def result(self, at: Position) -> str | None:
        """Who has its banners first, or more of them at the end."""
        if winner := at.game.status().winner:
            return winner
        if sum(e.name == "start_turn" for e in at.game.history) <= TURNS:
            return None
        one, two = (self.banners[s](at.game) for s in self.sides)
        return DRAW if one == two else self.sides[one < two]

    def moves(self, at: Position) -> list[Move]:
        """In movement: a unit is ordered and moves, or movement ends. Then: a unit fights, or the turn ends."""
        side, places = self.mover(at), self.places(at.game)
        ordered = self.under_orders(at.game)
        mine = [u for u in places if self.side[u] == side]
        if at.game.value("phase") == "movement":
            waiting = [u for u in mine if u not in ordered] if len(ordered) < ORDERS else []
            goes = [
                (("order", {"units": u}), ("move", {"unit": u, "to": h}))
                for u in waiting
                for h in self.reach(u, places)
            ]
            return [*(Move(events) for events in goes), Move((("end_movement", {}),))]
        ready = [u for u in mine if u in ordered and u in self.fighters and u not in at.fought]
        fights = [self.fight(u, e) for u in ready for e in self.targets(u, places)]
        return [*fights, Move((("end_turn", {}), ("start_turn", {"side": other(self, side)})))]

    def fight(self, unit: str, enemy: str) -> Move:
        """A unit attacks an enemy beside it."""
        won, lost = (("eliminate", {"unit": enemy}),), (("eliminate", {"unit": unit}),)
        return Move((), ((HIT, won), (MISS, ()), (BACK, lost)), unit)

    def places(self, game: Game) -> Places:
        """Who is on the map, and where."""
        return {u: h for u, h in game.state_dict()["at"].items() if h not in NOBODY}

    def under_orders(self, game: Game) -> set[str]:
        """Who has been ordered this turn."""
        return {u for u, ordered in zip(self.side, self.ordered(game), strict=True) if ordered}

    def targets(self, unit: str, places: Places) -> list[str]:
        """The enemy units beside a unit."""
        foes = [u for u in self.fighters if u in places and self.side[u] != self.side[unit]]
        return [e for e in foes if places[e] in self.around(places[unit])]

    def reach(self, unit: str, places: Places) -> list[str]:
        """The hexes where a unit can move to."""
        start, enemies = places[unit], {h for u, h in places.items() if self.side[u] != self.side[unit]}
        left = {start: self.allowance[unit]}
        todo = [start]
        for here in todo:
            for hex_ in self.around(here) if here == start or not self._terrain(here).get("stops") else ():
                ground = self._terrain(hex_)
                rest = left[here] - ground.get("cost", 1)
                closed = ground.get("blocks") or self.kind[unit] in ground.get("blocks_kinds", ())
                if not closed and hex_ not in enemies and rest > left.get(hex_, -1):
                    left[hex_] = rest
                    todo.append(hex_)
        friends = {places[u] for u in self.fighters if u in places} if unit in self.fighters else {start}
        return [h for h in left if h not in friends]

    def _terrain(self, hex_: str) -> Any:
        return self.ground.get(hex_, {})

    @cache  # noqa: B019 (one board for the whole run)
    def around(self, hex_: str) -> tuple[str, ...]:
        """The hexes beside one: of odd rows the upper and lower ones lie half a hex east, and there is one less."""
        column, row = map(int, hex_.split(","))
        beside = [(column - 1, row), (column + 1, row)]
        beside += [(column - 1 + row % 2 + k, row + d) for d in (-1, 1) for k in (0, 1)]
        return tuple(f"{c},{r}" for c, r in beside if 0 <= r < 9 and 0 <= c < 13 - r % 2)


@cache
def distance(one: str, two: str) -> int:
    """Hexes from one to the other."""
    (q, r), (s, t) = ((c - (row - row % 2) // 2, row) for c, row in (map(int, h.split(",")) for h in (one, two)))
    return max(abs(q - s), abs(r - t), abs(q + r - s - t))


class Commander:
    """Looks at each order, at what the enemy can do to the units afterwards, and at the way to the objectives.

    In banners: a fight wins a half and costs a twelfth of one; other weights were found by play, with other seeds.
    """

    FIGHT = (HIT - BACK) / 12
    THREAT = 0.2  # a unit within reach of an enemy, three of them at most
    MAJORITY = 0.25  # more units than the enemy in an objective that is not gained yet
    AWAY = 0.03  # for each hex that the two nearest units are away from it
    HUNT = 0.01  # for each hex that a unit is away from the nearest enemy

    def __init__(self, battle: Battle) -> None:
        self.battle = battle
        self.goals = battle.board["objectives"]
        self.objectives = battle.first.compile([f'objective("{n}")' for n in self.goals])

    def __call__(self, at: Position, moves: list[Move], rng: random.Random) -> Move:
        """The best fight by the mean of its dice; the best order by what may come of it."""
        side = self.battle.mover(at)
        enemy = other(self.battle, side)
        ours, theirs = (expected(self.battle, at, moves, s) for s in (side, enemy))
        worth = [a - b for a, b in zip(ours, theirs, strict=True)]
        if at.game.value("phase") == "movement":
            worth = [w + b for w, b in zip(worth, self._prospects(at, moves, side), strict=True)]
        return moves[worth.index(max(worth))]

    def _prospects(self, at: Position, moves: Sequence[Move], side: str) -> list[float]:
        """What else there is to each order."""
        battle, places = self.battle, self.battle.places(at.game)
        threats = self._threats(places, other(battle, side))
        found = []
        for move in moves:
            after, ordered = dict(places), battle.under_orders(at.game)
            for name, arguments in move.events:
                if name == "move":
                    after[arguments["unit"]] = arguments["to"]
                    ordered.add(arguments["unit"])
            gained = self.objectives(at.after(move).game)
            open_to = [o for o, holder in zip(self.goals.values(), gained, strict=True) if holder != side]
            missing = [o["hexes"] for o in open_to if o.get("side", side) == side]
            found.append(self._order(after, ordered, side, threats, missing))
        return found

    def _threats(self, places: Places, enemy: str) -> Mapping[str, int]:
        """How many enemies can fight a unit in a hex in their next turn, as the units stand now."""
        count = Counter[str]()
        for u in self.battle.fighters:
            if u in places and self.battle.side[u] == enemy:
                stands = [places[u], *self.battle.reach(u, places)]
                count.update({h for stand in stands for h in self.battle.around(stand)})
        return count

    def _order(
        self,
        places: Places,
        ordered: Collection[str],
        side: str,
        threats: Mapping[str, int],
        missing: Sequence[Collection[str]],
    ) -> float:
        """What an order may bring in, in banners.

        Args:
            places: Who is where after it.
            ordered: Who is under orders.
            side: The side on turn.
            threats: By hex the enemies that can fight there.
            missing: The hexes of the objectives that the side could still gain.
        """
        battle = self.battle
        fighters = [u for u in battle.fighters if u in places]
        ours = [places[u] for u in fighters if battle.side[u] == side]
        enemies = [places[u] for u in fighters if battle.side[u] != side]
        fights = sum(bool(battle.targets(u, places)) for u in ordered if u in fighters)
        worth = self.FIGHT * fights - self.THREAT * min(3, sum(threats[h] for h in ours))
        worth -= self.HUNT * sum(min((distance(h, e) for e in enemies), default=0) for h in ours)
        for hexes in missing:
            there, against = (sum(h in hexes for h in units) for units in (ours, enemies))
            worth += self.MAJORITY * (there > against)
            worth -= self.AWAY * sum(sorted(min(distance(h, x) for x in hexes) for h in ours)[:2])
        return worth


if __name__ == "__main__":
    contest = Battle()
    main(contest, Commander(contest))

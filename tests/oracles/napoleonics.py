"""Victory banners in plain Python, and random small battles: what the encoding of Napoleonics is tested against."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field, replace
from itertools import combinations
from random import Random
from typing import Any

from vclogic_encodings.napoleonics.board import BannerObjective, Board, Exit, Kind, Terrain, Unit, UnitKind
from vclogic_encodings.napoleonics.encoding import ENCODING
from vclogic_encodings.napoleonics.flaws import flaws

from vclogic.model.system import System

KINDS: tuple[Kind, ...] = (
    "temporary",
    "turn_start_temporary",
    "turn_start_majority",
    "permanent",
    "turn_start_permanent",
    "last_to_occupy",
    "taken",
)
READINGS = {r.name: tuple(r.values) for r in ENCODING.readings}
TYPES = {"foot": UnitKind(1), "horse": UnitKind(2), "light": UnitKind(3), "leader": UnitKind(2, leader=True)}
GROUND = {
    "woods": Terrain(stops=True),
    "lake": Terrain(blocks=True),
    "bog": Terrain(cost=2, blocks_kinds=("horse",)),
}
A, B = "Whites", "Blues"


def random_board(rng: Random, *, columns: int = 4, rows: int = 3, units: int = 3, needed: int = 3) -> Board:
    """A small board without flaws."""
    names = [f"{c},{r}" for r in range(rows) for c in range(columns - r % 2)]
    terrain: dict[str, list[str]] = {t: [] for t in GROUND}
    for h in names:
        if rng.random() < 0.3:
            terrain[rng.choice(list(GROUND))].append(h)
    if len(terrain["lake"]) > len(names) // 4:
        terrain["lake"] = []
    free = [h for h in names if h not in terrain["lake"]]
    places = rng.sample(free, 2 * units)
    army: dict[str, Unit] = {}
    for i, h in enumerate(places):
        kind = rng.choice(("foot", "horse", "light"))
        side = (A, B)[i % 2]
        at = "off" if rng.random() < 0.1 else h
        army[f"{side} {i // 2}"] = Unit(side, kind, at, rng.choice((1, 1, 1, 2, 0)))
        if rng.random() < 0.2:
            army[f"{side} chief"] = Unit(side, "leader", at)
    objectives: dict[str, BannerObjective] = {}
    for i in range(rng.randint(1, 4)):
        hexes = tuple(rng.sample(free, rng.choice((1, 1, 2, 3))))
        if objectives and rng.random() < 0.3:
            hexes = rng.choice([*objectives.values()]).hexes[::-1]
        whose = rng.choice((None, None, A, B))
        held = rng.choice((None, None, None, whose or A))
        objectives[f"place {i}"] = BannerObjective(rng.choice(KINDS), hexes, whose, rng.choice((1, 1, 2)), held)
    some = rng.choice(((), (), ("foot", "light", "leader")))
    for name, o in objectives.items():
        kinds = some if o.kind in KINDS[:3] else rng.choice(((), ("foot",), ("horse", "leader")))
        objectives[name] = replace(o, kinds=kinds)
    exits = {}
    for i in range(rng.choice((0, 1, 2))):
        lost = rng.random() < 0.3
        whose, kinds = rng.choice((None, A, B)), rng.choice(((), ("foot", "leader"), ("horse", "light")))
        exits[f"way {i}"] = Exit(tuple(rng.sample(free, 2)), None, whose, kinds, rng.choice((0, 1, 2)), lost)
    board = Board(
        banners={A: needed, B: needed},
        first=rng.choice((A, B)),
        kinds=TYPES,
        units=army,
        objectives=objectives,
        exits=exits,
        columns=columns,
        rows=rows,
        terrain_types=GROUND,
        terrain={t: tuple(h) for t, h in terrain.items()},
    )
    assert not list(flaws(board)), list(flaws(board))
    return board


def system_of(board: Board, **chosen: int | str) -> System:
    """The encoding's system over a board."""
    return ENCODING.build(board, ENCODING.settings(chosen))


def neighbours(board: Board, hex_: str) -> list[str]:
    """The hexes on the map around one: of odd rows the upper and lower ones lie half a hex east."""
    c, r = map(int, hex_.split(","))
    shift = r % 2
    around = [(c - 1, r), (c + 1, r)] + [(c - 1 + shift + k, r + d) for d in (-1, 1) for k in (0, 1)]
    on_map = [(x, y) for x, y in around if 0 <= y < board.rows and 0 <= x < board.columns - y % 2]
    return [f"{x},{y}" for x, y in on_map]


def ground(board: Board, hex_: str) -> Terrain:
    """The terrain of a hex."""
    return next((GROUND[t] for t, hexes in board.terrain.items() if hex_ in hexes), Terrain())


def reachable(board: Board, kind: str, source: str, closed: set[str]) -> set[str]:
    """The hexes, and ways off the map, that a unit can get to, by trying every way."""
    found = set[str]()
    todo = [(source, TYPES[kind].move, True)]
    while todo:
        here, left, first = todo.pop()
        if not first:
            found.add(here)
            if ground(board, here).stops:
                continue
        leave = (n for n, x in board.exits.items() if here in x.hexes and (not x.kinds or kind in x.kinds))
        found |= {n for n in leave if left >= 1}
        for n in neighbours(board, here):
            g = ground(board, n)
            if not g.blocks and kind not in g.blocks_kinds and n not in closed and g.cost <= left:
                todo.append((n, left - g.cost, False))
    return found - {source}


@dataclass
class Battle:
    """A game at a moment."""

    board: Board
    readings: dict[str, str]
    at: dict[str, str] = field(default_factory=dict)
    turn: str = ""
    phase: str = "between"
    ordered: set[str] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)
    """Who has moved under orders in this movement phase."""
    holder: dict[str, str] = field(default_factory=dict)
    vacated: dict[str, str] = field(default_factory=dict)

    @staticmethod
    def begin(board: Board, readings: dict[str, str]) -> Battle:
        b = Battle(board, readings)
        b.at = {u: x.at for u, x in board.units.items()}
        b.turn = B if board.first == A else A
        for name, o in board.objectives.items():
            b.holder[name] = b._set_up(name, o)
        return b

    def _set_up(self, name: str, o: BannerObjective) -> str:
        there = {s for s in (A, B) if self.occupied(s, kinds=o.kinds) & set(o.hexes)}
        allowed = {A, B} if o.side is None else {o.side}
        sole = there & allowed if o.kind != "last_to_occupy" else there
        if self.kind(o) == "temporary" and len(sole) == 1:
            return min(sole)
        if o.kind in ("temporary", "turn_start_temporary"):
            both = self.readings["contested_group"] == "nobody" and len(allowed) == 2 and len(there) == 2
            return o.held if o.held in there and not both else "none"
        if o.kind == "turn_start_majority":
            return o.held if o.held and self.more(o.held, o) else "none"
        if o.kind == "permanent" and o.held is None and self.readings["set_up"] == "counts":
            return min(sole) if len(sole) == 1 else "none"
        if o.kind == "last_to_occupy" and len(sole) == 1:
            return min(sole & allowed, default="none")
        return o.held or "none"

    # ---- who is where

    def leader(self, unit: str) -> bool:
        return TYPES[self.board.units[unit].kind].leader

    def counts(self, unit: str) -> bool:
        return not self.leader(unit) or self.readings["leader_alone"] == "occupies"

    def fits(self, unit: str, kinds: tuple[str, ...]) -> bool:
        return self.counts(unit) and (not kinds or self.board.units[unit].kind in kinds)

    def occupied(self, side: str, kind: str | None = None, kinds: tuple[str, ...] = ()) -> set[str]:
        """The hexes with units of a side, of some kinds; with those that count as occupied for an objective."""
        real = {h for u, h in self.at.items() if self.board.units[u].side == side and self.fits(u, kinds)}
        real -= {"off", "eliminated", *self.board.exits}
        if kind and self.covered(kind):
            real |= {h for h, s in self.vacated.items() if s == side}
        return real

    def kind(self, o: BannerObjective) -> str:
        """By which rule an objective is gained."""
        group = len(o.hexes) > 1 and o.kind == "turn_start_temporary"
        return "temporary" if group and self.readings["turn_start_groups"] == "at_once" else o.kind

    def covered(self, kind: str) -> bool:
        return kind == "temporary" or (kind in KINDS[1:3] and self.readings["note_kinds"] == "every")

    def more(self, side: str, o: BannerObjective, *, real: bool = False) -> bool:
        ours, theirs = (
            len(self.occupied(s, None if real else o.kind, o.kinds) & set(o.hexes))
            for s in (side, B if side == A else A)
        )
        return ours > theirs

    # ---- banners

    def has(self, name: str) -> str:
        o, holder = self.board.objectives[name], self.holder[name]
        if holder == "none" or self.readings["vacated_hex"] == "kept" or not self.covered(o.kind):
            return holder
        if not any(self.vacated.get(h) == holder for h in o.hexes):
            return holder
        if o.kind == "turn_start_majority":
            return holder if self.more(holder, o, real=True) else "none"
        return holder if self.occupied(holder, kinds=o.kinds) & set(o.hexes) else "none"

    def banners(self, side: str) -> int:
        units = sum(x.banners for u, x in self.board.units.items() if x.side != side and self.at[u] == "eliminated")
        for u, x in self.board.units.items():
            way = self.board.exits.get(self.at[u])
            if way is not None and (x.side == side) != way.lost:
                units += way.banners
        held = [o for n, o in self.board.objectives.items() if self.has(n) == side]
        if self.readings["shared_hex"] == "each":
            return units + sum(o.banners for o in held)
        most: dict[frozenset[str], int] = {}
        for o in held:
            hexes = frozenset(o.hexes)
            most[hexes] = max(most.get(hexes, 0), o.banners)
        return units + sum(most.values())

    def winner(self) -> str:
        there = [s for s in (A, B) if self.banners(s) >= self.board.banners[s]]
        if len(there) < 2:
            return there[0] if there else "none"
        match self.readings["both_reach"]:
            case "on_turn":
                return self.turn
            case "more" if self.banners(A) != self.banners(B):
                return max((A, B), key=self.banners)
        return "none"

    # ---- events

    def legal(self, event: str, **args: str) -> bool:
        if self.winner() != "none":
            return False
        if event == "start_turn":
            return self.phase == "between" and args["side"] != self.turn
        if self.phase == "between":
            return False
        unit = args.get("unit") or args.get("units")
        if unit is None:
            return event == "end_turn" or self.phase == "movement"
        x, here = self.board.units[unit], self.at[unit]
        if here in ("eliminated", *self.board.exits) or (event in ("move", "order") and x.side != self.turn):
            return False
        if event == "order":
            return self.phase == "movement" and unit not in self.ordered and here != "off"
        if event != "move" and here == "off":
            return False
        if event == "take":
            o = self.board.objectives[args["objective"]]
            side = x.side == self.turn and o.side in (None, x.side)
            return side and self.fits(unit, o.kinds) and self.holder[args["objective"]] == "none" and here in o.hexes
        foes = (at for u, at in self.at.items() if self.board.units[u].side != x.side)
        nowhere = ("off", "eliminated", *self.board.exits)
        alone = self.readings["losses"] == "enemy_on_map" and all(at in nowhere for at in foes)
        if alone and event in ("eliminate", "retreat"):
            return False
        if event == "eliminate":
            return True
        if event == "move" and self.phase == "movement" and unit not in self.ordered and here != "off":
            return False
        to = args["to"]
        if to in self.board.exits:
            way = self.board.exits[to]
            if here == "off" or way.side not in (None, x.side) or (way.kinds and x.kind not in way.kinds):
                return False
            return here in self.board.ways_out[to] or to in reachable(self.board, x.kind, here, set())
        if (
            event == "retreat"
            and self.readings["retreats"] == "adjacent"
            and to not in ("off", *neighbours(self.board, here))
        ):
            return False
        return here != to and (to == "off" or self.free(unit, to))

    def free(self, unit: str, hex_: str) -> bool:
        for other, h in self.at.items():
            friend = self.board.units[other].side == self.board.units[unit].side
            if h == hex_ and other != unit and not (friend and (self.leader(unit) or self.leader(other))):
                return False
        return True

    def do(self, event: str, **args: str) -> Battle:
        """The game after a legal event."""
        b = deepcopy_state(self)
        match event:
            case "start_turn":
                b.turn, b.phase = args["side"], "movement"
                b._judge(begins=b.turn)
            case "order":
                b.ordered.add(args["units"])
            case "end_movement" | "end_turn":
                left = {b.turn} if b.vacated else set[str]()
                b.phase, b.vacated, b.gone = ("combat" if event == "end_movement" else "between"), {}, set()
                b.ordered = b.ordered if event == "end_movement" else set()
                b._judge(left={*left, b.turn})
            case "take":
                b.holder[args["objective"]] = b.board.units[args["unit"]].side
            case _:
                b._comes(args["unit"], args.get("to", "eliminated"), moves=event == "move")
        return b

    def _comes(self, unit: str, to: str, *, moves: bool) -> None:
        side, source = self.board.units[unit].side, self.at[unit]
        self.at[unit] = to
        if moves and self.phase == "movement":
            self.gone.add(unit)
        if not self.counts(unit):
            self._judge()
            return
        self.vacated.pop(to, None)
        keeps = source in self.watched and self.fits(unit, self.watched[source])
        if moves and self.phase == "movement" and keeps and source not in self.occupied(side):
            self.vacated[source] = side
        if self.readings["vacated_when"] != "movement_ends":
            self.vacated = {h: s for h, s in self.vacated.items() if s != side or self.coming(side, h)}
        self._judge(left={side}, entered=(unit, to))

    @property
    def watched(self) -> dict[str, tuple[str, ...]]:
        """The hexes of objectives that are lost when vacated, with the kinds that hold them."""
        return {h: o.kinds for o in self.board.objectives.values() if o.kind in KINDS[:3] for h in o.hexes}

    def coming(self, side: str, hex_: str) -> set[str]:
        """The units of a side that have orders and may still go to a hex."""
        gone = ("eliminated", "off", *self.board.exits)
        waiting = {u for u in self.ordered - self.gone if self.at[u] not in gone}
        waiting = {u for u in waiting if self.fits(u, self.watched[hex_])}
        if self.readings["vacated_when"] == "nobody_in_reach":
            waiting = {u for u in waiting if hex_ in self.hexes_near(u)}
        return {u for u in waiting if self.board.units[u].side == side}

    def hexes_near(self, unit: str) -> set[str]:
        """The hexes that are no further from a unit than its kind can move."""
        found = {self.at[unit]}
        for _ in range(self.board.kinds[self.board.units[unit].kind].move):
            found |= {n for h in found for n in neighbours(self.board, h)}
        return found

    def _judge(
        self, *, begins: str | None = None, left: set[str] | None = None, entered: tuple[str, str] | None = None
    ) -> None:
        for name, o in self.board.objectives.items():
            self.holder[name] = self._next(o, self.holder[name], begins, left or set(), entered)

    def _next(
        self, o: BannerObjective, holder: str, begins: str | None, left: set[str], entered: tuple[str, str] | None
    ) -> str:
        allowed = {A, B} if o.side is None else {o.side}
        there = {s for s in allowed if self.occupied(s, o.kind, o.kinds) & set(o.hexes)}
        contested = len(there) == 2 and self.readings["contested_group"] == "nobody"
        enters = entered is not None and entered[1] in o.hexes and self.fits(entered[0], o.kinds)
        entered = (self.board.units[entered[0]].side, entered[1]) if entered else None
        match self.kind(o):
            case "temporary":
                if len(there) == 1:
                    return min(there)
                return holder if holder in there and not contested else "none"
            case "turn_start_temporary":
                if holder not in there or contested:
                    holder = "none"
                takes = begins in there and not contested and holder == "none"
                return str(begins) if takes else holder
            case "turn_start_majority":
                looks = self.readings["majority_lost"] == "at_once" or holder in left or begins == holder
                if holder != "none" and looks and not self.more(holder, o):
                    holder = "none"
                return str(begins) if begins in allowed and self.more(begins, o) else holder
            case "permanent":
                return entered[0] if entered and enters and holder == "none" and entered[0] in allowed else holder
            case "turn_start_permanent":
                return str(begins) if holder == "none" and begins in there else holder
            case "taken":
                return holder
        if entered and enters:
            return entered[0] if entered[0] in allowed else "none"
        return holder

    # ---- whole turns

    def turns(self, orders: int, *, idle: bool, fights: bool) -> Iterator[tuple[Battle, int]]:
        """Every way in which the next player-turn can go, with the number of moves; units go as the plans have it."""
        side = A if self.turn == B else B
        b = self.do("start_turn", side=side)
        if idle or b.winner() != "none":
            yield (b if b.winner() != "none" else b.do("end_turn")), 0
            return
        closed = {h for u, h in b.at.items() if b.board.units[u].side != side}
        for chosen in b._orders(side, orders):
            for moved, units in chosen._moves(side, closed, frozenset()):
                if moved.winner() != "none":
                    yield moved, len(units)
                    continue
                ended = moved.do("end_movement")
                for fought in ended._fights(side, orders, units, frozenset(), fights=fights):
                    over = fought.winner() != "none"
                    yield (fought if over else fought.do("end_turn")), len(units)

    def _orders(self, side: str, most: int) -> Iterator[Battle]:
        """Every way to give all orders of a turn."""
        units = [u for u in self.board.units if self.legal("order", units=u)]
        for n in range(most + 1):
            for some in combinations(units, n):
                b = deepcopy_state(self)
                b.ordered |= {*some}
                yield b

    def _moves(self, side: str, closed: set[str], made: frozenset[str]) -> Iterator[tuple[Battle, frozenset[str]]]:
        yield self, made
        if self.winner() != "none":
            return
        for u in sorted(self.ordered - made):
            kind, here = self.board.units[u].kind, self.at[u]
            nowhere = ("off", "eliminated", *self.board.exits)
            for to in reachable(self.board, kind, here, closed) if here not in nowhere else ():
                if self.legal("move", unit=u, to=to):
                    yield from self.do("move", unit=u, to=to)._moves(side, closed, made | {u})

    def _fights(
        self, side: str, orders: int, ordered: frozenset[str], done: frozenset[str], *, fights: bool
    ) -> Iterator[Battle]:
        yield self
        if self.winner() != "none":
            return
        for u, x in self.board.units.items():
            ready = x.side == side and u not in done
            if not ready or self.at[u] == "eliminated" or len(ordered | {u}) > orders:
                continue
            for name, o in self.board.objectives.items():
                if o.kind == "taken" and self.legal("take", unit=u, objective=name):
                    after = self.do("take", unit=u, objective=name)
                    yield from after._fights(side, orders, ordered | {u}, done | {u}, fights=fights)
            may_fight = fights and not self.leader(u) and self.at[u] in self.board.hexes
            near = neighbours(self.board, self.at[u]) if may_fight else []
            for e, y in self.board.units.items():
                if y.side == side or self.at[e] not in near:
                    continue
                for gone in (e, u) if not self.leader(e) else (e,):
                    after = self.do("eliminate", unit=gone)
                    yield from after._fights(side, orders, ordered | {u}, done | {u}, fights=fights)

    @property
    def key(self) -> Any:
        """What distinguishes a moment."""
        parts = (self.at, self.holder, self.vacated)
        return (self.turn, self.phase, *(tuple(sorted(p.items())) for p in parts))


CHANGING = ("at", "ordered", "gone", "holder", "vacated")


def deepcopy_state(b: Battle) -> Battle:
    """The same moment, to be changed."""
    return replace(b, **{name: deepcopy(getattr(b, name)) for name in CHANGING})


def fewest(start: Battle, side: str, banners: int, within: int, *, cost: str, **how: Any) -> int | None:
    """The fewest turns or moves of a side to some banners, within a number of player-turns; None: it cannot."""
    idle = how.pop("opponent") == "idle"
    best: int | None = 0 if start.banners(side) >= banners else None
    frontier = {start.key: (start, 0)}
    for _ in range(within):
        following: dict[Any, tuple[Battle, int]] = {}
        for b, paid in frontier.values():
            if b.winner() != "none":
                continue
            ours = b.turn != side
            for after, moves in b.turns(how["orders"], idle=idle and not ours, fights=how["fights"]):
                spent = paid + (0 if not ours else 1 if cost == "turns" else moves)
                if after.key not in following or following[after.key][1] > spent:
                    following[after.key] = (after, spent)
                if after.banners(side) >= banners and (best is None or spent < best):
                    best = spent
        frontier = following
    return best

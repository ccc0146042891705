"""The capture level: a planning assumption in which control spreads over land borders and by sea.

The rule text says who controls what and what that is worth; it does not say how territory is taken. Here a power
takes an enemy territory that borders its side's territory, or lies within some sea moves of it. Armies are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from vclogic_encodings.axis_allies.events import city_clause, enemy_held, on_turn, taking
from vclogic_encodings.axis_allies.state import Fluents

from vclogic.board.area import Straits, ways
from vclogic.model.actions import Action, Requirement
from vclogic.model.fluents import Value
from vclogic.model.system import ANY, Metric, Settings
from vclogic.model.transition import Transition, all_at_once, one_at_a_time
from vclogic.terms.build import all_of, and_, any_of, is_in, linear
from vclogic.terms.term import Term

HEADING = "control only, armies left out"
Held = Callable[[str], Term]
"""Whether a territory is held by whoever wants to capture from it."""


class Captures:
    """Which captures there are, and what each needs.

    Attributes:
        f: The fluents.
        end_turn: The action that ends a turn.
    """

    def __init__(self, f: Fluents, settings: Settings, end_turn: Action):
        self.f = f
        self.sea_range = settings.number("sea_range")
        self.end_turn = end_turn

    # ---- geography

    @cached_property
    def by_land(self) -> Mapping[str, tuple[str, ...]]:
        """The ownable territories that each ownable territory borders."""
        ownable = set(self.f.board.land)
        around = self.f.board.map.neighbours
        return {t: tuple(u for u in around[t] if u in ownable) for t in self.f.board.land}

    @cached_property
    def by_sea(self) -> Mapping[str, Mapping[str, list[Straits]]]:
        """For each target where it can be invaded from by sea, nearest first, and the canals that must be open."""
        board = self.f.board
        zones = set(board.sea)
        around = board.map.neighbours
        graph = board.map.graph(board.sea)
        canals = {name: c.zones for name, c in board.canals.items()}
        near = {z: ways(graph, canals, z, self.sea_range) for z in board.sea}
        found: dict[str, dict[str, list[Straits]]] = {}
        for target in board.land:
            landings = [z for z in around[target] if z in zones]
            passages = [(away, zone, way) for z in landings for zone, sets in near[z].items() for way, away in sets]
            sources: dict[str, list[Straits]] = {}
            for _, zone, straits in sorted(passages, key=lambda p: (p[0], len(p[2]))):
                for source in (t for t in around[zone] if t in self.by_land and t != target):
                    sources[source] = _smallest([*sources.get(source, []), straits])
            found[target] = sources
        return found

    def reaches(self, target: str, held: Held, opens: Held) -> Term:
        """Whether a territory can be taken from one that is held.

        Args:
            target: The territory to take.
            held: Whether a territory is held by the one who takes it.
            opens: Whether a territory is held by whoever the canals are open to.
        """
        by_straits: dict[Straits, list[str]] = {frozenset(): list(self.by_land[target])}
        for source, sets in self.by_sea[target].items():
            for straits in sets:
                by_straits.setdefault(straits, []).append(source)
        return any_of(
            and_(self._open(straits, opens), any_of(held(s) for s in dict.fromkeys(sources)))
            for straits, sources in by_straits.items()
        )

    def _open(self, straits: Straits, opens: Held) -> Term:
        canals = self.f.board.canals
        return all_of(opens(t) for s in sorted(straits) for t in canals[s].land)

    # ---- actions

    def action(self, power: str, target: str, metric: str, *, cost: int, own_turn: bool) -> Action:
        """One capture.

        Args:
            power: Who captures.
            target: What is captured.
            metric: What the cost counts for.
            cost: What the capture costs.
            own_turn: Whether it must be the power's turn, and starts from what the power itself owns.
        """
        f, side = self.f, self.f.board.powers[power].side
        held: Held = (lambda t: f.owns(power, t)) if own_turn else (lambda t: f.controls(side, t))
        reached = self.reaches(target, held, lambda t: f.controls(side, t))
        needs = [
            enemy_held(f, power, target),
            Requirement(reached, f"{target} cannot be reached by land or sea"),
        ]
        return Action(
            "capture",
            (("power", power), ("territory", target)),
            actor=power,
            requirements=(on_turn(f, power), *needs) if own_turn else tuple(needs),
            effects=taking(f, power, target),
            text=lambda values: self._sentence(power, target, values, own_turn=own_turn),
            costs={metric: cost},
            cites=city_clause(f.board, target),
            awkward=lambda values: self._awkward(power, target, values),
        )

    def _awkward(self, power: str, target: str, values: Mapping[Term, Value]) -> int:
        """0 where the power has a border with the target itself, 1 where it has a way by sea, else 2."""
        own = {t for t in self.f.board.land if values[self.f.owner[t]] == power}
        if not own.isdisjoint(self.by_land[target]):
            return 0
        return 1 if not own.isdisjoint(self.by_sea[target]) else 2

    def _sentence(self, power: str, target: str, values: Mapping[Term, Value], *, own_turn: bool) -> str:
        board = self.f.board
        owners = [power] if own_turn else list(board.sides[board.powers[power].side])
        # Prefer to set out from the power's own territory.
        held = [t for t in board.land if values[self.f.owner[t]] == power]
        held += [t for t in board.land if values[self.f.owner[t]] in owners and t not in held]
        neighbour = next((t for t in held if t in self.by_land[target]), None)
        way = f"from {neighbour}" if neighbour else self._landing(target, held)
        city = board.territories[target].city
        worth = f" ({city.name}, {board.points(target)} VCP)" if city else ""
        return f"{power} take {target}{worth} {way}"

    def _landing(self, target: str, held: list[str]) -> str:
        canals = self.f.board.canals
        for source in sorted(self.by_sea[target].keys() & set(held), key=list(self.by_sea[target]).index):
            for straits in self.by_sea[target][source]:
                if all(t in held for s in straits for t in canals[s].land):
                    through = f" through the {' and the '.join(sorted(straits))}" if straits else ""
                    return f"by sea from {source}{through}"
        return "by sea"

    def actions(self, side: str | None, opponent: str, metric: str, *, own_turn: bool) -> Iterable[Action]:
        """Every capture of whoever moves.

        Args:
            side: The side that plans; None if all do.
            opponent: `idle` or `any`.
            metric: What a capture of the planning side costs 1 of; `turns` are not paid by capture.
            own_turn: See `action`.
        """
        for power, p in self.f.board.powers.items():
            ours = side is None or p.side == side
            if ours or opponent == ANY:
                for target in self.f.board.land:
                    yield self.action(power, target, metric, cost=int(ours), own_turn=own_turn)

    # ---- metrics

    def metrics(self) -> tuple[Metric, ...]:
        """What a plan can be made to save: captures, or player-turns."""
        return (
            Metric(
                "captures",
                "capture",
                HEADING,
                "territories taken, in any order of turns",
                self._one_by_one,
                lambda side, opponent: (*self._assumptions(), "captures ignore turn order"),
                tail=self.end_turn,
            ),
            Metric(
                "turns",
                "player-turn",
                HEADING,
                "player-turns of the side's own powers, in turn order",
                self._turn_by_turn,
                lambda side, opponent: (
                    *self._assumptions(),
                    "in its turn a power captures only from what it owned itself when the turn began",
                ),
            ),
        )

    def _one_by_one(self, side: str | None, opponent: str) -> Transition:
        return one_at_a_time(self.actions(side, opponent, "captures", own_turn=False), "captures")

    def _turn_by_turn(self, side: str | None, opponent: str) -> Transition:
        powers = list(self.f.board.powers) if side is None else list(self.f.board.sides[side])
        ours = is_in(self.f.turn.fluent, powers)
        actions = self.actions(side, opponent, "turns", own_turn=True)
        return all_at_once(actions, self.end_turn, linear([(1, ours)]), counts=ours)

    def _assumptions(self) -> tuple[str, ...]:
        moves = f"{self.sea_range} sea moves" if self.sea_range != 1 else "1 sea move"
        sea = f"{moves} (option sea_range)" if self.sea_range else "one and the same sea zone (sea_range=0)"
        return (
            f"{HEADING}: a capture needs no units and meets no defence",
            f"a capture needs a land border with the side's territory, or a landing within {sea}",
        )


def _smallest(sets: list[Straits]) -> list[Straits]:
    """The sets that contain no other."""
    ordered = sorted(set(sets), key=lambda s: (len(s), sorted(s)))
    return [s for i, s in enumerate(ordered) if not any(t <= s for t in ordered[:i])]

"""The capture level: a planning assumption in which control spreads over land borders and by sea.

The rule text says who controls what and what that is worth; it does not say how territory is taken. Here a power
takes an enemy territory that borders its side's territory, or lies within some sea moves of it. Armies are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from vclogic_encodings.axis_allies.citing import city_clause
from vclogic_encodings.axis_allies.combat import enemy_held, next_to_the_side, taking
from vclogic_encodings.axis_allies.context import Context

from vclogic.model.actions import Action, Requirement
from vclogic.model.fluents import Value
from vclogic.model.system import ANY, Metric
from vclogic.model.transition import Transition, all_at_once, one_at_a_time
from vclogic.terms.build import is_in, linear
from vclogic.terms.term import Term

HEADING = "control only, armies left out"
WITHOUT_ARMIES = f"{HEADING}: a capture needs no units and meets no defence"
EVENTS = ("capture", "end_turn")


class Captures:
    """Which captures there are, and what each needs.

    Attributes:
        c: The game.
        end_turn: The action that ends a turn.
    """

    def __init__(self, c: Context, end_turn: Action):
        self.c = c
        self.f = c.f
        self.geography = c.geography
        self.end_turn = end_turn

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
        f = self.f
        reached = self._from_its_own(power, target) if own_turn else next_to_the_side(self.c, power, target)
        needs = [enemy_held(self.c, power, target), reached]
        return Action(
            "capture",
            (("power", power), ("territory", target)),
            actor=power,
            requirements=(*self.c.on_turn(power), *needs) if own_turn else tuple(needs),
            effects=tuple(taking(self.c, power, target).items()),
            text=lambda values: self._sentence(power, target, values, own_turn=own_turn),
            costs={metric: cost},
            cites=city_clause(f.board, target),
            awkward=lambda values: self._awkward(power, target, values),
        )

    def _from_its_own(self, power: str, target: str) -> Requirement:
        f, side = self.f, self.f.board.powers[power].side
        reached = self.geography.reaches(target, lambda t: f.owns(power, t), lambda t: f.controls(side, t))
        return Requirement(reached, f"{target} cannot be reached by land or sea")

    def _awkward(self, power: str, target: str, values: Mapping[Term, Value]) -> int:
        """0 where the power has a border with the target itself, 1 where it has a way by sea, else 2."""
        own = {t for t in self.f.board.land if values[self.f.owner[t]] == power}
        if not own.isdisjoint(self.geography.by_land[target]):
            return 0
        return 1 if not own.isdisjoint(self.geography.by_sea[target]) else 2

    def _sentence(self, power: str, target: str, values: Mapping[Term, Value], *, own_turn: bool) -> str:
        board = self.f.board
        owners = [power] if own_turn else list(board.sides[board.powers[power].side])
        # Prefer to set out from the power's own territory.
        held = [t for t in board.land if values[self.f.owner[t]] == power]
        held += [t for t in board.land if values[self.f.owner[t]] in owners and t not in held]
        neighbour = next((t for t in held if t in self.geography.by_land[target]), None)
        way = f"from {neighbour}" if neighbour else self._landing(target, held)
        city = board.territories[target].city
        worth = f" ({city.name}, {board.points(target)} VCP)" if city else ""
        return f"{power} take {target}{worth} {way}"

    def _landing(self, target: str, held: list[str]) -> str:
        canals = self.f.board.canals
        for source in sorted(
            self.geography.by_sea[target].keys() & set(held), key=list(self.geography.by_sea[target]).index
        ):
            for straits in self.geography.by_sea[target][source]:
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
                lambda side, opponent: (WITHOUT_ARMIES, self.c.borders, "captures ignore turn order"),
                tail=self.end_turn,
                events=EVENTS,
            ),
            Metric(
                "turns",
                "player-turn",
                HEADING,
                "player-turns of the side's own powers, in turn order",
                self._turn_by_turn,
                lambda side, opponent: (
                    WITHOUT_ARMIES,
                    self.c.borders,
                    "in its turn a power captures only from what it owned itself when the turn began",
                ),
                events=EVENTS,
            ),
        )

    def _one_by_one(self, side: str | None, opponent: str, start: Mapping[Term, Term]) -> Transition:
        return one_at_a_time(self.actions(side, opponent, "captures", own_turn=False), "captures")

    def _turn_by_turn(self, side: str | None, opponent: str, start: Mapping[Term, Term]) -> Transition:
        powers = list(self.f.board.powers) if side is None else list(self.f.board.sides[side])
        ours = is_in(self.f.turn.fluent, powers)
        actions = self.actions(side, opponent, "turns", own_turn=True)
        return all_at_once(actions, self.end_turn, linear([(1, ours)]), counts=ours)

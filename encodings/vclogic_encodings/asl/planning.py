"""Plans in events: movement from Location to Location, and what units suffer, one event a step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from vclogic_encodings.asl.board import INFANTRY, LANDED
from vclogic_encodings.asl.events import end_game
from vclogic_encodings.asl.events.captures import surrender
from vclogic_encodings.asl.events.combat import break_unit, eliminate, rally, reduce
from vclogic_encodings.asl.events.moves import enter, exit_map, leave
from vclogic_encodings.asl.game import Rules
from vclogic_encodings.asl.names import ELIMINATED, EXITED, NONE, OFF

from vclogic.model.actions import Action, Requirement
from vclogic.model.restricting import restricted
from vclogic.model.system import ANY, Metric
from vclogic.model.transition import Transition, one_at_a_time
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import eq, is_in
from vclogic.terms.term import Term

HEADING = "events one at a time; no dice, no movement allowances"
EVENTS = "events"
OF_PLANS = ("enter", "leave", "break", "rally", "reduce", "eliminate", "surrender", "end_game")


class PlanningModel:
    """The events that a plan is made of.

    Attributes:
        game: The game.
        exits: The exit areas of which the board says where they lie.
    """

    def __init__(self, game: Rules):
        self.game = game
        self.fluents = game.fluents
        self.exits = tuple(area for area in game.board.exits if game.geometry.gates(area))

    def metrics(self) -> tuple[Metric, ...]:
        """The costs that a plan can save: events."""
        return (
            Metric(
                EVENTS,
                "event",
                HEADING,
                "events of the side, and what it does to enemy units",
                self._steps,
                self._assumptions,
                ending=lambda: end_game(self.game),
                events=(*OF_PLANS, *(("exit",) if self.exits else ())),
            ),
        )

    def _steps(self, side: str | None, opponent: str, start: Mapping[Term, Term]) -> Transition:
        return one_at_a_time(self._actions(side, opponent, start), EVENTS)

    def _actions(self, side: str | None, opponent: str, start: Mapping[Term, Term]) -> Iterable[Action]:
        """Moves of whoever moves, and losses of the enemies of whoever moves.

        Units that are out of the game at the start, and places that cannot be reached, have no actions.
        """
        for name, u in self.fluents.board.units.items():
            gone = is_in(start[self.fluents.at[name]], (ELIMINATED, EXITED)) is TRUE or name in self.fluents.out
            if gone or u.kind not in (*INFANTRY, *LANDED, "dummy"):
                continue
            ours = side is None or u.side == side
            if ours or opponent == ANY:
                yield from self._own(name, cost=int(ours))
            if not ours or side is None or opponent == ANY:
                yield from self._suffers(name, cost=int(not ours or side is None))

    def _own(self, unit: str, *, cost: int) -> Iterable[Action]:
        geometry, side = self.fluents.geometry, self.fluents.board.units[unit].side
        graph, doors = geometry.graph, geometry.doors
        for to in geometry.locations:
            action = enter(self.game, unit, to, "no")
            if action.guard is FALSE:
                continue
            near = [graph.nodes[i] for i in graph.predecessors[graph.index[to]]]
            if to in doors:
                near.append(OFF)
            beside = Requirement(is_in(self.fluents.at[unit], near), f"{to} is not next to where {unit} is")
            yield self._paid(replace(action, actor=side), cost, (beside,))
        for area in self.exits:
            if side in self.fluents.board.exits[area].sides:
                yield self._paid(replace(exit_map(self.game, unit, area, NONE), actor=side), cost)
        at_edge = Requirement(is_in(self.fluents.at[unit], doors), f"{unit} is not at the edge of the map")
        yield self._paid(replace(leave(self.game, unit), actor=side), cost, (at_edge,))
        if self.fluents.board.units[unit].kind in INFANTRY:
            yield self._paid(rally(self.game, unit), cost)

    def _suffers(self, unit: str, *, cost: int) -> Iterable[Action]:
        enemy = self.fluents.board.enemy(self.fluents.board.units[unit].side)
        yield self._paid(eliminate(self.game, unit, enemy, "dies"), cost)
        if self.fluents.board.units[unit].kind == "squad":
            yield self._paid(reduce(self.game, unit), cost)
        if self.fluents.board.units[unit].kind in INFANTRY:
            yield self._paid(break_unit(self.game, unit), cost)
            for guard in self.fluents.board.of(*INFANTRY):
                if self.fluents.board.units[guard].side == enemy:
                    same = eq(self.fluents.at[unit], self.fluents.at[guard])
                    beside = Requirement(same, f"{guard} is not where {unit} is")
                    yield self._paid(surrender(self.game, unit, guard), cost, (beside,))

    @staticmethod
    def _paid(action: Action, cost: int, more: tuple[Requirement, ...] = ()) -> Action:
        return restricted(action, assumed=more, costs={EVENTS: cost})

    def _assumptions(self, side: str | None, opponent: str) -> tuple[str, ...]:
        return (
            f"{HEADING}: a unit goes to an adjacent Location, or from off the map to ground level at its edge",
            "what happens to enemy units (elimination, reduction, breaking, surrender to a unit in their Location) "
            "is granted, an event each; so is that own units rally",
            f"no other event happens: nobody {'' if self.exits else 'exits, '}mounts, tows, frees, kindles, searches "
            "or mops up; the game ends where the goal asks for that",
        )

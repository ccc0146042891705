"""The capture level: a planning assumption in which control spreads over land borders and by sea.

The rule text says who controls what and what that is worth; it does not say how territory is taken. Here a power
takes an enemy territory that borders its side's territory, or lies within some sea moves of it. Armies are left out.
The captures are the events of records; what is left out of them and what is assumed is said below.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from vclogic_encodings.axis_allies.events.combat import FAILED
from vclogic_encodings.axis_allies.game import TURN_ORDER, Rules
from vclogic_encodings.axis_allies.planning.player_turns import player_turn, sentence
from vclogic_encodings.axis_allies.planning.reaching import FEW, OWN_REACH, borders, from_its_own, in_a_turn
from vclogic_encodings.axis_allies.rules.placing import PHASES
from vclogic_encodings.axis_allies.rules.victory import GAME_OVER

from vclogic.model.actions import Action, Schema
from vclogic.model.fluents import Value
from vclogic.model.restricting import restricted
from vclogic.model.system import ANY, Metric
from vclogic.model.transition import Transition, one_at_a_time
from vclogic.terms.build import is_in
from vclogic.terms.term import Term

HEADING = "control only, armies left out"
WITHOUT_ARMIES = f"{HEADING}: a capture needs no units and meets no defence"
EVENTS = ("capture", "end_turn")
IN_ANY_ORDER = (TURN_ORDER, GAME_OVER, PHASES, FAILED, OWN_REACH, FEW)
"""Requirements that the metric `captures` drops: turn order, and all that belongs to one turn."""


class Captures:
    """Captures as actions of plans, and the metrics over them.

    Attributes:
        game: The game.
    """

    def __init__(self, game: Rules, events: Sequence[Schema]):
        self.game = game
        self.fluents = game.fluents
        self.geography = game.geography
        self._schemas = {s.name: s for s in events}
        self._capture = self._schemas["capture"]
        self._latches = frozenset(game.fluents.latches)

    # ---- actions

    @cached_property
    def end_turn(self) -> Action:
        """The action that ends a turn."""
        return self._schemas["end_turn"].instantiate()

    def action(self, power: str, target: str, metric: str, *, cost: int, own_turn: bool) -> Action:
        """The event `capture` as an action of a plan.

        The defender destroys no complex. Who has won is looked at as a turn ends, also with `total_moment=any`: a
        side that has everything still has it then, and captures stay steps by which nothing is ever lost.

        Args:
            power: Who captures.
            target: What is captured.
            metric: What the cost counts for.
            cost: What the capture costs.
            own_turn: Whether it must be the power's turn, and starts from what the power itself owned as it began.
        """
        event = self._capture.action(self._capture.event({"power": power, "territory": target}).args)
        return restricted(
            event,
            without=(OWN_REACH, FEW) if own_turn else IN_ANY_ORDER,
            assumed=(from_its_own(self.game, power, target),) if own_turn else None,
            leaving=self._latches | (self._other_owners(target) if own_turn else frozenset()),
            costs={metric: cost},
            text=None if own_turn else lambda values: sentence(self.game, event, self._way(power, target, values)),
            display_rank=lambda values: self._display_rank(power, target, values),
        )

    def _other_owners(self, target: str) -> frozenset[Term]:
        """The owners of other territories: what is given back in a player-turn is so once all captures are made."""
        return frozenset(owner for (t,), owner in self.fluents.owner.fluents.items() if t != target)

    def _display_rank(self, power: str, target: str, values: Mapping[Term, Value]) -> int:
        """Display rank: 0 if the power itself borders the target, 1 if it has a way by sea, else 2."""
        owner = self.fluents.owner
        if any(values[owner[t]] == power for t in self.geography.by_land[target]):
            return 0
        return 1 if any(values[owner[t]] == power for t in self.geography.by_sea[target]) else 2

    def _way(self, power: str, target: str, values: Mapping[Term, Value]) -> str:
        """The source of a capture, in words; the power's own territory, if it can be."""
        board, owner, order = self.fluents.board, self.fluents.owner, self.fluents.territories.sort.index
        near = sorted(self.geography.by_land[target], key=lambda t: (values[owner[t]] != power, order[t]))
        owners = board.sides[board.powers[power].side]
        neighbour = next((t for t in near if values[owner[t]] in owners), None)
        if neighbour:
            return f"from {neighbour}"

        def held(territory: str) -> bool:
            return values[owner[territory]] in owners

        return self.geography.by_water(self.geography.by_sea[target], held, held)

    def actions(self, side: str | None, opponent: str, metric: str, *, own_turn: bool) -> Iterable[Action]:
        """All captures of the powers that may move.

        Args:
            side: The side that plans; None if all do.
            opponent: `idle` or `any`.
            metric: What a capture of the planning side costs 1 of; `turns` are not paid by capture.
            own_turn: See `action`.
        """
        for power, p in self.fluents.board.powers.items():
            ours = side is None or p.side == side
            if ours or opponent == ANY:
                for target in self.fluents.board.land:
                    yield self.action(power, target, metric, cost=int(ours), own_turn=own_turn)

    # ---- metrics

    def metrics(self) -> tuple[Metric, ...]:
        """The metrics that a plan can minimize: captures and player-turns."""
        beyond = (WITHOUT_ARMIES, borders(self.game))
        asked = self.game.by_dice
        refused = f"captures know no units, so {asked} cannot be asked for: add --set level=armies" if asked else ""
        return (
            Metric(
                "captures",
                "capture",
                HEADING,
                "territories taken, in any order of turns",
                self._one_by_one,
                lambda side, opponent: (*beyond, "captures ignore turn order"),
                ending=lambda: self.end_turn,
                events=EVENTS,
                refused=refused,
            ),
            Metric(
                "turns",
                "player-turn",
                HEADING,
                "player-turns of the side's own powers, in turn order",
                self._turn_by_turn,
                lambda side, opponent: (*beyond, *in_a_turn(self.game)),
                events=EVENTS,
                turns=True,
                open_choices=self.game.placement.complexes.may_be_destroyed,
                recorded=self.game.settings.readings["total_moment"] == "turn_end",  # else play may end in a turn
                refused=refused,
            ),
        )

    def _one_by_one(self, side: str | None, opponent: str, start: Mapping[Term, Term]) -> Transition:
        return one_at_a_time(self.actions(side, opponent, "captures", own_turn=False), "captures")

    def _turn_by_turn(self, side: str | None, opponent: str, start: Mapping[Term, Term]) -> Transition:
        powers = list(self.fluents.board.powers) if side is None else list(self.fluents.board.sides[side])
        actions = self.actions(side, opponent, "turns", own_turn=True)
        return player_turn(self.game, actions, self.end_turn, is_in(self.fluents.turn.fluent, powers), start)

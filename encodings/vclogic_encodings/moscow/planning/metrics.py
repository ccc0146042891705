"""Plans: units that march, and whole player-turns, over a map on which the enemy stands or moves too.

The rule text says nothing of movement. Here a unit goes by terrain as far as its allowance takes it; nobody fights.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

from vclogic_encodings.moscow.board import SIDES
from vclogic_encodings.moscow.game import Rules
from vclogic_encodings.moscow.planning.moves import SimultaneousMoves, State
from vclogic_encodings.moscow.planning.paths import Paths

from vclogic.model.actions import Action
from vclogic.model.step_text import StepText
from vclogic.model.system import IDLE, Metric
from vclogic.model.transition import Hints, Scoped, Transition, Wanted
from vclogic.terms.atoms import integer
from vclogic.terms.build import linear
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term

HEADING = "units march by terrain, nobody fights"
EVENTS = ("move", "end_turn", "end_game")


class PlanningModel:
    """The planning model of one game.

    Attributes:
        game: The game.
        end_game: The action that ends the game.

    Args:
        game: The game.
        end_turn: Makes the action that ends a player-turn.
        end_game: The action that ends the game.
    """

    def __init__(self, game: Rules, end_turn: Callable[[], Action], end_game: Action):
        self.game = game
        self._end_turn = end_turn
        self.end_game = end_game
        self.paths = Paths(game.board)

    @cached_property
    def end_turn(self) -> Action:
        """The action that ends a player-turn; the front line makes it dear to build."""
        return self._end_turn()

    def metrics(self) -> tuple[Metric, ...]:
        """The metrics that a plan can minimise: moves of units, or player-turns."""
        moves = "moves of single units of the side, each within its allowance, whatever turn it is"
        turns = "player-turns of the side, in turn order, the front line examined at the end of each"
        return tuple(
            Metric(
                name,
                step,
                HEADING,
                text,
                steps,
                assumptions,
                ending=lambda: self.end_game,
                events=EVENTS,
                turns=name == "turns",
            )
            for name, step, text, steps, assumptions in (
                ("moves", "round of marches", moves, self._by_moves, self._of_moves),
                ("turns", "player-turn", turns, self._by_turns, self._of_turns),
            )
        )

    # ---- moves of units, whatever turn it is

    def _by_moves(self, side: str | None, opponent: str, start: State) -> Transition:
        single = opponent != IDLE or side is None
        moving = SIDES if side is None or single else (side,)
        free = side is not None and single  # the opponent's moves cost nothing
        fluents = self.game.fluents
        where = (*fluents.at.fluents.values(), *fluents.owner.fluents.values(), *fluents.taken.fluents.values())

        def scope(state: State, wanted: Wanted | None) -> Transition:
            choices = SimultaneousMoves(self.game, self.paths, state, moving)
            if single:
                choices.move(1)
            elif all(state[x] is start[x] for x in choices.standing if x in state):
                choices.move(self._longest)
            elif any(x in state for x in fluents.owner.fluents.values()):
                choices.move(self._longest, frozenset(self.game.board.place_of))  # a stop there may change something
            cost = choices.cost() if side is None else choices.cost(side)
            return choices.transition(choices.after(), cost, 0 if free else 1)

        return Scoped(
            legality=(fluents.going_on,),
            next={x: x for x in where},
            hints=Hints(cheapest=0 if free else 1),
            scope=scope,
            reads=lambda state: tuple(fluents.at.fluents.values()),
            known=() if single else None,  # the first step of a side alone is another one than those after it
        )

    @property
    def _longest(self) -> int:
        """The most moves of one unit."""
        return self.game.settings.number("marches") or len(self.game.board.grid.hexes)

    def _of_moves(self, side: str | None, opponent: str) -> tuple[str, ...]:
        longest = self.game.settings.number("marches")
        limit = f"at most {longest} times" if longest > 1 else "at most once" if longest else "as often as it takes"
        if opponent != IDLE or side is None:
            turns = "moves ignore turn order: in a round of marches each unit of either side moves at most once"
        else:
            turns = f"moves ignore turn order: each unit is moved {limit} (option marches), each time a move"
        return (*self._common(), turns, "no player-turn ends meanwhile, so no front line is examined")

    # ---- player-turns

    def _by_turns(self, side: str | None, opponent: str, start: State) -> Transition:
        fluents = self.game.fluents
        ours = integer(1) if side is None else linear([(1, fluents.turn_of(side))])
        counts = ours if side is None else fluents.turn_of(side)
        at = tuple(fluents.at.fluents.values())
        places = (*fluents.owner.fluents.values(), *fluents.taken.fluents.values())

        def scope(state: State, wanted: Wanted | None) -> Transition:
            on_turn = str(state[fluents.turn.fluent].value)
            moves = side in (None, on_turn) or opponent != IDLE
            choices = SimultaneousMoves(self.game, self.paths, state, (on_turn,) if moves else ())
            choices.move(1)
            middle = choices.after()
            at_end = Substitution(middle)
            then = {fluent: at_end(new) for fluent, new in self.end_turn.effects if fluent in state}
            step = choices.transition({**middle, **then}, ours, 0, at_end(self.end_turn.guard), counts)
            # A step without moves still ends the player-turn, and a reader has to see that.
            passes = StepText(on_turn, "end_turn", {}, f"{on_turn}: the player-turn passes without a move")
            return replace(
                step,
                describe=lambda chosen, values: step.describe(chosen, values) or (passes,),
                mover=fluents.turn.fluent,
            )

        return Scoped(
            legality=(self.end_turn.guard,),
            next={**{x: x for x in (*at, *places)}, **dict(self.end_turn.effects)},
            cost=ours,
            counts=counts if isinstance(counts, Term) and counts.is_bool else fluents.going_on,
            scope=scope,
            reads=lambda state: (*at, fluents.turn.fluent, fluents.round.fluent, fluents.over.fluent),
            known=(fluents.turn.fluent,),
            hints=Hints(fewest_choices=True),
        )

    def _of_turns(self, side: str | None, opponent: str) -> tuple[str, ...]:
        return (*self._common(), "in a player-turn each unit of the side on turn moves at most once")

    def _common(self) -> tuple[str, ...]:
        stack = self.game.board.stacking
        crowd = "any number of units of a side" if stack is None else f"at most {stack} units of a side"
        return (
            f"{HEADING}: no unit is eliminated, none retreats",
            "a move costs the movement points of each hex entered and goes no further than the unit's allowance; "
            "zones of control and friendly units do not hinder it",
            f"hexes where enemy units stand as it begins are not entered; {crowd} end a turn in one hex",
            "no unit comes onto the map or leaves it",
        )

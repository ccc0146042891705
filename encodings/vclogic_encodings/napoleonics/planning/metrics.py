"""The metrics that a plan can minimise: moves of units, or turns."""

from __future__ import annotations

from collections.abc import Mapping

from vclogic_encodings.napoleonics.events import GroundActions
from vclogic_encodings.napoleonics.fluents import BETWEEN
from vclogic_encodings.napoleonics.game import Rules
from vclogic_encodings.napoleonics.planning.orders import orders
from vclogic_encodings.napoleonics.planning.paths import Paths
from vclogic_encodings.napoleonics.planning.turn import PlayerTurn

from vclogic.model.system import ANY, IDLE, Metric
from vclogic.model.transition import Hints, Scoped, Transition
from vclogic.terms.atoms import integer, member
from vclogic.terms.build import eq, ite
from vclogic.terms.term import Term

State = Mapping[Term, Term]
MOVES, TURNS = "moves", "turns"
COMBATS = (
    "nobody chooses who is eliminated in combat, and plans take what serves the goal: ask with combat=none, or what "
    "can be reached"
)


class PlanningModel:
    """The planning model of one game.

    Attributes:
        game: The game.
    """

    def __init__(self, game: Rules, events: GroundActions):
        self.game, self._events, self._paths = game, events, Paths(game.board)

    def metrics(self) -> tuple[Metric, ...]:
        """The metrics that a plan can minimise."""
        heading = "units on the map" + (", combat optimistic" if self._fights else ", combat left out")
        fights = ("eliminate",) if self._fights else ()
        deeds = ("take",) if self.game.objectives.by_deed else ()
        events = ("start_turn", "order", "move", "end_movement", *fights, *deeds, "end_turn")
        texts = {MOVES: "units moved, each at most once in a turn of its side", TURNS: "turns of the side"}
        return tuple(
            Metric(
                name,
                "player-turn",
                heading,
                text,
                lambda side, opponent, start, name=name: self._steps(name, side, opponent),  # type: ignore[misc]
                self._assumptions,
                events=events,
                turns=True,
                open_choices=lambda goal, start: COMBATS if self._fights else "",
            )
            for name, text in texts.items()
        )

    @property
    def _fights(self) -> bool:
        return self.game.fluents.settings.word("combat") == "adjacent"

    def _steps(self, metric: str, side: str | None, opponent: str) -> Transition:
        fluents = self.game.fluents
        first, second = self.game.board.sides
        other = ite(
            eq(fluents.turn.fluent, first), member(fluents.sides.sort, second), member(fluents.sides.sort, first)
        )
        next_turn = {
            fluents.turn.fluent: ite(eq(fluents.phase.fluent, BETWEEN), other, fluents.turn.fluent),
            fluents.phase.fluent: member(fluents.phases.sort, BETWEEN),
        }
        return Scoped(
            next=next_turn,
            scope=lambda state, wanted: self._player_turn(metric, side, opponent, state),
            reads=lambda state: self._reads(),
            known=(fluents.turn.fluent, fluents.phase.fluent),
            hints=Hints(
                step_bound=None if self._fights or opponent != IDLE or metric != MOVES else self._enough,
                fewest_choices=True,
            ),
        )

    def _reads(self) -> tuple[Term, ...]:
        """All fluents but `gained` and `dropped`, on which no step depends."""
        fluents = self.game.fluents
        notes = (fluents.gained, fluents.dropped) if fluents.losable else ()
        return tuple(x for family in fluents.families if family not in notes for x in family.fluents.values())

    def _player_turn(self, metric: str, side: str | None, opponent: str, state: State) -> Transition:
        fluents = self.game.fluents
        moving = self.game.board.sides if side is None or opponent == ANY else (side,)
        turn = PlayerTurn(self.game, self._events, self._paths, state, moving)
        ours = side in (None, turn.side)
        cost = turn.moves.number() if metric == MOVES else integer(1)
        return Transition(
            choices=turn.choices,
            legality=tuple(turn.laws()),
            next=turn.next(),
            cost=cost if ours else integer(0),
            describe=lambda chosen, values: orders(turn, self._paths, chosen, values),
            mover=member(fluents.sides.sort, turn.side),
            passed=(turn.started,) if turn.begins else (),
        )

    def _assumptions(self, side: str | None, opponent: str) -> tuple[str, ...]:
        fluents = self.game.fluents
        most = fluents.settings.number("orders")
        restriction = "no unit moves to where a friend was in an objective that the note does not cover"
        deeds = (
            "each ordered unit that does not fight may take an objective after the moves, where it stands; whatever "
            "else the battle notes ask for is granted"
        )
        leaves = "a way off the map by an exit costs 1 more than to the hex from which it leads; nobody comes back"
        fights = "nobody fights or retreats (option combat)"
        if self._fights:
            fights = (
                "each ordered unit may fight one adjacent enemy after the moves, and either of the two may be "
                "eliminated, the attacker by a battle back: whatever serves the goal (option combat); leaders do not "
                "fight, nobody retreats"
            )
        return (
            f"at most {most} units are ordered in a turn (option orders); each moves once, within its allowance, "
            "also in a turn that has begun already",
            "a way costs what its terrain costs, ends where terrain stops, and does not lead over enemies; friends "
            "let pass; units do not stack, leaders stand with any friend",
            fights,
            "units that are off the map stay there, and nothing that only battle notes name is scored",
            "the orders of a turn are given first; its moves, and then its combats, are made in an order in which "
            "nobody has won before the last",
            *((deeds,) if self.game.objectives.by_deed else ()),
            *((leaves,) if self.game.board.exits else ()),
            *(() if fluents.reads("note_kinds", "every") else (restriction,)),
        )

    def _enough(self, cost: int) -> int:
        """A number of player-turns that is enough for any plan of so many moves, if nobody else moves or fights.

        A turn without moves changes something only the first time, since what its start decides is decided then, and
        where a deed is done, which is done once. So moves and deeds need not be further apart than a turn; one turn
        may go by before them and two after them.
        """
        return 2 * (cost + len(self.game.objectives.by_deed) + 3) + 1

"""All that player-turns of plans look at in a game, whether its rules are in Python or a text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from vclogic_encodings.okinawa.board import JAPAN, US
from vclogic_encodings.okinawa.game import Rules
from vclogic_encodings.okinawa.rules.exits import leaves, remove
from vclogic_encodings.okinawa.turns import end_game, end_turn

from vclogic.model.actions import Action
from vclogic.terms.build import and_, any_of, count, gt, is_in
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term, variables


@dataclass(frozen=True)
class Campaign:
    """A game as player-turns see it.

    Attributes:
        side_of: The side of each unit.
        movement: The movement points of each.
        controlling: The units with a zone of control.
        at: The fact where each is.
        on_map: For each whether it is on the map.
        elsewhere: The places off the hexes.
        neighbours: What each hex touches.
        cost: The movement points to enter each hex where units can be.
        stacking: How many units may be in a hex.
        ways_off: For each place to which units leave the map the hexes from which they do, and whose may.
        removing: Those of them for which US units are removed, if Japanese ones get there.
        turn: The fact whose player-turn it is.
        removals: The fact how many US units are to be removed.
        leaves: The event by which a unit gets to a place off the map.
        remove: The event that removes a US unit.
        end_turn: The event that ends a player-turn.
        end_game: Makes the event that ends the scenario.
        too_few: The Reading `too_few_to_remove`.
        stops: Whether a unit that enters a zone of control stops there.
        exits: Whether units leave the map in plans.
        early: Whether the scenario may end early.
        named_edges: Whether the scenario names edges by which units leave.
        leaving: The names of the events by which units leave the map.
    """

    side_of: Mapping[str, str]
    movement: Mapping[str, int]
    controlling: Collection[str]
    at: Mapping[str, Term]
    on_map: Mapping[str, Term]
    elsewhere: Collection[str]
    neighbours: Mapping[str, Iterable[str]]
    cost: Mapping[str, int]
    stacking: int
    ways_off: Mapping[str, tuple[Collection[str], Collection[str]]]
    removing: Collection[str]
    turn: Term
    removals: Term
    leaves: Callable[[str, str], Action]
    remove: Callable[[str], Action]
    end_turn: Action
    end_game: Callable[[], Action]
    too_few: str = "all_left"
    stops: bool = True
    exits: bool = False
    early: bool = True
    named_edges: bool = False
    leaving: tuple[str, ...] = ("exit", "leave")
    _here: dict[tuple[str, str], Term] = field(default_factory=dict, compare=False, repr=False)

    # ---- units

    def of(self, side: str) -> tuple[str, ...]:
        """The units of a side."""
        return tuple(u for u, s in self.side_of.items() if s == side)

    def place(self, unit: str, number: int) -> str:
        """The place of a unit that a number stands for."""
        sort = self.at[unit].sort
        assert isinstance(sort, EnumSort), "it says where a unit is"
        return sort.members[number]

    def here(self, side: str, hex_: str) -> Term:
        """Bool: whether a unit of a side is in a hex."""
        if (side, hex_) not in self._here:
            self._here[side, hex_] = any_of(is_in(self.at[u], [hex_]) for u in self.of(side))
        return self._here[side, hex_]

    def units_on_map(self, side: str) -> Term:
        """The number of units that a side has on the map."""
        return count(self.on_map[u] for u in self.of(side))

    # ---- units that leave the map, and what is removed for it

    def off_by(self, side: str) -> Mapping[str, Collection[str]]:
        """The places off the map to which units of a side leave it, each with the hexes from which they do."""
        return {place: hexes for place, (hexes, sides) in self.ways_off.items() if side in sides}

    def removes(self, unit: str, gone: str) -> bool:
        """True if US units are removed for a unit that goes to a place off the map: only for Japanese ones."""
        return gone in self.removing and self.side_of[unit] == JAPAN

    @cached_property
    def due(self) -> Term:
        """Bool: whether the US Player has to remove units before anything else happens."""
        return and_(gt(self.removals, 0), any_of(self.on_map[u] for u in self.of(US)))

    def removed(self, unit: str) -> Mapping[Term, Term]:
        """The facts after a US unit is removed, but for those that a turn's end changes, and how many are due."""
        others = {self.removals, *(f for f, _ in self.end_turn.effects)}
        return {fact: new for fact, new in self.remove(unit).effects if fact not in others}

    @cached_property
    def points(self) -> tuple[Term, ...]:
        """The points that units take along as they are removed."""
        changed = (f for u in self.of(US) for f in self.removed(u) if f is not self.at[u])
        return tuple(dict.fromkeys(changed))

    @cached_property
    def reads(self) -> tuple[Term, ...]:
        """The facts on which the choices of a player-turn depend."""
        ends = variables(self.end_turn.guard, *(new for _, new in self.end_turn.effects))
        return tuple(dict.fromkeys((self.turn, *ends, self.removals, *self.points, *self.at.values())))


def of_game(game: Rules) -> Campaign:
    """The game whose rules are in Python."""
    board, fluents = game.board, game.fluents
    ways_off = {place: (hexes, sides) for place, hexes, sides in board.ways_off.values()}
    return Campaign(
        side_of=board.side_of,
        movement={u: unit.movement for u, unit in board.all_units.items()},
        controlling=[u for u, unit in board.all_units.items() if unit.zone_of_control],
        at={u: fluents.at[u] for u in board.all_units},
        on_map=fluents.on_map,
        elsewhere=board.elsewhere,
        neighbours=board.grid.neighbours,
        cost=board.cost,
        stacking=board.stacking,
        ways_off=ways_off,
        removing=fluents.removing,
        turn=fluents.turn.fluent,
        removals=fluents.removals.fluent,
        leaves=lambda unit, gone: leaves(game, unit, gone),
        remove=lambda unit: remove(game, unit),
        end_turn=end_turn(game),
        end_game=lambda: end_game(game),
        too_few=str(game.settings.readings["too_few_to_remove"]),
        stops=game.on("stop_at_zoc", "on"),
        exits=game.on("exits", "on"),
        early=game.on("early_end", "allowed"),
        named_edges=bool(board.edges),
    )

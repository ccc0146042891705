"""A player-turn as one step: its start, the moves of ordered units, combat, its end.

The game may end at any moment of it. So who has won is looked at after each part, and within the moves and within the
combats before the last one that ends the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from vclogic_encodings.napoleonics.events import GroundActions
from vclogic_encodings.napoleonics.fluents import BETWEEN, COMBAT
from vclogic_encodings.napoleonics.game import Rules
from vclogic_encodings.napoleonics.planning.fights import Fights
from vclogic_encodings.napoleonics.planning.moves import TurnMoves
from vclogic_encodings.napoleonics.planning.paths import Paths
from vclogic_encodings.napoleonics.rules.objective import EventEffects

from vclogic.terms.atoms import FALSE
from vclogic.terms.build import and_, any_of, eq, implies, ite, not_, or_
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term

State = Mapping[Term, Term]
Moment = Mapping[Term, Term]
"""The changes since the step began: fluents and their values, in terms of fluents before it and choices."""


class PlayerTurn:
    """One player-turn from a state of which each fluent's value is known, or at least its bounds.

    Attributes:
        game: The game.
        begins: Whether the turn begins with the step; else it goes on.
        side: The side whose turn it is.
        moves: The moves.
        fights: The combats.
    """

    def __init__(self, game: Rules, events: GroundActions, paths: Paths, state: State, moving: Iterable[str]):
        self.game, self._events = game, events
        phase, last = state[game.fluents.phase.fluent], str(state[game.fluents.turn.fluent].value)
        now = str(phase.value) if phase.is_const else BETWEEN
        self.begins = now == BETWEEN
        self.side = game.board.enemy(last) if self.begins else last
        may_move = self.side in moving
        self.moves = TurnMoves(game, paths, state, self.side, active=may_move and now != COMBAT)
        self.fights = Fights(game, self.side, self.moves, active=may_move)

    # ---- the moments of a turn

    def _then(self, before: Moment, effects: Iterable[tuple[Term, Term]]) -> Moment:
        at = Substitution(before)
        return {**before, **{fluent: at(new) for fluent, new in effects}}

    def _happens(self, before: Moment, happening: EventEffects) -> Moment:
        return (
            self._then(before, self.game.objectives.after(happening).items())
            if happening.changes or happening.took
            else before
        )

    def _over(self, moment: Moment) -> Term:
        return Substitution(moment)(self.game.victory.over)

    @cached_property
    def started(self) -> Moment:
        """The changes at the start of the turn."""
        return self._then({}, self._events.start_turn(self.side).effects) if self.begins else {}

    @cached_property
    def _moved(self) -> Moment:
        return self._happens(self.started, self.moves.happening(last=True))

    @cached_property
    def _movement_ended(self) -> Moment:
        return self._then(self._moved, self._events.end_movement().effects)

    @cached_property
    def _fought(self) -> Moment:
        return self._happens(self._movement_ended, self.fights.happening(last=True))

    @cached_property
    def _ended(self) -> Moment:
        return self._then(self._fought, self._events.end_turn().effects)

    @cached_property
    def _ends(self) -> tuple[tuple[Term, Moment], ...]:
        """The moments at which the game may end, and whether it is over then."""
        moments = (self.started, self._moved, self._movement_ended, self._fought)
        return tuple((self._over(m), m) for m in moments)

    # ---- the step

    @property
    def choices(self) -> tuple[Term, ...]:
        """The choice variables."""
        return (*self.moves.choices, *self.fights.choices)

    def laws(self) -> Iterable[Term]:
        """The constraints of the step."""
        fluents, moves = self.game.fluents, self.moves
        yield not_(self.game.victory.over)
        if self.begins:
            yield eq(fluents.phase.fluent, BETWEEN)
        (started, _), (moved, _), (movement_ended, _), (fought, _) = self._ends
        if moves.last:
            yield from moves.laws()
            yield from (not_(and_(started, moves.all.moved(u))) for u in moves.last)
            before_last = self._happens(self.started, moves.happening(last=False))
            yield or_(started, not_(self._over(before_last)))
            yield implies(moves.any_last, moved)
            yield implies(and_(moved, not_(started)), moves.any_last)
        if self.fights.last:
            yield from self.fights.laws()
            ended = or_(started, moved, movement_ended)
            yield implies(ended, not_(any_of(self.fights.by_unit.values())))
            before_last = self._happens(self._movement_ended, self.fights.happening(last=False))
            yield or_(ended, not_(self._over(before_last)))
            yield implies(self.fights.any_last, fought)
            yield implies(and_(fought, not_(ended)), self.fights.any_last)
        if moves.last or self.fights.last:
            yield from moves.ordered(self.fights.by_unit)

    def next(self) -> Mapping[Term, Term]:
        """Each fluent's value after the step: when the turn has ended, or at the moment when the game has."""
        found: dict[Term, Term] = {}
        for fluent in {**self.started, **self._ended}:
            value = self._ended.get(fluent, fluent)
            for over, moment in reversed(self._ends):
                value = ite(over, moment.get(fluent, fluent), value) if over is not FALSE else value
            if value is not fluent:
                found[fluent] = value
        return found

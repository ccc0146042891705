"""Counter-attacks: a power fights for one place in its next turn, everybody else being idle until then.

Its moves are those of plans. What it takes to win a battle is left to the dice.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from vclogic_encodings.axis_allies.armies.holding import holding
from vclogic_encodings.axis_allies.armies.opposed import fight_for
from vclogic_encodings.axis_allies.armies.turn import Armies
from vclogic_encodings.axis_allies.odds.battle_words import words
from vclogic_encodings.axis_allies.odds.chances import Chances, chances
from vclogic_encodings.axis_allies.odds.monotone import monotone
from vclogic_encodings.axis_allies.odds.sides import combat_rules
from vclogic_encodings.axis_allies.rules.victory_cities import city_points

from vclogic.model.battles import Fight, Units
from vclogic.model.counter import Counterattacks, Exposed, Known
from vclogic.model.transition import Transition
from vclogic.terms.atoms import FALSE
from vclogic.terms.rewrite import Substitution

ASSUMPTIONS = (
    "what the enemy can take back: each power by itself, in its next turn, by the moves of this level, everybody "
    "else being idle until then; an attack that must first win at sea counts with the product of the chances",
    "the garrison is all units there after the turn: losses in the attack before are not subtracted",
)
HELD = (
    "each place that a plan takes is held, right after the turn that takes it, with a chance of at least {} % "
    "against each of these attacks by itself (option hold)"
)
MORE = "on this board it is taken for granted that more attackers never have a lower chance"
ERROR = 2e-8
"""More than floats can be off with a thousand units a side; see `odds/rounds.py`."""


def counterattacks(armies: Armies) -> Counterattacks:
    """The answers of enemies to a turn of a side at the army level."""
    found = _Counter(armies)
    sure = monotone(combat_rules(armies.game), at_sea=False)
    held = (HELD.format(armies.game.settings.number("hold")),) if armies.game.settings.number("hold") else ()
    return Counterattacks(
        exposed=found.exposed,
        enemies=found.enemies,
        next_turn=found.next_turn,
        turn=found.turn,
        take=found.take,
        exact=found.exact,
        error=ERROR,
        garrison=found.garrison,
        named=words(armies.game.fluents).named,
        note=found.note,
        worth=found.worth,
        assumptions=(*ASSUMPTIONS, *held, *(() if sure else (MORE,))),
        holding=holding(armies),
    )


@dataclass(frozen=True)
class _Counter:
    """See `Counterattacks`."""

    armies: Armies

    # ---- what a turn leaves

    def exposed(self, before: Known, after: Known, side: str) -> Exposed:
        """The territories that a turn of a side took, and those that units of it left."""
        game = self.armies.game
        taken, left = [], []
        for t in game.board.land:
            was, now = (state[game.fluents.owner[t]].value in game.board.sides[side] for state in (before, after))
            if now and not was:
                taken.append(t)
            elif now and was and self._fewer(before, after, t, side):
                left.append(t)
        return Exposed(tuple(taken), tuple(left))

    def _fewer(self, before: Known, after: Known, territory: str, side: str) -> bool:
        then, now = self.garrison(before, territory, side), self.garrison(after, territory, side)
        return any(now.get(u, 0) < n for u, n in then.items())

    def garrison(self, state: Known, place: str, side: str) -> Units:
        """The units of a side that defend a place, antiaircraft guns included."""
        game = self.armies.game
        kinds = game.roles.defenders(place)
        powers = game.board.sides[side]
        numbers = {u: sum(state[game.fluents.units[place, p, u]].lo for p in powers) for u in kinds}
        return {u: n for u, n in numbers.items() if n}

    def enemies(self, side: str) -> tuple[str, ...]:
        """The powers of the other side, in turn order."""
        board = self.armies.game.board
        return tuple(p for p in board.turn_order if board.powers[p].side != side)

    # ---- the turn of an enemy

    def next_turn(self, state: Known, power: str) -> Known | None:
        """The state in which a power's next turn begins, everybody passing until then; None: the game ends first."""
        fluents, end = self.armies.game.fluents, self.armies.end_turn
        turn = fluents.turn.fluent
        while state[turn].value != power:
            here = Substitution(state)
            if here(end.guard) is FALSE:
                return None
            state = {**state, **{fluent: here(new) for fluent, new in end.effects}}
        owners = {fluents.owner_at_turn_start[t]: state[fluents.owner[t]] for t in self.armies.game.board.land}
        over = Substitution(state)(end.guard) is FALSE
        return None if over else {**state, **owners, **fluents.underway.reset()}

    def turn(self, state: Known, power: str, place: str, first: bool) -> Transition | None:
        """The turn of a power that fights for a territory, and if need be for sea zones first."""
        board = self.armies.game.board
        zones = self._zones(state, power, place) if first else frozenset()
        if first and not zones:
            return None
        aim = frozenset({place, *zones, *(t for t in self._near(place) if self._empty(state, power, t))})
        step = self.armies.aimed(power, state, aim)
        fight = fight_for(step.turn, place)
        if fight is None:
            return None
        others = (fight_for(step.turn, z) for z in board.sea if z in zones)
        return replace(step, fights=(fight, *(f for f in others if f is not None)))

    def _near(self, place: str) -> Iterable[str]:
        return self.armies.game.geography.by_land[place]

    def _empty(self, state: Known, power: str, territory: str) -> bool:
        """True if a territory is the other side's without a unit, so that armour goes through it."""
        board = self.armies.game.board
        side = board.enemy(board.powers[power].side)
        held = state[self.armies.game.fluents.owner[territory]].value in board.sides[side]
        return held and not self.garrison(state, territory, side)

    def _zones(self, state: Known, power: str, place: str) -> frozenset[str]:
        """The sea zones with enemy warships from where units could land or aircraft could return to."""
        game = self.armies.game
        board, roles = game.board, game.roles
        if not any(state[game.fluents.units[z, power, u]].hi for z in board.sea for u in roles.ships):
            return frozenset()
        far = max((board.units[u].move - 1 for u in roles.aircraft if board.units[u].carrier_load), default=1)
        near = game.geography.flights(place, max(far, 1))
        side = board.enemy(board.powers[power].side)
        warships = {*roles.warships}
        return frozenset(z for z in board.sea if z in near and warships & self.garrison(state, z, side).keys())

    # ---- chances

    def take(self, fight: Fight, attackers: Units, guns: Units) -> float:
        """The chance to win a fight."""
        return self._chances(fight).take(attackers, guns) if fight.defenders else 1.0

    def exact(self, fight: Fight, attackers: Units, guns: Units) -> Fraction:
        """The same as a fraction."""
        return self._chances(fight).exact(attackers, guns)[0] if fight.defenders else Fraction(1)

    def _chances(self, fight: Fight) -> Chances:
        return chances(self.armies.game, fight.defenders, at_sea=fight.at_sea)

    # ---- words

    def note(self, place: str) -> str:
        """A territory with its city."""
        board = self.armies.game.board
        city = board.cities.get(place)
        return f"{place} ({city.name}, {city_points(board, place)} VCP)" if city else place

    def worth(self, place: str) -> int:
        """Its city's points first, then its income."""
        board = self.armies.game.board
        points = city_points(board, place) if place in board.cities else 0
        return 1000 * points + board.territories[place].ipc

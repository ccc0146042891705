"""Cuts of all turns together: voyages that a landing takes, of transports and of ships that bombard.

They rest on arguments, given with each. Both suppose what the laws say for idle enemies: a territory is taken once at
the most, and units are where they stood as the plan began or where they went since.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from vclogic_encodings.axis_allies.armies.cuts import BattleForces, carriers
from vclogic_encodings.axis_allies.armies.fewest import fewest_moves
from vclogic_encodings.axis_allies.armies.muster import Flow, Muster

from vclogic.board.area import distances
from vclogic.model.transition import Cut, TakenStep
from vclogic.terms.atoms import integer
from vclogic.terms.build import add, ge, linear
from vclogic.terms.term import Term

VOYAGES = "transports sail zone by zone to where they are needed"
GUNS = "ships that bombard have sailed there or stood there"


@dataclass(frozen=True)
class PlannedTurn:
    """A player-turn as one of several.

    Attributes:
        choices: What can be chosen in it.
        battles: Its battles.
        taken: The step.
    """

    choices: Muster
    battles: Mapping[str, BattleForces]
    taken: TakenStep

    def moves(self, units: Container[str], *kinds: str) -> Iterator[tuple[Flow, Term]]:
        """The moves of some kinds by some units, each with its variable."""
        return ((flow, self.taken.here(flow.count)) for flow in self.choices.moves(*kinds) if flow.unit in units)


def cuts_of_all(turns: Sequence[PlannedTurn]) -> Iterable[Cut]:
    """The cuts over the turns of a plan, enemies being idle."""
    if not turns:
        return
    landmasses = _landmasses(turns[0].choices)
    powers = dict.fromkeys(turn.choices.power for turn in turns)
    for power in powers:
        own = [turn for turn in turns if turn.choices.power == power]
        for territory in dict.fromkeys(r for turn in own for r, b in turn.battles.items() if b.on_land):
            fights = [turn for turn in own if territory in turn.battles]
            yield from _transports(territory, landmasses[territory], fights, own)
            yield from _bombarding(territory, fights, own)


def _won(territory: str, fights: Iterable[PlannedTurn]) -> Term:
    return linear((1, turn.taken.here(turn.battles[territory].won)) for turn in fights)


def _landmasses(turn: Muster) -> dict[str, set[str]]:
    """The territories that land units can come to from each without a ship."""
    land = turn.board.map.part(turn.board.land)
    return {t: {*distances(land, t, len(land))} for t in land}


def _transports(
    territory: str, landmass: set[str], fights: Sequence[PlannedTurn], turns: Sequence[PlannedTurn]
) -> Iterable[Cut]:
    """Cuts on transports: where a power has no soldier on a landmass, a transport brings the first one.

    That transport begins its turn in a zone of level 1: one from which it can fetch soldiers elsewhere and bring them
    beside the landmass in one turn. A zone from which transports sail to one of level n in one turn is of level n + 1
    at the most. So a transport that begins at level n has crossed from each level to the one below before.
    """
    first = turns[0].choices
    assert first.begin is not None
    if any(_at_first(first, t, u) for t in landmass for u in first.roles.soldiers):
        return
    sails = [sail for turn in turns for sail in turn.moves(first.roles.transports, "sail", "carry")]
    beside = {z for z in first.board.sea if any(t in landmass for t in first.board.map.neighbours[z])}
    ports = {z for z in first.board.sea if any(_elsewhere(first, t, landmass) for t in first.board.map.neighbours[z])}
    last = [(f, x) for f, x in sails if f.kind == "carry" and f.target in beside and f.via[0] in ports]
    level = _levels([f for f, _ in last], [f for f, _ in sails])
    homes = [z for z in first.board.sea if any(first.begin[first.units(z, t)].hi for t in first.roles.transports)]
    won = _won(territory, fights)
    yield Cut(VOYAGES, ge(linear([*((1, x) for _, x in last), (-1, won)]), 0), argued=True)
    far = len(level) + 1
    for n in range(2, min((level.get(z, far) for z in homes), default=0) + 1):
        crossing = [x for f, x in sails if level.get(f.source, far) >= n > level.get(f.target, far)]
        yield Cut(VOYAGES, ge(linear([*((1, x) for x in crossing), (-1, won)]), 0), argued=True)


def _at_first(turn: Muster, territory: str, unit: str) -> bool:
    """True if the power has units of a kind somewhere as the plan begins, perhaps in a battle that is to come."""
    assert turn.begin is not None
    return any(
        turn.begin[x].hi for x in (turn.units(territory, unit), turn.fluents.underway.entered[territory, unit])
    )


def _elsewhere(turn: Muster, territory: str, landmass: set[str]) -> bool:
    return territory in turn.board.land and territory not in landmass


def _levels(last: Iterable[Flow], sails: Sequence[Flow]) -> dict[str, int]:
    """The fewest turns that a transport needs from each zone to end with a landing."""
    level = {flow.source: 1 for flow in last}
    for n in count(2):
        further = {f.source for f in sails if level.get(f.target) == n - 1 and f.source not in level}
        if not further:
            return level
        level |= dict.fromkeys(sorted(further), n)
    raise AssertionError("levels end")


def _bombarding(territory: str, fights: Sequence[PlannedTurn], turns: Sequence[PlannedTurn]) -> Iterable[Cut]:
    """A battle that needs more ships than stand beside it also costs their voyage.

    The fewest attackers, transports and ships from elsewhere that win it are counted together. Ships that fire from
    the zones beside it stood there as the plan began, or have sailed there since. Where ships that carry bombard, one
    voyage may be for both, and nothing is said.
    """
    ships = turns[0].choices.roles.bombarding
    if {*ships} & {*turns[0].choices.roles.transports}:
        return
    zones = {flow.source for turn in fights for flow in turn.choices.moves("bombard") if flow.target == territory}
    if not zones:
        return
    first = turns[0].choices
    assert first.begin is not None
    there = sum(first.begin[first.units(z, u)].hi for z in zones for u in ships)
    parts = [
        (1, x)
        for turn in turns
        for flow, x in turn.moves(ships, "sail")
        if flow.target in zones and flow.source not in zones
    ]
    for turn in fights:
        battle, here = turn.battles[territory], turn.taken.here
        marching = any(territory in (f.target, *f.via) for f in turn.choices.moves("march", "blitz"))
        least = fewest_moves(first.roles, battle.forces, battle.most_guns, there, marching)
        if least is not None:
            parts += [(1, here(add(integer(0), *battle.units.values(), *carriers(turn.choices, territory))))]
            parts.append((-least, here(battle.won)))
    yield Cut(GUNS, ge(linear(parts), 0), argued=True)

"""Cuts of one turn: bounds on the units of each battle that is won, which tighten the linear relaxation.

Units count for a battle only where it is won (`ite(won, entering, 0)`), since they may enter for another reason. The
cuts follow from the laws of the turn and from how many units the power has. The fewest attackers are found by trying
all numbers of them (`fewest.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from vclogic_encodings.axis_allies.armies.battle import defence
from vclogic_encodings.axis_allies.armies.fewest import AvailableUnits
from vclogic_encodings.axis_allies.armies.laws import needed
from vclogic_encodings.axis_allies.armies.muster import Flow, Muster
from vclogic_encodings.axis_allies.armies.opposed import GUNS
from vclogic_encodings.axis_allies.armies.profiles import Profile, asked_of

from vclogic.model.transition import Cut
from vclogic.terms.atoms import FALSE, TRUE, integer
from vclogic.terms.build import add, ge, ite, le, linear, not_, scale, sub
from vclogic.terms.term import Term

ATTACKERS = "units count for a battle only where it is won"
FEWEST = "the fewest attackers of a battle"
WAYS_IN = "a territory is entered from one that was taken before, or by sea"


@dataclass(frozen=True)
class BattleForces:
    """The forces that can be brought into one battle, against a defence that is known.

    Attributes:
        turn: The turn.
        region: What is fought for.
        won: The choice to win it.
        need: What the attack must be worth.
        profile: Which attackers win it with the chance that plans ask for; None where no dice are asked.
    """

    turn: Muster
    region: str
    won: Term
    need: int
    profile: Profile | None = None

    @cached_property
    def on_land(self) -> bool:
        """True if it is for a territory."""
        return self.region in self.turn.board.land

    @cached_property
    def units(self) -> Mapping[str, Term]:
        """Per kind how many units fight in it, land units without attack too: artillery may strengthen them."""
        return self._sums("unit")

    @cached_property
    def guns(self) -> Mapping[str, Term]:
        """Per kind of ship that has attack how many bombard."""
        return self._sums("guns")

    @cached_property
    def support(self) -> Term:
        """The number of infantry strengthened by artillery."""
        return add(integer(0), *self._sums("support").values())

    def _sums(self, role: str) -> dict[str, Term]:
        sums: dict[str, list[Term]] = {}
        for blow in self.turn.force.get(self.region, []):
            if blow.role == role and (blow.strength or blow.unit in self.turn.roles.soldiers or self.profile):
                sums.setdefault(blow.unit, []).append(blow.count)
        return {unit: self._fighting(unit, add(*counts)) for unit, counts in sums.items()}

    def _fighting(self, unit: str, count: Term) -> Term:
        """The units of a kind that fight if the battle is won, else 0; soldiers enter no battle that is not won."""
        theirs = self.on_land and self.turn.certain(not_(self.turn.mine(self.region)))
        if theirs and unit in self.turn.roles.soldiers:
            return count
        return ite(self.won, count, integer(0))

    def most(self, unit: str, count: Term) -> int:
        """The most units of a kind that can fight in it."""
        return min(self.turn.forces[unit], self.turn.now(count).hi)

    @cached_property
    def attackers(self) -> AvailableUnits:
        """The units that can fight in it, at most as many of a kind as its need."""
        most = {u: min(self.most(u, n), self.need) for u, n in self.units.items()}
        return AvailableUnits(self.turn.roles, most, self.on_land)

    @cached_property
    def most_guns(self) -> int:
        """The most ships that can bombard."""
        return sum(self.most(u, n) for u, n in self.guns.items())

    @cached_property
    def shells(self) -> int:
        """The greatest attack of a ship that can bombard."""
        return max((self.turn.board.units[u].attack for u in self.guns), default=0)

    def forces(self, guns: int) -> Iterable[tuple[int, int]]:
        """Numbers of land units and of others that win it with so many ships that bombard, the fewest among them."""
        if self.profile is None:
            yield from self.attackers.forces(self.need - guns * self.shells)
            return
        soldiers = self.turn.roles.soldiers
        for numbers in self.profile.least:
            there = dict(zip(self.profile.kinds, numbers, strict=True))
            firing = sum(n for u, n in there.items() if u.startswith(GUNS))
            if firing <= guns:
                entering = sum(n for u, n in there.items() if u in soldiers)
                yield entering, sum(numbers) - firing - entering

    # ---- the cuts

    def cuts(self) -> Iterable[Cut]:
        """All cuts of the battle."""
        yield from self._only_if_won()
        yield from self._fewest()
        if self.on_land and self.turn.begin is not None:
            yield from self._ways_in()

    def _only_if_won(self) -> Iterable[Cut]:
        board, roles = self.turn.board, self.turn.roles
        for unit, count in [*self.units.items(), *self.guns.items()]:
            yield Cut(ATTACKERS, le(count, scale(self.won, self.most(unit, count))))
        guns, men = (
            [self.units[u] for u in kinds if u in self.units] for kinds in (roles.supporting, roles.supported)
        )
        if self.support.hi > 0:
            yield Cut(ATTACKERS, le(self.support, add(integer(0), *guns)))
            yield Cut(ATTACKERS, le(self.support, add(integer(0), *men)))
        if self.profile is not None:
            yield from self._likely(self.profile)
            return
        worth = [(board.units[u].attack, n) for u, n in [*self.units.items(), *self.guns.items()]]
        worth.append((1, self.support))
        yield Cut(ATTACKERS, ge(linear(worth), scale(self.won, self.need)))
        for share in sorted({w for w, _ in worth if w > 1}):
            rounded = linear((-(-w // share), n) for w, n in worth)
            yield Cut(ATTACKERS, ge(rounded, scale(self.won, -(-self.need // share))))

    def _likely(self, profile: Profile) -> Iterable[Cut]:
        """The sums that the attackers must reach, of those alone who fight if the battle is won."""
        for weights, least in profile.sums:
            parts = [(w, self._count(u)) for w, u in zip(weights, profile.kinds, strict=True)]
            yield Cut(ATTACKERS, ge(linear(parts), scale(self.won, least)))

    def _count(self, kind: str) -> Term:
        found = self.guns.get(kind.removeprefix(GUNS)) if kind.startswith(GUNS) else self.units.get(kind)
        return integer(0) if found is None else found

    def _fewest(self) -> Iterable[Cut]:
        """Lower bounds on the units that win the battle, with and without bombardment."""
        fewest = [min(map(sum, self.forces(n)), default=None) for n in range(self.most_guns + 1)]
        if fewest[-1] is None:
            yield Cut(FEWEST, not_(self.won))
            return
        units, firing = add(integer(0), *self.units.values()), add(integer(0), *self.guns.values())
        yield Cut(FEWEST, ge(units, scale(self.won, fewest[-1])))
        ships = next(n for n, units_then in enumerate(fewest) if units_then is not None)
        if ships:
            yield Cut(FEWEST, ge(firing, scale(self.won, ships)))
        least = fewest[ships] or 0
        saved = max((-(-(least - (n or 0)) // more) for more, n in enumerate(fewest[ships + 1 :], 1)), default=0)
        if saved > 0:
            total = linear([(1, units), (saved, firing)])
            yield Cut(FEWEST, ge(total, scale(self.won, least + saved * ships)))

    def _ways_in(self) -> Iterable[Cut]:
        """Soldiers come from where their side was in control, or by sea.

        By induction over the turns: where the side is not in control as the plan begins, its soldiers stand only once
        it has taken the territory, since the enemies do not move.
        """
        ways: dict[Term, None] = {}
        for flow in self.turn.moves("march", "blitz"):
            if flow.target == self.region or self.region in flow.via:
                ways[self._way(flow)] = None
        ways |= dict.fromkeys(carriers(self.turn, self.region))
        if TRUE not in ways:
            yield Cut(WAYS_IN, ge(sub(add(integer(0), *map(_as_number, ways)), _as_number(self.won)), 0), argued=True)

    def _way(self, flow: Flow) -> Term:
        """The condition under which a march or blitz is possible; true if none is known."""
        turn = self.turn
        if flow.kind == "blitz" and flow.target == self.region:
            return turn.flag(f"capture {flow.via[0]}")
        via = flow.via if flow.kind == "march" else ()
        for place in (*via, flow.source):
            if not turn.certain(turn.mine(place)) and (place in via or _empty(turn, place)):
                return turn.mine(place)
        return TRUE


def _as_number(t: Term) -> Term:
    return linear([(1, t)]) if t.is_bool else t


def _empty(turn: Muster, place: str) -> bool:
    """True if none of the power's soldiers stand somewhere as the plan begins."""
    assert turn.begin is not None
    return not any(turn.begin[turn.units(place, u)].hi for u in turn.roles.soldiers)


def carriers(turn: Muster, territory: str) -> Iterable[Term]:
    """The transports that come to a zone from which units go ashore in a territory."""
    zones = {flow.source for flow in turn.moves("land") if flow.target == territory}
    return [flow.count for flow in turn.moves("carry") if flow.target in zones]


def _under_way(turn: Muster, region: str) -> bool:
    """True if units attacked or entered a region before the plan begins."""
    earlier = (blow.count for blow in turn.force.get(region, []))
    return any(n.is_const for n in (*earlier, *turn.landed.get(region, [])))


def battles(turn: Muster) -> Iterable[BattleForces]:
    """The battles of a turn whose defence is known, and that begin in it."""
    for name, won in turn.flags.items():
        kind, _, region = name.partition(" ")
        if kind not in ("capture", "clear") or _under_way(turn, region):
            continue
        against = defence(turn, region)
        if against.is_const and won is not FALSE:
            yield BattleForces(turn, region, won, max(needed(against, turn.game.ratio).lo, 1), asked_of(turn, region))

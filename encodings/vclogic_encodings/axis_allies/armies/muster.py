"""The choices of one player-turn and the laws that they must satisfy, as they are gathered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from vclogic_encodings.axis_allies.game import Rules

from vclogic.model.memoized import memoized
from vclogic.terms.atoms import FALSE, TRUE, integer, var
from vclogic.terms.build import and_, ge, gt, ite, le, linear, not_, or_, scale, sub
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import BOOL, between
from vclogic.terms.term import Term

Place = tuple[str, str]
"""A region and a kind of unit."""
MOVES = ("march", "blitz", "sail", "carry", "load", "sortie", "fly")


@dataclass(frozen=True)
class Flow:
    """Units of one kind that make the same move.

    Attributes:
        count: Int: how many.
        kind: A move of units: `march`, `blitz`, `sail`, `carry` (a transport with land units), `load`, `sortie` (to a
            battle) or `fly`; what follows from one: `land`, `return`, `bombard` or `support`; or `buy`.
        unit: Their kind.
        source: Where from.
        via: What they pass through, in order.
        target: Where to.
        tag: What tells it from others of the same way: the other zone of a crossing.
        ship: What carries them on a crossing.
    """

    count: Term
    kind: str
    unit: str
    source: str
    via: tuple[str, ...]
    target: str
    tag: str = ""
    ship: str = ""

    @property
    def is_move(self) -> bool:
        """True if it moves the units; each unit moves once in a turn."""
        return self.kind in MOVES


@dataclass(frozen=True)
class Blow:
    """A summand of the strength of an attack.

    Attributes:
        role: `unit`: units that are in the battle, those without attack too; `support`: infantry that artillery
            strengthens; `guns`: ships that bombard.
        unit: Their kind.
        count: Int: how many.
        strength: What each adds.
    """

    role: Literal["unit", "support", "guns"]
    unit: str
    count: Term
    strength: int


@dataclass
class Muster:
    """The choices in the turn of one power, from a state that is known exactly or by bounds.

    Attributes:
        game: The game.
        power: The power on turn.
        state: A term for each fluent that matters: a constant, or a variable with bounds.
        forces: The most units of each kind that the power can have in all.
        begin: The state in which the plan begins, if its enemies stay where they are; None if they may move. What
            stands where is then known for as long as the enemy has it.
        lasting: Whether it matters later where the power's units are. If not, moves are left out that no battle of
            this turn needs; then aircraft land anywhere.
        decks: Whether it matters later for allies what is at sea: carriers, and aircraft that take up room on them.
        growing: Whether it matters later what the power buys.
        afloat: Whether it matters later where ships are, and aircraft with them.
        aim: The regions that may be fought for, whatever the chance; None: all, as far as plans fight for them.
        flows: The moves.
        laws: What the choices must satisfy, over fluents and choices.
        flags: Bool choices by name: captures, and sea zones cleared.
        gone: Units that leave a place.
        come: Units that come to a place to stay.
        force: Per region what adds to the strength of an attack on it.
        landed: Per land territory the land units that enter it.
        lost: Units that fall where they attack.
        new: Units that are bought and placed at the end of the turn.
        taken: What the side took earlier in the turn, before the plan begins.
    """

    game: Rules
    power: str
    state: Mapping[Term, Term]
    forces: Mapping[str, int]
    begin: Mapping[Term, Term] | None
    lasting: bool = True
    decks: bool = True
    growing: bool = True
    afloat: bool = True
    aim: Set[str] | None = None
    flows: list[Flow] = field(default_factory=list)
    laws: list[Term] = field(default_factory=list)
    flags: dict[str, Term] = field(default_factory=dict)
    gone: dict[Place, list[Term]] = field(default_factory=dict)
    come: dict[Place, list[Term]] = field(default_factory=dict)
    force: dict[str, list[Blow]] = field(default_factory=dict)
    landed: dict[str, list[Term]] = field(default_factory=dict)
    lost: dict[Place, Term] = field(default_factory=dict)
    new: dict[Place, list[Term]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.board, self.fluents, self.roles = self.game.board, self.game.fluents, self.game.roles
        self.now = Substitution(self.state)
        self.side = self.board.powers[self.power].side
        self.enemies = self.board.sides[self.board.enemy(self.side)]
        self._by_kind: dict[str, list[Flow]] = {}
        self.taken = frozenset(t for t in self.board.land if self._taken(t))

    # ---- what there is when the turn begins

    def units(self, region: str, unit: str) -> Term:
        """The number of the power's units in a region."""
        return self.fluents.units[region, self.power, unit]

    def most(self, region: str, unit: str) -> int:
        """An upper bound on how many of them can move."""
        there = self.now(self.units(region, unit)).hi - self.spent(region, unit)
        return max(min(there, self.forces[unit]), 0)

    def mine(self, territory: str) -> Term:
        """True if the power's side controls the territory as the turn begins."""
        return FALSE if territory in self.taken else self.fluents.controls(self.side, territory)

    def open(self, zone: str) -> Term:
        """True if no enemy warship is in a sea zone as the turn begins."""
        return and_(not_(self.closed(zone)), not_(self.fought(zone)))

    @memoized
    def closed(self, zone: str) -> Term:
        """True if enemy warships are there."""
        every = dict.fromkeys(self.roles.warships, 1)
        if self.begin is None:
            return gt(self.enemy_total(zone, every), 0)
        # Enemies who do not move leave a zone together: one kind tells of all.
        there = (self.fluents.units[zone, p, u] for p in self.enemies for u in every)
        return next((gt(units, 0) for units in there if self.begin[units].lo > 0), FALSE)

    # ---- what has happened in a turn that is under way when the plan begins

    def underway(self, fluent: Term) -> int:
        """A number of the turn under way as the plan begins; 0 in later turns."""
        known = self.state.get(fluent)
        return known.lo if known is not None and known.is_const else 0

    def spent(self, region: str, unit: str) -> int:
        """The power's units there that do not move any more this turn."""
        underway = self.fluents.underway
        fired = self.underway(underway.fired[region, unit]) if unit in self.roles.ships else 0
        return max(self.underway(underway.moved[region, unit]), fired)

    def fought(self, region: str) -> Term:
        """True if enemy units were beaten there earlier in the turn."""
        known = self.state.get(self.fluents.underway.fought[region])
        return TRUE if known is TRUE else FALSE

    def _taken(self, territory: str) -> bool:
        """True if the side took the territory earlier in the turn."""
        fluents, ours = self.fluents, self.board.sides[self.side]
        then, now = self.state.get(fluents.owner_at_turn_start[territory]), self.state.get(fluents.owner[territory])
        if then is None or now is None or not (then.is_const and now.is_const):
            return False
        return then.value not in ours and now.value in ours

    def fights_for(self, region: str) -> bool:
        """True if a region may be fought for."""
        return self.aim is None or region in self.aim

    def possible(self, condition: Term) -> bool:
        """True if a condition can hold."""
        return self.now(condition) is not FALSE

    def certain(self, condition: Term) -> bool:
        """True if a condition always holds."""
        return self.now(condition) is TRUE

    def enemy_total(self, region: str, weights: Mapping[str, int]) -> Term:
        """The weighted number of enemy units in a region."""
        fluents = self.fluents
        return linear((w, fluents.units[region, p, u]) for u, w in weights.items() for p in self.enemies if w)

    def standing(self, region: str, weights: Mapping[str, int]) -> int | None:
        """The same as a number while the enemy holds the region; None if that is not known."""
        if self.begin is None:
            return None
        fluents = self.fluents
        return sum(w * self.begin[fluents.units[region, p, u]].lo for u, w in weights.items() for p in self.enemies)

    def beaten(self, region: str, flag: Term) -> dict[Term, Term]:
        """The enemy units of a region after the turn: removed if the flag is true."""
        fluents = self.fluents
        found = {}
        for p in self.enemies:
            for u in self.roles.all:
                there = fluents.units[region, p, u]
                if self.begin is not None and (number := self.begin[there].lo):
                    found[there] = sub(there, scale(flag, number))
                elif self.begin is None and self.now(there).hi > 0:
                    found[there] = ite(flag, integer(0), there)
        return found

    def limits(self) -> dict[Term, int]:
        """Upper bounds on the units whose number changes this turn."""
        own = {self.units(*place): self.forces[place[1]] for place in {**self.come, **self.gone, **self.new}}
        if self.begin is None:
            return own
        fluents, regions = self.fluents, {name.partition(" ")[2] for name in self.flags}
        theirs = (
            fluents.units[r, p, u]
            for r in self.board.regions
            if r in regions
            for p in self.enemies
            for u in self.roles.all
        )
        return own | {x: self.begin[x].lo for x in theirs}

    # ---- choices

    def flow(
        self,
        kind: str,
        unit: str,
        source: str,
        target: str,
        most: int,
        *,
        via: tuple[str, ...] = (),
        tag: str = "",
        ship: str = "",
    ) -> Term:
        """A new Int choice: how many units make a move."""
        way, more = " > ".join((source, *via, target)), ", ".join(word for word in (tag, ship) if word)
        count = var(f"{kind} {unit} {way}" + (f" ({more})" if more else ""), between(0, most))
        flow = Flow(count, kind, unit, source, via, target, tag, ship)
        self.flows.append(flow)
        self._by_kind.setdefault(kind, []).append(flow)
        return count

    def moves(self, *kinds: str) -> Iterable[Flow]:
        """The moves of some kinds so far."""
        return (flow for kind in kinds for flow in self._by_kind.get(kind, ()))

    def leave(self, region: str, unit: str, count: Term) -> None:
        """Units leave a region."""
        self.gone.setdefault((region, unit), []).append(count)

    def arrive(self, region: str, unit: str, count: Term) -> None:
        """Units come to a region and stay."""
        self.come.setdefault((region, unit), []).append(count)

    def attack(self, region: str, blow: Blow) -> None:
        """Units add to the strength of an attack."""
        self.force.setdefault(region, []).append(blow)

    def fights(self, region: str, unit: str, count: Term) -> None:
        """Units of a kind are in the battle for a region, with the strength of their kind."""
        self.attack(region, Blow("unit", unit, count, self.board.units[unit].attack))

    def helps(self, region: str, unit: str, count: Term) -> None:
        """Units of a kind add to the battle for a region: ships bombard, all others fight."""
        role: Literal["unit", "guns"] = "guns" if self.board.units[unit].kind == "sea" else "unit"
        self.attack(region, Blow(role, unit, count, self.board.units[unit].attack))

    def only_if(self, condition: Term, count: Term) -> None:
        """Add the law that units make a move only if a condition holds."""
        if not self.certain(condition):
            self.laws.append(or_(condition, le(count, 0)))

    def flag(self, name: str) -> Term:
        """The Bool choice of that name."""
        return self.flags.setdefault(name, var(name, BOOL))

    def fallen(self, region: str, unit: str, most: int) -> Term:
        """A new Int choice: how many units fall in a region."""
        return self.lost.setdefault((region, unit), var(f"lose {unit} {region}", between(0, most)))

    def after(self, region: str, unit: str) -> Term:
        """The number of the power's units in a region after all moves and battles."""
        place = region, unit
        away = [*self.gone.get(place, ()), *([self.lost[place]] if place in self.lost else ())]
        come = (self.units(region, unit), *self.come.get(place, ()))
        return linear([*((1, n) for n in come), *((-1, n) for n in away)])

    def places(self, units: Iterable[str], regions: Iterable[str]) -> Iterable[Place]:
        """The places where the power can have units as the turn begins."""
        regions = tuple(regions)
        return [(r, u) for u in units for r in regions if (r, u) in self._present and self.most(r, u) > 0]

    @cached_property
    def _present(self) -> Set[Place]:
        """The regions where the power can have units, with their kinds."""
        there = self.fluents.units.fluents.items()
        return {(r, u) for (r, p, u), units in there if p == self.power and self.state[units].hi > 0}

    def enough(self) -> Iterable[Term]:
        """Laws: no more units leave a place than are there and may move."""
        return (
            ge(linear([(1, self.units(*place)), *((-1, n) for n in gone)]), self.spent(*place))
            for place, gone in self.gone.items()
        )

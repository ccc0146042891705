"""The choices of one player-turn, for what is known of where units are."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Set
from dataclasses import dataclass
from functools import cached_property

from vclogic_encodings.okinawa.board import JAPAN, US, enemy
from vclogic_encodings.okinawa.fluents import EACH
from vclogic_encodings.okinawa.planning.campaign import Campaign
from vclogic_encodings.okinawa.planning.removal import CHOSEN, LATER, Removal, in_order

from vclogic.board.arrivals import Route, arrivals, cheapest_ways
from vclogic.model.fluents import Value
from vclogic.model.memoized import memoized
from vclogic.model.pieces import MoveChoices, alone, move_choices
from vclogic.model.step_text import StepText, step_text
from vclogic.model.transition import Chosen
from vclogic.terms.atoms import FALSE, TRUE
from vclogic.terms.build import add, any_of, count, implies, is_in, le, minimum, or_
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term


@dataclass(frozen=True)
class Enemy:
    """The places of the enemy as a turn begins.

    Attributes:
        hexes: Hexes that no unit enters.
        control: Hexes in which a unit that enters them stops.
    """

    hexes: Set[str]
    control: Set[str]


class PlayerTurn:
    """The moves of a side in one player-turn.

    Attributes:
        campaign: The game.
        side: Who moves.
        state: A term for each fluent, with the values that it can have.
        removals: What becomes of US units that exits ask for: one of `FIRST`, `CHOSEN`, `LATER`.
        laws: What the choices must satisfy.
        next: The fluents that the choices change.
    """

    def __init__(self, campaign: Campaign, side: str, state: Mapping[Term, Term], removals: str):
        self.campaign = campaign
        self.side = side
        self.removals = removals
        self.now = Substitution(state)
        self.state = state
        self.next: dict[Term, Term] = {campaign.at[u]: self.moves.place(u) for u in self.moves.choices}
        self.laws: list[Term] = [*self.moves.laws, *self._paths_that_depend(), *self._room()]
        self.spared: tuple[Term, ...] = ()
        if self._gone and side == JAPAN:
            self._remove()

    @property
    def choices(self) -> tuple[Term, ...]:
        """The target of each unit, and the spared units where removals are chosen in the same turn."""
        return (*self.moves.choices.values(), *self.spared)

    @property
    def number(self) -> Term:
        """The number of units that move."""
        return count(self.moves.moved(u) for u in self.moves.choices)

    # ---- where the enemy is

    def _can_be(self, unit: str) -> frozenset[str]:
        """The hexes where a unit can be."""
        place = self.now(self.campaign.at[unit])
        assert isinstance(place.sort, EnumSort)
        members = place.sort.members
        elsewhere = self.campaign.elsewhere
        return frozenset(m for i, m in enumerate(members) if place.mask >> i & 1 and m not in elsewhere)

    def _on_map(self, unit: str) -> bool:
        return self.now(self.campaign.on_map[unit]) is TRUE

    @cached_property
    def _places(self) -> Mapping[str, frozenset[str]]:
        """For each enemy unit that can be on the map the hexes where it can be."""
        found = ((u, self._can_be(u)) for u in self.campaign.of(enemy(self.side)))
        return {u: hexes for u, hexes in found if hexes}

    def _enemy(self, units: Iterable[str]) -> Enemy:
        campaign = self.campaign
        hexes: set[str] = set()
        control: set[str] = set()
        for u in units:
            hexes |= self._places[u]
            if u in campaign.controlling and campaign.stops:
                control.update(n for h in self._places[u] for n in campaign.neighbours[h])
        return Enemy(hexes, control)

    @cached_property
    def _certain(self) -> list[str]:
        return [u for u, hexes in self._places.items() if len(hexes) == 1 and self._on_map(u)]

    @cached_property
    def surely(self) -> Enemy:
        """The enemy units whose places are known."""
        return self._enemy(self._certain)

    @cached_property
    def maybe(self) -> Enemy:
        """The possible places of the enemy."""
        return self._enemy(self._places)

    # ---- moves

    @cached_property
    def _gone(self) -> Mapping[str, Collection[str]]:
        """The places of units that go off the map in their player-turn, each with the hexes from which they do."""
        return self.campaign.off_by(self.side) if self.campaign.exits else {}

    @memoized
    def _ways(self, allowance: int, source: str, sure: bool) -> Mapping[str, Route]:
        campaign, foe = self.campaign, self.maybe if sure else self.surely
        return cheapest_ways(campaign.neighbours, campaign.cost, source, allowance, foe.hexes, foe.control)

    def _from(self, unit: str, source: str, *, sure: bool = False) -> Mapping[str, Route]:
        """The hexes that a unit can get to, wherever the enemy may be (sure), or if he is only where he surely is."""
        return self._ways(self.campaign.movement[unit], source, sure)

    def _targets(self, unit: str, source: str) -> Iterable[str]:
        if source in self.campaign.elsewhere:
            return
        yield from self._from(unit, source)
        yield from (gone for gone, hexes in self._gone.items() if source in hexes)

    @cached_property
    def moves(self) -> MoveChoices:
        """The moves that may be chosen."""
        campaign = self.campaign
        return move_choices({u: campaign.at[u] for u in campaign.of(self.side)}, self._targets, self.state)

    @cached_property
    def taken(self) -> Mapping[Term, tuple[str, str]]:
        """For each move whether it is made."""
        found = self.moves.targets.items()
        return {self.moves.goes(u, [target]): (u, target) for u, targets in found for target in targets}

    def _paths_that_depend(self) -> Iterable[Term]:
        """The constraints on moves that are possible only if no enemy unit is in the way."""
        if self.surely == self.maybe:
            return
        campaign, foe = self.campaign, enemy(self.side)
        blocked = {h: campaign.here(foe, h) for h in sorted(self.maybe.hexes)}
        stop = self._controlled() if self.maybe.control else {}
        targets: dict[str, list[tuple[Term, str]]] = {}
        for taken, (u, target) in self.taken.items():
            if target not in self._gone:
                targets.setdefault(u, []).append((taken, target))
        for u, chosen in targets.items():
            sources = self._can_be(u)
            sure = {h: [s for s in sources if h in self._from(u, s, sure=True)] for _, h in chosen}
            depends = [(taken, h) for taken, h in chosen if any(h in self._from(u, s) for s in sources - {*sure[h]})]
            if depends:
                allowance, near = campaign.movement[u], campaign.neighbours
                reached = arrivals(near, campaign.cost, campaign.at[u], sources, allowance, blocked, stop)
                for taken, h in depends:
                    yield implies(taken, or_(is_in(campaign.at[u], sure[h]), reached.get(h, FALSE)))

    def _controlled(self) -> dict[str, Term]:
        """For each hex whether a unit that enters it stops there."""
        campaign = self.campaign
        units = [u for u in self._places if u in campaign.controlling]
        near = {h: [n for n in campaign.neighbours[h] if n in campaign.cost] for h in sorted(self.maybe.control)}
        return {h: any_of(is_in(campaign.at[u], around) for u in units) for h, around in near.items()}

    def _room(self) -> Iterable[Term]:
        """Constrain plans: no more units are in a hex after the moves than may be."""
        campaign = self.campaign
        places = {u: self.next.get(campaign.at[u], campaign.at[u]) for u in campaign.of(self.side)}
        entered = [h for h in self.moves.entered if h not in self._gone]
        return alone({u: self.now(p) for u, p in places.items()}, entered, campaign.stacking)

    # ---- exits

    def _remove(self) -> None:
        """Adds the removal of US units for exits, or that it is due."""
        campaign = self.campaign
        leaving = count(t for t, (_, target) in self.taken.items() if target in campaign.removing)
        if leaving.hi == 0:
            return
        due = add(campaign.removals, *[leaving] * EACH)
        if campaign.too_few == "no_exit":
            self.laws.append(le(due, campaign.units_on_map(US)))
        if self.removals == LATER:
            owed = campaign.too_few == "owed"
            self.next[campaign.removals] = due if owed else minimum(due, campaign.units_on_map(US))
            return
        removal = Removal(campaign, self.now, due, chosen=self.removals == CHOSEN)
        self.spared = removal.choices
        self.laws += removal.laws
        removal.add_to(self.next)

    # ---- in words

    def orders(self, chosen: Chosen, values: Mapping[Term, Value]) -> list[StepText]:
        """The moves that were chosen, as orders; what is removed for an exit comes at once, before anything else."""
        going = {x.name: n for x, n in chosen.items() if n}
        campaign, moves = self.campaign, self.moves.choices
        made = [(u, campaign.place(u, going[goes.name])) for u, goes in moves.items() if goes.name in going]
        if self.removals == LATER:
            made.sort(key=lambda move: campaign.removes(*move))  # nothing else may come after an exit
            return [self._order(u, target, values) for u, target in made]
        orders = list[StepText]()
        there = in_order(campaign, going, values)
        due = int(values[campaign.removals]) if campaign.removing else 0
        for u, target in (("", ""), *made):
            if u:
                orders.append(self._order(u, target, values))
                due += EACH * campaign.removes(u, target)
            orders += [step_text(campaign.remove(v), values) for v in there[:due]]
            there, due = there[due:], max(due - len(there), 0)
        return orders

    def _order(self, unit: str, target: str, values: Mapping[Term, Value]) -> StepText:
        if target in self._gone:
            return step_text(self.campaign.leaves(unit, target), values)
        source = str(values[self.campaign.at[unit]])
        *via, _ = self._from(unit, source)[target]
        text = f"{self.side}: {unit} from {source} to {target}" + (f" by {' '.join(via)}" if via else "")
        return StepText(self.side, "move", {"unit": unit, "from": source, "via": " ".join(via), "to": target}, text)

"""Infantry at victory cities: where it is placed, how much of it per turn, and before which battles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from vclogic_encodings.axis_allies.board import CAPITAL, INFANTRY, MOST, POINTS
from vclogic_encodings.axis_allies.citing import cite, encodes
from vclogic_encodings.axis_allies.fluents import Fluents, at_least_zero, at_most
from vclogic_encodings.axis_allies.rules.possession import city_in_control, possession
from vclogic_encodings.axis_allies.rules.victory_cities import city_clause, city_points, starts_with
from vclogic_encodings.axis_allies.wording import already_placed

from vclogic.model.actions import Requirement
from vclogic.model.citation import Cites
from vclogic.model.fluents import Value
from vclogic.model.memoized import memoized
from vclogic.model.system import Settings
from vclogic.terms.atoms import FALSE, integer
from vclogic.terms.build import add, ite, le, not_, sub, total
from vclogic.terms.term import Term, variables

Limit = tuple[int, Cites]
"""The number of units, and its clauses."""
Count = Callable[[Mapping[Term, Value]], int]
"""A number, given the values of the fluents."""
_WHEN = {
    "each_attack": "before a battle",
    "once": "before its battles",
    "first_turn": "in emergencies and its first turn together",
}


class Infantry:
    """The limits of infantry at victory cities.

    A limit is that of the present turn; for a power that is not on turn, of its turn if that began now.
    """

    def __init__(self, fluents: Fluents, settings: Settings):
        self.fluents = fluents
        self.board = fluents.board
        self._readings = settings.readings

    def needs(self, power: str, number: Term, territory: str) -> Iterable[Requirement]:
        """The requirements for placing infantry."""
        fluents = self.fluents
        if nowhere := self.only_at_cities(territory):
            yield from nowhere
            return
        yield possession(fluents, power, territory, "VC-infantry/4")
        most, why = self.limit(power, territory)
        placed, before = fluents.placed[territory, INFANTRY], self._used_before(power, territory)
        emergency = cite("VC-infantry-p4/1") if self.emergency_counts else ()
        yield Requirement(
            le(add(placed, before, number), most),
            self._too_many(power, territory, most, "per turn", self._so_far(power, territory)),
            (*why, *emergency, *city_clause(self.board, territory)),
        )

    # ---- where

    @encodes("VC-infantry/1", "VC-infantry/2")
    def only_at_cities(self, territory: str) -> tuple[Requirement, ...]:
        """Infantry is placed only where there is a victory city; a complex does not build it."""
        if territory in self.board.cities:
            return ()
        message = f"infantry is placed only at victory cities, and {territory} has none"
        return (Requirement(FALSE, message, cite("VC-infantry/1", "VC-infantry/2")),)

    # ---- how much per turn

    def limit(self, power: str, territory: str) -> Limit:
        """The number of infantry per turn that the power may place at a city that it holds."""
        board = self.board
        if territory not in board.cities:
            return self.without_city()
        holder = board.powers[power]
        if starts_with(board, holder.nation, territory):
            return self._own_limit(territory)
        if any(starts_with(board, board.powers[p].nation, territory) for p in board.sides[holder.side]):
            return self.liberated_limit(territory, holder.side)
        return self.captured_limit(territory, holder.side)

    @encodes("VC-infantry/1", "VC-infantry/2")
    def without_city(self) -> Limit:
        """Without a city no infantry is placed, by a complex neither."""
        return 0, cite("VC-infantry/1", "VC-infantry/2")

    def _own_limit(self, territory: str) -> Limit:
        return self.exceptional_limit(territory) or self.limit_by_points(territory)

    @encodes("VC-infantry-p2/1")
    def limit_by_points(self, territory: str) -> Limit:
        """The limit at a nation's own city: as many infantry per turn as the city has points."""
        return city_points(self.board, territory), cite("VC-infantry-p2/1")

    @encodes("VC-infantry-p2/2")
    def exceptional_limit(self, territory: str) -> Limit | None:
        """The limit at a city that is an exception: a capital of the UK or the US, a larger city of Japan."""
        city = self.board.cities[territory]
        most = self.board.own_limits.get(city.nation, {}).get(city.rank)
        return None if most is None else (most, cite("VC-infantry-p2/1", "VC-infantry-p2/2"))

    @encodes("VC-infantry-p3/1", "VC-infantry-p3/2", "VC-infantry-p3/3")
    def captured_limit(self, territory: str, side: str) -> Limit:
        """The limit at a captured city depends on whether the Axis or the Allies hold it, and on its rank."""
        limits, rank = self.board.captured_limits.get(side, {}), self.board.cities[territory].rank
        most = limits.get(rank, 0) if rank in limits or rank in POINTS else self.other_rank(limits, rank)
        sentence = {"Axis": "VC-infantry-p3/2", "Allies": "VC-infantry-p3/3"}.get(side)
        return most, cite("VC-infantry-p3/1", *([sentence] if sentence else []))

    @encodes("VC/2", "VC-infantry-p3/2", "VC-infantry-p3/3")
    def other_rank(self, limits: Mapping[str, int], rank: str) -> int:
        """The limit at a captured city of a rank that the text does not name: Reading `other_ranks`."""
        reading, points = self._readings["other_ranks"], {**POINTS, **self.board.ranks}
        if reading == "none" or not limits:
            return 0
        lower = [r for r in limits if points[r] <= points[rank]] or [min(limits, key=points.__getitem__)]
        alike = limits[max(lower, key=points.__getitem__)]
        return max(limits.values()) if reading == "others" else alike

    @encodes("VC-infantry-p2/1", "VC-infantry-p3/1")
    def liberated_limit(self, territory: str, side: str) -> Limit:
        """The limit at a city for an ally of the nation that starts with it: Reading `liberated_city_limit`."""
        chosen = self._readings["liberated_city_limit"]
        if chosen == "captured":
            return self.captured_limit(territory, side)
        if chosen == "none":
            return 0, cite("VC-infantry-p2/1", "VC-infantry-p3/1")
        return self._own_limit(territory) if self.binds_allies(territory) else self.limit_by_points(territory)

    @encodes("VC-infantry-p2/2")
    def binds_allies(self, territory: str) -> bool:
        """An exception binds allies too: Readings `allied_capital_limit`, `allied_city_limit`."""
        capital = self.board.cities[territory].rank == CAPITAL
        return self._readings["allied_capital_limit" if capital else "allied_city_limit"] in ("capital", "everyone")

    # ---- how much this turn

    @memoized
    def limit_now(self, power: str, territory: str) -> Term:
        """The infantry that the power may place at the city this turn, placed ones included; 0 where it may not."""
        most, _ = self.limit(power, territory)
        held = city_in_control(self.fluents, power, territory)
        if not (most and self.emergency_counts):
            return total([(most, held)])
        left = at_least_zero(sub(integer(most), self._used_before(power, territory)))
        return ite(held, left, integer(0))

    def bought_within_limits(self, power: str, count: Term) -> tuple[Requirement, ...]:
        """A power buys no more infantry than all its cities take, where the reading `bought_infantry` says so."""
        if self._readings["bought_infantry"] != "within_limits":
            return ()
        message = f"the cities of the {power} together take no more infantry this turn (reading bought_infantry)"
        enough = le(add(self.fluents.bought[INFANTRY], count), self.capacity(power))
        return (Requirement(enough, message, cite("VC-infantry-p2/1", "VC-infantry-p3/2", "VC-infantry-p3/3")),)

    @property
    def emergency_counts(self) -> bool:
        """True if emergency infantry uses up the limit of the first turn."""
        return self._readings["emergency_limit"] == "first_turn"

    def _used_before(self, power: str, territory: str) -> Term:
        """The number of the turn's infantry that the power has had in emergencies: Reading `emergency_limit`."""
        return self.in_emergencies(power, territory) if self.emergency_counts else integer(0)

    @encodes("VC-infantry-p4/1")
    def in_emergencies(self, power: str, territory: str) -> Term:
        """Infantry of emergencies uses up the limit of the first turn, and of none after it."""
        return ite(self.fluents.first_turn_done[power], integer(0), self.in_all_emergencies(territory))

    def in_all_emergencies(self, territory: str) -> Term:
        """The infantry of emergencies that counts for the limit at a territory, that of earlier turns included."""
        now, before = self.fluents.emergency[territory], self.fluents.earlier_emergency[territory]
        if self._readings["emergency_limit"] == "each_attack":
            return now
        return at_most(add(before, now), MOST)

    @memoized
    def capacity(self, power: str) -> Term:
        """The number of infantry that the power may place at all its cities together."""
        return add(*(self.limit_now(power, t) for t in self.board.cities))

    @cached_property
    def left(self) -> Mapping[str, Term]:
        """The number of infantry that the owner of each city may still place there this turn."""
        limits = {t: add(*(self.limit_now(p, t) for p in self.board.powers)) for t in self.board.cities}
        return {t: at_least_zero(sub(limit, self.fluents.placed[t, INFANTRY])) for t, limit in limits.items()}

    # ---- before the defender's first turn

    @encodes("VC-infantry-p4/1")
    def emergency_needs(self, power: str, territory: str, infantry: Term) -> tuple[Requirement, ...]:
        """Before its first turn the defender of an attacked city places no more infantry there than in a turn."""
        fluents = self.fluents
        if territory not in self.board.cities:
            return (Requirement(FALSE, f"{territory} has no victory city", cite("VC-infantry-p4/1")),)
        most, why = self.limit(power, territory)
        when = _WHEN[self._readings["emergency_limit"]]
        owner, placed = fluents.owner[territory], self.in_all_emergencies(territory)
        return (
            Requirement(
                fluents.owns(power, territory),
                lambda values: f"the {power} are not the defender of {territory}: it belongs to the {values[owner]}",
                cite("VC-infantry-p4/1"),
            ),
            self.under_attack(territory),
            self.before_first_turn(power),
            Requirement(
                le(add(placed, infantry), min(most, MOST)),
                self._too_many(power, territory, most, when, lambda values: self._emergencies(values, territory)),
                (*cite("VC-infantry-p4/1"), *why),
            ),
        )

    @encodes("VC-infantry-p4/1")
    def under_attack(self, territory: str) -> Requirement:
        """The territory is under attack, and the battle is yet to come."""
        failed = self.fluents.failed_attacks[territory]
        over = "no `attack` on it this turn, or its battle is over"

        def message(values: Mapping[Term, Value]) -> str:
            return f"{territory} is not under attack: {'the attack on it has failed' if values[failed] else over}"

        return Requirement(self.fluents.attacked[territory], message, cite("VC-infantry-p4/1"))

    @encodes("VC-infantry-p4/2")
    def before_first_turn(self, power: str) -> Requirement:
        """The defender has not had its first turn yet."""
        message, why = f"the {power} have had their first turn", cite("VC-infantry-p4/1", "VC-infantry-p4/2")
        return Requirement(not_(self.fluents.first_turn_done[power]), message, why)

    # ---- in words

    def _so_far(self, power: str, territory: str) -> Count:
        """The number of infantry that count for the limit of the power's turn so far."""
        fluents = self.fluents

        def number(values: Mapping[Term, Value]) -> int:
            early = self.emergency_counts and not values[fluents.first_turn_done[power]]
            before = self._emergencies(values, territory) if early else 0
            return int(values[fluents.placed[territory, INFANTRY]]) + before

        return number

    def _emergencies(self, values: Mapping[Term, Value], territory: str) -> int:
        """The infantry of emergencies that counts for the limit at a territory."""
        counted = variables(self.in_all_emergencies(territory))
        return sum(int(values[v]) for v in counted)

    def _too_many(
        self, power: str, territory: str, most: int, when: str, placed: Count
    ) -> str | Callable[[Mapping[Term, Value]], str]:
        """Says that a power may not place so many infantry at a city.

        Args:
            territory: Where the city is.
            most: How many it may place.
            when: What that is the limit for.
            placed: How many count for it so far.
        """
        if not most:
            return f"the {power} may place no infantry at {self.city(territory)}"
        limit = f"the {power} may place at most {most} infantry {when} at {self.city(territory)}"
        return lambda values: limit + (f"; {already_placed(n)}" if (n := placed(values)) else "")

    def city(self, territory: str) -> str:
        """A territory by its city's name, if it has one of another name."""
        city = self.board.cities.get(territory)
        return territory if city is None or city.name == territory else f"{city.name} ({territory})"

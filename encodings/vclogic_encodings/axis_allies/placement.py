"""What may be placed where: infantry at victory cities, other units and complexes, and what a complex costs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from vclogic_encodings.axis_allies.board import COMPLEX, INFANTRY
from vclogic_encodings.axis_allies.citing import cite, city_clause
from vclogic_encodings.axis_allies.names import NONE
from vclogic_encodings.axis_allies.state import Fluents
from vclogic_encodings.axis_allies.wording import already_placed, in_words, of_units

from vclogic.model.actions import Requirement
from vclogic.model.citation import Cites
from vclogic.model.fluents import Value
from vclogic.model.memoized import once
from vclogic.model.system import Settings
from vclogic.terms.atoms import FALSE, integer
from vclogic.terms.build import add, all_of, and_, any_of, eq, ge, ite, le, linear, ne, scale, sub, total
from vclogic.terms.partial import Partial
from vclogic.terms.term import Term
from vclogic.words import amount

Message = str | Callable[[Mapping[Term, Value]], str]
VALUE_FACTOR = 4
"""Units placed at a complex per turn are worth at most so many times the territory's IPC value (IC/2)."""


class Placement:
    """The limits, as terms over the fluents.

    A limit is that of the present turn; for a power that is not on turn, of its turn if that began now.
    """

    def __init__(self, f: Fluents, settings: Settings):
        self.f = f
        self._readings = settings.readings

    # ---- infantry

    def most_infantry(self, power: str, territory: str) -> tuple[int, Cites]:
        """How many infantry per turn the power may place at a city that it holds, and by which clauses."""
        board = self.f.board
        city = board.cities.get(territory)
        if city is None:
            return 0, cite("VC-infantry/1", "VC-infantry/2")
        holder = board.powers[power]
        if city.nation == holder.nation:
            return self._own(territory)
        if city.nation in {board.powers[p].nation for p in board.sides[holder.side]}:
            return self._liberated(territory, holder.side)
        return self._captured(territory, holder.side)

    def _own(self, territory: str) -> tuple[int, Cites]:
        city = self.f.board.cities[territory]
        exception = self.f.board.own_limits.get(city.nation, {}).get(city.rank)
        if exception is None:
            return self._points(territory)
        return exception, cite("VC-infantry-p2/1", "VC-infantry-p2/2")

    def _points(self, territory: str) -> tuple[int, Cites]:
        return self.f.board.points(territory), cite("VC-infantry-p2/1")

    def _liberated(self, territory: str, side: str) -> tuple[int, Cites]:
        chosen = self._readings["liberated_city_limit"]
        if chosen == "captured":
            return self._captured(territory, side)
        if chosen == "none":
            return 0, cite("VC-infantry-p2/1", "VC-infantry-p3/1")
        capital = self.f.board.cities[territory].rank == "capital"
        everyone = self._readings["allied_capital_limit" if capital else "allied_city_limit"] in (
            "capital",
            "everyone",
        )
        return self._own(territory) if everyone else self._points(territory)

    def _captured(self, territory: str, side: str) -> tuple[int, Cites]:
        rank = self.f.board.cities[territory].rank
        most = self.f.board.captured_limits.get(side, {}).get(rank, 0)
        sentence = {"Axis": "VC-infantry-p3/2", "Allies": "VC-infantry-p3/3"}.get(side)
        return most, cite("VC-infantry-p3/1", *([sentence] if sentence else []))

    @once
    def infantry_limit(self, power: str, territory: str) -> Term:
        """How many infantry the power may place at the city this turn, placed ones included; 0 where it may not."""
        most, _ = self.most_infantry(power, territory)
        held = self.f.owned_since_start(power, territory)
        if not (most and self.emergency_counts):
            return total([(most, held)])
        left = _not_below_zero(sub(integer(most), self._used_before(power, territory)))
        return ite(held, left, integer(0))

    @property
    def emergency_counts(self) -> bool:
        """Whether emergency infantry uses up the limit of the first turn."""
        return self._readings["emergency_limit"] == "first_turn"

    def _used_before(self, power: str, territory: str) -> Term:
        """How many of the first turn's infantry the power has had in emergencies; none once it has had that turn."""
        if not self.emergency_counts:
            return integer(0)
        return ite(self.f.first_turn_done[power], integer(0), self.f.emergency[territory])

    @once
    def infantry_capacity(self, power: str) -> Term:
        """How many infantry the power may place at all its cities together."""
        return add(*(self.infantry_limit(power, t) for t in self.f.board.cities))

    @cached_property
    def infantry_left(self) -> Mapping[str, Term]:
        """How many infantry the owner of each city may still place there this turn."""
        f, powers = self.f, self.f.board.powers
        limits = {t: add(*(self.infantry_limit(p, t) for p in powers)) for t in f.board.cities}
        return {t: _not_below_zero(sub(limit, f.placed[t, INFANTRY])) for t, limit in limits.items()}

    # ---- units at complexes

    @once
    def complex_ready(self, territory: str) -> Term:
        """Whether a complex stands there that did so when the turn began."""
        return and_(ne(self.f.complexes[territory], NONE), self.f.complex_at_turn_start[territory])

    def takes_units(self, power: str, territory: str) -> Term:
        """Whether a complex there takes units of the power, as far as its limit goes."""
        f = self.f
        held = f.owns(power, territory) if self._units_at_once else f.owned_since_start(power, territory)
        return and_(held, self.complex_ready(territory))

    @property
    def _units_at_once(self) -> bool:
        return self._readings["captured_complex"] == "at_once"

    def most_value(self, territory: str) -> int:
        """IPCs that the units placed at a complex there may be worth per turn."""
        return VALUE_FACTOR * self.f.board.territories[territory].ipc

    def value_limit(self, territory: str) -> Term:
        """The same where the owner may place units there, else 0."""
        open_ = any_of(self.takes_units(p, territory) for p in self.f.board.powers)
        return total([(self.most_value(territory), open_)])

    @once
    def value_placed(self, territory: str) -> Term:
        """What the units are worth that were placed there this turn; infantry is none of them."""
        return linear(self._worths(territory))

    @once
    def _worths(self, territory: str) -> list[tuple[int, Term]]:
        """Each kind of units that counts for the limit: its worth, and how many were placed there this turn."""
        placed = self.f.placed
        units = self.f.board.units.items()
        worth = [(u.cost, placed[territory, name]) for name, u in units if name not in (INFANTRY, COMPLEX)]
        if self._complexes_count:
            worth.append((max(self.price(territory), 0), placed[territory, COMPLEX]))
        return worth

    def within_value(self, territory: str, worth: Term) -> Term:
        """Whether units worth so many IPCs more are within the limit there; `value_limit` says where it is open."""
        return le(add(self.value_placed(territory), worth), self.most_value(territory))

    @cached_property
    def value_left(self) -> Mapping[str, Term]:
        """IPCs of units that the owner of each territory may still place there this turn."""
        land = self.f.board.land
        return {t: _not_below_zero(sub(self.value_limit(t), self.value_placed(t))) for t in land}

    @property
    def _complexes_count(self) -> bool:
        return self._readings["complex_value"] == "counted"

    # ---- complexes

    def price(self, territory: str) -> int:
        """What a complex there costs, in IPCs; what is below zero the buyer receives."""
        board = self.f.board
        price = board.units[COMPLEX].cost - board.territories[territory].ipc * board.points(territory)
        return price if self._readings["price_below_zero"] == "received" else max(price, 0)

    @once
    def may_build(self, power: str, territory: str) -> Term:
        """Whether the power may have a complex placed there this turn."""
        return _all(self._for_complex(power, territory))

    def lowest_price(self, power: str) -> Partial:
        """The lowest price at which the power may have a complex placed; undefined where it may have none."""
        by_price = sorted(self.f.board.land, key=self.price, reverse=True)
        allowed = {t: self.may_build(power, t) for t in by_price}
        lowest = integer(self.price(by_price[0]))
        for t, may in allowed.items():
            lowest = ite(may, integer(self.price(t)), lowest)
        return Partial(lowest, any_of(allowed.values()))

    # ---- any unit

    def may_place(self, power: str, unit: str, territory: str) -> Term:
        """Whether the power may place one more of the units there this turn, whatever it has bought."""
        return _all(self.needs(power, unit, integer(1), territory))

    def clauses(self, power: str, unit: str, territory: str) -> tuple[str, ...]:
        """The ids of the clauses by which the power may place units there."""
        cites = (c.clause for r in self.needs(power, unit, integer(1), territory) for c in r.cites)
        return tuple(dict.fromkeys(cites))

    def needs(self, power: str, unit: str, number: Term, territory: str) -> tuple[Requirement, ...]:
        """What the rules ask of a place where a power puts some units."""
        if unit == INFANTRY:
            return tuple(self._for_infantry(power, number, territory))
        if unit == COMPLEX:
            return tuple(self._for_complex(power, territory))
        return tuple(self._for_unit(power, unit, number, territory))

    def _for_infantry(self, power: str, number: Term, territory: str) -> Iterable[Requirement]:
        f = self.f
        if territory not in f.board.cities:
            message = f"infantry is placed only at victory cities, and {territory} has none"
            yield Requirement(FALSE, message, cite("VC-infantry/1", "VC-infantry/2"))
            return
        yield self._since_start(power, territory, "VC-infantry/4")
        most, why = self.most_infantry(power, territory)
        placed, before = f.placed[territory, INFANTRY], self._used_before(power, territory)
        yield Requirement(
            le(add(placed, before, number), most),
            self.too_many(power, territory, most, "per turn", self._so_far(power, territory)),
            (*why, *(cite("VC-infantry-p4/1") if self.emergency_counts else ()), *city_clause(f.board, territory)),
        )

    def _so_far(self, power: str, territory: str) -> Callable[[Mapping[Term, Value]], int]:
        """How many infantry count for the limit of the power's turn so far, given the values of the fluents."""
        f = self.f

        def number(values: Mapping[Term, Value]) -> int:
            early = self.emergency_counts and not values[f.first_turn_done[power]]
            return int(values[f.placed[territory, INFANTRY]]) + (int(values[f.emergency[territory]]) if early else 0)

        return number

    @once
    def _since_start(self, power: str, territory: str, *clauses: str) -> Requirement:
        owner = self.f.owner[territory]

        def message(values: Mapping[Term, Value]) -> str:
            now = "they took it this turn" if values[owner] == power else f"it belongs to the {values[owner]}"
            return f"the {power} have not controlled {territory} since the start of the turn: {now}"

        return Requirement(self.f.owned_since_start(power, territory), message, cite(*clauses))

    def too_many(
        self, power: str, territory: str, most: int, when: str, placed: Callable[[Mapping[Term, Value]], int]
    ) -> Message:
        """Says that a power may not place so many infantry at a city.

        Args:
            power: The power.
            territory: Where the city is.
            most: How many it may place.
            when: What that is the limit for.
            placed: How many count for it so far, given the values of the fluents.
        """
        if not most:
            return f"the {power} may place no infantry at {self.city(territory)}"
        limit = f"the {power} may place at most {most} infantry {when} at {self.city(territory)}"
        return lambda values: limit + (f"; {already_placed(n)}" if (n := placed(values)) else "")

    def city(self, territory: str) -> str:
        """A territory by its city's name, if it has one of another name."""
        city = self.f.board.cities.get(territory)
        return territory if city is None or city.name == territory else f"{city.name} ({territory})"

    def _for_unit(self, power: str, unit: str, number: Term, territory: str) -> Iterable[Requirement]:
        yield Requirement(
            self.complex_ready(territory),
            f"there was no industrial complex in {territory} when the turn began",
            cite("IC/1", "IC-p3/2", "IC-p3/3"),
        )
        if self._units_at_once:
            owner = self.f.owner[territory]
            message = f"{territory} does not belong to the {power}"
            yield Requirement(eq(owner, power), message, cite("IC-p3/2", "IC-p3/3"))
        else:
            yield self._since_start(power, territory, "IC-p3/2", "IC-p3/3")
        cost = scale(number, self.f.board.units[unit].cost)
        yield Requirement(
            self.within_value(territory, cost),
            self._worth_too_much(territory, of_units(self.f.board, in_words(number), unit), in_words(cost)),
            cite("IC/2", "IC/3"),
        )

    def _worth_too_much(self, territory: str, what: str, worth: int) -> Message:
        most, worths = self.most_value(territory), self._worths(territory)

        def message(values: Mapping[Term, Value]) -> str:
            done = sum(cost * int(values[placed]) for cost, placed in worths)
            already = f", and units worth {done} are placed already" if done else ""
            limit = f"units placed in {territory} may be worth at most {amount(most, 'IPC')} per turn"
            return (
                f"{limit} ({VALUE_FACTOR} times its {most // VALUE_FACTOR}){already}; this is {what}, worth {worth}"
            )

        return message

    def _for_complex(self, power: str, territory: str) -> Iterable[Requirement]:
        f = self.f
        yield self._since_start(power, territory, "IC-p3/1")
        if self._readings["second_complex"] == "refused":
            none = eq(f.complexes[territory], NONE)
            message = f"{territory} has an industrial complex already (reading second_complex)"
            yield Requirement(none, message, cite("IC/2", "IC-p2/4"))
        else:
            first = eq(f.placed[territory, COMPLEX], 0)
            message = f"a complex was placed in {territory} this turn: one a turn (reading second_complex)"
            yield Requirement(first, message, cite("IC-p2/2"))
        if self._complexes_count:
            price = max(self.price(territory), 0)
            within = self.within_value(territory, integer(price))
            what = "a complex (which counts by the reading complex_value)"
            yield Requirement(within, self._worth_too_much(territory, what, price), cite("IC/2"))


def _all(needs: Iterable[Requirement]) -> Term:
    return all_of(r.term for r in needs)


def _not_below_zero(x: Term) -> Term:
    return ite(ge(x, 0), x, integer(0))

"""What may be placed where: infantry at victory cities, other units and complexes, and what a complex costs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from vclogic_encodings.axis_allies.board import COMPLEX, INFANTRY
from vclogic_encodings.axis_allies.citing import cite, encodes
from vclogic_encodings.axis_allies.fluents import Fluents
from vclogic_encodings.axis_allies.names import NONE
from vclogic_encodings.axis_allies.rules.victory_cities import city_clause, city_points, starts_with
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
Limit = tuple[int, Cites]
"""How many units, and by which clauses."""


class Placement:
    """The limits, as terms over the fluents.

    A limit is that of the present turn; for a power that is not on turn, of its turn if that began now.
    """

    def __init__(self, f: Fluents, settings: Settings):
        self.f = f
        self._readings = settings.readings

    # ---- infantry

    def most_infantry(self, power: str, territory: str) -> Limit:
        """How many infantry per turn the power may place at a city that it holds, and by which clauses."""
        board = self.f.board
        if territory not in board.cities:
            return 0, cite("VC-infantry/1", "VC-infantry/2")
        holder = board.powers[power]
        if starts_with(board, holder.nation, territory):
            return self.own_limit(territory)
        if any(starts_with(board, board.powers[p].nation, territory) for p in board.sides[holder.side]):
            return self._liberated(territory, holder.side)
        return self.captured_limit(territory, holder.side)

    def own_limit(self, territory: str) -> Limit:
        """The limit at a city for the nation that starts with it."""
        return self.exceptional_limit(territory) or self.limit_by_points(territory)

    @encodes("VC-infantry-p2/1")
    def limit_by_points(self, territory: str) -> Limit:
        """As many infantry per turn as the city has points."""
        return city_points(self.f.board, territory), cite("VC-infantry-p2/1")

    @encodes("VC-infantry-p2/2")
    def exceptional_limit(self, territory: str) -> Limit | None:
        """The limit at a city that is an exception: a capital of the UK or the US, a larger city of Japan."""
        city = self.f.board.cities[territory]
        most = self.f.board.own_limits.get(city.nation, {}).get(city.rank)
        return None if most is None else (most, cite("VC-infantry-p2/1", "VC-infantry-p2/2"))

    def _liberated(self, territory: str, side: str) -> Limit:
        chosen = self._readings["liberated_city_limit"]
        if chosen == "captured":
            return self.captured_limit(territory, side)
        if chosen == "none":
            return 0, cite("VC-infantry-p2/1", "VC-infantry-p3/1")
        capital = self.f.board.cities[territory].rank == "capital"
        everyone = self._readings["allied_capital_limit" if capital else "allied_city_limit"] in (
            "capital",
            "everyone",
        )
        return self.own_limit(territory) if everyone else self.limit_by_points(territory)

    @encodes("VC-infantry-p3/1", "VC-infantry-p3/2", "VC-infantry-p3/3")
    def captured_limit(self, territory: str, side: str) -> Limit:
        """The limit at a captured city: it depends on whether the Axis or the Allies hold it, and on its rank."""
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

    @encodes("IC/1", "IC-p3/2", "IC-p3/3")
    @once
    def complex_ready(self, territory: str) -> Term:
        """Whether a complex stands there that did so when the turn began: units other than infantry need one."""
        return and_(ne(self.f.complexes[territory], NONE), self.f.complex_at_turn_start[territory])

    def takes_units(self, power: str, territory: str) -> Term:
        """Whether a complex there takes units of the power, as far as its limit goes."""
        return and_(self.held_long_enough(power, territory).term, self.complex_ready(territory))

    @encodes("IC-p3/2", "IC-p3/3")
    def held_long_enough(self, power: str, territory: str) -> Requirement:
        """That the power held a complex's territory when the turn began: who takes one waits a turn for its units."""
        if self._readings["captured_complex"] == "next_turn":
            return self._since_start(power, territory, "IC-p3/2", "IC-p3/3")
        message = f"{territory} does not belong to the {power}"
        return Requirement(self.f.owns(power, territory), message, cite("IC-p3/2", "IC-p3/3"))

    @encodes("IC/2")
    def most_value(self, territory: str) -> int:
        """IPCs that the units placed at a complex may be worth per turn: a multiple of its territory's IPC value."""
        return self.f.board.ipc_factor * self.f.board.territories[territory].ipc

    def value_limit(self, territory: str) -> Term:
        """The same where the owner may place units there, else 0."""
        open_ = any_of(self.takes_units(p, territory) for p in self.f.board.powers)
        return total([(self.most_value(territory), open_)])

    @once
    def value_placed(self, territory: str) -> Term:
        """What the units that were placed there this turn count for the limit."""
        return linear(self._worths(territory))

    @once
    def _worths(self, territory: str) -> list[tuple[int, Term]]:
        """What a unit of each kind counts for the limit, and how many of them were placed there this turn."""
        units = self.f.board.units
        return [(worth, self.f.placed[territory, u]) for u in units if (worth := self.worth(u, territory))]

    @encodes("IC/3")
    def worth(self, unit: str, territory: str) -> int:
        """What a unit counts for the limit of the complex: its price; infantry, limited by itself, counts 0."""
        if unit == COMPLEX:
            return max(self.price(territory), 0) if self._readings["complex_value"] == "counted" else 0
        return 0 if unit == INFANTRY else self.f.board.units[unit].cost

    @encodes("IC/2")
    def within_value(self, territory: str, worth: Term) -> Term:
        """Whether units that count so much may still be placed at a complex this turn."""
        return le(add(self.value_placed(territory), worth), self.most_value(territory))

    @cached_property
    def value_left(self) -> Mapping[str, Term]:
        """IPCs of units that the owner of each territory may still place there this turn."""
        land = self.f.board.land
        return {t: _not_below_zero(sub(self.value_limit(t), self.value_placed(t))) for t in land}

    # ---- complexes

    @encodes("IC-p2/1", "IC-p2/4", "IC-p2/7")
    def price(self, territory: str) -> int:
        """What a complex costs: its base price less the territory's IPC value times the points of its city."""
        board = self.f.board
        price = board.units[COMPLEX].cost - board.territories[territory].ipc * city_points(board, territory)
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
        if nowhere := self.only_at_cities(territory):
            yield from nowhere
            return
        yield self._since_start(power, territory, "VC-infantry/4")
        most, why = self.most_infantry(power, territory)
        placed, before = f.placed[territory, INFANTRY], self._used_before(power, territory)
        yield Requirement(
            le(add(placed, before, number), most),
            self.too_many(power, territory, most, "per turn", self._so_far(power, territory)),
            (*why, *(cite("VC-infantry-p4/1") if self.emergency_counts else ()), *city_clause(f.board, territory)),
        )

    @encodes("VC-infantry/1", "VC-infantry/2")
    def only_at_cities(self, territory: str) -> tuple[Requirement, ...]:
        """That infantry is placed only where there is a victory city; a complex does not build it."""
        if territory in self.f.board.cities:
            return ()
        message = f"infantry is placed only at victory cities, and {territory} has none"
        return (Requirement(FALSE, message, cite("VC-infantry/1", "VC-infantry/2")),)

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
        yield self.held_long_enough(power, territory)
        cost = scale(number, self.worth(unit, territory))
        yield Requirement(
            self.within_value(territory, cost),
            self._worth_too_much(territory, of_units(self.f.board, in_words(number), unit), in_words(cost)),
            cite("IC/2", "IC/3"),
        )

    def _worth_too_much(self, territory: str, what: str, worth: int) -> Message:
        most, worths, times = self.most_value(territory), self._worths(territory), self.f.board.ipc_factor

        def message(values: Mapping[Term, Value]) -> str:
            done = sum(cost * int(values[placed]) for cost, placed in worths)
            already = f", and units worth {done} are placed already" if done else ""
            limit = f"units placed in {territory} may be worth at most {amount(most, 'IPC')} per turn"
            return f"{limit} ({times} times its {most // times}){already}; this is {what}, worth {worth}"

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
        if worth := self.worth(COMPLEX, territory):
            within = self.within_value(territory, integer(worth))
            what = "a complex (which counts by the reading complex_value)"
            yield Requirement(within, self._worth_too_much(territory, what, worth), cite("IC/2"))


def _all(needs: Iterable[Requirement]) -> Term:
    return all_of(r.term for r in needs)


def _not_below_zero(x: Term) -> Term:
    return ite(ge(x, 0), x, integer(0))

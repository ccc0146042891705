"""Industrial complexes: what is built at them, what they cost, where they are placed, and when they are destroyed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

from vclogic_encodings.axis_allies.board import COMPLEX, INFANTRY
from vclogic_encodings.axis_allies.citing import cite, encodes
from vclogic_encodings.axis_allies.fluents import Fluents, at_least_zero
from vclogic_encodings.axis_allies.names import BOUGHT, NONE, PERMANENT
from vclogic_encodings.axis_allies.rules.possession import possession
from vclogic_encodings.axis_allies.rules.victory_cities import city_points
from vclogic_encodings.axis_allies.wording import in_words, of_units

from vclogic.model.actions import Requirement
from vclogic.model.fluents import Value
from vclogic.model.memoized import memoized
from vclogic.model.system import Settings
from vclogic.terms.atoms import FALSE, integer, member
from vclogic.terms.build import add, all_of, and_, any_of, eq, ite, le, linear, ne, not_, scale, sub, total
from vclogic.terms.partial import Partial
from vclogic.terms.term import Term, variables
from vclogic.words import amount

Changes = Mapping[Term, Term]


class Complexes:
    """The rules of industrial complexes.

    A limit is that of the present turn; for a power that is not on turn, of its turn if that began now.
    """

    def __init__(self, fluents: Fluents, settings: Settings):
        self.fluents = fluents
        self.board = fluents.board
        self._readings = settings.readings

    # ---- what is built at them

    def unit_needs(self, power: str, unit: str, number: Term, territory: str) -> Iterable[Requirement]:
        """The requirements for placing units other than infantry and complexes."""
        message = f"there was no industrial complex in {territory} when the turn began"
        yield Requirement(self.ready(territory), message, cite("IC/1", "IC-p3/2", "IC-p3/3"))
        yield self.held_long_enough(power, territory)
        worth = scale(number, self.worth(unit, territory))
        what = of_units(self.board, in_words(number), unit)
        message_of_limit = self._worth_too_much(territory, what, in_words(worth))
        yield Requirement(self.within_value(territory, worth), message_of_limit, cite("IC/2", "IC/3"))

    @encodes("IC/1", "IC-p3/2", "IC-p3/3")
    @memoized
    def ready(self, territory: str) -> Term:
        """Units other than infantry need a complex that has stood there since the turn began."""
        return and_(ne(self.fluents.complexes[territory], NONE), self.fluents.complex_at_turn_start[territory])

    @encodes("IC-p3/2", "IC-p3/3")
    def held_long_enough(self, power: str, territory: str) -> Requirement:
        """Units are placed at a complex by who held its territory when the turn began; who takes one waits a turn."""
        if self._readings["captured_complex"] == "next_turn":
            return possession(self.fluents, power, territory, "IC-p3/2", "IC-p3/3")
        message = f"{territory} does not belong to the {power}"
        return Requirement(self.fluents.owns(power, territory), message, cite("IC-p3/2", "IC-p3/3"))

    def takes_units(self, power: str, territory: str) -> Term:
        """True if a complex there takes units of the power, as far as its limit goes."""
        return and_(self.held_long_enough(power, territory).term, self.ready(territory))

    @encodes("IC/2")
    def most_value(self, territory: str) -> int:
        """Units placed at a complex per turn may be worth a multiple of its territory's IPC value at the most."""
        return self.board.ipc_factor * self.board.territories[territory].ipc

    @encodes("IC/2")
    def within_value(self, territory: str, worth: Term) -> Term:
        """Units placed at a complex in a turn count together: at most as much as the complex may build per turn."""
        return le(add(self.value_placed(territory), worth), self.most_value(territory))

    @encodes("IC/3")
    def worth(self, unit: str, territory: str) -> int:
        """A unit counts its price for the limit of the complex; infantry has limits of its own and counts 0."""
        if unit == COMPLEX:
            return max(self.price(territory), 0) if self._readings["complex_value"] == "counted" else 0
        return 0 if unit == INFANTRY else self.board.units[unit].cost

    @memoized
    def value_placed(self, territory: str) -> Term:
        """The value for the limit of the units that were placed there this turn."""
        return linear(self._worths(territory))

    @memoized
    def _worths(self, territory: str) -> list[tuple[int, Term]]:
        """The value of a unit of each kind for the limit, and the number of them that were placed there this turn."""
        units = self.board.units
        return [(worth, self.fluents.placed[territory, u]) for u in units if (worth := self.worth(u, territory))]

    def value_limit(self, territory: str) -> Term:
        """The limit of a complex where its owner may place units this turn, else 0."""
        open_ = any_of(self.takes_units(p, territory) for p in self.board.powers)
        return total([(self.most_value(territory), open_)])

    @cached_property
    def value_left(self) -> Mapping[str, Term]:
        """IPCs of units that the owner of each territory may still place there this turn."""
        land = self.board.land
        return {t: at_least_zero(sub(self.value_limit(t), self.value_placed(t))) for t in land}

    def _worth_too_much(self, territory: str, what: str, worth: int) -> Callable[[Mapping[Term, Value]], str]:
        most, worths, times = self.most_value(territory), self._worths(territory), self.board.ipc_factor

        def message(values: Mapping[Term, Value]) -> str:
            done = sum(cost * int(values[placed]) for cost, placed in worths)
            already = f", and units worth {done} are placed already" if done else ""
            limit = f"units placed in {territory} may be worth at most {amount(most, 'IPC')} per turn"
            return f"{limit} ({times} times its {most // times}){already}; this is {what}, worth {worth}"

        return message

    # ---- what they cost

    @encodes("IC-p2/1")
    def price(self, territory: str) -> int:
        """The price of a complex depends on the territory in which it will be placed."""
        in_city = self.board.territories[territory].city
        price = self.price_at_city(territory) if in_city else self.base_price()
        return price if self._readings["price_below_zero"] == "received" else max(price, 0)

    @encodes("IC-p2/4")
    def price_at_city(self, territory: str) -> int:
        """Its base price less the territory's IPC value times the points of its city."""
        ipc = self.board.territories[territory].ipc
        return self.board.units[COMPLEX].cost - ipc * city_points(self.board, territory)

    @encodes("IC-p2/7")
    def base_price(self) -> int:
        """Without a city in its territory a complex costs its base price."""
        return self.board.units[COMPLEX].cost

    def price_parts(self, territory: str) -> Iterator[tuple[int, str]]:
        """The addends of a complex's price."""
        land, cost = self.board.territories[territory], self.board.units[COMPLEX].cost
        yield cost, "the price of an industrial complex"
        less = self.price_at_city(territory) - cost if land.city else 0
        if land.city and less:
            points = amount(city_points(self.board, territory), "point")
            yield less, f"{territory} brings {amount(land.ipc, 'IPC')}, and {land.city.name} {points}"
        yield self.price(territory) - cost - less, "a price is never below 0: Reading price_below_zero"

    def lowest_price(self, power: str) -> Partial:
        """The lowest price at which the power may have a complex placed; undefined where it may have none."""
        by_price = sorted(self.board.land, key=self.price, reverse=True)
        allowed = {t: self.may_build(power, t) for t in by_price}
        lowest = integer(self.price(by_price[0]))
        for t, may in allowed.items():
            lowest = ite(may, integer(self.price(t)), lowest)
        return Partial(lowest, any_of(allowed.values()))

    # ---- where and when they are placed

    def needs(self, power: str, territory: str) -> Iterable[Requirement]:
        """The requirements for placing a complex, apart from its declaration."""
        yield possession(self.fluents, power, territory, "IC-p3/1")
        if self._readings["second_complex"] == "refused":
            none = eq(self.fluents.complexes[territory], NONE)
            message = f"{territory} has an industrial complex already (reading second_complex)"
            yield Requirement(none, message, cite("IC/2", "IC-p2/4"))
        else:
            first = eq(self.fluents.placed[territory, COMPLEX], 0)
            message = f"a complex was placed in {territory} this turn: one a turn (reading second_complex)"
            yield Requirement(first, message, cite("IC-p2/2"))
        if worth := self.worth(COMPLEX, territory):
            within = self.within_value(territory, integer(worth))
            what = "a complex (which counts by the reading complex_value)"
            yield Requirement(within, self._worth_too_much(territory, what, worth), cite("IC/2"))

    @memoized
    def may_build(self, power: str, territory: str) -> Term:
        """True if the power may have a complex placed there this turn."""
        return all_of(r.term for r in self.needs(power, territory))

    @encodes("IC-p2/2")
    def declaration(self, count: Term, at: str) -> tuple[Requirement, ...]:
        """Whoever buys a complex says where it will stand."""
        why = cite("IC-p2/2")
        if at == NONE:
            return (Requirement(FALSE, "say where the industrial complex will be placed (`at`)", why),)
        twice = f"an industrial complex for {at} has been bought this turn already"
        return (
            Requirement(eq(count, 1), "buy industrial complexes one by one, each with its place", why),
            Requirement(not_(self.fluents.declared[at]), twice, why),
        )

    @encodes("IC-p2/2")
    def as_declared(self, count: Term, territory: str) -> tuple[Requirement, ...]:
        """A complex is placed where it was declared to stand."""
        why, message = cite("IC-p2/2", "IC-p2/3"), f"no complex was bought for {territory} this turn"
        return (
            Requirement(eq(count, 1), "one complex at a time is placed in a territory", why),
            Requirement(self.fluents.declared[territory], message, why),
        )

    @encodes("IC-p2/3")
    def placed(self, territory: str) -> Term:
        """The complex in a territory once one is placed there; one that stood there stays of its kind."""
        kind = self.fluents.complexes[territory]
        return ite(eq(kind, NONE), member(self.fluents.complex_kinds.sort, BOUGHT), kind)

    # ---- when they are destroyed

    @encodes("IC-p4/1")
    def not_permanent(self, territory: str) -> Requirement:
        """Complexes that were there at the start of the game are never destroyed."""
        message = f"the {COMPLEX} in {territory} was there at the start of the game: it is permanent"
        bought = ne(self.fluents.complexes[territory], PERMANENT)
        return Requirement(bought, message, cite("IC-p4/1", "IC-p4/2"))

    @encodes("IC-p4/2")
    def there_is_one(self, territory: str) -> Requirement:
        """The defender destroys a complex only where there is one."""
        message = f"there is no {COMPLEX} in {territory} to destroy"
        return Requirement(ne(self.fluents.complexes[territory], NONE), message, cite("IC-p4/2"))

    @encodes("IC-p4/2")
    def destroyed(self, territory: str) -> Changes:
        """The defender may destroy a complex as its territory is taken: it is gone then."""
        return {self.fluents.complexes[territory]: member(self.fluents.complex_kinds.sort, NONE)}

    def may_be_destroyed(self, goal: Term, start: Mapping[Term, Term]) -> str:
        """Why a goal is not decided by captures without a choice of the defender: it is about a bought complex."""
        of_goal = set(variables(goal))
        bought = [t for (t,), x in self.fluents.complexes.fluents.items() if x in of_goal and not_permanent(start[x])]
        if not bought:
            return ""
        where = f"the {COMPLEX} in {bought[0]} is destroyed as it is taken"
        return f"the defender chooses whether {where}; plans leave that out"


def not_permanent(kind: Term) -> bool:
    """True if a complex of a known kind can be destroyed."""
    return str(kind.value) not in (PERMANENT, NONE)

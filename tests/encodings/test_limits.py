"""What may be placed where: against limits written from the rule text, and against what records may hold."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.games import loaded
from tests.fixtures.pace import examples
from tests.oracles.placement_limits import AXIS, COSTS, ORDER
from tests.toys.victory_cities_play import (
    Moment,
    beginning,
    domain_of_units,
    place,
    purchase,
    random_settings,
    record,
)
from vclogic.encode.python.evaluator import interpret
from vclogic.model.fluents import Value, value

seeds = st.integers(0, 2**32 - 1)
lengths = st.integers(0, 14)
SHIPS = ("transport", "submarine", "destroyer", "carrier", "battleship")


def random_moment(seed: int, length: int, *, default: bool) -> Moment:
    """The end of a random record, under default settings or any."""
    rng = Random(seed)
    return record(beginning(() if default else random_settings(rng), rng), length, rng)[-1]


def ask(moment: Moment, name: str, *arguments: str) -> Value | None:
    """The value of an observable; None where it is undefined."""
    found, slot = moment.system.vocabulary[name].partial(*arguments), moment.system.layout.slot
    if not interpret(found.defined, slot, moment.state):
        return None
    return value(found.value.sort, interpret(found.value, slot, moment.state))


# ---- against the rule text


@examples(12)
@given(seeds, lengths)
def test_the_limits_are_those_of_the_text(seed: int, length: int) -> None:
    moment = random_moment(seed, length, default=True)
    for t in moment.land:
        land = moment.at(t)
        assert ask(moment, "unit_value_limit", t) == land.value_limit, t
        assert ask(moment, "ic_price", t) == land.complex_price, t
        for p in ORDER:
            assert ask(moment, "may_build_ic", p, t) == land.may_build(p), (p, t)
            assert ask(moment, "infantry_limit", p, t) == land.infantry_limit(p), (p, t)
    for p in ORDER:
        lands = [moment.at(t) for t in moment.land]
        prices = [land.complex_price for land in lands if land.may_build(p)]
        assert ask(moment, "lowest_ic_price", p) == min(prices, default=None), p
        assert ask(moment, "infantry_capacity", p) == sum(land.infantry_limit(p) for land in lands), p


@examples(12)
@given(seeds, lengths)
def test_what_is_counted_for_a_power_and_for_a_side_is_what_they_hold(seed: int, length: int) -> None:
    moment = random_moment(seed, length, default=False)
    lands = {t: moment.at(t) for t in moment.land}
    for party, powers in {"Axis": AXIS, "Allies": {*ORDER} - AXIS, **{p: {p} for p in ORDER}}.items():
        held = [land for land in lands.values() if land.owner in powers]
        assert ask(moment, "territories", party) == len(held), party
        assert ask(moment, "cities", party) == sum(land.city is not None for land in held), party
        assert ask(moment, "vcp", party) == sum(land.city[1] for land in held if land.city), party


@examples(9)
@given(seeds, lengths)
def test_what_may_be_placed_is_what_the_text_allows(seed: int, length: int) -> None:
    moment = random_moment(seed, length, default=True)
    for t in Random(seed).sample(moment.land, 12):
        land = moment.at(t)
        for p in {moment.turn, land.owner, *ORDER[:2]}:
            for unit in (*COSTS, "complex"):
                assert ask(moment, "may_place", p, unit, t) == land.may_place(p, unit), (p, unit, t)


@examples(9)
@given(seeds, lengths)
def test_the_rules_say_what_is_left(seed: int, length: int) -> None:
    moment = random_moment(seed, length, default=True)
    slot = moment.system.layout.slot
    for rule in moment.system.rules:
        kind, _, t = rule.name.rstrip("]").partition("[")
        if kind in ("infantry", "units"):
            land = moment.at(t)
            most = land.infantry_limit(land.owner) if kind == "infantry" else land.value_limit
            done = land.placed.get("infantry", 0) if kind == "infantry" else land.value_placed
            assert interpret(rule.term, slot, moment.state) == max(most - done, 0), rule.name  # type: ignore[arg-type]


# ---- against events, under any readings


def over(moment: Moment) -> bool:
    """Whether no step is allowed any more."""
    return bool(moment.refused(purchase(moment.turn, "infantry")))


def free(moment: Moment) -> dict[str, str]:
    """Settings under which what is not bought may be placed, in any order and without money, whatever the others."""
    settings = {**moment.setup.settings.options, **moment.setup.settings.readings}
    wanted = {"treasury": "off", "missing_purchases": "allowed", "phases": "named"}
    return {name: str(settings[name]) for name, x in wanted.items() if settings[name] != x}


def free_moment(seed: int, length: int) -> Moment | None:
    """A random moment at which only the limits decide what may be placed; None if the chance is against it."""
    moment = random_moment(seed, length, default=False)
    return None if free(moment) or over(moment) else moment


def accepted(moment: Moment, unit: str, count: int, t: str) -> bool:
    """Whether a record may go on with a placement."""
    return not moment.refused(place(moment.turn, unit, count, t))


@examples(12)
@given(seeds, lengths)
def test_may_place_says_whether_a_record_may_place_one(seed: int, length: int) -> None:
    moment = free_moment(seed, length)
    if moment is None:
        return
    refuses_ships = moment.setup.settings.options["level"] == "armies"
    for unit in domain_of_units(moment.system):
        bought = moment.values[f"bought[{unit}]"]
        for t in Random(seed).sample(moment.land, 6):
            if refuses_ships and unit in SHIPS:
                continue  # where units stand on the map ships are launched into a zone
            may = ask(moment, "may_place", moment.turn, unit, t)
            if unit == "complex":
                assert accepted(moment, unit, 1, t) == (may and moment.values[f"declared[{t}]"])
            elif not bought:
                assert accepted(moment, unit, 1, t) == may, (unit, t)
            elif not may:
                assert not accepted(moment, unit, 1, t), (unit, t)


@examples(12)
@given(seeds, lengths)
def test_may_build_says_whether_a_complex_can_be_bought_and_placed(seed: int, length: int) -> None:
    moment = free_moment(seed, length)
    if moment is None:
        return
    power = moment.turn
    for t in Random(seed).sample(moment.land, 25):
        buy = purchase(power, "complex", 1, t)
        may = ask(moment, "may_build_ic", power, t)
        assert ask(moment, "may_place", power, "complex", t) == may
        if not moment.values[f"declared[{t}]"]:
            assert (not moment.refused(buy)) == may, t
            if may:
                built = moment.after(buy, place(power, "complex", 1, t))
                assert ask(built, "complex", t) == (
                    "bought" if moment.at(t).complex == "none" else moment.at(t).complex
                )


@examples(12)
@given(seeds, lengths)
def test_the_infantry_limit_is_the_most_that_can_be_placed(seed: int, length: int) -> None:
    moment = free_moment(seed, length)
    if moment is None or moment.values["bought[infantry]"]:
        return
    for t in Random(seed).sample(moment.land, 20):
        limit = int(ask(moment, "infantry_limit", moment.turn, t) or 0)
        done = moment.at(t).placed.get("infantry", 0)
        left = limit - done
        assert left <= 0 or accepted(moment, "infantry", left, t), (t, limit, done)
        assert not accepted(moment, "infantry", max(left, 0) + 1, t), (t, limit, done)
        one_by_one = moment
        for _ in range(left):
            one_by_one = one_by_one.after(place(moment.turn, "infantry", 1, t))
        assert not accepted(one_by_one, "infantry", 1, t)


@examples(12)
@given(seeds, lengths)
def test_the_value_limit_is_the_most_that_units_can_be_worth(seed: int, length: int) -> None:
    moment = free_moment(seed, length)
    if moment is None or moment.setup.settings.readings["complex_value"] == "counted":
        return
    left_out = {"infantry", *(SHIPS if moment.setup.settings.options["level"] == "armies" else ())}  # ships: launched
    units = [u for u in COSTS if u not in left_out and not moment.values[f"bought[{u}]"]]
    for t in moment.land:
        if moment.at(t).owner != moment.turn:
            continue
        left = int(ask(moment, "unit_value_limit", t) or 0) - moment.at(t).value_placed
        for unit in Random(seed).sample(units, min(2, len(units))):
            most = max(left, 0) // COSTS[unit]
            assert not most or accepted(moment, unit, most, t), (t, unit, left)
            assert not accepted(moment, unit, most + 1, t), (t, unit, left)


# ---- in plans


@pytest.mark.parametrize(
    ("reading", "status"),
    [pytest.param("each_attack", "optimal", marks=pytest.mark.slow), ("first_turn", "impossible")],
)
def test_plans_that_buy_know_what_emergencies_have_used_up(reading: str, status: str) -> None:
    """Oslo takes one infantry per turn; read as `first_turn` it has had that one before Germany's first turn."""
    settings = {"level": "armies", "purchases": "on", "theatre": "land", "emergency_limit": reading}
    game = loaded("axis_allies", **settings).apply("attack", power="Russians", territory="Norway")
    game = game.apply("emergency", power="Germans", territory="Norway", infantry=1)
    game = game.apply("attack_fails", power="Russians", territory="Norway").apply("end_turn")
    assert game.plan("units(Norway, Germans, infantry) >= 5", within=1).status == status
    assert game.plan("units(Norway, Germans, infantry) >= 5", within=2).status == "optimal"

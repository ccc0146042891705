"""Random legal records of Axis & Allies with one step that breaks one clause: refused there, by that clause."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from tests.oracles.placement_limits import AXIS, COSTS, ORDER, city_limit, limit_clause
from tests.toys.victory_cities_play import (
    KINDS,
    MEMO,
    Moment,
    beginning,
    capture,
    city_table,
    event,
    place,
    purchase,
    record,
    setup_of,
)
from vclogic.errors import InputError
from vclogic.files.position import load_setup
from vclogic.files.write import write_position
from vclogic.model.actions import Event
from vclogic.query.replay import play_record

seeds = st.integers(0, 2**32 - 1)
Wrong = tuple[Moment, Event, str]
"""A moment, an event that breaks one clause then, and the clause."""


def own_land(m: Moment) -> list[str]:
    """What the power on turn has held since the turn began."""
    return [t for t in m.land if m.at(t).kept_by(m.turn)]


def enemy_land(m: Moment) -> list[str]:
    """What the other side holds and has not defended this turn."""
    enemy = (t for t in m.land if (m.at(t).owner in AXIS) != (m.turn in AXIS))
    return [t for t in enemy if not m.values[f"failed_attacks[{t}]"]]


def unbought(m: Moment, *units: str) -> list[str]:
    """Units of which none was bought, so that the record leaves open how many there are."""
    return [u for u in units if not m.values[f"bought[{u}]"]]


def infantry_where_no_city_is(m: Moment) -> Iterator[Wrong]:
    for t in own_land(m):
        if t not in city_table() and unbought(m, "infantry"):
            yield m, place(m.turn, "infantry", 1, t), "VC-infantry/2"


def infantry_at_a_city_taken_this_turn(m: Moment) -> Iterator[Wrong]:
    for t in enemy_land(m):
        if t in city_table() and city_limit(m.turn, *city_table()[t]) and unbought(m, "infantry"):
            yield m.after(capture(m.turn, t)), place(m.turn, "infantry", 1, t), "VC-infantry/4"


def infantry_beyond_the_limit(m: Moment) -> Iterator[Wrong]:
    for t in own_land(m):
        if t in city_table() and unbought(m, "infantry"):
            left = m.at(t).infantry_limit(m.turn) - m.at(t).placed.get("infantry", 0)
            yield m, place(m.turn, "infantry", left + 1, t), limit_clause(m.turn, *city_table()[t])


def more_than_was_bought(m: Moment) -> Iterator[Wrong]:
    for t in own_land(m):
        placed = any(m.at(other).placed.get("infantry") for other in m.land)
        if m.at(t).infantry_limit(m.turn) >= 2 and not placed and unbought(m, "infantry"):
            yield m.after(purchase(m.turn, "infantry")), place(m.turn, "infantry", 2, t), "VC-infantry/3"


def units_where_no_complex_stands(m: Moment) -> Iterator[Wrong]:
    for t in own_land(m):
        for unit in unbought(m, "artillery", "armour"):
            if m.at(t).complex == "none" and COSTS[unit] <= 4 * m.at(t).ipc:
                yield m, place(m.turn, unit, 1, t), "IC/1"


def units_worth_too_much(m: Moment) -> Iterator[Wrong]:
    for t in own_land(m):
        for unit in unbought(m, "artillery", "fighter"):
            if m.at(t).value_limit:
                most = (m.at(t).value_limit - m.at(t).value_placed) // COSTS[unit]
                yield m, place(m.turn, unit, most + 1, t), "IC/2"


def units_at_a_complex_of_this_turn(m: Moment) -> Iterator[Wrong]:
    for t in own_land(m):
        for unit in unbought(m, "artillery"):
            if m.at(t).may_build(m.turn) and m.at(t).ipc and not m.values[f"declared[{t}]"]:
                built = m.after(purchase(m.turn, "complex", 1, t), place(m.turn, "complex", 1, t))
                yield built, place(m.turn, unit, 1, t), "IC-p3/2"


def units_at_a_complex_taken_this_turn(m: Moment) -> Iterator[Wrong]:
    for t in enemy_land(m):
        for unit in unbought(m, "armour"):
            if m.at(t).complex != "none" and 4 * m.at(t).ipc >= COSTS[unit]:
                yield m.after(capture(m.turn, t)), place(m.turn, unit, 1, t), "IC-p3/2"


def a_complex_that_was_not_declared(m: Moment) -> Iterator[Wrong]:
    for t in own_land(m):
        if m.at(t).may_build(m.turn) and not m.values[f"declared[{t}]"]:
            yield m, place(m.turn, "complex", 1, t), "IC-p2/2"


def a_complex_for_no_place(m: Moment) -> Iterator[Wrong]:
    yield m, purchase(m.turn, "complex"), "IC-p2/2"


def a_complex_where_land_was_taken_this_turn(m: Moment) -> Iterator[Wrong]:
    for t in enemy_land(m):
        if m.at(t).complex == "none":
            yield m.after(capture(m.turn, t)), purchase(m.turn, "complex", 1, t), "IC-p3/1"


def a_permanent_complex_destroyed(m: Moment) -> Iterator[Wrong]:
    for t in enemy_land(m):
        if m.at(t).complex == "permanent":
            yield m, capture(m.turn, t, "yes"), "IC-p4/1"


def a_complex_destroyed_that_is_not_there(m: Moment) -> Iterator[Wrong]:
    for t in enemy_land(m):
        if m.at(t).complex == "none":
            yield m, capture(m.turn, t, "yes"), "IC-p4/2"


def _defended(m: Moment) -> Iterator[tuple[str, str, int]]:
    """Cities of the other side, their defender, and how many infantry it may place there."""
    for t in enemy_land(m):
        if t in city_table() and (limit := city_limit(m.at(t).owner, *city_table()[t])):
            yield t, m.at(t).owner, limit


def an_emergency_without_an_attack(m: Moment) -> Iterator[Wrong]:
    for t, defender, limit in _defended(m):
        early = not m.values[f"first_turn_done[{defender}]"]
        if early and not m.values[f"attacked[{t}]"] and int(m.values[f"emergency[{t}]"]) < limit:
            yield m, event("emergency", defender, t, 1), "VC-infantry-p4/1"


def an_emergency_after_the_battle(m: Moment) -> Iterator[Wrong]:
    for t, defender, limit in _defended(m):
        if not m.values[f"first_turn_done[{defender}]"] and int(m.values[f"emergency[{t}]"]) < limit:
            over = m.after(event("attack", m.turn, t), event("attack_fails", m.turn, t))
            yield over, event("emergency", defender, t, 1), "VC-infantry-p4/1"


def an_emergency_after_the_first_turn(m: Moment) -> Iterator[Wrong]:
    for t, defender, limit in _defended(m):
        if m.values[f"first_turn_done[{defender}]"] and int(m.values[f"emergency[{t}]"]) < limit:
            yield m.after(event("attack", m.turn, t)), event("emergency", defender, t, 1), "VC-infantry-p4/2"


def an_emergency_beyond_the_limit(m: Moment) -> Iterator[Wrong]:
    for t, defender, limit in _defended(m):
        if not m.values[f"first_turn_done[{defender}]"]:
            left = limit - int(m.values[f"emergency[{t}]"])
            clause = limit_clause(defender, *city_table()[t])
            yield m.after(event("attack", m.turn, t)), event("emergency", defender, t, left + 1), clause


def an_emergency_of_another_power(m: Moment) -> Iterator[Wrong]:
    for t, defender, _ in _defended(m):
        others = [p for p in ORDER if p != defender and not m.values[f"first_turn_done[{p}]"]]
        for p in others:
            if city_limit(p, *city_table()[t]) > int(m.values[f"emergency[{t}]"]):
                yield m.after(event("attack", m.turn, t)), event("emergency", p, t, 1), "VC-infantry-p4/1"


def a_late_bid(m: Moment) -> Iterator[Wrong]:
    if not m.values["bid"] and (m.values["round"] != 1 or m.turn != ORDER[0]):
        yield m, event("bid", 4, 5, "none"), "victory-minor/1"


def a_second_bid(m: Moment) -> Iterator[Wrong]:
    if m.values["round"] == 1 and m.turn == ORDER[0] and m.values["phase"] == "begin" and not m.values["bid"]:
        yield m.after(event("bid", 6, 5, "none")), event("bid", 4, 5, "none"), "victory-minor/1"


def equal_bids(m: Moment) -> Iterator[Wrong]:
    if m.values["round"] == 1 and m.turn == ORDER[0] and m.values["phase"] == "begin" and not m.values["bid"]:
        yield m, event("bid", 5, 5, "none"), "victory-minor/2"


def out_of_turn(m: Moment) -> Iterator[Wrong]:
    """No clause says that powers act in their turns; the refusal does."""
    for p in ORDER:
        if p != m.turn:
            yield m, purchase(p, "bomber"), ""


SPOILERS: tuple[Callable[[Moment], Iterator[Wrong]], ...] = (
    infantry_where_no_city_is,
    infantry_at_a_city_taken_this_turn,
    infantry_beyond_the_limit,
    more_than_was_bought,
    units_where_no_complex_stands,
    units_worth_too_much,
    units_at_a_complex_of_this_turn,
    units_at_a_complex_taken_this_turn,
    a_complex_that_was_not_declared,
    a_complex_for_no_place,
    a_complex_where_land_was_taken_this_turn,
    a_permanent_complex_destroyed,
    a_complex_destroyed_that_is_not_there,
    an_emergency_without_an_attack,
    an_emergency_after_the_battle,
    an_emergency_after_the_first_turn,
    an_emergency_beyond_the_limit,
    an_emergency_of_another_power,
    a_late_bid,
    a_second_bid,
    equal_bids,
    out_of_turn,
)


def some_wrong(spoiler: Callable[[Moment], Iterator[Wrong]], moments: list[Moment], rng: Random) -> Wrong | None:
    """A step that breaks the clause at a moment of a record, if it can be broken at one."""
    for moment in rng.sample(moments, len(moments)):
        if found := list(spoiler(moment)):
            return rng.choice(found)
    return None


@pytest.mark.parametrize("spoiler", SPOILERS, ids=lambda s: s.__name__)
def test_one_broken_clause_is_the_one_that_is_named(spoiler: Callable[[Moment], Iterator[Wrong]]) -> None:
    broken: list[str] = []

    @examples(100)
    @given(seeds)
    def named(seed: int) -> None:
        rng = Random(seed)
        moments = record(beginning((), rng, first_round=rng.random() < 0.5), rng.randrange(8), rng)
        wrong = some_wrong(spoiler, moments, rng)
        if wrong is not None:
            moment, step, clause = wrong
            refused = moment.refused(step)
            assert len(refused) == 1, (step, refused)
            assert clause in refused[0] if clause else not refused[0], (step, refused)
            broken.append(clause)

    named()
    assert broken, "no record in which this could go wrong"


@examples(15)
@given(seeds)
def test_a_record_is_refused_at_the_step_and_nothing_after_it_counts(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    rng = Random(seed)
    moments = record(beginning((), rng, first_round=rng.random() < 0.5), 2 + rng.randrange(8), rng, KINDS)
    wrong = some_wrong(rng.choice(SPOILERS), moments, rng)
    if wrong is None:
        return
    moment, step, clause = wrong
    file = tmp_path_factory.mktemp("refused") / "position.yaml"
    later = (Event("end_turn"), step)  # would be refused as well, or leave another state
    file.write_text(write_position(setup_of(), moment.start, (*moment.history, step, *later)), encoding="utf-8")
    setup = load_setup(str(file), memo=MEMO)
    with pytest.raises(InputError) as error:
        play_record(setup.system, setup.initial, setup.record)
    (said,) = error.value.diagnostics
    number = len(moment.history) + 1
    assert said.message.startswith(f"step {number}, {step.name}(")
    assert clause in said.message
    assert said.file == str(file)
    assert step.name in file.read_text().splitlines()[(said.line or 0) - 1]

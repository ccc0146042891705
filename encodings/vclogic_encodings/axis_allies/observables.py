"""What goals, rulings and `status` speak of."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from vclogic_encodings.axis_allies.citing import cite
from vclogic_encodings.axis_allies.game import Context
from vclogic_encodings.axis_allies.rules.victory_cities import city_count, victory_points

from vclogic.model.lazy import Later
from vclogic.model.rules import Entry, Observable, Table
from vclogic.terms.atoms import boolean, integer
from vclogic.terms.build import and_, any_of, gt, not_
from vclogic.terms.partial import Partial

POINTS = cite("VC/1", "VC/2", "VC-p2/1", "VC-p2/2")
INFANTRY_LEFT, VALUE_LEFT, NEW_COMPLEX = "Infantry", "Other units, worth IPCs", "New complex, price in IPCs"
ATTACKED, FAILED = "Battle to come", "Attack failed"
LIMITS = cite("VC-infantry-p2/1", "VC-infantry-p2/2", "VC-infantry-p3/1", "VC-infantry-p3/2", "VC-infantry-p3/3")


def observables(c: Context) -> Iterable[Observable]:
    """All of them."""
    yield from _control(c)
    yield from _infantry(c)
    yield from _complexes(c)
    yield from _time(c)
    if c.f.armies:
        text = "how many of these units the power has in the territory or sea zone"
        names = (c.f.regions, c.f.powers, c.f.forces)
        yield Observable("units", names, lambda r, p, u: c.f.units[r, p, u], text)


def _control(c: Context) -> Iterable[Observable]:
    f = c.f
    text = "victory city points of what the side controls, or of what the power owns"
    yield Observable("vcp", (f.parties,), partial(victory_points, f), text, POINTS)
    text = "how many victory cities the side controls, or the power owns"
    yield Observable("cities", (f.parties,), partial(city_count, f), text, cite("VC/1", "VC-p2/1", "VC-p2/2"))
    text = "the power that owns the territory"
    yield Observable("owner", (f.territories,), lambda t: f.owner[t], text, values=f.powers)
    text = "the power that owned the territory when the turn began"
    start = f.owner_at_turn_start
    yield Observable(
        "owner_at_turn_start", (f.territories,), lambda t: start[t], text, cite("VC-infantry/4", "IC-p3/1"), f.powers
    )
    text = "a power of the side owns the territory"
    yield Observable("controls", (f.sides, f.territories), f.controls, text)
    text = "how many territories the side controls, or the power owns"
    yield Observable("territories", (f.parties,), f.territory_count, text, cite("victory-total/1"))
    text = "the sum of the IPC values of what the power owns; not its treasury"
    yield Observable("ipc", (f.powers,), f.income, text)
    counted = boolean(c.counts_money)
    text = "IPCs that the power has in hand; undefined unless treasury=on"
    yield Observable("treasury", (f.powers,), lambda p: Partial(f.treasury[p], counted), text)


def _infantry(c: Context) -> Iterable[Observable]:
    f, places = c.f, c.placement
    text = "how many infantry per turn the power may place at the city as things stand, placed ones included"
    cites = (*cite("VC-infantry/2", "VC-infantry/4"), *LIMITS)
    yield Observable("infantry_limit", (f.powers, f.territories), places.infantry.limit_now, text, cites)
    text = "the infantry limits of all cities of the power together"
    yield Observable("infantry_capacity", (f.powers,), places.infantry.capacity, text, cites)
    text = "infantry placed at the city before its defender's first turn, as it was attacked"
    cites = cite("VC-infantry-p4/1", "VC-infantry-p4/2")
    yield Observable("emergency_infantry", (f.territories,), lambda t: f.emergency[t], text, cites)
    text = "the territory is under attack, its battle not yet fought"
    yield Observable("under_attack", (f.territories,), lambda t: f.attacked[t], text, cite("VC-infantry-p4/1"))
    text = "the territory was attacked this turn, and the attack has failed"
    cites = cite("VC-infantry-p4/1")
    yield Observable("attack_failed", (f.territories,), lambda t: f.failed_attacks[t], text, cites)
    text = "the power has had its first turn"
    yield Observable("first_turn_done", (f.powers,), lambda p: f.first_turn_done[p], text, cite("VC-infantry-p4/2"))


def _complexes(c: Context) -> Iterable[Observable]:
    f, places = c.f, c.placement
    text = "the industrial complex in the territory: permanent, bought or none"
    yield Observable(
        "complex", (f.territories,), lambda t: f.complexes[t], text, cite("IC-p4/1", "IC-p4/2"), f.complex_kinds
    )
    text = "IPCs that the units placed at the territory's complex this turn may be worth; 0 where there can be none"
    cites = cite("IC/1", "IC/2", "IC/3", "IC-p3/2", "IC-p3/3")
    yield Observable("unit_value_limit", (f.territories,), places.complexes.value_limit, text, cites)
    text = "IPCs that an industrial complex in the territory costs"
    cites = cite("IC-p2/1", "IC-p2/4", "IC-p2/5", "IC-p2/6", "IC-p2/7")
    yield Observable("ic_price", (f.territories,), lambda t: integer(places.complexes.price(t)), text, cites)
    text = "the lowest price at which the power may have a complex placed this turn; undefined where it may have none"
    cites += cite("IC-p3/1")
    yield Observable("lowest_ic_price", (f.powers,), places.complexes.lowest_price, text, cites)
    text = "the power may have an industrial complex placed there this turn"
    yield Observable(
        "may_build_ic", (f.powers, f.territories), places.complexes.may_build, text, cite("IC-p3/1", "IC-p3/3")
    )
    text = "the power may place one more of the units there this turn, if it has bought it"
    cites = (*cite("VC-infantry/1", "VC-infantry/2", "VC-infantry/4", "IC/1", "IC/2", "IC/3"), *LIMITS)
    cites += cite("IC-p3/1", "IC-p3/2", "IC-p3/3")
    yield Observable("may_place", (f.powers, f.unit_kinds, f.territories), places.may_place, text, cites)
    text = "how many of the units were placed there this turn"
    placed = (f.territories, f.unit_kinds)
    yield Observable("placed", placed, lambda t, u: f.placed[t, u], text, cite("VC-infantry/3"))
    text = "a complex was bought this turn for the territory and is not placed yet"
    yield Observable("declared", (f.territories,), lambda t: f.declared[t], text, cite("IC-p2/2"))


def _time(c: Context) -> Iterable[Observable]:
    f = c.f
    yield Observable("round", (), lambda: f.round.fluent, "the round of play")
    yield Observable("turn", (), lambda: f.turn.fluent, "the power whose turn it is", values=f.powers)
    text = "the number of turns that won the bid; undefined where nobody has bid"
    bid = Partial(f.bid.fluent, gt(f.bid.fluent, 0))
    yield Observable("bid", (), lambda: bid, text, cite("victory-minor/1", "victory-minor/3"))
    text = "the team that won the bid and plays the Axis; none where nobody has bid"
    yield Observable("axis_team", (), lambda: f.axis_team.fluent, text, cite("victory-minor/2"), f.teams)


def overview(c: Context) -> Iterable[tuple[str, ...]]:
    """What `status` shows in any case."""
    yield ("round",)
    yield ("turn",)
    for side in c.board.sides:
        yield ("vcp", side)
    for side in c.board.sides:
        yield ("territories", side)
    for power in c.board.powers:
        yield ("ipc", power)
    if c.counts_money:
        for power in c.board.powers:
            yield ("treasury", power)
    for power in c.board.powers:
        yield ("infantry_capacity", power)


def tables(c: Context) -> tuple[Table, ...]:
    """What each power may still place where this turn, and where it is attacked."""
    return _placing(c), _attacks(c)


def _attacks(c: Context) -> Table:
    f = c.f
    standing = {ATTACKED: f.attacked, FAILED: f.failed_attacks}
    entries = Later(
        lambda: (
            Entry(t, f.owner[t], column, Partial(f.emergency[t], family[t]))
            for column, family in standing.items()
            for t in c.board.land
        )
    )
    return Table(
        "Attacked this turn and not taken, with the emergency infantry placed there",
        "Defender",
        tuple(c.board.powers),
        tuple(standing),
        entries,
        cite("VC-infantry-p4/1", "VC-infantry-p4/2"),
    )


def _placing(c: Context) -> Table:
    return Table(
        "What may still be placed this turn (by a power not on turn: if its turn began now), whatever was bought",
        "Power",
        tuple(c.board.powers),
        (INFANTRY_LEFT, VALUE_LEFT, NEW_COMPLEX),
        Later(lambda: _placeable(c)),
        (*LIMITS, *cite("VC-infantry/4", "IC/2", "IC-p2/4", "IC-p3/1", "IC-p3/2")),
    )


def _placeable(c: Context) -> Iterable[Entry]:
    f, places = c.f, c.placement
    for t, left in places.infantry.left.items():
        yield Entry(t, f.owner[t], INFANTRY_LEFT, Partial(left, gt(left, 0)))
    for t, left in places.complexes.value_left.items():
        yield Entry(t, f.owner[t], VALUE_LEFT, Partial(left, gt(left, 0)))
    for t in c.board.land:
        price = integer(places.complexes.price(t))
        buildable = any_of(places.complexes.may_build(p, t) for p in c.board.powers)
        yield Entry(t, f.owner[t], NEW_COMPLEX, Partial(price, and_(buildable, not_(f.declared[t]))))

"""The observables that goals and rulings use, and the tables of `status`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from itertools import product

from vclogic_encodings.axis_allies.citing import cite
from vclogic_encodings.axis_allies.game import Rules
from vclogic_encodings.axis_allies.rules.victory_cities import city_count, victory_points

from vclogic.model.lazy import LazySequence
from vclogic.model.rules import Entry, Observable, Table
from vclogic.terms.atoms import boolean, integer
from vclogic.terms.build import and_, any_of, gt, not_
from vclogic.terms.partial import Partial

POINTS = cite("VC/1", "VC/2", "VC-p2/1", "VC-p2/2")
INFANTRY_LEFT, VALUE_LEFT, NEW_COMPLEX = "Infantry", "Other units, worth IPCs", "New complex, price in IPCs"
ATTACKED, FAILED = "Battle to come", "Attack failed"
LIMITS = cite("VC-infantry-p2/1", "VC-infantry-p2/2", "VC-infantry-p3/1", "VC-infantry-p3/2", "VC-infantry-p3/3")


def observables(game: Rules) -> Iterable[Observable]:
    """The observables of the game."""
    yield from _control(game)
    yield from _infantry(game)
    yield from _complexes(game)
    yield from _time(game)
    if game.fluents.armies:
        text = "how many of these units the power has in the territory or sea zone"
        names = (game.fluents.regions, game.fluents.powers, game.fluents.forces)
        yield Observable("units", names, lambda r, p, u: game.fluents.units[r, p, u], text)


def _control(game: Rules) -> Iterable[Observable]:
    fluents = game.fluents
    land, party, power = fluents.territories, fluents.parties, fluents.powers
    text = "victory city points of what the side controls, or of what the power owns"
    yield Observable("vcp", (party,), partial(victory_points, fluents), text, POINTS)
    text = "how many victory cities the side controls, or the power owns"
    yield Observable("cities", (party,), partial(city_count, fluents), text, cite("VC/1", "VC-p2/1", "VC-p2/2"))
    text = "the power that owns the territory"
    yield Observable("owner", (land,), lambda t: fluents.owner[t], text, values=power)
    text = "the power that owned the territory when the turn began"
    start = fluents.owner_at_turn_start
    yield Observable(
        "owner_at_turn_start", (land,), lambda t: start[t], text, cite("VC-infantry/4", "IC-p3/1"), power
    )
    text = "a power of the side owns the territory"
    yield Observable("controls", (fluents.sides, land), fluents.controls, text)
    text = "how many territories the side controls, or the power owns"
    yield Observable("territories", (party,), fluents.territory_count, text, cite("victory-total/1"))
    text = "the sum of the IPC values of what the power owns; not its treasury"
    yield Observable("ipc", (power,), fluents.income, text)
    counted = boolean(game.counts_money)
    text = "IPCs that the power has in hand; undefined unless treasury=on"
    yield Observable("treasury", (power,), lambda p: Partial(fluents.treasury[p], counted), text)


def _infantry(game: Rules) -> Iterable[Observable]:
    fluents, infantry = game.fluents, game.placement.infantry
    land, power = fluents.territories, fluents.powers
    text = "how many infantry per turn the power may place at the city as things stand, placed ones included"
    cites = (*cite("VC-infantry/2", "VC-infantry/4"), *LIMITS)
    yield Observable("infantry_limit", (power, land), infantry.limit_now, text, cites)
    text = "the infantry limits of all cities of the power together"
    yield Observable("infantry_capacity", (power,), infantry.capacity, text, cites)
    text = "infantry placed at the city this turn as it was attacked, before the first turn of its defender"
    cites = cite("VC-infantry-p4/1", "VC-infantry-p4/2")
    yield Observable("emergency_infantry", (land,), lambda t: fluents.emergency[t], text, cites)
    text = "the territory is under attack, its battle not yet fought"
    yield Observable("under_attack", (land,), lambda t: fluents.attacked[t], text, cite("VC-infantry-p4/1"))
    text = "the territory was attacked this turn, and the attack has failed"
    cites = cite("VC-infantry-p4/1")
    yield Observable("attack_failed", (land,), lambda t: fluents.failed_attacks[t], text, cites)
    text = "the power has had its first turn"
    yield Observable(
        "first_turn_done", (power,), lambda p: fluents.first_turn_done[p], text, cite("VC-infantry-p4/2")
    )


def _complexes(game: Rules) -> Iterable[Observable]:
    fluents, complexes = game.fluents, game.placement.complexes
    land, power = fluents.territories, fluents.powers
    text = "the industrial complex in the territory: permanent, bought or none"
    yield Observable(
        "complex", (land,), lambda t: fluents.complexes[t], text, cite("IC-p4/1", "IC-p4/2"), fluents.complex_kinds
    )
    text = "IPCs that the units placed at the territory's complex this turn may be worth; 0 where there can be none"
    cites = cite("IC/1", "IC/2", "IC/3", "IC-p3/2", "IC-p3/3")
    yield Observable("unit_value_limit", (land,), complexes.value_limit, text, cites)
    text = "IPCs that an industrial complex in the territory costs"
    cites = cite("IC-p2/1")
    price, parts = lambda t: integer(complexes.price(t)), complexes.price_parts
    yield Observable("ic_price", (land,), price, text, cites, parts=parts)
    text = "the lowest price at which the power may have a complex placed this turn; undefined where it may have none"
    cites += cite("IC-p3/1")
    yield Observable("lowest_ic_price", (power,), complexes.lowest_price, text, cites)
    text = "the power may have an industrial complex placed there this turn"
    yield Observable("may_build_ic", (power, land), complexes.may_build, text, cite("IC-p3/1", "IC-p3/3"))
    text = "the power may place one more of the units there this turn, if it has bought it"
    cites = (*cite("VC-infantry/1", "VC-infantry/2", "VC-infantry/4", "IC/1", "IC/2", "IC/3"), *LIMITS)
    cites += cite("IC-p3/1", "IC-p3/2", "IC-p3/3")
    yield Observable("may_place", (power, fluents.unit_kinds, land), game.placement.may_place, text, cites)
    text = "how many of the units were placed there this turn"
    placed = (land, fluents.unit_kinds)
    yield Observable("placed", placed, lambda t, u: fluents.placed[t, u], text, cite("VC-infantry/3"))
    text = "a complex was bought this turn for the territory and is not placed yet"
    yield Observable("declared", (land,), lambda t: fluents.declared[t], text, cite("IC-p2/2"))


def _time(game: Rules) -> Iterable[Observable]:
    fluents = game.fluents
    yield Observable("round", (), lambda: fluents.round.fluent, "the round of play")
    yield Observable("turn", (), lambda: fluents.turn.fluent, "the power whose turn it is", values=fluents.powers)
    text = "the number of turns that won the bid; undefined where nobody has bid"
    bid = Partial(fluents.bid.fluent, gt(fluents.bid.fluent, 0))
    yield Observable("bid", (), lambda: bid, text, cite("victory-minor/1", "victory-minor/3"))
    text = "the team that won the bid and plays the Axis; none where nobody has bid"
    yield Observable("axis_team", (), lambda: fluents.axis_team.fluent, text, cite("victory-minor/2"), fluents.teams)


def overview(game: Rules) -> Iterable[tuple[str, ...]]:
    """The observables that `status` shows in any case."""
    yield from (("round",), ("turn",))
    yield from product(("vcp", "territories"), game.board.sides)
    money = ("ipc", "treasury") if game.counts_money else ("ipc",)
    yield from product((*money, "infantry_capacity"), game.board.powers)


def tables(game: Rules) -> tuple[Table, ...]:
    """The units that each power may still place in each place this turn, and the places where it is attacked."""
    return _placing(game), _attacks(game)


def _attacks(game: Rules) -> Table:
    fluents = game.fluents
    standing = {ATTACKED: fluents.attacked, FAILED: fluents.failed_attacks}
    entries = LazySequence(
        lambda: (
            Entry(t, fluents.owner[t], column, Partial(fluents.emergency[t], family[t]))
            for column, family in standing.items()
            for t in game.board.land
        )
    )
    return Table(
        "Attacked this turn and not taken, with the emergency infantry placed there",
        "Defender",
        tuple(game.board.powers),
        tuple(standing),
        entries,
        cite("VC-infantry-p4/1", "VC-infantry-p4/2"),
    )


def _placing(game: Rules) -> Table:
    return Table(
        "What may still be placed this turn (by a power not on turn: if its turn began now), whatever was bought",
        "Power",
        tuple(game.board.powers),
        (INFANTRY_LEFT, VALUE_LEFT, NEW_COMPLEX),
        LazySequence(lambda: _placeable(game)),
        (*LIMITS, *cite("VC-infantry/4", "IC/2", "IC-p2/4", "IC-p3/1", "IC-p3/2")),
    )


def _placeable(game: Rules) -> Iterable[Entry]:
    fluents, places = game.fluents, game.placement
    for t, left in places.infantry.left.items():
        yield Entry(t, fluents.owner[t], INFANTRY_LEFT, Partial(left, gt(left, 0)))
    for t, left in places.complexes.value_left.items():
        yield Entry(t, fluents.owner[t], VALUE_LEFT, Partial(left, gt(left, 0)))
    for t in game.board.land:
        price = integer(places.complexes.price(t))
        buildable = any_of(places.complexes.may_build(p, t) for p in game.board.powers)
        yield Entry(t, fluents.owner[t], NEW_COMPLEX, Partial(price, and_(buildable, not_(fluents.declared[t]))))

"""Axis & Allies Revised with victory cities: the encoding that `vclogic` loads."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.axis_allies.armies.laws import decks
from vclogic_encodings.axis_allies.armies.turn import JUDGED, Armies
from vclogic_encodings.axis_allies.board import Board, flaws
from vclogic_encodings.axis_allies.citing import TEXT, cite
from vclogic_encodings.axis_allies.drawing import drawing
from vclogic_encodings.axis_allies.events.schemas import schemas
from vclogic_encodings.axis_allies.events.turns import end_turn
from vclogic_encodings.axis_allies.fluents import Fluents
from vclogic_encodings.axis_allies.game import Context
from vclogic_encodings.axis_allies.names import PERMANENT
from vclogic_encodings.axis_allies.observables import observables, overview, tables
from vclogic_encodings.axis_allies.planning.captures import Captures
from vclogic_encodings.axis_allies.planning.geography import Geography
from vclogic_encodings.axis_allies.planning.reaching import borders
from vclogic_encodings.axis_allies.readings import OPTIONS, READINGS
from vclogic_encodings.axis_allies.rules.placing import Placement
from vclogic_encodings.axis_allies.rules.victory import game_ends, outcomes, outcomes_in_use
from vclogic_encodings.axis_allies.rules.victory_cities import city_clause, victory_points

from vclogic.model.lazy import Later
from vclogic.model.rules import Rule
from vclogic.model.system import Encoding, Settings, System
from vclogic.terms.build import all_of, and_, eq, ge, implies, le, linear, or_
from vclogic.terms.term import Term

CITIES = cite("VC/1", "VC/2", "VC-p2/1", "VC-p2/2")


def build(board: Board, settings: Settings) -> System:
    """The system for a board and settings."""
    context = context_of(board, settings)
    f = context.f
    events = tuple(schemas(context))
    armies = Armies(context, end_turn(context)) if f.armies else None
    unknown = () if armies else (f.units, *f.underway.families)
    return System(
        sides=board.sides,
        aliases=f.power_aliases,
        families=f.families,
        initial=f.initial(),
        defaults=f.defaults(),
        rules=Later(lambda: _rules(context)),
        invariants=tuple(_invariants(f)),
        outcomes=context.judged,
        observables=tuple(observables(context)),
        events=events,
        metrics=(armies or Captures(context, events)).metrics(),
        schedule=(f.round.fluent, f.turn.fluent),
        overview=tuple(overview(context)),
        tables=tables(context),
        winner=f.winner.fluent,
        absent={x.name: "units are on the board with `options: {level: armies}`" for x in unknown},
        drawing=drawing(context),
        notes=armies.assumptions() if armies else (),
        assumed=(JUDGED,) if armies else (borders(context),),
        ends=game_ends(f) if context.on("victory", "minor") else None,
    )


def context_of(board: Board, settings: Settings) -> Context:
    """The parts that the system is made from."""
    armies, full = settings.word("level") == "armies", settings.word("theatre") == "full"
    f = Fluents(board, outcomes_in_use(settings), armies=armies, full=full)
    geography = Geography(board, settings.number("sea_range"))
    return Context(f, settings, geography, Placement(f, settings), tuple(outcomes(f, settings)))


def _rules(c: Context) -> Iterable[Rule]:
    """What each side has, and the limits of every place as they are now."""
    f, board, places = c.f, c.board, c.placement
    for side in board.sides:
        cities = [clause for t in board.cities for clause in city_clause(board, t)]
        text = f"the points of the victory cities in territories that the {side} control"
        yield Rule(f"points[{side}]", victory_points(f, side), text, (*CITIES, *cities))
    for territory, city in board.cities.items():
        clauses = (c for p in board.powers for c in places.infantry.limit(p, territory)[1])
        text = f"how many infantry the owner may still place at {city.name} this turn"
        cites = (*cite("VC-infantry/2", "VC-infantry/4"), *dict.fromkeys(clauses), *city_clause(board, territory))
        yield Rule(f"infantry[{territory}]", places.infantry.left[territory], text, cites)
    for territory in board.land:
        text = f"IPCs of units that the owner may still place at a complex in {territory} this turn"
        cites = cite("IC/1", "IC/2", "IC/3", "IC-p3/2", "IC-p3/3")
        yield Rule(f"units[{territory}]", places.complexes.value_left[territory], text, cites)


def _invariants(f: Fluents) -> Iterable[Rule]:
    order = f.board.turn_order
    for power, successor in zip(order, (*order[1:], order[0]), strict=True):
        yield Rule(
            f"after[{power}]",
            implies(eq(f.ended.fluent, power), eq(f.turn.fluent, successor)),
            f"when the turn of the {power} has just ended, it is the turn of the {successor}",
            (),
        )
    yield Rule(
        "first_round",
        implies(eq(f.ended.fluent, order[-1]), ge(f.round.fluent, 2)),
        f"when the turn of the {order[-1]} has just ended, a round is over",
        (),
    )
    for territory in f.board.land:
        if territory in f.board.permanent:
            text = f"the complex that {territory} has at the start of the game is permanent"
            yield Rule(f"permanent[{territory}]", eq(f.complexes[territory], PERMANENT), text, cite("IC-p4/1"))
        if f.armies:
            for side in f.board.sides:
                text = f"{territory} belongs to the {side} if units of theirs are there"
                yield Rule(f"units[{side}, {territory}]", _held_where_units_are(f, side, territory), text, ())
    for zone in f.board.sea if f.armies else ():
        for side in f.board.sides:
            text = f"the aircraft of the {side} in {zone} have room on their carriers there"
            yield Rule(f"aircraft[{side}, {zone}]", _on_carriers(f, side, zone), text, ())


def _on_carriers(f: Fluents, side: str, zone: str) -> Term:
    """That a side's aircraft in a sea zone are on its carriers; those that carriers do not take are not there."""
    aboard, room = decks(f, side, zone)
    kinds = f.board.units
    stray = [u for u in f.forces.sort.members if kinds[u].kind == "air" and not kinds[u].carrier_load]
    there = (linear((1, f.units[zone, p, u]) for p in f.board.sides[side]) for u in stray)
    return and_(le(aboard, room), *(eq(n, 0) for n in there))


def _held_where_units_are(f: Fluents, side: str, territory: str) -> Term:
    there = (f.units[territory, p, u] for p in f.board.sides[side] for u in f.forces.sort.members)
    return or_(f.controls(side, territory), all_of(eq(units, 0) for units in there))


ENCODING = Encoding(
    name="axis_allies",
    title="Axis & Allies Revised with victory cities",
    texts=(TEXT,),
    options=OPTIONS,
    readings=READINGS,
    board=Board,
    check_board=flaws,
    build=build,
)

"""Axis & Allies Revised with victory cities: the encoding that `vclogic` loads."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.axis_allies.absent import absent
from vclogic_encodings.axis_allies.board import Board, flaws
from vclogic_encodings.axis_allies.citing import TEXT, cite
from vclogic_encodings.axis_allies.drawing import drawing
from vclogic_encodings.axis_allies.events.schemas import schemas
from vclogic_encodings.axis_allies.fluents import Fluents
from vclogic_encodings.axis_allies.game import Rules
from vclogic_encodings.axis_allies.kinds import kinds
from vclogic_encodings.axis_allies.names import PERMANENT
from vclogic_encodings.axis_allies.objectives import objectives
from vclogic_encodings.axis_allies.observables import observables, overview, tables
from vclogic_encodings.axis_allies.odds.rules import battle_rules
from vclogic_encodings.axis_allies.planning.captures import Captures
from vclogic_encodings.axis_allies.planning.geography import Geography
from vclogic_encodings.axis_allies.planning.reaching import borders
from vclogic_encodings.axis_allies.readings import OPTIONS, READINGS
from vclogic_encodings.axis_allies.rules.placing import Placement
from vclogic_encodings.axis_allies.rules.victory import game_ends, outcomes, outcomes_in_use
from vclogic_encodings.axis_allies.rules.victory_cities import city_clause, victory_points
from vclogic_encodings.axis_allies.sayings import SAYINGS
from vclogic_encodings.axis_allies.standing import listings

from vclogic.board.graphs import Movement
from vclogic.model.lazy import LazySequence
from vclogic.model.moments import Moments
from vclogic.model.rules import Rule
from vclogic.model.system import Encoding, Settings, System
from vclogic.terms.build import eq, ge, implies

CITIES = cite("VC/1", "VC/2", "VC-p2/1", "VC-p2/2")

JUDGED = "moves and battles are judged by the army level's assumptions, in records too"
MEMORIES = (
    *("owner_at_turn_start", "complex_at_turn_start", "declared", "placed", "attacked", "failed_attacks"),
    *("emergency", "earlier_emergency", "first_turn_done", "bought"),
)


def build(board: Board, settings: Settings) -> System:
    """The system for a board and settings."""
    game = game_of(board, settings)
    fluents = game.fluents
    events = tuple(schemas(game))
    return System(
        sides=board.sides,
        aliases=fluents.power_aliases,
        families=fluents.families,
        initial=fluents.initial(),
        defaults=fluents.defaults(),
        rules=LazySequence(lambda: _rules(game)),
        invariants=(*_invariants(fluents), *game.level.invariants()),
        outcomes=game.judged,
        observables=tuple(observables(game)),
        events=events,
        metrics=game.level.metrics() or Captures(game, events).metrics(),
        schedule=(fluents.round.fluent, fluents.turn.fluent),
        overview=tuple(overview(game)),
        tables=tables(game),
        position=lambda now: tuple(listings(game, now)),
        winner=fluents.winner.fluent,
        absent=absent(fluents, frozenset(e.name for e in events)),
        drawing=drawing(game),
        counter=game.level.counter(),
        notes=game.level.notes(),
        assumed=(JUDGED,) if fluents.armies else (borders(game),),
        ends=game_ends(fluents) if game.on("victory", "minor") else None,
        battles=battle_rules(game),
        objectives=LazySequence(lambda: objectives(game)),
        movement=LazySequence(lambda: movement(board)),
        sayings=SAYINGS,
        memories=MEMORIES,
        kinds=LazySequence(lambda: kinds(fluents)),
        moments=moments(fluents),
    )


def moments(fluents: Fluents) -> Moments:
    """When the turns of the powers and the rounds, in which each power has its turn, begin and end."""
    order, turn, ended = fluents.board.turn_order, fluents.turn.fluent, fluents.ended.fluent
    starts, ends = {p: eq(turn, p) for p in order}, {p: eq(ended, p) for p in order}
    clock = {x: x for x in (fluents.round.fluent, turn)}
    return Moments(starts, ends, starts[order[0]], ends[order[-1]], clock)


def game_of(board: Board, settings: Settings) -> Rules:
    """The parts that the system is made from."""
    armies, full = settings.word("level") == "armies", settings.word("theatre") == "full"
    judged = tuple(name for name in outcomes_in_use(settings) if name not in settings.without)
    fluents = Fluents(board, judged, armies=armies, full=full)
    geography = Geography(board, settings.number("sea_range"))
    won = tuple(outcomes(fluents, settings))
    if not armies:
        return Rules(fluents, settings, geography, Placement(fluents, settings), won)
    from vclogic_encodings.axis_allies.armies.level import ArmyLevel  # loaded where units are on the board

    return Rules(fluents, settings, geography, Placement(fluents, settings), won, ArmyLevel)


def movement(board: Board) -> Iterable[Movement]:
    """The ways over land and sea, for land units (which ships carry) and aircraft, and over sea alone, for ships."""
    around = board.map.neighbours
    yield Movement("land units and aircraft", around, dict.fromkeys(board.regions, 1))
    yield Movement("ships", around, dict.fromkeys(board.sea, 1))


def _rules(game: Rules) -> Iterable[Rule]:
    """The points of each side, and what may still be placed in each territory."""
    fluents, board, places = game.fluents, game.board, game.placement
    for side in board.sides:
        cities = [clause for t in board.cities for clause in city_clause(board, t)]
        text = f"the points of the victory cities in territories that the {side} control"
        yield Rule(f"points[{side}]", victory_points(fluents, side), text, (*CITIES, *cities))
    for territory, city in board.cities.items():
        clauses = (c for p in board.powers for c in places.infantry.limit(p, territory)[1])
        text = f"how many infantry the owner may still place at {city.name} this turn"
        cites = (*cite("VC-infantry/2", "VC-infantry/4"), *dict.fromkeys(clauses), *city_clause(board, territory))
        yield Rule(f"infantry[{territory}]", places.infantry.left[territory], text, cites)
    for territory in board.land:
        text = f"IPCs of units that the owner may still place at a complex in {territory} this turn"
        cites = cite("IC/1", "IC/2", "IC/3", "IC-p3/2", "IC-p3/3")
        yield Rule(f"units[{territory}]", places.complexes.value_left[territory], text, cites)


def _invariants(fluents: Fluents) -> Iterable[Rule]:
    order = fluents.board.turn_order
    for power, successor in zip(order, (*order[1:], order[0]), strict=True):
        yield Rule(
            f"after[{power}]",
            implies(eq(fluents.ended.fluent, power), eq(fluents.turn.fluent, successor)),
            f"when the turn of the {power} has just ended, it is the turn of the {successor}",
            (),
        )
    yield Rule(
        "first_round",
        implies(eq(fluents.ended.fluent, order[-1]), ge(fluents.round.fluent, 2)),
        f"when the turn of the {order[-1]} has just ended, a round is over",
        (),
    )
    for territory in fluents.board.land:
        if territory in fluents.board.permanent:
            text = f"the complex that {territory} has at the start of the game is permanent"
            yield Rule(f"permanent[{territory}]", eq(fluents.complexes[territory], PERMANENT), text, cite("IC-p4/1"))


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

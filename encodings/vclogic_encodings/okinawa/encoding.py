"""Okinawa: the encoding that `vclogic` loads."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.okinawa.board import EXITED, JAPAN, REMOVED, SIDES, US, ZONES, Board, enemy
from vclogic_encodings.okinawa.citing import TEXT, cite
from vclogic_encodings.okinawa.drawing import drawing
from vclogic_encodings.okinawa.events import schemas
from vclogic_encodings.okinawa.flaws import flaws
from vclogic_encodings.okinawa.fluents import EACH, NONE, Fluents
from vclogic_encodings.okinawa.game import Rules
from vclogic_encodings.okinawa.kinds import kinds
from vclogic_encodings.okinawa.objectives import objectives
from vclogic_encodings.okinawa.observables import observables, overview
from vclogic_encodings.okinawa.planning.campaign import of_game
from vclogic_encodings.okinawa.planning.metrics import PlanningModel
from vclogic_encodings.okinawa.readings import OPTIONS, READINGS
from vclogic_encodings.okinawa.rules.communications import Communications
from vclogic_encodings.okinawa.rules.points import Score
from vclogic_encodings.okinawa.rules.victory import outcomes, winner
from vclogic_encodings.okinawa.sayings import sayings
from vclogic_encodings.okinawa.standing import listings

from vclogic.board.graphs import Movement
from vclogic.model.absent import Absent
from vclogic.model.lazy import LazySequence
from vclogic.model.moments import Moments
from vclogic.model.rules import Rule
from vclogic.model.system import Encoding, Settings, System
from vclogic.terms.build import add, and_, count, eq, gt, implies, is_in, le, ne, not_, or_, scale

NO_US = "the board has no US unit: add one under `units:` of the board"
LACKING = {
    "retreated": NO_US,
    "retreats_of": "retreats are counted by unit with `readings: {earlier_retreats: taken_back}`",
    "earlier": "points for what the position does not show count with `options: {earlier: on}`",
}

MEMORIES = ("retreats", "retreats_of", "retreated", "retreated_for", "removals", "earlier")


def build(board: Board, settings: Settings) -> System:
    """The system for a board and settings."""
    game = game_of(board, settings)
    fluents = game.fluents
    there = {f.name for f in fluents.families}
    no_us = {} if board.of(US) else {"loc": NO_US}
    lacking = {name: hint for name, hint in LACKING.items() if name not in there}
    asked = no_us | {name: hint for name, hint in lacking.items() if name == "earlier"}
    return System(
        sides={side: (side,) for side in SIDES},
        families=fluents.families,
        absent=Absent(lacking, {}, asked),
        initial=fluents.initial(),
        defaults=fluents.defaults(),
        rules=LazySequence(lambda: _rules(game)),
        invariants=tuple(_invariants(game)),
        outcomes=tuple(outcomes(game.score)),
        checked=(*_immediately(game), *_room(game)),
        observables=tuple(observables(game)),
        events=tuple(schemas(game)),
        metrics=PlanningModel(of_game(game)).metrics(),
        schedule=(fluents.round.fluent, fluents.turn.fluent),
        overview=tuple(overview(game)),
        position=lambda now: tuple(listings(game, now)),
        winner=winner(game.score),
        ends=fluents.over.fluent,
        drawing=drawing(game),
        objectives=LazySequence(lambda: objectives(game)),
        movement=LazySequence(lambda: [Movement("units", board.grid.neighbours, board.cost)]),
        sayings=sayings(board),
        memories=MEMORIES,
        kinds=LazySequence(lambda: kinds(fluents)),
        moments=moments(game),
    )


def moments(game: Rules) -> Moments:
    """When the player-turns and the game turns, which are two player-turns, begin and end."""
    turn, first = game.fluents.turn.fluent, eq(game.fluents.turn.fluent, game.board.first)
    clock = {x: x for x in (game.fluents.round.fluent, turn)}
    return Moments({s: eq(turn, s) for s in SIDES}, {s: eq(turn, enemy(s)) for s in SIDES}, first, first, clock)


def game_of(board: Board, settings: Settings) -> Rules:
    """The parts that the system is made from."""
    read = settings.readings
    everywhere = tuple(place for place, _, _ in board.ways_off.values())
    removing = everywhere if read["removal_edge"] == "any" else (EXITED,)
    earlier = settings.word("earlier") == "on"
    fluents = Fluents(board, by_unit=read["earlier_retreats"] == "taken_back", removing=removing, earlier=earlier)
    lines = Communications(fluents, settings)
    return Rules(fluents, settings, lines, Score(fluents, lines, settings))


def _rules(game: Rules) -> Iterable[Rule]:
    """The points of each side, and their sources."""
    score = game.score
    for side in SIDES:
        text = f"{side} gets the values of enemy units that are eliminated"
        yield Rule(f"eliminations[{side}]", score.eliminations(side), text, cite("17.12/1"))
    yield Rule(
        "retreats[Japan]", game.fluents.retreats.fluent, "Japan gets a point per hex of a US retreat", cite("17.21/1")
    )
    text = "Japan gets three points per Defense Strength Point that exits"
    yield Rule("exits[Japan]", score.exits, text, cite("17.41/1"))
    of = {"Northern": "17.31/3", "Central": "17.31/4", "Southern": "17.31/6"}
    for zone in ZONES:
        for side in SIDES:
            text = f"what units of {side} in the {zone} zone bring at the end"
            yield Rule(f"zone[{side}, {zone}]", score.zone(side, zone), text, cite(of[zone]))
    text = "Japan gets three points per US unit on the map without a line of communications at the end"
    yield Rule("cut_off[Japan]", score.cut_off, text, cite("17.52/1"))
    text = "no US unit in the Southern zone and a Japanese one in the Central or Northern zone"
    yield Rule("automatic[Japan]", score.automatic, text, cite("17.6/1"))
    for side in SIDES:
        yield Rule(f"total[{side}]", score.final(side), f"all that {side} has at the end", cite("17.0/1", "17.0/2"))


def _room(game: Rules) -> Iterable[Rule]:
    """Room: no hex holds more units than may be there, or units of both sides."""
    fluents, board = game.fluents, game.board
    most = board.stacking
    for h in board.land:
        there = [eq(fluents.at[u], h) for u in board.all_units]
        text = f"at most {most} unit{'s are' if most > 1 else ' is'} in {h}"
        yield Rule(f"room[{h}]", le(count(there), most), text, ())
        if most > 1:
            both = and_(fluents.here[JAPAN][h], fluents.here[US][h])
            yield Rule(f"one_side[{h}]", not_(both), f"units of one side alone are in {h}", ())


def _immediately(game: Rules) -> Iterable[Rule]:
    """The laws while units are to be removed for an exit, which nothing else precedes, and at the end."""
    fluents, owed = game.fluents, game.fluents.removals.fluent
    due, us = not_(game.removed_immediately().term), game.board.of(US)
    text = "no US unit is to be removed any more once the scenario has ended"
    yield Rule("removed_by_the_end", implies(fluents.over.fluent, not_(due)), text, cite("17.41/2"))
    if not game.on("too_few_to_remove", "owed"):
        text = "units are removed within the player-turn of Japan in which a unit exits"
        yield Rule("in_turn", implies(due, eq(fluents.turn.fluent, JAPAN)), text, cite("17.41/2"))
    if us:
        past = eq(fluents.retreated.fluent, NONE)
        text = "no retreat was the last event where a unit has exited since, or the scenario has ended"
        yield Rule("past", or_(past, not_(or_(gt(owed, 0), fluents.over.fluent))), text, cite("17.22/1"))


def _invariants(game: Rules) -> Iterable[Rule]:
    fluents, board = game.fluents, game.board
    for unit, side in board.side_of.items():
        never = [place for place, _, sides in board.ways_off.values() if side not in sides]
        if never:
            text = f"{unit} has not {' or '.join(never)}: only units of {enemy(side)} do"
            yield Rule(f"stays[{unit}]", not_(is_in(fluents.at[unit], never)), text, cite("17.41/1"))
    for unit in board.of(JAPAN):
        text = f"{unit} was not removed for an exit: only US units are"
        yield Rule(f"kept[{unit}]", ne(fluents.at[unit], REMOVED), text, cite("17.41/2"))
    yield from _bookkeeping(game)


def _bookkeeping(game: Rules) -> Iterable[Rule]:
    fluents = game.fluents
    exits = count(is_in(fluents.at[u], fluents.removing) for u in game.board.of(JAPAN))
    removed = count(eq(fluents.at[u], REMOVED) for u in game.board.of(US))
    text = f"at most {EACH} US units have been removed or are to be for each Japanese exit"
    yield Rule("three_each", le(add(fluents.removals.fluent, removed), scale(exits, EACH)), text, cite("17.41/2"))
    now, points = fluents.retreated.fluent, fluents.retreated_for.fluent
    text = "the points for the retreat just now are among those for retreats"
    yield Rule("retreated_for", le(points, fluents.retreats.fluent), text, cite("17.22/1"))
    text = "without a retreat just now there are no points for one"
    yield Rule("no_retreat", implies(eq(now, NONE), eq(points, 0)), text, cite("17.22/1"))
    for unit in game.board.of(US):
        text = f"{unit} is on the map if it has retreated just now"
        yield Rule(f"retreated[{unit}]", implies(eq(now, unit), fluents.on_map[unit]), text, ())
    if fluents.by_unit:
        yield from _by_unit(game)


def _by_unit(game: Rules) -> Iterable[Rule]:
    """The laws that join the points for retreats of each unit to the sum."""
    fluents = game.fluents
    units = game.board.of(US)
    text = "the points for retreats of single units are among those for retreats"
    yield Rule(
        "retreats_of",
        le(add(*(fluents.retreats_of[u] for u in units)), fluents.retreats.fluent),
        text,
        cite("17.22/1"),
    )
    for unit in units:
        points = fluents.retreats_of[unit]
        now = implies(eq(fluents.retreated.fluent, unit), le(fluents.retreated_for.fluent, points))
        text = f"the points for the retreat of {unit} just now are among those for its retreats"
        yield Rule(f"retreated_for[{unit}]", now, text, cite("17.22/1"))
        text = f"{unit} has no points for retreats left once it is destroyed"
        gone = implies(is_in(fluents.at[unit], game.score.destroyed), eq(points, 0))
        yield Rule(f"retreats_of[{unit}]", gone, text, cite("17.22/2"))


ENCODING = Encoding(
    name="okinawa",
    title="Okinawa",
    texts=(TEXT,),
    options=OPTIONS,
    readings=READINGS,
    board=Board,
    check_board=flaws,
    build=build,
)

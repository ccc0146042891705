"""The Eastern Front campaign game: the encoding that `vclogic` loads."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.moscow.board import SIDES, Board, enemy
from vclogic_encodings.moscow.checks import flaws
from vclogic_encodings.moscow.citing import TEXT, cite
from vclogic_encodings.moscow.drawing import drawing
from vclogic_encodings.moscow.events import schemas
from vclogic_encodings.moscow.game import Rules, game_of
from vclogic_encodings.moscow.kinds import kinds
from vclogic_encodings.moscow.objectives import objectives
from vclogic_encodings.moscow.observables import observables, overview, table
from vclogic_encodings.moscow.planning.metrics import PlanningModel
from vclogic_encodings.moscow.readings import OPTIONS, READINGS
from vclogic_encodings.moscow.rules.levels import CLAUSES, TOTALS
from vclogic_encodings.moscow.sayings import SAYINGS
from vclogic_encodings.moscow.standing import listings

from vclogic.board.graphs import Movement
from vclogic.model.absent import Absent
from vclogic.model.lazy import LazySequence
from vclogic.model.memoized import memoized
from vclogic.model.moments import Moments
from vclogic.model.rules import Rule
from vclogic.model.system import Encoding, Settings, System
from vclogic.terms.build import all_of, any_of, count, eq, implies, is_in, le, not_
from vclogic.terms.partial import Partial
from vclogic.terms.term import Term

LACKING = {
    "held": "what was held as earlier turns ended counts with `readings: {hold_points: each_turn}`",
    "earlier": "points for what the position does not show count with `options: {earlier: on}`",
}

MEMORIES = ("taken", "front", "held", "earlier")


def build(board: Board, settings: Settings) -> System:
    """The system for a board and settings."""
    game = game_of(board, settings)
    fluents = game.fluents
    there = {f.name for f in fluents.families}
    lacking = {name: hint for name, hint in LACKING.items() if name not in there}
    events = tuple(schemas(game))
    actions = {s.name: s.instantiate for s in events if not s.parameters}
    return System(
        sides={side: (side,) for side in SIDES},
        families=fluents.families,
        absent=Absent(lacking, {}, {name: hint for name, hint in lacking.items() if name == "earlier"}),
        initial=fluents.initial(),
        defaults=fluents.defaults(),
        by_hand=lambda now, fluent, new: fluents.with_places({fluent: new}).items(),
        rules=LazySequence(lambda: _rules(game)),
        invariants=tuple(_invariants(game)),
        outcomes=tuple(game.victory.outcomes()),
        observables=tuple(observables(game)),
        events=events,
        metrics=PlanningModel(game, actions["end_turn"], actions["end_game"]()).metrics(),
        schedule=(fluents.round.fluent, fluents.turn.fluent),
        overview=tuple(overview(game)),
        tables=(table(game),),
        position=lambda now: tuple(listings(game, now)),
        winner=game.victory.winner,
        levels=(game.victory.table(),),
        ends=fluents.over.fluent,
        drawing=drawing(game),
        objectives=LazySequence(lambda: objectives(game)),
        movement=LazySequence(lambda: [Movement("units", board.near, board.cost)]),
        sayings=SAYINGS,
        memories=MEMORIES,
        kinds=LazySequence(lambda: kinds(fluents)),
        moments=moments(game),
    )


def moments(game: Rules) -> Moments:
    """When the player-turns and the game turns, which are two player-turns, begin and end."""
    turn, first = game.fluents.turn.fluent, game.fluents.turn_of(game.board.first)
    clock = {x: x for x in (game.fluents.round.fluent, turn)}
    starts = {s: game.fluents.turn_of(s) for s in SIDES}
    return Moments(starts, {s: starts[enemy(s)] for s in SIDES}, first, first, clock)


def _rules(game: Rules) -> Iterable[Rule]:
    """The points of each side, the lines of the table, and the front line."""
    for side in SIDES:
        score = game.score
        text = f"what the {side}s get for eliminated strength, objectives and gaps in the enemy's line"
        yield Rule(f"points[{side}]", score.points(side), text, cite("won/1"))
        text = f"what the {side}s get for the combat strength of eliminated enemy units"
        yield Rule(f"eliminations[{side}]", score.eliminations(side), text, cite("won/1"))
        text = f"what the {side}s get for objectives that they have captured or hold"
        yield Rule(f"objectives[{side}]", score.objectives(side), text, cite("won/1"))
        text = f"the hexes that the {side}s should cover and do not: a point for the other side at each turn's end"
        yield Rule(f"gaps[{side}]", game.line.gaps(side), text, cite("front-B/1"))
        for grade in ("decisive", "substantial", "marginal"):
            name = f"{side.lower()}_{grade}"
            text = f"the ratio of points, were they totalled now, is a {grade} {side} victory, no more, no less"
            exact = Partial(game.victory.is_level(grade, side), game.victory.now.defined)
            yield Rule(f"table[{name}]", exact, text, (*TOTALS, *CLAUSES[name]))


def _invariants(game: Rules) -> Iterable[Rule]:
    fluents, board = game.fluents, game.board
    yield from _room(board, tuple(tuple(fluents.alive(side)) for side in SIDES))
    for name in board.places:
        for side in SIDES:
            mine = implies(fluents.alone(side, name), eq(fluents.owner[name], side))
            text = f"{name} is the {side}s' if they have a unit in it and the enemy has none"
            yield Rule(f"owner[{side}, {name}]", mine, text, cite("schedule-p2/1"))
    if board.rounds is not None:
        text = f"the game has no more than {board.rounds} turns"
        yield Rule("rounds", le(fluents.round.fluent, board.rounds), text, ())


@memoized
def _room(board: Board, armies: tuple[tuple[Term, ...], ...]) -> list[Rule]:
    """The stacking invariants, which no setting changes: most of what is built, so systems of one board share them.

    Args:
        board: The board.
        armies: For each side the places of its units.
    """
    found, most = [], board.stacking
    for h in board.grid.hexes:
        mixed = all_of(any_of(is_in(place, (h,)) for place in army) for army in armies)
        found.append(Rule(f"one_side[{h}]", not_(mixed), f"units of one side only stand in {h}", ()))
        if most is None:
            continue
        for side, army in zip(SIDES, armies, strict=True):
            stack = le(count(eq(place, h) for place in army), most)
            text = f"no more than {most} {side} units stand in {h}"
            found.append(Rule(f"stack[{side}, {h}]", stack, text, ()))
    return found


ENCODING = Encoding(
    name="moscow",
    title="Eastern Front campaign game",
    texts=(TEXT,),
    options=OPTIONS,
    readings=READINGS,
    board=Board,
    check_board=flaws,
    build=build,
)

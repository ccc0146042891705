"""Commands & Colors Napoleonics, Victory Banners: the encoding that `vclogic` loads."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.napoleonics.absent import absent
from vclogic_encodings.napoleonics.banners import objectives as banners
from vclogic_encodings.napoleonics.board import OFF, Board
from vclogic_encodings.napoleonics.citing import TEXT
from vclogic_encodings.napoleonics.drawing import drawing
from vclogic_encodings.napoleonics.events import GroundActions
from vclogic_encodings.napoleonics.flaws import flaws
from vclogic_encodings.napoleonics.fluents import BETWEEN, COMBAT, Fluents
from vclogic_encodings.napoleonics.game import Rules
from vclogic_encodings.napoleonics.invariants import invariants
from vclogic_encodings.napoleonics.kinds import kinds
from vclogic_encodings.napoleonics.observables import observables, overview, table
from vclogic_encodings.napoleonics.planning.metrics import PlanningModel
from vclogic_encodings.napoleonics.planning.paths import Paths
from vclogic_encodings.napoleonics.readings import OPTIONS, READINGS
from vclogic_encodings.napoleonics.rules.movement_note import MovementNote
from vclogic_encodings.napoleonics.rules.objectives import ObjectiveRules, losable, watched
from vclogic_encodings.napoleonics.rules.victory import Victory
from vclogic_encodings.napoleonics.sayings import sayings
from vclogic_encodings.napoleonics.standing import listings

from vclogic.board.graphs import Movement
from vclogic.model.lazy import LazySequence
from vclogic.model.moments import Moments
from vclogic.model.system import Encoding, Settings, System
from vclogic.terms.atoms import member
from vclogic.terms.build import and_, eq

MEMORIES = ("vacated", "gained", "dropped", "scored", "earlier")


def build(board: Board, settings: Settings) -> System:
    """The system for a board and settings."""
    fluents = Fluents(board, settings, losable(board), watched(board))
    note = MovementNote(fluents)
    objectives = ObjectiveRules(fluents, note)
    game = Rules(fluents, note, objectives, Victory(fluents, objectives))
    events = GroundActions(game)
    return System(
        sides={s: (s,) for s in board.sides},
        families=fluents.families,
        absent=absent(fluents),
        initial=fluents.initial(),
        defaults=objectives.defaults(),
        by_hand=lambda now, fluent, new: game.by_hand(fluent, new),
        rules=LazySequence(lambda: (*game.victory.rules(), *objectives.rules())),
        invariants=tuple(invariants(game)),
        outcomes=tuple(game.victory.outcomes()),
        observables=tuple(observables(game)),
        events=tuple(events.schemas()),
        metrics=PlanningModel(game, events).metrics(),
        overview=tuple(overview(game)),
        tables=(table(game),),
        position=lambda now: tuple(listings(game, now)),
        winner=game.victory.winner if board.banners else None,
        drawing=drawing(game),
        objectives=LazySequence(lambda: banners(game)),
        movement=LazySequence(lambda: movement(board)),
        sayings=sayings(board),
        memories=MEMORIES,
        kinds=LazySequence(lambda: kinds(fluents)),
        moments=moments(fluents),
    )


def moments(fluents: Fluents) -> Moments:
    """When the turns of the sides begin and end, in their last phase; the text knows no rounds."""
    turn, between = fluents.turn.fluent, eq(fluents.phase.fluent, BETWEEN)
    sides = fluents.board.sides
    clock = {fluents.phase.fluent: member(fluents.phases.sort, COMBAT)}
    return Moments({s: eq(turn, s) for s in sides}, {s: and_(eq(turn, s), between) for s in sides}, clock=clock)


def movement(board: Board) -> Iterable[Movement]:
    """The ways of each kind of unit, by the terrain that it cannot enter."""
    paths = Paths(board)
    on_map = {k: {h: n for h, n in paths.costs(k).items() if h in board.grid} for k in board.kinds}
    for kind, costs in on_map.items():
        starts = {s: [u.at for u in board.units.values() if (u.side, u.kind) == (s, kind)] for s in board.sides}
        anywhere = {s: costs if OFF in places else places for s, places in starts.items()}
        yield Movement(kind, board.grid.neighbours, costs, anywhere)


ENCODING = Encoding(
    name="napoleonics",
    title="Commands & Colors Napoleonics: Victory Banners",
    texts=(TEXT,),
    options=OPTIONS,
    readings=READINGS,
    board=Board,
    check_board=flaws,
    build=build,
)

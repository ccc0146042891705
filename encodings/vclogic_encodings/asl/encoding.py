"""Advanced Squad Leader, section 26: the encoding that `vclogic` loads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from vclogic_encodings.asl.board import Board
from vclogic_encodings.asl.checks import flaws, flaws_under, geometry_under
from vclogic_encodings.asl.citing import TEXT, cite
from vclogic_encodings.asl.drawing import drawing
from vclogic_encodings.asl.events import schemas
from vclogic_encodings.asl.fluents import Fluents
from vclogic_encodings.asl.game import Rules
from vclogic_encodings.asl.invariants import are_few, derived, invariants, is_proved, of_pairs
from vclogic_encodings.asl.kinds import kinds
from vclogic_encodings.asl.names import BUILDING
from vclogic_encodings.asl.objectives import objectives
from vclogic_encodings.asl.observables import absent, observables, overview
from vclogic_encodings.asl.planning import PlanningModel
from vclogic_encodings.asl.readings import OPTIONS, READINGS
from vclogic_encodings.asl.rules.casualties import casualty_points
from vclogic_encodings.asl.rules.controllers import controller
from vclogic_encodings.asl.rules.exits import exit_points
from vclogic_encodings.asl.rules.victory import claimed, out_of_play, outcomes
from vclogic_encodings.asl.sayings import SAYINGS
from vclogic_encodings.asl.standing import listings

from vclogic.board.graphs import Movement
from vclogic.model.lazy import LazySequence
from vclogic.model.rules import Rule
from vclogic.model.system import Encoding, Settings, System
from vclogic.model.view import View
from vclogic.terms.atoms import TRUE

MEMORIES = ("earlier_cvp", "earlier_exit_vp")


def build(board: Board, settings: Settings) -> System:
    """The system for a board and settings."""
    game = game_of(board, settings)
    fluents = game.fluents
    events, lacking = schemas(game)
    defaults = derived(game.units)
    proved, checked = _laws(game)
    return System(
        sides={side: (side,) for side in board.sides},
        families=fluents.families,
        initial={fluent: x for fluent, x in fluents.initial().items() if fluent not in defaults},
        defaults=defaults,
        by_hand=lambda now, fluent, new: game.seen(now).by_hand(fluent, new),
        rules=LazySequence(lambda: _rules(game)),
        invariants=proved,
        checked=checked,
        outcomes=game.outcomes,
        observables=tuple(observables(game)),
        events=tuple(events.values()),
        absent=absent(game, lacking),
        metrics=PlanningModel(game).metrics(),
        overview=tuple(overview(game)),
        position=lambda now: tuple(listings(game, now)),
        notes=tuple(f"balance: {chosen.text}" for chosen in claimed(board, settings)),
        winner=None,
        ends=game.fluents.ended.fluent,
        drawing=drawing(game),
        objectives=LazySequence(lambda: objectives(game)),
        movement=LazySequence(
            lambda: [Movement("units on foot", game.geometry.beside, dict.fromkeys(game.geometry.locations, 1))]
        ),
        sayings=SAYINGS,
        memories=MEMORIES,
        kinds=LazySequence(lambda: kinds(fluents)),
    )


def _laws(game: Rules) -> tuple[tuple[Rule, ...], Sequence[Rule]]:
    """The invariants, and what else is checked of positions; kept for other systems of the board.

    They depend on the facts that there are and on two of the Readings.
    """
    fluents, kept = game.fluents, game.board.laws
    read = fluents.settings.readings
    key = (fluents.families, read["edition"], read["vehicle_disarmed"])
    if not kept or kept[0][0] != key:
        laws = _open((*invariants(game.units), *(of_pairs(game.units) if are_few(fluents) else ())))
        proved = tuple(law for law in laws if is_proved(law))  # with more of them some proofs take too long
        rest = LazySequence(lambda: tuple(law for law in _every(game) if law not in proved))
        kept[:] = [(key, proved, rest)]
    return kept[0][1:]


def _every(game: Rules) -> tuple[Rule, ...]:
    """All laws of the game."""
    return _open((*invariants(game.units), *of_pairs(game.units)))


def _open(laws: Iterable[Rule]) -> tuple[Rule, ...]:
    """Those laws that a position can break."""
    return tuple(law for law in laws if law.kept is not TRUE)


def game_of(board: Board, settings: Settings) -> Rules:
    """The parts that the system is made from."""
    geometry = geometry_under(board, settings)
    game = Rules(Fluents(board, geometry, settings, out_of_play(board, settings)), View())
    game.outcomes = tuple(o for o in outcomes(game) if o.name not in settings.without)
    return game


def _rules(game: Rules) -> Iterable[Rule]:
    """The controller of each building, and the points of each side."""
    for name in game.board.buildings:
        text = f"who controls the building {name}"
        yield Rule(f"building[{name}]", controller(game.units, BUILDING, name), text, cite("26.14/1"))
    for side in game.board.sides:
        text = f"the casualty points of the {side} side"
        yield Rule(f"cvp[{side}]", casualty_points(game.units, side), text, cite("26.22/1"))
        text = f"the exit points of the {side} side"
        yield Rule(f"exit_vp[{side}]", exit_points(game.units, side), text, cite("26.23/1"))


ENCODING = Encoding(
    name="asl",
    title="Advanced Squad Leader, victory conditions (section 26)",
    texts=(TEXT,),
    options=OPTIONS,
    readings=READINGS,
    board=Board,
    check_board=flaws,
    check_chosen=flaws_under,
    build=build,
)

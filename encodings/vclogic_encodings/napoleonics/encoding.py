"""Commands & Colors Napoleonics, Victory Banners: the encoding that `vclogic` loads."""

from __future__ import annotations

from vclogic_encodings.napoleonics.board import Board, flaws
from vclogic_encodings.napoleonics.citing import TEXT
from vclogic_encodings.napoleonics.drawing import drawing
from vclogic_encodings.napoleonics.events import Events
from vclogic_encodings.napoleonics.fluents import Fluents
from vclogic_encodings.napoleonics.game import Context
from vclogic_encodings.napoleonics.observables import observables, overview, table
from vclogic_encodings.napoleonics.planning.metrics import Planning
from vclogic_encodings.napoleonics.readings import OPTIONS, READINGS
from vclogic_encodings.napoleonics.rules.objectives import Holding
from vclogic_encodings.napoleonics.rules.victory import invariants, outcomes, rules

from vclogic.model.system import Encoding, Settings, System


def build(board: Board, settings: Settings) -> System:
    """The system for a board and settings."""
    f = Fluents(board, settings)
    c = Context(f, Holding(f))
    events = Events(c)
    return System(
        sides={s: (s,) for s in board.sides},
        families=f.families,
        initial=f.initial(),
        defaults=f.defaults(),
        rules=tuple(rules(c)),
        invariants=tuple(invariants(c)),
        outcomes=tuple(outcomes(c)),
        observables=tuple(observables(c)),
        events=tuple(events.schemas()),
        metrics=Planning(c, events).metrics(),
        overview=tuple(overview(c)),
        tables=(table(c),),
        winner=f.winner,
        drawing=drawing(c),
    )


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

"""Axis & Allies Revised with victory cities: the encoding that `vclogic` loads."""

from __future__ import annotations

from collections.abc import Iterable

from vclogic_encodings.axis_allies.board import Board, flaws
from vclogic_encodings.axis_allies.captures import Captures
from vclogic_encodings.axis_allies.events import city_clause, end_turn, schemas
from vclogic_encodings.axis_allies.state import Fluents
from vclogic_encodings.axis_allies.victory import SOURCE, cite, outcomes, outcomes_in_use

from vclogic.model.rules import Observable, Option, Reading, Rule
from vclogic.model.system import Encoding, Settings, System
from vclogic.terms.build import eq, gt, implies
from vclogic.terms.partial import Partial

OPTIONS = (
    Option(
        "victory",
        ("all", "total", "major", "minor"),
        "all",
        "the victory conditions that the players agreed on; all judges each of them",
        cite("victory/1"),
    ),
    Option(
        "sea_range",
        range(21),
        2,
        "planning: the most sea moves between embarking and landing; 0: the same zone",
    ),
)
READINGS = (
    Reading(
        "every_territory",
        {
            "ownable": "every territory that somebody can own: no sea zones, no impassable regions",
            "all": "every region of the map, which nobody can control, so that Total Victory is out of reach",
        },
        "ownable",
        "a condition that can never be met is not meant",
        cite("victory-total/1"),
    ),
)
CITIES = ("VC/1", "VC/2", "VC-p2/1", "VC-p2/2")


def build(board: Board, settings: Settings) -> System:
    """The system for a board and settings."""
    f = Fluents(board, outcomes_in_use(settings))
    judged = tuple(outcomes(f, settings))
    turn_over = end_turn(f, judged)
    return System(
        sides=board.sides,
        families=f.families,
        initial=f.initial(),
        rules=tuple(_rules(f)),
        invariants=tuple(_invariants(f)),
        outcomes=judged,
        observables=tuple(_observables(f)),
        events=tuple(schemas(f, turn_over)),
        metrics=Captures(f, settings, turn_over).metrics(),
        schedule=(f.round.fluent, f.turn.fluent),
        overview=tuple(_overview(f)),
        winner=f.winner.fluent,
    )


def _rules(f: Fluents) -> Iterable[Rule]:
    for side in f.board.sides:
        cities = [clause for t in f.board.cities for clause in city_clause(f.board, t)]
        text = f"the points of the victory cities in territories that the {side} control"
        yield Rule(f"points[{side}]", f.points(side), text, (*cite(*CITIES), *cities))


def _invariants(f: Fluents) -> Iterable[Rule]:
    order = f.board.turn_order
    for power, successor in zip(order, (*order[1:], order[0]), strict=True):
        yield Rule(
            f"after[{power}]",
            implies(eq(f.ended.fluent, power), eq(f.turn.fluent, successor)),
            f"when the turn of the {power} has just ended, it is the turn of the {successor}",
            (),
        )


def _observables(f: Fluents) -> Iterable[Observable]:
    points = cite(*CITIES)
    yield Observable("vcp", (f.sides,), f.points, "victory city points that the side controls", points)
    text = "the power that owns the territory"
    yield Observable("owner", (f.territories,), lambda t: f.owner[t], text, values=f.powers)
    text = "a power of the side owns the territory"
    yield Observable("controls", (f.sides, f.territories), f.controls, text)
    text = "how many territories the side controls"
    yield Observable("territories", (f.sides,), f.territory_count, text, cite("victory-total/1"))
    text = "the sum of the IPC values of what the power owns; not its treasury"
    yield Observable("ipc", (f.powers,), f.income, text)
    yield Observable("round", (), lambda: f.round.fluent, "the round of play")
    yield Observable("turn", (), lambda: f.turn.fluent, "the power whose turn it is", values=f.powers)
    text = "the number of turns that won the bid; undefined where nobody has bid"
    bid = Partial(f.bid.fluent, gt(f.bid.fluent, 0))
    yield Observable("bid", (), lambda: bid, text, cite("victory-minor/1", "victory-minor/3"))


def _overview(f: Fluents) -> Iterable[tuple[str, ...]]:
    yield ("round",)
    yield ("turn",)
    for side in f.board.sides:
        yield ("vcp", side)
    for side in f.board.sides:
        yield ("territories", side)
    for power in f.board.powers:
        yield ("ipc", power)


ENCODING = Encoding(
    name="axis_allies",
    title="Axis & Allies Revised with victory cities",
    sources={SOURCE: "Victory Cities, a variant for Axis & Allies Revised"},
    options=OPTIONS,
    readings=READINGS,
    board=Board,
    check_board=flaws,
    build=build,
)

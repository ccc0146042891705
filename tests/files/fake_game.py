"""A tiny game for the tests of `vclogic.files`: two sides, a few areas, no rules to speak of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from vclogic.errors import did_you_mean
from vclogic.model.actions import Action, Parameter, Schema
from vclogic.model.citation import Citation, RuleText
from vclogic.model.fluents import Family, Value
from vclogic.model.rules import Option, Reading, Rule
from vclogic.model.system import Encoding, Flaw, Settings, System
from vclogic.terms.build import eq, implies, le
from vclogic.terms.domain import Domain
from vclogic.terms.partial import Partial
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term


@dataclass(frozen=True)
class Area:
    owner: Literal["Red", "Blue"]
    value: int = 0
    port: bool = False
    aliases: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    at: tuple[int, int] | None = None


@dataclass(frozen=True)
class Board:
    title: str
    areas: Mapping[str, Area]
    points: Mapping[Literal["Red", "Blue"], int] = field(default_factory=dict)


def flaws(board: Board) -> Iterable[Flaw]:
    if not board.areas:
        yield Flaw(("areas",), "a board needs areas", key=True)
    for name, area in board.areas.items():
        for i, other in enumerate(area.near):
            if other not in board.areas:
                hint = did_you_mean(other, board.areas)
                yield Flaw(("areas", name, "near", i), f"unknown area {other!r}", hint)


def build(board: Board, settings: Settings) -> System:
    cite = (Citation("book", "3.1"),)
    sides = Domain(EnumSort("side", ("Red", "Blue")), {"Reds": "Red"}, {"Green": "it does not play"})
    sort = EnumSort("area", tuple(board.areas))
    areas = Domain(sort, {alias: name for name, a in board.areas.items() for alias in a.aliases})
    owner = Family("owner", sides.sort, "who owns an area", (areas,), sides)
    turn = Family("turn", IntSort(1, 20), "the turn")
    to_move = Family("to_move", sides.sort, "who moves", values=sides)
    supplied = Family("supplied", BOOL, "whether a side has supply in an area", (sides, areas))
    score = Family("score", IntSort(-1, 99), "points; left out: not counted", (sides,), least=0)
    frozen = Family("frozen", BOOL, "whether the river is frozen")
    families = (owner, turn, to_move, supplied, score, frozen)
    initial: dict[Term, Value] = {owner[name]: a.owner for name, a in board.areas.items()}
    initial |= {turn.fluent: 1, to_move.fluent: "Red", frozen.fluent: False}
    initial |= dict.fromkeys(supplied.fluents.values(), True) | dict.fromkeys(score.fluents.values(), -1)
    first = sort.members[0]
    invariants = (
        Rule("length", le(turn.fluent, settings.number("length")), "the game has ended by then", cite),
        Rule(
            "home",
            Partial(eq(owner[first], "Red"), eq(to_move.fluent, "Red")),
            "Red owns its home in its own turn",
            cite,
        ),
        Rule("ice", implies(frozen.fluent, le(turn.fluent, 5)), "ice is gone after turn 5", ()),
    )
    events = (
        Schema("capture", (Parameter("side", sides), Parameter("area", areas)), _action, "takes an area"),
        Schema("roll", (Parameter("side", sides, "Red"), Parameter("dice", range(1, 7), 6)), _action, "rolls"),
        Schema("end_turn", (), _action, "ends the turn"),
    )
    return System(
        sides={"Red": ("Red",), "Blue": ("Blue",)},
        families=families,
        initial=initial,
        rules=(),
        invariants=invariants,
        outcomes=(),
        observables=(),
        events=events,
        metrics=(),
    )


def _action(**arguments: Value) -> Action:
    return Action("none", tuple(arguments.items()), None, (), (), "nothing")


ENCODING = Encoding(
    name="skirmish",
    title="Skirmish",
    texts=(RuleText("book", "The book"),),
    options=(
        Option("length", range(1, 21), 10, "turns"),
        Option("weather", ("fair", "rain", "no"), "fair", "the weather"),
        Option("even", range(0, 11, 2), 0, "an even number"),
    ),
    readings=(Reading("ties", {"red": "Red wins ties", "none": "nobody does"}, "none", "the text is silent", ()),),
    board=Board,
    check_board=flaws,
    build=build,
)

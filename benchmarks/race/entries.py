"""What is raced for: the rows, and who is entered for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

import vclogic
from benchmarks.large_boards import random_areas, written
from benchmarks.race import instances
from benchmarks.race.instances import Instance, Question
from benchmarks.written_campaigns import grid
from vclogic.game import Game

AREAS, MORE = (100, 300, 1_000, 5_000), (10, 20, 30)


class Entrant(NamedTuple):
    """A solver in a row.

    Attributes:
        name: How the table calls it.
        module: Its module in `peers`.
        variant: Told to it.
        instance: Which of the row's instances it gets.
    """

    name: str
    module: str
    variant: str = ""
    instance: str = ""


@dataclass(frozen=True)
class Row:
    """One question to all.

    Attributes:
        key: Names it in `reasons.yaml`.
        group: The table that it stands in.
        title: What is asked.
        game: A scenario or a file.
        question: How vclogic is asked; None: what `command` asks.
        entrants: The peers.
        make: Makes the instances by name; each entrant gets one.
        easier: Rows that a solver must have finished for this one to be worth its time.
        command: What is asked where there is no question.
    """

    key: str
    group: str
    title: str
    game: str
    question: Question | None
    entrants: tuple[Entrant, ...]
    make: Callable[[Game], Mapping[str, Instance]]
    easier: tuple[str, ...] = ()
    command: str = "status"

    def load(self) -> Game:
        """The game."""
        return vclogic.load(self.game, settings=self.question.settings if self.question else {})


GROUPS = {
    "captures": "Fewest captures on the board of 1942",
    "growth": "Fewest captures on random boards",
    "land": "Fewest moves of land armies",
    "full": "Fewest moves in the full theatre",
    "hexes": "Cheapest plans on hexes",
    "no": "What can never be, without a limit of steps",
    "status": "Who has won",
    "legal": "What is legal",
}
_USC, _BB = Entrant("clingo usc", "by_clingo", "usc"), Entrant("clingo bb", "by_clingo", "bb")
_CAPTURERS = (
    _USC,
    _BB,
    Entrant("Exact", "by_exact"),
    Entrant("CP-SAT", "by_cp_sat"),
    Entrant("z3 optimizer", "by_z3"),
    Entrant("Fast Downward", "by_downward"),
    Entrant("breadth-first", "by_search"),
)
_PROGRAMMERS = (
    Entrant("HiGHS", "by_highs", instance="plain"),
    Entrant("CP-SAT", "by_cp_sat", instance="plain"),
    Entrant("Exact", "by_exact", instance="plain"),
    Entrant("z3 optimizer", "by_z3", instance="plain"),
)
_WITH_CUTS = (Entrant("HiGHS, our cuts", "by_highs", instance="cuts"), *_PROGRAMMERS)
_Z3, _SPACER = Entrant("z3 optimizer", "by_z3"), Entrant("z3 Spacer", "by_z3", instance="horn")
_SEARCH = Entrant("breadth-first", "by_search", instance="events")
_TURNS = 'round == 1 and turn == Germans and owner("Ukraine S.S.R.") == Japanese'
_CAPTURED = 'round == 1 and first_turn_done(Americans) and controls(Axis, "Brazil")'


def rows(folder: Path, only: tuple[str, ...] = ()) -> Iterator[Row]:
    """The rows of some groups.

    Args:
        folder: Where files of boards are put.
        only: Names of groups; all if none are given.
    """
    made: dict[str, Callable[[], Iterator[Row]]] = {
        "captures": _captures,
        "growth": partial(_growth, folder),
        "land": partial(_armies, "land", ((36, 2), (38, 3), (40, 3))),
        "full": partial(_armies, "full", ((33, 1), (36, 2), (40, 3))),
        "hexes": _hexes,
        "no": partial(_never, folder),
        "status": _status,
        "legal": partial(_legal, folder),
    }
    for group in only or GROUPS:
        yield from made[group]()


def _captures() -> Iterator[Row]:
    goals = [*(("Axis", "vcp", n) for n in (40, 50, 60, 65)), ("Axis", "territories", 63), ("Allies", "vcp", 65)]
    for side, counted, least in goals:
        goal = f"{counted}({side}) >= {least}"
        make = partial(_map, side=side, counted=counted, least=least)
        key = f"captures {side} {least}"
        yield Row(key, "captures", goal, "axis_allies", Question(goal, side), _CAPTURERS, make)


def _map(game: Game, side: str, counted: str, least: int) -> dict[str, Instance]:
    return {"": instances.captures(game, side, counted, least)}


def _growth(folder: Path) -> Iterator[Row]:
    for areas in AREAS:
        file = written(random_areas(areas), str(folder / f"{areas}.yaml"))
        have = int(vclogic.load(file).value("vcp(Axis)") or 0)
        for more in MORE:
            goal = f"vcp(Axis) >= {have + more}"
            make = partial(_map, side="Axis", counted="vcp", least=have + more)
            easier = tuple(f"growth {areas} +{fewer}" for fewer in MORE if fewer < more)
            title = f"{areas:,} areas, {more} points more"
            question = Question(goal, "Axis")
            yield Row(f"growth {areas} +{more}", "growth", title, file, question, _CAPTURERS, make, easier)


def _armies(theatre: str, asked: tuple[tuple[int, int], ...]) -> Iterator[Row]:
    blitz = "off" if theatre == "land" else "on"
    before: tuple[str, ...] = ()
    for points, rounds in asked:
        goal = f"vcp(Axis) >= {points}"
        settings = {"level": "armies", "theatre": theatre, "blitz": blitz}
        question = Question(goal, "Axis", "moves", rounds, settings=settings)
        title = f"{points} points within {rounds} round{'s' if rounds > 1 else ''}"
        key = f"{theatre} {points} in {rounds}"
        yield Row(key, theatre, title, "axis_allies", question, _WITH_CUTS, partial(_program, question), before)
        before = (*before, key)


def _program(question: Question, game: Game) -> Mapping[str, Instance]:
    return instances.armies(game, question)


def _hexes() -> Iterator[Row]:
    before: tuple[str, ...] = ()
    for units in (3, 28, 30):
        question = Question(f"without_loc(US) >= {units}", "Japan", within=2)
        key = f"okinawa {units}"
        title = f"Okinawa: {units} units without supply within 2 player-turns"
        yield Row(key, "hexes", title, "okinawa/island", question, (_Z3,), partial(_smt, question), before)
        before = (*before, key)
    for key, title, game, question in (
        (
            "moscow rows",
            "Moscow: no row uncovered within 2 turns",
            "moscow/campaign",
            Question("uncovered_rows(German) == 0", "German", "moves", 2),
        ),
        (
            "napoleonics banners",
            "Erlenbach: 5 banners within 5 turns",
            "napoleonics/erlenbach",
            Question("banners(French) >= 5", "French", "turns", 5, settings={"combat": "adjacent"}),
        ),
    ):
        yield Row(key, "hexes", title, game, question, _PROGRAMMERS, partial(_steps, question))


def _smt(question: Question, game: Game) -> Mapping[str, Instance]:
    return {"": instances.smt(game, question)}


def _steps(question: Question, game: Game) -> Mapping[str, Instance]:
    return {"plain": instances.steps(game, question)}


def _never(folder: Path) -> Iterator[Row]:
    turns = Question(_TURNS, "Axis", "turns")
    yield Row("never turns", "no", f"{_TURNS}, by turns", "axis_allies", turns, (_SPACER,), partial(_horn, turns))
    captured = Question(_CAPTURED, "Axis", "captures", opponent="helps")
    both = (_SPACER, _SEARCH)
    title = f"{_CAPTURED}, by captures of both sides"
    yield Row("never captures", "no", title, "axis_allies", captured, both, partial(_horn, captured))


def _horn(question: Question, game: Game) -> Mapping[str, Instance]:
    found = {"horn": instances.horn(game, question)}
    return found if question.minimize == "turns" else {**found, "events": instances.events(game, question)}


def _status() -> Iterator[Row]:
    entrants = (Entrant("Python by hand", "by_hand"), Entrant("z3 simplify", "by_z3"), Entrant("clingo", "by_clingo"))
    title = "points of both sides and six outcomes, one position"
    yield Row("status", "status", title, "axis_allies", None, entrants, lambda game: {"": instances.statuses(game)})


def _legal(folder: Path) -> Iterator[Row]:
    file = folder / "moves.md"
    file.write_text(grid(20, 15, 30), encoding="utf-8")
    entrants = (
        Entrant("gringo, this position", "by_clingo", "position"),
        Entrant("gringo, any position", "by_clingo", "any"),
    )
    title = "moves of 30 units on 300 hexes, the rules read as text"
    yield Row("legal", "legal", title, str(file), None, entrants, _moves, command="legal")


def _moves(game: Game) -> Mapping[str, Instance]:
    return {"": instances.moves(game)}

"""The Eastern Front: the encoding against plain Python written from the text, and the questions that players ask."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vclogic_encodings.moscow.board import Award, Board, Place, Rate, Unit
from vclogic_encodings.moscow.rules import ENCODING

from tests.support.pace import examples
from vclogic.encode.python import apply, failed, interpret
from vclogic.errors import InputError
from vclogic.model.actions import Event
from vclogic.model.fluents import State
from vclogic.model.system import System
from vclogic.query.game import Game

SIDES = ("German", "Soviet")
SIZES = ("army", "corps", "division", "brigade", "regiment")


def other(side: str) -> str:
    return "Soviet" if side == "German" else "German"


# ---- the game in plain Python; nothing here comes from the encoding


def around(hex_: str, stagger: str) -> set[str]:
    """The six hexes around a hex, on the map or not, from the usual tables of offsets."""
    c, r = map(int, hex_.split(","))
    kind, axis = stagger.split("-")
    line = r if axis == "row" else c
    shifted = line % 2 == (1 if kind == "odd" else 0)
    if axis == "row":
        e = 0 if shifted else -1
        near = [(c - 1, r), (c + 1, r), (c + e, r - 1), (c + e + 1, r - 1), (c + e, r + 1), (c + e + 1, r + 1)]
    else:
        e = 0 if shifted else -1
        near = [(c, r - 1), (c, r + 1), (c - 1, r + e), (c - 1, r + e + 1), (c + 1, r + e), (c + 1, r + e + 1)]
    return {f"{x},{y}" for x, y in near}


@dataclass
class War:
    """A game that is played step by step."""

    board: Board
    readings: dict[str, str]
    at: dict[str, str] = field(default_factory=dict)
    owner: dict[str, str] = field(default_factory=dict)
    captured: set[tuple[str, str]] = field(default_factory=set)
    front: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SIDES, 0))
    turn: str = "German"
    round: int = 1
    over: bool = False

    def __post_init__(self) -> None:
        self.at = {u: unit.at for u, unit in self.board.units.items()}
        self.owner = {p: place.owner or "none" for p, place in self.board.places.items()}
        self.settle()
        gained = ((s, p) for p, s in self.owner.items() if s != "none" and s != self.board.places[p].owner)
        self.captured = set(gained)

    # ---- who is where

    def hexes(self) -> set[str]:
        every = {f"{c},{r}" for c in range(self.board.columns) for r in range(self.board.rows)}
        return every - {*self.board.absent}

    def army(self, side: str, hexes: set[str]) -> list[Unit]:
        return [x for u, x in self.board.units.items() if x.side == side and self.at[u] in hexes]

    def alone(self, side: str, place: str) -> bool:
        hexes = {*self.board.places[place].hexes}
        counts = {
            s: [x for x in self.army(s, hexes) if not x.eb or self.readings["eb_in_places"] == "units"] for s in SIDES
        }
        return bool(counts[side]) and not counts[other(side)]

    def settle(self) -> None:
        for place in self.board.places:
            for side in SIDES:
                if self.alone(side, place) and self.owner[place] != side:
                    self.owner[place] = side
                    self.captured.add((side, place))

    # ---- events

    def may(self, event: Event) -> bool:
        args: dict[str, Any] = dict(event.args)
        if self.over:
            return False
        if event.name in ("end_turn", "end_game"):
            return True
        unit = self.board.units[args["unit"]]
        here = self.at[args["unit"]]
        if event.name == "eliminate":
            return here not in ("off", "eliminated")
        to = args["to"]
        if (unit.side == self.turn) != (event.name == "move") or here in ("eliminated", to):
            return False
        if event.name == "retreat" and here == "off":
            return False
        if to == "off":
            return True
        full = self.board.stacking is not None and len(self.army(unit.side, {to})) >= self.board.stacking
        return not full and not self.army(other(unit.side), {to})

    def do(self, event: Event) -> None:
        args: dict[str, Any] = dict(event.args)
        if event.name == "end_game":
            self.over = True
        elif event.name == "end_turn":
            self.front[other(self.turn)] += len(self.uncovered(self.turn))
            if self.turn != self.board.first and self.round == self.board.rounds:
                self.over = True
            elif self.turn != self.board.first:
                self.round += 1
            self.turn = other(self.turn)
        else:
            self.at[args["unit"]] = args.get("to", "eliminated")
            self.settle()

    # ---- the front line

    def covers(self, unit: Unit, at: str) -> set[str]:
        if unit.eb or at in ("off", "eliminated"):
            return set()
        zone = unit.size in ("corps", "division")
        zone |= unit.size == "army" and self.readings["larger_units"] == "zone"
        if unit.bracketed or not zone:
            return {at} if self.readings["small_units"] == "own_hex" else set()
        closed = [{*pair} for pair in self.board.barriers]
        near = {h for h in around(at, self.board.stagger) if {h, at} not in closed}
        return {at} | (near & self.hexes())

    def line(self, side: str) -> set[str]:
        units = [(x, self.at[u]) for u, x in self.board.units.items() if x.side == side]
        return set().union(*(self.covers(x, at) for x, at in units))

    def uncovered(self, side: str) -> list[int]:
        rows = sorted({int(h.split(",")[1]) for h in self.hexes()})
        held = {int(h.split(",")[1]) for h in self.line(side)}
        gaps = [r for r in rows if r not in held]
        if self.readings["rows"] == "between":
            gaps = [r for r in gaps if held and min(held) < r < max(held)]
        return gaps

    # ---- points

    def holds(self, side: str, place: str) -> bool:
        if place == "Moscow" or self.readings["other_places"] == "as_moscow":
            return self.alone(side, place)
        return self.owner[place] == side

    def takes(self, side: str, place: str) -> bool:
        taken = self.readings["taking_and_holding"] == "position" or (side, place) in self.captured
        return self.holds(side, place) and taken

    def strength(self, side: str) -> int:
        pick = {"attack": lambda a, d: a, "defence": lambda a, d: d, "larger": max}[self.readings["strength"]]
        lost = [x for u, x in self.board.units.items() if x.side == side and self.at[u] == "eliminated"]
        return sum(pick(x.strength, x.strength if x.defence is None else x.defence) for x in lost)

    def points(self, side: str) -> int:
        total = self.front[side]
        for s, rate in self.board.eliminated.items():
            if s == side:
                total += self.strength(other(side)) // rate.per * rate.points
        for a in self.board.awards:
            earned = {
                "capture": (side, a.place) in self.captured,
                "hold": self.holds(side, a.place),
                "take_and_hold": self.takes(side, a.place),
            }[a.item]
            total += a.points if earned and side in a.to else 0
        return total

    def level(self) -> str:
        return level(self.points("German"), self.points("Soviet"), self.readings["zero_points"])


def level(german: int, soviet: int, zero: str) -> str:
    """The line of the table, by dividing."""
    if zero == "one":
        german, soviet = max(german, 1), max(soviet, 1)
    open_ = {
        "undefined": not german or not soviet,
        "divisor": not soviet,
        "limit": not german and not soviet,
        "even": False,
        "one": False,
    }
    if open_[zero]:
        return "undefined"
    if not soviet:
        return "german_decisive" if german else "soviet_decisive"
    ratio = Fraction(german, soviet)
    for most, name in ((1, "soviet_decisive"), (2, "soviet_substantial"), (3, "soviet_marginal")):
        if ratio <= most:
            return name
    return "german_decisive" if ratio >= 6 else "german_substantial" if ratio > 4 else "german_marginal"


# ---- random boards and plays


@st.composite
def boards(draw: st.DrawFn) -> Board:
    columns, rows = draw(st.integers(2, 5)), draw(st.integers(2, 6))
    hexes = [f"{c},{r}" for r in range(rows) for c in range(columns)]
    absent = tuple(draw(st.lists(st.sampled_from(hexes), max_size=3, unique=True)))
    left = [h for h in hexes if h not in absent] or hexes
    absent = absent if len(left) > 3 and left is not hexes else ()
    stagger = draw(st.sampled_from(("odd-row", "even-row", "odd-column", "even-column")))
    spread = draw(st.permutations(left))
    places = {"Moscow": Place(tuple(spread[:2]), draw(st.sampled_from((*SIDES, None)))), "Orel": Place((spread[2],))}
    stacking = draw(st.sampled_from((None, 1, 2)))
    units: dict[str, Unit] = {}
    for i in range(draw(st.integers(3, 7))):
        side = SIDES[i] if i < 2 else draw(st.sampled_from(SIDES))
        at = draw(st.sampled_from((*left, "off")))
        there = [u for u in units.values() if u.at == at != "off"]
        if any(u.side != side for u in there) or (stacking is not None and len(there) >= stacking):
            at = "off"
        units[f"{side} {i}"] = Unit(
            side,
            at,
            draw(st.integers(0, 6)),
            draw(st.sampled_from((None, 1, 9))),
            draw(st.sampled_from(SIZES)),
            draw(st.integers(0, 3)) == 0,
            draw(st.integers(0, 5)) == 0,
        )
    edges = [(a, b) for a in left for b in sorted(around(a, stagger)) if b in left]
    return Board(
        columns=columns,
        rows=rows,
        units=units,
        places=places,
        awards=tuple(draw(st.lists(awards(), max_size=4, unique_by=lambda a: (a.place, a.item)))),
        eliminated={s: Rate(draw(st.integers(0, 3)), draw(st.integers(1, 3))) for s in SIDES if draw(st.booleans())},
        stagger=stagger,
        absent=absent,
        barriers=tuple(draw(st.lists(st.sampled_from(edges), max_size=2))) if edges else (),
        rounds=draw(st.sampled_from((None, 1, 3))),
        stacking=stacking,
    )


@st.composite
def awards(draw: st.DrawFn) -> Award:
    item = draw(st.sampled_from(("capture", "hold", "take_and_hold")))
    to = draw(st.sampled_from((("German",), ("Soviet",), SIDES)))
    return Award(draw(st.sampled_from(("Moscow", "Orel"))), item, to, draw(st.integers(0, 20)))


@st.composite
def events(draw: st.DrawFn, war: War) -> Event:
    name = draw(st.sampled_from(("move", "move", "move", "retreat", "eliminate", "end_turn", "end_turn", "end_game")))
    if name in ("end_turn", "end_game"):
        return Event(name)
    unit = ("unit", draw(st.sampled_from(sorted(war.board.units))))
    if name == "eliminate":
        return Event(name, (unit,))
    return Event(name, (unit, ("to", draw(st.sampled_from((*sorted(war.hexes()), "off"))))))


def seen(system: System, state: State, name: str, *arguments: str) -> Any:
    value = system.vocabulary[name].partial(*arguments).value
    x = interpret(value, system.layout.slot, state)
    members = getattr(value.sort, "members", None)
    return members[x] if members else int(x)


def compare(system: System, state: State, war: War) -> None:
    """Every value that the encoding shows is the one that plain Python has."""
    for side in SIDES:
        assert seen(system, state, "uncovered_rows", side) == len(war.uncovered(side))
        assert seen(system, state, "vp", side) == war.points(side)
        assert seen(system, state, "front_points", side) == war.front[side]
        assert seen(system, state, "holds", "moscow", side) == war.takes(side, "Moscow")
        for h in war.hexes():
            assert seen(system, state, "covered", side, h) == (h in war.line(side))
        for place in war.board.places:
            assert seen(system, state, "holding", side, place) == war.holds(side, place)
            assert seen(system, state, "captured", side, place) == ((side, place) in war.captured)
        for grade in ("decisive", "substantial", "marginal"):
            judged = war.over and war.level() == f"{side.lower()}_{grade}"
            assert seen(system, state, "holds", grade, side) == judged
    assert seen(system, state, "level") == war.level()
    bare = replace(war, front=dict.fromkeys(SIDES, 0))
    bare.owner, bare.captured, bare.at = war.owner, war.captured, war.at
    assert seen(system, state, "front_matters") == (bare.level() != war.level())
    assert (seen(system, state, "turn"), seen(system, state, "round")) == (war.turn, war.round)


@examples(60)
@given(st.data())
def test_a_play_is_what_plain_python_says(data: st.DataObject) -> None:
    board = data.draw(boards())
    readings = {r.name: data.draw(st.sampled_from(sorted(r.values))) for r in ENCODING.readings}
    assert [*ENCODING.check_board(board)] == []
    system = ENCODING.build(board, ENCODING.settings(dict(readings)))
    state = system.layout.state(system.completed({}))
    war = War(board, readings)
    compare(system, state, war)
    for _ in range(data.draw(st.integers(1, 14))):
        event = data.draw(events(war))
        action = system.action(event)
        assert (not failed(system, state, action)) == war.may(event), event
        if war.may(event):
            war.do(event)
            state = apply(system, state, action)
    compare(system, state, war)
    slot = system.layout.slot
    assert all(interpret(rule.kept, slot, state) for rule in system.invariants)


@examples(80)
@given(st.integers(0, 40), st.integers(0, 40), st.integers(-1, 1))
def test_the_table_by_fractions(soviet: int, factor: int, more: int) -> None:
    game = Game.load("moscow/small").setup
    values = game.system.layout.values(game.initial)
    german = max(soviet * factor // 4 + more, 0)
    front = game.system.layout.families["front"]
    # The Soviet militia is in Moscow: 10 points more.
    state = game.system.layout.state({**values, front["German"]: german, front["Soviet"]: soviet})
    assert seen(game.system, state, "level") == level(german, soviet + 10, "undefined")


# ---- questions


def test_the_fewest_moves_that_close_the_front_line() -> None:
    game = Game.load("moscow/small")
    plan = game.plan("uncovered_rows(German) == 0")
    assert (plan.status, plan.cost, plan.replayed) == ("optimal", 2, True)
    assert [s.action for s in plan.steps] == ["move", "move"]
    assert game.plan("uncovered_rows(Soviet) == 0").cost == 1
    closed = game.plan("uncovered_rows(German) == 0", minimize="turns")
    assert (closed.status, closed.cost) == ("optimal", 1)


def test_the_fewest_moves_that_take_and_hold_moscow() -> None:
    game = Game.load("moscow/small")
    assert game.plan("holds(moscow, German)").status == "impossible"  # the militia is in it, and nobody fights
    freed = game.apply("eliminate", unit="1st Moscow Militia")
    plan = freed.plan("holds(moscow, German)")
    assert (plan.status, plan.cost) == ("optimal", 2)
    assert plan.steps[-1].args["to"] in ("6,3", "7,3")
    assert freed.with_options(marches=1).plan("holds(moscow, German)").status == "impossible"


def test_the_best_level_that_a_side_can_still_reach() -> None:
    game = Game.load("moscow/small").apply("eliminate", unit="1st Moscow Militia").apply("eliminate", unit="EB 1")
    assert game.value("level") == "undefined"
    best = game.plan(maximize="grade(Soviet)", side="Soviet", minimize="turns", within=1)
    assert best.maximum is not None
    assert best.maximum.value in (None, 6)


def test_whether_the_penalty_alone_changes_the_level() -> None:
    game = Game.load("moscow/small")
    assert game.value("front_matters") is False
    found = game.reach("front_matters", side="German", within=1)
    assert found.status in ("reachable", "unreachable")


def test_moscow_is_never_taken_and_held_by_both() -> None:
    found = Game.load("moscow/small").reach("holds(moscow, German) and holds(moscow, Soviet)", opponent="any")
    assert found.status == "unreachable"
    assert found.proof is not None
    assert found.proof.method == "positions"


# ---- bad input

BOARD: dict[str, Any] = {
    "columns": 3,
    "rows": 3,
    "places": {"Moscow": {"hexes": ["2,1"]}},
    "units": {"A": {"side": "German", "at": "0,0"}, "B": {"side": "Soviet", "at": "2,2"}},
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"columns": 0}, "columns are a number from 1 to 100"),
        ({"absent": ["9,9"]}, "9,9 is off the map"),
        ({"places": {"Moscow": {"hexes": ["3,1"]}}}, "3,1 is off the map"),
        ({"places": {"Minsk": {"hexes": ["1,1"]}}}, "unknown place 'Moscow'"),
        ({"places": {"Moscow": {"hexes": ["1,1"]}, "Orel": {"hexes": ["1,1"]}}}, "1,1 belongs to Moscow already"),
        ({"terrain": {"bog": ["1,1"]}}, "'movement' says nothing of 'bog'"),
        ({"barriers": [["0,0", "2,2"]]}, "0,0 and 2,2 do not adjoin"),
        ({"awards": [{"place": "Moscow", "item": "hold", "to": ["German"], "points": -1}]}, "points are a number"),
        ({"awards": [{"place": "Kiev", "item": "hold", "to": ["German"], "points": 1}]}, "unknown place 'Kiev'"),
        ({"units": {**BOARD["units"], "C": {"side": "German", "at": "2,2"}}}, "2,2 already holds the Soviet B"),
        ({"units": {**BOARD["units"], "C": {"side": "German", "at": "7,7"}}}, "7,7 is off the map"),
        ({"units": {"A": {"side": "German"}}}, "there is no Soviet unit"),
        (
            {"stacking": 1, "units": {**BOARD["units"], "C": {"side": "German", "at": "0,0"}}},
            "0,0 holds 1 German units already",
        ),
    ],
)
def test_a_flawed_board_is_refused(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    file = tmp_path / "position.json"
    file.write_text(json.dumps({"game": "moscow", "board": {**BOARD, **change}}))
    with pytest.raises(InputError) as error:
        Game.load(str(file))
    assert any(message in d.message for d in error.value.diagnostics), [d.message for d in error.value.diagnostics]


@pytest.mark.parametrize(
    ("state", "message"),
    [
        ({"at": {"7th Infantry": "4,3"}}, "units of one side only stand in 4,3"),
        ({"at": {"7th Infantry": "44,3"}}, "unknown whereabouts '44,3'"),
        ({"at": {"8th Infantry": "1,1"}}, "unknown unit '8th Infantry'"),
        ({"owner": {"Moscow": "German"}}, "Moscow is the Soviets' if they have a unit in it"),
        ({"round": 11}, "no more than 10 turns"),
        ({"front": {"German": -1}}, "expected a whole number"),
    ],
)
def test_an_impossible_position_is_refused(tmp_path: Path, state: dict[str, Any], message: str) -> None:
    file = tmp_path / "position.json"
    file.write_text(json.dumps({"game": "moscow/small", "state": state}))
    with pytest.raises(InputError) as error:
        Game.load(str(file))
    assert any(message in d.message for d in error.value.diagnostics), [d.message for d in error.value.diagnostics]

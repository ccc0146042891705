"""Advanced Squad Leader, section 26: geometry, control and fire against plain Python; mistakes in files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vclogic_encodings.asl import board as board_module
from vclogic_encodings.asl.board import Board, Building, Hex, Unit, VictoryConditions
from vclogic_encodings.asl.checks import flaws
from vclogic_encodings.asl.encoding import ENCODING
from vclogic_encodings.asl.geometry import Geometry, is_half, whole_board

from tests.fixtures.games import loaded
from tests.fixtures.pace import examples
from tests.fixtures.positions import load
from tests.oracles.asl import Plain, near
from vclogic.encode.python.evaluator import apply, failed, interpret
from vclogic.errors import InputError
from vclogic.files.registry import data_source
from vclogic.files.trees.nodes import parse
from vclogic.files.trees.schema import check_as
from vclogic.model.actions import Event
from vclogic.model.fluents import State, value
from vclogic.model.system import System


def own_board(name: str) -> Board:
    """A board of the encoding's folder."""
    return check_as(Board, parse(data_source("asl", f"{name}.yaml")))


# ---- the map


def test_a_geomorphic_board_has_346_hexes_of_which_52_are_half() -> None:
    hexes = whole_board("22")
    assert len(hexes) == 346
    assert sum(map(is_half, hexes)) == 52


def test_neighbours_by_printed_name_are_the_hexes_that_touch() -> None:
    g = Geometry(Board(("A", "B"), whole=("1",)), rooftops=False, cellars=False)
    assert set(g.neighbours["1F3"]) == {"1F2", "1G3", "1G4", "1F4", "1E4", "1E3"}
    assert set(g.neighbours["1G3"]) == {"1G2", "1H2", "1H3", "1G4", "1F3", "1F2"}
    around = {*g.neighbours["1F3"], *g.neighbours["1G3"]} - {"1F3", "1G3"}
    assert around == {"1E3", "1E4", "1F2", "1F4", "1G2", "1G4", "1H2", "1H3"}
    for h in ("1A1", "1B0", "1F3", "1GG10", "1CC5", "1FF10"):
        assert set(g.neighbours[h]) == {n for n in g.hexes if near(h, n)}


def test_facts_of_the_real_boards() -> None:
    g = Geometry(own_board("22u3"), rooftops=False, cellars=False)
    assert len(g.of_building["22U3"]) == 6
    assert {x.partition("/")[2] for x in g.of_building["22U3"]} == {"0", "1"}
    f = own_board("1f3")
    assert set(f.buildings["1F3"].hexes) == {"1E4", "1F3", "1G3", "1G4"}
    assert f.buildings["1F3"].stairs == ("1G3",)
    with_roof = Geometry(own_board("22u3"), rooftops=True, cellars=True)
    assert {"22V3/rooftop", "22V3/cellar"} <= set(with_roof.locations)
    assert Geometry(own_board("13cc5"), rooftops=False, cellars=False).of_hex["13CC5"] == (
        "13CC5/bridge",
        "13CC5/depression",
    )


# ---- control, against plain Python

HEXES = ("22U3", "22V2", "22V3", "22U2", "22V4")
KINDS = ("squad", "squad", "leader", "dummy", "vehicle", "half-squad")


def joined(hexes: list[str]) -> bool:
    """Whether each hex touches another one of them; for up to three, that they hang together."""
    return len(hexes) == 1 or all(any(near(a, b) for b in hexes) for a in hexes)


@st.composite
def boards(draw: Any) -> Board:
    """A few hexes of board 22, one or two buildings over some of them, and units."""
    parts = draw(st.lists(st.sampled_from(HEXES[:4]), min_size=1, max_size=3, unique=True).filter(joined))
    levels = draw(st.integers(0, 2))
    buildings = {parts[0]: Building(tuple(parts), levels, (parts[-1],))}
    hexes = {h: Hex() for h in HEXES}
    if draw(st.booleans()):
        hexes["22V4"] = Hex(locations=("bridge", "depression"))
    units = {}
    for i in range(draw(st.integers(2, 5))):
        kind = draw(st.sampled_from(KINDS))
        armed = kind == "vehicle" and draw(st.booleans())
        side = draw(st.sampled_from(("Red", "Blue")))
        units[f"u{i}"] = Unit(side, kind, main_armament=armed, other_weapons=armed)
    victory = {"Red": VictoryConditions(all=(own_board("22u3").victory["Russian"].all[0],))}
    victory = {"Red": VictoryConditions(all=(replace(victory["Red"].all[0], building=parts[0]),))}
    return Board(("Red", "Blue"), hexes=hexes, buildings=buildings, units=units, victory=victory)


def controllers(system: System, state: State, plain: Plain) -> dict[tuple[str, str], str]:
    """Who controls everything, by the encoding."""
    found = {}
    for kind, name in plain.areas:
        term = system.vocabulary[f"{kind}_controller"].partial(name).value
        found[kind, name] = str(value(term.sort, interpret(term, system.layout.slot, state)))
    return found


def play(system: System, state: State, event: Event) -> State | None:
    """The state after an event, or None if it is not allowed."""
    action = system.action(event)
    return None if failed(system, state, action) else apply(system, state, action)


@examples(200)
@given(boards(), st.data())
def test_control_is_what_a_plain_history_gives(board: Board, data: Any) -> None:
    assert not list(flaws(board))
    system = ENCODING.build(board, ENCODING.settings())
    state = system.layout.state(system.completed({}))
    plain = Plain(board, dict.fromkeys(board.units))
    for _ in range(data.draw(st.integers(1, 14))):
        unit = data.draw(st.sampled_from(sorted(board.units)))
        name = data.draw(st.sampled_from(["enter", "enter", "enter", "leave", "break", "rally", "eliminate"]))
        args: tuple[tuple[str, str], ...] = (("unit", unit),)
        if name not in system.schemas:
            continue
        if name == "enter":
            to = data.draw(st.sampled_from(plain.locations))
            bypass = data.draw(st.sampled_from(["no", "no", "no", "yes"]))
            args += (("to", to), ("bypass", bypass))
        if name == "eliminate":
            args += (("by", "none"), ("crew", "dies"))
        if name in ("break", "rally") and board.units[unit].kind not in ("squad", "half-squad", "leader"):
            continue
        after = play(system, state, Event(name, args))
        if after is None:
            continue
        state = after
        by_hand(plain, name, unit, dict(args))
        plain.settle()
        assert controllers(system, state, plain) == {a: plain.controller(a) for a in plain.areas}


def by_hand(plain: Plain, name: str, unit: str, args: dict[str, str]) -> None:
    """What an event changes, apart from control."""
    if name == "enter":
        plain.forget(unit)
        plain.at[unit] = args["to"]
        (plain.bypass.add if args["bypass"] == "yes" else plain.bypass.discard)(unit)
    elif name in ("leave", "eliminate"):
        plain.forget(unit)
        plain.at[unit] = None
        plain.bypass.discard(unit)
    elif name == "break":
        plain.broken.add(unit)
    else:
        plain.broken.discard(unit)


# ---- fire, against plain Python


AROUND = ("1E3", "1F2", "1F4", "1G2", "1H2", "1H3")
CLOSED: tuple[tuple[str, ...], ...] = ((), ("German",), ("Russian", "German"))


@cache
def burning_board(closed: tuple[str, ...], stairs: tuple[str, ...]) -> tuple[Board, System]:
    """The board of the example with all but two of the hexes around closed to some sides, and its rules."""
    board = own_board("1f3")
    board = replace(board, buildings={"1F3": replace(board.buildings["1F3"], stairs=stairs)})
    board = replace(board, hexes={h: Hex(closed=closed if h in AROUND else ()) for h in board.hexes})
    return board, ENCODING.build(board, ENCODING.settings())


Choose = Callable[[Sequence[str]], str]
SHUTTING = (*("kindle", "kindle", "fire"), *("blaze",) * 6, "extinguish", "extinguish", "enter")
FIRE_EVENTS = (*("kindle", "fire", "blaze", "blaze", "spread", "extinguish", "enter", "enter"), "rubble", "clear")
STAIRS = (("1G3",), ("1G3", "1E4"))


@examples(60)
@given(st.data())
def test_fire_is_what_plain_sets_give(data: Any) -> None:
    board, system = burning_board(data.draw(st.sampled_from(CLOSED)), data.draw(st.sampled_from(STAIRS)))
    plain, n = Plain(board, {n: u.at for n, u in board.units.items()}), data.draw(st.integers(1, 12))
    for state in burnt(system, plain, lambda x: data.draw(st.sampled_from(x)), n, FIRE_EVENTS):
        for side in board.sides:
            open_ = plain.reached(side)
            for x in plain.locations:
                term = system.vocabulary["enterable"].partial(side, x).value
                assert bool(interpret(term, system.layout.slot, state)) is (x in open_), x


@cache
def two_ways() -> tuple[Board, System]:
    """The board on which two hexes lead to the building, with a German squad in it, and its rules."""
    board = own_board("1f3_two_ways")
    squads = {n: replace(u, at="1F3/0" if u.side == "German" else None) for n, u in board.units.items()}
    ways = ("1F4/0", "1F2/0", "1H2/0")
    board = replace(board, units={n: u for n, u in squads.items() if u.kind == "squad"}, flammable=ways)
    return board, ENCODING.build(board, ENCODING.settings())


@examples(40)
@given(st.integers(0, 2**32 - 1))
def test_what_a_kindler_is_kept_from_is_what_plain_sets_give(seed: int) -> None:
    rng, (board, system) = Random(seed), two_ways()
    plain = Plain(board, {n: u.at for n, u in board.units.items()})
    assert list(burnt(system, plain, rng.choice, 50, SHUTTING))


def burnt(system: System, plain: Plain, choose: Choose, n: int, kinds: Sequence[str]) -> Iterator[State]:
    """The states that events of fire lead to, each compared with what plain Python says."""
    state = system.layout.state(system.completed({}))
    board = plain.board
    plain.fire = dict.fromkeys(board.flammable, ("none", "accident"))
    plain.owner |= {a: side for a, side in controllers(system, state, plain).items() if side != "none"}
    plain.settle()
    for _ in range(n):
        event, name, args = fire_event(choose, board, plain, kinds)
        after = play(system, state, event)
        if after is None:
            continue
        state = after
        burn_by_hand(plain, name, args)
        plain.settle()
        assert controllers(system, state, plain) == {a: plain.controller(a) for a in plain.areas}
        yield state


def fire_event(choose: Choose, board: Board, plain: Plain, kinds: Sequence[str]) -> tuple[Event, str, dict[str, str]]:
    """Any event of fire, or a squad's move."""
    name = choose(kinds)
    place = choose(board.flammable)
    args = {"location": place} | ({"shuts_out": "both"} if name == "blaze" else {})
    if name == "kindle":
        args = {"side": choose(board.sides), "location": place}
    elif name == "spread":
        args = {"from": choose(board.flammable), "to": place}
    elif name == "enter":
        to = choose(plain.locations)
        args = {"unit": choose(sorted(board.units)), "to": to, "bypass": "no"}
    return Event(name, tuple(args.items())), name, args


def burn_by_hand(plain: Plain, name: str, args: dict[str, str]) -> None:
    """What an event of fire changes."""
    if name == "enter":
        plain.at[args["unit"]] = args["to"]
        return
    place = args.get("location") or args["to"]
    if name in ("rubble", "clear"):
        (plain.rubble.add if name == "rubble" else plain.rubble.discard)(place)
        return
    _, cause = plain.fire[place]
    if name == "extinguish":
        plain.extinguish(place)
        return
    if name == "spread":
        cause = plain.origin(args["from"])
    elif name in ("kindle", "fire"):
        cause = args.get("side", "accident")
    plain.fire[place] = "blaze" if name == "blaze" else "flame", cause


# ---- mistakes

WRONG = {
    "hexes: {22Z11: {}}": "not a hex of a geomorphic board",
    "hexes: {22U3: {}}\n  buildings: {22V3: {hexes: [22U3]}}": "called by one of its hexes",
    "hexes: {22U3: {}}\n  units: {x: {side: German, kind: squad, at: 22U3/1}}": "unknown Location",
    "hexes: {22U3: {}}\n  units: {x: {side: Finnish, kind: squad}}": "unknown side",
    "hexes: {22U3: {}}\n  units: {x: {side: German, kind: vehicle, armour: -1}}": "a number from 0",
    "hexes: {22U3: {}}\n  flammable: [22U3/2]": "unknown Location",
    "hexes: {22U3: {}, 22V9: {}}\n  buildings: {22U3: {hexes: [22U3, 22V9], walls: [[22U3, 22V9]]}}": "not adjacent",
    "hexes: {22U3: {}, 22V9: {}}\n  buildings: {22U3: {hexes: [22U3, 22V9]}}": "touch each other",
    "hexes: {22U3: {}}\n  buildings: {22U3: {hexes: [22U3, 22V3]}}": "22V3 of the building is not a hex of the map",
    "hexes: {22U3: {}}\n  buildings: {22U3: {hexes: [22U3], stairs: [22V3]}}": "unknown hex of the building",
    "hexes: {22U3: {locations: [attic]}}": "unknown Location",
    "hexes: {22U3: {locations: [pillbox]}}": "no Location at ground level",
    "hexes: {22U3: {}}\n  units: {x: {side: German, kind: tank}}": "kind",
    "hexes: {22U3: {}}\n  units: {x: {side: German, kind: vehicle, inherent: crew, crew: y}}": "unknown unit",
    "hexes: {22U3: {}}\n  units: {x: {side: German, kind: squad, inherent: crew}}": "no inherent crew",
    "hexes: {22U3: {}}\n  units: {x: {side: German, kind: leader, modifier: -7}}": "a leadership modifier",
    "hexes: {22U3: {}}\n  areas: {a: {side: German, hexes: [22V3]}}": "unknown hex",
    "hexes: {22U3: {}}\n  exits: {a: {sides: [Finnish]}}": "unknown side",
    "hexes: {22U3: {}}\n  exits: {a: {sides: [German], hexes: [22V3]}}": "unknown hex",
    "hexes: {22U3: {}}\n  exits: {none: {sides: [German]}}": "cannot be the name of an exit area",
    "hexes: {22U3: {}}\n  whole: ['²']": "not the number of a map board",
    "hexes: {22U3: {}}": "a board needs units",
    "hexes: {22U3: {}}\n  balance: {Klingon: {text: more}}": "not a side that can have the balance",
    "hexes: {22U3: {}}\n  held: {German: {hexes: [22U3]}, Russian: {hexes: [22U3]}}": "held by both sides",
}


@pytest.mark.parametrize("text", WRONG, ids=range(len(WRONG)))
def test_a_flawed_board_is_refused(tmp_path: Path, text: str) -> None:
    victory = "victory: {German: {all: [{cvp: 1}]}}"
    with pytest.raises(InputError, match=WRONG[text]):
        load(tmp_path, f"game: asl\nboard:\n  sides: [German, Russian]\n  {victory}\n  {text}\n")


CONDITIONS = {
    "{cvp: -1}": "cannot be negative",
    "{cvp_ratio: '3:0'}": "no ratio",
    "{cvp: 1, exit_vp: 1}": "asks for one thing",
    "{hex: 22Z3}": "unknown hex",
    "{building: 22U3}": "unknown building",
    "{location: 22U3/1}": "unknown location",
}


@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_flawed_condition_is_refused(tmp_path: Path, condition: str) -> None:
    victory = f"victory: {{German: {{all: [{condition}]}}}}"
    with pytest.raises(InputError, match=CONDITIONS[condition]):
        load(tmp_path, f"game: asl\nboard:\n  sides: [German, Russian]\n  hexes: {{22U3: {{}}}}\n  {victory}\n")


POSITIONS = {
    "state: {at: {4-4-8: 22V2/0}}": "4-4-8",
    "state: {at: {4-4-7: 22V2/2}}": "unknown place",
    "state: {at: {T-34: 22V2/1}}": "at ground level",
    "state: {at: {8-3-8: 22V2/1}, bypass: [8-3-8]}": "in bypass at ground level",
    "state: {at: {8-3-8: 22V2/1, 4-4-7: 22V2/0}, captured: [8-3-8], with: {8-3-8: 4-4-7}}": "vehicle or guard",
    "state: {at: {Pz crew: 22V2/1}}": "a unit of its own only once it has left Pz IVH",
    "record: [{enter: {unit: 4-4-7, to: 22Q2/0}}]": "unknown Location",
    "record: [{enter: {unit: T-34, to: 22V2/1}}]": "stays at ground level",
    "record: [{mop_up: {side: German, building: 22U3, hex: 22V4}}]": "not a hex of the building",
    "record: [{kindle: {side: German, location: 22V2/0}}]": "kindle",
    "record: [{exit: {unit: 8-3-8, reason: hunger}}]": "hunger",
    "readings: {rooftop_enemy: maybe}": "maybe",
    "options: {balance: Klingon}": "Klingon",
}


@pytest.mark.parametrize("text", POSITIONS)
def test_a_flawed_position_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match=POSITIONS[text]):
        load(tmp_path, f"game: asl/22u3\n{text}\n")


def test_nothing_is_forfeited_by_a_fire_that_is_out(tmp_path: Path) -> None:
    forfeited = "forfeited: ['hex 1E4 by 1F3/0']"
    with pytest.raises(InputError, match="only while there is Fire"):
        load(tmp_path, f"game: asl/1f3\nstate: {{{forfeited}}}\n")
    burns = load(
        tmp_path, f"game: asl/1f3\nstate: {{fire: {{1F3/0: blaze}}, cause: {{1F3/0: German}}, {forfeited}}}\n"
    )
    assert burns.value("controls_hex(Russian, 1E4)") is True
    out = burns.by_hand({"fire": {"1F3/0": "none"}})
    assert out.apply("enter", unit="4-6-7", to="1E4/0").value("controls_hex(German, 1E4)") is True


def test_a_blaze_shuts_out_one_side_with_an_option_only(tmp_path: Path) -> None:
    record = "record: [{fire: {location: 1F3/0}}, {blaze: {location: 1F3/0, shuts_out: German}}]"
    with pytest.raises(InputError, match="one_sided_blazes: on"):
        load(tmp_path, f"game: asl/1f3\n{record}\n")
    assert load(tmp_path, f"game: asl/1f3\noptions: {{one_sided_blazes: on}}\n{record}\n").value(
        "enterable(Russian, 1F3/0)"
    )


def test_the_board_of_the_readme_can_be_played(tmp_path: Path) -> None:
    readme = Path(board_module.__file__).with_name("README.md").read_text()
    block = readme.split("## Boards of your own")[1].split("```yaml\n")[1].split("```")[0]
    assert load(tmp_path, block).value("building_controller(22U3)") == "German"


def test_an_event_for_a_unit_that_is_not_there_is_refused() -> None:
    game = loaded("asl/22u3")
    with pytest.raises(InputError, match="unknown Infantry unit"):
        game.apply("break", unit="4-4-8")
    with pytest.raises(InputError, match="not on the map"):
        game.apply("break", unit="4-4-7")
    with pytest.raises(InputError, match="it is a dummy"):
        game.apply("break", unit="dummy")

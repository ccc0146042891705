"""Victory banners of Napoleonics: against plain Python on random battles, the questions it answers, bad boards."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vclogic_encodings.napoleonics.planning.paths import Paths

from tests.fixtures.efforts import effort
from tests.fixtures.games import loaded
from tests.fixtures.pace import examples
from tests.fixtures.positions import load
from tests.oracles.napoleonics import READINGS, TYPES, A, B, Battle, fewest, random_board, reachable, system_of
from vclogic.encode.python.evaluator import apply, failed, interpret
from vclogic.errors import InputError
from vclogic.game import Game
from vclogic.model.actions import Event
from vclogic.model.fluents import State
from vclogic.model.system import System
from vclogic.query.plan.cheapest import plan
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.terms.expressions.resolve import compile_goal
from vclogic.terms.sorts import EnumSort
from vclogic.terms.term import Term

seeds = st.integers(0, 2**32 - 1)


def beginning(system: System) -> State:
    return system.layout.state(system.completed({}))


def events(battle: Battle, rng: Random) -> list[tuple[str, dict[str, str]]]:
    """Some events, allowed or not, most of them of kinds that change something."""
    board = battle.board
    side = B if battle.turn == A else A
    units = list(board.units)
    found: list[tuple[str, dict[str, str]]] = [("start_turn", {"side": rng.choice((side, side, battle.turn))})]
    found += [(e, {}) for e in ("end_movement", "end_turn")]
    for u in rng.sample(units, min(3, len(units))):
        to = rng.choice(board.hexes)
        found += [("order", {"units": u}), ("move", {"unit": u, "to": to}), ("retreat", {"unit": u, "to": to})]
        found += [("move", {"unit": u, "to": "off"}), ("eliminate", {"unit": u})]
        found += [("move", {"unit": u, "to": way}) for way in board.exits]
    for name, o in board.objectives.items():
        found += [("take", {"unit": u, "objective": name}) for u in units[:2] if o.kind == "taken"]
    for o in board.objectives.values():
        for u in [u for u in units if u in battle.ordered] or units[:1]:
            found.append(("move", {"unit": u, "to": rng.choice(o.hexes)}))
    return rng.sample(found, len(found))


def differences(system: System, state: State, battle: Battle) -> dict[str, object]:
    """What the two say otherwise about a moment."""
    slot = system.layout.slot
    wrong: dict[str, object] = {}

    def named(term: Term) -> str:
        assert isinstance(term.sort, EnumSort)
        return term.sort.members[interpret(term, slot, state)]

    for side in (A, B):
        said = interpret(system.vocabulary["banners"].partial(side).value, slot, state)
        if said != battle.banners(side):
            wrong[f"banners of {side}"] = (said, battle.banners(side))
    for name in battle.board.objectives:
        term = system.vocabulary["objective"].partial(name).value
        holder = named(term)
        if holder != battle.has(name):
            wrong[name] = (holder, battle.has(name), battle.board.objectives[name])
    winner = system.winner
    assert winner is not None
    if named(winner) != battle.winner():
        wrong["winner"] = (named(winner), battle.winner())
    wrong |= {r.name: "broken" for r in system.invariants if not interpret(r.kept, slot, state)}
    return wrong


@examples(40)
@given(seeds)
def test_banners_are_those_of_plain_python(seed: int) -> None:
    rng = Random(seed)
    readings = {name: rng.choice(values) for name, values in READINGS.items()}
    board = random_board(rng, needed=rng.choice((3, 5)))
    system = system_of(board, **readings)
    battle, state = Battle.begin(board, readings), beginning(system)
    assert differences(system, state, battle) == {}
    for _ in range(25):
        done = None
        for name, args in events(battle, rng):
            action = system.action(Event(name, tuple(args.items())))
            legal = not failed(system, state, action)
            assert legal == battle.legal(name, **args), (name, args)
            if legal and done is None:
                done = name, args, action
        if done is None:
            break
        name, args, action = done
        before = battle
        state, battle = apply(system, state, action), battle.do(name, **args)
        assert differences(system, state, battle) == {}, (name, args, before)


@examples(40)
@given(seeds)
def test_ways_are_those_of_trying_every_way(seed: int) -> None:
    rng = Random(seed)
    board = random_board(rng, columns=5, rows=4)
    ways = Paths(board)
    for kind in TYPES:
        source = rng.choice(board.hexes)
        closed = frozenset(rng.sample(board.hexes, 3)) - {source}
        found = ways.from_hex(kind, source, closed)
        assert set(found) == reachable(board, kind, source, set(closed))
        for target, way in found.items():
            assert way[-1] == target
            assert not closed.intersection(way)


@examples(12)
@given(seeds, st.booleans(), st.booleans(), st.sampled_from(["moves", "turns"]))
def test_plans_are_those_of_breadth_first_search(seed: int, fights: bool, any_opponent: bool, metric: str) -> None:
    rng = Random(seed)
    readings = {name: rng.choice(values) for name, values in READINGS.items()} | {"note_kinds": "every"}
    board = random_board(rng, columns=3, rows=2, units=2, needed=3)
    orders, side, banners = rng.choice((1, 2)), rng.choice((A, B)), rng.choice((1, 2, 3, 3, 4))
    opponent = "any" if any_opponent else "idle"
    within = 2 if any_opponent else 3
    combat = "adjacent" if fights else "none"
    system = system_of(board, **readings, orders=orders, combat=combat)
    goal = f"banners({side}) >= {banners}"
    state = beginning(system)
    found_metric = system.metric(metric)
    assert found_metric is not None
    ask = ResolvedQuestion("x", system, state, (), side, opponent, found_metric, effort(), within)
    found = plan(replace(ask, goal=compile_goal(goal, system.vocabulary)))
    battle = Battle.begin(board, readings)
    cost = fewest(battle, side, banners, within, cost=metric, orders=orders, fights=fights, opponent=opponent)
    assert (found.status, found.cost) == (("impossible", None) if cost is None else ("optimal", cost))


@pytest.mark.parametrize(("name", "hexes"), [("napoleonics/erlenbach", 113), ("napoleonics/sankt-veit", 113)])
def test_the_standard_board_has_thirteen_and_twelve_hexes_in_turn(name: str, hexes: int) -> None:
    grid = Game.load(name).setup.system.vocabulary["occupies"].parameters[1]
    rows = [sum(h.endswith(f",{r}") for h in [*grid.sort.members, *grid.refused]) for r in range(9)]
    assert rows == [13, 12, 13, 12, 13, 12, 13, 12, 13]
    assert sum(rows) == hexes


# ---- questions


@pytest.mark.slow
def test_fewest_turns_to_what_objectives_alone_bring() -> None:
    turns = loaded("napoleonics/erlenbach").plan("banners(French) >= 3", side="French", minimize="turns")
    assert (turns.status, turns.cost, turns.horizon.n) == ("optimal", 2, None)
    assert {s.action for s in turns.steps} <= {"move", "start_turn"}


def test_fewest_moves_are_proved_without_a_horizon() -> None:
    game = Game.load(str(Path(__file__).parents[2] / "examples" / "crossroads.yaml"))
    moves = game.plan("holds(victory, Blue)", side="Blue", minimize="moves")
    assert (moves.status, moves.cost, moves.horizon.n) == ("optimal", 1, None)
    assert [(s.actor, s.action) for s in moves.steps if s.actor == "Blue"] == [
        ("Blue", "move"),
        ("Blue", "start_turn"),
    ]


@pytest.mark.slow
def test_fewest_turns_to_five_banners() -> None:
    game = Game.load("napoleonics/erlenbach", settings=[("combat", "adjacent")])
    plan = game.plan("banners(French) >= 5", side="French", minimize="turns", within=5)
    assert (plan.status, plan.cost, plan.replayed) == ("optimal", 3, True)
    assert any(s.action == "eliminate" for s in plan.steps)


def test_the_side_that_is_not_on_turn_can_win() -> None:
    goal = "holds(victory, Allied) and turn == French"
    lost = ("Voltigeurs", "Chasseurs", "1st Line", "2nd Line")
    game = loaded("napoleonics/erlenbach").with_options(combat="adjacent", orders=2)
    game = game.apply("start_turn", side="French")
    for unit in lost:
        game = game.apply("eliminate", unit=unit)
    game = game.apply("retreat", unit="Jaeger", to="6,5").apply("end_movement")
    found = game.reach(goal, side="French", opponent="any", within=1, by="moves")
    assert found.status == "reachable"
    assert [(s.actor, s.action, s.args["by"]) for s in found.steps] == [("Allied", "eliminate", "Jaeger")]
    assert "general-p3/2" in found.steps[-1].cites
    assert (
        game.with_options(combat="none").reach(goal, side="French", opponent="any", within=1, by="moves").status
        == "unreachable"
    )


@pytest.mark.parametrize(
    ("game", "objective", "expected"),
    [
        ("sankt-veit", "Church", "reachable"),
        ("sankt-veit", "Farm", "unreachable"),
        ("erlenbach", "Mill", "unreachable"),
    ],
)
def test_whether_a_banner_can_be_gained_and_lost_within_a_turn(game: str, objective: str, expected: str) -> None:
    """The church by leaving it after the start of the turn; the others only with a loss in combat."""
    found = Game.load(f"napoleonics/{game}").reach(
        f"gained_and_lost({objective}) == French", side="French", within=2, by="moves"
    )
    assert found.status == expected


def test_in_combat_a_banner_can_be_gained_and_lost_within_a_turn() -> None:
    game = Game.load("napoleonics/erlenbach", settings=[("combat", "adjacent")])
    game = game.apply("start_turn", side="French").apply("retreat", unit="Fusiliers", to="6,2")
    game = game.apply("retreat", unit="Voltigeurs", to="6,4")
    found = game.reach("gained_and_lost(Mill) == French", side="French", within=1, by="moves")
    assert found.status == "reachable"
    assert [s.action for s in found.steps] == ["move", "eliminate"]


def test_a_permanent_banner_is_never_lost() -> None:
    game = loaded("napoleonics/erlenbach").apply("start_turn", side="French")
    game = game.apply("order", units="Chasseurs").apply("move", unit="Chasseurs", to="9,3").apply("end_turn")
    found = game.reach("not objective(Heights) == French", side="French", within=3, by="moves")
    assert found.status == "unreachable"
    with pytest.raises(InputError, match="Heights"):
        game.value("gained_and_lost(Heights)")


@pytest.mark.slow
def test_units_change_places_in_an_order_in_which_that_can_be_done() -> None:
    """Two units cannot exchange their hexes; one follows the other."""
    game = loaded("napoleonics/erlenbach")
    swap = 'at("1st Line") == "4,6" and at("2nd Line") == "3,6"'
    assert game.reach(swap, side="French", within=1, by="moves").status == "unreachable"
    follow = 'at("1st Line") == "4,6" and at("2nd Line") == "4,5"'
    found = game.plan(follow, side="French", within=1)
    assert [s.args["unit"] for s in found.steps] == ["2nd Line", "1st Line"]


LEFT = """
game: napoleonics
board:
  banners: {Blue: 2, Red: 2}
  first: Blue
  columns: 4
  rows: 1
  kinds: {foot: {move: 1}}
  units:
    Blues: {side: Blue, kind: foot, at: "1,0"}
    Others: {side: Blue, kind: foot, at: "0,0"}
    Reds: {side: Red, kind: foot, at: "3,0"}
  objectives:
    Mill: {kind: temporary, hexes: ["1,0"]}
    Hill: {kind: permanent, hexes: ["2,0"]}
"""


@pytest.mark.parametrize(
    ("orders", "reading", "steps"),
    [
        (2, "nobody_ordered", ["order", "move"]),
        (2, "movement_ends", ["move"]),
        (1, "nobody_ordered", None),
        (1, "movement_ends", ["move"]),
    ],
)
def test_a_unit_that_is_ordered_to_come_keeps_a_hex_in_plans(
    orders: int, reading: str, steps: list[str] | None, tmp_path: Path
) -> None:
    """Blue wins by leaving the mill for the hill, while another unit is ordered to come: if two can be ordered."""
    text = LEFT + f"options: {{orders: {orders}}}\nreadings: {{vacated_when: {reading}}}\n"
    path = tmp_path / "left.yaml"
    path.write_text(text, encoding="utf-8")
    found = Game.load(str(path)).plan("holds(victory, Blue)", side="Blue", within=1)
    if steps is None:
        assert found.status == "impossible"
        return
    assert (found.status, found.replayed) == ("optimal", True)
    assert [s.action for s in found.steps] == steps
    assert found.steps[-1].args["to"] == "2,0"
    assert [(a.source, a.target) for a in loaded(str(path)).picture(found.steps).arrows] == [("1,0", "2,0")]


def test_units_that_change_places_in_a_plan_are_ordered_before_the_first_leaves() -> None:
    game = Game.load("napoleonics/sankt-veit").apply("start_turn", side="Allied").apply("end_turn")
    goal = 'objective(Church) == French and at(Guard) == "6,5" and at(Lancers) == "6,4" and phase == between'
    found = game.plan(goal, side="French", within=1)
    events = [(s.action, s.args.get("units", s.args.get("unit"))) for s in found.steps]
    assert events == [("start_turn", None), ("order", "Lancers"), ("move", "Guard"), ("move", "Lancers")]
    assert found.replayed
    assert found.record is not None
    assert found.record.events is not None


# ---- bad input

SMALL = """
game: napoleonics
board:
  banners: {Blue: 2, Red: 2}
  first: Blue
  columns: 3
  rows: 2
  kinds: {foot: {move: 1}, chief: {move: 2, leader: true}}
  terrain_types: {pond: {blocks: true}, woods: {stops: true}}
  terrain: {pond: ["0,1"]}
  units: {Blues: {side: Blue, kind: foot, at: "0,0"}, Reds: {side: Red, kind: foot, at: "2,0"}}
  objectives: {Mill: {kind: temporary, hexes: ["1,0"]}}
"""


def complaints(text: str, tmp_path: Path) -> str:
    with pytest.raises(InputError) as caught:
        load(tmp_path, text)
    return "\n".join(f"{d.line}: {d.message}" for d in caught.value.diagnostics)


BEYOND = """
  exits:
    East: {edge: east, side: Blue, kinds: [foot]}
  sections: {left: ["0,0 to 1,0"]}
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("edge: east, ", "", "14: East needs an edge, or hexes, and not both"),
        ("edge: east, ", 'edge: east, hexes: ["1,1"], ', "14: East needs an edge, or hexes, and not both"),
        ("edge: east, ", 'hexes: ["0,0 to 3,0"], ', "14: 3,0 is off the map"),
        ("East:", '"2,0":', "14: no exit can be named '2,0'"),
        ("East:", '"off":', "14: no exit can be named 'off'"),
        ("side: Blue, kinds: [foot]", "side: Green, kinds: [foot]", "14: unknown side 'Green'"),
        ("kinds: [foot]}\n  s", "kinds: [feet]}\n  s", "14: unknown kind of unit 'feet'"),
        ("kinds: [foot]}\n  s", "banners: 100}\n  s", "14: banners: a number from 0 to 99 is needed"),
        ("0,0 to 1,0", "0,0 to 1,5", "15: 1,5 is off the map"),
        ("hexes: [", "kinds: [horse], hexes: [", "12: unknown kind of unit 'horse'"),
        (
            "Mill:",
            'Yard: {kind: turn_start_temporary, hexes: ["1,0"], kinds: [foot]}, Mill:',
            "12: Yard and Mill are",
        ),
    ],
)
def test_exits_and_sections_that_are_wrong_are_refused(old: str, new: str, message: str, tmp_path: Path) -> None:
    whole = SMALL.rstrip() + BEYOND
    assert old in whole
    load(tmp_path, whole)
    assert message in complaints(whole.replace(old, new), tmp_path)


def test_nobody_is_where_nobody_leaves(tmp_path: Path) -> None:
    whole = SMALL.rstrip() + BEYOND + "state: {at: {%s: East}}\n"
    assert load(tmp_path, whole % "Blues").value("banners(Blue)") == 1
    assert "none but those that may have left by East" in complaints(whole % "Reds", tmp_path)


def test_an_exit_and_a_deed_are_drawn(tmp_path: Path) -> None:
    """The exit along its edge, the unit that leaves as an arrow to the last hex, the deed where it is done."""
    taken = BEYOND.replace("  exits", '    Chest: {kind: taken, hexes: ["0,0"]}\n  exits', 1)
    small = SMALL.replace("objectives: {Mill", "objectives:\n    Mill").replace('"1,0"]}}', '"1,0"]}').rstrip()
    small = small.replace("Blue: 2", "Blue: 9")
    game = load(tmp_path, small + taken)
    hexes = game.picture().hexes
    assert hexes is not None
    sites = {s.name: s for s in hexes.sites}
    assert sites["East"].hexes == ("2,0", "1,1")
    assert not sites["East"].owned
    found = game.plan("at(Blues) == East and objective(Chest) == Blue", side="Blue")
    assert [(s.action, s.args.get("to")) for s in found.steps][-1] == ("move", "East")
    arrows = [(a.source, a.target, a.label) for a in game.picture(found).arrows]
    assert (None, "0,0", "Chest taken by Blues") in arrows
    assert arrows[-1][1:] == ("1,1", "Blues leaves by East")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        # the number of the line comes first
        ('at: "2,0"', 'at: "3,0"', "11: 3,0 is off the map"),
        ('at: "2,0"', 'at: "2,1"', "11: 2,1 is off the map"),
        ('at: "2,0"', 'at: "somewhere"', "11: 'somewhere' is no hex"),
        ('at: "2,0"', 'at: "0,0"', "11: Blues stands on 0,0 already"),
        ('at: "2,0"', 'at: "0,1"', "11: Reds cannot stand on 0,1: it is pond"),
        ("side: Red, kind: foot", "side: Red, kind: foto", "11: unknown kind of unit 'foto'"),
        ("side: Red, kind: foot", "side: Rad, kind: foot", "11: unknown side 'Rad'"),
        ('hexes: ["1,0"]', 'hexes: ["1,5"]', "12: 1,5 is off the map"),
        ('hexes: ["1,0"]', 'hexes: ["1,0", "1,0"]', "12: 1,0 stands here twice"),
        ('hexes: ["1,0"]', 'hexes: ["0,1"]', "12: nobody can occupy 0,1: it is pond"),
        ('hexes: ["1,0"]', "hexes: []", "12: Mill has no hexes"),
        ("kind: temporary", "kind: forever", "12: 'kind' of 'Mill': expected temporary or"),
        ("kind: temporary", "kind: temporary, banners: -1", "12: banners: a number from 0 to 99 is needed, not -1"),
        (
            "kind: temporary",
            "kind: temporary, side: Blue, held: Red",
            "12: Mill is an objective of the Blue side alone",
        ),
        ("{Blue: 2, Red: 2}", "{Blue: 2, Red: 0}", "4: Red: a number from 1 to 99 is needed"),
        ("{Blue: 2, Red: 2}", "{Blue: 2}", "4: two sides are needed"),
        ("first: Blue", "first: Green", "5: unknown side 'Green'"),
        ('{pond: ["0,1"]}', '{pond: ["0,1"], woods: ["0,1"]}', "10: 0,1 is pond already"),
        ('{pond: ["0,1"]}', '{bog: ["0,1"]}', "10: unknown kind of terrain 'bog'"),
        ("move: 1", "move: -1", "8: move: a number from 0 to 99 is needed"),
    ],
)
def test_boards_that_are_wrong_are_refused(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert SMALL.count(old) == 1
    assert message in complaints(SMALL.replace(old, new), tmp_path)


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ('state: {at: {Reds: "0,0"}}', "one unit stands on 0,0"),
        ('state: {at: {Reds: "0,1"}}', "nobody can be there: it is pond"),
        (
            'state: {at: {Reds: "1,0"}, objective: {Mill: none}}',
            "the Red side has Mill where units of theirs alone are",
        ),
        ("state: {objective: {Mill: Blue}}", "the Blue side has Mill only while a unit of theirs is there"),
        ("state: {ordered: [Blues]}", "units of the Blue side are ordered in a turn of the Blue side alone"),
        ('state: {vacated: {"1,0": Blue}}', "1,0 is being vacated only by the side on turn"),
        (
            'state: {turn: Blue, phase: movement, vacated: {"1,0": Blue}}',
            "another one that has been ordered has yet to move",
        ),
        (
            "state: {turn: Blue, phase: movement, moved: [Blues]}",
            "Blues has moved only if it has been ordered, while movement is open",
        ),
        ("record: [{start_turn: {side: Blue}}, {order: {units: []}}]", "the list is empty"),
        ("record: [{start_turn: {side: Blue}}, {order: {units: [Blues, Greens]}}]", "unknown unit 'Greens'"),
        ("record: [{start_turn: {side: Blue}}, {order: {units: [Blues, Reds]}}]", "it is not the turn of the Red"),
        ("record: [{start_turn: {side: Blue}}, {order: {units: [Blues, Blues]}}]", "has been ordered already"),
        ('record: [{start_turn: {side: Blue}}, {retreat: {unit: Reds, to: "0,0"}}]', "Blues stands on 0,0"),
        ('record: [{start_turn: {side: Blue}}, {retreat: {unit: Reds, to: "2,0"}}]', "Reds is on 2,0 already"),
        ('record: [{start_turn: {side: Blue}}, {retreat: {unit: Reds, to: "9,9"}}]', "unknown hex '9,9'"),
        (
            "record: [{start_turn: {side: Blue}}, {eliminate: {unit: Reds}}, {eliminate: {unit: Reds}}]",
            "Reds is not there: it has been eliminated",
        ),
        ("record: [end_movement]", "there is no movement phase to end"),
        ("record: [{score: {name: Mill}}]", "there is no event 'score'"),
    ],
)
def test_positions_and_records_that_cannot_be_are_refused(rest: str, message: str, tmp_path: Path) -> None:
    assert message in complaints(SMALL + rest, tmp_path)


def test_a_list_of_units_is_an_order_for_each(tmp_path: Path) -> None:
    order = "record: [{start_turn: {side: Blue}}, {order: {units: [Blues, Chief]}}]"
    chief = '{Chief: {side: Blue, kind: chief, at: "0,0"}, Blues'
    game = load(tmp_path, SMALL.replace("{Blues", chief) + order)
    assert [str(e) for e in game.history] == ["start_turn(Blue)", "order(Blues)", "order(Chief)"]
    assert game.value("ordered(Chief)")


def test_a_board_without_objectives_is_played_for_units_alone(tmp_path: Path) -> None:
    text = SMALL.replace('objectives: {Mill: {kind: temporary, hexes: ["1,0"]}}', "objectives: {}")
    game = load(tmp_path, text + "record: [{start_turn: {side: Blue}}, {eliminate: {unit: Reds}}]")
    assert game.value("banners(Blue)") == 1
    assert game.plan("banners(Blue) >= 1", minimize="turns").cost == 0

"""The position that `status` shows: it is the state's, folding loses nothing, and a view shows nothing hidden."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.pace import examples
from vclogic.conformance.games import legal_play
from vclogic.game import Game
from vclogic.query.status.position import FEW, UNKNOWN, PositionPart
from vclogic.report import json as documents
from vclogic.report.text.page import render
from vclogic.report.text.status import status

BOARD: dict[str, Any] = {
    "sides": ["Russian", "German"],
    "hexes": {"22K3": {}, "22K4": {}, "22L3": {}, "22V4": {}, "22U3": {}, "22V3": {}},
    "buildings": {"22U3": {"hexes": ["22U3", "22V3"], "levels": 1, "stairs": ["22U3", "22V3"]}},
    "units": {
        "R": {"side": "Russian", "kind": "squad", "at": "22K3/0"},
        "G1": {"side": "German", "kind": "squad", "at": "22V3/1", "concealment": "hidden"},
        "G2": {"side": "German", "kind": "squad", "at": "22U3/0", "concealment": "concealed"},
        "G3": {"side": "German", "kind": "leader", "at": "22U3/1", "concealment": "concealed"},
        "Truck": {"side": "German", "kind": "vehicle", "at": "22V4/0"},
        "Rider": {"side": "German", "kind": "half-squad", "at": "22V4/0"},
    },
    "flammable": ["22U3/0", "22V3/0"],
    "held": {"German": {"buildings": ["22U3"]}},
    "victory": {"Russian": {"text": "the building", "all": [{"buildings": ["22U3"], "at_least": 1}]}},
}


@cache
def small() -> Game:
    return Game.load({"game": "asl", "board": BOARD})


def parts(game: Game, view: str | None = None, *, whole: bool = True) -> dict[str, PositionPart]:
    return {p.title: p for p in game.status(view, position=True, whole=whole).position}


def names(game: Game, view: str | None = None) -> set[str]:
    return {x.name for x in parts(game, view)["Units"].things}


def text(game: Game, view: str | None = None) -> str:
    return render(status(game.status(view, position=True)))


# ---- it is the state's


def test_what_is_controlled_is_read_back_in_random_play() -> None:
    """From the JSON document of the whole position, against the observables."""
    game = small()
    rng = Random("control")
    seen = set()
    for event, _ in legal_play(game.setup.system, game.state, rng, 40, set()):
        game = game.apply(event.name, **dict(event.args))
        document = json.loads(documents.dumps(documents.document("status", game.status(position=True, whole=True))))
        control = next(p for p in document["position"] if p["title"] == "Who controls what")
        assert control["left_out"] == []
        for x in control["things"]:
            assert game.value(f"{x['kind'].lower()}_controller('{x['name']}')") == x["value"]
            seen.add(x["value"])
    assert seen >= {"none", "German"}


@given(st.integers(0, 10_000))
@examples(30)
def test_armies_are_read_back(seed: int) -> None:
    """Each count of units, whether it is as at the start or not."""
    rng, game = Random(seed), armies()
    units = game.state_dict()["units"]
    there = [(r, p, k) for r, powers in units.items() for p, kinds in powers.items() for k, n in kinds.items() if n]
    changed: dict[str, dict[str, dict[str, int]]] = {}
    for region, power, _ in rng.sample(there, 8):
        kinds = {kind: rng.randint(0, 9) for kind, number in units[region][power].items() if number}
        changed.setdefault(region, dict(units[region]))[power] = kinds
    game = game.at_state({"units": changed})
    folded = parts(game, whole=False)["Units"]
    listed = {(x.value, x.side, x.name): x.count for x in parts(game)["Units"].things}
    odd = {(x.value, x.side, x.name): x.count for x in folded.things}
    for region, powers in game.state_dict()["units"].items():
        for power, kinds in powers.items():
            for kind, number in kinds.items():
                assert listed.get((region, power, kind), 0) == number
                usual = number == units[region][power][kind]
                assert odd.get((region, power, kind)) == (None if usual else number)
    assert sum(x.number for x in folded.left_out) == len(listed) - len(odd)


@cache
def armies() -> Game:
    return Game.load("axis_allies", settings=(("level", "armies"),))


def test_what_has_gone_since_the_start_is_said() -> None:
    game = armies()
    before = {x.name: x.count for x in parts(game)["Units"].things if (x.value, x.side) == ("Germany", "Germans")}
    assert before["infantry"]
    state = {"units": {"Germany": {"Germans": {k: n for k, n in before.items() if k != "infantry"}}}}
    left = parts(game.at_state(state), whole=False)["Units"]
    assert [(x.name, x.count, x.value, x.side) for x in left.things] == [("infantry", 0, "Germany", "Germans")]
    assert "no infantry" in text(game.at_state(state))


# ---- folding


def test_parts_are_told_with_the_whole_only_where_all_are_alike() -> None:
    control = parts(small(), whole=False)["Who controls what"]
    (building,) = (x for x in control.things if x.kind == "building")
    assert building.parts == {"hex": ("22U3", "22V3"), "Location": ("22U3/0", "22U3/1", "22V3/0", "22V3/1")}
    other = small().at_state({"location_control": {"22V3/0": "none"}})
    control = parts(other, whole=False)["Who controls what"]
    shown = {(x.kind, x.name): x.parts for x in control.things if x.value == "German"}
    assert shown[("building", "22U3")] is None
    assert shown[("hex", "22V3")] is None
    assert shown[("hex", "22U3")] == {"Location": ("22U3/0", "22U3/1")}
    assert ("Location", "22V3/1") in shown
    assert ("Location", "22V3/0") not in shown


def test_what_is_as_usual_is_counted_only_where_it_is_much() -> None:
    start = Game.load("axis_allies")
    folded = parts(start, whole=False)["Whose the territories are"]
    assert folded.things == ()
    assert [(x.kind, x.number) for x in folded.left_out] == [("", 63)]
    assert len(parts(start)["Whose the territories are"].things) == 63
    assert "63 territories, as at the start of the scenario" in text(start)
    few = Game.load("napoleonics")
    objectives = parts(few, whole=False)["Who has the banners of objectives"]
    assert len(objectives.things) <= FEW
    assert objectives.left_out == ()
    assert "nobody  Mill, Erlenbach, West Bridge, Heights" in text(few)


# ---- what a side can know


def test_hidden_units_are_not_shown() -> None:
    game = small()
    assert names(game) == {"R", "G1", "G2", "G3", "Truck", "Rider"}
    assert names(game, "German") == names(game)
    assert names(game, "Russian") == {"R", "Truck", "Rider", UNKNOWN}
    told = text(game, "Russian")
    assert "what the other side has hidden is left out" in told
    assert not any(name in told.split("Units")[1] for name in ("G1", "G2", "G3", "22V3/1"))


LOCATIONS = ("22K4/0", "22U3/0", "22U3/1", "22V3/0", "22V3/1", "22L3/0", "off", "eliminated")


@given(st.data())
@examples(120)
def test_a_view_says_the_same_whatever_is_hidden_and_whoever_is_concealed(data: st.DataObject) -> None:
    """Units that a side cannot know may be elsewhere, or one another: its view of the units does not change."""
    draw = data.draw
    mine = {u: draw(st.sampled_from(["open", "concealed", "hidden"]), u) for u in ("G1", "G2", "G3")}
    where = {u: draw(st.sampled_from(LOCATIONS)) for u in mine}
    base: dict[str, Any] = {
        "at": where,
        "concealment": dict(mine),
        "with": {"Rider": draw(st.sampled_from(["none", "Truck"]))},
    }
    base["concealment"] |= {"Truck": draw(st.sampled_from(["open", "concealed", "hidden"]))}
    game = small().at_state(base)
    seen = parts(game, "Russian")["Units"].things
    hidden = [u for u, state in mine.items() if state == "hidden"]
    moved = {u: draw(st.sampled_from(LOCATIONS)) if u in hidden else at for u, at in where.items()}
    assert parts(game.at_state({"at": moved}), "Russian")["Units"].things == seen
    concealed = [u for u, state in mine.items() if state == "concealed"]
    order = draw(st.permutations(concealed))
    swapped = {u: where[v] for u, v in zip(concealed, order, strict=True)}
    assert parts(game.at_state({"at": swapped}), "Russian")["Units"].things == seen
    every = Counter(x.name for x in seen)
    assert all(every[u] == (state == "open") for u, state in mine.items())
    if base["concealment"]["Truck"] == "hidden":
        assert every["Truck"] == 0
        assert "Truck" not in {n for x in seen for n in x.notes}
        assert not (base["with"]["Rider"] == "Truck" and every["Rider"])

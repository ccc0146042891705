"""Pictures of maps of hexes: what each game shows of a position and of a plan, and what is refused."""

from __future__ import annotations

from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

import vclogic
from tests.fixtures.games import loaded
from tests.fixtures.pictures import SVG, description, groups, sheet
from vclogic.draw.boxes import Box
from vclogic.draw.svg import svg
from vclogic.errors import InputError
from vclogic.query.answers import Step


def move(n: int, turn: dict[str, int | str] | None, unit: str, *hexes: str, **more: str) -> Step:
    args = {"unit": unit, "from": hexes[0], "via": " ".join(hexes[1:-1]), "to": hexes[-1], **more}
    return Step(n, turn, None, "move", dict(args), f"{unit} to {hexes[-1]}", ())


# ---- what games show


def test_owners_of_objectives() -> None:
    picture = loaded("napoleonics/sankt-veit").picture()
    assert picture.hexes is not None
    owner = {s.name: s.owner for s in picture.hexes.sites}
    assert (owner["Farm"], owner["Hill"], owner["Church"]) == ("French", "French", None)


def test_zones_and_units_without_a_line() -> None:
    picture = loaded("okinawa").picture()
    assert picture.hexes is not None
    assert [(s.mark, s.kind) for s in picture.hexes.sites] == [
        ("S", "zone"),
        ("C", "zone"),
        ("N", "zone"),
        ("NE", "zone"),
    ]
    cut = [c.name for r in picture.regions for c in r.counters if "cut off" in c.state]
    assert cut == ["7th Marines"]


def test_rows_without_cover_and_barriers() -> None:
    notes = loaded("moscow/small").picture().notes
    assert "rows that the German side leaves uncovered: 0, 6" in notes
    root = ElementTree.fromstring(loaded("moscow").svg())
    assert len([p for p in root.iter(f"{SVG}path") if p.get("stroke-width") == "5.5"]) == 1
    assert "no way, and no zone of control" in "".join(groups(root, "key")[0].itertext())


def test_control_of_locations_and_states_of_units() -> None:
    game = loaded("asl").apply("enter", unit="4-4-7", to="22V3/1").apply("break", unit="4-4-7")
    picture = game.picture()
    region = next(r for r in picture.regions if r.name == "22V3")
    assert region.owner == "German"
    assert region.badges == ("1 R",)
    (unit,) = region.counters
    assert (unit.party, unit.kind, unit.state) == ("Russian", "squad", ("level 1", "broken"))
    pillbox = loaded("asl/13cc5").picture()
    assert next(r for r in pillbox.regions if r.name == "13BB4").badges == ("pillbox",)


def test_map_boards_stand_side_by_side(tmp_path: Path) -> None:
    file = tmp_path / "two.yaml"
    file.write_text(
        "game: asl\n"
        "board:\n"
        "  sides: [Russian, German]\n"
        "  whole: ['1', '2']\n"
        "  units: {4-4-7: {side: Russian, kind: squad}}\n"
        "  victory: {Russian: {all: [{hex: 1E3}]}}\n"
    )
    picture = vclogic.load(str(file)).picture()
    plan = sheet(picture).plan
    first = max(plan.centres[r.name][0] for r in picture.regions if r.name.startswith("1"))
    second = min(plan.centres[r.name][0] for r in picture.regions if r.name.startswith("2"))
    assert second - first > 2 * plan.side


# ---- moves


JAPAN: dict[str, int | str] = {"round": 1, "turn": "Japan"}
LATER: dict[str, int | str] = {"round": 2, "turn": "Japan"}
RAID = (
    move(1, JAPAN, "Raiders", "11,3", "10,3", "9,2", "8,2"),
    move(2, JAPAN, "44th Brigade", "4,3", "5,3"),
    move(3, LATER, "Raiders", "8,2", "8,1"),
)


def test_each_step_has_its_arrow() -> None:
    game = loaded("okinawa")
    picture = game.picture(RAID)
    assert [(a.source, a.via, a.target, a.label, a.step) for a in picture.arrows] == [
        ("11,3", ("10,3", "9,2"), "8,2", "Raiders", 1),
        ("4,3", (), "5,3", "44th Brigade", 1),
        ("8,2", (), "8,1", "Raiders", 2),
    ]
    root = ElementTree.fromstring(svg(picture))
    assert len([p for p in root.iter(f"{SVG}path") if p.get("class") == "move"]) == 3
    tips = [p for p in root.iter(f"{SVG}path") if p.get("class") == "tip"]
    assert len(tips) == 3
    assert all((t.get("marker-end") or "").startswith("url(#") for t in tips)
    assert all(step.text in description(root) for step in RAID)
    numbers = [[t.text for t in g.iter(f"{SVG}text")] for g in groups(root, "label")]
    assert numbers == [["1", "Raiders"], ["1", "44th Brigade"], ["2", "Raiders"]]


def test_units_are_known_in_later_turns() -> None:
    picture = loaded("okinawa").picture(RAID, 2)
    there = {c.name: r.name for r in picture.regions for c in r.counters}
    assert (there["Raiders"], there["44th Brigade"]) == ("8,2", "5,3")
    assert picture.notes[0] == "turn 2, Japan is to move"
    assert "the units left are not shown" not in picture.notes


def test_labels_and_counters_keep_clear_of_each_other() -> None:
    drawn = sheet(loaded("okinawa").picture(RAID))
    labels: list[Box] = [w.label for w in drawn.routes]
    assert not any(a.overlaps(b) for a, b in combinations(labels, 2))
    assert not any(label.overlaps(box) for label in labels for box in drawn.stacks.values())


def test_an_arrow_goes_from_hex_to_hex_and_ends_in_its_target() -> None:
    drawn = sheet(loaded("okinawa").picture(RAID))
    for way in drawn.routes:
        assert way.arrow.source is not None
        stops = [drawn.plan.centres[h] for h in (way.arrow.source, *way.arrow.via, way.arrow.target)]
        for x, y in stops[:-1]:
            assert min(abs(px - x) + abs(py - y) for px, py in way.points) < drawn.plan.side / 2
        x, y = stops[-1]
        assert abs(way.tip[-1][0] - x) + abs(way.tip[-1][1] - y) < drawn.plan.side
        assert max(abs(a[0] - b[0]) for a, b in pairwise(way.points)) < drawn.plan.side


def test_places_that_change_hands() -> None:
    german: dict[str, int | str] = {"round": 1, "turn": "German"}
    game = loaded("moscow/small")
    picture = game.picture([move(1, german, "3rd Panzer", "1,2", "2,2", "3,3", via="2,2")])
    assert picture.hexes is not None
    smolensk = next(s for s in picture.hexes.sites if s.name == "Smolensk")
    assert (smolensk.owner, smolensk.becomes) == ("Soviet", "German")
    assert "Smolensk: 5 for the German side if captured" in description(ElementTree.fromstring(svg(picture)))
    assert "Soviet has it, then German" in svg(picture)


def test_turns_that_end_between_steps_bring_their_points() -> None:
    german: dict[str, int | str] = {"round": 1, "turn": "German"}
    later: dict[str, int | str] = {"round": 2, "turn": "German"}
    steps = [move(1, german, "3rd Panzer", "1,2", "1,1"), move(2, later, "3rd Panzer", "1,1", "1,0")]
    game = loaded("moscow/small")
    played = game.apply("move", unit="3rd Panzer", to="1,1").apply("end_turn").apply("end_turn")
    assert game.picture(steps, 2).notes == played.picture().notes


def test_turns_and_attacks_of_a_battle() -> None:
    steps = (
        Step(1, {}, "French", "move", {"unit": "Chasseurs", "from": "9,6", "via": "9,5 9,4", "to": "9,3"}, "one", ()),
        Step(2, {}, "French", "eliminate", {"unit": "Hussars", "by": "Chasseurs"}, "two", ()),
        Step(3, {}, "Allied", "start_turn", {"side": "Allied", "gained": ""}, "passes", ()),
        Step(4, {}, "French", "move", {"unit": "Voltigeurs", "from": "5,6", "via": "", "to": "5,5"}, "three", ()),
    )
    game = loaded("napoleonics")
    picture = game.picture(steps)
    assert [(a.source, a.target, a.way, a.step) for a in picture.arrows] == [
        ("9,6", "9,3", "land", 1),
        ("9,3", "10,1", "strike", 1),
        ("5,6", "5,5", "land", 2),
    ]
    assert [c.head for c in picture.captions] == ["the French side", "the French side"]
    assert picture.hexes is not None
    assert [s.name for s in picture.hexes.sites if s.becomes == "French"] == ["Heights"]
    second = game.picture(steps, 2)
    assert second.hexes is not None
    assert "Eliminated: Hussars (Allied)." in second.hexes.aside
    assert "French 2 of 5 banners" in second.notes
    assert "dots: an attack" in svg(picture)


def test_events_of_a_plan_are_pictured_one_by_one() -> None:
    game = loaded("asl")
    plan = game.plan("controls_building(Russian, 22U3)")
    picture = game.picture(plan)
    assert len(picture.arrows) == len(plan.steps) == 1
    assert picture.hexes is not None
    assert [s.becomes for s in picture.hexes.sites if s.name == "building 22U3"] == ["Russian"]
    assert [r.name for r in picture.regions if r.becomes] == [picture.arrows[0].target]


# ---- plans of other games


@pytest.mark.parametrize("name", ["napoleonics", "okinawa", "moscow/small", "asl"])
def test_steps_of_another_game(name: str) -> None:
    others: tuple[dict[str, int | str], ...] = (
        {},
        {"unit": "Nobody", "from": "1,1", "via": "", "to": "2,1"},
        {"unit": 5, "to": 7},
        {"power": "Germans"},
    )
    for action in ("move", "enter", "eliminate", "exit", "capture", "place"):
        for args in others:
            with pytest.raises(InputError) as caught:
                loaded(name).picture([Step(1, None, None, action, args, "", ())])
            assert caught.value.diagnostics[0].code == "bad-plan"


def test_a_turn_that_never_comes() -> None:
    with pytest.raises(InputError) as caught:
        loaded("okinawa").picture([move(1, {"round": 1, "turn": "Nobody"}, "Raiders", "11,3", "10,3")])
    assert caught.value.diagnostics[0].code == "bad-plan"


def test_arrows_to_nowhere() -> None:
    with pytest.raises(InputError):
        loaded("okinawa").picture([move(1, JAPAN, "Raiders", "11,3", "99,3", "10,3")])


def test_units_that_leave_the_map() -> None:
    steps: list[Step] = [Step(1, JAPAN, "Japan", "exit", {"unit": "Raiders"}, "Raiders exit", ()), *RAID[1:2]]
    steps.append(move(3, LATER, "22nd Regiment", "2,1", "3,1"))
    picture = loaded("okinawa").picture(steps)
    first = picture.arrows[0]
    assert (first.source, first.target, first.label) == (None, "11,3", "Raiders exited")
    later = loaded("okinawa").picture(steps, 2)
    assert later.hexes is not None
    assert "Exited: Raiders (Japan)." in later.hexes.aside
    assert "Removed: 1st Marines (US), 4th Marines (US), 7th Marines (US)." in later.hexes.aside

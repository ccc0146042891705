"""Pictures of maps of hexes: every hex, unit and place is there once, nothing lies over anything else."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

import vclogic
from vclogic.board.hexgrid import HexGrid
from vclogic.draw.boxes import Box
from vclogic.draw.hexes import Plan, chits, fitted, is_whole, stack
from vclogic.draw.hexsheet import HexSheet
from vclogic.draw.svg import svg
from vclogic.errors import InputError
from vclogic.model.hexmap import Counter, Ground, HexMap, Site, look_of
from vclogic.model.picture import Arrow, Party, Picture, Region
from vclogic.query.answers import Step
from vclogic.query.game import Game

ROOT = Path(__file__).resolve().parent.parent.parent
SVG = "{http://www.w3.org/2000/svg}"
SMALL = (
    "napoleonics",
    "napoleonics/sankt-veit",
    "okinawa",
    "moscow/small",
    "asl",
    "asl/13cc5",
    "asl/1f3",
    "asl/points",
)
LARGE = ("okinawa/island", "moscow", "examples/asl_whole_board.yaml")
DOCS = {"napoleonics": "napoleonics", "okinawa": "okinawa", "moscow": "moscow/small", "asl_22u3": "asl"}


@cache
def loaded(name: str) -> Game:
    return vclogic.load(str(ROOT / name) if name.endswith(".yaml") else name)


def sheet(picture: Picture) -> HexSheet:
    assert picture.hexes is not None
    return HexSheet(picture, picture.hexes)


def groups(root: ElementTree.Element, kind: str) -> list[ElementTree.Element]:
    return [g for g in root.iter(f"{SVG}g") if g.get("class") == kind]


def description(root: ElementTree.Element) -> str:
    found = root.find(f"{SVG}desc")
    assert found is not None
    assert found.text
    return found.text


def hex_map(*regions: Region, **more: object) -> Picture:
    parties = (Party("Reds", "R", "Reds"), Party("Blues", "B", "Blues"))
    grounds = (Ground("open", "open", written=False), Ground("wood", "woods"))
    hexes = replace(HexMap(True, grounds), **more)  # type: ignore[arg-type]
    return Picture("small", (), parties, regions, (), hexes=hexes)


def move(n: int, turn: dict[str, int | str] | None, unit: str, *hexes: str, **more: str) -> Step:
    args = {"unit": unit, "from": hexes[0], "via": " ".join(hexes[1:-1]), "to": hexes[-1], **more}
    return Step(n, turn, None, "move", dict(args), f"{unit} to {hexes[-1]}", ())


# ---- everything is there


@pytest.mark.parametrize("name", [*SMALL, *LARGE])
def test_every_hex_unit_and_place_is_there(name: str) -> None:
    game = loaded(name)
    picture = game.picture()
    assert picture.hexes is not None
    root = ElementTree.fromstring(svg(picture))
    assert len(groups(root, "hex")) == len(picture.regions) == len({r.name for r in picture.regions})
    polygons = [p.get("points") for p in root.iter(f"{SVG}polygon")]
    assert len(set(polygons)) == len(picture.regions)
    text = " ".join(t.text or "" for t in root.iter() if t.tag in (f"{SVG}text", f"{SVG}desc"))
    units = {str(i[0]) for i in game.setup.system.layout.families["at"].fluents}
    assert [u for u in units if u not in text] == []
    said = description(root)
    assert [u for u in units if u not in said] == []
    for site in picture.hexes.sites:
        assert f"{site.name}" in said
    (key,) = groups(root, "key")
    assert all(p.name in "".join(key.itertext()) for p in picture.parties)


@pytest.mark.parametrize("name", [*SMALL, *LARGE])
def test_a_unit_is_on_the_map_once(name: str) -> None:
    picture = loaded(name).picture()
    drawn = sheet(picture)
    shown = [c.counter for found in drawn.chits.values() for c in found]
    for region in picture.regions:
        here = [c.counter for c in drawn.chits[region.name] if c.counter]
        assert here == list(region.counters[: len(here)])
        assert len(here) == len(region.counters) or not is_whole(drawn.chits[region.name])
    assert len([c for c in shown if c]) == len({c.name for c in shown if c})


@pytest.mark.parametrize("name", LARGE)
def test_large_maps_are_drawn_in_reasonable_time(name: str) -> None:
    game = loaded(name)
    start = time.process_time()
    text = game.svg()
    assert time.process_time() - start < 20
    assert len(text) < 300_000


@pytest.mark.parametrize("name", ["napoleonics", "asl"])
def test_it_is_the_same_each_time(name: str) -> None:
    assert vclogic.load(name).svg() == vclogic.load(name).svg()


# ---- where things stand


@pytest.mark.parametrize("name", [*SMALL, *LARGE])
def test_nothing_is_over_anything_else(name: str) -> None:
    drawn = sheet(loaded(name).picture())
    boxes = [c.box for found in drawn.chits.values() for c in found] + [n.box for n in drawn.names]
    near = [(a, b) for a, b in combinations(boxes, 2) if a.overlaps(b)]
    assert near == []


@pytest.mark.parametrize("name", [*SMALL, *LARGE])
def test_counters_stay_in_their_hexes(name: str) -> None:
    drawn = sheet(loaded(name).picture())
    plan = drawn.plan
    for region, found in drawn.chits.items():
        x, y = plan.centres[region]
        for c in found:
            assert c.box.x == x
            for edge in (c.box.y - c.box.h / 2, c.box.y + c.box.h / 2):
                assert c.box.w <= plan.room(edge - y) + 12


@pytest.mark.parametrize(
    ("name", "corner"), [("napoleonics", True), ("okinawa", False), ("moscow", True), ("asl", False)]
)
def test_hexes_stand_as_the_grid_has_them(name: str, corner: bool) -> None:
    picture = loaded(name).picture()
    plan = sheet(picture).plan
    assert plan.corner_north is corner
    for region in picture.regions:
        touching = {plan.beyond(region.name, k) for k in range(6)} - {None}
        assert region.name not in touching
        for other in touching:
            assert other is not None
            (ax, ay), (bx, by) = plan.centres[region.name], plan.centres[other]
            assert ((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5 == pytest.approx(3**0.5 * plan.side, abs=0.3)


def test_neighbours_on_the_page_are_neighbours_on_the_board() -> None:
    grid = HexGrid(12, 5, "odd-column")  # that of the map
    plan = sheet(loaded("okinawa").picture()).plan
    assert set(plan.centres) == set(grid.hexes)
    for h in grid.hexes:
        assert {plan.beyond(h, k) for k in range(6)} - {None} == set(grid.neighbours[h])


def test_an_outline_goes_around_its_hexes_only() -> None:
    regions = [Region(str(i), "land", str(i), at=(i * 3**0.5, 0)) for i in range(3)]
    plan = Plan(hex_map(*regions), True, 0, 0)
    assert len(plan.outline(["0"], 0.9)) == 6
    assert len(plan.outline(["0", "1"], 0.9)) == 10
    assert plan.between("0", "1") is not None
    assert plan.between("0", "2") is None


@pytest.mark.parametrize("count", [1, 2, 3, 5, 12])
def test_stacks_of_any_height(count: int) -> None:
    units = tuple(Counter(f"Unit number {i}", "Reds", "infantry", "4-4") for i in range(count))
    picture = hex_map(Region("a", "land", "a", at=(0, 0), counters=units), Region("b", "land", "b", at=(3**0.5, 0)))
    found = chits(sheet(picture).plan, picture.regions[0], {"Reds": "R"})
    shown = [c for c in found if c.counter]
    assert is_whole(found) == (len(shown) == count)
    if len(shown) < count:
        assert found[-1].lines[0].text == f"+ {count - len(shown)} more"
        (key,) = groups(ElementTree.fromstring(svg(picture)), "key")
        assert f"Unit number {count - 1}" in " ".join(key.itertext())
    around = stack(found)
    assert around is not None
    assert all(around.holds((c.box.x, c.box.y)) for c in found)


def test_long_texts_are_made_small_then_cut() -> None:
    assert fitted("Rifles", 12, 100) == fitted("Rifles", 12, 200)
    assert fitted("Grenadiers of the Guard", 12, 110).size < 12
    cut = fitted("Grenadiers of the Guard", 12, 30)
    assert cut.text.endswith("…")
    assert cut.size == 7


@pytest.mark.parametrize(
    ("name", "look"),
    [("forest", "woods"), ("bridge", "crossing"), ("ridge", "hills"), ("Open Sea", "water"), ("lava", "other")],
)
def test_terrain_has_a_look(name: str, look: str) -> None:
    assert look_of(name) == look


# ---- nothing by colour alone


def test_sides_have_marks_and_borders() -> None:
    root = ElementTree.fromstring(loaded("napoleonics").svg())
    borders: dict[str, set[str | None]] = {}
    for group in groups(root, "hex"):
        units = [r for r in group.iter(f"{SVG}rect") if r.get("class") == "unit"]
        marks = [t.text for t in group.iter(f"{SVG}text") if t.get("fill") == "#ffffff"]
        for rect, mark in zip(units, marks, strict=True):
            borders.setdefault(mark or "", set()).add(rect.get("stroke-dasharray"))
    assert borders == {"F": {None}, "A": {"6 2"}}


def test_terrain_is_written_and_in_the_key() -> None:
    root = ElementTree.fromstring(loaded("napoleonics").svg())
    words = [t.text for g in groups(root, "hex") for t in g.iter(f"{SVG}text")]
    assert (words.count("brook"), words.count("bridge"), words.count("open")) == (10, 2, 0)
    (key,) = groups(root, "key")
    assert "brook: closed" in [t.text for t in key.iter(f"{SVG}text")]


def test_names_are_written_as_they_are() -> None:
    odd = 'A <b> & "c" \x01'
    site = Site(odd, ("a",), note=odd)
    root = ElementTree.fromstring(
        svg(hex_map(Region("a", "land", odd, at=(0, 0), counters=(Counter(odd, "Reds"),)), sites=(site,)))
    )
    assert 'A <b> & "c" \ufffd' in description(root)


def test_a_map_without_hexes() -> None:
    assert ElementTree.fromstring(svg(hex_map())).get("role") == "img"


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
        "game: asl\nboard:\n  sides: [Russian, German]\n  whole: ['1', '2']\n  units: {4-4-7: {side: Russian, kind: squad}}\n"
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
    assert "what is left of the units is not shown" not in picture.notes


def test_labels_and_counters_keep_clear_of_each_other() -> None:
    drawn = sheet(loaded("okinawa").picture(RAID))
    labels: list[Box] = [w.label for w in drawn.ways]
    assert not any(a.overlaps(b) for a, b in combinations(labels, 2))
    assert not any(label.overlaps(box) for label in labels for box in drawn.stacks.values())


def test_an_arrow_goes_from_hex_to_hex_and_ends_in_its_target() -> None:
    drawn = sheet(loaded("okinawa").picture(RAID))
    for way in drawn.ways:
        assert way.arrow.source is not None
        stops = [drawn.plan.centres[h] for h in (way.arrow.source, *way.arrow.via, way.arrow.target)]
        for x, y in stops[:-1]:
            assert min(abs(px - x) + abs(py - y) for px, py in way.points) < 20
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
    assert [c.head for c in picture.captions] == ["the French", "the French"]
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
    assert Arrow("a", "b").way == "land"


# ---- the documents


@pytest.mark.parametrize(("file", "name"), DOCS.items())
def test_the_readmes_pictures_are_as_drawn_now(file: str, name: str) -> None:
    path = ROOT / "docs" / f"{file}.svg"
    text = path.read_text(encoding="utf-8")
    assert len(text) < 200_000
    root = ElementTree.fromstring(text)
    now = ElementTree.fromstring(loaded(name).svg())
    grounds = [[p.get("points") for p in x.iter(f"{SVG}polygon")] for x in (root, now)]
    assert grounds[0] == grounds[1]
    assert re.search(rf"{file}\.svg", (ROOT / "README.md").read_text() + readme(file))


def readme(file: str) -> str:
    game = file.partition("_")[0]
    return (ROOT / "encodings" / "vclogic_encodings" / game / "README.md").read_text()

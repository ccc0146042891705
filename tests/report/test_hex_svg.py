"""Pictures of maps of hexes: every hex, unit and place is there once, nothing lies over anything else."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations
from xml.etree import ElementTree

import pytest

import vclogic
from tests.fixtures.games import loaded
from tests.fixtures.pictures import ROOT, SVG, description, groups, sheet
from tests.fixtures.work import working
from vclogic.board.hexgrid import HexGrid
from vclogic.draw.boxes import width
from vclogic.draw.hexes import HexPage, chits, fitted, is_whole, stack
from vclogic.draw.svg import svg
from vclogic.model.hexmap import Counter, HexMap, Site, TerrainKind, look_of
from vclogic.model.picture import Party, Picture, Region

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


def hex_map(*regions: Region, **more: object) -> Picture:
    parties = (Party("Reds", "R", "Reds"), Party("Blues", "B", "Blues"))
    grounds = (TerrainKind("open", "open", written=False), TerrainKind("wood", "woods"))
    hexes = replace(HexMap(True, grounds), **more)  # type: ignore[arg-type]
    return Picture((), parties, regions, hexes=hexes, title="small")


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
def test_large_maps_are_drawn_with_reasonable_work(name: str) -> None:
    game = loaded(name)
    with working() as work:
        text = game.svg()
    assert work.steps < 20_000_000
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
    plan = HexPage(hex_map(*regions), True, 0, 0)
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


def test_a_long_title_is_broken_and_moves_the_map_down() -> None:
    region = Region("a", "land", "1,1", (0.0, 0.0), ground="open")
    long = "controls(Reds, a) and not controls(Blues, a) and " * 6
    short, broken = (sheet(replace(hex_map(region), title=t)) for t in ("small", long.strip()))
    assert len(short.head.titles) == 1
    assert " ".join(broken.head.titles) == long.strip()
    assert all(width(line, 20) <= broken.wide for line in broken.head.titles)
    assert broken.plan.centres["a"][1] - short.plan.centres["a"][1] == 24 * (len(broken.head.titles) - 1) > 0

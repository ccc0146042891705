"""Marks of regions: letters on shades, outlines, hollow arrows and the legend, on maps of areas and of hexes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest

from tests.fixtures.games import loaded
from tests.fixtures.pictures import ROOT, SVG, description, groups, laid_out, sheet
from vclogic.draw.boxes import Box
from vclogic.draw.marks import SHADE_FILLS
from vclogic.draw.svg import svg
from vclogic.model.hexmap import Counter, HexMap, Site, TerrainKind
from vclogic.model.picture import (
    SHADES,
    Arrow,
    Caption,
    LegendLine,
    Party,
    Picture,
    Region,
    RegionNote,
    Sample,
)

PARTIES = (Party("Reds", "R", "Left"), Party("Blues", "B", "Right"))
MARKS = (
    RegionNote("Ay", ("a",), "+0", 0, words="no moves more without it"),
    RegionNote("Bee", ("b",), "no plan", 4, double=True, words="no plan without it; every plan takes it"),
    RegionNote("Cee", ("c",), "? D1 D2", None, dashed=True, words="not known; in D1 and D2"),
    RegionNote("Dee", ("d",), "lost: +2", 3, double=True, dashed=True, words="2 moves more"),
)
MOVES = (Arrow("a", "b", label="1inf", step=1), Arrow("d", "c", label="2arm", way="sea", step=1, hollow=True))
LEGEND = (
    LegendLine("The Reds"),
    LegendLine("how many more", (Sample("text", "+0", 0), Sample("text", "no plan", 4), Sample("text", "?"))),
    LegendLine("every plan takes it", (Sample("double"),)),
    LegendLine("denial sets", (Sample("dashed", "D1"),)),
    LegendLine("next", (Sample("arrow"),)),
    LegendLine("threat", (Sample("hollow"),)),
)


def areas(**more: object) -> Picture:
    regions = [
        Region(n, "land", f"Land {n}", (i * 10.0, i % 2 * 8.0), PARTIES[i % 2].name) for i, n in enumerate("abcde")
    ]
    links = tuple(pairwise("abcde"))
    return replace(Picture((), PARTIES, tuple(regions), links, title="small", marks=MARKS), **more)  # type: ignore[arg-type]


def hexes(*counters: Counter, marks: Sequence[RegionNote] = MARKS, ground: str = "wood", **more: object) -> Picture:
    found = [Region(n, "land", f"{i},0", (i * 3**0.5, 0.0), ground=ground) for i, n in enumerate("abcde")]
    regions = (replace(found[0], counters=counters), *found[1:])
    grounds = (TerrainKind("open", "open", written=False), TerrainKind("wood", "woods"))
    places = (Site("Hilltop", ("b",), short="1 VP"), Site("Zone", ("c", "d"), "zone", mark="Z"))
    base = Picture((), PARTIES, regions, title="small", marks=tuple(marks), hexes=HexMap(True, grounds, places))
    return replace(base, **more)  # type: ignore[arg-type]


def drawn(picture: Picture) -> ElementTree.Element:
    return ElementTree.fromstring(svg(picture))


def values(node: ElementTree.Element) -> list[tuple[str | None, str | None]]:
    """The class and the letters of each plate."""
    nodes = list(node.iter())
    return [(a.get("class"), b.text) for a, b in pairwise(nodes) if (a.get("class") or "").startswith("value")]


def lines(node: ElementTree.Element, kind: str) -> list[ElementTree.Element]:
    return [x for x in node.iter() if x.get("class") == kind]


# ---- letters and shades


def grey(colour: str) -> float:
    """How light a colour is without its hue, from 0 to 255."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue


def test_shades_differ_in_grey() -> None:
    assert len(SHADE_FILLS) == SHADES
    assert all(grey(a) - grey(b) > 25 for a, b in pairwise(SHADE_FILLS))


@pytest.mark.parametrize("picture", [areas(), hexes()])
def test_letters_stand_on_their_shade_in_a_contrast(picture: Picture) -> None:
    root = drawn(picture)
    assert values(root) == [
        ("value shade-0", "+0"),
        ("value shade-4", "no plan"),
        ("value", "? D1 D2"),
        ("value shade-3", "lost: +2"),
    ]
    plates = [(a, b) for a, b in pairwise(root.iter()) if (a.get("class") or "").startswith("value")]
    for plate, text in plates:
        contrast = contrast_of(plate.get("fill", ""), text.get("fill", ""))
        assert contrast >= 4.5, (plate.get("fill"), text.get("fill"))
    assert [p.get("stroke-dasharray") for p, _ in plates] == [None, None, "1.5 2", None]


def contrast_of(one: str, other: str) -> float:
    """The contrast of two colours as WCAG defines it."""
    low, high = sorted(_luminance(c) for c in (one, other))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_a_picture_without_marks_has_none() -> None:
    for picture in (areas(marks=()), hexes(marks=())):
        root = drawn(picture)
        assert values(root) == []
        assert not any(lines(root, kind) for kind in ("double", "dashed", "legend"))


def test_every_hex_of_a_mark_is_shaded_and_one_has_its_letters() -> None:
    wide = RegionNote("Wide", ("b", "c", "d"), "+1", 1)
    root = drawn(hexes(marks=[wide, RegionNote("Cee", ("c",), "+2", 2)]))
    shades = [p.get("class") for p in root.iter(f"{SVG}polygon") if (p.get("class") or "").startswith("shade")]
    assert sorted(filter(None, shades)) == ["shade-1", "shade-1", "shade-2"], "the darkest where two share a hex"
    assert values(root) == [("value shade-1", "+1"), ("value shade-2", "+2")]
    assert sheet(hexes(marks=[wide])).chips.keys() == {"b"}, "where its name stands"


def test_letters_stand_in_the_middle_of_a_wide_mark() -> None:
    assert sheet(hexes(marks=[RegionNote("All", tuple("acde"), "+1", 1)])).chips.keys() == {"c"}


def test_marks_that_share_a_hex_are_named() -> None:
    marks = [RegionNote(f"c/{level}", ("c",), f"+{level}", level) for level in range(3)]
    root = drawn(hexes(marks=marks))
    assert [text for _, text in values(root)] == ["c/0: +0", "c/1: +1", "c/2: +2"]
    (found,) = sheet(hexes(marks=marks)).chips.values()
    assert not any(a.box.overlaps(b.box) for a, b in combinations(found, 2))


def test_marks_of_the_same_hexes_are_written_together() -> None:
    marks = [RegionNote(n, ("c", "d", "e"), f"+{i}", i) for i, n in enumerate(("one", "two"))]
    (found,) = sheet(hexes(marks=[*marks])).chips.values()
    assert [c.text for c in found] == ["one: +0", "two: +1"]


def test_letters_that_are_too_long_for_a_line_take_more() -> None:
    long = RegionNote("Bee", ("b",), "lost: no plan " + " ".join(f"D{n}" for n in range(1, 14)), 4)
    lines = sheet(hexes(marks=[long])).chips["b"]
    assert len(lines) == 3
    assert " ".join(c.text for c in lines) == long.text
    assert {c.shade for c in lines} == {4}


def test_marks_that_share_an_area_are_named() -> None:
    marks = (RegionNote("City", ("a",), "+0", 0), RegionNote("Port", ("a",), "+1", 1))
    assert values(drawn(areas(marks=marks))) == [("value shade-1", "City: +0 \u00b7 Port: +1")]


# ---- nothing lies over anything else


def test_areas_with_outlines_keep_apart() -> None:
    crowded = areas(regions=tuple(replace(r, at=(*(r.at or (0, 0))[:1], 0.0)) for r in areas().regions))
    found = laid_out(crowded).cards
    assert not any(a.outer.overlaps(b.outer) for a, b in combinations(found.values(), 2))
    assert found["a"].outer == found["a"].box
    assert found["b"].outer.w > found["b"].box.w
    assert found["d"].outer.w - found["d"].box.w > found["b"].outer.w - found["b"].box.w


def test_labels_of_arrows_keep_off_outlines() -> None:
    picture = areas(arrows=MOVES)
    shown = laid_out(picture)
    found = shown.cards
    for route in shown.routes:
        assert not any(route.label.overlaps(c.outer) for c in found.values())
        assert not any(found[route.arrow.target].outer.holds(p) for p in route.points)


@pytest.mark.parametrize("ground", ["open", "wood"])
@pytest.mark.parametrize("units", [0, 1, 2, 6])
def test_letters_in_hexes_cover_nothing(units: int, ground: str) -> None:
    counters = [Counter(f"unit {i}", "Reds", "infantry", "4-4") for i in range(units)]
    names = (Site("Hilltop", ("a",), short="1 VP"), Site("Church", ("a",), short="2 VP"))
    marks = [RegionNote("Hilltop", ("a",), "no plan D1 D2", 4, True, True)]
    picture = hexes(*counters, marks=marks, ground=ground)
    assert picture.hexes is not None
    plan = sheet(replace(picture, hexes=replace(picture.hexes, sites=names)))
    boxes: list[Box] = [c.box for found in plan.chips.values() for c in found]
    boxes += [c.box for c in plan.chits["a"]]
    boxes += [n.box for n in plan.names] if not units else []
    assert not any(a.overlaps(b, -0.5) for a, b in combinations(boxes, 2))
    label = plan.plan.centres["a"][1] + plan.plan.top + plan.plan.size * (1.25 if ground == "wood" else 0.2)
    assert all(b.y - b.h / 2 >= label for b in boxes)


@pytest.mark.parametrize(
    "name", ["napoleonics", "napoleonics/sankt-veit", "okinawa", "okinawa/island", "moscow/small", "asl", "asl/1f3"]
)
def test_letters_cover_nothing_on_the_maps_of_games(name: str) -> None:
    game = loaded(name)
    every = {
        o.places if len(o.places) > 1 else o.name: o for o in game.setup.system.objectives if o.main and o.places
    }
    texts = ("lost: no plan, +0", "no plan D1 D2", "+0")
    marks = tuple(RegionNote(o.name, o.places, texts[i % 3], i % 5, i % 2 == 0) for i, o in enumerate(every.values()))
    plan = sheet(replace(game.picture(), marks=marks))
    assert plan.chips
    for where, found in plan.chips.items():
        others = [c.box for c in plan.chits[where]] + [n.box for n in plan.names if n.hex == where]
        boxes = [c.box for c in found]
        assert not any(a.overlaps(b, -0.5) for a, b in combinations(boxes, 2))
        assert not any(a.overlaps(b, -0.5) for a in boxes for b in others)
        assert not any(c.text.endswith("\u2026") for c in found)


def test_the_head_of_an_arrow_ends_before_letters() -> None:
    picture = hexes(arrows=(Arrow("a", "b", step=1),), marks=[RegionNote("Bee", ("b",), "no plan", 4)])
    plan = sheet(picture)
    (way,), (found,) = plan.routes, plan.chips["b"]
    assert not any(found.box.holds(p) or plan.names[0].box.holds(p) for p in way.tip)


# ---- outlines


@pytest.mark.parametrize("picture", [areas(), hexes()])
def test_outlines_are_told_apart_without_colour(picture: Picture) -> None:
    root = drawn(picture)
    double, dashed = lines(root, "double"), lines(root, "dashed")
    assert (len(double), len(dashed)) == (2 * 2, 2)
    assert {x.get("stroke-dasharray") for x in double} == {None}
    assert {x.get("stroke-dasharray") for x in dashed} == {"9 5"}


def test_outlines_stand_outside_the_frame_of_what_changes_hands() -> None:
    plain = areas()
    changed = areas(regions=tuple(replace(r, becomes="Reds") for r in plain.regions))
    inner, outer = (laid_out(p).cards["b"] for p in (plain, changed))
    assert outer.edge > inner.edge


def test_outlines_of_two_marks_of_a_hex_differ() -> None:
    marks = [RegionNote("Bee", ("b",), double=True), RegionNote("All", ("b", "c"), dashed=True)]
    root = drawn(hexes(marks=marks))
    assert len({x.get("d") for kind in ("double", "dashed") for x in lines(root, kind)}) == 3


# ---- arrows


@pytest.mark.parametrize("picture", [areas(), hexes()])
def test_hollow_arrows_are_told_apart_without_colour(picture: Picture) -> None:
    captions = (Caption(1, "", ("one moves",)), Caption(1, "threat", ("the other moves",), hollow=True))
    root = drawn(replace(picture, arrows=MOVES, captions=captions))
    heads = [x.get("marker-end") or "" for x in root.iter(f"{SVG}path") if x.get("marker-end")]
    assert [h[-2] for h in heads] == ["a", "b"]
    markers = {m.get("id") for m in root.iter(f"{SVG}marker")}
    assert {h[5:-1] for h in heads} <= markers
    squares = [g for g in groups(root, "label") if not g.findall(f"{SVG}circle")]
    assert [[t.text for t in g.iter(f"{SVG}text")] for g in squares] == [["1", "2arm"]]
    (written,) = groups(root, "captions")
    assert len(written.findall(f"{SVG}circle")) == len(written.findall(f"{SVG}rect")) == 1
    said = description(root)
    assert "Turn 1: one moves." in said
    assert "Hollow arrows, turn 1 (threat): the other moves." in said
    assert "with the moves of turn 1" in svg(replace(picture, arrows=MOVES, captions=captions))
    assert "moves of turn" not in svg(replace(picture, arrows=MOVES[1:], captions=captions[1:]))


def test_without_hollow_arrows_there_is_no_head_for_them() -> None:
    assert [m.get("id", "")[-2:] for m in drawn(areas(arrows=MOVES[:1])).iter(f"{SVG}marker")] == ["-a"]


# ---- words


@pytest.mark.parametrize("picture", [areas(legend=LEGEND), hexes(legend=LEGEND)])
def test_the_legend_has_each_sign_with_its_meaning(picture: Picture) -> None:
    (legend,) = groups(drawn(replace(picture, arrows=MOVES)), "legend")
    assert values(legend) == [("value shade-0", "+0"), ("value shade-4", "no plan"), ("value", "?"), ("value", "D1")]
    assert [t.text for t in legend.findall(f"{SVG}text") if t.get("text-anchor") == "start"] == [
        x.words for x in LEGEND
    ]
    assert (len(lines(legend, "double")), len(lines(legend, "dashed"))) == (2, 1)
    assert len([x for x in legend.iter(f"{SVG}path") if x.get("marker-end")]) == 2
    bold = [t.text for t in legend.findall(f"{SVG}text") if t.get("font-weight") == "bold" and t.text != "?"]
    assert [b for b in bold if b in {x.words for x in LEGEND}] == ["The Reds"]


@pytest.mark.parametrize("picture", [areas(), hexes()])
def test_a_page_grows_with_its_legend(picture: Picture) -> None:
    long = tuple(LegendLine(f"line {i} " + "word " * 60, (Sample("text", f"+{i}", 1),)) for i in range(20))
    root = drawn(replace(picture, legend=long))
    bottom = float((root.get("viewBox") or "").split()[3])
    (legend,) = groups(root, "legend")
    texts = list(legend.iter(f"{SVG}text"))
    assert max(float(t.get("y", "0")) for t in texts) < bottom
    ys = [float(t.get("y", "0")) for t in texts if t.get("text-anchor") == "start"]
    assert min(b - a for a, b in pairwise(ys)) > 14
    paper = root.find(f"{SVG}rect")
    assert paper is not None
    assert paper.get("height") == (root.get("viewBox") or "").split()[3]


@pytest.mark.parametrize("picture", [areas(), hexes()])
def test_marks_are_in_the_description_and_the_titles_of_regions(picture: Picture) -> None:
    root = drawn(replace(picture, legend=LEGEND))
    said = description(root)
    for mark in MARKS:
        assert f"{mark.name}: {mark.words}." in said
    assert "The Reds." in said
    assert "+0, no plan, ?: how many more." in said
    assert "denial sets." in said
    titles = [t.text or "" for t in root.iter(f"{SVG}title")]
    assert len([t for t in titles if "every plan takes it" in t]) == 1


@pytest.mark.parametrize("build", [areas, hexes])
def test_marks_are_written_as_they_are(build: Callable[..., Picture]) -> None:
    odd = 'A <b> & "c" \x01'
    mark = RegionNote(odd, ("a",), odd, 1, words=odd)
    root = drawn(build(marks=(mark,), legend=(LegendLine(odd, (Sample("text", odd, 1),)),)))
    clean = odd.replace("\x01", "\ufffd")
    assert clean in description(root)
    (legend,) = groups(root, "legend")
    assert [t.text for t in legend.iter(f"{SVG}text")] == [clean, clean]
    assert any((text or "").startswith("A <b> &") for _, text in values(root))


# ---- the documents


def test_the_page_s_picture_is_as_drawn_now() -> None:
    game = loaded("axis_allies")
    text = (ROOT / "docs" / "objectives.svg").read_text(encoding="utf-8")
    assert len(text) < 200_000
    now = game.svg(game.objectives("vcp(Axis) >= 40", within=4))
    for kind in ("land", "legend"):
        shown = [ElementTree.tostring(g) for g in groups(ElementTree.fromstring(text), kind)]
        assert shown == [ElementTree.tostring(g) for g in groups(ElementTree.fromstring(now), kind)]
    assert "objectives.svg" in (ROOT / "docs" / "objectives.md").read_text(encoding="utf-8")

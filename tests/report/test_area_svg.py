"""Maps of areas, drawn by lot and by hand: boxes, texts, counters, arrows, and a key of only what is there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from typing import get_args
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.games import loaded
from tests.fixtures.pace import examples
from tests.fixtures.pictures import ROOT, SVG, description, groups, laid_out
from tests.toys.area_boards import PARTIES, pictures
from vclogic import load
from vclogic.draw.areaboard import AreaBoard
from vclogic.draw.arrows import STYLES, styles
from vclogic.draw.boxes import NAME, SMALL, Point, badge_width, width
from vclogic.draw.layout import SHEET, name_size
from vclogic.draw.sheet import PictureSheet
from vclogic.draw.signs import LINES, SHAPES, Counters
from vclogic.draw.svg import svg
from vclogic.draw.words import owned
from vclogic.model.picture import Arrow, Caption, Picture, Region, Sign, Troops, marks


def drawn(picture: Picture) -> ElementTree.Element:
    return ElementTree.fromstring(svg(picture))


def texts(node: ElementTree.Element) -> list[str]:
    return [t.text or "" for t in node.iter(f"{SVG}text")]


def key(picture: Picture) -> str:
    (found,) = groups(drawn(picture), "key")
    return "\n".join(texts(found))


def board(*regions: Region, **more: object) -> Picture:
    return replace(Picture((), PARTIES, regions, title="small"), **more)  # type: ignore[arg-type]


# ---- boxes


@given(pictures())
@examples(200)
def test_boxes_never_overlap_and_lie_within_the_sheet(picture: Picture) -> None:
    found = laid_out(picture)
    boxes = [c.outer for c in found.cards.values()]
    assert [(a, b) for a, b in combinations(boxes, 2) if a.overlaps(b)] == []
    for b in boxes:
        assert found.frame.left <= b.x - b.w / 2
        assert b.x + b.w / 2 <= found.frame.right
        assert found.frame.top <= b.y - b.h / 2
        assert b.y + b.h / 2 <= found.frame.bottom


@given(pictures())
@examples(200)
def test_what_stands_in_a_box_fits(picture: Picture) -> None:
    counters = Counters(picture)
    for card in laid_out(picture).cards.values():
        room, r = card.box.w, card.region
        badge = badge_width(owned(r, picture))
        assert all(badge + width(n, name_size(r)) <= room for n in card.name)
        assert all(width(line, SMALL) <= room for line in (*card.badges, *card.battle))
        assert all(counters.width(row) <= room for row in card.rows)
        assert [f for row in card.rows for f in row.forces] == list(r.forces)
        assert " ".join(card.name) == r.label


@given(pictures())
@examples(100)
def test_labels_of_large_letters_cover_nothing(picture: Picture) -> None:
    found = laid_out(picture)
    labels = [r.label for r in found.routes]
    if found.scale > 1:
        assert not any(a.overlaps(b) for a, b in combinations(labels, 2))
        assert not any(label.overlaps(c.outer) for label in labels for c in found.cards.values())


@pytest.mark.parametrize(("count", "least"), [(1, 5.0), (2, 5.0), (4, 3.9), (9, 2.3), (20, 1.3)])
def test_few_territories_have_large_letters(count: int, least: float) -> None:
    regions = [Region(f"{i}", "land", f"Land {i}", (i % 5 * 2.0, i // 5 * 1.0), "Reds") for i in range(count)]
    found = laid_out(board(*regions))
    assert found.scale >= least
    boxes = [c.box for c in found.cards.values()]
    wide = max(b.x + b.w / 2 for b in boxes) - min(b.x - b.w / 2 for b in boxes)
    assert count == 1 or wide > 0.75 * (found.frame.right - found.frame.left)


def test_more_than_a_sheet_can_hold_stands_in_rows() -> None:
    regions = [Region(f"{i}", "land", "x" * 900 + f" {i}", (i, 0)) for i in range(30)]
    found = laid_out(board(*regions))
    boxes = [c.box for c in found.cards.values()]
    assert found.scale < 0.5
    assert found.frame.right > SHEET[0]
    rows: dict[float, list[tuple[float, float]]] = {}
    for b in boxes:
        rows.setdefault(b.y - b.h / 2, []).append((b.x - b.w / 2, b.x + b.w / 2))
    assert all(right < left for row in rows.values() for (_, right), (left, _) in pairwise(row))


@pytest.mark.parametrize("order", ["abcd", "acbd"])
def test_links_of_a_ring_do_not_cross(order: str) -> None:
    ring = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]
    found = laid_out(board(*(Region(n, "land", n) for n in order), links=tuple(ring))).cards
    at = {n: (c.box.x, c.box.y) for n, c in found.items()}
    middles = {((at[a][0] + at[b][0]) / 2, (at[a][1] + at[b][1]) / 2) for a, b in (("a", "c"), ("b", "d"))}
    (ax, ay), (bx, by) = (*middles, *middles)[:2]
    wide = max(x for x, _ in at.values()) - min(x for x, _ in at.values())
    assert abs(ax - bx) + abs(ay - by) < wide / 4, "the diagonals meet in the middle"


# ---- counters


def test_all_signs_differ() -> None:
    signs = {**LINES, **SHAPES}
    assert signs.keys() == set(get_args(Sign)) - {""}
    assert len(set(signs.values())) == len(signs)


def test_kinds_without_a_sign_of_their_own_have_letters_that_differ() -> None:
    forces = (Troops("Reds", "elves", 1), Troops("Reds", "elks", 2), Troops("Reds", "guns", 3, "gun"))
    more = (Troops("Reds", "howitzers", 4, "gun"), Troops("Reds", "guards", 5, "foot"))
    found = Counters(board(Region("a", "land", "a", forces=(*forces, *more)))).letters
    assert found.keys() == {"elves", "elks", "guns", "howitzers"}
    assert len(set(found.values())) == 4


def test_counters_say_how_many_of_what_and_whose() -> None:
    forces = (Troops("Reds", "guards", 12, "foot"), Troops("Blues", "guns", 3, "gun"))
    picture = board(Region("a", "land", "Home", owner="Reds", forces=forces))
    (land,) = groups(drawn(picture), "land")
    assert texts(land) == ["R", "Home", "12", "B", "3"], "only units of others have a letter"
    assert [p.get("d") for g in groups(land, "unit") for p in g.iter(f"{SVG}path")] == [LINES["foot"], SHAPES["gun"]]
    assert "Reds (Left) own Home (12 guards, Blues: 3 guns)." in description(drawn(picture))


@given(st.lists(st.text("aAb1 _", min_size=1, max_size=5), unique=True, max_size=6))
@examples(500)
def test_no_two_names_have_the_same_letters(names: list[str]) -> None:
    for least in (1, 2):
        assert len(set(marks((*names,), least).values())) == len(names)


def test_units_with_names_have_their_letters_and_the_figure_of_their_kind() -> None:
    of_one_kind = (
        Troops("Reds", "foot", 1, "foot", "1st Guard"),
        Troops("Reds", "foot", 1, "foot", "1st Grenadiers"),
    )
    without = Troops("Blues", "", 1, name="Blue Horse")
    picture = board(Region("a", "land", "Home", owner="Reds", forces=(*of_one_kind, without)))
    (land,) = groups(drawn(picture), "land")
    assert texts(land) == ["R", "Home", "1Gu", "1Gr", "B", "BH"]
    assert [p.get("d") for g in groups(land, "unit") for p in g.iter(f"{SVG}path")] == [LINES["foot"]] * 2
    for line in ("1st Guard", "1Gu", "Blue Horse", "BH", "foot"):
        assert line in key(picture)
    assert "Home (1st Guard, 1st Grenadiers, Blues: Blue Horse)" in description(drawn(picture))


def test_units_of_the_1942_game_have_signs_of_their_own() -> None:
    counters = Counters(load("axis_allies", settings={"level": "armies"}).picture())
    assert len(counters.kinds) == 11
    assert counters.letters == {}


# ---- links


def test_no_link_runs_under_another_area_but_at_a_corner() -> None:
    three = board(*(Region(n, "land", n, at=(i, 0)) for i, n in enumerate("abc")), links=(("a", "b"), ("a", "c")))
    for picture in (three, load("axis_allies").picture(), load("examples/rulebooks/five_towns.md").picture()):
        found = AreaBoard(PictureSheet(picture))
        assert found.links.keys() == set(picture.links)
        hidden = {
            (link, name)
            for link, points in found.links.items()
            for name, card in found.cards.items()
            if name not in link and sum(card.box.holds(p) for p in _along(points)) > 2
        }
        crowded = {("Anglo Egypt", "Belgian Congo"), ("45 Sea Zone", "52 Sea Zone")}  # no curve has room there
        assert {link for link, _ in hidden} <= crowded
        assert len(hidden) <= len(crowded)
        if picture is three:
            assert [len(points) for points in found.links.values()] == [2, 3]


def _along(points: Sequence[Point]) -> Iterator[Point]:
    """Points of a link, of which a hundred make up all of it."""
    (ax, ay), (mx, my), (bx, by) = points if len(points) > 2 else (points[0], points[0], points[1])
    for t in (n / 100 for n in range(101)):
        u = 1 - t
        near, middle, far = (u, 0, t) if len(points) == 2 else (u * u, 2 * u * t, t * t)
        yield near * ax + middle * mx + far * bx, near * ay + middle * my + far * by


# ---- the key


@given(pictures())
@examples(200)
def test_the_key_holds_what_is_there_and_nothing_else(picture: Picture) -> None:
    said = key(picture)
    lines = said.split("\n")
    kinds = {r.kind for r in picture.regions}
    assert ("sea" in lines) == ("sea" in kinds)
    assert ("closed to everybody" in lines) == ("closed" in kinds)
    seen = {n for r in picture.regions for n in (r.owner, r.becomes, *(f.party for f in r.forces))}
    seen |= {n for a in picture.arrows for n in (a.party, *(f.party for f in a.forces))}
    assert {p.name for p in PARTIES if p.name in lines} == seen - {None}
    assert {p.side for p in PARTIES if p.side in lines} == {p.side for p in PARTIES if p.name in seen}
    units = {f.kind for r in picture.regions for f in r.forces} | {f.kind for a in picture.arrows for f in a.forces}
    assert {k for k in lines if k in units} == units
    assert {k for k in ("kind of foot", "kind of sub", "elves") if k in lines} == {
        "kind of foot",
        "kind of sub",
        "elves",
    } & units
    side = {p.name: p.side for p in PARTIES}
    moving = {side[a.party] for a in picture.arrows if a.party}
    assert {s for s in side.values() if f"moves of the {s} side" in lines} == moving
    assert {w for w in ("land", "sea", "air") if f"by {w}" in lines} == {a.way for a in picture.arrows}
    assert ("changes hands" in said) == any(r.becomes for r in picture.regions)
    assert ("by the dice" in said) == any(r.battle for r in picture.regions)


@given(pictures(most=4))
@examples(100)
def test_the_key_lies_on_the_page(picture: Picture) -> None:
    root = drawn(picture)
    _, _, wide, high = (float(x) for x in (root.get("viewBox") or "").split())
    for group in (*groups(root, "key"), *groups(root, "captions")):
        for t in group.iter(f"{SVG}text"):
            x, size = float(t.get("x", "0")), float(t.get("font-size", "0"))
            reach = width(t.text or "", size) / (1.15 if t.get("text-anchor") == "start" else 2.3)
            assert x + reach <= wide
            assert float(t.get("y", "0")) < high


def test_a_dry_board_has_no_sea() -> None:
    text = svg(board(Region("a", "land", "a", owner="Reds")))
    assert "<pattern" not in text
    assert "sea" not in text.lower().replace("liberation sans", "")
    assert "Blues" not in key(board(Region("a", "land", "a", owner="Reds")))


def test_the_key_of_the_game_says_only_what_its_board_has() -> None:
    islands = load(str(ROOT / "examples" / "two_islands.yaml")).picture()
    assert islands.key == ("a city stands with its points",)
    assert "a number is a sea zone" in loaded("axis_allies").picture().key


# ---- arrows


def test_arrows_of_sides_differ_without_colour() -> None:
    assert len({s.head for s in STYLES}) == len(STYLES)
    assert len({s.plate for s in STYLES}) == len(STYLES)
    assert len({s.ticks for s in STYLES}) == len(STYLES)


def test_each_side_has_its_arrows_numbers_and_captions() -> None:
    regions = [Region(n, "land", n, (i * 4.0, i % 2 * 3.0)) for i, n in enumerate("abcd")]
    arrows = tuple(Arrow("abc"[i], "bcd"[i], step=i + 1, party=p) for i, p in enumerate(("Reds", "Blues", "Pinks")))
    captions = tuple(Caption(i, "", (f"move {i}",)) for i in (1, 2, 3))
    picture = board(*regions, arrows=arrows, captions=captions)
    root = drawn(picture)
    heads = [p.get("marker-end", "")[-2:-1] for p in root.iter(f"{SVG}path") if p.get("class") == "tip"]
    assert heads == ["a", "c", "a"], "parties of one side look alike"
    assert {m.get("id", "")[-1] for m in root.iter(f"{SVG}marker")} == {"a", "c"}
    plates = ["polygon" if g.findall(f"{SVG}polygon") else "circle" for g in groups(root, "label")]
    assert plates == ["circle", "polygon", "circle"]
    (written,) = groups(root, "captions")
    assert [len(written.findall(f"{SVG}{shape}")) for shape in ("circle", "polygon")] == [2, 1]
    assert styles(picture)["Greens"].head not in {styles(picture)[n].head for n in ("Reds", "Blues")}


def test_names_are_not_broken_without_need() -> None:
    (card,) = laid_out(board(Region("a", "land", "Old Town", owner="Reds"))).cards.values()
    assert card.name == ("Old Town",)
    assert width("Old Town", NAME) < card.box.w

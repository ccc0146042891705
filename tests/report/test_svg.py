"""Pictures: what is drawn where, what they say in words, and that nothing is said by colour alone."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from statistics import linear_regression
from xml.etree import ElementTree

import pytest

import vclogic
from tests.fixtures.pictures import ROOT, SVG, description, groups, laid_out
from vclogic.draw.elements import fills
from vclogic.draw.svg import svg
from vclogic.errors import InputError
from vclogic.game import Game
from vclogic.model.picture import Arrow, Caption, Party, Picture, Region, by_party, marks
from vclogic.model.step_text import Under
from vclogic.query.answers import Step


def capture(n: int, power: str, territory: str, turn: dict[str, int | str] | None = None) -> Step:
    args = {"power": power, "territory": territory}
    return Step(n, turn, power, "capture", args, f"{power} take {territory}", ())


PLAN = (
    capture(1, "Germans", "United Kingdom"),
    capture(2, "Germans", "Eastern United States"),
    capture(3, "Germans", "Russia"),
)
NOW: dict[str, int | str] = {"round": 1, "turn": "Germans"}
NEXT: dict[str, int | str] = {"round": 1, "turn": "Japanese"}


def order(n: int, action: str, units: str, source: str, target: str, **more: str) -> Step:
    power = "Germans" if n < 6 else "Japanese"
    args = {"power": power, "units": units, "from": source, "via": "", "to": target, "captures": "", **more}
    return Step(n, NOW if n < 6 else NEXT, power, action, args, f"{action} to {target}", ())


ORDERS = (
    order(1, "march", "2 infantry and 1 armour", "Ukraine S.S.R.", "Caucasus", captures="Caucasus"),
    order(2, "cross", "1 infantry", "Southern Europe", "Anglo Egypt", via="14 Sea Zone and 15 Sea Zone"),
    order(3, "sortie", "1 bomber", "Germany", "Anglo Egypt", via="Libya", captures="Anglo Egypt"),
    order(4, "buy", "3 infantry", "Germany", "Germany"),
    Step(5, NOW, "Germans", "end_turn", {}, "Germans end their turn", ()),
    order(6, "sail", "1 battleship", "60 Sea Zone", "57 Sea Zone"),
)


@pytest.fixture(scope="module")
def game() -> Game:
    return vclogic.load("axis_allies")


@pytest.fixture(scope="module")
def armies() -> Game:
    return vclogic.load("axis_allies", settings={"level": "armies"})


@pytest.fixture(scope="module")
def islands() -> Game:
    return vclogic.load(str(ROOT / "examples" / "two_islands.yaml"))


@pytest.fixture(scope="module")
def start(game: Game) -> ElementTree.Element:
    return parsed(game.svg())


@pytest.fixture(scope="module")
def taken(game: Game) -> ElementTree.Element:
    return parsed(game.svg(PLAN))


def parsed(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def texts(node: ElementTree.Element) -> list[str]:
    return [t.text or "" for t in node.iter(f"{SVG}text")]


def small(*regions: Region, links: Sequence[tuple[str, str]] = (), **more: object) -> Picture:
    parties = (Party("Reds", "R", "Left"), Party("Blues", "B", "Right"))
    base = Picture((), parties, regions, tuple(links), title="small")
    return replace(base, **more)  # type: ignore[arg-type]


# ---- where things stand


def test_every_region_has_a_place_of_its_own(game: Game) -> None:
    regions = game.picture().regions
    places = [r.at for r in regions]
    assert len(regions) == 143
    assert None not in places
    assert len(set(places)) == len(places)


@pytest.mark.parametrize("level", ["captures", "armies"])
def test_no_box_is_over_another_or_outside(level: str) -> None:
    shown = laid_out(vclogic.load("axis_allies", settings={"level": level}).picture())
    boxes = [c.box for c in shown.cards.values()]
    assert [(a, b) for a, b in combinations(boxes, 2) if a.overlaps(b)] == []
    for b in boxes:
        assert shown.frame.left <= b.x - b.w / 2
        assert b.x + b.w / 2 <= shown.frame.right
        assert shown.frame.top <= b.y - b.h / 2
        assert b.y + b.h / 2 <= shown.frame.bottom


def test_the_board_s_places_need_little_correction(game: Game) -> None:
    shown = laid_out(game.picture())
    assert shown.scale == 1
    for i in (0, 1):
        at = {n: (c.region.at or (0, 0))[i] for n, c in shown.cards.items()}
        drawn = {n: (c.box.x, c.box.y)[i] for n, c in shown.cards.items()}
        by, start = linear_regression(list(at.values()), list(drawn.values()))
        assert [n for n in at if abs(drawn[n] - start - by * at[n]) > 20] == []


def test_a_board_without_places_is_laid_out(islands: Game) -> None:
    shown = laid_out(islands.picture())
    boxes = [c.box for c in shown.cards.values()]
    assert len(boxes) == 6
    assert not any(a.overlaps(b) for a, b in combinations(boxes, 2))
    assert max(b.x for b in boxes) - min(b.x for b in boxes) > (shown.frame.right - shown.frame.left) / 2


def test_places_are_scaled_to_the_map() -> None:
    shown = laid_out(small(*(Region(str(i), "land", str(i), at=(i, 0)) for i in range(4))))
    xs = [c.box.x for c in shown.cards.values()]
    assert xs == sorted(xs)
    assert xs[3] - xs[0] > 0.75 * (shown.frame.right - shown.frame.left)
    assert len({c.box.y for c in shown.cards.values()}) == 1


def test_one_place_for_all_is_pulled_apart() -> None:
    found = laid_out(small(*(Region(str(i), "land", f"Land {i}", at=(5, 5)) for i in range(9)))).cards
    assert not any(a.box.overlaps(b.box) for a, b in combinations(found.values(), 2))


@pytest.mark.parametrize("count", [0, 1, 2, 30])
def test_boards_of_any_size(count: int) -> None:
    regions = [Region(str(i), "land", f"Land {i}", owner="Reds") for i in range(count)]
    links = [(str(i), str(i + 1)) for i in range(count - 2)]
    root = parsed(svg(small(*regions, links=links)))
    assert len(groups(root, "land")) == count


# ---- what is said


def test_it_is_an_image_with_a_title_and_a_description(start: ElementTree.Element) -> None:
    root = start
    assert root.get("role") == "img"
    assert (root.get("viewBox") or "").startswith("0 0 1920 ")
    named = [root.find(f"{SVG}title"), root.find(f"{SVG}desc")]
    assert root.get("aria-labelledby") == " ".join(n.get("id", "") for n in named if n is not None)
    said = description(root)
    assert "Germans (Axis) own Algeria; Balkans; Belorussia; Eastern Europe; Germany (Berlin 5, IC)" in said
    assert "Allies 39 victory city points, Axis 26 victory city points" in said


def test_the_description_names_every_change_and_step(taken: ElementTree.Element) -> None:
    said = description(taken)
    for step in PLAN:
        assert step.text in said
    assert "United Kingdom changes hands: from British to Germans." in said
    assert "Eastern United States changes hands: from Americans to Germans." in said
    assert "Russia changes hands: from Russians to Germans." in said
    assert said.count("changes hands") == 3


def test_no_owner_is_told_by_colour_alone(game: Game, taken: ElementTree.Element) -> None:
    picture = game.picture(PLAN)
    lands = groups(taken, "land")
    owners = [r for r in picture.regions if r.kind == "land"]
    for group, region in zip(lands, owners, strict=True):
        assert region.owner is not None
        mark = texts(group)[0]
        assert mark == (f"{region.owner[0]}→G" if region.becomes else region.owner[0])
    borders = {g.findall(f"{SVG}rect")[-2].get("stroke-dasharray") for g in lands}
    assert borders == {None, "6 2"}, "each side has its border"
    (key,) = groups(taken, "key")
    assert texts(key)[:7] == ["Allies", "R", "Russians", "B", "British", "A", "Americans"]


def test_ways_differ_without_colour(armies: Game) -> None:
    root = parsed(armies.svg(ORDERS))
    dashes = [p.get("stroke-dasharray") for p in root.iter(f"{SVG}path") if p.get("class") == "move"]
    assert dashes == [None, "9 4", "2 4", "9 4"]


def test_orders_of_one_battle_share_a_line_of_the_caption(armies: Game) -> None:
    told = [Under("Caucasus", "Germans take Caucasus", "2 infantry and 1 armour from Ukraine S.S.R."), None, None]
    steps = [replace(o, under=u) for o, u in zip(ORDERS, told, strict=False)]
    by_air = Under("Caucasus", "Germans take Caucasus", "1 bomber from Germany, landing in Libya")
    said = description(parsed(armies.svg([steps[0], replace(ORDERS[2], n=2, under=by_air), ORDERS[1]])))
    assert (
        "Germans take Caucasus: 2 infantry and 1 armour from Ukraine S.S.R.; 1 bomber from Germany, landing in Libya"
        in said
    )
    assert ORDERS[1].text in said


def test_land_sea_and_closed_regions_have_their_shapes(start: ElementTree.Element) -> None:
    root = start
    assert [len(groups(root, kind)) for kind in ("land", "sea", "closed")] == [63, 64, 16]
    closed = groups(root, "closed")[0].find(f"{SVG}rect")
    assert closed is not None
    assert closed.get("fill", "").startswith("url(#")


def test_units_are_shown_where_they_are_known(game: Game, armies: Game) -> None:
    assert not any(r.forces for r in game.picture().regions)
    there = {r.name: by_party(r.forces) for r in armies.picture().regions}
    assert there["Germany"] == "Germans: 3 infantry, 2 armour, 1 fighter, 1 bomber, 1 aa gun"
    assert there["5 Sea Zone"] == "Germans: 1 transport, 2 submarines, 1 destroyer"
    assert there["Brazil"] == ""
    first, second = armies.picture(ORDERS, 1), armies.picture(ORDERS, 2)
    assert any(r.forces for r in first.regions)
    assert not any(r.forces for r in second.regions), "steps do not tell what battles leave"
    assert "the units left are not shown" in second.notes
    (note,) = game.picture(PLAN, 2).notes
    assert note.endswith("Allies 34 victory city points, Axis 31 victory city points")


def test_names_are_written_as_they_are() -> None:
    odd = 'A <b> & "c" \x01'
    root = parsed(svg(small(Region(odd, "land", odd, owner="Reds"), title=odd)))
    assert 'A <b> & "c" \ufffd: map of the position' in [t.text for t in root.iter(f"{SVG}title")]


def test_what_is_too_long_for_the_page_is_in_the_description() -> None:
    lines = tuple(f"move number {i}" for i in range(50))
    regions = (Region("a", "land", "a"), Region("b", "land", "b"))
    picture = small(*regions, arrows=(Arrow("a", "b", step=1),), captions=(Caption(1, "round 1", lines),))
    root = parsed(svg(picture))
    (captions,) = groups(root, "captions")
    assert texts(captions)[-1] == "and 28 more lines: see the description"
    assert "move number 49" in description(root)


def test_it_is_the_same_each_time(game: Game) -> None:
    assert game.svg(PLAN) == vclogic.load("axis_allies").svg(PLAN)
    assert game.svg(PLAN) != game.svg()
    code = "import vclogic, hashlib; print(hashlib.sha256(vclogic.load('axis_allies').svg().encode()).hexdigest())"
    elsewhere = subprocess.check_output([sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": "1"})
    assert elsewhere.decode().strip() == hashlib.sha256(game.svg().encode()).hexdigest()


# ---- moves


def test_captures_set_out_from_where_the_plan_says(game: Game) -> None:
    found = [(a.source, a.target, a.way, a.step) for a in game.picture(PLAN).arrows]
    assert found == [
        ("Norway", "United Kingdom", "sea", 1),
        ("United Kingdom", "Eastern United States", "sea", 2),
        ("West Russia", "Russia", "land", 3),
    ]


def test_one_turn_stands_on_what_the_turns_before_left(game: Game) -> None:
    picture = game.picture(PLAN, 2)
    owners = {r.name: (r.owner, r.becomes) for r in picture.regions}
    assert owners["United Kingdom"] == ("Germans", None)
    assert owners["Eastern United States"] == ("Americans", "Germans")
    assert owners["Russia"] == ("Russians", None)
    assert [a.step for a in picture.arrows] == [2]


def test_steps_of_a_turn_share_its_number(armies: Game) -> None:
    picture = armies.picture(ORDERS)
    assert [(a.source, a.target, a.via, a.label, by_party(a.forces), a.way, a.step) for a in picture.arrows] == [
        ("Ukraine S.S.R.", "Caucasus", (), "G", "Germans: 2 infantry, 1 armour", "land", 1),
        ("Southern Europe", "Anglo Egypt", ("14 Sea Zone", "15 Sea Zone"), "G", "Germans: 1 infantry", "sea", 1),
        ("Germany", "Anglo Egypt", (), "G", "Germans: 1 bomber", "air", 1),
        (None, "Germany", (), "+ G", "Germans: 3 infantry", "land", 1),
        ("60 Sea Zone", "57 Sea Zone", (), "J", "Japanese: 1 battleship", "sea", 2),
    ]
    assert [c.head for c in picture.captions] == ["round 1, turn Germans", "round 1, turn Japanese"]
    assert {r.name for r in picture.regions if r.becomes} == {"Caucasus", "Anglo Egypt"}


def test_captures_of_a_turn_set_out_from_its_beginning(game: Game) -> None:
    steps = (capture(1, "Germans", "Russia", NOW), capture(2, "Germans", "Caucasus", NOW))
    assert [(a.source, a.step) for a in game.picture(steps).arrows] == [("West Russia", 1), ("Ukraine S.S.R.", 1)]


def test_labels_keep_clear_of_boxes_and_each_other(game: Game, armies: Game) -> None:
    for picture in (game.picture(PLAN), armies.picture(ORDERS)):
        shown = laid_out(picture)
        labels = [r.label for r in shown.routes]
        assert not any(a.overlaps(b) for a, b in combinations(labels, 2))
        assert not any(label.overlaps(c.box) for label in labels for c in shown.cards.values())


def test_an_arrow_ends_at_the_border_of_its_target(game: Game) -> None:
    shown = laid_out(game.picture(PLAN))
    for route in shown.routes:
        assert route.arrow.source is not None
        assert shown.cards[route.arrow.source].box.holds(route.points[0], 16)
        assert shown.cards[route.arrow.target].box.holds(route.points[-1], 16)


# ---- a map whose edges meet


def test_links_over_an_edge_are_stubs_at_both(start: ElementTree.Element) -> None:
    root = start
    stubs = [p for p in root.iter(f"{SVG}path") if p.get("class") == "wrap"]
    assert len(stubs) == 2 * 9
    edge = [t for t in root.iter(f"{SVG}text") if t.get("font-size") == "10"]
    assert sorted(t.text or "" for t in edge if t.get("text-anchor") == "end") == sorted(
        ["63", "63", "56", "52", "52", "52", "44", "44", "42"]
    )


@pytest.mark.parametrize("wraps", [True, False])
def test_an_arrow_over_an_edge(wraps: bool) -> None:
    regions = [Region(n, "sea", n, at=(x, 0)) for n, x in (("a", 0), ("b", 5), ("c", 10))]
    picture = small(*regions, arrows=(Arrow("a", "c", way="sea", step=1),), wraps=wraps)
    moves = [p for p in parsed(svg(picture)).iter(f"{SVG}path") if p.get("class") == "move"]
    assert len(moves) == (2 if wraps else 1)


def test_the_readme_s_picture_is_as_drawn_now(taken: ElementTree.Element) -> None:
    root = parsed((ROOT / "docs" / "axis_allies.svg").read_text(encoding="utf-8"))
    assert description(root).count("changes hands") == 3
    now = groups(taken, "sea")
    assert [ElementTree.tostring(g) for g in groups(root, "sea")] == [ElementTree.tostring(g) for g in now]


# ---- from Python, and what goes wrong


def test_a_notebook_shows_it(game: Game) -> None:
    assert game._repr_svg_() == game.svg()
    plan = game.plan("vcp(Axis) >= 28", side="Axis")
    assert plan.steps
    shown = game.svg(plan)
    assert shown._repr_svg_() == shown != game.svg()


def test_a_game_may_have_no_picture(game: Game) -> None:
    setup = vclogic.load("axis_allies").setup
    bare = Game._started(replace(setup, system=replace(setup.system, drawing=None)), ())
    assert bare._repr_svg_() is None
    with pytest.raises(InputError, match="has no picture"):
        bare.svg()


@pytest.mark.parametrize(
    "step",
    [
        capture(1, "Germanz", "Russia"),
        capture(1, "Germans", "Atlantis"),
        capture(1, "Germans", "Switzerland"),
        Step(1, None, None, "march", {"power": "Germans"}, "", ()),
        order(1, "march", "1 infantry", "Here", "Russia"),
    ],
)
def test_steps_of_another_game(game: Game, step: Step) -> None:
    with pytest.raises(InputError) as caught:
        game.picture([step])
    assert caught.value.diagnostics[0].code == "bad-plan"


@pytest.mark.parametrize("turn", [0, 4, -1])
def test_there_is_no_such_turn(game: Game, turn: int) -> None:
    with pytest.raises(InputError, match=f"there is no turn {turn}: its moves make up turns 1 to 3"):
        game.picture(PLAN, turn)


def test_marks_tell_names_apart() -> None:
    assert marks(("Reds", "Blues")) == {"Reds": "R", "Blues": "B"}
    assert marks(("Germans", "Greeks", "Gauls")) == {"Germans": "Ge", "Greeks": "Gr", "Gauls": "Ga"}
    assert len(set(marks(("A", "AB", "ABC")).values())) == 3
    units = ("Red Guard", "Red Grenadiers", "Red Sappers", "Blue Guard", "1st Corps", "1st Cavalry", "10th Corps")
    assert list(marks(units, 2).values()) == ["RGu", "RGr", "RS", "BG", "1Co", "1Ca", "10C"]


def test_a_nation_has_one_colour_in_every_game_and_others_what_is_left() -> None:
    def colours(*names: str) -> list[str]:
        parties = tuple(Party(name, name[:1], name) for name in names)
        return [*fills(Picture(notes=(), parties=parties, regions=())).values()]

    russian, german = colours("Russians", "Germans")
    assert colours("German", "Soviet") == [german, russian]
    assert colours("Axis", "Allies")[0] == german
    assert colours("Japan", "US") == colours("Japanese", "Americans")
    assert colours("Red", "Blue") == [russian, german]
    assert colours("Red", "German") == [german, russian]  # in the order of the dictionary: nations first
    many = colours(*(f"Side {n}" for n in range(12)))
    assert len(set(many)) == 8
    assert len(set(colours("Axis", "Germans"))) == 2

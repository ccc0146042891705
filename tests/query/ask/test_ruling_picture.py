"""Pictures of rulings: every place that decides is marked, nothing else is, and the legend says why."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

import vclogic
from tests.fixtures.games import loaded
from tests.fixtures.pictures import ROOT, SVG, description, groups
from vclogic.cli import main as cli
from vclogic.errors import InputError
from vclogic.game import Game
from vclogic.model.picture import Picture
from vclogic.query.ask.answer import Because, DecidingClause, Fact, OtherReadings, Ruled
from vclogic.query.board.picture import picture

QUESTIONS = (
    ("examples/asl_22u3.yaml", "controls_building(Russian, 22U3)"),
    ("axis_allies", "major_victory Axis"),
    ("axis_allies", "vcp(Axis)"),
    ("axis_allies", "place: {power: Germans, unit: infantry, count: 3, territory: Karelia}"),
    ("examples/two_islands.yaml", "major_victory Axis"),
    ("napoleonics", "banners(French)"),
    ("moscow/small", "vp(German)"),
    ("examples/okinawa_breakout.yaml", "without_loc(US)"),
)


def game_of(name: str) -> Game:
    return vclogic.load(str(ROOT / name)) if name.endswith(".yaml") else loaded(name)


@cache
def asked(name: str, question: str) -> tuple[Ruled, Picture]:
    """A ruling and its picture."""
    game = game_of(name)
    answer = game.ask(question)
    return answer, game.picture(answer)


def ruled(*because: Because, **more: object) -> Ruled:
    base = Ruled(
        game="x",
        question="vcp(Axis)",
        kind="expression",
        value=26,
        text="vcp(Axis): 26",
        because=because,
        clauses=(),
        readings=OtherReadings(()),
        precedents=(),
        assumptions=(),
    )
    return replace(base, **more)  # type: ignore[arg-type]


def numbers(found: Picture) -> dict[str, set[str]]:
    """The numbers on the map, by region."""
    there: dict[str, set[str]] = {}
    for mark in found.marks:
        for region in mark.regions:
            there.setdefault(region, set()).update(t for t in mark.text.split(", ") if t)
    return there


@pytest.mark.parametrize(("name", "question"), QUESTIONS)
def test_every_place_that_decides_is_marked(name: str, question: str) -> None:
    answer, found = asked(name, question)
    marked = {r for m in found.marks if m.double for r in m.regions}
    assert set(answer.places) <= marked
    on_map = {s.text for line in found.legend for s in line.samples if s.kind == "text"}
    assert set().union(*numbers(found).values()) == on_map
    kinds = {s.kind for line in found.legend for s in line.samples}
    assert ("double" in kinds) == any(m.double for m in found.marks)
    assert ("dashed" in kinds) == any(m.dashed for m in found.marks)
    assert found.title == answer.text
    assert all(m.regions for m in found.marks)


@pytest.mark.parametrize(("name", "question"), QUESTIONS)
def test_every_deciding_fact_is_said_once(name: str, question: str) -> None:
    answer, found = asked(name, question)
    words = "\n".join(line.words for line in found.legend)
    ids = {c.clause for c in answer.clauses}
    assert all(i in words for i in ids)
    facts = {f.about for b in answer.because for f in b.facts if f.about}
    if len(facts) <= 8:
        assert all(about in words for about in facts)


def test_the_regions_that_decide_have_the_number_of_their_line() -> None:
    game = loaded("axis_allies")
    facts = (
        Fact("owner[Russia]", "Russians", "scenario", about="Russia", says="belongs to the Russians"),
        Fact("owner[Caucasus]", "Russians", "scenario", about="Caucasus", says="belongs to the Russians"),
        Fact("owner[Germany]", "Germans", "scenario", about="Germany", says="belongs to the Germans"),
        Fact("turn", "Russians", "scenario", says="it is the turn of the Russians"),
    )
    found = game.picture(ruled(Because("vcp(Axis): 26", facts)))
    assert numbers(found) == {"Russia": {"1"}, "Caucasus": {"1"}, "Germany": {"2"}}
    said = {line.samples[0].text: line.words for line in found.legend if line.samples and line.samples[0].text}
    assert said == {"1": "Russia and Caucasus belong to the Russians", "2": "Germany belongs to the Germans"}
    assert "decides too, not on the map: it is the turn of the Russians" in [line.words for line in found.legend]
    assert not any(m.dashed for m in found.marks), "the question names no place"


def test_what_decided_a_step_of_the_record_is_marked_too() -> None:
    game = loaded("axis_allies")
    now = Fact("owner[Russia]", "Germans", "record", 1, about="Russia", says="belongs to the Germans")
    then = Fact("owner[Germany]", "Germans", "scenario", about="Germany", says="belongs to the Germans")
    found = game.picture(ruled(Because("now", (now,)), Because("then", (now, then), (), 3, "capture(...)")))
    assert numbers(found) == {"Russia": {"1"}, "Germany": {"2"}}
    assert "before step 3: Germany belongs to the Germans" in [line.words for line in found.legend]


def test_a_unit_s_state_before_a_step_is_marked_where_it_stood_then() -> None:
    game = game_of("examples/asl_22u3.yaml")
    there = Fact("at[5-4-8]", "22V4/0", "scenario", about="5-4-8", says="is in 22V4/0")
    state = Fact("broken[5-4-8]", False, "assumed", about="5-4-8", says="is not broken")
    found = game.picture(ruled(Because("then", (there, state), (), 1, "enter(...)"), question="x"))
    assert numbers(found) == {"22V4": {"1"}}


def test_places_in_the_question_have_dashes_aliases_too() -> None:
    game = loaded("axis_allies")
    found = game.picture(ruled(question='owner("Karelia") == Germans and vcp(Axis) >= 3'))
    assert [(m.regions, m.double, m.dashed) for m in found.marks] == [(("Karelia S.S.R.",), False, True)]


def test_a_part_of_a_building_marks_its_hex_and_a_building_all_of_its_hexes() -> None:
    game = game_of("examples/asl_22u3.yaml")
    facts = (
        Fact("at[4-4-7]", "22V2/1", "record", about="4-4-7", says="is in 22V2/1"),
        Fact("building_control[22U3]", "Russian", "record", about="building 22U3", says="is the Russian side's"),
        Fact("broken[5-4-8]", False, "assumed", about="5-4-8", says="is not broken"),
    )
    found = game.picture(ruled(Because("x", facts), question="x"))
    assert [set(m.regions) for m in found.marks] == [{"22V2"}, {"22U3", "22V2", "22V3"}]
    assert numbers(found)["22V2"] == {"1", "2"}, "a unit's state is marked where it stands"


def test_clauses_on_either_side_are_told() -> None:
    clauses = (DecidingClause("1/1", "x", ("so",)), DecidingClause("2/1", "x", ("not so",), "against"))
    words = [line.words for line in loaded("axis_allies").picture(ruled(clauses=clauses)).legend]
    assert words == ["clauses that decide: 1/1", "speaks against it: 2/1"]


def test_a_game_without_a_picture_is_told() -> None:
    system = replace(loaded("moscow/small").setup.system, drawing=None)
    with pytest.raises(InputError, match="has no picture"):
        picture(system, "a game", loaded("moscow/small").state, ruled())


@pytest.mark.parametrize(
    ("position", "question", "file"),
    [
        ("asl_22u3", "controls_building(Russian, 22U3)", "asl_ruling.svg"),
        ("two_islands", "major_victory Axis", "axis_allies_ruling.svg"),
    ],
)
def test_the_pages_pictures_are_as_drawn_now(position: str, question: str, file: str, tmp_path: Path) -> None:
    out = tmp_path / "ruling.svg"
    assert cli.run(("ask", str(ROOT / "examples" / f"{position}.yaml"), question, "-o", str(out))) in (0, 1)
    now, page = (ElementTree.fromstring(p.read_text(encoding="utf-8")) for p in (out, ROOT / "docs" / file))
    assert description(now) == description(page), f"draw docs/{file} again, as docs/arbiters.md says"
    assert [ElementTree.tostring(g) for g in groups(now, "legend")] == [
        ElementTree.tostring(g) for g in groups(page, "legend")
    ]
    assert sum(1 for _ in now.iter(f"{SVG}rect")) == sum(1 for _ in page.iter(f"{SVG}rect"))

"""The sentences of a rulebook against its lines, in the Bridgehead and others, each spoilt in one place."""

from __future__ import annotations

from pathlib import Path

import pytest

import vclogic
from tests.toys.four_areas import CITES, FLAG, areas, lint, toy
from vclogic.model.rules import Observable, Reading
from vclogic.provenance import CodePlace
from vclogic.terms.build import add, eq, total
from vclogic.terms.term import Term

BOOKS = Path("examples/rulebooks")
WORDS = ["VC703", "VC704"]


def found(folder: Path, book: str, old: str, new: str) -> list[tuple[str, str, int]]:
    text = (BOOKS / book).read_text()
    assert text.count(old) == 1, old
    (folder / book).write_text(text.replace(old, new))
    findings = vclogic.load(str(folder / book)).check(select=WORDS).findings
    return [(f.code, f.message, f.places[0].line) for f in findings]


@pytest.mark.parametrize(
    "book", ["bridgehead", "convoy", "hex", "majority", "nim", "orchards", "race", "tic_tac_toe"]
)
def test_a_sound_rulebook_has_no_findings(book: str) -> None:
    assert vclogic.load(str(BOOKS / f"{book}.md")).check(select=WORDS).findings == ()


# What is written in the book, what is written instead, what is told, and at which line.
SPOILT = [
    (
        "bridgehead",
        "where bridged(area)) >= 2",
        "where bridged(area)) >= 1",
        "the sentence says `two`, and its block",
        76,
    ),
    ("bridgehead", "where bridged(area)) >= 2", "where bridged(area)) > 2", "the line asks for more than 2", 80),
    (
        "bridgehead",
        "occupy at least two areas",
        "occupy at least three areas",
        "says `at least three`, and its block",
        65,
    ),
    ("bridgehead", "rounds 6", "rounds 5", "the sentence says `six`, and its block does not", 40),
    (
        "bridgehead",
        "> points(Defenders)",
        ">= points(Defenders)",
        "`more`, and the line is content with as many",
        101,
    ),
    (
        "bridgehead",
        "Crossers win bridgehead",
        "Defenders win bridgehead",
        "Crossers wins, and the line says that Defenders",
        80,
    ),
    ("bridgehead", "side loses attrition", "side wins attrition", "who loses, and the line that this side wins", 87),
    (
        "bridgehead",
        "except worth(C) means 3",
        "except worth(C) means 4",
        "the line says 4, and the sentence has no such",
        94,
    ),
    ("majority", "won(side) >= 2", "won(side) >= 3", "the line says `>= 3`, and the sentence has no such", 21),
    (
        "convoy",
        "Raiders wins blockade at once if",
        "Merchants wins blockade at once if",
        "says that Raiders wins",
        141,
    ),
]


@pytest.mark.parametrize(("book", "old", "new", "message", "line"), SPOILT)
def test_a_sentence_and_its_block_that_differ_are_told(
    tmp_path: Path, book: str, old: str, new: str, message: str, line: int
) -> None:
    told = found(tmp_path, f"{book}.md", old, new)
    assert [(code, at) for code, text, at in told if message in text] == [("VC703", line)], told


POINTS = "points(side) means sum(worth(area) for area where occupies(side, area))"
TWICE = [
    (f"{POINTS} + if(occupies(side, C), 3, 0)", "both count units(Crossers, C)"),
    (
        f"{POINTS} + rows(side)\nrows(side) means count(area in top row where occupies(side, area))",
        "NW",
    ),
    (
        "points(side) means held(side) + held(side)\nheld(side) means count(area where occupies(side, area))",
        "added twice",
    ),
]


@pytest.mark.parametrize(("new", "message"), TWICE)
def test_a_sum_that_counts_something_twice_is_told(tmp_path: Path, new: str, message: str) -> None:
    told = found(tmp_path, "bridgehead.md", POINTS, new)
    assert [(code, line) for code, text, line in told if message in text] == [("VC704", 95)], told


@pytest.mark.parametrize(
    ("said", "value"),
    [("and C is worth 3", 2), ("and C 3 more", 3), ("and an additional 3 for C", 3)],
)
def test_what_the_sentence_adds_is_not_counted_twice(tmp_path: Path, said: str, value: int) -> None:
    text = (
        (BOOKS / "bridgehead.md")
        .read_text()
        .replace("except worth(C) means 3\n", "")
        .replace("and C is worth 3", said)
    )
    (tmp_path / "game.md").write_text(text.replace(POINTS, f"{POINTS} + if(occupies(side, C), {value}, 0)"))
    assert vclogic.load(str(tmp_path / "game.md")).check(select=["VC704"]).findings == ()


@pytest.mark.parametrize(("text", "told"), [("points of Red", True), ("what Red may hold", False)])
def test_points_of_a_game_in_python_that_hold_others_twice_are_told_at_their_function(text: str, told: bool) -> None:
    held, flag = areas("Red"), total([(3, eq(FLAG.fluent, "Red"))])

    def points() -> Term:
        return add(held, flag, held)

    values = (Observable("held", (), lambda: held, text, CITES), Observable("points", (), points, "points", CITES))
    findings = lint(toy(observables=values), "VC704").findings
    assert [f.message.partition(":")[0] for f in findings] == ["points counts held twice"] * told
    assert [f.places[0].line for f in findings] == [points.__code__.co_firstlineno] * told


TIE = """\
reading tie "Who wins a tie?"
  defenders "the Defenders", default "they hold the ground"
  crossers "the Crossers"
"""


@pytest.mark.parametrize(
    ("condition", "idle"),
    [
        ("points(Crossers) > points(Defenders)", True),
        ("points(Crossers) > points(Defenders) and (tie == crossers or tie == defenders)", True),
        ("points(Crossers) > points(Defenders) or tie == crossers and points(Crossers) >= points(Defenders)", False),
    ],
)
def test_a_reading_that_nothing_in_a_rulebook_depends_on_is_told(tmp_path: Path, condition: str, idle: bool) -> None:
    old = "Crossers win points at the end if points(Crossers) > points(Defenders)"
    text = (BOOKS / "bridgehead.md").read_text()
    (tmp_path / "game.md").write_text(text.replace(old, f"{TIE}Crossers win points at the end if {condition}"))
    findings = vclogic.load(str(tmp_path / "game.md")).check(select=["VC503"]).findings
    assert [(f.rule, f.places[0].line) for f in findings] == [("reading tie", 101)] * idle


def test_a_reading_that_no_line_of_a_game_in_python_asks_for_is_told(tmp_path: Path) -> None:
    for name, text in {
        "__init__.py": "",
        "declared.py": "from vclogic.model.rules import Reading\n"
        "used, unused = (Reading(name, {'no': '', 'yes': ''}, 'no', '') for name in ('used', 'unused'))\n",
        "rules.py": "def rule(readings):\n    return readings['used'] == 'yes'\n",
    }.items():
        (tmp_path / name).write_text(text)
    made = (CodePlace(str(tmp_path / "declared.py"), 2, "declared"),)
    readings = tuple(Reading(name, {"no": "", "yes": ""}, "no", "", CITES, made) for name in ("used", "unused"))
    findings = lint(toy(), "VC503", readings=readings, read={"used": "no", "unused": "no"}).findings
    assert [(f.rule, f.places) for f in findings] == [("reading unused", made)]


# What is written in the book, what is written instead, at which line a number is odd, and why.
ODD = [
    ("skirmish", "**2.2**", "**22.2**", 123, "22.2 stands under the heading 2"),
    ("bridgehead", "**1.3**", "**2.03**", 24, "2.03 stands under the heading 1"),
    ("tic_tac_toe", "**1**", "**11**", 15, "2 stands after 11"),
    ("brook", "**2.2**", "**2.2a**", None, ""),
    ("brook", "**3.2**", "**3.22**", 111, "3.22 stands after 3.1"),
    ("two_theatres", "**3.3**", "**3.31**", 115, "3.31 stands after 3.2"),
]


@pytest.mark.parametrize(("book", "old", "new", "line", "why"), ODD)
def test_numbers_that_a_sentence_hardly_has(
    tmp_path: Path, book: str, old: str, new: str, line: int | None, why: str
) -> None:
    text = (BOOKS / f"{book}.md").read_text()
    assert text.count(old) == 1
    (tmp_path / "book.md").write_text(text.replace(old, new))
    findings = vclogic.load(str(tmp_path / "book.md")).check(select=["VC705"]).findings
    assert [(f.places[0].line, why in f.message) for f in findings] == ([] if line is None else [(line, True)])

"""Rulings that fail: what was expected, what is so, and where it stands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.own import installed
from vclogic.query.answers import CaseResult
from vclogic.query.test import test_game as try_rulings

FILE = "hill_war/cases/more.yaml"
HELD = "it is refused otherwise: step 1, take(Red, Mill): Red holds it already [1/1]"


@pytest.fixture
def cases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with installed(tmp_path, monkeypatch) as package:
        yield package / "cases" / "more.yaml"


def tried(cases: Path, text: str) -> CaseResult:
    cases.write_text(text)
    answer = try_rulings("hill_war")
    assert answer.passed == 5, "the game's own"
    (found,) = [c for c in answer.cases if c.file == FILE]
    assert found.status == "failed"
    return found


def test_each_line_has_its_own_result(cases: Path) -> None:
    found = tried(
        cases,
        """\
- name: wrong
  cites: []
  expect:
    - points(Red) == 6
    - points(Red) + 1 >= points(Blue) * 2 and owner("Red Hill") == Red
    - not (holds(victory, Red) or owner(Ford) == Blue)
    - points(Blue) == 7 and owner('Blue Hill') == Red
    - 1 == 2
""",
    )
    assert found.got == (
        "points(Red) == 6",
        "points(Red) is 6, points(Blue) is 7",
        "holds(victory, Red) is false, owner(Ford) is Blue",
        "owner(Blue Hill) is Blue",
        "it is not so",
    )
    assert found.places == ((4, 7), (5, 7), (6, 7), (7, 7), (8, 7))


def test_a_single_text(cases: Path) -> None:
    found = tried(cases, "- name: wrong\n  cites: []\n  expect: points(Red) == 7\n")
    assert (found.got, found.places) == (("points(Red) is 6",), ((3, 11),))


@pytest.mark.parametrize(
    ("error", "place", "got"),
    [
        ("{step: 1}", "Farm", "step 1 is allowed"),
        ("{step: 1, cites: 1/2}", "Mill", HELD),
        ("{step: 1, message: no road}", "Mill", HELD),
    ],
)
def test_a_step_that_is_not_refused_so(cases: Path, error: str, place: str, got: str) -> None:
    record = f"{{record: [{{take: {{side: Red, place: {place}}}}}]}}"
    found = tried(cases, f"- name: wrong\n  cites: []\n  position: {record}\n  expect_error: {error}\n")
    assert found.got == (got,)
    assert found.places == ((4, 17),)
    assert found.expected[0].startswith("step 1 is refused")


def test_what_cannot_be_looked_at_is_reported_at_its_place(cases: Path) -> None:
    goals = "points(Red) == 6", "point(Red) == 6", "points(Rad) == 6"
    found = tried(cases, "- name: wrong\n  cites: []\n  expect:\n" + "".join(f"    - {g}\n" for g in goals))
    assert [(d.code, d.file, d.line, d.column) for d in found.problems] == [
        ("unknown-name", FILE, 5, 7),
        ("unknown-name", FILE, 6, 7),
    ]
    record = "{record: [{take: {side: Red, place: Mill}}]}"
    found = tried(cases, f"- name: wrong\n  cites: []\n  position: {record}\n  expect: points(Red) == 6\n")
    assert [(d.code, d.line) for d in found.problems] == [("illegal-step", 3)]

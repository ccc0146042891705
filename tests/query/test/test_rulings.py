"""Rulings that fail: what was expected, what is so, and where it stands."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fixtures.games import loaded
from tests.toys.template_game import installed
from vclogic.cli import main as cli
from vclogic.errors import RulesError
from vclogic.query.test.rulings import CaseResult
from vclogic.query.test.rulings import test_game as try_rulings

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


def places(found: CaseResult) -> tuple[tuple[int | None, int | None], ...]:
    return tuple((t.line, t.column) for t in found.tried)


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
    assert places(found) == ((4, 7), (5, 7), (6, 7), (7, 7), (8, 7))


def test_a_single_text(cases: Path) -> None:
    found = tried(cases, "- name: wrong\n  cites: []\n  expect: points(Red) == 7\n")
    assert (found.got, places(found)) == (("points(Red) is 6",), ((3, 11),))


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
    assert places(found) == ((4, 17),)
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


# ---- rules that break down


def break_rules(cases: Path, old: str, new: str) -> None:
    rules = cases.parent.parent / "rules.py"
    text = rules.read_text()
    assert text.count(old) == 1
    rules.write_text(text.replace(old, new))


@pytest.fixture
def breaking(cases: Path) -> Path:
    """The game, whose rules break down where Blue takes the Mill, and a ruling of that before another one."""
    break_rules(cases, "near = [self", 'assert (side, place) != ("Blue", "Mill")\n        near = [self')
    ruling = "- name: Blue takes {0}\n  cites: []\n  position: {{record: [{{take: {{side: Blue, place: {0}}}}}]}}\n"
    held = "  expect: owner({0}) == Blue\n"
    cases.write_text("".join((ruling + held).format(place) for place in ("Mill", "Bridge")))
    return cases


def test_rules_that_break_down_over_a_ruling_do_not_end_the_rest(breaking: Path) -> None:
    answer = try_rulings("hill_war")
    found = {c.name: c for c in answer.cases if c.file == FILE}
    assert [c.status for c in found.values()] == ["failed", "passed"]
    (problem,) = found["Blue takes Mill"].problems
    assert (problem.code, problem.file) == ("broken-rules", str(breaking.parent.parent / "rules.py"))
    assert problem.line is not None
    assert "AssertionError" not in problem.message
    assert (answer.failed, answer.broken) == (1, 1)


@pytest.mark.usefixtures("breaking")
def test_rules_that_break_down_are_no_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["test", "hill_war"], ["ask", "hill_war", "take: {side: Blue, place: Mill}"]):
        assert cli.run(words) == 70
        shown = capsys.readouterr()
        assert "error[broken-rules]: the rules of the game fail: an assertion fails (in take)" in (
            shown.out + shown.err
        ).replace("\n", " ")
        assert "Traceback" not in shown.out + shown.err
        assert cli.run([*words, "--format", "json"]) == 70
        assert '"broken-rules"' in capsys.readouterr().out


def test_rules_that_cannot_be_board_read_a_board(cases: Path, capsys: pytest.CaptureFixture[str]) -> None:
    break_rules(
        cases, "        self.board = board\n", "        self.board = board\n        assert len(board.places) > 99\n"
    )
    assert cli.run(["status", "hill_war"]) == 70
    assert "error[broken-rules]" in capsys.readouterr().err
    with pytest.raises(RulesError) as caught:
        loaded("hill_war")
    assert pickle.loads(pickle.dumps(caught.value)).diagnostic == caught.value.diagnostic


def test_a_package_that_cannot_be_loaded_is_bad_input(cases: Path) -> None:
    break_rules(cases, "from .board import", "from .bord import")
    assert cli.run(["status", "hill_war"]) == 2

"""What `dump` writes: the final claims of an answer, which programs confirm that know nothing of vclogic."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import vclogic
from tests.fixtures.all_positions import never_looked_at
from tests.fixtures.games import ROOT, loaded
from tests.fixtures.pace import BUSY
from vclogic.errors import InputError
from vclogic.solve.backends.claims import second_solver
from vclogic.solve.backends.cvc5_worker import verdict

GAME = "axis_allies"
ISLANDS = str(ROOT / "examples" / "two_islands.yaml")
Z3 = Path(sys.executable).with_name("z3")
COMMANDS = {"reset", "set-logic", "declare-fun", "define-fun", "assert", "check-sat"}


def confirm(text: str, *, some: bool = True) -> None:
    """That z3 as a program and cvc5 say what the file expects, of which there is some."""
    plain = re.sub(r"\|[^|]*\|", "x", "".join(line for line in text.splitlines(True) if not line.startswith(";")))
    assert set(re.findall(r"^\(([\w-]+)", plain, re.M)) <= COMMANDS
    assert "pbge" not in plain
    expected = re.findall(r"^; expected: (\w+)$", text, re.M)
    done = subprocess.run([Z3, "-in", f"-T:{60 + BUSY:g}"], input=text, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == expected
    assert [verdict(script, 60 + BUSY) for script in text.split("(reset)\n") if "check-sat" in script] == expected
    assert (len(expected) > 0) == some


def check_bound(file: Path) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-I", str(ROOT / "examples/check_bound.py"), str(file)]
    return subprocess.run(words, capture_output=True, text=True, check=False)


def dumped(tmp_path: Path, game: Any, question: str, *some: Any, **named: Any) -> tuple[Any, str]:
    file = tmp_path / "answer.smt2"
    found = getattr(game, question)(*some, dump=str(file), **named)
    assert [p.name for p in tmp_path.iterdir()] == ["answer.smt2"]
    return found, file.read_text()


@pytest.mark.parametrize(
    ("game", "goal", "choices"),
    [
        (ISLANDS, "territories(Axis) >= 3", {"minimize": "turns", "within": 2}),
        (GAME, "vcp(Axis) >= 30", {}),
        (GAME, "vcp(Allies) >= 65", {"within": 2}),
    ],
)
def test_a_plan_is_checked_by_other_programs(game: str, goal: str, choices: dict[str, Any], tmp_path: Path) -> None:
    answer, text = dumped(tmp_path, vclogic.load(game), "plan", goal, **choices)
    assert answer.status in ("optimal", "impossible")
    confirm(text)
    if answer.record is not None:
        assert [line for line in text.splitlines() if line.startswith("; event: ")]
    if ";bound " in text:
        done = check_bound(tmp_path / "answer.smt2")
        assert done.returncode == 0, done.stdout
        least = "no solution" if answer.cost is None else f"no solution costs less than {answer.cost}"
        assert f"{least}: right" in done.stdout


def test_wrong_multipliers_are_refused(tmp_path: Path) -> None:
    answer, text = dumped(tmp_path, vclogic.load(GAME), "plan", "vcp(Axis) >= 40")
    file = tmp_path / "wrong.smt2"
    lines = [line for line in text.splitlines() if line.startswith(";bound ")]
    bounds = [json.loads(line.removeprefix(";bound ")) for line in lines]
    assert bounds
    for change in ("least", "closed", "scale"):
        wrong = json.loads(json.dumps(bounds[0]))
        if change == "least":
            wrong["least"] += 1
        elif change == "closed":
            wrong["closed"] = {}
            wrong["splits"] = {}
        else:
            wrong["scale"] *= 2
        file.write_text(";bound " + json.dumps(wrong) + "\n")
        assert check_bound(file).returncode == 1, change
    file.write_text(text.replace(";bound ", "; "))
    assert check_bound(file).returncode == 1
    assert answer.cost == 3


@pytest.mark.parametrize(
    ("game", "expression", "choices", "by"),
    [
        (ISLANDS, "territories(Axis)", {"minimize": "turns", "within": 2}, "cvc5"),  # the most that there is
        (GAME, "vcp(Axis)", {"within": 2}, "whole numbers"),
        ("okinawa/small", "without_loc(US)", {"side": "Japan", "within": 1}, "cvc5"),
    ],
)
def test_the_largest_value_is_checked_too(
    game: str, expression: str, choices: dict[str, Any], by: str, tmp_path: Path
) -> None:
    asked = {"maximize": expression, "second_opinion": 60 + BUSY, "timeout": 120 + BUSY, **choices}
    answer, text = dumped(tmp_path, vclogic.load(game), "plan", **asked)
    assert answer.maximum.confirmed_by.startswith(by)
    assert re.search(rf"more than {answer.maximum.value}$", text, re.M)
    confirm(text)


@pytest.mark.parametrize(
    "goal", ["territories(Axis) >= 100", "territories(Axis) == 100", "5 < vcp(Axis) - vcp(Axis)", "vcp(Axis) <= -1"]
)
def test_a_comparison_that_bounds_decide_is_asked_as_it_is(goal: str, tmp_path: Path) -> None:
    answer, text = dumped(tmp_path, vclogic.load(GAME), "reach", goal, opponent="any")
    assert (answer.status, answer.proof.confirmed_by) == ("unreachable", second_solver())
    assert "(assert false)" not in text
    confirm(text)


@pytest.mark.parametrize("goal", ["territories(Axis) >= 100", "vcp(Axis) >= 40 and vcp(Allies) >= 50"])
def test_what_z3_was_not_asked_is_not_confirmed_by_it(goal: str) -> None:
    answer = loaded(GAME).reach(goal, opponent="any", second_opinion=0)
    assert answer.proof is not None
    assert (answer.status, answer.proof.confirmed_by) == ("unreachable", "terms")


def test_a_goal_that_bounds_exclude_has_no_plan_either(tmp_path: Path) -> None:
    answer, text = dumped(
        tmp_path, vclogic.load("okinawa/small"), "plan", "without_loc(US) >= 6", side="Japan", within=2
    )
    assert (answer.status, answer.confirmed_by) == ("impossible", second_solver())
    confirm(text)


def test_what_is_false_as_it_is_written_is_told(tmp_path: Path) -> None:
    answer, text = dumped(tmp_path, vclogic.load(GAME), "reach", "round >= 2 and false", opponent="any")
    assert (answer.status, answer.proof.confirmed_by) == ("unreachable", "terms")
    assert "; One of its conditions is false already" in text
    confirm(text)


def test_a_goal_that_no_position_has(tmp_path: Path) -> None:
    goal = "vcp(Axis) >= 40 and vcp(Allies) >= 50"
    answer, text = dumped(tmp_path, vclogic.load(GAME), "reach", goal, opponent="any")
    assert answer.status == "unreachable"
    assert f"; vclogic: {answer.game}: {goal}" in text
    confirm(text)


def test_what_no_event_does_is_confirmed(tmp_path: Path) -> None:
    game = vclogic.load(str(ROOT / "tests/query/counter.md"))
    with never_looked_at():
        answer, text = dumped(tmp_path, game, "reach", "paid and gold(Red) <= 3 and gold(Blue) <= 3", side="Red")
    assert answer.status == "unreachable"
    assert answer.proof.confirmed_by == second_solver()
    confirm(text)


def test_what_all_positions_show_is_said(tmp_path: Path) -> None:
    nim = vclogic.load(str(ROOT / "examples/rulebooks/nim.md"))
    answer, text = dumped(tmp_path, nim, "reach", "matches(left) >= 4", opponent="any")
    assert answer.status == "unreachable"
    assert "; decided without a solver: all positions" in text
    confirm(text, some=False)


def test_what_is_missing_and_what_is_equal(tmp_path: Path) -> None:
    answer, text = dumped(tmp_path, loaded(GAME), "missing", "vcp(Axis) >= 40 and vcp(Allies) >= 50")
    assert answer.status == "impossible"
    assert all(c.rechecked and c.confirmed_by for c in answer.conflicts)
    confirm(text)
    other = loaded(GAME, second_complex="allowed")
    answer, text = dumped(tmp_path, loaded(GAME), "compare", other, "vcp")
    assert answer.status == "equal"
    assert "; decided without a solver: both say the same" in text


def test_a_witness_is_no_claim(tmp_path: Path) -> None:
    answer, text = dumped(tmp_path, vclogic.load(GAME), "reach", "vcp(Axis) >= 30")
    assert answer.status == "reachable"
    assert "; nothing is claimed to be impossible" in text
    confirm(text, some=False)


def test_an_earlier_file_is_replaced(tmp_path: Path) -> None:
    file = tmp_path / "question.smt2"
    file.write_text("old")
    vclogic.load(GAME).plan("vcp(Axis) >= 29", dump=str(file))
    assert file.read_text().startswith("; vclogic: ")


@pytest.mark.parametrize("place", ["", "missing/question.smt2"])  # a folder; in a folder that is not there
def test_a_file_that_cannot_be_written(place: str, tmp_path: Path) -> None:
    with pytest.raises(InputError):
        vclogic.load(GAME).plan("vcp(Axis) >= 29", dump=str(tmp_path / place))
    assert list(tmp_path.iterdir()) == []
    assert not list(tmp_path.parent.glob("*.unfinished"))

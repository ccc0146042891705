"""What `dump` writes: standard SMT-LIB whose verdicts another run of a solver confirms."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import vclogic
from tests.fixtures.games import ROOT
from tests.fixtures.pace import BUSY
from vclogic.clock import Deadline
from vclogic.errors import InputError
from vclogic.solve.backends.session import FAST, PLAIN, Session, Transcript
from vclogic.terms.atoms import FALSE, TRUE, var
from vclogic.terms.build import eq, floordiv, ge, le, linear, not_
from vclogic.terms.reach import Graph, reach
from vclogic.terms.sorts import BOOL, EnumSort, IntSort

GAME = "axis_allies"
ISLANDS = str(ROOT / "examples" / "two_islands.yaml")
Z3 = Path(sys.executable).with_name("z3")
COMMANDS = {"reset", "set-logic", "declare-fun", "define-fun", "assert", "push", "pop", "check-sat"}


def confirm(text: str) -> list[str]:
    """The verdicts of the solver that is run as a program: those of a transcript, and of what was given up there."""
    told = re.findall(r"^; vclogic was told: (\w+)$", text, re.M)
    done = subprocess.run([Z3, "-in", f"-T:{60 + BUSY:g}"], input=text, capture_output=True, text=True, check=True)
    found = done.stdout.splitlines()
    assert [f if t == "unknown" else t for f, t in zip(found, told, strict=True)] == found
    return found


def standard(text: str) -> None:
    """That nothing occurs that only z3 knows, and no sort that the logic does not have."""
    plain = re.sub(r"\|[^|]*\|", "x", text)
    assert "pbge" not in text
    assert not re.search(r"\bInt\b|\bpbeq\b|at-most|at-least", plain)
    assert set(re.findall(r"^\(([\w-]+)", plain, re.M)) <= COMMANDS
    depth = 0
    for line in plain.splitlines():
        if not line.startswith(";"):
            assert depth > 0 or line.startswith("(")
            depth += line.count("(") - line.count(")")
    assert depth == 0


@pytest.mark.parametrize(
    ("game", "goal", "choices"),
    [
        (GAME, "vcp(Axis) >= 30", {}),
        (ISLANDS, "territories(Axis) >= 3", {"minimize": "turns", "within": 2}),
        (GAME, "vcp(Allies) >= 65", {"within": 2}),
    ],
)
def test_a_plan_can_be_checked_by_another_solver(
    game: str, goal: str, choices: dict[str, str | int], tmp_path: Path
) -> None:
    file = tmp_path / "question.smt2"
    answer = vclogic.load(game).plan(goal, dump=str(file), **choices)  # type: ignore[arg-type]
    assert answer.status in ("optimal", "impossible")
    text = file.read_text()
    standard(text)
    assert "unsat" in confirm(text)
    assert [p.name for p in tmp_path.iterdir()] == ["question.smt2"]


def test_a_reach_can_be_checked_by_another_solver(tmp_path: Path) -> None:
    file = tmp_path / "question.smt2"
    goal = "vcp(Axis) >= 40 and vcp(Allies) >= 50"
    assert vclogic.load(GAME).reach(goal, opponent="any", dump=str(file)).status == "unreachable"
    standard(file.read_text())
    confirm(file.read_text())


@pytest.mark.parametrize("by", [None, "captures"])
def test_what_a_witness_was_found_by_is_written_too(by: str | None, tmp_path: Path) -> None:
    file = tmp_path / "question.smt2"
    assert vclogic.load(GAME).reach("vcp(Axis) >= 30", by=by, dump=str(file)).status == "reachable"
    standard(file.read_text())
    assert "sat" in confirm(file.read_text())


def test_an_earlier_file_is_replaced(tmp_path: Path) -> None:
    file = tmp_path / "question.smt2"
    file.write_text("old")
    vclogic.load(GAME).plan("vcp(Axis) >= 29", dump=str(file))
    assert file.read_text().startswith("(set-logic QF_BV)\n")


@pytest.mark.parametrize("place", ["", "missing/question.smt2"])  # a folder; in a folder that is not there
def test_a_file_that_cannot_be_written(place: str, tmp_path: Path) -> None:
    with pytest.raises(InputError):
        vclogic.load(GAME).plan("vcp(Axis) >= 29", dump=str(tmp_path / place))
    assert list(tmp_path.iterdir()) == []
    assert not list(tmp_path.parent.glob("*.unfinished"))


# ---- sessions


def test_every_kind_of_term_and_question() -> None:
    hue = EnumSort("hue", ("red", "green", "dark blue"))
    p, q, h, x = var("p|q", BOOL), var("and", BOOL), var("h", hue), var("x", IntSort(-3, 4))
    transcript = Transcript("nowhere")
    expected: list[str] = []
    for engines in (FAST, PLAIN):
        transcript.begin()
        with Session(Deadline(30), engines, transcript) as session:
            session.add(ge(linear([(3, p), (2, q), (4, eq(h, "red")), (-2, eq(h, "dark blue"))]), 4), TRUE)
            session.add(le(linear([(2, x), (1, p)]), floordiv(x, 2)))
            for assumed in ([], [not_(p), not_(eq(h, "red"))], [ge(x, 1)], [TRUE, p], [FALSE], [not_(p), ge(x, 0)]):
                expected.append(session.check(*assumed).verdict)
            session.add(FALSE)
            expected.append(session.check(p).verdict)
    text = transcript.text
    standard(text)
    assert confirm(text) == expected
    assert expected == 2 * ["sat", "unsat", "unsat", "sat", "unsat", "sat", "unsat"]
    assert text.count("(reset)") == 1


def test_reachability() -> None:
    graph = Graph.undirected("abcd", [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")])
    free = {n: var(f"free {n}", BOOL) for n in "abcd"}
    reached = reach(graph, {"a": TRUE}, free)
    transcript = Transcript("nowhere")
    transcript.begin()
    with Session(Deadline(30), PLAIN, transcript) as session:
        session.add(reached["c"])
        assert session.check(not_(free["b"])).verdict == "sat"
        assert session.check(not_(free["b"]), not_(free["d"])).verdict == "unsat"
        assert session.check(not_(reached["c"])).verdict == "unsat"
    # The ranks of a fixpoint are Int, which the logic QF_BV that the transcript names does not have.
    assert confirm(transcript.text.replace("(set-logic QF_BV)\n", "")) == ["sat", "unsat", "unsat"]

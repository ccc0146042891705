"""`force`, `plan --opponent best`, `defend` and `survives`: exit codes, documents, wrong options."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.fixtures.games import ROOT

ISLANDS = str(ROOT / "examples" / "two_islands.yaml")
ONCE = ("--set", "captures_per_turn=1")
BEST = ("plan", ISLANDS, *ONCE, "--opponent", "best")


def test_the_exit_code_tells_whether_a_goal_can_be_forced(run: Run) -> None:
    forced = run(*BEST, "--goal", "vcp(Axis) >= 7", "--within", "1")
    assert (forced.code, forced.err) == (0, "")
    assert "forced: within 1 turn of the Axis side, the fewest possible, whatever the others do" in forced.out
    refuted = run(*BEST, "--goal", "territories(Axis) >= 4", "--within", "1", "--format", "json")
    assert refuted.code == 1
    assert refuted.document["schema"] == "vclogic/force/1"
    assert [set(case) for case in refuted.document["refutation"]] == [{"when", "such_as", "turns", "reached", "then"}]
    assert set(refuted.document["refutation"][0]["such_as"][0]) == {"turn", "actor", "steps"}
    late = run(*BEST, "--goal", "territories(Axis) >= 4", "--within", "1", "--timeout", "1e-9")
    assert late.code == 3


def test_force_is_the_question_of_a_plan_against_the_best_opponent(run: Run) -> None:
    asked = ("--goal", "vcp(Axis) >= 7", "--within", "1")
    one, other = run("force", ISLANDS, *ONCE, *asked), run(*BEST, *asked)
    assert one.code == 0
    assert one.out.split("answered in")[0] == other.out.split("answered in")[0]


def test_the_exit_code_tells_whether_a_plan_survives(run: Run, tmp_path: Path) -> None:
    goal, file = ("--goal", "territories(Axis) >= 4"), tmp_path / "plan.json"
    file.write_text(run("plan", ISLANDS, *ONCE, *goal, "--minimize", "turns", "--format", "json").out)
    found = run("survives", ISLANDS, *ONCE, *goal, "--plan-file", str(file))
    assert (found.code, found.err) == (1, "")
    assert "stopped: " in found.out
    assert run("survives", ISLANDS, *ONCE, *goal, "--plan-file", str(file), "--timeout", "1e-9").code == 3
    unplanned = run("survives", ISLANDS, *goal, "--plan-file", ISLANDS)
    assert (unplanned.code, unplanned.err.splitlines()[0]) == (2, "error[bad-plan]: this is no JSON")


def test_the_exit_code_tells_whether_there_is_a_defence(run: Run) -> None:
    safe = run("defend", ISLANDS, *ONCE, "--threat", "vcp(Allies) >= 8", "--format", "json")
    assert safe.code == 0
    assert (safe.document["schema"], safe.document["moves"]) == ("vclogic/defend/1", 0)
    lost = run("defend", ISLANDS, *ONCE, "--threat", "round >= 2", "--side", "Axis")
    assert lost.code == 1
    assert "lost: no turn prevents it" in lost.out


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--goal", "vcp(Axis) >= 7"), "--opponent best needs --within"),
        (("--maximize", "vcp(Axis)", "--within", "1"), "--maximize does not go with --opponent best"),
        (("--goal", "vcp(Axis) >= 7", "--within", "1", "--certify"), "--certify does not go with --opponent best"),
        (("--goal", "vcp(Axis) >= 7", "--within", "1", "--minimize", "captures"), "a step is no turn of one side"),
        (("--goal", "vcp(Axis) >= 7", "--within", "-1"), "expected a whole number from 0"),
    ],
)
def test_what_does_not_go_together_is_refused(run: Run, more: tuple[str, ...], message: str) -> None:
    found = run(*BEST, *more)
    assert found.code == 2
    assert message in " ".join(found.err.split())


def test_best_replies_are_another_question_than_reach(run: Run) -> None:
    found = run("reach", ISLANDS, "--goal", "vcp(Axis) >= 7", "--opponent", "best")
    assert found.code == 2
    assert "plan --opponent best --within N" in " ".join(found.err.split())


def test_a_wrong_threat_is_shown_at_its_place(run: Run) -> None:
    found = run("defend", ISLANDS, "--threat", "vcp(Axs) >= 7")
    assert found.code == 2
    assert "--threat" in found.err

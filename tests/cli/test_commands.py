"""Each command in this process: exit codes, the JSON documents' keys, the texts' bones."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.fixtures.games import UNSETTLED
from tests.fixtures.pace import BUSY
from vclogic import __version__
from vclogic import game as query
from vclogic.cli.main import commands
from vclogic.query.test import rulings

GAME = "axis_allies"
STEP = ["n", "turn", "actor", "action", "args", "text", "cites"]
COMMANDS = list(commands.commands)
HEADING = "(control only, armies left out)"


def test_alone_it_shows_its_help(run: Run) -> None:
    alone, asked, short = run(), run("--help"), run("-h")
    assert alone == asked == short
    assert alone.code == 0
    names = [line.split()[0] for line in alone.out.split("Commands:\n")[1].split("\n\n")[0].splitlines()]
    assert names == COMMANDS


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(run: Run, command: str) -> None:
    found = run(command, "--help")
    assert (found.code, found.err) == (0, "")
    assert found.out.startswith(f"Usage: vclogic {command} [OPTIONS]")
    assert "--format [text|json" in found.out
    assert max(map(len, found.out.splitlines())) <= 80


def test_version(run: Run) -> None:
    assert run("--version").out == f"vclogic {__version__}\n"


def test_games(run: Run) -> None:
    (game,) = [g for g in run("games", "--format", "json").document["games"] if g["name"] == GAME]
    assert f"{GAME}/revised-1942" in game["scenarios"]
    assert f"{GAME}/revised-1942" in run("games").out


def test_rules(run: Run) -> None:
    found = run("rules", GAME, "--format", "json").document
    assert found["schema"] == "vclogic/rules/1"
    assert "sea_range" in run("rules", GAME).out
    one = run("rules", GAME, "victory-major/1")
    assert one.code == 0
    assert "outcome major_victory (Axis)" in one.out


def test_rules_of_a_position_show_its_settings(run: Run) -> None:
    shown = run("rules", GAME, "sea_range", "--set", "sea_range=0").out
    assert "value: 0; default: 2" in shown


# ---- status


def test_status(run: Run) -> None:
    found = run("status", GAME, "--format=json")
    assert found.code == 0
    document = found.document
    assert document["schema"] == "vclogic/status/1"
    assert len(document["outcomes"]) == 6
    assert document["winner"] is None
    assert document["observables"]["vcp(Axis)"] == 26
    shown = run("status", GAME)
    assert shown.code == 0
    assert shown.out.startswith("Nobody has won yet.\naxis_allies/revised-1942\n")
    assert "major_victory  Allies  unmet       39     50     11  victory/1, victory-major/2\n" in shown.out


def test_status_explained(run: Run) -> None:
    assert (
        "the Axis control 40 victory city points [victory/1, victory-major/1]" in run("status", GAME, "--explain").out
    )


def test_status_of_one_view(run: Run) -> None:
    assert run("status", GAME, "--view", "Germans", "--format", "json").document["view"] == "Axis"


@pytest.mark.parametrize("command", ["plan", "reach"])
def test_what_can_happen_is_not_asked_of_one_view(run: Run, command: str) -> None:
    found = run(command, "asl", "--goal", "cvp(Russian) >= 1", "--view", "Russian")
    assert (found.code, found.out) == (2, "")
    assert "about the whole position" in found.err
    assert "status --view Russian" in found.err


def test_a_position_from_a_file_and_from_standard_input(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "game: axis_allies\nstate: {turn: Americans, owner: {Russia: Germans, UK: Germans, E. US: Germans}}\n"
    won = text + "record: [{end_turn: }]\n"
    (tmp_path / "won.yaml").write_text(won)
    found = run("status", str(tmp_path / "won.yaml"))
    assert found.code == 0
    assert found.out.startswith("Winner: Axis (major_victory)\n")
    for words in (("status", "-"), ("status", GAME, "--at", "-")):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(won.encode()), encoding="utf-8"))
        assert run(*words).out == found.out
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8"))
    assert "Axis: enough for major_victory, but it is judged at the end" in run("status", "-").out


def test_settings_are_assumptions(run: Run) -> None:
    found = run("status", GAME, "--set", "sea_range=1", "--set", "every_territory=all", "--format", "json").document
    assert {"option sea_range=1", "reading every_territory=all"} <= set(found["assumptions"])


# ---- plan


def test_plan(run: Run) -> None:
    found = run("plan", GAME, "--goal", "vcp(Axis) >= 33", "--format", "json")
    assert found.code == 0
    document = found.document
    assert document["schema"] == "vclogic/plan/2"
    assert not {"maximum", "reason"} & {*document}
    assert (document["status"], document["cost"], document["lower_bound"]) == ("optimal", 2, 2)
    assert (document["exact"], document["replayed"]) == (True, True)
    assert document["horizon"] == {"n": None, "unit": "capture"}
    assert [list(s) for s in document["steps"]] == [STEP, STEP]
    assert [s["turn"] for s in document["steps"]] == [None, None]


def test_plan_for_people(run: Run) -> None:
    found = run("plan", GAME, "--goal", "vcp(Axis) >= 33", "--side", "Axis", "--certify")
    lines = found.out.splitlines()
    assert lines[0] == f"Fewest captures to vcp(Axis) >= 33 {HEADING}"
    assert lines[3].startswith("optimal: 2 captures, the fewest possible (proved by landmark cuts, checked")
    assert lines[5].startswith("1.  ")
    assert lines[6].startswith("2.  ")
    assert "[city-" in lines[5]
    assert "Assumptions" in lines


def test_plan_for_an_outcome_ends_with_the_passes_to_its_moment(run: Run) -> None:
    words = ("plan", GAME, "--goal", "holds(major_victory, Axis)")
    document = run(*words, "--format", "json").document
    last = document["steps"][-5:]
    assert [s["turn"]["turn"] for s in last] == ["Russians", "Germans", "British", "Japanese", "Americans"]
    assert {s["action"] for s in last} == {"end_turn"}
    line = "4-8.  round 1: Russians, Germans, British, Japanese and Americans end their turn\n"
    assert line in run(*words).out


def test_plan_by_turns(run: Run) -> None:
    found = run("plan", GAME, "--goal", "vcp(Axis) >= 30", "--minimize", "turns")
    assert found.code == 0
    assert found.out.startswith(f"Fewest turns to vcp(Axis) >= 30 {HEADING}\n")
    assert "optimal: 1 turn, the fewest possible (proved by " in found.out
    assert "1.  round 1: Russians end their turn\n" in found.out
    assert "2.  round 1: Germans take " in found.out


def test_plan_for_the_largest_value(run: Run) -> None:
    document = run("plan", GAME, "--maximize", "vcp(Axis)", "--within", "1", "--format", "json").document
    largest = {"expr": "vcp(Axis)", "value": 31, "upper_bound": 31, "confirmed_by": "whole numbers"}
    assert document["maximum"] == largest


def test_plan_that_cannot_be(run: Run) -> None:
    found = run("plan", GAME, "--goal", "vcp(Allies) >= 65", "--within", "2", "--format", "json")
    assert found.code == 1
    assert (found.document["status"], found.document["cost"], found.document["steps"]) == ("impossible", None, [])


def test_the_question_can_be_kept_as_smt_lib(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "question.smt2"
    found = run("plan", GAME, "--goal", "vcp(Axis) >= 30", "--dump-smt2", str(path))
    assert found.code == 0
    assert "(check-sat" in path.read_text()


def test_no_answer_in_time_is_unknown(run: Run) -> None:
    words = ("plan", GAME, "--goal", UNSETTLED, "--minimize", "turns", "--timeout", "0.1")
    found = run(*words, "--format", "json")
    assert found.code == 3
    assert found.document["reason"]
    assert "\nunknown: " in run(*words).out


# ---- reach


def test_reachable(run: Run) -> None:
    found = run("reach", GAME, "--goal", "vcp(Axis) >= 28", "--format", "json")
    assert found.code == 0
    assert found.document["not_judged"]
    assert (found.document["status"], found.document["proof"]) == ("reachable", None)
    assert found.document["depth"] == len(found.document["steps"])


def test_never(run: Run) -> None:
    goal = "vcp(Axis) >= 40 and vcp(Allies) >= 50"
    found = run("reach", GAME, "--goal", goal, "--opponent", "any", "--format", "json")
    assert found.code == 1
    assert found.document["status"] == "unreachable"
    assert list(found.document["proof"]) == ["method", "k", "horizon", "invariant", "rechecked", "confirmed_by"]
    assert (found.document["proof"]["method"], found.document["proof"]["rechecked"]) == ("positions", True)


def test_not_within_a_limit_is_a_no_that_says_so(run: Run) -> None:
    found = run("reach", GAME, "--goal", "vcp(Allies) >= 65", "--within", "2", "--format", "json")
    assert found.code == 1
    assert found.document["proof"]["method"] == "bounded"
    assert found.document["proof"]["horizon"] == {"n": 2, "unit": "event"}
    by_captures = run(
        "reach", GAME, "--by", "captures", "--goal", "vcp(Allies) >= 65", "--within", "2", "--format", "json"
    )
    assert by_captures.document["proof"]["horizon"] == {"n": 2, "unit": "capture"}


def test_never_because_all_that_can_be_gained_is_not_enough(run: Run) -> None:
    goal = "vcp(Axis) >= 50"
    found = run("reach", GAME, "--set", "sea_range=0", "--side", "Axis", "--goal", goal, "--timeout", str(60 + BUSY))
    assert found.code == 1
    assert found.out.startswith(f"Is {goal} reachable? (all events of the rules)\n")
    assert "unreachable, ever: even all that could be gained turn by turn is not enough" in found.out
    assert "(Proof: turn-closure" in " ".join(found.out.split())
    listed = found.out.split("True throughout all play\n")[1].split("\n\n")[0]
    assert 0 < listed.count("\n  - ") <= 12


# ---- test


def test_rulings(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    case = rulings.CaseResult("a ruling", ("C/1",), GAME, (rulings.CheckedExpectation("x", "x", True),))
    wrong = rulings.CaseResult("another", ("C/2",), GAME, (rulings.CheckedExpectation("x", "not so: x", False),))
    monkeypatch.setattr(rulings, "test_all", lambda names, cites: rulings.Tested((GAME,), (case,)))
    assert run("test", GAME).out == "axis_allies: 1 ruling passed.\n"
    assert run("test", f"{GAME}/revised-1942").code == 0
    monkeypatch.setattr(rulings, "test_all", lambda names, cites: rulings.Tested((GAME,), (case, wrong)))
    found = run("test", GAME)
    assert found.code == 1
    assert "failed: another [C/2]\n  expected: x\n  got:      not so: x\n" in found.out
    document = run("test", GAME, "--format", "json")
    assert document.code == 1
    assert list(document.document) == ["schema", "passed", "failed", "cases", "sources", "expectations", "skipped"]


def test_the_installed_rulings_pass(run: Run) -> None:
    found = run("test", "napoleonics", "--format", "json")
    assert (found.code, found.document["failed"]) == (0, 0)


# ---- bugs


def test_a_bug_is_one_short_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: object) -> None:
        raise RecursionError("too\ndeep " * 100)

    monkeypatch.delenv("VCLOGIC_DEBUG", raising=False)
    monkeypatch.setattr(query.Game, "load", broken)
    found = run("status", GAME)
    assert (found.code, found.out) == (70, "")
    assert found.err.startswith("internal error: RecursionError: too deep ")
    assert "; this is a bug in vclogic, or in what the rules of the game return" in found.err
    assert found.err.count("\n") == 1
    document = run("status", GAME, "--format", "json")
    assert document.code == 70
    assert '"code": "internal"' in document.out


def test_a_bug_shows_where_on_request(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from vclogic.cli import main as cli

    monkeypatch.setenv("VCLOGIC_DEBUG", "1")
    monkeypatch.setattr(query.Game, "load", lambda *arguments: 1 / 0)
    assert cli.run(["status", GAME]) == 70
    assert "Traceback" in capsys.readouterr().err


def test_an_opponent_who_helps_goes_by_both_names(run: Run) -> None:
    words = ("reach", GAME, "--goal", "owner(Ukraine) == Russians", "--side", "Axis", "--by", "captures")
    helps, old = (run(*words, "--opponent", name, "--format", "json").document for name in ("helps", "any"))
    assert helps["assumptions"] == old["assumptions"]
    assert (helps["status"], old["status"]) == ("reachable", "reachable")
    assert any("the opponent helps" in x for x in helps["assumptions"])
    assert run(*words).code == 1

"""`check` and `explain`: exit codes, every format, suppression, and what bad rule sets get."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.toys.three_hills import CONTRADICTION, NAME, installed, line_of
from vclogic import watchdog
from vclogic.check.catalogue import CATALOGUE, UNTOLD

QUICK = ("--select", "VC1,VC001")
REASON = "- {code: VC101, rule: 'hills[*', reason: the text says so}\n"
STALE = REASON + "- code: VC102\n  rule: other\n  reason: it was once\n"


def test_a_clean_game(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with installed(tmp_path, monkeypatch):
        ran = run("check", NAME)
    assert ran.code == 0, ran.out
    assert ran.err == ""
    assert "mine/first: no findings\n" in ran.out
    number = sum(c[:3] != "VC9" for c in CATALOGUE) - len(UNTOLD)  # VC9 is about files of other programs
    assert f"{number} codes looked for over all positions that could stand on the board" in ran.out


def test_a_contradiction_in_every_format(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with installed(tmp_path, monkeypatch, CONTRADICTION) as rules:
        text = run("check", NAME, *QUICK)
        as_json = run("check", NAME, *QUICK, "--format", "json", "--scope", "reachable")
        sarif = run("check", NAME, *QUICK, "--format", "sarif")
        github = run("check", NAME, *QUICK, "--format", "github")
        line = line_of(rules, '        "hills", side, Partial(condition)') - 1
    assert {r.code for r in (text, as_json, sarif, github)} == {1}
    assert "error[VC101]: the Red side wins by hills and the Blue side by hills at one moment [1/1]\n" in text.out
    assert f"rules.py:{line} (rules.outcome)\n {line} |     return Outcome(\n" in text.out
    assert "2 changes from the start (no smaller one shows it; checked without a solver)" in text.out
    assert "over: false -> true\n" in text.out

    document = as_json.document
    (finding,) = document["findings"]
    assert (document["schema"], finding["code"], finding["scope"]) == ("vclogic/check/1", "VC101", "reachable")
    assert [s["action"] for s in finding["steps"]] == ["take", "end"]
    assert finding["witness"]["position"].startswith("game: mine/first\nstate:\n")
    assert finding["places"][0] == {"file": str(rules), "line": line, "function": "rules.outcome"}

    _is_sarif(json.loads(sarif.out), line)
    head = f"::error file=mine_pkg/rules.py,line={line},title=VC101 contradiction::the Red side wins by hills"
    assert github.out.startswith(head)
    assert github.out.count("\n") == 1


def _is_sarif(log: dict[str, Any], line: int) -> None:
    """The fields that SARIF 2.1.0 requires, and that a viewer needs."""
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "vclogic"
    ids = [r["id"] for r in driver["rules"]]
    assert ids == list(CATALOGUE)
    assert len(set(ids)) == len(ids)
    assert all(r["shortDescription"]["text"] for r in driver["rules"])
    (result,) = run["results"]
    assert ids[result["ruleIndex"]] == result["ruleId"] == "VC101"
    assert result["level"] in ("error", "warning", "note")
    assert "over: False -> True" in result["message"]["text"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "mine_pkg/rules.py"
    assert place["region"]["startLine"] == line
    assert [r["id"] for r in result["relatedLocations"]] == list(range(1, len(result["relatedLocations"]) + 1))
    assert run["invocations"] == [{"executionSuccessful": True, "toolExecutionNotifications": []}]


def test_suppression_and_stale_suppression(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with installed(tmp_path, monkeypatch, CONTRADICTION, checks_yaml=REASON):
        quiet = run("check", NAME, *QUICK)
        sarif = json.loads(run("check", NAME, *QUICK, "--format", "sarif").out)
    assert quiet.code == 0
    assert "VC101 hills[Red] and hills[Blue]: the text says so" in quiet.out
    assert "no findings, 1 accepted" in quiet.out
    (result,) = sarif["runs"][0]["results"]
    assert result["suppressions"] == [{"kind": "external", "justification": "the text says so"}]
    with installed(tmp_path, monkeypatch, CONTRADICTION, checks_yaml=STALE):
        stale = run("check", NAME, *QUICK)
        ignored = run("check", NAME, *QUICK, "--ignore", "VC001")
        own = tmp_path / "own.yaml"
        own.write_text("game: mine\nboard: {title: My own hills}\n")
        beside = run("check", str(own), *QUICK)
        own.write_text("game: mine\noutcomes: Red wins all at once if hills(Red) >= 3\n")
        replaced = run("check", str(own), *QUICK)
    assert (stale.code, ignored.code) == (1, 0)
    assert "warning[VC001]" in stale.out
    assert "checks.yaml:2 " in stale.out
    assert "VC101" in beside.out
    assert "VC001" not in beside.out + replaced.out, (
        "who makes a board of his own is not told what is wrong with the game's files"
    )
    with installed(tmp_path, monkeypatch, checks_yaml="- {code: VC101, rule: x, reason: ' '}\n- {cod: VC101}\n"):
        wrong = run("check", NAME)
    assert wrong.code == 2
    assert wrong.err.count("error[") >= 3  # no reason; and the second has a wrong key, and lacks some


def test_witnesses_are_positions(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with installed(tmp_path, monkeypatch, CONTRADICTION):
        ran = run("check", NAME, *QUICK, "--witnesses", str(tmp_path))
        (file,) = tmp_path.glob("*.yaml")
        status = run("status", str(file), "--format", "json")
        again = run("check", str(file), "--select", "VC202", "--format", "json")
    assert str(file) in ran.out.replace("\n", "")
    assert {o["side"]: o["status"] for o in status.document["outcomes"]} == {"Red": "met", "Blue": "met"}
    assert [f["rule"] for f in again.document["findings"]] == ["hills[Blue]", "hills[Red]"]
    assert run("check", NAME, "--witnesses", str(tmp_path / "nowhere")).code == 2


def test_wrong_codes(run: Run) -> None:
    ran = run("check", "axis_allies", "--select", "VC110", "--ignore", "X")  # no such codes
    assert ran.code == 2
    assert ran.err.count("error[unknown-name]") == 2
    assert "did you mean 'VC211' or 'VC210' or 'VC106'?" in ran.err
    assert run("explain", "VC999").code == 2


def test_explain(run: Run) -> None:
    every = run("explain")
    assert every.code == 0
    assert all(code in every.out for code in CATALOGUE)
    one = run("explain", "vc104")
    assert one.out.startswith("VC104 overlap (warning)\n")
    by_name = run("explain", "overlap", "--format", "json").document
    assert [c["code"] for c in by_name["codes"]] == ["VC104"]


def test_the_page_of_codes_is_the_catalogue(run: Run) -> None:
    page = Path(__file__).parents[2] / "docs" / "findings.md"
    assert page.read_text() == run("explain", "--format", "markdown").out


# ---- bad rule sets: exit code 2 and the designer's line

LOOP = "    while True:\n        len(settings.options)\n    return System("
LEAD = "lead(side)\n\n\ndef lead(side):\n    return hills(side)"
BAD = {
    "nothing": ('ge(hills("Blue"), 2)', 'eq(var("ownr", SIDE), "Blue")', "    return Outcome(", "'ownr'"),
    "type": ('ge(hills("Blue"), 2)', 'and_(OWNER["North"], TRUE)', "and_(OWNER", "not Bool"),
    "sort": ('eq(OWNER[h], side)', "eq(OWNER[h], hills)", "eq(OWNER[h]", "Error"),
    "raises": ('ge(hills("Blue"), 2)', "TRUE if 1 / 0 else FALSE", "1 / 0", "division by zero"),
    "name": ('OWNER[hill]', 'OWNER["Nroth"]', 'OWNER["Nroth"]', "Nroth"),
    "circle": ("count(eq(OWNER[h], side) for h in HILL.sort.members)", LEAD, "return lead(side)", "lead -> hills"),
    "loop": ("    return System(", LOOP, "len(settings.options)", "endless loop"),
    "event": ("(Requirement(not_(OVER.fluent)", '(Requirement(var("ovr", BOOL)', None, "the event take refers to"),
    "need": ("(Requirement(not_(OVER.fluent)", '(Requirement(hills("Red")', "(Requirement(hills", "true or false"),
    "start": ("OVER.fluent: False", "", None, "nothing says what over is at the start"),
    "syntax": ("def end():", "def end(:", "def end(:", "syntax error"),
    "import": ("BOOK = ", "import no_such_module\nBOOK = ", "import no_such", "no_such_module"),
    "exit": ("    return System(", "    raise SystemExit(3)\n    return System(", "raise SystemExit", "SystemExit"),
}  # fmt: skip


@pytest.mark.parametrize("kind", BAD)
def test_bad_rule_sets(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    old, new, at, said = BAD[kind]
    monkeypatch.setattr(watchdog, "PATIENCE", 1.0)
    with installed(tmp_path, monkeypatch, (old, new)) as rules:
        ran = run("check", NAME, "--format", "json")
        text = run("check", NAME)
        lines = [i for i, line in enumerate(rules.read_text().splitlines(), 1) if at and at in line]
    assert (ran.code, text.code, text.out) == (2, 2, "")
    first = ran.document["errors"][0]
    if at is None:  # an event is built where somebody asks for it
        assert first["message"].startswith(said)
        return
    assert first["file"] == str(rules)
    if kind == "loop":
        lines = [lines[0] - 1, lines[0]]
    assert first["line"] in lines
    assert said in first["message"] + (first["help"] or "")
    assert f"rules.py:{first['line']}" in text.err.replace("\n", "")


def test_an_event_in_an_endless_loop_ends_any_command(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watchdog, "PATIENCE", 0.5)
    with installed(tmp_path, monkeypatch, ("def end():\n", "def end():\n    while True:\n        hills('Red')\n")):
        ran = {words: run(*words, NAME) for words in (("legal",), ("check", "--select", "VC1"))}
    assert {words[0]: r.code for words, r in ran.items()} == {"legal": 70, "check": 2}
    for r in ran.values():
        assert r.out == ""
        assert "still running after 0.5 s (in " in " ".join(r.err.split())
        assert "rules.py:" in r.err


def test_all_that_a_rule_refers_to_in_vain_is_listed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planted = ('ge(hills("Blue"), 2)', 'or_(eq(var("ownr[North]", SIDE), "Blue"), var("ovr", BOOL))')
    with installed(tmp_path, monkeypatch, planted):
        ran = run("status", NAME)
    assert ran.code == 2
    assert ran.err.count("error[unknown-fluent]: the outcome hills of the Blue side refers to") == 2
    assert "did you mean 'owner[North]'" in ran.err
    assert "did you mean 'over'" in ran.err


def test_a_suppression_of_a_scenario_is_about_its_own_board(run: Run, tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text((Path(__file__).parents[2] / "examples" / "two_islands.yaml").read_text())
    ran = run("check", str(own), "--select", "VC001,VC602")  # the game's own scenario has such a suppression
    assert (ran.code, "axis_allies: own: 2 notes\n" in ran.out) == (1, True)
    assert "Strait is the only way to Redland and Harbour\n" in ran.out


RULEBOOK = """# Race

```vclogic
sides Red, Blue
fact step(side): 0 to 3, starts 0
turn is one event
event go by side
  then step(side) rises by 1
```

**1** Two steps win.

```vclogic
side wins race at once if step(side) >= 2
```
"""


def test_what_no_ruling_tells_is_asked_and_accepted(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "race.md"
    file.write_text(RULEBOOK, encoding="utf-8")
    asked = run("check", str(file), "--rulings")
    assert asked.code == 1
    assert "note[VC801]: no ruling tells 2 from 1 in: side wins race at once if step(side) >= 2" in asked.out
    assert "  # with 1: holds(race, " in asked.out
    written = run("check", str(file), "--rulings", "--accept", "14.1,14.2")
    assert written.code == 0
    assert "no findings, 2 written" in written.out
    assert "0 rulings; 2 changes: 2 asked about" in written.out
    assert run("test", str(file)).out.strip().endswith("2 rulings passed.")
    assert "VC801" not in run("check", str(file)).out


def test_what_does_not_go_with_the_questions_about_rulings(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "race.md"
    file.write_text(RULEBOOK, encoding="utf-8")
    alone = run("check", str(file), "--accept", "all")
    assert (alone.code, "give both" in alone.err) == (2, True)
    at = run("check", str(file), "--rulings", "--at", str(file))
    assert (at.code, "leave --at out" in at.err) == (2, True)
    assert file.read_text(encoding="utf-8") == RULEBOOK

"""What a user wrote is shown shortened, and never sends codes to the terminal."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from vclogic.errors import SHOWN, Diagnostic, did_you_mean, quoted, shortened
from vclogic.report.json import dumps
from vclogic.report.text.page import bullets, render, titled

GAME = "axis_allies"
LONG = "x" * 120_000
GOAL = ("--side", "Axis", "--goal")
WORDS = {
    "command": [LONG],
    "option": ["status", GAME, f"--{LONG}"],
    "game": ["status", LONG],
    "scenario": ["status", f"{GAME}/{LONG}"],
    "path": ["status", f"./{LONG}.yaml"],
    "at": ["status", GAME, "--at", LONG],
    "setting": ["status", GAME, "--set", f"{LONG}=1"],
    "no setting": ["status", GAME, "--set", LONG],
    "value": ["status", GAME, "--set", f"sea_range={LONG}"],
    "digits": ["status", GAME, "--set", f"sea_range={'9' * 100_000}"],
    "reading": ["status", GAME, "--set", f"every_territory={LONG}"],
    "view": ["status", GAME, "--view", LONG],
    "event": ["ask", GAME, LONG[:9_000]],
    "event of many words": ["ask", GAME, f"{LONG}: {{a: b}}"],
    "argument": ["ask", GAME, f"place: {{power: {LONG[:9_000]}}}"],
    "key": ["ask", GAME, f"place: {{{LONG[:9_000]}: 1}}"],
    "goal": ["plan", GAME, *GOAL, LONG],
    "name in a goal": ["plan", GAME, *GOAL, f"vcp({LONG}) > 1"],
    "short name in a goal": ["plan", GAME, *GOAL, f"vcp({LONG[:190]}) > 1"],
    "words": ["plan", GAME, *GOAL, "1 < " + "no " * 30_000],
    "number in a goal": ["plan", GAME, *GOAL, "1" * 100_000 + " < 2"],
    "symbol": ["plan", GAME, *GOAL, "1 < 2 " + "=" * 100_000],
    "side": ["plan", GAME, "--goal", "1 < 2", "--side", LONG],
    "metric": ["plan", GAME, *GOAL, "1 < 2", "--minimize", LONG],
    "opponent": ["plan", GAME, *GOAL, "1 < 2", "--opponent", LONG],
    "within": ["plan", GAME, *GOAL, "1 < 2", "--within", LONG],
    "timeout": ["plan", GAME, *GOAL, "1 < 2", "--timeout", LONG],
    "large number": ["plan", GAME, *GOAL, "1 < 2", "--within", "9" * 4_000],
    "keep": ["missing", GAME, "--goal", "round == 2", "--keep", LONG],
    "on": ["compare", GAME, "--set-b", "sea_range=1", "--on", LONG],
    "rule": ["rules", GAME, LONG],
    "test": ["test", LONG],
    "select": ["check", GAME, "--select", LONG],
    "witnesses": ["check", GAME, "--witnesses", LONG],
    "output": ["render", GAME, "-o", LONG],
    "output in no folder": ["render", GAME, "-o", f"{LONG}/a"],
    "dump": ["plan", GAME, *GOAL, "1 < 2", "--dump-smt2", LONG],
    "plan": ["render", GAME, "-o", "-", "--plan-file", LONG],
    "new": ["new", LONG],
    "folder": ["new", "a_game", "--folder", LONG],
    "kind": ["schema", LONG],
    "schema of": ["schema", "board", LONG],
    "code": ["explain", LONG],
    "extra": ["games", LONG],
    "format": ["games", f"--format={LONG}"],
}


@pytest.mark.parametrize("kind", WORDS)
def test_long_words_are_shortened(run: Run, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shown = run(*WORDS[kind])
    assert (shown.code, shown.out) == (2, "")
    found = re.findall(r"x+|9+|1+|=+|(?:no )+", _message(shown.err))
    longest = max(map(len, found), default=0)
    assert longest <= (250 if kind in ("path", "at", "plan") else SHOWN)  # the place names the file itself
    assert len(shown.err) < 10_000
    if kind != "format":
        for error in run(WORDS[kind][0], "--format=json", *WORDS[kind][1:]).document["errors"]:
            assert len(json.dumps(error)) < 6_000


def _message(report: str) -> str:
    """The messages and helps of a report, without places and the lines of the source."""
    return re.sub(r"^  --> \S*|^ .* \| .*$", "", report, flags=re.MULTILINE)


FILES = {
    "key": f"{LONG[:9_000]}: 1",
    "state": f"state: {{{LONG[:9_000]}: 1}}",
    "owner": f"state: {{owner: {{{LONG[:9_000]}: Germans}}}}",
    "value": f"state: {{owner: {{Karelia: {LONG[:9_000]}}}}}",
    "number": f"state: {{round: {'9' * 9_000}}}",
    "quoted number": f"state: {{round: '{'9' * 9_000}'}}",
    "twice": f"state: {{{LONG[:9_000]}: 1, {LONG[:9_000]}: 2}}",
    "board": f"board: {LONG[:9_000]}",
    "event": f"record: [{LONG[:9_000]}]",
    "tag": f"state: !{LONG} x",
    "anchor": f"state: &{LONG} x",
    "alias": f"state: *{LONG}",
    "option": f"options: {{{LONG[:9_000]}: 1}}",
    "reading": f"readings: {{every_territory: {LONG[:9_000]}}}",
    "board's key": f"board: {{title: x, territories: {{}}, {LONG[:9_000]}: 1}}",
    "text": f"state: {LONG}",
    "line": LONG * 10,
}


@pytest.mark.parametrize("kind", FILES)
def test_long_values_in_files_are_shortened(run: Run, kind: str, tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_text(f"game: axis_allies\n{FILES[kind]}\n")
    shown = run("status", str(path))
    assert shown.code == 2
    assert max(len(word) for word in ["", *re.findall(r"x+|9+", _message(shown.err))]) <= SHOWN
    assert len(shown.err) < 10_000


def test_a_long_text_shows_both_its_ends() -> None:
    assert quoted("short") == "'short'"
    assert shortened("x" * SHOWN) == "x" * SHOWN
    assert shortened("a" * 500 + "b" * 500) == "a" * 37 + "..." + "b" * 20
    assert quoted("\x1b[31m\u202e") == r"'\x1b[31m\u202e'"
    assert len(Diagnostic("x", "m" * 5_000, "f" * 9_000, help="h" * 5_000).message) == 1_000
    assert did_you_mean("x" * 2_000_000, ["a" * 500, "b"]) == "known: " + shortened("a" * 500) + ", b"


HARMFUL = "a\x07\x1b[2J\x1b]0;t\x07\x9b\u202e\u2066\u200b\x7fb"


def test_nothing_harmful_reaches_a_terminal() -> None:
    for colour in (False, True):
        shown = render(titled(HARMFUL, bullets([HARMFUL])), colour=colour)
        codes = re.sub(r"\x1b\[[0-9;]*m", "", shown)
        assert all(c.isprintable() for line in codes.split("\n") for c in line)
    text = dumps({"k": HARMFUL, HARMFUL: ["é漢😀", "line\nend", "\U000e0001"]})
    assert all(line.isprintable() for line in text.split("\n"))
    assert json.loads(text) == {"k": HARMFUL, HARMFUL: ["é漢😀", "line\nend", "\U000e0001"]}
    assert "é漢😀" in text


@pytest.mark.parametrize("words", [["status", HARMFUL], ["status", GAME, "--set", f"{HARMFUL}=1"], [HARMFUL]])
def test_harmful_words_are_escaped(run: Run, words: list[str]) -> None:
    for format in ("text", "json"):
        found = run(*words[:-1], "--format", format, words[-1])
        assert found.code == 2
        assert all(line.isprintable() for line in (found.err + found.out).split("\n"))

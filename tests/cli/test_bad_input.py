"""Everything a user can get wrong: exit code 2, a report with a place and a suggestion, never a traceback."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Run

GAME = "axis_allies"
HEAD = "game: axis_allies/revised-1942\n"
GOAL = ("--goal", "vcp(Axis) >= 40")
FILES = {
    "malformed": (HEAD + "state: {turn: Germans\n", "not-yaml", 2),
    "alias": (HEAD + "state: &a {turn: Germans}\noptions: *a\n", "alias", 2),
    "tag": (HEAD + "state: !!python/object:os.system {}\n", "tag", 2),
    "duplicate": (HEAD + "state: {turn: Germans, turn: Russians}\n", "given-twice", 2),
    "type": (HEAD + "state: {round: soon}\n", "wrong-value", 2),
    "list": ("- 1\n- 2\n", "wrong-value", 1),
    "territory": (HEAD + "state: {owner: {Karelya: Germans}}\n", "unknown-name", 2),
    "power": (HEAD + "state: {turn: German}\n", "unknown-name", 2),
    "option": (HEAD + "options: {sea_rang: 2}\n", "unknown-name", 2),
    "reading": (HEAD + "readings: {every_territory: some}\n", "bad-value", 2),
    "key": (HEAD + "stat: {}\n", "unknown-entry", 2),
    "game": ("game: axis_alies\n", "unknown-game", 1),
    "sea": (HEAD + "state: {owner: {Sea Zone 2: Germans}}\n", None, 2),
    "impassable": (HEAD + "state: {owner: {Switzerland: Germans}}\n", None, 2),
    "turn": (HEAD + "record:\n  - {capture: {power: Germans, territory: Karelia}}\n", "illegal-step", 3),
    "event": (HEAD + "record:\n  - {captured: {power: Germans}}\n", None, 3),
    "empty": ("", "empty-file", 1),
    "deep": (HEAD + "state: " + "[" * 20_000 + "]" * 20_000 + "\n", None, 2),
    "control": (HEAD + "state: {turn: \x1b[31m}\n", "control-character", 2),
}


@pytest.mark.parametrize("kind", FILES)
def test_wrong_files(run: Run, tmp_path: Path, kind: str) -> None:
    text, code, line = FILES[kind]
    path = tmp_path / f"{kind}.yaml"
    path.write_text(text)
    shown = run("status", str(path))
    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith("error[")
    assert f"{kind}.yaml:{line}" in shown.err.replace("\n", "")
    found = run("status", str(path), "--format", "json")
    assert found.code == 2
    first = found.document["errors"][0]
    assert list(first) == ["file", "line", "column", "code", "message", "help"]
    assert (first["file"], first["line"]) == (str(path), line)
    assert code is None or first["code"] == code


def test_several_mistakes_are_reported_at_once(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "many.yaml"
    path.write_text(HEAD + "options: {sea_rang: 2}\nstate: {turn: German, owner: {Karelya: Germans}}\n")
    shown = run("status", str(path), "--set", "victory=huge")
    assert [line for line in shown.err.splitlines() if line.startswith("error")] == [
        "error[unknown-name]: there is no option 'sea_rang'",
        "error[unknown-name]: unknown power 'German'",
        "error[unknown-name]: unknown territory 'Karelya'",
        "error[bad-value]: victory: expected all or total or major or minor, found 'huge'",
    ]
    assert " 2 | options: {sea_rang: 2}\n   |           ^\n  help: did you mean 'sea_range'?" in shown.err


def _missing(folder: Path) -> str:
    (folder / "position.yaml").write_text(HEAD)
    return str(folder / "positon.yaml")


def _big(folder: Path) -> str:
    with open(folder / "big.yaml", "wb") as file:
        file.truncate(50_000_000)
    return str(folder / "big.yaml")


def _binary(folder: Path) -> str:
    (folder / "binary.yaml").write_bytes(b"\xff\xfe\x00")
    return str(folder / "binary.yaml")


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (_missing, "no-such-file"),
        (_big, "too-big"),
        (_binary, "not-utf8"),
        (str, "is-a-directory"),
        (lambda folder: "axis_alies", "unknown-game"),
        (lambda folder: f"{GAME}/revised-1943", "unknown-game"),
        (lambda folder: "", "unknown-game"),
        (lambda folder: "a\0b", "unknown-game"),
    ],
)
def test_games_that_are_none(run: Run, tmp_path: Path, make: Callable[[Path], str], code: str) -> None:
    game = make(tmp_path)
    found = run("status", game, "--format=json")
    assert found.code == 2
    assert found.document["errors"][0]["code"] == code
    assert run("plan", game, *GOAL).err.startswith(f"error[{code}]")
    assert run("status", GAME, "--at", str(tmp_path / "none.yaml")).code == 2


def test_a_missing_file_has_near_ones(run: Run, tmp_path: Path) -> None:
    assert "did you mean" in run("status", _missing(tmp_path)).err


GOALS = {
    "typo": ("vcp(Axs) >= 40", "unknown-name", 5),
    "observable": ("vpc(Axis) >= 40", "unknown-name", 1),
    "syntax": ("vcp(Axis) >= ", "unreadable", 14),
    "chain": ("1 < vcp(Axis) < 3", "unreadable", 15),
    "code": ("__import__('os').system('true')", "unreadable", 17),
    "lambda": ("(lambda: 1)()", "unreadable", 8),
    "number": ("vcp(Axis)", "wrong-value", 1),
    "kinds": ("owner(Karelia) == 3", None, None),
    "sea": ('owner("Sea Zone 1") == Germans', None, None),
    "empty": ("", "unreadable", 1),
    "control": ("vcp(Axis) \x00 >= 3", "unreadable", 11),
    "parentheses": ("(" * 20_000 + "1 < 2" + ")" * 20_000, "limit", None),
    "nots": ("not " * 20_000 + "1 < 2", "limit", None),
    "minuses": ("-" * 20_000 + "1 < 2", "limit", None),
    "long": ("1 < 2 and " * 30_000 + "1 < 2", "limit", 1),
}


@pytest.mark.parametrize("kind", GOALS)
def test_wrong_goals(run: Run, kind: str) -> None:
    goal, code, column = GOALS[kind]
    found = run("reach", GAME, "--side", "Axis", f"--goal={goal}", "--format", "json")
    assert found.code == 2
    first = found.document["errors"][0]
    assert first["file"] == "--goal"
    assert code is None or first["code"] == code
    assert column is None or first["column"] == column
    shown = run("plan", GAME, "--side", "Axis", "--goal", goal)
    assert shown.code == 2
    assert "\n  --> --goal:1:" in shown.err
    assert "^\n" in shown.err
    assert max(map(len, shown.err.splitlines())) <= 110


def test_the_caret_stands_below_the_mistake(run: Run) -> None:
    shown = run("plan", GAME, "--goal", "vcp(Axis) >= 40\n and vcp(Axs) < 3").err
    assert "  --> --goal:2:10\n 2 |  and vcp(Axs) < 3\n   |          ^\n  help: did you mean 'Axis'?\n" in shown


WORDS = {
    "command": (["statsu", GAME], "unknown-command", "did you mean 'status'?"),
    "python": (["--help; rm -rf"], "unknown-option", ""),
    "option": (["status", GAME, "--exlpain"], "unknown-option", "did you mean '--explain'"),
    "early option": (["--goal", "x", "plan"], "unknown-option", "stand after its name"),
    "short option": (["plan", GAME, "-x"], "unknown-option", "such as --at, --set, "),
    "no game": (["status"], "missing-argument", "`vclogic games`"),
    "no goal": (["reach", GAME], "missing-option", "`vclogic reach --help`"),
    "neither": (["plan", GAME], "missing-option", "--goal 'vcp(Axis) >= 40'"),
    "both": (["plan", GAME, *GOAL, "--maximize", "vcp(Axis)"], "usage", "give --goal or --maximize, not both"),
    "no value": (["plan", GAME, "--goal"], "missing-value", "`vclogic plan --help`"),
    "too many": (["status", GAME, "more"], "usage", "with spaces in quotes"),
    "number": (["plan", GAME, *GOAL, "--within", "few"], "bad-value", ""),
    "negative": (["plan", GAME, *GOAL, "--within", "-1"], "out-of-range", ""),
    "seconds": (["plan", GAME, *GOAL, "--timeout", "0"], "bad-value", ""),
    "for ever": (["plan", GAME, *GOAL, "--timeout", "inf"], "bad-value", ""),
    "no number": (["plan", GAME, *GOAL, "--timeout", "nan"], "bad-value", ""),
    "format": (["status", GAME, "--format", "xml"], "bad-value", ""),
    "side": (["plan", GAME, *GOAL, "--side", "Axes"], "unknown-name", "'Axis'"),
    "two sides": (["plan", GAME, "--goal", "vcp(Axis) > vcp(Allies)"], "missing-side", "--side"),
    "metric": (["plan", GAME, *GOAL, "--minimize", "capture"], "unknown-name", "'captures'"),
    "opponent": (["plan", GAME, *GOAL, "--opponent", "worst"], "unknown-name", "idle, helps"),
    "maximize": (["plan", GAME, "--maximize", "owner(Karelia)", "--side", "Axis"], "wrong-value", ""),
    "no setting": (["status", GAME, "--set", "sea_range"], "bad-value", "--set name=value"),
    "no name": (["status", GAME, "--set", "=2"], "bad-value", "--set name=value"),
    "setting": (["status", GAME, "--set", "sea_rang=2"], "unknown-name", "'sea_range'"),
    "setting's value": (["status", GAME, "--set", "sea_range=far"], "wrong-value", ""),
    "setting's range": (["status", GAME, "--set", "sea_range=21"], "out-of-range", ""),
    "rule": (["rules", GAME, "vpc"], "unknown-name", "'vcp'"),
    "view": (["status", GAME, "--view", "Germanz"], "unknown-name", "'Germans'"),
    "rulings": (["test", "axis"], "unknown-game", "axis_allies"),
    "dump": (["plan", GAME, *GOAL, "--dump-smt2", "/no/such/folder/x"], "bad-value", ""),
    "dump to a folder": (["reach", GAME, *GOAL, "--dump-smt2", os.curdir], "bad-value", ""),
    "twice": (["status", "-", "--at", "-"], "bad-value", ""),
}


@pytest.mark.parametrize("kind", WORDS)
def test_wrong_words(run: Run, kind: str) -> None:
    words, code, help = WORDS[kind]
    shown = run(*words)
    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith(f"error[{code}]: ")
    assert help in shown.err
    if kind == "format":
        return
    found = run(words[0], "--format", "json", *words[1:])
    assert found.code == 2
    document = found.document
    assert list(document) == ["schema", "status", "errors"]
    assert (document["schema"], document["status"]) == ("vclogic/error/2", "error")
    assert document["errors"][0]["code"] == code or kind == "early option"


@pytest.mark.parametrize("words", [["--format", "json", "games"], ["games", "--fromat", "json", "--format=json"]])
def test_json_is_asked_for_anywhere(run: Run, words: list[str]) -> None:
    assert run(*words).document["errors"][0]["code"] == "unknown-option"


def test_of_two_formats_the_last_counts(run: Run) -> None:
    assert "\naxis_allies " in "\n" + run("games", "--format", "json", "--format", "text").out
    assert run("games", "--format", "text", "--format=json").document["schema"] == "vclogic/games/1"

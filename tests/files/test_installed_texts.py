"""A game of a package that is written as text: whatever a game in Python can do by its name, it can."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from inspect import signature
from pathlib import Path

import pytest

from tests.cli.conftest import Run, run  # noqa: F401
from tests.fixtures import text_game
from tests.fixtures.pace import HANGS
from tests.fixtures.text_game import FILES, NAME, TEXT
from vclogic.check.catalogue import load_suppressions
from vclogic.conformance import claims, games
from vclogic.conformance.demands import DEMANDS, subjects
from vclogic.conformance.games import UnmetDemand
from vclogic.errors import Diagnostic, InputError
from vclogic.files.registry import has_file, is_text, load_encoding, rulebook_of, scenario_names
from vclogic.files.rulings.case_files import load_cases
from vclogic.files.scenario import default_scenario
from vclogic.game import Game
from vclogic.query.test.rulings import test_all as try_all


@pytest.fixture(params=["package", "folder"])
def ridge(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The game in a package, and in a folder without `__init__.py`; yields that."""
    site = tmp_path / "site"
    home = text_game.write(site, package=request.param != "folder")
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    with text_game.installed(site, monkeypatch):
        yield home


def test_it_is_a_game_by_its_name(ridge: Path) -> None:
    assert is_text(NAME)
    assert load_encoding(NAME).is_text
    assert (load_encoding(NAME).name, load_encoding(NAME).title) == (NAME, "The ridge")
    assert scenario_names(NAME) == ("fog", "whole")
    assert default_scenario(NAME) == "whole"
    book = rulebook_of(NAME)
    assert book is not None
    assert Path(book.book.file) == ridge / "ridge.md"
    assert [Path(f) for f in book.book.included] == [ridge / "basic" / "sides.md"]


@pytest.mark.usefixtures("ridge")
def test_its_scenarios_are_boards_that_fill_the_text() -> None:
    whole, fog = Game.load(NAME), Game.load(f"{NAME}/fog")
    assert (whole.setup.game, fog.setup.game) == ("ridge/whole", "ridge/fog")
    assert (whole.value("points(Red)"), fog.value("points(Red)")) == (1, 3)
    assert fog.setup.settings.readings["fog"] == "some"
    after = whole.apply("take", hill="North")
    assert after.value("owner(North)") == "Red"
    (cite,) = after.setup.system.schemas["take"].cites
    assert (cite.source, cite.clause) == ("ridge.md", "1.2")


@pytest.mark.usefixtures("ridge")
def test_rulings_stand_in_the_text_and_in_its_folder() -> None:
    assert [case.name for case in load_cases(NAME)] == [
        "North and Middle are not enough",
        "all three hills are enough",
    ]
    tested = try_all([NAME], cites=True)
    assert [case.status for case in tested.cases] == ["passed", "passed"]
    assert [s.code for s in load_suppressions(NAME)] == ["VC502"]
    assert has_file(NAME, "cases/points.yaml")
    assert not has_file(NAME, "coverage.yaml")


@pytest.mark.usefixtures("ridge")
def test_a_position_names_it_and_brings_a_board(tmp_path: Path) -> None:
    position = tmp_path / "mine.yaml"
    position.write_text("game: ridge\nboard: {goal: 2, hills: {Top: {worth: 2, home: Blue}}}\n")
    game = Game.load(str(position))
    assert game.value("holds(heights, Blue)")
    assert game.setup.game == "ridge: mine"


@pytest.mark.usefixtures("ridge")
def test_commands_take_its_name(run: Run, tmp_path: Path) -> None:  # noqa: F811
    assert run("games", "--format", "json").document["games"][0]["scenarios"] == ["ridge/fog", "ridge/whole"]
    assert run("status", "ridge/fog", "--format", "json").document["winner"] is None
    assert run("plan", NAME, "--goal", "points(Red) >= 6", "--format", "json").document["status"] == "optimal"
    assert run("rules", NAME, "1.3").code == 0
    (found,) = run("check", NAME, "--format", "json").document["findings"]
    assert found["suppressed"] == "the weather is chosen before the game"
    written = run("new", "--case", NAME, "--folder", str(tmp_path))
    assert written.code == 0, written.err
    assert run("test", str(tmp_path / "ridge_rulings.yaml")).code == 0
    for kind in ("position", "record", "scenario", "case", "board"):
        assert run("schema", kind, NAME).code == 0


@pytest.mark.usefixtures("ridge")
def test_rulings_are_asked_for_and_written_into_the_text(run: Run, ridge: Path) -> None:  # noqa: F811
    (found,) = run("check", NAME, "--rulings", "--format", "json").document["findings"]
    assert found["places"][0]["file"].endswith("ridge.md")
    written = run("check", f"{NAME}/whole", "--rulings", "--accept", found["rule"])
    assert written.code == 0, written.err
    assert "refused take Middle" in (ridge / "ridge.md").read_text()
    assert run("check", NAME, "--rulings", "--format", "json").document["findings"] == []
    assert len(load_cases(NAME)) == 3


def test_players_get_it_as_a_page(ridge: Path, run: Run, tmp_path: Path) -> None:  # noqa: F811
    page = tmp_path / "ridge.html"
    assert run("rulebook", NAME, "-o", str(page)).code == 0
    assert "North and Middle are not enough" in page.read_text()
    assert "no rulebook" in run("rulebook", "ridg", "-o", str(page)).err


@pytest.mark.usefixtures("ridge")
def test_a_study_changes_numbers_of_its_text() -> None:
    """In any scenario, with its board, its settings and its state."""
    study_run = pytest.importorskip("vclogic.studies.run")
    sent = pickle.dumps(Game.load(f"{NAME}/fog"))
    far, near = (study_run._under(sent, (), (("goal - 1", n),)) for n in (2, 3))
    assert (far.value("points(Red)"), near.value("points(Red)")) == (3, 3)
    assert (far.value("holds(heights, Red)"), near.value("holds(heights, Red)")) == (False, True)
    assert pickle.loads(pickle.dumps(near)).value("holds(heights, Red)")
    assert not study_run._under(sent, (("fog", "none"),), (("goal - 1", 3),)).value("holds(heights, Red)")
    with pytest.raises(InputError, match="'owner' stands 4 times in the rulebook"):
        study_run._under(sent, (), (("owner", 1),))


# ---- what else a package may hold


def loaded(folder: Path, files: dict[str, str], monkeypatch: pytest.MonkeyPatch, game: str = NAME) -> Game:
    """The game of a package with other files; empty ones are left out."""
    text_game.write(folder, {path: text for path, text in {**FILES, **files}.items() if text})
    with text_game.installed(folder, monkeypatch):
        return Game.load(game)


NO_SCENARIOS = {"scenarios/whole.yaml": "", "scenarios/fog.yaml": "", "cases/points.yaml": ""}
INCLUDING = TEXT.replace("board goal", "include ridge.yaml\nboard goal")
HILL = "goal: 9\nhills: {Top: {worth: 4, home: Red}}\n"


def test_a_text_with_a_board_needs_no_scenario(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = loaded(tmp_path, {**NO_SCENARIOS, "ridge.md": INCLUDING}, monkeypatch)
    assert (game.setup.game, game.value("points(Blue)")) == ("ridge/start", 5)


def test_a_board_of_the_usual_name_is_that_of_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = loaded(tmp_path, {**NO_SCENARIOS, "board.yaml": HILL}, monkeypatch)
    assert (game.setup.game, game.value("points(Red)")) == ("ridge/start", 4)


def test_a_scenario_without_a_board_has_that_of_the_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"ridge.md": INCLUDING, "scenarios/other.yaml": "title: Other\nboard: hill.yaml\n", "hill.yaml": HILL}
    files["scenarios/whole.yaml"] = "title: Whole\ndefault: true\n"
    assert loaded(tmp_path / "a", files, monkeypatch).value("points(Blue)") == 5
    assert loaded(tmp_path / "b", files, monkeypatch, f"{NAME}/other").value("points(Red)") == 4


def test_a_board_in_the_text_stands_in_for_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = loaded(tmp_path, {**NO_SCENARIOS, "ridge.md": f"{TEXT}\n```board\n{HILL}```\n"}, monkeypatch)
    assert game.value("points(Red)") == 4


def test_its_python_needs_no_trust_and_a_copy_of_it_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = "from vclogic.terms.atoms import integer\n\n\ndef bonus(value, hill):\n    return integer(len(hill))\n"
    text = TEXT.replace("points(side) means", "python more/extra.py\n  bonus(hill)\npoints(side) means")
    files = {"ridge.md": text, "more/extra.py": code, "more/__init__.py": "\n"}
    assert loaded(tmp_path, files, monkeypatch).value("bonus(Middle)") == 6
    with pytest.raises(InputError, match="runs no code"):
        Game.load({"game": str(tmp_path / NAME / "ridge.md"), "board": {"goal": 1, "hills": {}}})


# ---- what may be wrong with a package


Wrong = Iterator[tuple[Diagnostic, ...]]


def faults(folder: Path, files: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> tuple[Diagnostic, ...]:
    """What is told of a package with other files."""
    text_game.write(folder, {path: text for path, text in files.items() if text})
    with text_game.installed(folder, monkeypatch), pytest.raises(InputError) as caught:
        Game.load(NAME)
    return caught.value.diagnostics


def test_a_game_is_written_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (d,) = faults(tmp_path, {**FILES, "rules.py": "ENCODING = 1\n"}, monkeypatch)
    assert d.code == "broken-encoding"
    assert "ridge.md and rules.py both hold its rules" in d.message
    assert d.help == "a game is written once: take ridge.md or rules.py out of the folder"


def test_markdown_without_rules_beside_python_tells_of_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {**FILES, "ridge.md": "# The ridge\n\nHow it is played.\n", "encoding.py": "ENCODING = 1\n"}
    (d,) = faults(tmp_path, files, monkeypatch)
    assert "'ridge.encoding.ENCODING' is no vclogic Encoding" in d.message


def test_a_package_without_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (d,) = faults(tmp_path / "none", {**FILES, "ridge.md": ""}, monkeypatch)
    assert (d.code, d.help) == ("broken-encoding", "is it left out of what its project installs?")
    assert "its package 'ridge' has no ridge.md, encoding.py or rules.py" in d.message
    (d,) = faults(tmp_path / "other", {**FILES, "ridge.md": "", "rules.md": TEXT}, monkeypatch)
    assert d.help == "rename rules.md to ridge.md"


def test_faults_of_the_text_stand_at_its_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = TEXT.replace("owner(hill) becomes", "ower(hill) becomes")
    (d,) = faults(tmp_path, {**FILES, "ridge.md": text}, monkeypatch)
    assert (d.code, d.file, d.line) == ("unknown-name", str(tmp_path / "ridge" / "ridge.md"), 22)
    assert d.help == "did you mean 'owner'?"


def test_an_include_that_is_not_packaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (d,) = faults(tmp_path, {**FILES, "basic/sides.md": ""}, monkeypatch)
    assert (d.code, d.file, d.line) == ("no-such-file", str(tmp_path / "ridge" / "ridge.md"), 8)
    assert "the package ridge has no file" in d.message
    assert "see that the project of the game installs it" in str(d.help)


def test_a_board_that_is_not_packaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (d,) = faults(tmp_path, {**FILES, "ridge.yaml": ""}, monkeypatch)
    assert (d.code, d.message) == ("no-such-file", "the game 'ridge' has no file 'ridge.yaml'")


def test_a_text_of_rules_alone_asks_for_a_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = {path: text for path, text in FILES.items() if path.endswith(".md")}
    (d,) = faults(tmp_path, alone, monkeypatch)
    assert (d.code, d.file) == ("no-board", str(tmp_path / "ridge" / "ridge.md"))
    assert d.help == "name a board with hills, goal in a position: game: ridge, board: FILE.yaml"


# ---- other processes


def test_a_process_that_is_confined_to_a_folder_reads_it(tmp_path: Path) -> None:
    """Its includes too, and nothing else of the package by its path."""
    site, work = tmp_path / "site", tmp_path / "work"
    home = text_game.write(site)
    text_game.write_metadata(site)
    work.mkdir()
    (work / "mine.yaml").write_text("game: ridge/fog\n")
    games = [NAME, "mine.yaml", str(home / "ridge.yaml"), str(home / "basic" / "more.md")]
    asked = [
        {"id": n, "ask": "value", "moment": {"game": game}, "expressions": ["points(Red)"]}
        for n, game in enumerate(games)
    ]
    asked.append({"id": 4, "ask": "plan", "moment": {"game": NAME}, "goal": "points(Red) >= 6"})
    start = (
        "import sys; from vclogic.files.source import confine; from vclogic.__main__ import main; confine(); main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", start, "serve", "--stdio"],
        input="".join(f"{json.dumps(line)}\n" for line in asked),
        text=True,
        capture_output=True,
        cwd=work,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([*sys.path, str(site)])},
        timeout=HANGS,
    )
    replies = {reply["id"]: reply for reply in map(json.loads, done.stdout.splitlines())}
    assert [replies[n]["answer"]["values"] for n in (0, 1)] == [[1], [3]]
    assert replies[4]["answer"]["status"] == "optimal"
    for n in (2, 3):
        assert "is not in the folder that is served" in json.dumps(replies[n]), replies[n]


# ---- a text of somebody else's rules: what it has to say is listed

COVERAGE = "source: The ridge\nclauses: [1.1, 1.2, 1.3, 2.1, 9.1]\nout_of_scope: {2.1: it is advice}\n"
CITING = FILES["cases/points.yaml"].replace("[1.3]", "[1.1, 1.2, 1.3, 9.1]")


def unmet(folder: Path, coverage: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is said of the demands on games whose clauses are listed."""
    for kept in (claims.books, claims.rulings, games.loaded):
        kept.cache_clear()
    text_game.write(folder, {**FILES, "coverage.yaml": coverage, "cases/points.yaml": CITING})
    said = []
    with text_game.installed(folder, monkeypatch):
        assert subjects("covered", [NAME]) == subjects("rulebook", [NAME]) == [NAME]
        for demand in (d for d in DEMANDS if "covered" in signature(d).parameters):
            try:
                demand(NAME)
            except UnmetDemand as error:
                said.append(str(error))
    return said


def test_what_coverage_lists_has_to_be_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert unmet(tmp_path / "all", COVERAGE, monkeypatch) == []
    (silent, unsaid) = unmet(tmp_path / "more", COVERAGE.replace("{2.1: it is advice}", "{}"), monkeypatch)
    assert silent.startswith("no ruling cites 2.1: ")
    assert unsaid.startswith("no code cites 2.1: write the lines that say it below its sentence")
    (other,) = unmet(tmp_path / "fewer", COVERAGE.replace("1.2, ", ""), monkeypatch)
    assert "cites 1.2, which coverage.yaml does not list" in other


def test_a_text_without_coverage_has_no_list_to_keep_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text_game.write(tmp_path)
    with text_game.installed(tmp_path, monkeypatch):
        assert subjects("covered", [NAME]) == []

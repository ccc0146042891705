"""`vclogic new --case` writes rulings that hold as they are, for every game and for one's own."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import pytest
import yaml

from tests.cli.conftest import Run
from tests.toys.template_game import installed
from vclogic.files.registry import encoding_names
from vclogic.files.shapes.documents import file_schema


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("game", [*encoding_names(), "asl/points", "napoleonics/sankt-veit"])
def test_what_is_written_holds(run: Run, game: str) -> None:
    found = run("new", "--case", game, "mine")
    assert (found.code, found.err) == (0, "")
    assert found.out.startswith("mine.yaml: rulings on ")
    found = run("test", "mine.yaml", "--format", "json")
    assert (found.code, found.document["failed"]) == (0, 0)
    assert found.document["expectations"]["all"] >= 3
    text = Path("mine.yaml").read_text(encoding="utf-8")
    assert "\n        - refused: {" in text
    assert max(map(len, text.splitlines())) < 250


@pytest.mark.parametrize("game", ["asl", "napoleonics"])
def test_lines_whose_sign_is_taken_away_are_right(run: Run, game: str) -> None:
    run("new", "--case", game, "mine")
    text = Path("mine.yaml").read_text(encoding="utf-8")
    before, _, after = text[text.index("game:") :].partition("\nrulings:\n")
    kept = [line.removeprefix("# ") for line in before.splitlines() if "my_board" not in line]
    Path("mine.yaml").write_text("\n".join([*kept, "rulings:", after]), encoding="utf-8")
    found = run("test", "mine.yaml")
    assert found.code in (0, 1), found.err
    assert "error[" not in found.out
    content = yaml.safe_load(Path("mine.yaml").read_text(encoding="utf-8"))
    assert {"state", "readings"} <= set(content)


def test_it_fits_its_schema(run: Run) -> None:
    run("new", "--case", "okinawa", "mine")
    content = yaml.safe_load(Path("mine.yaml").read_text(encoding="utf-8"))
    for game in ("okinawa", None):
        assert list(jsonschema.Draft202012Validator(file_schema("case", game)).iter_errors(content)) == []


def test_where_it_is_written(run: Run, tmp_path: Path) -> None:
    (tmp_path / "rulings").mkdir()
    assert run("new", "--case", "asl", "--folder", "rulings", "--format", "json").document == {
        "schema": "vclogic/new_case/1",
        "game": "asl/22u3",
        "file": "rulings/asl_rulings.yaml",
    }
    again = run("new", "--case", "asl", "--folder", "rulings")
    assert again.code == 2
    assert "it is there already" in again.err
    assert run("new", "--case", "asl", "no/such/folder").code == 2
    assert run("new", "--case", "als").code == 2
    assert "vclogic new --case GAME" in run("new").err


def test_a_game_of_ones_own(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own").mkdir()
    with installed(tmp_path / "own", monkeypatch):
        assert run("new", "--case", "hill_war").code == 0
        assert run("test", "hill_war_rulings.yaml").out == "hill_war_rulings.yaml: 2 rulings passed.\n"

"""A folder of scenario cards: a row for each, and a sheet of what each side needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run, run  # noqa: F401
from vclogic.report.markdown import said

GAME = """\
# Two hills

```vclogic
sides Red, Blue
turn is one event
rounds 3
kind hill: North, South
fact owner(hill): side or nobody, starts nobody
event take by side hill
  then owner(hill) becomes side
held(side) means count(hill where owner(hill) == side)
side wins most at the end if held(side) > held(enemy(side))
```
"""
CARDS = {
    "lead.yaml": "  instead of most\n  side wins lead at the end if held(side) - held(enemy(side)) >= 2\n",
    "one_sided.yaml": "  instead of most\n  Red wins hold at once if held(Red) >= 1\n"
    "  Blue wins dream at once if held(Blue) >= 3\n",
    "now.yaml": "  Red wins start at once if held(Blue) <= 1\n  Blue wins start at once if held(Red) >= 1\n",
    "parties.yaml": "  group Allies: Blue\n  instead of most\n  Allies alone win both at once if held(Blue) >= 2\n"
    "  nobody wins draw at once if held(Blue) >= 2\n",
    "typed.yaml": "  Red wins lead if held(Red) >= 1\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in CARDS.items():
        (tmp_path / name).write_text(f"title: The card {name[0]}\ngame: games/hills.md\noutcomes: |\n{text}")
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "hills.md").write_text(GAME)
    (tmp_path / "board.yaml").write_text("rounds: 3\n")  # no card
    return tmp_path


def test_each_card_has_a_row(folder: Path, run: Run) -> None:  # noqa: F811
    found = run("check", str(folder), "--summary", "--format", "json")
    assert found.code == 1
    cards = {Path(c["file"]).name: c for c in found.document["cards"]}
    assert set(cards) == {*CARDS, "hills.md"}
    assert cards["lead.yaml"]["wins"] == {"Red": "no", "Blue": "yes"}  # Blue has the last word of each round
    assert cards["one_sided.yaml"]["wins"] == {"Red": "yes", "Blue": "no"}
    assert cards["now.yaml"]["at_start"] == ["start Red"]
    assert cards["now.yaml"]["contradictions"] == []  # Red has won before it can come to that
    assert cards["parties.yaml"]["wins"] == {"Red": "no", "Blue": "no", "Allies": "yes"}
    assert cards["parties.yaml"]["contradictions"] == [
        "the Allies side wins by both and nobody by draw at one moment"
    ]
    assert cards["typed.yaml"]["errors"][0]["line"] == 4
    text = run("check", str(folder)).out
    assert "lead.yaml" in text
    assert "6 cards: 1 card cannot be read" in text


def test_a_sheet_says_what_each_side_needs(folder: Path, tmp_path: Path, run: Run) -> None:  # noqa: F811
    sheets = tmp_path / "sheets"
    sheets.mkdir()
    run("check", str(folder), "--summary", "--sheets", str(sheets))
    assert sorted(f.name for f in sheets.iterdir()) == ["hills.md", "lead.md", "now.md", "one_sided.md", "parties.md"]
    sheet = (sheets / "lead.md").read_text()
    assert sheet.startswith("# The card l\n")
    held = said("held(side) - held(enemy(side)) >= 2 [lead.yaml:5]")
    assert f"- **lead**, at the end: side wins lead at the end if {held}" in sheet


def test_a_folder_without_cards_is_told(tmp_path: Path, run: Run) -> None:  # noqa: F811
    found = run("check", str(tmp_path), "--summary")
    assert found.code == 2
    assert "there is no card in the folder" in found.err

"""`check --rulings`: changes that no ruling notices become questions with a ruling to paste; --accept writes it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures import text_game
from vclogic import load
from vclogic.check.question import CheckQuestion
from vclogic.check.rulings.rules_with_rulings import RuledText, variants_of
from vclogic.check.rulings.untested_rules import Untold, untold
from vclogic.errors import InputError
from vclogic.query.question import request
from vclogic.query.test.rulings import test_all as try_all

TEXT = """# Hill

**1** Two sides play on a hill.

```vclogic
sides Red, Blue
fact held(side): 0 to 3, starts 0
turn is one event
```

**2** Who is not ahead takes a place.

```vclogic
event take by side
  needs held(side) <= held(enemy(side)), else "the other one comes first"
  then held(side) rises by 1
```

**3** Two places win.

```vclogic
side wins hill at once if held(side) >= 2
```
"""
BOTH = """
```ruling
Two places win
  given held(Red) is 1, held(Blue) is 1
  play take
  expect holds(hill, Red)
One does not
  play take
  expect not holds(hill, Red)
```
"""
READING = """
```vclogic
reading start "Who begins to count?"
  one "one", default "so it seems"
  none "nobody"
lead(side) means held(side) >= 1
event rush by side
  needs start == one or lead(side)
  then held(side) becomes 2
```
"""


def asked(file: Path, *wanted: str, **more: Any) -> Untold:
    """What is asked of a file."""
    question = CheckQuestion(rulings=True, **more)
    return untold(request(load(str(file)), question), (question.select, question.ignore), wanted)


def book(folder: Path, *texts: str) -> Path:
    """A rulebook in a folder."""
    file = folder / "hill.md"
    file.write_text("".join(texts), encoding="utf-8")
    return file


def line_of(file: Path, part: str) -> int:
    """The line that has some words."""
    return next(n for n, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1) if part in line)


def about(found: Untold, line: int) -> list[str]:
    """What is asked about a line."""
    return [f.message for f in found.checked.findings if f.places[0].line == line]


def passed(*files: Path) -> Iterable[str]:
    """The titles of the rulings that hold."""
    return [c.name for c in try_all([str(f) for f in files], cites=False).cases if c.status == "passed"]


def test_a_threshold_that_no_ruling_tells_is_asked_with_the_smallest_position(tmp_path: Path) -> None:
    file = book(tmp_path, TEXT)
    found = asked(file)
    threshold = next(f for f in found.checked.findings if "tells 2 from 1 in: side" in f.message)
    assert threshold.code == "VC801"
    assert threshold.cites == ("3",)
    assert "Is hill won by " in threshold.message
    assert "As it stands: no; with 1: yes" in threshold.message
    assert threshold.witness is not None
    assert threshold.witness.minimal
    assert [c.after for c in threshold.witness.changes] == [1]


def test_rulings_on_both_sides_of_an_edge_leave_nothing_to_ask_about_it(tmp_path: Path) -> None:
    file = book(tmp_path, TEXT)
    line = line_of(file, "side wins hill")
    edge = [f"{line}.{n}" for n in (1, 2)]
    assert len(about(asked(file, *edge), line)) == 2
    assert about(asked(book(tmp_path, TEXT, BOTH), *edge), line) == []


def test_what_makes_no_difference_in_any_position_is_not_asked(tmp_path: Path) -> None:
    file = book(tmp_path, TEXT.replace("held(side) >= 2", "held(side) >= 2 and held(side) <= 3"))
    found = asked(file)
    messages = " ".join(about(found, line_of(file, "side wins hill")))
    assert "tells 3 from 2" in messages
    assert "tells 3 from 4" not in messages  # there are no more than three
    assert "without a difference in any position" in found.checked.rulings


def test_a_need_without_a_ruling_is_asked_as_a_refusal(tmp_path: Path) -> None:
    file = book(tmp_path, TEXT)
    found = asked(file)
    need = next(f for f in found.checked.findings if "whether this is needed: needs" in f.message)
    assert "allowed here? As it stands: no; without it: yes" in need.message
    assert "\n  refused take" in need.ruling


def test_accepted_rulings_stand_below_their_sentences_hold_and_are_not_asked_again(tmp_path: Path) -> None:
    file = book(tmp_path, TEXT, BOTH)
    found = asked(file)
    assert found.checked.findings
    found.write()
    assert len(list(passed(file))) == len(found.checked.findings) + 2
    text = file.read_text(encoding="utf-8")
    assert text.index("refused take") < text.index("**3**")  # that of the second sentence
    assert text.count("```ruling") == 2  # those on the third sentence are in its block
    again = asked(file)
    assert again.checked.findings == ()
    assert again.after == {}


def test_only_what_is_named_is_written_with_the_position_that_was_shown(tmp_path: Path) -> None:
    file = book(tmp_path, TEXT)
    shown = {f.rule: f.ruling.partition("  #")[0] for f in asked(file).checked.findings}
    name, ruling = next((n, r) for n, r in shown.items() if n.startswith(f"{line_of(file, 'side wins')}."))
    found = asked(file, name)
    (text,) = found.after.values()
    assert ruling in text
    assert text.count("expect") + text.count("refused") == 1
    with pytest.raises(InputError, match=r"no question '1\.1'"):
        asked(file, name, "1.1")


def test_nothing_is_written_into_a_file_that_was_changed_meanwhile(tmp_path: Path) -> None:
    file = book(tmp_path, TEXT)
    found = asked(file)
    file.write_text(TEXT + "\nMore.\n", encoding="utf-8")
    with pytest.raises(InputError, match="nothing is written"):
        found.write()
    assert file.read_text(encoding="utf-8") == TEXT + "\nMore.\n"


def test_a_ruling_that_fails_tells_nothing_and_is_counted(tmp_path: Path) -> None:
    file = book(tmp_path, TEXT, BOTH.replace("expect holds(hill, Red)", "expect holds(hill, Blue)"))
    found = asked(file)
    assert "1 more fail" in found.checked.rulings
    assert len(about(found, line_of(file, "side wins hill"))) == 1


def test_a_reading_that_no_ruling_tells(tmp_path: Path) -> None:
    file = book(tmp_path, TEXT, READING)
    found = asked(file, select=("VC504",))
    (reading,) = found.checked.findings
    assert (reading.code, reading.rule) == ("VC504", "start=none")
    assert "\n  under start is one\n" in reading.ruling
    found.write()
    assert asked(file, select=("VC504",)).checked.findings == ()


def test_lines_with_other_ends_are_changed_in_their_place(tmp_path: Path) -> None:
    file = tmp_path / "hill.md"
    file.write_bytes(TEXT.replace("\n", "\r\n").encode())
    line = line_of(file, "needs held")
    found = asked(file, f"{line}.1")
    assert len(found.checked.findings) == 1
    found.write()
    data = file.read_bytes()
    assert b"refused take" in data
    assert data.count(b"\n") == data.count(b"\r\n")
    assert asked(file, f"{line}.1").checked.findings == ()


def test_a_rulebook_on_a_board_is_asked_about_its_events(tmp_path: Path) -> None:
    text_game.write(tmp_path)
    file = tmp_path / text_game.NAME / "alone.md"
    file.write_text(text_game.TEXT.replace("board goal", "include ridge.yaml\nboard goal"))
    findings = load(str(file)).check(rulings=True).findings
    assert any("  refused take Middle" in found.ruling for found in findings)


CARD = """game: hill.md
outcomes: |
  Red wins summit at once if held(Red) + held(Blue) >= 3
"""


def test_a_card_has_its_rulings_in_a_file_beside_it(tmp_path: Path) -> None:
    book(tmp_path, TEXT)
    card = tmp_path / "card.yaml"
    card.write_text(CARD, encoding="utf-8")
    found = asked(card, "3.4")
    (finding,) = found.checked.findings
    assert finding.places[0].line == 3
    assert "tells 3 from 2 in" in finding.message
    assert finding.ruling.startswith("- name: ")
    found.write()
    beside = tmp_path / "card_rulings.yaml"
    assert beside.read_text(encoding="utf-8").startswith("based_on: card.yaml\n")
    assert len(list(passed(beside))) == 1
    assert asked(card, "3.4").checked.findings == ()
    asked(card, "3.5").write()  # below what stands there
    assert len(list(passed(beside))) == 2


def test_a_text_in_quotes_is_said_not_to_be_looked_at(tmp_path: Path) -> None:
    card = tmp_path / "card.yaml"
    book(tmp_path, TEXT)
    line = "Red wins summit at once if held(Red) >= 2"
    card.write_text(f"game: hill.md\noutcomes: {json.dumps(line)}\n", encoding="utf-8")
    assert "4 in quotes" in asked(card).checked.rulings


def test_a_game_in_python_has_no_lines_that_could_be_changed() -> None:
    start = load("moscow/small")
    with pytest.raises(InputError, match="'moscow' is written in Python"):
        start.check(rulings=True)


BOARD = """banners: {Blue: 2, Red: 2}
first: Blue
columns: 5
rows: 4
kinds: {infantry: {move: 1}}
units:
  Blue Foot: {side: Blue, kind: infantry, at: "1,3"}
  Red Foot: {side: Red, kind: infantry, at: "1,0"}
objectives:
  Farm: {kind: temporary, hexes: ["2,1"]}
"""


def test_numbers_of_a_board_in_its_own_file_are_changed_there(tmp_path: Path) -> None:
    (tmp_path / "board.yaml").write_text(BOARD, encoding="utf-8")
    card = tmp_path / "card.yaml"
    card.write_text("game: napoleonics\nboard: board.yaml\n", encoding="utf-8")
    ruled = RuledText.of(load(str(card)).setup)
    changed = {(v.said, v.instead): ruled.texts((), v) for v in variants_of(ruled)}
    assert ("banners Blue", "3") in changed
    board = str(tmp_path / "board.yaml")
    assert changed["kinds infantry move", "2"] == {board: BOARD.replace("move: 1", "move: 2")}
    assert not any("hexes" in said for said, _ in changed)  # names in quotes are no numbers


@pytest.mark.parametrize(
    ("fact", "asked_of"),
    [
        ("fact held(side): 0 to 3, starts 0", {"2", "4", "1"}),
        ("fact held(side): 0 to 99, starts 0", {"1"}),
        ("fact held(side): 0 to 99", set()),
    ],
)
def test_ends_of_long_ranges_are_no_rules(tmp_path: Path, fact: str, asked_of: set[str]) -> None:
    file = book(tmp_path, TEXT.replace("fact held(side): 0 to 3, starts 0", fact))
    line = line_of(file, "fact held")
    assert {v.instead for v in variants_of(RuledText.of(load(str(file)).setup)) if v.line == line} == asked_of

"""Outcomes that are met since something is not on the board, which an event can still bring there (VC211)."""

from __future__ import annotations

from pathlib import Path

import pytest

from vclogic.cli.main import run

BOOK = """# Landing

| unit | side | start |
| --- | --- | --- |
| R1 | Red | A |
| R2 | Red | B |
| B1 | Blue | D |
| B2 | Blue | reserve |

```vclogic
sides Red, Blue
turn is one event
pass always
rounds 6
kind unit, from the table
grid area
  A B
  C D
fact at(unit): area or reserve or eliminated, starts start(unit)
event move by side unit to area
  needs side(unit) == side and adjacent(at(unit), to)
  needs no(other unit of side where at(other) == to)
  then at(unit) becomes to
  then at(other) becomes eliminated for other unit where at(other) == to
event enter by side unit to area
  needs side(unit) == side and at(unit) == reserve and round >= 2 and round <= 4
  needs (to == A or to == D) and no(other unit where at(other) == to)
  then at(unit) becomes to
```

**1** SENTENCE

```vclogic
OUTCOME
otherwise nobody wins time at the end
```
"""
NUMBERS = """# Heaps

```vclogic
sides Red, Blue
turn is one event
pass if nothing else is legal
rounds 4
grid area
  A B C
fact units(side, area): 0 to 2, starts 0
start units(Red, A) is 1
start units(Blue, B) is 1
fact stock(side): 0 to 2, starts 1
event move by side from area to area
  needs adjacent(from, to) and units(side, from) >= 1
  then units(side, from) falls by 1
  then units(side, to) rises by 1
  then units(enemy(side), to) becomes 0
BUILD
```

**1** A side without units has lost.

```vclogic
side loses rout at once if no(area where units(side, area) >= 1)
otherwise nobody wins time at the end
```
"""
BUILD = """event build by side area
  needs stock(side) >= 1
  then stock(side) falls by 1
  then units(side, area) rises by 1"""
CARRIED = """# A ship

| unit | side | start |
| --- | --- | --- |
| Ship | Blue | A |
| Marines | Blue | aboard |
| Tank | Red | C |

```vclogic
sides Red, Blue
turn is one event
pass always
rounds 4
kind unit, from the table
grid area
  A B C
fact at(unit): area or aboard or sunk, starts start(unit)
event sail by Blue area
  needs adjacent(at(Ship), area)
  then at(Ship) becomes area
event unload by Blue
  needs at(Marines) == aboard
  then at(Marines) becomes at(Ship)
event take by Red area
  needs adjacent(at(Tank), area)
  then at(Tank) becomes area
  then at(other) becomes sunk for other unit of Blue where at(other) == area
```

**1** Red wins while no troops of Blue are ashore.

```vclogic
Red wins empty at the end of a turn of Red if no(unit of Blue where unit == Marines and at(unit) in area)
otherwise nobody wins time at the end
```
"""
ROUT = "side loses rout at once if no(unit of side where at(unit) in area)"


def told(folder: Path, text: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What is found of the kind; empty: nothing."""
    (folder / "book.md").write_text(text)
    code = run(["check", str(folder / "book.md"), "--select", "VC211"])
    out = capsys.readouterr()
    assert code in (0, 1), out
    return out.out if "VC211]" in out.out else ""


def book(sentence: str, outcome: str) -> str:
    return BOOK.replace("SENTENCE", sentence).replace("OUTCOME", outcome)


def test_a_side_without_units_on_the_map_may_have_some_in_reserve(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = told(tmp_path, book("A side with no unit on the map has lost.", ROUT), capsys)
    assert "rout of the Red side is met since B2 is not there, and enter can still bring it" in found
    assert found.count("VC211]") == 1
    assert "1.  round 1: Red: move R2 to D" in found


@pytest.mark.parametrize(
    ("sentence", "outcome"),
    [
        (
            "A side with no unit on the map or in reserve has lost.",
            "side loses rout at once if no(unit of side where at(unit) in area or at(unit) == reserve)",
        ),
        (
            "A side whose units are all eliminated has lost.",
            "side loses rout at once if no(unit of side where at(unit) != eliminated)",
        ),
        ("A side with no unit on the map has lost, whatever is in reserve.", ROUT),
        ("A side with no unit on the map has lost, though reinforcements may be due.", ROUT),
        ("Red wins with B1 gone.", "Red wins hunt at once if at(B1) == eliminated"),
        ("From round 5 on a side with no unit on the map has lost.", ROUT.replace("if ", "if round >= 5 and ")),
        (
            "A side with three units on the map has won.",
            "side wins three at once if count(unit of side where at(unit) in area) >= 3",
        ),
    ],
)
def test_it_is_silent_where_nothing_is_missed(
    sentence: str, outcome: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not told(tmp_path, book(sentence, outcome), capsys)


def test_the_last_round_in_which_they_may_come_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from_4 = book("From round 4 on no unit on the map is a defeat.", ROUT.replace("if ", "if round >= 4 and "))
    assert "enter can still bring it" in told(tmp_path, from_4, capsys)


def test_one_unit_that_is_spoken_of_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    alone = book("Red wins while B2 is on no area.", "Red wins early at once if round >= 2 and not at(B2) in area")
    assert "B2 is not there" in told(tmp_path, alone, capsys)


def test_numbers_in_places(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = told(tmp_path, NUMBERS.replace("BUILD", BUILD), capsys)
    assert "units of Blue" in found
    assert "build can still bring" in found
    assert not told(tmp_path, NUMBERS.replace("BUILD\n", ""), capsys)


def test_what_a_carrier_unloads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "Marines is not there, and unload can still bring it" in told(tmp_path, CARRIED, capsys)

"""Findings that a rulebook accepts, in the block of the sentence that they are about."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run

STUCK = """\
# Stones

**1** Red and Blue put three stones, in turn.

```vclogic
sides Red, Blue
turn is one event
fact stones: 0 to 3
event put by side
  then stones rises by 1
{here}
```

**2** The third stone is the last one.

```vclogic
fact seen
{there}
```
"""
ACCEPT = 'accept VC702 "the last stone ends play, and nobody wins"'


def checked(run: Run, file: Path, here: str = "", there: str = "", *options: str) -> list[tuple[str, str | None]]:
    """The findings that have to do with it: their codes, and why they are accepted."""
    file.write_text(STUCK.format(here=here, there=there))
    found = run("check", str(file), "--select", "VC001,VC702", "--format", "json", *options).document["findings"]
    return [(f["code"], f["suppressed"]) for f in found]


def test_what_is_accepted_is_told_with_its_reason(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "stones.md"
    assert checked(run, file) == [("VC702", None)]
    assert checked(run, file, ACCEPT) == [("VC702", "the last stone ends play, and nobody wins")]
    shown = run("check", str(file), "--select", "VC702")
    assert shown.code == 0
    assert "VC702 stuck: the last stone ends play, and nobody wins" in shown.out
    assert "no findings, 1 accepted" in shown.out


def test_it_is_accepted_at_its_own_sentence_alone(run: Run, tmp_path: Path) -> None:
    found = checked(run, tmp_path / "stones.md", there=ACCEPT)
    assert found == [("VC001", None), ("VC702", None)]


def test_what_is_found_no_more_is_a_finding(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "stones.md"
    assert checked(run, file, f"pass if nothing else is legal\n{ACCEPT}") == [("VC001", None)]
    shown = " ".join(run("check", str(file), "--select", "VC001,VC702").out.split())
    assert "VC702 is not found for 1, so there is nothing to accept: this entry is out of date" in shown
    assert f"stones.md:{file.read_text().splitlines().index(ACCEPT) + 1}" in shown


def test_without_numbers_the_block_counts(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "stones.md"
    file.write_text(STUCK.format(here=ACCEPT, there="").replace("**1** ", "").replace("**2** ", ""))
    found = run("check", str(file), "--select", "VC001,VC702", "--format", "json").document["findings"]
    assert [(f["code"], bool(f["suppressed"])) for f in found] == [("VC702", True)]


def test_who_includes_it_need_not_find_it(run: Run, tmp_path: Path) -> None:
    (tmp_path / "stones.md").write_text(STUCK.format(here=ACCEPT, there=""))
    for more, found in (("", [("VC702", True)]), ("pass always", [])):
        (tmp_path / "more.md").write_text(f"```vclogic\ninclude stones.md\n{more}\n```\n")
        told = run("check", str(tmp_path / "more.md"), "--select", "VC001,VC702", "--format", "json").document
        assert [(f["code"], bool(f["suppressed"])) for f in told["findings"]] == found


def test_accepting_says_nothing_of_a_sentence(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.md").write_text(STUCK.format(here="", there="").replace("fact seen", ACCEPT))
    found = run("check", str(tmp_path / "x.md"), "--select", "VC701", "--format", "json").document["findings"]
    assert [f["rule"] for f in found] == ["sentence[2]"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('accept VC799 "why"', "VC799 is no code of a finding"),
        ('accept stuck "why"', "the code of a finding is missing here"),
        ("accept VC702", "why is missing here"),
    ],
)
def test_what_cannot_be_accepted_is_told_at_its_line(run: Run, tmp_path: Path, line: str, said: str) -> None:
    file = tmp_path / "stones.md"
    file.write_text(STUCK.format(here=line, there=""))
    told = run("check", str(file))
    assert told.code == 2
    assert said in told.err
    assert f"stones.md:{file.read_text().splitlines().index(line) + 1}" in told.err

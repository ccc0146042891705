"""The rulings of a rulebook: what can be tried in one, and from what position."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from vclogic.cli.main import run

RULES = """\
# Stones

**1** Two sides put stones onto two places, which have room for two each.

```vclogic
sides Red, Blue
kind place: A, B
turn is one event
fact stones(place): 0 to 2, starts 0
fact seen(place)
  becomes true at once if stones(place) >= 1
event put by side place
  needs stones(place) <= 1, else "{place} is full"
  then stones(place) rises by 1
left(place) means 2 - stones(place)
event sweep by side
  then stones(place) becomes 0 for place if turn == Blue
```

```ruling
"""


Tried = Callable[[str], tuple[int, str]]


@pytest.fixture
def tried(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Tried:
    """What `vclogic test` says of a ruling, with its exit code."""
    monkeypatch.chdir(tmp_path)

    def of(ruling: str) -> tuple[int, str]:
        (tmp_path / "stones.md").write_text(f"{RULES}{ruling}```\n")
        code = run(["test", "stones.md"])
        shown = capsys.readouterr()
        return code, " ".join((shown.out + shown.err).split())

    return of


def test_play_goes_on_without_what_is_refused(tried: Tried) -> None:
    lines = "Full\n  given stones(A) is 2\n  refused put A\n  play put B\n  expect turn == Blue\n  refused put A\n"
    assert tried(lines) == (0, "stones.md: 1 ruling passed.")


def test_what_is_legal_is_not_refused(tried: Tried) -> None:
    code, said = tried("Free\n  refused put A\n  expect turn == Red\n")
    assert code == 1
    assert "stones.md:22:11" in said
    assert "put(A) is allowed" in said


def test_what_is_given_late_is_told(tried: Tried) -> None:
    code, said = tried("Late\n  play put A\n  given stones(B) is 2\n  expect turn == Blue\n")
    assert code == 2
    assert "stones.md:23:9" in said
    assert "given stands behind what is tried already" in said


def test_a_fact_at_once_is_that_of_the_position_that_is_given(tried: Tried) -> None:
    lines = "Seen\n  given stones(A) is 1\n  expect seen(A) and not seen(B)\n"
    assert tried(lines)[0] == 0
    lines = "Given\n  given stones(A) is 1, seen(A) is false\n  expect not seen(A)\n"
    assert tried(lines)[0] == 0


def test_a_change_for_each_may_have_a_condition(tried: Tried) -> None:
    lines = "Sweep\n  given stones(A) is 2, stones(B) is 1\n  play sweep\n  expect stones(A) == 2\n  play sweep\n"
    assert tried(f"{lines}  expect stones(A) == 0 and stones(B) == 0\n")[0] == 0


def test_a_definition_may_be_called_as_a_line_begins(tried: Tried) -> None:
    assert tried("Left\n  given stones(A) is 2\n  expect left(A) == 0 and left(B) == 2\n")[0] == 0


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("", "stones.md:21:1 21 | T | ^ help: write below it: expect CONDITION, or refused EVENT"),
        ("  play put A", "the ruling 'T' tries nothing"),
        ("  expects turn == Red", "stones.md:22:3 22 | expects turn == Red | ^ help: did you mean 'expect'?"),
        ("  given stone(A) is 1\n  refused sweep", "22 | given stone(A) is 1 | ^ help: did you mean 'stones'?"),
        ("  given stones is 1\n  refused sweep", "help: write stones(place) is VALUE, with the names for each kind"),
        ("  given turn(Red) is 1\n  refused sweep", "help: write turn is VALUE"),
        ("  under wet is dry\n  refused sweep", "there is no Reading or option 'wet'"),
    ],
)
def test_a_ruling_that_cannot_be_read_is_told_in_its_own_language(tried: Tried, lines: str, said: str) -> None:
    code, told = tried(f"T\n{lines}\n")
    assert code == 2
    assert said in told
    assert told.count("error[") == 1
    assert "expect:" not in told


def test_what_is_wrong_with_the_rulebook_is_told_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rulings = "One\n  expect turn == Red\nTwo\n  expect turn == Red\n```\n"
    (tmp_path / "stones.md").write_text(RULES.replace("2 - stones(place)", "2 - stone(place)") + rulings)
    (tmp_path / "well.md").write_text(RULES + rulings)
    for targets in (["stones.md"], ["well.md", "stones.md"]):
        assert run(["test", *targets]) == 2
        shown = capsys.readouterr()
        assert shown.err.count("error[unknown-name]: unknown name 'stone'") == 1


def test_rulings_to_fill_in_are_in_the_language_of_rulebooks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my stones.md").write_text(RULES + "One\n  expect turn == Red\n```\n")
    assert run(["new", "--case", "my stones.md"]) == 0
    text = (tmp_path / "my stones_rulings.md").read_text()
    assert '```vclogic\ninclude "my stones.md"\n```' in text
    assert "\n  play put A\n" in text
    assert run(["test", "my stones_rulings.md"]) == 0
    (tmp_path / "below").mkdir()
    assert run(["new", "--case", "my stones.md", "--folder", "below"]) == 2
    assert "put it beside the rulebook" in capsys.readouterr().err

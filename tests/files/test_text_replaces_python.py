"""The game that `vclogic new --python` writes, and the same as text in its place: nobody's files see the change."""

from __future__ import annotations

import pickle
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import vclogic
from tests.cli.conftest import Run, run  # noqa: F401
from tests.toys.template_game import installed
from vclogic import moment
from vclogic.errors import InputError
from vclogic.files.registry import is_text
from vclogic.game import Game
from vclogic.model.memoized import Latest

TEXT = """\
# Hill war

## 1 Moves

**1/1** A side takes a place that the other side holds, if a road leads there from a place of its own.

```vclogic
sides Red, Blue
areas place, from places of the board
column home(place): side, from owner in places of the board
column worth(place): 1 to 99, from points in places of the board
board needed: 1 to 99
fact owner(place): side, starts home(place)
event take by side place, at any time
  needs owner(place) != side, else "{side} holds it already"
  needs some(near place where adjacent(near, place) and owner(near) == side), else "no road leads there"
  then owner(place) becomes side
```

**1/2** Nothing is taken any more once a side has won.

**2/1** A side wins at once when the places that it holds are worth at least 9 points.

```vclogic
points(side) means sum(worth(place) for place where owner(place) == side)
side wins victory at once if points(side) >= needed
```
"""
BOARD = """\
needed: 9
places:
  Red Hill: {owner: Red, points: 3, borders: [Mill, Bridge]}
  Mill: {owner: Red, points: 1, borders: [Ford]}
  Bridge: {owner: Red, points: 2, borders: [Farm]}
  Ford: {owner: Blue, points: 2, borders: [Village]}
  Farm: {owner: Blue, points: 1, borders: [Blue Hill]}
  Village: {owner: Blue, points: 1, borders: [Blue Hill]}
  Blue Hill: {owner: Blue, points: 3}
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the game's package, which is in Python, and is kept in git so."""
    with installed(tmp_path, monkeypatch) as folder:
        who = ("-c", "user.name=a", "-c", "user.email=a")
        for words in (("init", "-q"), ("add", "."), (*who, "commit", "-qm", "x")):
            subprocess.run(["git", *words], cwd=folder.parent, check=True)
        yield folder


def rewrite(package: Path) -> None:
    """Put the text in the place of the Python."""
    for name in ("rules.py", "board.py", "coverage.yaml"):
        (package / name).unlink()
    (package / "hill_war.md").write_text(TEXT)
    (package / "board.yaml").write_text(BOARD)
    assert is_text("hill_war")


def sent(game: Game) -> bytes:
    """A pickled game, which this process then does not know as its own."""
    found = pickle.dumps(game)
    moment._CACHE = Latest(1)
    return found


def test_its_rulings_and_records_stay_as_they_are(package: Path, run: Run, tmp_path: Path) -> None:  # noqa: F811
    record = tmp_path / "mine.yaml"
    record.write_text("game: hill_war/first\nrecord:\n  - {take: {side: Red, place: Ford}}\n")
    before = vclogic.load(str(record))
    rewrite(package)
    after = vclogic.load(str(record))
    assert after.setup.encoding is not before.setup.encoding
    assert after.setup.game == before.setup.game == "hill_war/first"
    for asked in ("points(Red)", "owner(Ford)", "holds(victory, Red)"):
        assert after.value(asked) == before.value(asked)
    tested = run("test", "hill_war", "--format", "json").document
    assert (tested["passed"], tested["failed"]) == (5, 0)


def test_it_is_compared_with_the_python_that_it_replaces(package: Path, run: Run) -> None:  # noqa: F811
    rewrite(package)
    same = run("compare", "hill_war", "--against", "HEAD", "--format", "json").document
    assert (same["status"], same["b"]["game"]) == ("equal", "hill_war of HEAD")
    text = package / "hill_war.md"
    text.write_text(TEXT.replace(">= needed", "> needed"))
    other = run("compare", "hill_war", "--against", "HEAD", "--format", "json").document
    assert other["status"] == "differ"


def test_the_python_is_compared_with_a_text(package: Path, run: Run, tmp_path: Path) -> None:  # noqa: F811
    draft = tmp_path / "draft"
    (draft / "scenarios").mkdir(parents=True)
    (draft / "scenarios" / "first.yaml").write_text((package / "scenarios" / "first.yaml").read_text())
    (draft / "hill_war.md").write_text(TEXT)
    (draft / "board.yaml").write_text(BOARD)
    assert not is_text("hill_war")
    same = run("compare", "hill_war", "--against", str(draft), "--format", "json").document
    assert (same["status"], same["b"]["game"]) == ("equal", "hill_war of draft")
    (draft / "hill_war.md").write_text(TEXT.replace("owner(place) becomes", "ower(place) becomes"))
    wrong = run("compare", "hill_war", "--against", str(draft))
    assert wrong.code == 2
    assert "draft/hill_war.md:17:8" in wrong.err


def test_versions_of_the_text_are_compared(package: Path, run: Run, tmp_path: Path) -> None:  # noqa: F811
    rewrite(package)
    (tmp_path / "older").mkdir()
    found = run("compare", "hill_war", "--against", str(tmp_path / "older"))
    assert "no hill_war.md, encoding.py or rules.py" in found.err
    for name in ("hill_war.md", "board.yaml", "scenarios"):
        subprocess.run(["cp", "-r", str(package / name), str(tmp_path / "older")], check=True)
    same = run("compare", "hill_war", "--against", str(tmp_path / "older"), "--format", "json").document
    assert same["status"] == "equal"


def test_a_pickled_game_of_another_version_is_refused(package: Path) -> None:
    in_python = sent(vclogic.load("hill_war"))
    rewrite(package)
    with pytest.raises(InputError, match="was pickled by another version of its rules"):
        pickle.loads(in_python)
    as_text = sent(vclogic.load("hill_war").apply("take", side="Red", place="Ford"))
    assert pickle.loads(as_text).value("owner(Ford)") == "Red"
    moment._CACHE = Latest(1)
    (package / "hill_war.md").write_text(TEXT.replace(">= needed", "> needed"))
    with pytest.raises(InputError, match="was pickled by another version of its rules"):
        pickle.loads(as_text)

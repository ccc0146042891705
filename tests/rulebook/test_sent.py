"""A pickled game of a rulebook carries its text: where the file is missing, or another one, it is the game it was."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import vclogic

RULES = """\
# Two hills

**1** Red and Blue take hills.

```vclogic
include map.md
sides Red, Blue
rounds 3
fact owner(hill): side or nobody, starts nobody
event take by side hill
  needs owner(hill) == nobody
  then owner(hill) becomes side
Red wins hold at the end if owner(North) == Red
otherwise Blue wins hold
```
"""
MAP = """\
# The map

```vclogic
kind hill: North, South
```
"""
ASKED = """\
import pickle, sys
game = pickle.load(sys.stdin.buffer)
print(game.loaded.game, len(list(game.legal().events())), pickle.loads(pickle.dumps(game)) == game)
"""


def in_another_process(game: bytes) -> list[str]:
    return (
        subprocess.run([sys.executable, "-c", ASKED], input=game, capture_output=True, check=True)
        .stdout.decode()
        .split()
    )


@pytest.mark.parametrize("now", ["as it was", "missing", "changed", "its map is changed"])
def test_it_is_the_game_that_was_sent(tmp_path: Path, now: str) -> None:
    rules, its_map = tmp_path / "rules.md", tmp_path / "map.md"
    rules.write_text(RULES)
    its_map.write_text(MAP)
    sent = pickle.dumps(vclogic.load(str(rules)))
    match now:
        case "missing":
            rules.unlink()
        case "changed":
            rules.write_text("# Nothing")
        case "its map is changed":
            its_map.write_text(MAP.replace("South", "South, East"))
    name, legal, same = in_another_process(sent)
    assert (legal, same) == ("3", "True")  # two hills, and to end the turn
    assert Path(name).name == "rules.md"
    assert (name == str(rules)) is (now == "as it was")

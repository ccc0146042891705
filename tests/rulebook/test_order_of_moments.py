"""The order of moments within one event, as the reference page has it, at each pair of them."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

import vclogic

ENDS = ("at the end of fight", "at the end of a turn", "at the end of a round")
STARTS = ("at the start of a round", "at the start of a turn", "at the start of march")
PHASES = """# Moments

```vclogic
sides Red, Blue
turn is march, fight
rounds {rounds}
fact due, starts false
event rest by side
  then due becomes due
{lines}
```
"""
ONE = PHASES.replace("turn is march, fight", "turn is one event").replace(
    "event rest by side\n  then due becomes due", "event rest by side\n  then due becomes true"
)


def winner(folder: Path, text: str, moments: tuple[str, str], rounds: int) -> tuple[str, ...]:
    """Who has won by what, after the event that ends Blue's turn, and with it the round."""
    lines = "\n".join(
        f"{side} wins {side.lower()} {when} if due" for side, when in zip(("Red", "Blue"), moments, strict=True)
    )
    (folder / "book.md").write_text(text.format(rounds=rounds, lines=lines))
    game = vclogic.load(str(folder / "book.md"))
    if "one event" in text:
        after = game.at_state({"turn": "Blue"}).apply("rest", side="Blue")
    else:
        after = game.at_state({"turn": "Blue", "phase": "fight", "due": True}).apply("end_phase", side="Blue")
    return after.status().winners


@pytest.mark.parametrize("pair", [*combinations((*ENDS, *STARTS), 2), *combinations((*ENDS, "at the end"), 2)])
@pytest.mark.parametrize("turned", [False, True])
def test_the_earlier_moment_ends_the_game(pair: tuple[str, str], turned: bool, tmp_path: Path) -> None:
    rounds = 1 if "at the end" in pair else 2
    moments = (pair[1], pair[0]) if turned else pair  # whatever the text says first
    assert winner(tmp_path, PHASES, moments, rounds) == (("Blue",) if turned else ("Red",))


@pytest.mark.parametrize("later", [*ENDS[1:], *STARTS[:2], "at the end"])
@pytest.mark.parametrize("turned", [False, True])
def test_at_once_comes_before_all_others(later: str, turned: bool, tmp_path: Path) -> None:
    moments = (later, "at once") if turned else ("at once", later)
    found = winner(tmp_path, ONE, moments, 1 if later == "at the end" else 2)
    assert found == (("Blue",) if turned else ("Red",))

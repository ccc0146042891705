"""What stands against a proof, against brute force over all positions of a small game; and that a law ends it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

import vclogic
from tests.fixtures.pace import examples
from vclogic.query.reach import all_events
from vclogic.query.reach.answer import Reach
from vclogic.query.reach.by_steps import unanswered
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.report.json import document
from vclogic.report.text.page import render
from vclogic.report.text.reach import reach as report

ROWS, STONES = 4, 9
BOOK = f"""
**1** Each row that is laid is one stone longer.

```vclogic
sides Red, Blue
turn is any number of events
fact rows(side): 0 to {ROWS}
fact stones: 0 to {STONES}
event lay by side
  then rows(side) rises by 1
  then stones rises by rows(side)
event lift by side
  needs rows(side) >= 1
  then rows(side) falls by 1
  then stones falls by rows(side) - 1
LAW
```
"""
Position = tuple[str, int, int, int]
"""Whose turn it is, the rows of Red and of Blue, and the stones."""


def asked(folder: Path, goal: str, law: str = "") -> Reach:
    """The answer where no search decides."""
    file = folder / "rows.md"
    file.write_text(BOOK.replace("LAW", law))

    def undecided(resolved: ResolvedQuestion, **more: object) -> Reach:
        return unanswered(resolved, "not looked for")

    with patch.object(all_events, "reach_by_events", undecided):
        return vclogic.load(str(file)).reach(goal, side="Red", opponent="helps", timeout=600)


def after(at: Position) -> Iterator[tuple[str, Position]]:
    """The events of a position, and where they lead."""
    turn, red, blue, stones = at
    mine = red if turn == "Red" else blue
    for event, rows, more in (("lay", mine + 1, mine), ("lift", mine - 1, 1 - mine)):
        if 0 <= rows <= ROWS and 0 <= stones + more <= STONES:
            yield event, (turn, *((rows, blue) if turn == "Red" else (red, rows)), stones + more)


@examples(30)
@given(st.integers(0, ROWS), st.integers(0, ROWS), st.integers(1, STONES), st.integers(0, 4))
def test_a_proof_fails_at_the_nearest_position_that_the_laws_allow(
    tmp_path_factory: pytest.TempPathFactory, red: int, blue: int, stones: int, law: int
) -> None:
    def lawful(at: Position) -> bool:
        return at[3] >= law * at[1]

    def reached(at: Position) -> bool:
        return at[1:] == (red, blue, stones)

    positions = product(("Red", "Blue"), range(ROWS + 1), range(ROWS + 1), range(STONES + 1))
    against = {
        at: dict(after(at))
        for at in positions
        if lawful(at) and not reached(at) and any(reached(then) for _, then in after(at))
    }
    start = ("Red", 0, 0, 0)
    fewest = min((sum(x != y for x, y in zip(at, start, strict=True)) for at in against), default=None)
    folder = tmp_path_factory.mktemp("rows")
    goal = f"rows(Red) == {red} and rows(Blue) == {blue} and stones == {stones}"
    found = asked(folder, goal, f"always stones >= {law} * rows(Red)").against_proof
    if fewest is None:
        assert found is None
        return
    assert found is not None
    names = ("turn", "rows[Red]", "rows[Blue]", "stones")
    at = tuple(found.changes.get(n, x) for n, x in zip(names, start, strict=True))
    assert len(found.changes) == fewest
    assert reached(against[at][found.step.action])  # type: ignore[index]


def test_the_answer_shows_where_a_proof_fails(tmp_path: Path) -> None:
    found = asked(tmp_path, "rows(Red) == 3 and rows(Blue) == 0 and stones == 4")
    text = " ".join(render(report(found)).split())
    assert "A proof fails at this position, which the laws of the game allow" in text
    assert "from there one event leads to the goal: Red: l" in text
    assert document("reach", found)["against_proof"]["step"]["action"] in ("lay", "lift")


def test_a_law_takes_away_what_stands_against_a_proof(tmp_path: Path) -> None:
    near = ("rows(Red) != 2 or stones != 2", "rows(Red) != 4 or stones != 7", "rows(Red) != 3 or rows(Blue) != 1")
    laws = [f"always {law}" for law in near]
    goal = "rows(Red) == 3 and rows(Blue) == 0 and stones == 4"
    assert asked(tmp_path, goal, "\n".join(laws[:2])).against_proof is not None
    found = asked(tmp_path, goal, "\n".join(laws))
    assert found.against_proof is None
    assert "against_proof" not in document("reach", found)

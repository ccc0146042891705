"""What was not decided when it was first asked is asked again, while there is time."""

from __future__ import annotations

from collections.abc import Set

from tests.fixtures.games import loaded
from tests.query.objectives.test_choose import asking, built_for
from vclogic.clock import Deadline
from vclogic.query.objectives.choose import ways_of
from vclogic.query.objectives.ways import Way, Ways
from vclogic.query.objectives.winning import parts
from vclogic.solve.problem import Search

LONG = 300.0


class Hesitant:
    """Ways that do not know the answer when they are asked without an objective for the first time."""

    def __init__(self, ways: Ways):
        self._ways = ways
        self.asked: list[frozenset[str]] = []

    def find(
        self,
        closed: Set[str],
        deadline: Deadline,
        *,
        most: int | None = None,
        cheapest: bool = False,
        first: str | None = None,
    ) -> Way:
        """See `ways.Ways`."""
        again = closed in self.asked
        self.asked.append(frozenset(closed))
        if closed and not again:
            return Way("unknown", Search(reason="not yet"))
        return self._ways.find(closed, deadline, most=most, cheapest=cheapest, first=first)


def test_what_was_open_is_asked_again() -> None:
    asked = asking(loaded("axis_allies"), "Axis", "vcp(Axis) >= 40", 3)
    ways = ways_of(built_for(asked), asked)
    best = ways.find(frozenset(), Deadline(LONG))
    sure = parts(asked, ways, best, Deadline(LONG))
    hesitant = Hesitant(ways)
    found = parts(asked, hesitant, best, Deadline(LONG))
    assert (found.winning, found.denial) == (sure.winning, sure.denial)
    assert found.landmarks == sure.landmarks
    assert len(found.landmarks.found) == 3
    assert all(frozenset({m.name}) in hesitant.asked for m in found.landmarks.found)

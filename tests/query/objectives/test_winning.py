"""What was not decided when it was first asked is asked again, while there is time."""

from __future__ import annotations

from dataclasses import replace

from tests.fixtures.games import loaded
from tests.query.objectives.test_choose import asking, built_for
from vclogic.clock import Deadline
from vclogic.query.objectives.choose import ways_of
from vclogic.query.objectives.ways import ObjectiveWay, ObjectiveWays, Sought, WaySearch
from vclogic.query.objectives.winning import parts
from vclogic.solve.problem import SearchResult

LONG = 300.0


class Hesitant(WaySearch):
    """A search that does not know the answer when it is asked without an objective for the first time."""

    def __init__(self, search: WaySearch | None):
        assert search is not None
        self._search = search
        self.asked: list[frozenset[str]] = []

    def answer(self, sought: Sought, deadline: Deadline) -> ObjectiveWay:
        """See `ways.WaySearch`."""
        again = sought.closed in self.asked
        self.asked.append(sought.closed)
        if sought.closed and not again:
            return ObjectiveWay("unknown", SearchResult(reason="not yet"))
        return self._search.answer(sought, deadline)


def test_what_was_open_is_asked_again() -> None:
    asked = asking(loaded("axis_allies"), "Axis", "vcp(Axis) >= 40", 3)
    ways = ways_of(built_for(asked), asked, Deadline(LONG))
    best = ways.find(frozenset(), Deadline(LONG))
    sure = parts(asked, ways, best, Deadline(LONG))
    hesitant = Hesitant(ways.search)
    found = parts(asked, ObjectiveWays(hesitant), best, Deadline(LONG))
    assert (found.winning, found.denial) == (sure.winning, sure.denial)
    assert found.landmarks == sure.landmarks
    assert len(found.landmarks.found) == 3
    assert all(frozenset({m.name}) in hesitant.asked for m in found.landmarks.found)


class Late(WaySearch):
    """A search that finds the cheapest plan only when an objective is closed, and nothing else.

    Args:
        ways: Who answers.
        late: What is closed when a way is found.
    """

    def __init__(self, ways: ObjectiveWays, late: frozenset[str]):
        self._ways = ways
        self._late = late

    def answer(self, sought: Sought, deadline: Deadline) -> ObjectiveWay:
        """See `ways.WaySearch`."""
        if sought.closed == self._late:
            way = self._ways.find(sought.closed, deadline, cheapest=True)
            return replace(way, search=replace(way.search, lower_bound=None, bound_by=None))
        return ObjectiveWay("unknown", SearchResult(reason="not asked"))


def dear(way: ObjectiveWay) -> ObjectiveWay:
    """A way of which no more is known than that it leads to the goal."""
    return replace(way, search=replace(way.search, lower_bound=1, reason="not yet"))


def test_the_cheapest_plan_is_the_cheapest_that_was_found() -> None:
    asked = asking(loaded("axis_allies"), "Axis", "vcp(Axis) >= 40", 4)
    ways = ways_of(built_for(asked), asked, Deadline(LONG))
    cheap = ways.find(frozenset(), Deadline(LONG), cheapest=True)
    best = ways.find({"Eastern United States"}, Deadline(LONG), cheapest=True)
    assert (cheap.search.cost, best.search.cost) == (3, 4)
    late = Late(ways, frozenset(sorted((best.takes - cheap.takes) & asked.main)[:1]))
    found = parts(asked, ObjectiveWays(late), dear(best), Deadline(LONG))
    assert found.best.search.cost == found.winning.sets[0].cost.cost == cheap.search.cost
    assert (found.best.search.lower_bound, found.best.search.reason) == (1, "not yet")
    assert {*found.winning.sets[0].takes} == cheap.takes & asked.main
    assert not found.winning.complete

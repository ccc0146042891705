"""A question that earlier answers decide is not asked again, whoever gave them; against brute force."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random
from unittest.mock import patch

import pytest

from tests.query.objectives.test_ways import asked_of
from tests.toys.capture_objectives import quest
from vclogic.clock import TIME_UP, Deadline, TimeUp
from vclogic.query.objectives.choose import CheapestSearch
from vclogic.query.objectives.session_ways import SessionSearch
from vclogic.query.objectives.ways import ObjectiveWay, ObjectiveWays, SearchPerGoal, Sought, WaySearch
from vclogic.solve.problem import NOTHING, SearchResult

LONG = 300.0
NAMES = "abcde"


@dataclass(frozen=True)
class Truth:
    """A plan: what it takes, what it takes first, and its cost."""

    takes: frozenset[str]
    first: str | None
    cost: int


def fitting(truth: Sequence[Truth], sought: Sought) -> list[Truth]:
    """The plans that a question asks for, the cheapest first; its limit of cost aside."""
    some = [t for t in truth if not t.takes & sought.closed and sought.first in (None, t.first)]
    return sorted(some, key=lambda t: t.cost)


@dataclass
class Unsure(WaySearch):
    """Answers that are right, at times not whole, and never better than they must be."""

    truth: Sequence[Truth]
    rng: Random
    asked: list[tuple[Sought, ObjectiveWay]] = field(default_factory=list)
    ordered: bool = True

    def answer(self, sought: Sought, deadline: Deadline) -> ObjectiveWay:
        """See `ways.WaySearch`."""
        way = self._answer(sought)
        self.asked.append((sought, way))
        if way.search.reason == TIME_UP:
            raise TimeUp
        return way

    def _answer(self, sought: Sought) -> ObjectiveWay:
        some, rng = fitting(self.truth, sought), self.rng
        assert sought.at_least <= (some[0].cost if some else 100)
        dice = rng.random()
        if dice < 0.1:
            return ObjectiveWay("unknown", replace(NOTHING, reason=TIME_UP))
        cheap = [t for t in some if sought.most is None or t.cost <= sought.most]
        if not cheap:
            return ObjectiveWay("none", SearchResult(exhausted=True, bound_by="trying"))
        if dice < 0.2:
            return ObjectiveWay("unknown", SearchResult(lower_bound=rng.randint(0, some[0].cost), reason="hard"))
        one = cheap[0] if sought.cheapest and dice < 0.8 else rng.choice(cheap)
        bound = some[0].cost if dice < 0.8 else None
        return ObjectiveWay(
            "found", SearchResult((), one.cost, bound, bound_by="trying", reason="hard"), None, one.takes
        )


def decided(asked: Sequence[tuple[Sought, ObjectiveWay]], sought: Sought) -> bool:
    """Whether answers decide a question."""
    bounds, costs = [-2.0], []
    for before, way in asked:
        if before.closed <= sought.closed and before.first in (None, sought.first):
            least = way.search.lower_bound
            bounds.append(-2 if least is None else least - 1)
            if way.status == "none":
                bounds.append(1e9 if before.most is None else before.most)
        if way.status == "found" and not way.takes & sought.closed and sought.first in (None, before.first):
            costs.append(way.search.cost or 0)
    most = 1e9 if sought.most is None else sought.most
    cheap = min(costs, default=1e9 + 1)
    return max(bounds) >= most or (cheap <= most and (not sought.cheapest or cheap - 1 <= max(bounds)))


def some_question(rng: Random) -> Sought:
    closed = frozenset(n for n in NAMES if rng.random() < 0.3)
    first = rng.choice([None, None, *sorted(set(NAMES) - closed)]) if rng.random() < 0.5 else None
    return Sought(closed, rng.choice((None, rng.randint(0, 6))), rng.random() < 0.5, first)


def right(truth: Sequence[Truth], sought: Sought, way: ObjectiveWay) -> None:
    """An answer is true, and as good as the question asks for."""
    some = fitting(truth, sought)
    cheap = [t for t in some if sought.most is None or t.cost <= sought.most]
    if way.status == "none":
        assert not cheap
    if way.status == "found":
        assert any((t.takes, t.cost) == (way.takes, way.search.cost) for t in cheap)
        assert (way.search.lower_bound or 0) <= some[0].cost
    if way.search.reason == "":
        assert not sought.cheapest or way.status != "found" or way.search.cost == way.search.lower_bound


def some_truth(rng: Random) -> list[Truth]:
    some = [frozenset(n for n in NAMES if rng.random() < 0.5) for _ in range(rng.randint(0, 8))]
    return [Truth(takes, rng.choice([None, *sorted(takes)]), rng.randint(0, 6)) for takes in some]


def find(ways: ObjectiveWays, sought: Sought) -> ObjectiveWay:
    return ways.find(sought.closed, Deadline(LONG), most=sought.most, cheapest=sought.cheapest, first=sought.first)


@pytest.mark.parametrize("seed", range(3))
def test_what_is_known_is_not_asked_again(seed: int) -> None:
    rng, spared = Random(seed), 0
    for _ in range(20):
        truth = some_truth(rng)
        search = Unsure(truth, rng)
        ways = ObjectiveWays(search)
        for _ in range(25):
            sought, before = some_question(rng), len(search.asked)
            known = decided(search.asked, sought)
            way = find(ways, sought)
            right(truth, sought, way)
            assert len(search.asked) - before == (not known), (sought, search.asked)
            assert way.status != "unknown" or not known
            spared += known
    assert spared > 50


@pytest.mark.parametrize("seed", range(3))
def test_each_of_several_goals_remembers_its_own(seed: int) -> None:
    rng, spared = Random(seed), 0
    for _ in range(20):
        each = [some_truth(rng) for _ in range(2)]
        searches = [Unsure(truth, rng) for truth in each]
        ways = ObjectiveWays(SearchPerGoal(searches))
        for _ in range(25):
            sought = some_question(rng)
            before = [len(search.asked) for search in searches]
            known = [decided(search.asked, replace(sought, cheapest=True)) for search in searches]
            right([*each[0], *each[1]], sought, find(ways, sought))
            for search, n, so in zip(searches, before, known, strict=True):
                assert not so or len(search.asked) == n
            spared += any(known) and not all(known)
    assert spared > 50


def test_what_one_search_has_proved_spares_the_other_its_question() -> None:
    asked, ways = asked_of(quest(4, led=0, metric="turns"))
    assert isinstance(ways.search, CheapestSearch)
    best = ways.find(frozenset(), Deadline(LONG), cheapest=True)
    assert best.cheapest
    other = next(iter(asked.main - best.takes))
    below = Sought(frozenset({other}), most=best.cost - 1)
    assert isinstance(ways.search.of(below), SessionSearch), "another search than that of the cheapest plan"
    with patch.object(SessionSearch, "answer", side_effect=AssertionError("asked again")):
        assert find(ways, below).status == "none"
        assert find(ways, Sought(below.closed, cheapest=True)).cost == best.cost

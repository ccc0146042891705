"""What objectives are worth: as brute force says, and with the time shared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from unittest.mock import patch

import pytest

from tests.fixtures.pace import MORE, seeds
from tests.oracles.captures import Moment
from tests.oracles.objectives import Plans, plans
from tests.toys.capture_objectives import Quest, known, quest
from vclogic.clock import TIME_UP, Deadline
from vclogic.query.answers import Horizon
from vclogic.query.objectives.answer import Cost, Denial, Landmarks, ObjectiveValue, Winning
from vclogic.query.objectives.brief import About, Question, in_turns, values
from vclogic.query.objectives.request import ObjectivesQuestion
from vclogic.query.objectives.ways import ObjectiveWay, ObjectiveWays, Sought, WaySearch
from vclogic.query.objectives.winning import Parts
from vclogic.solve.problem import NOTHING, SearchResult
from vclogic.terms.expressions.compiled import Goal

UNIT = "capture"
LONG = 60.0


@dataclass(frozen=True)
class Told(WaySearch):
    """The answers as brute force knows them."""

    plans: Plans

    def answer(self, sought: Sought, deadline: Deadline) -> ObjectiveWay:
        costs = [
            cost
            for (taken, begun), cost in self.plans.costs.items()
            if not taken & sought.closed and (sought.first is None or sought.first in begun)
        ]
        if not costs:
            return ObjectiveWay("none", SearchResult(exhausted=True, bound_by="trying"))
        return ObjectiveWay("found", SearchResult((), min(costs), min(costs), bound_by="trying"))


def asked_of(q: Quest, within: int | None) -> ObjectivesQuestion:
    ask = q.m.ask(q.side, q.opponent, q.metric, within)
    return ObjectivesQuestion(replace(ask, goal=Goal(q.terms.wish.text, q.m.term(q.terms.wish))), 100)


def moment_of(q: Quest, asked: ObjectivesQuestion) -> Moment:
    now = asked.resolved.system.layout.values(asked.resolved.state)
    fluent = asked.resolved.system.layout.by_name
    return replace(q.m.start, owners=tuple(str(now[fluent[f"owner[{t}]"]]) for t in q.m.world.land))


def cost(n: int | None, within: int | None, best: int | None) -> Cost:
    horizon = Horizon(within, UNIT)
    if n is None:
        return Cost("impossible", bound_by="trying", horizon=horizon)
    return Cost("optimal", n, n, None if best is None else n - best, "trying", horizon=horizon)


def parts_of(found: Plans, *, known: bool = True) -> Parts:
    """What is known of the winning sets: all of it, or nothing; plans are not."""
    cheapest = frozenset(some for some, c in found.winning.items() if known and c == found.cost)
    return Parts(
        Winning((), known, known),
        Landmarks(()),
        Denial((), known),
        {},
        cheapest,
        known,
        ObjectiveWay("unknown", NOTHING),
    )


def answered(q: Quest) -> tuple[ObjectivesQuestion, Plans, tuple[ObjectiveValue, ...]]:
    found = known(q)
    within = q.within if q.within is not None else found.fewest_steps
    asked = asked_of(q, within)
    now = cost(found.cost, within, found.cost)

    def again(other: ObjectivesQuestion) -> ObjectiveWays:
        return ObjectiveWays(Told(plans(q.play(moment_of(q, other)), within)))

    return asked, found, values(asked, ObjectiveWays(Told(found)), now, parts_of(found), again, Deadline(LONG))


def test_values_on_random_boards_are_those_of_brute_force() -> None:
    seen: Counter[str] = Counter()
    for seed in seeds(range(20), range(60)):
        q = quest(seed)
        asked, found, rows = answered(q)
        within, now = asked.resolved.within, q.m.start
        prizes = [p for p in q.prizes if p.main]
        assert [r.name for r in rows] == [p.name for p in prizes]
        for row, prize in zip(rows, prizes, strict=True):
            having = [s for s in prize.held if prize.has(q.m.world, s)(now)]
            assert row.holder == (having[0] if len(having) == 1 else None)
            assert row.held == (q.side in having)
            assert row.cheapest == found.in_cheapest(prize.name)
            new = row.name in found.new
            assert new == (q.side in prize.held and not row.held)
            assert row.first == (cost(found.first(row.name), within, found.cost) if new else None), (seed, row)
            closed = None if row.held else cost(found.closed(row.name), within, found.cost)
            assert row.closed == closed, (seed, row)
            there = q.without(row.name) if row.held else None
            expected = None if there is None else cost(plans(q.play(there), within).cost, within, found.cost)
            assert row.lost == expected, (seed, row)
            for kind in ("first", "closed", "lost"):
                worth = getattr(row, kind)
                seen[
                    f"{kind} {'nothing' if worth is None else worth.status if not worth.difference else 'more'}"
                ] += 1
    assert all(
        seen[f"{kind} {what}"] >= (3 if MORE else 1) for kind in ("first", "closed", "lost") for what in WORTHS
    ), seen


WORTHS = ("nothing", "optimal", "more", "impossible")


# ---- sharing the time


class Clock:
    """Stands in for the module `time` in `vclogic.clock`; time passes where a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now

    def thread_time(self) -> float:
        return self.now


@contextmanager
def clock() -> Iterator[Clock]:
    fake = Clock()
    with patch("vclogic.clock.time", fake):
        yield fake


def slow(fake: Clock, needs: float, shares: list[float]) -> Question:
    """A question that is decided once it gets so many seconds at a time."""

    def ask(deadline: Deadline) -> ObjectiveWay:
        shares.append(deadline.left)
        fake.now += min(needs, deadline.left)
        if needs > shares[-1]:
            return ObjectiveWay("found", SearchResult((), 5, 2, reason=TIME_UP))
        return ObjectiveWay("found", SearchResult((), 4, 4))

    return ask


def test_each_question_gets_its_share_and_what_others_leave() -> None:
    with clock() as fake:
        shares: list[float] = []
        needs = [1, 50, 1, 50]
        asked: dict[About, Question] = {(str(i), "first"): slow(fake, n, shares) for i, n in enumerate(needs)}
        found = in_turns(asked, Deadline(40))
    assert shares == pytest.approx([10, 13, 13, 25])
    assert [w.search.lower_bound for w in found.values()] == [4, 2, 4, 2]


def test_what_is_not_decided_gets_the_time_that_is_left() -> None:
    with clock() as fake:
        shares: list[float] = []
        asked: dict[About, Question] = {(str(i), "first"): slow(fake, n, shares) for i, n in enumerate([16, 1, 1])}
        found = in_turns(asked, Deadline(30))
    assert shares == pytest.approx([10, 10, 19, 18])
    assert all(w.search.lower_bound == 4 for w in found.values())


def test_a_question_that_gives_up_early_is_not_asked_again() -> None:
    times = []

    def gives_up(deadline: Deadline) -> ObjectiveWay:
        times.append(deadline)
        return ObjectiveWay("unknown", replace(NOTHING, reason="no memory"))

    found = in_turns({("A", "first"): gives_up}, Deadline(LONG))
    assert len(times) == 1
    assert found["A", "first"].search.reason == "no memory"


def test_what_is_not_asked_in_time_is_unknown_with_the_reason() -> None:
    q = next(q for q in map(quest, range(100)) if known(q).main and known(q).cost)
    asked, found, _ = answered(q)
    now = cost(found.cost, asked.resolved.within, found.cost)
    rows = values(
        asked,
        ObjectiveWays(Told(found)),
        now,
        parts_of(found, known=False),
        lambda a: ObjectiveWays(Told(found)),
        Deadline(0),
    )
    open_ = [r for r in rows if r.name in found.new]
    assert open_
    for row in open_:
        assert row.cheapest is None
        assert row.first is not None
        assert (row.first.status, row.first.cost, row.first.reason) == ("unknown", None, TIME_UP)


def test_the_better_of_two_tries_counts() -> None:
    tries = iter([SearchResult((), 5, 1, reason=TIME_UP), SearchResult((), 7, 3, reason=TIME_UP)])
    with clock() as fake:

        def ask(deadline: Deadline) -> ObjectiveWay:
            fake.now += deadline.left / 2 if len(shares) else deadline.left
            shares.append(deadline)
            return ObjectiveWay("found", next(tries))

        shares: list[Deadline] = []
        both: dict[About, Question] = {("A", "first"): ask, ("B", "first"): slow(fake, 1, [])}
        way = in_turns(both, Deadline(10))["A", "first"]
    assert (way.search.cost, way.search.lower_bound) == (5, 3)

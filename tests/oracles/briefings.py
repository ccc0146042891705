"""Whether a briefing says what brute force says (`objectives.py`), in every part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

from tests.oracles.objectives import Names, Plans, Play, Threat, fewest_to_stop, plans
from vclogic.query.objectives import answer as told
from vclogic.query.plan.answer import OnePlan
from vclogic.query.planner.planner import Planner
from vclogic.query.resolved_question import ResolvedQuestion


class Prize(Protocol):
    """An objective."""

    @property
    def name(self) -> str: ...

    @property
    def main(self) -> bool: ...

    @property
    def held(self) -> Mapping[str, Any]: ...


class Question(Protocol):
    """A question about objectives, with its meaning for brute force."""

    @property
    def side(self) -> str: ...

    @property
    def opponent(self) -> str: ...

    @property
    def within(self) -> int | None: ...

    @property
    def defends(self) -> bool: ...

    @property
    def sides(self) -> Sequence[str]: ...

    @property
    def enemies(self) -> Sequence[str]: ...

    @property
    def prizes(self) -> Sequence[Prize]: ...

    @property
    def asked(self) -> Mapping[str, Any]: ...

    def planner(self) -> Planner: ...

    def ask(self) -> ResolvedQuestion: ...

    def done(self, plan: OnePlan) -> Sequence[Hashable]: ...

    def play(self, start: Any = None) -> Play[Any]: ...

    def free(self) -> Play[Any]: ...

    def feared(self, enemy: str, start: Any) -> Play[Any]: ...

    def has(self, side: str, name: str, place: Any) -> bool: ...

    def without(self, name: str) -> Any: ...


Seen = Counter[tuple[str, object]]
"""How often each part gave no answer, one, or several, and what else was met."""
MANY = 2


@dataclass
class Checked:
    """A briefing beside what brute force finds.

    Attributes:
        question: The question.
        answer: The briefing.
        seen: What was met.
    """

    question: Question
    answer: told.Objectives
    seen: Seen = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.play = self.question.play()
        self.main = [p.name for p in self.question.prizes if p.main and self.question.side in p.held]

    def all(self) -> None:
        """All parts agree."""
        truth = self.plans()
        self.winning(self.answer.winning, truth, self.play)
        self.denial(truth)
        self.landmarks(truth)
        self.values(truth)
        self.threats()
        self.next(truth)

    # ---- the goal

    def plans(self) -> Plans:
        """All plans within the horizon of the answer, which is as defined."""
        answer, within = self.answer, self.question.within
        best = plans(self.play, within)
        k = answer.horizon.n
        truth = best
        if within is not None or best.cost is None:
            assert k == within
        else:
            assert k is not None
            truth = plans(self.play, k)
            assert truth.cost == best.cost, "a cheapest plan takes as many steps"
            assert best.fewest_steps is not None
            assert k >= best.fewest_steps
        assert (answer.cost.status, answer.cost.cost) == verdict(truth.cost)
        assert answer.status == answer.cost.status
        self.seen["status", answer.status] += 1
        self.seen["held already", self.play.holds_already] += 1
        return truth

    # ---- sets

    def winning(self, winning: told.Winning, truth: Plans, play: Play[Any]) -> None:
        """The winning sets are all there are, each with a plan that takes it and no more."""
        assert winning.complete, winning.reason
        assert winning.all_cheapest, winning.reason
        found = {frozenset(w.takes): (w.cost.cost, w.smallest, w.cheapest) for w in winning.sets}
        smallest, best = truth.smallest, truth.cost
        assert found == {w: (c, w in smallest, c == best) for w, c in truth.winning.items()}
        order = [o.name for o in self.question.prizes]
        keys = [(w.cost.cost, len(w.takes), [order.index(n) for n in w.takes]) for w in winning.sets]
        assert keys == sorted(keys)
        assert all(list(w.takes) == sorted(w.takes, key=order.index) for w in winning.sets)
        assert [w.n for w in winning.sets] == list(range(1, len(keys) + 1))
        for w in winning.sets:
            walk = walked(play, self.question.done(w.plan))
            assert walk.met
            assert walk.cost == w.cost.cost
            assert walk.taken & truth.main == frozenset(w.takes)
        self.count("winning", winning.sets)
        self.seen["winning, not smallest", any(not w.smallest for w in winning.sets)] += 1

    def denial(self, truth: Plans) -> None:
        """The denial sets are all there are, and each member that is not kept lets a winning set through."""
        denial = self.answer.denial
        assert denial.complete, denial.reason
        assert {frozenset(d.keeps) for d in denial.sets} == truth.denial
        assert len(denial.sets) == len(truth.denial)
        sizes = [len(d.keeps) for d in denial.sets]
        assert sizes == sorted(sizes)
        takes = {w.n: frozenset(w.takes) for w in self.answer.winning.sets}
        for d in denial.sets:
            assert d.bound_by
            assert [leak.name for leak in d.leaks] == list(d.keeps)
            assert all(takes[leak.winning] & set(d.keeps) == {leak.name} for leak in d.leaks)
        self.count("denial", denial.sets)

    def landmarks(self, truth: Plans) -> None:
        """What every plan takes."""
        landmarks = self.answer.landmarks
        assert not landmarks.open, landmarks.reason
        assert [m.name for m in landmarks.found] == [
            p.name for p in self.question.prizes if p.name in truth.landmarks
        ]
        assert all(m.main == (m.name in truth.main) and m.bound_by for m in landmarks.found)
        self.count("landmarks", landmarks.found)

    # ---- each objective

    def values(self, truth: Plans) -> None:
        """What each objective is worth."""
        rows = {o.name: o for o in self.answer.objectives}
        assert list(rows) == [p.name for p in self.question.prizes if p.main]
        start = self.play.start
        for name, row in rows.items():
            holders = [s for s in self.question.sides if self.question.has(s, name, start)]
            assert row.holder == (holders[0] if len(holders) == 1 else None)
            assert row.held == (self.question.side in holders)
            new = name in truth.main
            assert row.cheapest == truth.in_cheapest(name) or not new
            assert (row.first is not None, row.closed is not None) == (new, not row.held)
            if row.first is not None:
                self.cost("first", row.first, self.play, partial(Plans.first, name=name))
            if row.closed is not None:
                self.cost("closed", row.closed, self.play, partial(Plans.closed, name=name))
            there = self.question.without(name) if row.held else None
            assert (row.lost is not None) == (there is not None)
            if row.lost is not None:
                self.cost("lost", row.lost, self.question.play(there), lambda found: found.cost)

    def cost(self, kind: str, cost: told.Cost, play: Play[Any], least: Callable[[Plans], int | None]) -> None:
        """A cost is the least, under the limit that it names: none, or that of the question; so is the difference."""
        limit = cost.horizon.n if cost.horizon else None
        assert limit in (None, self.answer.horizon.n)
        best = least(plans(play, limit))
        assert (cost.status, cost.cost) == verdict(best), (kind, cost, best)
        now = plans(self.play, limit).cost
        assert cost.difference == (None if best is None or now is None else best - now), (kind, cost)
        self.seen[kind, cost.status if cost.difference is None else min(max(cost.difference, -1), 1)] += 1

    # ---- enemies, and what next

    def threats(self) -> None:
        """What each enemy can do, and what stops it."""
        assert [t.side for t in self.answer.threats] == list(self.question.enemies)
        for threat in self.answer.threats:
            play = self.question.feared(threat.side, self.play.start)
            limit = threat.horizon.n
            if self.answer.horizon.n or self.question.within is not None:
                assert limit == self.answer.horizon.n
            else:  # the enemy's own: as many steps as its cheapest plan takes
                least = plans(play, None)
                assert (limit is None) == (least.cost is None)
                assert limit is None or limit >= (least.fewest_steps or 0)
            truth = plans(play, limit)
            assert (threat.cost.status, threat.cost.cost) == verdict(truth.cost)
            self.winning(threat.winning, truth, play)
            assert (threat.stop is None) == (truth.cost is None)
            self.count("threats", threat.winning.sets)
            if threat.stop is not None:
                self.stop(threat.stop, threat.side, limit)

    def stop(self, stop: told.Stop, enemy: str, limit: int | None) -> None:
        """The fewest moves that stop a threat; `defend` counts choices, and only where the side is on turn."""
        feared = Threat(lambda place: self.question.feared(enemy, place), limit)
        own, defends = self.question.free(), self.question.defends
        assert stop.by == ("defend" if defends else "moves")
        if defends and not any(True for _ in own.moves(own.start)):
            assert (stop.status, bool(stop.reason)) == ("unknown", True)
            return
        best = fewest_to_stop(own, feared, stop.cost.horizon.n if stop.cost.horizon else None)
        assert stop.status == ("lost" if best is None else "stopped"), (stop, best)
        assert stop.cost.cost == best or self.question.defends, (stop, best)
        assert (stop.plan is None) == (best is None)
        if stop.plan is not None:
            walk = walked(own, self.question.done(stop.plan))
            assert walk.cost == best or self.question.defends
            assert not all(map(feared.there, walk.places))
        self.seen["stop", stop.status if not best else min(best, MANY)] += 1

    def next(self, truth: Plans) -> None:
        """A plan of the first of the cheapest winning sets."""
        following, sets = self.answer.next, self.answer.winning.sets
        assert (following is None) == (truth.cost is None)
        if following is None:
            return
        walk = walked(self.play, self.question.done(following.plan))
        assert walk.met
        assert walk.cost == following.cost.cost == truth.cost
        assert set(following.takes) == walk.taken & truth.main == set(sets[0].takes)
        when = [walk.when[name] for name in following.takes]
        assert when == sorted(when)
        assert following.steps == following.plan.steps[: len(following.steps)]
        assert bool(following.steps) == bool(following.plan.steps)
        self.seen["next", bool(following.steps)] += 1

    def count(self, kind: str, found: Sequence[object]) -> None:
        """Note whether there was no answer, one, or several."""
        self.seen[kind, min(len(found), MANY)] += 1


def verdict(cost: int | None) -> tuple[str, int | None]:
    """How an answer says what the least cost is."""
    return ("impossible" if cost is None else "optimal"), cost


# ---- plans


@dataclass(frozen=True)
class Walk:
    """A plan as it was played.

    Attributes:
        places: Where it can end, the best first.
        met: Whether the goal holds there, and what the plan must hold has happened.
        cost: What it cost.
        taken: The new objectives that were had after some step.
        when: After which step each was had first.
    """

    places: Sequence[Any]
    met: bool
    cost: int
    taken: Names
    when: Mapping[str, int]

    @property
    def place(self) -> Any:
        """Where it ends."""
        return self.places[0]


def walked(play: Play[Any], done: Iterable[Hashable]) -> Walk:
    """Plays a plan; each of its steps must be possible. Of several places that it may lead to the best counts."""
    layer: dict[tuple[Any, frozenset[int]], int] = {(play.start, frozenset()): 0}
    when: dict[str, int] = {}
    for n, what in enumerate(done):
        following: dict[tuple[Any, frozenset[int]], int] = {}
        for (place, marks), cost in layer.items():
            for move in play.moves(place):
                if move.what == what:
                    key = move.after, marks | move.marks
                    following[key] = min(cost + move.cost, following.get(key, cost + move.cost))
        assert following, f"{what} is not possible"
        layer = following
        for name in play.has(next(iter(layer))[0]):
            when.setdefault(name, n)
    ends = [(not (len(marks) == play.required and play.met(at)), cost, at) for (at, marks), cost in layer.items()]
    ends.sort(key=lambda end: end[:2])
    missed, cost, _ = ends[0]
    return Walk([at for *_, at in ends], not missed, cost, frozenset(when), when)


def briefed(question: Question, seen: Seen, planner: Planner | None = None, budget_s: float = 60) -> told.Objectives:
    """Asks a question; the answer is that of brute force in every part."""
    answer = (planner or question.planner()).objectives(**question.asked, budget_s=budget_s)
    Checked(question, answer, seen).all()
    return answer

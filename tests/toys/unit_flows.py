"""Units that move along edges in bounded numbers, by brute force and as a problem for solvers."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import count as numbers
from itertools import product

from hypothesis import strategies as st

from vclogic.encode.python.evaluator import Stepper
from vclogic.model.fluents import Family, Layout
from vclogic.model.transition import Hints, Transition
from vclogic.solve.problem import Problem, SearchResult, prepare
from vclogic.terms.atoms import TRUE, var
from vclogic.terms.build import add, and_, eq, ge, implies, is_in, ite, le, linear, or_, scale
from vclogic.terms.domain import Domain
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term

AREAS = ("a", "b", "c", "d")
MOST = 6
TIMES = EnumSort("time", ("day", "night", "dawn"))
Moment = tuple[tuple[int, ...], tuple[bool, ...], int]
"""Units and whether it is held, per area; and the time of day."""


@dataclass(frozen=True)
class Edge:
    """Where units can go.

    Attributes:
        a: From here.
        b: To here.
        most: No more than so many in one step.
        toll: What each one costs.
        both: Whether a negative number goes the other way.
    """

    a: int
    b: int
    most: int
    toll: int
    both: bool

    @property
    def choice(self) -> Term:
        return var(f"{AREAS[self.a]} to {AREAS[self.b]}", IntSort(-self.most if self.both else 0, self.most))


@dataclass(frozen=True)
class Flow:
    """A small map with units; only steps that begin by day count if there are times of day.

    Attributes:
        edges: Where units can go.
        room: No more units than this may stand in each area after a step.
        start: Units in each area at first.
        enough: An area is held once so many units stand in it after a step.
        times: Whether times of day pass; at night one edge at the most is used.
    """

    edges: tuple[Edge, ...]
    room: tuple[int, ...]
    start: tuple[int, ...]
    enough: int
    times: bool

    # ---- as terms

    @cached_property
    def families(self) -> tuple[Family, ...]:
        areas = Domain(EnumSort("area", AREAS[: len(self.start)]))
        return (
            Family("units", IntSort(0, MOST), "units", (areas,)),
            Family("held", BOOL, "held", (areas,)),
            Family("time", TIMES, "time of day"),
        )

    @cached_property
    def layout(self) -> Layout:
        return Layout(self.families)

    @property
    def units(self) -> list[Term]:
        return [self.families[0][a] for a in AREAS[: len(self.start)]]

    @property
    def held(self) -> list[Term]:
        return [self.families[1][a] for a in AREAS[: len(self.start)]]

    @property
    def time(self) -> Term:
        return self.families[2].fluent

    @cached_property
    def transition(self) -> Transition:
        legality: list[Term] = []
        following: dict[Term, Term] = {}
        for i, (here, held) in enumerate(zip(self.units, self.held, strict=True)):
            leaving = add(*(_leaving(e, i) for e in self.edges))
            after = add(
                here, *(e.choice for e in self.edges if e.b == i), *(_back(e) for e in self.edges if e.a == i)
            )
            legality += [le(leaving, here), le(after, self.room[i])]
            following[here] = after
            following[held] = or_(held, ge(after, self.enough))
        used = linear((1, or_(ge(e.choice, 1), le(e.choice, -1))) for e in self.edges)
        if self.times:
            legality.append(implies(eq(self.time, "night"), le(used, 1)))
            day, night = eq(self.time, "day"), eq(self.time, "night")
            word = [var("unused", TIMES, mask=1 << i) for i in range(3)]
            following[self.time] = ite(day, word[1], ite(night, word[2], word[0]))
        return Transition(
            choices=tuple(e.choice for e in self.edges),
            legality=tuple(legality),
            next=following,
            cost=add(*(scale(_size(e), e.toll) for e in self.edges)),
            describe=lambda chosen, values: (),
            counts=is_in(self.time, ["day"]) if self.times else TRUE,
            hints=Hints(cheapest=0 if self.times else min(e.toll for e in self.edges)),
        )

    def state(self, moment: Moment) -> tuple[int, ...]:
        return (*moment[0], *map(int, moment[1]), moment[2])

    def prepared(self, goal: Term, within: int | None, keep: tuple[Term, ...] = ()) -> Problem:
        start = self.layout.constants(self.state(self.begin))
        return prepare(self.transition, start, goal, tail=None, metric="moved", within=within, keep=keep)

    # ---- in plain Python

    @property
    def begin(self) -> Moment:
        return self.start, tuple(n >= self.enough for n in self.start), 0

    def after(self, moment: Moment, moved: tuple[int, ...]) -> Moment | None:
        """The moment after so many have moved along each edge; None if that is not allowed."""
        units, held, time = moment
        out, new = [0] * len(units), list(units)
        for e, n in zip(self.edges, moved, strict=True):
            out[e.a if n > 0 else e.b] += abs(n)
            new[e.a] -= n
            new[e.b] += n
        if any(n > here for n, here in zip(out, units, strict=True)):
            return None
        if any(n > room for n, room in zip(new, self.room, strict=True)):
            return None
        if self.times and time == 1 and sum(map(bool, moved)) > 1:
            return None
        later = tuple(h or n >= self.enough for h, n in zip(held, new, strict=True))
        return tuple(new), later, (time + 1) % 3 if self.times else 0

    def steps(self, moment: Moment) -> Iterator[tuple[Moment, int]]:
        """Every moment after one step, with the cost."""
        cheapest: dict[Moment, int] = {}
        for moved in product(*(range(-e.most if e.both else 0, e.most + 1) for e in self.edges)):
            after = self.after(moment, moved)
            if after is not None:
                cost = sum(abs(n) * e.toll for e, n in zip(self.edges, moved, strict=True))
                cheapest[after] = min(cost, cheapest.get(after, cost))
        yield from cheapest.items()

    def costs(self, within: int) -> dict[Moment, int]:
        """The least cost of every moment that so many steps that count lead to."""
        number = numbers()
        known: dict[Moment, list[tuple[Moment, int]]] = {}
        best: dict[Moment, int] = {}
        done: dict[Moment, int] = {}  # steps used: to come later with no fewer is useless
        queue = [(0, 0, next(number), self.begin)]
        while queue:
            cost, used, _, moment = heapq.heappop(queue)
            if done.get(moment, used + 1) <= used:
                continue
            done[moment] = used
            best.setdefault(moment, cost)
            spent = used + (moment[2] == 0 or not self.times)
            if spent <= within:
                if moment not in known:
                    known[moment] = list(self.steps(moment))
                for after, more in known[moment]:
                    if done.get(after, spent + 1) > spent:
                        heapq.heappush(queue, (cost + more, spent, next(number), after))
        return best


def _leaving(edge: Edge, area: int) -> Term:
    """How many leave an area along an edge."""
    nobody = scale(edge.choice, 0)
    if edge.a == area:
        return ite(ge(edge.choice, 0), edge.choice, nobody) if edge.both else edge.choice
    return ite(ge(edge.choice, 0), nobody, _back(edge)) if edge.both and edge.b == area else nobody


def _back(edge: Edge) -> Term:
    return scale(edge.choice, -1)


def _size(edge: Edge) -> Term:
    return ite(ge(edge.choice, 0), edge.choice, _back(edge))


@dataclass(frozen=True)
class Sum:
    """A weighted sum over units and held areas."""

    units: tuple[int, ...]
    held: tuple[int, ...]

    def term(self, flow: Flow) -> Term:
        return linear([*zip(self.units, flow.units, strict=True), *zip(self.held, flow.held, strict=True)])

    def value(self, moment: Moment) -> int:
        parts = zip((*self.units, *self.held), (*moment[0], *moment[1]), strict=True)
        return sum(k * x for k, x in parts)


@dataclass(frozen=True)
class Wish:
    """A goal: a sum of at least a bound, and some areas held, perhaps at a time of day."""

    sum: Sum
    bound: int
    held: tuple[int, ...]
    time: int | None

    def term(self, flow: Flow) -> Term:
        at = TRUE if self.time is None else eq(flow.time, TIMES.members[self.time])
        return and_(ge(self.sum.term(flow), self.bound), *(flow.held[i] for i in self.held), at)

    def met(self, moment: Moment) -> bool:
        in_time = self.time is None or moment[2] == self.time
        return self.sum.value(moment) >= self.bound and all(moment[1][i] for i in self.held) and in_time

    def cheapest(self, reached: Mapping[Moment, int]) -> int | None:
        """What the cheapest of some moments costs that meets the wish; None if none does."""
        return min((cost for moment, cost in reached.items() if self.met(moment)), default=None)


@st.composite
def flows(draw: st.DrawFn) -> Flow:
    n = draw(st.integers(3, 4))
    pairs = [(i, j) for i in range(n) for j in range(n) if i != j]
    chosen = draw(st.lists(st.sampled_from(pairs), min_size=2, max_size=4, unique=True))
    chosen = [(i, j) for i, j in chosen if (j, i) not in chosen or i < j]
    edges = tuple(
        Edge(i, j, draw(st.integers(1, 2)), draw(st.integers(1, 3)), draw(st.booleans())) for i, j in chosen
    )
    start = [0] * n
    for _ in range(draw(st.integers(1, 5))):
        start[draw(st.integers(0, n - 1))] += 1
    room = tuple(draw(st.integers(max(k, 1), MOST)) for k in start)
    return Flow(edges, room, tuple(start), draw(st.integers(1, 3)), draw(st.integers(0, 3)) == 0)


@st.composite
def sums(draw: st.DrawFn, flow: Flow) -> Sum:
    n = len(flow.start)
    weights = st.tuples(*[st.integers(-2, 3)] * n)
    return Sum(draw(weights), draw(weights))


@st.composite
def wishes(draw: st.DrawFn, flow: Flow, reached: Mapping[Moment, int]) -> Wish:
    """A goal that some moment reached satisfies, most of the time just so."""
    moment = draw(st.sampled_from(sorted(reached)))
    weighed = draw(sums(flow))
    held = tuple(i for i, h in enumerate(moment[1]) if h and draw(st.booleans()))
    time = moment[2] if flow.times and draw(st.booleans()) else None
    return Wish(weighed, weighed.value(moment) + draw(st.sampled_from((0, 0, 0, 1, 2))), held, time)


@st.composite
def questions(draw: st.DrawFn) -> tuple[Flow, int, Wish, int | None]:
    """A flow, the most steps, a goal, and the least that it costs; None if it is out of reach."""
    flow = draw(flows())
    within = draw(st.integers(0, 1 if flow.times else 3))
    wish = draw(wishes(flow, flow.costs(within + 1)))
    return flow, within, wish, wish.cheapest(flow.costs(within))


def replayed(flow: Flow, found: SearchResult) -> tuple[Moment, int]:
    """Where the steps of a plan lead, played by the Python evaluator and by hand, and what they cost."""
    stepper = Stepper(flow.layout, flow.transition)
    moment, cost = flow.begin, 0
    for step in found.steps or ():
        chosen = dict.fromkeys(flow.transition.choices, 0) | dict(step)
        state = flow.state(moment)
        cost += stepper.cost(state, chosen)
        after = flow.after(moment, tuple(chosen[e.choice] for e in flow.edges))
        assert after is not None
        assert stepper.step(state, chosen) == flow.state(after)
        moment = after
    return moment, cost

"""Random rule sets in which nothing is lost, with what they mean in plain Python, and all their plans by trying."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Any

from vclogic.encode.goal_regression import Regressions
from vclogic.model.actions import Action, Requirement
from vclogic.model.transition import one_at_a_time
from vclogic.solve.problem import Problem
from vclogic.terms.atoms import FALSE, TRUE, integer, member, var
from vclogic.terms.build import and_, eq, floordiv, ge, ite, linear, not_, or_
from vclogic.terms.reach import Graph, reach
from vclogic.terms.sorts import BOOL, EnumSort, IntSort
from vclogic.terms.term import Term

METRIC = "n"
POWER = EnumSort("power", ("none", "Red", "Blue"))
FLAGS = tuple(f"b{i}" for i in range(5))
OWNERS = ("o0", "o1")
NUMBERS = ("n0",)
FLUENTS: Mapping[str, Term] = {
    **{n: var(n, BOOL) for n in FLAGS},
    **{n: var(n, POWER) for n in OWNERS},
    **{n: var(n, IntSort(0, 6)) for n in NUMBERS},
}
Fact = tuple[Any, ...]
"""`("has", fluent, least)`, `("is", fluent, member)`, `("not", fact)`, `("and"/"or", facts)`, `("if", fact, fact,
fact)`, `("sum", least, weights and facts, divisor)`, `("reach", places, edges, sources, free, place)`."""
Values = Mapping[str, int]


def true(fact: Fact, at: Values) -> bool:
    """Whether a fact holds."""
    match fact:
        case ("has", fluent, least):
            return bool(at[fluent] >= least)
        case ("is", fluent, number):
            return bool(at[fluent] == number)
        case ("not", a):
            return not true(a, at)
        case ("and", parts):
            return all(true(a, at) for a in parts)
        case ("or", parts):
            return any(true(a, at) for a in parts)
        case ("if", a, b, c):
            return true(b if true(a, at) else c, at)
        case ("sum", least, pairs, divisor):
            return bool(worth(pairs, at) // divisor >= least)
        case ("reach", places, edges, sources, free, place):
            found = {i for i in range(places) if true(sources[i], at)}
            for _ in range(places):
                found |= {b for a, b in edges if a in found and true(free[b], at)}
            return place in found
    raise ValueError(fact)


def worth(pairs: Sequence[tuple[int, Any]], at: Values) -> int:
    """What a weighted sum of facts and numbers comes to."""
    return sum(k * (at[a] if isinstance(a, str) else true(a, at)) for k, a in pairs)


def term(fact: Fact) -> Term:
    """A fact as a term."""
    match fact:
        case ("has", fluent, least):
            v = FLUENTS[fluent]
            if least <= 0:
                return TRUE
            if fluent in FLAGS:
                return v
            return not_(eq(v, "none")) if fluent in OWNERS else ge(v, least)
        case ("is", fluent, number):
            return eq(FLUENTS[fluent], POWER.members[number]) if fluent in OWNERS else eq(FLUENTS[fluent], number)
        case ("not", a):
            return not_(term(a))
        case ("and", parts):
            return and_(*map(term, parts))
        case ("or", parts):
            return or_(*map(term, parts))
        case ("if", a, b, c):
            return ite(term(a), term(b), term(c))
        case ("sum", least, pairs, divisor):
            return ge(floordiv(sum_term(pairs), divisor), least)
        case ("reach", places, edges, sources, free, place):
            graph = Graph(tuple(range(places)), tuple(edges))
            return reach(graph, dict(enumerate(map(term, sources))), dict(enumerate(map(term, free))))[place]
    raise ValueError(fact)


def sum_term(pairs: Sequence[tuple[int, Any]]) -> Term:
    """A weighted sum as a term."""
    return linear((k, FLUENTS[a] if isinstance(a, str) else term(a)) for k, a in pairs)


@dataclass(frozen=True)
class Gain:
    """An action: what it needs, what it raises, what it costs."""

    name: str
    needs: Fact
    gives: Mapping[str, int]
    price: int

    @property
    def action(self) -> Action:
        """The same as terms."""
        effects = tuple((FLUENTS[f], value(f, x)) for f, x in self.gives.items())
        return Action(self.name, (), None, (Requirement(term(self.needs), ""),), effects, "", {METRIC: self.price})

    @property
    def taken(self) -> Term:
        """The choice of it."""
        return var(self.action.key, BOOL)


def value(fluent: str, x: int) -> Term:
    """A fluent's value as a term."""
    if fluent in OWNERS:
        return member(POWER, POWER.members[x])
    return integer(x) if fluent in NUMBERS else (TRUE if x else FALSE)


@dataclass(frozen=True)
class Gaining:
    """A rule set that starts with nothing, and only gains."""

    gains: Sequence[Gain]
    start: Values = field(default_factory=lambda: dict.fromkeys(FLUENTS, 0))

    @property
    def actions(self) -> dict[Term, Action]:
        """The choice and action."""
        return {g.taken: g.action for g in self.gains}

    @property
    def constants(self) -> dict[Term, Term]:
        """The start as terms."""
        return {FLUENTS[f]: value(f, x) for f, x in self.start.items()}

    def problem(self, goal: Fact, within: int | None = None) -> Problem:
        """To a goal."""
        step, asked, start = one_at_a_time(self.actions.values(), METRIC), term(goal), self.constants
        return Problem(start, step, asked, Regressions({asked: 0}), METRIC, within, step, start)

    def played(self, steps: Sequence[Mapping[Term, int]]) -> dict[str, int]:
        """The values after some steps, each of which must be possible."""
        at, by = dict(self.start), {g.taken: g for g in self.gains}
        for step in steps:
            (taken,) = step
            assert true(by[taken].needs, at), f"{taken} is not possible"
            at |= by[taken].gives
        return at

    def everything(self, within: int | None = None) -> Iterator[tuple[int, int, dict[str, int]]]:
        """All that can come about: cost, number of actions and values, the cheapest first, of these the shortest."""
        number = count()
        queue: list[tuple[int, int, int, dict[str, int]]] = [(0, 0, next(number), dict(self.start))]
        seen: dict[tuple[int, ...], int] = {}
        while queue:
            cost, used, _, at = heapq.heappop(queue)
            key = tuple(at.values())
            if seen.get(key, used + 1) <= used:
                continue
            seen[key] = used
            yield cost, used, at
            if within is None or used < within:
                for g in self.gains:
                    if true(g.needs, at):
                        heapq.heappush(queue, (cost + g.price, used + 1, next(number), {**at, **g.gives}))

    def cheapest(self, goal: Fact, within: int | None = None) -> tuple[int, int] | None:
        """The least cost of a plan and the number of actions of the shortest such one; None if there is none."""
        return next(((cost, used) for cost, used, at in self.everything(within) if true(goal, at)), None)


# ---- random ones


def gaining(rng: Random) -> Gaining:
    """A rule set: flags and a number that any of some actions raises, owners that one action sets for good."""
    top = {n: rng.randint(1, 6) for n in NUMBERS}
    gains: list[Gain] = []
    for i in range(rng.randint(3, 9)):
        gives: dict[str, int] = {}
        needs = [need(rng, rng.choice((0, 1, 1, 2)), top)] if rng.random() < 0.8 else []
        for fluent in rng.sample(sorted(FLUENTS), rng.choice((1, 1, 1, 2))):
            if fluent in OWNERS:
                needs.append(("not", ("has", fluent, 1)))
                gives[fluent] = rng.randint(1, 2)
            else:
                gives[fluent] = top.get(fluent, 1)
        gains.append(Gain(f"g{i}", ("and", needs), gives, rng.choice((0, 1, 1, 1, 2, 3, 7))))
    return Gaining(gains)


def need(rng: Random, depth: int, top: Mapping[str, int]) -> Fact:
    """A fact that gains can only make true."""
    kind = rng.random() if depth else 1.0
    if kind < 0.2:
        return rng.choice(("and", "or")), [need(rng, depth - 1, top) for _ in range(rng.randint(2, 3))]
    if kind < 0.6:
        pairs = [(rng.randint(1, 3), need(rng, depth - 1, top)) for _ in range(rng.randint(2, 4))]
        most = sum(k for k, _ in pairs)
        divisor = rng.choice((1, 1, 2))
        return "sum", rng.randint(1, max(most // divisor, 1)), pairs, divisor
    if kind < 0.75:
        places = rng.randint(2, 4)
        edges = [(a, b) for a in range(places) for b in range(places) if a != b and rng.random() < 0.5]
        sources = [need(rng, 0, top) if rng.random() < 0.4 else ("or", []) for _ in range(places)]
        free = [need(rng, 0, top) if rng.random() < 0.6 else ("and", []) for _ in range(places)]
        return "reach", places, edges, sources, free, rng.randrange(places)
    fluent = rng.choice(sorted(FLUENTS))
    if fluent in OWNERS and rng.random() < 0.5:
        return "is", fluent, rng.randint(1, 2)
    return "has", fluent, rng.randint(1, top.get(fluent, 1))


def wish(rng: Random, depth: int) -> Fact:
    """Any fact about the end: gains may make it false again."""
    kind = rng.random() if depth else 1.0
    if kind < 0.15:
        return "not", wish(rng, depth - 1)
    if kind < 0.45:
        return rng.choice(("and", "and", "or")), [wish(rng, depth - 1) for _ in range(rng.randint(2, 3))]
    if kind < 0.55:
        return "if", wish(rng, depth - 1), wish(rng, depth - 1), wish(rng, depth - 1)
    if kind < 0.9:
        pairs = weights(rng, depth - 1)
        return "sum", rng.randint(0, max(1, sum(k for k, _ in pairs if k > 0))), pairs, rng.choice((1, 1, 1, 3))
    fluent = rng.choice(sorted(FLUENTS))
    return ("is", fluent, rng.randint(0, 2 if fluent in OWNERS else 1)) if rng.random() < 0.7 else ("has", fluent, 1)


def weights(rng: Random, depth: int) -> list[tuple[int, Any]]:
    """Summands of a number: facts and numbers, most of them more than 0 times."""
    items: list[Any] = [wish(rng, depth) for _ in range(rng.randint(1, 3))]
    items += [("has", f, 1) for f in rng.sample(sorted(FLUENTS), rng.randint(1, 5))]
    items += [n for n in NUMBERS if rng.random() < 0.4]
    return [(rng.choice((1, 1, 2, 3, 5, -1, -2)), item) for item in items]


def aim(rng: Random, system: Gaining) -> Fact:
    """A goal: something that can come about, at some length, or any."""
    if rng.random() < 0.5:
        return wish(rng, 2)
    _, _, far = rng.choice(list(system.everything()))
    facts: list[Fact] = []
    for fluent in rng.sample(sorted(far), rng.randint(1, len(far))):
        if far[fluent] or rng.random() < 0.3:
            facts.append(("is", fluent, far[fluent]) if rng.random() < 0.5 else ("has", fluent, min(far[fluent], 1)))
    pairs = weights(rng, 1)
    there = worth(pairs, far)
    facts.append(("sum", there, pairs, 1))
    if rng.random() < 0.5:
        facts.append(("not", ("sum", there + 1, pairs, 1)))
    return "and", rng.sample(facts, rng.randint(1, len(facts)))

"""Random small rule sets of Bool, Enum and Int fluents, with all that can happen in them found by trying it."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from random import Random

from hypothesis import strategies as st

from tests.terms.specs import KIND, Spec, domain, literal, meaning, specs, states, term
from vclogic.encode.goal_regression import Regressions
from vclogic.model.actions import Action, Requirement
from vclogic.model.transition import Transition, one_at_a_time
from vclogic.solve.problem import Problem
from vclogic.terms.atoms import var
from vclogic.terms.sorts import BOOL, EnumSort
from vclogic.terms.term import Term

METRIC = "n"
State = tuple[int, ...]


@dataclass(frozen=True)
class Move:
    """An action as expressions: its guard, what each fluent becomes, its cost."""

    name: str
    guard: Spec
    effects: tuple[tuple[Term, Spec], ...]
    cost: int

    @property
    def taken(self) -> Term:
        """The choice of it, as `one_at_a_time` names it."""
        return var(self.action.key, BOOL)

    @property
    def action(self) -> Action:
        """The same as terms."""
        effects = tuple((fluent, term(new)) for fluent, new in self.effects)
        needs = (Requirement(term(self.guard), "needs it"),)
        return Action(self.name, (), None, needs, effects, self.name, {METRIC: self.cost})


@dataclass(frozen=True)
class SmallSystem:
    """Some fluents, where they start, and what can be done."""

    fluents: tuple[Term, ...]
    start: State
    moves: tuple[Move, ...]

    @property
    def transition(self) -> Transition:
        """One move at a time."""
        return one_at_a_time([m.action for m in self.moves], METRIC)

    @property
    def constants(self) -> dict[Term, Term]:
        """The start as terms."""
        return {v: literal(KIND[v], x) for v, x in zip(self.fluents, self.start, strict=True)}

    def problem(self, goal: Term, within: int | None = None) -> Problem:
        """To a goal, nothing cut away."""
        step, start = self.transition, self.constants
        return Problem(start, step, goal, Regressions({goal: 0}), METRIC, within, step, start)

    def values(self, state: State) -> dict[Term, int]:
        """The value of each fluent."""
        return dict(zip(self.fluents, state, strict=True))

    def after(self, state: State, move: Move) -> State | None:
        """The state after a move, or None where its guard does not hold."""
        values = self.values(state)
        if not meaning(move.guard, values):
            return None
        changes = {fluent: meaning(new, values) for fluent, new in move.effects}
        return tuple(changes.get(v, x) for v, x in values.items())

    def cheapest(self, goal: Spec, within: int | None = None, moves: Iterable[Move] | None = None) -> int | None:
        """The least cost of a way to the goal, of at most so many moves; None if there is none."""
        usable = self.moves if moves is None else tuple(moves)
        number = count()
        queue: list[tuple[int, int, int, State]] = [(0, 0, next(number), self.start)]
        fewest: dict[State, int] = {}  # moves used when a state was reached: more of them at no less cost are useless
        while queue:
            cost, used, _, state = heapq.heappop(queue)
            if fewest.get(state, used + 1) <= used:
                continue
            fewest[state] = used
            if meaning(goal, self.values(state)):
                return cost
            if within is None or used < within:
                for move in usable:
                    after = self.after(state, move)
                    if after is not None:
                        heapq.heappush(queue, (cost + move.cost, used + 1, next(number), after))
        return None

    def reachable(self) -> set[State]:
        """Every state that some moves lead to."""
        found = {self.start}
        queue = [self.start]
        while queue:
            state = queue.pop()
            for move in self.moves:
                after = self.after(state, move)
                if after is not None and after not in found:
                    found.add(after)
                    queue.append(after)
        return found


# ---- random ones

FLUENTS = tuple(v for v in KIND if KIND[v] in "BEI" and v.name not in ("e", "z"))
COSTS = st.sampled_from((1, 2, 3, 0))


def small_systems() -> st.SearchStrategy[SmallSystem]:
    """A rule set of a few fluents: most of them only gain, the others do anything."""
    return st.one_of(gaining_systems(), gaining_systems(), wild_systems())


def gaining_systems() -> st.SearchStrategy[SmallSystem]:
    """Such rule sets; large from the start, so nothing is shrunk."""
    return st.randoms(use_true_random=True).map(gaining_system)


@st.composite
def wild_systems(draw: st.DrawFn) -> SmallSystem:
    """A rule set that does anything."""
    fluents = tuple(draw(st.lists(st.sampled_from(FLUENTS), min_size=2, max_size=5, unique=True)))
    start = tuple(draw(st.sampled_from(domain(v))) for v in fluents)
    return SmallSystem(fluents, start, tuple(draw(_move(fluents, i)) for i in range(draw(st.integers(1, 6)))))


@st.composite
def _move(draw: st.DrawFn, fluents: Sequence[Term], i: int) -> Move:
    guard = draw(specs(tuple(fluents), "B", 2))
    changed = draw(st.lists(st.sampled_from(fluents), min_size=1, max_size=2, unique=True))
    effects = tuple((v, draw(_new_value(fluents, v))) for v in changed)
    return Move(f"move {i}", guard, effects, draw(COSTS))


@st.composite
def _new_value(draw: st.DrawFn, fluents: Sequence[Term], v: Term) -> Spec:
    kind = KIND[v]
    if draw(st.integers(0, 3)):
        return ("const", kind, draw(st.sampled_from(domain(v))))
    if kind == "I":  # never beyond the bounds
        return ("ite I", ("ge number", ("var", v), v.hi), ("const", "I", v.lo), ("add number", ("var", v), 1))
    return draw(specs(tuple(f for f in fluents if KIND[f] == kind), kind, 1))


def gaining_system(rng: Random) -> SmallSystem:
    """A rule set that only raises, for most of them."""
    fluents = tuple(rng.sample(FLUENTS, rng.randint(3, 6)))
    prizes = {v: rng.choice(domain(v)[1:]) for v in fluents}
    once = {v for v in fluents if rng.random() < 0.5}  # raised by actions that need them unraised
    moves = [_raise(rng, fluents, prizes, once, i) for i in range(rng.randint(4, 8))]
    moves += [_twin(rng, m) for m in moves if rng.random() < 0.3]
    return SmallSystem(fluents, tuple(domain(v)[0] for v in fluents), tuple(rng.sample(moves, len(moves))))


def _twin(rng: Random, move: Move) -> Move:
    """The same move with other values for Enum fluents."""
    effects = tuple(
        (v, ("const", "E", rng.choice(domain(v)[1:])) if KIND[v] == "E" else new) for v, new in move.effects
    )
    return replace(move, name=f"twin of {move.name}", effects=effects)


def _raise(rng: Random, fluents: Sequence[Term], prizes: Mapping[Term, int], once: set[Term], i: int) -> Move:
    """A move that only gains, most of the time."""
    effects, needs = [], [_monotone(rng, fluents, prizes, rng.randrange(3))]
    for v in rng.sample(fluents, rng.choice((1, 1, 2, 3))):
        value = prizes[v]
        if v in once or rng.random() < 0.03:
            needs.append(("not", _at_least(v, domain(v)[0] + 1)))
            value = rng.choice(domain(v)[1:])
        effects.append((v, ("const", KIND[v], value)))
    return Move(f"move {i}", ("and", *needs), tuple(effects), rng.choice((0, 1, 1, 2, 3)))


def _at_least(v: Term, x: int) -> Spec:
    if KIND[v] == "B":
        return ("var", v)
    if KIND[v] == "I":
        return ("ge number", ("var", v), x)
    return ("not", ("in_mask E", ("var", v), 1))


def _monotone(rng: Random, fluents: Sequence[Term], prizes: Mapping[Term, int], depth: int) -> Spec:
    if depth and rng.random() < 0.6:
        parts = [_monotone(rng, fluents, prizes, depth - 1) for _ in range(2)]
        return (rng.choice(("and", "or", "or")), *parts)
    if rng.random() < 0.4:
        return ("const", "B", 1)
    v = rng.choice(fluents)
    if KIND[v] == "E" and rng.random() < 0.5:
        assert isinstance(v.sort, EnumSort)
        return ("eq name E", ("var", v), v.sort.members[prizes[v]])
    return _at_least(v, rng.randint(domain(v)[0] + 1, prizes[v]))


@st.composite
def goals(draw: st.DrawFn, system: SmallSystem) -> Spec:
    """A goal: true in a state that many moves lead to, or any."""
    if draw(st.integers(0, 3)) == 0:
        return draw(specs(system.fluents, "B", 3))
    rng = draw(st.randoms(use_true_random=True))
    far = rng.sample(sorted(system.reachable()), 1)[0]
    changed = [i for i, x in enumerate(far) if x != system.start[i]] or [0]
    some = rng.sample(changed, rng.randint(1, len(changed)))
    return ("and", *(is_value(system.fluents[i], far[i]) for i in some))


def is_value(v: Term, x: int) -> Spec:
    """That a fluent has a value."""
    if KIND[v] == "E":
        return ("eq E", ("var", v), ("const", "E", x))
    return ("iff", ("var", v), ("const", "B", x)) if KIND[v] == "B" else ("eq number", ("var", v), x)


def all_values(fluents: Sequence[Term]) -> list[dict[Term, int]]:
    """Every state of some fluents."""
    return list(states(tuple(fluents)))

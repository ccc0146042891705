"""Random small rule sets of Bool, Enum and Int fluents, with all that can happen in them found by trying it."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from hypothesis import strategies as st

from tests.terms.specs import KIND, Spec, domain, literal, meaning, specs, states, term
from vclogic.encode.tail import Tails
from vclogic.model.actions import Action, Requirement
from vclogic.model.transition import Transition, one_at_a_time
from vclogic.solve.problem import Problem
from vclogic.terms.atoms import var
from vclogic.terms.sorts import BOOL
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
        return Problem(self.constants, self.transition, goal, Tails({goal: 0}), METRIC, within)

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


@st.composite
def small_systems(draw: st.DrawFn, gains: bool | None = None) -> SmallSystem:
    """A rule set of a few fluents; with `gains` one that only raises, or (None) either."""
    fluents = tuple(draw(st.lists(st.sampled_from(FLUENTS), min_size=2, max_size=5, unique=True)))
    only_gains = draw(st.booleans()) if gains is None else gains
    if not only_gains:
        start = tuple(draw(st.sampled_from(domain(v))) for v in fluents)
        return SmallSystem(fluents, start, tuple(draw(_move(fluents, i)) for i in range(draw(st.integers(1, 6)))))
    start = tuple(domain(v)[0] for v in fluents)
    prizes = {v: draw(st.sampled_from(domain(v)[1:])) for v in fluents}
    moves = [draw(_raise(fluents, prizes, i)) for i in range(draw(st.integers(1, 7)))]
    return SmallSystem(fluents, start, tuple(moves))


@st.composite
def _move(draw: st.DrawFn, fluents: Sequence[Term], i: int) -> Move:
    guard = draw(specs(tuple(fluents), "B", 2))
    changed = draw(st.lists(st.sampled_from(fluents), min_size=1, max_size=2, unique=True))
    effects = tuple((v, draw(_new_value(fluents, v))) for v in changed)
    return Move(f"move {i}", guard, effects, draw(st.integers(0, 3)))


@st.composite
def _new_value(draw: st.DrawFn, fluents: Sequence[Term], v: Term) -> Spec:
    kind = KIND[v]
    if draw(st.integers(0, 3)):
        return ("const", kind, draw(st.sampled_from(domain(v))))
    if kind == "I":  # never beyond the bounds
        return ("ite I", ("ge number", ("var", v), v.hi), ("const", "I", v.lo), ("add number", ("var", v), 1))
    return draw(specs(tuple(f for f in fluents if KIND[f] == kind), kind, 1))


@st.composite
def _raise(draw: st.DrawFn, fluents: Sequence[Term], prizes: Mapping[Term, int], i: int) -> Move:
    """A move that only gains, most of the time."""
    changed = draw(st.lists(st.sampled_from(fluents), min_size=1, max_size=2, unique=True))
    effects, needs = [], [draw(_monotone(fluents, prizes, 2))]
    for v in changed:
        value = prizes[v]
        if draw(st.integers(0, 2)) == 0:  # needs it unraised, and then may give it another value
            needs.append(("not", _at_least(v, domain(v)[1])))
            value = draw(st.sampled_from(domain(v)[1:]))
        effects.append((v, ("const", KIND[v], value)))
    return Move(f"move {i}", ("and", *needs), tuple(effects), draw(st.integers(0, 3)))


def _at_least(v: Term, x: int) -> Spec:
    if KIND[v] == "B":
        return ("var", v)
    if KIND[v] == "I":
        return ("ge number", ("var", v), x)
    return ("not", (f"in_mask {KIND[v]}", ("var", v), 1))


@st.composite
def _monotone(draw: st.DrawFn, fluents: Sequence[Term], prizes: Mapping[Term, int], depth: int) -> Spec:
    kind = draw(st.integers(0, 4))
    if depth and kind == 0:
        return ("and", draw(_monotone(fluents, prizes, depth - 1)), draw(_monotone(fluents, prizes, depth - 1)))
    if depth and kind == 1:
        return ("or", draw(_monotone(fluents, prizes, depth - 1)), draw(_monotone(fluents, prizes, depth - 1)))
    if kind == 2:
        return ("const", "B", 1)
    v = draw(st.sampled_from(fluents))
    if KIND[v] == "E" and draw(st.booleans()):
        return ("eq name E", ("var", v), v.sort.members[prizes[v]])  # type: ignore[union-attr]
    return _at_least(v, draw(st.integers(domain(v)[1], prizes[v])))


@st.composite
def goals(draw: st.DrawFn, system: SmallSystem) -> Spec:
    """A goal: true in some state that moves lead to, or any."""
    there = draw(st.sampled_from(sorted(system.reachable())))
    changed = [i for i, x in enumerate(there) if x != system.start[i]]
    if not changed or draw(st.integers(0, 3)) == 0:
        return draw(specs(system.fluents, "B", 3))
    some = draw(st.lists(st.sampled_from(changed), min_size=1, max_size=4, unique=True))
    return ("and", *(_is(system.fluents[i], there[i]) for i in some))


def _is(v: Term, x: int) -> Spec:
    if KIND[v] == "E":
        return ("eq E", ("var", v), ("const", "E", x))
    return ("iff", ("var", v), ("const", "B", x)) if KIND[v] == "B" else ("eq number", ("var", v), x)


def all_values(fluents: Sequence[Term]) -> list[dict[Term, int]]:
    """Every state of some fluents."""
    return list(states(tuple(fluents)))

"""Unroll a transition into a sequence of steps, as terms; values fixed by the start fold to constants."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import product
from typing import TypeVar, cast

from vclogic.model.fluents import numbered
from vclogic.model.transition import Scoped, SingleActions, TakenStep, Transition, Wanted, nothing, plain, unpriced
from vclogic.terms.atoms import TRUE, var
from vclogic.terms.build import all_of, eq, implies, ite
from vclogic.terms.rewrite import NEGATIVE, Substitution, polarities
from vclogic.terms.sorts import EnumSort, IntSort, between, members_of
from vclogic.terms.term import Op, Term, conjuncts, variables

T = TypeVar("T", bound=Transition)


def at(term: Term, step: int) -> Term:
    """The variable for a fluent or choice at a step of the unrolling, with the bounds of the term."""
    return var(f"{term.name}@{step}", term.sort, mask=term.mask)


def narrowed(fluent: Term, step: int, value: Term, bounds: tuple[int, int] | None = None) -> Term:
    """The variable for a fluent at a step, with the bounds of its value there, or tighter ones."""
    name = f"{fluent.name}@{step}"
    if isinstance(fluent.sort, IntSort):
        lo, hi = bounds or (value.lo, value.hi)
        return var(name, between(max(lo, value.lo), min(hi, value.hi)))
    return var(name, fluent.sort, mask=value.mask)


class Unrolling:
    """An unrolling: the states and choices of a sequence of steps.

    Attributes:
        states: The value of every tracked fluent before each step and after the last: a constant, or a variable.
        choices: The variable of each choice, per step.
        costs: The cost of each step.
        counts: Whether each step counts towards the horizon.
        meaning: The definition of each state variable, as a term over earlier variables.
        taken: The steps.
    """

    def __init__(self, transition: Transition, start: Mapping[Term, Term]):
        self._transition = transition
        self.states: list[dict[Term, Term]] = [dict(start)]
        self.choices: list[dict[Term, Term]] = []
        self.costs: list[Term] = []
        self.counts: list[Term] = []
        self.meaning: dict[Term, Term] = {}
        self.taken: list[TakenStep] = []
        self._at: list[Substitution] = [Substitution(start)]
        self._next: tuple[Wanted | None, Transition] | None = None

    @property
    def depth(self) -> int:
        """The number of steps."""
        return len(self.choices)

    def next_step(self, wanted: Wanted | None = None) -> Transition:
        """The step from the last state.

        Args:
            wanted: The relevant fluents after it; None: all.
        """
        if self._next is None or self._next[0] != wanted:
            self._next = wanted, self._transition.at(self.states[-1], wanted)
        return self._next[1]

    def extend(self, wanted: Wanted | None = None) -> list[Term]:
        """Add one step.

        Args:
            wanted: The relevant fluents after it; None: all.

        Returns:
            The constraints of the step: its legality, and the definitions of the new state's variables.
        """
        step = self.depth
        state = self.states[step]
        transition = self.next_step(wanted)
        chosen = {c: at(c, step) for c in transition.choices}
        here = Substitution({**state, **chosen})
        constraints = [here(t) for t in transition.legality]
        following = dict(state)
        for fluent in state:
            if fluent in transition.next:
                value = here(transition.next[fluent])
                # A fresh variable keeps the terms of later steps small.
                if value.op not in (Op.CONST, Op.VAR):
                    fresh = narrowed(fluent, step + 1, value, transition.hints.bounds.get(fluent))
                    constraints.append(defining(fresh, value))
                    self.meaning[fresh], value = value, fresh
                following[fluent] = value
        self.taken.append(TakenStep(transition, here))
        self.choices.append(chosen)
        self.costs.append(here(transition.cost))
        self.counts.append(here(transition.counts))
        self.states.append(following)
        self._at.append(Substitution(following))
        self._next = None
        return constraints

    def holds(self, term: Term, step: int) -> Term:
        """A term over fluents, evaluated at a step."""
        return self._at[step](term)


def defining(fresh: Term, value: Term) -> Term:
    """The equation of a variable and its value; for an Enum with many branches, one implication per branch."""
    branches: list[tuple[Term, Term]] = []
    while isinstance(value.sort, EnumSort) and value.op is Op.ITE:
        branches.append((value.args[0], eq(fresh, value.args[1])))
        value = value.args[2]
    found = eq(fresh, value)
    for condition, then in reversed(branches):
        found = ite(condition, then, found)
    return found


def wanted_after(transition: Scoped, start: Mapping[Term, Term], goal: Iterable[Term], steps: int) -> list[Wanted]:
    """For each of some steps of a scoped transition, the relevant fluents after it.

    Args:
        start: The value of every tracked fluent.
        goal: The goal after the last step.
        steps: The number of steps.
    """
    fixed = Unrolling(plain(transition), start)
    for _ in range(steps):
        fixed.extend()
    matter = {*variables(*goal)}
    found: list[Wanted] = []
    for state in reversed(fixed.states[:-1]):
        found.append(frozenset(matter))
        matter |= {*transition.reads(state)}
    return found[::-1]


def free_state(fluents: Iterable[Term]) -> dict[Term, Term]:
    """A state in which every fluent can have any value of its sort."""
    return {f: f for f in fluents}


def cone(transition: T, goal: Iterable[Term]) -> tuple[list[Term], T]:
    """The cone of influence of some terms.

    Args:
        transition: The whole transition.
        goal: Terms over fluents.

    Returns:
        The relevant fluents, and the transition without other fluents and without choices that change no relevant
        one.
    """
    if isinstance(transition, SingleActions):
        return cast(tuple[list[Term], T], _cone_of_actions(transition, goal))
    choices = set(transition.choices)
    queue = [*goal, transition.counts]
    laws: dict[Term, list[Term]] = {c: [] for c in transition.choices}
    avoidable: dict[Term, set[Term]] = {}  # per law the choices that it only ever restrains: it never asks for them
    for law in transition.legality:
        signs = polarities([law])
        bound = [v for v in variables(law) if v in choices]
        avoidable[law] = {v for v in bound if v.is_bool and signs[v] == NEGATIVE}
        for v in bound:
            laws[v].append(law)
        if len(avoidable[law]) < len(bound) or not bound:
            queue.append(law)
    needed: dict[Term, None] = {}
    kept: set[Term] = set()
    read: set[Term] = set()  # a law that binds many choices comes up with each of them
    while queue:
        term = queue.pop()
        if term in read:
            continue
        read.add(term)
        for v in variables(term):
            if v in choices:
                if v not in kept and v not in avoidable.get(term, ()):
                    kept.add(v)
                    queue += laws[v]
            elif v not in needed:
                needed[v] = None
                if v in transition.next:
                    queue.append(transition.next[v])
    smaller = without(transition, [c for c in transition.choices if c not in kept])
    return list(needed), replace(smaller, next={f: t for f, t in smaller.next.items() if f in needed})


def _cone_of_actions(transition: SingleActions, goal: Iterable[Term]) -> tuple[list[Term], SingleActions]:
    """The cone of influence for steps of at most one action."""
    by_fluent: dict[Term, list[tuple[Term, Term]]] = {}
    for taken, action in transition.actions.items():
        for fluent, new in action.effects:
            if new is not fluent:
                by_fluent.setdefault(fluent, []).append((taken, new))
    needed: dict[Term, None] = {}
    kept: set[Term] = set()
    read: Iterable[Term] = [*goal, transition.counts]
    while found := [v for v in variables(*read) if v not in needed]:
        needed |= dict.fromkeys(found)
        changes = [change for fluent in found for change in by_fluent.get(fluent, ())]
        more = dict.fromkeys(taken for taken, _ in changes if taken not in kept)
        kept.update(more)
        read = [*(transition.actions[taken].guard for taken in more), *(new for _, new in changes)]
    return list(needed), transition.only(kept, needed.keys())


def without(transition: T, choices: Iterable[Term]) -> T:
    """The transition in which some choices are never made."""
    gone = set(choices)
    if not gone:
        return transition
    if isinstance(transition, SingleActions):
        return cast(T, transition.only(transition.actions.keys() - gone))
    never = Substitution({c: nothing(c) for c in gone})
    return replace(
        transition,
        choices=tuple(c for c in transition.choices if c not in gone),
        legality=tuple(t for t in map(never, transition.legality) if t is not TRUE),
        next={f: never(t) for f, t in transition.next.items()},
        cost=never(transition.cost),
        taken=None if transition.taken is None else {never(t): a for t, a in transition.taken.items()},
    )


_MOST = 5_000  # possible values of all Enum fluents together; with more a step from any state is too large to build


# ---- one step for all states, from a transition whose steps are built per state (`Scoped`)


def universal_step(transition: Transition, start: Mapping[Term, Term]) -> Transition | None:
    """A transition that covers the steps from every state.

    It has a copy of the step, with its own choices, for each combination of the values that a step must be told (such
    as whose turn it is). The constraints on choices are dropped, since they may depend on what is known of the state,
    such as a detour around a place where the enemy certainly is.

    Args:
        transition: Any transition.
        start: The value of every fluent.

    Returns:
        The transition; None if a step cannot be built this way or would be too large.
    """
    if not isinstance(transition, Scoped):
        return transition
    if transition.known is None or sum(f.mask.bit_count() for f in start) > _MOST:
        return None
    choices: list[Term] = []
    legality: list[Term] = []
    following: dict[Term, Term] = {}
    for values in product(*map(_values, transition.known)):
        told = dict(zip(transition.known, values, strict=True))
        here = all_of(eq(f, v) for f, v in told.items())
        step = transition.at({**{f: f for f in start}, **told})
        # Each case has choices of its own, since the same choice may mean different moves in two cases.
        own = {c: choice_of_case(c, values) for c in step.choices}
        said = Substitution({**told, **own})
        choices += own.values()
        laws = (t for law in step.legality for t in conjuncts(law))
        legality += (implies(here, said(t)) for t in laws if own.keys().isdisjoint(variables(t)))
        for f, new in step.next.items():
            following[f] = ite(here, said(new), following.get(f, f))
    return unpriced(choices, legality, following)


def _values(f: Term) -> list[Term]:
    """All values of a fluent."""
    numbers = members_of(f.mask) if isinstance(f.sort, EnumSort) else range(f.lo, f.hi + 1)
    return [numbered(f, n) for n in numbers]


def choice_of_case(choice: Term, values: Iterable[Term]) -> Term:
    """The choice of the covering transition for a choice of the step that was told some values.

    Args:
        values: The values that the step was told, as constants.
    """
    case = ", ".join(str(v.value) for v in values)
    return var(f"{choice.name} ({case})" if case else choice.name, choice.sort, mask=choice.mask)

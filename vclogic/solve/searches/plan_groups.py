"""Plan lengths that are encoded together as one mixed-integer program.

A plan may end early, so the goal may hold at any depth, and no steps may be required after the end, since none may be
allowed. If an idle step is provably allowed and free in every state, a shorter plan is a longer one with idle steps
at its end: such depths form one group with one program, in which the goal holds at one of them (at the last one only,
if idle steps do not affect it). Other depths have programs of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from vclogic.clock import ANSWERING, grace_period
from vclogic.collector_paused import collector_paused
from vclogic.encode.linear.affine import Program, Unsupported
from vclogic.encode.linear.terms import compile_program
from vclogic.encode.unroll import Unrolling, wanted_after
from vclogic.model.transition import Cut, Hints, Lemmas, Scoped, TakenStep, Transition, Wanted, plain
from vclogic.solve.backends.session import Answer
from vclogic.solve.problem import Problem, SearchResult, Step
from vclogic.solve.searches.cost_bounds import number
from vclogic.terms.atoms import FALSE, TRUE, integer
from vclogic.terms.build import add, any_of, eq, in_mask, le, linear
from vclogic.terms.rewrite import Substitution
from vclogic.terms.sorts import EnumSort, IntSort
from vclogic.terms.term import Op, Term, postorder, variables

_STANDSTILL = 60  # steps in a row that do not count, after which the horizon is taken to be out of sight


@dataclass(frozen=True)
class Group:
    """Plan lengths that are encoded together.

    Attributes:
        unrolled: The unrolling, possibly longer than these plans.
        depth: The greatest length.
        terms: The constraints of the steps.
        goals: The goal at each depth at which it may hold.
        cost: The cost of the plan.
        cuts: Cuts: redundant constraints of such plans.
        judges: Who says what such plans must satisfy beside the constraints of their steps.
        lemmas: What the judges have said so far.
    """

    unrolled: Unrolling
    depth: int
    terms: Sequence[Term]
    goals: Mapping[int, Term]
    cost: Term
    cuts: Sequence[Cut] = ()
    judges: tuple[Lemmas, ...] = ()
    lemmas: tuple[Term, ...] = ()

    @property
    def claimed(self) -> list[Term]:
        """All constraints of such a plan that are known."""
        return [*self.terms, any_of(self.goals.values()), *self.lemmas]

    @property
    def taken(self) -> Sequence[TakenStep]:
        """The steps of such a plan."""
        return self.unrolled.taken[: self.depth]

    @property
    def second_cost(self) -> Term | None:
        """The second cost, least among plans of the same cost; None if there is none."""
        found = [t.here(t.step.hints.second_cost) for t in self.taken if t.step.hints.second_cost is not None]
        return add(integer(0), *found) if found else None

    @cached_property
    def program(self) -> Program:
        """The same as a mixed-integer program."""
        return compile_program(self.claimed, self.cost, self.cuts)

    @property
    def unargued(self) -> Program:
        """The same without argued cuts."""
        return compile_program(self.claimed, self.cost, [cut for cut in self.cuts if not cut.argued])

    @property
    def first(self) -> list[dict[Term, int]]:
        """The variables to branch on first: those of the goal by their weight, then other conditions."""
        weights: dict[Term, int] = {}
        for goal in self.goals.values():
            for t in postorder([goal]):
                if t.op is Op.LIN:
                    for k, part in zip(t.payload[0], t.args, strict=True):
                        weights |= {v: max(abs(k), weights.get(v, 0)) for v in variables(part)}
        asked = dict.fromkeys(variables(*self.goals.values()), 1)
        flags = {v: 1 for chosen in self.unrolled.choices for v in chosen.values() if v.is_bool and not v.is_const}
        return [{**asked, **weights}, flags]

    def cheaper(self, cost: int | None) -> list[Term]:
        """The additional constraint of plans that cost less; none without a cost."""
        return [] if cost is None else [le(self.cost, cost - 1)]


@grace_period(ANSWERING)
def plan_of(group: Group, answer: Answer) -> SearchResult:
    """The plan of a solution, cut off where the goal first holds, with its exact cost."""
    depth = next(d for d in sorted(group.goals) if number(group.goals[d], answer))
    steps: list[Step] = [
        {choice: answer.values.get(v, v.lo) for choice, v in chosen.items() if answer.values.get(v, v.lo)}
        for chosen in group.unrolled.choices[:depth]
    ]
    return SearchResult(steps, number(add(integer(0), *group.unrolled.costs[:depth]), answer))


@collector_paused()
def groups(problem: Problem, ready: Callable[[], None] = lambda: None) -> list[Group]:
    """The plan lengths within the horizon, in as few groups as is provably right.

    Args:
        ready: Called once a step with numeric choices is found, while the other steps are still being built.

    Raises:
        Unsupported: There are no numeric choices, or the number of steps is unbounded.
    """
    transition, within = problem.transition, problem.within
    if within is None:
        raise Unsupported("no limit of steps")
    counts = _counts(problem, within)
    wanted: Sequence[Wanted | None] = [None] * len(counts)
    if isinstance(transition, Scoped):
        wanted = wanted_after(transition, problem.start, [problem.goal], len(counts))
    unrolled = Unrolling(transition, problem.start)
    found: list[Group] = []
    goals = {0: unrolled.holds(problem.goal, 0)}
    terms: dict[Term, None] = {}
    for depth, later in enumerate(wanted):
        state, step = unrolled.states[depth], unrolled.next_step(later)
        if any(isinstance(c.sort, EnumSort) for c in step.choices):
            raise Unsupported("places to choose, not numbers")
        if any(isinstance(c.sort, IntSort) for c in step.choices):
            ready()
        following = _idle(step, state, unrolled.meaning, terms)
        free = following is not None and add(integer(0), *counts[: depth + 1]).hi <= within
        if not free:
            found.append(_group(problem, unrolled, terms, goals))
            goals = {}
        elif Substitution(following or {})(problem.goal) is goals[depth]:
            del goals[depth]  # it still holds after an idle step
        terms |= dict.fromkeys(unrolled.extend(later))
        goals[depth + 1] = unrolled.holds(problem.goal, depth + 1)
    if unrolled.counts != counts:
        raise Unsupported("which steps count depends on the choices")
    found.append(_group(problem, unrolled, terms, goals))
    numeric = any(isinstance(c.sort, IntSort) for chosen in unrolled.choices for c in chosen)
    if not numeric and not transition.hints.lemmas:  # no other method knows lemmas
        raise Unsupported("no numbers to decide")
    return found


def _counts(problem: Problem, within: int) -> list[Term]:
    """For each possible step of a plan, whether it counts, as far as that is fixed."""
    unrolled = Unrolling(plain(problem.transition), problem.start)
    reached: list[int] = [0]
    while problem.transition.next:
        unrolled.extend()
        reached.append(add(integer(0), *unrolled.counts).lo)
        if reached[-1] > within:
            break
        if len(reached) > _STANDSTILL and reached[-1] == reached[-_STANDSTILL]:
            raise Unsupported("steps that need not count")
    return unrolled.counts[:-1]


def _group(problem: Problem, unrolled: Unrolling, terms: Iterable[Term], goals: Mapping[int, Term]) -> Group:
    counted = add(integer(0), *unrolled.counts)
    return Group(
        unrolled,
        unrolled.depth,
        (*terms, le(counted, problem.within or 0)),
        {d: goal for d, goal in goals.items() if goal is not FALSE},
        add(integer(0), *unrolled.costs),
        cuts(unrolled, problem.transition.hints),
        problem.transition.hints.lemmas,
    )


def _idle(
    step: Transition, state: Mapping[Term, Term], meaning: Mapping[Term, Term], asserted: Container[Term]
) -> dict[Term, Term] | None:
    """The state after an idle step, if it is always allowed and free; else None.

    A law may already hold because an earlier step had to satisfy it (`asserted`, over variables defined by `meaning`)
    and nothing relevant has changed since.
    """
    if not all(c.lo <= 0 <= c.hi for c in step.choices):
        return None
    here = Substitution({**state, **{c: FALSE if c.is_bool else integer(0) for c in step.choices}})
    spelt_out = Substitution(meaning)
    asked = (law for law in map(here, step.legality) if law is not TRUE)
    if here(step.cost).hi > 0 or any(spelt_out(law) not in asserted for law in asked):
        return None
    return {f: here(step.next[f]) if f in step.next else t for f, t in state.items()}


TAKEN_ONCE = "what is taken for good is taken once"


def cuts(unrolled: Unrolling, hints: Hints) -> list[Cut]:
    """All cuts of an unrolling.

    Args:
        unrolled: The steps.
        hints: Those of the transition that was unrolled.
    """
    found = [Cut(c.family, taken.here(c.term), c.argued) for taken in unrolled.taken for c in taken.step.hints.cuts]
    return [*found, *taken_once(unrolled), *(hints.cuts_of_all(unrolled.taken) if hints.cuts_of_all else ())]


@dataclass
class _Latch:
    """A fluent whose changes so far all move it from outside a set of values into it, for good.

    Attributes:
        inside: The set of values, as a mask.
        before: Whether it had one of them at the start.
        flags: The choices that moved it.
    """

    inside: int
    before: bool
    flags: list[Term] = field(default_factory=list)


def taken_once(unrolled: Unrolling) -> Iterator[Cut]:
    """Cuts for Enum fluents that enter a set of values once: in the set from the start, or since one flag was set.

    By induction over the steps: a step leaves the fluent unchanged, or moves it into the set where a flag is set, and
    the laws of the step allow the flag only outside the set. So at most one flag is ever set, and the number of flags
    set so far (0 or 1) says whether the fluent is in the set. Each part of the argument is checked on the terms: a
    fluent that changes in any other way gets no cut.
    """
    latches: dict[Term, _Latch | None] = {}
    for depth, taken in enumerate(unrolled.taken):
        excluded = dict(_excluded(taken.step))
        for fluent, new in taken.step.next.items():
            start = unrolled.states[0].get(fluent)
            if start is None or new is fluent or not isinstance(fluent.sort, EnumSort):
                continue
            change = _flagged(fluent, new)
            inside = excluded.get((change[0], fluent)) if change else None
            if not change or inside is None or not start.is_const or change[1].mask & ~inside:
                latches[fluent] = None
                continue
            latch = latches.setdefault(fluent, _Latch(inside, bool(start.mask & inside)))
            if latch is None or latch.inside != inside:
                latches[fluent] = None
                continue
            latch.flags.append(taken.here(change[0]))
            now = unrolled.states[depth + 1][fluent]
            held = in_mask(now, inside)
            yield Cut(TAKEN_ONCE, eq(linear([(1, held)]), linear(((1, f) for f in latch.flags), int(latch.before))))


def _flagged(fluent: Term, new: Term) -> tuple[Term, Term] | None:
    """The flag and the new value of a change that happens only where the flag is set."""
    if new.op is Op.ITE and new.args[0].op is Op.VAR and new.args[2] is fluent:
        return new.args[0], new.args[1]
    return None


def _excluded(step: Transition) -> Iterable[tuple[tuple[Term, Term], int]]:
    """For each flag and each fluent that it constrains, the values that the fluent must not have."""
    for law in step.legality:
        if law.op is Op.OR and len(law.args) == 2:
            for a, b in (law.args, law.args[::-1]):
                if a.op is Op.NOT and a.args[0].op is Op.VAR and b.op is Op.IN:
                    fluent = b.args[0]
                    yield (a.args[0], fluent), fluent.mask & ~b.payload

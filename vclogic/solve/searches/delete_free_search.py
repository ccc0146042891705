"""Solve delete-free problems and delete relaxations by landmark cuts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from vclogic.clock import ANSWERING, Deadline, TimeUp, grace_period
from vclogic.collector_paused import collector_paused
from vclogic.encode.linear.delete_free import DeleteFree
from vclogic.encode.linear.gains import Gains, Relaxation
from vclogic.encode.python.evaluator import interpret
from vclogic.progress import untold
from vclogic.solve.backends.claims import Claim
from vclogic.solve.backends.session import Effort, Session
from vclogic.solve.landmarks.search import Cheapest, cheapest
from vclogic.solve.landmarks.task import Order, Task
from vclogic.solve.problem import Problem, SearchResult
from vclogic.terms.build import count, le, linear, not_, scale
from vclogic.terms.rewrite import substitute
from vclogic.terms.term import Term, variables


@collector_paused()
def cheapest_plan(
    problem: Problem,
    free: DeleteFree,
    effort: Effort,
    *,
    certify: bool = False,
    better: Callable[[SearchResult], object] = lambda found: None,
) -> SearchResult:
    """The cheapest plan of a delete-free problem, and of those one with the fewest actions, with a proof.

    Args:
        certify: Whether z3 must confirm what was proved in floating point only.
        better: Called with each better plan.

    Returns:
        The plan; `exhausted` if there is none; or the result at the deadline.

    Raises:
        Unsupported: The goal cannot be encoded as a program.
        TimeUp: The deadline passed before anything was known.
    """
    task = task_of(problem, free)
    found = cheapest(task, effort.deadline, effort.progress, lambda now: better(_search(free, now, now.plan or ())))
    settled = found.exhausted or (found.cost is not None and found.cost == found.lower_bound)
    if settled and certify and not found.exact:
        with suppress(TimeUp), effort.session() as session:
            found = replace(found, exact=confirmed(task, found, session) or found.exact)
    claims = (claim_of(task, found),) if settled else ()
    bounds = () if found.bound is None else (found.bound,)
    if found.plan is None:
        depth = free.most if problem.within is None else min(problem.within, free.most)
        reason = found.reason
        return SearchResult(
            exhausted=found.exhausted,
            bound_by=found.bound_by,
            reason=reason,
            depth=depth,
            exact=found.exact,
            claims=claims,
            bounds=bounds,
        )
    plan = found.plan
    if found.cost == found.lower_bound and len(set(free.prices.values())) > 1:
        plan = _shortest(task, free, found, effort.deadline)
    return replace(_search(free, found, plan), claims=claims, bounds=bounds)


def claim_of(task: Task, found: Cheapest, said: str | None = None) -> Claim:
    """The claim that nothing cheaper satisfies the laws and the cuts, which closures have shown to hold.

    Args:
        said: What cheaper means, in words; None: that it costs less.
    """
    cheaper = () if found.cost is None else ((scale(task.cost, -1), 1 - found.cost),)
    if said is None:
        said = "" if found.cost is None else f" costs less than {found.cost}"
    return Claim(f"never: a plan within the laws and cuts{said}", (*task.laws, *found.cuts), cheaper)


def task_of_largest(problem: Problem, free: DeleteFree, objective: Term) -> Task:
    """The task of a plan of a delete-free problem with the largest value of an expression; its cost is -value."""
    value = _at_the_end(objective, free.gains)
    loss = scale(free.at_end(objective), -1)
    named = _named(free.gains, [free.at_end(problem.goal), loss])
    return replace(task_of(problem, free), named=named, cost=loss, prices=None, paid=lambda order: -value(order))


def known_plan(free: DeleteFree, found: Cheapest) -> SearchResult:
    """A plan that was found, without its bounds."""
    return replace(_search(free, found, found.plan or ()), lower_bound=None, bound_by=None)


def relaxed_task(goal: Term, relaxed: Relaxation) -> Task:
    """The task of a cheapest plan of the delete relaxation."""
    gains = relaxed.gains
    prices = _by_node(gains, relaxed.prices)
    holds = _at_the_end(goal, gains)
    laws = [*relaxed.constraints, substitute(goal, relaxed.final)]
    return Task(
        gains.network,
        tuple(gains.actions),
        gains.node(goal),
        _named(gains, laws),
        laws,
        cost=linear((price, taken) for taken, price in relaxed.prices.items()),
        prices=prices,
        alone=(),
        satisfied=lambda order: not gains.wild and bool(holds(order)),
        paid=lambda order: sum(prices[c] for c in order),
    )


def task_of(problem: Problem, free: DeleteFree) -> Task:
    """The task of a cheapest plan of a delete-free problem."""
    holds = _at_the_end(problem.goal, free.gains)
    return delete_free_task(free.gains, free, problem.goal, problem.within, holds)


def delete_free_task(
    gains: Gains, free: DeleteFree, asked: Term, within: int | None, holds: Callable[[Order], object]
) -> Task:
    """The task of a cheapest plan, from one start or from any.

    Args:
        gains: The network.
        asked: Bool, over fluents: what holds at the end.
        within: The most actions; None: no limit.
        holds: Whether it does, once choices were made.
    """
    node = dict(zip(gains.actions, gains.network.choices, strict=True))
    alone = [[node[t] for t in group] for group in free.alone if len(group) > 1]
    goal = free.at_end(asked)
    laws = [goal, *(le(count(group), 1) for group in free.alone if len(group) > 1)]
    if within is not None and within < free.most:
        laws.append(le(free.length, within))
    prices = _by_node(gains, free.prices)

    def satisfied(order: Order) -> bool:
        made = set(order)
        fits = within is None or len(order) <= within
        return fits and all(len(made.intersection(group)) <= 1 for group in alone) and bool(holds(order))

    return Task(
        gains.network,
        tuple(gains.actions),
        gains.node(asked),
        _named(gains, [goal]),
        laws,
        free.cost,
        prices,
        alone,
        satisfied,
        paid=lambda order: sum(prices[c] for c in order),
    )


def _shortest(task: Task, free: DeleteFree, found: Cheapest, deadline: Deadline) -> Sequence[Term]:
    """A cheapest plan with the fewest actions; the given plan if the time does not suffice."""
    assert found.cost is not None
    most, paid = found.cost, task.paid
    shorter = replace(
        task,
        laws=[*task.laws, le(task.cost, most)],
        cost=free.length,
        prices=None,
        satisfied=lambda order: task.satisfied(order) and paid(order) <= most,
        paid=len,
    )
    shortest = None
    with suppress(TimeUp):
        shortest = cheapest(shorter, deadline, untold).plan
    return (found.plan or ()) if shortest is None else shortest


def _search(free: DeleteFree, found: Cheapest, plan: Sequence[Term]) -> SearchResult:
    with grace_period(ANSWERING):
        steps = [{taken: 1} for taken in free.order(set(plan))]
    paid = sum(free.prices[t] for t in plan)
    return SearchResult(
        steps, paid, found.lower_bound, bound_by=found.bound_by, reason=found.reason, exact=found.exact
    )


def _by_node(gains: Gains, prices: Mapping[Term, int]) -> list[int]:
    """The cost of each choice, by its node."""
    return [*([0] * gains.network.choices.start), *(prices.get(t, 0) for t in gains.actions)]


def _named(gains: Gains, laws: Sequence[Term]) -> list[int]:
    named = variables(*laws)
    return [c for c, taken in zip(gains.network.choices, gains.actions, strict=True) if taken in named]


def _at_the_end(t: Term, gains: Gains) -> Callable[[Order], int]:
    """A term's value after choices were made."""
    fluents = [f for f in variables(t) if f in gains.start]
    slot = {f: i for i, f in enumerate(fluents)}

    def value(order: Order) -> int:
        state = gains.last(order)
        return interpret(t, slot, [int(state[f].payload) for f in fluents])

    return value


def confirmed(task: Task, found: Cheapest, session: Session) -> bool:
    """Confirm by a solver that the plan satisfies the laws, and that nothing cheaper satisfies the laws and the cuts.

    That the cuts hold in all plans is not rechecked here; closures prove it.

    Args:
        found: The finished result of the search.
        session: A fresh session.
    """
    session.add(*task.laws)
    if found.plan is not None and found.cost is not None:
        made = set(found.plan)
        if session.check(*(v if v in made else not_(v) for v in task.choices)).verdict != "sat":
            return False
    if found.cuts:
        session.add(*found.cuts)
    cheaper = () if found.cost is None else (le(task.cost, found.cost - 1),)
    return session.check(*cheaper).verdict == "unsat"

"""The cheapest plan within a horizon as a mixed-integer program, for steps with numeric choices.

Plan lengths are encoded in as few programs as is right (`plan_groups`). What the steps leave to judges is added while
solutions break it (`lemmas`). Of plans of the same cost one of the least second cost is shown, as far as that is
found in a moment: nothing is claimed of it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass, field, replace

from vclogic.child_process import APART
from vclogic.clock import ANSWERING, TIME_UP, Deadline, TimeUp, granted
from vclogic.encode.affine import Program, Unsupported
from vclogic.encode.codegen import interpret
from vclogic.encode.smt import numeral
from vclogic.progress import untold
from vclogic.shortage import WITHOUT, libraries_missing
from vclogic.solve import budgets
from vclogic.solve.backends.certificate import is_model
from vclogic.solve.backends.highs import Engines, Minimization, Minimum, minimize
from vclogic.solve.backends.messages import Json
from vclogic.solve.backends.session import Answer, Effort
from vclogic.solve.backends.solvers import Solver, Watch, started
from vclogic.solve.problem import Problem, Search
from vclogic.solve.searches.lemmas import Settled, cost_of, judged, settle
from vclogic.solve.searches.plan_groups import Group, groups, plan_of
from vclogic.terms.build import eq, le, not_
from vclogic.terms.term import Term, variables

ENGINE = "HiGHS"
VERIFIED = "HiGHS, checked in whole numbers"
CHECKED = "HiGHS, confirmed by z3"
_FEW_NODES, _FEW_COLUMNS = 30, 4_000  # of a proof with arguments, where one without is tried too: counted, not timed
_PAUSE = 2.0  # seconds without word of a better plan after one: each is played by whoever is told


def search(
    problem: Problem, effort: Effort, *, certify: bool = False, better: Callable[[Search], None] = lambda found: None
) -> Search:
    """The cheapest plan within the problem's horizon.

    Args:
        problem: The problem; it has a horizon.
        certify: Whether the absence of cheaper plans must be proved exactly: in whole numbers without argued cuts, or
            else by z3.
        better: Called with better plans while the search goes on, with not every one where they come fast.

    Raises:
        Unsupported: This method does not apply to the problem.
    """
    if libraries_missing():
        raise Unsupported(WITHOUT)
    if not APART:
        raise Unsupported("HiGHS has no processes here to work in")
    with closing(Engines()) if effort.engines is None else nullcontext(effort.engines) as engines:

        def ready() -> None:
            # with armies the program takes seconds for each round
            engines.start()
            effort.progress("writing the steps as a program for HiGHS")

        found = groups(problem, ready)
        result, nodes = _asked(found, effort, problem.within, engines, better)
        easy = nodes <= _FEW_NODES and sum(len(group.program.columns) for group in found) <= _FEW_COLUMNS
        if easy and result.argued and not result.reason:  # it may need no arguments
            soon = effort.part(most=budgets.UNARGUED_SOON)
            if all(_closed(group, result.cost, soon, engines) for group in found):
                result = replace(result, exact=True, argued=())
        if certify and not result.reason and not result.exact:
            return _certified(found, result, effort, engines)
    if effort.transcript:
        for group in found:
            effort.transcript.begin()
            effort.transcript.add(group.claimed)
            effort.transcript.check(group.cheaper(result.cost), "unsat")
    return result


@dataclass
class _Incumbent:
    """The cheapest plan so far.

    Attributes:
        plan: The plan.
        group: The plans among which it was found.
        values: What it is in the program of that group.
    """

    plan: Search = field(default_factory=Search)
    group: Group | None = None
    values: Mapping[Term, int] = field(default_factory=dict)

    def take(self, group: Group, outcome: Minimum) -> None:
        """Take a solution, if it is cheaper."""
        if outcome.cost is not None and (self.plan.cost is None or outcome.cost < self.plan.cost):
            self.plan, self.group = plan_of(group, Answer("sat", outcome.values)), group
            self.values = outcome.values


def _asked(
    found: list[Group], effort: Effort, within: int | None, engines: Engines, better: Callable[[Search], None]
) -> tuple[Search, int]:
    """The result of HiGHS for all groups, the longest plans first, and the nodes of its proofs.

    Each group is then with its lemmas.
    """
    best, low, nodes = _Incumbent(), math.inf, 0
    reasons: list[str] = []
    verified, argued = True, set[str]()
    first = _without_the_second(found, effort)
    for i, group in reversed([*enumerate(found)]):
        effort.progress(f"asking HiGHS about {group.depth} steps", best.plan.cost)
        settled = _settled(group, best.plan.cost, first, engines, _Teller(group, better), only=len(found) == 1)
        found[i], outcome = settled.group, settled.outcome
        best.take(found[i], outcome)
        if outcome.status == "unknown":
            reasons.append(outcome.reason)
        if outcome.status != "infeasible":
            low = min(low, max(outcome.lower_bound or 0, group.cost.lo))
        verified &= outcome.verified
        nodes += outcome.nodes
        argued |= {*outcome.argued}
    reason = "; ".join(dict.fromkeys(reasons))
    verified &= not reason
    result = replace(
        _tidied(best, effort, engines),
        bound_by=VERIFIED if verified else ENGINE,
        reason=reason,
        depth=within,
        exact=verified and not argued,
        argued=tuple(sorted(argued)),
    )
    known = None if math.isinf(low) else int(low)
    if result.cost is None:
        return replace(result, lower_bound=known if reason else None, exhausted=not reason), nodes
    low = result.cost if not reason or known is None else min(known, result.cost)
    return replace(result, lower_bound=low), nodes


def _without_the_second(found: Sequence[Group], effort: Effort) -> Effort:
    """The resources without what is kept for the second cost."""
    if all(group.second_cost is None for group in found):
        return effort
    return effort.part(1 - budgets.SECOND_COST_SHARE)


class _Teller:
    """Tells of plans of a group, but of none within a moment after another."""

    def __init__(self, group: Group, better: Callable[[Search], None]):
        self._group, self._better = group, better
        self._told = -math.inf

    def __call__(self, values: Mapping[Term, int]) -> None:
        """Tell of a plan."""
        now = time.monotonic()
        if now - self._told >= _PAUSE:
            self._better(plan_of(self._group, Answer("sat", values)))
            self._told = time.monotonic()


def _settled(
    group: Group, known: int | None, effort: Effort, engines: Engines, better: _Teller, *, only: bool
) -> Settled:
    """The result of HiGHS for plans of one group that are cheaper than a known one."""

    def tell(phase: str, cost: int | None = None, bound: int | None = None) -> None:
        effort.progress(phase, cost, bound if only else None)  # a bound of one group is none of all

    try:
        return settle(group, None if known is None else known - 1, effort.deadline, tell, engines, better=better)
    except TimeUp:
        return Settled(group, Minimum("unknown", reason=TIME_UP))


def _tidied(best: _Incumbent, effort: Effort, engines: Engines) -> Search:
    """A plan of the same cost with the least second cost that is found in time."""
    group, plan = best.group, best.plan
    second = None if group is None else group.second_cost
    if group is None or second is None or plan.cost is None:
        return plan
    effort.progress("looking for a plan of the same cost that does less", plan.cost)
    alike = replace(group, cost=second, terms=(*group.terms, le(group.cost, plan.cost)))
    values = best.values
    same = budgets.SAME_BATTLES, _same_battles(group, values)
    with suppress(TimeUp):
        for seconds, terms in (same, (budgets.SECOND_COST, ())):
            some = replace(alike, terms=(*alike.terms, *terms))
            most, soon = cost_of(alike, values) - 1, effort.part(most=seconds).deadline
            outcome = settle(some, most, soon, untold, engines, checked=False).outcome
            values = values if outcome.cost is None else outcome.values
    with granted(ANSWERING):
        return plan_of(group, Answer("sat", values))


def _same_battles(group: Group, values: Mapping[Term, int]) -> Iterator[Term]:
    """Constraints that leave the battles of a plan as they are."""
    slot, numbers = {v: i for i, v in enumerate(values)}, list(values.values())
    for taken in group.taken:
        for fight in taken.step.fights:
            won = taken.here(fight.won)
            there = [*map(taken.here, (*fight.attackers.values(), *fight.guns.values()))]
            is_won, *now = interpret([won, *there], slot, numbers)
            yield from [won, *map(eq, there, now)] if is_won else [not_(won)]


def _certified(found: Sequence[Group], result: Search, effort: Effort, engines: Engines) -> Search:
    """The result of HiGHS, proved in exact arithmetic without argued cuts if possible."""
    by_z3 = False
    for group in found:
        if result.argued and _closed(group, result.cost, effort.part(budgets.UNARGUED), engines):
            continue
        by_z3 = True
        effort.progress(f"asking z3 for a cheaper plan of {group.depth} steps")
        answer = _exactly(group, result.cost, effort)
        if answer.verdict == "unknown":
            return replace(result, reason=answer.reason)
        if answer.verdict == "sat":  # HiGHS was wrong: what z3 found is a plan, and nothing is known of better ones
            return replace(
                plan_of(group, answer), lower_bound=group.cost.lo, reason="z3 found a plan that HiGHS denied"
            )
    return replace(result, bound_by=CHECKED if by_z3 else VERIFIED, exact=True, argued=())


def _closed(group: Group, cost: int | None, effort: Effort, engines: Engines) -> bool:
    """True if branch and bound without argued cuts proves in whole numbers that no plan is cheaper."""
    effort.progress("looking for a proof without arguments", cost)
    asked = Minimization(group.unargued, group.claimed, group.first, None if cost is None else cost - 1)
    outcome = minimize(asked, effort.deadline, untold, engines)
    return outcome.status == "infeasible" and outcome.verified


def _exactly(group: Group, cost: int | None, effort: Effort) -> Answer:
    """Look for a cheaper plan by z3, in exact arithmetic on the rows of the program."""
    while True:
        found = solution_by_z3(group.unargued, None if cost is None else cost - 1, group.claimed, effort.deadline)
        if effort.transcript:
            effort.transcript.begin()
            effort.transcript.add(group.claimed)
            effort.transcript.check(group.cheaper(cost), found.verdict)
        if found.verdict != "sat":
            return found
        told = judged(group, found.values)
        if not told.lemmas:
            return replace(found, values={**found.values, **(told.instead or {})})
        group = replace(group, lemmas=(*group.lemmas, *told.lemmas))


def search_any_length(
    problem: Problem, effort: Effort, *, certify: bool = False, better: Callable[[Search], None] = lambda found: None
) -> Search:
    """The cheapest plan of any length.

    Idle counted steps can be left out of a plan, except the last. So a plan that needs a horizon greater than N costs
    at least N, and the cheapest plan within N is optimal once it costs at most N.

    Args:
        problem: The problem; it has no horizon.
        certify: Whether z3 must confirm the absence of cheaper plans.
        better: Called with better plans while the search goes on.

    Raises:
        Unsupported: Nothing shows that longer plans cost more.
    """
    idle = problem.transition.hints.idle
    if idle is None or not idle.isdisjoint(variables(problem.goal)):
        raise Unsupported("plans without end can cost as little as short ones")
    best, within, proved = Search(), 1, 0
    while True:
        effort.progress(f"looking for plans within {within}", best.cost, proved)
        found = search(replace(problem, within=within), effort, certify=certify, better=better)
        if found.cost is not None and (best.cost is None or found.cost < best.cost):
            best = found
        if found.reason:
            proved = max(proved, min(found.lower_bound or 0, within))
            bound = proved if best.cost is None else min(proved, best.cost)
            return replace(
                best, lower_bound=bound, bound_by=found.bound_by, reason=found.reason, depth=None, exact=False
            )
        # Each step costs at least one: a longer plan is no cheaper than this one.
        if best.cost is not None and best.cost <= within:
            return replace(found, steps=best.steps, cost=best.cost, lower_bound=best.cost, depth=None)
        proved = within
        within = within * 2 if best.cost is None else min(within * 2, best.cost)


# ---- the same program by z3, in exact arithmetic


def solution_by_z3(program: Program, most: int | None, claimed: Sequence[Term], deadline: Deadline) -> Answer:
    """Search by z3 for a solution of a program that costs at most a given amount.

    Args:
        most: The amount; None: any cost.
        claimed: The terms that it encodes; a solution is accepted only if all are true in it.

    Returns:
        `sat` with the values of the variables, `unsat`, or `unknown` with the reason.
    """
    if program.impossible:
        return Answer("unsat")
    if deadline.left <= 0:
        return Answer("unknown", reason=TIME_UP)
    process = started("plain")
    try:
        process.send({"id": 1, "text": as_smt(program, most), "assume": []})
        found = _answer(process, deadline)
    finally:
        process.close()
    if found["status"] != "sat":
        return Answer("unsat" if found["status"] == "unsat" else "unknown", reason=found.get("reason", ""))
    model = found["model"]
    values = program.values(
        [model.get(column_name(i), lo) for i, (lo, _) in enumerate(program.columns)], variables(*claimed)
    )
    if not is_model(values, claimed):
        return Answer("unknown", reason="z3 gave a solution that is none")
    return Answer("sat", values)


def _answer(process: Solver, deadline: Deadline) -> Json:
    """The answer of a process to its only request, or `unknown`."""
    with Watch() as watch:
        process.register(watch)
        while process.alive and deadline.left > 0:
            for _, events in watch.select(deadline.left):
                for line in process.handle(watch, events):
                    return line
    return {"status": "unknown", "reason": TIME_UP if process.alive else process.failure}


def as_smt(program: Program, most: int | None = None) -> str:
    """The SMT-LIB text whose models are the solutions of a program.

    Args:
        most: An upper bound on the objective; None: none.
    """
    # Over integers: linear arithmetic refutes such rows in seconds where bit vectors take minutes.
    lines = []
    for i, (lo, hi) in enumerate(program.columns):
        lines.append(
            f"(declare-const {column_name(i)} Int)(assert (<= {numeral(lo)} {column_name(i)} {numeral(hi)}))"
        )
    for row in program.rows:
        total = _sum(row.weights)
        if row.lo is not None:
            lines.append(f"(assert (>= {total} {numeral(row.lo)}))")
        if row.hi is not None:
            lines.append(f"(assert (<= {total} {numeral(row.hi)}))")
    if most is not None:
        cost = program.objective
        lines.append(f"(assert (<= {_sum(cost.weights.items())} {numeral(most - cost.constant)}))")
    return "\n".join(lines) + "\n"


def column_name(column: int) -> str:
    """The SMT-LIB constant of a column."""
    return f"x{column}"


def _sum(weights: Iterable[tuple[int, int]]) -> str:
    return f"(+ 0 0 {' '.join(f'(* {numeral(k)} {column_name(c)})' for c, k in weights)})"

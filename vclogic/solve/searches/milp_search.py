"""The cheapest plan within a horizon as a mixed-integer program, for steps with numeric choices.

Plan lengths are encoded in as few programs as is right (`plan_groups`). What the steps leave to judges is added while
solutions break it (`lemmas`). Of plans of the same cost one of the least second cost is shown, as far as that is
found in a moment: nothing is claimed of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass, field, replace

from vclogic.child_process import APART
from vclogic.clock import ANSWERING, TIME_UP, Deadline, TimeUp, check_deadline, grace_period, until
from vclogic.encode.linear.affine import Program, Unsupported
from vclogic.encode.python.codegen import interpret
from vclogic.encode.smt import numeral
from vclogic.progress import Listener, Progress, untold
from vclogic.shortage import WITHOUT, libraries_missing
from vclogic.solve import budgets
from vclogic.solve.backends.certificate import is_model
from vclogic.solve.backends.claims import Claim, ProgramBound
from vclogic.solve.backends.highs import Engines, Minimization, Minimum, minimize
from vclogic.solve.backends.kept import given_up, started
from vclogic.solve.backends.messages import Json
from vclogic.solve.backends.session import Answer, Effort
from vclogic.solve.backends.solvers import Solver, Watch, new_number
from vclogic.solve.problem import NOTHING, Problem, SearchResult
from vclogic.solve.searches.lemmas import Settled, cost_of, join_verdicts, settle
from vclogic.solve.searches.plan_groups import Group, groups, plan_of
from vclogic.terms.build import eq, le, not_, scale
from vclogic.terms.term import Term, variables

ENGINE = "HiGHS"
VERIFIED = "HiGHS, checked in whole numbers"
CHECKED = "HiGHS, confirmed by z3"
_FEW_NODES, _FEW_COLUMNS = 30, 4_000  # of a proof with arguments, where one without is tried too: counted, not timed
Better = Callable[[SearchResult], object]


def untold_plan(found: SearchResult) -> None:
    """Do nothing with a plan."""


def search(
    problem: Problem,
    effort: Effort,
    known: SearchResult = NOTHING,
    *,
    certify: bool = False,
    better: Better = untold_plan,
) -> SearchResult:
    """The cheapest plan within the problem's horizon, or of any length.

    Horizons of 1, 2, 4, ... are looked at in turn, so that a short plan is found before long ones are built. Idle
    counted steps can be left out of a plan, except the last. So a plan that needs a horizon greater than N costs at
    least N, and the cheapest plan within N is optimal once it costs at most N.

    Args:
        problem: The problem.
        known: A plan that is known already, if any.
        certify: Whether the absence of cheaper plans must be proved exactly: in whole numbers without argued cuts, or
            else by z3.
        better: Called with each better plan while the search goes on.

    Raises:
        Unsupported: This method does not apply to the problem, or nothing shows that longer plans cost more.
        TimeUp: The time was up before anything was known.
    """
    idle, limit = problem.transition.hints.idle, problem.within
    rising = idle is not None and idle.isdisjoint(variables(problem.goal))
    if limit is None and not rising:
        raise Unsupported("plans without end can cost as little as short ones")
    if libraries_missing():
        raise Unsupported(WITHOUT)
    if not APART:
        raise Unsupported("HiGHS has no processes here to work in")
    with closing(Engines()) if effort.engines is None else nullcontext(effort.engines) as engines:
        horizons = _Horizons(problem, effort, engines, known, rising, better)
        return horizons.any_length(certify=certify) if limit is None else horizons.within(limit, certify=certify)


class _Horizons:
    """The search by horizons, each of which is a problem of its own.

    Attributes:
        best: The cheapest plan so far.
        proved: No plan costs less.
    """

    def __init__(
        self, problem: Problem, effort: Effort, engines: Engines, known: SearchResult, rising: bool, better: Better
    ):
        self._problem, self._effort, self._engines = problem, effort, engines
        self._rising, self._better = rising, better
        self.best = _unbounded(known)
        self.proved = 0
        self._cheaper = False  # whether only cheaper plans are looked for, as the best one is that of its horizon

    def any_length(self, *, certify: bool) -> SearchResult:
        """The cheapest plan of any length."""
        within = 1
        while True:
            found, best = self._at(within, certify=certify), self.best
            if found.reason:
                return self._cut_short(replace(found, depth=None))
            self._cheaper = best.cost is not None
            # Each step costs at least one: a longer plan is no cheaper than this one.
            if best.cost is not None and best.cost <= within:
                return replace(found, steps=best.steps, cost=best.cost, lower_bound=best.cost, depth=None)
            within = within * 2 if best.cost is None else min(within * 2, best.cost)

    def within(self, limit: int, *, certify: bool) -> SearchResult:
        """The cheapest plan within a horizon; shorter ones are looked at for a first plan only."""
        within = 1
        while within < limit and self.best.cost is None:
            found = self._glance(within)
            if self._rising and not found.reason and self.best.cost is not None and self.best.cost <= within:
                limit = within  # none that is longer is cheaper
            within *= 2
        found = replace(self._at(limit, certify=certify, last=True), depth=self._problem.within)
        return self._cut_short(found) if found.reason else found

    def _cut_short(self, found: SearchResult) -> SearchResult:
        """The best plan and the best bound, given the result of the horizon at which the search ended."""
        best, proved = self.best, self.proved
        bound = proved if best.cost is None else min(proved, best.cost)
        by = found.bound_by or (ENGINE if bound else None)
        return replace(best, lower_bound=bound, bound_by=by, reason=found.reason, depth=found.depth, exact=False)

    def _glance(self, within: int) -> SearchResult:
        """Any plan within a horizon, or that there is none, if that is seen soon."""
        part = self._effort.part(budgets.SHORT_HORIZON_SHARE, budgets.SHORT_HORIZON)
        with suppress(TimeUp), until(part.deadline):
            return self._at(within, part)
        check_deadline()
        return SearchResult(reason=TIME_UP)

    def _at(
        self, within: int, part: Effort | None = None, *, certify: bool = False, last: bool = False
    ) -> SearchResult:
        """The result for one horizon, with the best plan so far; what is proved of all plans is noted.

        Args:
            within: The horizon.
            part: The resources where any plan will do; None: all, for the cheapest.
            certify: See `search`.
            last: Whether it is the horizon of the question.
        """
        before = self.best
        told = replace(part or self._effort, cost=before.cost, bound=None)
        if not last:
            told = replace(told, listener=self._bound_listener(within))
        told.progress(f"looking for plans within {within}", self.best.cost, self.proved)
        try:
            asked = _HorizonSearch(
                told, self._engines, self._take, before, cheaper=self._cheaper, first=part is not None
            )
            found = asked.answer(replace(self._problem, within=within), certify=certify)
        except TimeUp:
            if part is not None or (last and self.best.cost is None):
                raise
            found = replace(self.best, reason=TIME_UP)  # of which no bound is known
        if found.steps is not None and found.steps is not before.steps:  # it costs no more, and does less
            self.best = _unbounded(found)
        if self._rising or last:
            proved = found.lower_bound if found.reason or last else within
            self.proved = max(self.proved, proved or 0) if last else max(self.proved, min(proved or 0, within))
        return found

    def _take(self, found: SearchResult) -> None:
        if self.best.cost is None or (found.cost is not None and found.cost < self.best.cost):
            self.best = _unbounded(found)
            self._better(self.best)

    def _bound_listener(self, within: int) -> Listener:
        """Tells of a bound of the horizon what it says of all plans."""

        def tell(progress: Progress) -> None:
            here = min(progress.bound or 0, within) if self._rising else 0
            self._effort.listener(replace(progress, bound=max(here, self.proved)))

        return tell


def _unbounded(found: SearchResult) -> SearchResult:
    """A plan alone: what is proved of one horizon is not proved of all."""
    return SearchResult(found.steps, found.cost, raced=found.raced)


@dataclass
class _Incumbent:
    """The cheapest plan so far.

    Attributes:
        plan: The plan.
        group: The plans among which it was found.
        values: What it is in the program of that group.
    """

    plan: SearchResult = field(default_factory=SearchResult)
    group: Group | None = None
    values: Mapping[Term, int] = field(default_factory=dict)

    def take(self, group: Group, outcome: Minimum) -> None:
        """Take a solution, if it is cheaper."""
        if outcome.cost is not None and (self.plan.cost is None or outcome.cost < self.plan.cost):
            self.plan, self.group = plan_of(group, Answer("sat", outcome.values)), group
            self.values = outcome.values


def _claim(group: Group, cost: int | None) -> Claim:
    """The claim that no plan of some steps is cheaper; without a cost, that there is none."""
    said = "" if cost is None else f" costs less than {cost}"
    cheaper = () if cost is None else ((scale(group.cost, -1), 1 - cost),)
    return Claim(f"never: a plan of {group.depth} steps{said}", tuple(group.claimed), cheaper)


@dataclass
class _HorizonSearch:
    """A question about the plans within one horizon.

    Attributes:
        effort: The resources.
        engines: The processes of HiGHS.
        better: Called with each better plan.
        known: The cheapest plan so far: only plans that cost no more are looked for,
        cheaper: or less.
        first: Whether any plan will do, and no check in whole numbers is waited for.
    """

    effort: Effort
    engines: Engines
    better: Better
    known: SearchResult = NOTHING
    cheaper: bool = False
    first: bool = False

    def answer(self, problem: Problem, *, certify: bool) -> SearchResult:
        """The cheapest plan.

        Args:
            problem: The problem; it has a horizon.
            certify: See `search`.
        """
        effort, engines = self.effort, self.engines

        def ready() -> None:
            # with armies the program takes seconds for each round
            engines.start()
            effort.progress("writing the steps as a program for HiGHS")

        found = groups(problem, ready)
        result, nodes = self._all(found, problem.within)
        if self.first:
            return result
        easy = nodes <= _FEW_NODES and sum(len(group.program.columns) for group in found) <= _FEW_COLUMNS
        if easy and result.argued and not result.reason:  # it may need no arguments
            soon = effort.part(most=budgets.UNARGUED_SOON)
            if all(_closed(group, result.cost, soon, engines) for group in found):
                result = replace(result, exact=True, argued=())
        if certify and not result.reason and not result.exact:
            return _certify(found, result, effort, engines)
        if result.reason:
            return result
        return replace(result, claims=tuple(_claim(group, result.cost) for group in found))

    def _all(self, found: list[Group], within: int | None) -> tuple[SearchResult, int]:
        """The result of HiGHS for all groups, the longest plans first, and the nodes of its proofs.

        Each group is then with its lemmas.
        """
        best, low, nodes = _Incumbent(), math.inf, 0
        reasons: list[str] = []
        verified, argued = True, set[str]()
        bounds: list[ProgramBound] = []
        effort = _without_the_second(found, self.effort)
        for i, group in reversed([*enumerate(found)]):
            effort.progress(f"asking HiGHS about {group.depth} steps", best.plan.cost)
            settled = self._highs_result(group, best.plan.cost, effort, only=len(found) == 1)
            found[i], outcome = settled.group, settled.outcome
            best.take(found[i], outcome)
            if outcome.status == "unknown":
                reasons.append(outcome.reason)
            if outcome.status != "infeasible":
                low = min(low, max(outcome.lower_bound or 0, group.cost.lo))
            verified &= outcome.verified
            bounds += () if outcome.bound is None else (outcome.bound,)
            nodes += outcome.nodes
            argued |= {*outcome.argued}
        reason = "; ".join(dict.fromkeys(reasons))
        verified &= not reason
        result = replace(
            best.plan if self.first else _tidy(best, self.effort, self.engines),
            bound_by=VERIFIED if verified else ENGINE,
            reason=reason,
            depth=within,
            exact=verified and not argued,
            argued=tuple(sorted(argued)),
            bounds=tuple(bounds) if verified else (),
        )
        bound = None if math.isinf(low) else int(low)
        if result.cost is None and self.known.cost is not None:
            result = replace(result, steps=self.known.steps, cost=self.known.cost, raced=self.known.raced)
        if result.cost is None:
            return replace(result, lower_bound=bound if reason else None, exhausted=not reason), nodes
        low = result.cost if not reason or bound is None else min(bound, result.cost)
        return replace(result, lower_bound=low), nodes

    def _highs_result(self, group: Group, found: int | None, effort: Effort, *, only: bool) -> Settled:
        """The result of HiGHS for plans of one group that are cheaper than one found here."""

        def tell(phase: str, cost: int | None = None, bound: int | None = None) -> None:
            effort.progress(phase, cost, bound if only else None)  # a bound of one group is none of all

        def take(values: Mapping[Term, int]) -> None:
            self.better(plan_of(group, Answer("sat", values)))

        known = None if self.known.cost is None else self.known.cost - self.cheaper
        most = known if found is None else found - 1
        try:
            return settle(
                group, most, effort.deadline, tell, self.engines, checked=not self.first, any_=self.first, better=take
            )
        except TimeUp:
            return Settled(group, Minimum("unknown", reason=TIME_UP))


def _without_the_second(found: Sequence[Group], effort: Effort) -> Effort:
    """The resources without what is kept for the second cost."""
    if all(group.second_cost is None for group in found):
        return effort
    return effort.part(1 - budgets.SECOND_COST_SHARE)


def _tidy(best: _Incumbent, effort: Effort, engines: Engines) -> SearchResult:
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
    with grace_period(ANSWERING):
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


def _certify(found: Sequence[Group], result: SearchResult, effort: Effort, engines: Engines) -> SearchResult:
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
        if found.verdict != "sat":
            return found
        told = join_verdicts(group, found.values)
        if not told.lemmas:
            return replace(found, values={**found.values, **(told.instead or {})})
        group = replace(group, lemmas=(*group.lemmas, *told.lemmas))


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
        process.send({"id": new_number(), "text": as_smt(program, most), "assume": []})
        found = _answer(process, deadline)
    finally:
        given_up(process)
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

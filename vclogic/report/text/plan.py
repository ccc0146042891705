"""Text report of `plan`."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Group
from rich.text import Text

from vclogic.query.answers import Plan
from vclogic.report.text.battles import battles_section, low_chance
from vclogic.report.text.exposed import exposed
from vclogic.report.text.page import one_line, paragraphs
from vclogic.report.text.steps import by_events, found_footing, not_among, steps_table
from vclogic.solve.problem import ProofMethod
from vclogic.words import amount, in_parts

_COLOURS = {"optimal": "bold green", "feasible": "bold yellow", "impossible": "bold red", "unknown": "bold yellow"}
_METHODS = frozenset(ProofMethod)
_ALL = "; `vclogic reach` tries all events of the rules"


def plan(answer: Plan, file: str | None = None) -> Group:
    """The report as text.

    Args:
        file: The position file to which its record was written, if any.
    """
    heading = f" ({answer.heading})" if answer.heading else ""
    least = f"least {answer.metric}" if answer.scale else f"fewest {answer.metric}"
    asked = f"{least.capitalize()} to {one_line(answer.goal)}"
    if answer.maximum is not None:
        asked = f"Largest {one_line(answer.maximum.expr)}, with the {least}"
    low = low_chance(answer.battles)
    verdict = headline(answer)
    return paragraphs(
        Group(Text(asked + heading, "bold"), Text(answer.game, "dim")),
        verdict if low is None else Group(verdict, low),
        steps_table(answer.steps, answer.battles) if answer.steps else None,
        battles_section(answer.battles),
        exposed(answer.exposed),
        *_others(answer),
        found_footing(answer, _assumptions(answer), file),
    )


def headline(answer: Plan) -> Text:
    """The verdict and its proof, in a line."""
    return Text.assemble((answer.status, _COLOURS[answer.status]), _maximum(answer) + _because(answer))


def _others(answer: Plan) -> Iterable[Group | Text]:
    """The other plans, and whether there are more."""
    if answer.plans is None:
        return
    found = answer.plans.found
    for n, other in enumerate(found[1:], 2):
        unrecorded = other.record.reason if other.record.events is None else ""
        note = [Text(f"No record: {unrecorded}", "dim")] if unrecorded else []
        battles = battles_section(other.battles)
        fought = [] if battles is None else [battles]
        yield Group(
            Text(f"Plan {n}, of the same cost", "bold"), steps_table(other.steps, other.battles), *fought, *note
        )
    number = amount(len(found), "plan")
    if answer.plans.complete:
        yield Text(f"{number}; no other of this cost takes anything else (order and equal events do not count)")
    else:
        yield Text(f"{number}; there may be more: {answer.plans.reason}")


def _assumptions(answer: Plan) -> tuple[str, ...]:
    """The assumptions of the answer; first the events that it leaves out, where the verdict does not name them."""
    if answer.status == "impossible" or not answer.events.left_out:
        return answer.assumptions
    return (f"events {not_among(answer.events)}", *answer.assumptions)


def _because(answer: Plan) -> str:
    """The verdict in plain words, from its colon on."""
    limit = _limit(answer)
    match answer.status:
        case "optimal":
            return ": " + _optimal(answer) + limit
        case "feasible":
            return ": " + _feasible(answer)
        case "impossible":
            proof = ProofMethod(answer.bound_by).plan if answer.bound_by in _METHODS else ""
            if answer.bound_by == ProofMethod.POSITIONS:
                return f", ever: {proof}"
            return f"{by_events(answer.events)}{limit}: {proof or f'there is no plan{_prover(answer)}'}{_ALL}"
        case "unknown":
            least = f"; it would need at least {_cost(answer, answer.lower_bound)}" if answer.lower_bound else ""
            return f": {_reason(answer)}; whether there is a plan is open{least}"


def _maximum(answer: Plan) -> str:
    found = answer.maximum
    if found is None or found.value is None:
        return ""
    shown = one_line(found.expr)
    if answer.status == "optimal" or found.value == found.upper_bound:
        return f": {shown} is at most {found.value}"
    return f": {shown} is {found.value} in the best plan found, and cannot be more than {found.upper_bound}"


def _optimal(answer: Plan) -> str:
    if not answer.cost:
        if not answer.steps and answer.record and answer.record.events:
            return f"0 {answer.metric}; what has been moved so far is enough, once its battles are decided"
        if not answer.steps:
            return f"0 {answer.metric}; the goal holds already"
        if answer.scale:
            return f"{_cost(answer, answer.cost)}: nothing that the plan takes is defended"
        return f"0 {answer.metric}; the steps below cost nothing and lead to the moment at which the goal holds"
    least = "the least possible" if answer.scale else "the fewest possible"
    return f"{_cost(answer, answer.cost)}, {least}{_prover(answer)}"


def _feasible(answer: Plan) -> str:
    known = ""
    if answer.lower_bound:
        least = in_parts(answer.lower_bound, answer.scale) if answer.scale else answer.lower_bound
        gap = f" (a gap of {100 - 100 * answer.lower_bound // (answer.cost or 1)} %)" if answer.scale else ""
        known = f"; at least {least} are needed{gap}{_prover(answer)}"
    return f"{_cost(answer, answer.cost)} found{known}; there may be cheaper plans: {_reason(answer)}"


def _limit(answer: Plan) -> str:
    """The limit of a verdict on the length of plans."""
    if answer.horizon.n is None:
        return ""
    within = amount(answer.horizon.n, answer.horizon.unit)
    return f" within {within}" if answer.status == "impossible" else f"; only plans of at most {within} count"


def _prover(answer: Plan) -> str:
    if not answer.bound_by:
        return ""
    if answer.exact:
        return f" (proved by {answer.bound_by})"
    if answer.argued and answer.bound_by != "HiGHS":
        given = f"given that {'; '.join(answer.argued)}"
        return f" (proved by {answer.bound_by}, {given}; --certify looks for a proof without that)"
    checked = "--certify has z3 check it"
    if answer.reason and answer.status != "feasible":  # there it says why the search stopped
        checked = f"z3 did not confirm it: {answer.reason}"
    return f" (proved by {answer.bound_by} in floating point; {checked})"


def _cost(answer: Plan, n: int | None) -> str:
    if answer.scale:
        return f"{in_parts(n or 0, answer.scale)} {answer.counted or answer.metric}"
    return amount(n or 0, answer.metric)


def _reason(answer: Plan) -> str:
    return answer.reason or "the search stopped early"

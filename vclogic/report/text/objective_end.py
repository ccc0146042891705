"""The end of a briefing: what is not decided, and what the answer rests on."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group

from vclogic.query.objectives.answer import Cost, Objectives, Threat
from vclogic.report.text.objective_words import GOAL, holds, named, reason
from vclogic.report.text.page import bullets, one_line, titled
from vclogic.report.text.steps import not_among

_REPLAYED = "Replayed: each plan was played step by step without a solver; every step is legal and leads to the goal."


def left_open(answer: Objectives) -> Group | None:
    """The undecided parts, each with its reason."""
    lines = [*_undecided(answer)]
    return titled("Not decided", bullets(lines)) if lines else None


def _undecided(answer: Objectives) -> Iterator[str]:
    if answer.status == "unknown":
        yield f"whether there is a plan: {reason(answer.cost.reason)}"
    else:
        yield from _undecided_goal(answer)
    for threat in answer.threats:
        yield from _undecided_threat(threat)


def _undecided_goal(answer: Objectives) -> Iterator[str]:
    if answer.status == "feasible":
        yield f"whether a plan costs less: {reason(answer.cost.reason)}"
    if not answer.winning.all_found:
        yield f"whether there are more winning sets: {reason(answer.winning.reason)}"
    if answer.landmarks.open:
        yield f"whether every plan takes {named(answer.landmarks.open)}: {reason(answer.landmarks.reason)}"
    if not answer.denial.all_found:
        yield f"whether there are more denial sets: {reason(answer.denial.reason)}"
    yield from _undecided_values(answer)


def _undecided_values(answer: Objectives) -> Iterator[str]:
    parts = {"lost": "the cost once {} is lost"}
    if not holds(answer):
        parts = {"first": "the cost of taking {} first", "closed": "the cost of never having {}", **parts}
    for attribute, words in parts.items():
        costs = [(o.name, getattr(o, attribute)) for o in answer.objectives]
        names = [name for name, cost in costs if cost is not None and cost.status in ("unknown", "feasible")]
        reasons = {cost.reason for _, cost in costs if cost is not None and cost.reason}
        if names:
            yield f"{words.format(named(names, 'or'))}: {reason('; '.join(sorted(reasons)))}"


def _undecided_threat(threat: Threat) -> Iterator[str]:
    if threat.cost.status == "unknown":
        yield f"whether {threat.side} has a plan ({one_line(threat.goal, GOAL)}): {reason(threat.cost.reason)}"
    elif threat.cost.status == "feasible":
        yield f"whether a plan of {threat.side} costs less: {reason(threat.cost.reason)}"
    if threat.cost.cost is not None and not threat.winning.all_found:
        yield f"whether {threat.side} has more winning sets: {reason(threat.winning.reason)}"
    stop = threat.stop
    if stop is not None and stop.status == "unknown":
        yield f"the defence against {threat.side}: {reason(stop.reason)}"
    elif stop is not None and stop.cost.status == "feasible":
        yield f"whether fewer moves stop {threat.side}: {reason(stop.reason or stop.cost.reason)}"


def rests_on(answer: Objectives) -> tuple[str, ...]:
    """The assumptions of the answer; first the events that it leaves out."""
    left_out = (f"events {not_among(answer.events)}",) if answer.events.left_out else ()
    return (*left_out, *answer.assumptions)


def trusted(answer: Objectives) -> Iterator[str]:
    """The reasons to trust the answer: the replay of plans, and the proof of each part."""
    if not holds(answer) and (answer.winning.sets or answer.next is not None):
        yield _REPLAYED
    yield from _proofs(answer)


def _proof(cost: Cost) -> list[tuple[str | None, bool]]:
    """The proof of a cost, and whether it is in exact arithmetic; nothing where only a bound is proved."""
    return [(cost.bound_by, cost.exact)] if cost.status in ("optimal", "impossible") else []


def _proofs(answer: Objectives) -> Iterator[str]:
    """The proof of each part, and whether it is in exact arithmetic."""
    stops = [x.stop for x in answer.threats if x.stop is not None]
    groups = (
        ("the cost", [] if holds(answer) else _proof(answer.cost)),
        ("what every plan takes", [(x.bound_by, x.exact) for x in answer.landmarks.found]),
        ("what denies it", [(x.bound_by, x.exact) for x in answer.denial.sets]),
        ("what the enemy threatens", [p for x in answer.threats if not holds(x) for p in _proof(x.cost)]),
        ("what stops it", [p for x in stops for p in ((x.bound_by, x.exact), *_proof(x.cost))]),
    )
    by: dict[str, list[str]] = {}
    for what, proofs in groups:
        names = dict.fromkeys(p + ("" if exact else " in floating point") for p, exact in proofs if p)
        if names:
            by.setdefault(named([*names]), []).append(what)
    if by:
        yield f"Proved: {'; '.join(f'{named(parts)} by {proof}' for proof, parts in by.items())}."

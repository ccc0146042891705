"""Text report of `objectives`: a briefing of three lines, the tables behind it, and the plans."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group
from rich.text import Text

from vclogic.query.objectives.answer import Denial, Objectives, Stop, Threat, Winning
from vclogic.report.text.objective_plans import next_steps, plans
from vclogic.report.text.objective_tables import denial, needed, values, winning
from vclogic.report.text.objective_threats import threats
from vclogic.report.text.objective_words import Costs, limited, named
from vclogic.report.text.page import bullets, marked, one_line, paragraphs, plain, titled
from vclogic.report.text.steps import footing, not_among

_GREEN, _YELLOW, _RED = "bold green", "bold yellow", "bold red"
_STYLES = {"optimal": _GREEN, "feasible": _YELLOW, "impossible": _RED, "unknown": _YELLOW}
_GOAL = 60  # characters of an enemy's goal
_FEW_STEPS = 2
_REPLAYED = "Replayed: each plan was played step by step without a solver; every step is legal and leads to the goal."


def objectives(answer: Objectives, *, whole: bool = False) -> Group:
    """The report as text.

    Args:
        answer: The answer.
        whole: Whether to show all sets and plans, not only the first ones.
    """
    heading = f" ({answer.heading})" if answer.heading else ""
    title = Text(f"Briefing for {plain(answer.side)}: {one_line(answer.goal)}{heading}", "bold")
    return paragraphs(
        Group(title, Text(answer.game, "dim"), *_conditions(answer)),
        marked(_lines(answer)),
        winning(answer, whole=whole),
        needed(answer),
        denial(answer, whole=whole),
        values(answer),
        *threats(answer, whole=whole),
        next_steps(answer),
        *plans(answer, whole=whole),
        _left_open(answer),
        footing(_assumptions(answer), answer.elapsed_s, [*_said(answer)]),
    )


def _conditions(answer: Objectives) -> Iterator[Text]:
    if answer.conditions:
        yield Text(plain(f"Only plans count of which this holds: {'; '.join(answer.conditions)}"))


# ---- the three lines


def _lines(answer: Objectives) -> Iterator[tuple[str, Text]]:
    yield "To win:", _to_win(answer)
    yield "To deny:", Text(plain(_to_deny(answer)))
    yield "Threat:", _threat(answer)


def _holds(answer: Objectives) -> bool:
    """Whether the goal holds at the start."""
    return answer.cost.cost == 0 and answer.next is None


def _to_win(answer: Objectives) -> Text:
    """What it takes: the fewest moves, with which objectives, and in how many ways."""
    costs, style = Costs.of(answer), _STYLES[answer.status]
    if answer.status == "impossible":
        least = f"; it takes at least {costs.amount(bound)}" if (bound := answer.cost.lower_bound) else ""
        return _verdict("out of reach", style, f": there is no plan{limited(answer)}{least}")
    if answer.cost.cost is None:
        return _verdict("open", style, f": {_reason(answer.cost.reason)}")
    if _holds(answer):
        return _verdict("the goal holds already", style)
    fewest = f", {costs.least}"
    if answer.status == "feasible":
        bound = answer.cost.lower_bound
        fewest = f" found; at least {costs.number(bound)} needed" if bound else " found; fewer may be enough"
    found = answer.winning
    return _verdict(costs.amount(answer.cost.cost), style, fewest + _first(found) + _ways(found, answer))


def _verdict(word: str, style: str, more: str = "") -> Text:
    return Text.assemble((plain(word), style), plain(more))


def _reason(reason: str) -> str:
    return reason or "the search stopped early"


def _first(found: Winning) -> str:
    """The objectives of the first winning set."""
    if not found.sets:
        return ""
    takes = found.sets[0].takes
    return f": take {named(takes)}" if takes else "; no objective need be taken"


def _ways(found: Winning, answer: Objectives) -> str:
    """How many sets of objectives there are at that cost, and in all."""
    limit = limited(answer)
    if not found.sets:
        return "; which objectives are enough is open"
    if found.complete and found.total == 1:
        return f"; no other set is enough{limit}"
    every = f"{'' if found.complete else 'at least '}{found.total:,}"
    if not found.all_cheapest or found.cheapest == found.total:
        return f" (one of {every} sets{limit})"
    least = "the only set" if found.cheapest == 1 else f"one of {found.cheapest} sets"
    return f" ({least} at that cost, of {every}{limit})"


def _to_deny(answer: Objectives) -> str:
    """What no plan can do without, and what the enemy must keep."""
    if answer.status == "impossible":
        return "nothing more need be kept"
    if answer.status == "unknown":
        return "open"
    if _holds(answer):
        return "it is too late for that"
    if not answer.objectives:
        return "the game declares no objectives for this side"
    return f"{_in_every_plan(answer)}; {_kept(answer.denial)}"


def _in_every_plan(answer: Objectives) -> str:
    names = [x.name for x in answer.landmarks.found if x.main]
    if names:
        return f"every plan takes {named(names)}"
    return "what every plan takes is open" if answer.landmarks.open else "no objective is in every plan"


def _kept(found: Denial) -> str:
    if not found.sets:
        return "nothing that the enemy keeps stops it" if found.complete else "what the enemy must keep is open"
    words = f"out of reach while the enemy keeps {named(found.sets[0].keeps)}"
    if found.total > 1 or not found.complete:
        known = "" if found.complete else "at least "
        words += f" (one of {known}{found.total:,} such sets)"
    return words


_PRESSING = {"optimal": 0, "feasible": 0, "unknown": 1, "impossible": 2}


def _threat(answer: Objectives) -> Text:
    """What the most pressing enemy can win with, and what stops it."""
    if not answer.threats:
        return Text("no goal of an enemy is known")
    first, *others = sorted(answer.threats, key=lambda t: (_PRESSING[t.cost.status], t.cost.cost or 0))
    return _threatened(first, Costs.of(answer)).append(f" (and {len(others)} more below)" if others else "")


def _threatened(threat: Threat, costs: Costs) -> Text:
    goal, limit = one_line(threat.goal, _GOAL), limited(threat)
    if threat.cost.status == "impossible":
        return _verdict("none", _GREEN, f": {threat.side} cannot reach {goal}{limit}")
    if threat.cost.cost is None:
        return _verdict("open", _YELLOW, f": whether {threat.side} can reach {goal}{limit}")
    if not threat.cost.cost and not threat.winning.sets:
        return _verdict(threat.side, _RED, f": {goal} holds already")
    takes = threat.winning.sets[0].takes if threat.winning.sets else ()
    how = f" with {named(takes)}" if takes else ""
    found = f" can reach {goal} in {costs.known(threat.cost)}{how}; {_stopped(threat.stop, costs)}"
    return _verdict(threat.side, _RED, found)


def _stopped(stop: Stop | None, costs: Costs) -> str:
    if stop is None or stop.status == "unknown":
        return "what stops it is open"
    if stop.status == "lost":
        return "no moves stop it"
    steps = [s.text for s in stop.plan.steps] if stop.plan else []
    more = f" and {len(steps) - _FEW_STEPS} more" if len(steps) > _FEW_STEPS else ""
    shown = "; ".join(steps[:_FEW_STEPS]) + more
    return f"stopped by {costs.known(stop.cost)}" + (f": {shown}" if shown else "")


# ---- the end


def _left_open(answer: Objectives) -> Group | None:
    """What is not decided, each with its reason."""
    lines = [*_undecided(answer)]
    return titled("Not decided", bullets(lines)) if lines else None


def _undecided(answer: Objectives) -> Iterator[str]:
    if answer.status == "unknown":
        yield f"whether there is a plan: {_reason(answer.cost.reason)}"
        return
    if answer.status == "feasible":
        yield f"whether a plan costs less: {_reason(answer.cost.reason)}"
    if not answer.winning.complete:
        yield f"whether there are more winning sets: {_reason(answer.winning.reason)}"
    if answer.landmarks.open:
        yield f"whether every plan takes {named(answer.landmarks.open)}: {_reason(answer.landmarks.reason)}"
    if not answer.denial.complete:
        yield f"whether there are more denial sets: {_reason(answer.denial.reason)}"
    yield from _undecided_values(answer)
    for threat in answer.threats:
        yield from _undecided_threat(threat)


def _undecided_values(answer: Objectives) -> Iterator[str]:
    parts = (("if first", "first"), ("if lost", "lost"), ("if closed", "closed"))
    for words, attribute in parts:
        costs = [(o.name, getattr(o, attribute)) for o in answer.objectives]
        names = [name for name, cost in costs if cost is not None and cost.status in ("unknown", "feasible")]
        reasons = {cost.reason for _, cost in costs if cost is not None and cost.reason}
        if names:
            yield f"the exact number {words} of {named(names)}: {_reason('; '.join(sorted(reasons)))}"


def _undecided_threat(threat: Threat) -> Iterator[str]:
    if threat.cost.status == "unknown":
        yield f"whether {threat.side} can reach {one_line(threat.goal, _GOAL)}: {_reason(threat.cost.reason)}"
    elif threat.cost.status == "feasible":
        yield f"whether {threat.side} needs less: {_reason(threat.cost.reason)}"
    if threat.cost.cost is not None and not threat.winning.complete:
        yield f"whether {threat.side} has more winning sets: {_reason(threat.winning.reason)}"
    stop = threat.stop
    if stop is not None and stop.status == "unknown":
        yield f"what stops {threat.side}: {_reason(stop.reason)}"
    elif stop is not None and stop.cost.status == "feasible":
        yield f"whether fewer moves stop {threat.side}: {_reason(stop.reason or stop.cost.reason)}"


def _assumptions(answer: Objectives) -> tuple[str, ...]:
    left_out = (f"events {not_among(answer.events)}",) if answer.events.left_out else ()
    return (*left_out, *answer.assumptions)


def _said(answer: Objectives) -> Iterator[str]:
    if answer.winning.sets or answer.next is not None:
        yield _REPLAYED
    yield from _proofs(answer)


def _proofs(answer: Objectives) -> Iterator[str]:
    """What proves each part, and whether in exact arithmetic."""
    groups = (
        ("the cost", [(answer.cost.bound_by, answer.cost.exact)]),
        ("what every plan takes", [(x.bound_by, x.exact) for x in answer.landmarks.found]),
        ("what the enemy must keep", [(x.bound_by, x.exact) for x in answer.denial.sets]),
    )
    parts = []
    for what, proofs in groups:
        names = dict.fromkeys(p + ("" if exact else " in floating point") for p, exact in proofs if p)
        if names:
            parts.append(f"{what} by {named([*names])}")
    if parts:
        yield f"Proved: {'; '.join(parts)}."

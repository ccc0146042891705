"""Text report of `objectives`: a briefing of three lines, the tables behind it, and the plans."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from vclogic.choices import by_command
from vclogic.query.objectives.answer import Cost, Denial, Next, Objectives, Stop, Threat, Winning, WinningSet
from vclogic.query.plan.answer import OnePlan
from vclogic.report.text.objective_tables import (
    GOAL,
    Costs,
    denial,
    holds,
    how_many,
    limited,
    named,
    needed,
    reason,
    sets_table,
    values,
    winning,
)
from vclogic.report.text.page import bullets, head, indented, marked, one_line, paragraphs, plain, titled
from vclogic.report.text.plan import battles_section, low_chance
from vclogic.report.text.steps import footing, rests_on, steps_table

_GREEN, _YELLOW, _RED = "bold green", "bold yellow", "bold red"
_STYLES = {"optimal": _GREEN, "feasible": _YELLOW, "impossible": _RED, "unknown": _YELLOW}
_FEW_STEPS = 2
_FEW = 4


def objectives(answer: Objectives, *, whole: bool = False) -> Group:
    """The report as text.

    Args:
        whole: Whether to show all sets and plans, not only the first ones.
    """
    title = f"Briefing for {plain(answer.side)}: {one_line(answer.goal)}"
    return paragraphs(
        Group(head(title, answer.game, answer.heading), *_conditions(answer)),
        marked(_lines(answer)),
        winning(answer, whole=whole),
        needed(answer),
        denial(answer, whole=whole),
        *values(answer, whole=whole),
        *threats(answer, whole=whole),
        next_steps(answer),
        *plans(answer, whole=whole),
        left_open(answer),
        footing(rests_on(answer), answer.elapsed_s, [*trusted(answer)]),
    )


def _conditions(answer: Objectives) -> Iterator[Text]:
    if answer.conditions:
        yield Text(plain(f"Only plans count of which this holds: {'; '.join(answer.conditions)}"))


# ---- the three lines


def _lines(answer: Objectives) -> Iterator[tuple[str, Text]]:
    yield "To win:", headline(answer)
    yield "To deny:", Text(plain(_to_deny(answer)))
    yield "Threat:", _threat(answer)


def headline(answer: Objectives) -> Text:
    """The verdict: the fewest moves, with which objectives, and in how many ways."""
    costs, style, bound = Costs.of(answer), _STYLES[answer.status], answer.cost.lower_bound
    least = f"; it takes at least {costs.amount(bound)}" if bound else ""
    if answer.status == "impossible":
        return _verdict("out of reach", style, f": there is no plan{limited(answer)}{least}")
    if answer.cost.cost is None:
        return _verdict("open", style, f": {reason(answer.cost.reason)}{least}")
    if holds(answer):
        return _verdict("the goal holds already", style)
    fewest, most = f", {costs.least}", costs.amount(answer.cost.cost)
    if answer.status == "feasible":
        fewest = " found; fewer may be enough"
        if bound:
            fewest, most = f" ({costs.number(answer.cost.cost)} found)", f"between {costs.number(bound)} and {most}"
    found = answer.winning
    return _verdict(most, style, fewest + _first(answer) + _ways(found, answer))


def _verdict(word: str, style: str, more: str = "") -> Text:
    return Text.assemble((plain(word), style), plain(more))


def _first(answer: Objectives) -> str:
    """The objectives of the first winning set; where they are few, with what they bring."""
    if not answer.winning.sets or _costs_more(answer):
        return ""
    takes = answer.winning.sets[0].takes
    worth = {o.name: f"{o.name} ({o.worth})" for o in answer.objectives if o.worth}
    shown = [worth.get(name, name) for name in takes] if len(takes) <= _FEW else takes
    return f": take {named(shown)}" if takes else "; no objective need be taken"


def _ways(found: Winning, answer: Objectives) -> str:
    """The number of sets of objectives at that cost, and in all."""
    limit = limited(answer)
    if not found.sets:
        return "; which objectives are enough is open"
    if _costs_more(answer):
        first = found.sets[0]
        only = f"only {named(first.takes)} {'is' if len(first.takes) == 1 else 'are'}" if first.takes else "none is"
        return f"; {Costs.of(answer).known(first.cost)} if of the objectives {only} taken"
    if found.all_found and found.total == 1:
        return f"; no other set is enough{limit}"
    if found.total == 1:
        return "; there may be other sets"
    so_far = "" if found.all_found else " found"
    if not found.all_cheapest or found.cheapest == found.total:
        return f"; one of {found.total:,} sets{so_far}{limit}"
    least = "the only set" if found.cheapest == 1 else f"one of {found.cheapest} sets"
    return f"; {least} at that cost, of {found.total:,}{so_far}{limit}"


def _costs_more(answer: Objectives | Threat) -> bool:
    """True if the cheapest plan takes more than a winning set, and no plan as cheap is known for one."""
    return (answer.winning.sets[0].cost.cost or 0) > (answer.cost.cost or 0)


def _to_deny(answer: Objectives) -> str:
    """The landmarks, and the sets to keep from the side."""
    if answer.status == "impossible":
        return "nothing more need be kept"
    if answer.status == "unknown":
        return "open"
    if holds(answer):
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
        return "keeping objectives from it does not help" if found.all_found else "what must be kept from it is open"
    keeps = found.sets[0].keeps
    words = f"out of reach while {named(keeps)} {'is' if len(keeps) == 1 else 'are'} kept from it"
    if found.total > 1 or not found.all_found:
        known = "" if found.all_found else "at least "
        words += f" (one of {known}{found.total:,} such sets)"
    return words


_PRESSING = {"optimal": 0, "feasible": 0, "unknown": 1, "impossible": 2}


def _threat(answer: Objectives) -> Text:
    """The most pressing threat, with a defence."""
    if not answer.threats:
        return Text("no goal of an enemy is known")
    first, *others = sorted(answer.threats, key=lambda t: (_PRESSING[t.cost.status], t.cost.cost or 0))
    return _threatened(first, Costs.of(answer)).append(f" (and {len(others)} more below)" if others else "")


def _threatened(threat: Threat, costs: Costs) -> Text:
    aim = f"({threat.side}: {one_line(threat.goal, GOAL)})"
    if threat.cost.status == "impossible":
        return _verdict("none", _GREEN, f"{limited(threat)} {aim}")
    if threat.cost.cost is None:
        return _verdict("open", _YELLOW, f"{limited(threat)} {aim}")
    if holds(threat):
        return _verdict("it has come already", _RED, f" {aim}; {_stopped(threat.stop, costs)}")
    takes = threat.winning.sets[0].takes if threat.winning.sets and not _costs_more(threat) else ()
    how = f", with {named(takes)}" if takes else ""
    return _verdict(costs.known(threat.cost), _RED, f"{how} {aim}; {_stopped(threat.stop, costs)}")


def _stopped(stop: Stop | None, costs: Costs) -> str:
    if stop is None or stop.status == "unknown":
        return "what stops it is open"
    if stop.status == "lost":
        return "no moves stop it"
    steps = [s.text for s in stop.plan.steps] if stop.plan else []
    more = f" and {len(steps) - _FEW_STEPS} more" if len(steps) > _FEW_STEPS else ""
    shown = "; ".join(steps[:_FEW_STEPS]) + more
    return f"stopped by {costs.stopping(stop)}" + (f": {shown}" if shown else "")


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


_BY = {
    "defend": "this turn, whatever the enemy does after it",
    "moves": "made before the enemy moves, whoever is on turn",
}


def threats(answer: Objectives, *, whole: bool) -> Iterator[RenderableType]:
    """Each enemy's winning sets, and what stops it."""
    costs = Costs.of(answer)
    for threat in answer.threats:
        if threat.cost.status == "impossible" or threat.cost.cost is None:
            continue  # the third line says it
        title = f"Threat by {plain(threat.side)}{limited(threat)}: {one_line(threat.goal)}"
        parts = [*_ways_of(threat, costs, whole=whole), *_stop(threat.stop, costs)]
        yield Group(Text(title, "bold"), *(indented(p) for p in parts))


def _ways_of(threat: Threat, costs: Costs, *, whole: bool) -> Iterator[RenderableType]:
    if holds(threat):
        yield Text("It has come already: the goal holds.", "bold red")
    elif threat.winning.all_found and not any(x.takes for x in threat.winning.sets):
        yield Text(plain(f"{costs.known(threat.cost)}; no objective need be taken"))
    elif not threat.winning.sets:
        yield Text(f"{costs.known(threat.cost)}; with which objectives is not known")
    else:
        yield Text(f"Winning sets ({how_many(threat.winning)})")
        yield sets_table(threat.winning, costs, whole=whole)


def _stop(stop: Stop | None, costs: Costs) -> Iterator[RenderableType]:
    if stop is None:
        return
    if stop.status == "lost":
        yield Text("Nothing stops it: no moves leave the enemy without a plan.", "bold red")
        return
    if stop.status == "unknown":
        yield Text(f"What stops it is not known: {reason(stop.reason)}", "bold yellow")
        return
    fewest = f", {costs.least}" if stop.cost.status == "optimal" else "; fewer may be enough"
    yield Text(plain(f"Stopped by {costs.stopping(stop)}{fewest} ({_BY[stop.by]}):"), "bold green")
    if stop.plan is not None and stop.plan.steps:
        yield indented(steps_table(stop.plan.steps, stop.plan.battles))
        fought = battles_section(stop.plan.battles)
        if fought is not None:
            yield fought


_PLANS = 3
_STEPS = 30  # of all plans that are shown unasked, the first apart


def next_steps(answer: Objectives) -> RenderableType | None:
    """The first steps of a plan to follow; None where there is no plan."""
    found = answer.next
    if found is None or not found.steps:
        return None
    same = next((s for s in answer.winning.sets if s.plan.steps == found.plan.steps), None)
    title = Text(plain(f"Next ({_followed(found, same, Costs.of(answer))})"), "bold")
    low = low_chance(found.plan.battles)
    told_below = same is not None and same.n == 1 and found.steps == found.plan.steps
    body = Text("all of that plan") if told_below else steps_table(found.steps, found.plan.battles)
    return Group(title, *map(indented, [body, *([] if low is None else [low])]))


def _followed(found: Next, same: WinningSet | None, costs: Costs) -> str:
    """The plan that is followed, and the chance of its battles."""
    which = f"a plan of {costs.known(found.cost)}" if same is None else f"plan {same.n}"
    takes = f", which takes {named(found.takes)}" if found.takes else ""
    chance = f"; the chance of its battles is {found.plan.battles.overall}" if found.plan.battles else ""
    return ("going on with " if found.continued else "") + which + takes + chance


def plans(answer: Objectives, *, whole: bool) -> Iterator[RenderableType]:
    """The plans behind the winning sets, as many as are worth the paper unless all are asked for."""
    sets, costs = answer.winning.sets if not holds(answer) else (), Costs.of(answer)
    shown = sets if whole else _one_of_each(sets)
    for found in shown:
        yield _plan(found, costs)
    if len(shown) < len(sets):
        hint = by_command(": --all, or --format json", " are left out")
        yield Text(f"The plans of the other {len(sets) - len(shown):,} winning sets{hint}", "dim")


def _one_of_each(sets: tuple[WinningSet, ...]) -> tuple[WinningSet, ...]:
    steps, n = 0, 0
    for found in sets[:_PLANS]:
        steps += len(found.plan.steps)
        if n and steps > _STEPS:
            break
        n += 1
    return sets[:n]


def _plan(found: WinningSet, costs: Costs) -> RenderableType:
    takes = f", takes {named(found.takes)}" if found.takes else ""
    title = Text(plain(f"Plan {found.n}: {costs.known(found.cost)}{takes}"), "bold")
    return Group(title, *map(indented, _parts(found.plan)))


def _parts(plan: OnePlan) -> Iterator[RenderableType]:
    yield steps_table(plan.steps, plan.battles)
    fought = battles_section(plan.battles)
    if fought is not None:
        yield fought
    if plan.record.events is None and plan.record.reason:
        yield Text(plain(f"No record: {plan.record.reason}"), "dim")

"""Text report of `objectives`: a briefing of three lines, the tables behind it, and the plans."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group
from rich.text import Text

from vclogic.query.objectives.answer import Denial, Objectives, Stop, Threat, Winning
from vclogic.report.text.objective_end import left_open, rests_on, trusted
from vclogic.report.text.objective_plans import next_steps, plans
from vclogic.report.text.objective_tables import denial, needed, values, winning
from vclogic.report.text.objective_threats import threats
from vclogic.report.text.objective_words import GOAL, Costs, holds, limited, named, reason
from vclogic.report.text.page import marked, one_line, paragraphs, plain
from vclogic.report.text.steps import footing

_GREEN, _YELLOW, _RED = "bold green", "bold yellow", "bold red"
_STYLES = {"optimal": _GREEN, "feasible": _YELLOW, "impossible": _RED, "unknown": _YELLOW}
_FEW_STEPS = 2
_FEW = 4


def objectives(answer: Objectives, *, whole: bool = False) -> Group:
    """The report as text.

    Args:
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
    fewest = f", {costs.least}"
    if answer.status == "feasible":
        fewest = f" found; at least {costs.number(bound)} needed" if bound else " found; fewer may be enough"
    found = answer.winning
    return _verdict(costs.amount(answer.cost.cost), style, fewest + _first(answer) + _ways(found, answer))


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

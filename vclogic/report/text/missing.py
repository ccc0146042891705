"""Text report of `missing`: the smallest changes that make a goal true, or why none do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from vclogic.choices import by_command, choice
from vclogic.model.fluents import written
from vclogic.model.sayings import sentence
from vclogic.query.missing.nearest import Conflict, ContradictionPart, Missing, Repair, Replacement
from vclogic.report.text.page import (
    bracketed,
    bullets,
    head,
    listed,
    marked,
    one_line,
    paragraphs,
    plain,
    titled,
    verdict,
)
from vclogic.report.text.steps import footing
from vclogic.solve.backends.claims import confirmation
from vclogic.words import amount, joined

_MOST_FACTS = 8
_FEW = 3


def missing(answer: Missing) -> Group:
    """The report as text."""
    return paragraphs(
        head(f"What is missing for {one_line(answer.goal)}?", answer.game),
        headline(answer),
        _repairs(answer) if answer.status == "possible" else None,
        *(_conflict(n, c) for n, c in enumerate(answer.conflicts, 1)),
        _note(answer),
        footing((*_kept(answer), *answer.assumptions), answer.elapsed_s),
    )


def headline(answer: Missing) -> Text:
    """The verdict with the number of missing changes, in a line."""
    return verdict(answer.status, _because(answer))


def _because(answer: Missing) -> str:
    match answer.status:
        case "holds":
            return ": the goal holds already"
        case "possible":
            least = answer.repairs[0].size
            if least > answer.least:
                return f": {amount(least, 'facts')} to change; fewer than {answer.least} are not enough"
            return f": {amount(least, 'facts')} to change; fewer are not enough"
        case "impossible":
            return ", ever: no position that could stand on the board satisfies the goal" + (
                f" and keeps what {choice('keep')} names" if answer.kept else ""
            )
        case _:
            return f": {answer.reason or 'the search stopped early'}"


def _note(answer: Missing) -> RenderableType | None:
    """A note on whether these are all minimal sets, and on how to see more."""
    what = {"possible": "minimal sets of changes", "impossible": "minimal contradictions"}
    if answer.status not in what:
        return None
    shown = len(answer.repairs) or len(answer.conflicts)
    why = f" ({answer.reason})" if answer.reason else ""
    every = f"These are all {what[answer.status]}." if answer.complete and shown > 1 else ""
    every = every or ("There is no other." if answer.complete else "")
    if every and answer.left and answer.status == "possible":
        every = f"{every[:-1]} that keeps the facts on earlier turns."
    more = (
        f"There may be more {what[answer.status]}{why}" if answer.reason else f"There are more {what[answer.status]}"
    )
    lines = [every or f"{more}{by_command(': --limit shows them')}."]
    if answer.status == "possible":
        way = by_command("`vclogic reach` looks", "to be asked whether it can happen at all looks")
        lines.append(f"They lead to positions that could stand on the board; {way} for a way there.")
    return Group(*lines)


def _kept(answer: Missing) -> Iterator[str]:
    if answer.kept:
        yield f"kept as it is: {listed(answer.kept, _MOST_FACTS)}"
    if answer.left:
        yield f"left as it is, as it tells of earlier turns: {listed(answer.left, _MOST_FACTS)} ({choice('change')})"


# ---- repairs


def _repairs(answer: Missing) -> Table:
    """One line for each repair, with like changes joined."""
    return marked((f"{n}.", plain(_repair(repair))) for n, repair in enumerate(answer.repairs, 1))


def _repair(repair: Repair) -> str:
    changes = "; ".join(_alike(repair.changes))
    if not repair.follows:
        return changes
    then = "with the values named first" if any(c.others or c.ranges for c in repair.changes) else "then"
    return f"{changes} [{then} {'; '.join(_alike(repair.follows))}]"


def _alike(some: Sequence[Replacement]) -> Iterator[str]:
    """Changes in sentences; those of which the same is said now and then are one."""
    groups: dict[tuple[str, str, str], list[str]] = {}
    for c in some:
        groups.setdefault((c.then, c.now, _instead(c)), []).append(c.about)
    for (then, now, instead), names in groups.items():
        yield f"{sentence(names, then)}{instead} (now: {sentence([], now.replace('{}', joined(names)))})"


def _instead(c: Replacement) -> str:
    """The other values that would do as well; of many only how many."""
    others = [*map(written, c.others), *_numbers(c)]
    if not others:
        return ""
    return f" (or {joined(others, 'or')})" if len(others) <= _FEW else f" (or any of {len(others)} others)"


def _numbers(c: Replacement) -> Iterator[str]:
    """The other numbers that would do as well, as ranges."""
    for first, last in c.ranges:
        parts = [(first, last)]
        if isinstance(c.after, int) and first <= c.after <= last:
            parts = [(first, c.after - 1), (c.after + 1, last)]
        yield from (f"{a} to {b}" if a < b else str(a) for a, b in parts if a <= b)


# ---- conflicts


def _conflict(number: int, conflict: Conflict) -> Group:
    agreed = confirmation(conflict.confirmed_by)
    checked = agreed if conflict.rechecked else "no fresh run of z3 confirms it"
    facts = [p for p in conflict.parts if p.kind == "fact"]
    lines = [_line(p) for p in conflict.parts if p.kind != "fact"]
    if facts:
        lines.append(f"fact{'s' * (len(facts) > 1)}: {', '.join(p.text for p in facts)}")
    return titled(f"{number}. These cannot all be true ({checked})", bullets(lines))


def _line(part: ContradictionPart) -> str:
    more = f": {part.text}" if part.text != part.name else ""
    return f"{part.kind} {part.name}{more}{bracketed(part.cites)}"

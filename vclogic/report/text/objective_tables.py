"""The tables of a briefing: what wins, what every plan takes, what denies it, what objectives are worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from vclogic.query.objectives.answer import Cost, Denial, DenialSet, Objectives, ObjectiveValue, Winning, WinningSet
from vclogic.report.text.objective_words import NOTHING, Costs, limited
from vclogic.report.text.page import bullets, plain, table, titled

_ROWS = 10
_EXTRA = "*"


def folded(every: Sequence[object], *, whole: bool) -> int:
    """How many rows of a long list are shown."""
    return len(every) if whole or len(every) <= _ROWS + 2 else _ROWS


def rest(every: Sequence[object], shown: int, total: int) -> list[Text]:
    """The line that stands for what is not shown: what is listed, and what is not."""
    if shown == total:
        return []
    more = f"--all shows {'them' if len(every) == total else f'{len(every):,} of them'}"
    more = more if shown < len(every) else "--limit lists more"
    return [Text(f"and {total - shown:,} more ({more})", "dim")]


# ---- winning sets


def winning(answer: Objectives, *, whole: bool) -> RenderableType | None:
    """The winning sets; None where there are none."""
    found = answer.winning
    if not found.sets or (len(found.sets) == 1 and not found.sets[0].takes):
        return None
    title = f"Winning sets: what is enough{limited(answer)} ({how_many(found)})"
    return titled(title, sets_table(found, Costs.of(answer), whole=whole))


def how_many(found: Winning | Denial) -> str:
    """How many sets there are, and whether these are all."""
    if not found.complete:
        return f"{found.total:,} found; there may be more"
    return "the only set" if found.total == 1 else f"{found.total:,} sets in all"


def sets_table(found: Winning, costs: Costs, *, whole: bool) -> Group:
    """Winning sets, with their numbers and costs.

    Args:
        found: The sets.
        costs: Puts costs in words.
        whole: Whether to show all of them.
    """
    shown = folded(found.sets, whole=whole)
    chances = any(s.plan.battles for s in found.sets)
    heads = ["No.", costs.head, *(["Chance"] if chances else []), "Objectives"]
    rows = [[*_set(s, costs, chances=chances)] for s in found.sets[:shown]]
    notes = rest(found.sets, shown, found.total)
    if any(s.smallest is False for s in found.sets[:shown]):
        notes.append(Text(f"{_EXTRA} fewer of these objectives are enough, in plans that cost more", "dim"))
    return Group(table(heads, rows, right=heads[: 2 + chances]), *notes)


def _set(found: WinningSet, costs: Costs, *, chances: bool) -> Iterator[str]:
    yield str(found.n)
    yield costs.cell(found.cost)
    if chances:
        yield found.plan.battles.overall if found.plan.battles else NOTHING
    names = ", ".join(found.takes) or "none"
    yield plain(names if found.smallest is not False else f"{names} {_EXTRA}")


# ---- what every plan takes, and what the enemy must keep


def needed(answer: Objectives) -> RenderableType | None:
    """What every plan takes; None where there is no plan or nothing of that kind."""
    found = answer.landmarks
    if answer.status == "unknown":
        return None
    parts = {
        "": [x.name for x in found.found if x.main],
        "on the way: ": [x.name for x in found.found if not x.main],
        "not decided: ": found.open,
    }
    lines = [words + ", ".join(names) for words, names in parts.items() if names]
    return titled(f"What every plan takes{limited(answer)}", bullets(lines)) if lines else None


def denial(answer: Objectives, *, whole: bool) -> RenderableType | None:
    """What the enemy must keep; None where nothing is known of it, or nothing need be kept."""
    found = answer.denial
    if not found.sets or not found.sets[0].keeps:
        return None
    shown = folded(found.sets, whole=whole)
    heads = ("Keep", "Where only this one falls, the winning set that is left")
    rows = [(plain(", ".join(s.keeps)), plain(_leaks(s))) for s in found.sets[:shown]]
    title = f"Denial sets: what the enemy must keep to hold out{limited(answer)} ({how_many(found)})"
    return titled(title, Group(table(heads, rows), *rest(found.sets, shown, found.total)))


def _leaks(found: DenialSet) -> str:
    return "; ".join(f"{leak.name}: no. {leak.winning}" for leak in found.leaks)


# ---- what objectives are worth


def values(answer: Objectives) -> RenderableType | None:
    """What each objective is worth for the goal; None where the game has none."""
    every = sorted(answer.objectives, key=lambda o: (o.held, -(o.cheapest or 0)))
    if all(_says_nothing(c) for o in every for c in (o.first, o.lost, o.closed)):
        return None
    costs, kinds = Costs.of(answer), {o.kind for o in every}
    cheapest = answer.winning.cheapest
    head = next(iter(kinds)).capitalize() if len(kinds) == 1 else "Objective"
    worth = any(o.worth for o in every)
    heads = [head, *(["Worth"] if worth else []), "Held by", "Cheapest", "First", "Lost", "Closed"]
    rows = []
    for o in every:
        name = o.name if len(kinds) == 1 else f"{o.name} ({o.kind})"
        numbers = (costs.more(c, answer.cost) for c in (o.first, o.lost, o.closed))
        row = [name, *([o.worth or NOTHING] if worth else []), o.holder or "nobody", _share(o, cheapest), *numbers]
        rows.append([plain(x) for x in row])
    note = Text(_legend(costs), "dim")
    return titled("What objectives are worth for the goal", Group(table(heads, rows, right=heads[-4:]), note))


def _says_nothing(cost: Cost | None) -> bool:
    return cost is None or cost.cost is None


def _share(o: ObjectiveValue, cheapest: int) -> str:
    if o.held or not cheapest or o.cheapest is None:
        return NOTHING
    return f"{o.cheapest} of {cheapest}"


def _legend(costs: Costs) -> str:
    """What the columns mean."""
    return (
        f"Cheapest: in how many of the cheapest winning sets. Then how many {costs.metric} more the cheapest plan "
        "takes: if this is taken before any other, once an enemy has taken it, if it can never be had."
    )

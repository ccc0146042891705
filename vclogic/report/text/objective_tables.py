"""The tables of a briefing: what wins, what every plan takes, what denies it, what objectives are worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from math import inf

from rich.console import Group, RenderableType
from rich.text import Text

from vclogic.choices import by_command
from vclogic.query.objectives.answer import (
    Cost,
    Denial,
    DenialSet,
    Objectives,
    ObjectiveValue,
    Stop,
    Threat,
    Winning,
    WinningSet,
)
from vclogic.report.text.page import bullets, listed, marked, plain, table, titled
from vclogic.words import amount, in_parts, joined

UNKNOWN = "unknown"
NOTHING = "-"
GOAL = 60
"""So many characters of an enemy's goal are shown in a sentence."""
_FEW = 6


@dataclass(frozen=True)
class Costs:
    """Puts the costs of a briefing in words.

    Attributes:
        metric: What they count.
        scale: They are in so many parts of one.
    """

    metric: str
    scale: int = 1

    @staticmethod
    def of(answer: Objectives) -> Costs:
        """The costs of a briefing."""
        return Costs(answer.metric, answer.scale)

    @property
    def head(self) -> str:
        """The head of a column of costs."""
        return self.metric.capitalize()

    @property
    def least(self) -> str:
        """The words for a cost that no plan beats."""
        return "the fewest possible" if self.scale == 1 else "the least possible"

    def number(self, cost: int) -> str:
        """A cost as a number."""
        return str(cost) if self.scale == 1 else in_parts(cost, self.scale)

    def amount(self, cost: int) -> str:
        """A cost with what it counts."""
        return amount(cost, self.metric) if self.scale == 1 else f"{self.number(cost)} {self.metric}"

    def known(self, cost: Cost) -> str:
        """A cost as far as it is known, in a sentence."""
        if cost.cost is None:
            return cell_without(cost)
        return self.amount(cost.cost) if cost.status == "optimal" else f"at most {self.amount(cost.cost)}"

    def stopping(self, stop: Stop) -> str:
        """The cost of stopping an enemy; in turn order the number of choices in that turn."""
        if stop.by == "moves" or stop.cost.cost is None:
            return self.known(stop.cost)
        return f"{amount(stop.cost.cost, 'choice')} in this turn"

    def cell(self, cost: Cost) -> str:
        """A cost as far as it is known, in a table."""
        if cost.cost is None:
            return cell_without(cost)
        return self.number(cost.cost) if cost.status == "optimal" else f"at most {self.number(cost.cost)}"

    def more(self, cost: Cost | None, least: Cost) -> str:
        """The extra cost over the cheapest plan, in a table.

        Args:
            cost: The cost; None where nothing was to be asked.
            least: That of the cheapest plan.
        """
        if cost is None:
            return NOTHING
        if cost.cost is None:
            return cell_without(cost)
        if cost.difference is not None:
            return self._signed(cost.difference)
        if least.status == "optimal" and least.cost is not None:
            return f"at most {self._signed(cost.cost - least.cost)}"
        return f"{self.cell(cost)} in all"

    def _signed(self, difference: int) -> str:
        return f"{'-' if difference < 0 else '+'}{self.number(abs(difference))}"


def cell_without(cost: Cost) -> str:
    """The cell of a table where no plan is known."""
    if cost.status != "impossible":
        return UNKNOWN
    limit = None if cost.horizon is None else cost.horizon.n
    return "never" if limit is None else f"not within {limit}"


def holds(answer: Objectives | Threat) -> bool:
    """True if the goal holds at the start, with nothing left to be decided."""
    plans = [s.plan for s in answer.winning.sets[:1]]
    return answer.cost.cost == 0 and not any(p.steps or p.record.events for p in plans)


def limited(answer: Objectives | Threat) -> str:
    """The limit at the end of a phrase, such as ` within 4 captures`; empty without one."""
    limit = answer.horizon
    return "" if limit.n is None else f" within {amount(limit.n, limit.unit)}"


def named(names: Sequence[str], last: str = "and") -> str:
    """Names in a sentence; a long list is cut with a count."""
    return joined(names, last) if len(names) <= _FEW + 1 else listed(names, _FEW)


def reason(given: str) -> str:
    """Why something is not known."""
    return given or "the search stopped early"


_ROWS = 10
_MORE = 2
_EXTRA = "*"
_TO_TAKE = "What to take: worth for the goal"


@dataclass(frozen=True)
class Alike:
    """Sets of a list, one after the other, that differ in their last objective alone.

    Attributes:
        first: The number of the first.
        place: Its place in the list, from 0.
        sets: The sets.
    """

    first: int
    place: int
    sets: tuple[tuple[str, ...], ...]

    @property
    def last(self) -> int:
        """The number of the last."""
        return self.first + len(self.sets) - 1

    @property
    def numbers(self) -> str:
        """Their numbers, such as `2-18`."""
        return str(self.first) if len(self.sets) == 1 else f"{self.first}-{self.last}"

    @property
    def words(self) -> str:
        """Them in words, such as `Ford and any one of: Hill, Mill`."""
        if len(self.sets) == 1:
            return ", ".join(self.sets[0]) or "none"
        common, each = ", ".join(self.sets[0][:-1]), ", ".join(s[-1] for s in self.sets)
        return f"{common} and any one of: {each}" if common else f"any one of: {each}"


def alike(sets: Mapping[int, tuple[str, ...]], marks: Sequence[object], *, whole: bool) -> list[Alike]:
    """Sets as they are listed, in rows.

    Args:
        sets: The sets, by their numbers.
        marks: What else a row says of each.
        whole: Whether each has a row of its own.
    """
    rows: list[Alike] = []
    for place, ((n, names), mark) in enumerate(zip(sets.items(), marks, strict=True)):
        last = rows[-1].sets[-1] if rows and rows[-1].last == n - 1 else ()
        like = names and len(last) == len(names) and last[:-1] == names[:-1] and mark == marks[place - 1]
        if like and not whole:
            rows[-1] = replace(rows[-1], sets=(*rows[-1].sets, names))
        else:
            rows.append(Alike(n, place, (names,)))
    return rows


def shown_rows(rows: list[Alike], *, whole: bool) -> list[Alike]:
    """The rows that are shown."""
    return rows if whole or len(rows) <= _ROWS + _MORE else rows[:_ROWS]


_SHOWS = " (--all shows them)"


def rest(shown: list[Alike], listed: int, total: int) -> list[Text]:
    """The line that stands for sets that are not shown: those that are listed, and those that are not."""
    left = total - sum(len(row.sets) for row in shown)
    if not left:
        return []
    more = f"--all shows {'them' if listed == total else f'{listed:,} of them'}"
    hint = f" ({more if left > total - listed else '--limit lists more'})"
    return [Text(f"and {left:,} more{by_command(hint)}", "dim")]


# ---- winning sets


def winning(answer: Objectives, *, whole: bool) -> RenderableType | None:
    """The winning sets; None where there are none."""
    found = answer.winning
    if not found.sets or (len(found.sets) == 1 and not found.sets[0].takes):
        return None
    title = f"Winning sets: what is enough{limited(answer)} ({how_many(found)})"
    return titled(title, sets_table(found, Costs.of(answer), whole=whole))


def how_many(found: Winning | Denial) -> str:
    """The number of sets, and whether these are all."""
    if not found.all_found:
        return f"{found.total:,} found; there may be more"
    listed = "" if found.total == len(found.sets) else f", {len(found.sets):,} listed"
    return "the only set" if found.total == 1 else f"{found.total:,} sets in all{listed}"


def sets_table(found: Winning, costs: Costs, *, whole: bool) -> Group:
    """Winning sets, with their numbers and costs.

    Args:
        found: The sets.
        costs: Puts costs in words.
        whole: Whether to show all of them.
    """
    chances = any(s.plan.battles for s in found.sets)
    heads = ["No.", costs.head, *(["Chance"] if chances else []), "Objectives"]
    marks = [[*_marks(s, costs, chances=chances)] for s in found.sets]
    rows = shown_rows(alike({s.n: s.takes for s in found.sets}, marks, whole=whole), whole=whole)
    body = [[r.numbers, *marks[r.place][1:], plain(r.words + marks[r.place][0])] for r in rows]
    notes = rest(rows, len(found.sets), found.total)
    if any(marks[r.place][0] for r in rows):
        notes.append(Text(f"{_EXTRA} fewer of these objectives are enough, in plans that cost more", "dim"))
    return Group(table(heads, body, right=heads[: 2 + chances]), *notes)


def _marks(found: WinningSet, costs: Costs, *, chances: bool) -> Iterator[str]:
    """The cells of a set beside its objectives."""
    yield f" {_EXTRA}" if found.smallest is False else ""
    yield costs.cell(found.cost)
    if chances:
        yield found.plan.battles.overall if found.plan.battles else NOTHING


# ---- what every plan takes, and what denies it


def needed(answer: Objectives) -> RenderableType | None:
    """The objectives that every plan takes; None where there is no plan or nothing of that kind."""
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
    """The sets to keep from the side; None where none is known, or nothing need be kept."""
    found = answer.denial
    if not found.sets or not found.sets[0].keeps:
        return None
    few = [s.keeps for s in found.sets if len(s.keeps) <= len(found.sets[0].keeps) + 1]
    if whole or len(found.sets) - len(few) <= _MORE:  # longer ones are of little use to a player
        few = [s.keeps for s in found.sets]
    rows = shown_rows(alike(dict(enumerate(few, 1)), [None] * len(few), whole=whole), whole=whole)
    kept = f"what must be kept from {plain(answer.side)}{limited(answer)}"
    title = f"Denial sets: {kept} ({how_many(found)})"
    lines: RenderableType = marked((f"D{r.numbers}", plain(r.words)) for r in rows)
    note = (
        []
        if whole
        else [Text(f"Where one of a set falls, a winning set is left{by_command(': --all names it')}.", "dim")]
    )
    if whole:
        heads = ("No.", "Keep", "If this one alone falls, the winning set that is left")
        body = [(f"D{r.first}", plain(r.words), plain(_leaks(found.sets[r.first - 1]))) for r in rows]
        lines = table(heads, body, right=heads[:1])
    return titled(title, Group(lines, *rest(rows, len(found.sets), found.total), *note))


def _leaks(found: DenialSet) -> str:
    return "; ".join(f"{leak.name}: no. {leak.winning}" for leak in found.leaks)


# ---- what objectives are worth


def values(answer: Objectives, *, whole: bool) -> Iterator[RenderableType]:
    """The worth of each objective for the goal: those to take, and those to hold.

    Args:
        whole: Whether those that make no difference are shown, too.
    """
    yield from _to_take(answer, [o for o in answer.objectives if not o.held], whole=whole)
    yield from _to_hold(answer, [o for o in answer.objectives if o.held])


def _to_take(answer: Objectives, every: Sequence[ObjectiveValue], *, whole: bool) -> Iterator[RenderableType]:
    """A table of those that the side has not; those of the cheapest winning sets come first."""
    if holds(answer) or all(_says_nothing(c) for o in every for c in (o.first, o.closed)):
        return
    shown = [o for o in every if whole or _matters(o)]
    if not shown:
        yield titled(_TO_TAKE, Text(f"None of these {len(every)} is needed{by_command(_SHOWS)}", "dim"))
        return
    shown = shown if len(shown) < len(every) - 1 else [*every]
    costs, kinds, cheapest = Costs.of(answer), {o.kind for o in every}, answer.winning.cheapest
    head = next(iter(kinds)).capitalize() if len(kinds) == 1 else "Objective"
    worth = any(o.worth for o in every)
    heads = [head, *(["Worth"] if worth else []), "Held by", "In cheapest", "If first", "If closed"]
    rows = []
    for o in sorted(shown, key=lambda o: -(o.cheapest or 0)):
        name = o.name if len(kinds) == 1 else f"{o.name} ({o.kind})"
        share = f"{o.cheapest} of {cheapest}" if o.cheapest else ""
        numbers = (costs.more(c, answer.cost) for c in (o.first, o.closed))
        row = [name, *([o.worth] if worth else []), o.holder or "nobody", share, *numbers]
        rows.append([plain(x) for x in row])
    notes = [Text(f"{len(every) - len(shown)} others are not needed{by_command(_SHOWS)}", "dim")]
    notes = [*notes[: len(every) - len(shown)], Text(_legend(costs, cheapest), "dim")]
    yield titled(_TO_TAKE, Group(table(heads, rows, right=heads[-3:]), *notes))


def _matters(o: ObjectiveValue) -> bool:
    """True if a plan needs it, costs more if it is taken first, or may do so."""
    first, closed = o.first, o.closed
    free = first is None or first.difference == 0 or first.status == "impossible"
    return bool(o.cheapest) or not (free and (closed is None or closed.difference == 0))


def _says_nothing(cost: Cost | None) -> bool:
    return cost is None or cost.cost is None


def _legend(costs: Costs, cheapest: int) -> str:
    """The meaning of the columns."""
    sets = "whether it is in the cheapest set" if cheapest == 1 else "how many of the cheapest sets it is in"
    return (
        f"In cheapest: {sets}. If first: so many {costs.metric} more if it is taken before any other. If closed: so "
        "many more if it can never be had."
    )


def _to_hold(answer: Objectives, every: Sequence[ObjectiveValue]) -> Iterator[RenderableType]:
    """The objectives that the side has, by how much more the cheapest plan costs once one of them is lost."""
    costs = Costs.of(answer)
    known = sorted((o for o in every if o.lost is not None), key=lambda o: -_loss(o.lost))
    if all(_says_nothing(o.lost) for o in known):
        return
    title = f"What to hold: so many {costs.metric} more once an enemy has taken it, with all that stood there"
    if len(known) == len(every) and all(o.lost is not None and o.lost.difference == 0 for o in known):
        yield titled(title, Text("+0 for each of what is held", "dim"))
        return
    losses = groupby(known, lambda o: costs.more(o.lost, answer.cost))
    rows = [(plain(loss), plain(", ".join(o.name for o in alike))) for loss, alike in losses]
    yield titled(title, marked(rows))


def _loss(cost: Cost | None) -> float:
    """The size of a loss, for the order; unknown ones come first."""
    known = None if cost is None else cost.difference if cost.difference is not None else cost.cost
    return inf if known is None else known

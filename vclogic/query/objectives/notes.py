"""Notes of a briefing on each objective, as a map shows them.

Where the side does not have an objective, its value is how much more the cheapest plan costs that never has it; where
it has it, how much more the goal costs once an enemy has taken it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from vclogic.model.legend import SHADES, Mark
from vclogic.model.system import System
from vclogic.query.objectives.answer import Cost, DenialSet, Objectives, ObjectiveValue, Threat, WinningSet
from vclogic.words import amount, in_parts, joined

NO_PLAN = "no plan"
AT_MOST = "\u2264"
SHOWN_SETS = 3
"""So many denial sets of several objectives are outlined."""
NAMED = 4
"""So many objectives in one region are shown one by one; those of a wide place would hide its units."""
SEVERAL = ", "
"""Stands between the values of several objectives."""


@dataclass(frozen=True)
class Worth:
    """The worth of an objective, as the map shows it.

    Attributes:
        cost: What the goal costs without it.
        more: How much more that is than now, as far as plans are known; None: that is not known, or there is no plan.
        proved: Whether it is just so much.
        number: What the map shows of it.
        shade: How dark that is; None: it has no shade.
        held: Whether the side has it.
    """

    cost: Cost
    more: int | None
    proved: bool
    number: str
    shade: int | None
    held: bool

    @property
    def text(self) -> str:
        """A few letters."""
        return f"lost: {self.number}" if self.held else self.number


class ObjectiveNotes:
    """The notes of an answer on each objective.

    Args:
        system: The system.
        answer: The answer.
    """

    def __init__(self, system: System, answer: Objectives):
        self.answer = answer
        self.places: Mapping[str, tuple[str, ...]] = {o.name: o.places for o in system.objectives}
        metric = system.metric(answer.metric)
        self.counted = (metric.counted if metric else "") or answer.metric
        self.landmarks = {x.name for x in answer.landmarks.found}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The objectives that there is something to say about, those that the game is about first."""
        main = [o.name for o in self.answer.objectives]
        return (*main, *(x.name for x in self.answer.landmarks.found if x.name not in main))

    def cost(self, n: int) -> str:
        """A cost with what is counted."""
        return amount(n, self.counted) if self.answer.scale == 1 else f"{self.number(n)} {self.counted}"

    # ---- values

    @cached_property
    def worths(self) -> Mapping[str, Worth]:
        """The worth of each objective that has one."""
        if self.answer.cost.cost is None:
            return {}
        reached = self.answer.cost.cost == 0  # then nothing more need be taken
        costs = {o: o.lost if o.held else None if reached else o.closed for o in self.answer.objectives}
        told = {o: cost for o, cost in costs.items() if cost is not None}
        greatest = max((self._more(cost) or 0 for cost in told.values()), default=0)
        return {o.name: self._worth(o, cost, greatest) for o, cost in told.items()}

    def _more(self, cost: Cost) -> int | None:
        """The extra cost of a known plan over the cheapest one; None where that is not proved to be cheapest."""
        if cost.difference is not None or cost.cost is None or self.answer.cost.status != "optimal":
            return cost.difference
        return cost.cost - (self.answer.cost.cost or 0)

    def _worth(self, o: ObjectiveValue, cost: Cost, greatest: int) -> Worth:
        more, proved = self._more(cost), cost.status == "optimal"
        most = "" if proved else f"{AT_MOST} "
        if cost.status == "impossible":
            return Worth(cost, None, True, NO_PLAN, SHADES - 1, o.held)
        if more is None:
            known = "?" if cost.cost is None else f"{most}{self.number(cost.cost)} in all"
            return Worth(cost, None, False, known, None, o.held)
        between = SHADES - 2  # shades, of what costs more but can be done without
        shade = max(-(-between * more // max(greatest, 2 * self.answer.scale)), 0)
        return Worth(cost, more, proved, most + self.signed(more), shade, o.held)

    def number(self, n: int) -> str:
        """A cost as a number."""
        return str(n) if self.answer.scale == 1 else in_parts(n, self.answer.scale)

    def signed(self, more: int) -> str:
        """A difference of costs."""
        return ("+" if more >= 0 else "-") + self.number(abs(more))

    # ---- sets

    @cached_property
    def sets(self) -> Mapping[int, DenialSet]:
        """The denial sets that are shown, by their numbers: all of one objective, and the first ones of several."""
        numbered = dict(enumerate(self.answer.denial.sets, 1))
        several = [n for n, s in numbered.items() if len(s.keeps) > 1][:SHOWN_SETS]
        return {n: s for n, s in numbered.items() if len(s.keeps) == 1 or n in several}

    def numbers(self, name: str) -> tuple[int, ...]:
        """The numbers of the denial sets of several objectives that an objective is in."""
        return tuple(n for n, s in self.sets.items() if len(s.keeps) > 1 and name in s.keeps)

    @cached_property
    def threat(self) -> tuple[Threat, WinningSet] | None:
        """The cheapest threat with its cheapest plan."""
        found = [(t, w) for t in self.answer.threats for w in t.winning.sets[:1] if w.plan.steps]
        return min(found, key=lambda x: x[1].cost.cost or 0, default=None)

    # ---- marks

    def letters(self, name: str) -> str:
        """The letters of an objective on the map."""
        worth = self.worths.get(name)
        return " ".join(((worth.text,) if worth else ()) + tuple(f"D{n}" for n in self.numbers(name)))

    def marks(self, known: set[str]) -> Iterable[Mark]:
        """The marks of a map: one of each objective, or one of all in the same place.

        Args:
            known: The regions of the map.
        """
        found: dict[frozenset[str], list[Mark]] = {}
        for mark in filter(None, (self._mark(name, known) for name in self.names)):
            found.setdefault(frozenset(mark.regions), []).append(mark)
        for regions, there in found.items():
            apart = len(there) <= (NAMED if len(regions) == 1 else 1)
            yield from there if apart else (_together(there),)

    def _mark(self, name: str, known: set[str]) -> Mark | None:
        """The mark of an objective; None where there is nothing to show on the map."""
        regions = tuple(p for p in self.places.get(name, ()) if p in known)
        worth, needed, numbers = self.worths.get(name), name in self.landmarks, self.numbers(name)
        if not regions or not (worth or needed or numbers):
            return None
        shade = worth.shade if worth else None
        return Mark(name, regions, self.letters(name), shade, needed, bool(numbers), "; ".join(self.words(name)))

    def words(self, name: str) -> Iterable[str]:
        """The notes on an objective."""
        worth = self.worths.get(name)
        if worth is not None:
            yield self._of_worth(worth)
        if name in self.landmarks:
            yield "every plan takes it"
        numbers = [f"D{n}" for n in self.numbers(name)]
        if numbers:
            yield f"in {joined(numbers)}"

    def _of_worth(self, worth: Worth) -> str:
        when = "once an enemy has it" if worth.held else "without it"
        if worth.cost.status == "impossible":
            return f"{NO_PLAN} {when}{limit_of(worth.cost)}"
        most = "" if worth.cost.status == "optimal" else "at most "
        if worth.more is None:
            known = worth.cost.cost
            return (
                f"the cost of the goal {when} is not known" if known is None else f"{most}{self.cost(known)} {when}"
            )
        if worth.more <= 0:
            return f"{self.cost(-worth.more)} fewer {when}" if worth.more else f"no {self.counted} more {when}"
        return f"{most}{self.cost(worth.more)} more {when}"


def _together(marks: Sequence[Mark]) -> Mark:
    """One mark of several of the same place, with each text once."""
    return Mark(
        name=f"{len(marks)} objectives in one place",
        regions=marks[0].regions,
        text=SEVERAL.join(dict.fromkeys(m.text for m in marks if m.text)),
        shade=max((m.shade for m in marks if m.shade is not None), default=None),
        double=any(m.double for m in marks),
        dashed=any(m.dashed for m in marks),
        words="; ".join(f"{m.name}: {m.words}" for m in marks),
    )


def limit_of(cost: Cost) -> str:
    """The limit of a statement, such as ` within 4 captures`; empty where it has none."""
    limit = cost.horizon
    return "" if limit is None or limit.n is None else f" within {amount(limit.n, limit.unit)}"

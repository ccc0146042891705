"""What a briefing says of each objective, as a map shows it.

Where the side does not have an objective, its value is how much more the cheapest plan costs that never has it; where
it has it, how much more the goal costs once an enemy has taken it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from vclogic.model.legend import SHADES, Mark
from vclogic.model.system import System
from vclogic.query.objectives.answer import Cost, DenialSet, Objectives, ObjectiveValue, Threat, WinningSet
from vclogic.words import amount, in_parts, joined

NO_PLAN = "no plan"
SHOWN_SETS = 3
"""So many denial sets of several objectives are outlined."""


@dataclass(frozen=True)
class Worth:
    """What an objective is worth, as the map shows it.

    Attributes:
        number: The number, as shown.
        shade: How dark it is; None: not known.
        more: How much more the goal costs; None: there is no plan, or it is not known.
        held: Whether the side has it.
        at_most: Whether it may be less.
    """

    number: str
    shade: int | None
    more: int | None
    held: bool
    at_most: bool = False

    @property
    def text(self) -> str:
        """A few letters."""
        return f"lost: {self.number}" if self.held else self.number


class Told:
    """What an answer says about each objective.

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

    def cost(self, n: int | None) -> str:
        """A cost with what is counted."""
        scale = self.answer.scale
        return amount(n or 0, self.counted) if scale == 1 else f"{in_parts(n or 0, scale)} {self.counted}"

    # ---- values

    @cached_property
    def worths(self) -> Mapping[str, Worth]:
        """The worth of each objective that has one."""
        if self.answer.status == "impossible":
            return {}
        costs = {o.name: (o, o.lost if o.held else o.closed) for o in self.answer.objectives}
        told = {name: (o, cost) for name, (o, cost) in costs.items() if cost is not None}
        most = max((self._more(cost) or 0 for _, cost in told.values()), default=0)
        return {name: self._worth(o, cost, most) for name, (o, cost) in told.items()}

    def _more(self, cost: Cost) -> int | None:
        return cost.difference if cost.status in ("optimal", "feasible") else None

    def _worth(self, o: ObjectiveValue, cost: Cost, most: int) -> Worth:
        more = self._more(cost)
        if cost.status == "impossible":
            return Worth(NO_PLAN, SHADES - 1, None, o.held)
        if more is None:
            return Worth("?", None, None, o.held)
        shade = 0 if more <= 0 else 1 + (SHADES - 3) * (more - 1) // max(most - 1, 1)
        less = cost.status == "feasible"
        most_of = "\u2264 " if less else ""
        return Worth(most_of + self.signed(more), shade, more, o.held, less)

    def signed(self, more: int) -> str:
        """A difference of costs."""
        scale = self.answer.scale
        return f"{more:+d}" if scale == 1 else f"{'+' * (more >= 0)}{in_parts(more, scale)}"

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
        """What the map shows of an objective."""
        worth = self.worths.get(name)
        return " ".join(((worth.text,) if worth else ()) + tuple(f"D{n}" for n in self.numbers(name)))

    def mark(self, name: str, known: set[str]) -> Mark | None:
        """The mark of an objective; None where there is nothing to show on the map."""
        regions = tuple(p for p in self.places.get(name, ()) if p in known)
        worth, needed, numbers = self.worths.get(name), name in self.landmarks, self.numbers(name)
        if not regions or not (worth or needed or numbers):
            return None
        shade = worth.shade if worth else None
        return Mark(name, regions, self.letters(name), shade, needed, bool(numbers), "; ".join(self.words(name)))

    def words(self, name: str) -> Iterable[str]:
        """What there is to say about an objective."""
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
        if worth.shade is None:
            return f"not known what the goal costs {when}"
        if worth.more is None:
            return f"no plan {when}"
        most = "at most " if worth.at_most else ""
        if worth.more < 0:
            return f"{self.cost(-worth.more)} fewer {when}"
        return f"{most}{self.cost(worth.more)} more {when}" if worth.more else f"no {self.counted} more {when}"

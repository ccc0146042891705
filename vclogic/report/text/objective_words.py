"""Costs and names of a briefing in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vclogic.query.objectives.answer import Cost, Objectives, Stop, Threat
from vclogic.report.text.page import listed
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
        """Those of a briefing."""
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

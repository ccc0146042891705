"""Chances in floats, with a bound on their distance from the exact ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from vclogic_encodings.axis_allies.odds.exact import Battles, Counting, State
from vclogic_encodings.axis_allies.odds.forward import Field
from vclogic_encodings.axis_allies.odds.ranks import Array
from vclogic_encodings.axis_allies.odds.rounding import relative
from vclogic_encodings.axis_allies.odds.sides import Side


class Floats(Counting[float]):
    """Chances in floats; whole battles are counted with arrays."""

    def __init__(self) -> None:
        super().__init__(lambda a, b: a / b)
        self._rounds, self._limits = 0, [(1, 1, 1)]
        self.swept = False
        """True if chances that are next to nothing were left out, so that endings may be missing."""

    @property
    def error(self) -> float:
        """The largest distance of the chances so far from the exact ones, as a share of them."""
        limits = ((changes + self._rounds, dice, terms) for changes, dice, terms in self._limits)
        return max(relative(changes=changes, dice=dice, terms=terms) for changes, dice, terms in limits)

    def fought(self, a: Side, d: Side, start: Mapping[State, float], few: int | None = None) -> dict[State, float]:
        """The states in which a battle ends; see `Counting.fought`."""
        return self.all_fought([(a, d, start)], few)[0]

    def one_round(self, a: Side, d: Side, start: Mapping[State, float], few: int | None = None) -> dict[State, float]:
        """The states after one round; see `Counting.one_round`."""
        return self.all_one_round([(a, d, start)], few)[0]

    def all_fought(self, battles: Battles[float], few: int | None = None) -> list[dict[State, float]]:
        """The states in which battles end, against the same defender."""
        return self._counted(battles, lambda field, start: field.fought(start, few))

    def all_one_round(self, battles: Battles[float], few: int | None = None) -> list[dict[State, float]]:
        """The states after one round of battles against the same defender."""
        self._rounds += 1
        return self._counted(battles, lambda field, start: field.one_round(start, few))

    def _counted(self, battles: Battles[float], count: Callable[[Field, Array], Array]) -> list[dict[State, float]]:
        """The states after battles against the same defender."""
        _, d, _ = battles[0]
        field = Field([a for a, _, _ in battles], d)
        found = field.states(count(field, field.array([start for _, _, start in battles])))
        self._limits.append(field.limits)
        self.swept |= field.swept
        return found

"""Battles in floats: chains of losses where no submarine is about, else all states of both sides."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from vclogic_encodings.axis_allies.odds.chains import Chains
from vclogic_encodings.axis_allies.odds.counting import Battles, Counting, State
from vclogic_encodings.axis_allies.odds.errors import relative
from vclogic_encodings.axis_allies.odds.fields import Field
from vclogic_encodings.axis_allies.odds.forces import Side
from vclogic_encodings.axis_allies.odds.ranks import Array, Ranks

ROOM = 10_000_000
"""The most numbers in one array."""


class Floats(Counting[float]):
    """Chances in floats; whole battles are counted with arrays."""

    def __init__(self) -> None:
        super().__init__(lambda a, b: a / b)
        self._ranks: Ranks | None = None
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

    def _counted(
        self, battles: Battles[float], count: Callable[[Field | Chains, Array], Array]
    ) -> list[dict[State, float]]:
        if any(a.apart or d.apart for a, d, _ in battles):
            return [self._on_field(a, d, start, count) for a, d, start in battles]
        slots = max(a.most[0] for a, _, _ in battles) + 1, battles[0][1].most[0] + 1
        each = max(1, ROOM // (slots[0] * slots[1]))
        parts = (battles[i : i + each] for i in range(0, len(battles), each))
        return [ends for part in parts for ends in self._on_chains(part, count)]

    def _on_field(
        self, a: Side, d: Side, start: Mapping[State, float], count: Callable[[Field | Chains, Array], Array]
    ) -> dict[State, float]:
        field = Field(a, d)
        self._limits.append(field.limits)
        found = field.states(count(field, field.array(start)))
        self.swept |= field.swept
        return found

    def _on_chains(
        self, battles: Battles[float], count: Callable[[Field | Chains, Array], Array]
    ) -> list[dict[State, float]]:
        import numpy as np

        first, d, _ = battles[0]
        self._ranks = self._ranks or Ranks(first.manner, first.at_sea)
        chains = Chains([a for a, _, _ in battles], d, self._ranks)
        begin: Array = np.zeros(chains.shape)
        for which, (_, _, start) in enumerate(battles):
            for state, p in start.items():
                begin[chains.place(which, *state)] = p
        after = count(chains, begin)
        found: list[dict[State, float]] = [{} for _ in battles]
        for which, i, j in np.argwhere(after).tolist():
            found[which][chains.state(which, i, j)] = float(after[which, i, j])
        slots = chains.shape[1] + chains.shape[2] - 2
        self._limits.append((slots, max(chains.shape[1:]) - 1, 2 * slots + chains.shape[1] + 2 * chains.shape[2]))
        self.swept |= chains.swept
        return found

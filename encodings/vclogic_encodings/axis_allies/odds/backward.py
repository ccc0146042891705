"""What battles come to in the mean, from the states in which they end back to all others, in floats.

What is left of attackers after a hit is a smaller force, which others share. So many attackers are solved together,
by how many hits they can take, against all that may be left of the defenders at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from vclogic_encodings.axis_allies.odds.rounds import AttackerLayer, RoundMatrices
from vclogic_encodings.axis_allies.odds.sides import NO_DICE, Dice, Row, Side
from vclogic_encodings.axis_allies.odds.states import Array, Fighters, hits, longer

VALUES = 3
"""Of a state: the chance to take the place, the attackers that are left, and what they cost."""


class Backward:
    """The values of any attackers against the same defenders; computed ones are kept.

    Args:
        a: The side that attacks.
        d: The side that defends.
        defenders: The row of its units.
        at_sea: Whether the battle is for a sea zone.
    """

    def __init__(self, a: Side, d: Side, defenders: Row, at_sea: bool):
        import numpy as np

        self._a, self._d, self._defenders = a, d, defenders
        kinds = a.rules.kinds
        self._holding = [column for u, column in a.columns.items() if at_sea or kinds[u].kind == "land"]
        self.costs = np.array([kinds[u].cost for u in a.units], dtype=np.int64)
        self._begin()

    def _begin(self) -> None:
        """Know no attackers."""
        import numpy as np

        self._rounds = RoundMatrices(self._a, self._d, [self._defenders])
        self._value: Array = np.zeros((16, self._rounds.size, VALUES))
        self._between: Array | None = np.zeros_like(self._value) if self._d.hunting else None

    @property
    def error(self) -> float:
        """The largest distance of the values so far from the exact ones, as a share of them."""
        return self._rounds.error()

    def numbers(self, rows: Iterable[Row]) -> Array:
        """The numbers of rows, which are solved if they were not.

        Raises:
            TimeUp: The time was up; then nothing is kept, as rows are numbered before they are solved.
        """
        import numpy as np

        rows = list(rows)
        try:
            self._add(rows)
        except BaseException:
            self._begin()
            raise
        return np.array([self._rounds.attackers.number[row] for row in rows], dtype=np.int64)

    def _add(self, rows: Sequence[Row]) -> None:
        number = self._rounds.attackers.number
        first, new = len(number), self._rounds.add(rows)
        self._value = longer(self._value, len(number))
        if self._between is not None:
            self._between = longer(self._between, len(number))
        going = ~self._rounds.over(new)
        for layer in self._rounds.layers(new):  # those that can take the fewest hits first
            self._solve(new, AttackerLayer(self._rounds, new, first + layer, layer), going[layer])

    def _solve(self, a: Fighters, layer: AttackerLayer, going: Array) -> None:
        """Solve some rows from those that are smaller, and their own against fewer defenders."""
        import numpy as np

        numbers, size = layer.numbers, self._rounds.size
        # What a round comes to that hits the attackers: all that can be left of them is solved. By the defender's
        # state, first over the hits that he scores, then over what their fire makes of him.
        hurt = numbers[:, None] != layer.reached.T
        lost = self._value[layer.reached.T] * hurt[:, :, None, None]
        mixed = layer.answer @ lost.reshape(*hurt.shape, -1)
        known = np.einsum("rij,rijv->riv", layer.fire, mixed.reshape(len(numbers), size, size, VALUES))
        total = known
        # The first half in front of that; what it leads to was kept as the smaller rows were solved.
        if self._between is not None or layer.first is not None:
            total = np.zeros_like(known)
            for chance, to in layer.first_hits():
                after = known
                if self._between is not None:
                    after = np.where((to == numbers)[:, None, None], known, self._between[to])
                total += chance[:, None] * (after if layer.first is None else layer.first @ after)
        values = self._values(a, layer, total, going)
        self._value[numbers] = values
        if self._between is not None:
            self._between[numbers] = known + layer.stays @ values

    def _values(self, a: Fighters, layer: AttackerLayer, known: Array, going: Array) -> Array:
        """The values of a layer, where a battle is over as it stands; `known` is what rounds that hit it come to."""
        import numpy as np

        table, same = a.table[layer.rows], layer.same
        rest = np.where(going, 1.0 - same.diagonal(axis1=1, axis2=2), 1.0)[:, :, None]
        values = np.zeros_like(known)
        values[:, -1, 0] = table[:, self._holding].any(axis=1)
        values[:, :, 1] = a.left[layer.rows, None]
        values[:, :, 2] = (table[:, list(a.side.columns.values())] @ self.costs)[:, None]
        # A round that hits no attacker leaves the defender as he is, which only puts off what comes, or weaker: so
        # the states of the defender are solved from the last, divided by the chance that anything changes.
        for at in range(self._rounds.size - 2, -1, -1):
            more = (same[:, at, None, at + 1 :] @ values[:, at + 1 :])[:, 0]
            found = (known[:, at] + more) / rest[:, at]
            values[:, at] = np.where(going[:, at, None], found, values[:, at])
        return values

    def values(self, numbers: Array, shells: Dice, still_fire: bool) -> Array:
        """The values as a battle begins, after bombardment.

        Args:
            numbers: The numbers of the attackers.
            shells: The dice of ships that bombard.
            still_fire: Whether defenders who are hit still fire: then a round is fought with the bombardment.
        """
        import numpy as np

        rounds, a = self._rounds, self._rounds.attackers
        if shells == NO_DICE:
            return self._value[numbers, 0]
        if not still_fire or not rounds.most[1]:
            hit = hits(np.array([shells]), rounds.most[1])[0]
            return np.einsum("y,ryv->rv", hit, self._value[numbers][:, rounds.falling])
        table = np.array(list(a.number), dtype=np.int64)[numbers]
        hit, answer = Fighters(a.side, table, rounds.most, shells).by_others, rounds.d.by_others[0]
        after = self._value[a.reached(numbers, 0, len(answer) - 1)][:, :, rounds.falling]
        return np.einsum("c,cryv,ry->rv", answer, after, hit)

"""One round of battles as matrices: the chances that it leads from one state to another, in floats.

A round has two halves. In the first, submarines fire whose enemy has no destroyer, those of both sides at once; in
the second, all others, and submarines that did not. Given what is left as a half begins, the dice of the two sides
are independent. So for each state of the attacker there is a matrix of his fire, from one state of the defender to
another, and for each state of the defender there are the chances of numbers of hits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from vclogic_encodings.axis_allies.odds.sides import NO_DICE, SIDES, Dice, Row, Side
from vclogic_encodings.axis_allies.odds.states import Array, Fighters, States

from vclogic.clock import check_deadline

ROOM = 2_000_000
"""The most numbers in one array of a layer."""


ALONE = 200_000
"""So many multiplications are left to one thread."""
UNIT = 2.0**-53
"""The most that one rounding changes a number by, as a share of it."""


class RoundMatrices:
    """The rounds of any attackers against the same defenders.

    Args:
        a: The side that attacks.
        d: The side that defends.
        defenders: The rows of it that battles begin with.

    Attributes:
        most: The most hits on ships, and on all units of the defender.
        falling: The states of the first row after 0, 1, 2 ... hits by others than submarines.
    """

    def __init__(self, a: Side, d: Side, defenders: Iterable[Row]):
        import numpy as np

        self.attackers, self.defenders = States(a, d.hunting), States(d, a.hunting)
        self.d = Fighters(d, self.defenders.add(defenders))
        self.size = len(self.d.sizes)
        self.most = int(self.d.table[:, d.ships].sum(axis=1).max()), int(self.d.sizes.max())
        every = np.arange(self.size)
        self._into = self.defenders.reached(every, self.most[0] if a.hunting else 0, self.most[1])
        self._into = self._into.reshape(-1, self.most[1] + 1, self.size)
        self.falling = self._into[0, :, 0]
        self.longest = 0

    def add(self, rows: Iterable[Row], shells: Dice = NO_DICE) -> Fighters:
        """The attackers of rows that are new, and all that can be left of them; `shells` as of `Fighters`."""
        new = Fighters(self.attackers.side, self.attackers.add(rows), self.most, shells)
        self.longest = max(self.longest, int(new.sizes.max(initial=0)))
        return new

    def over(self, a: Fighters) -> Array:
        """For each state, true if the battle is over."""
        d = self.d
        ours = a.others[:, None] | (a.subs[:, None] & d.afloat)
        theirs = d.others | (d.subs & a.afloat[:, None])
        return ~(ours | theirs) | (a.sizes == 0)[:, None] | (d.sizes == 0)

    def layers(self, a: Fighters) -> Iterator[Array]:
        """The states of attackers that can take equally many hits and have a destroyer or none, in parts with room.

        No hit leads from one of a layer to another of it. Where there is a destroyer, the defender's submarines
        fire in the second half of the round.
        """
        import numpy as np

        kinds = a.sizes * 2 + a.destroyers
        theirs, ours = (side.by_subs.shape[1] * side.by_others.shape[1] for side in (self.d, a))
        each = max(1, ROOM // (self.size * max(3 * self.size, 3 * theirs, ours)))
        for kind in np.unique(kinds).tolist():
            layer = np.flatnonzero(kinds == kind)
            for start in range(0, len(layer), each):
                check_deadline()
                yield layer[start : start + each]

    def fire(self, by_subs: Array, by_others: Array) -> Array:
        """The chance that fire leads from one state of the defender to another, for each line of chances of hits."""
        import numpy as np

        number, size = len(by_others), self.size
        chances = (by_subs[:, :, None] * by_others[:, None]).reshape(number, -1)
        some = chances.any(axis=0).nonzero()[0]
        # Several numbers of hits may lead to one state, so the cells of all matrices are summed up in one pass.
        into = self._into[: by_subs.shape[1], : by_others.shape[1]].reshape(-1, size)[some]
        cells = (np.arange(size) * size + into).ravel()
        places = (np.arange(number)[:, None] * size**2 + cells).ravel()
        check_deadline()
        return np.bincount(places, chances[:, some].repeat(size, axis=1).ravel(), number * size**2).reshape(
            number, size, size
        )

    def error(self, changes: int | None = None, sources: int = 0) -> float:
        """The most that chances differ from the exact ones after battles, as a share of them; see `relative`.

        Args:
            changes: How many rounds change anything; None: as many as there are hits to take.
            sources: From how many states one was reached.
        """
        ours, theirs = (self.most[0] + 1) * (self.most[1] + 1), self.d.by_subs.shape[1] * self.d.by_others.shape[1]
        # A round has two sums over the attacker's hits, four over the defender's, and at most six over his states.
        terms, dice, hits = 2 * ours + 4 * theirs + 6 * self.size, max(self.longest, self.most[1]), self.most[1]
        changes = self.longest + hits if changes is None else changes
        return relative(changes=changes, dice=dice, terms=terms, sources=sources)


class AttackerLayer:
    """A round of some attackers of a layer.

    Attributes:
        numbers: The numbers of the attackers.
        rows: Their lines in arrays of those that were added together.
        fire: For each of them, the chances that the second half leads from one state of the defender to another.
        answer: For each state of the defender, the chances of his hits in the second half.
        reached: The numbers of what these hits leave of the attackers: a line for each number of hits.
        spared: The chance that they leave an attacker as he is, by the state of the defender.
    """

    def __init__(self, rounds: RoundMatrices, a: Fighters, numbers: Array, rows: Array):
        import numpy as np

        d, most = rounds.d, int(a.sizes[rows[0]])
        self._rounds, self._a, self.numbers, self.rows = rounds, a, numbers, rows
        others = np.ones((len(rows), 1))
        self.fire = rounds.fire(others, a.by_others[rows])
        # Submarines fire now where the defender has a destroyer. He has it as the round begins if he has it now: else
        # they fire in the first half, in which he loses none that he does not have.
        if d.destroyers.any() and a.subs[rows].any():
            self.fire[:, d.destroyers] = rounds.fire(a.by_subs[rows], a.by_others[rows])[:, d.destroyers]
        # Hits beyond those that the attackers can take are counted with the last.
        late = a.destroyers[rows[0]] or not rounds.attackers.hunted
        narrow = _capped(d.by_subs, most) if late else np.ones((rounds.size, 1))
        wide = _capped(d.by_others, most)
        self._early = np.ones((rounds.size, 1)) if late else _capped(d.by_subs, most)
        self.answer = (narrow[:, :, None] * wide[:, None]).reshape(rounds.size, -1)
        self.reached = rounds.attackers.reached(numbers, narrow.shape[1] - 1, wide.shape[1] - 1)
        self.spared = (self.answer @ (self.reached == numbers)).T
        self.first = self._first_fire() if rounds.defenders.hunted and a.subs[rows].any() else None

    def _first_fire(self) -> Array | None:
        """The chances that the first half leads from one state of the defender to another; None: it changes none."""
        import numpy as np

        rounds, rows = self._rounds, self.rows
        if rounds.d.destroyers.all():
            return None
        found = rounds.fire(self._a.by_subs[rows], np.ones((len(rows), 1)))
        found[:, rounds.d.destroyers] = np.eye(rounds.size)[rounds.d.destroyers]
        return found

    def first_hits(self) -> Iterator[tuple[Array, Array]]:
        """The chance of each number of hits in the first half, by the defender's state, and the numbers reached."""
        for hits, chance in enumerate(self._early.T):
            yield chance, self._rounds.attackers.after(self.numbers, hits, 0)

    @property
    def stays(self) -> Array:
        """The chances that the second half leaves the attackers as they are, by the defender before and after it."""
        return self.spared[:, :, None] * self.fire

    @property
    def same(self) -> Array:
        """The same of a whole round."""
        if self.first is None and self._early.shape[1] == 1:
            return self.stays
        unhurt = sum(chance * (to == self.numbers)[:, None] for chance, to in self.first_hits())
        return unhurt[:, :, None] * (self.stays if self.first is None else products(self.first, self.stays))


def _capped(chances: Array, most: int) -> Array:
    """The chances of numbers of hits, by line, those of `most` and more together."""
    if chances.shape[1] <= most + 1:
        return chances
    found: Array = chances[:, : most + 1].copy()
    found[:, most] += chances[:, most + 1 :].sum(axis=1)
    return found


def products(one: Array, other: Array) -> Array:
    """The product of each of some matrices with one of others."""
    import numpy as np

    check_deadline()
    if one.size * other.shape[-1] < ALONE:
        return one @ other
    found = np.empty((*one.shape[:2], other.shape[2]))
    for product, x, y in zip(found, one, other, strict=True):
        check_deadline()
        product[:] = times(x, y)
    return found


def times(one: Array, other: Array) -> Array:
    """The product of two matrices, in parts too small for a second thread, which would only be waited for."""
    import numpy as np

    each = max(1, ALONE // max(1, other.size))
    if len(one) <= each:
        return one @ other
    return np.concatenate([one[i : i + each] @ other for i in range(0, len(one), each)])


def relative(*, changes: int, dice: int, terms: int, sources: int) -> float:
    """The most that a chance in floats differs from the exact one, as a share of it.

    All that is counted are sums of products of numbers that are not negative. So k roundings along each path from the
    dice to a result make a relative error of at most (1 + u)^k - 1, which is below 2 k u for the k here:

    - The chance of a number of hits is a product of chances with dice of one strength, each correctly rounded from
      its fraction, summed over ways to split the hits: at most `dice` + 3 roundings for each of six strengths. A
      round needs it for the submarines and the others of both sides: 4 x 6 x (dice + 3).
    - In a round, at most ten such factors are multiplied, and sums have at most `terms` summands, all sums together.
      Then what comes of it is added to that of at most `sources` other states.
    - A state is divided by 1 - p, with p the chance that a round changes nothing. Where anybody can hit, p <= 5/6,
      so the relative error of 1 - p is at most 5 times that of p, and one rounding. In p no hits are split: at most
      8 x 6 roundings for the dice, ten for products and `terms` for sums.
    - A battle has at most `changes` rounds that change anything. Before it come antiaircraft fire and bombardment,
      and after it a sum over the endings: each no more than such a round.

    Numbers below 1e-150 may be lost; what they add up to is far below a last digit of the bound.

    Args:
        changes: How many rounds change anything: no more than the hits that both sides can take together.
        dice: The most dice that a side throws.
        terms: The most summands in the sums of a round.
        sources: From how many states one was reached, in both halves of a round; 0 where values are averaged.
    """
    step = 4 * SIDES * (dice + 3) + 10 + terms + sources + 5 * (8 * SIDES + 10 + terms) + 2
    return 2 * step * (changes + 4) * UNIT

"""Exact chances: a battle counted out state by state in fractions. The rules of a round are written here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb

from vclogic_encodings.axis_allies.odds.sides import (
    NO_DICE,
    SIDES,
    Dice,
    Row,
    Side,
    State,
    is_over,
    together,
)

from vclogic.clock import check_deadline
from vclogic.model.memoized import memoized

Ways = tuple[int, ...]
"""Of all throws of some dice, in how many there are 0, 1, 2 ... hits."""


class Exact:
    """The chances of a battle between two sides, as fractions.

    Args:
        a: The attacker.
        d: The defender.
    """

    one = Fraction(1)
    error, swept = 0.0, False

    def __init__(self, a: Side, d: Side):
        self.a, self.d = a, d

    def hits(self, thrown: Dice) -> Sequence[Fraction]:
        """The chance of 0, 1, 2 ... hits with some dice."""
        return [Fraction(ways, SIDES ** sum(thrown)) for ways in self._ways(thrown)]

    # ---- whole battles

    def fought(self, start: Mapping[State, Fraction], few: int | None = None) -> dict[State, Fraction]:
        """The states in which a battle ends, with their chances.

        Args:
            start: The states that it goes on from, with their chances.
            few: The attacker retreats once there are so many units at most; None: never.
        """
        ends: dict[State, Fraction] = {}
        pending: list[dict[State, Fraction]] = [{} for _ in range(max(map(_size, start), default=0) + 1)]
        for state, p in start.items():
            pending[_size(state)][state] = p
        while pending:  # no state comes before one that it can come from, as rounds only take units away
            for state, p in pending.pop().items():
                if is_over(self.a, self.d, state, few):
                    ends[state] = p
                    continue
                after, whole = self.round(state)
                # Rounds in which nobody hits only put off the others: these count 1 / (1 - p) times.
                share = p / (whole - after.pop(state, 0))
                for new, ways in after.items():
                    check_deadline()
                    later = pending[_size(new)]
                    later[new] = later.get(new, 0) + share * ways
        return ends

    def one_round(self, start: Mapping[State, Fraction], few: int | None = None) -> dict[State, Fraction]:
        """The states after one round from several; those in which the battle is over stay."""
        over = {state: p for state, p in start.items() if is_over(self.a, self.d, state, few)}
        going = self.fired({state: p for state, p in start.items() if state not in over})
        return {state: over.get(state, Fraction(0)) + going.get(state, Fraction(0)) for state in {**over, **going}}

    def fired(self, start: Mapping[State, Fraction], shells: Dice = NO_DICE) -> dict[State, Fraction]:
        """The states after a round from each state; `shells` are those of ships that bombard as it is fought."""
        found: dict[State, Fraction] = {}
        for state, p in start.items():
            after, whole = self.round(state, shells)
            for new, ways in after.items():
                check_deadline()
                found[new] = found.get(new, 0) + p * Fraction(ways, whole)
        return found

    # ---- a round

    def round(self, state: State, shells: Dice = NO_DICE) -> tuple[dict[State, int], int]:
        """The states after a round, with the number of throws of all dice that lead to each, and that of all throws.

        Submarines fire first where the enemy has no destroyer, those of both sides at once; then all others, and
        submarines that did not. Whoever is hit first fires no more.
        """
        a, d = self.a, self.d
        ours, theirs = state
        surprise, surprised = d.surprised(theirs), a.surprised(ours)
        every = sum(map(sum, (*a.dice(ours), *d.dice(theirs), shells)))
        found: dict[State, int] = {}
        first = self._after(d, theirs, a.dice(ours)[0] if surprise else NO_DICE, NO_DICE)
        answer = self._after(a, ours, d.dice(theirs)[0] if surprised else NO_DICE, NO_DICE)
        for there, p in first.items():
            for here, q in answer.items():
                check_deadline()
                narrow, wide = a.dice(here)
                back, others = d.dice(there)
                fire = (NO_DICE if surprise else narrow), together(wide, shells)
                return_fire = (NO_DICE if surprised else back), others
                # Dice of those who were hit first are not thrown: each throw counts for all that they could show.
                thrown = sum(map(sum, (*fire, *return_fire)))
                thrown += sum(a.dice(ours)[0]) * surprise + sum(d.dice(theirs)[0]) * surprised
                share = p * q * SIDES ** (every - thrown)
                returned = self._after(a, here, *return_fire).items()
                for new_there, n in self._after(d, there, *fire).items():
                    check_deadline()
                    for new_here, m in returned:
                        new = new_here, new_there
                        found[new] = found.get(new, 0) + share * n * m
        return found, SIDES**every

    @memoized
    def _after(self, side: Side, row: Row, by_submarines: Dice, by_others: Dice) -> Mapping[Row, int]:
        """The rows after fire at a side, with the number of throws that lead to each."""
        found: dict[Row, int] = {}
        for p in self._ways(by_submarines):
            then = row
            for q in self._ways(by_others):
                found[then] = found.get(then, 0) + p * q
                then = side.after(then, False)
            row = side.after(row, True)
        return found

    @memoized
    def _ways(self, thrown: Dice) -> Ways:
        """In how many throws of some dice there are 0, 1, 2 ... hits."""
        found: Ways = (SIDES ** thrown[0],)
        for strength, number in enumerate(thrown):
            if number and strength:
                found = _folded(found, _binomial(number, strength))
        return found


def _binomial(number: int, strength: int) -> Ways:
    """The same for dice of one strength."""
    return tuple(comb(number, k) * strength**k * (SIDES - strength) ** (number - k) for k in range(number + 1))


def _folded(one: Ways, other: Ways) -> Ways:
    found = [0] * (len(one) + len(other) - 1)
    for i, p in enumerate(one):
        check_deadline()
        for j, q in enumerate(other):
            found[i + j] += p * q
    return tuple(found)


def _size(state: State) -> int:
    """The hits that both sides can still take."""
    return sum(state[0]) + sum(state[1])

"""Sums of the same variables, looked up and added at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vclogic.terms.term import Term

_BITS = 240
"""So many bits the numbers side by side may have: up to there they are added about as fast as small ones."""


class SharedSums:
    """Sums of tables of much the same variables, which are looked up and added once for all of them.

    The numbers of all sums for one member of a variable stand side by side in one number, each from 0 on: so they
    are added at once, and none runs into the next.

    Attributes:
        fields: For each sum the place and the number of its bits, and what is to be added to what stands there.
        tables: For each variable the number of each member.
    """

    def __init__(self) -> None:
        self.fields: dict[Term, tuple[int, int, int]] = {}
        self.tables: dict[Term, list[int]] = {}
        self._bits = 0

    def fits(self, sums: Mapping[Term, Sequence[int]]) -> bool:
        """True if a sum has much the same variables, and there is room here."""
        both = len(self.tables.keys() & sums.keys())
        return 2 * both >= len(self.tables.keys() | sums.keys()) and self._bits + _bits_of(sums) <= _BITS

    def add(self, t: Term, sums: Mapping[Term, Sequence[int]]) -> None:
        """Add a sum, given the numbers of each variable's members in it."""
        bits = _bits_of(sums)
        self.fields[t] = self._bits, bits, sum(map(min, sums.values()))
        for v, numbers in sums.items():
            table = self.tables.setdefault(v, [0] * len(numbers))
            least = min(numbers)
            for i, x in enumerate(numbers):
                table[i] += (x - least) << self._bits
        self._bits += bits


def _bits_of(sums: Mapping[Term, Sequence[int]]) -> int:
    """The number of bits for the largest sum above the least one."""
    return sum(max(numbers) - min(numbers) for numbers in sums.values()).bit_length()

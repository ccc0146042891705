"""The value of a number at which a rate is what is wanted: a sweep that assumes a monotone effect, and tests it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.studies.summary import Rate

_WANTED = re.compile(r"\s*win rate of (?P<side>.+?)\s*=\s*(?P<share>0?\.\d+|[01](?:\.0*)?|\d+(?:\.\d+)?\s*%)\s*")
_FIRST = 5  # values that are tried before it is looked between them


@dataclass(frozen=True)
class Balance:
    """The values at which a rate is as wanted.

    Attributes:
        side: Whose rate it is.
        share: The rate that is wanted.
        varied: The name of what was varied.
        tried: Each value that was tried with its rate, in ascending order.
        best: The value whose rate is nearest.
        interval: The first and the last value whose rates could be the one that is wanted, going by what was tried;
            None where it lies outside of all of them.
        against: Pairs of values whose intervals say that the effect is not monotone; then the answer may be wrong.
    """

    side: str
    share: float
    varied: str
    tried: Sequence[tuple[int, Rate]]
    best: int
    interval: tuple[int, int] | None
    against: Sequence[tuple[int, int]]

    def __str__(self) -> str:
        wanted = f"a win rate of {self.side} of {self.share:.0%}"
        if self.interval is None:
            return f"{wanted} lies outside of what was tried; {self.varied} at {self.best} comes nearest"
        low, high = self.interval
        between = f"at {low}" if low == high else f"from {low} to {high}"
        return f"{wanted}: {self.varied} {between}; {self.best} comes nearest"


def wanted(text: str, sides: Sequence[str]) -> tuple[str, float]:
    """The side and the rate of a text such as `win rate of Red = 0.5`.

    Raises:
        InputError: It says something else.
    """
    found = _WANTED.fullmatch(text)
    if found is None:
        message = f"{quoted(text)} is not understood"
        raise InputError(Diagnostic("bad-value", message, "--find", help="write 'win rate of SIDE = 0.5'"))
    side, share = found["side"], found["share"]
    if side not in sides:
        help = did_you_mean(side, sides) or f"sides: {', '.join(sides)}"
        raise InputError(Diagnostic("unknown-name", f"there is no side {quoted(side)}", "--find", help=help))
    number = float(share.rstrip("% ")) / (100 if share.endswith("%") else 1)
    if not 0 <= number <= 1:
        raise InputError(Diagnostic("bad-value", "a rate is from 0 to 1", "--find"))
    return side, number


def balance(side: str, share: float, varied: str, values: Sequence[int], rate_at: Callable[[int], Rate]) -> Balance:
    """Look for the value at which a rate is what is wanted.

    A few values over the whole range are tried, then those between the two neighbours around the wanted rate.

    Args:
        values: The values that may be tried, in ascending order.
        rate_at: The rate at a value; each is asked for once.
    """
    tried: dict[int, Rate] = {}
    last = len(values) - 1
    places = sorted({round(i * last / (_FIRST - 1)) for i in range(_FIRST)}) if last >= _FIRST else range(last + 1)
    for i in places:
        tried[values[i]] = rate_at(values[i])
    while (between := _between(tried, share, values)) is not None:
        tried[between] = rate_at(between)
    ordered = sorted(tried.items())
    possible = [v for v, r in ordered if r.low <= share <= r.high]
    best = min(ordered, key=lambda item: abs(item[1].value - share))[0]
    return Balance(side, share, varied, ordered, best, _interval(ordered, possible, share), _against(ordered))


def _between(tried: dict[int, Rate], share: float, values: Sequence[int]) -> int | None:
    """A value that was not tried, between two neighbours whose rates lie on two sides of the wanted one."""
    ordered = sorted(tried)
    for a, b in pairwise(ordered):
        low, high = sorted((tried[a].value, tried[b].value))
        open_ = [v for v in values if a < v < b]
        if low <= share <= high and open_:
            return open_[len(open_) // 2]
    return None


def _interval(ordered: Sequence[tuple[int, Rate]], possible: Sequence[int], share: float) -> tuple[int, int] | None:
    if possible:
        return possible[0], possible[-1]
    for (a, x), (b, y) in pairwise(ordered):
        if min(x.value, y.value) <= share <= max(x.value, y.value):
            return a, b
    return None


def _against(ordered: Sequence[tuple[int, Rate]]) -> list[tuple[int, int]]:
    """Neighbours that go the other way than the whole does, beyond what chance explains."""
    rising = ordered[-1][1].value >= ordered[0][1].value
    return [(a, b) for (a, x), (b, y) in pairwise(ordered) if (y.high < x.low if rising else y.low > x.high)]

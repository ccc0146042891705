"""Distance of floats from exact chances: a bound that follows from the number of roundings."""

from __future__ import annotations

from vclogic_encodings.axis_allies.odds.sides import SIDES

UNIT = 2.0**-53
"""The most that one rounding changes a number by, as a share of it."""


def relative(*, changes: int, dice: int, terms: int) -> float:
    """The most that a chance in floats differs from the exact one, as a share of it.

    All that is counted are sums of products of numbers that are not negative. So k roundings along each path from the
    dice to a result make a relative error of at most (1 + u)^k - 1, which is below 2 k u for the k here:

    - The chance of a number of hits is a product of chances with dice of one strength, each correctly rounded from
      its fraction, summed over ways to split the hits: at most `dice` + 3 roundings for each of six strengths. A
      round needs it for the submarines and the others of both sides: 4 x 6 x (dice + 3).
    - In a round, at most ten such factors are multiplied, and sums have at most `terms` summands, all sums together.
    - A state is divided by 1 - p, with p the chance that a round changes nothing. Where anybody can hit, p <= 5/6,
      so the relative error of 1 - p is at most 5 times that of p, and one rounding. In p no hits are split: at most
      8 x 6 roundings for the dice, ten for products and `terms` for sums.
    - A battle has at most `changes` rounds that change anything. Before it come antiaircraft fire and bombardment,
      and after it a sum over the endings: each no more than such a round.

    Numbers below 1e-150 may be lost; what they add up to is far below a last digit of the bound.

    Args:
        changes: The hits that both sides can take together, and the rounds that are counted one by one.
        dice: The most dice that a side throws.
        terms: The most summands in the sums of a round.
    """
    step = 4 * SIDES * (dice + 3) + 10 + terms + 5 * (8 * SIDES + 10 + terms) + 2
    return 2 * step * (changes + 4) * UNIT

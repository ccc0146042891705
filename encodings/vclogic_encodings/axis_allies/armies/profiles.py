"""Battles that are to be won with some chance at least (option min_odds): which attackers are enough."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from vclogic_encodings.axis_allies.armies.muster import Muster
from vclogic_encodings.axis_allies.armies.opposed import fight_for, numbers_of
from vclogic_encodings.axis_allies.game import Rules
from vclogic_encodings.axis_allies.odds.chances import chances

from vclogic.model.battles import Fight
from vclogic.model.memoized import memoized
from vclogic.terms.build import ge, le, linear, not_, or_
from vclogic.terms.term import Term

Numbers = tuple[int, ...]
Units = tuple[tuple[str, int], ...]
"""Kinds of units with their numbers."""


@dataclass(frozen=True)
class Profile:
    """The attackers that win a battle with a chance that is high enough.

    Attributes:
        kinds: The kinds that can come; those of ships that bombard with `GUNS` before them.
        least: The compositions with such a chance from which no unit can be taken away.
        sums: Weights for each kind with what the weighted sum must be at least.
        short: Greatest compositions that satisfy all sums and have no such chance: there must be more of some kind.
        holes: Compositions that contain one of `least` and have no such chance.
    """

    kinds: tuple[str, ...]
    least: frozenset[Numbers]
    sums: tuple[tuple[Numbers, int], ...]
    short: tuple[Numbers, ...]
    holes: frozenset[Numbers]

    def laws(self, won: Term, numbers: Sequence[Term]) -> Iterable[Term]:
        """The constraints on the numbers of each kind where the battle is won."""
        if not self.least:
            yield not_(won)
            return
        for weights, total in self.sums:
            yield ge(linear([*zip(weights, numbers, strict=True), (-total, won)]), 0)
        for some in self.short:
            yield or_(not_(won), *(ge(n, k + 1) for n, k in zip(numbers, some, strict=True)))
        for some in self.holes:
            yield or_(not_(won), *(or_(ge(n, k + 1), le(n, k - 1)) for n, k in zip(numbers, some, strict=True)))


def likely_enough(turn: Muster, region: str, won: Term) -> Iterable[Term]:
    """Laws: a battle is won only with an attack of at least 1, and where somebody defends with a good chance."""
    attacking = (blow.count for blow in turn.force.get(region, []) if blow.strength)
    yield ge(linear([*((1, n) for n in attacking), (-1, won)]), 0)
    fight = fight_for(turn, region)
    if fight is not None and fight.defenders:
        profile = profile_of(turn.game, fight)
        numbers = numbers_of(fight)
        yield from profile.laws(won, [numbers[u] for u in profile.kinds])
    elif fight is None:
        yield not_(won)


def asked_of(turn: Muster, region: str) -> Profile | None:
    """The attackers that may win a battle in plans; None where strength decides, or nobody defends."""
    fight = None if turn.game.ratio else fight_for(turn, region)
    return profile_of(turn.game, fight) if fight is not None and fight.defenders else None


def profile_of(game: Rules, fight: Fight) -> Profile:
    """The attackers that win a battle with the chance that plans ask for."""
    return _profile(game, tuple(fight.defenders.items()), fight.at_sea, tuple(sorted(fight.most.items())))


@memoized
def _profile(game: Rules, defenders: Units, at_sea: bool, most: Units) -> Profile:
    from vclogic_encodings.axis_allies.odds.halfspaces import halfspaces
    from vclogic_encodings.axis_allies.odds.minimal_winners import Finder

    there, threshold = dict(most), Fraction(game.settings.number("min_odds"), 100)
    against, holders = chances(game, dict(defenders), at_sea=at_sea), () if at_sea else game.roles.soldiers
    winning = Finder(against, there, threshold, holders).winning()
    if not winning.least:
        return Profile(winning.kinds, winning.least, (), (), winning.holes)
    told = halfspaces(winning.least, [there[u] for u in winning.kinds])
    return Profile(winning.kinds, winning.least, told.sums, told.others, winning.holes)

"""Changes by triggers as turns begin and end, as lines below the facts of a rulebook."""

from __future__ import annotations

from collections.abc import Iterator

from vclogic.triplea.effects import CITY, OWNER, PRODUCTION, RELATION, SWITCH, TriggerEffect, TriggerEffects
from vclogic.triplea.expressions import FALSE, Expressions, all_of, any_of, pair_name
from vclogic.triplea.naming import quoted_name
from vclogic.triplea.rules import Trigger
from vclogic.triplea.victories import moment_of

NOW = {CITY: "city_now", PRODUCTION: "production_now"}
"""The facts that tell what land is worth, where triggers change that."""


class Turning:
    """The changes that triggers make, as a rulebook tells them.

    Args:
        expressions: The conditions of the map.
    """

    def __init__(self, expressions: Expressions):
        self.expressions, self.game = expressions, expressions.game
        self.told = [e for e in TriggerEffects(expressions.conditions).told if self._fires(e.trigger) != FALSE]

    def below(self, *kinds: str) -> Iterator[str]:
        """The lines below the fact that some effects change, indented."""
        for e in self.told:
            if e.kind in kinds:
                about, value = self._about(e)
                yield from self._lines(e.trigger, value, about)

    def since(self) -> Iterator[str]:
        """The lines below the round of a relationship."""
        for e in self.told:
            if e.kind == RELATION:
                yield from self._lines(e.trigger, "round", self._about(e)[0])

    def _fires(self, trigger: Trigger) -> str:
        return self.expressions.fires(trigger)

    def _lines(self, trigger: Trigger, value: str, about: str) -> Iterator[str]:
        use = self.expressions.option("Use Triggers")
        condition = all_of((about, use, self._fires(trigger)))
        moments = dict.fromkeys(moment_of(self.game, side, step) for side, step in trigger.when)
        for moment in moments if condition != FALSE else ():
            yield f"  becomes {value} {moment} if {condition}"

    def _about(self, e: TriggerEffect) -> tuple[str, str]:
        """The condition of the fact that changes, and what it becomes."""
        if e.kind == SWITCH:
            return f"rule == {quoted_name(e.about)}", str(e.value.lower() in ("true", "yes")).lower()
        if e.kind == RELATION:
            one, _, other = e.about.partition(":")
            types = self.game.types(e.before)
            was = any_of(f"relation(pair) == {quoted_name(t)}" for t in types)
            pair = quoted_name(pair_name(*self.game.pair(one, other)))
            return all_of((f"pair == {pair}", f"({was})" if len(types) > 1 else was)), quoted_name(e.value)
        there = f"territory == {quoted_name(e.about)}" if e.about else "true"
        if e.kind == OWNER:
            was = f"owner(territory) == {quoted_name(e.before)}" if e.before else "true"
            return all_of((there, was)), quoted_name(e.value)
        return there, str(int(e.value))

"""The parts of a rulebook's rule set that are the same under other Readings, and are not made once more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vclogic.model.lazy import Noted
from vclogic.model.rules import Rule
from vclogic.rulebook.board.world import World
from vclogic.rulebook.meaning.names import TextNames
from vclogic.rulebook.meaning.resting import Resting
from vclogic.rulebook.meaning.texts import Meaning
from vclogic.rulebook.play.game import Play
from vclogic.rulebook.play.timing import Timing
from vclogic.rulebook.statements import NamedGroup


@dataclass(frozen=True)
class Base:
    """The parts that a rule set is made of.

    Attributes:
        readings: The Readings that it was made under, with those that it has looked up.
        resting: Which Readings each line can look up.
        world: What is declared.
        timing: Turns and rounds.
        names: What its lines can speak of, and these lines, typed.
        meaning: What they mean.
        play: Its events.
        laws: Its laws, in their order.
    """

    readings: Noted
    resting: Resting
    world: World
    timing: Timing
    names: TextNames
    meaning: Meaning
    play: Play
    laws: Sequence[Rule]

    def under(self, readings: object) -> InCommon | None:
        """All that is the same under other Readings; None: that is not told.

        What is the same is what this rule set has looked up: so that counts for the other one, too.
        """
        if not isinstance(readings, Noted) or self.names.secrets.there or not self.resting.is_told:
            return None
        found = InCommon(self, readings.others_than(self.readings))
        if not found.keeps(*(group for _, _, group in self.names.each(NamedGroup))):
            return None  # kinds with other groups
        readings.counts(self.readings)
        return found


@dataclass(frozen=True)
class InCommon:
    """All that is the same in a rule set under other Readings.

    Attributes:
        base: The rule set that has been made.
        differing: The Readings that have another value.
    """

    base: Base
    differing: frozenset[str]

    @property
    def names(self) -> TextNames:
        """The names of the rule set that has been made, and its lines, typed."""
        return self.base.names

    @property
    def keeps_facts(self) -> bool:
        """True if the same facts are there, start the same, and the same follows from what they remember."""
        resting = self.base.resting
        return self.differing.isdisjoint(resting.of_facts | resting.of_remembered)

    def keeps(self, *parts: object) -> bool:
        """True if statements, or parts of them, look up no Reading that differs."""
        return all(self.base.resting.of(part).isdisjoint(self.differing) for part in parts)

"""Strategies of duels played against all replies, over the rules of the brute force.

A strategy is a list of cases: the first one of which all facts hold says what to play next, and what cases there are
after the other side's answer. It is played for one side; the other side tries every turn that it has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random

from tests.oracles.adversary import Taken, Want
from tests.oracles.captures import Moment
from tests.toys.small_maps import SmallMap
from vclogic.model.fluents import Value
from vclogic.query.force.answer import TurnTaken, Variation


@dataclass
class Player:
    """Plays a strategy.

    Attributes:
        m: The game.
        want: The goal, the side that wants it, and the rules.
        side: The side whose strategy it is: the one that wants the goal, or the other one.
        plays: How many plays have come to their end.
        sample: How the other side chooses one turn, where it does not try every one.
    """

    m: SmallMap
    want: Want
    side: str
    plays: int = 0
    sample: Random | None = None

    @property
    def wants(self) -> bool:
        """Whether the side wants the goal; else it prevents it."""
        return self.side == self.want.side

    def play(self, at: Moment, within: int, cases: Sequence[Variation]) -> None:
        """Play against every turn of the other side.

        Args:
            at: The moment.
            within: How many turns the side that wants the goal has left.
            cases: The strategy from here.

        Raises:
            AssertionError: A turn is not legal, no case says what to do, or the side does not get its way.
        """
        if self.want.met(at):
            assert self.wants, f"the goal is reached: {at}"
            self.plays += 1
        else:
            self.play_on(at, within, cases)

    def play_on(self, at: Moment, within: int, cases: Sequence[Variation]) -> None:
        """The same where the goal only counts once a turn has been played."""
        rules = self.want.play
        if within == 0 and rules.side(at) == self.want.side:
            assert not self.wants, f"the goal is not reached: {at}"
            self.plays += 1
        elif rules.side(at) == self.side:
            self._move(at, within, cases)
        else:
            replies = rules.choices(at.owners, at.turn)
            for taken in replies if self.sample is None else (self.sample.choice(replies),):
                self.play(rules.after(at, taken), within - (not self.wants), cases)

    def _move(self, at: Moment, within: int, cases: Sequence[Variation]) -> None:
        case = self._matching(at, cases)
        if case is None:
            assert not self.wants, f"nothing is said about {at}"
            self.play(self.want.play.after(at, ()), within, ())  # whatever is done, the goal cannot come
            return
        for turn in case.turns:
            assert turn.actor == at.turn
            taken = captured(turn)
            assert taken in {tuple(sorted(c)) for c in self.want.play.choices(at.owners, at.turn)}, (at, taken)
            at = self.want.play.after(at, taken)
            within -= self.wants
            assert within >= 0
            if self.want.met(at):
                break
        assert not case.reached or self.want.met(at)
        self.play(at, within, case.then)

    def _matching(self, at: Moment, cases: Sequence[Variation]) -> Variation | None:
        now = Facts(self.m, at)
        return next((c for c in cases if all(now.values[f] == x for f, x in c.when.items())), None)


@dataclass
class Facts:
    """A moment as the rule set writes it.

    Attributes:
        m: The game.
        at: The moment.
    """

    m: SmallMap
    at: Moment

    @cached_property
    def values(self) -> Mapping[str, Value]:
        """The value of each fluent by its name."""
        state = replace(self.m, start=self.at).state
        layout = self.m.system.layout
        return {f.name: x for f, x in layout.values(state).items()}


def captured(turn: TurnTaken) -> Taken:
    """What is captured in a turn of an answer."""
    return tuple(sorted(str(s.args["territory"]) for s in turn.steps if s.action == "capture"))

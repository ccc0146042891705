"""A question about objectives, with everything looked up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from vclogic.choices import choice
from vclogic.encode.python.codegen import interpret
from vclogic.errors import Diagnostic, InputError
from vclogic.model.fluents import State
from vclogic.model.objectives import Objective
from vclogic.model.system import System
from vclogic.query.resolved_question import ResolvedQuestion
from vclogic.terms.build import any_of
from vclogic.terms.expressions.compiled import Goal
from vclogic.words import joined


@dataclass(frozen=True)
class ObjectivesQuestion:
    """A question about the objectives of one side.

    Attributes:
        resolved: The question: the game, the state, the side that plans, its goal, the conditions on plans, and the
            horizon (None: none was asked for).
        limit: The most winning sets, and the most denial sets.
    """

    resolved: ResolvedQuestion
    limit: int

    @property
    def side(self) -> str:
        """The side that plans."""
        assert self.resolved.side is not None
        return self.resolved.side

    @cached_property
    def holders(self) -> Mapping[str, frozenset[str]]:
        """The sides that have each objective at the start, by the objective's name."""
        pairs = [(o.name, side, held) for o in self.resolved.system.objectives for side, held in o.held.items()]
        holds = interpret([held for _, _, held in pairs], self.resolved.system.layout.slot, self.resolved.state)
        having = {(name, side) for (name, side, _), has in zip(pairs, holds, strict=True) if has}
        return {
            o.name: frozenset(s for s in o.held if (o.name, s) in having) for o in self.resolved.system.objectives
        }

    @cached_property
    def known(self) -> tuple[Objective, ...]:
        """All that the side can have, in the order of the game."""
        return tuple(o for o in self.resolved.system.objectives if self.side in o.held)

    @cached_property
    def new(self) -> tuple[Objective, ...]:
        """The objectives that the side can have and has not at the start: those that plans can take."""
        return tuple(o for o in self.known if self.side not in self.holders[o.name])

    @cached_property
    def main(self) -> frozenset[str]:
        """The names of those of `new` that the game is about."""
        return frozenset(o.name for o in self.new if o.main)

    def had(self, state: State) -> tuple[str, ...]:
        """The names of those of `new` that the side has in a state."""
        return self._having(self.new, state)

    def taken(self, states: Iterable[State]) -> tuple[str, ...]:
        """The names of what is taken in a run of states, in the order in which it is."""
        return tuple(dict.fromkeys(name for state in states for name in self.had(state)))

    def _having(self, some: Sequence[Objective], state: State) -> tuple[str, ...]:
        held = interpret([o.held[self.side] for o in some], self.resolved.system.layout.slot, state)
        return tuple(o.name for o, has in zip(some, held, strict=True) if has)


def default_goal(system: System, side: str) -> Goal:
    """The default goal: a side meets the condition of an outcome, judged at that moment or not.

    Returns:
        The goal, its text in words. Where an outcome is undefined, the side has it not.

    Raises:
        InputError: The side has no outcome.
    """
    own = [o for o in system.outcomes if o.side == side]
    if not own:
        message = f"the rules name nothing by which {side} wins"
        help = f"say what to plan for, with {choice('goal')}"
        raise InputError(Diagnostic("missing-goal", message, choice("goal"), help=help))
    names = tuple(dict.fromkeys(o.name for o in own))
    return Goal(f"enough for {joined(names, 'or')}", any_of(o.condition.holds for o in own))

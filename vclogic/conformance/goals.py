"""Random goals of any game, about values near the present ones or values that occur in a play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from vclogic.encode.evaluator import interpret
from vclogic.model.fluents import State
from vclogic.model.rules import Observable
from vclogic.model.system import System
from vclogic.terms.partial import Partial
from vclogic.terms.sorts import EnumSort, IntSort

STRIDES = (1, 1, 1, 2, 3)  # how far a number is to move
TRIES = 400  # draws for one goal, most of which are true already, or name what never changes


@dataclass(frozen=True)
class GroundCall:
    """A ground observable.

    Attributes:
        text: Its text in the goal language.
        value: Its value, as a term.
        members: For an Enum: the names that it can be compared with.
    """

    text: str
    value: Partial
    members: tuple[str, ...] = ()

    @staticmethod
    def of(observable: Observable, arguments: Sequence[str]) -> GroundCall:
        """An observable with its arguments."""
        written = ", ".join(f'"{a}"' for a in arguments)
        members = observable.values.sort.members if observable.values else ()
        return GroundCall(
            observable.name + (f"({written})" if written else ""), observable.partial(*arguments), members
        )

    def __call__(self, system: System, state: State) -> int | None:
        """Its value in a state; None if it is undefined."""
        slot = system.layout.slot
        return interpret(self.value.value, slot, state) if interpret(self.value.defined, slot, state) else None

    def goal(self, system: System, state: State) -> str:
        """The goal that it has the value that it has in a state."""
        return self.is_(interpret(self.value.value, system.layout.slot, state))

    def is_(self, x: int) -> str:
        """The goal that it has a given value."""
        sort = self.value.value.sort
        if isinstance(sort, EnumSort):
            return f'{self.text} == "{sort.members[x]}"'
        return f"{self.text} == {x}" if isinstance(sort, IntSort) else self.text if x else f"not {self.text}"

    def other(self, now: int, rng: Random) -> str | None:
        """The goal that it has another value, near the present one; None if there is no other."""
        term = self.value.value
        if isinstance(term.sort, EnumSort):
            others = [m for m in self.members if m in term.sort.members and term.sort.members.index(m) != now]
            return f'{self.text} == "{rng.choice(others)}"' if others else None
        if not isinstance(term.sort, IntSort):
            return self.is_(1 - now) if term.lo < term.hi else None
        far = rng.choice(STRIDES)
        ways = [f"{self.text} >= {now + far}"] * (now + far <= term.hi) + [f"{self.text} <= {now - far}"] * (
            now - far >= term.lo
        )
        return rng.choice(ways) if ways else None


def random_call(system: System, rng: Random) -> GroundCall | None:
    """An observable with random arguments; None if goals cannot use it."""
    observable = rng.choice(list(system.vocabulary.values()))
    call = GroundCall.of(observable, [rng.choice(d.sort.members) for d in observable.parameters])
    return None if isinstance(call.value.value.sort, EnumSort) and not call.members else call


def random_goals(system: System, states: Sequence[State], rng: Random, count: int) -> Iterator[str]:
    """Goals of one or two parts that do not hold now, with values near the present ones or of another state.

    Args:
        states: The present state, and some that play leads to.
        rng: The random generator.
        count: The number of goals; fewer if little changes in the game.
    """
    for _ in range(count):
        near = rng.random() < 0.5
        there = states[0] if near else rng.choice(states)
        parts = [_part(system, states[0], there, rng) for _ in range(rng.choice((1, 1, 2)))]
        found = [p for p in parts if p is not None]
        if found:
            yield " and ".join(found)


def _part(system: System, now: State, there: State, rng: Random) -> str | None:
    """A part of a goal that does not hold now; true in the other state, if that differs."""
    for _ in range(TRIES):
        call = random_call(system, rng)
        x = call(system, now) if call else None
        if call is None or x is None:
            continue
        if there is now:
            goal = call.other(x, rng)
        else:
            y = call(system, there)
            goal = None if y in (None, x) else call.goal(system, there)
        if goal is not None:
            return goal
    return None

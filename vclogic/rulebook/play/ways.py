"""The arguments of an event that some position may allow, found one after the other.

What the board decides of an argument leaves some of its members for those before it, as a bit mask. So a move that no
position allows is never looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from vclogic.errors import InputError
from vclogic.model.fluents import Value
from vclogic.terms.atoms import FALSE
from vclogic.terms.expressions.line import Line
from vclogic.terms.sorts import members_of
from vclogic.terms.term import Term
from vclogic.terms.typed.form import Env, Expression, Junction, Slot, meeting
from vclogic.terms.typed.subjects import OneTest
from vclogic.terms.vocabulary import CountedKind

MOST_TRIED = 2_000_000
"""So many arguments of an event are tried, one after the other, beside what the board rules out."""
Given = dict[str, Value]
Holds = Callable[[tuple[str, ...]], Term]
"""When a need holds for the arguments that it speaks of."""
Needed = tuple[Sequence[str], Line, Holds]
"""A need: the arguments that it speaks of, its line, typed for all arguments, and when it holds."""


@dataclass(frozen=True)
class _Step:
    """An argument.

    Attributes:
        name: Its name.
        kind: What it can be.
        filters: What the board decides of it, and of those before it.
        open: What else the event needs of it, and of those before it: false where no position allows it.
    """

    name: str
    kind: CountedKind
    slot: Slot
    filters: Sequence[Expression]
    open: Sequence[Callable[[Env], bool]]


class Ways:
    """The arguments of an event.

    Args:
        kinds: Their kinds by name, in their order.
        needs: Its needs.
        too_many: The error where there are too many.
    """

    def __init__(self, kinds: Mapping[str, CountedKind], needs: Sequence[Needed], too_many: Callable[[], InputError]):
        self._too_many = too_many
        self._room = max((line.names.slots for _, line, _ in needs), default=len(kinds))
        places = {name: place for place, name in enumerate(kinds)}
        self._steps: list[_Step] = []
        for place, (name, kind) in enumerate(kinds.items()):
            parts = [p for _, line, _ in needs for p in _decided(line.root) if max(p.slots, default=-1) == place]
            last = [need for need in needs if not need[1].root.fixed and need[0] and need[0][-1] == name]
            open_ = [_possible([places[n] for n in of], line.root, holds) for of, line, holds in last]
            self._steps.append(_Step(name, kind, Slot(place, kind), parts, open_))

    def each(self, values: Mapping[str, Iterable[Value]]) -> Iterator[Given]:
        """The arguments, each of some values, in the order of their members.

        Raises:
            InputError: Too many are tried.
        """
        index = [step.kind.domain.sort.index for step in self._steps]
        given = [{at[str(v)] for v in values[step.name]} for step, at in zip(self._steps, index, strict=True)]
        self._tried = 0
        return self._from(0, [sum(1 << n for n in of) for of in given], [""] * self._room, {})

    def _from(self, place: int, among: Sequence[int], env: Env, given: Given) -> Iterator[Given]:
        if place == len(self._steps):
            yield {**given}
            return
        step = self._steps[place]
        for n in members_of(meeting(step.filters, step.slot, env, among[place])):
            self._tried += 1
            if self._tried > MOST_TRIED:
                raise self._too_many()
            env[place] = step.slot.members[n]
            given[step.name] = int(env[place]) if step.kind.numbers else env[place]
            if all(possible(env) for possible in step.open):
                yield from self._from(place + 1, among, env, given)
        given.pop(step.name, None)


def _possible(places: Sequence[int], need: Expression, holds: Holds) -> Callable[[Env], bool]:
    """The test that an open need holds in some position; its term is kept for the event, if it is not one test."""
    if isinstance(need, OneTest):
        return need.possible
    return lambda env: holds(tuple([env[p] for p in places])) is not FALSE


def _decided(need: Expression) -> Iterator[Expression]:
    """The parts of a need that the board decides, all of which must hold."""
    return (part for part in all_parts(need) if part.fixed)


def all_parts(need: Expression) -> Iterator[Expression]:
    """The parts of a need all of which must hold; one that the board decides is not parted."""
    if isinstance(need, OneTest):
        need = need.plain
    if isinstance(need, Junction) and need.both and not need.fixed:
        for part in need.parts:
            yield from all_parts(part)
    else:
        yield need

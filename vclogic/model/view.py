"""Views: rules read fluents as variables, valid in every state, or as their values in a known state.

Rules are written once, over a `View`. For a known state their fluents are constants, so constructors fold what is
decided, and whoever asks which units are somewhere gets those that are there: what is built is as large as what is
concerned, not as the board.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import compress
from operator import ne

from vclogic.model.fluents import Family, Layout, State
from vclogic.terms.term import Term

Groups = Mapping[int, tuple[str, ...]]
"""For the number of each member that is taken: the indices whose fluent has it, in the family's order."""


class View:
    """The view of every state: a fluent is itself, and anything may have any value.

    Attributes:
        known: Whether it is the view of one known state.
    """

    known = False

    def __call__(self, fluent: Term) -> Term:
        """A fluent as it is read: itself, or its value. Constants, as families give for strange indices, stay."""
        return fluent

    def having(self, family: Family, members: Iterable[str]) -> Iterable[str]:
        """The indices of a family of one index whose fluent may be one of some members.

        Args:
            family: The family, of an Enum sort.
            members: Members; names that are none are nobody's.
        """
        index = family.members
        return family.names if any(m in index for m in members) else ()

    def taken(self, family: Family) -> Iterable[str]:
        """The members that a fluent of a family of one index may be."""
        return family.members

    def only(self, *families: Family) -> View:
        """The view in which no more is known than the fluents of some families.

        As long as these stay what they are, it is one object from state to state: what is made of it can be
        kept in it.
        """
        return self


EVERY_STATE = View()


class KnownState(View):
    """The view of a known state.

    Attributes:
        state: The state.

    Args:
        layout: The order of the fluents.
        state: The state.
        last: The view of a state that differs little, such as the one before an event: what it knows of who is where
            is brought up to date, not made again.
        families: What is known; None: all.
    """

    known = True

    def __init__(
        self, layout: Layout, state: State, last: KnownState | None = None, families: tuple[Family, ...] | None = None
    ):
        self.state = state
        self._layout = layout
        self._constants = layout.known
        self._families = families
        self._slot: Mapping[Term, int] = layout.slot
        if families is not None:
            self._slot = {v: layout.slot[v] for f in families for v in f.fluents.values()}
        self._groups: dict[str, tuple[State, Groups]] = dict(last._groups) if last else {}
        self._parts: dict[tuple[str, ...], tuple[tuple[State, ...], KnownState]] = dict(last._parts) if last else {}
        self._sure: dict[str, Groups] = {}

    def __call__(self, fluent: Term) -> Term:
        """As in `View`."""
        place = self._slot.get(fluent)
        return fluent if place is None else self._constants[place][self.state[place]]

    def having(self, family: Family, members: Iterable[str]) -> Iterable[str]:
        """As in `View`, one member after the other."""
        if not self._knows(family):
            return super().having(family, members)
        groups, index = self._sure.get(family.name) or self._grouped(family), family.members
        return [name for m in members if m in index for name in groups.get(index[m], ())]

    def taken(self, family: Family) -> Iterable[str]:
        """As in `View`, in the order of the sort."""
        if not self._knows(family):
            return super().taken(family)
        names = tuple(family.members)
        return (names[n] for n in sorted(self._grouped(family)))

    def only(self, *families: Family) -> View:
        """As in `View`."""
        key = tuple(f.name for f in families)
        numbers = tuple(self._layout.numbers(f, self.state) for f in families)
        found = self._parts.get(key)
        if found is None or found[0] != numbers:
            found = self._parts[key] = numbers, KnownState(self._layout, self.state, None, families)
        return found[1]

    def _knows(self, family: Family) -> bool:
        return self._families is None or family in self._families

    def _grouped(self, family: Family) -> Groups:
        """The indices that have each member, updated from the previous state."""
        found = self._sure.get(family.name)
        if found is None:
            numbers = self._layout.numbers(family, self.state)
            last = self._groups.get(family.name)
            found = _groups(family.names, numbers) if last is None else _regrouped(family.names, numbers, *last)
            self._groups[family.name] = numbers, found
            self._sure[family.name] = found
        return found


def _groups(names: Sequence[str], numbers: State) -> Groups:
    found: dict[int, tuple[str, ...]] = {}
    for name, n in zip(names, numbers, strict=True):
        found[n] = (*found.get(n, ()), name)
    return found


def _regrouped(names: Sequence[str], numbers: State, before: State, groups: Groups) -> Groups:
    """The same, updated from the previous groups."""
    if numbers == before:
        return groups
    found = dict(groups)
    for i in compress(range(len(names)), map(ne, numbers, before)):
        new, old = numbers[i], before[i]
        found[old] = tuple(name for name in found[old] if name != names[i])
        if not found[old]:
            del found[old]
        there = {*found.get(new, ()), names[i]}
        found[new] = tuple(name for name in names if name in there) if len(there) > 1 else (names[i],)
    return found

"""State variables, in families: `owner[Karelia S.S.R.]`, `owner[Caucasus]`, ..., and the states they span."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from vclogic.terms.atoms import constant, var
from vclogic.terms.domain import Domain
from vclogic.terms.sorts import BoolSort, EnumSort, Sort
from vclogic.terms.term import Term

Value = bool | int | str
State = tuple[int, ...]
"""One number per fluent, in the system's order: 0 or 1, the Int, or the member's number."""


@dataclass(frozen=True)
class Family:
    """Fluents of one kind, one for each combination of indices.

    Attributes:
        name: Key of the family under `state:` in a position file.
        sort: Sort of the value of each.
        text: What it records, in a line.
        indices: What it is recorded for; empty for a single fluent.
        values: For an Enum: the names that its values go by.
        least: For an Int: the smallest number that a file may give; below it stands what a file leaves out.
        whole: How many of the first indices a file gives as a whole: what it leaves out there is the sort's least.
    """

    name: str
    sort: Sort
    text: str
    indices: tuple[Domain, ...] = ()
    values: Domain | None = None
    least: int | None = None
    whole: int = 0

    @cached_property
    def fluents(self) -> Mapping[tuple[str, ...], Term]:
        """The variable for each combination of indices."""
        keys = product(*(d.sort.members for d in self.indices))
        return {k: var(self.name + (f"[{', '.join(k)}]" if k else ""), self.sort) for k in keys}

    def __getitem__(self, index: str | tuple[str, ...]) -> Term:
        """The fluent of one index, or of a tuple of them."""
        return self.fluents[index if isinstance(index, tuple) else (index,)]

    @property
    def fluent(self) -> Term:
        """The fluent of a family without indices."""
        return self.fluents[()]


class Layout:
    """The order of a system's fluents, and states as named values and as numbers."""

    def __init__(self, families: Iterable[Family]):
        self.families: dict[str, Family] = {f.name: f for f in families}
        self.fluents: tuple[Term, ...] = tuple(v for f in self.families.values() for v in f.fluents.values())
        self.slot: dict[Term, int] = {v: i for i, v in enumerate(self.fluents)}
        self.by_name: dict[str, Term] = {v.name: v for v in self.fluents}
        if len(self.by_name) != len(self.fluents):
            raise ValueError("two fluents of one name")

    def state(self, values: Mapping[Term, Value]) -> State:
        """The state with a value for each fluent.

        Raises:
            KeyError: A fluent without a value, or no such member. ValueError: an Int out of bounds.
        """
        return tuple(number(v.sort, values[v]) for v in self.fluents)

    def values(self, state: Sequence[int]) -> dict[Term, Value]:
        """The value of each fluent in a state."""
        return {v: value(v.sort, n) for v, n in zip(self.fluents, state, strict=True)}

    def constants(self, state: Sequence[int]) -> dict[Term, Term]:
        """Each fluent's value in a state, as a constant term."""
        return {v: constant(v.sort, x) for v, x in self.values(state).items()}


class Now:
    """One state, of which values are looked up as they are asked for."""

    def __init__(self, layout: Layout, state: State):
        self._slot = layout.slot
        self._state = state

    def __call__(self, fluent: Term) -> Value:
        """The value of a fluent."""
        return value(fluent.sort, self._state[self._slot[fluent]])

    def numbers(self, family: Family) -> State:
        """The numbers of all fluents of a family, in its order."""
        first = self._slot[next(iter(family.fluents.values()))]
        return self._state[first : first + len(family.fluents)]


def number(sort: Sort, x: Value) -> int:
    """A value as the number that states hold.

    Raises:
        KeyError: No such member. ValueError: an Int out of bounds. TypeError: of another sort.
    """
    return int(constant(sort, x).payload)


def written(x: Value) -> str:
    """A value as files have it."""
    return str(x).lower() if isinstance(x, bool) else str(x)


def value(sort: Sort, n: int) -> Value:
    """The value that a state's number stands for."""
    if isinstance(sort, EnumSort):
        return sort.members[n]
    return bool(n) if isinstance(sort, BoolSort) else int(n)

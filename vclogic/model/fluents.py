"""State variables, in families: `owner[Karelia S.S.R.]`, `owner[Caucasus]`, ..., and the states they span."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product, repeat

from vclogic.terms.atoms import constant, number, var
from vclogic.terms.domain import Domain
from vclogic.terms.sorts import BoolSort, EnumSort, IntSort, Sort
from vclogic.terms.term import Term

LARGEST = 1 << 62
"""No number of a fact lies further from 0, so that 64 bits hold it and differences of two."""
Value = bool | int | str
State = tuple[int, ...]
"""One number per fluent, in the system's order: 0 or 1, the Int, or the member's number."""


@dataclass(frozen=True)
class Family:
    """Fluents of one kind, one for each combination of indices.

    Attributes:
        name: Key of the family under `state:` in a position file.
        sort: Sort of the value of each.
        text: Its meaning, in a line.
        indices: The domain of each index; empty for a single fluent.
        values: For an Enum: the names that its values go by.
        least: For an Int: the smallest number that a file may give; smaller numbers mean that the file gives none.
        whole: How many of the first indices a file must list completely: what it omits there has the sort's least.
        otherwise: The value that rules read for an index without a fluent, such as whether a gun is broken; None:
            reading it is an error.
        empty: Whether no index has a fluent on this board, so that rules always read `otherwise`.
        lacks: What a board lacks on which it is empty, and where to add it; see `Absent`.
    """

    name: str
    sort: Sort
    text: str
    indices: tuple[Domain, ...] = ()
    values: Domain | None = None
    least: int | None = None
    whole: int = 0
    otherwise: Value | None = None
    empty: bool = False
    lacks: str = ""

    def __post_init__(self) -> None:
        if isinstance(self.sort, IntSort) and not -LARGEST <= self.sort.lo <= self.sort.hi <= LARGEST:
            raise ValueError(f"{self.name} is a number from {self.sort}, and no fact is beyond {LARGEST:,}")

    @cached_property
    def fluents(self) -> Mapping[tuple[str, ...], Term]:
        """The variable for each combination of indices."""
        if self.empty:
            return {}
        keys = product(*(d.sort.members for d in self.indices))
        return {k: var(self.name + (f"[{', '.join(k)}]" if k else ""), self.sort) for k in keys}

    def __getitem__(self, index: str | tuple[str, ...]) -> Term:
        """The fluent of one index or of a tuple of indices, or the constant `otherwise`.

        Raises:
            KeyError: There is no such fluent and no `otherwise`.
        """
        found = self._of.get(index, self._otherwise)
        if found is None:
            raise KeyError(index)
        return found

    @cached_property
    def _of(self) -> Mapping[str | tuple[str, ...], Term]:
        """The fluents by index; fluents of one index also by its bare name."""
        found: dict[str | tuple[str, ...], Term] = dict(self.fluents.items())
        return found | {k[0]: v for k, v in self.fluents.items() if len(k) == 1}

    @cached_property
    def _otherwise(self) -> Term | None:
        return None if self.otherwise is None else constant(self.sort, self.otherwise)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the index of a family of one index."""
        return tuple(name for (name,) in self.fluents)

    @cached_property
    def members(self) -> Mapping[str, int]:
        """The numbers of an Enum's members.

        Raises:
            TypeError: It is of another sort.
        """
        if not isinstance(self.sort, EnumSort):
            raise TypeError(f"{self.name} is of sort {self.sort}, which has no members")
        return self.sort.index

    @property
    def fluent(self) -> Term:
        """The fluent of a family without indices, or the constant `otherwise` of an empty one."""
        return self[()]


def beyond(fluent: Term, number: int | None = None) -> str:
    """The message for a fact that would leave its range: `units of Red, Hill would become 130`.

    Args:
        fluent: The fact.
        number: Its new value as a state's number, where that is known.
    """
    name, _, index = fluent.name.partition("[")
    about = f" of {index.removesuffix(']')}" if index else ""
    about = f"{name.replace('_', ' ')}{about} would"
    if not isinstance(fluent.sort, IntSort):
        return f"{about} get a value that it cannot have"
    becomes = "leave its range" if number is None else f"become {number}"
    return f"{about} {becomes}; it must lie between {fluent.lo} and {fluent.hi}"


class Constants(dict[int, Term]):
    """The constant terms of a sort by the numbers that states hold; each is created once."""

    def __init__(self, sort: Sort):
        super().__init__()
        self._sort = sort

    def __missing__(self, n: int) -> Term:
        found = self[n] = constant(self._sort, value(self._sort, n))
        return found


class _StateValues(Mapping[Term, Value]):
    """The value of each fluent in a state, computed on access, since a message needs only a few of them."""

    def __init__(self, slot: Mapping[Term, int], state: Sequence[int]):
        self._slot = slot
        self._state = state

    def __getitem__(self, fluent: Term) -> Value:
        return value(fluent.sort, self._state[self._slot[fluent]])

    def __contains__(self, fluent: object) -> bool:
        return fluent in self._slot

    def __iter__(self) -> Iterator[Term]:
        return iter(self._slot)

    def __len__(self) -> int:
        return len(self._slot)


class Layout:
    """The order of a system's fluents, and states as named values and as numbers.

    Attributes:
        families: The families by name.
        fluents: All fluents in their order.
        slot: The position of each fluent in a state.
        by_name: The fluents by name.
        known: For each position in a state the constants that its numbers stand for.
    """

    def __init__(self, families: Iterable[Family]):
        self.families: dict[str, Family] = {f.name: f for f in families}
        self.fluents: tuple[Term, ...] = tuple(v for f in self.families.values() for v in f.fluents.values())
        self.slot: dict[Term, int] = {v: i for i, v in enumerate(self.fluents)}
        self.by_name: dict[str, Term] = {v.name: v for v in self.fluents}
        kinds = {f.sort: Constants(f.sort) for f in self.families.values()}
        self.known: tuple[Constants, ...] = tuple(
            known for f in self.families.values() for known in repeat(kinds[f.sort], len(f.fluents))
        )
        if len(self.by_name) != len(self.fluents):
            raise ValueError("two fluents of one name")

    @cached_property
    def entries(self) -> Mapping[Term, tuple[Family, tuple[str, ...]]]:
        """The family of each fluent, and its index there."""
        return {v: (f, index) for f in self.families.values() for index, v in f.fluents.items()}

    def state(self, values: Mapping[Term, Value]) -> State:
        """The state with a value for each fluent.

        Raises:
            KeyError: A fluent without a value, or no such member. ValueError: an Int out of bounds.
        """
        return tuple(number(v.sort, values[v]) for v in self.fluents)

    def values(self, state: Sequence[int]) -> Mapping[Term, Value]:
        """The value of each fluent in a state."""
        return _StateValues(self.slot, state)

    def constants(self, state: Sequence[int]) -> dict[Term, Term]:
        """Each fluent's value in a state, as a constant term."""
        return {v: known[n] for v, known, n in zip(self.fluents, self.known, state, strict=True)}

    def numbers(self, family: Family, state: State) -> State:
        """The numbers of all fluents of a family in a state, in its order."""
        if not family.fluents:
            return ()
        first = self.slot[next(iter(family.fluents.values()))]
        return state[first : first + len(family.fluents)]


def written(x: Value) -> str:
    """A value in the form that files use."""
    return str(x).lower() if isinstance(x, bool) else str(x)


def value(sort: Sort, n: int) -> Value:
    """The value that a state's number stands for."""
    if isinstance(sort, EnumSort):
        return sort.members[n]
    return bool(n) if isinstance(sort, BoolSort) else int(n)


def numbered(variable: Term, number: int) -> Term:
    """The constant that a state's number stands for, of a variable's sort."""
    return constant(variable.sort, value(variable.sort, number))

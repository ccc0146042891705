"""The three sorts: Bool, bounded Int, Enum."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache


@dataclass(frozen=True)
class BoolSort:
    """True or false."""

    def __str__(self) -> str:
        return "Bool"


@dataclass(frozen=True)
class IntSort:
    """The whole numbers from `lo` to `hi`, both included."""

    lo: int
    hi: int

    def __post_init__(self) -> None:
        if self.lo > self.hi:
            raise ValueError(f"an Int sort needs lo <= hi, not {self.lo}..{self.hi}")

    def __str__(self) -> str:
        return f"{self.lo}..{self.hi}"


@lru_cache(maxsize=4096)
def between(lo: int, hi: int) -> IntSort:
    """The Int sort with these bounds, cached: many sums share the same bounds."""
    return IntSort(lo, hi)


class NameTaken(ValueError):
    """Two members of an enum have one name.

    Attributes:
        name: The name.
        sort: What the members are.
    """

    def __init__(self, name: str, sort: str):
        self.name = name
        self.sort = sort
        super().__init__(f"enum {sort!r} has two members {name!r}")


@dataclass(frozen=True)
class EnumSort:
    """A finite set of named members.

    Attributes:
        name: What the members are, in the game's words (`power`, `territory`).
        members: Their names, in a fixed order; a member's number is its place here.
    """

    name: str
    members: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.members:
            raise ValueError(f"enum {self.name!r} needs members")
        if len(set(self.members)) != len(self.members):
            raise NameTaken(next(m for m in self.members if self.members.count(m) > 1), self.name)

    def __hash__(self) -> int:
        return hash(self.name)  # hashed with every term: keep it cheap

    @cached_property
    def index(self) -> dict[str, int]:
        """Number of each member."""
        return {m: i for i, m in enumerate(self.members)}

    @cached_property
    def full_mask(self) -> int:
        """The set of all members, as a bit mask."""
        return (1 << len(self.members)) - 1

    def __str__(self) -> str:
        return self.name


def members_of(mask: int) -> list[int]:
    """The numbers of the members in a set that is a bit mask, from the smallest."""
    found = []
    while mask:
        found.append((mask & -mask).bit_length() - 1)
        mask &= mask - 1
    return found


Sort = BoolSort | IntSort | EnumSort
BOOL = BoolSort()

"""The position that `status` shows: who is where, and who controls what, as data made of terms."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from vclogic.model.citation import Cites
from vclogic.model.fluents import Value
from vclogic.terms.partial import Partial
from vclogic.terms.sorts import BoolSort, EnumSort, IntSort
from vclogic.terms.term import Term

Sight = Callable[[str], Term]
"""Builds, from a side, whether that side can know something."""


@dataclass(frozen=True)
class Note:
    """A further remark on a thing.

    Attributes:
        text: The words; `{}` stands for the value.
        value: Bool: said where it holds. Of another sort: said where it is not as usual.
        usual: The value that goes without saying; None: no, 0 or the first member.
    """

    text: str
    value: Term
    usual: Value | None = None

    @property
    def unsaid(self) -> Value:
        """The value that goes without saying."""
        if self.usual is not None:
            return self.usual
        sort = self.value.sort
        if isinstance(sort, EnumSort):
            return sort.members[0]
        return False if isinstance(sort, BoolSort) else 0


@dataclass(frozen=True)
class Thing:
    """A unit, or something that can be controlled.

    Attributes:
        name: Its name; things of one kind and side have different names or values.
        value: Where it is, or who controls it; nothing is shown where it is undefined.
        kind: What it is, in the singular; may be empty.
        side: Whose it is, if it belongs to somebody whatever its value is.
        count: Int: how many of it there are, where they have no names of their own.
        notes: What else may be said of it.
        parts: Kind and name of everything that it consists of: if all that has its value, it is not told apart.
        there: Whether a side can know that it is there; None: everybody can. Else it is not shown at all.
        named: Whether a side can know what it is; None: everybody can. Else it is shown as `?`.
        seen: Whether a side can know its value; None: everybody can. Else it is shown as undeclared.
    """

    name: str
    value: Term | Partial
    kind: str = ""
    side: str = ""
    count: Term | None = None
    notes: tuple[Note, ...] = ()
    parts: tuple[tuple[str, str], ...] = ()
    there: Sight | None = None
    named: Sight | None = None
    seen: Sight | None = None

    def __post_init__(self) -> None:
        if self.count is not None and not isinstance(self.count.sort, IntSort):
            raise TypeError(f"the count of {self.name} is no number")


@dataclass(frozen=True)
class Listing:
    """A part of the position: things of one sort, such as the units.

    Attributes:
        title: Its title.
        head: What the value of a thing is, as the heading of a column.
        what: What the things are, in the plural.
        things: The things, in the order in which they are named.
        usual: The value that goes without saying where there are many; None: that of the scenario's own start.
        usually: What is said of things that are as usual, such as `that nobody controls`; not needed for the start.
        words: What is said for a value, where that is more than its name.
        plurals: The plural of each kind that has one.
        instead: Observables that say no more than this part does.
        hidden: What is said of a side's view, where it can hide something.
        cites: The clauses it rests on.
    """

    title: str
    head: str
    what: str
    things: Sequence[Thing]
    usual: Value | None = None
    usually: str = ""
    words: Mapping[str, str] = field(default_factory=dict)
    plurals: Mapping[str, str] = field(default_factory=dict)
    instead: tuple[str, ...] = ()
    hidden: str = ""
    cites: Cites = ()

"""The names that a user may write for the members of an Enum."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.terms.sorts import EnumSort

ALL = "all"
"""The word for every member, unless a member is called so."""
EVERY, GROUP, NAMED = range(3)
"""Ranks of names: of two that say something of one member, the higher one counts."""
_TO = " to "


def grouped(kind: str, of: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Groups of members by what each of them belongs to: `side German`, `side Russian`.

    Args:
        kind: The word before the name of what they belong to.
        of: What each member belongs to.
    """
    found: dict[str, list[str]] = {}
    for member, name in of.items():
        found.setdefault(f"{kind} {name}", []).append(member)
    return {name: tuple(members) for name, members in found.items()}


@dataclass(frozen=True)
class Domain:
    """The members of an enum with the other names they go by.

    Attributes:
        sort: The enum.
        aliases: Other name to member.
        refused: Names that exist on the board but are not members, with the reason in a few words.
        groups: Names for several members at once, such as the hexes of an area; a member's own name comes first.
        span: The members that lie between two of them, such as the hexes of a rectangle; None: they lie in no order.
    """

    sort: EnumSort
    aliases: Mapping[str, str] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    span: Callable[[str, str], tuple[str, ...]] | None = field(default=None, compare=False)

    def find(self, name: str) -> str | None:
        """The member of that name or alias, or None."""
        return name if name in self.sort.index else self.aliases.get(name)

    def resolve(self, name: str, also: Iterable[str] = ()) -> str:
        """The member of that name or alias.

        Args:
            also: Other names that may be meant, to be offered where they are near.

        Raises:
            InputError: There is none; with the reason or with near names, without a place.
        """
        found = self.find(name)
        if found is not None:
            return found
        if name in self.refused:
            reason = self.refused[name]
            help = None if "`" in reason else did_you_mean("", self.sort.members)  # else it says what to write
            raise InputError(Diagnostic("wrong-kind", f"{quoted(name)} is no {self.sort.name}: {reason}", help=help))
        raise InputError(
            Diagnostic(
                "unknown-name",
                f"unknown {self.sort.name} {quoted(name)}",
                help=did_you_mean(name, self.sort.members, also=(*self.aliases, *also)),
            )
        )

    def rank(self, name: str) -> int:
        """The precedence of a name that may stand for several: `EVERY` least, a `GROUP`, one that is `NAMED` most."""
        if self.find(name) is not None:
            return NAMED
        return EVERY if name == ALL else GROUP

    def several(self, name: str) -> tuple[str, ...]:
        """The members that a name stands for: one, those of a group, those of `A to B`, or `all`.

        Raises:
            InputError: It stands for none; with the reason or with near names, without a place.
        """
        if (found := self.find(name)) is not None:
            return (found,)
        if name == ALL:
            return self.sort.members
        if name in self.groups:
            return self.groups[name]
        first, to, last = name.partition(_TO)
        if to and self.span is not None:
            return self.span(self.resolve(first.strip()), self.resolve(last.strip()))
        return (self.resolve(name, (*self.groups, ALL)),)

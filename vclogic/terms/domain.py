"""The names that a user may write for the members of an Enum."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.terms.sorts import EnumSort


@dataclass(frozen=True)
class Domain:
    """The members of an enum with the other names they go by.

    Attributes:
        sort: The enum.
        aliases: Other name to member.
        refused: Names that exist on the board but are not members, with the reason in a few words.
    """

    sort: EnumSort
    aliases: Mapping[str, str] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)

    def find(self, name: str) -> str | None:
        """The member of that name or alias, or None."""
        return name if name in self.sort.index else self.aliases.get(name)

    def resolve(self, name: str) -> str:
        """The member of that name or alias.

        Raises:
            InputError: There is none; with the reason or with near names, without a place.
        """
        found = self.find(name)
        if found is not None:
            return found
        if name in self.refused:
            raise InputError(Diagnostic("wrong-kind", f"{quoted(name)} is no {self.sort.name}: {self.refused[name]}"))
        raise InputError(
            Diagnostic(
                "unknown-name",
                f"unknown {self.sort.name} {quoted(name)}",
                help=did_you_mean(name, [*self.sort.members, *self.aliases]),
            )
        )

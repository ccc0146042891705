"""The observables of a rule set by name, and what to say of a name that is none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

F = TypeVar("F")


class Vocabulary(dict[str, F]):
    """The observables of a rule set by name.

    Attributes:
        elsewhere: Names that are no observables here but mean something, such as events, each with what to do.
    """

    def __init__(self, known: Mapping[str, F], elsewhere: Mapping[str, str]):
        super().__init__(known)
        self.elsewhere = elsewhere


def help_with(vocabulary: Mapping[str, object], name: str) -> str | None:
    """Advice about a name that is no observable; None where there is none.

    Args:
        vocabulary: The observables.
    """
    return vocabulary.elsewhere.get(name) if isinstance(vocabulary, Vocabulary) else None

"""Units in an area as a picture shows them: how many there are of which kind, and the sign of the kind."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

Sign = Literal[
    "",
    "foot",
    "horse",
    "wheel",
    "tank",
    "gun",
    "flak",
    "fort",
    "staff",
    "wing",
    "wings",
    "boat",
    "transport",
    "ship",
    "battleship",
    "carrier",
    "sub",
]
"""The signs that a game may give to its kinds of units; `wings` is a heavy aircraft, and none means letters."""


@dataclass(frozen=True)
class Troops:
    """Units of one kind and party in one region.

    Attributes:
        party: The party that they belong to.
        kind: What they are, in a word or two.
        count: How many they are.
        sign: The sign of their kind; empty: the first letters of its name. Kinds of a picture that share a sign
            have letters too.
    """

    party: str
    kind: str
    count: int
    sign: Sign = ""

    @property
    def words(self) -> str:
        """The number and the kind."""
        return f"{self.count} {self.kind}"


def by_party(forces: Iterable[Troops]) -> str:
    """Units in words."""
    return "; ".join(
        f"{party}: {', '.join(f.words for f in own)}" for party, own in groupby(forces, lambda f: f.party)
    )

"""The values of a rule set under other Readings, where nobody asks what happens in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from vclogic.model.rules import Observable, Rule


@dataclass(frozen=True)
class ValuesUnder:
    """What lines say of a position under other Readings, under which the same facts are there, and start the same.

    Attributes:
        known: The observables that lines say, by name.
        laws: The laws that can be others.
    """

    known: Mapping[str, Observable]
    laws: Sequence[Rule]

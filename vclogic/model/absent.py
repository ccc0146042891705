"""Names that exist on other boards or under other settings only, with a player's way to get them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Absent:
    """Names that a player may write, which mean nothing on this board and under these settings.

    Each has a sentence that says which option to set, or what to add to the board. Members of an Enum that are absent
    stand in `Domain.refused`.

    Attributes:
        facts: Facts of a position.
        events: Events of a record.
        observables: What can be asked about.
        outcomes: Outcomes.
    """

    facts: Mapping[str, str] = field(default_factory=dict)
    events: Mapping[str, str] = field(default_factory=dict)
    observables: Mapping[str, str] = field(default_factory=dict)
    outcomes: Mapping[str, str] = field(default_factory=dict)

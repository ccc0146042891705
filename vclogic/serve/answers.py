"""The answers to requests that no command of the command line has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from vclogic.model.fluents import Value


@dataclass(frozen=True)
class HeldMoment:
    """A moment that is held now.

    Attributes:
        moment: Its name.
        game: The game, as `encoding/scenario`.
        events: How many events its record has.
    """

    moment: str
    game: str
    events: int


@dataclass(frozen=True)
class MadePlanner:
    """A planner was made.

    Attributes:
        planner: Its name.
        game: The game, as `encoding/scenario`.
    """

    planner: str
    game: str


@dataclass(frozen=True)
class Dropped:
    """Moments or planners were forgotten.

    Attributes:
        moments: How many moments are still held.
        planners: How many planners are still held.
    """

    moments: int
    planners: int


@dataclass(frozen=True)
class WholeState:
    """The state of a moment.

    Attributes:
        state: Every fact, as `state` of a position file has it.
    """

    state: Mapping[str, Any]


@dataclass(frozen=True)
class Values:
    """The values of expressions.

    Attributes:
        values: One for each expression, in their order; null where it is undefined.
    """

    values: tuple[Value | None, ...]


@dataclass(frozen=True)
class Cancelled:
    """A request was cancelled, or it was too late for that.

    Attributes:
        cancelled: Whether the request was there, not answered yet; its answer is an error then.
    """

    cancelled: bool


@dataclass(frozen=True)
class Version:
    """What answers.

    Attributes:
        version: The version of vclogic.
        protocol: The number of the protocol.
        asks: What may be asked.
    """

    version: str
    protocol: int
    asks: tuple[str, ...]


@dataclass(frozen=True)
class Ended:
    """The last answer of a process that ends."""


ANSWERS: Mapping[str, type] = {
    "moment": HeldMoment,
    "planner": MadePlanner,
    "drop": Dropped,
    "state": WholeState,
    "value": Values,
    "cancel": Cancelled,
    "version": Version,
    "shutdown": Ended,
}
"""These answers by the kind that their documents name."""

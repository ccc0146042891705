"""The answers to requests that no command of the command line has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from vclogic.files.folder import PositionFile, position_files
from vclogic.model.fluents import Value
from vclogic.query.board.page import BoardShown, PlaceFacts
from vclogic.query.rule_index import Installed, installed


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
class Written:
    """A moment as the text of a position file.

    Attributes:
        text: The text, in YAML.
    """

    text: str


@dataclass(frozen=True)
class ReadPosition:
    """A position file.

    Attributes:
        position: What it holds but for its record: `game` of a described moment takes it.
        steps: Its record: `steps` of that moment.
    """

    position: Mapping[str, Any]
    steps: tuple[Any, ...]


@dataclass(frozen=True)
class Happened:
    """The events since the start of a moment.

    Attributes:
        steps: A sentence for each event; of a described moment for each of its steps, empty for a change by hand.
    """

    steps: tuple[str, ...]


@dataclass(frozen=True)
class ChangedFacts:
    """The facts that differ between two moments.

    Attributes:
        facts: The facts in words, as they are now; of very many only how many there are.
    """

    facts: tuple[str, ...]


@dataclass(frozen=True)
class ScenarioListed:
    """A scenario of an installed game.

    Attributes:
        name: Its name; `game` of a described moment takes it.
        title: Its title.
    """

    name: str
    title: str


@dataclass(frozen=True)
class GameListed:
    """An installed game.

    Attributes:
        name: Its name.
        title: Its title; null where the game is broken.
        scenarios: Its scenarios, first the one that is meant where none is named.
        broken: What is wrong with it; empty: nothing.
    """

    name: str
    title: str | None
    scenarios: tuple[ScenarioListed, ...]
    broken: tuple[str, ...]


@dataclass(frozen=True)
class Catalogue:
    """The games and files that can be opened.

    Attributes:
        games: The installed games.
        files: The position files in the folder of the process and below.
    """

    games: tuple[GameListed, ...]
    files: tuple[PositionFile, ...]


def catalogue() -> Catalogue:
    """The installed games, and the position files of the working directory."""
    return Catalogue(tuple(map(_listed, installed())), position_files())


def _listed(game: Installed) -> GameListed:
    ordered = sorted(game.scenarios, key=lambda s: s.name != game.default)
    scenarios = tuple(ScenarioListed(f"{game.name}/{s.name}", s.content.title) for s in ordered)
    return GameListed(game.name, game.title, scenarios, tuple(d.message for d in game.broken))


@dataclass(frozen=True)
class Cancelled:
    """A request was cancelled, or it was too late for that.

    Attributes:
        cancelled: Whether the request was there, not answered yet; its answer then says what is known.
    """

    cancelled: bool


@dataclass(frozen=True)
class Version:
    """The program that answers.

    Attributes:
        version: The version of vclogic.
        protocol: The number of the protocol.
        asks: What may be asked.
    """

    version: str
    protocol: int
    asks: tuple[str, ...]


@dataclass(frozen=True)
class Together:
    """Several questions were asked in one request, and each has had its reply.

    Attributes:
        questions: How many they were.
    """

    questions: int


@dataclass(frozen=True)
class Ended:
    """The last answer of a process that ends."""


ANSWERS: Mapping[str, type] = {
    "moment": HeldMoment,
    "planner": MadePlanner,
    "drop": Dropped,
    "state": WholeState,
    "value": Values,
    "board": BoardShown,
    "place": PlaceFacts,
    "written": Written,
    "read": ReadPosition,
    "happened": Happened,
    "changes": ChangedFacts,
    "catalogue": Catalogue,
    "together": Together,
    "cancel": Cancelled,
    "version": Version,
    "shutdown": Ended,
}
"""These answers by the kind that their documents name."""

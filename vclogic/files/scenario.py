"""Read scenarios: the start of a game and its board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.files.registry import (
    SCENARIOS,
    data_source,
    encoding_names,
    is_installed,
    load_encoding,
    rulebook_file,
    scenario_names,
)
from vclogic.files.trees.located import Node
from vclogic.files.trees.nodes import parse
from vclogic.files.trees.overlay import overlaid
from vclogic.files.trees.schema import check_as


@dataclass(frozen=True)
class ScenarioFile:
    """The content of a scenario file; `options`, `readings` and `state` as in a position file.

    Attributes:
        title: Its full name.
        text: A description, in a line.
        board: The board, a file in the encoding's folder.
        default: Whether it is used if a game is named without a scenario.
        options: Options that it sets.
        readings: Readings that it sets.
        outcomes: Rules as text, beside those of the game or instead of them.
        state: Fluents that it sets.
    """

    title: str
    text: str = ""
    board: str = "board.yaml"
    default: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)
    readings: Mapping[str, Any] = field(default_factory=dict)
    outcomes: str = ""
    state: Mapping[str, Any] = field(default_factory=dict)


class Scenario(NamedTuple):
    """A scenario of an encoding.

    Attributes:
        name: Its file's name without the ending.
        content: What the file holds.
        node: The same with its places.
    """

    name: str
    content: ScenarioFile
    node: Node


def load_scenario(encoding: str, name: str) -> Scenario:
    """A scenario of an installed encoding.

    Raises:
        InputError: There is no such encoding or scenario (with near names), or something is wrong with
            its file.
    """
    if name not in scenario_names(encoding):
        raise _no_scenario(encoding, name)
    node = overlaid(_parsed(encoding, name), lambda named: _base(encoding, named))
    return Scenario(name, check_as(ScenarioFile, node), node)


def _parsed(encoding: str, name: str) -> Node:
    """The file of a scenario."""
    return parse(data_source(encoding, f"{SCENARIOS}/{name}.yaml"))


def _base(encoding: str, named: Node) -> Node:
    """The scenario of the same game that another one is based on.

    Raises:
        InputError: There is none.
    """
    name = named.tree
    if not isinstance(name, str) or name not in scenario_names(encoding):
        near = did_you_mean(name, scenario_names(encoding)) if isinstance(name, str) else None
        message = f"a scenario is based on another one of {encoding}"
        raise InputError(named.diagnostic("unknown-game", message, help=near))
    return _parsed(encoding, name)


def default_scenario(encoding: str) -> str:
    """The scenario to use if none is named: the one marked as default, else the first by name.

    Raises:
        InputError: There is no such encoding, it has no scenario, or something is wrong with one of several.
    """
    names = scenario_names(encoding)
    if not names:
        load_encoding(encoding)  # a package that is broken altogether says so first
        raise InputError(Diagnostic("broken-encoding", f"the game {quoted(encoding)} has no scenario"))
    if len(names) == 1:
        return names[0]
    return next((n for n in names if load_scenario(encoding, n).content.default), names[0])


def split_game(game: str) -> tuple[str, str | None]:
    """Split `encoding` or `encoding/scenario` into the encoding and the scenario (None if none is named).

    A rulebook's file is an encoding too, such as `games/bridgehead.md`.

    Raises:
        InputError: There is no such encoding or scenario; with near names.
    """
    encoding, slash, scenario = game.partition("/")
    if (book := rulebook_file(game)) is not None:
        encoding, slash, scenario = book[0], book[1][:1], book[1][1:]
    elif not is_installed(encoding):
        near = did_you_mean(encoding, encoding_names()) or "no game is installed"
        raise InputError(Diagnostic("unknown-game", f"there is no game {quoted(encoding)}", help=near))
    if slash and scenario not in scenario_names(encoding):
        raise _no_scenario(encoding, scenario)
    return encoding, scenario if slash else None


def _no_scenario(encoding: str, name: str) -> InputError:
    near = did_you_mean(name, scenario_names(encoding))
    return InputError(Diagnostic("unknown-game", f"{encoding} has no scenario {quoted(name)}", help=near))

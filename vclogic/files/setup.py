"""A game setup: the rule set over a board, the settings, the initial state and the record."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

from vclogic.errors import Diagnostic, InputError, quoted
from vclogic.files.blame import their_code
from vclogic.files.findings import Findings
from vclogic.files.hexes import HELP, UNQUOTED, message, split_in_list
from vclogic.files.nodes import parse, read_node
from vclogic.files.record import Step, read_record
from vclogic.files.references import check_references
from vclogic.files.registry import data_source, load_encoding
from vclogic.files.scenario import Scenario, load_scenario
from vclogic.files.schema import check_as
from vclogic.files.settings import read_overrides, read_settings
from vclogic.files.state import Given, check_invariants, read_state
from vclogic.files.tree import Node, Path
from vclogic.lasting import lasting
from vclogic.model.fluents import State, Value
from vclogic.model.system import Encoding, Settings, System
from vclogic.terms.term import Term

T = TypeVar("T")
ENDINGS = (".yaml", ".yml", ".json")
"""How names of position and board files end."""


class Layer(NamedTuple):
    """A position file, or a part of a file in that form, that is laid over a scenario.

    Attributes:
        node: The mapping; or a list, which is only a record.
        package: The encoding whose folder contains the board file; None: it is next to the layer's file.
    """

    node: Node
    package: str | None = None

    def section(self, name: str) -> Node:
        """A section of it; empty if it is missing."""
        if isinstance(self.node.tree, list):
            return self.node if name == "record" else Node(None, self.node.where)
        return self.node.section(name)


class Request(NamedTuple):
    """The sources of a setup.

    Attributes:
        name: The encoding.
        scenario: The scenario.
        layers: The layers over it, in increasing priority.
        overrides: Options and Readings by name, as given by `--set`; they override all layers.
    """

    name: str
    scenario: str
    layers: tuple[Layer, ...] = ()
    overrides: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Setup:
    """A game setup.

    Attributes:
        encoding: The game.
        scenario: The scenario's name.
        system: The rule set over the board.
        settings: The value of every option and reading.
        initial: The state before the record.
        record: The events since then; not applied.
        request: Its sources.
        board: The place of the board if it is not the scenario's own.
        chosen: The options and Readings that layers and overrides set.
        base: The value of each fluent in the scenario's own state, on this board and with these settings; without
            those whose default depends on the position.
        files: The files that it was read from; `<stdin>` for standard input.
    """

    encoding: Encoding
    scenario: str
    system: System
    settings: Settings
    initial: State
    record: tuple[Step, ...]
    request: Request
    board: Node | None
    chosen: Mapping[str, int | str]
    base: Mapping[Term, Value]
    files: tuple[str, ...]

    @property
    def game(self) -> str:
        """`encoding/scenario`."""
        return f"{self.request.name}/{self.scenario}"

    @property
    def chosen_in_words(self) -> tuple[str, ...]:
        """Assumption lines: the chosen options and Readings, then the default Readings."""
        chosen = self.chosen
        usual = ", ".join(f"{name}={value}" for name, value in self.settings.readings.items() if name not in chosen)
        return (*self.changed_in_words, *([f"default readings: {usual}"] if usual else []))

    @property
    def changed_in_words(self) -> tuple[str, ...]:
        """Assumption lines: the chosen options and Readings alone."""
        settings, chosen = self.settings, self.chosen
        options = [f"option {name}={settings.options[name]}" for name in chosen if name in settings.options]
        read = [f"reading {name}={value}" for name, value in settings.readings.items() if name in chosen]
        return (*options, *read)


class Memo:
    """A cache of scenarios, boards and rule sets, shared by many setups of a game."""

    def __init__(self) -> None:
        self._made: dict[Any, Any] = {}

    def get(self, key: Any, make: Callable[[], T]) -> T:
        """The value for a key, computed on first use."""
        if key not in self._made:
            self._made[key] = make()
        found: T = self._made[key]
        return found


@lasting()
def assemble(request: Request, memo: Memo | None = None) -> Setup:
    """The setup that a request describes.

    Args:
        request: The request.
        memo: A cache to share with other setups.

    Raises:
        InputError: Everything that is wrong with the scenario, the layers and the overrides.
    """
    memo = memo or Memo()
    findings = Findings()
    name = request.name
    encoding = load_encoding(name)
    scenario = memo.get(("scenario", name, request.scenario), lambda: load_scenario(name, request.scenario))
    preset = read_settings(encoding, scenario.node, findings)
    chosen = _chosen(encoding, request, findings)
    settings = encoding.settings({**preset, **chosen})
    board, own_board, board_file = _board(encoding, request, scenario, memo, findings)
    system = _system(encoding, board, settings, memo)
    base, values, record = _lay_over(system, scenario, request.layers, findings)
    findings.stop()
    return Setup(
        encoding=encoding,
        scenario=request.scenario,
        system=system,
        settings=settings,
        initial=system.layout.state(values),
        record=record,
        request=request,
        board=own_board,
        chosen=chosen,
        base=base,
        files=(scenario.node.where.file, board_file, *(layer.node.where.file for layer in request.layers)),
    )


def read_board(encoding: Encoding, node: Node) -> Any:
    """Read a board into the encoding's class.

    Raises:
        InputError: It does not fit the class, or the game's own check fails (`bad-board`).
    """
    board = check_as(encoding.board, node)
    findings = Findings()
    with their_code(encoding.name, "asked about its board"):
        flaws = list(encoding.check_board(board))
    for flaw in flaws:
        place = node.where.find(flaw.path, key=flaw.key)
        found = Diagnostic("bad-board", flaw.message, node.where.file, *place, flaw.help)
        findings.add(("hex" in flaw.message and _half_hex(node, flaw.path)) or found)
    findings.stop()
    return board


def _half_hex(node: Node, path: Path) -> Diagnostic | None:
    """The message if a flaw is about half of an unquoted hex in a list."""
    for step in path[:-1]:
        node = node.part(step)
    last = path[-1] if path else None
    if not isinstance(last, int) or not isinstance(node.tree, list):
        return None
    for first in (last - last % 2, last - 1, last):
        found = split_in_list(node.tree[first : first + 2]) if first >= 0 else None
        if found:
            return node.part(first).diagnostic(UNQUOTED, message(found[1]), help=HELP)
    return None


def _chosen(encoding: Encoding, request: Request, findings: Findings) -> Mapping[str, int | str]:
    chosen: dict[str, int | str] = {}
    for layer in request.layers:
        chosen |= read_settings(encoding, layer.node, findings)
    return chosen | read_overrides(encoding, request.overrides, findings)


def _board(
    encoding: Encoding, request: Request, scenario: Scenario, memo: Memo, findings: Findings
) -> tuple[Any, Node | None, str]:
    """The board, its place if it is not the scenario's, and its file."""
    own = [(layer, node) for layer in request.layers if (node := layer.section("board")).tree is not None]
    file = scenario.content.board
    try:
        if own:
            node = _board_node(*own[-1])
            return read_board(encoding, node), node, node.where.file
        board, name = memo.get(("board", request.name, file), lambda: _packaged(encoding, request.name, file))
        return board, None, name
    except InputError as error:
        findings.take(error)
        findings.stop()
        raise


def _packaged(encoding: Encoding, name: str, file: str) -> tuple[Any, str]:
    """A board in the encoding's folder, and its file."""
    node = parse(data_source(name, file))
    return read_board(encoding, node), node.where.file


def _board_node(layer: Layer, node: Node) -> Node:
    """The board that a layer names or contains."""
    name = node.tree
    if not isinstance(name, str):
        return node
    if os.path.basename(name) != name or "\\" in name or not name.endswith(ENDINGS):
        hint = f"name a file beside this one, without a folder, that ends in {' or '.join(ENDINGS)}"
        raise InputError(
            node.diagnostic("bad-value", f"board: {quoted(str(name))} is no name of a board file", help=hint)
        )
    try:
        if layer.package is not None:
            return parse(data_source(layer.package, name))
        return read_node(os.path.join(os.path.dirname(layer.node.where.file), name), follow=False)
    except InputError as error:  # a file that cannot be read at all: the place is where it is named
        file, (line, column) = node.where.file, node.where.find()
        raise InputError(
            d if d.line else replace(d, file=file, line=line, column=column) for d in error.diagnostics
        ) from error


def _system(encoding: Encoding, board: Any, settings: Settings, memo: Memo) -> System:
    values = (*settings.options.items(), *settings.readings.items())
    key = ("system", encoding.name, id(board), values)  # the board is kept, so that its id stays its own
    return memo.get(key, lambda: (board, _built(encoding, board, settings)))[1]


def _built(encoding: Encoding, board: Any, settings: Settings) -> System:
    with their_code(encoding.name, "built"):
        system = encoding.build(board, settings)
        _ = system.layout, system.vocabulary  # what is wrong with names shows now
    check_references(system)
    return system


def _lay_over(
    system: System, scenario: Scenario, layers: Iterable[Layer], findings: Findings
) -> tuple[dict[Term, Value], dict[Term, Value], tuple[Step, ...]]:
    """The values of the scenario, those with the layers applied, and the record."""
    given = read_state(system, scenario.node.section("state"), 0, findings)
    base = {**system.initial, **_values(given)}
    record: list[Step] = []
    for number, layer in enumerate(layers, 1):
        given |= read_state(system, layer.section("state"), number, findings)
        record += read_record(system, layer.section("record"), findings)
    values = system.completed(_values(given))
    if not findings:
        check_invariants(system, values, given, findings)
    return base, values, tuple(record)


def _values(given: Mapping[Term, Given]) -> dict[Term, Value]:
    return {fluent: g.value for fluent, g in given.items()}

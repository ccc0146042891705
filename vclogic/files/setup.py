"""A game setup: the rule set over a board, the settings, the initial state and the record."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, is_dataclass, replace
from typing import Any, NamedTuple, TypeVar

from vclogic.collector_paused import collector_paused
from vclogic.errors import InputError, RulesError
from vclogic.files.blame import check_references, their_code, without_start
from vclogic.files.boards import board_node, check_chosen, check_names, mended, read_board, scenario_board, taken
from vclogic.files.outcomes import OUTCOMES, text_node
from vclogic.files.record import RecordStep, read_record
from vclogic.files.registry import is_file, load_encoding
from vclogic.files.rulings.expected import Expectation, reader
from vclogic.files.scenario import Scenario, load_scenario
from vclogic.files.settings import read_overrides, read_settings
from vclogic.files.state import Given, check_invariants, read_state
from vclogic.files.trees.findings import Findings
from vclogic.files.trees.located import JoinedLocator, Locator, Node
from vclogic.files.trees.scalars import text
from vclogic.model.fluents import State, Value
from vclogic.model.lazy import Noted
from vclogic.model.objectives import following
from vclogic.model.system import Encoding, Settings, System
from vclogic.terms.sorts import NameTaken
from vclogic.terms.term import Term

T = TypeVar("T")
OWN_BOARD = "a board of one's own"
"""The name of a board that has no title and comes from no file."""


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


class SetupSources(NamedTuple):
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
        board_read: The board as the encoding reads it.
        given: The facts that the scenario (layer 0) and the layers over it give, with their places.
        noted: Which Readings the rule set has looked up so far.
        expected: What the record expects between its steps; only rulings are held to it.
        title: What a position or board of one's own is called; empty: it is the scenario's.
        texts: The texts of rules that are joined with the game.
        label: What another version of a game is called.
    """

    encoding: Encoding
    scenario: str
    system: System
    settings: Settings
    initial: State
    record: tuple[RecordStep, ...]
    request: SetupSources
    board: Node | None
    chosen: Mapping[str, int | str]
    base: Mapping[Term, Value]
    files: tuple[str, ...]
    board_read: Any = field(default=None, repr=False)
    given: Mapping[Term, Given] = field(default_factory=dict, repr=False)
    noted: Noted = field(default_factory=lambda: Noted({}), compare=False)
    expected: tuple[Expectation, ...] = ()
    title: str = ""
    texts: tuple[Node, ...] = ()
    label: str = ""

    @property
    def game(self) -> str:
        """The game's name: `encoding/scenario`, or `encoding: title` of a position or board of one's own."""
        if self.label:
            return self.label
        return f"{self.request.name}: {self.title}" if self.title else self.reference

    @property
    def reference(self) -> str:
        """`encoding/scenario`, or a rulebook's file, as `game:` of a position file has it."""
        return self.request.name if is_file(self.request.name) else f"{self.request.name}/{self.scenario}"

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
        return (*options, *read, *self.overlays)

    @property
    def texts_in_words(self) -> tuple[str, ...]:
        """Assumption lines: the texts of rules, what is won by them, and what they leave out."""
        if not self.texts:
            return ()
        from vclogic.files.typed import in_words  # a game without a text starts sooner without it

        return in_words(self.texts)

    @property
    def overlays(self) -> tuple[str, ...]:
        """Assumption lines: what the board and the positions are based on, what they change, and texts of rules."""
        places = {
            "position": [layer.node for layer in self.request.layers],
            "board": [self.board] if self.board else [],
        }
        based = tuple(
            f"{what} based on {named}, changed: {changes}"
            for what, nodes in places.items()
            for node in nodes
            if isinstance(node.where, JoinedLocator) and node.where.overlay
            for named, changes in [node.where.overlay]
        )
        return (*based, *self.texts_in_words)

    def others_than(self, other: Setup) -> str | None:
        """The difference to another game, in words; None where both have the same rules and board."""
        if self.system is other.system:
            return None
        if self.reference != other.reference:
            return other.game
        own, given = ({**s.settings.options, **s.settings.readings} for s in (self, other))
        differ = ", ".join(f"{name}={x}" for name, x in given.items() if own.get(name) != x)
        if differ:
            return f"{other.game} with {differ}"
        if [str(t.tree) for t in self.texts] != [str(t.tree) for t in other.texts]:
            return f"{other.game} with other rules as text"
        boards = [s.board.tree if s.board is not None else None for s in (self, other)]
        same = boards[0] == boards[1] and self.system.layout.fluents == other.system.layout.fluents
        return None if same else f"{other.game} on another board"


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


@collector_paused()
def assemble(request: SetupSources, memo: Memo | None = None) -> Setup:
    """The setup that a request describes.

    Args:
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
    try:
        board, own_board, board_file = _board(encoding, request, scenario, memo)
    except InputError as error:
        findings.take(error)
        with suppress(InputError):  # a board that is not even there
            _add_rest(encoding, request, scenario, settings, findings)
        findings.stop()
        raise
    check_chosen(encoding, board, settings, own_board or Node(None, Locator(board_file, lambda: None)), findings)
    texts = _texts(encoding, request, scenario, own_board, memo)
    system, noted = _on_board(encoding, board, settings, memo, own_board, findings)
    system, noted = _with_texts(encoding, board, settings, system, noted, texts, memo)
    laid = _lay_over(system, scenario, request.layers, findings)
    findings.stop()
    return Setup(
        encoding=encoding,
        scenario=request.scenario,
        system=system,
        settings=settings,
        initial=system.layout.state(laid.values),
        record=laid.record,
        request=request,
        board=own_board,
        chosen=chosen,
        base=laid.base,
        files=(scenario.node.where.file, board_file, *(layer.node.where.file for layer in request.layers)),
        board_read=board,
        given=laid.given,
        noted=noted,
        expected=laid.expected,
        title=_title(request, own_board, findings),
        texts=texts,
    )


def _title(request: SetupSources, board: Node | None, findings: Findings) -> str:
    """The name of a position or board of one's own: its title, else its file's name; empty without either."""
    given = ""
    for layer in request.layers:
        node = layer.section("title")
        if node.tree is not None:
            with node.catch(findings):
                given = " ".join(text(node.tree).split())
    findings.stop()
    if given or board is None:
        return given
    file = os.path.basename(board.where.file)
    return OWN_BOARD if file.startswith("<") else os.path.splitext(file)[0]


def laid_anew(setup: Setup, settings: Settings, system: System, noted: Noted) -> Setup:
    """The same position under other settings: read again over a rule set that has been built, on the same board.

    Args:
        setup: The position.
        settings: The other settings.
        system: The rule set under them.
        noted: Which Readings it looks up.

    Raises:
        InputError: Everything that is wrong with the position under them.
    """
    findings, scenario = Findings(), load_scenario(setup.request.name, setup.scenario)
    laid = _lay_over(system, scenario, setup.request.layers, findings)
    findings.stop()
    return replace(
        setup,
        system=system,
        settings=settings,
        initial=system.layout.state(laid.values),
        record=laid.record,
        base=laid.base,
        given=laid.given,
        noted=noted,
        expected=laid.expected,
    )


def _chosen(encoding: Encoding, request: SetupSources, findings: Findings) -> Mapping[str, int | str]:
    chosen: dict[str, int | str] = {}
    for layer in request.layers:
        chosen |= {**_by_facts(encoding, layer), **read_settings(encoding, layer.node, findings)}
    return chosen | read_overrides(encoding, request.overrides, findings)


def _by_facts(encoding: Encoding, layer: Layer) -> Mapping[str, int | str]:
    """The options that a layer sets by giving facts that there are with them only."""
    given = layer.section("state").tree
    facts = given if isinstance(given, dict) else {}
    return {o.name: o.values[-1] for o in encoding.options if not facts.keys().isdisjoint(o.facts)}


def _board(encoding: Encoding, request: SetupSources, scenario: Scenario, memo: Memo) -> tuple[Any, Node | None, str]:
    """The board, its place if it is not the scenario's, and its file."""
    node = _own_board(request)
    if node is not None:
        return read_board(encoding, node), node, node.where.file
    file = scenario.content.board
    board, name, _ = memo.get(("board", request.name, file), lambda: _packaged(encoding, request.name, file))
    return board, None, name


def _own_board(request: SetupSources) -> Node | None:
    """The board that the last of the layers with one brings; None: none does."""
    own = [(layer, node) for layer in request.layers if (node := layer.section("board")).tree is not None]
    if not own:
        return None
    layer, node = own[-1]
    return board_node(node, os.path.dirname(layer.node.where.file), layer.package)


def _add_rest(
    encoding: Encoding, request: SetupSources, scenario: Scenario, settings: Settings, findings: Findings
) -> None:
    """Add what is wrong with a state and a record on a faulty board, beside what only follows from its faults."""
    node = _own_board(request)
    left = None if node is None else mended(encoding, node)
    if left is None:
        return
    try:
        system, _ = built(encoding, left.board, settings)
    except (InputError, RulesError):
        return  # the game cannot stand on what is left of the board
    usual = system
    with suppress(InputError, RulesError):  # a rulebook may have no board of its own
        usual, _ = built(encoding, _packaged(encoding, request.name, scenario.content.board)[0], settings)
    lacking = system.absent
    known = {
        *lacking.facts,
        *lacking.events,
        *usual.layout.families,
        *usual.schemas,
    }  # a whole board may have these
    rest = Findings()
    try:
        with rest.catch():
            _lay_over(system, scenario, request.layers, rest)
        rest.stop()
    except InputError as error:
        for found in error.diagnostics:
            if not left.follows(found, known):
                findings.add(found)


def _packaged(encoding: Encoding, name: str, file: str) -> tuple[Any, str, Node]:
    """A board in the encoding's folder, its file, and the text of rules in it."""
    node = scenario_board(name, file)
    return read_board(encoding, node), node.where.file, node.section(OUTCOMES)


def _texts(
    encoding: Encoding, request: SetupSources, scenario: Scenario, board: Node | None, memo: Memo
) -> tuple[Node, ...]:
    """The texts of rules of the scenario, of the board and of the layers."""
    if board is None:
        file = scenario.content.board
        key = ("board", request.name, file)
        _, _, of_board = memo.get(key, lambda: _packaged(encoding, request.name, file))
    else:
        of_board = board.section(OUTCOMES)
    found = (scenario.node.section(OUTCOMES), of_board, *(layer.section(OUTCOMES) for layer in request.layers))
    return tuple(text_node(node) for node in found if node.tree is not None)


def _on_board(
    encoding: Encoding, board: Any, settings: Settings, memo: Memo, node: Node | None, findings: Findings
) -> tuple[System, Noted]:
    """The rule set over a board, with a report of names on a board of one's own that cannot be names."""
    try:
        system, noted = _system(encoding, board, settings, memo)
    except RulesError as error:
        cause = error.__cause__
        found = taken(cause, node) if isinstance(cause, NameTaken) and node is not None else None
        if found is None:
            raise
        findings.add(found)
        findings.stop()
        raise
    if node is not None:
        check_names(system, node, findings)
        findings.stop()
    return system, noted


def _system(encoding: Encoding, board: Any, settings: Settings, memo: Memo) -> tuple[System, Noted]:
    values = (*settings.options.items(), *settings.readings.items())
    key = ("system", encoding.name, id(board), values)  # the board is kept, so that its id stays its own
    _, system, noted = memo.get(key, lambda: (board, *built(encoding, board, settings)))
    return system, noted


def _with_texts(
    encoding: Encoding,
    board: Any,
    settings: Settings,
    system: System,
    noted: Noted,
    texts: tuple[Node, ...],
    memo: Memo,
) -> tuple[System, Noted]:
    """The rule set with the texts of rules."""
    if not texts:
        return system, noted
    key = ("texts", id(system), tuple((node.where.file, str(node.tree)) for node in texts))

    def make() -> tuple[System, System, Noted]:
        return system, *_joined(encoding, system, noted, texts, settings, lambda s: built(encoding, board, s))

    _, found, noted = memo.get(key, make)  # the system is kept, so that its id stays its own
    return found, noted


def built(
    encoding: Encoding, board: Any, settings: Settings, like: System | None = None, texts: Sequence[Node] = ()
) -> tuple[System, Noted]:
    """The rule set over a board under some settings, and which Readings it looks up.

    Args:
        encoding: The game.
        settings: Options and Readings.
        like: A rule set of the game under other settings, if there is one: what both share has been checked.
        texts: Texts of rules that are joined with it.

    Raises:
        InputError: It refers to what it does not declare.
    """
    noted = Noted(settings.readings)
    with their_code(encoding.name, "built"):
        system = encoding.build(board, replace(settings, readings=noted))
        _ = system.layout, system.vocabulary  # what is wrong with names shows now
    check_references(system, like)
    return _joined(encoding, system, noted, texts, settings, lambda s: built(encoding, board, s))


def _joined(
    encoding: Encoding,
    system: System,
    noted: Noted,
    texts: Sequence[Node],
    settings: Settings,
    build: Callable[[Settings], tuple[System, Noted]],
) -> tuple[System, Noted]:
    """A game with the rules of some texts; as it is where there are none."""
    if not texts:
        return system, noted
    from vclogic.files.typed import with_texts  # a game without a text starts sooner without it

    return with_texts(system, noted, texts, settings, build, (*encoding.readings, *encoding.options))


def rebuilt(setup: Setup) -> System:
    """The rule set of a game made once more, texts of rules included, while somebody looks at how it is made."""
    board: Any = setup.board_read
    if is_dataclass(board) and not isinstance(board, type):
        board = replace(board)  # what a game keeps on its board is made anew too, and stays with this one

    def build(settings: Settings) -> tuple[System, Noted]:
        return setup.encoding.build(board, settings), setup.noted

    return _joined(setup.encoding, *build(setup.settings), setup.texts, setup.settings, build)[0]


class _Laid(NamedTuple):
    """The contents of a scenario with the layers over it.

    Attributes:
        base: The values that the scenario gives.
        given: What files give, with its places.
        values: The value of each fluent with all layers applied.
        record: The events.
        expected: What the record expects between its steps.
    """

    base: dict[Term, Value]
    given: dict[Term, Given]
    values: dict[Term, Value]
    record: tuple[RecordStep, ...]
    expected: tuple[Expectation, ...]


def _lay_over(system: System, scenario: Scenario, layers: Iterable[Layer], findings: Findings) -> _Laid:
    """Lay the layers over a scenario."""
    given = read_state(system, scenario.node.section("state"), 0, findings)
    if wrong := without_start(system, given):
        raise InputError(wrong)
    base = {**system.initial, **_values(given)}
    record: list[RecordStep] = []
    expected: list[Expectation] = []
    for number, layer in enumerate(layers, 1):
        given |= read_state(system, layer.section("state"), number, findings)
        aside = reader(system, expected, len(record), findings)
        record += read_record(system, layer.section("record"), findings, aside)
    values = system.completed(_values(given))
    if not findings:
        check_invariants(system, values, given, findings)
    return _Laid(base, given, values, tuple(_settled(system, values, record)), tuple(expected))


def _settled(system: System, values: Mapping[Term, Value], record: Sequence[RecordStep]) -> Iterable[RecordStep]:
    """The steps of a record, with what it leaves to the position that each of them meets."""
    if not any(system.schemas[step.event.name].implied for step in record):
        yield from record
        return
    state = system.layout.state(values)
    for step in record:
        event = system.settled(state, step.event)
        # What is illegal, such as a number that leaves its range, is told where the record is played.
        with suppress(ValueError, KeyError):
            after = following(values, system.action_in(state, event).effects)
            values, state = after, system.layout.state(after)
        yield replace(step, event=event)


def _values(given: Mapping[Term, Given]) -> dict[Term, Value]:
    return {fluent: g.value for fluent, g in given.items()}

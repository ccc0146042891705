"""The parts that all moments of a loaded game share, and the way of a game into another process."""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from typing import Any, NamedTuple

from vclogic.choices import by_command
from vclogic.collector_paused import collector_paused
from vclogic.encode.python.evaluator import OutOfBounds, Prepared, compiled_later, prepare
from vclogic.errors import Diagnostic, InputError
from vclogic.files.outcomes import placed
from vclogic.files.position import starting_at
from vclogic.files.record import RecordStep, read_step
from vclogic.files.registry import is_file, named_here, texts_of
from vclogic.files.setup import Layer, Setup, SetupSources, assemble
from vclogic.files.state_form import StateForm
from vclogic.files.trees.located import Locator, Node, Tree
from vclogic.model.actions import Event
from vclogic.model.fluents import State, Value
from vclogic.model.memoized import Latest, keep
from vclogic.model.system import System
from vclogic.query.replay import play_record
from vclogic.query.status.position import PositionPart, position
from vclogic.query.status.progress import StatusView
from vclogic.words import amount

Numbers = Sequence[int]
"""A state's numbers: bytes, or an array where one byte is too small for one of them."""


# ---- states as moments keep them: in as few bytes as their numbers need


def small(state: State) -> Numbers:
    """A state in little memory; it has the same numbers in the same places."""
    try:
        return bytes(state)
    except ValueError:  # a number beyond a byte
        pass
    for kind in "Hi":
        try:
            return array(kind, state)
        except OverflowError:
            pass
    return array("q", state)


def changed(numbers: Numbers, action: Prepared) -> Numbers:
    """The state after an action, whether or not its requirements hold.

    Raises:
        OutOfBounds: An effect leaves its fluent's sort.
    """
    others = action.others(numbers)
    after: Any = bytearray(numbers) if isinstance(numbers, bytes) else numbers[:]
    try:
        for first, end, source, constants in action.blocks:
            if source is not None:
                after[first:end] = numbers[source : source + end - first]
            else:
                after[first:end] = constants if isinstance(numbers, bytes) else array(after.typecode, [*constants])
        for place, x in others.items():
            after[place] = x
    except (ValueError, OverflowError):  # a number that is too large
        state = list(numbers)
        for place, x in action.changes(numbers).items():
            state[place] = x
        return small(tuple(state))
    return bytes(after) if isinstance(numbers, bytes) else after


def full(numbers: Numbers) -> State:
    """The state with these numbers."""
    return tuple(numbers)


_EXPRESSIONS = 1_000
"""So many compiled expressions a loaded game keeps."""
_STEPS = 10_000
"""So many events that were given in Python a loaded game keeps."""
_OFTEN, _FEW_FLUENTS = 100, 1_000
_MOST = 16
"""So many loaded games a process keeps for those that are sent to it."""


class Loaded:
    """A loaded game: its rule set and start, and what is compiled once for all its moments.

    Attributes:
        setup: The rule set, settings and start.
        status: What `status` shows.

    Args:
        setup: The setup.
    """

    def __init__(self, setup: Setup):
        self.setup = setup
        self.status = StatusView(setup.system)
        self._expressions: dict[str, Callable[[Sequence[int]], tuple[Value, ...]]] = {}
        self._steps: dict[tuple[Any, ...], EventSteps] = {}
        self._not_judged: dict[frozenset[str], tuple[str, ...]] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return unpack_game, (self.recipe,)

    @cached_property
    def game(self) -> str:
        """The game's name: `encoding/scenario`, or `encoding: title`."""
        return self.setup.game

    @cached_property
    def assumptions(self) -> tuple[str, ...]:
        """The assumptions of a status."""
        setup = self.setup
        told = (*setup.chosen_in_words, *setup.system.left_out)
        if not setup.expected:
            return told
        hint = by_command(": `vclogic test` tries them")
        untried = f"{amount(len(setup.expected), 'expectation')} in the record not tried here{hint}"
        return (*told, untried)

    @cached_property
    def rests_on(self) -> tuple[str, ...]:
        """The assumptions of any other answer."""
        return (*self.setup.system.notes, *self.assumptions)

    @cached_property
    def form(self) -> StateForm:
        """The form of its states as plain values."""
        return StateForm(self.setup.system)

    def not_judged(self, kinds: frozenset[str]) -> tuple[str, ...]:
        """The parts of a record with some kinds of events that are taken unchecked."""
        found = self._not_judged.get(kinds)
        if found is None:
            found = self._not_judged[kinds] = self.setup.system.not_judged(kinds)
        return found

    @cached_property
    def _start(self) -> State:
        """The scenario's own start, on this board and with these settings."""
        system = self.setup.system
        return system.layout.state(system.completed(self.setup.base))

    def position(self, state: State, view: str | None, whole: bool) -> tuple[PositionPart, ...]:
        """The owners and places of everything in a state; see `Game.status`."""
        return position(self.setup.system, state, self._start, view=view, whole=whole)

    def value(self, expression: str, state: Sequence[int]) -> Value | None:
        """The value of an expression of the goal language in a state; None if it is undefined.

        Raises:
            InputError: The expression is wrong.
        """
        compiled = self._expressions.get(expression)
        if compiled is None:
            from vclogic.terms.expressions.resolve import compile_value

            system = self.setup.system
            partial = compile_value(expression, system.vocabulary, "expression").partial
            compiled = compiled_later([partial.value, partial.defined], system.layout.slot)
            keep(self._expressions, expression, compiled, _EXPRESSIONS)
        value, defined = compiled(state)
        return value if defined else None

    def step(self, event: str, arguments: Mapping[str, Value]) -> EventSteps:
        """An event given in Python, and how it changes states.

        Raises:
            InputError: There is no such event, or its arguments are wrong.
        """
        try:
            key = (
                event,
                *arguments.items(),
                *map(type, arguments.values()),
            )  # True and 1 are equal, but not the same
            found = self._steps.get(key)
        except TypeError:  # an argument that is a list
            return EventSteps(self.setup.system, read_step(self.setup.system, event, arguments))
        if found is None:
            found = EventSteps(self.setup.system, read_step(self.setup.system, event, arguments))
            keep(self._steps, key, found, _STEPS)
        return found

    @cached_property
    def recipe(self) -> bytes:
        """The recipe of the game, for another process: names, settings and the contents of its files."""
        import pickle  # most games are not sent anywhere, and start sooner without it

        made = pickle.dumps(_source(self.setup), protocol=pickle.HIGHEST_PROTOCOL)
        _CACHE.add(made, self)
        return made

    @cached_property
    def fingerprint(self) -> str:
        """A digest of the recipe: the same in every process for the same rules, board, settings and start."""
        return sha256(repr(_source(self.setup)).encode()).hexdigest()


class EventSteps:
    """An event, and how it changes states.

    Attributes:
        event: The event.
    """

    __slots__ = ("_prepared", "_step", "_system", "_uses", "event")

    def __init__(self, system: System, step: RecordStep):
        self.event = step.event
        self._step = step
        self._system = system
        self._uses = 0
        viewed = system.schemas[step.event.name].viewed
        self._prepared = None if viewed else prepare(system, system.action(step.event))

    def after(self, numbers: Numbers, number: Callable[[], int]) -> Numbers:
        """The state after the event.

        Args:
            numbers: The state before it.
            number: Tells which step of a record it is, for messages.

        Raises:
            InputError: It breaks a rule.
        """
        prepared = self._prepared or self._worth_preparing()
        if prepared is not None and not prepared.failed(numbers):
            try:
                return changed(numbers, prepared)
            except OutOfBounds:
                pass
        return small(play_record(self._system, full(numbers), [self._step], first=number()))

    def _worth_preparing(self) -> Prepared | None:
        """The event for any state, where it is built for each state and happens often enough; None until then.

        It takes as long as about a hundred events for one state, and on large boards the latter are faster.
        """
        self._uses += 1
        layout = self._system.layout
        if self._uses > _OFTEN and len(layout.fluents) <= _FEW_FLUENTS:
            action = self._system.schemas[self.event.name].action(self.event.args)
            self._prepared = Prepared(action, layout.slot)
        return self._prepared


# ---- into another process and back


class _GameSource(NamedTuple):
    """The ingredients of a game.

    Attributes:
        name: The encoding.
        scenario: The scenario.
        layers: Content and file name of each layer over it; a board file stands in the layer that names it.
        overrides: Options and Readings given by name.
        fluents: A checksum of the names and bounds of the fluents, in their order, and of an installed text.
        texts: The texts of a rulebook's files, by their names.
    """

    name: str
    scenario: str
    layers: tuple[tuple[Tree, str], ...]
    overrides: tuple[tuple[str, str], ...]
    fluents: int
    texts: tuple[tuple[str, str], ...]


def _source(setup: Setup) -> _GameSource:
    request = setup.request
    trees = [placed(layer.node.tree, layer.node.where) for layer in request.layers]
    for i, layer in reversed(list(enumerate(request.layers))):
        if setup.board is not None and layer.section("board").tree is not None:
            trees[i] = {**trees[i], "board": placed(setup.board.tree, setup.board.where), "title": setup.title}  # type: ignore[dict-item]
            break
    layers = tuple((tree, layer.node.where.file) for tree, layer in zip(trees, request.layers, strict=True))
    return _GameSource(
        request.name,
        request.scenario,
        layers,
        request.overrides,
        _checksum(setup),
        texts_of(request.name),
    )


def _checksum(setup: Setup) -> int:
    told: list[object] = [(v.name, v.lo, v.hi, v.mask) for v in setup.system.layout.fluents]
    if setup.encoding.is_text and not is_file(setup.request.name):  # a file is sent with its texts
        told.append(setup.encoding.version)
    return zlib.crc32(repr(told).encode())


def _rebuilt(recipe: bytes) -> Loaded:
    """The game that a recipe describes."""
    import pickle

    source: _GameSource = pickle.loads(recipe)
    layers = (Layer(Node(tree, Locator(file, _nowhere))) for tree, file in source.layers)
    with collector_paused():
        name = named_here(source.name, source.texts)
        setup = assemble(SetupSources(name, source.scenario, tuple(layers), source.overrides))
    if _checksum(setup) != source.fluents:
        message = f"the game {setup.game} was pickled by another version of its rules"
        raise InputError(Diagnostic("wrong-game", message, help="write it to a position file to keep it"))
    return Loaded(setup)


def _nowhere() -> None:
    """The places of what was sent without them."""


_CACHE: Latest[bytes, Loaded] = Latest(_MOST)


def unpack_game(recipe: bytes) -> Loaded:
    """The game of a recipe that another process sent; built once in a process.

    Raises:
        InputError: The game is not installed here, or its rules are of another version.
    """
    return _CACHE.get(recipe, lambda: _rebuilt(recipe))


# ---- states and records as moments keep them


class GivenStart:
    """Another start than the setup's own: a state that a game was given.

    Attributes:
        numbers: The state.
        before: How many steps led to it, for messages.

    Args:
        loaded: The game.
        numbers: The state.
        before: How many steps led to it.
    """

    __slots__ = ("_loaded", "_setup", "before", "numbers")

    def __init__(self, loaded: Loaded, numbers: Numbers, before: int = 0):
        self.numbers = numbers
        self.before = before
        self._loaded = loaded
        self._setup: Setup | None = None

    @property
    def setup(self) -> Setup:
        """The setup with this start; made when it is asked for."""
        if self._setup is None:
            self._setup = starting_at(self._loaded.setup, full(self.numbers))
        return self._setup


class Past(NamedTuple):
    """The events since the start, the latest first; moments share what happened before.

    Attributes:
        event: The latest event.
        before: What happened before it.
    """

    event: Event
    before: Past | None


def past_of(events: Iterable[Event]) -> Past | None:
    """Some events, one after the other."""
    past = None
    for event in events:
        past = Past(event, past)
    return past


def events_of(past: Past | None) -> tuple[Event, ...]:
    """The events, in their order."""
    found: list[Event] = []
    while past is not None:
        found.append(past.event)
        past = past.before
    return tuple(reversed(found))

"""Moments that a request describes instead of naming them: a game, its settings and the steps that lead there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any, NamedTuple

from vclogic.errors import Diagnostic, InputError
from vclogic.files.record import read_record
from vclogic.files.registry import named_here
from vclogic.files.source import STDIN, Stamp, files_noted, stamp
from vclogic.files.trees.findings import Findings
from vclogic.files.trees.located import Node
from vclogic.files.trees.schema import check_as
from vclogic.game import Game
from vclogic.model.fluents import Value
from vclogic.model.memoized import Latest
from vclogic.serve.protocol import NAME

MOST_GAMES, MOST_MOMENTS = 16, 500
"""Of so many of the latest games, each on its board and with its settings, so many of the latest moments are kept."""
SET = "set"
"""The only key of a step that changes facts by hand."""
RULEBOOK = "rulebook"
"""The only key of a game that is a rulebook, with the texts of its files by name."""
_FILE = re.compile(r"[\w -]{1,100}\.(?:md|xml)|notifications\.properties")
_KEYS = ("game", "at", "settings", "steps")


@dataclass(frozen=True)
class Description:
    """A moment, described.

    Attributes:
        game: As in `load`: the name of a game, the path of a position file, or what such a file holds; or
            `{"rulebook": {NAME.md: TEXT}}`, the text of a rulebook and of those that it includes.
        at: As in `load`.
        settings: Options and Readings by name.
        steps: What leads from the start to the moment: events as in a record, and changes by hand, each
            `{"set": {FAMILY: {NAME: VALUE}}}`, see `Game.by_hand`.
            What happened before a change by hand is no history.
    """

    game: Any
    at: Any = None
    settings: Mapping[str, Any] | None = None
    steps: tuple[Any, ...] = ()


class MomentReached(NamedTuple):
    """A moment that steps lead to.

    Attributes:
        game: The game then.
        told: A sentence for each of the steps; empty for a change by hand.
    """

    game: Game
    told: tuple[str, ...] = ()


@dataclass(frozen=True)
class _DescribedStart:
    """A game that was described, before its steps.

    Attributes:
        game: The game.
        files: The files that it was read from, and the words that may name files, with their stamps before that.
        later: The latest moments that steps lead to.
    """

    game: Game
    files: Mapping[str, Stamp | None]
    later: Latest[bytes, MomentReached]

    @property
    def fresh(self) -> bool:
        """True if no file has been saved anew since."""
        return all(stamp(file) == before for file, before in self.files.items())


class Described:
    """Makes games of descriptions. It keeps the latest: one that goes on from these costs only its last steps."""

    def __init__(self) -> None:
        self._kept: Latest[bytes, _DescribedStart] = Latest(MOST_GAMES)

    def reached(self, key: str, node: Node, plain: Mapping[str, Any]) -> MomentReached:
        """The game at a described moment, and what led there.

        Args:
            key: The key of the request that describes it, which diagnostics name.
            node: The description.
            plain: The same as plain values.

        Raises:
            InputError: Everything that is wrong with the keys and the settings, or the first step that is refused,
                named by its place, such as `moment.steps[3]`.
        """
        check_as(Description, node)
        steps = plain.get("steps") or []
        names = list(_names(plain, steps))
        start = self._kept.find(names[0])
        if start is None or not start.fresh:
            with placed_below(key):
                start = self._kept.put(names[0], _start(plain))
        done, found = _latest(start, names)
        part = node.section("steps")
        for n in range(done, len(steps)):
            after = after_step(found.game, f"{key}.steps[{n}]", part.part(n), steps[n])
            told = (*found.told, "; ".join(after.happened(found.game)))
            found = start.later.put(names[n + 1], MomentReached(after, told))
        return found


def _start(plain: Mapping[str, Any]) -> _DescribedStart:
    words = [word for word in (plain["game"], plain.get("at")) if isinstance(word, str)]
    before = {word: stamp(word) for word in words}
    with files_noted() as files:
        game = loaded(plain)
    return _DescribedStart(game, {**before, **files}, Latest(MOST_MOMENTS))


def loaded(plain: Mapping[str, Any]) -> Game:
    """The game that a request `load` or a description names.

    Raises:
        InputError: There is no such game, or something is wrong with its files or settings.
    """
    game, at = _written_out(plain["game"]), plain.get("at")
    refuse_stdin(game)
    refuse_stdin(at)
    settings = plain.get("settings") or {}
    return Game.load(game, at, [(n, x if isinstance(x, str) else json.dumps(x)) for n, x in settings.items()])


def _written_out(game: Any) -> Any:
    """The name of a game; a rulebook whose text was sent gets a name of its own, as `sent_rulebook` says.

    Raises:
        InputError: It is not sent as names of files in one folder, each with its text.
    """
    if not isinstance(game, dict) or set(game) != {RULEBOOK}:
        return game
    texts = game[RULEBOOK]
    if (
        not isinstance(texts, dict)
        or not texts
        or not all(_FILE.fullmatch(name) and isinstance(text, str) for name, text in texts.items())
    ):
        help = "write {NAME.md: TEXT}: the rulebook first, then those that it includes"
        raise InputError(
            Diagnostic("wrong-value", "a rulebook is sent as names of files with their texts", "game", help=help)
        )
    return named_here(next(iter(texts)), tuple(texts.items()))


def refuse_stdin(file: Any) -> None:
    """See that what may be the path of a file is not standard input.

    Raises:
        InputError: It is.
    """
    if file == STDIN:
        help = "give the path of a file, or what it holds"
        raise InputError(Diagnostic("cannot-read", "standard input holds the requests", NAME, help=help))


def after_step(game: Game, key: str, node: Node, step: Any) -> Game:
    """A game after a step of a description: an event, or a change by hand.

    Raises:
        InputError: The step is wrong, or is refused; it is named by `key`.
    """
    if isinstance(step, dict) and set(step) == {SET}:
        with placed(key):
            return game.by_hand(step[SET])
    return after_event(game, key, node, step)


def after_event(game: Game, key: str, node: Node, event: Any) -> Game:
    """A game after what a record has for one step: an event, several, or none.

    Args:
        game: The game before.
        key: Where the event stands in its request, for diagnostics.
        node: The event.
        event: The same as plain values.

    Raises:
        InputError: It is no event of the game, or breaks a rule.
    """
    with placed(key):
        named = _named(event)
        if named is not None:
            return game.apply(named[0], **named[1])
        findings = Findings()  # several events, or none
        steps = read_record(game.loaded.setup.system, Node([node.tree], node.where), findings)
        findings.stop()
        for step in steps:
            game = game.apply(step.event.name, **dict(step.event.args))
    return game


@contextmanager
def placed(key: str) -> Iterator[None]:
    """An InputError of the block names this part of the request as its place."""
    try:
        yield
    except InputError as error:
        raise InputError(replace(d, file=key) for d in error.diagnostics) from error


@contextmanager
def placed_below(key: str) -> Iterator[None]:
    """An InputError of the block that names a key of a description says whose."""
    try:
        yield
    except InputError as error:
        below = (replace(d, file=f"{key}.{d.file}" if d.file in _KEYS else d.file) for d in error.diagnostics)
        raise InputError(below) from error


def _names(plain: Mapping[str, Any], steps: Iterable[Any]) -> Iterator[bytes]:
    """Keys of a description after each of its steps; equal descriptions have equal ones."""
    begin = [plain.get(name) for name in ("game", "at", "settings")]
    name = blake2b(json.dumps(begin, sort_keys=True).encode(), digest_size=16).digest()
    yield name
    for step in steps:
        name = blake2b(name + json.dumps(step).encode(), digest_size=16).digest()
        yield name


def _latest(start: _DescribedStart, names: Sequence[bytes]) -> tuple[int, MomentReached]:
    """The latest moment on the way that is kept, and how many steps lead there."""
    for n in reversed(range(1, len(names))):
        found = start.later.find(names[n])
        if found is not None:
            return n, found
    return 0, MomentReached(start.game)


def _named(event: Any) -> tuple[str, Mapping[str, Value]] | None:
    """The name and the arguments of one event; None if it is something else."""
    if isinstance(event, str):
        return event, {}
    if isinstance(event, dict) and len(event) == 1:
        ((name, arguments),) = event.items()
        if arguments is None:
            return name, {}
        if isinstance(arguments, dict) and all(isinstance(x, str | int) for x in arguments.values()):
            return name, arguments
    return None

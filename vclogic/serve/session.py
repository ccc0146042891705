"""The games that a program holds at their moments, and the answers to what is asked of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from vclogic import __version__
from vclogic.errors import Diagnostic, InputError, did_you_mean
from vclogic.files.source import STDIN
from vclogic.game import Game
from vclogic.model.fluents import Value
from vclogic.report.json import Document, document, name_of
from vclogic.serve.protocol import NAME, PROTOCOL, Request, unknown_name
from vclogic.serve.requests import KINDS, Kind, call

MOST_MOMENTS = 10_000
"""So many moments are held unless another number is asked for."""


@dataclass(frozen=True)
class Origin:
    """Where a moment comes from, so that another process can make it too.

    Attributes:
        number: Tells it from all others.
        request: The request by which it was loaded.
        events: How many events that game had already.
    """

    number: int
    request: Mapping[str, Any]
    events: int


@dataclass(frozen=True)
class Held:
    """A game that is held.

    Attributes:
        game: The game at its moment.
        origin: Where it comes from.
    """

    game: Game
    origin: Origin


class Session:
    """Holds games at their moments and answers requests about them.

    Args:
        most: So many moments may be held.
    """

    def __init__(self, most: int = MOST_MOMENTS):
        self._most = most
        self._held: dict[str, Held] = {}
        self._names = (f"m{i}" for i in count(1))
        self._origins = count(1)
        self._own: Mapping[str, Callable[[Any, Request], Document]] = {
            "load": self._load,
            "apply": self._apply,
            "drop": self._drop,
            "value": self._value,
            "version": self._version,
        }

    def kind(self, request: Request) -> Kind:
        """The kind of a request.

        Raises:
            InputError: There is no such kind.
        """
        kind = KINDS.get(request.ask)
        if kind is None:
            part = request.node.section("ask")
            error = unknown_name("request", request.ask, did_you_mean(request.ask, KINDS))
            raise error.at(*part.spot)
        return kind

    def held(self, request: Request, name: str, key: str = "moment") -> Held:
        """The moment of a name.

        Raises:
            InputError: None is held by that name.
        """
        held = self._held.get(name)
        if held is None:
            help = did_you_mean(name, self._held) or "`load` makes a moment, and `apply` makes one of another"
            raise unknown_name("moment", name, help).at(*request.node.section(key).spot)
        return held

    def answer(self, kind: Kind, keys: Any, request: Request) -> Document:
        """The answer to a request that is not answered apart.

        Raises:
            InputError: It is wrong.
        """
        if kind.method is None:
            return self._own[kind.name](keys, request)
        return document(kind.document, call(kind, self.held(request, keys.moment).game, request, keys))

    # ---- the games held

    def _load(self, keys: Any, request: Request) -> Document:
        game = loaded(request.plain)
        events = len(game.history)
        return self._hold(keys.name, Held(game, Origin(next(self._origins), request.plain, events)))

    def _apply(self, keys: Any, request: Request) -> Document:
        before = self.held(request, keys.moment)
        game = after(before.game, request.plain.get("events") or ())
        return self._hold(keys.name, Held(game, before.origin))

    def _hold(self, name: str | None, held: Held) -> Document:
        if name is None:
            name = next(n for n in self._names if n not in self._held)
        if name not in self._held and len(self._held) >= self._most:
            message = f"{self._most:,} moments are held already"
            help = "`drop` those that are needed no more; `vclogic serve --moments N` holds N of them"
            raise InputError(Diagnostic("too-many", message, NAME, help=help))
        self._held[name] = held
        game = held.game
        return {
            "schema": name_of("moment"),
            "moment": name,
            "game": game.setup.game,
            "events": len(game.history),
        }

    def _drop(self, keys: Any, request: Request) -> Document:
        for name in keys.moments:
            self.held(request, name, "moments")
        for name in keys.moments:
            self._held.pop(name, None)
        return {"schema": name_of("drop"), "moments": len(self._held)}

    # ---- what is read off them

    def _value(self, keys: Any, request: Request) -> Document:
        game = self.held(request, keys.moment).game
        return {"schema": name_of("value"), "values": [game.value(text) for text in keys.expressions]}

    def _version(self, keys: Any, request: Request) -> Document:
        return {"schema": name_of("version"), "version": __version__, "protocol": PROTOCOL, "asks": list(KINDS)}


def loaded(plain: Mapping[str, Any]) -> Game:
    """The game that a request `load` names.

    Raises:
        InputError: There is no such game, or something is wrong with its files or settings.
    """
    game, at = plain["game"], plain.get("at")
    if STDIN in (game, at):
        help = "give the path of a file, or what it holds"
        raise InputError(Diagnostic("cannot-read", "standard input holds the requests", NAME, help=help))
    settings = plain.get("settings") or {}
    return Game.load(game, at, [(n, x if isinstance(x, str) else json.dumps(x)) for n, x in settings.items()])


def after(game: Game, events: Sequence[Any]) -> Game:
    """A game after more events.

    Args:
        game: The game before.
        events: Events as in the record of a JSON file.

    Raises:
        InputError: One of them is no event of the game, or breaks a rule; it is named by its place, such as
            `events[1]`, counted from 0.
    """
    for i, event in enumerate(events):
        try:
            name, arguments = _event(event)
            game = game.apply(name, **arguments)
        except InputError as error:
            raise InputError(replace(d, file=f"events[{i}]") for d in error.diagnostics) from error
    return game


def _event(event: Any) -> tuple[str, Mapping[str, Value]]:
    """The name and the arguments of an event."""
    if isinstance(event, str):
        return event, {}
    if isinstance(event, dict) and len(event) == 1:
        ((name, arguments),) = event.items()
        if arguments is None or isinstance(arguments, dict):
            given = arguments or {}
            wrong = [n for n, x in given.items() if not isinstance(x, str | int)]
            if not wrong:
                return name, given
            raise InputError(Diagnostic("wrong-type", f"{wrong[0]}: expected a name or a number"))
    help = 'write "EVENT" or {"EVENT": {"ARGUMENT": "VALUE"}}'
    raise InputError(Diagnostic("wrong-type", "expected an event", help=help))

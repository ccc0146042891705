"""The games that a program holds at their moments, and the answers to what is asked of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

from vclogic import __version__
from vclogic.errors import Diagnostic, InputError, did_you_mean
from vclogic.files.source import Source, read_text
from vclogic.files.trees.located import describe
from vclogic.files.trees.nodes import parse
from vclogic.game import Game
from vclogic.query.plan.file import steps_of
from vclogic.report.json import Document, document
from vclogic.report.page_link import position_and_steps
from vclogic.serve.answers import (
    ChangedFacts,
    Dropped,
    Happened,
    HeldMoment,
    ReadPosition,
    Values,
    Version,
    WholeState,
    Written,
    catalogue,
)
from vclogic.serve.described import Described, after_event, loaded, placed, refuse_stdin
from vclogic.serve.protocol import NAME, PROTOCOL, UncheckedRequest, unknown_name
from vclogic.serve.requests import KINDS, Kind, arguments, call

MOST_MOMENTS = 100_000
"""So many moments are held unless another number is asked for."""
MOST_PLANNERS = 100
"""So many planners are held."""
_COMPARED = 1_000  # names that an unknown one is compared with; more would take too long


@dataclass(frozen=True)
class PlannerMade:
    """The arguments of a planner.

    Attributes:
        number: Tells it from all others.
        name: Its name.
        game: The game at the moment that it was made of.
        arguments: The arguments of `Game.planner`.
    """

    number: int
    name: str
    game: Game
    arguments: Mapping[str, Any]


class ClientSession:
    """Holds games at their moments and answers requests about them.

    Args:
        most: So many moments may be held.
    """

    def __init__(self, most: int = MOST_MOMENTS):
        self._most = most
        self._held: dict[str, Game] = {}
        self._described = Described()
        self._names = (f"m{i}" for i in count(1))
        self._planners: dict[str, PlannerMade] = {}
        self._planner_names = (f"p{i}" for i in count(1))
        self._numbers = count(1)
        self._own: Mapping[str, Callable[[Any, UncheckedRequest], Document]] = {
            "load": self._load,
            "apply": self._apply,
            "at_state": self._at_state,
            "drop": self._drop,
            "state": self._state,
            "value": self._value,
            "version": self._version,
            "catalogue": lambda keys, request: document("catalogue", catalogue()),
            "board": self._board,
            "written": self._written,
            "read": self._read,
            "happened": self._happened,
            "changes": self._changes,
        }

    def kind(self, request: UncheckedRequest) -> Kind:
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

    def held(self, request: UncheckedRequest, name: Any, key: str = "moment") -> Game:
        """The game at a moment.

        Args:
            name: The name of the moment, or what describes it.
            key: The key of the request that says so.

        Raises:
            InputError: None is held by that name, or the description is wrong.
        """
        part, plain = request.node.section(key), request.plain.get(key)
        if isinstance(plain, dict):
            return self._described.reached(key, part, plain).game
        if not isinstance(name, str):
            message = f"{key!r}: expected the name of a moment or a description of it, found {describe(part.tree)}"
            raise InputError(part.diagnostic("wrong-value", message))
        game = self._held.get(name)
        if game is None:
            near = did_you_mean(name, self._held) if len(self._held) <= _COMPARED else None
            help = near or "`load` makes a moment, and `apply` makes one of another"
            raise unknown_name("moment", name, help).at(*part.spot)
        return game

    def answer(self, kind: Kind, keys: Any, request: UncheckedRequest) -> Document:
        """The answer to a request that is no search.

        Raises:
            InputError: It is wrong.
        """
        if kind.method is None:
            return self._own[kind.name](keys, request)
        return document(kind.document, call(kind, self.held(request, keys.moment), request, keys))

    # ---- the games held

    def _load(self, keys: Any, request: UncheckedRequest) -> Document:
        return self._hold(keys.name, loaded(request.plain))

    def _apply(self, keys: Any, request: UncheckedRequest) -> Document:
        game = self.held(request, keys.moment)
        part = request.node.section("events")
        for i, event in enumerate(request.plain.get("events") or ()):
            game = after_event(game, f"events[{i}]", part.part(i), event)
        return self._hold(keys.name, game)

    def _at_state(self, keys: Any, request: UncheckedRequest) -> Document:
        state = request.plain["state"]
        if not isinstance(state, dict):
            raise InputError(request.node.section("state").diagnostic("wrong-value", "'state': expected a mapping"))
        game = self.held(request, keys.moment)
        with placed("state"):
            game = game.at_state(state)
        return self._hold(keys.name, game)

    def _hold(self, name: str | None, game: Game) -> Document:
        if name is None:
            name = next(n for n in self._names if n not in self._held)
        if name not in self._held and len(self._held) >= self._most:
            message = f"{self._most:,} moments are held already"
            help = "`drop` those that are needed no more; `vclogic serve --moments N` holds N of them"
            raise InputError(Diagnostic("too-many", message, NAME, help=help))
        self._held[name] = game
        return document("moment", HeldMoment(name, game.loaded.setup.game, len(game.history)))

    def _drop(self, keys: Any, request: UncheckedRequest) -> Document:
        for name in keys.moments:
            self.held(request, name, "moments")
        for name in keys.planners:
            self.planner(request, name, "planners")
        for name in keys.moments:
            self._held.pop(name, None)
        for name in keys.planners:
            self._planners.pop(name, None)
        return document("drop", Dropped(len(self._held), len(self._planners)))

    def make_planner(self, keys: Any, request: UncheckedRequest) -> PlannerMade:
        """Hold what a planner is made of; the process that answers its questions makes it.

        Raises:
            InputError: There is no such moment, or too many planners are held.
        """
        game = self.held(request, keys.moment)
        name = keys.name or next(n for n in self._planner_names if n not in self._planners)
        if name not in self._planners and len(self._planners) >= MOST_PLANNERS:
            message = f"{MOST_PLANNERS} planners are held already"
            raise InputError(Diagnostic("too-many", message, NAME, help="`drop` those that are needed no more"))
        made = PlannerMade(next(self._numbers), name, game, arguments(request, keys))
        self._planners[name] = made
        return made

    def planner(self, request: UncheckedRequest, name: str, key: str = "planner") -> PlannerMade:
        """The arguments of the planner of a name.

        Raises:
            InputError: There is none of that name.
        """
        made = self._planners.get(name)
        if made is None:
            help = did_you_mean(name, self._planners) or "`planner` makes one"
            raise unknown_name("planner", name, help).at(*request.node.section(key).spot)
        return made

    def forget(self, made: PlannerMade) -> None:
        """Forget a planner, unless another one has its name by now."""
        if self._planners.get(made.name) is made:
            del self._planners[made.name]

    # ---- what is read off them

    def _state(self, keys: Any, request: UncheckedRequest) -> Document:
        return document("state", WholeState(self.held(request, keys.moment).state_dict()))

    def _board(self, keys: Any, request: UncheckedRequest) -> Document:
        show = request.plain.get("show")
        with placed("show"):
            steps = steps_of(show, "show") if show is not None else ()
        return document("board", self.held(request, keys.moment).board(steps, keys.step, keys.overlays))

    def _written(self, keys: Any, request: UncheckedRequest) -> Document:
        return document("written", Written(self.held(request, keys.moment).written()))

    def _read(self, keys: Any, request: UncheckedRequest) -> Document:
        if (keys.text is None) == (keys.file is None):
            raise InputError(Diagnostic("missing-entry", "expected either 'text' or 'file'", NAME))
        refuse_stdin(keys.file)
        node = parse(Source("text", keys.text) if keys.file is None else read_text(keys.file))
        position, steps = position_and_steps(node)
        return document("read", ReadPosition(position, tuple(steps)))

    def _happened(self, keys: Any, request: UncheckedRequest) -> Document:
        part, plain = request.node.section("moment"), request.plain["moment"]
        if isinstance(plain, dict):
            return document("happened", Happened(self._described.reached("moment", part, plain).told))
        return document("happened", Happened(self.held(request, keys.moment).happened()))

    def _changes(self, keys: Any, request: UncheckedRequest) -> Document:
        now, before = self.held(request, keys.moment), self.held(request, keys.before, "before")
        return document("changes", ChangedFacts(now.changes_since(before)))

    def _value(self, keys: Any, request: UncheckedRequest) -> Document:
        game = self.held(request, keys.moment)
        values = []
        for i, text in enumerate(keys.expressions):
            with placed(f"expressions[{i}]"):
                values.append(game.value(text))
        return document("value", Values(tuple(values)))

    def _version(self, keys: Any, request: UncheckedRequest) -> Document:
        return document("version", Version(__version__, PROTOCOL, tuple(KINDS)))

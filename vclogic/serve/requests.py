"""The requests: a table with one line for each."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from vclogic.files.schema import Texts, check_as
from vclogic.game import Game
from vclogic.serve.arguments import MOMENT, PLAIN, TIMED, RequestKey, event_text, keys_class, of_method, takes_time
from vclogic.serve.protocol import UncheckedRequest

_NEW = "The name that the new moment gets, in place of one that is called so already; by default a new name."


@dataclass(frozen=True)
class Kind:
    """A kind of request.

    Attributes:
        name: The value of its key `ask`.
        make_keys: Makes the dataclass of its keys.
        apart: Whether it is answered in another process, beside those that come after it.
        method: The method of `Game` that answers it, if one does.
        document: The kind of document that the answer of the method is written as.
    """

    name: str
    make_keys: Callable[[], type]
    apart: bool = False
    method: Callable[..., Any] | None = None
    document: str = ""

    @cached_property
    def keys(self) -> type:
        """A dataclass of its keys."""
        return self.make_keys()

    @cached_property
    def positional(self) -> tuple[str, ...]:
        """The arguments of the method that have no names where it is called."""
        parameters = inspect.signature(self.method).parameters.values() if self.method else ()
        return tuple(p.name for p in parameters if p.kind is p.POSITIONAL_ONLY and p.name != "self")

    def read(self, request: UncheckedRequest) -> Any:
        """The keys of a request, checked.

        Raises:
            InputError: Every unknown or missing key, and every value of another type.
        """
        return check_as(self.keys, request.node)


def _own(name: str, text: str, *keys: RequestKey, apart: bool = False) -> Kind:
    """A request that is about the games held, or about none."""
    return Kind(name, lambda: keys_class(name, text, keys), apart)


def _plan() -> type:
    better = RequestKey("better", bool, "Whether to send each better plan, as it is found, before the answer.", False)
    return of_method("plan", Game.plan, better, leave_out=("on_better",))


def _planner() -> type:
    name = RequestKey("name", str | None, "The name that the planner gets; by default a new name.", None)
    return of_method("planner", Game.planner, name)


_ASKED = RequestKey("planner", str, "The name of the planner.")
_FROM = (
    RequestKey(
        "moment",
        Any,
        "The moment to plan from, by name or described; by default that of the planner.",
        None,
    ),
    RequestKey("state", Any, "A state or a part of it to plan from, laid over that of the moment.", None),
)


def _planner_plan() -> type:
    from vclogic.query.planner import Planner  # loads solvers, so only where one is asked

    better = RequestKey(
        "progress", bool, "Whether to send each better plan, as it is found, before the answer.", False
    )
    leave_out = ("state", "on_better")
    return of_method("planner_plan", Planner.plan, *_FROM, better, subject=_ASKED, leave_out=leave_out)


def _planner_objectives() -> type:
    from vclogic.query.planner import Planner

    leave_out = ("state", "before", "progress")
    method = Planner.objectives
    return of_method("planner_objectives", method, *_FROM, TIMED[1], subject=_ASKED, leave_out=leave_out)


def _survives() -> type:
    goal = RequestKey("goal", str, "The goal of the plan.")
    plan = RequestKey("plan", Any, "The plan, as the answer of `plan` gave it.")
    return of_method("survives", Game.survives, goal, plan, leave_out=("plan",))


def _asks(name: str, method: Callable[..., Any], document: str = "") -> Kind:
    """A request that calls a method of `Game`."""
    return Kind(name, lambda: of_method(name, method), method=method, document=document or name)


def _question(name: str, method: Callable[..., Any]) -> Kind:
    """A request that asks a question, which is answered apart."""
    special = {"plan": _plan, "survives": _survives}
    return Kind(name, special.get(name, lambda: of_method(name, method)), True, method, name)


_ALL = (
    _own(
        "load",
        "Load a game and hold it as a moment.",
        RequestKey(
            "game", Any, "`encoding`, `encoding/scenario`, the path of a position file, or what such a file holds."
        ),
        RequestKey("at", Any, "A position file or a record, or what it holds, laid over the game.", None),
        RequestKey("settings", Mapping[str, Any] | None, "Options and readings by name.", None),
        RequestKey("name", str | None, _NEW, None),
    ),
    _own(
        "apply",
        "Apply events to a moment; the moment stays, and the game after them is held as another one.",
        RequestKey("moment", Any, "The moment before: its name, or a description of it."),
        RequestKey("events", tuple[Any, ...], "Events as in a record, in their order."),
        RequestKey("name", str | None, _NEW, None),
    ),
    _own(
        "at_state",
        "Hold the game of a moment at another state, under the same rules and settings and without a record.",
        RequestKey("moment", Any, "The moment: its name, or a description of it."),
        RequestKey(
            "state", Any, "The state or a part of it, as in a position file; what it leaves out stays as it is."
        ),
        RequestKey("name", str | None, _NEW, None),
    ),
    _own(
        "drop",
        "Forget moments and planners.",
        RequestKey("moments", Texts, "The names of the moments.", ()),
        RequestKey("planners", Texts, "The names of the planners.", ()),
    ),
    _own(
        "state",
        "Tell the whole state, as a position file has it.",
        MOMENT,
    ),
    _own(
        "value",
        "Tell the values of expressions.",
        MOMENT,
        RequestKey("expressions", Texts, "Expressions in the goal language."),
    ),
    _own(
        "board",
        "Give the picture as SVG, and the places on it that can be selected.",
        MOMENT,
        RequestKey("show", Any, "An answer of `plan` or `reach` from this moment, whose moves are drawn.", None),
        RequestKey("step", int | None, "Only one turn of them, by the number on its arrows.", None),
    ),
    _asks("place", Game.place),
    _own("written", "Give the text of a position file, with the events since the start as its record.", MOMENT),
    _own(
        "read",
        "Read a position file; what is wrong with it is said with line and column.",
        RequestKey("text", str | None, "Its text, in YAML or JSON.", None),
        RequestKey("file", str | None, "In place of that its path.", None),
    ),
    _own(
        "changes",
        "Tell the facts that are others at a moment than at one before, under the same rules.",
        MOMENT,
        RequestKey("before", Any, "The moment before: its name, or a description of it."),
    ),
    _own("catalogue", "List the installed games with their scenarios, and the position files of the folder."),
    _asks("status", Game.status),
    _asks("legal", Game.legal),
    _asks("explain", Game.explain, "explanations"),
    _asks("explain_event", Game.explain_event, "event"),
    _asks("rules", Game.rules),
    *(_question(name, method) for name, method in vars(Game).items() if takes_time(method)),
    Kind("planner", _planner, apart=True),
    Kind("planner_plan", _planner_plan, apart=True),
    Kind("planner_objectives", _planner_objectives, apart=True),
    _own(
        "schema",
        "Give the JSON Schema of a file, an answer, a request or a reply.",
        RequestKey("kind", str, "What it is the schema of, as for `vclogic schema`."),
        RequestKey("game", str | None, "For a file: the game whose names and values it knows.", None),
        *TIMED[:1],
        apart=True,
    ),
    _own("cancel", "End a request that is not answered yet.", RequestKey("request", Any, "The id of that request.")),
    _own("version", "Tell the version of vclogic, the number of the protocol, and what may be asked."),
    _own("shutdown", "Cancel what is not answered yet, and end the process."),
)
KINDS: Mapping[str, Kind] = {kind.name: kind for kind in _ALL}
"""The kinds of requests by their names."""


_ENVELOPE = ("ask", "id", "moment", "planner", "name", "state", "report", "columns", "better")


def arguments(request: UncheckedRequest, keys: Any) -> dict[str, Any]:
    """The arguments of a method, from the keys of a request.

    Args:
        keys: Its keys, as `Kind.read` gives them.
    """
    found = {name: x for name, x in vars(keys).items() if name not in _ENVELOPE}
    for name in found.keys() & PLAIN:
        given = request.plain.get(name)
        found[name] = event_text(given) if name == "event" else given or ()
    return found


def call(kind: Kind, game: Game, request: UncheckedRequest, keys: Any, **more: Any) -> Any:
    """Ask a game by a method.

    Args:
        kind: A kind with a method.
        keys: Its keys, as `Kind.read` gives them.
        more: Arguments that are not keys of the request as they are.

    Raises:
        InputError: As the method does.
    """
    assert kind.method is not None
    given = arguments(request, keys) | more
    positional = [given.pop(p) for p in kind.positional]
    return kind.method(game, *positional, **given)

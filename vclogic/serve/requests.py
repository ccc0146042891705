"""The requests: a table with one line for each."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, make_dataclass
from functools import cached_property
from typing import Any, NamedTuple, get_origin

from vclogic.files.trees.schema import Number, Texts, check_as
from vclogic.game import QUESTIONS, Game
from vclogic.query.keywords import hint_of
from vclogic.query.odds.forces import Forces
from vclogic.query.question import RESOURCES, Askable, GameQuestion
from vclogic.query.resolved_question import DEFAULT_TIMEOUT
from vclogic.report.text.of_kind import COLUMNS
from vclogic.serve.protocol import UncheckedRequest

# ---- the keys of a request


ENVELOPE = {
    "ask": "What is asked.",
    "id": "A text or whole number that the answer repeats, and by which the request can be cancelled.",
}


class RequestKey(NamedTuple):
    """A key of a request.

    Attributes:
        name: The key.
        hint: The type of its value, as `vclogic.files.trees.schema` reads it.
        text: What it means.
        default: Its value where it is left out; `MISSING`: it must be given.
    """

    name: str
    hint: Any
    text: str
    default: Any = MISSING


TIME = {
    "timeout": "Seconds from the arrival of the request; the answer is what is known by then, the rest is `unknown`.",
    "progress": "Whether to send lines with the progress before the answer.",
    "report": "Whether the document has the keys `report` and `verdict`, too: the answer in words and in a line.",
    "columns": "How many letters a line of that report has at the most, 40 at the least.",
}
TIMED = (
    RequestKey("timeout", Number, TIME["timeout"], DEFAULT_TIMEOUT),
    RequestKey("progress", bool, TIME["progress"], False),
    RequestKey("report", bool, TIME["report"], False),
    RequestKey("columns", int, TIME["columns"], COLUMNS),
)
"""The keys of a question that takes a time limit, tells its progress, and can answer in words too."""
MOMENT = RequestKey("moment", Any, "The moment that is asked about: its name, or a description of it.")
PLAIN = {"event", "require", "avoid", "without"}
"""Arguments that hold events as a record has them: names, or mappings."""
_ARGUMENT = re.compile(r"^(\w+): (.*(?:\n[ \t]+.*)*)", re.MULTILINE)


def keys_class(name: str, text: str, keys: Sequence[RequestKey]) -> type:
    """A dataclass of the keys of a request, those that every request has included.

    Args:
        name: What is asked.
        text: What the request does.
        keys: Its own keys.
    """
    every = [RequestKey("ask", str, ENVELOPE["ask"]), *keys, RequestKey("id", Any, ENVELOPE["id"], None)]
    ordered = sorted(every, key=lambda key: key.default is not MISSING)
    fields = [(k.name, k.hint, field() if k.default is MISSING else field(default=k.default)) for k in ordered]
    made = make_dataclass(name, fields, frozen=True)
    made.__doc__ = "\n".join([text, "", "Attributes:", *(f"    {k.name}: {k.text}" for k in every)])
    return made


def of_method(
    name: str,
    method: Callable[..., Any],
    *more: RequestKey,
    subject: RequestKey = MOMENT,
    leave_out: Sequence[str] = (),
) -> type:
    """The keys of a request that calls a method of `Game` or of another class.

    Args:
        name: What is asked.
        method: The method; its docstring describes the keys.
        more: Further keys.
        subject: The key that names whose method it is.
        leave_out: Arguments and usual keys that a request does not have.
    """
    text, described = _described(method)
    parameters = list(inspect.signature(method).parameters.values())[1:]
    out = {*leave_out, *(RESOURCES if takes_time(method) else ())}
    named = {p.name: p for p in parameters if p.kind is not p.VAR_KEYWORD and p.name not in out}
    keys = [subject]
    for n, parameter in named.items():
        default = MISSING if parameter.default is parameter.empty else parameter.default
        hint = Any if n in PLAIN else _readable(hint_of(method, n))
        keys.append(RequestKey(n, hint, described.get(n, ""), default))
    keys += [key for key in TIMED if takes_time(method) and key.name not in leave_out]
    return keys_class(name, text, [*keys, *more])


def takes_time(method: Callable[..., Any]) -> bool:
    """True if a method asks a question, which takes a time limit and tells its progress."""
    return issubclass(getattr(method, "question", object), GameQuestion)


def event_text(event: Any) -> str | None:
    """An event of a request as the text of a record."""
    return event if event is None or isinstance(event, str) else json.dumps(event)


def _readable(hint: Any) -> Any:
    """A type that JSON is read into."""
    if hint is float:
        return Number
    if hint in (Forces, Forces | None):  # as a mapping; texts are for people
        return Mapping[str, int] if hint == Forces else Mapping[str, int] | None
    if get_origin(hint) is Sequence or hint == str | Sequence[str]:
        return Texts
    if hint is Askable:
        return Any  # another moment, by its name or described
    return hint


def _described(method: Callable[..., Any]) -> tuple[str, dict[str, str]]:
    """The first sentence of a docstring, and what it says about each argument."""
    text = inspect.getdoc(method) or ""
    section = text.partition("\nArgs:\n")[2].partition("\n\n")[0]
    said = {name: " ".join(words.split()) for name, words in _ARGUMENT.findall(inspect.cleandoc("\n" + section))}
    return text.partition("\n")[0], said


# ---- the table of requests


_NEW = "The name that the new moment gets, in place of one that is called so already; by default a new name."


@dataclass(frozen=True)
class Kind:
    """A kind of request.

    Attributes:
        name: The value of its key `ask`.
        make_keys: Makes the dataclass of its keys.
        is_search: Whether it is answered in another process, beside those that come after it.
        method: The method of `Game` that answers it, if one does.
        document: The kind of document that the answer of the method is written as.
    """

    name: str
    make_keys: Callable[[], type]
    is_search: bool = False
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


def _own(name: str, text: str, *keys: RequestKey, is_search: bool = False) -> Kind:
    """A request that is about the games held, or about none."""
    return Kind(name, lambda: keys_class(name, text, keys), is_search)


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
    from vclogic.query.planner.planner import Planner  # loads solvers, so only where one is asked

    better = RequestKey(
        "progress", bool, "Whether to send each better plan, as it is found, before the answer.", False
    )
    leave_out = ("state", "on_better")
    return of_method("planner_plan", Planner.plan, *_FROM, better, subject=_ASKED, leave_out=leave_out)


def _planner_objectives() -> type:
    from vclogic.query.planner.planner import Planner

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
    """A request that asks a question, which is a search."""
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
        RequestKey(
            "overlays",
            Texts,
            "What is drawn over it: overlays that an answer lists, or an outcome with its side.",
            (),
        ),
    ),
    _asks("place", Game.place),
    _own("written", "Give the text of a position file, with the events since the start as its record.", MOMENT),
    _own(
        "read",
        "Read a position file; what is wrong with it is said with line and column.",
        RequestKey("text", str | None, "Its text, in YAML or JSON.", None),
        RequestKey("file", str | None, "In place of that its path.", None),
    ),
    _own("happened", "Tell what has happened since the start, a sentence for each step.", MOMENT),
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
    *(_question(name, getattr(Game, name)) for name in QUESTIONS),
    Kind("planner", _planner, is_search=True),
    Kind("planner_plan", _planner_plan, is_search=True),
    Kind("planner_objectives", _planner_objectives, is_search=True),
    _own(
        "schema",
        "Give the JSON Schema of a file, an answer, a request or a reply.",
        RequestKey("kind", str, "What it is the schema of, as for `vclogic schema`."),
        RequestKey("game", str | None, "For a file: the game whose names and values it knows.", None),
        *TIMED[:1],
        is_search=True,
    ),
    _own(
        "together",
        "Ask several quick questions in one request; each has a reply of its own, as soon as it is known.",
        RequestKey("questions", tuple[Any, ...], "Requests without ids, none of which holds or drops anything."),
        RequestKey("moment", Any, "The moment of those that name none.", None),
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

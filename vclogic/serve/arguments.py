"""The keys of a request, as dataclasses that JSON is read into: made of the arguments of a method of `Game`."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, field, make_dataclass
from typing import Any, NamedTuple, get_origin

from vclogic.files.schema import Number, Texts
from vclogic.query.forces import Forces
from vclogic.query.keywords import hint_of
from vclogic.query.plan_request import DEFAULT_TIMEOUT
from vclogic.query.question import RESOURCES, Askable, GameQuestion
from vclogic.report.text.of_kind import COLUMNS

ENVELOPE = {
    "ask": "What is asked.",
    "id": "A text or whole number that the answer repeats, and by which the request can be cancelled.",
}


class RequestKey(NamedTuple):
    """A key of a request.

    Attributes:
        name: The key.
        hint: The type of its value, as `vclogic.files.schema` reads it.
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

"""Requests and replies as lines of JSON, whatever carries the lines."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from vclogic.errors import Diagnostic, InputError, quoted
from vclogic.files.source import LIMIT, decode
from vclogic.files.trees.located import Node, Quoted, describe
from vclogic.files.trees.nodes import parse_json
from vclogic.progress import Progress
from vclogic.report.failures import failure_of
from vclogic.report.json import Document, errors
from vclogic.shortage import shortage

PROTOCOL = 1
"""The number of the protocol; docs/serve.md says what it promises."""
LONGEST = LIMIT
"""Bytes that a request may have."""
NAME = "request"
"""The name in diagnostics of the file that a request stands in."""
Id = str | int | None
_MOST_DIGITS = 18  # of an id that is a number
_AS_THEY_ARE = frozenset(("text", "show", "plan"))
"""Keys that hold a file's text, or an answer that is handed back: whoever takes them looks at what is in them."""


@dataclass(frozen=True)
class UncheckedRequest:
    """A request that was read, before its keys are checked.

    Attributes:
        id: What the answer repeats.
        ask: What is asked.
        node: The whole request, with the places of its parts.
        plain: The same as plain values.
    """

    id: Id
    ask: str
    node: Node
    plain: Mapping[str, Any]


class BadRequest(Exception):
    """A line that is no request.

    Attributes:
        id: Its id as far as it could be read.
        error: What is wrong with it.
    """

    def __init__(self, id: Id, error: InputError):
        self.id = id
        self.error = error
        super().__init__(str(error))


def read_request(line: bytes) -> UncheckedRequest | None:
    """Read a line.

    Returns:
        The request; None for an empty line.

    Raises:
        BadRequest: It is not UTF-8, not JSON, or no mapping with the key `ask`; or something in it is too long, too
            deep, or a character that cannot stand in a file.
    """
    try:
        source = decode(NAME, line)
        if not source.text.strip():
            return None
        node = parse_json(source, _AS_THEY_ARE)
        if not isinstance(node.tree, dict):
            message = f'expected a mapping such as {{"ask": "version"}}, found {describe(node.tree)}'
            raise InputError(node.diagnostic("wrong-value", message))
        id = _id(node)
        plain = _plain(source.text)
        ask = node.section("ask")
        if not isinstance(ask.tree, str):
            missing = "ask" not in node.tree
            message = "the key 'ask' is missing" if missing else f"'ask': expected text, found {describe(ask.tree)}"
            raise InputError(ask.diagnostic("missing-entry" if missing else "wrong-value", message))
        return UncheckedRequest(id, str(ask.tree), node, plain)
    except InputError as error:
        raise BadRequest(_id_in(line), error) from None


def _id_in(line: bytes) -> Id:
    """The id of a request, whatever else is wrong with it; None where none can be read."""
    try:
        found = json.loads(line, parse_int=lambda digits: int(digits) if len(digits) <= _MOST_DIGITS else None)
    except (ValueError, RecursionError):
        return None
    id = found.get("id") if isinstance(found, dict) else None
    return id if id.__class__ in (str, int) else None


def _plain(text: str) -> Mapping[str, Any]:
    try:
        found: dict[str, Any] = json.loads(text, parse_constant=_no_number)
    except InputError:
        raise
    except ValueError as error:  # Python reads no number of thousands of digits
        raise InputError(Diagnostic("not-json", "a number has too many digits", NAME)) from error
    return found


def _no_number(word: str) -> float:
    raise InputError(Diagnostic("not-json", f"this is not JSON: {word} is no number", NAME))


def _id(node: Node) -> Id:
    part = node.section("id")
    tree = part.tree
    if tree is None or isinstance(tree, Quoted):
        return None if tree is None else str(tree)
    if isinstance(tree, str) and tree.removeprefix("-").isdecimal() and len(tree) <= _MOST_DIGITS:
        return int(tree)
    found = describe(tree)
    raise InputError(part.diagnostic("wrong-value", f"'id': expected a text or a whole number, found {found}"))


# ---- replies


def answer_line(id: Id, answer: Mapping[str, Any], *, cancelled: bool = False) -> bytes:
    """The line of an answer.

    Args:
        id: The id of the request.
        answer: A document.
        cancelled: Whether the request was cancelled before its answer was ready.
    """
    return _line({"id": id, "answer": answer, **({"cancelled": True} if cancelled else {})})


def progress_line(id: Id, progress: Progress) -> bytes:
    """The line of a question's progress."""
    return _line({"id": id, "progress": {**asdict(progress), "known": progress.known}})


def better_line(id: Id, plan: Mapping[str, Any], bound: int | None) -> bytes:
    """The line of a better plan of a planner, with the best bound known then."""
    return _line({"id": id, "better": plan, "bound": bound})


def part_line(id: Id, part: int, found: Mapping[str, Any]) -> bytes:
    """The line of the answer to one of several questions that were asked together, by its place among them."""
    return _line({"id": id, "part": part, "document": found})


def _line(reply: Mapping[str, Any]) -> bytes:
    """A reply in ASCII, so that it is read in any encoding."""
    return json.dumps(reply, separators=(",", ":"), allow_nan=False).encode("ascii") + b"\n"


def error_document(error: BaseException) -> Document:
    """The document of a request that ended by an error: bad input, faulty rules, too little memory, a bug."""
    if isinstance(error, InputError) and shortage(error) is None:
        return errors(error.diagnostics)
    return errors([failure_of(error)])


def fault_document(code: str, message: str, help: str | None = None) -> Document:
    """The document of an error that is no mistake in the request."""
    return errors([Diagnostic(code, message, help=help)])


def out_of_time(seconds: float) -> str:
    """The message for a question that was ended since it did not keep its time limit."""
    shown = f"{seconds:.1f}".removesuffix(".0")
    return f"no answer within {shown} s: the question was ended"


def no_process(error: OSError) -> str:
    """The message for a question for which no process can be started."""
    return f"{shortage(error) or f'no process can be started: {error}'} for this question"


def unknown_name(what: str, name: str, help: str | None) -> InputError:
    """The error for a name that nothing goes by."""
    return InputError(Diagnostic("unknown-name", f"there is no {what} {quoted(name)}", NAME, help=help))

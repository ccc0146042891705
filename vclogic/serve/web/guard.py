"""Requirements on a request before anything looks at it: from this machine's own page, small, and not slow."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Mapping
from typing import Any

from starlette.requests import ClientDisconnect, Request

MOST_BODY = 1_000_000
"""Bytes that a request may have."""
BODY_TIME = 10.0
"""Seconds in which it has to be there."""
MOST_TIME = 600.0
"""Seconds that a question may take."""
MOST_LETTERS, MOST_NUMBER = 200, 10**18
"""An id has so many letters at the most, or is a whole number that is smaller, with its sign or without."""
NAMES = ("127.0.0.1", "localhost")
"""Names of this machine in the page's address."""
_HOLDING = (
    "load",
    "apply",
    "at_state",
    "drop",
    "planner",
    "planner_plan",
    "planner_objectives",
    "shutdown",
)


class RequestRefused(Exception):
    """A request that is not answered.

    Attributes:
        status: The status of the response.
        reason: Why, in a sentence.
    """

    def __init__(self, status: int, reason: str):
        self.status, self.reason = status, reason
        super().__init__(reason)


class Busy(RequestRefused):
    """Too much is asked at once.

    Args:
        what: Of what there is too much.
    """

    def __init__(self, what: str):
        super().__init__(503, f"too many {what} at once: ask again in a moment")


def check_origin(request: Request, port: int) -> None:
    """See that a request is from a page of this server, or from no page.

    A page of another site cannot ask, nor can one whose name was made to lead here (DNS rebinding).

    Raises:
        RequestRefused: It is not.
    """
    hosts = {f"{name}:{port}" for name in NAMES} | ({*NAMES} if port == 80 else set())
    headers = request.headers
    if len(headers.getlist("host")) != 1 or headers["host"].lower() not in hosts:
        raise RequestRefused(421, "this server answers to 127.0.0.1 and localhost alone")
    own = {f"http://{host}" for host in hosts}
    if any(origin.lower() not in own for origin in headers.getlist("origin")):
        raise RequestRefused(403, "pages of other sites may not ask")
    sites = headers.getlist("sec-fetch-site")
    if not {*sites} <= {"same-origin", "none"} and request.url.path != "/":
        raise RequestRefused(403, "pages of other sites may not ask")


async def read_question(request: Request) -> Mapping[str, Any]:
    """The question in the body of a request.

    Raises:
        RequestRefused: It is no JSON, too large, too slow, or something that only a program on this machine may ask.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise RequestRefused(415, "send the question as application/json")
    try:
        body = await asyncio.wait_for(_body(request), BODY_TIME)
    except TimeoutError:
        raise RequestRefused(408, f"the question did not arrive within {BODY_TIME:g} s") from None
    try:
        question = json.loads(body, parse_constant=_no_number, parse_float=_finite)
    except (ValueError, RecursionError):
        raise RequestRefused(400, "the question is no JSON") from None
    if not isinstance(question, dict) or not isinstance(question.get("ask"), str):
        raise RequestRefused(400, 'the question is no mapping such as {"ask": "version"}')
    if not _is_id(question.get("id")):
        raise RequestRefused(400, f"an id is a text of {MOST_LETTERS} letters at the most, or a whole number")
    if question["ask"] in _HOLDING:
        raise RequestRefused(
            400, f"{question['ask']!r} is for `serve --stdio`: nothing is held here, describe the moment"
        )
    timeout = question.get("timeout")
    if isinstance(timeout, int | float) and timeout > MOST_TIME:
        raise RequestRefused(400, f"a question may take {MOST_TIME:g} s at the most")
    return question


async def _body(request: Request) -> bytes:
    if int(request.headers.get("content-length", "0") or 0) > MOST_BODY:
        raise RequestRefused(413, f"a question has at most {MOST_BODY:,} bytes")
    found = bytearray()
    try:
        async for part in request.stream():
            found += part
            if len(found) > MOST_BODY:
                raise RequestRefused(413, f"a question has at most {MOST_BODY:,} bytes")
    except ClientDisconnect:
        raise RequestRefused(400, "the question was not sent whole") from None
    return bytes(found)


def _is_id(id: object) -> bool:
    if isinstance(id, str):
        return len(id) <= MOST_LETTERS
    return id is None or (type(id) is int and abs(id) < MOST_NUMBER)


def _finite(digits: str) -> float:
    """A number that is not too large for what computers take for numbers."""
    found = float(digits)
    if math.isinf(found):
        raise ValueError(digits)
    return found


def _no_number(word: str) -> float:
    raise ValueError(word)

"""Questions that are answered apart: what a process that answers them is told."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from vclogic.serve.protocol import Request
from vclogic.serve.requests import Kind
from vclogic.serve.session import Held

Reply = Callable[[bytes], None]
"""Takes one line for the program that asked."""


@dataclass(frozen=True, eq=False)
class Task:
    """A question that is not answered yet.

    Attributes:
        request: The request.
        line: The line that it stands in.
        moments: What it is asked of, by the keys that name it.
        timeout: Seconds that it may take from its arrival.
        reply: Takes its lines.
        arrived: When it arrived, on the clock of `time.monotonic`.
    """

    request: Request
    line: bytes
    moments: Mapping[str, Held]
    timeout: float
    reply: Reply
    arrived: float = field(default_factory=time.monotonic)

    def told(self) -> bytes:
        """The two lines that a worker is told: what it needs to know, and the request."""
        moments = {
            key: {
                "origin": held.origin.number,
                "load": held.origin.request,
                "events": [event.written for event in held.game.history[held.origin.events :]],
            }
            for key, held in self.moments.items()
        }
        known = {"waited": time.monotonic() - self.arrived, "moments": moments}
        return json.dumps(known).encode() + b"\n" + self.line.strip() + b"\n"


def moments_of(kind: Kind, keys: Any, held: Callable[[str, str], Held]) -> dict[str, Held]:
    """The moments that a request is about, by the keys that name them.

    Args:
        kind: The kind of the request.
        keys: Its keys.
        held: The moment of a name; and the key that names it, for the error if there is none.
    """
    return {key: held(getattr(keys, key), key) for key in ("moment", "other") if hasattr(keys, key)}

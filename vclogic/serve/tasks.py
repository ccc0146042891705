"""Questions that are answered apart: what a process that answers them is told."""

from __future__ import annotations

import json
import pickle
import time
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from vclogic.game import Game
from vclogic.serve.protocol import Request
from vclogic.serve.requests import Kind

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
    moments: Mapping[str, Game]
    timeout: float
    reply: Reply
    arrived: float = field(default_factory=time.monotonic)

    def told(self) -> bytes:
        """The two lines that a worker is told: what it needs to know, and the request."""
        moments = {key: b64encode(pickle.dumps(game)).decode() for key, game in self.moments.items()}
        known = {"waited": time.monotonic() - self.arrived, "moments": moments}
        return json.dumps(known).encode() + b"\n" + self.line.strip() + b"\n"


def moments_of(kind: Kind, keys: Any, held: Callable[[str, str], Game]) -> dict[str, Game]:
    """The moments that a request is about, by the keys that name them.

    Args:
        kind: The kind of the request.
        keys: Its keys.
        held: The moment of a name; and the key that names it, for the error if there is none.
    """
    return {key: held(getattr(keys, key), key) for key in ("moment", "other") if hasattr(keys, key)}

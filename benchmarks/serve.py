"""Quick questions to `vclogic serve --stdio`, against Python in one process and against a command for each."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import vclogic
from benchmarks.runner import Comparison, Timing, side_by_side

AIM = "a quick question through serve takes less than half a millisecond"
GAME = "axis_allies"
_VCLOGIC = str(Path(sys.executable).with_name("vclogic"))
_MANY = 1_000


class Served:
    """A running server that holds a game as the moment `m`."""

    def __init__(self) -> None:
        words = [sys.executable, "-m", "vclogic", "serve", "--stdio"]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.ask({"ask": "load", "game": GAME, "name": "m"})

    def ask(self, request: dict[str, Any]) -> Any:
        """One question after the other: each waits for its answer."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def ask_many(self, request: dict[str, Any]) -> None:
        """Many questions at once, then all answers."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write((json.dumps(request).encode() + b"\n") * _MANY)
        self.process.stdin.flush()
        for _ in range(_MANY):
            json.loads(self.process.stdout.readline())


def run() -> Iterator[Comparison]:
    """Values, statuses, events and states, by each way."""
    game, served = vclogic.load(GAME), Served()
    value = {"ask": "value", "moment": "m", "expressions": ["vcp(Axis)"]}
    status = {"ask": "status", "moment": "m"}
    apply = {"ask": "apply", "moment": "m", "events": ["end_turn"], "name": "n"}
    whole, part = game.state_dict(), {"owner": {"Caucasus": "Germans"}}
    at_state, at_part = ({"ask": "at_state", "moment": "m", "state": x, "name": "n"} for x in (whole, part))
    command = partial(subprocess.run, [_VCLOGIC, "status", GAME, "--format", "json"], stdout=subprocess.DEVNULL)
    try:
        for request, call in (
            (value, partial(game.value, "vcp(Axis)")),
            (status, game.status),
            (apply, partial(game.apply, "end_turn")),
            (at_state, partial(game.at_state, whole)),
            (at_part, partial(game.at_state, part)),
        ):
            found = {"in Python, the answer as an object": call, "serve, one by one": partial(served.ask, request)}
            timings: dict[str, Timing] = side_by_side(found)
            many = {f"serve, {_MANY:,} at once": partial(served.ask_many, request)}
            timings |= side_by_side(many, rounds=5, per=_MANY)
            if request is status:
                timings |= side_by_side({"a command": partial(command, check=True)}, rounds=5, share=0)
            what = {id(at_state): ", a whole state", id(at_part): ", a part of a state"}.get(id(request), "")
            yield Comparison(f"{request['ask']} of {GAME}{what}", timings)
    finally:
        served.process.kill()
        served.process.wait()

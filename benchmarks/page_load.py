"""The page's server under 50 clients for a minute, each of which asks for the standing again and again."""

from __future__ import annotations

import http.client
import json
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.runner import Comparison, Timing

AIM = "50 clients for a minute: each status within 5 s, none refused, memory bounded, no process left over"
CLIENTS, SECONDS, MOST = 50, 60.0, 5.0
GAMES = ("axis_allies", "asl/22u3", "moscow/small", "napoleonics", "okinawa")
JSON = {"Content-Type": "application/json"}
PLACES = ("Russia", "Germany", "Japan", "United Kingdom", "China", "India", "Norway", "Karelia S.S.R.")
POWERS = ("Germans", "Japanese", "Russians", "British", "Americans")


@dataclass
class Load:
    """What the clients saw.

    Attributes:
        seconds: How long each answer took, by the game that was asked about.
        refused: How many questions got 503.
        wrong: What else went wrong.
        memory: The bytes of memory of the server and all its processes, from time to time.
    """

    seconds: dict[str, list[float]] = field(default_factory=lambda: {game: [] for game in GAMES})
    refused: int = 0
    wrong: list[str] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)


def run() -> Iterator[Comparison]:
    """The minute; what was seen of each game is a line."""
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-m", "vclogic", "serve", folder, "--port", "0"]
        server = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        port = int(server.stdout.readline().rstrip("/\n").rpartition(":")[2])
        load = Load()
        end = time.monotonic() + SECONDS
        clients = [threading.Thread(target=_client, args=(n, port, end, load)) for n in range(CLIENTS)]
        for client in clients:
            client.start()
        while any(client.is_alive() for client in clients):
            load.memory.append(sum(map(_memory, {server.pid} | _below(server.pid))))
            time.sleep(1)
        below = _below(server.pid)
        server.terminate()
        server.wait(30)
        time.sleep(2)
        left = sum(Path(f"/proc/{pid}").exists() for pid in below)
    yield Comparison(f"status, {CLIENTS} clients at once", {g: _timing(found) for g, found in load.seconds.items()})
    mb = [n / 1e6 for n in load.memory]
    late = sum(s > MOST for found in load.seconds.values() for s in found)
    said = {
        "answers": f"{late} late, {load.refused} refused, {len(load.wrong)} wrong",
        "memory": f"{mb[0]:.0f} MB, at most {max(mb):.0f}, at last {mb[-1]:.0f}",
        "processes left over": str(left),
    }
    yield Comparison("in all", {name: Timing((SECONDS,), answer=text) for name, text in said.items()})
    if load.wrong:
        raise RuntimeError(load.wrong[0])


def _client(number: int, port: int, end: float, load: Load) -> None:
    """One client: a person who clicks as fast as answers come."""
    chance = random.Random(number)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    while time.monotonic() < end:
        game = GAMES[chance.randrange(len(GAMES))]
        began = time.monotonic()
        try:
            connection.request("POST", "/ask", json.dumps(_question(game, chance)), JSON)
            response = connection.getresponse()
            body = response.read()
        except OSError as error:
            load.wrong.append(f"{game}: {error!r}")
            connection.close()
            continue
        if response.status == 503:
            load.refused += 1
        elif response.status != 200 or json.loads(body)["answer"]["schema"] != "vclogic/status/1":
            load.wrong.append(f"{game}: {response.status} {body[:200]!r}")
        load.seconds[game].append(time.monotonic() - began)
    connection.close()


def _question(game: str, chance: random.Random) -> dict[str, Any]:
    """A status; on the board of 1942 each time after another change by hand."""
    owners = {chance.choice(PLACES): chance.choice(POWERS) for _ in range(3)}
    steps = [{"set": {"owner": owners}}] if game == "axis_allies" else []
    return {"ask": "status", "moment": {"game": game, "settings": {}, "steps": steps}}


def _timing(seconds: list[float]) -> Timing:
    late = statistics.quantiles(seconds, n=20)[-1]
    return Timing(
        tuple(seconds), answer=f"{len(seconds)} answers, 95 % within {late:.2f} s, max {max(seconds):.2f} s"
    )


def _below(pid: int) -> set[int]:
    found: set[int] = set()
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = {int(word) for word in task.read_text().split()}
        except OSError:
            continue
        found |= children.union(*map(_below, children))
    return found


def _memory(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096
    except OSError:
        return 0

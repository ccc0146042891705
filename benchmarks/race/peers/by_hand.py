"""Who has won, as the author of an AI for this one game would write it: plain Python over a list of owners."""

from __future__ import annotations

import time
from collections.abc import Sequence

from benchmarks.race.peers.told import Found, Instance, Timer, answer


def status(instance: Instance, timer: Timer, variant: str) -> Found:
    """The time of one status."""
    sides, worth, land = list(instance["major"]), instance["worth"], instance["land"]
    own = [{power for power, s in instance["powers"].items() if s == side} for side in sides]
    cities = [(i, worth[area]) for i, area in enumerate(land) if area in worth]
    everything, areas = sum(worth.values()), len(land)
    (major, other_major), (minor, other_minor) = (
        [instance[key][side] for side in sides] for key in ("major", "minor")
    )
    first = own[0]

    def one(owner: Sequence[str], bid: int) -> list[list[int]]:
        """What the first side does not have, the other one has."""
        points = sum([value for i, value in cities if owner[i] in first])
        held = sum([power in first for power in owner])
        rest = everything - points
        return [
            [points, held == areas, points >= major, points >= minor and bid > 0],
            [rest, held == 0, rest >= other_major, rest >= other_minor and bid > 0],
        ]

    states = list(zip(instance["states"], instance["bids"], strict=True))
    repeats = 200
    began = time.perf_counter()
    for _ in range(repeats):
        for owner, bid in states:
            one(owner, bid)
    seconds = (time.perf_counter() - began) / repeats / len(states)
    found = [[[int(x) for x in row] for row in one(owner, bid)] for owner, bid in states]
    return Found(proved=True, solution=[seconds, found])


if __name__ == "__main__":
    answer({"status": status})

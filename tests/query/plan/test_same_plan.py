"""The same question gives the same plan: in every process, and whichever engine answers."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from tests.fixtures.pace import MORE

ASK = """
import json, sys
import vclogic
from vclogic.solve.backends.session import Effort, Session

engines = tuple(sys.argv[1].split("+"))
Effort.session.__defaults__ = (engines,)
Session.__init__.__defaults__ = (engines, None)
game = vclogic.load("axis_allies")
plans = [
    game.plan("vcp(Axis) >= 50"),
    game.plan("ipc(Germans) >= 60 and territories(Axis) >= 24"),
    game.plan("vcp(Allies) >= 50", opponent="any", within=4),
    game.plan("vcp(Allies) >= 41", minimize="turns"),
    game.plan("vcp(Axis) >= 33 and round == 1", side="Axis", minimize="turns"),
    game.reach("vcp(Axis) >= 33", side="Axis"),
    vclogic.load("okinawa/small").plan("cut_off_points >= 5", side="Japan", minimize="moves", within=2),
    vclogic.load("moscow/small").plan("vp(German) >= 3", minimize="moves", within=2),
    vclogic.load("napoleonics/erlenbach").plan("banners(French) >= 1", minimize="turns", within=2),
]
print(json.dumps([[p.status, [s.text for s in p.steps], [str(e) for e in p.record.events or ()]] for p in plans]))
"""


def plans(engines: str, seed: int) -> object:
    """The plans that a process of its own finds with some engines."""
    environment = os.environ | {"PYTHONHASHSEED": str(seed)}
    found = subprocess.run(
        [sys.executable, "-c", ASK, engines], env=environment, capture_output=True, text=True, check=True
    )
    return json.loads(found.stdout)


def test_the_same_question_gives_the_same_plan() -> None:
    """With sums as networks, and with cutting planes side by side with them; names hashed anew in each process."""
    first = plans("merging", 1)
    assert plans("merging+cutting", 3) == first
    assert isinstance(first, list)
    if MORE:
        assert plans("cutting", 2) == first
    assert all(status in ("optimal", "reachable") and texts and events for status, texts, events in first), first

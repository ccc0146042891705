"""What the second opinion alone notices of a defect of the engine: `mutants.nevers`, run in a copy with it."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter

from mutants.lists import Mutant
from mutants.sandbox import Verdict
from mutants.tested import planted, waited_for

DETECTOR = "opinion"
SHARE = 300.0
"""Seconds of processor time that the questions may take."""
GUESSES = {
    "contradicted": "z3 says a wrong never, and cvc5 contradicts: there is no answer",
    "right but contradicted": "the never is right, but not what it rests on, or not what cvc5 gets: no answer",
    "agreed": "z3 says a wrong never, and cvc5 agrees",
    "not asked": "a wrong never is told, and cvc5 has not decided it",
    "weaker": "no never is told where one is right",
}
"""What becomes of questions that are not answered right, and what may be expected of a defect."""


def tried(mutant: Mutant | None) -> Verdict:
    """What the second opinion says of the engine with a defect; None: of the sound one."""
    with planted(mutant) as folder:
        path = os.pathsep.join((str(folder), str(folder / "encodings")))
        env = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", "TMPDIR": str(folder)}
        code, seconds = waited_for([sys.executable, "-m", "mutants.nevers"], folder, env, SHARE)
        lines = (folder / "said.txt").read_text(encoding="utf-8", errors="replace").splitlines()
    if code is None:
        return Verdict(False, "it does not end", seconds)
    if code or not lines:
        return Verdict(False, f"broken: {lines[-1] if lines else f'exit code {code}'}", seconds)
    told = Counter(json.loads(lines[-1]))
    caught = any(told[kind] for kind in GUESSES if kind.endswith("contradicted"))
    return Verdict(caught, ", ".join(f"{n} {kind}" for kind in GUESSES if (n := told[kind])), seconds)

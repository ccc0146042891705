"""Planted mistakes in the rulebooks and conditions of `examples`: which of them `check` tells, and which rulings.

One as a process: `python -m mutants.texts FILE FIRST LAST DETECTOR ...`, in a copy of `examples`; the lines are those
of the planted text, and its last line is a verdict for each detector as JSON.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import vclogic
from mutants.lists import EXAMPLES, ROOT, TEXTS, Mutant, mutants
from mutants.sandbox import Verdict
from vclogic.check.findings import Finding
from vclogic.errors import InputError, RulesError
from vclogic.game import Game
from vclogic.query.test.rulings import test_all

DETECTORS = ("check", "rulings", "asked")
"""The last: what `check --rulings` asks about the planted line."""
CHECK_SECONDS = 30.0
LIMIT = 180.0
"""Seconds that all detectors get together."""
SPARE = 3
"""So many lines around a planted one of a condition are its place; of a rulebook it is its block."""
_FENCE = re.compile(r"^```", re.MULTILINE)


def loaded(file: str) -> Game:
    """The game of a rulebook, a scenario, or rules that are laid over a game."""
    if file.startswith("house_rules/"):
        return vclogic.load("okinawa/small", beside=[file])
    return vclogic.load(file)


def key(finding: Finding) -> str:
    """What makes a finding the same one in the sound text and in a spoilt one."""
    return f"{finding.code} {finding.rule}: {finding.message}"


def check(file: str, place: range) -> Mapping[str, object]:
    """The findings of `check`, and which of them stand at a place or have none."""
    found = loaded(file).check(timeout=CHECK_SECONDS).open
    return {key(f): not f.places or any(p.line in place for p in f.places if p.file.endswith(file)) for f in found}


def rulings(file: str, place: range) -> Mapping[str, object]:
    """How many rulings fail."""
    cases = file if file.endswith(".md") else file.replace(".yaml", "_rulings.yaml")
    if not Path(cases).exists():
        return {}
    tested = test_all([cases], cites=False)
    return {f"{tested.failed} of {len(tested.cases)}": True} if tested.failed else {}


def asked(file: str, place: range) -> Mapping[str, object]:
    """What `check --rulings` asks about the place."""
    found = loaded(file).check(timeout=CHECK_SECONDS, rulings=True).open
    own = [f for f in found if f.code.startswith("VC8")]
    return {key(f): True for f in own if any(p.line in place for p in f.places if p.file.endswith(file))}


_OF: Mapping[str, Callable[[str, range], Mapping[str, object]]] = {"check": check, "rulings": rulings, "asked": asked}


def main(file: str, first: str, last: str, *detectors: str) -> None:
    """Prints what some detectors find."""
    place, verdicts = range(int(first), int(last) + 1), {}
    with contextlib.redirect_stdout(io.StringIO()):
        for detector in detectors:
            began = process_time() + os.times().children_user
            try:
                found: object = _OF[detector](file, place)
            except (InputError, RulesError) as error:
                found = {f"broken: {str(error)[:200]}": True}
            seconds = process_time() + os.times().children_user - began
            verdicts[detector] = [found, round(seconds, 1)]
    print(json.dumps(verdicts))


def place_of(mutant: Mutant) -> range:
    """The lines of a planted text with those around it: its block of a rulebook, or some lines of a condition."""
    text = (mutant.source / mutant.file).read_text(encoding="utf-8")
    begin = text.index(mutant.old)
    begin += len(mutant.old) - len(mutant.old.lstrip("\n")) if mutant.new.startswith("\n") else 0
    planted = mutant.planted(text)
    end = begin + len(mutant.new)
    first, last = planted[:begin].count("\n") + 1, planted[:end].count("\n") + 1
    if not mutant.file.endswith(".md"):
        return range(first - SPARE, last + SPARE + 1)
    fences = [planted[: m.start()].count("\n") + 1 for m in _FENCE.finditer(planted)]
    above, below = [n for n in fences if n < first], [n for n in fences if n > last]
    inside = len(above) % 2 == 1
    return range(above[-1], below[0] + 1) if inside else range(first - SPARE, last + SPARE + 1)


def seen(mutant: Mutant | None, file: str, place: range, detectors: Sequence[str]) -> Mapping[str, list[object]]:
    """What the detectors find in a copy, each with seconds of processor time; None where the time was up."""
    with TemporaryDirectory(prefix="vclogic-mutant-") as name:
        shutil.copytree(EXAMPLES, name, dirs_exist_ok=True)
        if mutant is not None:
            mutant.plant(Path(name))
        env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
        lines = (str(place.start), str(place.stop - 1))
        command = [sys.executable, "-m", "mutants.texts", file, *lines, *detectors]
        try:
            done = subprocess.run(command, cwd=name, env=env, capture_output=True, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return {d: [{}, LIMIT] for d in detectors}
    out = done.stdout.decode().splitlines()
    if done.returncode or not out:
        said = done.stderr.decode().strip().splitlines()
        raise RuntimeError(f"{file}: {said[-1] if said else done.returncode}")
    found: Mapping[str, list[object]] = json.loads(out[-1])
    return found


@cache
def sound(file: str) -> Mapping[str, object]:
    """The findings of `check` in a text as it is."""
    found = seen(None, file, range(1, 2), ["check"])["check"][0]
    assert isinstance(found, dict)
    return found


def tried(mutant: Mutant | None, detectors: Sequence[str]) -> Mapping[str, Verdict]:
    """What the detectors say of a planted mistake; of none, how many rulings of the sound texts fail."""
    if mutant is None:
        files = sorted({m.file for m in mutants(TEXTS)})
        failed = [
            f for f in files if "rulings" in detectors and seen(None, f, range(1, 2), ["rulings"])["rulings"][0]
        ]
        return {"rulings": Verdict(bool(failed), ", ".join(failed))}
    verdicts = {}
    for detector, (found, seconds) in seen(mutant, mutant.file, place_of(mutant), detectors).items():
        assert isinstance(found, dict)
        assert isinstance(seconds, float | int)
        new = {k: at for k, at in found.items() if detector != "check" or k not in sound(mutant.file)}
        told = dict.fromkeys(_short(k, detector) for k, at in new.items() if at)
        elsewhere = dict.fromkeys(s for k, at in new.items() if not at and (s := _short(k, detector)) not in told)
        what = ", ".join([*told, *(f"({s})" for s in elsewhere)])
        verdicts[detector] = Verdict(bool(told), what, float(seconds))
    return verdicts


def _short(key: str, detector: str) -> str:
    return key if detector == "rulings" or key.startswith("broken") else key.partition(" ")[0]


if __name__ == "__main__":
    main(*sys.argv[1:])

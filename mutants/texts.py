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
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import vclogic
from mutants.lists import EXAMPLES, ROOT, TEXTS, Mutant, mutants
from mutants.sandbox import Verdict
from vclogic.check.findings import Finding
from vclogic.check.question import CheckQuestion
from vclogic.errors import InputError, RulesError
from vclogic.game import Game
from vclogic.query.test import test_all

ASKED = "asked"
"""What `check --rulings` asks about the planted line, where there is such an option."""
DETECTORS = (
    "check",
    "rulings",
    *([ASKED] if "rulings" in vars(CheckQuestion).get("__dataclass_fields__", {}) else []),
)
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
    more: Mapping[str, object] = {"rulings": True}
    found = loaded(file).check(timeout=CHECK_SECONDS, **more).open  # type: ignore[arg-type]
    own = [f for f in found if f.code.startswith("VC8")]
    return {key(f): True for f in own if any(p.line in place for p in f.places if p.file.endswith(file))}


_OF: Mapping[str, Callable[[str, range], Mapping[str, object]]] = {"check": check, "rulings": rulings, ASKED: asked}


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


HEAD = """## Rulebooks and conditions

Mistakes as designers make them (`mutants/lists/texts.yaml`), each planted alone into a rulebook, a house rule or a
scenario card of `examples`, and what tells it: the codes of `check` that the sound text has not, by which the mistake
counts as told where the finding stands in the planted block (or within three lines of a condition), or has no line to
stand at, such as of a place that nobody enters; codes in brackets stand elsewhere and do not count. Then how many
rulings fail. Seconds are of processor time, for both; `check` gets 30 by the clock: a busy machine finds less.
`python -m mutants texts --only TEXT` tries a part of them."""


def text_tables(results: Sequence[object]) -> str:
    """Every planted mistake with what tells it, as Markdown tables with sums by kind; empty without results."""
    from mutants.report import Result

    own = [r for r in results if isinstance(r, Result) and r.verdicts]
    if not own:
        return ""
    lines = [HEAD, "", "| kind | planted | check alone | rulings alone | both | neither |", "| --- " * 6 + "|"]
    kinds = Counter(r.mutant.breaks for r in own)
    for kind in (*sorted(kinds), ""):
        of = [r for r in own if not kind or r.mutant.breaks == kind]
        by = Counter(_by(r.verdicts) for r in of)
        cells = (by[True, False], by[False, True], by[True, True], by[False, False])
        lines.append(f"| {kind or '**all**'} | {len(of)} | {' | '.join(map(str, cells))} |")
    seconds = sorted(s for r in own if (s := _seconds(r.verdicts)) is not None)
    if seconds:
        lines += [
            "",
            f"Half of them took at most {seconds[len(seconds) // 2]:.1f} s, all at most {seconds[-1]:.0f} s.",
        ]
    for file in dict.fromkeys(r.mutant.file for r in own):
        heads = " | ".join(DETECTORS)
        lines += [
            "",
            f"### {file}",
            "",
            f"| mistake | kind | {heads} | seconds |",
            "| --- " * (3 + len(DETECTORS)) + "|",
        ]
        for r in (r for r in own if r.mutant.file == file):
            spent = _seconds(r.verdicts)
            took = "" if spent is None else f"{spent:.1f}"
            cells_ = " | ".join(r.said(d).replace("|", "\\|") for d in DETECTORS)
            lines.append(f"| {r.mutant.says} | {r.mutant.breaks} | {cells_} | {took} |")
    return "\n".join(lines)


def _seconds(verdicts: Mapping[str, Verdict]) -> float | None:
    """Seconds of processor time of all detectors; None where they were not counted."""
    known = [v.seconds for v in verdicts.values() if v.seconds is not None]
    return sum(known) if known else None


def _by(verdicts: Mapping[str, Verdict]) -> tuple[bool, bool]:
    return tuple(d in verdicts and verdicts[d].caught for d in ("check", "rulings"))  # type: ignore[return-value]


if __name__ == "__main__":
    main(*sys.argv[1:])

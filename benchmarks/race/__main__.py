"""`python -m benchmarks.race`: every row, every solver in a process of its own, and `benchmarks/RESULTS.md`."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

from benchmarks.machine import machine
from benchmarks.race import runs
from benchmarks.race.entries import GROUPS, Entrant, Row, rows
from benchmarks.race.instances import Instance
from benchmarks.race.judge import disagreements, flaw, flaw_of_ours
from benchmarks.race.results import OURS, Result, markdown, reason, reasons, seconds
from benchmarks.race.runs import NOT_RUN, Run

_QUICK = 5.0
_TIMES = 10.0  # a peer is stopped after so many times what the best before it took,
_LEAST = 5.0  # but not before so many seconds
_PACKAGES = ("clingo", "z3-solver", "ortools", "highspy", "Exact", "up-fast-downward")
_NOTES = Path(__file__).with_name("notes.md")
_CHOICES = Path(__file__).parents[1] / "choices.md"


def main() -> int:
    """Run the race that the command line asks for.

    Returns:
        1 if answers are wrong or do not agree, else 0.
    """
    chosen = _arguments()
    only = tuple(name for name in chosen.only.split(",") if name)
    began, before, versions = time.monotonic(), machine(), _versions(chosen.peers)
    results: list[Result] = []
    with tempfile.TemporaryDirectory() as folder:
        for row in rows(Path(folder), only):
            unfinished = {r.row.key: _unfinished(r) for r in results}
            results.append(_raced(row, Path(folder), chosen, unfinished))
            _report(results[-1])
            minutes = (time.monotonic() - began) / 60
            took = f"At most {chosen.limit:g} s a run, {minutes:.0f} minutes in all; at the end {machine()}."
            if chosen.write:  # after each row, so that a race that is broken off is not lost
                heading = [
                    versions,
                    "",
                    f"{time.strftime('%Y-%m-%d')}, {before}. {took}",
                    "",
                    _NOTES.read_text("utf-8"),
                ]
                text = markdown(results, heading, reasons())
                Path(chosen.write).write_text(f"{text}\n{_CHOICES.read_text('utf-8')}", encoding="utf-8")
    wrong = [f"{r.row.key}: {trouble}" for r in results for trouble in r.trouble]
    print(f"\n{len(results)} rows, {sum(r.lost for r in results)} lost; {took}", *wrong, sep="\n")
    return 1 if wrong else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.race", description="vclogic and its peers, side by side."
    )
    parser.add_argument("--peers", help="the Python that has the peers; without it vclogic runs alone")
    parser.add_argument("--only", default="", help=f"groups, with commas between them: {', '.join(GROUPS)}")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for one run of one solver")
    parser.add_argument("--quick", action="store_true", help=f"at most {_QUICK:g} seconds for one run")
    parser.add_argument("--write", default="", help="the file to write; none by default")
    chosen = parser.parse_args()
    unknown = [name for name in chosen.only.split(",") if name and name not in GROUPS]
    if unknown:
        parser.error(f"no group {', '.join(unknown)}; there are {', '.join(GROUPS)}")
    if chosen.quick:
        chosen.limit = min(chosen.limit, _QUICK)
    return chosen


# ---- a row


def _raced(row: Row, folder: Path, chosen: argparse.Namespace, unfinished: Mapping[str, set[str]]) -> Result:
    """One row: vclogic first, then each peer that finished the easier rows."""
    files, made = _written(row, folder)
    request = folder / "request.json"
    question = row.question
    asked = {"goal": question.goal, "asked": question.asked, "settings": dict(question.settings)} if question else {}
    plain = {"game": row.game, "goal": None, "settings": {}, "limit": chosen.limit, "command": row.command}
    request.write_text(json.dumps({**plain, **asked}))
    words = (
        ["plan", row.game, *question.words, "--timeout", f"{chosen.limit:g}"] if question else [row.command, row.game]
    )
    hopeless = {name for key in row.easier for name in unfinished.get(key, ())}
    command = runs.of_command(words, chosen.limit)
    process = runs.of_process(request, chosen.limit) if command.proved else NOT_RUN
    peers: dict[str, Run] = {}
    for entrant in row.entrants if chosen.peers else ():
        best = min((r.wall for r in (command, *peers.values()) if r.proved and r.wall), default=chosen.limit)
        limit = min(chosen.limit, max(_LEAST, _TIMES * best))
        missed = entrant.name in hopeless
        peers[entrant.name] = NOT_RUN if missed else _peer(chosen.peers, entrant, files[entrant.instance], limit)
    own = {OURS: command, f"{OURS} in one process": process} if question else {OURS: process}
    trouble = list(disagreements({**own, **peers}))
    trouble += [f"{name} failed: {run.trouble}" for name, run in own.items() if run.trouble]
    checked = {e.name: flaw(made[e.instance], peers[e.name]) for e in row.entrants if e.name in peers}
    if "" in made:
        checked |= {OURS: flaw_of_ours(made[""], command), f"{OURS} in one process": flaw_of_ours(made[""], process)}
    trouble += [f"{name}: {text}" for name, text in checked.items() if text]
    return Result(row, command, process, peers, trouble)


def _peer(python: str, entrant: Entrant, file: Path, limit: float) -> Run:
    run = runs.of_peer(python, entrant.module, file, limit, entrant.variant)
    solution = run.told.get("solution")
    if file.name.startswith("status") and solution:  # the time of one of many
        return replace(run, told={**run.told, "inside": solution[0]})
    return run


def _written(row: Row, folder: Path) -> tuple[dict[str, Path], Mapping[str, Instance]]:
    """The instances of a row, and their files."""
    made = row.make(row.load())
    files = {name: folder / f"{row.group} {name}.json" for name in made}
    for name, instance in made.items():
        files[name].write_text(json.dumps(instance), encoding="utf-8")
    return files, made


def _unfinished(result: Result) -> set[str]:
    return {name for name, run in result.peers.items() if not run.proved}


# ---- what is said


def _report(result: Result) -> None:
    """One line on the terminal, and what is wrong."""
    times = {OURS: (result.command.wall, result.process.inside, result.command.proved)}
    times |= {name: (run.wall, run.inside, run.proved) for name, run in result.peers.items() if run.wall is not None}
    said = [
        f"{name} {seconds(wall or 0.0)}{f'/{seconds(inside)}' if inside is not None else ''}{'' if proved else ' ✗'}"
        for name, (wall, inside, proved) in times.items()
    ]
    why = reason(result, reasons())
    print(f"{result.row.key} [{result.answer}]: {', '.join(said)}{f'  LOST: {why}' if why else ''}", flush=True)
    failed = [f"{name}: {run.trouble}" for name, run in result.peers.items() if run.trouble]
    for text in (*result.trouble, *failed):
        print(f"  !! {text}", flush=True)


def _versions(peers: str | None) -> str:
    """What was raced, in which version."""
    said = [f"vclogic {version('vclogic')} with z3 {version('z3-solver')} and HiGHS {version('highspy')}"]
    if peers:
        done = subprocess.run([peers, "-m", "pip", "list", "--format", "json"], capture_output=True, text=True)
        there = {p["name"].lower(): p["version"] for p in json.loads(done.stdout or "[]")}
        said.append(
            ", ".join(
                f"{name} {there.get(name.lower().replace('-', '_'), there.get(name.lower(), '?'))}"
                for name in _PACKAGES
            )
        )
    python = ".".join(map(str, sys.version_info[:3]))
    return f"{'; '.join(said)}; Python {python}, {os.cpu_count()} processors."


if __name__ == "__main__":
    sys.exit(main())

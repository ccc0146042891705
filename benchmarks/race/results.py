"""`RESULTS.md`: a table for each group, a line for each row, and a reason for each row that is lost."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from benchmarks.race.entries import GROUPS, Row
from benchmarks.race.runs import Run

REASONS = Path(__file__).with_name("reasons.yaml")
UNKNOWN = "reason not known"
OURS = "vclogic"
_CLOSE = 1.1  # times the first: within this it is a tie, which two runs would settle either way


@dataclass(frozen=True)
class Result:
    """What came of a row.

    Attributes:
        row: The row.
        command: vclogic as a process.
        process: vclogic in one Python process.
        peers: The others by name.
        trouble: What is wrong: answers that are not right, or do not agree.
    """

    row: Row
    command: Run
    process: Run
    peers: Mapping[str, Run]
    trouble: Sequence[str] = field(default_factory=tuple)

    @property
    def answer(self) -> str:
        """What was proved, in words."""
        proved = [run for run in (self.command, self.process, *self.peers.values()) if run.proved]
        if self.row.question is None:
            return "the same for all"
        if not proved:
            return "not proved"
        return "never" if proved[0].cost is None else str(proved[0].cost)

    def lead(self, *, inside: bool) -> tuple[str, float | None]:
        """Who is first, and how many times as long vclogic takes (None: it did not finish, or nobody did).

        Args:
            inside: Whether encoding and solving counts, not the process.
        """
        times = {name: _time(run, inside) for name, run in self.peers.items()}
        times = {OURS: _time(self.process if inside else self.command, inside), **times}
        finished = {name: seconds for name, seconds in times.items() if seconds is not None}
        if not finished:
            return "nobody", None
        first = min(finished, key=lambda name: finished[name])
        ours = finished.get(OURS)
        rest = [seconds for name, seconds in finished.items() if name != OURS]
        if ours is None or not rest:
            return first, None
        return first, ours / min(rest)

    @property
    def lost(self) -> bool:
        """Whether somebody is ahead of vclogic, as a process or inside, by more than what two runs differ."""
        for inside in (True, False):
            first, ratio = self.lead(inside=inside)
            if first not in (OURS, "nobody") and (ratio is None or ratio > _CLOSE):
                return True
        return False


def _time(run: Run, inside: bool) -> float | None:
    if not run.proved:
        return None
    return run.inside if inside else run.wall


def reasons(file: Path = REASONS) -> dict[str, str]:
    """Why rows are lost: by key, or by a pattern of keys such as `growth *`."""
    found = yaml.safe_load(file.read_text(encoding="utf-8")) or {}
    return {str(key): " ".join(str(text).split()) for key, text in found.items()}


def reason(result: Result, known: Mapping[str, str]) -> str:
    """Why a row is lost; empty if it is not.

    Args:
        result: The row.
        known: What is known; the first key that fits counts.
    """
    if not result.lost:
        return ""
    return next((text for key, text in known.items() if fnmatch.fnmatchcase(result.row.key, key)), UNKNOWN)


# ---- the tables


def markdown(results: Sequence[Result], heading: Iterable[str], known: Mapping[str, str]) -> str:
    """The whole file.

    Args:
        results: The rows.
        heading: What stands above the tables.
        known: Why rows are lost.
    """
    lines = ["# The race", "", *(text.strip() for text in heading)]
    lost = [r for r in results if r.lost]
    wrong = [f"- **{r.row.key}: {text}**" for r in results for text in r.trouble]
    if wrong:
        lines += ["", "**Answers that are wrong or do not agree:**", "", *wrong]
    lines += [
        "",
        f"{len(results)} rows; vclogic is first or level in {len(results) - len(lost)}, behind in {len(lost)}.",
    ]
    for group, title in GROUPS.items():
        rows = [r for r in results if r.row.group == group]
        if rows:
            lines += ["", f"## {title}", "", *_table(rows, known), "", *_used(rows)]
    return "\n".join(lines) + "\n"


def _table(rows: Sequence[Result], known: Mapping[str, str]) -> list[str]:
    names = list(dict.fromkeys(name for r in rows for name in r.peers))
    lines = _head(["question", "answer", OURS, "again", *names, "ratio", "first", "why not first"])
    for r in rows:
        ours = _cell(Run({**r.process.told, "proved": r.command.proved and r.process.proved}, r.command.wall))
        again = r.process.told.get("again")
        (outer, slower), (inner, more) = (r.lead(inside=inside) for inside in (False, True))
        cells = [
            r.row.title,
            r.answer,
            ours,
            "" if again is None else seconds(again),
            *(_cell(r.peers[name]) if name in r.peers else "" for name in names),
            f"{_factor(slower)} / {_factor(more)}",
            outer if outer == inner else f"{outer} / {inner}",
            reason(r, known),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def _factor(ratio: float | None) -> str:
    if ratio is None:
        return "–"
    return f"{ratio:,.0f}×" if ratio >= 10 else f"{ratio:.2g}×"


def _listed(spent: Mapping[str, Sequence[str]]) -> str:
    return "; ".join(f"{name} {', '.join(times)}" for name, times in spent.items())


def _used(rows: Sequence[Result]) -> list[str]:
    """What else solvers used: processor time, which a busy machine changes less, and memory."""
    most: dict[str, float] = {}
    spent: dict[str, list[str]] = {}
    for r in rows:
        for name, run in {OURS: r.process, **r.peers}.items():
            memory = run.told.get("memory")
            if memory is not None:
                most[name] = max(memory, most.get(name, 0.0))
        for name, run in {OURS: r.command, **r.peers}.items():
            finished = run.proved and run.cpu is not None
            spent.setdefault(name, []).append(seconds(run.cpu or 0.0) if finished else "–")
    return [
        f"Processor time of the whole process, row by row: {_listed(spent)}.",
        "",
        "Peak memory of the largest process, the most in this table, in MB: "
        f"{', '.join(f'{name} {megabytes:,.0f}' for name, megabytes in most.items())}.",
    ]


def _head(names: Sequence[str]) -> list[str]:
    return [f"| {' | '.join(names)} |", f"|{' --- |' * len(names)}"]


def _cell(run: Run) -> str:
    """Seconds of the process and inside it; or how far it came."""
    if run.trouble:
        return f"failed: {run.trouble}"
    if run.wall is None:
        return "–"
    if run.proved:
        return f"{seconds(run.wall)} / {'?' if run.inside is None else seconds(run.inside)}"
    lower = run.told.get("lower")
    known = [f"≤ {run.cost}"] if run.cost is not None else []
    known += [f"≥ {lower}"] if lower else []
    return " ".join([f"✗ {run.wall:.0f} s", *known])


def seconds(time: float) -> str:
    """A time with two figures that count: in seconds, or in microseconds if it is that short."""
    if time < 0.0001:
        return f"{time * 1e6:.2g} µs"
    return f"{time:.0f}" if time >= 10 else f"{time:.2g}"

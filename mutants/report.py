"""What the detectors say of each planted defect, as a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

from mutants.lists import Mutant
from mutants.sandbox import DETECTORS, Verdict
from mutants.tested import DETECTORS as RUNS


@dataclass(frozen=True)
class Result:
    """What each detector says of a defect.

    Attributes:
        mutant: The defect.
        verdicts: By detector; those that were not asked are missing.
    """

    mutant: Mutant
    verdicts: Mapping[str, Verdict]

    @property
    def caught(self) -> bool:
        """Whether anything noticed it."""
        return any(v.caught for v in self.verdicts.values())

    @property
    def plain(self) -> Mapping[str, object]:
        """All of it, for JSON."""
        return {**asdict(self.mutant), "verdicts": {d: asdict(v) for d, v in self.verdicts.items()}}

    def said(self, detector: str) -> str:
        """A cell of the table."""
        verdict = self.verdicts.get(detector)
        return "" if verdict is None else verdict.what or "-"

    def line(self) -> str:
        """The defect in a line of text."""
        found = [f"{d}: {v.what}" for d, v in self.verdicts.items() if v.caught]
        late = [f"{d}: {v.what}" for d, v in self.verdicts.items() if v.what and not v.caught]
        said = "; ".join(found + late)
        head = "caught" if self.caught else "NOT CAUGHT"
        return f"{head}  {self.mutant.game}: {self.mutant.name} ({said or 'nothing'})"


def summary(results: Sequence[Result]) -> str:
    """How many defects of each game are caught by what, as a Markdown table."""
    detectors = DETECTORS
    lines = [f"| game | defects | caught | {' | '.join(detectors)} |", "| --- " * (3 + len(detectors)) + "|"]
    for game in dict.fromkeys(r.mutant.game for r in results):
        own = [r for r in results if r.mutant.game == game]
        by = (_caught_of([r.verdicts[d] for r in own if d in r.verdicts]) for d in detectors)
        lines.append(f"| {game} | {len(own)} | {sum(r.caught for r in own)} | {' | '.join(by)} |")
    return "\n".join(lines)


def _caught_of(verdicts: Sequence[Verdict]) -> str:
    return f"{sum(v.caught for v in verdicts)} of {len(verdicts)}" if verdicts else ""


def by_code(results: Sequence[Result]) -> str:
    """How many defects each finding code of `check` notices, as a Markdown table."""
    said = [r.verdicts["check"].what for r in results if "check" in r.verdicts]
    codes = Counter(code for what in said if not what.startswith("broken") for code in what.split(", ") if code)
    broken = sum(what.startswith("broken") for what in said)
    rows = [*((code, str(n)) for code, n in sorted(codes.items())), ("the rule set cannot be built", str(broken))]
    return "\n".join(["| check says | defects |", "| --- | --- |", *(f"| {a} | {b} |" for a, b in rows)])


def tables(results: Sequence[Result]) -> str:
    """Every defect with what each detector says, a Markdown table for each game."""
    parts = []
    for game in dict.fromkeys(r.mutant.game for r in results):
        parts.append(f"## {game}\n\n{_table(r for r in results if r.mutant.game == game)}")
    return "\n\n".join(parts)


def _table(results: Iterable[Result]) -> str:
    detectors = DETECTORS
    lines = [f"| defect | clause | {' | '.join(detectors)} |", "| --- " * (2 + len(detectors)) + "|"]
    for r in results:
        cells = (r.said(d) for d in detectors)
        lines.append(f"| {r.mutant.says} | {r.mutant.breaks} | {' | '.join(cells)} |")
    return "\n".join(lines)


ENGINE_HEAD = """## engine

Defects of vclogic itself (`mutants/lists/engine.yaml`), each with the first test that notices it in a usual run, or
where none does in a long one, and the seconds of processor time until then. The tests are those that run the changed
lines, the cheapest first (`mutants/tested.py`). What they run is noted, for as many folders of tests as you name, by
`python3.12 -m pytest -p mutants.covered tests/FOLDER`; without notes `python -m mutants engine --only TEXT` asks the
test that noticed the defect last, which the list names. A defect that only a long run notices, or none, means that a
test is missing: it goes to the usual run."""


def engine_tables(results: Sequence[Result]) -> str:
    """Every defect of the engine with the test that notices it, as Markdown tables; empty without results."""
    if not results:
        return ""
    asked = [r for r in results if r.verdicts]
    by = Counter(next((d for d in RUNS if d in r.verdicts and r.verdicts[d].caught), "") for r in asked)
    kinds = Counter(r.mutant.breaks for r in results)
    caught = " | ".join(str(by[d]) for d in (*RUNS, ""))
    heads = " | ".join(f"a {d} run" for d in RUNS)
    lines = [ENGINE_HEAD, "", f"| defects | asked about | {heads} | nothing |", "| --- " * (3 + len(RUNS)) + "|"]
    lines += [f"| {len(results)} | {len(asked)} | {caught} |", "", "| kind of mistake | defects |", "| --- | --- |"]
    lines += [f"| {kind} | {n} |" for kind, n in sorted(kinds.items())]
    lines += ["", "| defect | file | kind | noticed by | seconds |", "| --- | --- | --- | --- | --- |"]
    for r in results:
        nobody = Verdict(False, "-" if r.verdicts else "not asked yet")
        verdict = next((v for v in r.verdicts.values() if v.caught), nobody)
        seconds = "" if verdict.seconds is None else f"{verdict.seconds:.1f}"
        test = verdict.what.removeprefix("tests/").replace("|", "\\|")
        file = r.mutant.file.removeprefix("vclogic/")
        lines.append(f"| {r.mutant.says} | {file} | {r.mutant.breaks} | {test} | {seconds} |")
    return "\n".join(lines)

"""What the detectors say of each planted defect, as tables, and a page with one of its sections written anew."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

from mutants.lists import Mutant
from mutants.opinion import DETECTOR as OPINION
from mutants.opinion import GUESSES
from mutants.sandbox import DETECTORS, Verdict
from mutants.tested import DETECTORS as RUNS
from mutants.texts import DETECTORS as TRIED


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
    asked = [r for r in results if any(d in r.verdicts for d in RUNS)]
    if not asked:
        return ""
    by = Counter(next((d for d in RUNS if d in r.verdicts and r.verdicts[d].caught), "") for r in asked)
    kinds = Counter(r.mutant.breaks for r in results)
    caught = " | ".join(str(by[d]) for d in (*RUNS, ""))
    heads = " | ".join(f"a {d} run" for d in RUNS)
    lines = [ENGINE_HEAD, "", f"| defects | asked about | {heads} | nothing |", "| --- " * (3 + len(RUNS)) + "|"]
    lines += [f"| {len(results)} | {len(asked)} | {caught} |", "", "| kind of mistake | defects |", "| --- | --- |"]
    lines += [f"| {kind} | {n} |" for kind, n in sorted(kinds.items())]
    lines += ["", "| defect | file | kind | noticed by | seconds |", "| --- | --- | --- | --- | --- |"]
    for r in results:
        nobody = Verdict(False, "-" if r in asked else "not asked yet")
        verdict = next((v for d, v in r.verdicts.items() if d in RUNS and v.caught), nobody)
        seconds = "" if verdict.seconds is None else f"{verdict.seconds:.1f}"
        test = verdict.what.removeprefix("tests/").replace("|", "\\|")
        file = r.mutant.file.removeprefix("vclogic/")
        lines.append(f"| {r.mutant.says} | {file} | {r.mutant.breaks} | {test} | {seconds} |")
    return "\n".join(lines)


OPINION_HEAD = """## The second opinion alone

What cvc5 notices by itself of these defects of encoders, searches and proofs (`python -m mutants engine --detectors
opinion`). Some hundreds of small questions whose right answers are known (`mutants/nevers.py`: random terms with
numbers up to 10^36, graphs, goals of positions, small systems with each proof and search alone) are asked of z3 or
HiGHS with the defect, and what each "never" claims goes to cvc5. What was expected was written down before the run
(`opinion` in the list).

cvc5 gets the terms of the final claims in another text. So it sees what is wrong in the text for z3, in the programs
for HiGHS and in what a session keeps between questions. It cannot see that the terms are wrong, for it gets the same
ones; nor what both texts share, which is how facts with several values and what is reached become Booleans; nor that
something else should have been claimed. That is for the tests, which compare with other programs: the table of the
engine names for each defect the test that notices it. Where all questions are answered right, they hold nothing that
the defect spoils, or it takes away a check behind which another one stands."""


def opinion_table(results: Sequence[Result]) -> str:
    """What the second opinion alone says of each defect, as Markdown tables; empty where it was not asked."""
    own = [r for r in results if r.mutant.opinion and OPINION in r.verdicts]
    if not own:
        return ""
    lines = [OPINION_HEAD, "", "| outcome | what it means | defects |", "| --- | --- | --- |"]
    by = Counter(_outcome(r.verdicts[OPINION]) for r in own)
    lines += [f"| {kind} | {said} | {by[kind]} |" for kind, said in GUESSES.items()]
    lines += [f"| right | all questions are answered right | {by['right']} |", ""]
    lines += ["| defect | file | expected | questions not answered right |", "| --- | --- | --- | --- |"]
    for r in sorted(own, key=lambda r: [*GUESSES, "right"].index(_outcome(r.verdicts[OPINION]))):
        file = r.mutant.file.removeprefix("vclogic/")
        told = r.verdicts[OPINION]
        right = r.mutant.opinion == _outcome(told) or (r.mutant.opinion == "weaker" and not told.what)
        guess = r.mutant.opinion if right else f"{r.mutant.opinion} (wrong)"
        lines.append(f"| {r.mutant.says} | {file} | {guess} | {told.what or '-'} |")
    return "\n".join(lines)


def _outcome(told: Verdict) -> str:
    """The first of the outcomes that a verdict counts."""
    return next((kind for part in told.what.split(", ") if (kind := part.partition(" ")[2]) in GUESSES), "right")


TEXTS_HEAD = """## Rulebooks and conditions

Mistakes as designers make them (`mutants/lists/texts.yaml`), each planted alone into a rulebook, a house rule or a
scenario card of `examples`, and what tells it: the codes of `check` that the sound text has not, by which the mistake
counts as told where the finding stands in the planted block (or within three lines of a condition), or has no line to
stand at, such as of a place that nobody enters; codes in brackets stand elsewhere and do not count. Then how many
rulings fail. Seconds are of processor time, for both; `check` gets 30 by the clock: a busy machine finds less.
`python -m mutants texts --only TEXT` tries a part of them."""


def text_tables(results: Sequence[Result]) -> str:
    """Every planted mistake with what tells it, as Markdown tables with sums by kind; empty without results."""
    own = [r for r in results if r.verdicts]
    if not own:
        return ""
    lines = [TEXTS_HEAD, "", "| kind | planted | check alone | rulings alone | both | neither |", "| --- " * 6 + "|"]
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
        heads = " | ".join(TRIED)
        lines += [
            "",
            f"### {file}",
            "",
            f"| mistake | kind | {heads} | seconds |",
            "| --- " * (3 + len(TRIED)) + "|",
        ]
        for r in (r for r in own if r.mutant.file == file):
            spent = _seconds(r.verdicts)
            took = "" if spent is None else f"{spent:.1f}"
            cells_ = " | ".join(r.said(d).replace("|", "\\|") for d in TRIED)
            lines.append(f"| {r.mutant.says} | {r.mutant.breaks} | {cells_} | {took} |")
    return "\n".join(lines)


def _seconds(verdicts: Mapping[str, Verdict]) -> float | None:
    """Seconds of processor time of all detectors; None where they were not counted."""
    known = [v.seconds for v in verdicts.values() if v.seconds is not None]
    return sum(known) if known else None


def _by(verdicts: Mapping[str, Verdict]) -> tuple[bool, bool]:
    return tuple(d in verdicts and verdicts[d].caught for d in ("check", "rulings"))  # type: ignore[return-value]


def with_section(page: str, section: str) -> str:
    """A page with a section in place of the one with the same heading, or before the last one."""
    heading = section.partition("\n")[0]
    parts = re.split(r"^(?=## )", page, flags=re.MULTILINE)
    kept = [part for part in parts if part.partition("\n")[0] != heading]
    place = next((i for i, part in enumerate(parts) if part not in kept), len(kept) - 1)
    text = "".join((*kept[:place], section.strip() + "\n\n", *kept[place:]))
    return text.rstrip("\n") + "\n"

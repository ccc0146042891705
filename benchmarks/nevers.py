"""Who confirms each "never": of the commands in README and docs, of the race, and of tests.

`python -m benchmarks.nevers docs race heavy` asks. `python -m pytest -p benchmarks.nevers tests/query` notes what
tests ask in the file that `VCLOGIC_NEVERS` names, a line each; `python -m benchmarks.nevers FILE` adds them to the
table.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import shlex
import statistics
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import vclogic
from benchmarks.heavy_questions import QUESTIONS, arguments_of, file_of
from benchmarks.race.entries import rows
from tests.fixtures.pages import blocks, commands, files
from vclogic.errors import InputError, RulesError
from vclogic.query import question
from vclogic.query.compare.answer import Comparison
from vclogic.query.missing.nearest import Missing
from vclogic.query.plan.answer import Plan
from vclogic.query.reach.answer import Reach
from vclogic.solve.backends.claims import Contradicted
from vclogic.solve.problem import ProofMethod

NOTED = "VCLOGIC_NEVERS"
"""The variable that names the file for what tests ask."""
ASKING = ("plan", "reach", "missing", "compare", "check", "ask", "solve", "objectives")
ROOT = Path(__file__).parents[1]
RACE_SECONDS, HEAVY_SECONDS = 60.0, 10.0
CONFIRMED = ("cvc5", "whole numbers", "each position once more")
"""Who confirms a "never" without z3."""
OTHERS = ("terms", "z3 alone", "nobody", "contradicted")


@dataclass(frozen=True)
class Never:
    """A "never" of an answer.

    Attributes:
        source: Where it is asked.
        question: The question, with the game.
        method: Its proof.
        by: Who confirms it.
        seconds: How long cvc5 took for the answer; None: it was not asked.
    """

    source: str
    question: str
    method: str
    by: str
    seconds: float | None


# ---- of one answer


def of_answer(answer: Any) -> Iterator[tuple[str, str]]:
    """The method of each "never" in an answer, with who confirms it."""
    match answer:
        case Reach(status="unreachable", proof=proof) if proof is not None:
            yield proof.method, _by(proof.confirmed_by, proof.method, again=proof.rechecked)
        case Comparison(status="equal", proof=proof) if proof is not None:
            yield proof.method, _by(proof.confirmed_by, proof.method, again=proof.rechecked)
        case Plan(status="optimal" | "impossible", bound_by=str(method)) if answer.cost != 0:
            whole = "whole numbers" in method or method == ProofMethod.CLOSURE.value
            by = "whole numbers" if whole else answer.confirmed_by
            yield method, _by(by, method, again=False)
        case Missing():
            for conflict in answer.conflicts:
                yield "a contradiction", _by(conflict.confirmed_by, "", again=conflict.rechecked)
        case _:
            for finding in getattr(answer, "findings", ()):
                if proof := getattr(finding, "proof", None):
                    said = next((by for by in ("cvc5", "z3", "terms") if by in proof), "")
                    yield "a finding", _by(said, "", again=True)


def _by(said: str, method: str, *, again: bool) -> str:
    if method == ProofMethod.EXHAUSTIVE.value:
        return "each position once more" if again else "nobody"
    if method == ProofMethod.IDENTICAL.value:
        return "terms"
    if said == "z3" or (again and not said):
        return "z3 alone"
    return "cvc5" if said.startswith("cvc5") else said or "nobody"


@contextlib.contextmanager
def noting(source: str, note: Callable[[Never], object]) -> Iterator[None]:
    """Note every "never" that is answered meanwhile."""
    answered = question.answer_request

    def heard(request: question.Request) -> Any:
        name = f"{request.setup.game} {type(request.question).__name__}"
        try:
            found = answered(request)
        except Contradicted:
            note(Never(source, name, "", "contradicted", None))
            raise
        spent = sum(o.spent for o in request.opinions) if any(o.spent for o in request.opinions) else None
        goal = getattr(request.question, "goal", "")
        for method, by in of_answer(found):
            note(Never(source, f"{name} {goal}", method, by, spent))
        return found

    question.answer_request = heard
    try:
        yield
    finally:
        question.answer_request = answered


_SESSION = contextlib.ExitStack()


def pytest_sessionstart() -> None:
    """As a plugin: write down what tests ask."""
    file = Path(os.environ[NOTED])

    def note(never: Never) -> None:
        with file.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(asdict(never)) + "\n")

    _SESSION.enter_context(noting("tests", note))


# ---- the sources


def docs() -> None:
    """Ask what the console blocks of README and docs ask."""
    from vclogic.cli.main import run

    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]:
        with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
            Path("docs").mkdir()
            Path("examples").symlink_to(ROOT / "examples")
            files(page.read_text(encoding="utf-8"), Path(name))
            for block in blocks(page.read_text(encoding="utf-8")):
                for command in commands(block) if block.language == "console" else ():
                    words = shlex.split(command.words, comments=True)
                    words = words[: next((i for i, w in enumerate(words) if w in ("|", ">", "&&")), len(words))]
                    if words[:1] == ["vclogic"] and words[1:2] and words[1] in ASKING:
                        with contextlib.redirect_stdout(io.StringIO()):
                            run(words[1:])


def race() -> None:
    """Ask the rows of the race."""
    with tempfile.TemporaryDirectory() as folder:
        for row in rows(Path(folder)):
            if row.question is not None:
                row.load().plan(row.question.goal, timeout=RACE_SECONDS, **row.question.asked)


def heavy() -> None:
    """Ask the heaviest questions of each command and game."""
    with tempfile.TemporaryDirectory() as folder:
        for asked in QUESTIONS:
            game = vclogic.load(file_of(asked.game, folder), settings=asked.settings)
            with contextlib.suppress(InputError, RulesError):
                getattr(game, asked.command)(timeout=HEAVY_SECONDS, **arguments_of(game, asked))


SOURCES: dict[str, Callable[[], None]] = {"docs": docs, "race": race, "heavy": heavy}


# ---- the table


def table(nevers: Sequence[Never]) -> str:
    """How many of each source and kind are confirmed by whom, and how long that took, as Markdown."""
    heads = (*CONFIRMED, *OTHERS)
    lines = [
        f"| source | nevers | confirmed without z3 | {' | '.join(heads)} | cvc5 asked | median | worst |",
        "| --- " * (6 + len(heads)) + "|",
    ]
    for source in (*dict.fromkeys(n.source for n in nevers), ""):
        lines.append(_row(source or "**all**", [n for n in nevers if source in ("", n.source)]))
    lines += ["", f"| proof | nevers | {' | '.join(heads)} |", "| --- " * (2 + len(heads)) + "|"]
    for method, number in Counter(n.method for n in nevers).most_common():
        by = Counter(n.by for n in nevers if n.method == method)
        lines.append(f"| {method} | {number} | {' | '.join(str(by[h] or '') for h in heads)} |")
    return "\n".join(lines)


def _row(name: str, nevers: Sequence[Never]) -> str:
    by = Counter(n.by for n in nevers)
    good = sum(by[h] for h in CONFIRMED)
    spent = [n.seconds for n in nevers if n.seconds is not None]
    median, worst = (statistics.median(spent), max(spent)) if spent else (0.0, 0.0)
    counts = " | ".join(str(by[h] or "") for h in (*CONFIRMED, *OTHERS))
    share = f"{100 * good / max(len(nevers), 1):.0f} %"
    return f"| {name} | {len(nevers)} | {share} | {counts} | {len(spent)} | {median:.2f} s | {worst:.1f} s |"


def main() -> None:
    """Ask what the command line names, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.nevers", description=__doc__)
    parser.add_argument("sources", nargs="+", help=f"of {', '.join(SOURCES)}, or files of what was noted")
    parser.add_argument("--note", type=Path, help="write each never there too, one a line")
    parser.add_argument("--open", action="store_true", help="list those that nobody but z3 confirms")
    asked = parser.parse_args()
    found: list[Never] = []
    for source in asked.sources:
        if source in SOURCES:
            with noting(source, found.append):
                SOURCES[source]()
        else:
            lines = Path(source).read_text(encoding="utf-8").splitlines()
            found += [Never(**json.loads(line)) for line in lines]
    if asked.note:
        asked.note.write_text("".join(json.dumps(asdict(n)) + "\n" for n in found), encoding="utf-8")
    print(table(found))
    if asked.open:
        print("", *(f"{n.by}: {n.question} ({n.method})" for n in found if n.by not in CONFIRMED), sep="\n")


if __name__ == "__main__":
    main()

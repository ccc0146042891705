"""False alarms of `check`: sound games, each finding on them judged by hand in `judged.yaml`.

`python -m mutants.judged [TEXT]` checks the games whose name holds the text and prints what is not judged yet, as an
entry to fill in, and what is judged and not found any more; `--write FILE` puts the table into a page.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

import vclogic
from mutants.lists import EXAMPLES, ROOT
from mutants.report import with_section
from tests.fixtures.twelve import conditions, typed
from vclogic.files.folder import position_files
from vclogic.files.registry import encoding_names, scenario_names

FILE = Path(__file__).parent / "judged.yaml"
SECONDS = 30.0
MOST = 1_000
BESIDE = ("vclogic/templates/rulebook.md",)
_TWELVE = "tests/rulebook/twelve"


@dataclass(frozen=True)
class Judged:
    """A finding on a game that is played as it is, and what a reader of the rules says of it.

    Attributes:
        game: The game.
        code: The finding's code.
        rule: What it is about.
        alarm: `true`: the text really has that; `false`: it has not, or it is no matter to a designer.
        why: The reason.
    """

    game: str
    code: str
    rule: str
    alarm: bool
    why: str


def judged() -> list[Judged]:
    """The judged findings."""
    return [Judged(**entry) for entry in yaml.safe_load(FILE.read_text(encoding="utf-8"))]


def games() -> dict[str, Any]:
    """What is checked, by its name: installed scenarios, examples, cards, rulebooks of the documentation."""
    found: dict[str, Any] = {f"{g}/{s}": f"{g}/{s}" for g in encoding_names() for s in scenario_names(g)}
    files = [os.path.relpath(f.path, ROOT) for f in position_files(str(EXAMPLES), MOST)]
    found |= {file: file for file in (*sorted(files), *BESIDE)}
    return found | {f"{_TWELVE}: {name}": typed(file, name) for file, name in conditions()}


def checked(names: Mapping[str, Any]) -> Iterator[tuple[str, list[tuple[str, str, str]]]]:
    """The findings of each game: code, rule, message."""
    os.chdir(ROOT)
    for name, game in names.items():
        answer = vclogic.load(game).check(timeout=SECONDS)
        yield name, [(f.code, f.rule, f.message) for f in answer.open]


def table(found: Mapping[str, Sequence[tuple[str, str, str]]], known: Sequence[Judged]) -> str:
    """The findings with their judgements, as Markdown, and the share of false alarms."""
    by = {(j.game, j.code, j.rule): j for j in known}
    rows = [
        (name, *finding, by.get((name, *finding[:2]))) for name, findings in found.items() for finding in findings
    ]
    wrong = sum(j is not None and not j.alarm for *_, j in rows)
    share = f"{100 * wrong / len(rows):.1f} %" if rows else "none"
    silent = sum(not findings for findings in found.values())
    lines = [
        "## False alarms",
        "",
        f"`check` on {len(found)} games that are played as they are: the scenarios of the five games, the examples,",
        "their scenario cards and rulebooks, those of the documentation. Each finding was judged by hand",
        "(`mutants/judged.yaml`); `python -m mutants.judged` says what is not judged yet.",
        "",
        "| games | without a finding | findings | of them false | share |",
        "| --- | --- | --- | --- | --- |",
        f"| {len(found)} | {silent} | {len(rows)} | {wrong} | {share} |",
        "",
        "| game | code | about | judged | why |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name, code, rule, _, j in rows:
        verdict = "not yet" if j is None else "true" if j.alarm else "**false**"
        lines.append(f"| {name} | {code} | {rule} | {verdict} | {'' if j is None else j.why} |".replace("||", "| |"))
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> int:
    """Checks the games and prints what is not judged.

    Returns:
        1 if something is not judged, or judged and not found.
    """
    parser = argparse.ArgumentParser(prog="python -m mutants.judged", description=__doc__)
    parser.add_argument("only", nargs="?", default="", metavar="TEXT")
    parser.add_argument("--write", type=Path, metavar="FILE")
    asked = parser.parse_args(arguments)
    page = asked.write and asked.write.resolve()
    chosen = {name: game for name, game in games().items() if asked.only in name}
    known, found = judged(), dict[str, list[tuple[str, str, str]]]()
    by = {(j.game, j.code, j.rule) for j in known if j.game in chosen}
    new = 0
    for name, findings in checked(chosen):
        found[name] = findings
        for code, rule, message in findings:
            if (name, code, rule) not in by:
                new += 1
                entry = {"game": name, "code": code, "rule": rule, "alarm": None, "why": message}
                print(yaml.safe_dump([entry], sort_keys=False, width=1000).strip(), flush=True)
    there = {(name, code, rule) for name, findings in found.items() for code, rule, _ in findings}
    gone = sorted(by - there)
    for name, code, rule in gone:
        print(f"# not found any more: {name} {code} {rule}")
    if page is not None:
        page.write_text(with_section(page.read_text(encoding="utf-8"), table(found, known)), encoding="utf-8")
    return 1 if new or gone else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

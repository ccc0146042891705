"""`python -m mutants [GAME | engine] ...`: plants each defect in turn, and shows what notices it."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from mutants import opinion, tested, texts
from mutants.lists import ENGINE, TEXTS, Mutant, games, mutants
from mutants.report import (
    Result,
    by_code,
    engine_tables,
    opinion_table,
    summary,
    tables,
    text_tables,
    with_section,
)
from mutants.sandbox import DETECTORS, Verdict, examined, sandbox

CODES = Path(__file__).parent / "codes.md"
"""What each finding code found in the texts, and its lines of code."""
HEAD = """# Planted rule defects

Written by `make mutants`. Each encoding with one rule spoilt at a time, and what notices it: how many rulings fail,
the codes of what `vclogic check` finds, the first test of conformance that fails; `-` where it finds nothing, empty
where it was not asked. What a text means only rulings can say; the other two notice what contradicts itself.

The defects stand in `mutants/lists/`, each as a text of the encoding and what replaces it. The encoding is copied to
a temporary folder that comes first on the path; `python -m mutants GAME --only TEXT --detectors rulings` tries a part
of them. All of them with all three detectors take an hour or more. A defect that nothing notices means that a ruling
is missing: it goes to the encoding's `cases/`.
"""


def tried(game: str, mutant: Mutant | None, detectors: Sequence[str] | None) -> Mapping[str, Verdict]:
    """What some detectors, or all, say of an encoding or the engine with a defect, or of the sound one."""
    if game == ENGINE:
        found = tested.tried(mutant, [d for d in tested.DETECTORS if detectors is None or d in detectors])
        asked = (mutant is None or mutant.opinion) and (detectors is None or opinion.DETECTOR in detectors)
        return {**found, opinion.DETECTOR: opinion.tried(mutant)} if asked else found
    if game == TEXTS:
        return texts.tried(mutant, [d for d in texts.DETECTORS if detectors is None or d in detectors])
    detectors = [d for d in DETECTORS if detectors is None or d in detectors]
    with sandbox(game, mutant) as folder:
        return {d: examined(folder, game, d) for d in detectors}


def main(arguments: Sequence[str]) -> int:
    """Plants the defects and prints what notices them.

    Returns:
        0 if every defect is noticed, 1 if not, or if a detector finds fault with a sound encoding.
    """
    parser = argparse.ArgumentParser(prog="python -m mutants", description=__doc__)
    parser.add_argument(
        "games", nargs="*", metavar="GAME", help=f"of {', '.join((*games(), TEXTS, ENGINE))}; all if none is named"
    )
    parser.add_argument("--only", metavar="TEXT", default="", help="defects whose name holds the text")
    parser.add_argument(
        "--detectors",
        nargs="+",
        choices=(*DETECTORS, *tested.DETECTORS, opinion.DETECTOR, *texts.DETECTORS),
        help="all if none is named",
    )
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="try so many defects side by side")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the tables there, as Markdown")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all verdicts there, as JSON")
    asked = parser.parse_args(arguments)
    listed = (*games(), TEXTS, ENGINE)
    if unknown := [g for g in asked.games if g not in listed]:
        parser.error(f"there is no list for {', '.join(unknown)}; there is one for {', '.join(listed)}")
    results: list[Result] = []
    sound = True
    for game in asked.games or listed:
        for detector, verdict in tried(game, None, asked.detectors).items():
            if verdict.caught:
                sound = False
                print(f"{game}: {detector} finds fault with what is sound: {verdict.what}", flush=True)
        chosen = [m for m in mutants(game) if asked.only in m.name]
        with ThreadPoolExecutor(asked.jobs) as jobs:  # each detector is a process of its own
            looked = jobs.map(lambda m, g=game: Result(m, tried(g, m, asked.detectors)), chosen)
            for result in looked:
                results.append(result)
                print(result.line(), flush=True)
    of_engine = [r for r in results if r.mutant.game == ENGINE]
    of_games = [r for r in results if r.mutant.game not in (ENGINE, TEXTS)]
    of_texts = text_tables([r for r in results if r.mutant.game == TEXTS])
    by_opinion = opinion_table(of_engine)
    print(f"\n{summary(of_games)}\n\n{of_texts}\n\n{engine_tables(of_engine)}\n\n{by_opinion}")
    if asked.write is not None:
        about = CODES.read_text(encoding="utf-8").strip()
        parts = (
            HEAD,
            summary(of_games),
            by_code(of_games),
            about,
            tables(of_games),
            of_texts,
            engine_tables(of_engine),
            by_opinion,
        )
        page = "\n\n".join(part.strip() for part in parts if part) + "\n"
        if asked.games == [TEXTS] and asked.write.exists():
            page = with_section(asked.write.read_text(encoding="utf-8"), of_texts)
        elif asked.detectors == [opinion.DETECTOR] and asked.write.exists():
            page = with_section(asked.write.read_text(encoding="utf-8"), by_opinion)
        asked.write.write_text(page, encoding="utf-8")
    if asked.json is not None:
        asked.json.write_text(json.dumps([r.plain for r in results], indent=1), encoding="utf-8")
    return 0 if sound and all(r.caught for r in results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

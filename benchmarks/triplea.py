"""A hunt: maps of TripleA, loaded as rulebooks, against stored answers of its engine.

`python -m benchmarks.triplea MAPS ANSWERS [NAME ...]`: a folder of maps (`NAME.xml`, with
`NAME.notifications.properties` where a map has one) and a folder of answers (`NAME.json.gz`). Each position is set as
a state of the game, and every condition, sum and winner is compared. It ends with 1 where an answer differs.
"""

from __future__ import annotations

import gzip
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import vclogic
from vclogic.triplea.book import MOST_UNITS, MapBook
from vclogic.triplea.expressions import pair_name
from vclogic.triplea.folder import keys_of
from vclogic.triplea.game import read_map
from vclogic.triplea.naming import quoted_name
from vclogic.triplea.victories import ROUND_ENDS, WayToWin


def main() -> None:
    """Compare the maps that are named, or all."""
    maps, answers, *names = sys.argv[1:]
    files = sorted(Path(answers).glob("*.json.gz"))
    wrong = 0
    print(f"{'map':55} {'conditions':>12} {'wrong':>6} {'sums':>6} {'winners':>8} {'steps':>6} {'seconds':>8}")
    for file in files:
        name = file.name.removesuffix(".json.gz")
        if not names or any(n in name for n in names):
            wrong += compared(Path(maps, f"{name}.xml"), json.loads(gzip.decompress(file.read_bytes())))
    sys.exit(wrong > 0)


def compared(path: Path, answers: Mapping[str, Any]) -> int:
    """The number of differences between a map as a rulebook and the engine's answers; a row is printed."""
    began = time.process_time()
    notifications = path.with_name(f"{path.stem}.notifications.properties")
    keys = keys_of(notifications.read_text()) if notifications.exists() else ()
    book = MapBook(read_map(path.read_bytes(), str(path)), keys)
    start = vclogic.load(str(path))
    words = [book.expressions.word(key) for key in answers["conditions"]]
    sums = [
        f"{measure}({quoted_name(a)})"
        for a in answers["alliances"]
        if a in book.sides
        for measure in ("cities", "production_of")
    ]
    victories = list(book.victories.found)
    counted = Counter[str]()
    games: dict[tuple[tuple[str, int | str], ...], Any] = {}
    for position in ({"round": 1, **answers["start"]}, *answers["positions"]):
        options = book.options(position.get("property", {}))
        key = tuple(sorted(options.items()))
        if key not in games:
            game = start.with_options(**options) if options else start
            games[key] = game, game.compile([*words, *sums, *(v.condition for v in victories)])
        game, evaluate = games[key]
        values = evaluate(game.at_state(_state(book, game, position)))
        held, rest = values[: len(words)], values[len(words) :]
        counted["conditions"] += len(words)
        counted["wrong"] += sum(h != (told == "1") for h, told in zip(held, position["holds"], strict=True))
        told = [n for a in answers["alliances"] if a in book.sides for n in position["sums"][a]]
        counted["sums"] += [*rest[: len(sums)]] != told
        met = [v for v, m in zip(victories, rest[len(sums) :], strict=True) if m]
        counted["winners"] += not _agrees(
            position, [v for v in met if v.moment == ROUND_ENDS and not v.steps], "winner"
        )
        steps = {step: v.winners for v in reversed(met) for step in v.steps}
        told_steps = {s: sorted(w["winner"]) for s, w in position.get("at_step", {}).items() if w and w["winner"]}
        counted["steps"] += told_steps != {s: sorted(w) for s, w in steps.items()}
    seconds = time.process_time() - began
    row = " ".join(
        f"{counted[k]:{w}}" for k, w in (("conditions", 12), ("wrong", 6), ("sums", 6), ("winners", 8), ("steps", 6))
    )
    print(f"{path.stem[:55]:55} {row} {seconds:8.1f}", flush=True)
    return sum(counted[k] for k in ("wrong", "sums", "winners", "steps"))


def _agrees(position: Mapping[str, Any], met: list[WayToWin], key: str) -> bool:
    """True if the first victory that is met is the engine's, or one of those that it may take."""
    told = position[key]
    if not met or told is None:
        return not met and told is None
    if position.get("one_of"):
        return bool(met[0].rule == position["by"])
    return sorted(met[0].winners) == sorted(told) and bool(met[0].rule == position["by"])


def _state(book: MapBook, game: Any, position: Mapping[str, Any]) -> dict[str, Any]:
    """A position as facts of the rulebook."""
    owner = {t: p for p, of in position.get("owner", {}).items() for t in of}
    state: dict[str, Any] = {"owner": owner} if owner else {}
    known = game.state_dict()
    if "round" in known:
        state["round"] = position["round"]
    units = {k: n for k, n in book.game.units.items() if k[0] not in position.get("clear", ())}
    for territory, player, kind, number in position.get("units", ()):
        units[territory, player, kind] = units.get((territory, player, kind), 0) + number
    if book.expressions.stacks:
        state["units"] = dict(_stacks(book, units))
    relations = {book.game.pair(a, b): (kind, since) for a, b, kind, since in position.get("relation", ())}
    if "relation" in known:
        state["relation"] = {pair_name(*pair): kind for pair, (kind, _) in relations.items()}
        state["since"] = {pair_name(*pair): since for pair, (_, since) in relations.items()}
    techs = position.get("techs", {})
    if "knows" in known:
        state["knows"] = {p: {t: True for t in of if t in known["knows"][p]} for p, of in techs.items()}
    if position.get("switch"):
        state["on"] = dict(position["switch"])
    return state


def _stacks(book: MapBook, units: Mapping[tuple[str, str, str], int]) -> Iterator[tuple[str, int]]:
    by_player: dict[str, list[tuple[tuple[str, str, str], int]]] = {}
    for key, number in units.items():
        by_player.setdefault(key[1], []).append((key, number))
    for stack, name in book.expressions.stacks.items():
        yield name, min(stack.amount(book.game, by_player.get(stack.player, ())), MOST_UNITS)


if __name__ == "__main__":
    main()

"""A random search for inputs that break the program: changed positions, boards, records, goals, plans and words.

Every example is what its number makes of it, so a failure comes back with the same number. What a search finds gets
an entry of its own in the fixed sample.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

import vclogic
from tests.cli.conftest import Run
from tests.hostile.attempts import Attempt
from tests.hostile.test_hostile import check
from vclogic.files.registry import encoding_names
from vclogic.files.rulings.case_files import load_cases
from vclogic.files.write import write_position

pytestmark = pytest.mark.slow

FIRST = int(os.environ.get("FIRST_EXAMPLE", "0"))
EACH = 25 * int(os.environ.get("MORE_EXAMPLES", "1"))
ANY = (0, 1, 2, 3)
GAMES = tuple(encoding_names())
JUNK = [
    *"[]{}:,-#&*!|>'\"%@`?~\t\n\\ ",
    *"\x00\x1b\x85\u202e\ufeff😀é",
    "- ",
    ": ",
    "? ",
    "'4,3'",
    "4,3",
    "null",
    "<<",
]
VALUES: list[Any] = [None, True, -1, 0, 1, 10**12, 0.5, "", "x", [], {}, [[]], {"": None}, ["x"], "4,3", "9" * 5_000]
SIGNS = [
    "and",
    "or",
    "not",
    "(",
    ")",
    ",",
    "+",
    "-",
    "*",
    "==",
    "!=",
    "<",
    ">=",
    "1",
    "0",
    "999999999",
    "'",
    '"',
    ".",
]


@cache
def positions(game: str) -> tuple[str, ...]:
    """Sound positions of a game: of its scenarios and rulings, the board inline in the last."""
    found = []
    for case in load_cases(game)[::7]:
        try:
            found.append(write_position(case.setup()))
        except ValueError:
            continue
    setup = vclogic.load(game).setup
    board = yaml.safe_load(Path(setup.files[1]).read_text(encoding="utf-8"))
    return (*found, yaml.safe_dump({"game": setup.game, "board": board}, allow_unicode=True))


@cache
def goals(game: str) -> tuple[str, ...]:
    """What the rulings of a game expect."""
    return tuple(dict.fromkeys(text for case in load_cases(game) for text in case.expect))


def altered(rng: random.Random, text: str) -> str:
    """A text with a few signs put in, left out or doubled."""
    for _ in range(rng.choice((1, 1, 2, 5))):
        i = rng.randrange(len(text) + 1)
        j = min(len(text), i + rng.choice((0, 0, 1, 3, 20)))
        k = rng.randrange(len(text) + 1)
        text = text[:i] + rng.choice(("", rng.choice(JUNK), text[k : k + rng.randint(1, 30)])) + text[j:]
    return text


def reshaped(rng: random.Random, tree: Any) -> Any:
    """A tree in which a few parts are others."""
    places = list(_places(tree))
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        into, key = rng.choice(places)
        match rng.randrange(12):
            case n if n > 5:  # another word or number of the same file: what is wrong then is not the form
                other, name = rng.choice([p for p in places if _is_leaf(p)] or places)
                if _is_leaf((into, key)) and _has(other, name):
                    into[key] = other[name]
            case 0:
                into[key] = rng.choice(VALUES)
            case 1:
                other, name = rng.choice(places)
                into[key] = other[name] if _has(other, name) else None
            case 2 if isinstance(into, dict):
                into[rng.choice(["x", "", "game", "state", "board", "record", str(key).upper(), f"{key}s"])] = (
                    into.get(key)
                )
            case 3 if isinstance(into, dict):
                into.pop(key, None)
            case 4 if isinstance(into, list):
                into.append(rng.choice(VALUES))
            case _:
                into[key] = str(into[key]) + "x" if _has(into, key) else None
    return tree


def _is_leaf(place: tuple[Any, Any]) -> bool:
    into, key = place
    return _has(into, key) and not isinstance(into[key], dict | list)


def _has(tree: Any, key: Any) -> bool:
    return key in tree if isinstance(tree, dict) else key < len(tree)


def _places(tree: Any) -> list[tuple[Any, Any]]:
    here = [(tree, k) for k in (tree if isinstance(tree, dict) else range(len(tree)))]
    inner = [p for t, k in here if isinstance(t[k], dict | list) for p in _places(t[k])]
    return [*here, *inner]


def written(rng: random.Random, tree: Any) -> tuple[str, str]:
    """A name and a text for a tree; circles in it, which a file cannot hold, are cut."""
    try:
        text = json.dumps(tree)
    except (ValueError, RecursionError):
        return "p.yaml", "x: ["
    if rng.random() < 0.5:
        return "p.json", text
    return "p.yaml", yaml.safe_dump(json.loads(text), allow_unicode=True, default_flow_style=rng.choice((None, True)))


def words_of(rng: random.Random, game: str, file: str) -> Sequence[str]:
    """A question, most often a cheap one."""
    goal = rng.choice(goals(game)) if goals(game) else "round == 1"
    if rng.random() < 0.7:
        goal = _goal(rng, goal)
    hard = ("--timeout", "0.5")
    return rng.choice(
        [
            *[("status", file)] * 6,
            *[("status", game, "--at", file)] * 3,
            ("status", file, rng.choice(("--explain", "--explain=all"))),
            ("ask", file, altered(rng, "move: {unit: A, to: '4,3'}")),
            ("status", file, "--view", rng.choice(("Axis", "French", "x", ""))),
            ("rules", file, *([goal] if rng.random() < 0.3 else [])),
            ("render", file, "-o", "-"),
            ("render", file, "-o", rng.choice(("a.svg", file, "no/a.svg"))),
            ("plan", file, f"--goal={goal}", *hard),
            ("reach", file, f"--goal={goal}", "--opponent", "any", *hard),
            ("missing", file, f"--goal={goal}", *hard),
            ("compare", file, game, *hard),
            (
                "plan",
                game,
                f"--goal={goal}",
                *hard,
                *rng.sample(["--side", "Axis", "--within", "2", "x", "--certify"], 3),
            ),
        ]
    )


def _goal(rng: random.Random, text: str) -> str:
    parts = text.split(" ")
    for _ in range(rng.randint(1, 4)):
        i = rng.randrange(len(parts) + 1)
        parts[i : i + rng.randint(0, 1)] = [rng.choice([*SIGNS, *parts, "x"])]
    return altered(rng, " ".join(parts)) if rng.random() < 0.3 else " ".join(parts)


def example(number: int) -> Attempt:
    """The example of a number."""
    rng = random.Random(number)
    game = rng.choice(GAMES)
    text = rng.choice((*positions(game), *[positions(game)[-1]] * 5))
    kind = rng.random()
    if kind < 0.6:
        name, text = written(rng, reshaped(rng, yaml.safe_load(text)))
    else:
        name, text = "p.yaml", altered(rng, text) if kind < 0.8 else text
    words = list(words_of(rng, game, name))
    if rng.random() < 0.1:
        rng.shuffle(words)
    if rng.random() < 0.1:
        words[rng.randrange(len(words))] = altered(rng, rng.choice(words))
    if words[:1] and words[0] in ("check", "new"):
        words[0] = "status"
    return Attempt(str(number), tuple(words), {name: text}, ANY)


@pytest.mark.parametrize("part", range(20))
def test_random_inputs(part: int, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(FIRST + part * EACH, FIRST + (part + 1) * EACH):
        folder = tmp_path / str(number)
        folder.mkdir()
        monkeypatch.chdir(folder)
        attempt = example(number)
        for name, text in attempt.files.items():
            (folder / name).write_text(str(text), encoding="utf-8", errors="surrogatepass")
        before = {name: (folder / name).read_bytes() for name in attempt.files}
        form = ("--format", "json") if number % 2 else ()
        try:
            found = run(*attempt.words, *form)
            check(attempt, found.code, found.out, found.err)
            if form and "--help" not in attempt.words:
                json.loads(found.out)
            assert {name: (folder / name).read_bytes() for name in before} == before
            assert {p.name for p in folder.iterdir()} <= {*attempt.files, *attempt.words}
        except BaseException:
            print(f"example {number}: vclogic {' '.join(map(repr, attempt.words))} in {folder}")
            raise

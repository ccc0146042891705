"""What Readings make of a question, the long way: each combination is loaded anew, asked, and compared.

It shares nothing with `vclogic.query.ask`: a game is loaded from its file with the Readings as settings, an
expression is looked up by `Game.value`, an event is applied, an outcome is looked for in `status`.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path
from random import Random
from typing import Any

import yaml

import vclogic
from vclogic.errors import InputError
from vclogic.game import Game
from vclogic.model.fluents import Value

GAMES = Path(__file__).resolve().parents[2] / "encodings" / "vclogic_encodings"
REFUSED = "refused"
Choice = frozenset[tuple[str, str]]


@dataclass(frozen=True)
class Asked:
    """A question in a position file.

    Attributes:
        file: The position file.
        question: An expression; or an event as name and arguments; or an outcome and its side.
        name: Where it comes from.
    """

    file: Path
    question: str | tuple[str, Mapping[str, Any]] | tuple[str, str]
    name: str

    @property
    def words(self) -> str:
        """The question as `ask` takes it."""
        if isinstance(self.question, str):
            return self.question
        name, rest = self.question
        if isinstance(rest, str):
            return f"{name} {rest}"
        return f"{name}: {yaml.safe_dump(dict(rest), default_flow_style=True, width=10_000).strip()}"

    def game(self, readings: Mapping[str, str]) -> Game:
        """The game under some Readings.

        Raises:
            InputError: The position or its record is not allowed under them.
        """
        return vclogic.load(str(self.file), settings=dict(readings))

    def answer(self, readings: Mapping[str, str]) -> Value | None:
        """The answer under some Readings; None: undefined, `REFUSED`: they do not allow it."""
        try:
            game = self.game(readings)
            if isinstance(self.question, str):
                return game.value(self.question)
            name, rest = self.question
            if isinstance(rest, str):
                return _met(game, name, rest)
        except InputError:
            return REFUSED
        return _allowed(game, name, rest)


def _allowed(game: Game, name: str, arguments: Mapping[str, Any]) -> bool | str:
    try:
        game.apply(name, **arguments)
    except InputError as error:
        return False if {d.code for d in error.diagnostics} == {"illegal-step"} else REFUSED
    return True


def _met(game: Game, name: str, side: str) -> bool | None:
    [found] = [o for o in game.status().outcomes if (o.rule, o.side) == (name, side)]
    return {"met": True, "unmet": False}.get(found.status)


def smallest(asked: Asked, readings: Mapping[str, Sequence[str]], used: Mapping[str, str]) -> dict[Choice, Any]:
    """The smallest sets of Readings that change the answer, with the answer under each.

    Args:
        asked: The question.
        readings: The Readings to try, with all their values.
        used: The Readings in use.
    """
    base = asked.answer({})
    found: dict[Choice, Any] = {}
    for size in range(1, len(readings) + 1):
        for names in combinations(readings, size):
            for values in product(*([v for v in readings[n] if v != used[n]] for n in names)):
                choice = frozenset(zip(names, values, strict=True))
                if not any(part < choice for part in found):
                    now = asked.answer(dict(choice))
                    if now != base or isinstance(now, bool) != isinstance(base, bool):
                        found[choice] = now
    return found


def boards_of(game: str, folder: Path) -> None:
    """Puts the boards of a game into a folder, so that positions of its rulings find them beside them."""
    for file in (GAMES / game).glob("*.yaml"):
        shutil.copy(file, folder / file.name)


def of_rulings(game: str, folder: Path, rng: Random) -> Iterator[tuple[Asked, Mapping[str, str]]]:
    """Questions of a game's own rulings that name a Reading, in any order, with those Readings.

    Args:
        game: The game.
        folder: Where to write the positions.
        rng: Chance.
    """
    items = [x for f in sorted((GAMES / game / "cases").glob("*.yaml")) for x in _items(f)]
    named = [x for x in items if isinstance(x, dict) and x.get("readings") and x.get("expect")]
    rng.shuffle(named)
    for n, item in enumerate(named):
        position: dict[str, Any] = {"game": game, **(item.get("position") or {})}
        position["options"] = {**position.get("options", {}), **item.get("options", {})}
        file = folder / f"{game}{n}.yaml"
        file.write_text(yaml.safe_dump(position, sort_keys=False))
        yield Asked(file, rng.choice(item["expect"]), item["name"]), item["readings"]


class _Words(yaml.SafeLoader):
    """Reads `on`, `off`, `yes` and `no` as words."""


_BOOL = "tag:yaml.org,2002:bool"
_Words.yaml_implicit_resolvers = {
    first: [x for x in resolvers if x[0] != _BOOL]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Words.add_implicit_resolver(_BOOL, re.compile("true|false"), ["t", "f"])


def _items(file: Path) -> list[Any]:
    """The rulings of a file, each with all that its head and its set-up say."""
    tree = yaml.load(file.read_text(), Loader=_Words)
    if isinstance(tree, list):
        return tree
    head = {key: part for key, part in tree.items() if key not in ("setups", "rulings")}
    found = []
    for item in tree["rulings"]:
        position, name = dict(item.get("position") or {}), item.get("setup")
        while name:
            below = dict(tree["setups"][name])
            name = below.pop("setup", None)
            position = _laid(below, position)
        found.append({**item, "position": _laid(head, position)})
    return found


def _laid(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """A position over another one: records go on, anything else that both say is said by the upper one."""
    found = {**below, **above}
    for key in below.keys() & above.keys():
        if key == "record":
            found[key] = [*below[key], *above[key]]
        elif isinstance(below[key], dict):
            found[key] = _laid(below[key], above[key])
    return found


def of_play(game: Game, folder: Path, rng: Random) -> Asked:
    """A question about a random position: a value, an outcome, or an event that may be allowed or not.

    Args:
        game: A game with a record.
        folder: Where to write the position.
        rng: Chance.
    """
    file = folder / f"play{rng.randrange(10**9)}.yaml"
    file.write_text(game.written())
    kind = rng.choice(("value", "event", "outcome"))
    system = game.setup.system
    question: Any
    if kind == "outcome":
        outcome = rng.choice(system.outcomes)
        question = outcome.name, outcome.side
    elif kind == "event":
        schema = rng.choice(list(system.schemas.values()))
        question = schema.name, {p.name: rng.choice(p.values[:50]) for p in schema.parameters}
    else:
        question = rng.choice(list(game.status().observables))
    return Asked(file, question, f"{kind} in a random play")

"""Okinawa as text and as Python side by side: the same random records on some boards, and what differs.

`python -m tests.rulebook.okinawa_both 5000 [SEED]` plays so many records and prints each difference.
"""

from __future__ import annotations

import copy
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from tests.oracles.okinawa import READINGS
from vclogic.encode.python.evaluator import apply, compile_terms, failed
from vclogic.errors import InputError
from vclogic.files.position import load_setup
from vclogic.files.setup import Setup
from vclogic.model.actions import Event
from vclogic.model.fluents import State, Value
from vclogic.terms.expressions.resolve import compile_value
from vclogic.terms.sorts import EnumSort, Sort

ROOT = Path(__file__).parents[2]
BOARDS = ROOT / "encodings" / "vclogic_encodings" / "okinawa"
TEXT = Path(__file__).parent / "boards" / "okinawa_whole.md"
SETTINGS: Mapping[str, Sequence[str]] = {
    **READINGS,
    "early_end": ("allowed", "refused"),
    "earlier": ("off", "on"),
}
LENGTH, RECORDS, MOST_SHOWN = 25, 20, 40
"""Events of a record; records under the same settings; differences that are printed."""


def boards() -> dict[str, dict[str, Any]]:
    """Boards by name: those of the game, and others that have what these have not."""
    strip, small, island = (yaml.safe_load((BOARDS / f"{n}.yaml").read_text()) for n in ("strip", "small", "island"))
    edges = copy.deepcopy(small)
    edges["edges"] = {"south": {"hexes": ["5,4", "6,4"], "sides": ["US"]}, "west": {"hexes": ["0,2"]}}
    for side, unit, size in (("US", "1st Marines", "regiment"), ("Japan", "Raiders", "battalion")):
        edges["units"][side][unit]["size"] = size
    edges["turns"] = 2
    stacked = copy.deepcopy(strip)
    stacked |= {"stacking": 2, "turns": 3, "first": "US"}
    stacked["zones"]["Central"]["points"] = {"Japan": 2, "US": 3}
    stacked["zones"]["Northern"]["in_use"] = False
    shifted = {
        "terrain": {".": {"cost": 1}, "x": {}},
        "map": [".... .", "..x...", " ....."],
        "numbered_from": 1,
        "stagger": "even-row",
        "zones": {
            "Southern": {"hexes": ["1,1", "1,2"]},
            "Central": {"spans": [["2,1", "3,3"]]},
            "Northern": {"hexes": ["6,2"], "points": {"US": 1}},
        },
        "northeast_edge": ["6,1", "6,2"],
        "units": {
            "Japan": {"A": {"at": "2,1", "attack": 1, "defence": 2}, "B": {"at": "off", "defence": 1, "attack": 2}},
            "US": {
                "C": {"at": "4,2", "attack": 2, "defence": 2},
                "D": {"at": "5,3", "barrage": 3, "fpf": 1, "defence": 1},
            },
        },
    }
    return {"strip": strip, "small": small, "edges": edges, "stacked": stacked, "shifted": shifted, "island": island}


def named(sort: Sort, number: int) -> Value:
    """A number of a state as a file has it."""
    return sort.members[number] if isinstance(sort, EnumSort) else number


@dataclass
class Reader:
    """The values of some expressions in states of a game; None where one is undefined."""

    setup: Setup
    asked: Sequence[str]
    _values: Callable[[State], Sequence[int]] = field(init=False)
    _sorts: Sequence[Sort] = field(init=False)

    def __post_init__(self) -> None:
        system = self.setup.system
        found = [compile_value(text, system.vocabulary).partial for text in self.asked]
        self._sorts = [p.value.sort for p in found]
        self._values = compile_terms([t for p in found for t in (p.value, p.defined)], system.layout.slot)

    def __call__(self, state: State) -> dict[str, Value | None]:
        values = self._values(state)
        pairs = zip(self.asked, self._sorts, values[::2], values[1::2], strict=True)
        return {text: named(sort, n) if there else None for text, sort, n, there in pairs}


def quoted(name: str) -> str:
    return f'"{name}"'


def expressions(setup: Setup) -> Iterator[str]:
    """Everything that goals can ask: observables, and properties of what there is."""
    vocabulary = setup.system.vocabulary
    for name, observable in vocabulary.items():
        for of in product(*(d.sort.members for d in observable.parameters)):
            yield f"{name}({', '.join(map(quoted, of))})" if of else name
    for kind in vocabulary.kinds.values():
        for name in kind.properties:
            if name not in LEFT_OUT:
                yield from (f"{name}({quoted(m)})" for m in kind.members if m in kind.properties[name])


LEFT_OUT = ("zone",)
"""Properties that the text does not have: a zone is a kind, and `hex in Northern` tells the hexes of one."""


@dataclass
class Both:
    """A position of the game as Python and as text."""

    old: Setup
    new: Setup
    states: tuple[State, State] = field(init=False)
    read: tuple[Reader, Reader] = field(init=False)

    def __post_init__(self) -> None:
        asked = tuple(expressions(self.old))
        self.read = Reader(self.old, asked), Reader(self.new, asked)
        self.start()

    def start(self) -> None:
        """Begin again."""
        self.states = self.old.initial, self.new.initial

    def differences(self) -> Iterator[str]:
        """All that one says otherwise than the other: observables, outcomes among them, and facts."""
        old, new = (read(state) for read, state in zip(self.read, self.states, strict=True))
        yield from (f"{text}: {x} and {new[text]}" for text, x in old.items() if x != new[text])
        has, has_not = (dict(facts(s, x)) for s, x in zip((self.old, self.new), self.states, strict=True))
        yield from (
            f"fact {name}: {has.get(name)} and {has_not.get(name)}"
            for name in {**has, **has_not}
            if has.get(name) != has_not.get(name)
        )

    def refused(self, event: Event) -> tuple[tuple[bool, frozenset[str]], tuple[bool, frozenset[str]]]:
        """Whether each refuses an event, and the clauses by which it does."""
        return tuple(_refused(s, state, event) for s, state in zip((self.old, self.new), self.states, strict=True))  # type: ignore[return-value]

    def refused_by_python(self, event: Event) -> bool:
        """True if the rules in Python refuse an event."""
        return _refused(self.old, self.states[0], event)[0]

    def play(self, event: Event) -> None:
        """Play a legal event."""
        self.states = tuple(  # type: ignore[assignment]
            apply(s.system, state, s.system.action_in(state, event))
            for s, state in zip((self.old, self.new), self.states, strict=True)
        )


def facts(setup: Setup, state: State) -> Iterator[tuple[str, Value]]:
    for fluent, x in setup.system.layout.values(state).items():
        yield fluent.name, x


def _refused(setup: Setup, state: State, event: Event) -> tuple[bool, frozenset[str]]:
    broken = failed(setup.system, state, setup.system.action_in(state, event))
    cited = {c.clause for r in broken for c in r.cites}
    return bool(broken), frozenset(c for c in cited if re.fullmatch(r"[\d.]+/\d+", c))


def position(rng: Random, board: Mapping[str, Any], settings: Mapping[str, str]) -> dict[str, Any]:
    """A state that may be impossible."""
    units = [(side, name) for side, of in board["units"].items() for name in of]
    edges = (f"left by {name}" for name in board.get("edges", ()))
    places = ["off", "eliminated", "exited", "removed", "left", *edges]
    usual = {"Japan": ["exited", "left", "off"], "US": ["removed", "eliminated", "off"]}
    often = rng.random()
    at = {n: rng.choice(places if rng.random() < 0.1 else usual[s]) for s, n in units if rng.random() < often}
    found: dict[str, Any] = {"at": at}
    ours = [name for side, name in units if side == "US"]
    if rng.random() < 0.8:
        found["retreats"] = rng.randint(0, 4)
    if rng.random() < 0.5:
        found |= {"retreated": rng.choice(["none", *ours]), "retreated_for": rng.randint(0, 2)}
    if rng.random() < 0.5:
        found["removals"] = rng.randint(0, 4)
    if rng.random() < 0.5 and settings.get("earlier_retreats") == "taken_back":
        found["retreats_of"] = {rng.choice(ours): rng.randint(0, 3)}
    if rng.random() < 0.5:
        found |= {"over": rng.random() < 0.3, "turn": rng.choice(["Japan", "US"])}
    return found


def accepted(
    folder: Path, board: Mapping[str, Any], settings: Mapping[str, str], state: Mapping[str, Any]
) -> tuple[list[str], list[str]]:
    """What is wrong with a state, by the codes of the text and by those of Python."""
    chosen = tuple(settings.items())
    games = (f"{folder}/okinawa_text.md", "okinawa")
    new, old = (_wrong({"game": game, "board": dict(board), "state": dict(state)}, chosen) for game in games)
    return new, old


def _wrong(position: Mapping[str, Any], settings: tuple[tuple[str, str], ...]) -> list[str]:
    try:
        load_setup(position, overrides=settings)
    except InputError as error:
        return sorted({d.code for d in error.diagnostics})
    return []


def both(folder: Path, board: Mapping[str, Any], settings: Mapping[str, str]) -> Both:
    """The game on a board with some settings, as Python and as text."""
    chosen = tuple(settings.items())
    games = (f"{folder}/okinawa_text.md", "okinawa")
    new, old = (load_setup({"game": game, "board": dict(board)}, overrides=chosen) for game in games)
    return Both(old, new)


def some_event(rng: Random, now: Both) -> Event:
    """An event that may be legal."""
    schemas, read = now.old.system.schemas, dict(facts(now.old, now.states[0]))
    kinds = ("move", "retreat", "eliminate", "exit", "leave", "remove", "end_turn", "end_game")
    kind = rng.choices(kinds, (8, 4, 2, 3, 3, 2, 2, 0.2))[0]
    if read["removals"] and rng.random() < 0.6:
        kind = "remove"
    on_map = [n for n in now.old.board_read.all_units if read[f"at[{n}]"] in now.old.board_read.cost]
    found: dict[str, Value] = {}
    for p in schemas[kind].parameters:
        values = [*p.values]
        if p.name == "unit" and on_map and rng.random() < 0.7:
            values = on_map
        if p.name == "hexes":
            values = values[:4]
        found[p.name] = rng.choice(values)
    return Event(kind, tuple(found.items()))


def record(rng: Random, now: Both, length: int = LENGTH) -> Iterator[str]:
    """Play a random record, and tell of each difference."""
    now.start()
    yield from now.differences()
    played: list[str] = []
    for _ in range(length):
        event = some_event(rng, now)
        if event.name not in now.new.system.schemas:  # what it needs is never so on this board: there is none
            if not now.refused_by_python(event):
                yield f"after {played} {event}: the text has no such event"
            continue
        (no, by), (no_more, by_others) = now.refused(event)
        own = {c.clause for c in now.new.system.schemas[event.name].cites}  # a line that cites none has the event's
        if no != no_more or not by <= by_others <= by | own:
            told = (sorted(clauses) if so else "legal" for so, clauses in ((no, by), (no_more, by_others)))
            yield f"after {played} {event}: {' and '.join(map(str, told))}"
        if no or no_more:
            continue
        now.play(event)
        played.append(str(event))
        yield from (f"after {played}: {text}" for text in now.differences())


def random_settings(rng: Random) -> dict[str, str]:
    return {name: rng.choice(values) for name, values in SETTINGS.items()}


def main(number: int, seed: int = 0) -> int:
    """Play so many records; so many differences are found."""
    found = 0
    with TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(TEXT, folder / "okinawa_text.md")
        rng = Random(seed)
        every = {n: b for n, b in boards().items() if n != "island"}
        done = 0
        while done < number:
            called = rng.choice([*every])
            settings = random_settings(rng)
            try:
                now = both(folder, every[called], settings)
            except InputError as error:
                print(called, settings, error)
                return 1
            for _ in range(RECORDS):
                for text in record(rng, now):
                    found += 1
                    if found <= MOST_SHOWN:
                        print(f"{called}, {settings}\n  {text}")
                done += 1
                if found > MOST_SHOWN:
                    return found
    print(f"{done} records, {found} differences")
    return found


if __name__ == "__main__":
    sys.exit(bool(main(*map(int, sys.argv[1:]))))

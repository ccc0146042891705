"""Best play as a table that a program can look up, save and load."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from io import BytesIO
from os import PathLike
from typing import Any, Protocol

import numpy as np

from vclogic.errors import Diagnostic, InputError, quoted
from vclogic.explore.best_play import DRAW, ENDLESS, FIRST, ODDS, OPEN, SECOND, BestPlay
from vclogic.explore.endings import BestPlayOdds, endings
from vclogic.explore.events import every_event
from vclogic.explore.expansion import UNSEEN, Explored
from vclogic.explore.packing import Packing
from vclogic.explore.parties import two_parties
from vclogic.explore.seen import Seen, in_order
from vclogic.model.actions import Action, Event
from vclogic.model.fluents import State
from vclogic.model.system import System
from vclogic.terms.reach import Graph
from vclogic.terms.term import Op, Term, postorder

Array = Any  # of numpy
FORMAT = 1
WORDS: Mapping[int, str] = {
    OPEN: "open",
    FIRST: "win",
    SECOND: "win",
    DRAW: "draw",
    ENDLESS: "endless",
    ODDS: "odds",
}

_LENGTH = 32  # hexadecimal digits


class Setting(Protocol):
    """The rule set of a game."""

    @property
    def system(self) -> System:
        """The rule set."""


class TableMoment(Protocol):
    """A game at one moment."""

    @property
    def setup(self) -> Setting:
        """The set-up of the game."""

    @property
    def state(self) -> State:
        """The state."""


@dataclass(frozen=True)
class Best:
    """The entry of a table for a position.

    Attributes:
        value: `win`: a side wins; `draw`; `endless`: a side can keep the game going for ever; `odds`: chance decides;
            or `open`: it depends on what the rules leave open, or was not looked at.
        winner: The side that wins; None where neither is sure to.
        turns: Where a side wins: after how many turns at most, 0 where it has won.
        event: A best event here; None where the position is final, or where the value is open and either side may
            act.
        safe: The sides that can be sure not to lose.
        keeps: The sides that can keep the game going for ever without losing.
        odds: What can be expected, where the value is `odds`; else None.
    """

    value: str
    winner: str | None
    turns: int | None
    event: Event | None
    safe: tuple[str, ...]
    keeps: tuple[str, ...]
    odds: BestPlayOdds | None = None


@dataclass(frozen=True)
class BestPlayTable:
    """Best play from each position that was looked at.

    A position takes 10 to 20 bytes. A table belongs to the rules that it was made for: board, options and Readings.

    Attributes:
        game: What it is called: `encoding/scenario`, or `encoding: title`.
        rules: The fingerprint of these rules.
        sides: The two sides; of more, one and all others together.
        events: The events that are chosen somewhere.
        packing: How states are packed.
        words: The keys of the positions in the order of their hashes, a row for each word.
        seed: The seed of the hashes; see `vclogic.explore.seen`.
        value: The value of each; see `BestPlay`, as for all that follow.
        turns: Turns to a win, or -1.
        moves: Events to a win, or -1.
        best: The number of a best event in `events`, or -1.
        keeps: Who can keep the game going.
        safe: Who can be sure not to lose.
        ends: For each side the events within which it can end a game that neither wins, or -1; a row for each side.
        mover: Who decides, as in `Explored`.
        unit: What a score of 1 is in `lower` and `upper`; 0 where chance decides nowhere, and what follows is 0.
        lower: Bounds of expected scores, as in `Expected`.
        upper: The same.
        lower_rank: What makes sure of them, as in `Expected`.
        upper_rank: The same.
        level: What makes sure of exact probabilities, as in `Expected`.
        exact: Exact probabilities of a win of the first and of the second side, such as `1/3 2/3`; empty where they
            are not known.
    """

    game: str
    rules: str
    sides: tuple[str, str]
    events: tuple[Event, ...]
    packing: Packing
    words: Array
    seed: int
    value: Array
    turns: Array
    moves: Array
    best: Array
    keeps: Array
    safe: Array
    ends: Array
    mover: Array
    unit: int
    lower: Array
    upper: Array
    lower_rank: Array
    upper_rank: Array
    level: Array
    exact: Array

    def __len__(self) -> int:
        """The number of positions."""
        return len(self.value)

    @cached_property
    def _index(self) -> Seen:
        return Seen.ordered(self.words, self.seed)

    @cached_property
    def _made_for(self) -> dict[int, System]:
        """The rule sets that the table was found to be for, by identity."""
        return {}

    # ---- looking up

    def __getitem__(self, game: TableMoment) -> Best:
        """The entry for a game at one moment.

        Raises:
            KeyError: The position is not in the table.
            InputError: The table is for other rules.
        """
        system = game.setup.system
        self.check_rules(system)
        row = self.row(game.state)
        if row < 0:
            raise KeyError("the position is not in the table")
        return self.at(row)

    def get(self, game: TableMoment) -> Best | None:
        """The same, or None where the position is not in the table.

        Raises:
            InputError: The table is for other rules.
        """
        try:
            return self[game]
        except KeyError:
            return None

    def __contains__(self, game: TableMoment) -> bool:
        """True if a position is in the table."""
        return self.get(game) is not None

    def row(self, state: State) -> int:
        """The row of a state; -1 where it is not in the table."""
        key = self.packing.key_of(state)
        return -1 if key is None else self._index.number_of(key)

    def rows(self, states: Array) -> Array:
        """The row of each state; -1 where it is not in the table."""
        return self.rows_of(*self.packing.packed(states))

    def rows_of(self, words: Array, inside: Array) -> Array:
        """The rows of packed states; -1 where one is not in the table or could not be packed."""
        return np.where(inside, self._index.find(words), -1)

    def at(self, row: int) -> Best:
        """The entry for the position of a row."""
        value, best, turns = int(self.value[row]), int(self.best[row]), int(self.turns[row])
        winner = self.sides[value - FIRST] if value in (FIRST, SECOND) else None
        return Best(
            WORDS[value],
            winner,
            turns if winner else None,
            self.events[best] if best >= 0 else None,
            self._sides(self.safe[row]),
            self._sides(self.keeps[row]),
            self._odds(row) if value == ODDS else None,
        )

    def _odds(self, row: int) -> BestPlayOdds:
        wins = None
        if self.exact[row]:
            wins = dict(zip(self.sides, map(Fraction, str(self.exact[row]).split()), strict=True))
        return BestPlayOdds(self.sides[0], int(self.lower[row]) / self.unit, int(self.upper[row]) / self.unit, wins)

    def _sides(self, bits: int) -> tuple[str, ...]:
        return tuple(side for i, side in enumerate(self.sides) if int(bits) >> i & 1)

    def check_rules(self, system: System) -> None:
        """Check that the table is for a rule set.

        Raises:
            InputError: It is for another one.
        """
        if id(system) in self._made_for:
            return
        fits = all(e.name in system.schemas for e in self.events)
        one = two_parties(system, self.sides[0]) if self.sides[0] in system.sides else system
        if not fits or tuple(one.sides) != self.sides or fingerprint(one) != self.rules:
            message = f"the table is for {quoted(self.game)} under other rules: board, options or Readings differ"
            raise InputError(Diagnostic("other-rules", message, help="solve the game again under these rules"))
        self._made_for[id(system)] = system

    # ---- files

    def save(self, file: str | PathLike[str]) -> None:
        """Write the table to a file, in NumPy's format npz.

        Raises:
            OSError: The file cannot be written.
        """
        with open(file, "wb") as out:
            out.write(self.as_bytes())

    def as_bytes(self) -> bytes:
        """The contents of a file of the table."""
        arrays = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in _TOLD}
        arrays["words"] = self.words.T  # in files a row for each position
        told = {
            "format": FORMAT,
            "game": self.game,
            "rules": self.rules,
            "sides": self.sides,
            "unit": self.unit,
            "seed": self.seed,
            "events": [[e.name, dict(e.args)] for e in self.events],
        }
        out = BytesIO()
        np.savez_compressed(
            out, told=np.array(json.dumps(told)), **arrays, least=self.packing.least, span=self.packing.span
        )
        return out.getvalue()

    @staticmethod
    def load(file: str | PathLike[str]) -> BestPlayTable:
        """Read a table that `save` wrote.

        Raises:
            InputError: The file is not a table.
            OSError: It cannot be read.
        """
        try:
            with np.load(file, allow_pickle=False) as found:
                arrays = {name: found[name] for name in found.files}
            told = json.loads(str(arrays.pop("told")))
            if told["format"] != FORMAT:
                raise ValueError(f"it is of format {told['format']}, not {FORMAT}")
            packing = Packing(*(tuple(arrays.pop(name).tolist()) for name in ("least", "span")))
            arrays["words"] = np.ascontiguousarray(arrays["words"].T)
            events = tuple(Event(name, tuple(args.items())) for name, args in told["events"])
            first, second = told["sides"]
            known = {"game": told["game"], "rules": told["rules"], "unit": told["unit"], "seed": told["seed"]}
            return BestPlayTable(sides=(first, second), events=events, packing=packing, **known, **arrays)
        except OSError:
            raise
        except Exception as error:
            message = f"{quoted(str(file))} is no table of vclogic: {error}"
            raise InputError(Diagnostic("bad-table", message, str(file))) from error


_SCORES = ("lower", "upper", "lower_rank", "upper_rank", "level")
_TOLD = ("game", "rules", "sides", "events", "packing", "unit", "seed")


def table_of(game: str, system: System, explored: Explored, play: BestPlay) -> BestPlayTable:
    """The table of best play.

    Args:
        game: What it is called: `encoding/scenario`, or `encoding: title`.
        play: Best play from them.
    """
    packing = Packing.of(explored.states)
    words, _ = packing.packed(explored.states)
    seed, order = in_order(words)
    order = order[explored.mover[order] != UNSEEN]
    number: Array = np.full(len(play.best), -1, np.int64)
    chosen = play.best >= 0
    number[chosen] = explored.event[play.best[chosen]]
    # A table holds only the events that it advises, numbered anew.
    used = np.unique(number[chosen])
    number[chosen] = np.searchsorted(used, number[chosen])
    events = tuple(explored.events[i] for i in used.tolist())
    claims = {"value": play.value, "turns": play.turns, "moves": play.events, "best": number}
    claims |= {"keeps": play.keeps, "safe": play.safe, "ends": play.ends, "mover": explored.mover}
    expected = play.expected
    for name in _SCORES:
        claims[name] = np.zeros(len(number), np.int8) if expected is None else getattr(expected, name)
    exact: Array = np.zeros(len(number), "U1")
    if expected is not None:
        exact = np.array(["" if r is None else f"{r[0]} {r[1]}" for r in expected.exact])
    small = {name: _small(x[..., order]) for name, x in claims.items()}
    return BestPlayTable(
        game=game,
        rules=fingerprint(system),
        sides=play.sides,
        events=events,
        packing=packing,
        words=words[:, order],
        seed=seed,
        unit=0 if expected is None else expected.unit,
        exact=exact[order],
        **small,
    )


def _small(numbers: Array) -> Array:
    """The same numbers in the smallest type that holds them."""
    if not numbers.size:
        return numbers.astype(np.int8)
    most = max(int(numbers.max()), -int(numbers.min()))
    kinds: Sequence[Any] = (np.int8, np.int16, np.int32, np.int64)
    return numbers.astype(next(k for k in kinds if most <= np.iinfo(k).max))


def fingerprint(system: System) -> str:
    """A text that differs where fluents, sides, ends of the game, or what events ask or do differ."""
    ends, events = endings(system), list(every_event(system))
    actions = [system.action(e) for e in events]
    terms = [*ends.rivals, *(t for a in actions for t in _terms(a))]
    known = _digests([*system.layout.fluents, *terms])
    parts: list[object] = [*system.sides, *(known[f] for f in system.layout.fluents)]
    parts += [known[t] for t in ends.rivals]
    for event, action in zip(events, actions, strict=True):
        others = (action.actor, action.agreed, action.odds)
        parts += [str(event), *(known[t] for t in _terms(action))]
        parts += [known[x] if isinstance(x, Term) else x for x in others]
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:_LENGTH]


def _terms(action: Action) -> Iterable[Term]:
    yield from (r.term for r in (*action.requirements, *action.assumed))
    for fluent, new in action.effects:
        yield fluent
        yield new
    yield from (x for x in (action.actor, action.agreed, action.odds) if isinstance(x, Term))


def _digests(terms: Iterable[Term]) -> dict[Term, str]:
    """For each term a digest of its structure; the order in which the parts of sums were made is left out."""
    known: dict[Term, str] = {}
    for t in postorder(terms):
        parts: Sequence[object] = [known[a] for a in t.args]
        payload = t.payload
        if t.op in (Op.AND, Op.OR):
            parts = sorted(map(str, parts))
        elif t.op is Op.LIN:
            factors, payload = payload
            parts = sorted(zip(factors, map(str, parts), strict=True))
        elif isinstance(payload, Graph):
            payload = (payload.nodes, payload.edges)
        text = repr((t.op.value, payload, t.sort, t.lo, t.hi, t.mask, parts))
        known[t] = hashlib.sha256(text.encode()).hexdigest()
    return known

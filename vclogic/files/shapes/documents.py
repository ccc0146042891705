"""The JSON Schema of a whole file: position, record, scenario, rulings, board."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from vclogic.files.coverage import FILE, load_coverage
from vclogic.files.outcomes import OUTCOMES
from vclogic.files.position import load_setup, with_overrides
from vclogic.files.registry import encoding_names, has_file, lacks_board, load_encoding, scenario_names
from vclogic.files.rulings.case_files import RULINGS, SETUP, SETUPS
from vclogic.files.rulings.cases import Ruling
from vclogic.files.scenario import ScenarioFile, default_scenario, load_scenario, split_game
from vclogic.files.setup import Memo, Setup
from vclogic.files.shapes.of_system import Changing, Shared, changing, goal_shape, record_shape, state_shape
from vclogic.files.shapes.words import (
    TEXT,
    Shape,
    mapping,
    names,
    of_dataclass,
    of_setting,
    one_or_several,
    or_nothing,
    several,
)
from vclogic.files.trees.overlay import ADD, BASED_ON, REMOVE
from vclogic.model.rules import Option, Reading
from vclogic.model.system import System
from vclogic.rulebook.document import book_schema as schema_of_rulebooks
from vclogic.rulebook.document import schema as schema_of_rules
from vclogic.terms.sorts import EnumSort

DRAFT = "https://json-schema.org/draft/2020-12/schema"
_LARGE = 5_000  # values of all fluents together, above which a rule set is built only once
_OTHERWISE = ("per_reading", "position", SETUP)
"""Other places for a ruling's expectations: the record of its position or of its set-up."""
_RULES: Shape = {
    "anyOf": [
        TEXT,
        {"type": "object", "required": ["version", "statements"], "description": "see `vclogic schema rules`"},
    ]
}
_OWN_RULES: Shape = {"required": [OUTCOMES]}
_OWN_BOARD: Shape = {"properties": {"board": {"type": ["string", "object"]}}, "required": ["board"]}
_OPEN: Shape = {"type": ["object", "null"]}

_OVERLAY: dict[str, Shape] = {BASED_ON: TEXT, ADD: _OPEN, REMOVE: _OPEN}


def file_schema(kind: str, game: str | None = None, memo: Memo | None = None) -> Shape:
    """The JSON Schema of a kind of file.

    Args:
        kind: One of `KINDS`.
        game: `encoding` or `encoding/scenario`, whose names and values are the only ones then; None: any game's.
        memo: What to share with other documents of the game.

    Raises:
        InputError: There is no such game, or it is broken.
    """
    writer = _SchemaWriter(game, memo or Memo())
    shape = KINDS[kind](writer)
    title = f"vclogic: {kind}" + (f" of {game}" if game else "")
    document = {"$schema": DRAFT, "title": title, **shape}
    return document | {"$defs": writer.shared.shapes} if writer.shared.shapes else document


@dataclass(frozen=True)
class _ScenarioStart:
    """A scenario of the game with the rule sets that its board can have.

    Attributes:
        name: The scenario.
        board: The file of its board.
        systems: The rule set, and where it is small those with one option set otherwise.
        open: What other settings change, here or in other scenarios: its values are not checked.
    """

    name: str
    board: str
    systems: tuple[System, ...]
    open: Changing


class _SchemaWriter:
    """Writes the documents of a game, or of any game.

    Args:
        game: `encoding`, `encoding/scenario`, or None.
        memo: Scenarios, boards and rule sets already read and built.
    """

    def __init__(self, game: str | None, memo: Memo):
        self.memo = memo
        self.name: str | None = None
        self.scenario: str | None = None
        if game:
            self.name, self.scenario = split_game(game)
        self.shared = Shared()
        self._refs = Memo()

    # ---- files

    def position(self) -> Shape:
        """A position file."""
        shape = self._position(required=[])
        shape["properties"] |= _OVERLAY
        return shape | {"anyOf": [{"required": ["game"]}, {"required": [BASED_ON]}]}

    def record(self) -> Shape:
        """A list of events."""
        if self.name is None:
            return several({"type": ["string", "object"]})
        return self._any_of([self._record(s) for s in self._starts])

    def scenario_file(self) -> Shape:
        """A scenario."""
        shape = of_dataclass(ScenarioFile)
        shape["properties"] |= self._settings() | _OVERLAY
        del shape["required"]
        shape["anyOf"] = [{"required": ["title"]}, {"required": [BASED_ON]}]
        given = shape["properties"]["board"]
        if self.name is None:
            return shape
        boards = {s.board: s for s in self._starts}
        fits = [
            (_has("board", [file], left_out=file == "board.yaml"), {"state": self._state(s)})
            for file, s in boards.items()
        ]
        shape["properties"]["board"] = given | {"examples": list(boards)}
        return shape | {"allOf": [_when(condition, then) for condition, then in fits]}

    def case(self) -> Shape:
        """A file of rulings: a list of them, or a head with what holds for all of them."""
        unnamed = self._default if self.name else None
        one = several(self._ruling(self._position(required=[], unnamed=unnamed)))
        return {"if": {"type": "array"}, "then": one, "else": self._case_head()}

    def board(self) -> Shape:
        """A board, or what is changed of another one: there nothing is needed, and nothing takes an entry away."""
        if self.name is None:
            return {"type": "object"}
        whole = of_dataclass(load_encoding(self.name).board)
        whole["properties"] |= {OUTCOMES: _RULES}
        changes = mapping(_OVERLAY | {name: {} for name in whole["properties"]})
        return {"if": {"required": [BASED_ON]}, "then": changes, "else": whole}

    # ---- parts

    def _case_head(self) -> Shape:
        """A file of rulings with a head: positions in it name no game, but are about that of the head."""
        unnamed = self._default if self.name else None
        shape = self._position(required=[], unnamed=unnamed)
        shape["properties"] |= {SETUPS: _OPEN, RULINGS: {"type": ["array", "null"]}}
        if self.name is None:
            return shape | {"allOf": [{"properties": self._below_head(None)}]}
        rules = [_when(self._about(s, self._default), self._below_head(s.name)) for s in self._starts]
        return shape | {"allOf": [*shape["allOf"], *rules, _when(_OWN_BOARD, self._below_head(None))]}

    def _below_head(self, unnamed: str | None) -> dict[str, Shape]:
        """Set-ups and rulings, where a position without a game is about a scenario; None: about any board."""
        position = self._position(required=[], unnamed=unnamed)
        named = position | {"properties": position["properties"] | {SETUP: TEXT}}
        return {
            SETUPS: or_nothing({"type": "object", "additionalProperties": or_nothing(named)}),
            RULINGS: several(self.shared.ref(f"ruling about {unnamed or 'a board'}", self._ruling(position))),
        }

    def _ruling(self, position: Shape) -> Shape:
        """A ruling, by the shape of its position."""
        shape = of_dataclass(Ruling)
        cites = self._cites()
        refusal = shape["properties"]["expect_error"]["anyOf"][0]
        refusal["properties"] |= {"cites": cites, "step": {"type": "integer", "minimum": 1}}
        ends = {"expect": one_or_several(self._goal), "expect_error": refusal}
        settings = self._settings()
        other = mapping({"readings": settings["readings"], **ends}, ["readings"], oneOf=_one_of(*ends))
        properties = shape["properties"] | settings | ends
        properties |= {"cites": cites, "position": or_nothing(position), "per_reading": several(other)}
        both = {"not": {"required": list(ends)}}
        return mapping(properties, shape["required"], allOf=[both, {"anyOf": _one_of(*ends, *_OTHERWISE)}])

    def _position(self, required: list[str], unnamed: str | None = None) -> Shape:
        """A position; where it names no game it is about the scenario `unnamed`, or about nothing that is known."""
        properties: dict[str, Shape] = {
            "game": {"enum": self._games()},
            "title": TEXT,
            "board": {"anyOf": [TEXT, self.shared.ref("board", self.board())]},
            **self._settings(),
            OUTCOMES: _RULES,
            "state": _OPEN,
            "record": several({"type": ["string", "object"]}),
        }
        shape = mapping(properties, required)
        if self.name is None:
            return shape
        rules = [
            _when(self._about(s, unnamed), {"state": self._state(s), "record": self._record(s)}) for s in self._starts
        ]
        return shape | {"allOf": rules}

    def _about(self, start: _ScenarioStart, unnamed: str | None) -> Shape:
        """A shape of positions that name a scenario, on its board."""
        meant = [f"{self.name}/{start.name}", *([self.name] if self.name and start.name == self._default else [])]
        own = {"anyOf": [_OWN_BOARD, _OWN_RULES]}  # both can have facts of their own
        return {"allOf": [_has("game", meant, left_out=start.name == unnamed), {"not": own}]}

    @cached_property
    def _goal(self) -> Shape:
        """A goal."""
        if self.name is None:
            return TEXT
        if not self._starts:
            return TEXT
        return self.shared.ref("goal", goal_shape(t for s in self._starts for t in s.systems))

    def _games(self) -> list[str]:
        games = [self.name] if self.name else encoding_names()
        return [g for game in games for g in (game, *(f"{game}/{s}" for s in scenario_names(game)))]

    def _settings(self) -> dict[str, Shape]:
        if self.name is None:
            return {"options": _OPEN, "readings": _OPEN}
        encoding = load_encoding(self.name)
        kinds: Mapping[str, tuple[Option | Reading, ...]] = {
            "options": encoding.options,
            "readings": encoding.readings,
        }
        return {
            kind: self.shared.ref(kind, or_nothing(mapping({s.name: of_setting(s) for s in settings})))
            for kind, settings in kinds.items()
        }

    def _cites(self) -> Shape:
        if self.name is None or not has_file(self.name, FILE):
            return one_or_several(TEXT)
        return one_or_several(self.shared.ref("clause", names(load_coverage(self.name).clauses)))

    def _state(self, start: _ScenarioStart) -> Shape:
        return self._refs.get(
            ("state", start.name),
            lambda: self.shared.ref(f"state of {start.name}", state_shape(start.systems, self.shared, start.open)),
        )

    def _record(self, start: _ScenarioStart) -> Shape:
        cites, goal = self._cites(), self._goal
        return self._refs.get(
            ("record", start.name),
            lambda: self.shared.ref(
                f"record of {start.name}", record_shape(start.systems, self.shared, start.open, goal, cites)
            ),
        )

    @staticmethod
    def _any_of(shapes: list[Shape]) -> Shape:
        distinct = [s for i, s in enumerate(shapes) if s not in shapes[:i]]
        return distinct[0] if len(distinct) == 1 else {"anyOf": distinct}

    # ---- the game

    @cached_property
    def _default(self) -> str:
        assert self.name is not None
        return self.scenario or default_scenario(self.name)

    @cached_property
    def _starts(self) -> tuple[_ScenarioStart, ...]:
        assert self.name is not None
        memo = self.memo
        if lacks_board(self.name):
            return ()
        setups = {s: load_setup(f"{self.name}/{s}", memo=memo) for s in scenario_names(self.name)}
        smallest = min(setups, key=lambda s: _size(setups[s]))
        small = {
            s: tuple(_variants(setup, setup.encoding.options, memo))
            for s, setup in setups.items()
            if s == smallest or _size(setup) <= _LARGE
        }
        readings = tuple(_variants(setups[smallest], setups[smallest].encoding.readings, memo))
        some, any = changing([readings], self.shared), changing([readings, *small.values()], self.shared)
        boards = {s: load_scenario(self.name, s).content.board for s in setups}
        return tuple(
            _ScenarioStart(s, boards[s], small[s], some)
            if s in small
            else _ScenarioStart(s, boards[s], (setup.system,), any)
            for s, setup in setups.items()
            if self.scenario in (None, s)
        )


def _size(setup: Setup) -> int:
    """The rough number of values of all fluents together."""
    return sum(len(f.sort.members) for f in setup.system.layout.fluents if isinstance(f.sort, EnumSort))


def _variants(setup: Setup, settings: Iterable[Option | Reading], memo: Memo) -> Iterator[System]:
    """A scenario's rule set, and those with one option or reading set otherwise."""
    yield setup.system
    now = {**setup.settings.options, **setup.settings.readings}
    for setting in settings:
        values = setting.values
        for value in (min(values), max(values)) if isinstance(values, range) else tuple(values):
            if value != now[setting.name]:
                yield with_overrides(setup, [(setting.name, str(value))], memo=memo).system


def _has(key: str, values: list[str], *, left_out: bool) -> Shape:
    """A shape of mappings in which a key has one of some values, or is left out."""
    found: Shape = {"properties": {key: {"enum": values}}}
    return found if left_out else found | {"required": [key]}


def _one_of(*keys: str) -> list[Shape]:
    return [{"required": [key]} for key in keys]


def _when(condition: Shape, properties: dict[str, Shape]) -> Shape:
    return {"if": condition, "then": {"properties": properties}}


KINDS: Mapping[str, Callable[[_SchemaWriter], Any]] = {
    "position": _SchemaWriter.position,
    "rules": lambda writer: schema_of_rules(),
    "rulebook": lambda writer: schema_of_rulebooks(),
    "record": _SchemaWriter.record,
    "scenario": _SchemaWriter.scenario_file,
    "case": _SchemaWriter.case,
    "board": _SchemaWriter.board,
}
"""The kinds of files."""

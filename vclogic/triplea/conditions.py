"""The conditions of a map (its rules attachments) and its triggers, as the engine reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.triplea.game import Attachment, GameMap, Option, Place

DIRECT, ALLIED, ENEMY = "direct", "allied", "enemy"
GROUPS = ("original", "originalNoWater", "controlled", "controlledNoWater", "all", "map", "enemy")
"""The words that stand for a set of territories in place of their names."""
ANY = "ANY"
_EACH = "each"
_TESTS = {
    "directOwnershipTerritories": ("owned", DIRECT),
    "alliedOwnershipTerritories": ("owned", ALLIED),
    "directPresenceTerritories": ("present", DIRECT),
    "alliedPresenceTerritories": ("present", ALLIED),
    "enemyPresenceTerritories": ("present", ENEMY),
    "directExclusionTerritories": ("absent", DIRECT),
    "alliedExclusionTerritories": ("absent", ALLIED),
    "enemyExclusionTerritories": ("absent", ENEMY),
    "enemySurfaceExclusionTerritories": ("absent", "surface"),
}
UNJUDGED = {
    "destroyedTUV": "what was destroyed in battles of the round",
    "battle": "battles that were fought",
    "isAI": "whether a program plays",
}
"""Tests that look at what no position shows, with what they are about: they are taken as not met."""


@dataclass(frozen=True)
class Places:
    """The territories that a test names.

    Attributes:
        names: Their names, each once, where they are listed.
        group: The group word in their place.
        needed: How many of them have to do; None: all.
        dropped: Names behind a group word, which the engine drops.
    """

    names: tuple[str, ...]
    group: str | None
    needed: int | None
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True)
class UnitRow:
    """So many units of some kinds.

    Attributes:
        kinds: The kinds, which count together; empty: any.
        number: How many: at least, or at most where their absence is asked.
    """

    kinds: tuple[str, ...]
    number: int


@dataclass(frozen=True)
class PlaceTest:
    """A test of territories.

    Attributes:
        what: `owned`, `present` (of units) or `absent`.
        whose: `direct`, `allied`, `enemy`, or `surface` for surface ships of enemies.
        places: The territories.
        units: What units are asked for; empty: any at all.
        option: Where it stands.
    """

    what: str
    whose: str
    places: Places
    units: tuple[UnitRow, ...]
    option: Option


@dataclass(frozen=True)
class Relation:
    """A relationship that is asked for: of two players, of a type or archetype, and for so many rounds."""

    one: str
    other: str
    types: tuple[str, ...]
    rounds: int
    option: Option


@dataclass(frozen=True)
class Several:
    """So many of some names: technologies, or players at war; none of them where the number is 0."""

    names: tuple[str, ...]
    number: int
    option: Option


@dataclass(frozen=True)
class Rule:
    """A condition.

    Attributes:
        player: The player that it is attached to.
        name: Its name.
        players: The players that it speaks of.
        conditions: The rules that it asks for, by key.
        between: How many of them have to hold, at least and at most.
        switch: Whether it is switched on at the start; None: it has no switch.
        rounds: The rounds in which it can hold, each from and to; None as an end: for ever. None: any.
        options: Yes-no properties that have to be set.
        places: Its tests of territories.
        relations: The relationships that it asks for.
        at_war: The players with whom one has to be at war.
        techs: The technologies that one has to have.
        unjudged: Tests that look at what no position shows.
        invert: Whether it holds where all this does not.
        attachment: Where it stands.
    """

    player: str
    name: str
    attachment: Attachment
    players: tuple[str, ...]
    conditions: tuple[str, ...] = ()
    between: tuple[int, int | None] = (0, None)
    switch: bool | None = None
    rounds: tuple[tuple[int, int | None], ...] | None = None
    options: tuple[str, ...] = ()
    places: tuple[PlaceTest, ...] = ()
    relations: tuple[Relation, ...] = ()
    at_war: tuple[Several, ...] = ()
    techs: tuple[Several, ...] = ()
    unjudged: tuple[Option, ...] = ()
    invert: bool = False

    @property
    def key(self) -> str:
        """Its name among all: player and name."""
        return f"{self.player}/{self.name}"

    @property
    def has_test(self) -> bool:
        """True if anything is asked."""
        tests = (self.conditions, self.options, self.places, self.relations, self.at_war, self.techs, self.unjudged)
        return any(tests) or self.rounds is not None or self.switch is not None


@dataclass(frozen=True)
class VictoryTrigger:
    """A trigger that announces a victory.

    Attributes:
        player: The player that it is attached to.
        name: Its name.
        key: The key of its message.
        winners: Who wins.
        conditions: The rules that it asks for, by key; none: it never fires.
        between: How many of them have to hold.
        invert: Whether it fires where they do not.
        when: Before or after which steps it is looked at; none: at the end of the round.
        attachment: Where it stands.
    """

    player: str
    name: str
    attachment: Attachment
    key: str
    winners: tuple[str, ...]
    conditions: tuple[str, ...]
    between: tuple[int, int | None]
    invert: bool
    when: tuple[tuple[str, str], ...]


@dataclass
class Conditions:
    """The conditions of a map.

    Args:
        game: The map.

    Attributes:
        rules: The conditions by key, in the order of the file.
        victories: The triggers that announce a victory.
        unknown: Options that are not read, each once by name.

    Raises:
        InputError: Everything in them that the engine refuses.
    """

    game: GameMap
    rules: dict[str, Rule] = field(default_factory=dict)
    victories: list[VictoryTrigger] = field(default_factory=list)
    unknown: dict[str, Option] = field(default_factory=dict)
    _wrong: list[Diagnostic] = field(default_factory=list)

    def __post_init__(self) -> None:
        by_name: dict[str, dict[str, None]] = {}
        attached = [a for a in self.game.attachments if a.kind == "RulesAttachment"]
        for a in attached:
            by_name.setdefault(a.name, {})[a.to] = None
        # A rule is looked up over all players in the order of their list: the first who has one of the name.
        self._named = {n: next(f"{p}/{n}" for p in (*self.game.players, *of) if p in of) for n, of in by_name.items()}
        for a in attached:
            rule = self._rule(a)
            self.rules[rule.key] = rule
        for a in self.game.attachments:
            if a.kind == "TriggerAttachment" and a.last("victory") is not None:
                self.victories.append(self._victory(a))
        if self._wrong:
            raise InputError(self._wrong)

    def _tell(self, at: Place, message: str, help: str | None = None, code: str = "wrong-value") -> None:
        self._wrong.append(Diagnostic(code, message, self.game.file, at.line, at.column, help))

    # ---- a rule

    def _rule(self, a: Attachment) -> Rule:
        units = self._units(a)
        judged = {*_TESTS, *UNJUDGED, *_READ}
        for o in a.options:
            if o.name not in judged and not o.name.startswith(_NOT_ASKED):
                self.unknown.setdefault(o.name, o)
        switch, invert = a.last("switch"), a.says("invert")
        properties = a.all("gameProperty")
        return Rule(
            a.to,
            a.name,
            a,
            self._players(a),
            self._keys(a),
            self._between(a),
            None if switch is None else a.says("switch"),
            self._rounds(a),
            tuple(o.value for o in properties[-1:]),
            tuple(self._test(o, units) for name in _TESTS for o in a.all(name)[-1:]),
            tuple(self._relation(o) for o in a.all("relationship")),
            tuple(self._several(o, self.game.players, "player") for o in a.all("atWarPlayers")[-1:]),
            tuple(self._several(o, None, "technology") for o in a.all("techs")[-1:]),
            tuple(o for o in a.options if o.name in UNJUDGED),
            invert,
        )

    def _players(self, a: Attachment) -> tuple[str, ...]:
        option = a.last("players")
        if option is None:
            return (a.to,)
        for p in option.parts:
            if p not in self.game.players:
                self._tell(
                    option.place,
                    f"there is no player {quoted(p)}",
                    did_you_mean(p, self.game.players),
                    "unknown-name",
                )
        return tuple(dict.fromkeys(option.parts))

    def _keys(self, a: Attachment) -> tuple[str, ...]:
        keys: dict[str, None] = {}
        for o in a.all("conditions", "trigger"):
            for name in o.parts:
                if name in self._named:
                    keys[self._named[name]] = None
                else:
                    self._tell(
                        o.place, f"there is no rule {quoted(name)}", did_you_mean(name, self._named), "unknown-name"
                    )
        return tuple(keys)

    def _between(self, a: Attachment) -> tuple[int, int | None]:
        """How many conditions have to hold, at least and at most; (-1, None) stands for all of them."""
        option = a.last("conditionType")
        word = "AND" if option is None else option.value.upper()
        if word in ("AND", "OR", "XOR"):
            return {"AND": (-1, None), "OR": (1, None), "XOR": (1, 1)}[word]
        assert option is not None, "it has a value"
        low, dash, high = word.partition("-")
        try:
            numbers = int(low), int(high) if dash else int(low)
        except ValueError:
            self._tell(
                option.place,
                f"conditionType is {quoted(option.value)}",
                "write AND, OR, a number, or two such as 1-3",
            )
            return 0, None
        if dash and numbers[0] >= numbers[1]:
            self._tell(option.place, f"conditionType {word} goes from more to less: the engine refuses it")
        return numbers

    def _rounds(self, a: Attachment) -> tuple[tuple[int, int | None], ...] | None:
        option = a.last("rounds", "turns")
        if option is None:
            return None
        found: list[tuple[int, int | None]] = []
        for part in option.parts:
            low, dash, high = part.partition("-")
            try:
                first = int(low)
                found.append((first, first if not dash else None if high == "+" else int(high)))
            except ValueError:
                self._tell(option.place, f"{quoted(part)} is no round", "write 3, 2-5 or 4-+")
        return tuple(found)

    def _units(self, a: Attachment) -> tuple[UnitRow, ...]:
        rows: dict[tuple[str, ...], UnitRow] = {}
        for o in a.all("unitPresence"):
            number, *kinds = o.parts
            if not number.lstrip("-").isdigit() or not kinds:
                self._tell(o.place, "unitPresence needs a count and kinds of units")
                continue
            key = () if any(k.upper() == ANY for k in kinds) else tuple(kinds)
            for k in key:
                if k not in self.game.kinds:
                    self._tell(
                        o.place, f"there is no unit {quoted(k)}", did_you_mean(k, self.game.kinds), "unknown-name"
                    )
            rows[key] = UnitRow(key, int(number))  # a second row of the same units replaces the first
        return tuple(rows.values())

    def _test(self, o: Option, units: tuple[UnitRow, ...]) -> PlaceTest:
        what, whose = _TESTS[o.name]
        return PlaceTest(what, whose, self._places(o), () if what == "owned" else units, o)

    def _places(self, o: Option) -> Places:
        parts = o.parts
        if len(parts) == 1 and parts[0] in GROUPS:
            return Places((), parts[0], None)
        if len(parts) == 2 and parts[1] in GROUPS and parts[0] not in self.game.territories:
            return Places((), parts[1], self._count(o, parts[0]))
        needed = None
        names: dict[str, None] = {}
        for i, part in enumerate(parts):
            if i == 0 and part.lstrip("-").isdigit():
                needed = int(part)
            elif part == _EACH:
                needed = 1
            elif part in GROUPS:
                return Places(tuple(names), None, needed, tuple(parts[i + 1 :]))
            elif part in self.game.territories:
                names[part] = None
            else:
                help = did_you_mean(part, self.game.territories)
                self._tell(o.place, f"there is no territory {quoted(part)}", help, "unknown-name")
        return Places(tuple(names), None, needed)

    def _count(self, o: Option, text: str) -> int | None:
        if text == _EACH:
            return 1
        try:
            return int(text)
        except ValueError:
            self._tell(o.place, f"{quoted(text)} is no number of territories")
            return None

    def _relation(self, o: Option) -> Relation:
        one, other, kind, *rounds = (*o.parts, "", "", "")[: max(3, len(o.parts))]
        for p in (one, other):
            if p not in self.game.players:
                self._tell(
                    o.place, f"there is no player {quoted(p)}", did_you_mean(p, self.game.players), "unknown-name"
                )
        archetype = {"anyWar": "war", "anyAllied": "allied", "anyNeutral": "neutral"}.get(kind)
        types = tuple(n for n, a in self.game.relations.items() if (a == archetype if archetype else n == kind))
        if not archetype and not types:
            help = did_you_mean(kind, [*self.game.relations, "anyWar", "anyAllied", "anyNeutral"])
            self._tell(o.place, f"there is no type of relationship {quoted(kind)}", help, "unknown-name")
        since = int(rounds[0]) if rounds and rounds[0].lstrip("-").isdigit() else -1
        return Relation(one, other, types, since, o)

    def _several(self, o: Option, known: Sequence[str] | None, what: str) -> Several:
        number, *names = o.parts
        if not number.lstrip("-").isdigit():
            number, names = "0", o.parts
        for n in names:
            if known is not None and n not in known:
                self._tell(o.place, f"there is no {what} {quoted(n)}", did_you_mean(n, known), "unknown-name")
        return Several(tuple(dict.fromkeys(names)), int(number), o)

    # ---- a victory

    def _victory(self, a: Attachment) -> VictoryTrigger:
        key = a.last("victory")
        assert key is not None, "it announces one"
        when = [[*o.parts, ""][:2] for o in a.all("when")]
        moments = tuple((side, step) for side, step in when)
        return VictoryTrigger(
            a.to, a.name, a, key.value, self._players(a), self._keys(a), self._between(a), a.says("invert"), moments
        )


_READ = frozenset(
    (
        *("conditions", "trigger", "conditionType", "invert", "switch", "players", "rounds", "turns"),
        *("unitPresence", "gameProperty", "relationship", "atWarPlayers", "techs"),
    )
)
_NOT_ASKED = (  # what a rule pays, or what it forbids: nothing that a condition asks
    *("objectiveValue", "uses", "each", "placement", "movementRestriction", "unlimitedProduction", "production"),
    *("maxPlace", "dominating", "negateDominating", "notification", "gameProperty"),
)

"""The conditions of a map (its rules attachments) and its triggers, as the engine reads them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.triplea.attachments import Attachment, AttachmentOption, FilePlace, spelled
from vclogic.triplea.game import NEUTRAL, GameMap
from vclogic.triplea.rules import (
    ALLIED,
    DIRECT,
    ENEMY,
    MapRule,
    PlaceTest,
    Relationship,
    Several,
    TestedLand,
    Trigger,
    UnitRow,
)

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


@dataclass
class MapConditions:
    """The conditions of a map.

    Args:
        game: The map.

    Attributes:
        rules: The conditions by key, in the order of the file.
        victories: The triggers that announce a victory.
        triggers: All others.
        unknown: Options that are not known, each once by the kind of its attachment and its name.
        lost: Rules that another of their name replaces, which those between the two still ask for, by key.

    Raises:
        InputError: Everything in them that the engine refuses.
    """

    game: GameMap
    rules: dict[str, MapRule] = field(default_factory=dict)
    victories: list[Trigger] = field(default_factory=list)
    triggers: list[Trigger] = field(default_factory=list)
    unknown: dict[tuple[str, str], AttachmentOption] = field(default_factory=dict)
    lost: dict[str, MapRule] = field(default_factory=dict)
    _wrong: list[Diagnostic] = field(default_factory=list)
    _named: dict[str, dict[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # A name means what it means where it stands: a rule that is replaced below stays with those that named it.
        kept = {id(a) for a in self.game.attachments}
        replaced: dict[str, MapRule] = {}
        for a in self.game.written:
            self._known_options(a)
            if a.kind == "RulesAttachment":
                rule = self._rule(a)
                if id(a) not in kept:
                    rule = replace(rule, name=f"{a.name} of line {a.place.line}")
                (self.rules if id(a) in kept else replaced)[rule.key] = rule
                self._named.setdefault(a.name, {})[a.to] = rule.key
            elif a.kind == "TriggerAttachment" and id(a) in kept:
                trigger = self._trigger(a)
                (self.victories if trigger.key else self.triggers).append(trigger)
        if self._wrong:
            raise InputError(self._wrong)
        waiting = [k for rule in self.rules.values() for k in rule.conditions]
        waiting += [k for trigger in (*self.victories, *self.triggers) for k in trigger.conditions]
        while waiting:
            key = waiting.pop()
            if key in replaced and key not in self.lost:
                self.lost[key] = replaced[key]
                waiting += replaced[key].conditions
        self.rules = {**self.lost, **self.rules}

    @property
    def players(self) -> tuple[str, ...]:
        """The players that a line may name: nobody is one, too."""
        return (*self.game.players, NEUTRAL)

    def _known_options(self, a: Attachment) -> None:
        for o in a.options:
            if o.name not in KNOWN_OPTIONS.get(a.kind, (o.name,)):
                self.unknown.setdefault((a.kind, o.name), o)

    def _tell(self, at: FilePlace, message: str, help: str | None = None, code: str = "wrong-value") -> None:
        self._wrong.append(Diagnostic(code, message, self.game.file, at.line, at.column, help))

    # ---- a rule

    def _rule(self, a: Attachment) -> MapRule:
        units = self._units(a)
        switch, invert = a.last("switch"), a.says("invert")
        properties = a.all("gameProperty")
        return MapRule(
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
            tuple(o for o in a.options if o.name in UNJUDGED and not _of_nothing(o)),
            invert,
        )

    def _players(self, a: Attachment) -> tuple[str, ...]:
        named: dict[str, None] = {}
        for option in a.all("players"):
            for p in option.parts:
                self._known(option, p, self.players, "player")
                named[p] = None
        return tuple(named) or (a.to,)

    def _known(self, o: AttachmentOption, name: str, known: Iterable[str], what: str) -> None:
        """Tell a name that there is not."""
        if name not in known:
            self._tell(o.place, f"there is no {what} {quoted(name)}", did_you_mean(name, known), "unknown-name")

    def _keys(self, a: Attachment) -> tuple[str, ...]:
        """The rules that an attachment names: of one name the first player's, in the order of their list."""
        keys: list[str] = []
        for o in a.all("conditions"):
            for name in filter(None, map(str.strip, o.parts)):
                of = self._named.get(spelled(name))
                if of is None:
                    below = any(spelled(name) == b.name for b in self.game.written if b.kind == a.kind)
                    why = "a rule may name only those that stand above it" if below else None
                    help = why or did_you_mean(name, self._named)
                    self._tell(o.place, f"there is no rule {quoted(name)} here", help, "unknown-name")
                else:
                    keys.append(next(of[p] for p in (*self.game.players, *of) if p in of))
        return tuple(keys)

    def _between(self, a: Attachment) -> tuple[int, int | None]:
        """The number of conditions that have to hold, at least and at most; (-1, None) stands for all of them."""
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
        option = a.last("rounds")
        if option is None:
            return None
        found: dict[int, int | None] = {}  # of two that begin with one round the last counts
        for part in option.parts:
            low, dash, high = part.partition("-")
            try:
                first = int(low)
                found[first] = first if not dash else None if high == "+" else int(high)
            except ValueError:
                self._tell(option.place, f"{quoted(part)} is no round", "write 3, 2-5 or 4-+")
        return tuple(found.items())

    def _units(self, a: Attachment) -> tuple[UnitRow, ...]:
        rows: dict[tuple[str, ...], UnitRow] = {}
        for o in a.all("unitPresence"):
            number, *kinds = o.parts
            if not number.lstrip("-").isdigit() or not kinds:
                self._tell(o.place, "unitPresence needs a count and kinds of units")
                continue
            key = () if any(k.upper() == ANY for k in kinds) else tuple(kinds)
            for k in key:
                self._known(o, k, self.game.kinds, "unit")
            rows[key] = UnitRow(key, int(number))  # a second row of the same units replaces the first
        return tuple(rows.values())

    def _test(self, o: AttachmentOption, units: tuple[UnitRow, ...]) -> PlaceTest:
        what, whose = _TESTS[o.name]
        return PlaceTest(what, whose, self._places(o), () if what == "owned" else units, o)

    def _places(self, o: AttachmentOption) -> TestedLand:
        parts = o.parts
        if len(parts) == 1 and parts[0] in GROUPS:
            return TestedLand((), parts[0], None)
        if len(parts) == 2 and parts[1] in GROUPS and parts[0] not in self.game.territories:
            return TestedLand((), parts[1], self._count(o, parts[0]))
        needed = None
        names: dict[str, None] = {}
        for i, part in enumerate(parts):
            if i == 0 and part.lstrip("-").isdigit():
                needed = int(part)
            elif part == _EACH:
                needed = 1
            elif part in GROUPS:
                return TestedLand(tuple(names), None, needed, tuple(parts[i + 1 :]))
            else:
                self._known(o, part, self.game.territories, "territory")
                names[part] = None
        return TestedLand(tuple(names), None, needed)

    def _count(self, o: AttachmentOption, text: str) -> int | None:
        if text == _EACH:
            return 1
        try:
            return int(text)
        except ValueError:
            self._tell(o.place, f"{quoted(text)} is no number of territories")
            return None

    def _relation(self, o: AttachmentOption) -> Relationship:
        one, other, kind, *rounds = (*o.parts, "", "", "")[: max(3, len(o.parts))]
        for p in (one, other):
            self._known(o, p, self.players, "player")
        types = self.game.types(kind)
        if not types and kind not in ("anyWar", "anyAllied", "anyNeutral"):
            help = did_you_mean(kind, [*self.game.relations, "anyWar", "anyAllied", "anyNeutral"])
            self._tell(o.place, f"there is no type of relationship {quoted(kind)}", help, "unknown-name")
        since = int(rounds[0]) if rounds and rounds[0].lstrip("-").isdigit() else -1
        return Relationship(one, other, types, since, o)

    def _several(self, o: AttachmentOption, known: Sequence[str] | None, what: str) -> Several:
        number, *names = o.parts
        if not number.lstrip("-").isdigit():
            number, names = "0", o.parts
        for n in names if known is not None else ():
            self._known(o, n, known or (), what)
        return Several(tuple(dict.fromkeys(names)), int(number), o)

    # ---- a trigger

    def _trigger(self, a: Attachment) -> Trigger:
        key = a.last("victory")
        when = [[*o.parts, ""][:2] for o in a.all("when")]
        moments = tuple((side, step) for side, step in when)
        chance = a.last("chance")
        dice = None if chance is None or chance.parts[0] == chance.parts[-1] else chance.value
        return Trigger(
            a.to,
            a.name,
            a,
            "" if key is None else key.value,
            self._players(a),
            self._keys(a),
            self._between(a),
            a.says("invert"),
            moments,
            dice,
        )


def _of_nothing(o: AttachmentOption) -> bool:
    """True if a test about battles asks for nothing, and so is met."""
    number = o.parts[0].strip()
    return o.name == "destroyedTUV" and number.lstrip("-").isdigit() and int(number) <= 0


_JOINED = ("conditions", "conditionType", "invert", "chance", "chanceIncrementOnFailure", "chanceDecrementOnSuccess")
KNOWN_OPTIONS: Mapping[str, frozenset[str]] = {
    "RulesAttachment": frozenset(
        (
            *_TESTS,
            *UNJUDGED,
            *_JOINED,
            *("switch", "players", "rounds", "unitPresence", "gameProperty", "relationship", "atWarPlayers", "techs"),
            # what a rule pays, allows and forbids: nothing that a condition asks
            *("objectiveValue", "uses", "countEach", "movementRestrictionTerritories", "movementRestrictionType"),
            *("placementAnyTerritory", "placementAnySeaZone", "placementCapturedTerritory", "placementPerTerritory"),
            *("placementInCapitalRestricted", "unlimitedProduction", "productionPerXTerritories"),
            *("maxPlacePerTerritory", "dominatingFirstRoundAttack", "negateDominatingFirstRoundAttack"),
        )
    ),
    "TriggerAttachment": frozenset(
        (
            *_JOINED,
            *("victory", "players", "when", "uses", "usedThisRound", "notification", "activateTrigger"),
            *("frontier", "productionRule", "tech", "availableTech", "placement", "removeUnits", "purchase"),
            *("resource", "resourceCount", "support", "relationshipChange", "changeOwnership"),
            *("unitType", "unitAttachmentName", "unitProperty"),
            *("territories", "territoryAttachmentName", "territoryProperty"),
            *("playerAttachmentName", "playerProperty"),
            *("relationshipTypes", "relationshipTypeAttachmentName", "relationshipTypeProperty"),
            *("territoryEffects", "territoryEffectAttachmentName", "territoryEffectProperty"),
        )
    ),
    "TerritoryAttachment": frozenset(
        (
            *("capital", "originalFactory", "production", "victoryCity", "isImpassable", "originalOwner"),
            *("whenCapturedByGoesTo", "convoyRoute", "convoyAttached", "changeUnitOwners", "captureUnitOnEnteringBy"),
            *(
                "navalBase",
                "airBase",
                "kamikazeZone",
                "unitProduction",
                "blockadeZone",
                "territoryEffect",
                "resources",
            ),
        )
    ),
}
"""The options of attachments that bear on victory, by the kind of attachment."""

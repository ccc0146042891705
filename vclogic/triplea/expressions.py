"""The conditions of a map as expressions of a rulebook, and as sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from vclogic.triplea.conditions import MapConditions
from vclogic.triplea.game import ALLIED as ALLIED_TYPE
from vclogic.triplea.game import DEFAULTS, NEUTRAL, WAR, GameMap, Territory
from vclogic.triplea.naming import Words, quoted_name
from vclogic.triplea.rules import ALLIED, DIRECT, ENEMY, MapRule, PlaceTest, Relationship, Several, Trigger, UnitRow

SURFACE = "surface ships"
ANY_UNITS = "units"
FALSE, TRUE = "false", "true"
_SHOWN = 3  # kinds of units in a name
PROPERTY = "property"
"""Whose words those of properties are: those of conditions are others."""


@dataclass(frozen=True)
class Stack:
    """Units of a sort that a player has in a territory, or how many territories have enough of them.

    Attributes:
        territory: The territory; empty: all of them.
        player: The player.
        sort: The kinds that count, joined by colons, or `units` for all and `surface ships` for those.
        enough: Of all territories: how many units one of them needs to count.
    """

    territory: str
    player: str
    sort: str
    enough: int = 0

    def amount(self, game: GameMap, units: Iterable[tuple[tuple[str, str, str], int]]) -> int:
        """The number there is.

        Args:
            game: The map.
            units: How many units of a kind a player has in a territory: (territory, player, kind), number.
        """
        there: dict[str, int] = {}
        for (territory, player, kind), number in units:
            if player == self.player and self.territory in ("", territory) and counts(game, self, kind):
                there[territory] = there.get(territory, 0) + number
        return sum(there.values()) if self.territory else sum(n >= self.enough for n in there.values())


class Expressions:
    """The conditions of a map in a rulebook.

    Args:
        conditions: The conditions.

    Attributes:
        stacks: The stacks of units that are asked for, in the order in which they are, with their names.
        words: The definitions' names.
    """

    def __init__(self, conditions: MapConditions):
        self.conditions, self.game = conditions, conditions.game
        self.stacks: dict[Stack, str] = {}
        self._sorts: dict[str, str] = {}
        self.words = Words(TAKEN)
        self.relations_asked = False

    # ---- players

    @cached_property
    def owners(self) -> tuple[str, ...]:
        """Whoever can own land: the players, and `Neutral`, which may be a player's name."""
        return tuple(dict.fromkeys((*self.game.players, NEUTRAL)))

    @cached_property
    def has_relations(self) -> bool:
        """True if relationships say who is allied, and not the alliances."""
        return bool(self.game.relation)

    def archetype(self, one: str, other: str) -> str | None:
        """The relationship that two owners always have; None: their relationship says so."""
        if one == other:
            return ALLIED_TYPE
        known = self.game.players
        if one not in known or other not in known:
            return WAR
        if self.has_relations:
            return None
        return ALLIED_TYPE if self.game.together(one, other) else WAR

    def stands(self, one: str, other: str, archetype: str) -> str:
        """The condition that two owners are allied, or at war."""
        always = self.archetype(one, other)
        if always is not None:
            return TRUE if always == archetype else FALSE
        self.relations_asked = True
        word = "allied_pair" if archetype == ALLIED_TYPE else "war_pair"
        return f"{word}({quoted_name(pair_name(*self.game.pair(one, other)))})"

    def whose(self, whose: str, players: Sequence[str]) -> list[tuple[str, str]]:
        """The owners that a test looks at, each with the condition that it does."""
        found = []
        for owner in self.owners:
            if whose == DIRECT:
                when = TRUE if owner in players else FALSE
            elif whose == ALLIED:
                when = any_of(self.stands(p, owner, ALLIED_TYPE) for p in players)
            else:
                when = any_of(self.stands(p, owner, WAR) for p in players if p != owner)
            if when != FALSE:
                found.append((owner, when))
        return found

    # ---- territories

    def rule(self, rule: MapRule) -> str:
        """The expression for a condition."""
        parts: list[str] = []
        if rule.conditions:
            parts.append(number_of([self.word(key) for key in rule.conditions], rule.between))
        if rule.switch is not None:
            parts.append(f"on({quoted_name(rule.key)})")
        if rule.rounds is not None:
            parts.append(any_of(_rounds(low, high) for low, high in rule.rounds))
        parts += [self.option(name) for name in rule.options]
        parts += [self.test(test, rule.players) for test in rule.places]
        parts += [self._relation(r) for r in rule.relations]
        parts += [self._at_war(s, rule.player) for s in rule.at_war]
        parts += [self._techs(s, rule.player) for s in rule.techs]
        parts += [FALSE for _ in rule.unjudged]
        found = all_of(parts)
        return inverted(found) if rule.invert else found

    def word(self, key: str) -> str:
        """The name of a condition's definition."""
        return self.words.word(key)

    def option(self, name: str) -> str:
        """The condition that a yes-no property of the map is set."""
        found = self.game.properties.get(name)
        if found is None or not found.editable:
            return TRUE if found is not None and found.on else FALSE
        return f"{self.words.word(name, what=PROPERTY)} == yes"

    def fires(self, trigger: Trigger) -> str:
        """The condition that the rules of a trigger hold; one without rules never fires."""
        if not trigger.can_fire:
            return FALSE
        held = number_of([self.word(k) for k in trigger.conditions], trigger.between)
        return inverted(held) if trigger.invert else held

    def test(self, test: PlaceTest, players: Sequence[str]) -> str:
        """The expression for a test of territories."""
        if (anywhere := self._anywhere(test, players)) is not None:
            return anywhere
        names = self.territories(test, players)
        needed = test.places.needed
        if isinstance(names, list):
            needed = len(names) if needed is None else needed
            if needed <= 0:
                return TRUE
            if needed > len(names):
                return FALSE
            return number_of([self.at(test, n, players) for n in names], (needed, None))
        counted = [(n, when, self.at(test, n, players)) for n, when in names.items()]
        if needed is None:
            return all_of(any_of((inverted(when), does)) for _, when, does in counted)
        if needed <= 0:
            return TRUE
        return number_of([all_of((when, does)) for _, when, does in counted], (needed, None))

    def _anywhere(self, test: PlaceTest, players: Sequence[str]) -> str | None:
        """The expression for a test of the whole map, where it is enough to count territories; None: it is not."""
        needed, rows = test.places.needed, test.units or (UnitRow((), 1),)
        owners = self.whose(test.whose, players)
        one_by_one = needed == 1 and rows[0].number == 1  # then it does not matter whose of several
        if test.places.group != "map" or test.what != "present" or len(rows) > 1 or needed is None or needed <= 0:
            return None
        if rows[0].number <= 0 or not (one_by_one or len(owners) == 1):
            return None
        found = []
        for owner, when in owners:
            units = self._stack(Stack("", owner, self._sort(rows[0], ANY_UNITS), rows[0].number))
            found.append(all_of((f"{units} >= {needed}", when)))
        return any_of(found)

    def territories(self, test: PlaceTest, players: Sequence[str]) -> list[str] | dict[str, str]:
        """The territories of a test: a list, or each that may be one with when it is."""
        group, land = test.places.group, self.game.territories
        if group is None:
            return list(test.places.names)
        if group == "map":
            return list(land)
        dry = group.endswith("NoWater")
        of_whom = self.whose(DIRECT, players)
        if test.what == "owned" and (group == ENEMY or (group == "original" and test.whose == ALLIED)):
            whose = self.whose(group if group == ENEMY else ALLIED, players)
            of_whom = [(o, when) for o, when in whose if o in self.game.players]
        open_to = {n: [(o, w) for o, w in of_whom if not (dry and self._shut(t, o))] for n, t in land.items()}
        first = {n: t.original or self.game.owners[n] for n, t in land.items()}
        originally = {n: any_of(w for o, w in of if o == first[n]) for n, of in open_to.items()}
        originally = {n: when for n, when in originally.items() if when != FALSE}
        if group in ("original", "originalNoWater", ENEMY):
            return [*originally] if all(when == TRUE for when in originally.values()) else originally
        held = {n: self._held(n, of) for n, of in open_to.items()}
        return held if group != "all" else held | originally

    def _shut(self, territory: Territory, player: str) -> bool:
        """True if land units of a player may never enter a territory."""
        if territory.water or territory.impassable or not self.game.is_on("Movement By Territory Restricted"):
            return territory.water or territory.impassable
        rules = next((a for a in self.game.attachments if (a.to, a.name) == (player, "rulesAttachment")), None)
        listed_there = rules and rules.last("movementRestrictionTerritories")
        if rules is None or not listed_there:
            return False
        kind = rules.last("movementRestrictionType")
        return (kind is not None and kind.value == "allowed") != (territory.name in listed_there.parts)

    def at(self, test: PlaceTest, territory: str, players: Sequence[str]) -> str:
        """The expression for a test in a territory."""
        if test.what == "owned":
            return self._held(territory, self.whose(test.whose, players))
        sort = SURFACE if test.whose == "surface" else ANY_UNITS
        owners = self.whose(test.whose, players)
        if test.what == "absent" and test.whose == ALLIED:
            owners = [(o, when) for o, when in owners if o not in players]
        if not test.units:
            there = self._units(territory, owners, sort, 1)
            return inverted(there) if test.what == "absent" else there
        parts = []
        if test.what == "present" and all(row.number <= 0 for row in test.units):
            parts.append(self._units(territory, owners, sort, 1))
        for row in test.units:
            if test.what == "present":
                parts.append(self._units(territory, owners, self._sort(row, sort), row.number))
            else:
                parts.append(inverted(self._units(territory, owners, self._sort(row, sort), row.number + 1)))
        return all_of(parts)

    def _sort(self, row: UnitRow, sort: str) -> str:
        if not row.kinds:
            return sort
        if sort == SURFACE:
            return ":".join(k for k in row.kinds if is_surface(self.game, k)) or FALSE
        return ":".join(row.kinds)

    def _held(self, territory: str, owners: Iterable[tuple[str, str]]) -> str:
        owner = f"owner({quoted_name(territory)})"
        return any_of(all_of((f"{owner} == {quoted_name(o)}", when)) for o, when in owners)

    def _units(self, territory: str, owners: Sequence[tuple[str, str]], sort: str, number: int) -> str:
        """The condition that at least so many units of a sort, of some owners, stand in a territory."""
        if number <= 0:
            return TRUE
        if sort == FALSE or not owners:
            return FALSE
        there = []
        for owner, when in owners:
            there.append((self._stack(Stack(territory, owner, sort)), when))
        if number == 1 or len(there) == 1:
            return any_of(all_of((f"{units} >= {number}", when)) for units, when in there)
        terms = (units if when == TRUE else f"if({when}, {units}, 0)" for units, when in there)
        return f"{' + '.join(terms)} >= {number}"

    def _stack(self, stack: Stack) -> str:
        """The fact that says how many units a stack has."""
        if stack not in self.stacks:
            kinds = stack.sort.split(":")
            short = " or ".join(kinds) if len(kinds) <= _SHOWN else f"{kinds[0]} or {len(kinds) - 1} others"
            while self._sorts.setdefault(short, stack.sort) != stack.sort:
                short = f"{short}, another set"
            of = f"{short} of {stack.player}"
            self.stacks[stack] = (
                f"{of} in {stack.territory}" if stack.territory else f"territories with {stack.enough} {of}"
            )
        return f"units({quoted_name(self.stacks[stack])})"

    # ---- what else is asked

    def _relation(self, r: Relationship) -> str:
        extra = self.game.number("Relationships Last Extra Rounds")
        rounds = r.rounds + extra
        if r.one == r.other or not self.has_relations:  # it is what it is from the first round
            always = DEFAULTS_OF[self.archetype(r.one, r.other) or WAR]
            return all_of((TRUE if always in r.types else FALSE, _rounds(1 + rounds, None)))
        pair = self.game.pair(r.one, r.other)
        self.relations_asked = True
        name = quoted_name(pair_name(*pair))
        types = any_of(f"relation({name}) == {quoted_name(t)}" for t in r.types)
        lasting = TRUE if rounds == -1 else f"since({name}) + {rounds} <= round"
        return all_of((types, lasting))

    def _at_war(self, asked: Several, player: str) -> str:
        wars = [self.stands(player, e, WAR) for e in asked.names]
        return inverted(any_of(wars)) if asked.number == 0 else number_of(wars, (asked.number, None))

    def _techs(self, asked: Several, player: str) -> str:
        known = [f"knows({quoted_name(player)}, {quoted_name(t)})" for t in asked.names]
        return inverted(any_of(known)) if asked.number == 0 else number_of(known, (asked.number, None))


DEFAULTS_OF = {archetype: name for name, archetype in DEFAULTS.items()}
TAKEN = [
    "territory",
    "owned",
    "city",
    "production",
    "stack",
    "relation",
    "since",
    "pair",
    "first",
    "second",
    "owner",
    "units",
    "on",
    "knows",
    "tech",
    "switch",
    "allied_pair",
    "war_pair",
    "friendly",
    "hostile",
    "cities",
    "production_of",
    "capture",
    "relationship",
    "announced",
    "held",
    "by_sea",
    "city_now",
    "production_now",
    "victory_points",
    "beside_sea",
    "canal",
    "sea_range",
    *(f"at_sea_{n}" for n in range(9)),
]
"""Words that the rulebook of a map has for itself."""


def is_surface(game: GameMap, kind: str) -> bool:
    """True if units of a kind are surface ships that fight: no submarines, no transports without arms."""
    unit = game.kinds[kind]
    capacity = unit.last("transportCapacity")
    unarmed = capacity is not None and capacity.value.strip().isdigit() and int(capacity.value) > 0
    under_water = unit.says("isSub") or unit.says("canEvade")
    return unit.says("isSea") and not under_water and (not unarmed or unit.says("isCombatTransport"))


def counts(game: GameMap, stack: Stack, kind: str) -> bool:
    """True if units of a kind belong to a stack, standing where it is."""
    if stack.sort == SURFACE:
        return is_surface(game, kind)
    return stack.sort == ANY_UNITS or kind in stack.sort.split(":")


def pair_name(one: str, other: str) -> str:
    """The name of a pair of players in the rulebook."""
    return f"{one} and {other}"


# ---- conditions put together; what is always so, or never, falls away


def all_of(parts: Iterable[str]) -> str:
    """The condition that all hold."""
    kept = [p for p in parts if p != TRUE]
    if FALSE in kept:
        return FALSE
    return " and ".join(p if len(kept) == 1 else _within(p, " or ") for p in kept) or TRUE


def any_of(parts: Iterable[str]) -> str:
    """The condition that one of them holds."""
    kept = [p for p in dict.fromkeys(parts) if p != FALSE]
    return TRUE if TRUE in kept else " or ".join(kept) or FALSE


def inverted(part: str) -> str:
    """The condition that it does not hold."""
    return {TRUE: FALSE, FALSE: TRUE}.get(part) or f"not ({part})"


def number_of(parts: Sequence[str], between: tuple[int, int | None]) -> str:
    """The condition that so many hold, at least and at most; -1 for at least: all."""
    low, high = between
    low = len(parts) if low == -1 else low
    if high is None and low >= len(parts):
        return all_of(parts) if low == len(parts) else FALSE
    if high is None and low <= 1:
        return TRUE if low <= 0 else any_of(parts)
    number = f"count({', '.join(parts)})"
    if low == high:
        return f"{number} == {low}"
    at_most = [] if high is None else [f"{number} <= {high}"]
    return all_of(([f"{number} >= {low}"] if low > 0 else []) + at_most)


def _within(part: str, joint: str) -> str:
    return f"({part})" if joint in part else part


def _rounds(low: int, high: int | None) -> str:
    if high is None:
        return f"round >= {low}" if low > 1 else TRUE
    if high < low:
        return FALSE
    return f"round == {low}" if low == high else f"round >= {low} and round <= {high}"

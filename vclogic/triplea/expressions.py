"""The conditions of a map as expressions of a rulebook, and as sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from vclogic.triplea.conditions import ALLIED, DIRECT, Conditions, PlaceTest, Relation, Rule, Several, UnitRow
from vclogic.triplea.game import ALLIED as ALLIED_TYPE
from vclogic.triplea.game import NEUTRAL, WAR, GameMap
from vclogic.triplea.naming import Words, listed, prose, quoted_name

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
        """How many there are.

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
    """What the conditions of a map are in a rulebook.

    Args:
        conditions: The conditions.

    Attributes:
        stacks: The stacks of units that are asked for, in the order in which they are, with their names.
        words: The definitions' names.
    """

    def __init__(self, conditions: Conditions):
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
        """What two owners are to each other always; None: their relationship says so."""
        if one == other:
            return ALLIED_TYPE
        known = self.game.players
        if one not in known or other not in known:
            return WAR
        if self.has_relations and self.game.pair(one, other) in self.game.relation:
            return None
        together = any(one in of and other in of for of in self.game.alliances.values())
        return ALLIED_TYPE if together else WAR

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

    def rule(self, rule: Rule) -> str:
        """What has to be so for a condition to hold."""
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
        parts += [self._at_war(s, rule.players) for s in rule.at_war]
        parts += [self._techs(s, rule.players) for s in rule.techs]
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

    def test(self, test: PlaceTest, players: Sequence[str]) -> str:
        """What a test of territories asks for."""
        if (anywhere := self._anywhere(test, players)) is not None:
            return anywhere
        names = self.territories(test.places.names, test.places.group, players)
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
        """What a test of the whole map asks for, where it is enough to count territories; None: it is not."""
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

    def territories(
        self, names: Sequence[str], group: str | None, players: Sequence[str]
    ) -> list[str] | dict[str, str]:
        """The territories of a test: a list, or each that may be one with when it is."""
        if group is None:
            return list(names)
        land = {n: t for n, t in self.game.territories.items() if not (group.endswith("NoWater") and t.water)}
        if group == "map":
            return list(land)
        originally = [n for n, t in land.items() if (t.original or self.game.owners[n]) in players]
        if group.startswith("original"):
            return originally
        if group == "enemy":
            return {n: self._held(n, self.whose("enemy", players)) for n in land}
        held = {n: self._held(n, self.whose(DIRECT, players)) for n in land}
        return held if group != "all" else held | dict.fromkeys(originally, TRUE)

    def at(self, test: PlaceTest, territory: str, players: Sequence[str]) -> str:
        """What a test asks for in a territory."""
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

    def _relation(self, r: Relation) -> str:
        if r.one == r.other:
            return FALSE
        pair = self.game.pair(r.one, r.other)
        if pair not in self.game.relation:
            return FALSE
        self.relations_asked = True
        name = quoted_name(pair_name(*pair))
        types = any_of(f"relation({name}) == {quoted_name(t)}" for t in r.types)
        lasting = TRUE if r.rounds == -1 else f"since({name}) + {r.rounds} <= round"
        return all_of((types, lasting))

    def _at_war(self, asked: Several, players: Sequence[str]) -> str:
        wars = [any_of(self.stands(p, e, WAR) for p in players if p != e) for e in asked.names]
        return inverted(any_of(wars)) if asked.number == 0 else number_of(wars, (asked.number, None))

    def _techs(self, asked: Several, players: Sequence[str]) -> str:
        known = [f"knows({quoted_name(p)}, {quoted_name(t)})" for p in players for t in asked.names]
        return inverted(any_of(known)) if asked.number == 0 else number_of(known, (asked.number, None))


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


# ---- sentences

_WHOSE = {"direct": "", "allied": " or allies", "enemy": "enemies of ", "surface": "enemies of "}


def sentence(rule: Rule, game: GameMap) -> str:
    """A condition as a player reads it."""
    said: list[str] = []
    if rule.conditions:
        names = listed(dict.fromkeys(prose(k) for k in rule.conditions))
        said.append(f"{_how_many(rule.between, len(rule.conditions))} {names}")
    if rule.switch is not None:
        said.append("its switch is on")
    if rule.rounds is not None:
        said.append(f"it is round {listed((_round_words(*r) for r in rule.rounds), 'or')}")
    said += [f"the option {prose(o)} is set" for o in rule.options]
    said += [_place_words(t, rule.players) for t in rule.places]
    for r in rule.relations:
        lasting = f" for {r.rounds} rounds" if r.rounds > 0 else ""
        said.append(f"{prose(r.one)} and {prose(r.other)} are {listed(r.types, 'or')}{lasting}")
    for s in rule.at_war:
        number = "none" if s.number == 0 else f"{s.number}"
        said.append(f"{listed(rule.players)} are at war with {number} of {listed(s.names)}")
    for s in rule.techs:
        number = "none" if s.number == 0 else f"{s.number}"
        said.append(f"{listed(rule.players)} have {number} of {listed(s.names)}")
    said += [f"{o.name}, which no position shows" for o in rule.unjudged]
    whole = "; ".join(said) or "always"
    holds = "does not hold where" if rule.invert else "holds where"
    return f"{prose(rule.name)} of {prose(rule.player)} {holds} {whole}"


def _how_many(between: tuple[int, int | None], number: int) -> str:
    low, high = between
    if low in (-1, number) and high is None:
        return "all hold of" if number > 1 else "this holds:"
    if high is None:
        return f"at least {low} hold of"
    return f"exactly {low} hold of" if low == high else f"{low} to {high} hold of"


def _round_words(low: int, high: int | None) -> str:
    return f"{low} or later" if high is None else str(low) if low == high else f"{low} to {high}"


def _place_words(test: PlaceTest, players: Sequence[str]) -> str:
    places, who = test.places, listed(players)
    whose = f"{_WHOSE[test.whose]}{who}" if test.whose in ("enemy", "surface") else f"{who}{_WHOSE[test.whose]}"
    names = listed(places.names) if places.group is None else f"the territories that are called {places.group}"
    number = "all" if places.needed is None else f"at least {places.needed}"
    if test.what == "owned":
        return f"{whose} own {number} of {names}"
    ships = "surface ships" if test.whose == "surface" else "units"
    kinds = listed((f"{row.number} {listed(row.kinds, 'or') or ships}" for row in test.units), "and")
    if test.what == "present":
        return f"{whose} have {kinds or ships} in {number} of {names}"
    most = f"at most {kinds}" if kinds else f"no {ships}"
    return f"{whose} have {most} in {number} of {names}"

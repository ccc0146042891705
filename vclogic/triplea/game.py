"""A map of TripleA as data: its land, players, alliances, attachments and properties, as the engine reads them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations

from vclogic.errors import Diagnostic, InputError, did_you_mean, quoted
from vclogic.triplea.attachments import YES, Attachment, FilePlace, read_attachments
from vclogic.triplea.elements import Element, read_elements

NEUTRAL = "Neutral"
"""The name of whoever owns unowned land: players are compared by name."""
WAR, ALLIED = "war", "allied"
"""Archetypes of relationships; the third, `neutral`, is neither."""
DEFAULTS = {"default_allied": ALLIED, "default_war": WAR}
"""Types of relationships that every map has, by their archetype: those of players of one alliance, and of others."""
_WIDEST = 100  # the limit of a number whose limits the map leaves open, or twice its value


@dataclass(frozen=True)
class Territory:
    """A territory.

    Attributes:
        name: Its name.
        water: Whether it is a sea zone.
        cities: Its weight as a victory city.
        production: What it produces.
        capitals: The players whose capital it is.
        impassable: Whether nothing may enter it.
        original: Whose it is said to be originally; None: whoever owns it at the start.
    """

    name: str
    water: bool
    cities: int = 0
    production: int = 0
    capitals: tuple[str, ...] = ()
    impassable: bool = False
    original: str | None = None


@dataclass(frozen=True)
class MapProperty:
    """A property of the game, which may be an option for players.

    Attributes:
        name: Its name.
        value: Its value.
        editable: Whether players may change it.
        low: Its least value, of a number.
        high: Its largest value.
        place: Where it stands.
    """

    name: str
    value: str
    editable: bool
    low: int | None
    high: int | None
    place: FilePlace

    @property
    def on(self) -> bool:
        """True if its value is true."""
        return self.value.lower() == "true"

    @property
    def is_number(self) -> bool:
        """True if it is a number."""
        return self.low is not None


@dataclass(frozen=True)
class RoundStep:
    """A step of a round: its name, whose it is, and the class of its delegate."""

    name: str
    player: str | None
    delegate: str
    once: bool


@dataclass(frozen=True)
class GameMap:
    """A map.

    Attributes:
        file: The file it was read from.
        name: Its name.
        territories: Its territories by name.
        connections: Which of them touch, each pair once.
        players: Its players, in their order.
        hidden: Players whom nobody plays or sees: neutral land, and helpers of the map's own.
        alliances: The members of each alliance.
        relations: The archetype of each type of relationship, by name.
        relation: Type and round of the relationship of two players at the start, by their names in the order of the
            list of players, of every pair; empty: the alliances say who is allied.
        owners: Who owns each territory at the start.
        units: How many of each kind a player has in a territory at the start: (territory, player, kind) to number.
        kinds: What is attached to each kind of unit.
        written: All attachments in the order of the file.
        attachments: Those that stay: of one name on one object the last.
        dropped: Those that another of the same name and object replaces.
        properties: The properties by name.
        steps: The steps of a round.
    """

    file: str
    name: str
    territories: Mapping[str, Territory]
    connections: Sequence[tuple[str, str]]
    players: Sequence[str]
    hidden: frozenset[str]
    alliances: Mapping[str, Sequence[str]]
    relations: Mapping[str, str]
    relation: Mapping[tuple[str, str], tuple[str, int]]
    owners: Mapping[str, str]
    units: Mapping[tuple[str, str, str], int]
    kinds: Mapping[str, Attachment]
    written: Sequence[Attachment]
    attachments: Sequence[Attachment]
    dropped: Sequence[Attachment]
    properties: Mapping[str, MapProperty]
    steps: Sequence[RoundStep]

    def is_on(self, name: str) -> bool:
        """True if a yes-no property is set; the engine takes one that is missing as false."""
        found = self.properties.get(name)
        return found is not None and found.on

    def number(self, name: str, default: int = 0) -> int:
        """The value of a property that is a number; the default where it is missing, or none."""
        found = self.properties.get(name)
        return int(found.value) if found is not None and _WHOLE.match(found.value) else default

    def pair(self, one: str, other: str) -> tuple[str, str]:
        """Two players in the order of the list of players."""
        a, b = sorted((one, other), key=list(self.players).index)
        return a, b

    @property
    def points(self) -> int | None:
        """The victory points of the Japanese at the start; None: nobody counts them."""
        found = (a.last("vps") for a in self.attachments if (a.to, a.kind) == ("Japanese", "PlayerAttachment"))
        points = next(found, None)
        there = any((a.to, a.kind) == ("Japanese", "PlayerAttachment") for a in self.attachments)
        return (int(points.value) if points is not None and _WHOLE.match(points.value) else 0) if there else None

    @property
    def ends_rounds(self) -> bool:
        """True if the engine looks at victories at the end of a round."""
        return any(s.delegate == "EndRoundDelegate" for s in self.steps)

    @property
    def has_coasts(self) -> bool:
        """True if land touches the sea."""
        land = self.territories
        return any(land[a].water != land[b].water for a, b in self.connections)

    @cached_property
    def canals(self) -> Mapping[tuple[str, str], tuple[str, ...]]:
        """The land that has to be held to go from one sea zone to another, for each pair that a canal joins."""
        zones: dict[str, list[str]] = {}
        banks: dict[str, tuple[str, ...]] = {}
        for a in self.attachments:
            name, land = a.last("canalName"), a.last("landTerritories")
            if a.kind == "CanalAttachment" and name is not None and a.to in self.territories:
                zones.setdefault(name.value, []).append(a.to)
                banks[name.value] = tuple(p for p in (land.parts if land else ()) if p in self.territories)
        found: dict[tuple[str, str], tuple[str, ...]] = {}
        for name_, ends in zones.items():
            for one, other in combinations(sorted(ends), 2):
                found[one, other] = tuple(dict.fromkeys((*found.get((one, other), ()), *banks[name_])))
        return found

    def types(self, word: str) -> tuple[str, ...]:
        """The types of relationship that a word stands for: a type, those of an archetype, or `any`."""
        archetype = {"anyWar": WAR, "anyAllied": ALLIED, "anyNeutral": "neutral"}.get(word)
        return tuple(
            n for n, a in self.relations.items() if word == "any" or (a == archetype if archetype else n == word)
        )

    def together(self, one: str, other: str) -> bool:
        """True if two players are in one alliance."""
        return any(one in of and other in of for of in self.alliances.values())

    @property
    def order(self) -> list[str]:
        """The players in the order of their turns: by the first step of each that is not done once only."""
        turns = [s.player for s in self.steps if s.player and not s.once]
        return [p for p in dict.fromkeys(turns) if p in self.players]


@dataclass
class _FileReader:
    """The reading of one file."""

    file: str
    root: Element
    wrong: list[Diagnostic] = field(default_factory=list)

    def tell(self, at: Element | FilePlace, message: str, help: str | None = None, code: str = "wrong-value") -> None:
        self.wrong.append(Diagnostic(code, message, self.file, at.line, at.column, help))

    def section(self, *names: str) -> Element:
        return self.root.first(*names) or Element(names[0], {}, 1, 1)

    def number(self, at: Element | FilePlace, text: str, what: str, default: int = 0) -> int:
        """A whole number, or the default after telling that it is none."""
        try:
            return int(text.strip())
        except ValueError:
            self.tell(at, f"{what} is {quoted(text)}, which is no whole number")
            return default


def read_map(content: bytes, file: str) -> GameMap:
    """Read a map.

    Args:
        content: What its XML file holds.
        file: The file, for messages.

    Raises:
        InputError: It is no XML, no map, or everything in it that the engine refuses and this needs.
    """
    root = read_elements(content, file)
    if root.name != "game" or root.first("map") is None:
        message = f"this is no map of TripleA: its root is <{root.name}>"
        raise InputError(
            Diagnostic("unreadable", message, file, root.line, root.column, "a map is <game> with a <map>")
        )
    r = _FileReader(file, root)
    info = root.first("info")
    written = list(read_attachments(root))
    kept = {(a.to, a.name): a for a in written}  # a later one takes the place of an earlier one
    attachments = list(kept.values())
    dropped = [a for a in written if kept[a.to, a.name] is not a]
    players, hidden, alliances = _players(r)
    territories = _territories(r, attachments)
    relations = _relation_types(r, attachments)
    found = GameMap(
        file,
        info.get("name", "a map") if info else "a map",
        territories,
        _connections(r, territories),
        players,
        hidden,
        alliances,
        relations,
        _relations(r, players, alliances, relations),
        _owners(r, territories, players),
        _units(r, territories, players),
        {a.to: a for a in attachments if a.kind == "UnitAttachment"},
        written,
        attachments,
        dropped,
        _properties(r),
        _steps(r, players),
    )
    if r.wrong:
        raise InputError(r.wrong)
    return found


def _known(r: _FileReader, at: Element, name: str, known: Mapping[str, object] | Sequence[str], what: str) -> bool:
    if name in known:
        return True
    r.tell(at, f"there is no {what} {quoted(name)}", did_you_mean(name, list(known)), "unknown-name")
    return False


def _territories(r: _FileReader, attachments: Sequence[Attachment]) -> dict[str, Territory]:
    found = {
        t.named("name"): Territory(t.named("name"), t.get("water").lower() in YES)
        for t in r.section("map").all("territory")
    }
    for a in attachments:
        if a.kind == "TerritoryAttachment" and a.to in found:
            city, production = a.last("victoryCity"), a.last("production")
            capitals = [o.value for o in a.all("capital")]
            original = a.last("originalOwner")
            found[a.to] = replace(
                found[a.to],
                cities=0 if city is None else r.number(city.place, city.value, "victoryCity"),
                production=0 if production is None else r.number(production.place, production.value, "production"),
                capitals=tuple(p for c in capitals for p in c.split(":") if p),
                impassable=a.says("isImpassable"),
                original=original.value if original else None,
            )
    return found


def _connections(r: _FileReader, territories: Mapping[str, Territory]) -> list[tuple[str, str]]:
    found: dict[tuple[str, str], None] = {}
    for c in r.section("map").all("connection"):
        one, other = c.named("t1"), c.named("t2")
        known = [_known(r, c, t, territories, "territory") for t in (one, other)]
        if all(known) and one != other:
            found[min(one, other), max(one, other)] = None
    return list(found)


def _players(r: _FileReader) -> tuple[list[str], frozenset[str], dict[str, list[str]]]:
    section = r.section("playerList")
    players = [p.named("name") for p in section.all("player")]
    hidden = frozenset(
        p.named("name")
        for p in section.all("player")
        if p.get("isHidden").lower() == "true" or p.get("defaultType") == "DoesNothing"
    )
    alliances: dict[str, list[str]] = {}
    for a in section.all("alliance"):
        if _known(r, a, a.named("player"), players, "player"):
            members = alliances.setdefault(a.named("alliance"), [])
            if a.named("player") not in members:
                members.append(a.named("player"))
    return players, hidden, alliances


def _relation_types(r: _FileReader, attachments: Sequence[Attachment]) -> dict[str, str]:
    types = {t.named("name"): WAR for t in r.section("relationshipTypes").all("relationshipType")}
    types |= {name: archetype for name, archetype in DEFAULTS.items() if name not in types}
    for a in attachments:
        archetype = a.last("archeType")
        if a.to in types and archetype is not None:
            types[a.to] = archetype.value.lower()
    return types


def _relations(
    r: _FileReader, players: Sequence[str], alliances: Mapping[str, Sequence[str]], types: Mapping[str, str]
) -> dict[tuple[str, str], tuple[str, int]]:
    found: dict[tuple[str, str], tuple[str, int]] = {}
    order = {p: i for i, p in enumerate(players)}
    allied, war = DEFAULTS
    for e in r.section("initialize").all("relationshipInitialize"):
        for n in e.all("relationship"):
            one, other = n.named("player1"), n.named("player2")
            known = [_known(r, n, p, players, "player") for p in (one, other)]
            if all([*known, _known(r, n, n.named("type"), types, "type of relationship")]):
                a, b = sorted((one, other), key=order.__getitem__)
                found[a, b] = n.named("type"), r.number(n, n.get("roundValue", "1"), "roundValue", 1)
    if found:  # what the map does not say goes by the alliances
        for a, b in combinations(players, 2):
            together = any(a in of and b in of for of in alliances.values())
            found.setdefault((a, b), (allied if together else war, 1))
    return found


def _owners(r: _FileReader, territories: Mapping[str, Territory], players: Sequence[str]) -> dict[str, str]:
    owners = dict.fromkeys(territories, NEUTRAL)
    for e in r.section("initialize").all("ownerInitialize"):
        for o in e.all("territoryOwner"):
            there = _known(r, o, o.named("territory"), territories, "territory")
            if there and _known(r, o, o.named("owner"), (*players, NEUTRAL), "player"):
                owners[o.named("territory")] = o.named("owner")
    return owners


def _units(
    r: _FileReader, territories: Mapping[str, Territory], players: Sequence[str]
) -> dict[tuple[str, str, str], int]:
    units: dict[tuple[str, str, str], int] = {}
    for e in r.section("initialize").all("unitInitialize"):
        for u in e.all("unitPlacement"):
            owner = u.named("owner") or NEUTRAL
            there = _known(r, u, u.named("territory"), territories, "territory")
            if there and _known(r, u, owner, (*players, NEUTRAL), "player"):
                key = u.named("territory"), owner, u.named("unitType")
                units[key] = units.get(key, 0) + r.number(u, u.get("quantity", "0"), "quantity")
    return units


def _properties(r: _FileReader) -> dict[str, MapProperty]:
    found: dict[str, MapProperty] = {}
    for p in r.section("propertyList").all("property"):
        inside = p.first("value")
        value = p.get("value") if inside is None else inside.text.strip()
        number = p.first("number") or p
        low = high = None
        if number is not p or _WHOLE.match(value):
            low, high = _limits(r, number, value)
            at = r.number(p, value, quoted(p.named("name")), low)
            if not low <= at <= high:
                r.tell(p, f"{quoted(p.get('name'))} is {at}, outside of its limits {low} to {high}")
        editable = p.get("editable").lower() in YES and (low is None or low != high)  # else there is no choice
        found[p.named("name")] = MapProperty(p.named("name"), value, editable, low, high, FilePlace(p.line, p.column))
    return found


_WHOLE = re.compile(r"-?\d+\Z")


def _limits(r: _FileReader, number: Element, value: str) -> tuple[int, int]:
    """The limits of a number, wide ones where the map gives none."""
    at = int(value) if _WHOLE.match(value) else 0
    open_ends = {"min": min(0, 2 * at), "max": max(_WIDEST, 2 * at)}
    low, high = (r.number(number, number.get(k), k) if number.get(k) else end for k, end in open_ends.items())
    return low, high


def _steps(r: _FileReader, players: Sequence[str]) -> list[RoundStep]:
    play = r.section("gamePlay")
    delegates = {d.named("name"): d.get("javaClass").rpartition(".")[2] for d in play.all("delegate")}
    sequence = play.first("sequence")
    if sequence is None:
        return []
    return [
        RoundStep(
            s.named("name"),
            s.named("player") or None,
            delegates.get(s.get("delegate"), ""),
            s.get("maxRunCount") not in ("", "0"),
        )
        for s in sequence.all("step")
    ]

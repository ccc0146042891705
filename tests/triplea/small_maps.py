"""Small maps of TripleA, made for tests: four lands and two seas, two alliances and a player in none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.sax.saxutils import quoteattr

Option = tuple[str, str] | tuple[str, str, str]
"""Name, value and count of an option."""
LANDS = ("Alba", "Bruma", "Corva", "Delta")
SEAS = ("North Sea", "South Sea")
JOINED = (
    ("Alba", "Bruma"),
    ("Bruma", "Corva"),
    ("Corva", "Delta"),
    ("Alba", "North Sea"),
    ("North Sea", "South Sea"),
)
RED, BLUE, GREEN = ("Reds", "Pinks"), ("Blues",), "Greens"
OWNERS = {"Alba": "Reds", "Bruma": "Pinks", "Corva": "Blues", "Delta": "Neutral"}
RULES, TRIGGER = "RulesAttachment", "TriggerAttachment"


def element(name: str, inside: Iterable[str] = (), /, **given: str) -> str:
    """An element with its attributes and what is in it."""
    attributes = "".join(f" {key}={quoteattr(value)}" for key, value in given.items())
    whole = "\n".join(inside)
    return f"<{name}{attributes}>{whole}</{name}>" if whole else f"<{name}{attributes}/>"


def attachment(name: str, to: str, kind: str, options: Sequence[Option]) -> str:
    """An attachment with its options."""
    inside = [element("option", name=o[0], value=o[1], **({"count": o[2]} if len(o) > 2 else {})) for o in options]
    return element("attachment", inside, name=name, attachTo=to, javaClass=f"games.triplea.{kind}", type="player")


def rule(name: str, *options: Option, to: str = "Reds") -> str:
    """A condition."""
    return attachment(name, to, RULES, options)


def trigger(name: str, *options: Option, to: str = "Reds") -> str:
    """A trigger."""
    return attachment(name, to, TRIGGER, options)


def switch(name: str, value: str, *, editable: bool = True) -> str:
    """A yes-no property."""
    return element("property", ["<boolean/>"], name=name, value=value, editable=str(editable).lower())


def number(name: str, value: int, low: int, high: int, *, editable: bool = True) -> str:
    """A property that is a number."""
    limits = element("number", min=str(low), max=str(high))
    return element("property", [limits], name=name, value=str(value), editable=str(editable).lower())


def small_map(
    attachments: Iterable[str] = (),
    *,
    properties: Iterable[str] = (),
    units: Iterable[tuple[str, str, str, int]] = (),
    relations: Iterable[tuple[str, str, str]] = (),
    alliances: Sequence[tuple[str, str]] = (("Reds", "Red"), ("Pinks", "Red"), ("Blues", "Blue")),
    cities: dict[str, str] | None = None,
    players: Sequence[str] = (*RED, *BLUE, GREEN),
    joined: Sequence[tuple[str, str]] = JOINED,
) -> str:
    """The XML of a map.

    Args:
        attachments: Conditions and triggers.
        properties: Its properties.
        units: What stands where at the start: territory, player, kind, number.
        relations: The relationships at the start; none: the alliances say who is allied.
        alliances: The alliance of each player.
        cities: The weight of victory cities by land; `None`: each land counts 1.
        players: Its players.
        joined: What touches.
    """
    weights = dict.fromkeys(LANDS, "1") if cities is None else cities
    production = {land: str(i) for i, land in enumerate(LANDS, 1)}
    land = [element("territory", name=n) for n in LANDS] + [element("territory", name=n, water="true") for n in SEAS]
    touching = [element("connection", t1=a, t2=b) for a, b in joined]
    steps = [element("step", name=f"{p.lower()}{part}", delegate=d, player=p) for p in players for part, d in _PARTS]
    kinds = {"tank": (), "boat": (("isSea", "true"),), "sub": (("isSea", "true"), ("isSub", "true"))}
    kinds |= {"ferry": (("isSea", "true"), ("transportCapacity", "2")), "plane": (("isAir", "true"),)}
    of_units = [attachment("unitAttachment", k, "UnitAttachment", options) for k, options in kinds.items()]
    places = [
        attachment(
            "territoryAttachment",
            n,
            "TerritoryAttachment",
            [("production", production[n])] + ([("victoryCity", weights[n])] if n in weights else []),
        )
        for n in LANDS
    ]
    types = [attachment("type", name, "RelationshipTypeAttachment", [("archeType", a)]) for name, a in _TYPES.items()]
    start = [
        element(
            "ownerInitialize",
            [element("territoryOwner", territory=t, owner=o) for t, o in OWNERS.items() if o in players],
        ),
        element(
            "unitInitialize",
            [element("unitPlacement", unitType=k, territory=t, quantity=str(n), owner=o) for t, o, k, n in units],
        ),
    ]
    related = [element("relationship", type=kind, player1=a, player2=b, roundValue="1") for a, b, kind in relations]
    if related:
        start.append(element("relationshipInitialize", related))
    return element(
        "game",
        [
            element("info", name="Four Lands", version="1"),
            element("map", land + touching),
            element(
                "playerList",
                [element("player", name=p) for p in players]
                + [element("alliance", player=p, alliance=a) for p, a in alliances],
            ),
            element("unitList", [element("unit", name=k) for k in kinds]),
            element("relationshipTypes", [element("relationshipType", name=n) for n in _TYPES]),
            element(
                "gamePlay",
                [*_DELEGATES, element("sequence", [*steps, element("step", name="endRound", delegate="endRound")])],
            ),
            element("attachmentList", [*of_units, *places, *types, *attachments]),
            element("initialize", start),
            element("propertyList", list(properties)),
        ],
    )


_PARTS = (("Battle", "battle"), ("Place", "place"), ("EndTurn", "endTurn"))
_DELEGATES = [
    element("delegate", name=n, javaClass=f"games.triplea.{c}")
    for n, c in {
        "battle": "BattleDelegate",
        "place": "PlaceDelegate",
        "endTurn": "EndTurnDelegate",
        "endRound": "EndRoundDelegate",
    }.items()
]
_TYPES = {"Allied": "allied", "War": "war", "Peace": "neutral"}

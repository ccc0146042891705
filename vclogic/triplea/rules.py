"""Conditions and victory triggers of a map as data: what each asks for, and where it stands."""

from __future__ import annotations

from dataclasses import dataclass

from vclogic.triplea.attachments import Attachment, AttachmentOption

DIRECT, ALLIED, ENEMY = "direct", "allied", "enemy"


@dataclass(frozen=True)
class TestedLand:
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
    places: TestedLand
    units: tuple[UnitRow, ...]
    option: AttachmentOption


@dataclass(frozen=True)
class Relationship:
    """A relationship that is asked for: of two players, of a type or archetype, and for so many rounds."""

    one: str
    other: str
    types: tuple[str, ...]
    rounds: int
    option: AttachmentOption


@dataclass(frozen=True)
class Several:
    """So many of some names: technologies, or players at war; none of them where the number is 0."""

    names: tuple[str, ...]
    number: int
    option: AttachmentOption


@dataclass(frozen=True)
class MapRule:
    """A condition.

    Attributes:
        player: The player that it is attached to.
        name: Its name.
        players: The players that it speaks of.
        conditions: The rules that it asks for, by key; one that is named twice counts twice.
        between: How many of them have to hold, at least and at most.
        switch: Whether it is switched on at the start; None: it has no switch.
        rounds: The rounds in which it can hold, each from and to; None as an end: for ever. None: any.
        options: Yes-no properties that have to be set.
        places: Its tests of territories.
        relations: The relationships that it asks for.
        at_war: The players with whom one has to be at war.
        techs: The technologies that one has to have.
        unjudged: Tests that look at what no position shows, and ask for something.
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
    relations: tuple[Relationship, ...] = ()
    at_war: tuple[Several, ...] = ()
    techs: tuple[Several, ...] = ()
    unjudged: tuple[AttachmentOption, ...] = ()
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
class Trigger:
    """A trigger that announces a victory, or changes something.

    Attributes:
        player: The player that it is attached to.
        name: Its name.
        key: The key of its message; empty: it announces none.
        winners: Who wins.
        conditions: The rules that it asks for, by key; none: it never fires.
        between: How many of them have to hold.
        invert: Whether it fires where they do not.
        when: Before or after which steps it is looked at; none: at the end of the round.
        chances: Of how many dice it needs how many: "1:2" is every second time; None: it is sure.
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
    chances: str | None = None

    @property
    def can_fire(self) -> bool:
        """False if no uses are left, no rule is named, or no dice are good enough."""
        return bool(self.conditions) and self.uses != 0 and not (self.chances or "1").startswith("0:")

    @property
    def uses(self) -> int:
        """The number of times that it may fire; -1: as often as its rules hold."""
        uses = self.attachment.last("uses")
        number = "-1" if uses is None else uses.value.strip()
        return int(number) if number.lstrip("-").isdigit() else -1

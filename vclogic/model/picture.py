"""A picture of a position and of moves on it, as data: a game says what there is to see, never how it is drawn."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Literal, Protocol

from vclogic.model.actions import Event
from vclogic.model.fluents import Value
from vclogic.model.rules import Observable
from vclogic.terms.atoms import constant
from vclogic.terms.rewrite import Substitution
from vclogic.terms.term import Term
from vclogic.words import amount

if TYPE_CHECKING:
    from vclogic.model.hexmap import Counter, HexMap

SHADES = 5
"""The number of shades; 0 is the lightest."""


# ---- shades, outlines and letters that a picture lays over regions, and its legend

Laid = Literal["hatch", "back", "dots", "cross", "line"]
"""What lies over regions: hatching this way or that, dots, crosses, or lines from each to those beside it."""
LAID: tuple[Laid, ...] = ("hatch", "back", "dots", "cross", "line")


@dataclass(frozen=True)
class RegionNote:
    """A note on some regions together, such as the worth of a city.

    Attributes:
        name: What they are, such as the name of the city.
        regions: The regions.
        text: A few letters that are shown with them; may be empty.
        shade: How dark they are, from 0; None: they have no shade.
        double: Whether a double line goes around them.
        dashed: Whether a dashed line goes around them.
        words: All of it in words.
        laid: What lies over each of them; None: nothing.
        pairs: Those that lines join, where these lie over them.
    """

    name: str
    regions: tuple[str, ...]
    text: str = ""
    shade: int | None = None
    double: bool = False
    dashed: bool = False
    words: str = ""
    laid: Laid | None = None
    pairs: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Sample:
    """A sign as the picture has it.

    Attributes:
        kind: A text with its shade, an outline, an arrow, or what lies over regions.
        text: What is written in it.
        shade: As in `RegionNote`.
        party: Whose arrow it is, as in `Arrow`.
    """

    kind: Literal["text", "double", "dashed", "arrow", "hollow"] | Laid
    text: str = ""
    shade: int | None = None
    party: str | None = None


@dataclass(frozen=True)
class LegendLine:
    """A line of the legend.

    Attributes:
        words: What the samples mean.
        samples: The signs; a line without them is only words.
    """

    words: str
    samples: tuple[Sample, ...] = ()


# ---- units in an area as a picture shows them: how many there are of which kind, and the sign of the kind

Sign = Literal[
    "",
    "foot",
    "horse",
    "wheel",
    "tank",
    "gun",
    "flak",
    "fort",
    "staff",
    "wing",
    "wings",
    "boat",
    "transport",
    "ship",
    "battleship",
    "carrier",
    "sub",
]
"""The signs that a game may give to its kinds of units; `wings` is a heavy aircraft, and none means letters."""


@dataclass(frozen=True)
class Troops:
    """Units of one kind and party in one region.

    Attributes:
        party: The party that they belong to.
        kind: What they are, in a word or two.
        count: How many they are.
        sign: The sign of their kind; empty: letters of its name. Kinds of a picture that share a sign
            have letters too.
        name: What the unit is called, if it is a single one with a name: its letters stand in place of the number.
    """

    party: str
    kind: str
    count: int
    sign: Sign = ""
    name: str = ""

    @property
    def words(self) -> str:
        """The number and the kind, or the name."""
        return self.name or amount(self.count, self.kind)


def by_party(forces: Iterable[Troops]) -> str:
    """Units in words."""
    return "; ".join(
        f"{party}: {', '.join(f.words for f in own)}" for party, own in groupby(forces, lambda f: f.party)
    )


Values = Mapping[Term, Value]
"""The value of each fluent."""
Way = Literal["land", "sea", "air", "strike"]
"""The kind of a move."""
NOBODY = "none"
"""The owner of a place that has lost its owner."""


@dataclass(frozen=True)
class Party:
    """A possible owner of regions.

    Attributes:
        name: The name.
        mark: A letter or two that stand for it.
        side: The side that it fights for.
    """

    name: str
    mark: str
    side: str


@dataclass(frozen=True)
class Region:
    """A region of the map with what there is in it.

    Attributes:
        name: The name that links and arrows use.
        kind: Land, sea, or closed to everybody.
        label: The name as shown.
        at: Where its centre lies, x to the right and y down, in any unit; None: wherever the drawing puts it.
        owner: The party that owns it.
        badges: What else is worth showing, such as a city with its points.
        forces: The units in an area, those of a party together.
        becomes: Who owns it after the moves that are shown, where that is another one.
        ground: The terrain of a hex.
        counters: The units on a hex.
        battle: The chance of the battle for it, in words; empty without one.
        weakest: Whether no other battle of the plan has so little chance.
    """

    name: str
    kind: Literal["land", "sea", "closed"]
    label: str
    at: tuple[float, float] | None = None
    owner: str | None = None
    badges: tuple[str, ...] = ()
    forces: tuple[Troops, ...] = ()
    becomes: str | None = None
    ground: str = ""
    counters: tuple[Counter, ...] = ()
    battle: str = ""
    weakest: bool = False


@dataclass(frozen=True)
class Arrow:
    """A move.

    Attributes:
        source: Where it starts; None for what appears at the target.
        target: Where it ends.
        via: The regions it passes.
        label: What moves.
        way: How it moves; a strike is no move but an attack.
        step: The number of the turn that it belongs to.
        hollow: Whether it is drawn hollow, to be told from other moves.
        party: The party that moves; on a map of areas the arrow shows its side. None: all arrows look alike.
        forces: The units that move; drawn behind the label.
    """

    source: str | None
    target: str
    via: tuple[str, ...] = ()
    label: str = ""
    way: Way = "land"
    step: int = 0
    hollow: bool = False
    party: str | None = None
    forces: tuple[Troops, ...] = ()


@dataclass(frozen=True)
class Caption:
    """The caption of one turn of a plan.

    Attributes:
        step: Its number, which its arrows carry.
        head: When it happens; may be empty.
        lines: The sentences for a player.
        hollow: Whether its arrows are hollow.
    """

    step: int
    head: str
    lines: tuple[str, ...]
    hollow: bool = False


@dataclass(frozen=True)
class Picture:
    """A position, and moves on it.

    Attributes:
        title: The game.
        notes: What else to say about the position, a line each.
        parties: Who can own a region.
        regions: The regions.
        links: Pairs of regions that touch.
        wraps: Whether the left and the right edge of the map meet.
        arrows: Moves.
        captions: What the moves are.
        key: What the labels of regions and badges mean, a line each.
        hexes: How the regions are hexes of a map; None: they are areas.
        marks: What else is said of regions.
        legend: What marks and arrows mean.
    """

    title: str = field(default="", kw_only=True)
    notes: tuple[str, ...]
    parties: tuple[Party, ...]
    regions: tuple[Region, ...]
    links: tuple[tuple[str, str], ...] = ()
    wraps: bool = False
    arrows: tuple[Arrow, ...] = ()
    captions: tuple[Caption, ...] = ()
    key: tuple[str, ...] = ()
    hexes: HexMap | None = None
    marks: tuple[RegionNote, ...] = ()
    legend: tuple[LegendLine, ...] = ()


class Move(Protocol):
    """The part of a plan's step that drawing uses."""

    @property
    def actor(self) -> str | None:
        """The side or power that takes it."""

    @property
    def turn(self) -> Mapping[str, Value] | None:
        """The schedule when it is taken, or None where turn order is ignored."""

    @property
    def action(self) -> str:
        """Name of the action."""

    @property
    def args(self) -> Mapping[str, Value]:
        """Its arguments."""


@dataclass(frozen=True)
class Drawn:
    """The picture of a step of a plan.

    Attributes:
        arrows: Its moves.
        changes: The new values of fluents that are shown, as far as the step itself tells them.
        events: The events of a record that it stands for, whose effects are taken one after the other.
        turn: Whose turn it belongs to, where the step does not say it itself.
    """

    arrows: tuple[Arrow, ...] = ()
    changes: Mapping[Term, Value] = field(default_factory=dict)
    events: tuple[Event, ...] = ()
    turn: str | None = None


@dataclass(frozen=True)
class Overlay:
    """The values of a definition for the places of the board, drawn where somebody asks for them.

    Attributes:
        name: What players call it, such as `German zones of control`.
        of: The definition: true or false of places.
        given: What it is asked of; None stands for each place.
        laid: How it is drawn; lines join places beside each other of which it is true.
        holds: Whether the places are meant of which it is true; else those of which it is false, but could be true.
        bears_on: Outcomes that depend on it, though its terms are not in theirs, nor in what a turn's end counts.
        stands: Where the definition speaks of more than a place, such as a row of hexes, the places of each.
    """

    name: str
    of: Observable
    given: tuple[str | None, ...] = (None,)
    laid: Laid = "hatch"
    holds: bool = True
    bears_on: tuple[str, ...] = ()
    stands: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Drawing:
    """A game's functions for drawing.

    Attributes:
        picture: The picture of a state; with units or, where they are not known, without.
        move: What a step looks like that is taken from a state. Raises `KeyError`, `TypeError` or `ValueError` for
            a step of another game.
        exact: Whether steps tell all that becomes of units: each is then taken from what the one before left.
        turn_over: The event that ends a turn, where plans leave it out and steps are exact.
        overlays: What definitions say of places, for whoever asks for it.
    """

    picture: Callable[[Values, bool], Picture]
    move: Callable[[Move, Values], Drawn]
    exact: bool = False
    turn_over: Event | None = None
    overlays: Sequence[Overlay] = ()


class Known:
    """The values of terms in one state.

    Args:
        values: The value of each fluent.
    """

    def __init__(self, values: Values):
        self._at = Substitution({fluent: constant(fluent.sort, x) for fluent, x in values.items()})

    def __call__(self, term: Term) -> Value:
        """The value of a term."""
        return self._at(term).value


def marks(names: tuple[str, ...], least: int = 1) -> Mapping[str, str]:
    """A few letters for each name, which no other has: its first, else the initials of its words, else its beginning.

    Args:
        least: So many letters they are, where the name has them.
    """
    letters = {n: _letters(n, names, least) for n in names}
    tried = dict.fromkeys(names, 0)
    while True:
        found = {n: letters[n][i] for n, i in tried.items()}
        told = list(found.values())
        alike = [n for n in names if told.count(found[n]) > 1 and tried[n] + 1 < len(letters[n])]
        if not alike:
            return found
        for n in alike:
            tried[n] += 1


def _letters(name: str, names: Iterable[str], least: int) -> list[str]:
    """The letters that may stand for a name, the best ones first."""
    words = _WORDS.findall(name)
    heads = [word if word.isdigit() else word[0] for word in words]
    several = ["".join((*heads[:-1], words[-1][:n])) for n in (len(heads[-1]), 2, 3)] if len(words) > 1 else []
    alone = (n for n in range(least, len(name)) if not any(o != name and o.startswith(name[:n]) for o in names))
    return list(dict.fromkeys((*[name[:1]] * (least == 1), *several, name[: next(alone, len(name))], name)))


_WORDS = re.compile(r"\d+|(?<![^\W_])[^\W\d_]+")
"""A number, or a word."""

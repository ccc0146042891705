"""The layers of a hex map's picture besides the hexes: counters, terrain, objectives and zones, blocked hexsides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Look = Literal[
    "open", "woods", "hills", "mountains", "town", "building", "marsh", "water", "crossing", "rubble", "other"
]
"""The look of terrain: a colour with a pattern."""


@dataclass(frozen=True)
class Counter:
    """A unit on a hex.

    Attributes:
        name: Its name.
        party: The party that it belongs to.
        kind: What it is, in a word or two; may be empty.
        figures: Its strengths as counters have them; may be empty.
        state: Its condition, such as `broken`.
    """

    name: str
    party: str
    kind: str = ""
    figures: str = ""
    state: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """All of it in a line."""
        more = ", ".join(p for p in (self.kind, self.figures, *self.state) if p)
        return f"{self.name} ({more})" if more else self.name


@dataclass(frozen=True)
class TerrainKind:
    """A kind of terrain.

    Attributes:
        name: Its name, which is written in its hexes.
        look: How it is drawn.
        note: What to say of it in the key; may be empty.
        written: Whether its name is written in its hexes.
    """

    name: str
    look: Look
    note: str = ""
    written: bool = True


@dataclass(frozen=True)
class Site:
    """An objective or zone: a set of hexes.

    Attributes:
        name: Its name.
        hexes: Its hexes.
        kind: The name of a place is written in one of its hexes; a zone shows only its mark, in each of its hexes.
        short: Its value, as written on the map; may be empty.
        note: Its meaning and value, for the key.
        mark: The letters of a zone.
        owner: The party that holds it.
        becomes: The party that holds it after the moves shown, if that changes; `none`: nobody.
        owned: Whether it can be held at all.
    """

    name: str
    hexes: tuple[str, ...]
    kind: Literal["place", "zone"] = "place"
    short: str = ""
    note: str = ""
    mark: str = ""
    owner: str | None = None
    becomes: str | None = None
    owned: bool = True


@dataclass(frozen=True)
class HexMap:
    """A hex map made of the regions of a picture; region centres are those of hexes with sides of length 1.

    Attributes:
        corner_north: Whether hexes have a corner to the north, not a side.
        grounds: The kinds of terrain.
        sites: Places and zones.
        bars: Pairs of hexes whose common side blocks movement or control.
        bar_name: What the blocked sides are, such as rivers.
        aside: Lines about what is off the map.
    """

    corner_north: bool
    grounds: tuple[TerrainKind, ...]
    sites: tuple[Site, ...] = ()
    bars: tuple[tuple[str, str], ...] = ()
    bar_name: str = ""
    aside: tuple[str, ...] = ()


_WORDS: dict[Look, tuple[str, ...]] = {
    "crossing": ("bridge", "ford", "road", "causeway"),
    "woods": ("forest", "wood", "orchard", "jungle", "vineyard"),
    "hills": ("hill", "height", "ridge", "slope", "rough"),
    "mountains": ("mountain", "alp", "peak"),
    "town": ("town", "village", "city", "farm", "church", "fort", "port"),
    "building": ("building", "house"),
    "marsh": ("marsh", "swamp", "bog", "mud"),
    "water": ("sea", "water", "lake", "river", "brook", "stream", "canal"),
    "open": ("open", "clear", "plain"),
}


def look_of(name: str) -> Look:
    """A look for terrain with a name of the board's own."""
    lower = name.lower()
    return next((look for look, words in _WORDS.items() if any(w in lower for w in words)), "other")

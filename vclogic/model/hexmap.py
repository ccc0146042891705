"""What a picture of a map of hexes shows beside the hexes: counters, terrain, places that matter, barred sides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Look = Literal[
    "open", "woods", "hills", "mountains", "town", "building", "marsh", "water", "crossing", "rubble", "other"
]
"""How terrain is drawn: a colour with a pattern."""


@dataclass(frozen=True)
class Counter:
    """A unit on a hex.

    Attributes:
        name: Its name.
        party: The party that it belongs to.
        kind: What it is, in a word or two; may be empty.
        figures: Its strengths as counters have them; may be empty.
        state: What else holds of it, such as `broken`.
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
class Ground:
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
    """Hexes that matter together.

    Attributes:
        name: Its name.
        hexes: Its hexes.
        kind: A place is written in one of its hexes; of a zone only the mark stands in each of them.
        short: What it is worth, as written on the map; may be empty.
        note: What it is and what it is worth, for the key.
        mark: The letters of a zone.
        owner: The party that has it.
        becomes: Who has it after the moves that are shown, where that is another one; `none`: nobody.
        owned: Whether anybody can have it.
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
    """How the regions of a picture make a map of hexes. Their places are those of hexes whose sides have length 1.

    Attributes:
        corner_north: Whether hexes have a corner to the north, not a side.
        grounds: The kinds of terrain.
        sites: Places and zones.
        bars: Pairs of hexes with something between them that keeps units or control from the other side.
        bar_name: What that is.
        aside: Lines on what is not on the map.
    """

    corner_north: bool
    grounds: tuple[Ground, ...]
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
    """The look of terrain that a board calls by a name of its own."""
    lower = name.lower()
    return next((look for look, words in _WORDS.items() if any(w in lower for w in words)), "other")

"""The text in the boxes of an area map, line by line."""

from __future__ import annotations

from dataclasses import dataclass

from vclogic.draw.boxes import BAND, NAME, SMALL, Box, badge_width, broken, text_width, width
from vclogic.draw.marks import RegionMarks, written
from vclogic.draw.signs import ROW, CounterRow, Counters
from vclogic.draw.words import battle_words, begin, owned
from vclogic.model.picture import Picture, Region

LINE = 1.2
"""From one line of text to the next, in letter sizes."""
_LONG = 112.0  # wider names are broken
_ROW = 132.0  # so are wider rows of counters


@dataclass(frozen=True)
class Card:
    """A region's box with the lines in it.

    Attributes:
        region: The region.
        box: Where it stands.
        name: The lines of its name.
        badges: The lines below; may be empty.
        rows: The counters below that.
        said: What marks say of the region; their letters are the last line.
        battle: The lines above that; may be empty.
        edge: How far outlines reach beyond the box.
    """

    region: Region
    box: Box
    name: tuple[str, ...]
    badges: tuple[str, ...]
    rows: tuple[CounterRow, ...]
    said: RegionMarks
    battle: tuple[str, ...] = ()
    edge: float = 0.0

    @property
    def outer(self) -> Box:
        """The box with its outlines."""
        return self.box.grown(self.edge)


def name_size(region: Region) -> float:
    """The size of the letters of a region's name."""
    return NAME if region.kind == "land" else SMALL


def card(region: Region, picture: Picture, counters: Counters) -> Card:
    """The box of a region, around the origin."""
    size = name_size(region)
    badge = badge_width(owned(region, picture))
    letter = 1.07 if badge else 1.0  # names of land are bold
    name = broken(region.label, size, _LONG)
    badges = broken(" \u00b7 ".join(region.badges), SMALL, 1.6 * _LONG)
    rows = counters.rows(region.forces, region.owner, _ROW)
    battle = broken(battle_words(region), SMALL, _LONG)
    said = written(m for m in picture.marks if region.name in m.regions)
    wide = max(
        badge + (4 if badge else 0) + max((width(n, size) for n in name), default=0.0) * letter,
        *(width(b, SMALL) * 1.05 for b in (*badges, *battle)),
        *(counters.width(r) + 4 for r in rows),
        text_width(said.text, SMALL) - 6,
    )
    texts = LINE * (size * len(name) + SMALL * (len(badges) + len(battle)))
    box = Box(0, 0, round(wide + 10, 1), round(texts + ROW * len(rows) + BAND * bool(said.text) + 6, 1))
    edge = max(said.edge(begin(region)), 4.0 if region.becomes is not None else 0.0)
    return Card(region, box, name, badges, rows, said, battle, edge)

"""The sheet of one picture: its file, its title and its moves, for maps of areas and of hexes alike."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence

from vclogic.draw.arrows import FIRST, Style, arrow_heads, arrow_line, step_label, styles
from vclogic.draw.boxes import broken
from vclogic.draw.elements import FONT, Element, add, clean, fills, num, seconds, source, write
from vclogic.draw.routes import Route
from vclogic.draw.signs import Counters
from vclogic.draw.words import alternative
from vclogic.model.picture import Picture

_TITLE, _NOTES = 20.0, 14.0  # letters


class PictureSheet:
    """A picture that is being drawn, from the background up.

    Args:
        picture: The picture; its text alternative stands in the file.
    """

    def __init__(self, picture: Picture):
        self.picture, self.words = picture, alternative(picture)
        self.second, self.fills = seconds(picture), fills(picture)
        # On hexes the arrows of all sides look alike: counters at their ends tell whose they are.
        self.styles = styles(picture) if picture.hexes is None else {}
        self.id = f"v{zlib.crc32(repr(picture).encode()):08x}"  # several pictures may stand on one page
        labelled = {"role": "img", "aria-labelledby": f"{self.id}-t {self.id}-d", "font-family": FONT}
        self.root = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **labelled})
        add(self.root, "title", id=f"{self.id}-t").text = clean(f"{picture.title}: {self.words.title}")
        add(self.root, "desc", id=f"{self.id}-d").text = clean("\n".join(self.words.lines))
        self.definitions = add(self.root, "defs")
        self._paper = add(self.root, "rect", fill="#ffffff")

    def text(self, wide: float, high: float) -> str:
        """The whole file, when all of it is drawn."""
        self.root.attrib["viewBox"] = f"0 0 {num(wide)} {num(high)}"
        self._paper.attrib |= {"width": num(wide), "height": num(high)}
        return source(self.root)

    def is_second(self, party: str | None) -> bool:
        """True for a party on another side than the first one."""
        return self.second.get(party or "", False)

    # ---- moves

    def style(self, party: str | None) -> Style:
        """The style of a party's arrows."""
        return self.styles.get(party, FIRST)

    def heads(self) -> None:
        """Define the heads of arrows that are used."""
        used = {a.party for a in self.picture.arrows if not a.hollow}
        used |= {s.party for x in self.picture.legend for s in x.samples if s.kind == "arrow"}
        arrow_heads(self.definitions, self.id, self.picture.arrows, [s for p, s in self.styles.items() if p in used])

    def arrow(self, parent: Element, route: Route, *, tip: bool, shifts: Iterable[float] = (0.0,)) -> None:
        """Draw the whole of an arrow, or its end with the head; at several shifts on a map that wraps around."""
        points, head, kind = (route.tip, self.id, "tip") if tip else (route.points, "", "move")
        for shift in shifts if points else ():
            d = "M" + " L".join(f"{num(x + shift)} {num(y)}" for x, y in points)
            arrow_line(parent, d, route.arrow, head, self.style(route.arrow.party), **{"class": kind})

    def labels(self, parent: Element, routes: Iterable[Route], counters: Counters | None = None) -> None:
        """Draw the labels of arrows."""
        for route in routes:
            step_label(parent, route.label, route.arrow, self.style(route.arrow.party), counters)


class Head:
    """The title and the notes above a map.

    Args:
        sheet: The sheet.
        wide: How wide it is.
        left: Where lines begin.
        first: The baseline of the first line.
        closer: So much closer than lines of the title the notes begin.
    """

    def __init__(self, sheet: PictureSheet, wide: float, left: float, first: float, closer: float):
        self._sheet, self._left, self._first = sheet, left, first
        self.titles = broken(sheet.picture.title, _TITLE, (wide - 2 * left) / 1.07)
        self.notes: Sequence[str] = broken("; ".join(sheet.picture.notes), _NOTES, wide - 2 * left)
        self._below = first - closer + 24.0 * len(self.titles)
        self.bottom = self._below + 18 * len(self.notes)

    def draw(self) -> None:
        """Draw it."""
        for i, line in enumerate(self.titles):
            y = self._first + 24 * i
            write(self._sheet.root, self._left, y, line, _TITLE, weight="bold", anchor="start")
        for i, line in enumerate(self.notes):
            write(self._sheet.root, self._left, self._below + 18 * i, line, _NOTES, anchor="start")

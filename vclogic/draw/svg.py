"""A picture of an area map as SVG. Equal pictures give equal text; nothing is told by colour alone."""

from __future__ import annotations

from collections.abc import Sequence

from vclogic.draw.areakey import HATCH, SEA, AreaKey
from vclogic.draw.arrows import arrow_heads, arrow_line, step_label, styles
from vclogic.draw.boxes import BAND, SMALL, Box, Point, badge_width, broken
from vclogic.draw.cards import LINE, Card, name_size
from vclogic.draw.elements import (
    Element,
    add,
    clean,
    fills,
    num,
    page,
    plate,
    rect,
    seconds,
    selectable,
    sign,
    source,
    write,
)
from vclogic.draw.hexsheet import HexSheet
from vclogic.draw.layout import SHEET, layout
from vclogic.draw.marks import outlined, text_plate
from vclogic.draw.routes import Route, nearest, tip_of
from vclogic.draw.signs import ROW, Counters
from vclogic.draw.words import alternative, begin, owned
from vclogic.model.picture import Picture, Region

WATER, DRY, EARTH = "#e3eef6", "#f7f5ee", "#e6ddc6"
"""The ground of a map with seas and of one without, and bands between lands."""
FOUGHT, WEAKEST = "#1b4f1b", "#b00020"
"""The colours of chances."""
_SIDE = 4.0  # from the edges of the page to the map
_LARGEST = 1.9  # letters around the map are at most so large
_TITLE, _HEAD = 20.0, 14.0


class SvgText(str):
    """The text of an SVG file; a notebook shows it as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def svg(picture: Picture, *, places: bool = False) -> SvgText:
    """A picture as the text of an SVG file.

    Args:
        places: Whether to lay a clear shape over each region, for pages on which they can be selected: of the class
            `spot`, with the name of the region in `data-place`.
    """
    sheet = _PictureSheet(picture) if picture.hexes is None else HexSheet(picture, picture.hexes)
    return SvgText(sheet.text(places=places))


class _PictureSheet:
    """Draws one picture, from the background up.

    The letters of a map may be large; the page is then the smaller, so that what stands around the map is large too.
    """

    def __init__(self, picture: Picture):
        self.picture = picture
        self.second, self.fills, self.styles = seconds(picture), fills(picture), styles(picture)
        self.counters = Counters(picture)
        self.layout = layout(picture, self.counters)
        self.frame, self.cards, self.routes = self.layout.frame, self.layout.cards, self.layout.routes
        around = min(self.layout.scale, _LARGEST)
        self.wide = round(SHEET[0] / around + 2 * _SIDE, 1)
        self.larger = self.layout.scale / around
        self.titles = broken(picture.title, _TITLE, (self.wide - 20) / 1.07)
        self.heads = broken("; ".join(picture.notes), _HEAD, self.wide - 20)
        self.top = 6 + 24.0 * len(self.titles) + 18 * len(self.heads)
        self.bottom = self.top + (self.frame.bottom - self.frame.top) * self.larger
        self.words = alternative(picture)
        self.root, self.id = page(picture, self.words)

    def text(self, *, places: bool = False) -> str:
        """The whole file; see `svg`."""
        root = self.root
        self._definitions()
        paper = add(root, "rect", fill="#ffffff")
        larger = f" scale({self.larger:.4g})" if self.larger > 1 else ""
        board = add(root, "g", transform=f"translate({num(_SIDE)} {num(self.top)}){larger}", **{"class": "map"})
        dry = all(r.kind != "sea" for r in self.picture.regions)
        add(board, "rect", **self._whole(), fill=DRY if dry else WATER, stroke="#b3a88d" if dry else "#7f9db3")
        ground = add(board, "g", clip_path=f"url(#{self.id}-m)")
        self._links(ground)
        self._shafts(ground)
        for card in self.cards.values():
            self._card(board, card)
        self._tips(board)
        if places:
            over = add(board, "g", **{"class": "spots"})
            for name, card in self.cards.items():
                rect(over, card.box.grown(2), **selectable(name))
        self._head()
        end = AreaKey(root, self.id, self.picture, self.counters, self.wide).draw(self.bottom)
        root.attrib["viewBox"] = f"0 0 {num(self.wide)} {num(end)}"
        paper.attrib |= {"width": num(self.wide), "height": num(end)}
        return source(root)

    def _whole(self) -> dict[str, float]:
        f = self.frame
        return {"x": f.left, "y": f.top, "width": f.right - f.left, "height": f.bottom - f.top}

    def _definitions(self) -> None:
        defs = add(self.root, "defs")
        clip = add(defs, "clipPath", id=f"{self.id}-m")
        add(clip, "rect", **self._whole())
        if any(r.kind == "closed" for r in self.picture.regions):
            hatch = add(defs, "pattern", id=f"{self.id}-h", width=6, height=6, patternUnits="userSpaceOnUse")
            add(hatch, "rect", width=6, height=6, fill="#dedede")
            add(hatch, "path", d="M0 6 L6 0", stroke="#b5b5b5")
        used = {a.party for a in self.picture.arrows if not a.hollow}
        used |= {s.party for x in self.picture.legend for s in x.samples if s.kind == "arrow"}
        arrow_heads(defs, self.id, self.picture.arrows, [s for p, s in self.styles.items() if p in used])

    def _head(self) -> None:
        y = 22.0
        for line in self.titles:
            write(self.root, 10, y, line, _TITLE, weight="bold", anchor="start")
            y += 24
        for line in self.heads:
            write(self.root, 10, y - 5, line, _HEAD, anchor="start")
            y += 18

    # ---- links

    def _links(self, ground: Element) -> None:
        """Links between regions: broad bands between lands, thin lines elsewhere."""
        pairs = [(self.cards[a], self.cards[b]) for a, b in self.picture.links]
        dry = [(a, b) for a, b in pairs if "sea" not in (a.region.kind, b.region.kind)]
        for a, b in dry:
            self._line(ground, a, b, stroke=EARTH, stroke_width=26, stroke_linecap="round")
        edges: dict[float, list[tuple[float, str]]] = {}
        for a, b in pairs:
            wet = [a.region.kind, b.region.kind].count("sea")
            dashes = {0: "", 1: "1 4", 2: "5 4"}[wet]
            self._line(ground, a, b, stroke=("#8a7a55", "#8797a3", "#6d94b0")[wet], dash=dashes)
            for here, there in ((a, b), (b, a)):
                if beyond := self._beyond(here, there):
                    edges.setdefault(beyond[0], []).append((beyond[1], there.region.label))
        for edge, names in sorted(edges.items()):
            self._edge_names(ground, edge, sorted(names))

    def _beyond(self, here: Card, there: Card) -> Point | None:
        """The point where the path between two regions leaves the map; None if it does not."""
        start = (here.box.x, here.box.y)
        x, y = self._image(start, there)
        if x == there.box.x:
            return None
        edge = self.frame.left if x < start[0] else self.frame.right
        return edge, start[1] + (y - start[1]) * (edge - start[0]) / (x - start[0])

    def _edge_names(self, ground: Element, edge: float, names: list[tuple[float, str]]) -> None:
        """The labels at an edge of the map of the regions that lie beyond it."""
        anchor, x = ("start", edge + 3) if edge == self.frame.left else ("end", edge - 3)
        free = self.frame.top
        for y, name in names:
            y = max(y - 3, free + 11)
            write(ground, x, y, name, 10, anchor=anchor, slant="italic", fill="#36586e")
            free = y

    def _image(self, start: Point, card: Card) -> Point:
        """The centre of a region, or its copy beyond an edge if that is nearer."""
        span = self.frame.right - self.frame.left if self.picture.wraps else 0.0
        return nearest(start, (card.box.x, card.box.y), span)

    def _line(self, ground: Element, a: Card, b: Card, dash: str = "", **style: object) -> None:
        """A line between two regions; over an edge of the map as a stub to each edge."""
        start: Point = (a.box.x, a.box.y)
        end = self._image(start, b)
        look = {**style, **({"stroke_dasharray": dash} if dash else {})}
        shifts = (0.0,) if end[0] == b.box.x else (0.0, b.box.x - end[0])
        for shift in shifts:
            path = f"M{num(start[0] + shift)} {num(start[1])} L{num(end[0] + shift)} {num(end[1])}"
            add(ground, "path", d=path, fill="none", **look, **({"class": "wrap"} if len(shifts) > 1 else {}))

    # ---- regions

    def _card(self, board: Element, card: Card) -> None:
        r, b = card.region, card.box
        group = add(board, "g", **{"class": r.kind})
        add(group, "title").text = clean(self.words.regions[r.name])
        if r.kind == "land":
            fill = self.fills.get(r.owner or "", "#ffffff")
            plate(group, b, fill, second=self._second(r), heavy=r.becomes is not None)
        elif r.kind == "sea":
            rect(group, b, rx=min(b.h / 2, 11), **SEA)
        else:
            rect(group, b, fill=f"url(#{self.id}-h)", **HATCH)
        self._lines(group, card)
        outlined(card.said, begin(r), lambda away, **look: rect(group, b.grown(away), fill="none", **look))

    def _second(self, r: Region) -> bool:
        return self.second.get(r.owner or "", False)

    def _lines(self, group: Element, card: Card) -> None:
        r, b = card.region, card.box
        mark = owned(r, self.picture)
        size = name_size(r)
        y = b.y - b.h / 2 + 3 + size * 0.95
        shift = badge_width(mark) + 4 if mark else 0.0
        if mark:
            sign(group, b.x - b.w / 2 + 4, y - size * 0.36, mark, second=self._second(r))
        for line in card.name:
            looks = {"weight": "bold"} if r.kind == "land" else {"slant": "italic"}
            write(group, b.x + shift / 2, y, line, size, **looks)
            y += size * LINE
        y -= (size - SMALL) * 0.95
        for line in card.badges:
            write(group, b.x, y, line, SMALL, weight="bold", fill="#5a1a00")
            y += SMALL * LINE
        y -= SMALL * 0.95
        for row in card.rows:
            self.counters.draw(group, b.x - self.counters.width(row) / 2, y + ROW / 2, row)
            y += ROW
        y += SMALL * 0.95
        for line in card.battle:
            write(group, b.x, y, line, SMALL, weight="bold", fill=WEAKEST if r.weakest else FOUGHT)
            y += SMALL * LINE
        if card.said.text:
            plated = Box(b.x, b.y + (b.h - BAND) / 2 - 2, b.w - 4, BAND)
            text_plate(group, plated, card.said.text, card.said.shade, SMALL)

    # ---- moves

    def _shafts(self, ground: Element) -> None:
        """Arrows, above the background and below the regions."""
        for route in self.routes:
            self._way(ground, route, route.points, **{"class": "move"})

    def _tips(self, board: Element) -> None:
        """The heads of arrows and their labels, above everything."""
        ground = add(board, "g", clip_path=f"url(#{self.id}-m)")
        for route in self.routes:
            if route.points:
                self._way(ground, route, tip_of(route.points), self.id, **{"class": "tip"})
        for route in self.routes:
            step_label(board, route.label, route.arrow, self.styles[route.arrow.party], self.counters)

    def _way(self, ground: Element, route: Route, points: Sequence[Point], head: str = "", **more: object) -> None:
        """A part of an arrow; on a map that wraps around, at both edges where it leaves one."""
        for shift in self._images(route):
            d = "M" + " L".join(f"{num(x + shift)} {num(y)}" for x, y in points)
            arrow_line(ground, d, route.arrow, head, self.styles[route.arrow.party], **more)

    def _images(self, route: Route) -> tuple[float, ...]:
        """The shifts at which an arrow is drawn so that all of it is seen on a map that wraps around."""
        if not route.points:
            return ()
        xs = [x for x, _ in route.points]
        left, right = self.frame.left, self.frame.right
        span = right - left
        return (0.0, *((span,) if min(xs) < left else ()), *((-span,) if max(xs) > right else ()))

"""A picture of an area map as SVG. Equal pictures give equal text; nothing is told by colour alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from vclogic.draw.boxes import (
    BAND,
    NAME,
    SMALL,
    Box,
    Card,
    Frame,
    Point,
    badge_width,
    begin,
    broken,
    cards,
    owned,
    width,
)
from vclogic.draw.elements import (
    Element,
    add,
    arrow_heads,
    arrow_line,
    clean,
    fills,
    num,
    number,
    page,
    party_plate,
    party_width,
    plate,
    rect,
    seconds,
    sign,
    source,
    step_label,
    write,
)
from vclogic.draw.hexsheet import HexSheet
from vclogic.draw.marks import legend, outlined, text_plate
from vclogic.draw.routes import Route, nearest, routes, tip_of
from vclogic.draw.words import alternative, caption_lines
from vclogic.model.picture import Picture, Region

WIDTH, HEIGHT = 1920, 1200
MAP = Frame(4, 48, WIDTH - 4, 1052)
"""Where the map is; the title stands above, the key and the moves below."""
WATER, EARTH = "#e3eef6", "#e6ddc6"
FOUGHT, WEAKEST = "#1b4f1b", "#b00020"
"""The colours of chances."""
_LINE = 1.2
_KEY = 680.0  # how far the key may reach


class SvgText(str):
    """The text of an SVG file; a notebook shows it as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def svg(picture: Picture) -> SvgText:
    """A picture as the text of an SVG file.

    Args:
        picture: The picture.
    """
    return SvgText(_Sheet(picture).text() if picture.hexes is None else HexSheet(picture, picture.hexes).text())


class _Sheet:
    """Draws one picture, from the background up."""

    def __init__(self, picture: Picture):
        self.picture = picture
        self.second, self.fills = seconds(picture), fills(picture)
        self.cards = cards(picture, MAP)
        self.routes = routes(picture.arrows, self.cards, MAP, picture.wraps)
        self.words = alternative(picture)
        self.root, self.id = page(picture, self.words)

    def text(self) -> str:
        """The whole file."""
        root = self.root
        self._definitions()
        paper = add(root, "rect", width=WIDTH, fill="#ffffff")
        frame = {"x": MAP.left, "y": MAP.top, "width": MAP.right - MAP.left, "height": MAP.bottom - MAP.top}
        add(root, "rect", **frame, fill=WATER, stroke="#7f9db3")
        ground = add(root, "g", clip_path=f"url(#{self.id}-m)")
        self._links(ground)
        self._shafts(ground)
        for card in self.cards.values():
            self._card(card)
        self._tips()
        self._head()
        bottom = max(self._key(), HEIGHT)
        self._captions(bottom)
        root.attrib["viewBox"] = f"0 0 {WIDTH} {num(bottom)}"
        paper.attrib["height"] = num(bottom)
        return source(root)

    def _definitions(self) -> None:
        defs = add(self.root, "defs")
        clip = add(defs, "clipPath", id=f"{self.id}-m")
        add(clip, "rect", x=MAP.left, y=MAP.top, width=MAP.right - MAP.left, height=MAP.bottom - MAP.top)
        hatch = add(defs, "pattern", id=f"{self.id}-h", width=6, height=6, patternUnits="userSpaceOnUse")
        add(hatch, "rect", width=6, height=6, fill="#dedede")
        add(hatch, "path", d="M0 6 L6 0", stroke="#b5b5b5")
        arrow_heads(defs, self.id, self.picture.arrows)

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
        """Where the path between two regions leaves the map; None if it does not."""
        start = (here.box.x, here.box.y)
        x, y = self._image(start, there)
        if x == there.box.x:
            return None
        edge = MAP.left if x < start[0] else MAP.right
        return edge, start[1] + (y - start[1]) * (edge - start[0]) / (x - start[0])

    def _edge_names(self, ground: Element, edge: float, names: list[tuple[float, str]]) -> None:
        """The labels at an edge of the map of the regions that lie beyond it."""
        anchor, x = ("start", edge + 3) if edge == MAP.left else ("end", edge - 3)
        free = MAP.top
        for y, name in names:
            y = max(y - 3, free + 11)
            write(ground, x, y, name, 10, anchor=anchor, slant="italic", fill="#36586e")
            free = y

    def _image(self, start: Point, card: Card) -> Point:
        """The centre of a region, or its copy beyond an edge if that is nearer."""
        span = MAP.right - MAP.left if self.picture.wraps else 0.0
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

    def _card(self, card: Card) -> None:
        r, b = card.region, card.box
        group = add(self.root, "g", **{"class": r.kind})
        add(group, "title").text = clean(self.words.regions[r.name])
        if r.kind == "land":
            fill = self.fills.get(r.owner or "", "#ffffff")
            plate(group, b, fill, second=self._second(r), heavy=r.becomes is not None)
        elif r.kind == "sea":
            shape = {"rx": min(b.h / 2, 11), "fill": "#f6fafd", "stroke": "#4d7a99"}
            rect(group, b, **shape)
        else:
            rect(group, b, fill=f"url(#{self.id}-h)", stroke="#8c8c8c", stroke_dasharray="2 2")
        self._lines(group, card)
        outlined(card.said, begin(r), lambda away, **look: rect(group, b.grown(away), fill="none", **look))

    def _second(self, r: Region) -> bool:
        return self.second.get(r.owner or "", False)

    def _lines(self, group: Element, card: Card) -> None:
        r, b = card.region, card.box
        mark = owned(r, self.picture)
        size = NAME if r.kind == "land" else SMALL
        y = b.y - b.h / 2 + 3 + size * 0.95
        shift = badge_width(mark) + 4 if mark else 0.0
        if mark:
            sign(group, b.x - b.w / 2 + 4, y - size * 0.36, mark, second=self._second(r))
        for line in card.name:
            looks = {"weight": "bold"} if r.kind == "land" else {"slant": "italic"}
            write(group, b.x + shift / 2, y, line, size, **looks)
            y += size * _LINE
        y -= (size - SMALL) * 0.95
        if card.badges:
            write(group, b.x, y, card.badges, SMALL, weight="bold", fill="#5a1a00")
            y += SMALL * _LINE
        for line in card.units:
            write(group, b.x, y, line, SMALL)
            y += SMALL * _LINE
        if card.battle:
            write(group, b.x, y, card.battle, SMALL, weight="bold", fill=WEAKEST if r.weakest else FOUGHT)
        if card.said.text:
            text_plate(
                group, Box(b.x, b.y + (b.h - BAND) / 2 - 2, b.w - 4, BAND), card.said.text, card.said.shade, SMALL
            )

    # ---- moves

    def _shafts(self, ground: Element) -> None:
        """Arrows, above the background and below the regions."""
        for route in self.routes:
            self._way(ground, route, route.points, **{"class": "move"})

    def _tips(self) -> None:
        """The heads of arrows and their labels, above everything."""
        ground = add(self.root, "g", clip_path=f"url(#{self.id}-m)")
        for route in self.routes:
            if route.points:
                self._way(ground, route, tip_of(route.points), self.id, **{"class": "tip"})
        for route in self.routes:
            step_label(self.root, route.label, route.arrow)

    def _way(self, ground: Element, route: Route, points: Sequence[Point], head: str = "", **more: object) -> None:
        """A part of an arrow; on a map that wraps around, at both edges where it leaves one."""
        for shift in _images(route):
            d = "M" + " L".join(f"{num(x + shift)} {num(y)}" for x, y in points)
            arrow_line(ground, d, route.arrow, head, **more)

    # ---- around the map

    def _head(self) -> None:
        write(self.root, 10, 22, self.picture.title, 20, weight="bold", anchor="start")
        write(self.root, 10, 41, "; ".join(self.picture.notes), 14, anchor="start")

    def _key(self) -> float:
        """The key: parties, other signs and the legend; where it ends."""
        key, y = add(self.root, "g", **{"class": "key"}), MAP.bottom + 20
        x = 10.0
        for side in dict.fromkeys(p.side for p in self.picture.parties):
            parties = [p for p in self.picture.parties if p.side == side]
            wide = width(side, 13) + sum(party_width(p, p.name) + 8 for p in parties)
            if x > 10 and x + wide > _KEY:
                x, y = 10.0, y + 25
            write(key, x, y + 4, side, 13, weight="bold", anchor="start")
            x += width(side, 13) * 1.05 + 8
            for party in parties:
                second = self.second[party.name]
                x = party_plate(key, x, y, party, party.name, self.fills[party.name], second=second) + 8
            x += 10
        y += 25
        for line in (*self.picture.key, *self._signs()):
            for part in broken(line, 12, _KEY - 10):
                write(key, 10, y + 2, part, 12, anchor="start")
                y += 15
        return legend(self.root, self.picture.legend, self.id, (10.0, y + 8), _KEY - 20)

    def _signs(self) -> Iterable[str]:
        yield "round boxes: sea; hatched: closed to everybody"
        if any(r.battle for r in self.picture.regions):
            yield "battle: the chance by the dice that it goes as planned, with the units that the plan sends"
        if self.picture.arrows:
            changes = "red frame: changes hands; " if any(r.becomes for r in self.picture.regions) else ""
            yield f"{changes}arrows, numbered by turn: whole line by land, dashes by sea, dots by air"

    def _captions(self, bottom: float) -> None:
        """The moves in words, as far as there is room on a page that ends at a height."""
        group = add(self.root, "g", **{"class": "captions"})
        rows = int(bottom - MAP.bottom - 12) // 17
        place = [(x, MAP.bottom + 16 + 17 * i) for x in (700, 1310) for i in range(rows)]
        lines = list(caption_lines(self.picture, 12, 575))
        if len(lines) > len(place):
            rest = f"and {len(lines) - len(place) + 1} more lines: see the description"
            lines = [*lines[: len(place) - 1], (None, rest)]
        for (x, y), (caption, line) in zip(place, lines, strict=False):
            if caption is not None:
                number(group, x, y, caption.step, hollow=caption.hollow)
            write(group, x + 16, y + 4, line, 12, anchor="start")


def _images(route: Route) -> tuple[float, ...]:
    """The shifts at which an arrow is drawn so that all of it is seen on a map that wraps around."""
    if not route.points:
        return ()
    xs = [x for x, _ in route.points]
    span = MAP.right - MAP.left
    return (0.0, *((span,) if min(xs) < MAP.left else ()), *((-span,) if max(xs) > MAP.right else ()))

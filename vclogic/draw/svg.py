"""A picture as SVG: always the same text for one picture, which says everything without colour and without sight."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Mapping
from xml.etree import ElementTree

from vclogic.draw.boxes import NAME, SMALL, Box, Card, Frame, Point, badge_width, broken, cards, owned, width
from vclogic.draw.routes import Route, nearest, routes
from vclogic.draw.words import alternative
from vclogic.model.picture import Party, Picture

WIDTH, HEIGHT = 1920, 1200
MAP = Frame(4, 48, WIDTH - 4, 1052)
"""Where the map is; the title stands above, the key and the moves below."""
FONT = "Arial, Liberation Sans, Helvetica, DejaVu Sans Condensed, sans-serif"
INK, WATER, EARTH, MOVE = "#1a1a1a", "#e3eef6", "#e6ddc6", "#a3001f"
_FILLS = ("#ffd9a0", "#c9d3dc", "#fff2a8", "#f3c6dc", "#cfe5b4", "#d9c9f0", "#b8e3e0", "#f6c9b8")
_LINE = 1.2
_KEY = 680.0  # how far the key may reach
_WAYS = {"land": "", "sea": "9 4", "air": "2 4"}
Element = ElementTree.Element
_UNWRITABLE = re.compile("[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]")


def svg(picture: Picture) -> str:
    """A picture as the text of an SVG file.

    Args:
        picture: The picture.
    """
    return _Sheet(picture).text()


class _Sheet:
    """The drawing of one picture, from the ground up."""

    def __init__(self, picture: Picture):
        self.picture = picture
        self.parties = {p.name: p for p in picture.parties}
        self.sides = list(dict.fromkeys(p.side for p in picture.parties))
        self.fills = {p.name: _FILLS[i % len(_FILLS)] for i, p in enumerate(picture.parties)}
        self.cards = cards(picture, MAP)
        self.routes = routes(picture.arrows, self.cards, MAP, picture.wraps)
        self.words = alternative(picture)
        self.id = f"v{zlib.crc32(repr(picture).encode()):08x}"  # several pictures may stand on one page
        self.root = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {WIDTH} {HEIGHT}"})

    def text(self) -> str:
        """The whole file."""
        root = self.root
        root.attrib |= {"role": "img", "aria-labelledby": f"{self.id}-t {self.id}-d", "font-family": FONT}
        _add(root, "title", id=f"{self.id}-t").text = clean(f"{self.picture.title}: {self.words.title}")
        _add(root, "desc", id=f"{self.id}-d").text = clean("\n".join(self.words.lines))
        self._definitions()
        _add(root, "rect", width=WIDTH, height=HEIGHT, fill="#ffffff")
        frame = {"x": MAP.left, "y": MAP.top, "width": MAP.right - MAP.left, "height": MAP.bottom - MAP.top}
        _add(root, "rect", **frame, fill=WATER, stroke="#7f9db3")
        ground = _add(root, "g", clip_path=f"url(#{self.id}-m)")
        self._links(ground)
        for card in self.cards.values():
            self._card(card)
        self._moves()
        self._head()
        self._key()
        self._captions()
        ElementTree.indent(root)
        return ElementTree.tostring(root, encoding="unicode") + "\n"

    def _definitions(self) -> None:
        defs = _add(self.root, "defs")
        clip = _add(defs, "clipPath", id=f"{self.id}-m")
        _add(clip, "rect", x=MAP.left, y=MAP.top, width=MAP.right - MAP.left, height=MAP.bottom - MAP.top)
        hatch = _add(defs, "pattern", id=f"{self.id}-h", width=6, height=6, patternUnits="userSpaceOnUse")
        _add(hatch, "rect", width=6, height=6, fill="#dedede")
        _add(hatch, "path", d="M0 6 L6 0", stroke="#b5b5b5")
        head = {"viewBox": "0 0 10 10", "refX": 8, "refY": 5, "markerWidth": 15, "markerHeight": 15}
        tip = _add(defs, "marker", id=f"{self.id}-a", orient="auto", markerUnits="userSpaceOnUse", **head)
        _add(tip, "path", d="M0 0 L10 5 L0 10 z", fill=MOVE, stroke="#ffffff", stroke_width=0.6)

    # ---- links

    def _links(self, ground: Element) -> None:
        """What touches: broad bands of earth between lands, thin lines elsewhere."""
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
        """Where the way from a region to another leaves the map; None where it does not."""
        start = (here.box.x, here.box.y)
        x, y = self._image(start, there)
        if x == there.box.x:
            return None
        edge = MAP.left if x < start[0] else MAP.right
        return edge, start[1] + (y - start[1]) * (edge - start[0]) / (x - start[0])

    def _edge_names(self, ground: Element, edge: float, names: list[tuple[float, str]]) -> None:
        """At an edge of the map, where the ways beyond it lead."""
        anchor, x = ("start", edge + 3) if edge == MAP.left else ("end", edge - 3)
        free = MAP.top
        for y, name in names:
            y = max(y - 3, free + 11)
            _text(ground, x, y, name, 10, anchor=anchor, slant="italic", fill="#36586e")
            free = y

    def _image(self, start: Point, card: Card) -> Point:
        """The centre of a region, or its image beyond an edge if that is nearer."""
        span = MAP.right - MAP.left if self.picture.wraps else 0.0
        return nearest(start, (card.box.x, card.box.y), span)

    def _line(self, ground: Element, a: Card, b: Card, dash: str = "", **style: object) -> None:
        """A line between two regions; over an edge of the map as a stub to each edge."""
        start: Point = (a.box.x, a.box.y)
        end = self._image(start, b)
        look = {**style, **({"stroke_dasharray": dash} if dash else {})}
        shifts = (0.0,) if end[0] == b.box.x else (0.0, b.box.x - end[0])
        for shift in shifts:
            path = f"M{_n(start[0] + shift)} {_n(start[1])} L{_n(end[0] + shift)} {_n(end[1])}"
            _add(ground, "path", d=path, fill="none", **look, **({"class": "wrap"} if len(shifts) > 1 else {}))

    # ---- regions

    def _card(self, card: Card) -> None:
        r, b = card.region, card.box
        group = _add(self.root, "g", **{"class": r.kind})
        _add(group, "title").text = clean(self.words.regions[r.name])
        if r.kind == "land":
            side = self.parties[r.owner].side if r.owner in self.parties else ""
            self._plate(group, b, self.fills.get(r.owner or "", "#ffffff"), side, heavy=r.becomes is not None)
        elif r.kind == "sea":
            shape = {"rx": min(b.h / 2, 11), "fill": "#f6fafd", "stroke": "#4d7a99"}
            _rect(group, b, **shape)
        else:
            _rect(group, b, fill=f"url(#{self.id}-h)", stroke="#8c8c8c", stroke_dasharray="2 2")
        self._lines(group, card)

    def _plate(self, group: Element, b: Box, fill: str, side: str, *, heavy: bool = False) -> None:
        """The ground of a land region: the border tells the side, a second border that it changes hands."""
        second = side in self.sides[1:]
        if heavy:
            _rect(group, Box(b.x, b.y, b.w + 6, b.h + 6), fill="none", stroke=MOVE, stroke_width=2)
        border = {"stroke": INK, "stroke_width": 1.6 if second else 1.2}
        _rect(group, b, rx=0 if second else 6, fill=fill, **border, **({"stroke_dasharray": "6 2"} if second else {}))

    def _mark(self, group: Element, x: float, y: float, mark: str, side: str) -> None:
        """The letter of an owner, on a round or a square sign."""
        sign = Box(x + badge_width(mark) / 2, y, badge_width(mark), NAME * 1.15)
        _rect(group, sign, rx=0 if side in self.sides[1:] else 6, fill=INK)
        _text(group, sign.x, y + NAME * 0.36, mark, NAME, fill="#ffffff", weight="bold")

    def _lines(self, group: Element, card: Card) -> None:
        r, b = card.region, card.box
        mark = owned(r, self.picture)
        size = NAME if r.kind == "land" else SMALL
        y = b.y - b.h / 2 + 3 + size * 0.95
        shift = badge_width(mark) + 4 if mark else 0.0
        if mark:
            side = self.parties[r.owner].side if r.owner in self.parties else ""
            self._mark(group, b.x - b.w / 2 + 4, y - size * 0.36, mark, side)
        for line in card.name:
            looks = {"weight": "bold"} if r.kind == "land" else {"slant": "italic"}
            _text(group, b.x + shift / 2, y, line, size, **looks)
            y += size * _LINE
        y -= (size - SMALL) * 0.95
        if card.badges:
            _text(group, b.x, y, card.badges, SMALL, weight="bold", fill="#5a1a00")
            y += SMALL * _LINE
        for line in card.units:
            _text(group, b.x, y, line, SMALL)
            y += SMALL * _LINE

    # ---- moves

    def _moves(self) -> None:
        ground = _add(self.root, "g", clip_path=f"url(#{self.id}-m)")
        for route in self.routes:
            for shift in _images(route):
                d = "M" + " L".join(f"{_n(x + shift)} {_n(y)}" for x, y in route.points)
                _add(ground, "path", d=d, fill="none", stroke="#ffffff", stroke_width=6, stroke_opacity=0.85)
                style = {"stroke": MOVE, "stroke_width": 2.6, "marker_end": f"url(#{self.id}-a)"}
                dashes = {"stroke_dasharray": x} if (x := _WAYS[route.arrow.way]) else {}
                _add(ground, "path", d=d, fill="none", **style, **dashes, **{"class": "move"})
        for route in self.routes:
            self._label(route)

    def _label(self, route: Route) -> None:
        b = route.label
        group = _add(self.root, "g", **{"class": "label"})
        _rect(group, b, rx=b.h / 2, fill="#ffffff", stroke=MOVE, stroke_width=1.4)
        self._number(group, b.x - b.w / 2 + b.h / 2, b.y, route.arrow.step)
        if route.arrow.label:
            _text(group, b.x + b.h / 2 - 2, b.y + SMALL * 0.36, route.arrow.label, SMALL, weight="bold")

    def _number(self, group: Element, x: float, y: float, number: int) -> None:
        _add(group, "circle", cx=_n(x), cy=_n(y), r=9, fill=MOVE)
        _text(group, x, y + SMALL * 0.36, str(number), SMALL, fill="#ffffff", weight="bold")

    # ---- around the map

    def _head(self) -> None:
        _text(self.root, 10, 22, self.picture.title, 20, weight="bold", anchor="start")
        _text(self.root, 10, 41, "; ".join(self.picture.notes), 14, anchor="start")

    def _key(self) -> None:
        """Who is who, and what the other signs mean."""
        key, y = _add(self.root, "g", **{"class": "key"}), MAP.bottom + 20
        x = 10.0
        for side in self.sides:
            parties = [p for p in self.picture.parties if p.side == side]
            wide = width(side, 13) + sum(self._how_wide(p) + 8 for p in parties)
            if x > 10 and x + wide > _KEY:
                x, y = 10.0, y + 25
            _text(key, x, y + 4, side, 13, weight="bold", anchor="start")
            x += width(side, 13) * 1.05 + 8
            for party in parties:
                x = self._who(key, x, y, party)
            x += 10
        y += 25
        for line in (*self.picture.key, *self._signs()):
            for part in broken(line, 12, _KEY - 10):
                _text(key, 10, y + 2, part, 12, anchor="start")
                y += 15

    @staticmethod
    def _how_wide(party: Party) -> float:
        return badge_width(party.mark) + width(party.name, 12) + 14

    def _who(self, key: Element, x: float, y: float, party: Party) -> float:
        wide = self._how_wide(party)
        self._plate(key, Box(x + wide / 2, y, wide, 20), self.fills[party.name], party.side)
        self._mark(key, x + 5, y, party.mark, party.side)
        _text(key, x + badge_width(party.mark) + 10, y + 4, party.name, 12, anchor="start")
        return x + wide + 8

    def _signs(self) -> Iterable[str]:
        yield "round boxes: sea; hatched: closed to everybody"
        if self.picture.arrows:
            changes = "red frame: changes hands; " if any(r.becomes for r in self.picture.regions) else ""
            yield f"{changes}arrows, numbered by turn: whole line by land, dashes by sea, dots by air"

    def _captions(self) -> None:
        """The moves in words, as many as there is room for."""
        group = _add(self.root, "g", **{"class": "captions"})
        place = [(x, MAP.bottom + 16 + 17 * i) for x in (700, 1310) for i in range(8)]
        lines = list(_caption_lines(self.picture))
        if len(lines) > len(place):
            rest = f"and {len(lines) - len(place) + 1} more lines: see the description"
            lines = [*lines[: len(place) - 1], (None, rest)]
        for (x, y), (number, line) in zip(place, lines, strict=False):
            if number is not None:
                self._number(group, x, y, number)
            _text(group, x + 16, y + 4, line, 12, anchor="start")


def _caption_lines(picture: Picture) -> Iterable[tuple[int | None, str]]:
    """What each turn is, broken; the number stands before the first line of each."""
    for caption in picture.captions:
        texts = [f"{caption.head}:"] if caption.head else []
        number: int | None = caption.step
        for text in (*texts, *caption.lines):
            for part in broken(text, 12, 575):
                yield number, part
                number = None


def _images(route: Route) -> tuple[float, ...]:
    """How far to shift an arrow, so that all of it is seen on a map whose edges meet."""
    if not route.points:
        return ()
    xs = [x for x, _ in route.points]
    span = MAP.right - MAP.left
    return (0.0, *((span,) if min(xs) < MAP.left else ()), *((-span,) if max(xs) > MAP.right else ()))


# ---- elements


def clean(text: str) -> str:
    """A text without the characters that XML cannot hold."""
    return _UNWRITABLE.sub("\ufffd", text)


def _n(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


def _add(parent: Element, tag: str, **attributes: object) -> Element:
    words: Mapping[str, str] = {
        k.replace("_", "-"): _n(v) if isinstance(v, float) else str(v) for k, v in attributes.items()
    }
    return ElementTree.SubElement(parent, tag, dict(words))


def _rect(parent: Element, b: Box, **attributes: object) -> Element:
    return _add(parent, "rect", x=b.x - b.w / 2, y=b.y - b.h / 2, width=b.w, height=b.h, **attributes)


def _text(
    parent: Element,
    x: float,
    y: float,
    words: str,
    size: float,
    *,
    anchor: str = "middle",
    weight: str = "",
    slant: str = "",
    fill: str = INK,
) -> None:
    looks = {"font_weight": weight, "font_style": slant}
    given = {name: look for name, look in looks.items() if look}
    node = _add(parent, "text", x=float(x), y=float(y), font_size=size, text_anchor=anchor, fill=fill, **given)
    node.text = clean(words)

"""A map of areas: boxes on their places with links between them, moves, and the key."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from vclogic.draw.arrows import PLAIN, Style, arrow_line, number
from vclogic.draw.boxes import BAND, NAME, SMALL, Box, Point, badge_width, broken
from vclogic.draw.elements import Element, add, clean, num, plate, rect, selectable, sign, write
from vclogic.draw.key import MapKey, Shown
from vclogic.draw.layout import LINE, SHEET, RegionBox, layout, name_size
from vclogic.draw.marks import laid_fill, laid_lines, laid_patterns, outlined, text_plate
from vclogic.draw.routes import Route, links, nearest
from vclogic.draw.sheet import Head, PictureSheet
from vclogic.draw.signs import ROW, Counters
from vclogic.draw.words import begin, owned
from vclogic.model.picture import Arrow, Party, RegionNote, Sign, Way

WATER, DRY, EARTH = "#e3eef6", "#f7f5ee", "#e6ddc6"
"""The ground of a map with seas and of one without, and bands between lands."""
FOUGHT, WEAKEST = "#1b4f1b", "#b00020"
"""The colours of chances."""
_SIDE = 4.0  # from the edges of the page to the map
_LARGEST = 1.9  # letters around the map are at most so large
_HATCH = {"stroke": "#8c8c8c", "stroke_dasharray": "2 2"}  # the border of what is closed to everybody
_SEA = {"fill": "#f6fafd", "stroke": "#4d7a99"}
_ROW, _MOVE = 23.0, 17.0  # rows of signs, and of moves in words
_BROAD, _CLEAR = 26.0, 4.0  # the width of bands between lands; so far links stay from others
_COLUMN, _CAPTIONS = 660.0, 480.0  # a column is at most so wide, and captions have at least so much
_LEAST = 330.0
_APART = 26.0
_BAND = 9.0  # around a box what lies over a region is seen
_MOST = 24  # rows of moves
_WAYS: Mapping[Way, str] = {"land": "by land", "sea": "by sea", "air": "by air", "strike": "an attack"}


class AreaBoard:
    """Draws a map of areas on a sheet, from the background up.

    The letters of a map may be large; the page is then the smaller, so that what stands around the map is large too.
    """

    def __init__(self, sheet: PictureSheet):
        self.sheet, self.picture = sheet, sheet.picture
        self.counters = Counters(self.picture)
        self.layout = layout(self.picture, self.counters)
        self.frame, self.cards, self.routes = self.layout.frame, self.layout.cards, self.layout.routes
        self.links = self._found_links()
        around = min(self.layout.scale, _LARGEST)
        self.wide = round(SHEET[0] / around + 2 * _SIDE, 1)
        self.larger = self.layout.scale / around
        self.head = Head(sheet, self.wide, 10.0, 22.0, 5.0)

    def draw(self, *, places: bool) -> float:
        """Draw all of it; return where it ends."""
        self._definitions()
        top = self.head.bottom - 11
        larger = f" scale({self.larger:.4g})" if self.larger > 1 else ""
        at = f"translate({num(_SIDE)} {num(top)}){larger}"
        board = add(self.sheet.root, "g", transform=at, **{"class": "map"})
        dry = all(r.kind != "sea" for r in self.picture.regions)
        add(board, "rect", **self._whole(), fill=DRY if dry else WATER, stroke="#b3a88d" if dry else "#7f9db3")
        ground = self._within(board)
        self._links(ground)
        for mark in self.picture.marks:
            if mark.laid == "line":
                self._lines_of(ground, mark)
        for route in self.routes:
            self.sheet.arrow(ground, route, tip=False, shifts=self._shifts(route))
        for card in self.cards.values():
            self._card(board, card)
        ground = self._within(board)
        for route in self.routes:
            self.sheet.arrow(ground, route, tip=True, shifts=self._shifts(route))
        self.sheet.labels(board, self.routes, self.counters)
        if places:
            over = add(board, "g", **{"class": "spots"})
            for name, card in self.cards.items():
                rect(over, card.box.grown(2), **selectable(name))
        self.head.draw()
        bottom = top + (self.frame.bottom - self.frame.top) * self.larger
        return _AreaKey(self.sheet, self.counters, self.wide).draw(bottom)

    def _within(self, board: Element) -> Element:
        """A group that is cut off at the edges of the map."""
        return add(board, "g", clip_path=f"url(#{self.sheet.id}-m)")

    def _whole(self) -> dict[str, float]:
        f = self.frame
        return {"x": f.left, "y": f.top, "width": f.right - f.left, "height": f.bottom - f.top}

    def _definitions(self) -> None:
        defs, ids = self.sheet.definitions, self.sheet.id
        clip = add(defs, "clipPath", id=f"{ids}-m")
        add(clip, "rect", **self._whole())
        if any(r.kind == "closed" for r in self.picture.regions):
            hatch = add(defs, "pattern", id=f"{ids}-h", width=6, height=6, patternUnits="userSpaceOnUse")
            add(hatch, "rect", width=6, height=6, fill="#dedede")
            add(hatch, "path", d="M0 6 L6 0", stroke="#b5b5b5")
        laid_patterns(defs, ids, self.picture.marks)
        self.sheet.heads()

    # ---- links

    def _links(self, ground: Element) -> None:
        """Links between regions: broad bands between lands, thin lines elsewhere."""
        pairs = [(self.cards[a], self.cards[b]) for a, b in self.picture.links]
        dry = [(a, b) for a, b in pairs if "sea" not in (a.region.kind, b.region.kind)]
        for a, b in dry:
            self._line(ground, a, b, stroke=EARTH, stroke_width=_BROAD, stroke_linecap="round")
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

    def _beyond(self, here: RegionBox, there: RegionBox) -> Point | None:
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

    def _image(self, start: Point, card: RegionBox) -> Point:
        """The centre of a region, or its copy beyond an edge if that is nearer."""
        span = self.frame.right - self.frame.left if self.picture.wraps else 0.0
        return nearest(start, (card.box.x, card.box.y), span)

    def _line(self, ground: Element, a: RegionBox, b: RegionBox, dash: str = "", **style: object) -> None:
        """A line between two regions; over an edge of the map as a stub to each edge."""
        ways = self._ways(a, b)
        look = {**style, **({"stroke_dasharray": dash} if dash else {})}
        for way in ways:
            add(ground, "path", d=way, fill="none", **look, **({"class": "wrap"} if len(ways) > 1 else {}))

    def _found_links(self) -> Mapping[tuple[str, str], Sequence[Point]]:
        """The links between regions, and the lines of marks, around what lies between."""
        seas = {name for name, card in self.cards.items() if card.region.kind == "sea"}
        lines = (pair for mark in self.picture.marks for pair in mark.pairs)
        pairs = dict.fromkeys((*self.picture.links, *lines))
        span = self.frame.right - self.frame.left if self.picture.wraps else 0.0
        return links(
            tuple((a, b, _BROAD / 2 if seas.isdisjoint((a, b)) else _CLEAR) for a, b in pairs),
            tuple((name, card.box) for name, card in self.cards.items()),
            span,
        )

    def _ways(self, a: RegionBox, b: RegionBox) -> list[str]:
        """The path of a link; two where it goes over an edge of the map."""
        points = self.links[a.region.name, b.region.name]
        shift = b.box.x - points[-1][0]
        found = []
        for away in (0.0, shift) if shift else (0.0,):
            begin, *others = (f"{num(x + away)} {num(y)}" for x, y in points)
            found.append(f"M{begin} {'Q' if len(others) > 1 else 'L'}{' '.join(others)}")
        return found

    def _lines_of(self, ground: Element, mark: RegionNote) -> None:
        """The lines that a mark lays between regions; over an edge of the map as a stub to each edge."""
        ways = sorted(way for a, b in mark.pairs for way in self._ways(self.cards[a], self.cards[b]))
        laid_lines(ground, ways, ((c.box.x, c.box.y) for name, c in self.cards.items() if name in mark.regions))

    # ---- regions

    def _card(self, board: Element, card: RegionBox) -> None:
        r, b = card.region, card.box
        group = add(board, "g", **{"class": r.kind})
        add(group, "title").text = clean(self.sheet.words.regions[r.name])
        for laid in dict.fromkeys(m.laid for m in self.picture.marks if r.name in m.regions):
            if laid and laid != "line":
                rect(group, b.grown(_BAND), rx=6, **laid_fill(self.sheet.id, laid))
        if r.kind == "land":
            fill = self.sheet.fills.get(r.owner or "", "#ffffff")
            plate(group, b, fill, second=self.sheet.is_second(r.owner), heavy=r.becomes is not None)
        elif r.kind == "sea":
            rect(group, b, rx=min(b.h / 2, 11), **_SEA)
        else:
            rect(group, b, fill=f"url(#{self.sheet.id}-h)", **_HATCH)
        self._lines(group, card)
        outlined(card.said, begin(r), lambda away, **look: rect(group, b.grown(away), fill="none", **look))

    def _lines(self, group: Element, card: RegionBox) -> None:
        r, b = card.region, card.box
        mark = owned(r, self.picture)
        size = name_size(r)
        y = b.y - b.h / 2 + 3 + size * 0.95
        shift = badge_width(mark) + 4 if mark else 0.0
        if mark:
            sign(group, b.x - b.w / 2 + 4, y - size * 0.36, mark, second=self.sheet.is_second(r.owner))
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

    def _shifts(self, route: Route) -> tuple[float, ...]:
        """The shifts at which an arrow is drawn so that all of it is seen on a map that wraps around."""
        if not route.points:
            return ()
        xs = [x for x, _ in route.points]
        left, right = self.frame.left, self.frame.right
        span = right - left
        return (0.0, *((span,) if min(xs) < left else ()), *((-span,) if max(xs) > right else ()))


class _AreaKey(MapKey):
    """The key below a map of areas: what there is on it, and nothing else."""

    def __init__(self, sheet: PictureSheet, counters: Counters, wide: float):
        self.picture, self.counters, self.right = sheet.picture, counters, wide - 10.0
        share = 0.4 if self.picture.captions else 1.0
        room = min(_COLUMN if self.picture.captions else 2 * _COLUMN, max((wide - 20) * share, _LEAST))
        super().__init__(sheet, 10.0, room)

    def draw(self, top: float) -> float:
        """Draw the key from a height on; return where it ends."""
        seen = self._seen()
        sides = dict.fromkeys(p.side for p in seen)
        groups = [(side, [(p, p.name) for p in seen if p.side == side]) for side in sides]
        y = self.parties(groups, top + 18, 8) + (25 if seen else 0)
        for row in (list(self._shapes()), list(self._units()), list(self._arrows())):
            y = self.signs(row, y, 14, _ROW) + (_ROW if row else 0)
        lines = (broken(line, NAME, self.room - 10) for line in (*self.picture.key, *self._sentences()))
        y = self.lines(lines, self.left, y + 4) - 2
        if self.picture.legend:
            y = self.legend(self.sheet.root, y + 6)
        return max(y, self._captions(top, y)) + 6

    def _seen(self) -> list[Party]:
        """The parties that own something, have units, or move."""
        picture = self.picture
        names = {n for r in picture.regions for n in (r.owner, r.becomes, *(f.party for f in r.forces))}
        names |= {a.party for a in picture.arrows} | {f.party for a in picture.arrows for f in a.forces}
        return [p for p in picture.parties if p.name in names]

    def _shapes(self) -> Iterable[Shown]:
        kinds = {r.kind for r in self.picture.regions}
        if "sea" in kinds:
            yield 30.0, "sea", partial(self._shape, {"rx": 7.5, **_SEA})
        if "closed" in kinds:
            yield 30.0, "closed to everybody", partial(self._shape, {"fill": f"url(#{self.sheet.id}-h)", **_HATCH})

    def _shape(self, look: Mapping[str, object], x: float, y: float) -> None:
        rect(self.group, Box(x + 15, y, 30, 15), **look)

    def _units(self) -> Iterable[Shown]:
        names: dict[str, Sign] = dict.fromkeys(self.counters.names, "")
        for kind, of in {**self.counters.kinds, **names}.items():
            yield self.counters.frame(kind), kind, partial(self._unit, kind, of)

    def _unit(self, kind: str, of: Sign, x: float, y: float) -> None:
        self.counters.sample(self.group, (x, y), kind, of)

    def _arrows(self) -> Iterable[Shown]:
        """An arrow of each side that moves, and of each way in which something moves."""
        drawn = [a for a in self.picture.arrows if a.source is not None and a.source != a.target]
        side = {p.name: p.side for p in self.picture.parties}
        full = {side[a.party]: a.party for a in self.picture.arrows if a.party in side and not a.hollow}
        for name, party in full.items():
            yield 62.0, f"moves of the {name} side", partial(self._sample, self.sheet.styles[party])
        for way in (w for w in _WAYS if any(a.way == w for a in drawn)):
            yield 40.0, _WAYS[way], partial(self._way, Arrow(None, "", way=way))

    def _way(self, arrow: Arrow, x: float, y: float) -> None:
        arrow_line(self.group, f"M{num(x)} {num(y)} L{num(x + 36)} {num(y)}", arrow, "", PLAIN)

    def _sample(self, style: Style, x: float, y: float) -> None:
        """An arrow of a side with the plate of its numbers."""
        number(self.group, x + 10, y, self._first, style=style)
        d = f"M{num(x + 22)} {num(y)} L{num(x + 58)} {num(y)}"
        arrow_line(self.group, d, Arrow(None, ""), "", style)
        tip = f"M{num(x + 40)} {num(y)} L{num(x + 58)} {num(y)}"
        arrow_line(self.group, tip, Arrow(None, ""), self.sheet.id, style)

    @property
    def _first(self) -> int:
        return min((a.step for a in self.picture.arrows), default=1)

    def _sentences(self) -> Iterable[str]:
        picture = self.picture
        if any(f.party == r.owner for r in picture.regions for f in r.forces):
            yield "units without a letter belong to the owner of the territory"
        if any(r.battle for r in picture.regions):
            yield "battle: the chance by the dice that it goes as planned, with the units that the plan sends"
        if any(r.becomes for r in picture.regions):
            yield "a second frame, two letters: changes hands"
        if picture.arrows:
            yield "arrows are numbered by turn"

    def _captions(self, top: float, bottom: float) -> float:
        """The moves in words, beside the rest of the key, as high as it is or higher; where they end."""
        if not self.picture.captions:
            return top
        group = add(self.sheet.root, "g", **{"class": "captions"})
        left = self.left + self.room + _APART
        columns = max(int((self.right - left + _APART) / (_CAPTIONS + _APART)), 1)
        room = (self.right - left + _APART) / columns - _APART
        lines = self.moves(room, columns * _MOST)
        rows = max(math.ceil(len(lines) / columns), int((bottom - top - 18) / _MOVE))
        for i, line in enumerate(lines):
            x, y = left + (room + _APART) * (i // rows), top + 18 + _MOVE * (i % rows)
            self.move(group, line, (x + 9, y), (x + 25, y + SMALL * 0.36))
        return top + 18 + _MOVE * rows

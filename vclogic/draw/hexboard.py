"""A map of hexes: terrain, counters and names in them, moves, and the key."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import cached_property, partial

from vclogic.draw.boxes import NAME, Box, badge_width, broken, width
from vclogic.draw.elements import (
    INK,
    MOVE,
    Element,
    add,
    clean,
    num,
    paint,
    patterns,
    plate,
    rect,
    selectable,
    sign,
    write,
)
from vclogic.draw.hexes import LINE, Chit, HexPage, Name, chits, is_whole, names, stack
from vclogic.draw.key import STEP, MapKey, Shown
from vclogic.draw.marks import (
    SHADE_FILLS,
    Chip,
    chips,
    first_outline,
    laid_band,
    laid_lines,
    laid_patterns,
    outlined,
    shades,
    standing,
    straight,
    text_plate,
    written,
)
from vclogic.draw.routes import hex_routes
from vclogic.draw.sheet import Head, PictureSheet
from vclogic.draw.words import owned, site_words
from vclogic.model.hexmap import HexMap, Site
from vclogic.model.picture import Region, RegionNote

_LEFT, _NARROWEST = 12.0, 1100.0
_BESIDE = 400.0  # how wide the key must be to stand beside the map
_APART, _HANGING = 30.0, 12.0  # between columns of the key; the further lines of a sentence
_MOST = 60  # so many lines of moves are written; the description has all of them
_VEIL = {"rx": 3, "fill": "#ffffff", "fill_opacity": 0.75}  # behind what is written on a pattern
ZONE, PLACE = "#1f4fa3", "#3a2a00"
"""The colours of the outlines of zones and places."""


class HexBoard:
    """Draws a map of hexes on a sheet, from the background up.

    Args:
        sheet: The sheet.
        hexes: How its regions make a map of hexes.
    """

    def __init__(self, sheet: PictureSheet, hexes: HexMap):
        self.sheet, self.picture, self.hexes = sheet, sheet.picture, hexes
        picture = self.picture
        self.marks = {p.name: p.mark for p in picture.parties}
        self.marked = {name for m in picture.marks for name in m.regions}
        self.regions = {r.name: r for r in picture.regions}
        self.wide = max(HexPage(picture, hexes.corner_north, _LEFT, 0).right + _LEFT, _NARROWEST)
        self.head = Head(sheet, self.wide, _LEFT, 24.0, 4.0)
        self.plan = HexPage(picture, hexes.corner_north, _LEFT, self.head.bottom - 4)
        self.names = names(self.plan, hexes.sites, self.regions, self.marks)
        self.chips = self._chips()
        self.names = [self._under_chips(n) for n in self.names]
        self.chits = {r.name: self._counters(r) for r in picture.regions}
        self.stacks = {n: box for n, found in self.chits.items() if (box := stack(found)) is not None}
        self.routes = hex_routes(self.plan, picture.arrows, self._taken(), list(self._texts()))

    def draw(self, *, places: bool) -> float:
        """Draw all of it; return where it ends."""
        used = {r.ground for r in self.picture.regions}
        patterns(self.sheet.definitions, self.sheet.id, (g.look for g in self.hexes.grounds if g.name in used))
        laid_patterns(self.sheet.definitions, self.sheet.id, self.picture.marks)
        self.sheet.heads()
        self.head.draw()
        self._grounds()
        self._outlines()
        for route in self.routes:
            self.sheet.arrow(self.sheet.root, route, tip=False)
        for region in self.picture.regions:
            self._hex(region)
        for name in self.names:
            self._name(name)
        for route in self.routes:
            self.sheet.arrow(self.sheet.root, route, tip=True)
        self.sheet.labels(self.sheet.root, self.routes)
        if places:
            over = add(self.sheet.root, "g", **{"class": "spots"})
            for region in self.picture.regions:
                add(over, "polygon", points=self._corners(region.name), **selectable(region.name))
        return self._key()

    def _taken(self) -> dict[str, Box]:
        """The box taken in the middle of each hex: counters, or else the name of a place; and letters of marks."""
        named = {n.hex: n.box for n in self.names if n.hex not in self.stacks}
        found = {**named, **self.stacks}
        for name, box in self._chip_boxes():
            both = box.around(self._label(name))
            found[name] = found[name].around(both) if name in found else both
        return found

    def _label(self, name: str) -> Box:
        """The approximate box of a hex's name."""
        x, y = self.plan.centres[name]
        size = self.plan.size
        return Box(x, y + self.plan.top - size * 0.3, size * 3, size)

    def _chip_boxes(self) -> Iterable[tuple[str, Box]]:
        return ((name, c.box) for name, found in self.chips.items() for c in found)

    def _key(self) -> float:
        """The key below the map, or beside a small one; where the page ends."""
        beside, right = self.plan.right + 2 * _LEFT, self.wide - _LEFT
        crowded = {name for name, found in self.chits.items() if not is_whole(found)}
        under = right + _LEFT - beside < _BESIDE
        left, columns = (_LEFT, 2) if under else (beside, 1)
        key = _HexKey(self.sheet, self.hexes, crowded, left, right - left, columns)
        if under:
            return key.draw(self.plan.bottom + 26)
        return max(key.draw(self.head.bottom + 14), self.plan.bottom + 12)

    def _counters(self, r: Region) -> tuple[Chit, ...]:
        named = any(n.hex == r.name for n in self.names)
        below, lines = bool(self._further(r)), len(self.chips.get(r.name, ()))
        return chits(self.plan, r, self.marks, below=below, chips=lines, named=named)

    def _chips(self) -> dict[str, tuple[Chip, ...]]:
        """The letters of marks, by hex."""
        found = standing(self.plan, self.picture.marks, self.regions, {n.hex for n in self.names})
        below = {name: bool(self._further(self.regions[name])) for name in found}
        return {name: chips(self.plan, name, marks, below=below[name]) for name, marks in found.items()}

    def _under_chips(self, name: Name) -> Name:
        """The name of a place, moved down where letters of marks are in its way."""
        b, lines = name.box, self.chips.get(name.hex, ())
        low = max((c.box.y + c.box.h / 2 + 2 for c in lines), default=0.0)
        down = max(low - (b.y - b.h / 2), 0.0)
        return replace(name, box=replace(b, y=round(b.y + down, 1)))

    def _texts(self) -> Iterable[Box]:
        """Other text on the map: names of places and of hexes."""
        yield from (n.box for n in self.names)
        yield from (box for _, box in self._chip_boxes())
        yield from map(self._label, self.plan.centres)

    def _further(self, r: Region) -> tuple[str, ...]:
        """The lines below the name of a hex."""
        return (*((r.ground,) if self._is_written(r.ground) else ()), *r.badges)

    # ---- the ground

    def _grounds(self) -> None:
        looks = {g.name: paint(self.sheet.id, g.look) for g in self.hexes.grounds}
        group = add(self.sheet.root, "g", stroke="#857c66", stroke_width=0.8)
        for r in self.picture.regions:
            points, colour = self._corners(r.name), looks.get(r.ground, "#ffffff")
            add(group, "polygon", points=points, fill=colour, **{"class": "ground"})
        for name, shade in shades(self.picture.marks, self.regions).items():
            points = self._corners(name)
            fill = {"fill": SHADE_FILLS[shade], "fill_opacity": 0.45}
            add(group, "polygon", points=points, **fill, **{"class": f"shade-{shade}"})
        for mark in self.picture.marks:
            self._laid(mark)
        bars = (self.plan.between(a, b) for a, b in self.hexes.bars)
        self._sides((b for b in bars if b), stroke=INK, stroke_width=5.5, stroke_linecap="round")

    def _laid(self, mark: RegionNote) -> None:
        """Draw the marks over the hexes."""
        centres, there = self.plan.centres, [name for name in mark.regions if name in self.regions]
        if mark.laid == "line":
            ways = (straight(centres[a], centres[b]) for a, b in mark.pairs)
            laid_lines(self.sheet.root, ways, (centres[name] for name in there))
        elif mark.laid:
            look = laid_band(self.sheet.id, mark.laid)
            self._sides(self.plan.outline(there, 0.86), stroke_width=num(self.plan.depth * 0.28), **look)

    def _corners(self, name: str) -> str:
        """The corners of a hex, for a polygon."""
        return " ".join(f"{num(x)},{num(y)}" for x, y in self.plan.corners(name))

    def _sides(self, sides: Iterable[tuple[tuple[float, float], tuple[float, float]]], **look: object) -> None:
        d = " ".join(f"M{num(ax)} {num(ay)} L{num(bx)} {num(by)}" for (ax, ay), (bx, by) in sides)
        if d:
            add(self.sheet.root, "path", d=d, fill="none", **look)

    def _outlines(self) -> None:
        """Outlines: dashed around zones, solid around places."""
        zones = [s for s in self.hexes.sites if s.kind == "zone"]
        for i, site in enumerate(zones):
            dashes = ("9 4", "3 3", "12 3 2 3")[i % 3]
            inset = 0.965 - 0.02 * (i % 2)
            outline = self.plan.outline(site.hexes, inset)
            self._sides(outline, stroke=ZONE, stroke_width=2, stroke_dasharray=dashes, **{"class": "zone"})
        for site in self.hexes.sites:
            if site.kind == "place":
                outline = self.plan.outline(site.hexes, 0.9)
                look = {"stroke": MOVE if site.becomes else PLACE, "stroke_linecap": "round", "class": "place"}
                self._sides(outline, stroke_width=2.6, **look)
        for mark in self.picture.marks:
            first = first_outline(self.plan, self.hexes, mark, self.picture.marks)
            outlined(written([mark]), first, lambda away, mark=mark, **look: self._outline(mark, away, **look))

    def _outline(self, mark: RegionNote, away: float, **look: object) -> None:
        """An outline of the regions of a mark, so far inside their border."""
        self._sides(self.plan.outline(mark.regions, max(1 - away / self.plan.depth, 0.5)), **look)

    # ---- hexes

    def _hex(self, r: Region) -> None:
        group = add(self.sheet.root, "g", **{"class": "hex"})
        add(group, "title").text = clean(self.sheet.words.regions[r.name])
        x, y = self.plan.centres[r.name]
        size = self.plan.size
        zones = " ".join(s.mark for s in self._zones(r.name))
        label = f"{r.label} {zones}".rstrip()
        mark = owned(r, self.picture)
        wide = width(label, size * 0.85) + (badge_width(mark) + 3 if mark else 0)
        at = x - wide / 2
        top = y + self.plan.top
        if self._is_written(r.ground) or r.name in self.marked:
            words = " \u00b7 ".join(self._further(r))
            veil = max(wide, width(words, min(size * 0.85, self._size(words)))) + 4
            high = size * (2 if words else 1.05)
            cover = {"fill_opacity": 0.92} if r.name in self.marked else {}
            rect(group, Box(x, top - size * 0.75 + high / 2, veil, high), **{**_VEIL, **cover})
        write(group, at, top, label, size * 0.85, anchor="start", fill="#444444")
        if mark:
            where = at + width(label, size * 0.85) + 3
            sign(group, where, top - size * 0.3, mark, second=self.sheet.is_second(r.owner), size=size)
        self._below(group, r, x, top + size)
        for found in self.chips.get(r.name, ()):
            text_plate(group, found.box, found.text, found.shade, found.size)
        for chit in self.chits[r.name]:
            self._chit(group, chit)

    def _below(self, group: Element, r: Region, x: float, y: float) -> None:
        """The line below the name of a hex: its terrain and other remarks."""
        size = self.plan.size * 0.85
        below = self._further(r)
        if below:
            words = " \u00b7 ".join(below)
            write(group, x, y, words, min(size, self._size(words)), slant="italic", fill="#333333")

    def _size(self, words: str) -> float:
        """Letters small enough for the line under a hex's name."""
        room = self.plan.room(self.plan.top) + self.plan.side * 0.2
        return max(round(room / max(width(words, 1), 0.1), 1), 6.0)

    def _zones(self, name: str) -> list[Site]:
        return [s for s in self.hexes.sites if s.kind == "zone" and s.mark and name in self._inside[s.name]]

    @cached_property
    def _inside(self) -> Mapping[str, frozenset[str]]:
        return {s.name: frozenset(s.hexes) for s in self.hexes.sites}

    def _is_written(self, ground: str) -> bool:
        return any(g.name == ground and g.written for g in self.hexes.grounds)

    def _chit(self, group: Element, chit: Chit) -> None:
        b, size = chit.box, self.plan.size
        party = chit.counter.party if chit.counter else ""
        if chit.counter is None:
            rect(group, b, rx=4, fill="#ffffff", stroke=INK, **{"class": "more"})
        else:
            plate(group, b, self.sheet.fills.get(party, "#ffffff"), second=self.sheet.is_second(party), kind="unit")
        y = b.y - b.h / 2 + size + 1
        shift = 0.0
        if chit.mark:
            second = self.sheet.is_second(party)
            shift = sign(group, b.x - b.w / 2 + 2, y - size * 0.3, chit.mark, second=second, size=size * 0.9) + 2
        for i, line in enumerate(chit.lines):
            write(group, b.x + shift / 2, y, line.text, line.size, weight="" if i else "bold")
            shift = 0.0
            y += size * LINE

    def _name(self, name: Name) -> None:
        b, size = name.box, self.plan.size
        group = add(self.sheet.root, "g", **{"class": "site"})
        rect(group, b, **_VEIL)
        y, shift = b.y - b.h / 2 + size, 0.0
        if name.sign:
            second = self.sheet.is_second(name.site.owner or name.site.becomes)
            shift = sign(group, b.x - b.w / 2 + 1, y - size * 0.33, name.sign, second=second, size=size * 0.9) + 2
        for i, line in enumerate(name.lines):
            write(group, b.x + shift / 2, y, line.text, line.size, weight="" if i else "bold", fill="#5a1a00")
            shift = 0.0
            y += size * LINE


class _HexKey(MapKey):
    """The key below or beside a map of hexes: parties, terrain, places with their owners, and moves.

    Args:
        sheet: The sheet.
        hexes: How its regions make a map of hexes.
        crowded: The hexes whose units the map does not show in full.
        left: Where it begins.
        room: How wide it is.
        columns: In how many columns its text stands: one or two.
    """

    def __init__(
        self, sheet: PictureSheet, hexes: HexMap, crowded: Collection[str], left: float, room: float, columns: int
    ):
        super().__init__(sheet, left, room)
        self.picture, self.hexes, self.crowded, self.columns = sheet.picture, hexes, crowded, columns

    def draw(self, top: float) -> float:
        """Draw the key from a height on; return where it ends."""
        labels = [(p, p.name if p.name == p.side else f"{p.name} ({p.side})") for p in self.picture.parties]
        y = self.parties([("", labels)], top, 10) + 26
        y = self.signs(self._grounds(), y, 16, 22) + (24 if self.picture.regions else 0)
        y = self.legend(self.group, y)
        half = self.room if self.columns == 1 else (self.room - _APART) / 2
        beside = self.left + half + _APART
        lines = [broken(line, NAME, half - _HANGING) for line in self._sentences()]
        if self.columns == 1:
            return self._moves(self.left, self.lines(lines, self.left, y, _HANGING) + 8, half) + 8
        if self.picture.captions:
            return max(self.lines(lines, self.left, y, _HANGING), self._moves(beside, y, half)) + 8
        middle = sum(map(len, lines)) / 2
        left = [x for i, x in enumerate(lines) if sum(map(len, lines[:i])) < middle]
        rest = lines[len(left) :]
        return max(self.lines(left, self.left, y, _HANGING), self.lines(rest, beside, y, _HANGING)) + 8

    def _grounds(self) -> Iterable[Shown]:
        """A sample of each terrain on the map, with its name."""
        used = {r.ground for r in self.picture.regions}
        for ground in self.hexes.grounds:
            if ground.name in used:
                label = f"{ground.name}: {ground.note}" if ground.note else ground.name
                yield 24.0, label, partial(self._ground, paint(self.sheet.id, ground.look))

    def _ground(self, fill: str, x: float, y: float) -> None:
        rect(self.group, Box(x + 12, y, 24, 15), fill=fill, stroke="#857c66", **{"class": "ground"})

    def _sentences(self) -> Iterable[str]:
        picture, hexes = self.picture, self.hexes
        marks = {p.name: p.mark for p in picture.parties}
        yield from (f"\u2022 {site_words(s)}" for s in hexes.sites)
        for r in picture.regions:
            if r.name in self.crowded:
                units = (f"{marks[c.party]} {c.words}" for c in r.counters)
                yield f"In {r.label}: {', '.join(units)}."
        yield from hexes.aside
        yield from picture.key
        yield from self._more()

    def _more(self) -> Iterable[str]:
        hexes = self.hexes
        if any(s.kind == "place" and s.owned for s in hexes.sites):
            yield "whole outline: a place; the sign before its name tells whose it is (\u2013: nobody's)"
        if any(s.kind == "zone" for s in hexes.sites):
            yield "dashed outline: a zone, with its letters in each of its hexes"
        if hexes.bars and hexes.bar_name:
            yield f"thick line between hexes: {hexes.bar_name}"
        if self.picture.arrows:
            changes = any(s.becomes for s in hexes.sites) or any(r.becomes for r in self.picture.regions)
            strikes = any(a.way == "strike" for a in self.picture.arrows)
            more = (*(("dots: an attack",) if strikes else ()), *(("red: changes hands",) if changes else ()))
            yield "; ".join(("arrows are numbered by turn", *more))

    def _moves(self, x: float, y: float, room: float) -> float:
        """The moves in words; where they end."""
        group = add(self.sheet.root, "g", **{"class": "captions"})
        for line in self.moves(room, _MOST):
            y += 4 if line[0] is not None else 0
            self.move(group, line, (x + 9, y - 4), (x + 24, y))
            y += STEP
        return y

"""The key below a hex map: parties, terrain, places with their owners, and moves."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from vclogic.draw.arrows import number
from vclogic.draw.boxes import NAME, Box, broken, width
from vclogic.draw.elements import Element, add, fills, paint, party_plate, rect, seconds, write
from vclogic.draw.marks import legend
from vclogic.draw.words import caption_lines, site_words
from vclogic.model.hexmap import HexMap
from vclogic.model.picture import Picture

_APART, _STEP = 30.0, 16.0
_MOST = 60
"""So many lines of moves are written; the description has all of them."""


@dataclass
class HexKey:
    """The text below one map.

    Attributes:
        root: The SVG element that it is added to.
        id: The picture's id in the file.
        picture: The picture.
        hexes: How its regions make a map of hexes.
        crowded: The hexes whose units the map does not show in full.
        start: Where it begins.
        right: Where it ends.
        columns: In how many columns its text stands: one or two.
    """

    root: Element
    id: str
    picture: Picture
    hexes: HexMap
    crowded: Collection[str]
    start: float
    right: float
    columns: int

    def __post_init__(self) -> None:
        self.group = add(self.root, "g", **{"class": "key"})

    def draw(self, top: float) -> float:
        """Draw the key from a height on; return where it ends."""
        y = self._parties(top)
        y = self._grounds(y)
        room = self.right - self.start
        y = legend(self.group, self.picture.legend, self.id, (self.start, y), room)
        half = room if self.columns == 1 else (room - _APART) / 2
        beside = self.start + half + _APART
        lines = [broken(line, NAME, half - 12) for line in self._left()]
        if self.columns == 1:
            return self._moves(self.start, self._lines(lines, self.start, y) + 8, half) + 8
        if self.picture.captions:
            return max(self._lines(lines, self.start, y), self._moves(beside, y, half)) + 8
        middle = sum(map(len, lines)) / 2
        left = [x for i, x in enumerate(lines) if sum(map(len, lines[:i])) < middle]
        return max(self._lines(left, self.start, y), self._lines(lines[len(left) :], beside, y)) + 8

    def _parties(self, y: float) -> float:
        x, second, fill = self.start, seconds(self.picture), fills(self.picture)
        for p in self.picture.parties:
            label = p.name if p.name == p.side else f"{p.name} ({p.side})"
            x = party_plate(self.group, x, y, p, label, fill[p.name], second=second[p.name]) + 10
        return y + 26

    def _grounds(self, y: float) -> float:
        """A sample of each terrain on the map, with its name."""
        used = {r.ground for r in self.picture.regions}
        x = self.start
        for ground in self.hexes.grounds:
            if ground.name not in used:
                continue
            label = f"{ground.name}: {ground.note}" if ground.note else ground.name
            wide = 30 + width(label, NAME) + 16
            if x > self.start and x + wide > self.right:
                x, y = self.start, y + 22
            fill = paint(self.id, ground.look)
            rect(self.group, Box(x + 12, y, 24, 15), fill=fill, stroke="#857c66", **{"class": "ground"})
            write(self.group, x + 30, y + 4, label, NAME, anchor="start")
            x += wide
        return y + 24 if used else y

    def _left(self) -> Iterable[str]:
        picture, hexes = self.picture, self.hexes
        marks = {p.name: p.mark for p in picture.parties}
        yield from (f"\u2022 {site_words(s)}" for s in hexes.sites)
        for r in picture.regions:
            if r.name in self.crowded:
                units = (f"{marks[c.party]} {c.words}" for c in r.counters)
                yield f"In {r.label}: {', '.join(units)}."
        yield from hexes.aside
        yield from picture.key
        yield from self._signs()

    def _signs(self) -> Iterable[str]:
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

    def _lines(self, lines: Iterable[Iterable[str]], x: float, y: float) -> float:
        for line in lines:
            for i, part in enumerate(line):
                write(self.group, x + (12 if i else 0), y, part, NAME, anchor="start")
                y += _STEP
        return y

    def _moves(self, x: float, y: float, room: float) -> float:
        """The moves in words."""
        group = add(self.root, "g", **{"class": "captions"})
        lines = list(caption_lines(self.picture, NAME, room - 30))
        if len(lines) > _MOST:
            lines = [*lines[: _MOST - 1], (None, f"and {len(lines) - _MOST + 1} more lines: see the description")]
        for caption, line in lines:
            if caption is not None:
                y += 4
                number(group, x + 9, y - 4, caption.step, hollow=caption.hollow)
            write(group, x + 24, y, line, NAME, anchor="start")
            y += _STEP
        return y

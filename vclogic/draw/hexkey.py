"""What stands below a map of hexes: who is who, what the terrain is, the places with their owners, and the moves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from vclogic.draw.boxes import NAME, Box, broken, width
from vclogic.draw.elements import add, number, party_plate, rect, write
from vclogic.draw.hexes import is_whole
from vclogic.draw.looks import paint
from vclogic.draw.words import caption_lines, site_words

if TYPE_CHECKING:
    from vclogic.draw.hexsheet import HexSheet

_APART, _STEP = 30.0, 16.0
_MOST = 60
"""So many lines of moves are written; the description has all of them."""


class HexKey:
    """The text below one map.

    Args:
        sheet: The picture.
        left: Where it begins.
        right: Where it ends.
        columns: In how many columns its text stands: one or two.
    """

    def __init__(self, sheet: HexSheet, left: float, right: float, columns: int):
        self.sheet, self.start, self.right, self.columns = sheet, left, right, columns
        self.group = add(sheet.root, "g", **{"class": "key"})

    def draw(self, top: float) -> float:
        """All of it from a height on; returns where it ends."""
        y = self._parties(top)
        y = self._grounds(y)
        room = self.right - self.start
        half = room if self.columns == 1 else (room - _APART) / 2
        beside = self.start + half + _APART
        lines = [_broken(line, half) for line in self._left()]
        if self.columns == 1:
            return self._moves(self.start, self._lines(lines, self.start, y) + 8, half) + 8
        if self.sheet.picture.captions:
            return max(self._lines(lines, self.start, y), self._moves(beside, y, half)) + 8
        middle = sum(map(len, lines)) / 2
        left = [x for i, x in enumerate(lines) if sum(map(len, lines[:i])) < middle]
        return max(self._lines(left, self.start, y), self._lines(lines[len(left) :], beside, y)) + 8

    def _parties(self, y: float) -> float:
        x = self.start
        for p in self.sheet.picture.parties:
            label = p.name if p.name == p.side else f"{p.name} ({p.side})"
            second = self.sheet.second[p.name]
            x = party_plate(self.group, x, y, p, label, self.sheet.fills[p.name], second=second) + 10
        return y + 26

    def _grounds(self, y: float) -> float:
        """A piece of each kind of terrain that is on the map, with its name."""
        used = {r.ground for r in self.sheet.picture.regions}
        x = self.start
        for ground in self.sheet.hexes.grounds:
            if ground.name not in used:
                continue
            label = f"{ground.name}: {ground.note}" if ground.note else ground.name
            wide = 30 + width(label, NAME) + 16
            if x > self.start and x + wide > self.right:
                x, y = self.start, y + 22
            fill = paint(self.sheet.id, ground.look)
            rect(self.group, Box(x + 12, y, 24, 15), fill=fill, stroke="#857c66", **{"class": "ground"})
            write(self.group, x + 30, y + 4, label, NAME, anchor="start")
            x += wide
        return y + 24 if used else y

    def _left(self) -> Iterable[str]:
        picture, hexes = self.sheet.picture, self.sheet.hexes
        yield from (f"\u2022 {site_words(s)}" for s in hexes.sites)
        for r in picture.regions:
            if not is_whole(self.sheet.chits[r.name]):
                units = (f"{self.sheet.marks[c.party]} {c.words}" for c in r.counters)
                yield f"In {r.label}: {', '.join(units)}."
        yield from hexes.aside
        yield from picture.key
        yield from self._signs()

    def _signs(self) -> Iterable[str]:
        hexes = self.sheet.hexes
        if any(s.kind == "place" and s.owned for s in hexes.sites):
            yield "whole outline: a place; the sign before its name tells whose it is (\u2013: nobody's)"
        if any(s.kind == "zone" for s in hexes.sites):
            yield "dashed outline: a zone, with its letters in each of its hexes"
        if hexes.bars and hexes.bar_name:
            yield f"thick line between hexes: {hexes.bar_name}"
        if self.sheet.picture.arrows:
            changes = any(s.becomes for s in hexes.sites) or any(r.becomes for r in self.sheet.picture.regions)
            strikes = any(a.way == "strike" for a in self.sheet.picture.arrows)
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
        group = add(self.sheet.root, "g", **{"class": "captions"})
        lines = list(caption_lines(self.sheet.picture, NAME, room - 30))
        if len(lines) > _MOST:
            lines = [*lines[: _MOST - 1], (None, f"and {len(lines) - _MOST + 1} more lines: see the description")]
        for step, line in lines:
            y += 4 if step is not None else 0
            if step is not None:
                number(group, x + 9, y - 4, step)
            write(group, x + 24, y, line, NAME, anchor="start")
            y += _STEP
        return y


def _broken(line: str, room: float) -> tuple[str, ...]:
    return broken(line, NAME, room - 12)

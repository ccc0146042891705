"""The key of a map: signs with what they mean, sentences, and the moves in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from vclogic.draw.arrows import Style, arrow_line, number
from vclogic.draw.boxes import NAME, SMALL, Box, Point, broken, text_width, width
from vclogic.draw.elements import INK, Element, add, party_plate, party_width, rect, write
from vclogic.draw.marks import RegionMarks, laid_fill, laid_lines, outlined, straight, text_plate
from vclogic.draw.sheet import PictureSheet
from vclogic.draw.words import caption_lines
from vclogic.model.picture import LAID, Arrow, Caption, LegendLine, Party, Sample

Shown = tuple[float, str, Callable[[float, float], object]]
"""A sign: how wide it is, what it means, and what draws it from its left edge and its middle on."""
STEP = 16.0
"""From one line of text to the next."""
_ROW, _LEGEND_ROW = 25.0, 24.0
_BOLD = 1.1  # so much wider than plain letters


class MapKey:
    """The text beside or below one map; each part is drawn from a height on and returns where it ends.

    Args:
        sheet: The sheet.
        left: Where it begins.
        room: How wide it may be.
    """

    def __init__(self, sheet: PictureSheet, left: float, room: float):
        self.sheet, self.left, self.room = sheet, left, room
        self.group = add(sheet.root, "g", **{"class": "key"})

    def parties(self, groups: Iterable[tuple[str, Sequence[tuple[Party, str]]]], y: float, apart: float) -> float:
        """Parties with their labels, in groups with a heading or without."""
        x = self.left
        for heading, found in groups:
            if heading:
                x, y = self._next(x, y, width(heading, 13) + party_width(*found[0]) + 8, _ROW)
                write(self.group, x, y + 4, heading, 13, weight="bold", anchor="start")
                x += width(heading, 13) * 1.05 + 8
            for party, label in found:
                x, y = self._next(x, y, party_width(party, label), _ROW)
                fill, second = self.sheet.fills[party.name], self.sheet.second[party.name]
                x = party_plate(self.group, x, y, party, label, fill, second=second) + apart
            x += 10
        return y

    def signs(self, signs: Iterable[Shown], y: float, apart: float, row: float) -> float:
        """Signs with their meanings, in a row or more; returns the height of the last."""
        x = self.left
        for wide, label, draw in signs:
            needed = wide + 6 + width(label, NAME) + apart
            x, y = self._next(x, y, needed, row)
            draw(x, y)
            write(self.group, x + wide + 6, y + 4, label, NAME, anchor="start")
            x += needed
        return y

    def _next(self, x: float, y: float, wide: float, row: float) -> Point:
        """The place of what comes next: the beginning of the next row if it has no room in this one."""
        return (self.left, y + row) if x > self.left and x + wide > self.left + self.room else (x, y)

    def legend(self, parent: Element, y: float) -> float:
        """The legend of the picture, from the middle of its first line on."""
        lines = self.sheet.picture.legend
        group = add(parent, "g", **{"class": "legend"}) if lines else parent
        for line in lines:
            x, y = self.left, y + 2 * _framed(line)
            for sample in line.samples:
                x += _sample(group, sample, (x, y), self.sheet.id, self.sheet.style(sample.party)) + 6
            for i, words in enumerate(_words(line, self.room)):
                weight = "bold" if line is lines[0] and not line.samples else ""
                write(group, x, y + 4 + i * STEP, words, NAME, anchor="start", weight=weight)
            y += _height(line, self.room) - 2 * _framed(line)
        return y

    def lines(self, lines: Iterable[Sequence[str]], x: float, y: float, hanging: float = 0.0) -> float:
        """Sentences that are broken into lines already; the further lines of each hang."""
        for line in lines:
            for i, part in enumerate(line):
                write(self.group, x + (hanging if i else 0), y, part, NAME, anchor="start")
                y += STEP
        return y

    def moves(self, room: float, most: int) -> Sequence[tuple[Caption | None, str]]:
        """The lines of the moves in words, cut after so many."""
        lines = list(caption_lines(self.sheet.picture, NAME, room - 30))
        if len(lines) > most:
            lines = [*lines[: most - 1], (None, f"and {len(lines) - most + 1} more lines: see the description")]
        return lines

    def move(self, group: Element, line: tuple[Caption | None, str], place: Point, text: Point) -> None:
        """Draw a line of the moves: its number at a place, what moves at another."""
        caption, words = line
        if caption is not None:
            own = (a.party for a in self.sheet.picture.arrows if (a.step, a.hollow) == (caption.step, caption.hollow))
            style = self.sheet.style(next(own, None))
            number(group, *place, caption.step, hollow=caption.hollow, style=style)
        write(group, *text, words, NAME, anchor="start")


# ---- the legend


def _words(line: LegendLine, room: float) -> tuple[str, ...]:
    taken = sum(_wide(s) + 6 for s in line.samples)
    return broken(line.words, NAME if line.samples else NAME * _BOLD, room - taken)


def _height(line: LegendLine, room: float) -> float:
    return _LEGEND_ROW + 4 * _framed(line) + STEP * (max(len(_words(line, room)), 1) - 1)


def _framed(line: LegendLine) -> bool:
    return any(s.kind in ("double", "dashed") for s in line.samples)


def _wide(sample: Sample) -> float:
    if sample.kind in ("arrow", "hollow"):
        return 46.0
    return max(text_width(sample.text, SMALL), 24.0) + (0 if sample.kind == "text" else 14)


def _sample(parent: Element, sample: Sample, place: tuple[float, float], ids: str, style: Style) -> float:
    """Draw a sample; return its width."""
    x, y = place
    wide = _wide(sample)
    if sample.kind in ("arrow", "hollow"):
        arrow = Arrow(None, "", hollow=sample.kind == "hollow")
        arrow_line(parent, f"M{x} {y} L{x + wide - 6} {y}", arrow, ids, style)
        return wide
    if sample.kind == "line":
        laid_lines(parent, [straight((x + 3, y), (x + wide - 3, y))], [(x + 3, y), (x + wide - 3, y)])
        return wide
    if sample.kind in LAID:
        rect(parent, Box(x + wide / 2, y, wide, 15.0), stroke=INK, stroke_width=0.8, **laid_fill(ids, sample.kind))
        return wide
    edge = 0 if sample.kind == "text" else 7
    b = Box(x + wide / 2, y, wide - 2 * edge, 15.0 - 2 * bool(edge))

    def frame(away: float, **look: object) -> None:
        rect(parent, Box(b.x, b.y, b.w + 2 * away, b.h + 2 * away), fill="none", **look)

    if sample.text or not edge:
        text_plate(parent, b, sample.text, sample.shade, SMALL)
    outlined(RegionMarks(double=sample.kind == "double", dashed=sample.kind == "dashed"), 1.5, frame)
    return wide

"""Marks of regions and their legend: a few letters on a shade, double and dashed outlines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from vclogic.draw.arrows import FIRST, Style, arrow_line
from vclogic.draw.boxes import NAME, SMALL, Box, broken, text_width
from vclogic.draw.elements import INK, Element, add, rect, write
from vclogic.model.legend import LegendLine, Mark, Sample
from vclogic.model.picture import Arrow

SHADE_FILLS = ("#f4f2fb", "#d5d0ea", "#a79fd0", "#6f61b0", "#3f1d7a")
"""The colours of shades, from light to dark; they differ in grey too."""
_LIGHT_INK = 3  # from this shade on letters are white
_DASHES = "9 5"
_ROW, _STEP = 24.0, 16.0
_BOLD = 1.1  # so much wider than plain letters


def text_plate(parent: Element, b: Box, text: str, shade: int | None, size: float) -> None:
    """A text on its shade; without a shade on white, within dots."""
    dots = {"stroke_dasharray": "1.5 2"} if shade is None else {}
    fill = "#ffffff" if shade is None else SHADE_FILLS[shade]
    kind = "value" if shade is None else f"value shade-{shade}"
    rect(parent, b, fill=fill, stroke=INK, stroke_width=0.8, **dots, **{"class": kind})
    ink = "#ffffff" if shade is not None and shade >= _LIGHT_INK else INK
    write(parent, b.x, b.y + size * 0.36, text, size, weight="bold", fill=ink)


# ---- outlines

Draw = Callable[..., object]
"""Draws an outline at so many pixels from a border, with the attributes of a line."""


def outlined(found: RegionMarks, begin: float, draw: Draw) -> None:
    """The outlines of a region, from its border away: a double line, then a dashed one."""
    if found.double:
        draw(begin, stroke=INK, stroke_width=1.8, **{"class": "double"})
        draw(begin + 4, stroke=INK, stroke_width=1.8, **{"class": "double"})
        begin += 6
    if found.dashed:
        draw(begin + 1.5, stroke=INK, stroke_width=2.6, stroke_dasharray=_DASHES, **{"class": "dashed"})


# ---- the legend


def legend(
    parent: Element,
    lines: Sequence[LegendLine],
    ids: str,
    place: tuple[float, float],
    room: float,
    looks: Mapping[str | None, Style] | None = None,
) -> float:
    """Draw a legend from a place on; return where it ends.

    Args:
        parent: What it is added to.
        lines: The legend.
        ids: What the ids of arrow heads begin with.
        place: Where it begins: its left edge, and the middle of its first line.
        room: How wide it may be.
        looks: How the arrows of each party look; None: all alike.
    """
    left, y = place
    group = add(parent, "g", **{"class": "legend"}) if lines else parent
    for line in lines:
        x, y = left, y + 2 * _framed(line)
        for sample in line.samples:
            x += _sample(group, sample, (x, y), ids, (looks or {}).get(sample.party, FIRST)) + 6
        for i, words in enumerate(_words(line, room)):
            weight = "bold" if line is lines[0] and not line.samples else ""
            write(group, x, y + 4 + i * _STEP, words, NAME, anchor="start", weight=weight)
        y += _height(line, room) - 2 * _framed(line)
    return y


def _words(line: LegendLine, room: float) -> tuple[str, ...]:
    taken = sum(_wide(s) + 6 for s in line.samples)
    return broken(line.words, NAME if line.samples else NAME * _BOLD, room - taken)


def _height(line: LegendLine, room: float) -> float:
    return _ROW + 4 * _framed(line) + _STEP * (max(len(_words(line, room)), 1) - 1)


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
    edge = 0 if sample.kind == "text" else 7
    b = Box(x + wide / 2, y, wide - 2 * edge, 15.0 - 2 * bool(edge))

    def frame(away: float, **look: object) -> None:
        rect(parent, Box(b.x, b.y, b.w + 2 * away, b.h + 2 * away), fill="none", **look)

    if sample.text or not edge:
        text_plate(parent, b, sample.text, sample.shade, SMALL)
    outlined(RegionMarks(double=sample.kind == "double", dashed=sample.kind == "dashed"), 1.5, frame)
    return wide


@dataclass(frozen=True)
class RegionMarks:
    """The joined drawing of the marks of one region.

    Attributes:
        text: Their letters.
        shade: The darkest of their shades.
        double: Whether a double line goes around it.
        dashed: Whether a dashed line goes around it.
    """

    text: str = ""
    shade: int | None = None
    double: bool = False
    dashed: bool = False

    def edge(self, begin: float) -> float:
        """The outer distance of outlines that begin at a distance from the border; 0 without outlines."""
        return begin + 6 * self.double + 5 * self.dashed if self.double or self.dashed else 0.0


def written(marks: Iterable[Mark], *, named: bool = False) -> RegionMarks:
    """Join some marks.

    Args:
        named: Whether their letters stand behind their names, as they do anyway where there are several.
    """
    found = list(marks)
    texts = [m for m in found if m.text]
    named = named or len(texts) > 1
    return RegionMarks(
        text=" \u00b7 ".join(f"{m.name}: {m.text}" if named else m.text for m in texts),
        shade=max((m.shade for m in found if m.shade is not None), default=None),
        double=any(m.double for m in found),
        dashed=any(m.dashed for m in found),
    )

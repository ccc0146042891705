"""Boxes, and how wide texts are."""

from __future__ import annotations

from dataclasses import dataclass, replace

Point = tuple[float, float]
NAME, SMALL = 12.0, 10.5
"""Sizes of the letters of a name, and of what stands below it."""
BAND = 15.0
"""The height of the letters of marks with their shade."""
_WIDTHS = {
    "ijl'|": 0.24,
    "It.,:;/!f ": 0.29,
    "r-()": 0.35,
    "ckvsxyzJ": 0.5,
    "mMw": 0.85,
    "W": 0.98,
    "GOQCDHNRU": 0.77,
}
_WIDTH = {letter: width for letters, width in _WIDTHS.items() for letter in letters}


def width(text: str, size: float) -> float:
    """The approximate width of a text in a plain sans-serif face, rather too large than too small."""
    return size * 1.15 * sum(
        _WIDTH.get(c, 0.58 if c.islower() or c.isdigit() else 0.7) for c in text if c < "\u0300"
    ) + (size * sum(c >= "\u0300" for c in text))


@dataclass(frozen=True)
class Frame:
    """The part of the picture that holds the map."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True)
class Box:
    """A rectangle by its centre.

    Attributes:
        x: Its centre.
        y: Its centre.
        w: How wide it is.
        h: How high it is.
    """

    x: float
    y: float
    w: float
    h: float

    def overlaps(self, other: Box, gap: float = 0.0) -> bool:
        """True if two boxes overlap or are nearer to each other than a gap."""
        return self.over(other, gap) is not None

    def over(self, other: Box, gap: float = 0.0) -> Point | None:
        """The overlap of two boxes, across and down; None if there is none."""
        across = (self.w + other.w) / 2 + gap - abs(self.x - other.x)
        down = (self.h + other.h) / 2 + gap - abs(self.y - other.y)
        return (across, down) if across > 1e-6 and down > 1e-6 else None

    def grown(self, by: float) -> Box:
        """A box that reaches farther on every side."""
        return replace(self, w=round(self.w + 2 * by, 1), h=round(self.h + 2 * by, 1)) if by else self

    def around(self, other: Box) -> Box:
        """The smallest box with both in it."""
        left, right = (min(b.x - b.w / 2 for b in (self, other)), max(b.x + b.w / 2 for b in (self, other)))
        top, bottom = (min(b.y - b.h / 2 for b in (self, other)), max(b.y + b.h / 2 for b in (self, other)))
        return Box((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)

    def holds(self, point: Point, gap: float = 0.0) -> bool:
        """True if a point lies inside."""
        return abs(point[0] - self.x) <= self.w / 2 + gap and abs(point[1] - self.y) <= self.h / 2 + gap


def broken(text: str, size: float, longest: float) -> tuple[str, ...]:
    """A text broken at spaces into lines that fit, as far as its words do."""
    lines: list[str] = []
    for word in text.split():
        if lines and width(f"{lines[-1]} {word}", size) <= longest:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return tuple(lines)


def badge_width(mark: str) -> float:
    """The width of the sign with the owner's mark."""
    return width(mark, NAME) + 8 if mark else 0.0


def text_width(text: str, size: float) -> float:
    """The width of a text on its shade."""
    return width(text, size) * 1.1 + 8 if text else 0.0

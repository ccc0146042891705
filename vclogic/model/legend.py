"""Shades, outlines and letters that a picture lays over regions, and its legend."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SHADES = 5
"""The number of shades; 0 is the lightest."""


@dataclass(frozen=True)
class Mark:
    """A note on some regions together, such as the worth of a city.

    Attributes:
        name: What they are, such as the name of the city.
        regions: The regions.
        text: A few letters that are shown with them; may be empty.
        shade: How dark they are, from 0; None: they have no shade.
        double: Whether a double line goes around them.
        dashed: Whether a dashed line goes around them.
        words: All of it in words.
    """

    name: str
    regions: tuple[str, ...]
    text: str = ""
    shade: int | None = None
    double: bool = False
    dashed: bool = False
    words: str = ""


@dataclass(frozen=True)
class Sample:
    """A sign as the picture has it.

    Attributes:
        kind: A text with its shade, an outline, or an arrow.
        text: What is written in it.
        shade: As in `Mark`.
        party: Whose arrow it is, as in `Arrow`.
    """

    kind: Literal["text", "double", "dashed", "arrow", "hollow"]
    text: str = ""
    shade: int | None = None
    party: str | None = None


@dataclass(frozen=True)
class LegendLine:
    """A line of the legend.

    Attributes:
        words: What the samples mean.
        samples: The signs; a line without them is only words.
    """

    words: str
    samples: tuple[Sample, ...] = ()

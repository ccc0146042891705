"""The marks of one region, joined."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from vclogic.model.legend import Mark


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

    @property
    def is_nothing(self) -> bool:
        """True if there is nothing to draw."""
        return self == RegionMarks()

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

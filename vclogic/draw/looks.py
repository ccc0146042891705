"""Terrain looks: a colour with a pattern, so that terrain is not told by colour alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from vclogic.draw.elements import Element, add
from vclogic.model.hexmap import Look

_PATTERNS: Mapping[Look, tuple[str, str, str, int]] = {
    "open": ("#f7f3e3", "", "", 0),
    "woods": ("#cfe3bd", "M4 9 L7 3 L10 9 z M13 17 L16 11 L19 17 z", "#9cc087", 20),
    "hills": ("#eadcb8", "M2 9 Q6 2 10 9 M12 19 Q16 12 20 19", "#c7ae77", 22),
    "mountains": ("#d9c3a5", "M1 10 L6 1 L11 10 M11 20 L16 11 L21 20", "#a08156", 21),
    "town": ("#ecd6d0", "M3 3 h6 v6 h-6 z M13 13 h6 v6 h-6 z", "#cda69b", 20),
    "building": ("#ddd3c9", "M0 6 H12 M6 0 V6 M0 12 H12 M12 6 V12", "#c2b3a3", 12),
    "marsh": ("#d6e6dc", "M2 6 h8 M4 3 v3 M6 2 v4 M8 3 v3 M12 15 h8 M14 12 v3 M16 11 v4 M18 12 v3", "#93b8a4", 20),
    "water": ("#d3e5f2", "M0 5 q4 -4 8 0 t8 0", "#9dbfda", 16),
    "crossing": ("#e4e6ea", "M0 4 H14 M0 11 H14", "#aab3c2", 14),
    "rubble": ("#d5d0cb", "M2 3 l3 2 l-3 2 z M9 9 l4 1 l-2 3 z", "#9c948b", 14),
    "other": ("#ebe6ef", "M3 3 h2 M9 9 h2", "#a99bb8", 12),
}
_DRAWN_FULL: tuple[Look, ...] = ("woods", "town", "rubble")


def patterns(defs: Element, prefix: str, looks: Iterable[Look]) -> None:
    """The patterns of some looks, under names that begin with a prefix."""
    for look in dict.fromkeys(looks):
        colour, path, ink, size = _PATTERNS[look]
        if not path:
            continue
        pattern = add(defs, "pattern", id=f"{prefix}-{look}", width=size, height=size, patternUnits="userSpaceOnUse")
        add(pattern, "rect", width=size, height=size, fill=colour)
        paint = {"fill": ink} if look in _DRAWN_FULL else {"fill": "none", "stroke": ink}
        add(pattern, "path", d=path, **paint)


def paint(prefix: str, look: Look) -> str:
    """The fill of a look."""
    return f"url(#{prefix}-{look})" if _PATTERNS[look][1] else _PATTERNS[look][0]

"""The drawing of a region's owner and of the battle for it, in boxes and hexes."""

from __future__ import annotations

from vclogic.model.picture import Picture, Region


def owned(region: Region, picture: Picture) -> str:
    """The mark of a region's owner, and of its next owner; empty for what nobody owns."""
    mark = {p.name: p.mark for p in picture.parties}
    names = [n for n in (region.owner, region.becomes) if n is not None]
    return "\u2192".join(mark.get(n, n) for n in names)


def battle_words(region: Region) -> str:
    """The chance of the battle for a region, as it stands in its box; empty without one."""
    weakest = ", the weakest" if region.weakest else ""
    return f"battle {region.battle}{weakest}" if region.battle else ""


def begin(region: Region) -> float:
    """The distance of a region's outlines from its box: beyond the frame that shows a change of hands."""
    return 7.0 if region.becomes is not None else 3.0

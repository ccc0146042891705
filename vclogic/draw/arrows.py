"""Arrows: by side and way, with numbers; sides are told apart without colour too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from vclogic.draw.boxes import SMALL, Box, width
from vclogic.draw.elements import INK, MOVE, Element, add, num, rect, write
from vclogic.draw.signs import CounterRow, Counters
from vclogic.model.picture import Arrow, Picture, Way

WAYS: Mapping[Way, str] = {"land": "", "sea": "9 4", "air": "2 4", "strike": "2 4"}
"""The dashes of arrows."""
DOT = 18.0
"""The room for the number of an arrow."""


@dataclass(frozen=True)
class Style:
    """The look of the arrows of a side.

    Attributes:
        id: What stands behind the ids of its heads.
        ink: The colour.
        ticks: The dashes of the strokes across the shaft; empty: there are none.
        head: The path of the head, from 0 to 10 both ways.
        plate: The corners of what its numbers stand on, around the origin; empty: a disc.
    """

    id: str
    ink: str
    ticks: str
    head: str
    plate: str


STYLES = (
    Style("a", MOVE, "", "M0 0 L10 5 L0 10 z", ""),
    Style("c", "#0f3f8f", "2.2 13.8", "M0 0 L5 5 L0 10 z M5 0 L10 5 L5 10 z", "-8,-8 8,-8 8,8 -8,8"),
    Style("d", "#1d5c2a", "2.2 2.8 2.2 15.8", "M0 5 L5 0 L10 5 L5 10 z", "0,-10.5 10.5,0 0,10.5 -10.5,0"),
    Style("e", "#5a3d10", "7 16", "M0 0 H3 V3.5 L10 5 L3 6.5 V10 H0 z", "-10,-8 10,-8 6.5,8 -6.5,8"),
)
"""The looks of sides, in the order in which a picture names the sides."""
FIRST = STYLES[0]
PLAIN = replace(FIRST, ink=INK)
"""The look of no side."""


def styles(picture: Picture) -> Mapping[str | None, Style]:
    """The style of each party's arrows; those of no party look like those of the first side."""
    sides = list(dict.fromkeys(p.side for p in picture.parties))
    known: dict[str | None, Style] = {p.name: STYLES[sides.index(p.side) % len(STYLES)] for p in picture.parties}
    return {None: FIRST, **known}


# ---- numbers and labels


def number(parent: Element, x: float, y: float, n: int, *, hollow: bool = False, style: Style = FIRST) -> None:
    """The number of a turn on the plate of its side, or in a white square for hollow arrows."""
    if hollow:
        rect(parent, Box(x, y, 16, 16), fill="#ffffff", stroke=INK, stroke_width=1.6)
    elif style.plate:
        corners = (p.split(",") for p in style.plate.split())
        points = " ".join(f"{num(x + float(px))},{num(y + float(py))}" for px, py in corners)
        add(parent, "polygon", points=points, fill=style.ink)
    else:
        add(parent, "circle", cx=num(x), cy=num(y), r=9, fill=style.ink)
    write(parent, x, y + SMALL * 0.36, str(n), SMALL, fill=INK if hollow else "#ffffff", weight="bold")


def label_width(arrow: Arrow, counters: Counters | None = None) -> float:
    """The width of an arrow's label, its number included."""
    row = _row(arrow)
    taken = DOT + (width(arrow.label, SMALL) * 1.07 + 8 if arrow.label else 0.0)
    return taken + (counters.width(row) + 8 if counters and row else 0.0)


def step_label(parent: Element, b: Box, arrow: Arrow, style: Style = FIRST, counters: Counters | None = None) -> None:
    """The label of an arrow: the number of the turn, and what moves."""
    group = add(parent, "g", **{"class": "label"})
    second = bool(style.plate) or arrow.hollow
    look = {"stroke": INK if arrow.hollow else style.ink, "rx": 2.0 if second else b.h / 2}
    rect(group, b, fill="#ffffff", stroke_width=1.4, **look)
    number(group, b.x - b.w / 2 + b.h / 2, b.y, arrow.step, hollow=arrow.hollow, style=style)
    row = _row(arrow)
    taken = counters.width(row) + 8 if counters and row else 0.0
    if arrow.label:
        write(group, b.x + (b.h - taken) / 2 - 2, b.y + SMALL * 0.36, arrow.label, SMALL, weight="bold")
    if counters and row:
        counters.draw(group, b.x + b.w / 2 - taken + 2, b.y, row)


def _row(arrow: Arrow) -> CounterRow | None:
    return CounterRow("", arrow.party or "", arrow.forces, plain=True) if arrow.forces else None


# ---- lines


def arrow_heads(defs: Element, name: str, arrows: Iterable[Arrow], used: Iterable[Style] = ()) -> None:
    """The heads of arrows: `-a` of the first side, always there, `-b` of hollow ones, others of other sides."""
    shape = {"viewBox": "0 0 10 10", "refX": 8, "refY": 5, "orient": "auto", "markerUnits": "userSpaceOnUse"}
    for style in dict.fromkeys((FIRST, *used)):
        tip = add(defs, "marker", id=f"{name}-{style.id}", markerWidth=15, markerHeight=15, **shape)
        add(tip, "path", d=style.head, fill=style.ink, stroke="#ffffff", stroke_width=0.6)
    if any(a.hollow for a in arrows):
        tip = add(defs, "marker", id=f"{name}-b", markerWidth=18, markerHeight=18, **shape)
        add(tip, "path", d="M1 1 L9.2 5 L1 9 z", fill="#ffffff", stroke=INK, stroke_width=1.1)


def arrow_line(parent: Element, d: str, arrow: Arrow, head: str = "", style: Style = FIRST, **more: object) -> None:
    """A path of an arrow, set off from the ground; a hollow one is two thin lines.

    Args:
        parent: What it is added to.
        d: The path.
        head: What the ids of heads begin with; empty: the path has no head.
        style: How the arrows of its side look.
        more: Attributes of the path.
    """
    shape = {"d": d, "fill": "none", "stroke_linejoin": "round"}
    dashes = {"stroke_dasharray": x} if (x := WAYS[arrow.way]) else {}
    add(parent, "path", **shape, stroke="#ffffff", stroke_width=9 if arrow.hollow else 6, stroke_opacity=0.85)
    if arrow.hollow:
        add(parent, "path", **shape, stroke=INK, stroke_width=6, **dashes)
    elif style.ticks and not head:
        look = {"stroke_width": 8, "stroke_dasharray": style.ticks, "class": "ticks"}
        add(parent, "path", **shape, stroke=style.ink, **look)
    look = {"stroke": "#ffffff" if arrow.hollow else style.ink, "stroke_width": 3.2 if arrow.hollow else 2.6}
    tip = {"marker_end": f"url(#{head}-{'b' if arrow.hollow else style.id})"} if head else {}
    add(parent, "path", **shape, **look, **dashes, **tip, **more)

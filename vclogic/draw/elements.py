"""SVG elements, and the signs and looks of terrain that all pictures share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from xml.etree import ElementTree

from vclogic.draw.boxes import NAME, Box, badge_width, width
from vclogic.model.hexmap import Look
from vclogic.model.picture import Party, Picture

Element = ElementTree.Element
FONT = "Arial, Liberation Sans, Helvetica, DejaVu Sans Condensed, sans-serif"
INK, MOVE = "#1a1a1a", "#a3001f"
_FILLS = ("#ffd9a0", "#c9d3dc", "#fff2a8", "#f3c6dc", "#cfe5b4", "#b8e3e0", "#d9c9f0", "#f6c9b8")
_NATIONS = re.compile(
    r"(russia|soviet|ussr)|(german|axis)|(brit|engl|allie)|(japan)|(americ|usa?$)|(french)", re.IGNORECASE
)
"""The nations that have the first of these colours in every game, by how their names begin."""
_UNWRITABLE = re.compile("[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]")


def clean(text: str) -> str:
    """A text without the characters that XML cannot hold."""
    return _UNWRITABLE.sub("\ufffd", text)


def num(number: float) -> str:
    """A number with at most one decimal."""
    return f"{number:.1f}".removesuffix(".0")


def add(parent: Element, tag: str, **attributes: object) -> Element:
    """Add an element to another; underscores in attribute names become hyphens."""
    words: Mapping[str, str] = {
        k.replace("_", "-"): num(v) if isinstance(v, float) else str(v) for k, v in attributes.items()
    }
    return ElementTree.SubElement(parent, tag, dict(words))


def selectable(name: str) -> Mapping[str, str]:
    """The attributes of a clear shape over a region, by which a page finds what was clicked."""
    return {"class": "spot", "data_place": clean(name), "fill": "#ffffff", "fill_opacity": "0"}


def source(root: Element) -> str:
    """The text of a file."""
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def rect(parent: Element, b: Box, **attributes: object) -> Element:
    """A box."""
    return add(parent, "rect", x=b.x - b.w / 2, y=b.y - b.h / 2, width=b.w, height=b.h, **attributes)


def write(
    parent: Element,
    x: float,
    y: float,
    words: str,
    size: float,
    *,
    anchor: str = "middle",
    weight: str = "",
    slant: str = "",
    fill: str = INK,
    **attributes: object,
) -> None:
    """A line of text, by its baseline."""
    looks = {"font_weight": weight, "font_style": slant}
    given = {name: look for name, look in looks.items() if look}
    node = add(
        parent, "text", x=float(x), y=float(y), font_size=size, text_anchor=anchor, fill=fill, **given, **attributes
    )
    node.text = clean(words)


# ---- signs


def fills(picture: Picture) -> dict[str, str]:
    """The colour of each party: that of its nation, or the next one that is left."""
    found: dict[str, str] = {}
    for party in picture.parties:
        nation = _NATIONS.match(party.name)
        colour = _FILLS[(nation.lastindex or 1) - 1] if nation else ""
        if colour and colour not in found.values():
            found[party.name] = colour
    left = [colour for colour in _FILLS if colour not in found.values()]
    others = [party.name for party in picture.parties if party.name not in found]
    return found | {name: (left or _FILLS)[i % len(left or _FILLS)] for i, name in enumerate(others)}


def seconds(picture: Picture) -> dict[str, bool]:
    """For each party whether it is on another side than the first one; its signs are then square."""
    return {p.name: p.side != picture.parties[0].side for p in picture.parties}


def plate(parent: Element, b: Box, fill: str, *, second: bool, heavy: bool = False, kind: str = "plate") -> None:
    """The background of an owned region: its border shows the side, a second border that it changes hands."""
    if heavy:
        rect(parent, Box(b.x, b.y, b.w + 6, b.h + 6), fill="none", stroke=MOVE, stroke_width=2)
    border = {"stroke": INK, "stroke_width": 1.6 if second else 1.2}
    dashes = {"stroke_dasharray": "6 2"} if second else {}
    rect(parent, b, rx=0 if second else 6, fill=fill, **border, **dashes, **{"class": kind})


def sign(parent: Element, x: float, y: float, mark: str, *, second: bool, size: float = NAME) -> float:
    """Draw the letter of an owner on a round or square sign; return its width."""
    wide = badge_width(mark) * size / NAME
    rect(parent, Box(x + wide / 2, y, wide, size * 1.15), rx=0 if second else 6, fill=INK)
    write(parent, x + wide / 2, y + size * 0.36, mark, size, fill="#ffffff", weight="bold")
    return wide


def party_width(party: Party, label: str) -> float:
    """The width of a party in the key."""
    return badge_width(party.mark) + width(label, NAME) + 14


def party_plate(parent: Element, x: float, y: float, party: Party, label: str, fill: str, *, second: bool) -> float:
    """Draw a party in the key; return where it ends."""
    wide = party_width(party, label)
    plate(parent, Box(x + wide / 2, y, wide, 20), fill, second=second)
    sign(parent, x + 5, y, party.mark, second=second)
    write(parent, x + badge_width(party.mark) + 10, y + 4, label, NAME, anchor="start")
    return x + wide


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

"""SVG elements, and the signs that all pictures share."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from xml.etree import ElementTree

from vclogic.draw.boxes import NAME, Box, badge_width, width
from vclogic.draw.words import Words
from vclogic.model.picture import Party, Picture

Element = ElementTree.Element
FONT = "Arial, Liberation Sans, Helvetica, DejaVu Sans Condensed, sans-serif"
INK, MOVE = "#1a1a1a", "#a3001f"
_FILLS = ("#ffd9a0", "#c9d3dc", "#fff2a8", "#f3c6dc", "#cfe5b4", "#d9c9f0", "#b8e3e0", "#f6c9b8")
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


def page(picture: Picture, words: Words, **look: object) -> tuple[Element, str]:
    """The root of a file, with the text alternative in it; and what every id in the file begins with.

    Args:
        words: Its text alternative.
        look: Attributes of the root.
    """
    name = f"v{zlib.crc32(repr(picture).encode()):08x}"  # several pictures may stand on one page
    given = {"xmlns": "http://www.w3.org/2000/svg", **{k: str(v) for k, v in look.items()}}
    root = Element("svg", {**given, "role": "img", "aria-labelledby": f"{name}-t {name}-d", "font-family": FONT})
    add(root, "title", id=f"{name}-t").text = clean(f"{picture.title}: {words.title}")
    add(root, "desc", id=f"{name}-d").text = clean("\n".join(words.lines))
    return root, name


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
    """The colour of each party."""
    return {p.name: _FILLS[i % len(_FILLS)] for i, p in enumerate(picture.parties)}


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

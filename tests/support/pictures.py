"""Pictures of games, and what is read from their files."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from vclogic.draw.hexsheet import HexSheet
from vclogic.model.picture import Picture

ROOT = Path(__file__).resolve().parent.parent.parent
SVG = "{http://www.w3.org/2000/svg}"


def sheet(picture: Picture) -> HexSheet:
    """The drawing of a map of hexes."""
    assert picture.hexes is not None
    return HexSheet(picture, picture.hexes)


def groups(root: ElementTree.Element, kind: str) -> list[ElementTree.Element]:
    """The groups of a class."""
    return [g for g in root.iter(f"{SVG}g") if g.get("class") == kind]


def description(root: ElementTree.Element) -> str:
    """What a file says of itself."""
    found = root.find(f"{SVG}desc")
    assert found is not None
    assert found.text
    return found.text

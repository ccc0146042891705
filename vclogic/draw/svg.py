"""A picture as SVG. Equal pictures give equal text; nothing is told by colour alone."""

from __future__ import annotations

from vclogic.draw.areaboard import AreaBoard
from vclogic.draw.hexboard import HexBoard
from vclogic.draw.sheet import PictureSheet
from vclogic.model.picture import Picture


class SvgText(str):
    """The text of an SVG file; a notebook shows it as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def svg(picture: Picture, *, places: bool = False) -> SvgText:
    """A picture as the text of an SVG file.

    Args:
        places: Whether to lay a clear shape over each region, for pages on which they can be selected: of the class
            `spot`, with the name of the region in `data-place`.
    """
    sheet = PictureSheet(picture)
    board = AreaBoard(sheet) if picture.hexes is None else HexBoard(sheet, picture.hexes)
    return SvgText(sheet.text(board.wide, board.draw(places=places)))

"""A rulebook with the pictures of its rulings, for players who read it without the program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from vclogic.draw.svg import svg
from vclogic.errors import Diagnostic, InputError, quoted
from vclogic.files.registry import RULEBOOK, is_installed, rulebook_of
from vclogic.files.rulings.case_files import load_cases
from vclogic.files.source import read_text
from vclogic.query.board.picture import picture
from vclogic.rulebook.markdown.pieces import Piece, pieces


@dataclass(frozen=True)
class Illustrated:
    """A rulebook with the pictures of its rulings.

    Attributes:
        title: Its title.
        pieces: What its file holds.
        pictures: The position of each ruling as SVG, by the line of its title; none where there is no board.
    """

    title: str
    pieces: tuple[Piece, ...]
    pictures: Mapping[int, str]

    def written_to(self, file: str) -> PlayersPage:
        """The page with the file that it was written to."""
        return PlayersPage(self.title, file, len(self.pictures))


@dataclass(frozen=True)
class PlayersPage:
    """A page for players that was written.

    Attributes:
        title: The title of the rulebook.
        file: The page.
        pictures: How many rulings have a picture there.
    """

    title: str
    file: str
    pictures: int


def illustrated(game: str) -> Illustrated:
    """A rulebook with the pictures of its rulings.

    Args:
        game: Its file, or the name of an installed game that is written as text.

    Raises:
        InputError: That is no rulebook, or all that is wrong with it and with its rulings.
    """
    found = rulebook_of(game) if game.endswith(RULEBOOK) or is_installed(game) else None
    if found is None:
        help = (
            f"its name ends in {RULEBOOK}, such as game{RULEBOOK}; or name an installed game that is written as text"
        )
        raise InputError(Diagnostic("bad-value", f"{quoted(game)} is no rulebook", help=help))
    file = found.book.file
    drawn: dict[int, str] = {}
    for case in load_cases(game):
        setup = case.setup()
        if setup.system.drawing is not None and case.line is not None and case.file == file:
            drawn[case.line] = svg(picture(setup.system, case.name, setup.initial))
    return Illustrated(found.encoding.title, tuple(pieces(read_text(file).text)), drawn)

"""The parts of one game, which everything else is built from."""

from __future__ import annotations

from dataclasses import dataclass

from vclogic_encodings.moscow.board import Board
from vclogic_encodings.moscow.fluents import Fluents
from vclogic_encodings.moscow.rules.front_line import FrontLine
from vclogic_encodings.moscow.rules.levels import Victory
from vclogic_encodings.moscow.rules.points import Score

from vclogic.model.system import Settings


@dataclass(frozen=True)
class Rules:
    """The parts of one game.

    Attributes:
        fluents: The fluents.
        settings: Options and readings.
        line: The front line.
        score: The points.
        victory: The levels.
    """

    fluents: Fluents
    settings: Settings
    line: FrontLine
    score: Score
    victory: Victory

    @property
    def board(self) -> Board:
        """The board."""
        return self.fluents.board


def game_of(board: Board, settings: Settings) -> Rules:
    """The parts of the game on a board."""
    readings = settings.readings
    fluents = Fluents(
        board,
        eb_counts=readings["eb_in_places"] == "units",
        holds_each_turn=readings["hold_points"] == "each_turn",
        earlier=settings.word("earlier") == "on",
    )
    score = Score(fluents, settings)
    return Rules(fluents, settings, FrontLine(fluents, settings), score, Victory(fluents, settings, score))

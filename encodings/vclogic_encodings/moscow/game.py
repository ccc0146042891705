"""The parts of one game, which everything else is built from."""

from __future__ import annotations

from dataclasses import dataclass

from vclogic_encodings.moscow.board import Board
from vclogic_encodings.moscow.fluents import Fluents
from vclogic_encodings.moscow.rules.front_line import Line
from vclogic_encodings.moscow.rules.levels import Victory
from vclogic_encodings.moscow.rules.points import Score

from vclogic.model.system import Settings


@dataclass(frozen=True)
class Context:
    """The parts of one game.

    Attributes:
        f: The fluents.
        settings: Options and readings.
        line: The front line.
        score: The points.
        victory: The levels.
    """

    f: Fluents
    settings: Settings
    line: Line
    score: Score
    victory: Victory

    @property
    def board(self) -> Board:
        """The board."""
        return self.f.board


def context_of(board: Board, settings: Settings) -> Context:
    """The parts of the game on a board."""
    readings = settings.readings
    f = Fluents(
        board,
        eb_counts=readings["eb_in_places"] == "units",
        holds_each_turn=readings["hold_points"] == "each_turn",
    )
    score = Score(f, settings)
    return Context(f, settings, Line(f, settings), score, Victory(f, settings, score))

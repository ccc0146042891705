"""vclogic answers questions about wargame victory conditions.

`load` returns a `Game`, which answers all questions.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in `typing`, which would be loaded before the guard of the command is up
if TYPE_CHECKING:
    from collections.abc import Mapping

    from vclogic.game import Game

__version__ = "0.2.0"


def load(game: str, *, at: str | None = None, settings: Mapping[str, int | str] | None = None) -> Game:
    """A game to ask questions of.

    Args:
        game: `encoding`, `encoding/scenario`, or a path to a position file.
        at: A position file or a record, laid over it.
        settings: Options and readings by name.

    Raises:
        vclogic.errors.InputError: Everything that is wrong with the names or files.
        vclogic.errors.RulesError: The game's rules break down over them.
    """
    from vclogic.game import Game

    return Game.load(game, at, [(name, str(value)) for name, value in (settings or {}).items()])

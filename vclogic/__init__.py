"""vclogic answers questions about wargame victory conditions.

`load` is the way in; everything else follows from the `Game` that it returns.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vclogic.query.game import Game

__version__ = "0.1.0"


def load(game: str, *, at: str | None = None, settings: Mapping[str, int | str] | None = None) -> Game:
    """A game to ask questions of.

    Args:
        game: `encoding`, `encoding/scenario`, or a path to a position file.
        at: A position file or a record, laid over it.
        settings: Options and readings by name.

    Raises:
        vclogic.errors.InputError: Everything that is wrong with the names or files.
    """
    from vclogic.query.game import Game

    return Game.load(game, at, [(name, str(value)) for name, value in (settings or {}).items()])

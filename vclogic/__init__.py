"""vclogic answers questions about wargame victory conditions.

`load` returns a `Game`, which answers all questions; `study` plays it many times, or asks it under many settings.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in `typing`, which would be loaded before the guard of the command is up
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from vclogic.files.position import Position, Record
    from vclogic.game import Game
    from vclogic.studies.answer import study as study

__version__ = "0.2.0"


def load(
    game: str | Position,
    *,
    at: str | Position | Record | None = None,
    settings: Mapping[str, int | str] | None = None,
    beside: Sequence[str | Position] = (),
) -> Game:
    """A game to ask questions of.

    Args:
        game: `encoding`, `encoding/scenario`, a path to a position file, or a mapping with the keys of one: `game`,
            `board`, `options`, `readings`, `outcomes`, `state`, `record`.
        at: A position file or a record (a list of events), laid over it; or either as a mapping or list.
        settings: Options and readings by name.
        beside: Files with rules as text (`outcomes`) that are tried on the game, or mappings with them.

    Raises:
        vclogic.errors.InputError: Everything that is wrong with the names or files.
        vclogic.errors.RulesError: The game's rules break down over them.
    """
    from vclogic.game import Game

    return Game.load(game, at, () if settings is None else settings, beside)


def __getattr__(name: str) -> object:
    """`study`, which is loaded when it is asked for: most programs need none of it."""
    if name != "study":
        raise AttributeError(f"module 'vclogic' has no attribute {name!r}")
    from vclogic.studies.answer import study

    return study

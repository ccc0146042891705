"""vclogic answers questions about wargame victory conditions.

`load` returns a `Game`, which answers all questions; `study` plays it many times, or asks it under many settings.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in `typing`, which would be loaded before the guard of the command is up
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from vclogic.files.position import Position, Record
    from vclogic.game import Game
    from vclogic.progress import Listener
    from vclogic.studies.answer import StudyAnswer

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


def study(
    file: str,
    folder: str | None = None,
    *,
    vary: Mapping[str, str] | None = None,
    find: str | None = None,
    workers: int | None = None,
    on: str | None = None,
    progress: Listener | None = None,
) -> StudyAnswer:
    """Play many games, or ask a question under many settings; what was done before is not done again.

    Worker processes begin anew: a program that calls this does so under `if __name__ == "__main__":`.

    Args:
        file: The study.
        folder: Where its rows are kept, as Parquet; None: beside the study, in `NAME-rows`.
        vary: Options, Readings or pieces of a rulebook's text, each with its values: a range `4..8`, or `a,b,c`.
        find: `win rate of SIDE = 0.5`: it is looked for which value of the one number that is varied gives it.
        workers: How many processes; None: one for each core.
        on: The address of a Dask scheduler whose workers do the work instead, such as `tcp://10.0.0.1:8786`.
        progress: Called with what is being done.

    Raises:
        vclogic.errors.InputError: Something in the study is wrong, a worker was lost for good, or the folder cannot
            be written. What was done by then is kept.
    """
    from vclogic.progress import silent
    from vclogic.studies.answer import study

    varied = tuple((vary or {}).items())
    return study(file, folder, vary=varied, find=find, on=on, workers=workers, progress=progress or silent)

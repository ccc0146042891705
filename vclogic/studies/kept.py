"""The columns of a study, found before its first game: those of its cells, of games, and of what is kept."""

from __future__ import annotations

from collections.abc import Mapping

from vclogic.errors import InputError, quoted
from vclogic.files.trees.findings import Findings
from vclogic.game import Game
from vclogic.studies.columns import OF_GAMES, ColumnKind, Misfit, of_answer, of_expression
from vclogic.studies.design import Study, StudyCell, column_of


class KeptColumns:
    """The data about a study's columns while its games are looked at, one after the other.

    Args:
        study: The study.
    """

    def __init__(self, study: Study):
        self._study = study
        self._findings = Findings()
        self._found: dict[str, tuple[ColumnKind, str]] = {}  # with the game that showed it
        self._told: set[tuple[str, str]] = set()
        self._names_taken()

    def add(self, cell: StudyCell, game: Game) -> None:
        """Takes the kinds that what is kept has in a game."""
        for name, kind in self._of(game).items():
            if isinstance(kind, InputError):
                with self._study.node.section("keep").part(name).catch(self._findings):
                    raise kind
            elif isinstance(kind, Misfit):
                self._tell(name, kind.message, None)
            else:
                seen, shown = self._found.setdefault(name, (kind, _called(cell)))
                if seen is not kind:
                    message = f"{name} is {seen.value} in {shown} and {kind.value} in {_called(cell)}"
                    help = "keep what is of one kind in all: count(CONDITION) makes a number of what is true or false"
                    self._tell(name, message, help)

    def decided(self) -> tuple[tuple[str, ColumnKind], ...]:
        """All columns of the table, in their order, with the kind of each.

        Raises:
            InputError: What is kept does not fit into columns.
        """
        self._findings.stop()
        kept = {name: kind for name, (kind, _) in self._found.items()}
        cells = self._of_cells()
        if not self._study.plays:
            return tuple({**cells, **{n: k for n, k in kept.items() if n not in cells}}.items())
        own = dict(OF_GAMES)
        last = {name: own.pop(name) for name in ("used", "changed")}
        return tuple({**cells, **own, **kept, **last}.items())

    def _of(self, game: Game) -> Mapping[str, ColumnKind | Misfit | InputError]:
        said = self._study.said
        if not self._study.plays:
            (question,) = said.ask
            return of_answer(game, question, said.keep)
        found: dict[str, ColumnKind | Misfit | InputError] = {}
        for name, text in said.keep.items():
            try:
                found[name] = of_expression(game, text)
            except InputError as error:
                found[name] = error
        return found

    def _of_cells(self) -> dict[str, ColumnKind]:
        """The columns that tell cells apart: numbers that vary are numbers, all others are texts."""
        numbers = {column_of(piece) for cell in self._study.cells for piece, _ in cell.numbers}
        names = dict.fromkeys(name for cell in self._study.cells for name in cell.columns)
        return {name: ColumnKind.NUMBER if name in numbers else ColumnKind.TEXT for name in names}

    def _names_taken(self) -> None:
        """Two columns of one name are one too many."""
        cells, said, node = self._of_cells(), self._study.said, self._study.node
        taken = {**cells, **(OF_GAMES if self._study.plays else {})}
        for name in said.keep:
            if name in taken:
                self._tell(name, f"there is a column {quoted(name)} already", "keep it under another name")
        for key, names in (("settings", said.settings), ("numbers", map(column_of, said.numbers))):
            for name in names:
                if self._study.plays and name in OF_GAMES:
                    message = f"there is a column {quoted(name)} already"
                    self._findings.add(node.section(key).diagnostic("taken-name", message, key=True))

    def _tell(self, name: str, message: str, help: str | None) -> None:
        """Each thing once, however many games show it."""
        if (name, message) not in self._told:
            self._told.add((name, message))
            place = self._study.node.section("keep").part(name)
            self._findings.add(place.diagnostic("wrong-value", message, help=help))


def _called(cell: StudyCell) -> str:
    """The game of a cell, with what may make it another."""
    more = [f"{name} {value}" for name, value in cell.settings]
    more += [f"{column_of(piece)} {n}" for piece, n in cell.numbers]
    return f"{cell.game} ({', '.join(more)})" if more else cell.game

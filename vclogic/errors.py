"""What can be wrong with an input, as data; wording and colour belong to `report`."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Diagnostic:
    """One thing that is wrong with an input.

    Attributes:
        code: Stable short name of the kind of mistake, such as `unknown-name`.
        message: One sentence that says what is wrong.
        file: The file (or `<stdin>`, `--goal`, ...) it stands in, if any.
        line: Line in that file, counted from 1.
        column: Column in that line, counted from 1.
        help: What to do about it, such as a near name.
    """

    code: str
    message: str
    file: str | None = None
    line: int | None = None
    column: int | None = None
    help: str | None = None

    def at(self, file: str | None, line: int | None = None, column: int | None = None) -> Diagnostic:
        """The same diagnostic with a place, where it has none yet."""
        return replace(
            self,
            file=self.file or file,
            line=self.line if self.line is not None else line,
            column=self.column if self.column is not None else column,
        )


class InputError(ValueError):
    """Bad input: everything that is wrong with it, at once.

    Attributes:
        diagnostics: At least one, in the order of their places.
    """

    def __init__(self, diagnostics: Diagnostic | Iterable[Diagnostic]):
        self.diagnostics: tuple[Diagnostic, ...] = (
            (diagnostics,) if isinstance(diagnostics, Diagnostic) else tuple(diagnostics)
        )
        super().__init__("; ".join(d.message for d in self.diagnostics))

    def __reduce__(self) -> tuple[type[InputError], tuple[tuple[Diagnostic, ...]]]:
        return type(self), (self.diagnostics,)

    def at(self, file: str | None, line: int | None = None, column: int | None = None) -> InputError:
        """The same error, its diagnostics placed where they have no place yet."""
        return InputError(d.at(file, line, column) for d in self.diagnostics)


def did_you_mean(name: str, known: Iterable[str], limit: int = 3) -> str | None:
    """A help line with the known names nearest to `name`, or None where nothing is near.

    Args:
        name: The name that was not found.
        known: The names there are. A short list (up to eight) is named whole if nothing is near.
        limit: How many near names to offer at most.
    """
    names = list(dict.fromkeys(known))
    by_fold = {n.casefold(): n for n in names}
    near = difflib.get_close_matches(name.casefold(), list(by_fold), n=limit, cutoff=0.6)
    if near:
        return "did you mean " + " or ".join(repr(by_fold[n]) for n in near) + "?"
    if names and len(names) <= 8:
        return "known: " + ", ".join(names)
    return None

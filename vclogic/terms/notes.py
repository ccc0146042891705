"""What constructors fold away, taken down on request: a comparison that is decided, a count of one thing twice.

Folding is what makes terms small, and it hides slips: "at least 3 of 2" becomes false, and a disjunction with it
becomes its other parts. Whoever looks for slips builds the terms again with a notebook open.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from vclogic.provenance import Places, here
from vclogic.terms.term import Term

Kind = Literal["compared", "counted", "dominated"]


@dataclass(frozen=True)
class Note:
    """One thing that a constructor did.

    Attributes:
        kind: `compared`, `counted` or `dominated`.
        terms: Compared: both numbers. Counted: what was counted, as given. Dominated: the number.
        result: What came out of it, for a comparison.
        bounds: Dominated: the bound that counts, and the one that makes no difference.
        places: The line of a game's code that asked for it.
    """

    kind: Kind
    terms: tuple[Term, ...]
    result: Term | None = None
    bounds: tuple[int, int] = (0, 0)
    places: Places = ()


@dataclass
class Notebook:
    """What was noted.

    Attributes:
        notes: In the order of happening.
    """

    notes: list[Note] = field(default_factory=list)

    def take(
        self, kind: Kind, terms: tuple[Term, ...], result: Term | None = None, bounds: tuple[int, int] = (0, 0)
    ) -> None:
        """Notes one thing, if it was a game's code that asked for it; what is only rewritten is not noted."""
        places = here(never_through="vclogic.terms.rewrite")
        if places:
            self.notes.append(Note(kind, terms, result, bounds, places))


@dataclass
class _Desk:
    """Where notes go: to the notebook that is open, if any.

    Attributes:
        notebook: That notebook.
    """

    notebook: Notebook | None = None


DESK = _Desk()
"""The one place that constructors look at."""


@contextmanager
def noting() -> Iterator[Notebook]:
    """Opens a notebook for as long as the block lasts; one that was open before takes nothing meanwhile."""
    before, DESK.notebook = DESK.notebook, Notebook()
    try:
        yield DESK.notebook
    finally:
        DESK.notebook = before

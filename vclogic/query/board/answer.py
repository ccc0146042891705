"""A picture as an answer."""

from __future__ import annotations

from dataclasses import dataclass, field

from vclogic.by_value import ByValue
from vclogic.document_keys import TEXT_ONLY


@dataclass(frozen=True)
class Rendered(ByValue):
    """A picture that was drawn.

    Attributes:
        game: What it is called: `encoding/scenario`, or `encoding: title`.
        file: Where it was written; None: nowhere.
        regions: How many regions it shows.
        turns: The turns whose moves it shows.
        svg: Its text.
    """

    game: str
    file: str | None
    regions: int
    turns: tuple[int, ...]
    svg: str = field(metadata=TEXT_ONLY)

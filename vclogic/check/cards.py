"""Scenario cards of a folder: whether each can be read, who can win by it, what holds at once, what contradicts."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from vclogic.check.findings import Checked
from vclogic.document_keys import AFTER
from vclogic.errors import Diagnostic, InputError, quoted
from vclogic.files.folder import PositionFile, position_files
from vclogic.model.rules import NOBODY
from vclogic.query.status.outcomes import OutcomeStatus

CONTRADICTION, NEVER, AT_START = "VC101", "VC201", "VC202"
LOOKED_FOR = (CONTRADICTION, NEVER, AT_START)
"""What is looked for where nothing else is asked."""
MOST = 2_000
"""So many cards of a folder are looked at."""
Can = Literal["yes", "no", "unknown"]


@dataclass(frozen=True)
class Card:
    """A scenario card.

    Attributes:
        file: Its file.
        game: The game that it is for.
        title: What it is called; empty without a title.
        errors: What is wrong with it; nothing else is known of it then.
        wins: For each side, and each power or group that wins alone, whether it can win in some position; `no` is
            proved.
        at_start: The outcomes that are met at the start, as `OUTCOME SIDE`.
        contradictions: What two sides win at one moment, in a sentence each.
        findings: All findings that are not suppressed, as `CODE RULE`.
        outcomes: How far each side is at the start.
    """

    file: str
    game: str
    title: str = ""
    errors: tuple[Diagnostic, ...] = ()
    wins: dict[str, Can] = field(default_factory=dict)
    at_start: tuple[str, ...] = ()
    contradictions: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()
    outcomes: tuple[OutcomeStatus, ...] = ()

    def looked_at(self, sides: Sequence[str], outcomes: Sequence[OutcomeStatus], checked: Checked) -> Card:
        """The card with what a check says of it.

        Args:
            sides: The sides of the game.
            outcomes: How far each side is at the start.
            checked: What was found.
        """
        never = {f.rule for f in checked.open if f.code == NEVER}
        undecided = {u.rule for u in checked.unknown if u.code == NEVER}
        wins: dict[str, Can] = {}
        for side in dict.fromkeys([*sides, *(o.side for o in outcomes if o.side != NOBODY)]):
            ways = {f"{o.rule}[{side}]" for o in outcomes if o.side == side} - never
            wins[side] = "yes" if ways - undecided else "unknown" if ways else "no"
        return replace(
            self,
            wins=wins,
            at_start=tuple(f"{o.rule} {o.side}" for o in outcomes if o.status == "met"),
            contradictions=tuple(f.message for f in checked.open if f.code == CONTRADICTION),
            findings=tuple(f"{f.code} {f.rule}" for f in checked.open),
            outcomes=tuple(outcomes),
        )

    @property
    def sheet_name(self) -> str:
        """The name of its sheet: that of its file, as Markdown."""
        return f"{os.path.splitext(os.path.basename(self.file))[0]}.md"


@dataclass(frozen=True)
class Cards:
    """The cards of a folder.

    Attributes:
        folder: The folder.
        cards: Each card, by its file's name.
        elapsed_s: Seconds taken.
    """

    folder: str
    cards: tuple[Card, ...]
    elapsed_s: float = field(metadata=AFTER)

    @property
    def sound(self) -> bool:
        """True if every card can be read, and nothing was found in any."""
        return not any(c.errors or c.findings for c in self.cards)


def cards_in(folder: str) -> tuple[PositionFile, ...]:
    """The cards of a folder: each position file and rulebook in it and below it.

    Raises:
        InputError: There is none.
    """
    files = position_files(folder, MOST)
    if not files:
        help = "a card is a position file, which begins with `game: NAME`, or a rulebook"
        raise InputError(Diagnostic("no-cards", f"there is no card in the folder {quoted(folder)}", help=help))
    return files

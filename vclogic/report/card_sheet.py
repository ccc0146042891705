"""A sheet for a scenario card: what each side needs to win, as Markdown to print."""

from __future__ import annotations

from vclogic.check.cards import Card
from vclogic.model.rules import NOBODY
from vclogic.query.status.outcomes import OutcomeStatus
from vclogic.report.markdown import listed, said, section
from vclogic.report.text.page import bracketed


def card_sheet(card: Card) -> str:
    """The sheet of a card.

    Args:
        card: The card, which can be read.
    """
    parts = [f"# {said(card.title or card.file)}", f"Game: {said(card.game)}"]
    for side in (*card.wins, NOBODY):
        own = [o for o in card.outcomes if o.side == side]
        never = "This side cannot win: no position satisfies what it needs." if card.wins.get(side) == "no" else ""
        if own:
            heading = "Nobody wins" if side == NOBODY else said(side)
            parts += section(heading, [never, listed(map(_outcome, own))])
    if card.at_start:
        parts.append(f"Met at the start: {said(', '.join(card.at_start))}.")
    parts += section("Two sides at one moment", [listed(map(said, card.contradictions))])
    return "\n\n".join(parts) + "\n"


def _outcome(outcome: OutcomeStatus) -> str:
    has = "" if outcome.have is None or outcome.need is None else f" It has {outcome.have} of {outcome.need}."
    name = f"**{said(outcome.rule.replace('_', ' '))}**"
    return f"{name}, {said(f'{outcome.when}: {outcome.text}{bracketed(outcome.cites)}{has}')}"

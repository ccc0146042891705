"""A sheet for a scenario card: what each side needs to win, as Markdown to print."""

from __future__ import annotations

from vclogic.check.cards import Card
from vclogic.model.rules import NOBODY


def card_sheet(card: Card) -> str:
    """The sheet of a card.

    Args:
        card: The card, which can be read.
    """
    lines = [f"# {card.title or card.file}", "", f"Game: {card.game}", ""]
    for side in (*card.wins, NOBODY):
        own = [o for o in card.outcomes if o.side == side]
        if not own:
            continue
        lines += [f"## {'Nobody wins' if side == NOBODY else side}", ""]
        if card.wins.get(side) == "no":
            lines += ["This side cannot win: no position satisfies what it needs.", ""]
        for o in own:
            has = "" if o.have is None or o.need is None else f" It has {o.have} of {o.need}."
            cites = f" [{', '.join(o.cites)}]" if o.cites else ""
            lines.append(f"- **{o.rule.replace('_', ' ')}**, {o.when}: {o.text}{cites}{has}")
        lines.append("")
    if card.at_start:
        lines += [f"Met at the start: {', '.join(card.at_start)}.", ""]
    if card.contradictions:
        lines += ["## Two sides at one moment", "", *(f"- {c}" for c in card.contradictions), ""]
    return "\n".join(lines)

"""The result of a game so far in one line: who has won by what, or that nobody has, and whether the game is over."""

from __future__ import annotations

from collections.abc import Sequence

from vclogic.model.rules import NOBODY
from vclogic.query.status.outcomes import OutcomeStatus
from vclogic.words import joined, verb

NOT_YET = "Nobody has won yet"
OVER = "The game is over, and nobody has won"
STUCK = "Nobody has won, and nothing is legal any more"
UNKNOWN = "As far as {} can know, nobody has won yet"


def headline(
    winners: Sequence[str],
    outcomes: Sequence[OutcomeStatus],
    *,
    over: bool,
    stuck: bool = False,
    view: str | None = None,
) -> str:
    """The result in a sentence.

    Args:
        winners: The sides that have won.
        outcomes: Each outcome for each side.
        over: Whether the rules say that the game is over.
        stuck: Whether nothing is legal, though they do not.
        view: The side whose knowledge is told; None: all is.
    """
    met = [o for o in outcomes if o.status == "met"]
    by = {s: joined(list(dict.fromkeys(_named(o) for o in met if o.side == s))) for s in winners}
    if len(winners) == 1:
        (winner,) = winners
        return f"Winner: {winner}" + (f" ({by[winner]})" if by[winner] else "")
    if winners:
        joint = next((o.rule for o in met if o.together and _all_by(o.rule, winners, met)), None)
        if joint is not None:
            return f"Winners: {joined(winners)}, together ({joint})"
        both = "both " if len(winners) == 2 else ""
        ways = joined([f"{s} by {by[s]}" for s in winners])
        return f"{joined(winners)} have {both}won, {ways}: the rules name no single winner."
    lost = next((o.rule for o in met if o.all_lose), None)
    if lost is not None:
        return f"Nobody wins: all have lost ({lost})."
    drawn = next((o.rule for o in met if o.side == NOBODY), None)
    if drawn is not None:
        return f"Nobody wins: {drawn} ends in a draw."
    if over or stuck:
        return f"{OVER if over else STUCK}."
    if view is not None and any(o.status == "undeclared" for o in outcomes):
        return f"{UNKNOWN.format(view)}."
    sides = dict.fromkeys(o.side for o in met)  # of rules that say themselves when somebody has won
    meets = (f"{s} {verb(s, 'meets')} {joined([_named(o) for o in met if o.side == s])}" for s in sides)
    return "; ".join([NOT_YET, *meets]) + "."


def _all_by(rule: str, winners: Sequence[str], met: Sequence[OutcomeStatus]) -> bool:
    """True if all who have won have won one outcome together."""
    return {*winners} == {o.side for o in met if o.rule == rule and o.together}


def _named(outcome: OutcomeStatus) -> str:
    return " ".join(part for part in (outcome.rule, outcome.level) if part)

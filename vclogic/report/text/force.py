"""Text report of `plan --opponent best`: whether a goal can be forced."""

from __future__ import annotations

from rich.console import Group
from rich.text import Text

from vclogic.query.duel import Force
from vclogic.report.text.page import one_line, paragraphs
from vclogic.report.text.steps import footing, not_among
from vclogic.report.text.variations import as_checked, variations
from vclogic.words import amount, of_side, verb

_COLOURS = {"forced": "bold green", "refuted": "bold red", "unknown": "bold yellow"}


def force(answer: Force) -> Group:
    """The report as text."""
    heading = f" ({answer.heading})" if answer.heading else ""
    within = amount(answer.horizon.n or 0, answer.horizon.unit)
    asked = f"Can {of_side(answer.side)} force {one_line(answer.goal)} within {within} of theirs?{heading}"
    cases = answer.strategy or answer.refutation
    aim = "the goal holds"
    left_out = (f"events {not_among(answer.events)}",) if answer.events.left_out else ()
    return paragraphs(
        Group(Text(asked, "bold"), Text(answer.game, "dim")),
        headline(answer),
        variations(cases, aim) if cases else None,
        footing((*left_out, *answer.assumptions), answer.elapsed_s, as_checked(answer.checked)),
    )


def headline(answer: Force) -> Text:
    """The verdict, in a line."""
    return Text.assemble((answer.status, _COLOURS[answer.status]), ": " + _because(answer))


def _because(answer: Force) -> str:
    unfinished = f"; {answer.reason}" if answer.reason else ""
    match answer.status:
        case "forced" if not answer.turns and not answer.strategy and not unfinished:
            return "the goal holds already, or comes before their next turn whatever is done"
        case "forced":
            turns = amount(answer.turns or 0, "turn")
            fewest = ", the fewest possible" if answer.turns == answer.at_least else ""
            return f"within {turns} of {of_side(answer.side)}{fewest}, whatever the others do{unfinished}"
        case "refuted":
            within = amount(answer.horizon.n or 0, "turn")
            whatever = f"whatever {of_side(answer.side)} {verb(answer.side, 'does')}"
            return f"{whatever}, the others can prevent it for {within}{unfinished}"
        case _:
            known = f"; it takes at least {amount(answer.at_least, 'turn')}" if answer.at_least else ""
            return f"{answer.reason}; whether it can be forced is open{known}"

"""Text report of `defend`: the fewest moves that prevent a threat."""

from __future__ import annotations

from rich.console import Group
from rich.text import Text

from vclogic.query.force.answer import Defence
from vclogic.report.text.force import as_checked, variations
from vclogic.report.text.page import head, one_line, paragraphs, titled, verdict
from vclogic.report.text.steps import footing, rests_on
from vclogic.words import amount, of_side, verb


def defend(answer: Defence) -> Group:
    """The report as text."""
    within = amount(answer.horizon.n or 0, answer.horizon.unit)
    asked = f"How can {of_side(answer.side)} prevent {one_line(answer.threat)} for {within} of the others?"
    attack = variations(answer.attack, "the threat has come") if answer.attack else None
    against = "Against every turn" if answer.status == "lost" else "Against every turn with fewer moves"
    return paragraphs(
        head(asked, answer.game, answer.heading),
        headline(answer),
        variations(answer.defence, "the threat has come") if answer.defence else None,
        titled(against, attack) if attack is not None else None,
        footing(rests_on(answer), answer.elapsed_s, as_checked(answer.checked)),
    )


def headline(answer: Defence) -> Text:
    """The verdict with the fewest moves that prevent it, in a line."""
    return verdict(answer.status, ": " + _because(answer))


def _because(answer: Defence) -> str:
    unfinished = f"; {answer.reason}" if answer.reason else ""
    match answer.status:
        case "defended" if not answer.moves:
            return f"nothing need be done now{unfinished}"
        case "defended":
            return f"{amount(answer.moves or 0, 'move')} now, the fewest possible{unfinished}"
        case "lost":
            return (
                f"no turn prevents it, whatever {of_side(answer.side)} {verb(answer.side, 'does')} later{unfinished}"
            )
        case _:
            known = f"; it takes at least {amount(answer.at_least, 'move')}" if answer.at_least else ""
            return f"{answer.reason}; whether there is a defence is open{known}"

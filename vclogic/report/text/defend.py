"""Text report of `defend`: the fewest moves that prevent a threat."""

from __future__ import annotations

from rich.console import Group
from rich.text import Text

from vclogic.query.duel import Defence
from vclogic.report.text.page import one_line, paragraphs, titled
from vclogic.report.text.steps import footing, not_among
from vclogic.report.text.variations import as_checked, variations
from vclogic.words import amount, of_side, verb

_COLOURS = {"defended": "bold green", "lost": "bold red", "unknown": "bold yellow"}


def defend(answer: Defence) -> Group:
    """The report as text."""
    heading = f" ({answer.heading})" if answer.heading else ""
    within = amount(answer.horizon.n or 0, answer.horizon.unit)
    asked = f"How can {of_side(answer.side)} prevent {one_line(answer.threat)} for {within} of the others?{heading}"
    left_out = (f"events {not_among(answer.events)}",) if answer.events.left_out else ()
    attack = variations(answer.attack, "the threat has come") if answer.attack else None
    against = "Against every turn" if answer.status == "lost" else "Against every turn with fewer moves"
    return paragraphs(
        Group(Text(asked, "bold"), Text(answer.game, "dim")),
        headline(answer),
        variations(answer.defence, "the threat has come") if answer.defence else None,
        titled(against, attack) if attack is not None else None,
        footing((*left_out, *answer.assumptions), answer.elapsed_s, as_checked(answer.checked)),
    )


def headline(answer: Defence) -> Text:
    """The verdict with the fewest moves that prevent it, in a line."""
    return Text.assemble((answer.status, _COLOURS[answer.status]), ": " + _because(answer))


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

"""Text report of `survives`: the strongest reply to a plan."""

from __future__ import annotations

from rich.console import Group
from rich.text import Text

from vclogic.query.force.answer import Survival, Variation
from vclogic.report.text.force import variations
from vclogic.report.text.page import one_line, paragraphs
from vclogic.report.text.steps import footing, rests_on
from vclogic.words import amount, of_side

_COLOURS = {"survives": "bold green", "stopped": "bold red", "unknown": "bold yellow"}


def survives(answer: Survival) -> Group:
    """The report as text."""
    heading = f" ({answer.heading})" if answer.heading else ""
    asked = f"Does the plan of {of_side(answer.side)} for {one_line(answer.goal)} survive every reply?{heading}"
    line = Variation({}, (), answer.line, reached=answer.status == "survives", then=())
    return paragraphs(
        Group(Text(asked, "bold"), Text(answer.game, "dim")),
        headline(answer),
        variations([line], "the goal holds") if answer.line else None,
        footing(rests_on(answer), answer.elapsed_s),
    )


def headline(answer: Survival) -> Text:
    """The verdict, in a line."""
    return Text.assemble((answer.status, _COLOURS[answer.status]), ": " + _because(answer))


def _because(answer: Survival) -> str:
    unfinished = f"; {answer.reason}" if answer.reason else ""
    turns = amount(answer.turns, "turn")
    match answer.status:
        case "survives" if not answer.latest:
            return f"the goal holds already{unfinished}"
        case "survives":
            return f"the goal comes by turn {answer.latest} of the plan's {turns} at the latest{unfinished}"
        case "stopped" if answer.stopped_at is not None:
            return (
                f"after the strongest reply turn {answer.stopped_at} of the plan's {turns} is not legal{unfinished}"
            )
        case "stopped":
            return f"it can be played to its end, but after the strongest reply the goal does not hold{unfinished}"
        case _:
            return f"{answer.reason}; whether it survives is open"

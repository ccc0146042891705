from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rich.console import RenderableType

from tests.report import answers
from vclogic.model.sayings import Said
from vclogic.query.explanation import Explained
from vclogic.report.text.status import status

Piped = Callable[[RenderableType], str]


def test_a_status_reads_like_this(piped: Piped) -> None:
    found = answers.status(
        answers.outcome("big", "Red", "unmet", 2, 4),
        answers.outcome("big", "Blue", "unmet", 1, 5),
        answers.outcome("small", "Red", "undefined", 2, 1, cites=("V/2", "V/3"), when="when the bid is over"),
        answers.outcome("small", "Blue", "unmet", None, None, cites=("V/2", "V/3"), when="when the bid is over"),
    )
    assert (
        piped(status(found))
        == """\
Nobody has won yet.
skirmish/spring

Outcome  Side  Status     Has  Needs  Short  Clauses
-----------------------------------------------------
big      Red   unmet        2      4      2  V/1
         Blue  unmet        1      5      4
small    Red   undefined    2      1         V/2, V/3
         Blue  unmet

- big: judged at the end
- small: judged when the bid is over
- undefined: the rules give no answer here, since something that they need is missing

Observable     Value
------------------------
turn           Red
points(Red)    2
bid            undefined
supplied(Red)  true

Assumptions
  - reading ties=none
"""
    )


def test_a_winner_is_named_first(piped: Piped) -> None:
    met = answers.outcome("big", "Red", "met", 4, 4)
    found = answers.status(met, winner="Red", winners=("Red",), over=True, view="Blue")
    assert piped(status(found)).startswith("Winner: Red (big)\nskirmish/spring, as Blue can know it\n")


def test_who_has_enough_without_having_won_is_told_why(piped: Piped) -> None:
    alone = piped(status(answers.status(answers.outcome("big", "Red", "unmet", 4, 4, fulfilled=True))))
    assert "- Red: enough for big, but it is judged at the end\n" in alone
    late = answers.status(
        answers.outcome("big", "Red", "unmet", 4, 4, fulfilled=True), answers.outcome("big", "Blue", "met", 5, 4)
    )
    assert "- Red: enough for big, but Blue came first\n" in piped(status(late))


def test_explain_adds_what_each_outcome_asks_for(piped: Piped) -> None:
    found = answers.status(
        answers.outcome("big", "Red", "unmet", 2, 4), answers.outcome("fast", "Red", "met", None, None)
    )
    plain = piped(status(found))
    assert "What each outcome asks for" not in plain
    enough = Explained("Red hold enough", False, said=(Said("Ford", "belongs to Blue"),))
    why = Explained("big, Red", False, parts=(enough, Explained("won", False)), least=2)
    met = Explained("fast, Red", True, parts=(Explained("Red hold enough", True), Explained("won", False)))
    found = replace(found, explanations=(why, met))
    shown = piped(status(found))
    assert "    - what it asks for: no, since Ford belongs to Blue\n    at least 2 facts would have" in shown
    whole = piped(status(found, whole=True))
    assert "    * no: Red hold enough\n      here Ford belongs to Blue\n" in whole
    assert "  big, Red: unmet\n    Red hold enough [V/1]\n    has 2, needs 4, 2 short; judged at the end\n" in shown
    assert "  fast, Red: met\n    Red hold enough [V/1]\n    judged at the end\n" in shown


def test_rules_without_outcomes_have_a_status_too(piped: Piped) -> None:
    assert piped(status(answers.status(observables={}, assumptions=()))) == "Nobody has won yet.\nskirmish/spring\n"

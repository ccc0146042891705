"""Steps that are part of one battle stand below its heading, with its chance."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import RenderableType

from tests.report import answers
from tests.report.battles import fought, of_a_plan
from vclogic.model.step_text import Under
from vclogic.query.answers import Step
from vclogic.report.json import document
from vclogic.report.text.plan import plan

Piped = Callable[[RenderableType], str]
ROUND: dict[str, int | str] = {"round": 1, "turn": "Red"}


def step(n: int, under: Under | None, text: str = "said in full", cites: tuple[str, ...] = ()) -> Step:
    return Step(n, ROUND, "Red", "move", {"power": "Red"}, f"Red: {text}", cites, under)


HILL, FORD = "Red take Hill (Town, 2 points)", "Red take Ford"
STEPS = (
    step(9, Under("Hill", HILL, "1 armour from Home"), cites=("C/1",)),
    step(10, Under("Hill", HILL, "1 fighter from Home, and back"), cites=("C/1", "C/2")),
    step(11, Under("Ford", FORD, "1 armour from Home")),
    step(12, Under("", "Red also move", "1 armour from Home to Mill")),
    step(13, None),
)


def shown(text: str) -> str:
    return text.split("\n\n")[2]


def test_orders_of_a_battle_stand_below_its_heading_with_its_chance(piped: Piped) -> None:
    found = of_a_plan(fought(1, "Hill", 0.25), fought(2, "Ford", 0.75))
    assert (
        shown(piped(plan(answers.plan(steps=STEPS, battles=found))))
        == """\
round 1: Red take Hill (Town, 2 points): 25.0 % [C/1, C/2]
   9.  1 armour from Home
  10.  1 fighter from Home, and back
round 1: Red take Ford: 75.0 %
  11.  1 armour from Home
round 1: Red also move
  12.  1 armour from Home to Mill
13.  round 1: Red: said in full"""
    )


def test_without_odds_the_headings_are_the_same(piped: Piped) -> None:
    assert "round 1: Red take Ford\n  11.  1 armour from Home\n" in piped(plan(answers.plan(steps=STEPS)))


def test_a_battle_of_another_turn_does_not_lend_its_chance(piped: Piped) -> None:
    found = of_a_plan(fought(1, "Ford", 0.75, turn={"round": 2, "turn": "Red"}))
    assert "round 1: Red take Ford\n" in piped(plan(answers.plan(steps=STEPS, battles=found)))


def test_the_document_has_the_sentence_alone() -> None:
    first = document("plan", answers.plan(steps=STEPS))["steps"][0]
    assert [*first] == ["n", "turn", "actor", "action", "args", "text", "cites"]
    assert first["text"] == "Red: said in full"
